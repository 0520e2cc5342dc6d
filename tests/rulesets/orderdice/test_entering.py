"""Into buildings and out of them (OD-ENTER-1..5, OD-LEAVE-1, OD-BUNK-1, OD-BUNK-6, OD-SCEN-1, OD-FLAME-3, OD-HOUSE-TERRAIN)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import MoveTo
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice.move import WhereTo, route_to
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, alone, charges, floors, foe, goals, unit

HOUSE = house()
OVER_ROUGH = house("terrain: [{kind: rough, polygon: [[14, 5], [20, 5], [20, 15], [14, 15]]}]")
"""The house with rough ground 6 inches deep before its west door."""


def walled(kind: str, opening: str) -> Board:
    """A house or bunker, house.1, with a door south and some other opening north."""
    return ground(
        (26, 34),
        f"""
buildings:
  - name: house
    kind: {kind}
    rect: [10, 10, 16, 16]
    openings: [{{kind: door, side: south}}, {{kind: {opening}, side: north}}]
""",
    )


WINDOWED, BUNKER = walled("house", "window"), walled("bunker", "slit")


# ---- entering --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ENTER-1")
@pytest.mark.parametrize("kind", ["light_at_gun", "light_howitzer", "truck", "light_tank", "half_track"])
@pytest.mark.parametrize("order", ["advance", "run"])
def test_guns_and_vehicles_never_enter_a_building(kind: str, order: str) -> None:
    assert floors(goals(alone(HOUSE, kind, "g19.10"), order)) == []


@pytest.mark.clause("OD-ENTER-1")
@pytest.mark.parametrize("kind", ["rifle_section", "mmg_team", "medium_mortar_team", "air_observer", "major"])
def test_every_kind_of_infantry_enters(kind: str) -> None:
    assert floors(goals(alone(HOUSE, kind, "g19.10"), "run")) == ["house.1:0"]


# Entering takes a Run that reaches a door or window: 12 inches at most, 6 over rough ground. A slit is no way in.
@pytest.mark.clause("OD-ENTER-2", "OD-BUNK-1", "OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("board", "at", "order", "entered"),
    [
        pytest.param(HOUSE, "g19.10", "run", True, id="run from before the door"),
        pytest.param(HOUSE, "g19.10", "advance", False, id="advance from before the door"),
        pytest.param(HOUSE, "g8.10", "run", True, id="11.7 inches to a door"),
        pytest.param(HOUSE, "g7.10", "run", False, id="12.7 inches to a door"),
        pytest.param(WINDOWED, "g13.27", "run", True, id="11.5 inches to a window"),
        pytest.param(WINDOWED, "g13.28", "run", False, id="12.5 inches to a window"),
        pytest.param(BUNKER, "g13.20", "run", False, id="a slit of a bunker"),
        pytest.param(BUNKER, "g13.5", "run", True, id="the door of a bunker"),
        pytest.param(OVER_ROUGH, "g14.10", "run", True, id="5.5 inches over rough ground"),
        pytest.param(OVER_ROUGH, "g13.10", "run", False, id="6.5 inches over rough ground"),
        pytest.param(HOUSE, "g13.10", "run", True, id="6.5 inches over open ground"),
    ],
)
def test_what_takes_a_unit_inside(board: Board, at: str, order: str, entered: bool) -> None:
    assert floors(goals(alone(board, "rifle_section", at), order)) == (["house.1:0"] if entered else [])


@pytest.mark.clause("OD-ENTER-3")
def test_one_enters_on_the_ground_floor() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10")
    assert floors(goals(table, "run")) == ["house.1:0"]
    table.say(MoveTo(table.place("house.1:0")))
    assert table.unit(0).place == table.place("house.1:0")
    assert {"OD-ENTER-2", "OD-ENTER-3"} <= table.clauses()


# A floor holds one unit; one held by the enemy is taken by an assault only, which takes a Run.
@pytest.mark.clause("OD-ENTER-4", "OD-ENTER-5")
@pytest.mark.parametrize(
    ("at", "others", "reached", "charged"),
    [
        pytest.param("g19.10", [unit("officer", at="house.1:0")], [], [], id="friends on the ground floor"),
        pytest.param(
            "g19.10",
            [unit("officer", at="house.1:1"), unit("officer", at="house.1:2")],
            ["house.1:0"],
            [],
            id="friends on both floors above it",
        ),
        pytest.param("g19.10", [foe("officer", "house.1:0")], [], [1], id="the enemy on the ground floor"),
        pytest.param("g19.10", [foe("officer", "house.1:1")], ["house.1:0"], [], id="the enemy above it"),
        pytest.param("house.1:0", [foe("officer", "house.1:1")], [], [1], id="from below the enemy"),
    ],
)
def test_which_floors_are_free(
    at: str, others: list[dict[str, Any]], reached: list[str], charged: list[int]
) -> None:
    table = alone(HOUSE, "rifle_section", at, *others)
    assert floors(goals(table, "run")) == reached
    assert charges(table) == charged
    assert floors(goals(table, "advance")) == []
    assert charges(table, "advance") == []


@pytest.mark.clause("OD-SCEN-1", "OD-FLAME-3")
@pytest.mark.parametrize(
    "structure",
    [
        pytest.param(Structure(0, own={"closed": True}), id="closed"),
        pytest.param(Structure(0, burning=True), id="burning"),
    ],
)
def test_a_closed_or_burning_building_is_not_entered(structure: Structure) -> None:
    table = Table(HOUSE, unit("rifle_section", at="g19.10"), structures=[structure])
    assert floors(goals(table, "run")) == []


@pytest.mark.clause("OD-SCEN-1")
def test_a_ruin_is_difficult_ground() -> None:
    """It is reached from 4.5 inches away, and not from 6.5, at a run either; a move beside it has nothing to do with it."""
    fallen = [Structure(0, fallen=True)]
    for at, reached in (("g18.9", True), ("g16.9", False)):
        for order in ("advance", "run"):
            table = Table(HOUSE, unit("rifle_section", at=at), structures=fallen)
            assert ("house.1:ruin" in goals(table, order)) == reached
    for goal, bears in (("house.1:ruin", True), ("g17.9", False)):
        table = Table(HOUSE, unit("rifle_section", at="g18.9"), structures=fallen)
        clauses = route_to(table.state, HOUSE, table.unit(0), "advance", table.place(goal))[1]
        assert ("OD-SCEN-1" in clauses) == bears


# ---- leaving ---------------------------------------------------------------------------------------------------------


# A move out is measured from any ground-floor opening: half an inch from it to the first node, then 5 more.
@pytest.mark.clause("OD-LEAVE-1")
@pytest.mark.parametrize(
    ("reached", "too_far"),
    [
        pytest.param("g14.10", "g13.10", id="west door"),
        pytest.param("g31.10", "g32.10", id="east door"),
        pytest.param("g22.18", "g22.19", id="north window"),
        pytest.param("g22.1", "g22.0", id="south window"),
    ],
)
def test_a_move_out_is_measured_from_any_ground_floor_opening(reached: str, too_far: str) -> None:
    out = goals(alone(HOUSE, "rifle_section", "house.1:0"), "advance")
    assert reached in out
    assert too_far not in out


@pytest.mark.clause("OD-LEAVE-1")
def test_one_leaves_by_advance_or_by_run() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0")
    assert "g8.10" not in goals(table, "advance")
    assert "g8.10" in goals(table, "run")
    assert "g7.10" not in goals(table, "run")
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g8.10")))
    assert "OD-LEAVE-1" in table.clauses()


@pytest.mark.clause("OD-LEAVE-1")
@pytest.mark.parametrize("order", ["advance", "run"])
@pytest.mark.parametrize("floor", [1, 2, 3])
def test_nobody_leaves_from_an_upper_floor(floor: int, order: str) -> None:
    reached = goals(alone(HOUSE, "rifle_section", f"house.1:{floor}"), order)
    assert reached
    assert all(":" in name for name in reached)


@pytest.mark.clause("OD-BUNK-6", "OD-LEAVE-1")
def test_a_bunker_is_left_by_its_door() -> None:
    out = goals(alone(BUNKER, "rifle_section", "house.1:0"), "advance")
    assert "g13.5" in out
    assert "g13.17" not in out
