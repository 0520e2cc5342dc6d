"""What becomes of structures (AC-ATTACK-1, AC-DEST, AC-POINT, AC-HOUSE-STRUCT, AC-HOUSE-POINTS)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import MoveTo, TargetUnit
from battlesim.core.events import Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import damage, ground, works
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.model import Fieldwork, Lob, Search
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import TurnStart
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, house, unit
from tests.rulesets.armorclass.kit import ground as field


def shoot(
    kind: str, dice: list[Any], own: str = "", options: dict[str, Any] | None = None, **more: Any
) -> Table:
    """One weapon at the southern wall of the house, whoever is there."""
    spent = {
        "carrier": (1,),
        "tank": (1,),
        "heavy_tank": (1, 2),
        "plasma_tank": (1,),
        "flame_tank": (1,),
    }.get(kind, ())
    table = Table(
        house(own, **more),
        unit(kind, "g9.1", models=1, spent=spent),
        unit("militia", "g0.0", side=1),
        dice=dice,
        options=options,
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    return table


def record(table: Table) -> dict[str, Any]:
    return works.record(table.state, 0)


# ---- guidelines


@pytest.mark.clause("AC-DEST-1", "AC-ATTACK-1")
@pytest.mark.parametrize("kind", ["carrier", "plasma_tank", "hunter_team"])
def test_without_penetration_no_damage(kind: str) -> None:
    """A strongpoint's walls of class 11 against factors 7 to 9: what strikes does not go through."""
    shots = WEAPONS["light_cannon"].shots if kind == "carrier" else 1
    table = shoot(kind, [[9] * shots, [7] * shots], "type: strongpoint")
    assert not table.events(StructureSet)
    table.done()


@pytest.mark.clause("AC-DEST-2")
def test_infantry_weapons_without_effect_area_do_no_damage() -> None:
    table = shoot("piercer_team", [9])
    assert not table.events(StructureSet)
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-DEST-5")
def test_a_light_cannon_leaves_a_hole_too_small_for_fire() -> None:
    table = shoot("carrier", [[9, 10], [5]])
    assert "small hole" in table.happened()
    assert works.opened_sides(table.state, 0, 0) == ()
    assert "AC-DEST-5" in table.clauses()
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-DEST-5", "AC-HOUSE-STRUCT")
def test_a_heavy_cannon_leaves_a_slit() -> None:
    table = shoot("tank", [9])  # factor 11 against brick: always through
    assert record(table)["holes"] == ((0, SOUTH),)
    assert "hole" in table.happened()
    assert not works.is_breached(table.state, 0, 0, SOUTH)
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize(("kind", "dice"), [("hunter_team", [9, 3]), ("plasma_tank", [9, 3])])
def test_effect_areas_breach_the_wall(kind: str, dice: list[int]) -> None:
    """One inch and one and a half: half a circle of that does not cover half of 36 square inches."""
    table = shoot(kind, dice)
    assert record(table)["breaches"] == ((0, SOUTH),)
    assert works.floors_left(table.state, table.board, 0) == 2
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-DEST-3", "AC-HOUSE-STRUCT")
def test_an_effect_area_that_covers_half_destroys_the_floor_and_those_above_fall() -> None:
    """Half a circle of two inches, 6.28, on a house of three by three. Of the men upstairs those who roll 8 and more live."""
    table = Table(
        house(size=3),
        unit("flame_tank", "g9.2", spent=(1,)),
        unit("militia", "house.1:0", side=1),
        unit("militia", "house.1:1", side=1),
        dice=[9, 5, 2, [7, 8, 9, 1]],
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert works.floors_left(table.state, table.board, 0) == 0
    assert table.state.structures[0].fallen
    assert not table.unit(1).alive
    assert table.unit(2).models == 2
    assert table.board.spaces[table.unit(2).place].kind == "ground"
    assert table.unit(2).own.suppressed == 1  # it has yet to act
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-HOUSE-STRUCT", "AC-HOUSE-AREA")
def test_behind_a_wall_only_half_an_effect_area_counts() -> None:
    """A circle of one and a half inches, 7.1, would cover half of three by three; the half that projects inside does not."""
    table = Table(house(size=3), unit("plasma_tank", "g9.2", spent=(1,)), dice=[9, 3])
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert works.floors_left(table.state, table.board, 0) == 2
    assert works.is_breached(table.state, 0, 0, SOUTH)
    table.done()


@pytest.mark.clause("AC-POINT-4", "AC-HOUSE-POINTS")
@pytest.mark.parametrize(
    ("own", "points", "default"), [("", 0, True), ("points: 9", 0, False), ("", 9, False)]
)
def test_points_of_the_variant_are_named_where_nobody_gave_any(own: str, points: int, default: bool) -> None:
    table = shoot("marksmen", [9, 10], own, options={"damage": "1", "points": points})
    assert ("AC-POINT-4" in table.clauses()) is default


@pytest.mark.clause("AC-DEST-3")
def test_a_destroyed_structure_is_neither_held_nor_passed() -> None:
    board = house()
    for gone, open_to in ((-1, {0, 1}), (1, {0}), (0, set())):
        structures = [Structure(0, fallen=gone == 0, own={"gone": gone})] if gone >= 0 else []
        table = Table(board, unit("militia", "g8.5"), structures=structures)
        found = ground.reach(table.state, board, table.unit(0), 1200, frozenset())
        floors = {board.spaces[p].floor for p in found.cost if board.spaces[p].kind == "floor"}
        ruins = [p for p in found.cost if board.spaces[p].kind == "ruin"]
        assert (floors, ruins) == (open_to, [])


@pytest.mark.clause("AC-DEST-4")
@pytest.mark.parametrize(("kind", "dice"), [("tank", [9]), ("hunter_team", [9, 3])])
def test_damage_may_be_ignored(kind: str, dice: list[int]) -> None:
    table = shoot(kind, dice, options={"damage": "ignored"})
    assert not table.events(StructureSet)
    assert "AC-DEST-4" in table.clauses()
    table.done()


@pytest.mark.clause("AC-DEST-2")
def test_a_nuclear_warhead_destroys_everything_in_reach() -> None:
    table = Table(
        house(),
        unit("missile_carrier", "g0.0", spent=(1,)),
        unit("militia", "house.1:1", side=1),
        unit("tank", "g8.4", side=0),
        unit("militia", "g12.4", side=1, detected=True),
        unit("militia", "g13.4", side=1, detected=True),
        dice=[4],
    )
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g11.4"), 7),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.1:1")))
    assert table.state.structures[0].fallen
    # centre (30, 15), five inches: the tank 4.7 away is gone, friend or not; the team 7.6 away is not
    assert [table.unit(n).alive for n in range(5)] == [True, False, False, True, True]
    assert not table.state.extra.fieldworks
    assert table.unit(0).own.spent == (0, 1)
    table.done()


@pytest.mark.clause("AC-DEST-2", "AC-DEST-4")
def test_where_damage_is_ignored_a_nuclear_warhead_spares_what_is_built_not_who_is_there() -> None:
    table = Table(
        house(),
        unit("missile_carrier", "g0.0", spent=(1,)),
        unit("militia", "house.1:1", side=1),
        unit("militia", "g11.4", side=1, detected=True),
        unit("militia", "g19.9", side=1, detected=True),
        dice=[4],
        options={"damage": "ignored"},
    )
    trench = Fieldwork("trench", table.place("g11.4"), 7)
    table.r.set_extra(fieldworks=(trench,))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.1:1")))
    assert not table.state.structures
    assert table.state.extra.fieldworks == (trench,)
    assert all(table.board.spaces[place].kind == "ground" for place in table.state.extra.burnt)
    assert [table.unit(n).alive for n in (1, 2, 3)] == [False, False, True]
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-HOUSE-INDIRECT")
def test_a_shell_on_the_roof_destroys_the_top_floor() -> None:
    """A howitzer's two and a half inches cover 19.6 of 36."""
    table = Table(house(), unit("self_propelled_howitzer", "g2.2"), unit("militia", "g9.1"), dice=[4, 2])
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.1:1")))
    assert works.floors_left(table.state, table.board, 0) == 1
    assert not table.state.structures[0].fallen
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-DEST-2")
def test_an_effect_area_destroys_a_field_work() -> None:
    table = Table(
        field(),
        unit("mortar_team", "g1.1", models=1),
        unit("militia", "g9.1", side=1, detected=True),
        dice=[4, [1] * 4, 8],
    )
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g9.1"), 7),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("g9.1")))
    assert not table.state.extra.fieldworks
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_a_breach_is_a_way_in() -> None:
    board = house()
    table = Table(board, unit("militia", "g9.6"))
    place = board.space("house.1:0")
    assert place not in ground.reach(table.state, board, table.unit(0), 300, frozenset()).cost
    table = Table(board, unit("militia", "g9.6"), structures=[Structure(0, own={"breaches": [[0, NORTH]]})])
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(place))
    assert table.unit(0).place == place


# ---- points


@pytest.mark.clause("AC-POINT-1", "AC-POINT-6", "AC-ATTACK-1")
def test_variant_1_counts_penetrations() -> None:
    table = shoot("marksmen", [9, 10], options={"damage": "1"})
    assert record(table) == {"lost": 1}
    assert shoot("marksmen", [9, 6], options={"damage": "1"}).state.structures == {}


@pytest.mark.clause("AC-POINT-2")
@pytest.mark.parametrize(("wall_die", "lost"), [(5, 7), (4, 1)])
def test_variant_2_the_heavy_fusion_rifle(wall_die: int, lost: int) -> None:
    assert record(shoot("powered_team", [9, wall_die], options={"damage": "2"})) == {"lost": lost}


@pytest.mark.clause("AC-POINT-3")
@pytest.mark.parametrize(("wall_die", "lost"), [(5, 14), (4, 2)])
def test_variant_3_the_heavy_fusion_rifle(wall_die: int, lost: int) -> None:
    table = shoot("powered_team", [9, wall_die], options={"damage": "3"})
    assert record(table) == {"lost": lost}
    assert "AC-POINT-3" in table.clauses()


@pytest.mark.clause("AC-POINT-4", "AC-HOUSE-POINTS", "AC-POINT-6")
@pytest.mark.parametrize(
    ("variant", "own", "points"),
    [("1", "", 6), ("2", "", 12), ("3", "", 24), ("3", "points: 14", 14), ("2", "points: 40", 40)],
)
def test_points_a_section_begins_with(variant: str, own: str, points: int) -> None:
    table = Table(house(own), options={"damage": variant})
    assert works.points_of(table.state, table.board, 0) == points


@pytest.mark.clause("AC-POINT-4", "AC-POINT-6")
def test_a_scenario_gives_points_unless_the_map_does() -> None:
    for own, points in (("", 40), ("points: 14", 14)):
        table = Table(house(own), options={"damage": "2", "points": 40})
        assert works.points_of(table.state, table.board, 0) == points


@pytest.mark.clause("AC-POINT-4")
def test_twenty_four_points_suit_variant_3_and_hardly_fall_under_variant_1() -> None:
    """Two penetrations of the fusion rifle bring 24 points down under variant 3; under variant 1 it takes twenty-four."""
    rifle = WEAPONS["heavy_fusion_rifle"]
    each = {v: damage.points_lost(v, rifle.factor, True, True) for v in (1, 3)}
    assert (-(-24 // each[3]), -(-24 // each[1])) == (2, 24)


@pytest.mark.clause("AC-POINT-6", "AC-DEST-3")
def test_no_points_left_is_destroyed() -> None:
    table = Table(
        house("points: 14"),
        unit("powered_team", "g9.1", models=1),
        unit("militia", "house.1:1", side=1),
        dice=[9, 5, [1, 2, 7, 8]],
        options={"damage": "3"},
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert table.state.structures[0].fallen
    assert "breaches" not in record(table)  # points stand instead of the guidelines
    assert table.unit(1).models == 1
    assert {"AC-POINT-6", "AC-DEST-3"} <= table.clauses()
    table.done()


@pytest.mark.clause("AC-POINT-5", "AC-HOUSE-POINTS")
@pytest.mark.parametrize(
    ("lost", "face", "stands"), [(10, 6, True), (10, 7, False), (2, 0, True), (23, 1, True), (23, 2, False)]
)
def test_the_collapse_check(lost: int, face: int, stands: bool) -> None:
    """Ten of 24 points are 40%: it stands on 1 to 6. Less than a tenth is not rolled for."""
    table = Table(
        house(),
        unit("militia", "g1.1"),
        unit("militia", "g1.3", side=1),
        dice=[*([face] if face else []), 9, 1],
        structures=[Structure(0, own={"lost": lost})],
        options={"damage": "3", "collapse": True},
    )
    table.do(TurnStart())
    assert works.floors_left(table.state, table.board, 0) == (2 if stands else 0)
    assert [e.purpose for e in table.events(Rolled)].count("collapse") == bool(face)


@pytest.mark.clause("AC-POINT-5")
def test_no_check_unless_the_scenario_has_it() -> None:
    table = Table(
        house(),
        unit("militia", "g1.1"),
        unit("militia", "g1.3", side=1),
        dice=[9, 1],
        structures=[Structure(0, own={"lost": 23})],
        options={"damage": "3"},
    )
    table.do(TurnStart())
    assert [e.purpose for e in table.events(Rolled)] == ["initiative", "initiative"]


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_what_stands_fixed_is_buried() -> None:
    table = Table(
        house("type: strongpoint"), unit("strongpoint", "house.1:0"), unit("militia", "g1.1", side=1)
    )
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    assert not table.unit(0).alive


@pytest.mark.clause("AC-ATTACK-1")
def test_a_structure_is_a_target_with_nobody_in_it() -> None:
    table = Table(house(), unit("tank", "g9.1", spent=(1,)), dice=[9])
    table.do(AtWhom(0, side=0))
    assert TargetUnit(1) not in table.legal
    table.say(Search(table.place("house.1:1"), SOUTH))
    assert record(table)["holes"] == ((1, SOUTH),)


@pytest.mark.clause("AC-DEST-3", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize(("floor", "told"), [(0, "collapsed"), (1, "floor destroyed")])
def test_a_floor_is_destroyed_or_the_house_is_down(floor: int, told: str) -> None:
    table = Table(house())
    damage.destroy_floor(table.r, 0, floor, ("AC-DEST-3",))
    assert table.happened() == [told]
    assert table.state.structures[0].fallen is (floor == 0)
    damage.destroy_floor(table.r, 0, 1, ("AC-DEST-3",))  # nothing is destroyed twice
    assert table.happened() == [told]


@pytest.mark.clause("AC-DEST-2", "AC-DEST-5")
@pytest.mark.parametrize("kind", ["tank", "scout_car"])
def test_what_goes_through_a_breach_makes_no_hole(kind: str) -> None:
    """Through a breach every hit goes: the heavy cannon's, which leaves a slit, and the rotary cannon's, which leaves less."""
    shots = {"tank": [[1], [1, 1, 1]], "scout_car": [[1, 1, 1]]}
    table = Table(
        house(floors=1),
        unit(kind, "g9.8"),
        dice=shots[kind],
        structures=[Structure(0, own={"breaches": ((0, NORTH),)})],
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), NORTH))
    assert table.happened() == []
    assert works.record(table.state, 0) == {"breaches": ((0, NORTH),)}
    table.done()
