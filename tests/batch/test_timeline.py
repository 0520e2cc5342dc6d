"""What a game is told to be turn by turn: losses, ground held, objectives taken. Games are put together by hand, and played."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.batch.measures import measure
from battlesim.batch.tables import TABLES
from battlesim.batch.timeline import ObjectiveEvent
from battlesim.core.events import Event, ModelsLost, Placed, Scored, TurnEnded
from battlesim.rulesets.orderdice import facts
from tests.batch.test_measures import BLUE, BOARD, GROUND, RED, SCENARIO, START, after

GOAL = SCENARIO.objectives[0]
INSIDE = GOAL.places[0]
HOLDER = next(
    (unit for unit in START.units.values() if unit.place in GOAL.places),
    next(iter(START.units.values())),
)
"""A unit that is set up in the objective, and holds it."""
ENEMY = RED if HOLDER.side == 1 else BLUE
INMATES = [unit for unit in START.units.values() if unit.place in GOAL.places]


def taken(*events: Event) -> list[ObjectiveEvent]:
    """What is told of the objective after these events, but for who was set up in it."""
    return [
        event for event in after(*events).objectives if event.objective == GOAL.name and event.how != "start"
    ]


def all_out() -> list[Event]:
    """Whoever is set up in the objective leaves it."""
    return [Placed(unit.id, GROUND, 0) for unit in INMATES]


def test_losses_are_told_by_turn_and_add_up() -> None:
    whole = START.units[RED].models
    found = after(
        ModelsLost(RED, 2, whole - 2), TurnEnded(1, ""), ModelsLost(RED, 1, whole - 3), ModelsLost(BLUE, 1, 1)
    )
    assert [turn.lost[0] for turn in found.turns_of] == [3], "what comes after the last turn belongs to it"
    assert found.lost == (3, found.turns_of[0].lost[1])


def test_a_space_is_held_by_whoever_last_stood_in_it_or_passed() -> None:
    none = after(TurnEnded(1, "")).turns_of[0].ground
    free = [space.id for space in BOARD.spaces if space.kind == "ground"]
    held = {unit.place for unit in START.units.values()}
    one, two, three = [place for place in free if place not in held][:3]
    walk = Placed(RED, three, 0, (START.units[RED].place, one, two, three))
    red = after(walk, TurnEnded(1, "")).turns_of[0].ground
    assert red == (none[0] + 3, none[1]), "what it passed and what it left are its own"
    both = after(walk, Placed(BLUE, two, 0, (two,)), TurnEnded(1, "")).turns_of[0].ground
    assert both == (none[0] + 2, none[1] + 1)


def test_who_is_set_up_in_an_objective_holds_it() -> None:
    assert INMATES, "the scenario sets somebody up in its first objective"
    first = [event for event in after().objectives if event.objective == GOAL.name]
    assert [(event.side, event.how) for event in first] == [(HOLDER.side, "start")]


def test_an_objective_is_walked_into_stormed_or_emptied() -> None:
    enter = Placed(ENEMY, INSIDE, 0)
    side = START.units[ENEMY].side
    walked = taken(*all_out(), TurnEnded(1, ""), enter)
    assert [(event.side, event.how) for event in walked] == [(side, "walked")]
    emptied = taken(*all_out(), enter)
    assert [(event.side, event.how) for event in emptied] == [(side, "emptied")]
    storm = facts.Assault(unit=ENEMY, other=HOLDER.id, place=INSIDE, cause=0)
    stormed = taken(storm, *all_out(), enter)
    assert [(event.side, event.how) for event in stormed] == [(side, "assault")]


def test_an_objective_with_both_sides_in_it_changes_no_hands() -> None:
    assert taken(Placed(ENEMY, INSIDE, 0)) == []


def test_what_an_objective_scores_is_told_and_other_points_are_not() -> None:
    found = taken(Scored(1, 3, GOAL.name), Scored(0, 5, "a standard"))
    assert [(event.side, event.how, event.points) for event in found] == [(1, "scored", 3)]


@pytest.mark.parametrize("name", ["stairwell", "outpost", "silo", "watch-house"])
def test_the_course_of_real_games_adds_up(name: str) -> None:
    game = play(name, ("greedy", "rush"), seed=4)
    found = measure(game)
    assert [turn.turn for turn in found.turns_of] == list(range(1, found.turns + 1))
    for side in (0, 1):
        assert sum(turn.lost[side] for turn in found.turns_of) == found.lost[side]
        assert sum(row[5] for row in found.types if row[0] == side) == found.lost[side]
    last = {event.objective: event.side for event in found.objectives if event.how != "scored"}
    for goal in game.scenario.objectives:
        here = {unit.side for unit in game.state.units.values() if unit.alive and unit.place in goal.places}
        if len(here) == 1:
            assert {last[goal.name]} == here
    assert all(1 <= event.turn <= found.turns for event in found.objectives)
    lines = {table: list(TABLES[table].lines(found)) for table in TABLES}
    assert len(lines["turns"]) == 2 * found.turns
    for table, rows in lines.items():
        names = [column for column, _ in TABLES[table].columns]
        assert all(list(row) == names for row in rows), table
