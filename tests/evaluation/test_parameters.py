"""Parameters of judgement: each is declared with meaning, range and default, and reaches the choices below the one asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from battlesim import (
    RULESETS,
    InputError,
    contributions,
    features,
    find_agent,
    judgement,
    parameters,
    play,
    weigh,
    weights_of,
)
from battlesim.core.answers import Order
from battlesim.engine.roster import Entrant
from battlesim.evaluation.parameters import Weights, parameters_of
from battlesim.rules.contract import SENSIBLE, Features
from battlesim.rules.scenario import Objective, Scenario
from battlesim.rulesets.orderdice import observation, turn
from tests.rulesets.orderdice.kit import Table, unit
from tests.shipped import is_big, load, of_ruleset

UNTOLD = {"squadhex": {"nerve", "risk"}, "armorclass": {"nerve"}}
"""The features that a rulebook never tells, and so declares no weight for."""


@pytest.mark.parametrize("name", RULESETS)
def test_every_rulebook_declares_what_its_players_weigh(name: str) -> None:
    found = parameters(name)
    assert {one.name for one in found} >= set(Features.__struct_fields__) - UNTOLD.get(name, set())
    for one in found:
        assert one.low <= one.default <= one.high, one
        assert one.meaning
    assert judgement(name) == judgement(name, **{one.name: one.default for one in found})


def test_weights_are_the_sensible_ones_where_nothing_else_is_declared() -> None:
    assert weights_of(Weights()) == SENSIBLE


def test_a_weight_that_is_not_declared_is_the_sensible_one() -> None:
    class Few(Struct, frozen=True):
        dealt: Annotated[float, Meta(description="losses", ge=0, le=10)] = 3.0

    assert weights_of(Few()) == replace(SENSIBLE, dealt=3.0)


@pytest.mark.parametrize("name", RULESETS)
def test_players_pass_over_a_parameter_that_their_rulebook_has_not(name: str) -> None:
    """One name serves all rulebooks, and `nerve` counts under two of them."""
    agent: Any = find_agent("doctrine,nerve=5,risk=4").make()
    assert set(agent.settings_for(name)) == {"nerve", "risk"} - UNTOLD.get(name, set())
    scenario = {"squadhex": "silo", "armorclass": "drones"}.get(name)
    if scenario:
        game = play(scenario, ("greedy,nerve=5", "doctrine,nerve=5"), seed=3)
        assert not game.faults
        assert game.log == play(scenario, ("greedy", "doctrine"), seed=3).log


class Positions:
    """A player that keeps the questions it was asked."""

    def __init__(self, player: str) -> None:
        self.player: Any = find_agent(player).make()
        self.seen: list[tuple[Any, ...]] = []

    def start(self, board: Any, side: int, chance: Any) -> None:
        self.board = board
        self.player.start(board, side, chance)

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        if len(answers) > 1:
            self.seen.append((view, self.board, ask, list(answers)))
        return self.player.choose(view, ask, answers)


def positions(scenario: Scenario, player: str, seed: int) -> list[tuple[Any, ...]]:
    """The questions of one game of a player against itself."""
    made: list[Positions] = []

    def make() -> Positions:
        made.append(Positions(player))
        return made[-1]

    assert not play(scenario, (Entrant("one", "", make), Entrant("two", "", make)), seed=seed).faults
    return [one for side in made for one in side.seen]


def games(ruleset: str) -> Iterator[list[tuple[Any, ...]]]:
    """Questions of games on the scenarios of a rulebook, and on these with more objectives: ground that one side alone scores,
    all of it, and an edge to leave by."""
    for name in of_ruleset(ruleset):
        if is_big(name):
            continue
        scenario = load(name)
        yield positions(scenario, "greedy", 1)
        yield positions(scenario, "random", 2)
        more = (
            Objective("hold", "all of it", 3, side=0, places=tuple(range(len(scenario.board.spaces)))),
            Objective("exit", "the edge", 2, side=0, edge="n"),
        )
        scenario = replace(scenario, objectives=(*scenario.objectives, *more))
        for player in ("greedy", "random"):
            yield positions(scenario, player, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_parameter_bears_on_something(name: str) -> None:
    """Set otherwise, it changes the score of an answer to a question of some game."""
    usual = judgement(name)
    waiting = {
        one.name: judgement(
            name, **{one.name: one.high if one.default < (one.low + one.high) / 2 else one.low}
        )
        for one in parameters(name)
    }

    def scores(position: tuple[Any, ...], judges: Struct) -> list[float]:
        return [weigh(found, weights_of(judges)) for found in features(*position, judges)]

    for asked in games(name):
        for position in asked:
            before = scores(position, usual)
            waiting = {
                parameter: other for parameter, other in waiting.items() if scores(position, other) == before
            }
            if not waiting:
                return
    assert not waiting, f"these bear on nothing: {', '.join(waiting)}"


@pytest.mark.parametrize(
    "settings", [{"exposur": 1.0}, {"exposure": -1.0}, {"exposure": True}, {"exposure": "1"}]
)
def test_what_is_no_parameter_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"parameter|exposure"):
        judgement(RULESETS[0], **settings)


def test_a_parameter_without_a_meaning_or_a_range_is_a_fault_of_the_rulebook() -> None:
    class Bare(Struct, frozen=True):
        dealt: float = 1.0

    class Endless(Struct, frozen=True):
        dealt: Annotated[float, Meta(description="losses")] = 1.0

    for one in (Bare, Endless):
        with pytest.raises(TypeError):
            parameters_of(one)


def test_weights_reach_the_choice_that_an_order_leads_to() -> None:
    """Told that shots are all that counts, an Advance is judged by the place with the best shot; told that it is not to be shot
    at, by one out of sight."""
    table = Table(
        "open-ground",
        unit("rifle_section", at="g7.2"),
        unit("rifle_section", at="g7.8", side=1, order="fire"),
    )
    view = observation.observe(table.state, table.board, 0, ())
    ask, answer = turn.WhichOrder(0, side=0), Order("advance")
    bold = judgement("orderdice", dealt=10.0, exposure=0.0, progress=0.0, hold=0.0)
    timid = judgement("orderdice", dealt=0.0, exposure=10.0, progress=0.0, hold=0.0)
    by_bold, by_timid = (features(view, table.board, ask, [answer], one)[0] for one in (bold, timid))
    assert by_bold.dealt > by_timid.dealt
    assert by_timid.exposure < by_bold.exposure
    assert weigh(by_bold, weights_of(bold)) > weigh(by_timid, weights_of(bold))


def test_wrong_types_to_what_weighs_are_named() -> None:
    """A judgement that declares only some weights is none: `weights_of` makes them of it."""

    class Few(Struct, frozen=True):
        dealt: float = 3.0

    for given in ((Features(), Few()), ((1.0, 2.0), SENSIBLE), (Features(), None)):
        for work in (weigh, contributions):
            with pytest.raises(InputError, match="weights_of"):
                work(*given)  # type: ignore[arg-type]
    assert weigh(Features(dealt=1.0), weights_of(Few())) == 3.0
    with pytest.raises(InputError, match="is not a judgement"):
        weights_of({"dealt": 3.0})  # type: ignore[arg-type]
