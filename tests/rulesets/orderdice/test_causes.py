"""What an event is the effect of: what happens to one unit is not the cause of what happens to the next."""

from __future__ import annotations

import pytest

from battlesim.core.answers import TargetUnit
from battlesim.core.events import ModelsLost, Placed, Rolled, UnitSet
from battlesim.rulesets.orderdice import facts, shoot
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.facts_buildings import Collapsed
from battlesim.rulesets.orderdice.facts_fire import Blasted
from battlesim.rulesets.orderdice.facts_vehicles import Immobilised
from battlesim.rulesets.orderdice.he import Burst
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall, Volley
from battlesim.rulesets.orderdice.strikes import Bombed
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, acted, barrage, foe, unit
from tests.rulesets.orderdice.test_tanks import rammed

FIELD, HOUSE = ground((46, 46)), house()


@pytest.mark.clause("OD-HOUSE-HE", "OD-HOUSE-PINS")
def test_a_burst_on_two_units_has_two_effects_and_each_unit_tests_for_its_own_losses() -> None:
    table = Table(
        FIELD,
        unit("heavy_howitzer", "g2.2"),
        acted("g30.30", models=2),
        acted("g31.30", models=2),
        dice=[[1, 1, 1], 1, [6, 1, 1], [1, 1, 1], 1, [6, 1, 1], [1, 1], [1, 1]],
    )
    table.do(Burst(0, table.place("g30.30"), 4, 1_000))
    assert [blast.unit for blast in table.events(Blasted)] == [1, 2]
    assert table.causes(Blasted) == ["", ""]
    assert [roll.cause for roll in table.events(Rolled) if roll.purpose == "shell hits"] == [-1, -1]
    # Each of them has lost half of its men to the shell.
    blasts = [number for number, event in enumerate(table.r.log) if isinstance(event, Blasted)]
    assert [(test.unit, test.cause) for test in table.events(facts.Tested)] == [
        (1, blasts[0]),
        (2, blasts[1]),
    ]
    table.done()


@pytest.mark.clause("OD-AIR-4")
def test_what_a_bomb_does_to_one_unit_brings_no_house_down() -> None:
    """Two officers on one floor: nine hits on the first, ten on the second."""
    table = Table(
        HOUSE,
        unit("air_observer", "g2.2"),
        acted("house.1:0", "officer"),
        acted("house.1:0", "officer"),
        dice=[[4, 5], 1, [1] * 9, [5, 5]],
    )
    table.do(Bombed(0, table.place("house.1:0")))
    assert table.causes(Blasted) == table.causes(Collapsed) == [""]
    assert table.causes(ModelsLost) == ["Collapsed", "Collapsed"]


@pytest.mark.clause("OD-HOUSE-SUPPORT", "OD-HOUSE-PINS")
def test_under_a_barrage_a_unit_tests_for_its_own_losses_and_the_next_rolls_for_the_barrage() -> None:
    table = barrage(
        FIELD,
        "g30.30",
        acted("g30.30", models=2),
        acted("g31.30"),
        dice=[4, 1, 6, [1, 1, 1], 1, [6, 1, 1], [1, 1], 1],
    )
    assert table.causes(Blasted) == ["Barrage"]
    assert table.causes(facts.Tested) == ["Blasted"]
    rolls = [roll for roll in table.events(Rolled) if roll.purpose == "barrage"]
    assert [type(table.r.log[roll.cause]).__name__ for roll in rolls] == ["Barrage"] * len(rolls)


@pytest.mark.clause("OD-TANK-4", "OD-TANK-6", "OD-TANK-7")
def test_a_tank_is_damaged_and_halted_by_its_crash_not_by_the_fall_of_the_house() -> None:
    table = rammed("heavy_tank", "brick", 2, [4, 4, 4], 5)
    assert table.causes(Collapsed) == table.causes(Immobilised) == ["Crash"]
    assert table.causes(ModelsLost) == ["Collapsed"]
    assert table.causes(Placed)[-1] == table.causes(Ordered)[-1] == table.causes(UnitSet)[-1] == "Crash"
    table.done()


@pytest.mark.clause("OD-FROM-3")
def test_fire_from_the_next_wall_is_an_effect_of_the_order_not_of_the_answer_for_the_last_wall() -> None:
    table = Table(HOUSE, unit("rifle_section", "house.1:0"), foe("rifle_section", "g10.10", order="fire"))
    order, answer = (table.r.emit(Ordered(0, name)) for name in ("fire", "down"))
    table.r.cause = answer
    shoot.resolve_at_whom(table.r, AtWhom(0, False, 0, side=0, cause=order), TargetUnit(1))
    assert {type(item): item.cause for item in table.state.stack} == {Volley: answer, NextWall: order}


@pytest.mark.clause("OD-HE-4", "OD-AT-5", "OD-LARGE-3")
def test_a_gun_in_the_open_has_no_protection_of_a_building_and_a_small_house_no_sections() -> None:
    table = Table(
        FIELD,
        unit("light_howitzer", "g2.2"),
        acted("g30.30", "light_at_gun"),
        dice=[1, 1, [1]],
    )
    table.do(Burst(0, table.place("g30.30"), 2, 1_000))
    assert "OD-HE-4" in table.clauses()
    assert "OD-AT-5" not in table.clauses()
    fallen = rammed("heavy_tank", "brick", 2, [4, 4, 4], 5)
    assert "OD-LARGE-3" not in fallen.clauses()
