"""Random maps, valid by construction. Read `random_map`.

A map is a few cells; a cell holds a building, a piece of ground or nothing. Lengths are whole hundredths. What the map's own
checks still refuse (a section that cannot be reached) is removed again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import networkx as nx

from battlesim.board.board import Board
from battlesim.board.load import decode_map
from battlesim.board.mapfile import MapFile, canonical_bytes, decode_canonical
from battlesim.board.model import Space
from battlesim.core.errors import InputError
from battlesim.core.geometry import in_polygon
from battlesim.stress.fuzz_choices import Choices

CELL, MARGIN, NARROW = 900, 150, 50
"""Sides of a cell of an inch map, and how far a building, and a large one, stays from its edge."""
SIDES = ("south", "east", "north", "west")
ACROSS = ("east", "west")
"""The sides that a mirror exchanges."""
INNER = ("east", "west")
"""The sides on which the two sections of a building touch."""
AREAS = ("woods", "rough", "rubble", "road", "water", "hill")
LINES = ("hedge", "wall", "fence")
HEX_GROUND = ("woods", "rubble", "road", "water")
MATERIALS = ("brick", "wood", "stone", "concrete")


def random_map(choices: Choices, unit: str = "inch", owns: tuple[dict[str, Any], ...] = ()) -> Board:
    """A map of a few cells. `unit`: "inch" or "hex". `owns`: tables that sections may have for rulebooks that read them."""
    table = _hexes(choices, owns) if unit == "hex" else _inches(choices, owns)
    return sound_map(table)


def sound_map(table: dict[str, Any]) -> Board:
    """The board of a map's table, without the buildings that do not fit."""
    while True:
        try:
            mapfile = decode_canonical(json.dumps(table).encode(), MapFile, "fuzz", "map")
            return decode_map(canonical_bytes(mapfile), "fuzz")
        except InputError:
            if not table["buildings"]:
                if not table["terrain"]:
                    raise
                table["terrain"].pop()
                continue
            table["buildings"].pop()


# ---- inches


def _inches(choices: Choices, owns: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    columns, rows = choices.between(2, 4), choices.between(2, 3)
    table: dict[str, Any] = {
        "name": "fuzz",
        "size": [columns * CELL, rows * CELL],
        "ground": {"kind": "lattice", "pitch": 300},
        "terrain": [],
        "buildings": [],
    }
    for column in range(columns):
        for row in range(rows):
            x, y = column * CELL, row * CELL
            what = choices.below(6)
            if what in (1, 2):
                table["buildings"].append(_building(choices, f"b{column}{row}", x, y, owns))
            elif what == 3:
                table["terrain"].append(_area(choices, x, y))
            elif what == 4:
                table["terrain"].append(_line(choices, x, y))
    return table


def _area(choices: Choices, x: int, y: int) -> dict[str, Any]:
    kind = choices.of(AREAS)
    area: dict[str, Any] = {
        "kind": kind,
        "rect": [x, y, x + 300 * choices.between(1, 3), y + 300 * choices.between(1, 3)],
    }
    if kind == "hill":
        area["height"] = 100 * choices.between(1, 4)
    if kind == "water" and choices.once_in(3):
        area["deep"] = True
    return area


def _line(choices: Choices, x: int, y: int) -> dict[str, Any]:
    far = 300 * choices.between(1, 3)
    end = [x + far, y + 400] if choices.below(2) else [x + 400, y + far]
    line: dict[str, Any] = {"kind": choices.of(LINES), "line": [[x + 400, y + 400], end]}
    if choices.once_in(3):
        line["height"] = 100 * choices.between(1, 3)
    return line


def _building(
    choices: Choices, name: str, x: int, y: int, owns: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    margin = NARROW if choices.once_in(6) else MARGIN
    west, south, east, north = x + margin, y + margin, x + CELL - margin, y + CELL - margin
    kind = choices.of(("house", "house", "house", "shed", "bunker"))
    parts = [[west, south, east, north]]
    if choices.below(3) == 2:
        middle = x + CELL // 2
        parts = [[west, south, middle, north], [middle, south, east, north]]
    building: dict[str, Any] = {
        "name": name,
        "material": choices.of(MATERIALS),
        "kind": kind,
        "sections": [
            _section(choices, f"s{n}", kind, rect, owns, INNER[n] if len(parts) > 1 else "")
            for n, rect in enumerate(parts)
        ],
    }
    if choices.once_in(4):
        building["storey"] = 50 * choices.between(4, 8)
    return building


def _section(
    choices: Choices, name: str, kind: str, rect: list[int], owns: tuple[dict[str, Any], ...], inner: str
) -> dict[str, Any]:
    """A section with a door. `inner`: the side on which the building's other section stands, "" for none."""
    section: dict[str, Any] = {"name": name, "rect": rect, "floors": choices.between(1, 3)}
    if choices.once_in(4):
        section["flat_roof"] = True
    if choices.once_in(12):
        section["closed"] = True
    if kind != "bunker" and choices.once_in(16):
        section["burning"] = True
    if owns and choices.once_in(3):
        section["own"] = choices.of(owns)
    outer = [side for side in SIDES if side != inner]
    holes: list[dict[str, Any]] = [{"kind": "door", "side": choices.of(outer)}]
    small = "slit" if kind == "bunker" else choices.of(("window", "window", "gap"))
    holes += [
        {"kind": small, "side": side, "floors": "all", "count": choices.between(1, 2)}
        for side in outer
        if choices.below(3)
    ]
    section["openings"] = holes
    return section


# ---- hexes


def _hexes(choices: Choices, owns: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    columns, rows = choices.between(4, 8), choices.between(4, 7)
    table: dict[str, Any] = {
        "name": "fuzz",
        "unit": "hex",
        "size": [columns * 100, rows * 100],
        "storey": 50,
        "ground": {"kind": "hex", "cells": []},
        "terrain": [],
        "buildings": [],
    }
    taken: set[tuple[int, int]] = set()
    for number in range(choices.between(0, 4)):
        at = (choices.below(columns), choices.below(rows))
        own = {"own": choices.of(owns)} if owns and choices.below(2) else {}
        cells = [at]
        if choices.below(2) and at[1] + 1 < rows:
            cells.append((at[0], at[1] + 1))
        if any(cell in taken for cell in cells):
            continue
        taken.update(cells)
        sections = [
            {
                "name": f"s{n}",
                "hex": list(cell),
                "floors": choices.between(1, 3),
                "openings": [
                    {"kind": "door", "side": "all"},
                    {"kind": "window", "side": "all", "floors": "upper"},
                ],
            }
            for n, cell in enumerate(cells)
        ]
        for section in sections:
            if section["floors"] == 1:
                section["openings"] = section["openings"][:1]  # type: ignore[index]
        table["buildings"].append(
            {"name": f"b{number}", "material": choices.of(MATERIALS), "sections": sections, **own}
        )
    for column in range(columns):
        for row in range(rows):
            if (column, row) not in taken and choices.once_in(5):
                cell: dict[str, Any] = {"at": [column, row], "terrain": choices.of(HEX_GROUND)}
                if choices.once_in(3):
                    cell["level"] = choices.between(1, 2)
                table["ground"]["cells"].append(cell)
    return table


# ---- turned by half a turn

ROUNDING = 4
"""Hundredths by which points and lengths may differ between a map and its rotation."""
PAIRS = 60
"""Pairs of spaces whose view of one another is compared."""
GRAZING = 0.1
"""The share of these pairs that may differ: a hundredth decides for a line that grazes a corner."""
OTHER = {"south": "north", "north": "south", "east": "west", "west": "east"}


def turned(board: Board) -> Board:
    """The map of `random_map`, in inches, turned by half a turn."""
    return _image(board, False)


def mirrored(board: Board) -> Board:
    """The map of `random_map`, in inches, with west and east exchanged."""
    return _image(board, True)


def _image(board: Board, in_mirror: bool) -> Board:
    table = json.loads(board.source)
    width, height = table["size"]
    for feature in table.get("terrain", []):
        if "rect" in feature:
            feature["rect"] = _image_rect(feature["rect"], width, height, in_mirror)
        if "line" in feature:
            feature["line"] = [[width - x, y if in_mirror else height - y] for x, y in feature["line"]]
    for building in table.get("buildings", []):
        for section in building["sections"]:
            section["rect"] = _image_rect(section["rect"], width, height, in_mirror)
            for hole in section["openings"]:
                if not in_mirror or hole["side"] in ACROSS:
                    hole["side"] = OTHER[hole["side"]]
    mapfile = decode_canonical(json.dumps(table).encode(), MapFile, "fuzz", "map")
    return decode_map(canonical_bytes(mapfile), "fuzz").under(board.sight_rules)


def _image_rect(rect: list[int], width: int, height: int, in_mirror: bool) -> list[int]:
    west, south, east, north = rect
    if in_mirror:
        return [width - east, south, width - west, north]
    return [width - east, height - north, width - west, height - south]


def _cut_off(board: Board) -> bool:
    """Whether unreachable nodes of the lattice were left out, or buildings divide the open ground. Of two equal halves the first
    is kept, which is the other one when the map is turned."""
    columns, rows = board.size[0] // 300, board.size[1] // 300
    middles = [(150 + 300 * column, 150 + 300 * row) for column in range(columns) for row in range(rows)]
    free = sum(not any(in_polygon(p, section.polygon) for section in board.sections) for p in middles)
    ground = nx.Graph((way.a, way.b) for way in board.ways if way.kind == "ground")
    ground.add_nodes_from(space.id for space in board.spaces if space.kind == "ground")
    return len(ground) < free or (len(ground) > 0 and not nx.is_connected(ground))


def turned_differences(board: Board) -> str:
    """What differs between a map and its rotation, in words; "" if nothing does, or the map is not one that `random_map` made in
    inches."""
    return _differences(board, False)


def mirrored_differences(board: Board) -> str:
    """The same for a map and its mirror image."""
    return _differences(board, True)


def images_of(board: Board, other: Board, in_mirror: bool) -> Iterator[tuple[Space, list[int]]]:
    """Each space with the spaces of the map's image at its expected position: exactly one if the image is right."""
    width, height = board.size
    there = {(one.kind, one.floor, one.x, one.y): one.id for one in other.spaces}
    for space in board.spaces:
        x, y = width - space.x, space.y if in_mirror else height - space.y
        yield (
            space,
            [
                there[key]
                for dx in range(-ROUNDING, ROUNDING + 1)
                for dy in range(-ROUNDING, ROUNDING + 1)
                if (key := (space.kind, space.floor, x + dx, y + dy)) in there
            ],
        )


def _differences(board: Board, in_mirror: bool) -> str:
    if board.name != "fuzz" or board.unit != "inch":
        return ""
    if _cut_off(board):
        return ""
    other = mirrored(board) if in_mirror else turned(board)
    width, height = board.size
    pairs: dict[int, int] = {}
    for space, near in images_of(board, other, in_mirror):
        if len(near) != 1:
            return f"{space.name} has {len(near)} places like it"
        pairs[space.id] = near[0]
        if other.spaces[near[0]].terrain != space.terrain or other.spaces[near[0]].z != space.z:
            return f"{space.name} lies on other ground"
    for kind in ("ground", "door", "stairs", "adjoining", "ruin"):
        mine = sorted(way.length for way in board.ways if way.kind == kind)
        theirs = sorted(way.length for way in other.ways if way.kind == kind)
        if len(mine) != len(theirs) or any(abs(a - b) > ROUNDING for a, b in zip(mine, theirs, strict=True)):
            return f"ways of kind {kind} differ"
    holes = {(one.section, one.floor, one.kind, one.x, one.y) for one in other.openings}
    for hole in board.openings:
        x, y = width - hole.x, hole.y if in_mirror else height - hole.y
        if not any(
            (hole.section, hole.floor, hole.kind, x + dx, y + dy) in holes
            for dx in range(-ROUNDING, ROUNDING + 1)
            for dy in range(-ROUNDING, ROUNDING + 1)
        ):
            return f"a {hole.kind} of {board.sections[hole.section].name}, floor {hole.floor}, is elsewhere"
    spaces = [one.id for one in board.spaces if one.kind != "ruin"]
    looked = [(spaces[(7 * n) % len(spaces)], spaces[(13 * n + 5) % len(spaces)]) for n in range(PAIRS)]
    apart = [
        (a, b) for a, b in looked if a != b and board.sight.sees(a, b) != other.sight.sees(pairs[a], pairs[b])
    ]
    if len(apart) > GRAZING * PAIRS:
        one, two = (board.spaces[number].name for number in apart[0])
        return f"{len(apart)} of {PAIRS} pairs see one another otherwise, such as {one} and {two}"
    return ""
