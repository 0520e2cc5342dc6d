"""Shells on field works, fire through banks, foxholes (AC-TYPE-4, AC-TYPE-8, AC-HOUSE-INDIRECT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.events import Rolled
from battlesim.rulesets.armorclass.model import Fieldwork, Lob, Search
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import Table, ground, unit
from tests.rulesets.armorclass.test_indirect import purposes


def on_a_work(
    dice: list[Any],
    kind: str = "trench",
    wall: int = 7,
    roof: int = 0,
    firer: str = "mortar_team",
    others: tuple[dict[str, Any], ...] = (),
    **options: Any,
) -> Table:
    """One shell, aimed true, at a field work with whoever is named in it, else with nobody."""
    table = Table(
        ground(),
        unit(firer, "g1.1", models=1),
        unit("militia", "g3.1"),
        *others,
        dice=[4, *dice],
        options=options or None,
    )
    table.r.set_extra(fieldworks=(Fieldwork(kind, table.place("g7.1"), wall, roof),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("g7.1")))
    return table


# ---- field works


@pytest.mark.clause("AC-DEST-1", "AC-DEST-2", "AC-TYPE-7")
@pytest.mark.parametrize(("face", "stands"), [(7, True), (8, False)])
def test_a_shell_must_go_through_the_bank_to_wreck_a_field_work(face: int, stands: bool) -> None:
    """A mortar of factor 5 against an earthen bank of 7: on 8."""
    table = on_a_work([face])
    assert bool(table.state.extra.fieldworks) is stands
    assert ("work destroyed" in table.happened()) is not stands
    (rolled,) = [e for e in table.events(Rolled) if e.purpose == "bank"]
    assert {"AC-DEST-1", "AC-HOUSE-PEN"} <= set(rolled.clauses)
    table.done()


@pytest.mark.clause("AC-DEST-1")
def test_a_bank_too_strong_takes_no_die() -> None:
    table = on_a_work([], wall=11)  # 5 against 11: never
    assert table.state.extra.fieldworks
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-HOUSE-STRUCT")
def test_an_effect_area_too_small_wrecks_no_field_work() -> None:
    """A grenade's inch covers 3.1 of 9 square inches."""
    table = on_a_work([], firer="rifle_team")
    assert table.state.extra.fieldworks
    table.done()


@pytest.mark.clause("AC-DEST-4", "AC-POINT-6")
@pytest.mark.parametrize("damage", ["ignored", "1"])
def test_field_works_stand_where_damage_is_ignored_or_counted_in_points(damage: str) -> None:
    table = on_a_work([], damage=damage)
    assert table.state.extra.fieldworks
    table.done()


@pytest.mark.clause("AC-DEST-1", "AC-HOUSE-INDIRECT", "AC-TYPE-8")
@pytest.mark.parametrize(("face", "through"), [(6, False), (7, True)])
def test_under_overhead_cover_one_die_decides_for_all(face: int, through: bool) -> None:
    """Factor 5 against logs (6): on 7. What comes through meets both teams under it (class 1: on 2), and wrecks the work."""
    inside = tuple(unit("militia", "g7.1", side=1, detected=True) for _ in range(2))
    table = on_a_work(
        [face, *([[2, 2, 1, 1], [2, 1, 1, 1]] if through else [])], "emplacement", 8, 6, others=inside
    )
    assert [table.unit(n).models for n in (2, 3)] == ([2, 3] if through else [4, 4])
    assert bool(table.state.extra.fieldworks) is not through
    assert purposes(table)[:2] == ["off target", "cover"]
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-HOUSE-AREA")
@pytest.mark.parametrize(
    ("kind", "dice", "stands"),
    [("plasma_tank", [9, 4], True), ("flame_tank", [9, 6], False), ("flame_tank", [9, 5], True)],
)
def test_of_fire_through_a_bank_half_the_effect_area_counts(kind: str, dice: list[int], stands: bool) -> None:
    """Half a circle of 1.5 inches covers 3.5 of 9 square inches, of two inches 6.3."""
    table = Table(ground(), unit(kind, "g4.1", spent=(1,)), dice=dice)
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g7.1"), 7),))
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("g7.1"), -1))
    assert bool(table.state.extra.fieldworks) is stands
    table.done()


# ---- foxholes


HOLE = "g7.1"


@pytest.mark.clause("AC-TYPE-4", "AC-HOUSE-INDIRECT")
def test_a_roofed_foxhole_shelters_two_men_and_no_more() -> None:
    """Two teams of two: the first fills the hole. Where the cover holds, only the second is met."""
    pair = tuple(unit("militia", HOLE, side=1, models=2, detected=True) for _ in range(2))
    table = on_a_work([6, [2, 2]], "foxhole", 7, 6, others=pair)
    assert [table.unit(n).models for n in (2, 3)] == [2, 0]
    table.done()


@pytest.mark.clause("AC-TYPE-4")
def test_whoever_is_outside_does_not_slip_in_while_the_shell_bursts() -> None:
    """What comes through kills the first pair; the second was outside all the same, and dies of the same shell."""
    pair = tuple(unit("militia", HOLE, side=1, models=2, detected=True) for _ in range(2))
    table = on_a_work([7, [2, 2], [2, 2]], "foxhole", 7, 6, others=pair)
    assert [table.unit(n).models for n in (2, 3)] == [0, 0]
    named = [e.clauses for e in table.events(Rolled) if e.purpose == "armour"]
    assert ["AC-TYPE-4" in clauses for clauses in named] == [True, False]
    table.done()
