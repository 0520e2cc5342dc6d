"""Shells on field works, fire through banks, foxholes (AC-TYPE-4, AC-TYPE-8, AC-HOUSE-INDIRECT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Pass, TargetUnit
from battlesim.core.dice import ScriptedDice
from battlesim.core.events import Happened, Rolled
from battlesim.rulesets.armorclass import damage, estimates, targets
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
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


@pytest.mark.clause("AC-DEST-4")
def test_field_works_stand_where_damage_is_ignored() -> None:
    table = on_a_work([], damage="ignored")
    assert table.state.extra.fieldworks
    table.done()


@pytest.mark.clause("AC-POINT-1", "AC-POINT-2", "AC-POINT-3", "AC-POINT-6")
@pytest.mark.parametrize(
    ("variant", "through", "lost"),
    [("1", True, 1), ("1", False, 0), ("2", True, 5), ("2", False, 1), ("3", True, 10), ("3", False, 2)],
)
@pytest.mark.parametrize("roof", [0, 6])
def test_under_a_point_variant_field_works_take_points(
    variant: str, through: bool, lost: int, roof: int
) -> None:
    """A mortar of factor 5 with an effect area comes down on the bank (7, on 8) or the cover (6, on 7)."""
    need = 7 if roof else 8
    table = on_a_work([need if through else need - 1], roof=roof, damage=variant)
    (work,) = table.state.extra.fieldworks
    assert work.lost == lost
    told = [(e.number, e.place) for e in table.events(Happened) if e.what == "work points"]
    assert told == ([(lost, work.place)] if lost else [])
    assert (f"AC-POINT-{variant}" in table.clauses()) is bool(lost)
    table.done()


@pytest.mark.clause("AC-POINT-4", "AC-POINT-6", "AC-HOUSE-POINTS")
@pytest.mark.parametrize(
    ("points", "option", "lost", "stands"),
    [(0, 0, 5, False), (0, 0, 4, True), (0, 3, 2, False), (3, 9, 2, False), (9, 3, 2, True)],
)
def test_a_field_work_without_points_is_destroyed(points: int, option: int, lost: int, stands: bool) -> None:
    """Six under variant 1, unless the scenario gives it or all of them some; one shell that goes through takes the next."""
    table = Table(
        ground(),
        unit("piercer_team", "g4.1", models=1),
        dice=[9, 10],
        options={"damage": "1", "points": option},
    )
    work = Fieldwork("trench", table.place("g7.1"), 7, points=points, lost=lost)
    table.r.set_extra(fieldworks=(work,))
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("g7.1"), -1))
    assert [w.lost for w in table.state.extra.fieldworks] == ([lost + 1] if stands else [])
    assert ("work destroyed" in table.happened()) is not stands
    assert ("AC-POINT-4" in table.clauses()) is not (points or option)
    table.done()


@pytest.mark.clause("AC-POINT-2", "AC-POINT-6")
def test_a_bank_that_nothing_goes_through_still_takes_points() -> None:
    """A laser (4) against 9: never; under variant 2 the hit costs a point, under variant 1 it is not even a target."""
    for variant, offered in (("1", False), ("2", True)):
        table = Table(ground(), unit("militia", "g4.1", models=1), dice=[9], options={"damage": variant})
        table.r.set_extra(fieldworks=(Fieldwork("emplacement", table.place("g7.1"), 9),))
        search = Search(table.place("g7.1"), -1)
        assert (search in targets.targets(table.state, table.board, table.unit(0))) is offered
        if offered:
            table.do(AtWhom(0, side=0))
            table.say(search)
            assert table.state.extra.fieldworks[0].lost == 1
            table.dice.done()


@pytest.mark.clause("AC-POINT-5", "AC-HOUSE-POINTS")
@pytest.mark.parametrize(("face", "stands"), [(5, True), (6, False)])
def test_a_damaged_field_work_is_checked_for_collapse(face: int, stands: bool) -> None:
    """Three points of six are five tenths: it stands on 1 to 5. One that is whole is not checked."""
    table = Table(ground(), dice=[face], options={"damage": "1", "collapse": True})
    hit, whole = (
        Fieldwork("trench", table.place("g7.1"), 7, lost=3),
        Fieldwork("trench", table.place("g8.1"), 7),
    )
    table.r.set_extra(fieldworks=(hit, whole))
    damage.collapse_checks(table.r)
    assert table.state.extra.fieldworks == ((hit, whole) if stands else (whole,))
    assert ("work destroyed" in table.happened()) is not stands
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


@pytest.mark.clause("AC-KNOWN-1", "AC-EXPL-1", "AC-HOUSE-INSIDE")
@pytest.mark.parametrize("kind", ["scout_car", "turret"])
def test_a_machine_in_a_trench_is_not_behind_its_bank(kind: str) -> None:
    """It is fired at in the open. Fire through the bank at whoever may be in the trench does not meet it."""
    table = Table(ground(), unit("tank", "g3.4", spent=(1,)), unit(kind, "g6.4", side=1, detected=True))
    place = table.place("g6.4")
    table.r.set_extra(fieldworks=(Fieldwork("trench", place, 7),))
    table.do(AtWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(1), Search(place, -1)]
    look = LineOfSight(table.state, table.board)
    assert estimates.through_wall(look, table.unit(0), place, -1, None).tolls == ()
    table.dice = table.r.dice = ScriptedDice(9, [10])  # the bank is hit and penetrated: nobody is there
    table.say(Search(place, -1))
    assert table.unit(1).alive
    table.done()


@pytest.mark.clause("AC-TYPE-4", "AC-HOUSE-HIT")
def test_whoever_is_outside_does_not_slip_in_between_two_weapons_of_a_volley() -> None:
    """Four men do not fit into a foxhole, and so are seen in the open. A grenade leaves two: the rifles that fire with it have
    them in the open still."""
    table = Table(
        ground(),
        unit("rifle_team", "g3.4"),
        unit("militia", "g4.4", side=1, detected=True),
        dice=[1, [10, 10], [10, 10, 10]],
    )
    table.r.set_extra(fieldworks=(Fieldwork("foxhole", table.place("g4.4"), 7),))
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert table.unit(1).models == 2
    assert [volley.need for volley in table.events(Volley)] == [7, 7]
    table.done()
