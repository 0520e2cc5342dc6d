"""Tanks that drive into buildings (OD-TANK-1..7, OD-BUNK-4)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import icepool
import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Face, Pass, TargetSpace
from battlesim.core.events import Happened, ModelsLost, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import tankfight, tanks
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.turn import Obey
from battlesim.rulesets.orderdice.vehicles import FaceWhere
from tests.rulesets.orderdice.grounds import ground
from tests.rulesets.orderdice.kit import Table, foe, unit, where_to


@lru_cache
def town(material: str, kind: str = "house", more: str = "") -> Board:
    """One house of 6 x 6 inches, two floors, its west wall at x = 20."""
    hole = "slit" if kind == "bunker" else "window"
    return ground(
        (46, 40),
        f"""{more}
buildings:
  - name: house
    kind: {kind}
    material: {material}
    rect: [20, 17, 26, 23]
    floors: 2
    openings: [{{kind: door, side: west, at: 0.5}}, {{kind: {hole}, floor: 1, side: west, at: 0.5}}]
""",
    )


def rammed(tank: str, material: str, *dice: Any, kind: str = "house", inside: bool = True) -> Table:
    """A tank at (8, 20) drives into the house, with a rifle section upstairs."""
    board = town(material, kind)
    units = [unit(tank, at="g8.20", order="run")]
    if inside:
        units.append(unit("rifle_section", at="house.1:1", side=1, order="fire"))
    table = Table(board, *units, dice=dice)
    table.do(Obey(0))
    table.say(TargetSpace(table.place("house.1:0")))
    return table


def offers(
    board: Board, tank: str, at: str = "g8.20", *more: dict[str, Any], order: str = "run", **kw: Any
) -> list[Answer]:
    table = Table(board, unit(tank, at=at, order=order), *more, **kw)
    table.do(Obey(0))
    return [answer for answer in table.legal if isinstance(answer, TargetSpace)]


def ruin(table: Table) -> int:
    return table.board.sections[0].ruin


def down(table: Table) -> bool:
    return 0 in table.state.structures and table.state.structures[0].fallen


# ---- who may, and what -----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-TANK-1")
@pytest.mark.parametrize(
    ("tank", "material", "may"),
    [
        ("heavy_tank", "wood", True),
        ("heavy_tank", "brick", True),
        ("super_heavy_tank", "brick", True),
        ("medium_tank", "wood", False),
        ("half_track", "wood", False),
        ("truck", "wood", False),
    ],
)
def test_only_heavy_tanks_drive_into_wood_and_brick(tank: str, material: str, may: bool) -> None:
    assert bool(offers(town(material), tank)) == may


@pytest.mark.clause("OD-TANK-2")
@pytest.mark.parametrize("material", ["stone", "concrete"])
def test_fortifications_and_stone_are_not_driven_into(material: str) -> None:
    assert offers(town(material), "super_heavy_tank") == []


@pytest.mark.clause("OD-BUNK-4")
@pytest.mark.clause("OD-TANK-2")
@pytest.mark.parametrize("material", ["wood", "brick", "concrete"])
def test_no_tank_assaults_a_bunker_whatever_it_is_made_of(material: str) -> None:
    assert offers(town(material, "bunker"), "super_heavy_tank") == []


@pytest.mark.clause("OD-TANK-1")
def test_it_takes_a_run_that_reaches_the_house() -> None:
    board = town("brick")
    assert offers(board, "heavy_tank", "g5.20")  # 15 to the wall, 3 to the middle
    assert not offers(board, "heavy_tank", "g4.20")
    assert not offers(board, "heavy_tank", "g8.20", order="advance")
    road = town("brick", more="terrain: [{kind: road, line: [[0, 20.5], [20, 20.5]], width: 3}]")
    assert not offers(road, "heavy_tank", "g2.20")  # a road doubles a Run that keeps to it
    rough = town("brick", more="terrain: [{kind: rough, polygon: [[12, 0], [17, 0], [17, 40], [12, 40]]}]")
    assert not offers(rough, "heavy_tank")


@pytest.mark.clause("OD-TANK-1")
def test_not_over_its_own_side_nor_into_fire_nor_into_rubble() -> None:
    board = town("brick")
    assert offers(board, "heavy_tank", "g8.20", unit("officer", at="house.1:1", side=1))
    assert not offers(board, "heavy_tank", "g8.20", unit("officer", at="house.1:1"))
    assert not offers(board, "heavy_tank", structures=[Structure(0, burning=True)])
    assert not offers(board, "heavy_tank", structures=[Structure(0, fallen=True)])


# ---- what comes of it ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-TANK-1")
@pytest.mark.clause("OD-TANK-5")
@pytest.mark.clause("OD-TANK-6")
@pytest.mark.parametrize(
    ("tank", "material", "die", "building"),
    [
        ("heavy_tank", "wood", 3, [6, 6]),  # 13 against 12
        ("heavy_tank", "brick", 3, [4, 4, 4]),
        ("super_heavy_tank", "brick", 2, [4, 4, 4]),
    ],
)
def test_the_higher_tank_fells_the_house_and_halts_in_the_rubble(
    tank: str, material: str, die: int, building: list[int]
) -> None:
    table = rammed(tank, material, die, building)
    assert down(table)
    assert not table.unit(1).alive  # everyone inside, upstairs too
    assert table.events(ModelsLost)[0].how == "buried"
    mine = table.unit(0)
    assert (mine.place, unit_state(mine).order, unit_state(mine).pins) == (ruin(table), "down", 1)
    assert {"OD-TANK-1", "OD-TANK-5", "OD-TANK-6"} <= table.clauses()
    table.done()  # halted: it does not even turn


@pytest.mark.clause("OD-TANK-5", "OD-HOUSE-REACT")
@pytest.mark.parametrize(("die", "asked"), [(6, True), (1, False)])
def test_the_tank_may_be_fired_at_in_the_rubble(die: int, asked: bool) -> None:
    """The enemy in Ambush is behind the house, and sees the tank only once that has fallen."""
    table = Table(
        town("brick"),
        unit("heavy_tank", "g8.20", order="run"),
        foe("bazooka_team", "g44.20", order="ambush"),
        dice=[die, [4, 4, 4], *([] if asked else [1])],
    )
    where_to(table, "run")
    table.say(TargetSpace(table.place("house.1:0")))
    assert isinstance(table.ask, Interrupt) == asked == down(table)
    if asked:
        table.say(Confirm(False))
    table.done()


@pytest.mark.clause("OD-TANK-3")
def test_a_higher_brick_house_hurts_the_tank_in_full_and_stands() -> None:
    table = rammed("heavy_tank", "brick", 1, [4, 4, 5], 2)  # 11 against 13: one full roll
    assert not down(table)
    assert table.unit(1).alive
    mine = table.unit(0)
    assert unit_state(mine).immobile
    assert unit_state(mine).pins == 2  # the damage's and one more
    assert mine.place == table.place("g19.20")
    table.done()


@pytest.mark.clause("OD-TANK-3")
def test_three_short_of_a_brick_house_takes_two_rolls() -> None:
    table = rammed("heavy_tank", "brick", 1, [4, 4, 6], [1, 5])
    assert not table.unit(0).alive
    assert "OD-TANK-6" not in table.clauses()
    table.done()


DOORS = "openings: [{kind: door, side: west, at: 0.5}]"
WEST_HALF = "rect: [20, 17, 23, 23]"
HOUSES = {
    "shack": f"{{name: house, material: wood, rect: [20, 17, 26, 23], {DOORS}}}",
    "two floors": f"{{name: house, material: wood, rect: [20, 17, 26, 23], floors: 2, {DOORS}}}",
    "flat roof": f"{{name: house, material: wood, rect: [20, 17, 26, 23], flat_roof: true, {DOORS}}}",
    "two sections": "{name: house, material: wood, sections: ["
    f"{{name: a, {WEST_HALF}, {DOORS}}}, {{name: b, rect: [23, 17, 26, 23], {DOORS.replace('west', 'east')}}}]}}",
}


@pytest.mark.clause("OD-TANK-3", "OD-TANK-6", "OD-HOUSE-INSIDE")
@pytest.mark.parametrize("house", HOUSES)
def test_a_shack_does_superficial_damage_only_and_other_wooden_houses_full(house: str) -> None:
    """11 against 12. A roll of 5 knocks the tank out, or superficially (2) immobilises it."""
    board = ground((46, 40), f"buildings:\n  - {HOUSES[house]}")
    table = Table(board, unit("heavy_tank", at="g8.20", order="run"), dice=[1, [6, 6], 5])
    table.do(Obey(0))
    table.say(TargetSpace(board.sections[0].spaces[0]))
    assert not down(table)
    assert table.unit(0).alive is (house == "shack")
    if house == "shack":
        assert unit_state(table.unit(0)).immobile
        assert unit_state(table.unit(0)).pins == 2
    table.done()


@pytest.mark.clause("OD-TANK-3")
def test_a_brick_hut_of_one_floor_is_no_shack() -> None:
    hut = ground((46, 40), f"buildings:\n  - {HOUSES['shack'].replace('wood', 'brick')}")
    table = Table(hut, unit("heavy_tank", at="g8.20", order="run"), dice=[1, [4, 4, 4], 5])
    table.do(Obey(0))
    table.say(TargetSpace(hut.space("house.1:0")))
    assert not table.unit(0).alive
    table.done()


@pytest.mark.clause("OD-TANK-3")
def test_a_tank_thrown_back_and_stunned_does_not_turn() -> None:
    table = rammed("heavy_tank", "wood", 1, [6, 6], 1)
    assert unit_state(table.unit(0)).order == "down"
    table.done()


@pytest.mark.clause("OD-TANK-4")
@pytest.mark.clause("OD-TANK-7")
@pytest.mark.parametrize(("material", "building"), [("brick", [4, 4, 4]), ("wood", [6, 6])])
def test_equal_totals_fell_the_house_and_scratch_the_tank_which_halts_too(
    material: str, building: list[int]
) -> None:
    table = rammed("heavy_tank", material, 2, building, 5)
    mine = table.unit(0)
    assert down(table)
    assert not table.unit(1).alive
    assert (mine.place, unit_state(mine).order, unit_state(mine).immobile, unit_state(mine).pins) == (
        ruin(table),
        "down",
        True,
        2,
    )
    table.done()


@pytest.mark.clause("OD-TANK-4")
def test_a_tank_lost_to_equal_totals_brings_the_house_down_all_the_same() -> None:
    table = rammed("heavy_tank", "brick", 2, [4, 4, 4], 6, [5, 5])  # on fire, abandoned
    assert not table.unit(0).alive
    assert down(table)
    table.done()


@pytest.mark.clause("OD-TANK-7")
@pytest.mark.parametrize("tank", ["light_tank", "medium_tank", "heavy_tank"])
def test_a_shed_troubles_no_tank(tank: str) -> None:
    table = rammed(tank, "wood", kind="shed")
    mine = table.unit(0)
    assert down(table)
    assert not table.unit(1).alive
    assert (mine.place, unit_state(mine).order, unit_state(mine).pins) == (ruin(table), "run", 0)
    assert isinstance(table.ask, FaceWhere)
    table.say(Face(0))
    table.done()


@pytest.mark.clause("OD-TANK-7")
def test_a_half_track_is_no_tank() -> None:
    assert offers(town("wood", "shed"), "half_track") == []
    assert [name for name, kind in TYPES.items() if tanks.is_tank(kind)] == [
        "light_tank",
        "medium_tank",
        "assault_gun",
        "heavy_tank",
        "super_heavy_tank",
        "flame_tank",
    ]


@pytest.mark.clause("OD-TANK-5")
@pytest.mark.clause("OD-LARGE-3")
def test_an_empty_house_may_be_driven_into_and_falls_alone() -> None:
    table = rammed("heavy_tank", "wood", 3, [1, 1], inside=False)
    assert [event.section for event in table.events(StructureSet)] == [0]
    assert [event.what for event in table.events(Happened)] == ["drives into", "crash", "collapsed"]
    table.done()


def test_it_may_also_stay_where_it_is() -> None:
    table = Table(town("wood"), unit("heavy_tank", at="g8.20", order="run"))
    table.do(Obey(0))
    table.say(Pass())
    table.say(Face(0))
    table.done()


# ---- odds ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-TANK-1")
@pytest.mark.parametrize(("tank", "material"), [(10, "wood"), (10, "brick"), (11, "wood"), (11, "brick")])
def test_odds_against_a_house_agree_with_exact_dice(tank: int, material: str) -> None:
    house = tanks.DICE[material] @ icepool.d6
    ours = {"wins": Fraction(0), "ties": Fraction(0)}
    for total, weight in house.items():
        for face in range(1, 7):
            share = Fraction(weight, house.denominator()) / 6
            to_tank, to_house, _ = tankfight.outcome(tank + face, total)
            ours["wins"] += share * (to_house and not to_tank)
            ours["ties"] += share * (to_house and to_tank)
    exact = icepool.d6 + tank
    assert ours["wins"] == Fraction((exact > house).probability(True))
    assert ours["ties"] == Fraction((exact == house).probability(True))
    if (tank, material) == (10, "wood"):
        assert ours["wins"] == Fraction(53, 54)
