"""What objectives make places and units worth to one side: nearness, holding, importance. The same for all rulebooks.

A rulebook says how its units move and how it measures distance (`Ways`), and what shares of an objective count (`Shares`). A
`Stakes` holds for one view; make a new one for the next. Worths are in points of unit worth. Read `Stakes.progress`,
`Stakes.hold` and `Stakes.importance`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import Unit
from battlesim.evaluation.objectives import (
    LEAST,
    Attraction,
    Closeness,
    ObjectiveValue,
    contested_worths,
    held_worth,
    leavers_points,
    left_worth,
    named_points,
    section_points,
)
from battlesim.rules.scenario import Objective


class Shares(NamedTuple):
    """How much of an objective counts.

    - `point`: the worth of one point, for the units and buildings that it names.
    - `alone`, `shared`: the share for being on it alone or with friends; `alone` is also the share for leaving by it.
    - `crowded`: the share of its attraction that is left for a second unit.
    - `contested`: the share for the loss of the enemies on it.
    """

    point: float
    alone: float
    shared: float
    crowded: float
    contested: float


class Ways(NamedTuple):
    """How a rulebook measures ways. Distances are hundredths.

    - `movement(unit)`: a word for how a unit moves.
    - `distances(board, movement, places)`: how far each space is from the nearest of some places, -1 if there is no way.
    - `reach(movement, value)`: the distance within which an objective attracts.
    - `close`: within this distance of a point is near enough.
    - `detour`: where there is no way, how many times the straight line the way is assumed to be.
    - `leaves(unit, edge)`: a rough chance, 0 to 1, that a unit reaches an edge's places before the battle ends.
    """

    movement: Callable[[Unit], str]
    distances: Callable[[Board, str, tuple[int, ...]], Sequence[int]]
    reach: Callable[[str, ObjectiveValue], int]
    close: int
    detour: float
    leaves: Callable[[Unit, tuple[int, ...]], float]


class Pull:
    """The attraction on some units, by place; `attractions`, the most valuable first."""

    def __init__(self, attractions: list[Attraction]) -> None:
        self.attractions = attractions

    @memo_table(bound=5_000)
    def near(self, place: int) -> float:
        """The strongest attraction felt in a place."""
        best = 0.0
        for worth, closeness in self.attractions:
            if worth <= best:
                break  # the others are worth no more
            felt = worth * closeness.share[place]
            if felt > best:
                best = felt
        return best


Draw = tuple[float, tuple[int, ...], int, int]
"""Something that attracts some units: the worth of being there, its places, its point if it has no places, and the distance
within which it attracts."""


@owned_memo(bound=128)
def _pull_of(
    board: Board,
    distances: Callable[[Board, str, tuple[int, ...]], Sequence[int]],
    movement: str,
    draws: tuple[Draw, ...],
    close: int,
    detour: float,
) -> Pull:
    """The pull on units that move alike; `draws` sorted by worth. Most questions of a turn value the same objectives alike, so
    they share one answer."""
    found: list[Attraction] = []
    for worth, places, point, reach in draws:
        near = _closeness(board, distances, movement, places, point, reach, close, detour)
        found.append((worth, near))
    return Pull(found)


@owned_memo(bound=256)
def _closeness(
    board: Board,
    distances: Callable[[Board, str, tuple[int, ...]], Sequence[int]],
    movement: str,
    places: tuple[int, ...],
    point: int,
    reach: int,
    close: int,
    detour: float,
) -> Closeness:
    """How near spaces are to something that attracts units that move alike. What it is worth changes from turn to turn and from
    unit to unit; this does not."""
    field = distances(board, movement, places) if places else None
    return Closeness(board, field, places, point, reach, close, detour)


class Stakes:
    """What objectives can win or lose a side, in one view.

    Args:
        values: what the side can do for the objectives (`objective_values`).
        goals: the objectives themselves.
        units: all units known to the side, by number.
        foes: the enemies on the board.
        fallen: the sections that have fallen.
        damaged: standing sections that have lost a floor.
        worth: the worth in points of what is left of a unit.
        riders: the units aboard, by the number of their carrier.
    """

    def __init__(
        self,
        board: Board,
        side: int,
        values: Sequence[ObjectiveValue],
        goals: Sequence[Objective],
        units: dict[int, Unit],
        foes: Sequence[Unit],
        fallen: frozenset[int],
        damaged: frozenset[int],
        shares: Shares,
        ways: Ways,
        worth: Callable[[Unit], float],
        riders: Mapping[int, Sequence[Unit]] = MappingProxyType({}),
    ) -> None:
        self.memos = no_memos()
        self.board, self.side, self.values, self.goals = board, side, values, goals
        self.shares, self.ways = shares, ways
        self._units, self._foes, self._worth = units, foes, worth
        self._fallen, self._damaged, self._riders = fallen, damaged, riders
        self.held: frozenset[int] = frozenset().union(*[v.places for v in values if not v.leaves])
        """The places of objectives that are held by standing there."""
        self.left_by: frozenset[int] = frozenset().union(*[v.places for v in values if v.leaves])
        """The places by which units leave the board."""
        self._named_one = any(value.units for value in values)

    @memo_property
    def _contested(self) -> dict[int, float]:
        """What driving each enemy off the objectives it is on is worth."""
        return contested_worths(self.values, self._foes)

    @memo_property
    def _named(self) -> dict[int, float]:
        """Points that depend on whether each unit lives."""
        found = named_points(self.goals)
        for number, points in self._leavers.items():
            found[number] = found.get(number, 0.0) + points
        return found

    @memo_property
    def _leavers(self) -> dict[int, float]:
        """Points that depend on units that may still leave the board."""
        carriers = {one.id: number for number, riders in self._riders.items() for one in riders}
        return leavers_points(self.goals, self._units, self.board, self.ways.leaves, carriers)

    @memo_table(bound=2_000)
    def pull(self, number: int) -> Pull:
        """The attraction on a unit, by its number."""
        unit = self._units[number]
        place = unit.place if unit.place in self.held else -1
        return self._pull(self.ways.movement(unit), place, number if self._named_one else -1)

    @memo_method(bound=256)
    def _pull(self, movement: str, on: int, number: int) -> Pull:
        """The attraction on units that move alike; `on`: the objective place that the unit is in (-1 for none), `number`: the
        unit (-1 for any)."""
        ways, found = self.ways, list[Draw]()
        for value in self.values:
            if value.units and number not in value.units:
                continue
            worth, others = value.worth, value.crowd - (on in value.places)
            if others > 0:
                worth *= self.shares.crowded / others
            found.append((worth, value.places, value.point, ways.reach(movement, value)))
        found.sort(key=lambda one: -one[0])
        return _pull_of(self.board, ways.distances, movement, tuple(found), ways.close, ways.detour)

    def progress(self, unit: Unit, place: int) -> float:
        """The strongest attraction that objectives have on a unit in a place: worth times nearness, 0 or more."""
        return self.pull[unit.id].near[place]

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less if friends are already there."""
        if place not in self.held:
            return 0.0
        return held_worth(self.values, unit, place, self.shares.alone, self.shares.shared)

    def leaving(self, unit: Unit, place: int) -> float:
        """What it is worth that a unit's move ends in a place because it leaves the board there; 0 if it does not."""
        if place not in self.left_by:
            return 0.0
        riders = self._riders.get(unit.id, ()) if self._riders else ()
        return max(self.shares.alone, LEAST) * left_worth(self.values, unit, place, riders)

    def ending(self, unit: Unit, place: int) -> float:
        """What it is worth that a unit's move ends in a place: by leaving the board there, else by standing on an objective."""
        if place not in self.held and place not in self.left_by:
            return 0.0
        return self.leaving(unit, place) or self.hold(unit, place)

    @memo_table(bound=2_000)
    def importance(self, number: int) -> float:
        """How many times its own worth a unit counts: 1, or more if objectives name it or it is an enemy on one."""
        unit = self._units[number]
        value = self.shares.point * self._named.get(number, 0)
        if unit.side != self.side:
            value += self.shares.contested * self._contested.get(number, 0.0)
        return 1.0 + value / max(self._worth(unit), 1.0) if value else 1.0

    def razed(self, section: int, whole: bool = True) -> float:
        """What the fall of a section is worth to a side, by objectives that name it; not `whole`: only upper floors fall."""
        if not self.razes:
            return 0.0
        points = section_points(self.goals, self.side, section, self._fallen, self._damaged, whole)
        return self.shares.point * points

    @memo_property
    def razes(self) -> bool:
        """Whether any objective is to destroy or keep a building."""
        return any(goal.sections and goal.kind in ("destroy", "keep") for goal in self.goals)
