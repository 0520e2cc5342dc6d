"""Hex maps: where hexes lie, sections with the outline of one, cells as areas."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.board.check import check_map
from battlesim.board.hexgrid import hex_at, hex_centre, hex_extent, hex_outline
from battlesim.board.load import load_map
from battlesim.board.shapes import edges
from battlesim.core.geometry import distance, in_polygon

MAP = """\
name: hexes
unit: hex
size: [6, 5]
storey: 0.5
ground:
  kind: hex
  cells:
    - {at: [0, 0], terrain: woods, level: 2}
    - {at: [2, 2], level: 1}
    - {at: [3, 2], level: 1}
buildings:
  - name: house
    openings: [{kind: window, floors: all, side: all, count: 1}]
    sections:
      - {name: a, hex: [2, 2], floors: 2}
      - {name: b, hex: [3, 2]}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "hexes.yaml"
    file.write_text(MAP)
    return file


def test_neighbours_share_corners_and_lie_one_apart() -> None:
    for column in range(8):
        for row in range(1, 5):
            up = row + column % 2
            for other in ((column, row + 1), (column + 1, up), (column + 1, up - 1)):
                shared = [p for p in hex_outline(column, row) if p in hex_outline(*other)]
                assert len(shared) == 2
                assert abs(distance(hex_centre(column, row), hex_centre(*other)) - 100) <= 1


def test_a_hex_is_found_by_its_middle_and_lies_on_the_sheet() -> None:
    width, height = hex_extent(9, 7)
    for column in range(9):
        for row in range(7):
            assert hex_at(hex_centre(column, row)) == (column, row)
            assert all(0 <= x <= width and 0 <= y <= height for x, y in hex_outline(column, row))
            assert all(56 <= distance(a, b) <= 59 for a, b in edges(hex_outline(column, row)))


def test_a_building_hex_has_the_outline_of_its_hex_and_no_node(path: Path) -> None:
    assert check_map(path) == []
    board = load_map(path)
    section = board.sections[board.section("house.a")]
    assert section.polygon == hex_outline(2, 2)
    assert board.spaces[section.spaces[0]].point == hex_centre(2, 2)
    assert "g2.2" not in board.by_name
    assert "g3.2" not in board.by_name
    assert section.adjoining[0] == (board.section("house.b"),)
    doors = [way for way in board.ways if way.kind == "door"]
    assert doors
    for way in doors:  # a window leads to the hex before it only
        node, floor = board.spaces[way.a], board.spaces[way.b]
        assert 98 <= distance(node.point, floor.point) <= 101


def test_cells_are_areas_of_their_hexes(path: Path) -> None:
    board = load_map(path)
    corner = board.spaces[board.space("g0.0")]
    assert (corner.terrain, corner.z, corner.edge) == ("woods", 100, "sw")
    woods = [area for area in board.areas if area.kind == "woods"]
    assert [area.polygon for area in woods] == [hex_outline(0, 0)]
    assert in_polygon(corner.point, woods[0].polygon)
    assert board.spaces[board.space("house.a:0")].z == 50  # it stands on its hex


def test_every_edge_of_the_sheet_has_its_hexes(path: Path) -> None:
    board = load_map(path)
    edge = {letter: sum(letter in space.edge for space in board.spaces) for letter in "nesw"}
    assert edge == {"n": 6, "e": 5, "s": 6, "w": 5}


def test_a_hex_needs_a_hex_map_and_one_outline(path: Path) -> None:
    path.write_text(MAP.replace("  kind: hex\n  cells:", "  kind: lattice\n  pitch: 1\nterrain: []\nx:"))
    assert any("x" in str(fault) for fault in check_map(path))
    text = (
        MAP.split("ground:")[0] + "ground: {kind: lattice, pitch: 1}\nbuildings:" + MAP.split("buildings:")[1]
    )
    path.write_text(text)
    assert any("this is not a hex map" in str(fault) for fault in check_map(path))
    path.write_text(MAP.replace("hex: [3, 2]", "hex: [3, 2], rect: [1, 1, 2, 2]"))
    assert any("both hex and another outline" in str(fault) for fault in check_map(path))
    path.write_text(MAP.replace("hex: [3, 2]", "hex: [9, 2]"))
    assert any("reaches beyond the map" in str(fault) for fault in check_map(path))


def test_hexes_need_the_unit_and_the_ground(tmp_path: Path) -> None:
    """A map with only one of the two is sound, but battles on it are refused: the check says so, with the line."""
    path = tmp_path / "map.yaml"
    path.write_text("name: m\nsize: [6, 4]\nground: {kind: hex}\n", encoding="utf-8")
    told = [(fault.level, str(fault)) for fault in check_map(path)]
    what = "ground: the ground is of hexes, but the map's unit is the inch: squads and hexes will refuse it"
    assert told == [("warning", f"{path}:3: {what}; add unit: hex, or give ground of kind lattice or free")]
    path.write_text("name: m\nunit: hex\nsize: [6, 4]\nground: {kind: hex}\n", encoding="utf-8")
    assert check_map(path) == []
    path.write_text("name: m\nunit: hex\nsize: [6, 6]\nground: {kind: lattice, pitch: 2}\n", encoding="utf-8")
    told = [(fault.level, str(fault)) for fault in check_map(path)]
    what = "unit: the unit is the hex, but the ground is not of hexes: no shipped rulebook can use such a map"
    assert told == [("warning", f"{path}:2: {what}; give ground of kind hex, or leave unit out")]
