"""Where a shell comes down, and whom it meets there: the edges of AC-HOUSE-INDIRECT and AC-HOUSE-AREA."""

from __future__ import annotations

import pytest

from battlesim.core.events import Happened, ModelsLost, Rolled
from battlesim.rulesets.armorclass import damage, fire, indirect, works
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.model import Fieldwork
from tests.rulesets.armorclass.kit import Table, ground, house, unit


def burst(table: Table, at: str, kind: str = "howitzer") -> tuple[int, int]:
    """A shot of unit 0 comes down in the middle of a space: how many it went home on, roofs it went through."""
    group = next(g for g in fire.groups_of(table.unit(0)) if g.weapon.name == kind)
    point = table.board.spaces[table.place(at)].point
    return indirect.impact(table.r, table.unit(0), group.weapon, point, 0, group)


def roof_of(armour: int) -> str:
    return {1: "roof: thatch", 3: "roof: wood_and_shingle", 9: "roof: reinforced_concrete"}[armour]


@pytest.mark.clause("AC-HOUSE-AREA", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(("radius", "near"), [(300, True), (299, False)])
def test_ground_in_the_circle_is_struck_its_rim_included_and_no_floor(radius: int, near: bool) -> None:
    table = Table(house())
    found = indirect.struck_ground(table.board.spaces, table.board.spaces[table.place("g9.2")].point, radius)
    around = ["g8.2", "g9.1", "g10.2", "g9.3"] if near else []
    assert sorted(table.board.spaces[n].name for n in found) == sorted(["g9.2", *around])
    inside = indirect.struck_ground(
        table.board.spaces, table.board.spaces[table.place("house.1:0")].point, 1000
    )
    assert {table.board.spaces[n].kind for n in inside} == {"ground"}


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-HOUSE-AREA")
def test_through_the_roof_the_top_floor_alone_is_met_by_the_whole_circle() -> None:
    """Two and a half inches cover 19.6 of 36: of four on the top floor three, of those below nobody. A roof of 3 needs no die of
    a factor of 8."""
    table = Table(
        house(roof_of(3)),
        unit("self_propelled_howitzer", "g1.1"),
        unit("heavy_team", "house.1:1", side=1),
        unit("militia", "house.1:0", side=1),
        unit("militia", "house.1:1", side=1),
        dice=[[5, 4], 8, 8],
    )
    assert burst(table, "house.1:1") == (
        4,
        1,
    )  # one of the heavy team (7, on 5), three of the militia without a die
    assert [(e.unit, e.lost) for e in table.events(ModelsLost)][:2] == [(1, 1), (3, 3)]
    assert table.unit(2).models == 4
    assert not [e for e in table.events(Rolled) if e.purpose == "roof"]
    assert works.floors_left(table.state, table.board, 0) == 1  # those left upstairs have crawled out
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-HOUSE-AREA")
def test_on_a_flat_roof_the_whole_circle_counts_as_well() -> None:
    table = Table(
        house(flat=True),
        unit("self_propelled_howitzer", "g1.1"),
        unit("militia", "house.1:2", side=1),
        dice=[6],
    )
    assert burst(table, "house.1:2") == (3, 0)
    assert table.unit(1).models == 1
    table.done()


@pytest.mark.clause("AC-POINT-2", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(("face", "lost"), [(6, 1), (7, 8)])
def test_a_shell_that_does_not_go_through_costs_a_point_all_the_same(face: int, lost: int) -> None:
    """Factor 8 on reinforced concrete of 9: through on 7."""
    table = Table(
        house(roof_of(9)), unit("self_propelled_howitzer", "g1.1"), dice=[face], options={"damage": "2"}
    )
    assert burst(table, "house.1:1") == (0, int(face == 7))
    assert works.record(table.state, 0) == {"lost": lost}
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-TYPE-4", "AC-TYPE-7", "AC-TYPE-8", "AC-TABLE-1")
@pytest.mark.parametrize(
    ("kind", "clause"), [("foxhole", "AC-TYPE-4"), ("trench", "AC-TYPE-7"), ("emplacement", "AC-TYPE-8")]
)
@pytest.mark.parametrize("roof", [0, 6])
def test_who_is_hit_in_a_field_work_is_told_what_he_was_in(kind: str, clause: str, roof: int) -> None:
    """Overhead cover is a wall's material; a trench without it is none."""
    table = Table(
        ground(),
        unit("mortar_team", "g1.1", models=1),
        unit("marksmen", "g9.1", side=1),
        dice=[*([7] if roof else []), [3, 3], 1],
    )
    table.r.set_extra(fieldworks=(Fieldwork(kind, table.place("g9.1"), 8, roof),))
    penetrations = burst(table, "g9.1", "mortar")[0]
    assert penetrations == sum(e.lost for e in table.events(ModelsLost)) == 2
    covered = ("AC-TABLE-1", "AC-HOUSE-PEN") if roof else ()
    under = (*indirect.CLAUSES, "AC-HOUSE-AREA", clause, *covered)
    for event in table.events(Rolled):
        if event.purpose in ("cover", "armour"):
            assert set(under) <= set(event.clauses)


@pytest.mark.clause("AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(
    ("x", "y", "met"), [(60, 15, True), (61, 15, False), (30, 30, True), (-1, 15, False)]
)
def test_what_lands_off_the_map_meets_nothing(x: int, y: int, met: bool) -> None:
    table = Table(ground(), unit("missile_carrier", "g1.1"))
    group = next(g for g in fire.groups_of(table.unit(0)) if g.weapon.type == "nuclear")
    assert indirect.impact(table.r, table.unit(0), group.weapon, (100 * x, 100 * y), 0, group) == (met, met)
    assert [e.what for e in table.events(Happened)] == ["nuclear"] * met


@pytest.mark.clause("AC-FIRE-1", "AC-FIRE-5", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(("face", "told"), [(6, "catches fire"), (7, "plants wrecked")])
def test_a_shell_in_the_woods_strikes_plants(face: int, told: str) -> None:
    """High explosive: on 1 to 6; else its effect area wrecks them."""
    board = ground("terrain:\n  - {kind: woods, rect: [24, 9, 30, 15]}")
    table = Table(board, unit("self_propelled_howitzer", "g1.1"), dice=[face], options={"fires": True})
    burst(table, "g8.3")
    assert table.happened() == [told]
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-HOUSE-STRUCT")
def test_whoever_is_on_the_flat_roof_of_a_single_storey_has_nothing_over_him() -> None:
    board = house(floors=1, flat=True)
    table = Table(
        board, unit("mortar_team", "g1.1", models=1), unit("marksmen", "house.1:1", side=1), dice=[3, 10]
    )
    assert burst(table, "house.1:1", "mortar") == (
        1,
        1,
    )  # a quarter of the roof, then through it: class 9, on 10
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_where_there_is_no_field_work_none_is_destroyed() -> None:
    table = Table(ground())
    table.r.set_extra(fieldworks=(Fieldwork("trench", 3, 7),))
    for place, told in ((4, []), (3, ["work destroyed"])):
        damage.damage_work(table.r, WEAPONS["howitzer"], place, 1, 1)
        assert table.happened() == told
    assert table.state.extra.fieldworks == ()
