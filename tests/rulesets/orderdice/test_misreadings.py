"""Rules that are easily read wrong, each with the position in which the wrong reading shows."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.events import Rolled
from battlesim.rulesets.orderdice import bunkers, contact, empty_buildings, fire, move, targets, vehicles
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shot
from battlesim.rulesets.orderdice.indirect import floor_hit
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.openings import gun_openings
from battlesim.rulesets.orderdice.shoot import NextWall
from battlesim.rulesets.orderdice.strikes import Bombed
from battlesim.rulesets.orderdice.support import BARRAGE, StrikeDue
from tests.rulesets.orderdice.grounds import ground, house, terrace
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
ROOF, GROUND_FLOOR = "house.1:3", "house.1:0"
EAST_DOOR = next(o for o in HOUSE.sections[0].openings[0] if HOUSE.openings[o].x > 2600)


def needs(table: Table, purpose: str) -> list[int]:
    return [roll.need for roll in table.events(Rolled) if roll.purpose == purpose]


def rolled(table: Table, purpose: str) -> list[int]:
    """Whom the dice of a purpose were about, in order."""
    return [roll.object for roll in table.events(Rolled) if roll.purpose == purpose]


# ---- shooting ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-AT-4")
@pytest.mark.parametrize(("quality", "need"), [("inexperienced", 4), ("regular", 5), ("veteran", 6)])
@pytest.mark.parametrize("kind", ["light_at_gun", "rifle_section"])
def test_extra_protection_is_for_artillery_as_for_infantry(kind: str, quality: str, need: int) -> None:
    """Fire from the west at a gun that looks east: its shield is no help, the walls are."""
    table = Table(
        HOUSE,
        unit("sniper_rifles", at="g5.9"),
        unit(
            kind,
            at=GROUND_FLOOR,
            side=1,
            order="fire",
            quality=quality,
            emplaced=True,
            opening=EAST_DOOR,
            facing=0,
        ),
        dice=[[6, 1, 1, 1], 1],
    )
    table.do(NextWall(0, False, -1))
    assert needs(table, "damage") == [need]
    assert "OD-AT-4" in table.clauses()
    table.done()


@pytest.mark.clause("OD-AT-5")
def test_extra_protection_does_not_apply_to_flame() -> None:
    """Veterans: 5+, less the 2 of a flamethrower."""
    table = Table(
        HOUSE,
        unit("flamethrower_team", at="g15.9", models=1),
        unit("rifle_section", at=GROUND_FLOOR, side=1, order="fire", quality="veteran"),
        dice=[1, 6, 1, 1, 6, 1],  # a shot, a hit, no harm, a pin, fuel left, no fire
    )
    table.do(NextWall(0, False, -1))
    assert needs(table, "damage") == [3]
    table.done()


@pytest.mark.clause("OD-AT-5")
def test_extra_protection_does_not_apply_to_bombs() -> None:
    table = Table(
        HOUSE,
        unit("air_observer", at="g2.2", called=True),
        unit("rifle_section", at=GROUND_FLOOR, side=1, order="fire", quality="veteran"),
        dice=[[1, 1], 1, [1, 1]],
    )
    table.do(Bombed(0, HOUSE.space(GROUND_FLOOR)))
    assert needs(table, "shell damage") == [2]  # 5+ less 3
    table.done()


@pytest.mark.clause("OD-FROM-2", "OD-FROM-4")
def test_each_man_has_a_place_of_his_own_at_an_opening() -> None:
    """Ten rifles: two at the door, two at each of two windows, five at a roof's edge, and only those who fire are counted."""
    for at, shots in ((GROUND_FLOOR, 2), ("house.1:1", 4), (ROOF, 5)):
        table = Table(HOUSE, unit("rifle_section", at=at), unit("officer", at="g33.9", side=1, order="fire"))
        east = next(n for n, side in enumerate(HOUSE.sections[0].sides) if side.facing == 0)
        groups = fire.volley(table.state, HOUSE, table.unit(0), table.unit(1), False, east)
        assert sum(len(group.arms) for group in groups) == shots, at


@pytest.mark.clause("OD-FROM-7")
@pytest.mark.parametrize(("at", "struck"), [(ROOF, "top"), ("house.1:1", "top"), (GROUND_FLOOR, "front")])
def test_a_flat_roof_is_an_upper_floor_for_plunging_fire(at: str, struck: str) -> None:
    table = Table(HOUSE, unit("bazooka_team", at=at), unit("medium_tank", at="g33.9", side=1, facing=4))
    place, weapon = table.unit(0).place, WEAPONS["bazooka"]
    assert vehicles.struck_by(HOUSE, place, -1, table.unit(1), weapon, 700) == struck


@pytest.mark.clause("OD-FROM-7", "OD-ORDER-4")
def test_the_roof_of_a_house_of_one_floor_is_high_enough() -> None:
    hut = ground(
        (46, 20),
        "buildings: [{name: hut, rect: [20, 7, 26, 13], flat_roof: true, openings: [{kind: door, side: east}]}]",
    )
    table = Table(hut, unit("bazooka_team", at="hut.1:1"), unit("medium_tank", at="g33.9", side=1, facing=4))
    assert hut.spaces[table.unit(0).place].roof
    assert vehicles.plunges(hut, table.unit(0).place, table.unit(1), WEAPONS["bazooka"], 700)


@pytest.mark.clause("OD-GUN-2")
@pytest.mark.parametrize(
    ("at", "may"), [("g29.13", False), ("g30.13", True), ("g29.6", False), ("g30.6", True)]
)
def test_the_quarter_of_a_gun_inside_opens_at_its_opening(at: str, may: bool) -> None:
    """The door is at (26, 10): 3.5 east and 3.5 or 4.5 aside of it. From the middle of the room all four would be in the arc."""
    gun = unit("medium_at_gun", at=GROUND_FLOOR, emplaced=True, opening=EAST_DOOR, facing=0)
    table = Table(HOUSE, gun, unit("truck", at=at, side=1))
    x, y = HOUSE.spaces[table.unit(1).place].point
    assert may is (abs(y - 1000) <= x - 2605)
    assert abs(y - 1000) <= x - 2300
    assert targets.can_shoot_at(table.state, HOUSE, table.unit(0), table.unit(1), False) is may


@pytest.mark.clause("OD-HE-1")
def test_a_shell_ignores_the_cover_of_walls_whoever_is_behind_them() -> None:
    """The same need at a man inside as in the open, at the range of the wall, not of the man."""
    inside = Table(HOUSE, unit("light_howitzer", at="g2.9"), unit("rifle_section", at=GROUND_FLOOR, side=1))
    (shell,) = fire.volley(inside.state, HOUSE, inside.unit(0), inside.unit(1), False)
    outside = Table(HOUSE, unit("light_howitzer", at="g2.9"), unit("rifle_section", at="g19.9", side=1))
    (open_shell,) = fire.volley(outside.state, HOUSE, outside.unit(0), outside.unit(1), False)
    assert (shell.need, shell.cover) == (open_shell.need, open_shell.cover) == (3, 0)
    assert 1740 <= shell.distance <= 1760  # the wall at 20, not the middle of the room at 23


# ---- bunkers -------------------------------------------------------------------------------------------------------------


def windowed_bunker() -> Board:
    """A bunker with a window on the ground floor, against which the map's check warns; its door is on the other side."""
    return ground(
        (46, 20),
        """
buildings:
  - name: bunker
    kind: bunker
    rect: [20, 7, 26, 13]
    openings: [{kind: window, side: west, at: 0.5}, {kind: slit, side: north}, {kind: door, side: east, at: 0.5}]
""",
    )


@pytest.mark.clause("OD-BUNK-6", "OD-BUNK-1")
def test_the_window_of_a_bunker_is_no_way_in_or_out_and_nothing_to_fire_through() -> None:
    board = windowed_bunker()
    section, inside = board.sections[0], board.space("bunker.1:0")
    window = next(board.openings[n] for n in section.openings[0] if board.openings[n].kind == "window")
    assert not bunkers.lets_people_through(section, window)
    assert {board.openings[board.ways[way].opening].kind for _, way in board.exits[inside]} == {"door"}
    enters = Table(board, unit("rifle_section", at="g19.9"))
    assert inside not in move.destinations(enters.state, board, enters.unit(0), "run")
    charge = Table(board, unit("rifle_section", at="g12.9"), unit("officer", at="bunker.1:0", side=1))
    assert contact.targets(charge.state, board, charge.unit(0)) == []
    assert not targets.can_shoot_at(charge.state, board, charge.unit(0), charge.unit(1), False)
    assert not targets.can_shoot_at(charge.state, board, charge.unit(1), charge.unit(0), False)
    assert window.id not in gun_openings(board, inside)


@pytest.mark.clause("OD-BUNK-2")
def test_the_cover_of_a_bunker_is_four_and_flame_minds_none_of_it() -> None:
    board = windowed_bunker()
    # within 6 inches of the slit: 3, less 1; 4 for the bunker, or 1 for flame over half its range
    for kind, mode, need in (("sniper_rifles", "small", 6), ("flamethrower_team", "flame", 3)):
        table = Table(board, unit(kind, at="g22.17"), unit("rifle_section", at="bunker.1:0", side=1))
        groups = fire.volley(table.state, board, table.unit(0), table.unit(1), False)
        assert {group.need for group in groups if group.mode == mode} == {need}, kind


@pytest.mark.clause("OD-BUNK-2")
def test_an_empty_bunker_is_no_target_for_flame() -> None:
    board = windowed_bunker()
    table = Table(board, unit("flamethrower_team", at="g22.17"))
    assert empty_buildings.targets(table.state, board, table.unit(0), False, -1) == []


# ---- strikes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-BARR-2")
def test_every_unit_in_every_building_in_reach_rolls() -> None:
    """Aimed on top of one section with a reach of 7 inches: all its floors, the next section, the men before the door."""
    row = terrace(6, 6, 6)
    table = Table(
        row,
        unit("artillery_observer", at="g35.19", called=True),
        unit("rifle_section", at="t.t1:0", side=1, order="fire"),
        unit("rifle_section", at="t.t1:1", side=1, order="fire"),
        unit("rifle_section", at="t.t2:1", order="fire"),  # a friend of the observer's
        unit("rifle_section", at="t.t3:0", side=1, order="fire"),  # 9 inches from the aiming point
        unit("rifle_section", at="g12.4", side=1, order="fire"),
        dice=[3, 1, 1, 1, 1, 1],
    )
    table.do(StrikeDue(0, BARRAGE, -1, row.space("t.t1:0")))
    assert rolled(table, "barrage") == [5, 1, 2, 3]
    inside = [roll.object for roll in table.events(Rolled) if "OD-BARR-2" in roll.clauses]
    assert inside == [1, 2, 3]
    table.done()


@pytest.mark.clause("OD-BARR-2", "OD-HE-4")
def test_a_heavy_howitzer_result_minds_neither_shield_nor_walls() -> None:
    table = Table(
        HOUSE,
        unit("artillery_observer", at="g2.2", called=True),
        unit(
            "light_at_gun", at=GROUND_FLOOR, side=1, order="fire", emplaced=True, quality="veteran", facing=4
        ),
        dice=[3, 1, 6, [1, 1, 1], 1, [1, 1, 1]],
    )
    table.do(StrikeDue(0, BARRAGE, -1, HOUSE.space(GROUND_FLOOR)))
    assert needs(table, "shell damage") == [2]  # 5+ less 4, a 1 fails
    table.done()


@pytest.mark.clause("OD-AIR-3")
def test_a_bomb_minds_neither_shield_nor_walls_on_the_floor_it_comes_to() -> None:
    table = Table(
        HOUSE,
        unit("air_observer", at="g2.2", called=True),
        unit(
            "light_at_gun", at="house.1:1", side=1, order="fire", emplaced=True, quality="veteran", facing=4
        ),
        dice=[3, 3, 4, [1, 1], 1, [1, 1]],
    )
    place = floor_hit(table.r, 0, 0)  # from the roof: two floors down, then it bursts
    assert HOUSE.spaces[place].name == "house.1:1"
    table.do(Bombed(0, place))
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.damage) == (1, 0)
    assert needs(table, "shell damage") == [2]  # 5+ less 3; with extra protection or shield 3
    table.done()


# ---- floors ------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ENTER-4")
def test_no_way_ends_on_a_floor_that_is_taken() -> None:
    """From outside, by the stairs, and from section to section."""
    row = terrace(6, 6, 6)
    taken = ("t.t1:0", "t.t1:1", "t.t2:0")
    for at in ("g12.5", "t.t1:0", "t.t1:1", "t.t2:0"):
        friends = [unit("officer", at=name) for name in taken if name != at]
        table = Table(row, unit("rifle_section", at=at), *friends)
        for order in ("advance", "run"):
            goals = [
                row.spaces[place].name for place in move.destinations(table.state, row, table.unit(0), order)
            ]
            assert not [name for name in goals if name in taken], (at, order)


@pytest.mark.clause("OD-ORDER-4", "OD-IND-2", "OD-ASSAULT-4")
def test_a_flat_roof_is_climbed_assaulted_shelled_and_defended_as_a_floor() -> None:
    for at, order, reaches in (
        ("house.1:2", "advance", True),
        ("house.1:1", "advance", False),
        ("house.1:1", "run", True),
    ):
        table = Table(HOUSE, unit("rifle_section", at=at))
        assert (HOUSE.space(ROOF) in move.destinations(table.state, HOUSE, table.unit(0), order)) is reaches
    storm = Table(HOUSE, unit("rifle_section", at="house.1:2"), unit("officer", at=ROOF, side=1))
    assert contact.targets(storm.state, HOUSE, storm.unit(0)) == [1]
    falls = Table(HOUSE, unit("rifle_section", at=ROOF), dice=[4])
    assert floor_hit(falls.r, 0, 0) == HOUSE.space(ROOF)
    shot = Table(
        HOUSE,
        unit("sniper_rifles", at="g5.9"),
        unit("rifle_section", at=ROOF, side=1, order="fire"),
        dice=[[6, 1, 1, 1], 1],
    )
    shot.do(NextWall(0, False, -1))
    assert [event.need for event in shot.events(Shot)] == [5]  # 3, and 2 for hard cover
    assert needs(shot, "damage") == [5]
    assert unit_state(shot.unit(1)).pins == 1


@pytest.mark.clause("OD-HE-4")
def test_a_shield_is_named_where_a_shell_ignores_it_out_of_doors_too() -> None:
    for kind, named in (("light_at_gun", True), ("rifle_section", False)):
        table = Table(
            HOUSE,
            unit("light_howitzer", at="g2.9"),
            unit(kind, at="g15.9", side=1, order="fire", quality="veteran", facing=4),
            dice=[6, 1, 1, 1],
        )
        table.do(NextWall(0, False, -1))
        assert ("OD-HE-4" in table.clauses()) is named
        assert needs(table, "shell damage") == [3]  # 5+ less 2
        table.done()
