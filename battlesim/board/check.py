"""All faults of a map file at once. Read `check_map` first.

`mapfile.py` checks the form of the file, `build.py` its meaning. The checks here only give warnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.findings import Findings
from battlesim.board.mapfile import HexGround, MapFile
from battlesim.board.yamlfaults import Loc
from battlesim.board.yamlfile import parse_yaml, read_bytes, with_lines
from battlesim.core.errors import Fault, InputError


def check_map(path: str | Path) -> list[Fault]:
    """Every fault of a map file, errors and warnings, in file order; [] where there is none. Of more than
    `yamlfile.MOST_FAULTS`, the first ones and one that counts the rest. Never raises InputError.

    Form comes first: a file that is not of the format has only the faults of its form.
    """
    name = str(path)
    try:
        data = read_bytes(path, "map")
        mapfile = parse_yaml(data, MapFile, name, "map")
    except InputError as error:
        return list(error.faults)
    found = Findings()
    board = build_board(mapfile, found)
    if board is not None:
        _look_over(mapfile, board, found)
    return with_lines(found.items, data, name)


def format_faults(faults: Sequence[Fault]) -> str:
    """Faults as lines for people, each beginning with "error: " or "warning: "; "" for none."""
    return "\n".join(
        f"warning: {fault}" if fault.level == "warning" else f"error: {fault}" for fault in faults
    )


def _look_over(mapfile: MapFile, board: Board, found: Findings) -> None:
    # Rules for hexes need both the unit and the ground, and rules for inches refuse the unit.
    hexes = isinstance(mapfile.ground, HexGround)
    if hexes and mapfile.unit != "hex":
        what = "the ground is of hexes, but the map's unit is the inch: squads and hexes will refuse it"
        found.warn(("ground",), what, "add unit: hex, or give ground of kind lattice or free")
    if not hexes and mapfile.unit == "hex":
        what = "the unit is the hex, but the ground is not of hexes: no shipped rulebook can use such a map"
        found.warn(("unit",), what, "give ground of kind hex, or leave unit out")
    places = _places(mapfile)
    for section in board.sections:
        loc = places.get(section.name, ("buildings",))
        seen = [board.openings[number].kind for floor in section.openings for number in floor]
        # A section without an outer wall is entered from its neighbours and needs no opening.
        has_outer_wall = any(side.outer for side in section.sides)
        if not seen and has_outer_wall and not section.closed:
            found.warn(loc, f"section {section.name!r} has no openings", "give it windows, or mark it closed")
        if section.kind == "bunker" and section.burning:
            found.warn(loc, f"bunker {section.name!r} burns", "bunkers do not catch fire")
    for i, feature in enumerate(mapfile.terrain):
        points = feature.line or feature.corners
        outside = [p for p in points if not (0 <= p[0] <= board.size[0] and 0 <= p[1] <= board.size[1])]
        if len(outside) == len(points):
            loc = ("terrain", i)
            found.warn(loc, f"every corner of this {feature.kind} lies outside the map", "move or remove it")


def _places(mapfile: MapFile) -> dict[str, Loc]:
    places: dict[str, Loc] = {}
    for b, building in enumerate(mapfile.buildings):
        for s, section in enumerate(building.sections):
            places[f"{building.name}.{section.name}"] = ("buildings", b, "sections", s)
    return places
