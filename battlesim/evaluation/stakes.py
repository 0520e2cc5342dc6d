"""What objectives make of places and units for one side: nearness, holding, importance. The same for all rulebooks.

A rulebook says how its units move and how far that is (`Ways`), and what shares of an objective count for what (`Shares`).
Good for one view. Read `Stakes.progress`.
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
    ObjectiveValue,
    contested_worths,
    held_worth,
    leavers_points,
    left_worth,
    named_points,
    nearness,
    section_points,
)
from battlesim.rules.scenario import Objective


class Shares(NamedTuple):
    """What counts of an objective: `point`, the worth of one point of whom or what it names; `alone` and `shared`, shares for
    being on it alone or with friends (`alone`, too, for leaving by it); `crowded`, the share of its draw that is left for a
    second unit; `contested`, the share for the loss of the enemies on it."""

    point: float
    alone: float
    shared: float
    crowded: float
    contested: float


class Ways(NamedTuple):
    """How a rulebook measures ways. `movement(unit)`: a word for how a unit moves. `distances(board, movement, places)`: how far
    each space is from the nearest of some (-1: no way); equal to others by which all is as far. `reach(movement, value)`: how
    far an objective draws. `close`: within this of a point one is near enough; `detour`: how much longer than the straight line
    a way is taken to be where none is known. `leaves(unit, edge)`: about how likely a unit gets to some of those places before
    the battle ends."""

    movement: Callable[[Unit], str]
    distances: Callable[[Board, str, tuple[int, ...]], Sequence[int]]
    reach: Callable[[str, ObjectiveValue], int]
    close: int
    detour: float
    leaves: Callable[[Unit, tuple[int, ...]], float]


class Pull:
    """What draws some units (`attractions`, the dearest first), and how near each place is to it. `close` and `detour` as in
    `Ways`."""

    def __init__(self, attractions: list[Attraction], board: Board, close: int, detour: float) -> None:
        self.attractions, self.board, self.close, self.detour = attractions, board, close, detour

    @memo_table(bound=5_000)
    def near(self, place: int) -> float:
        """How near a place is to what draws."""
        return nearness(self.attractions, place, self.board, self.close, self.detour)


class Draw(NamedTuple):
    """What draws some units: the worth of being there, its places, the point that it is where it has none, how far it draws."""

    worth: float
    places: tuple[int, ...]
    point: int
    reach: int


@owned_memo(bound=128)
def _pull_of(
    board: Board,
    distances: Callable[[Board, str, tuple[int, ...]], Sequence[int]],
    movement: str,
    draws: tuple[Draw, ...],
    close: int,
    detour: float,
) -> Pull:
    """The pull on units that move alike; `draws` in the order of what they are worth. Most questions of a turn find the same
    objectives worth the same, and so the same places as near to them."""
    found = []
    for worth, places, point, reach in draws:
        field = distances(board, movement, places) if places else None
        found.append(Attraction(worth, field, point, places, reach))
    return Pull(found, board, close, detour)


class Stakes:
    """What there is to win and to lose by objectives. `values`: what a side may do for them; `goals`: they themselves; `foes`:
    the enemies on the board; `fallen`: the sections that have fallen, `damaged`: those that stand but have lost a
    floor; `worth`: points that what is left of a unit is worth; `riders`: those aboard, by the unit that carries them."""

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
        self._held: frozenset[int] = frozenset().union(*[v.places for v in values if not v.leaves])
        self._left_by: frozenset[int] = frozenset().union(*[v.places for v in values if v.leaves])
        self._named_one = any(value.units for value in values)

    @memo_property
    def _contested(self) -> dict[int, float]:
        """What it is worth that each enemy leaves the objectives it is on."""
        return contested_worths(self.values, self._foes)

    @memo_property
    def _named(self) -> dict[int, float]:
        """Points that hang on whether each unit lives."""
        found = named_points(self.goals)
        for number, points in self._leavers.items():
            found[number] = found.get(number, 0.0) + points
        return found

    @memo_property
    def _leavers(self) -> dict[int, float]:
        """Points that hang on who may still leave the board."""
        carriers = {one.id: number for number, riders in self._riders.items() for one in riders}
        return leavers_points(self.goals, self._units, self.board, self.ways.leaves, carriers)

    @memo_table(bound=2_000)
    def pull(self, number: int) -> Pull:
        """What draws a unit, by its number."""
        unit = self._units[number]
        place = unit.place if unit.place in self._held else -1
        return self._pull(self.ways.movement(unit), place, number if self._named_one else -1)

    @memo_method(bound=256)
    def _pull(self, movement: str, on: int, number: int) -> Pull:
        """What draws those who move alike; `on`: the place of an objective that one is in, `number` the unit (-1 for any)."""
        ways, found = self.ways, list[Draw]()
        for value in self.values:
            if value.units and number not in value.units:
                continue
            worth, others = value.worth, value.crowd - (on in value.places)
            if others > 0:
                worth *= self.shares.crowded / others
            found.append(Draw(worth, value.places, value.point, ways.reach(movement, value)))
        found.sort(key=lambda one: -one.worth)
        return _pull_of(self.board, ways.distances, movement, tuple(found), ways.close, ways.detour)

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        return self.pull[unit.id].near[place]

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        if place not in self._held:
            return 0.0
        return held_worth(self.values, unit, place, self.shares.alone, self.shares.shared)

    def leaving(self, unit: Unit, place: int) -> float:
        """What it is worth that a move ends in a place because the unit leaves the board there; 0 where it does not."""
        if place not in self._left_by:
            return 0.0
        riders = self._riders.get(unit.id, ()) if self._riders else ()
        return max(self.shares.alone, LEAST) * left_worth(self.values, unit, place, riders)

    def ending(self, unit: Unit, place: int) -> float:
        """What it is worth that a move ends in a place: to leave the board there, else to stand on an objective."""
        if place not in self._held and place not in self._left_by:
            return 0.0
        return self.leaving(unit, place) or self.hold(unit, place)

    @memo_table(bound=2_000)
    def importance(self, number: int) -> float:
        """How much more a unit counts than its worth, because objectives name it or it keeps us from one: 1 for one that none
        does."""
        unit = self._units[number]
        value = self.shares.point * self._named.get(number, 0)
        if unit.side != self.side:
            value += self.shares.contested * self._contested.get(number, 0.0)
        return 1.0 + value / max(self._worth(unit), 1.0) if value else 1.0

    def razed(self, section: int, whole: bool = True) -> float:
        """What it is worth to a side that a section falls, by objectives that name it; not `whole`: that upper floors do."""
        if not self.razes:
            return 0.0
        points = section_points(self.goals, self.side, section, self._fallen, self._damaged, whole)
        return self.shares.point * points

    @memo_property
    def razes(self) -> bool:
        """Whether any objective is about a building that stands or falls."""
        return any(goal.sections and goal.kind in ("destroy", "keep") for goal in self.goals)
