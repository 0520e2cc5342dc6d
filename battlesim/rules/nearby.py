"""The units near a place, without checking every unit. For rules that ask this of many units. Read `Nearby`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from battlesim.board.board import Board
from battlesim.core.state import Unit

FEW = 40
"""With fewer units than this, checking each is as fast as sorting them."""


class Nearby:
    """Units sorted from west to east, as they stand when it is made. Units off the board are left out."""

    def __init__(self, board: Board, units: Iterable[Unit]) -> None:
        self._spaces = board.spaces
        self.widest = max([section.size for section in board.sections], default=0)
        """The length of the longest section, in hundredths; 0 without sections."""
        self._units = sorted(
            [unit for unit in units if unit.place >= 0], key=lambda unit: self._spaces[unit.place].x
        )
        self._x = [self._spaces[unit.place].x for unit in self._units]

    def within(self, place: int, far: int) -> Sequence[Unit]:
        """The units at most `far` hundredths east or west of a place, from west to east: all units within that distance, and some
        that are too far north or south."""
        x = self._spaces[place].x
        return self._units[bisect_left(self._x, x - far) : bisect_right(self._x, x + far)]
