"""How far units go in the open, past whom, and what cover the ground gives (OD-HOUSE-TERRAIN, OD-GUN-1).

Into and out of buildings: `test_entering.py`; about inside: `test_moving_inside.py`.
"""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import MoveTo
from battlesim.core.events import Placed
from battlesim.rulesets.orderdice.fire import volley
from battlesim.rulesets.orderdice.turn import open_orders
from tests.rulesets.orderdice.grounds import ground, plain
from tests.rulesets.orderdice.kit import alone, foe, goals, unit

PLAIN = plain()
ROAD = plain("terrain: [{kind: road, line: [[0, 2.5], [75, 2.5]], width: 1}]")


def patch(kind: str) -> Board:
    """The strip with a patch of some terrain right across it from 10 to 14 inches."""
    return plain(f"terrain: [{{kind: {kind}, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}}]")


def barrier(kind: str) -> Board:
    """The strip with a wall, hedge or fence right across it at 10 inches."""
    return plain(f"terrain: [{{kind: {kind}, line: [[10, 0], [10, 5]]}}]")


def farthest(board: Board, kind: str, at: str, order: str) -> int:
    """The x of the easternmost space that the order can take a unit to."""
    table = alone(board, kind, at)
    return max(board.spaces[table.place(name)].x // 100 for name in goals(table, order))


# ---- how far ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize("kind", ["rough", "woods", "rubble"])
@pytest.mark.parametrize(
    ("at", "far"), [pytest.param("g5.2", 11, id="into it"), pytest.param("g12.2", 18, id="out of it")]
)
def test_a_run_that_touches_rough_ground_is_6_inches_at_most(kind: str, at: str, far: int) -> None:
    assert farthest(patch(kind), "rifle_section", at, "run") == far


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_a_run_beside_rough_ground_is_12_inches() -> None:
    board = ground((40, 5), "terrain: [{kind: rough, polygon: [[10, 0], [14, 0], [14, 2], [10, 2]]}]")
    assert farthest(board, "rifle_section", "g5.4", "run") == 17


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize("kind", ["wall", "hedge", "fence"])
@pytest.mark.parametrize(("order", "far"), [("advance", 10), ("run", 16)])
def test_obstacles_are_crossed_at_half_rate(kind: str, order: str, far: int) -> None:
    """At 6 and at 12 inches, of which the one across counts double."""
    assert farthest(barrier(kind), "rifle_section", "g5.2", order) == far


# Vehicles go by their drive. A road doubles a run. Tracks take rough ground at Advance only, and wheels never do.
@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("kind", "board", "order", "inches"),
    [
        pytest.param("medium_tank", PLAIN, "advance", 9, id="tracks advance"),
        pytest.param("medium_tank", PLAIN, "run", 18, id="tracks run"),
        pytest.param("medium_tank", ROAD, "advance", 9, id="tracks advance by road"),
        pytest.param("medium_tank", ROAD, "run", 36, id="tracks run by road"),
        pytest.param("medium_tank", patch("rough"), "advance", 9, id="tracks advance into rough ground"),
        pytest.param("medium_tank", patch("rough"), "run", 8, id="tracks run up to rough ground"),
        pytest.param("truck", PLAIN, "advance", 12, id="wheels advance"),
        pytest.param("truck", PLAIN, "run", 24, id="wheels run"),
        pytest.param("truck", ROAD, "advance", 12, id="wheels advance by road"),
        pytest.param("truck", ROAD, "run", 48, id="wheels run by road"),
        pytest.param("truck", patch("rough"), "advance", 8, id="wheels advance up to rough ground"),
        pytest.param("truck", patch("rough"), "run", 8, id="wheels run up to rough ground"),
    ],
)
def test_how_far_vehicles_go(kind: str, board: Board, order: str, inches: int) -> None:
    assert farthest(board, kind, "g1.2", order) == 1 + inches


@pytest.mark.clause("OD-GUN-1")
def test_guns_never_run() -> None:
    table = alone(PLAIN, "light_at_gun", "g1.2")
    assert "run" not in open_orders(table.state, table.board, table.unit(0))


# ---- past whom -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("side", "reached"),
    [
        pytest.param(
            0, ["g0.0", "g2.0", "g4.0", "g5.0", "g6.0", "g7.0"], id="friends are passed, not ended on"
        ),
        pytest.param(1, ["g0.0", "g2.0"], id="enemies are not passed"),
    ],
)
def test_who_is_passed_in_a_lane(side: int, reached: list[str]) -> None:
    table = alone(ground((30, 1)), "rifle_section", "g1.0", unit("officer", at="g3.0", side=side))
    assert goals(table, "advance") == reached


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_a_move_takes_the_shortest_way_and_passes_every_space_of_it() -> None:
    table = alone(PLAIN, "rifle_section", "g1.2")
    goals(table, "advance")
    table.say(MoveTo(table.place("g4.2")))
    assert [table.board.spaces[p].name for p in table.events(Placed)[0].path] == [
        "g1.2",
        "g2.2",
        "g3.2",
        "g4.2",
    ]


# ---- cover -----------------------------------------------------------------------------------------------------------


# The ground a target stands on covers it, and a wall whoever is behind it.
@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("board", "at", "target", "cover"),
    [
        pytest.param(patch("open"), "g2.2", "g12.2", 0, id="open ground"),
        pytest.param(patch("road"), "g2.2", "g12.2", 0, id="road"),
        pytest.param(patch("rough"), "g2.2", "g12.2", 1, id="rough ground"),
        pytest.param(patch("woods"), "g2.2", "g12.2", 1, id="woods"),
        pytest.param(patch("rubble"), "g2.2", "g12.2", 2, id="rubble"),
        pytest.param(barrier("wall"), "g2.2", "g11.2", 2, id="behind a wall"),
        pytest.param(barrier("wall"), "g18.2", "g11.2", 0, id="before a wall"),
    ],
)
def test_what_covers_a_target(board: Board, at: str, target: str, cover: int) -> None:
    table = alone(board, "officer", at, foe("officer", target))
    assert volley(table.state, board, table.unit(0), table.unit(1), False)[0].cover == cover
