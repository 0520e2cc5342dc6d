"""Where fire goes out and comes in: OD-AT-1, OD-AT-2, OD-AT-5, OD-FROM-1..5, seen as tables (`fire.volley`)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, Pass, TargetUnit
from battlesim.core.events import Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.assault import Melee
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.line_of_sight import firing_points, sees
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
SOUTH, EAST, NORTH, WEST = 0, 1, 2, 3
LOFT = ground(
    (46, 20),
    """
buildings:
  - name: loft
    rect: [20, 7, 26, 13]
    floors: 2
    openings: [{kind: door, side: west, at: 0.5}, {kind: window, floor: 1, side: north, count: 1}]
""",
)
"""Ground floor: a door to the west. Upper floor: a window to the north and three blank walls."""


def groups(table: Table, wall: int = -1, shooter: int = 0, target: int = 1) -> list[fire.Group]:
    return fire.volley(table.state, table.board, table.unit(shooter), table.unit(target), False, wall)


def made(board: Board, floor: int, side: int) -> list[Structure]:
    return [Structure(0, own={"made": [[floor, side]]})]


# ---- fire at units inside ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-AT-1")
@pytest.mark.parametrize(
    ("place", "floor", "hit"),
    [
        ("g10.9", 0, True),  # the door
        ("g10.9", 1, False),  # a door below does not show those above
        ("g22.19", 1, True),  # the window above
        ("g22.19", 0, False),
        ("g40.9", 0, False),
    ],
)
def test_small_arms_need_an_opening_of_the_targets_floor(place: str, floor: int, hit: bool) -> None:
    table = Table(LOFT, unit("rifle_section", at=place), unit("officer", at=f"loft.1:{floor}", side=1))
    assert bool(groups(table)) is hit


@pytest.mark.clause("OD-AT-1")
@pytest.mark.parametrize(("x", "hit"), [(8, True), (7, False)])
def test_the_range_of_small_arms_is_to_the_opening(x: int, hit: bool) -> None:
    # submachine guns reach 12 inches: from 8.5 the door is 11.5 away, the middle of the house 14.5
    table = Table(LOFT, unit("assault_section", at=f"g{x}.9"), unit("officer", at="loft.1:0", side=1))
    assert bool(groups(table)) is hit


@pytest.mark.clause("OD-AT-2")
def test_other_heavy_weapons_need_any_wall_of_the_targets_floor() -> None:
    low = ground(
        (60, 20),
        """
buildings:
  - {name: hall, rect: [12, 7, 18, 13], floors: 1, openings: [{kind: door, side: west}]}
  - name: loft
    rect: [20, 7, 26, 13]
    floors: 3
    openings: [{kind: door, side: east}]
""",
    )
    for floor, hit in ((0, False), (1, False), (2, True)):
        # the hall in front hides the lower walls of the loft, not the upper ones
        table = Table(low, unit("bazooka_team", at="g5.9"), unit("officer", at=f"loft.1:{floor}", side=1))
        assert bool(groups(table)) is hit, floor
        rifles = Table(low, unit("rifle_section", at="g5.9"), unit("officer", at=f"loft.1:{floor}", side=1))
        assert groups(rifles) == []


@pytest.mark.clause("OD-AT-3", "OD-AT-4")
@pytest.mark.parametrize(("low", "need"), [(False, 5), (True, 7)])
def test_inside_is_hard_cover_extra_protection_and_a_chance_to_go_down(low: bool, need: int) -> None:
    table = Table(
        LOFT,
        unit("bazooka_team", at="g10.9"),
        unit("rifle_section", at="loft.1:0", side=1, quality="veteran"),
        dice=[6, 6, 1] if low else [6, 1],
    )
    table.do(NextWall(0, False, -1))
    assert isinstance(table.ask, GoDown)
    table.say(Confirm(low))
    assert table.events(Shot)[0].need == need
    assert [roll.need for roll in table.events(Rolled) if roll.purpose == "damage"] == [
        2
    ]  # 5 + 1 - 5, 1 fails
    assert {"OD-AT-2", "OD-AT-3", "OD-AT-4"} <= set(table.events(Shot)[0].clauses)
    table.done()


@pytest.mark.clause("OD-AT-5")
@pytest.mark.parametrize(("quality", "need"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
def test_extra_protection_does_not_apply_in_close_quarters(quality: str, need: int) -> None:
    table = Table(
        LOFT,
        unit("officer", at="g19.9"),
        unit("officer", at="loft.1:0", side=1, quality=quality),
        dice=[(1, 1), (6, 6), 3],
    )
    table.do(Melee(0, 1, True, table.place("loft.1:0")))
    blows = [roll for roll in table.events(Rolled) if roll.purpose == "melee"]
    assert [roll.need for roll in blows if roll.actor == 0] == [need]


# ---- fire from inside ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-FROM-1")
def test_range_and_sight_are_from_the_opening() -> None:
    table = Table(HOUSE, unit("assault_section", at="house.1:0"), unit("officer", at="g37.9", side=1))
    (group,) = groups(table, EAST)
    assert (
        group.distance == 1146
    )  # from the door at (26.05, 10) to (37.5, 9.5); 14.5 from the middle of the house
    assert all(groups(table, wall) == [] for wall in (SOUTH, NORTH, WEST))
    blind = Table(LOFT, unit("assault_section", at="loft.1:0"), unit("officer", at="g37.9", side=1))
    assert all(groups(blind, wall) == [] for wall in range(4))


@pytest.mark.clause("OD-FROM-2", "OD-FROM-4")
@pytest.mark.parametrize(("floor", "men"), [(0, 2), (1, 4), (2, 4), (3, 5)])
def test_two_men_an_opening_and_five_a_side_of_the_roof(floor: int, men: int) -> None:
    table = Table(HOUSE, unit("assault_section", at=f"house.1:{floor}"), unit("officer", at="g34.9", side=1))
    assert sum(len(group.arms) for group in groups(table, EAST)) == men


@pytest.mark.clause("OD-FROM-3")
def test_each_side_has_a_target_of_its_own_and_men_fire_once() -> None:
    table = Table(
        HOUSE,
        unit("assault_section", at="house.1:1"),
        unit("officer", at="g22.1", side=1, order="fire"),
        unit("officer", at="g34.9", side=1, order="fire"),
        unit("officer", at="g34.10", side=1, order="fire"),
        dice=[(1,) * 4] * 4,  # from each window on its own: the ranges differ
    )
    first = table.do(NextWall(0, False, SOUTH))
    assert isinstance(first, AtWhom)
    assert (first.wall, table.legal) == (SOUTH, [TargetUnit(1), Pass()])
    second = table.say(TargetUnit(1))
    assert isinstance(second, AtWhom)
    assert (second.wall, table.legal) == (EAST, [TargetUnit(2), TargetUnit(3), Pass()])
    assert len(second.used) == 4
    table.say(TargetUnit(3))
    assert [shot.target for shot in table.events(Shot)] == [1, 1, 3, 3]
    table.done()


@pytest.mark.clause("OD-FROM-5")
def test_through_a_made_opening_two_men_shoot() -> None:
    row = unit("assault_section", at="loft.1:1"), unit("officer", at="g34.9", side=1)
    assert groups(Table(LOFT, *row), EAST) == []
    table = Table(LOFT, *row, structures=made(LOFT, 1, EAST))
    (group,) = groups(table, EAST)
    assert len(group.arms) == 2
    assert groups(table, SOUTH) == []
    below = Table(LOFT, *row, structures=made(LOFT, 0, EAST))
    assert groups(below, EAST) == []  # the hole is on another floor


@pytest.mark.clause("OD-FROM-5", "OD-AT-1")
def test_small_arms_hit_through_a_made_opening() -> None:
    row = unit("rifle_section", at="g34.9"), unit("officer", at="loft.1:1", side=1)
    assert groups(Table(LOFT, *row)) == []
    table = Table(LOFT, *row, structures=made(LOFT, 1, EAST))
    found = groups(table)
    assert found
    assert {group.distance for group in found} == {846}  # to the wall at (26.05, 10) from (34.5, 9.5)
    assert groups(Table(LOFT, *row, structures=made(LOFT, 1, SOUTH))) == []


@pytest.mark.clause("OD-FROM-5", "OD-FROM-6")
def test_a_fixed_weapon_fires_only_out_of_the_opening_it_is_set_up_at_holes_included() -> None:
    hole = -2 - EAST
    window = next(n for n in LOFT.sections[0].openings[1])
    for opening, wall, fires in (
        (hole, EAST, True),
        (window, EAST, False),
        (hole, NORTH, False),
        (window, NORTH, True),
    ):
        goal = "g34.9" if wall == EAST else "g22.19"
        table = Table(
            LOFT,
            unit("mmg_team", at="loft.1:1", opening=opening),
            unit("officer", at=goal, side=1),
            structures=made(LOFT, 1, EAST),
        )
        assert bool(groups(table, wall)) is fires, (opening, wall)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_one_sees_out_of_openings_only() -> None:
    table = Table(LOFT, unit("officer", at="loft.1:1"))
    state = table.state
    assert sees(state, LOFT, LOFT.space("loft.1:1"), LOFT.space("g22.19"))
    assert not sees(state, LOFT, LOFT.space("loft.1:1"), LOFT.space("g34.9"))
    assert sees(state, LOFT, LOFT.space("g34.9"), LOFT.space("loft.1:1"))  # the wall, as shells ask


def test_stations_name_the_nearest_line_of_each_kind() -> None:
    table = Table(LOFT, unit("officer", at="g22.19"), unit("officer", at="loft.1:1", side=1))
    ((post,),) = firing_points(table.state, LOFT, table.unit(0).place, table.unit(1).place).values()
    assert post.small is not None
    assert post.heavy is not None
    assert post.small.to_opening >= 0
    assert post.lob.distance == post.heavy.distance <= post.small.distance
    assert unit_state(table.unit(0)).opening == -1
