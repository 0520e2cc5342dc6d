"""The value of a position: one scale, the same seen from both sides, moved by points, material and places."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import Battle, KeyedDice, find_ruleset, first_state
from battlesim.core.errors import InputError
from battlesim.core.state import Outcome, State, living_of, standing_at
from battlesim.evaluation.position import (
    NAMES,
    PositionWeights,
    distances_to,
    fitted,
    position_features,
    position_value,
    weights_for,
)
from battlesim.rules.contract import SENSIBLE
from battlesim.rulesets.finder import RULESETS
from tests.shipped import SMALL, load


def battle_of(name: str) -> Battle:
    scenario = load(name)
    ruleset = find_ruleset(scenario.ruleset)
    return Battle(ruleset, scenario.board, first_state(scenario, 5), KeyedDice(5))


def without(state: State, number: int) -> State:
    """The position after a unit's death."""
    unit = state.units[number]
    units = state.units | {number: replace(unit, models=0, alive=False, place=-1)}
    return State(units=units, structures=state.structures, extra=state.extra, at=standing_at(units))


@pytest.mark.parametrize("name", SMALL)
def test_both_sides_share_the_chance(name: str) -> None:
    battle = battle_of(name)
    for n in range(40):
        if battle.question is None:
            break
        one, two = (position_value(battle.state, battle.board, battle.ruleset, side) for side in (0, 1))
        assert one + two == pytest.approx(1.0)
        assert 0 < one < 1
        battle.answer(battle.question.answers[3 * n % len(battle.question.answers)])


@pytest.mark.parametrize("name", ["stairwell", "square", "village-armour", "village-regiments"])
def test_losing_a_unit_costs(name: str) -> None:
    battle = battle_of(name)
    before = position_value(battle.state, battle.board, battle.ruleset, 0)
    mine, theirs = (battle.state.alive[side][0] for side in (0, 1))
    assert position_value(without(battle.state, mine), battle.board, battle.ruleset, 0) < before
    assert position_value(without(battle.state, theirs), battle.board, battle.ruleset, 0) > before


def test_a_lead_counts_the_more_the_later_it_is() -> None:
    battle = battle_of("square")
    chances = []
    for now in (0, 3_000, 5_900):
        state = battle.state.clone()
        state.points, state.now = (3, 0), now
        chances.append(position_value(state, battle.board, battle.ruleset, 0))
    assert 0.5 < chances[0] < chances[1] < chances[2]


@pytest.mark.parametrize(("winner", "value"), [(0, 1.0), (1, 0.0), (None, 0.5)])
def test_a_battle_that_is_over_is_what_it_came_to(winner: int | None, value: float) -> None:
    battle = battle_of("square")
    state = battle.state.clone()
    state.outcome = Outcome(winner, (0, 0), "length")
    assert position_value(state, battle.board, battle.ruleset, 0) == value


def test_a_view_is_not_valued() -> None:
    battle = battle_of("square")
    view: Any = battle.view(0)
    with pytest.raises(InputError, match="a view has no value; imagine a state of it"):
        position_value(view, battle.board, battle.ruleset, 0)


def test_weights_of_another_type_are_named() -> None:
    battle = battle_of("square")
    weights: Any = SENSIBLE
    with pytest.raises(InputError, match="are not weights of positions; make them"):
        position_value(battle.state, battle.board, battle.ruleset, 0, weights)


@pytest.mark.parametrize("side", [2, -1, "Red"])
@pytest.mark.parametrize("outcome", [None, Outcome(0, (1, 0), "length")])
def test_there_are_two_sides(side: Any, outcome: Outcome | None) -> None:
    battle = battle_of("square")
    state = battle.state.clone()
    state.outcome = outcome
    with pytest.raises(InputError, match=f"there is no side {side!r}; give 0 for the first side or 1"):
        position_value(state, battle.board, battle.ruleset, side)


def test_being_nearer_to_what_is_to_be_held_raises_its_feature() -> None:
    battle = battle_of("square")
    state, board = battle.state.clone(), battle.board
    goal = state.extra.objectives[0].places
    before = position_features(state, board, battle.ruleset)[NAMES.index("early_near")]
    for number in state.alive[0]:
        state.units[number] = replace(state.units[number], place=goal[0])
    assert position_features(state, board, battle.ruleset)[NAMES.index("early_near")] > before
    assert distances_to(board, goal)[goal[0]] == 0


def test_leaving_by_an_edge_for_points_late_in_a_battle_raises_the_chance() -> None:
    """A unit that left counted as nowhere near its edge, so three points earned lowered the chance to win."""
    battle = battle_of("heavy-armour")
    goal = next(goal for goal in battle.state.extra.objectives if goal.kind == "exit")
    edge = next(space.id for space in battle.board.spaces if "e" in space.edge and space.kind == "ground")
    exits, found = NAMES.index("exits"), []
    for left in (False, True):
        state = battle.state.clone()
        state.now, state.turn, state.points = 7_500, 8, (3 if left else 0, 0)
        for number in goal.units[1:]:
            state.units[number] = without(state, number).units[number]
        tank = state.units[goal.units[0]]
        own = replace(tank.own, left=left)
        state.units[tank.id] = replace(tank, place=-1 if left else edge, own=own)
        state = replace(state, at=standing_at(state.units), alive=living_of(state.units))
        assert position_features(state, battle.board, battle.ruleset)[exits] == 1.0
        found.append(position_value(state, battle.board, battle.ruleset, 0))
    assert found[1] > found[0]


def test_what_is_held_leads_where_it_is_paid_every_turn() -> None:
    """There it is not yet in the points, and counts for all the turns to come."""
    battle = battle_of("square")
    lead, goals = NAMES.index("lead"), len(battle.state.extra.objectives)
    found = []
    for side, turn in ((0, 2), (0, 5), (-1, 2), (1, 2)):
        state = battle.state.clone()
        state.turn, state.extra = turn, replace(state.extra, held=(side,) * goals)
        found.append(position_features(state, battle.board, battle.ruleset)[lead])
    early, late, nobody, theirs = found
    assert early > late > nobody == 0
    assert theirs == -early


def test_a_lead_weighs_more_when_fewer_rounds_can_still_be_won() -> None:
    """Rounds that are paid are over: two points ahead is little in the first round and much in the last."""
    battle = battle_of("square")
    leads = []
    for turn in (1, 3, 6):
        state = battle.state.clone()
        nobody = (-1,) * len(state.extra.objectives)
        state.turn, state.points, state.extra = turn, (9, 7), replace(state.extra, held=nobody)
        leads.append(position_features(state, battle.board, battle.ruleset)[NAMES.index("lead")])
    assert 0 < leads[0] < leads[1] < leads[2] < 1


def test_every_rulebook_has_weights_and_others_have_those_of_all() -> None:
    assert set(fitted()) == {"", *RULESETS}
    assert weights_for("alleys") == fitted()[""]
    # No feature counts against the side that has it: a player that plans by the value would shun it.
    assert all(getattr(weights, name) >= 0 for weights in fitted().values() for name in NAMES)
    battle = battle_of("square")
    assert position_value(battle.state, battle.board, battle.ruleset, 0, PositionWeights()) != position_value(
        battle.state, battle.board, battle.ruleset, 0, PositionWeights(early_material=9.0, early_near=4.0)
    )
