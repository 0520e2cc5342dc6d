"""The round: blocks of actions, command, status, the end (SH-HOUSE-ROUND, SH-HOUSE-VICTORY)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import play
from battlesim.core.answers import MoveTo, Pick, TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Ended, Rolled, Scored, TurnEnded
from battlesim.core.state import Outcome
from battlesim.core.view import uncaused
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.rules.activation import Alternate
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex import victory
from battlesim.rulesets.squadhex.facts import Acts, Captured
from battlesim.rulesets.squadhex.model import battle_state
from battlesim.rulesets.squadhex.observation import faults
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.rulesets.squadhex.turn import Action, ActionDone, EndRound, WhichAction, WhichUnit
from battlesim.scenario.load import first_state, load_scenario
from tests.rulesets.squadhex.kit import YARD, Table, unit

SCENARIO = """\
name: blocks
ruleset: squadhex
map: {yard}
turns: {turns}
margin: 1
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: rifle_squad, name: red 1, at: g0.0}}
  - {{side: Red, type: rifle_squad, name: red 2, at: g0.1}}
  - {{side: Red, type: rifle_squad, name: red 3, at: g0.2}}
  - {{side: Red, type: rifle_squad, name: red 4, at: g0.3}}
  - {{side: Blue, type: rifle_squad, name: blue 1, at: g11.9}}
  - {{side: Blue, type: rifle_squad, name: blue 2, at: g11.8}}
objectives:
{goals}
options: {options}
"""
CORNER = "  - {kind: hold, name: the corner, places: [g0.0], points: 2}"


def scenario(tmp_path: Path, turns: int = 2, goals: str = CORNER, options: str = "{}") -> Path:
    file = tmp_path / "blocks.yaml"
    file.write_text(SCENARIO.format(yard=YARD, turns=turns, goals=goals, options=options))
    return file


def sides_that_acted(file: Path, seed: int = 1) -> list[list[int]]:
    """The sides of the units that acted, by round."""
    game = play(file, ("random", "random"), seed)
    rounds: list[list[int]] = [[]]
    for event in game.log:
        if isinstance(event, Acts):
            rounds[-1].append(game.state.units[event.unit].side)
        elif type(event).__name__ == "TurnEnded":
            rounds.append([])
    return [one for one in rounds if one]


@pytest.mark.clause("SH-HOUSE-ROUND", "SH-HOUSE-VICTORY")
def test_blocks_of_three_the_first_side_alternates_and_who_has_nobody_passes(tmp_path: Path) -> None:
    file = scenario(tmp_path)
    assert sides_that_acted(file) == [[0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 0, 0]]
    file = scenario(tmp_path, options="{actions: 1, first: Blue}")
    assert sides_that_acted(file) == [[1, 0, 1, 0, 0, 0], [0, 1, 0, 1, 0, 0]]


@pytest.mark.clause("SH-HOUSE-ROUND")
@pytest.mark.parametrize(("said", "rounds"), [("", 8), ("turns: 3", 3), ("turns: 6", 6), ("turns: 8", 8)])
def test_rounds_are_eight_unless_the_scenario_says_otherwise(tmp_path: Path, said: str, rounds: int) -> None:
    file = scenario(tmp_path)
    file.write_text(file.read_text().replace("turns: 2", said))
    begun = battle_state(first_state(load_scenario(file), 1))
    assert (begun.turns, begun.play.actions) == (rounds, 3)


@pytest.mark.clause("SH-HOUSE-ROUND")
def test_the_default_length_said_or_left_out_is_the_same_scenario(tmp_path: Path) -> None:
    file = scenario(tmp_path)
    text = file.read_text()
    digests = []
    for said in ("", "turns: 8", "turns: 6"):
        file.write_text(text.replace("turns: 2", said))
        digests.append(load_scenario(file).digest)
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.clause("SH-HOUSE-ROUND")
def test_a_battle_ends_after_its_last_round(tmp_path: Path) -> None:
    game = play(scenario(tmp_path, turns=3), ("random", "random"), 0)
    assert game.outcome.termination == "length"
    assert [event.turn for event in game.log if isinstance(event, TurnEnded)] == [1, 2, 3]


@pytest.mark.clause("SH-HOUSE-ROUND")
def test_only_fresh_units_that_are_able_are_asked() -> None:
    table = Table(
        unit("rifle_squad", at="g0.0", fresh=False),
        unit("rifle_squad", at="g0.1"),
        unit("rifle_squad", at="g0.2", disrupted=True),
        unit("rifle_squad", at="g0.3", pinned=True),
        unit("rifle_squad", at="g11.9", side=1),
    )
    table.do(Action())
    assert isinstance(table.ask, WhichUnit)
    assert table.legal == [Pick(1), Pick(3)]


@pytest.mark.clause("SH-HOUSE-ROUND", "SH-HOUSE-SUPPRESS")
def test_the_status_phase() -> None:
    """Pins go, waiting ends, all are fresh; the disrupted roll."""
    table = Table(
        unit("rifle_squad", at="g0.0", fresh=False, waits=True, pinned=True),
        unit("rifle_squad", at="g0.1", side=1, disrupted=True),
        unit("rifle_squad", at="g11.9", side=1, disrupted=True),
        dice=[4, 3],
    )
    table.do(EndRound())
    one, two, three = (table.unit(n).own for n in range(3))
    assert (one.fresh, one.waits, one.pinned) == (True, False, False)
    assert (two.disrupted, three.disrupted) == (False, True)
    assert table.state.turn == 2
    table.done()


@pytest.mark.clause("SH-HOUSE-SUPPRESS", "SH-HOUSE-ROUND")
@pytest.mark.parametrize("officer_first", [True, False])
def test_recovery_is_read_off_the_status_phase_as_it_begins(officer_first: bool) -> None:
    """An officer who recovers in this phase helps nobody in it, whatever his number: the squad beside him needs a four."""
    units = [unit("officer_squad", at="g5.1", disrupted=True), unit("rifle_squad", at="g5.2", disrupted=True)]
    faces = [4, 3] if officer_first else [3, 4]
    table = Table(*(units if officer_first else units[::-1]), dice=faces)
    table.do(EndRound())
    recovered = {one.kind: not one.own.disrupted for one in table.state.units.values()}
    assert recovered == {"officer_squad": True, "rifle_squad": False}
    assert [roll.need for roll in table.events(Rolled)] == [4, 4]


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_who_is_still_disrupted_is_no_longer_pinned() -> None:
    table = Table(unit("rifle_squad", at="g5.2", disrupted=True, pinned=True), dice=[3])
    table.do(EndRound())
    assert (table.unit(0).own.disrupted, table.unit(0).own.pinned) == (True, False)


# ---- who wins ----------------------------------------------------------------------------------------------------------


def place(name: str) -> int:
    return Table().place(name)


def hold(name: str, *places: str, points: int = 1, side: int = -1) -> Objective:
    return Objective("hold", name, points, side, places=tuple(sorted(place(p) for p in places)))


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_the_last_side_alone_inside_holds() -> None:
    goal = hold("the house", "hall.high:0", "hall.high:1", "hall.high:ruin")
    table = Table(
        unit("rifle_squad", at="hall.high:0"), unit("rifle_squad", at="g4.3", side=1), goals=(goal,)
    )
    victory.after_action(table.r, 0, -1)
    assert battle_state(table.state).held == (0,)
    assert table.events(Captured) == [replace(table.events(Captured)[0], side=0, what="the house")]
    both = Table(
        unit("rifle_squad", at="hall.high:0"), unit("rifle_squad", at="hall.high:1", side=1), goals=(goal,)
    )
    assert victory.holders(both.state, (goal,), (1,)) == (1,)  # both inside: who held it still does
    empty = Table(goals=(goal,))
    assert victory.holders(empty.state, (goal,), (0,)) == (0,)


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_who_holds_and_who_is_left_is_looked_at_after_each_action() -> None:
    goal = hold("the hut", "hut.only:0")
    table = Table(unit("rifle_squad", at="hut.only:0"), unit("rifle_squad", at="g0.0", side=1), goals=(goal,))
    RULESET.step(table.r, ActionDone(0, table.place("g8.4")))
    assert battle_state(table.state).held == (0,)
    assert len(table.state.agenda) == 1  # the next action
    table.r.lose(table.unit(1), 4, "fire")
    RULESET.step(table.r, ActionDone(0, table.place("hut.only:0")))
    assert table.state.outcome == Outcome(0, (1, 0), "annihilation")
    assert not table.state.agenda


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_points_each_command_phase_or_at_the_end() -> None:
    goals = (hold("here", "g0.0", points=2), hold("there", "g0.1", points=3, side=1))
    table = Table(
        unit("rifle_squad", at="g0.0"),
        unit("rifle_squad", at="g0.1", side=1),
        goals=goals,
        held=(0, 1),
        each_round=True,
    )
    victory.command(table.r)
    assert table.state.points == (2, 3)
    assert victory.standing(table.state) == (2, 3)  # and not once more at the end
    victory.ENDING.score(table.r)
    assert table.state.points == (2, 3)
    table = Table(unit("rifle_squad", at="g0.0"), unit("rifle_squad", at="g0.1"), goals=goals, held=(0, 0))
    victory.command(table.r)
    assert table.state.points == (0, 0)
    assert victory.standing(table.state) == (2, 0)  # the other is not for this side


@pytest.mark.clause("SH-HOUSE-VICTORY", "SH-FALL-4")
def test_points_for_losses_and_for_ruins() -> None:
    number = Table().section("hut.only")
    ruin = Table().board.sections[number].ruin
    goals = (
        Objective("destroy", "the squad", 2, 1, units=(0,)),
        Objective("survive", "the tank", 1, 0, units=(1,)),
        Objective("destroy", "the hut", 3, 1, sections=(number,)),
        Objective("hold", "the hut", 1, -1, places=(ruin,)),
    )
    table = Table(
        unit("rifle_squad", at="g0.0"),
        unit("light_tank", at="g0.1"),
        unit("rifle_squad", at="hut.only:ruin", side=1),
        goals=goals,
        held=(-1, -1, -1, 1),
    )
    assert victory.standing(table.state) == (1, 1)
    table.fell("hut.only")
    table.r.lose(table.unit(0), 4, "fire")
    assert victory.standing(table.state) == (1, 6)
    victory.ENDING.score(table.r)
    named = {event.what: event.clauses for event in table.events(Scored)}
    assert "SH-FALL-4" in [clause for event in table.events(Scored) for clause in event.clauses]
    assert "SH-FALL-4" not in named["the squad"]


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_points_for_ruins_want_all_of_the_hexes_named() -> None:
    houses = ("hall.low", "hut.only")
    goal = Objective("destroy", "both", 3, 1, sections=tuple(Table().section(name) for name in houses))
    table = Table(unit("rifle_squad", at="g0.0"), goals=(goal,))
    for house, points in zip(houses, (0, 3), strict=True):
        table.fell(house)
        assert victory.standing(table.state) == (0, points)


@pytest.mark.clause("SH-HOUSE-VICTORY")
@pytest.mark.parametrize(
    ("points", "margin", "winner"), [((3, 1), 2, 0), ((3, 2), 2, None), ((0, 2), 2, 1), ((1, 1), 1, None)]
)
def test_the_margin(points: tuple[int, int], margin: int, winner: int | None) -> None:
    table = Table(
        unit("rifle_squad", at="g0.0"), unit("rifle_squad", at="g11.9", side=1), turns=2, margin=margin
    )
    table.state.points, table.state.turn = points, 3
    assert not victory.round_over(table.r)
    assert table.state.outcome == Outcome(winner, points, "length")


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_a_side_without_units_loses_at_once() -> None:
    goal = hold("here", "g0.0", points=9)
    table = Table(
        unit("rifle_squad", at="g0.0"), unit("rifle_squad", at="g0.1", side=1), goals=(goal,), held=(0,)
    )
    table.r.lose(table.unit(0), 4, "fire")
    victory.after_action(table.r, 1, -1)
    (ended,) = table.events(Ended)
    assert ended.outcome == Outcome(1, (9, 0), "annihilation")


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_both_at_once_draw() -> None:
    table = Table(unit("rifle_squad", at="g0.0"), unit("rifle_squad", at="g0.1", side=1))
    for number in (0, 1):
        table.r.lose(table.unit(number), 4, "assault")
    assert victory.ENDING.check_wiped(table.state) == Outcome(None, (0, 0), "annihilation")


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_exits_score_when_a_unit_moves_to_the_edge_and_end_the_battle_with_the_last() -> None:
    goal = Objective("exit", "out", 2, 0, edge="n")
    table = Table(unit("rifle_squad", at="g0.9"), unit("rifle_squad", at="g5.5", side=1), goals=(goal,))
    victory.after_action(table.r, 0, table.unit(0).place)
    assert table.unit(0).place >= 0  # it has not moved
    victory.after_action(table.r, 0, place("g0.8"))
    assert table.unit(0).own.left
    assert table.unit(0).place < 0
    assert table.unit(0).alive
    assert table.state.points == (2, 0)
    assert table.state.outcome == Outcome(0, (2, 0), "exit")


@pytest.mark.clause("SH-HOUSE-VICTORY", "SH-HOUSE-ASSAULT")
@pytest.mark.parametrize(
    ("foe", "dice", "won"),
    [("g5.9", ([6] * 4, [1] * 4), True), ("g5.7", ([1] * 4, [6, 1, 1, 1]), False)],
)
def test_assaulters_leave_by_an_edge_that_they_win_not_by_one_that_they_fall_back_to(
    foe: str, dice: tuple[list[int], list[int]], won: bool
) -> None:
    goal = Objective("exit", "out", 2, 0, edge="n")
    table = Table(
        unit("rifle_squad", at="g5.8"),
        unit("rifle_squad", at=foe, side=1),
        unit("rifle_squad", at="g6.8", side=1),
        goals=(goal,),
        dice=dice,
    )
    table.act(0, "assault")
    (done,) = (step for step in table.state.stack if isinstance(step, ActionDone))
    table.say(TargetUnit(1))
    if not won:
        table.say(MoveTo(place("g5.9")))
    table.done()
    RULESET.step(table.r, done)
    assert table.unit(0).own.left == won
    assert table.state.points == ((2, 0) if won else (0, 0))


@pytest.mark.clause("SH-HOUSE-VICTORY")
def test_no_exit_by_another_edge_nor_pinned_nor_for_others() -> None:
    goal = Objective("exit", "out", 2, 0, units=(1,), edge="n")
    table = Table(
        unit("rifle_squad", at="g0.9"),
        unit("rifle_squad", at="g5.9", pinned=True),
        unit("rifle_squad", at="g5.5", side=1),
        goals=(goal,),
    )
    for number in (0, 1):
        assert not victory.can_exit(table.state, table.board, table.unit(number), table.unit(number).place)
    table.set_own(1, pinned=False)
    assert victory.can_exit(table.state, table.board, table.unit(1), table.unit(1).place)
    assert not victory.can_exit(table.state, table.board, table.unit(1), place("g0.5"))


def test_alternate_passes_over_who_has_nobody() -> None:
    play_ = Alternate(0, 2)
    assert play_.next((0, 3)) == Alternate(1, 2, 0)
    assert play_.acted().acted().next((4, 1)) == Alternate(1, 2, 0)
    assert play_.acted().acted().next((4, 0)) == Alternate(0, 2, 0)
    assert play_.next((0, 0)) is None


def played(file: Path, seed: int, most: int) -> Battle:
    loaded = load_scenario(file)
    battle = Battle(RULESET, loaded.board, first_state(loaded, seed), KeyedDice(seed))
    chance: Any = Chance(seed)
    while battle.question is not None and battle.question.number < most:
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))
    return battle


def test_a_view_hides_what_the_enemy_is_asked_and_says(tmp_path: Path) -> None:
    battle = played(scenario(tmp_path), 3, 20)
    assert battle.question is not None
    for side in (0, 1):
        view = battle.ruleset.observe(battle.state, battle.board, side, battle.log)
        kinds = {type(event).__name__ for event in view.news if getattr(event, "side", side) != side}
        assert not kinds & {"Asked", "Answered"}
        assert view.units == battle.state.units
        assert view.units is not battle.state.units
        imagined = battle.ruleset.imagine(view, battle.board, KeyedDice(1))
        assert imagined.at == battle.state.at
        assert imagined.stack == tuple(map(uncaused, battle.state.stack))


@pytest.mark.parametrize(("fresh", "told"), [(True, 0), (False, 1)])
def test_a_unit_that_is_asked_to_act_again_is_a_fault(fresh: bool, told: int) -> None:
    table = Table(unit("rifle_squad", at="g0.0", fresh=fresh), unit("rifle_squad", side=1, at="g9.4"))
    table.state.stack = (WhichAction(0, side=0),)
    found = faults(table.state, table.board)
    assert sum("has acted in this round" in fault for fault in found) == told
