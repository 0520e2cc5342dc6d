"""Assaults: who may charge whom, and where it ends (OD-HOUSE-CLOSE, OD-ASSAULT-1, OD-ASSAULT-4, OD-ASSAULT-5, OD-LEAVE-2).

Reaction fire is in `test_reaction_fire.py`, the fight in `test_close_quarters.py`.
"""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.events import Placed
from tests.rulesets.orderdice.grounds import ground, house, plain, terrace, two_houses
from tests.rulesets.orderdice.kit import Table, assault, charges, crew, faces, foe, unit

PLAIN, HOUSE = plain(), house()
ROUGH = "terrain: [{kind: rough, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}]"
WALL = "terrain: [{kind: wall, line: [[10, 0], [10, 5]]}]"


def can_charge(board: Board, one: str, two: str) -> bool:
    return charges(Table(board, unit("officer", at=one), foe("officer", at=two))) == [1]


# ---- how far ---------------------------------------------------------------------------------------------------------


# An assault is a Run of up to 12 inches into contact. Rough ground limits it to 6; the inch over an obstacle counts double.
@pytest.mark.clause("OD-HOUSE-TERRAIN", "OD-HOUSE-CLOSE")
@pytest.mark.parametrize(
    ("features", "at", "enemy", "reached"),
    [
        pytest.param("", "g1.2", "g13.2", True, id="12 inches of open ground"),
        pytest.param("", "g1.2", "g14.2", False, id="13 inches of open ground"),
        pytest.param(ROUGH, "g5.2", "g11.2", True, id="6 inches into rough ground"),
        pytest.param(ROUGH, "g5.2", "g12.2", False, id="7 inches into rough ground"),
        pytest.param(ROUGH, "g5.2", "g15.2", False, id="10 inches through rough ground"),
        pytest.param(ROUGH, "g13.2", "g19.2", True, id="6 inches out of rough ground"),
        pytest.param(ROUGH, "g13.2", "g20.2", False, id="7 inches out of rough ground"),
        pytest.param(WALL, "g1.2", "g12.2", True, id="11 inches over a wall"),
        pytest.param(WALL, "g1.2", "g13.2", False, id="12 inches over a wall"),
    ],
)
def test_how_far_a_charge_reaches(features: str, at: str, enemy: str, reached: bool) -> None:
    assert can_charge(plain(features), at, enemy) is reached


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize(
    ("friend", "charged"),
    [
        pytest.param("g4.0", [1], id="friends on the way are passed"),
        pytest.param("g7.0", [], id="friends before the enemy leave no room"),
    ],
)
def test_a_charge_passes_friends_but_needs_room_to_end(friend: str, charged: list[int]) -> None:
    lane = ground((20, 1))
    table = Table(lane, unit("officer", at="g1.0"), foe("officer", "g8.0"), unit("officer", at=friend))
    assert charges(table) == charged


@pytest.mark.clause("OD-ASSAULT-1")
@pytest.mark.parametrize(
    ("at", "reached"),
    [
        pytest.param("g8.10", True, id="11.7 inches to the west door"),
        pytest.param("g7.10", False, id="12.7 inches to the west door"),
        pytest.param("g37.10", True, id="to the east door"),
        pytest.param("g22.19", True, id="to the north window"),
    ],
)
def test_the_ground_floor_is_assaulted_from_outside_measured_to_an_opening(at: str, reached: bool) -> None:
    assert can_charge(HOUSE, at, "house.1:0") is reached


@pytest.mark.clause("OD-ASSAULT-1")
@pytest.mark.parametrize("floor", [1, 2, 3])
def test_upper_floors_are_not_assaulted_from_outside(floor: int) -> None:
    assert not can_charge(HOUSE, "g19.10", f"house.1:{floor}")


@pytest.mark.clause("OD-BUNK-6", "OD-ASSAULT-1")
def test_a_bunker_is_assaulted_by_its_door_only() -> None:
    board = ground(
        (26, 34),
        """
buildings:
  - {name: bunker, kind: bunker, rect: [10, 10, 16, 16],
     openings: [{kind: door, side: south}, {kind: slit, side: north}]}
""",
    )
    assert can_charge(board, "g13.5", "bunker.1:0")
    assert not can_charge(board, "g13.17", "bunker.1:0")


@pytest.mark.clause("OD-ASSAULT-5", "OD-ASSAULT-1")
def test_assaulters_from_outside_end_against_the_building_by_an_opening() -> None:
    table = Table(
        HOUSE, crew(3, "g12.10"), foe("officer", "house.1:0", order="run"), dice=[faces(0, 3), faces(1, 2)]
    )
    assault(table)
    ended = table.board.spaces[table.events(Placed)[0].place].name
    assert ended in ("g19.9", "g19.10")
    assert {"OD-ASSAULT-1", "OD-ASSAULT-5"} <= table.clauses()


# ---- from inside -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ASSAULT-4", "OD-LEAVE-2")
@pytest.mark.parametrize(
    ("board", "at", "enemies", "reached"),
    [
        pytest.param(
            HOUSE,
            "house.1:2",
            ["g19.10", "house.1:0", "house.1:1", "house.1:3"],
            ["house.1:1", "house.1:3"],
            id="the floor directly above or below",
        ),
        pytest.param(
            terrace(6, 6, 6),
            "t.t1:1",
            ["t.t2:1", "t.t2:0", "t.t3:1", "t.t1:0"],
            ["t.t2:1", "t.t1:0"],
            id="the same floor of a connected section",
        ),
    ],
)
def test_whom_one_assaults_inside(board: Board, at: str, enemies: list[str], reached: list[str]) -> None:
    assert [enemy for enemy in enemies if can_charge(board, at, enemy)] == reached


@pytest.mark.clause("OD-LEAVE-2", "OD-HOUSE-INSIDE")
def test_from_the_ground_floor_one_assaults_whoever_is_outside() -> None:
    board = two_houses(8)
    for place in ("g15.8", "b.1:0"):
        assert can_charge(board, "a.1:0", place)
        assert not can_charge(board, "a.1:1", place)  # leaving takes the ground floor
    assert not can_charge(board, "a.1:0", "b.1:1")


@pytest.mark.clause("OD-LEAVE-2")
def test_the_charge_out_is_measured_from_the_door() -> None:
    """The door is 0.6 from the first node; the enemy 11.6, 12.6 from the door."""
    board = ground(
        (40, 16), "buildings: [{name: a, rect: [5, 5, 11, 11], openings: [{kind: door, side: east}]}]"
    )
    assert can_charge(board, "a.1:0", "g22.8")
    assert not can_charge(board, "a.1:0", "g23.8")


@pytest.mark.clause("OD-LEAVE-2")
def test_enemies_in_a_transport_are_assaulted_with_it() -> None:
    board = two_houses(8)
    table = Table(
        board, unit("rifle_section", at="a.1:0"), foe("half_track", "g15.8"), foe("officer", "", aboard=1)
    )
    assert charges(table) == [1]


@pytest.mark.clause("OD-LEAVE-2")
def test_who_charges_out_ends_outside() -> None:
    table = Table(HOUSE, crew(3, "house.1:0"), foe("officer", "g12.10", order="run"), dice=[faces(2, 3), [3]])
    assault(table)
    assert not table.unit(1).alive
    assert table.board.spaces[table.unit(0).place].kind == "ground"
    assert "OD-LEAVE-2" in table.clauses()
