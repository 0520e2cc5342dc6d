"""Players that think ahead: legal, repeatable, within their budget, under every rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim import Chance, InputError, find_agent, play
from battlesim.engine.record import Limits, parse_record
from battlesim.engine.verify import verify
from tests.fifth.install import installed
from tests.shipped import FIFTH, load

SMALL = ("stairwell", "square", "drones", "watch-house")
"""One scenario a rulebook."""
CHEAP = "planner,width=2,samples=2,turns=0.3,questions=40"


@pytest.fixture(autouse=True, scope="module")
def _fifth() -> Any:
    """The fifth rulebook, from a package of its own."""
    with installed():
        yield


@pytest.mark.parametrize("name", [*SMALL, FIFTH])
@pytest.mark.parametrize("agent", [CHEAP])
def test_they_play_every_rulebook_by_the_rules_and_the_same_again(agent: str, name: str) -> None:
    game = play(name, (agent, "rush"), seed=3)
    assert not game.faults
    verdict = verify(parse_record(game.record(), "x"), True, load(name))
    assert verdict.same, str(verdict)


@pytest.mark.parametrize("name", ["stairwell", "drones"])
def test_the_planner_keeps_its_budget(name: str) -> None:
    """Its own, and the referee's: it answers with what it has found."""
    asked = [0]

    def listener(battle: Any, question: Any) -> None:
        asked[0] += question.side == 0

    game = play(name, ("planner,samples=4,questions=30", "rush"), seed=3, listener=listener)
    assert not game.faults
    assert 0 < game.imagined[0] <= 30 * asked[0]
    asked[0] = 0
    game = play(name, ("planner,samples=4", "rush"), seed=3, limits=Limits(questions=25), listener=listener)
    assert not game.faults
    assert 0 < game.imagined[0] <= 25 * asked[0]


def test_the_planner_answers_as_greedy_where_it_may_imagine_nothing_of_use() -> None:
    one = play("stairwell", ("planner,questions=1", "rush"), seed=3)
    assert one.imagined[0] > 0
    assert not one.faults


def test_the_planner_says_what_it_found() -> None:
    said: list[Any] = []

    class Telling:
        def __init__(self) -> None:
            self.inner: Any = find_agent(CHEAP).make()

        def start(self, board: Any, side: int, chance: Chance) -> None:
            self.chance = chance
            self.inner.start(board, side, chance)

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            rows = self.inner.explain(view, ask, answers)
            self.chance.at(self.chance.number)
            chosen = self.inner.choose(view, ask, answers)
            said.append((rows, chosen))
            return chosen

    play("stairwell", (Telling, "rush"), seed=3)
    assert said
    for rows, chosen in said:
        assert rows[0][0] == chosen
        assert all(0 <= score <= 100 for _, score, _ in rows)
        assert sum("greedy's" in text for _, _, text in rows) == 1


@pytest.mark.parametrize("words", ["width=1", "samples=1", "turns=0", "sure=-1", "questions=-5"])
def test_senseless_parameters_are_refused(words: str) -> None:
    with pytest.raises(InputError, match="at least 2"):
        find_agent(f"planner,{words}")
