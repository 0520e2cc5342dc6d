"""What objectives are worth to a side, in points of unit worth: holding them, being near, whom they name, what should fall.

The same for all rulebooks: a rulebook says what a point is worth and how it measures ways. Read `objective_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.rules.scenario import Objective


class ObjectiveValue:
    """One objective as one side sees it: `worth`, the `places` to be in or a `point` to be near (-1: none). `leaves`: where units
    leave the board, all of them or only `units`: those are no places to hold. `denies`: only the enemy scores it. `razes`:
    a building is to be brought down. `crowd`: friends that are in its places now; nobody is in the way of those who leave."""

    __slots__ = ("crowd", "denies", "leaves", "places", "point", "razes", "units", "worth")

    def __init__(
        self,
        worth: float,
        places: tuple[int, ...],
        point: int = -1,
        leaves: bool = False,
        units: tuple[int, ...] = (),
        denies: bool = False,
        razes: bool = False,
    ) -> None:
        self.worth = worth
        self.places = places
        self.point = point
        self.leaves = leaves
        self.units = units
        self.denies = denies
        self.razes = razes
        self.crowd = 0

    def concerns(self, unit: Unit) -> bool:
        """Whether a unit can do anything for it."""
        return not self.units or unit.id in self.units

    def others(self, unit: Unit) -> int:
        """How many other friends are on it."""
        return self.crowd - (unit.place in self.places)


LEAST = 1e-9
"""Who leaves the board leaves it, though nothing be given for it."""


class Scale(NamedTuple):
    """What a point of an objective is worth: `hold` it (`denied`: to the side that only keeps the enemy from it), `leave` the
    board by it, `hunt` a unit it names, `raze` a building it names."""

    hold: float
    denied: float
    leave: float
    hunt: float
    raze: float


def lateness(turn: int, turns: int, early: float, late: float) -> float:
    """How much objectives that are scored at the end count in a turn: `early` at first, `late` more at the end."""
    return early + late * (turn / max(turns, 1)) ** 2


def objective_values(
    objectives: Iterable[Objective],
    side: int,
    units: Mapping[int, Unit],
    board: Board,
    fallen: Container[int],
    scale: Scale,
) -> list[ObjectiveValue]:
    """What a side may do for its objectives and against the enemy's: places to hold, edges to leave by, units to hunt,
    buildings to bring down. `units`: those it knows of."""
    found: list[ObjectiveValue] = []
    for goal in objectives:
        found += values_of(goal, side, units, board, fallen, scale)
    count_crowds(found, side, units)
    return found


def count_crowds(values: Iterable[ObjectiveValue], side: int, units: Mapping[int, Unit]) -> None:
    """Say of each objective how many friends are in its places."""
    friends = [unit.place for unit in units.values() if unit.side == side and unit.alive]
    for value in values:
        if value.places and not value.leaves:
            value.crowd = sum(map(frozenset(value.places).__contains__, friends))


def values_of(
    goal: Objective, side: int, units: Mapping[int, Unit], board: Board, fallen: Container[int], scale: Scale
) -> list[ObjectiveValue]:
    """`objective_values` of one objective; `crowd` is not counted yet."""
    ours = goal.side in (-1, side)
    if goal.kind == "hold":
        point = scale.hold if ours else scale.denied
        return [ObjectiveValue(point * goal.points, goal.places, denies=not ours)]
    if goal.kind == "exit" and ours:
        edge = edge_places(board, goal.edge)
        return [ObjectiveValue(scale.leave * goal.points, edge, leaves=True, units=goal.units)]
    named = [units[number] for number in goal.units if number in units]
    hunted = [unit for unit in named if unit.alive and unit.place >= 0 and unit.side != side]
    if hunted:
        return [ObjectiveValue(scale.hunt * goal.points, (), unit.place) for unit in hunted]
    if goal.kind == "destroy" and ours:
        return [
            ObjectiveValue(scale.raze * goal.points, (), board.sections[section].spaces[0], razes=True)
            for section in goal.sections
            if section not in fallen
        ]
    return []


@owned_memo(bound=8)
def edge_places(board: Board, edge: str) -> tuple[int, ...]:
    """The outdoor spaces on a map edge (n, e, s or w)."""
    return tuple(s.id for s in board.spaces if s.kind == "ground" and edge in s.edge)


def named_points(objectives: Iterable[Objective]) -> dict[int, float]:
    """Points that hang on whether a unit lives, by unit, for objectives that name it."""
    found: dict[int, float] = {}
    for goal in objectives:
        if goal.kind in ("destroy", "survive"):
            for unit in goal.units:
                found[unit] = found.get(unit, 0.0) + goal.points
    return found


def leavers_points(
    objectives: Iterable[Objective],
    units: Mapping[int, Unit],
    board: Board,
    chance: Callable[[Unit, tuple[int, ...]], float],
    carriers: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, float]:
    """Points that hang on whether a unit lives because it may still leave the board for them, by unit. `chance`: about how likely
    it gets to some of an edge's places in time. `carriers`: by unit aboard the one that carries it, and stands for its points,
    too. Where there are several edges to leave by, the best counts: a unit leaves once."""
    by_edge: dict[tuple[int, str], float] = {}
    for goal in objectives:
        if goal.kind == "exit":
            edge = edge_places(board, goal.edge)
            for number in goal.units or units:
                one, carrier = units.get(number), units.get(carriers.get(number, number))
                if one is None or carrier is None or one.side != goal.side:
                    continue
                if one.alive and carrier.alive and carrier.place >= 0:
                    key = (carrier.id, goal.edge)
                    by_edge[key] = by_edge.get(key, 0.0) + goal.points * chance(carrier, edge)
    found: dict[int, float] = {}
    for (number, _), points in by_edge.items():
        found[number] = max(found.get(number, 0.0), points)
    return found


def chance_to_reach(far: int, reach: int) -> float:
    """About how likely it is to get as `far` (-1: no way) for who may go as far as `reach` before the battle ends: the less,
    the less time there is to spare."""
    return 1.0 - far / reach if 0 <= far < reach else 0.0


def section_points(
    objectives: Iterable[Objective],
    side: int,
    section: int,
    fallen: Collection[int],
    damaged: Collection[int] = (),
    whole: bool = True,
) -> float:
    """Points that a side wins when a section falls, less those that it loses. `fallen`: those that have fallen. Points for the
    fall of several are earned when the last falls: each counts its share of those that are left. Points for keeping several are
    lost with the first, and with the first floor. `damaged`: those that stand but have lost a floor, `whole`: all of the section
    falls, not an upper floor alone."""
    total = 0.0
    if section in fallen:
        return total
    for goal in objectives:
        if section not in goal.sections:
            continue
        ours = goal.side in (-1, side)
        if goal.kind == "destroy" and whole:
            share = goal.points / sum(one not in fallen for one in goal.sections)
            total += share if ours else -share
        elif goal.kind == "keep" and not any(one in fallen or one in damaged for one in goal.sections):
            total -= goal.points if ours else -goal.points
    return total


def held_worth(
    values: Iterable[ObjectiveValue], unit: Unit, place: int, alone: float, shared: float
) -> float:
    """What standing in a place is worth to a unit: a share of each objective it is on, `alone` where it alone holds it, `shared`
    where friends do already. To stand where one may leave the board is worth nothing."""
    total = 0.0
    for value in values:
        if not value.leaves and place in value.places and value.concerns(unit):
            total += (shared if value.others(unit) else alone) * value.worth
    return total


def left_worth(
    values: Iterable[ObjectiveValue], unit: Unit, place: int, riders: Sequence[Unit] = ()
) -> float:
    """What it is worth that a unit leaves the board where its move ends, with its `riders`; more than 0 wherever it does. Only
    who has moved leaves: not from the place where it is, and not on arriving as a reserve."""
    if unit.place in (place, -1):
        return 0.0
    worths = [
        v.worth
        for one in (unit, *riders)
        for v in values
        if v.leaves and place in v.places and v.concerns(one)
    ]
    return max(sum(worths), LEAST) if worths else 0.0


def contested_worths(values: Iterable[ObjectiveValue], foes: Sequence[Unit]) -> dict[int, float]:
    """What it is worth that each enemy leaves the objectives it is on, by unit, shared among those who are there. Nobody
    is kept from leaving the board by an enemy who stands where one does."""
    found: dict[int, float] = {}
    for value in values:
        if value.places and not value.leaves:
            places = frozenset(value.places)
            there = [foe.id for foe in foes if foe.place in places]
            for number in there:
                found[number] = found.get(number, 0.0) + value.worth / len(there)
    return found


class Attraction(NamedTuple):
    """Something that draws a unit: what it is worth to be there, how far each space is from it (`field`, -1: no way; None: as the
    crow flies to `point`), its `places`, and how far it draws."""

    worth: float
    field: Sequence[int] | None
    point: int
    places: tuple[int, ...]
    reach: int


def nearness(attractions: Iterable[Attraction], place: int, board: Board, close: int, detour: float) -> float:
    """How near a place is to what draws, the dearest first: the best of worth by share of the way already behind. `close`: within
    this of a point one is there; `detour` lengthens a straight line where no way is known."""
    best = 0.0
    for worth, field, point, places, reach in attractions:
        if worth <= best:
            break  # the others are worth no more
        if field is not None:
            far = field[place]
            if far < 0:
                far = int(detour * min(board.distance(place, p) for p in places[:8]))
        else:
            far = max(board.distance(place, point) - close, 0)
        if far < reach:
            near = worth * (1.0 - far / reach)
            if near > best:
                best = near
    return best
