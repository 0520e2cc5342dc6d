"""What an event is the effect of: a shot, a charge and a rout have several effects, none of which is the cause of the next."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm, Order
from battlesim.core.events import ModelsLost, Placed
from battlesim.rulesets.regiment import facts
from battlesim.rulesets.regiment.charge import inside
from battlesim.rulesets.regiment.facts import Against, Pursues, Result, Struck
from battlesim.rulesets.regiment.facts_buildings import Splinters, StruckByBall, StruckByStone, Unstable
from battlesim.rulesets.regiment.facts_fire import MachineHit
from battlesim.rulesets.regiment.fight import Fight
from battlesim.rulesets.regiment.move import DEEP, WhichOrder
from battlesim.rulesets.regiment.result import Score
from battlesim.rulesets.regiment.rout import FollowIn, Rout
from tests.rulesets.regiment.grounds import FIELD, HOUSE, NORTH, ROW, SOUTH, WEST
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_characters import three
from tests.rulesets.regiment.test_engines import SIX, TEN, fired
from tests.rulesets.regiment.test_rout import in_the_open

# ---- war engines -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AIM", "RG-HOUSE-ENGINES")
def test_a_ball_that_meets_two_units_hits_both_of_itself() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g8.4", side=1),
        unit("levy", at="g9.4", side=1),
        dice=[SIX, TEN, [2] * 4, [2] * 4],
    )
    assert [hit.other for hit in table.events(MachineHit)] == [1, 2]
    assert table.causes(MachineHit) == ["Fires", "Fires"]
    assert table.causes(ModelsLost) == ["MachineHit", "MachineHit"]


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-4")
def test_walls_give_because_the_ball_struck_them_not_because_it_killed_somebody() -> None:
    table = fired(
        HOUSE,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[SIX, 2, [2, 2], 3, [1, 1]],
    )
    assert table.causes(StruckByBall) == ["Fires"]
    assert table.causes(MachineHit) == table.causes(Unstable) == ["StruckByBall"]
    assert table.causes(facts.Tested) == ["Unstable"]  # the garrison tests because of the walls
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-HOUSE-CREW")
def test_a_stone_on_a_house_and_on_those_beside_it() -> None:
    table = fired(
        HOUSE,
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g2.3", side=1),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="g4.6"),
        dice=[TEN, 3, 2, [4, 4, 1, 1, 1], 3, [4, 1, 1, 1], [1, 1]],
    )
    assert table.causes(StruckByStone) == ["Fires"]
    assert table.causes(Unstable) == ["StruckByStone"]
    assert [hit.other for hit in table.events(MachineHit)] == [2, 3]
    assert table.causes(MachineHit) == ["StruckByStone", "Fires"]
    # That it needs no line of sight allows the shot, and is not why it hits.
    assert all("RG-HOUSE-CREW" not in hit.clauses for hit in table.events(MachineHit))
    assert "RG-HOUSE-CREW" in table.clauses()
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-PART-3")
def test_splinters_come_from_the_stone() -> None:
    table = fired(
        ROW,
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g2.4", side=1),
        unit("levy", at="row.r1:0", side=1),
        unit("levy", at="row.r2:0", side=1),
        dice=[TEN, 3, 1, [4, 4, 1, 1, 1], 1, [4, 1, 1, 1, 1]],
    )
    assert table.causes(Splinters) == ["Fires"]
    assert table.causes(MachineHit) == ["StruckByStone", "Splinters"]


# ---- close combat ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-ATT-4")
def test_a_fight_is_not_an_effect_of_the_enemy_that_a_character_turns_against() -> None:
    table = three(dice=[[1] * 3, [1] * 5, [1] * 4, [1, 1]])
    table.do(Fight((0, 2)))  # the other attacker fights in the next phase
    assert table.events(Against)
    assert set(table.causes(Struck)) == set(table.causes(Result)) == {""}


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize("dice", [((3, 3), (3, 2)), ((3, 3), (3, 3))])
def test_a_unit_pursues_whether_or_not_it_catches_anybody(dice: Any) -> None:
    table = in_the_open(dice=dice)
    table.do(Rout(1))
    table.say(Confirm(True))
    assert table.causes(Pursues) == [""]
    assert table.causes(Placed)[-1] == ""
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_an_empty_building_is_overrun_whatever_the_result() -> None:
    table = Table(
        ROW,
        unit("levy", at="g5.3", facing=NORTH, foes={1: 0}),
        unit("levy", at="g5.2", facing=NORTH, side=1, foes={0: 0}),
        unit("swordsmen", at="g7.3", facing=NORTH),
        dice=[[1, 1]],
        phase=4,
    )
    fight = table.r.emit(facts.TurnOf(0))
    table.do(Score((0, 1, 2), ((2, ROW.space("row.r2:0")),), cause=fight))
    assert table.events(Result)
    assert isinstance(table.ask, FollowIn)
    assert table.ask.cause == fight


@pytest.mark.clause("RG-HOUSE-ROOMS", "RG-HOUSE-FLEE")
def test_who_is_run_down_next_door_is_lost_by_the_rule_of_flight() -> None:
    table = Table(
        ROW, unit("levy", at="row.r1:0"), unit("levy", at="row.r2:0", side=1, facing=WEST, fleeing=True)
    )
    inside(table.r, table.unit(0), table.unit(1))
    (lost,) = table.events(ModelsLost)
    assert "RG-HOUSE-FLEE" in lost.clauses


# ---- moving ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FORM")
def test_a_unit_may_turn_whether_or_not_it_changes_formation() -> None:
    table = Table(FIELD, unit("levy", at="g4.4", files=10), phase=2)
    table.do(WhichOrder(0, side=0))
    table.say(Order(DEEP))
    assert table.ask is not None
    assert table.ask.cause == -1
