"""A map written out part by part, so that a single door, stair or piece of wall can be changed. Read `written_out`.

A map file has general entries: windows on all walls of all sections, connections between all sections that touch. Here every
opening, connection and section has its own entry, in the order of their numbers on the board. The board has the same parts with
the same numbers; openings may be a hundredth off.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.model import Opening, Way
from battlesim.core.errors import Fault, InputError
from battlesim.scenario.changes import changed_board

ROUNDING = 4
"""Hundredths by which lengths may differ: a point is rounded to its wall."""


class WrittenOut:
    """The table of a map file with an entry for each part. Lengths are whole hundredths.

    `sections[n]`: (building, section) of section n, as indexes in the table. `openings[n]`: the index of opening n in the
    openings of its section, -1 for a parapet. `connections[a, b]`: the index in `connections`, a < b.
    """

    def __init__(self, board: Board) -> None:
        self.table: dict[str, Any] = json.loads(board.source)
        self.sections: list[tuple[int, int]] = []
        self.openings: list[int] = [-1] * len(board.openings)
        self.connections: dict[tuple[int, int], int] = {}
        for place, building in enumerate(self.table.get("buildings", [])):
            mine = board.buildings[building["name"]]
            _write_sections(board, building, mine)
            for index, number in enumerate(mine):
                self.sections.append((place, index))
                self._write_openings(board, building["sections"][index], number)
            building.pop("openings", None)
            building["connections"] = []
        self._write_connections(board)

    def _write_openings(self, board: Board, table: dict[str, Any], number: int) -> None:
        table["openings"] = []
        for floor in board.sections[number].openings:
            for opening in (board.openings[one] for one in floor):
                if opening.kind == "parapet":
                    continue
                self.openings[opening.id] = len(table["openings"])
                entry = {"kind": opening.kind, "floor": opening.floor, "near": [opening.x, opening.y]}
                if opening.men != 2:
                    entry["men"] = opening.men
                table["openings"].append(entry)

    def _write_connections(self, board: Board) -> None:
        found = self.table["connections"] = []
        for section in board.sections:
            shared: dict[int, list[int]] = {}
            for floor, others in enumerate(section.adjoining):
                for other in others:
                    if other > section.id:
                        shared.setdefault(other, []).append(floor)
            for other, floors in sorted(shared.items()):
                self.connections[section.id, other] = len(found)
                between = [section.name, board.sections[other].name]
                found.append({"between": between, "floors": floors})

    def section(self, table: dict[str, Any], number: int) -> dict[str, Any]:
        """The entry of a section in a copy of the table."""
        building, index = self.sections[number]
        found: dict[str, Any] = table["buildings"][building]["sections"][index]
        return found


def _write_sections(board: Board, building: dict[str, Any], numbers: tuple[int, ...]) -> None:
    """Give a building that has one outline its sections."""
    if building.get("sections"):
        return
    own = {key: building.pop(key) for key in ("floors", "flat_roof", "stairs") if key in building}
    for key in ("rect", "polygon"):
        building.pop(key, None)
    building["sections"] = [
        {
            "name": board.sections[number].name.removeprefix(f"{building['name']}."),
            "polygon": [list(point) for point in board.sections[number].polygon],
            **own,
        }
        for number in numbers
    ]


def written_out(board: Board) -> tuple[WrittenOut, Board]:
    """A board's map part by part, and the board that is made from it. Raises InputError for a map that cannot be written like
    this."""
    made = WrittenOut(board)
    again = board_of(board, made.table)
    for name in ("spaces", "sections", "openings", "ways"):
        one, two = getattr(board, name), getattr(again, name)
        if len(one) != len(two) or not all(map(_alike, one, two)):
            what = f"the map {board.name!r} cannot be written out part by part: its {name} come out otherwise"
            raise InputError(Fault(what, "write its openings with near: [x, y]"))
    return made, again


def _alike(one: Any, two: Any) -> bool:
    """Whether two parts are equal except for rounding."""
    if isinstance(one, Opening) and abs(one.x - two.x) <= ROUNDING and abs(one.y - two.y) <= ROUNDING:
        two = replace(two, x=one.x, y=one.y)
    elif isinstance(one, Way) and abs(one.length - two.length) <= ROUNDING:
        two = replace(two, length=one.length)
    return bool(one == two)


def board_of(board: Board, table: dict[str, Any]) -> Board:
    """The board of a changed table of a map. Raises InputError with its faults."""
    known = json.loads(board.source)
    gone = [((key,), None) for key in known if key not in table]
    return changed_board(board, [*(((key,), value) for key, value in table.items()), *gone])
