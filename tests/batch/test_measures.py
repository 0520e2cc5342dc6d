"""Measures count what happened: looked at in battles of every rulebook, and in a game put together by hand."""

from __future__ import annotations

from math import dist
from types import SimpleNamespace
from typing import Any

import pytest

from battlesim import find_ruleset, load_scenario, play
from battlesim.batch.measures import Measures, measure
from battlesim.batch.stance import diagonal
from battlesim.batch.timeline import models_of
from battlesim.core.codec import dump_state
from battlesim.core.events import Event, Placed, StructureSet, TurnEnded
from battlesim.core.state import Outcome
from battlesim.rulesets.orderdice import facts, facts_fire
from battlesim.scenario.load import first_state
from tests.measure_scenarios import line, summed

SCENARIO = load_scenario("stairwell")
BOARD = SCENARIO.board
START = first_state(SCENARIO, 1)
FLOOR = next(space.id for space in BOARD.spaces if space.kind == "floor" and space.floor == 1)
GROUND = next(
    space.id
    for space in BOARD.spaces
    if space.kind == "ground"
    and space.id not in {place for goal in SCENARIO.objectives for place in goal.places}
)
RED = next(unit.id for unit in START.units.values() if unit.side == 0 and unit.place >= 0)
BLUE = next(unit.id for unit in START.units.values() if unit.side == 1 and unit.place >= 0)


def after(*events: Event) -> Measures:
    """The measures of a game of just these events."""
    game: Any = SimpleNamespace(
        header=SimpleNamespace(ruleset=SimpleNamespace(name="orderdice"), start=dump_state(START)),
        scenario=SCENARIO,
        log=events,
        outcome=Outcome(winner=0, points=(1, 0), termination="length"),
        verdict="length",
        reach=(1, 1),
        standings=[(1, (0, 0)), (2, (0, 1)), (3, (0, 0))],
        row=lambda: {"turns": 1},
    )
    return measure(game)


def shot(unit: int, target: int, cause: int) -> facts_fire.Shot:
    return facts_fire.Shot(unit, target, "rifle", 5, 3, 1, 1, 600, cause=cause)


def test_a_turn_of_units_in_the_open_inside_and_above() -> None:
    whole = after(Placed(RED, FLOOR, 0), Placed(BLUE, GROUND, 0), TurnEnded(1, ""))
    others = [
        BOARD.spaces[unit.place]
        for unit in START.units.values()
        if unit.place >= 0 and unit.id not in (RED, BLUE)
    ]
    assert whole.unit_turns == len(others) + 2
    assert whole.inside == 1 + sum(space.kind == "floor" for space in others)
    assert whole.above == 1 + sum(space.kind == "floor" and space.floor > 0 for space in others)


def test_who_does_nothing_in_the_open_is_idle_until_it_does_something() -> None:
    before = (Placed(RED, GROUND, 0), TurnEnded(1, ""))
    others = after(*before).idle
    assert after(*before, TurnEnded(2, "")).idle == 2 * others + 1
    assert after(*before, shot(RED, BLUE, 0), TurnEnded(2, "")).idle == 2 * others


def test_the_weapons_of_one_volley_are_one_shot_and_places_are_those_of_the_moment() -> None:
    found = after(
        Placed(RED, FLOOR, 0),
        Placed(BLUE, GROUND, 0),
        shot(RED, BLUE, 1),
        shot(RED, BLUE, 1),
        Placed(RED, GROUND, 0),
        Placed(BLUE, FLOOR, 0),
        shot(RED, BLUE, 4),
        facts.Assault(unit=RED, other=BLUE, place=FLOOR, cause=5),
    )
    assert (found.shots, found.shots_from, found.shots_at) == (2, 1, 1)
    assert (found.assaults, found.assaults_into) == (1, 1)


def test_a_section_is_set_alight_once_and_falls_once() -> None:
    found = after(StructureSet(0, False, True), StructureSet(0, False, True), StructureSet(0, True, True))
    assert (found.fires, found.falls) == (1, 1)


def test_waiting_and_what_comes_of_it() -> None:
    found = after(
        facts.Ordered(RED, "ambush"),
        facts.Ordered(BLUE, "ambush", cause=1),
        facts.Ordered(RED, "fire", "ambush"),
    )
    assert (found.waits, found.reactions) == (2, 1)


def test_the_lead_passes_from_side_to_side() -> None:
    assert after().lead_changes == 1, "a draw in between passes no lead"


@pytest.mark.parametrize("name", ["stairwell", "outpost", "village-armour", "watch-house"])
def test_every_rulebook_is_measured(name: str) -> None:
    game = play(name, ("random", "rush"), seed=2)
    found = measure(game)
    assert find_ruleset(game.header.ruleset.name).incidents.of
    assert found.shots > 0
    assert found.unit_turns > found.inside >= found.above >= 0
    assert (
        tuple(before - left for before, left in zip(found.began, models_of(game.state), strict=True))
        == found.lost
    )
    assert f"| {name} | 1 |" in line(summed(name, [found]))


def test_what_a_side_does_is_its_own() -> None:
    before = (Placed(RED, FLOOR, 0), Placed(BLUE, GROUND, 0), TurnEnded(1, ""))
    events = (*before, shot(RED, BLUE, 0), shot(BLUE, RED, 1), shot(BLUE, RED, 2), Placed(RED, GROUND, 0))
    found = after(*events, TurnEnded(2, ""))
    assert found.sides is not None
    red, blue = found.sides
    assert (red.shots, blue.shots) == (1, 2)
    assert (red.shots_at, blue.shots_at) == (0, 2)
    # Red was placed anew in both turns; Blue only in the first.
    assert (red.moved, blue.moved) == (2, 1)
    assert red.unit_turns + blue.unit_turns == found.unit_turns
    assert red.inside + blue.inside == found.inside
    assert red.above + blue.above == found.above


def test_a_unit_that_stays_or_comes_onto_the_board_has_not_moved() -> None:
    there = START.units[RED].place
    found = after(Placed(RED, there, 0), TurnEnded(1, ""))
    assert found.sides is not None
    assert found.sides[0].moved == 0


def test_how_a_side_stands_at_the_end_of_a_turn() -> None:
    """Spread and gap are those of the spaces, floors count once, who has not come on is in reserve."""
    board = SCENARIO.board
    middle_turn = after(TurnEnded(1, ""))
    assert middle_turn.sides is not None
    across = diagonal(board)
    for side in (0, 1):
        at = [
            [board.spaces[u.place] for u in START.units.values() if u.side == one and u.place >= 0]
            for one in (side, 1 - side)
        ]
        own, foes = ([(p.x, p.y) for p in points] for points in at)
        centre = (sum(x for x, _ in own) // len(own), sum(y for _, y in own) // len(own))
        spread = sum(1000 * dist(one, centre) / across for one in own)
        gap = sum(1000 * min(dist(one, foe) for foe in foes) / across for one in own)
        found = middle_turn.sides[side]
        assert found.spread == pytest.approx(spread, abs=len(own) * 1.1)
        assert found.gap == pytest.approx(gap, abs=len(own) * 1.1)
        inside = {
            u.place for u in START.units.values() if u.side == side and board.spaces[u.place].kind == "floor"
        }
        assert found.floors == len(inside) > 0
        assert found.reserve == 0
    twice = after(TurnEnded(1, ""), TurnEnded(2, ""))
    assert twice.sides is not None
    assert twice.sides[0].spread == 2 * middle_turn.sides[0].spread
    assert twice.sides[0].floors == middle_turn.sides[0].floors


def test_reserves_count_until_they_come_on_and_not_once_they_have_left() -> None:
    """The column of the breakthrough comes on in the first turns, and may leave by the road."""
    game = play("breakthrough", ("greedy", "greedy"), seed=1)
    found = measure(game)
    assert found.sides is not None
    start = find_ruleset("squadhex").codec.load(game.header.start)
    off = [unit.side for unit in start.units.values() if unit.place < 0]
    for side in (0, 1):
        assert (found.sides[side].reserve > 0) <= (side in off)
        assert found.sides[side].reserve <= off.count(side) * found.turns


def test_what_is_shot_at_walls_and_what_comes_early() -> None:
    found = measure(play("silo", ("greedy", "greedy"), seed=2))
    assert found.sides is not None
    assert sum(side.shots_walls for side in found.sides) > 0
    for side in found.sides:
        assert side.shots_walls <= side.shots_at <= side.shots
        assert 0 < side.early < side.shots + side.assaults
