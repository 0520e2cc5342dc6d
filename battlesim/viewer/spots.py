"""Positions of unit marks on a map, so that all of them can be read. Read `Spots.at`."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.shapes import bounds
from battlesim.viewer.symbols import HIGH, WIDE

TALL = HIGH + 16
"""The height of a mark with its badges, in the units that make it `WIDE` wide."""
WIDEST = {"inch": 280, "hex": 74}
"""The greatest width of a mark, in hundredths."""


class Spot(NamedTuple):
    """The position and width of a mark, in hundredths of the map's unit."""

    x: int
    y: int
    wide: int


class Spots:
    """Positions of marks on one board. Marks on one space are side by side, and small enough not to reach the next space. `most`:
    the width of a single mark."""

    def __init__(self, board: Board) -> None:
        self._board = board
        columns = sorted({space.x for space in board.spaces if space.kind == "ground"})
        gaps = Counter(b - a for a, b in pairwise(columns) if b - a >= 50)
        pitch = max(gaps, key=lambda gap: (gaps[gap], gap), default=300)
        self._pitch = 92 if board.unit == "hex" else max(150, pitch)
        self.most = min(WIDEST[board.unit], self._pitch * 92 // 100)

    def at(self, place: int, count: int) -> list[Spot]:
        """The positions of `count` marks on a space, in rows from the north; for a floor, around the middle of its section."""
        space = self._board.spaces[place]
        room = self._pitch
        if space.section >= 0 and self._board.unit != "hex":
            west, south, east, north = bounds(self._board.sections[space.section].polygon)
            room = max(room, min(east - west, north - south))
        return self._about(space.x, space.y, room, count)

    def _about(self, x: int, y: int, room: int, count: int) -> list[Spot]:
        columns = ceil(sqrt(count * TALL / WIDE)) if count > 1 else 1
        rows = -(-count // columns)
        wide = max(1, min(self.most, room * 94 // (100 * columns), room * 94 * WIDE // (100 * rows * TALL)))
        found = []
        for number in range(count):
            row, column = divmod(number, columns)
            in_row = min(columns, count - row * columns)
            east = (2 * column - in_row + 1) * wide * 53 // 100
            south = (2 * row - rows + 1) * wide * TALL // (2 * WIDE)
            found.append(Spot(x + east, y - south, wide))
        return found
