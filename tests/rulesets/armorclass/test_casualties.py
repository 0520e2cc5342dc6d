"""What hits do to whom they meet (AC-HOUSE-PEN, AC-HOUSE-AIM, AC-TYPE-6, AC-TYPE-9)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.events import ModelsLost, Rolled
from battlesim.core.state import Unit
from battlesim.rulesets.armorclass import casualties
from battlesim.rulesets.armorclass.facts_fire import Hit
from battlesim.rulesets.armorclass.model import armed_mounts, type_of
from tests.rulesets.armorclass.kit import Table, ground, unit


def struck(kind: str, dice: list[Any], hits: int, factor: int, models: int = 0, **own: Any) -> Table:
    """So many hits of a factor on a unit in the open."""
    table = Table(
        ground(), unit("militia", "g1.1"), unit(kind, "g5.1", side=1, models=models, **own), dice=dice
    )
    casualties.strike(table.r, 0, 1, factor, hits, 3, ("AC-HOUSE-HIT",))
    table.dice.done()
    return table


@pytest.mark.clause("AC-HOUSE-PEN")
@pytest.mark.parametrize(
    ("factor", "dice", "lost"),
    [
        (2, [[5, 4, 10]], 2),  # militia of class 1: on 5
        (1, [[6, 5, 6]], 2),  # equal: 6 to 10
        (6, [], 3),  # five above: no die
        (5, [[1, 2, 2]], 2),
    ],
)
def test_each_hit_goes_through_a_soldier_s_armour_by_itself(factor: int, dice: list[Any], lost: int) -> None:
    table = struck("militia", dice, 3, factor)
    assert [(e.lost, e.left, e.how) for e in table.events(ModelsLost)] == [(lost, 4 - lost, "penetrated")]
    assert table.unit(1).own.lost == lost  # tested for at the turn's end (AC-HOUSE-MORALE)
    for event in (*table.events(Rolled), *table.events(ModelsLost)):
        assert event.clauses == ("AC-HOUSE-HIT", "AC-HOUSE-PEN")
    assert [(e.purpose, e.sides, e.attempt) for e in table.events(Rolled)] == [("armour", 10, 3)] * bool(dice)


@pytest.mark.clause("AC-HOUSE-PEN")
@pytest.mark.parametrize(("kind", "factor", "dice"), [("heavy_team", 2, []), ("heavy_team", 3, [[10, 9]])])
def test_a_factor_five_below_the_armour_takes_no_die(kind: str, factor: int, dice: list[Any]) -> None:
    """Class 7: against 3 a 10 goes through, against 2 nothing."""
    table = struck(kind, dice, 2, factor)
    assert sum(e.lost for e in table.events(ModelsLost)) == bool(dice)


@pytest.mark.clause("AC-HOUSE-PEN")
def test_no_more_fall_than_there_are_and_nobody_twice() -> None:
    table = struck("militia", [], 9, 6)
    assert [(e.lost, e.left) for e in table.events(ModelsLost)] == [(4, 0)]
    assert table.unit(1).own.lost == 0  # nobody is left to test
    casualties.strike(table.r, 0, 1, 6, 2, 4)
    casualties.suffer(table.r, casualties.Wound(0, 1, 2, 5, ()))
    assert len(table.events(ModelsLost)) == 1
    assert casualties.pierce(table.r, 0, 1, 2, 2, 5).penetrations == 0  # no dice against the dead
    before = len(table.r.log)
    casualties.strike(table.r, 0, 0, 6, 0, 4)
    assert len(table.r.log) == before


def results_of(one: Unit, *faces: int) -> list[str]:
    """What a penetrating hit does to a machine, by faces of its die (all of them unless some are named)."""
    fixed = type_of(one).fixed
    moves = not fixed and not one.own.immobile
    return [
        casualties.result_of(bool(armed_mounts(one)), moves, fixed, face) for face in faces or range(1, 11)
    ]


@pytest.mark.clause("AC-HOUSE-PEN", "AC-HOUSE-AIM")
@pytest.mark.parametrize(
    ("own", "results"),
    [
        ({}, ["weapon"] * 4 + ["mobility"] * 3 + ["destroyed"] * 3),
        ({"immobile": True}, ["weapon"] * 4 + ["destroyed"] * 6),
        ({"spent": (0, 1, 2)}, ["mobility"] * 7 + ["destroyed"] * 3),
        ({"spent": (0, 1, 2), "immobile": True}, ["destroyed"] * 10),
    ],
)
def test_the_table_for_vehicles(own: dict[str, Any], results: list[str]) -> None:
    """What cannot be lost twice counts as the next worse."""
    vehicle = Table(ground(), unit("tank", "g1.1", **own)).unit(0)
    assert results_of(vehicle) == results


@pytest.mark.clause("AC-HOUSE-AIM", "AC-TYPE-6", "AC-TYPE-9")
@pytest.mark.parametrize("kind", ["strongpoint", "automated_strongpoint", "turret", "laser_turret"])
def test_the_table_for_what_never_moves(kind: str) -> None:
    fixed = Table(ground(), unit(kind, "g1.1")).unit(0)
    assert results_of(fixed) == ["weapon"] * 7 + ["destroyed"] * 3
    bare = Table(ground(), unit(kind, "g1.1", spent=(0, 1, 2, 3))).unit(0)
    assert results_of(bare, 1, 5, 7) == ["destroyed"] * 3


@pytest.mark.clause("AC-HOUSE-PEN")
def test_each_hit_on_a_vehicle_rolls_for_itself_until_it_is_destroyed() -> None:
    """A scout car of class 6 with one weapon: the first hit takes it, then its wheels go, then all; the last finds nobody."""
    table = struck("scout_car", [4, 4, 1], 4, 12)
    assert [(e.unit, e.result) for e in table.events(Hit)] == [
        (1, "weapon"),
        (1, "mobility"),
        (1, "destroyed"),
    ]
    assert [(e.purpose, e.attempt) for e in table.events(Rolled)] == [
        ("damage", 48),
        ("damage", 49),
        ("damage", 50),
    ]
    assert [(e.lost, e.how) for e in table.events(ModelsLost)] == [(1, "destroyed")]
    assert table.unit(1).own.immobile
    assert table.unit(1).own.spent == (0,)
    assert {e.clauses for e in table.events(Hit)} == {("AC-HOUSE-HIT", "AC-HOUSE-PEN")}


@pytest.mark.clause("AC-HOUSE-PEN")
def test_which_weapon_is_lost_is_picked_among_those_that_work() -> None:
    table = struck("heavy_tank", [1, 2], 1, 17, spent=(0,))
    assert [(e.purpose, e.sides) for e in table.events(Rolled)] == [("damage", 10), ("which weapon", 2)]
    assert table.unit(1).own.spent == (0, 2)
    assert table.unit(1).own.lost == 1
    assert table.unit(1).alive


@pytest.mark.clause("AC-HOUSE-AIM", "AC-TYPE-6", "AC-TYPE-9")
@pytest.mark.parametrize("kind", ["strongpoint", "laser_turret"])
def test_a_mount_with_a_weapon_left_stands(kind: str) -> None:
    table = struck(kind, [5, 2], 1, 17)
    assert table.unit(1).own.spent == (1,)
    assert table.unit(1).alive
    assert not table.unit(1).own.immobile


@pytest.mark.clause("AC-HOUSE-AIM", "AC-TYPE-6", "AC-TYPE-9")
@pytest.mark.parametrize(
    ("kind", "clause"), [("automated_strongpoint", "AC-TYPE-6"), ("turret", "AC-TYPE-9")]
)
def test_a_mount_without_weapons_is_destroyed(kind: str, clause: str) -> None:
    full = len(casualties.armed_mounts(Table(ground(), unit(kind, "g1.1")).unit(0)))
    table = struck(kind, [7], 1, 16, spent=tuple(range(full - 1)))
    assert [e.result for e in table.events(Hit)] == ["weapon"]
    assert [e.how for e in table.events(ModelsLost)] == ["silenced"]
    named = ("AC-HOUSE-HIT", "AC-HOUSE-PEN", "AC-HOUSE-AIM", clause)
    assert {e.clauses for e in (*table.events(Hit), *table.events(ModelsLost))} == {named}
