"""The spaces that one order reaches, and the distance of every space from a goal. Results are kept for later questions.

The ruleset gives the costs of ways by a `MovementMode`. Which ways can be used is the same for all rulesets
(`movement_graph.py`):

- A building can only be entered by the last way of a route, and left by the first one. No unit walks through a building.
- No way leads into a section that has fallen, is closed or burns.
- Ruins open when their section falls.

One `Routes` is shared by all battles of a process. Read `Routes.reach` first.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from heapq import heappop, heappush
from types import MappingProxyType
from typing import NamedTuple

from battlesim.board.layout import Layout
from battlesim.board.movement_graph import (
    FAR,
    INSIDE,
    CostLayer,
    MovementGraph,
    MovementMode,
    MoveOption,
    Step,
)

__all__ = ["MoveOption", "MovementMode", "Routes"]

_NOBODY: frozenset[int] = frozenset()
_MOST_STARTS = 2_000
"""How many starting points are kept, some 10 kB each; then the oldest is dropped."""
_MOST_ANSWERS = 3_000
"""Answers kept with something in the way; some 4 kB each."""
_MOST_FIELDS = 48
"""Fields of distances kept; above it the least recently used is dropped."""


class _Row:
    """What is kept for one start: the spaces and sections that a result can depend on, and the usual result, with nothing in
    the way and every section standing and open.
    """

    __slots__ = ("sections", "spaces", "usual")

    def __init__(self, spaces: frozenset[int], sections: frozenset[int]) -> None:
        self.spaces = spaces
        self.sections = sections
        self.usual: Mapping[int, int] | None = None


class _PreparedMode(NamedTuple):
    """A movement mode prepared for one board: its layers (for each option outdoors and inside) and its kept rows."""

    mode: MovementMode
    layers: tuple[CostLayer, ...]
    rows: dict[int, _Row]


class Routes:
    """Reach and distances over one board. Results depend on nothing but the board and the arguments. Spaces and sections are
    meant by number.

    >>> from battlesim.board.load import load_map
    >>> board = load_map("stairwell")
    >>> walk = MovementMode("three-inches", (MoveOption(300, lambda way: way.length),))
    >>> found = board.routes.reach(walk, board.space("g0.0"))
    >>> {board.spaces[place].name: length for place, length in found.items()}
    {'g1.0': 300, 'g0.1': 300}
    """

    def __init__(self, board: Layout) -> None:
        self._board = board
        self._n = len(board.spaces)
        self._steps = MovementGraph(board)
        self._is_floor = self._steps.is_floor
        self._plans: dict[str, _PreparedMode] = {}
        self._starts: dict[tuple[str, int], None] = {}  # in the order they were first asked for
        self._answers: dict[
            tuple[str, int, frozenset[int], frozenset[int], frozenset[int]], Mapping[int, int]
        ] = {}
        self._reverse_graphs: dict[str, list[list[Step]]] = {}
        self._fields: dict[tuple[str, tuple[int, ...], frozenset[int], frozenset[int]], list[int]] = {}

    # -- memory ------------------------------------------------------------------------------------------------------

    def grown(self) -> tuple[object, ...]:
        """The tables that grow with use, for `memory.py`."""
        return self._steps, self._plans, self._starts, self._answers, self._reverse_graphs, self._fields

    def forget(self) -> None:
        """Drop everything that is kept except the names of movement modes; results are computed again when needed."""
        for kept in (self._starts, self._answers, self._reverse_graphs, self._fields):
            kept.clear()
        self._steps = MovementGraph(self._board)
        for name, plan in self._plans.items():
            self._plans[name] = _PreparedMode(plan.mode, self._steps.layers(plan.mode), {})

    # -- one order ---------------------------------------------------------------------------------------------------

    def reach(
        self,
        mode: MovementMode,
        start: int,
        shut: AbstractSet[int] = _NOBODY,
        fallen: frozenset[int] = _NOBODY,
        closed: frozenset[int] = _NOBODY,
    ) -> Mapping[int, int]:
        """Where one order can end: space -> length of the shortest route, in order of (length, space). The start is
        left out. Read-only. Lengths are in the unit of the mode's costs.

        Spaces in `shut` are neither entered nor passed. Sections in `fallen` are ruins; those in `closed` (closed or
        burning) are not entered, but one may leave them and use their stairs. A floor reached from outside ends the
        route; a route that starts inside either leaves at once or keeps to stairs and adjoining sections.
        Raises ValueError if another mode of this name was used before, a cost is negative, or there is no space `start`.
        """
        plan = self._plans.get(mode.name)
        if plan is None or plan.mode is not mode:
            plan = self._plan(mode)
        row = plan.rows.get(start)
        if row is None:
            row = self._open_row(plan, start)
        if row.spaces.isdisjoint(shut):
            sections = row.sections
            if sections.isdisjoint(fallen) and sections.isdisjoint(closed):
                if row.usual is None:
                    row.usual = self._search(plan, start, _NOBODY, _NOBODY, _NOBODY)
                return row.usual
        key = (
            mode.name,
            start,
            row.spaces.intersection(shut),
            row.sections.intersection(fallen),
            row.sections.intersection(closed),
        )
        answer = self._answers.get(key)
        if answer is None:
            if len(self._answers) >= _MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            answer = self._answers[key] = self._search(plan, start, *key[2:])
        return answer

    def path(
        self,
        mode: MovementMode,
        start: int,
        goal: int,
        shut: AbstractSet[int] = _NOBODY,
        fallen: frozenset[int] = _NOBODY,
        closed: frozenset[int] = _NOBODY,
    ) -> tuple[int, ...]:
        """The shortest route from `start` to `goal`, both included, as `reach` measures it; () if it does not
        reach. Among equals, the earliest option and at each place the predecessor of the smallest number. Raises
        ValueError as `reach` does.
        """
        if goal == start:
            return (start,)
        lengths = self.reach(mode, start, shut, fallen, closed)
        length = lengths.get(goal)
        if length is None:
            return ()
        if len(mode.options) == 1 and not self._is_floor[start]:
            found = self._back(mode.options[0], start, goal, lengths, fallen, closed)
            if found is not None:
                return found
        for layer in self._plan(mode).layers:
            before: dict[int, int] = {}
            if self._steps.walk(layer, start, shut, fallen, closed, before, length).get(goal) == length:
                route = [goal]
                while route[-1] != start:
                    route.append(before[route[-1]])
                return tuple(reversed(route))
        raise AssertionError("reach and path disagree")  # both walk the same layers

    def _back(
        self,
        option: MoveOption,
        start: int,
        goal: int,
        lengths: Mapping[int, int],
        fallen: frozenset[int],
        closed: frozenset[int],
    ) -> tuple[int, ...] | None:
        """The route that `path` asks for, walked from the goal back by the lengths that `reach` found. It is right where one
        option alone was searched and the move starts outside, so that only the goal can be a floor. None if a step of
        length 0 makes the way back ambiguous."""
        ways, is_floor = self._board.ways, self._is_floor
        route = [goal]
        while (v := route[-1]) != start:
            there, best = lengths[v], -1
            for u, number in self._board.exits[v]:
                length = 0 if u == start else lengths.get(u)
                if length is None or length > there or is_floor[u] or (0 <= best < u):
                    continue
                way = ways[number]
                cost = None if way.kind in INSIDE else option.cost(way)
                if cost is None or length + cost != there:
                    continue
                enters, stands, down = self._steps.guard(way, u, v)
                if enters >= 0 and (enters in fallen or enters in closed):
                    continue
                if (stands >= 0 and stands in fallen) or (down and not fallen.issuperset(down)):
                    continue
                if not cost:
                    return None
                best = u
            if best < 0:
                raise AssertionError("reach and path disagree")
            route.append(best)
        return tuple(reversed(route))

    # -- a whole journey -----------------------------------------------------------------------------------------------

    def distance_field(
        self,
        mode: MovementMode,
        goals: tuple[int, ...],
        fallen: frozenset[int] = _NOBODY,
        closed: frozenset[int] = _NOBODY,
    ) -> list[int]:
        """The distance from every space to the nearest of `goals`, over any number of orders; -1 if there is no route.
        Indexed by space. Do not change the list.

        Distances are hundredths for the mode's first option; a way that only a slower option can use counts as longer, in
        proportion to the limits. Stairs and adjoining sections count with their own lengths, and routes may lead through
        buildings: this measures progress, not what one order can do. Raises ValueError if another mode of this name was used
        before.
        """
        key = (mode.name, goals, fallen, closed)
        found = self._fields.get(key)
        if found is None:
            if len(self._fields) >= _MOST_FIELDS:
                del self._fields[next(iter(self._fields))]
            found = self._fields[key] = self._dijkstra_from(self._plan(mode), goals, fallen, closed)
        else:
            del self._fields[key]  # the least recently used is dropped first
            self._fields[key] = found
        return found

    def _dijkstra_from(
        self, plan: _PreparedMode, goals: tuple[int, ...], fallen: frozenset[int], closed: frozenset[int]
    ) -> list[int]:
        """Dijkstra from the goals, against the direction of travel."""
        steps = self._reverse_graphs.get(plan.mode.name)
        if steps is None:
            steps = self._reverse_graphs[plan.mode.name] = self._reverse_graph(plan.mode)
        n = self._n
        lengths = [FAR] * n
        for goal in goals:
            lengths[goal] = 0
        heap = sorted(set(goals))
        while heap:
            length, u = divmod(heappop(heap), n)
            if length > lengths[u]:
                continue
            for v, cost, enters, stands, down in steps[u]:
                there = length + cost
                if there >= lengths[v]:
                    continue
                if enters >= 0 and (enters in fallen or enters in closed):
                    continue
                if (stands >= 0 and stands in fallen) or (down and not fallen.issuperset(down)):
                    continue
                lengths[v] = there
                heappush(heap, there * n + v)
        return [-1 if length == FAR else length for length in lengths]

    def _reverse_graph(self, mode: MovementMode) -> list[list[Step]]:
        """By space u, the steps v -> u, as (v, cost, ...): any option's ways at its pace, stairs and adjoining always."""
        steps: list[list[Step]] = [[] for _ in range(self._n)]
        first = mode.options[0].limit
        for way in self._board.ways:
            if way.kind in INSIDE:
                cost: int | None = way.length
            else:
                cost = None
                for option in mode.options:
                    spent = option.cost(way)
                    if spent is not None and option.limit > 0:
                        spent = spent * first // option.limit
                        cost = spent if cost is None or spent < cost else cost
            if cost is not None:
                for u, v in ((way.a, way.b), (way.b, way.a)):
                    steps[u].append((v, cost, *self._steps.guard(way, v, u)))
        return steps

    # -- making ready --------------------------------------------------------------------------------------------------

    def _plan(self, mode: MovementMode) -> _PreparedMode:
        plan = self._plans.get(mode.name)
        if plan is None:
            plan = self._plans[mode.name] = _PreparedMode(mode, self._steps.layers(mode), {})
        elif plan.mode is not mode and plan.mode != mode:
            raise ValueError(f"two different movement modes are called {mode.name!r}; give each its own name")
        return plan

    def _open_row(self, plan: _PreparedMode, start: int) -> _Row:
        """Find everything that a result for this start can depend on: what could be reached if every ruin were open and every
        building stood.
        """
        spaces: set[int] = set()
        sections: set[int] = set()
        found: list[dict[int, int]] = []
        as_ever = True
        if not 0 <= start < self._n:
            raise ValueError(f"no space {start}; there are spaces 0 to {self._n - 1}")
        for layer in plan.layers:
            lengths = self._steps.walk(layer, start, _NOBODY, None, _NOBODY, None)
            found.append(lengths)
            spaces.update(lengths)
            for u in lengths:
                as_ever = as_ever and not layer.ruined[u]
                for _, _, enters, stands, down in (*layer.guarded[u], *layer.ruined[u]):
                    sections.update(s for s in (enters, stands, *down) if s >= 0)
        spaces.discard(start)
        if len(self._starts) >= _MOST_STARTS:
            name, oldest = next(iter(self._starts))
            del self._starts[name, oldest]
            del self._plans[name].rows[oldest]
        self._starts[plan.mode.name, start] = None
        row = plan.rows[start] = _Row(frozenset(spaces), frozenset(sections))
        if as_ever:  # no section that falls would open a way, so this is the usual result, too
            row.usual = self._ordered(start, found)
        return row

    # -- searching -----------------------------------------------------------------------------------------------------

    def _search(
        self,
        plan: _PreparedMode,
        start: int,
        shut: AbstractSet[int],
        fallen: frozenset[int],
        closed: frozenset[int],
    ) -> Mapping[int, int]:
        return self._ordered(
            start, [self._steps.walk(layer, start, shut, fallen, closed, None) for layer in plan.layers]
        )

    def _ordered(self, start: int, layers: list[dict[int, int]]) -> Mapping[int, int]:
        """The shortest lengths over several layers, in order of (length, space), without the start."""
        lengths: dict[int, int] = {}
        for found in layers:
            if lengths:
                for v, length in found.items():
                    if length < lengths.get(v, FAR):
                        lengths[v] = length
            else:
                lengths = found
        lengths.pop(start, None)
        n = self._n
        ordered = sorted([length * n + v for v, length in lengths.items()])
        return MappingProxyType({code % n: code // n for code in ordered})
