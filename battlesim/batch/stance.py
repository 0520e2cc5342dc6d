"""The positions of a side at the ends of turns: spread, distance from the enemy, floors, reserve. Read `Stance.end_turn`."""

from __future__ import annotations

from math import hypot, isqrt

from battlesim.batch.side_measures import SideMeasures
from battlesim.board.board import Board
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit

THOUSAND = 1_000
"""Distances are kept in thousandths of the map's diagonal."""


class Stance:
    """Adds the positions of both sides of a game to their measures. `state`: the first one."""

    def __init__(self, board: Board, state: State) -> None:
        self._board = board
        self._been_on = {unit.id for unit in state.units.values() if unit.place >= 0}
        self._floors: tuple[set[int], set[int]] = (set(), set())

    def placed(self, unit: int) -> None:
        """Note that a unit has come to a space of the board."""
        self._been_on.add(unit)

    def end_turn(self, state: State, sides: tuple[SideMeasures, SideMeasures]) -> None:
        """Add the turn that ends. `state`: as it is then; `sides`: the measures to add to, of the first and the second side."""
        living = [unit for unit in state.units.values() if unit.alive]
        for unit in living:
            if unit.place < 0 and unit.id not in self._been_on:
                sides[unit.side].reserve += 1
        on = [[unit for unit in living if unit.side == side and unit.place >= 0] for side in (0, 1)]
        for side, own in enumerate(on):
            self._stand(sides[side], own, on[1 - side])
            floors = self._floors[side]
            floors.update(unit.place for unit in own if self._board.spaces[unit.place].kind == "floor")
            sides[side].floors = len(floors)

    def _stand(self, found: SideMeasures, own: list[Unit], foes: list[Unit]) -> None:
        if not own:
            return
        across, spaces = diagonal(self._board), self._board.spaces
        at = [(spaces[unit.place].x, spaces[unit.place].y) for unit in own]
        x, y = sum(one for one, _ in at) // len(at), sum(one for _, one in at) // len(at)
        found.spread += sum(isqrt((a - x) ** 2 + (b - y) ** 2) * THOUSAND // across for a, b in at)
        there = [(spaces[unit.place].x, spaces[unit.place].y) for unit in foes]
        if there:
            nearest = (min((a - c) ** 2 + (b - d) ** 2 for c, d in there) for a, b in at)
            found.gap += sum(isqrt(one) * THOUSAND // across for one in nearest)
        else:
            found.gap += THOUSAND * len(at)


@owned_memo(bound=1)
def diagonal(board: Board) -> int:
    """The diagonal of a map's spaces, in its own hundredths; at least 1."""
    xs, ys = [space.x for space in board.spaces], [space.y for space in board.spaces]
    return max(1, int(hypot(max(xs) - min(xs), max(ys) - min(ys))))
