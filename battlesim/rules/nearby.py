"""Who is near a place, found without looking at everybody: for looks of all units at all enemies. Read `Nearby`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from battlesim.board.board import Board
from battlesim.core.state import Unit

FEW = 40
"""So many units are looked at one by one as fast as they are sorted."""


class Nearby:
    """Units from west to east, as they stand when it is made. Off the board nobody is near."""

    def __init__(self, board: Board, units: Iterable[Unit]) -> None:
        self._spaces = board.spaces
        self.widest = max([section.size for section in board.sections], default=0)
        """The longest dimension of any section: no point of a room is farther than this from another."""
        self._units = sorted(
            [unit for unit in units if unit.place >= 0], key=lambda unit: self._spaces[unit.place].x
        )
        self._x = [self._spaces[unit.place].x for unit in self._units]

    def within(self, place: int, far: int) -> Sequence[Unit]:
        """The units at most `far` east or west of a place: all whose points lie within that distance, and others that lie farther
        north or south."""
        x = self._spaces[place].x
        return self._units[bisect_left(self._x, x - far) : bisect_right(self._x, x + far)]
