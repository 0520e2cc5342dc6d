"""The ground of map files made into boards: nodes and ways, terrain, hills, free ground, hexes."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.board.check import check_map
from tests.board.written import build, ways_of


def test_lattice(tmp_path: Path) -> None:
    board = build(tmp_path, "")
    assert len(board.spaces) == 10 * 8
    assert board.spaces[0].name == "g0.0"
    assert board.spaces[board.space("g3.2")].point == (1050, 750)
    corner, edge, inner = (board.spaces[board.space(name)] for name in ("g9.7", "g0.3", "g4.4"))
    assert (corner.edge, edge.edge, inner.edge) == ("ne", "w", "")
    assert len(board.exits[inner.id]) == 8
    lengths = {way.length for way in board.ways}
    assert lengths == {300, 424}


@pytest.mark.parametrize("size", ["30, 24", "31, 25", "32, 26", "32.99, 26.99"])
def test_the_outermost_nodes_are_the_edge_of_any_size(tmp_path: Path, size: str) -> None:
    """What is left over of a map whose size is no multiple of the pitch lies beyond the last column and row."""
    board = build(tmp_path, "", f"name: test\nsize: [{size}]\nground: {{kind: lattice, pitch: 3}}\n")
    on = {edge: {s.name for s in board.spaces if edge in s.edge} for edge in "nesw"}
    assert on["e"] == {f"g9.{row}" for row in range(8)}
    assert on["n"] == {f"g{column}.7" for column in range(10)}
    assert on["w"] == {f"g0.{row}" for row in range(8)}
    assert on["s"] == {f"g{column}.0" for column in range(10)}


def test_a_map_smaller_than_the_pitch_has_its_node_on_it(tmp_path: Path) -> None:
    board = build(tmp_path, "", "name: test\nsize: [30, 4]\nground: {kind: lattice, pitch: 12}\n")
    assert [space.point for space in board.spaces] == [(600, 200), (1800, 200)]


def test_walls_and_gates(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "terrain:\n  - {kind: wall, line: [[0, 12], [12, 12]]}\n  - {kind: hedge, line: [[15, 12], [30, 12]]}\n",
    )
    crossing = {
        board.spaces[way.a].x: way.obstacle
        for way in board.ways
        if board.spaces[way.a].y == 1050
        and board.spaces[way.b].y == 1350
        and board.spaces[way.a].x == board.spaces[way.b].x
    }
    assert crossing == {
        **dict.fromkeys((150, 450, 750, 1050), "wall"),
        1350: "",
        **dict.fromkeys((1650, 1950, 2250, 2550, 2850), "hedge"),
    }


def test_terrain_of_nodes_and_ways(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "terrain:\n  - {kind: water, rect: [12, 0, 15, 24]}\n  - {kind: road, line: [[0, 10.5], [30, 10.5]], width: 2}\n"
        "  - {kind: rough, rect: [20.2, 15.2, 21.8, 23]}\n  - {kind: hill, height: 1.5, rect: [0, 18, 6, 24]}\n",
    )
    node = {space.name: space for space in board.spaces}
    assert node["g4.0"].terrain == "water"
    assert node["g4.3"].terrain == "road"  # the bridge lies over the water
    assert node["g0.7"].z == 150
    assert node["g0.3"].z == 0

    def way(a: str, b: str) -> tuple[bool, bool, bool]:
        number = dict(board.exits[board.space(a)])[board.space(b)]
        found = board.ways[number]
        return found.rough, found.road, found.water

    assert way("g3.3", "g4.3") == (False, True, False)
    assert way("g3.0", "g4.0") == (False, False, True)
    assert way("g0.0", "g1.0") == (False, False, False)
    assert way("g6.5", "g7.5") == (True, False, False)  # rough only between the two


def test_deep_water_is_crossed_by_the_bridge_only(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "terrain:\n  - {kind: water, rect: [12, 0, 15, 24], deep: true}\n  - {kind: road, rect: [11, 9, 16, 12]}\n",
    )
    assert "g4.0" not in board.by_name
    across = [
        way
        for way in board.ways
        if min(board.spaces[way.a].x, board.spaces[way.b].x)
        < 1350
        <= max(board.spaces[way.a].x, board.spaces[way.b].x)
    ]
    assert {board.spaces[way.b].name for way in across} | {board.spaces[way.a].name for way in across} >= {
        "g4.3"
    }
    assert all("g4.3" in (board.spaces[way.a].name, board.spaces[way.b].name) for way in across)


def test_nodes_nobody_reaches_are_left_out_and_named(tmp_path: Path) -> None:
    text = (
        "terrain:\n  - {kind: water, rect: [6, 6, 18, 18], deep: true}\n"
        "  - {kind: open, rect: [9.5, 9.5, 11.5, 11.5]}\n"
    )
    board = build(tmp_path, text)
    assert "g3.3" not in board.by_name
    warnings = check_map(tmp_path / "map.yaml")
    assert [fault.level for fault in warnings] == ["warning"]
    assert "1 ground node(s) cannot be reached from the rest: g3.3; left out" in str(warnings[0])


def test_hill_lifts_houses(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "terrain: [{kind: hill, height: 2, rect: [6, 6, 18, 18]}]\n"
        "buildings: [{name: a, rect: [9, 9, 15, 15], floors: 2, openings: [{kind: door, side: south}]}]\n",
    )
    assert [board.spaces[space].z for space in board.sections[0].spaces] == [200, 500]
    assert board.openings[0].z == 350
    assert board.sections[0].height == 600


def test_free_ground(tmp_path: Path) -> None:
    head = (
        "name: free\nsize: [30, 24]\nground:\n  kind: free\n"
        "  nodes: [{name: gate, at: [3, 12]}, {name: yard, at: [7, 12], terrain: rubble}, {name: far, at: [7, 20]}]\n"
        "  ways: [[gate, yard], [yard, far]]\n"
    )
    board = build(
        tmp_path, "buildings: [{name: a, rect: [9, 9, 15, 15], openings: [{kind: door, side: west}]}]\n", head
    )
    assert [space.name for space in board.spaces if space.kind == "ground"] == ["gate", "yard", "far"]
    assert next((way.length, way.rough) for way in board.ways if way.kind == "ground") == (400, True)
    assert ("yard", "a.1:0") in ways_of(board, "door")


def test_hexes(tmp_path: Path) -> None:
    head = "name: hexes\nunit: hex\nsize: [6, 5]\nground:\n  kind: hex\n  cells: [{at: [2, 2], terrain: woods, level: 1}]\n"
    board = build(tmp_path, "", head)
    assert len(board.spaces) == 30
    centre = board.space("g2.2")
    assert board.spaces[centre].terrain == "woods"
    assert board.spaces[centre].z == 300
    assert len(board.exits[centre]) == 6
    assert {way.length for way in board.ways} == {100}
    for other, _ in board.exits[centre]:
        assert abs(board.distance(centre, other) - 100) <= 1
