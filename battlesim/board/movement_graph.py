"""The movement graph of a board: the cost of each way for a movement mode, the sections that must stand or have fallen for it,
and Dijkstra's search over it.

`routes.py` keeps the results. Read `MovementMode`, then `MovementGraph.walk`.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.layout import Layout
from battlesim.board.model import Way

FAR = 1 << 60
"""The length where there is no route."""
INSIDE = ("stairs", "adjoining")
"""The kinds of ways that lead from floor to floor."""
_OPEN: tuple[int, int, tuple[int, ...]] = (-1, -1, ())


class MoveOption(Struct, frozen=True):
    """One way of spending a move: up to `limit` in total. `cost(way)` is 0 or more, or None if the way cannot be used; it must
    depend on nothing but the way. Costs and `limit` are in one unit, usually hundredths.

    >>> def road_only(way):
    ...     return way.length if way.road else None
    >>> option = MoveOption(1_800, road_only)
    """

    limit: int
    cost: Callable[[Way], int | None]


class MovementMode(Struct, frozen=True):
    """How a type of unit moves under an order. A place is in reach when one of the options alone reaches it; options are never
    mixed. So "12 inches, but 6 where rough ground is touched" is two options.

    Two modes used on a board must not share a `name`.
    """

    name: str
    options: tuple[MoveOption, ...]


Step = tuple[int, int, int, int, tuple[int, ...]]
"""A way in one direction: (to, cost, enters, stands, down). `enters`: a section that must stand and be open, -1 for none;
`stands`: one that must stand, -1 for none; `down`: sections that must have fallen."""
Free = tuple[tuple[int, int], ...]
"""Steps without a condition out of one space, as (cost, to)."""
Guarded = tuple[Step, ...]
"""Steps with a condition out of one space."""


class CostLayer(NamedTuple):
    """The steps of one option, either outdoors (doors and ruins included) or inside, by the space that they leave.

    `free`: steps without a condition, as (cost, to). `guarded`: steps into and out of floors. `ruined`: steps that open when a
    section falls. Each list is in order of cost and holds no step above the limit. Lists are filled when first walked.
    """

    option: MoveOption
    inside: bool
    free: list[Free | None]
    guarded: list[Guarded]
    ruined: list[Guarded]


class MovementGraph:
    """The steps of every mode over one board. `is_floor`: by space, whether it is a floor."""

    def __init__(self, board: Layout) -> None:
        self._board = board
        self._n = len(board.spaces)
        self.is_floor = bytearray(space.kind == "floor" for space in board.spaces)
        self._shared: dict[Free, Free] = {}

    def layers(self, mode: MovementMode) -> tuple[CostLayer, ...]:
        """The empty layers of a mode: for each option one outdoors, then one inside."""
        n = self._n
        return tuple(
            CostLayer(option, inside, [None] * n, [()] * n, [()] * n)
            for option in mode.options
            for inside in (False, True)
        )

    def guard(self, way: Way, u: int, v: int) -> tuple[int, int, tuple[int, ...]]:
        """The conditions of a step along `way` from `u` to `v`: (enters, stands, down), as in `Step`."""
        is_floor, spaces = self.is_floor, self._board.spaces
        if not (way.sections or is_floor[u] or is_floor[v]):
            return _OPEN
        leaves = spaces[u].section if is_floor[u] else -1
        enters = spaces[v].section if is_floor[v] else -1
        if leaves < 0 and enters < 0:
            return (-1, -1, way.sections)
        if leaves == enters:
            return (-1, enters, ())
        return (enters, leaves, ())

    def _fill(self, layer: CostLayer, u: int) -> Free:
        """Fill the steps out of `u`; returns the free ones."""
        option, inside, free, guarded, ruined = layer
        ways = self._board.ways
        out: list[tuple[int, int]] = []
        out_guarded: list[Step] = []
        for v, number in self._board.exits[u]:
            way = ways[number]
            if (way.kind in INSIDE) != inside:
                continue
            cost = option.cost(way)
            if cost is None or cost > option.limit:
                continue
            if cost < 0:
                raise ValueError(f"way {number} has cost {cost}; a cost is 0 or more")
            guard = self.guard(way, u, v)
            if guard == _OPEN:
                out.append((cost, v))
            else:
                out_guarded.append((v, cost, *guard))
        # In order of cost, so that a search can stop at the first step that it cannot afford.
        out_guarded.sort(key=lambda step: (step[1], step[0]))
        guarded[u] = tuple([step for step in out_guarded if not step[4]])
        ruined[u] = tuple([step for step in out_guarded if step[4]])
        steps: Free = tuple(sorted(out))
        steps = free[u] = self._shared.setdefault(steps, steps)  # most movement modes agree about most places
        return steps

    def walk(
        self,
        layer: CostLayer,
        start: int,
        shut: AbstractSet[int],
        fallen: frozenset[int] | None,
        closed: frozenset[int],
        before: dict[int, int] | None,
        most: int = FAR,
    ) -> dict[int, int]:
        """Dijkstra over one layer: the lengths of the shortest routes from `start`, which has length 0, up to `most`.

        `shut`: spaces that cannot be entered. `fallen`: sections that have fallen; None: both as if all stood and as if all had
        fallen. `closed`: sections that cannot be entered. `before`, where given, is filled with the predecessor of each space; of
        several the one with the lowest number. Raises ValueError if a cost is negative.
        """
        option, inside, free, guarded, ruined = layer
        limit = min(option.limit, most)
        is_floor = self.is_floor
        n, far = self._n, FAR
        anything_fell = fallen is None or bool(fallen)
        lengths = {start: 0}
        heap = [start]
        if inside and not is_floor[start]:
            return lengths
        while heap:
            length, u = divmod(heappop(heap), n)
            if length > lengths[u]:
                continue
            near = free[u]
            if near is None:
                near = self._fill(layer, u)
            for cost, v in near:
                there = length + cost
                if there > limit:
                    break
                if there < lengths.get(v, far):
                    if v not in shut:
                        lengths[v] = there
                        heappush(heap, there * n + v)
                        if before is not None:
                            before[v] = u
                elif before is not None and there == lengths[v] and length < there and u < before[v]:
                    before[v] = u
            steps = guarded[u]
            if anything_fell and ruined[u]:
                steps = (*steps, *ruined[u])
            for v, cost, enters, stands, down in steps:
                there = length + cost
                if there > limit or there > lengths.get(v, far) or v in shut:
                    continue
                if fallen is not None:
                    if enters >= 0 and (enters in fallen or enters in closed):
                        continue
                    if (stands >= 0 and stands in fallen) or (down and not fallen.issuperset(down)):
                        continue
                if there < lengths.get(v, far):
                    lengths[v] = there
                    if inside or not is_floor[v]:  # a floor reached from outside ends the route
                        heappush(heap, there * n + v)
                    if before is not None:
                        before[v] = u
                elif before is not None and length < there and u < before[v]:
                    before[v] = u
        return lengths
