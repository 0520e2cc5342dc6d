"""What objectives are worth to a side: holding them, being near them, the units and buildings that they name.

All worths are in points of unit worth, on the same scale as units. The code is the same for all rulebooks; a rulebook says what a
point of an objective is worth (`Scale`) and how it measures distance. Read `objective_values`. `stakes.py` puts these
functions together for one view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import memo_table, owned_memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.rules.scenario import Objective


class ObjectiveValue:
    """One objective as one side sees it.

    - `worth`: in points of unit worth.
    - `places`: the spaces to be in; `point`: without places, a space to be near (-1: none).
    - `leaves`: units leave the board by its places, so they are not places to hold.
    - `units`: the only units that count for it; () if all do.
    - `denies`: only the enemy scores it.
    - `razes`: a building is to be destroyed.
    - `crowd`: how many friends are in its places now; always 0 for exits, where units do not block each other.
    """

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
        """Whether a unit can contribute to it."""
        return not self.units or unit.id in self.units

    def others(self, unit: Unit) -> int:
        """How many other friends are on it."""
        return self.crowd - (unit.place in self.places)


Harms = Callable[[Unit, Unit], bool]
"""(unit, enemy) -> whether the unit can harm the enemy."""
MEASURED = 8
"""Where there is no way to an objective, its straight-line distance is measured to so many of its places only."""
LEAST = 1e-9
"""The least that leaving the board is worth, so that a unit leaving for no points still counts as leaving."""


class Scale(NamedTuple):
    """What a point of an objective is worth: to `hold` it (`denied`: to the side that only keeps the enemy from it), to `leave`
    the board by it, to `hunt` a unit it names, to `raze` a building it names."""

    hold: float
    denied: float
    leave: float
    hunt: float
    raze: float


def lateness(turn: int, turns: int, early: float, late: float) -> float:
    """How much objectives that are scored at the end count in a turn: about `early` at first, `early + late` in the last turn,
    and growing with the square of the time in between.

    >>> lateness(3, 6, early=0.5, late=1.0), lateness(6, 6, early=0.5, late=1.0)
    (0.75, 1.5)
    """
    return early + late * (turn / max(turns, 1)) ** 2


def objective_values(
    objectives: Iterable[Objective],
    side: int,
    units: Mapping[int, Unit],
    board: Board,
    fallen: Container[int],
    scale: Scale,
    harms: Harms | None = None,
) -> list[ObjectiveValue]:
    """What a side can do for its objectives and against the enemy's: places to hold, edges to leave by, units to hunt, buildings
    to destroy.

    Args:
        units: those known to the side, by number.
        fallen: the sections that have fallen.
        harms: which of them can harm an enemy, so that only these are drawn to it; None: all are.
    """
    found: list[ObjectiveValue] = []
    for goal in objectives:
        found += values_of(goal, side, units, board, fallen, scale, harms)
    count_crowds(found, side, units)
    return found


def count_crowds(values: Iterable[ObjectiveValue], side: int, units: Mapping[int, Unit]) -> None:
    """Set each objective's `crowd`: how many friends are in its places."""
    friends = [unit.place for unit in units.values() if unit.side == side and unit.alive]
    for value in values:
        if value.places and not value.leaves:
            value.crowd = sum(map(frozenset(value.places).__contains__, friends))


def values_of(
    goal: Objective,
    side: int,
    units: Mapping[int, Unit],
    board: Board,
    fallen: Container[int],
    scale: Scale,
    harms: Harms | None = None,
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
        point = scale.hunt * goal.points
        if harms is None:
            return [ObjectiveValue(point, (), prey.place) for prey in hunted]
        # An enemy draws only those that can harm it.
        friends = [one for one in units.values() if one.side == side and one.alive]
        parties = [(prey, tuple(one.id for one in friends if harms(one, prey))) for prey in hunted]
        return [ObjectiveValue(point, (), prey.place, units=party) for prey, party in parties if party]
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
    """Points that depend on whether a unit lives, by unit, from the objectives that name it."""
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
    """Points that depend on whether a unit lives because it may still leave the board for them, by unit. `chance`: roughly how
    likely a unit reaches an edge's places in time. `carriers`: the carrier of each unit aboard, which is credited with its points
    too. If a unit could leave by several edges, the best counts, since it leaves once."""
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
    """A rough chance that a unit covers the distance `far` (-1: no way) if it can go `reach` before the battle ends. The less it
    has to spare, the lower the chance. Both in the same unit of length.

    >>> chance_to_reach(600, 2400), chance_to_reach(-1, 2400)
    (0.75, 0.0)
    """
    return 1.0 - far / reach if 0 <= far < reach else 0.0


def section_points(
    objectives: Iterable[Objective],
    side: int,
    section: int,
    fallen: Collection[int],
    damaged: Collection[int] = (),
    whole: bool = True,
) -> float:
    """Points that a side wins when a section falls, less those it loses.

    Points for destroying several sections are earned when the last one falls, so each counts an equal share among those still
    standing. Points for keeping several are lost with the first section, or the first floor.

    Args:
        fallen: sections that have already fallen.
        damaged: standing sections that have lost a floor.
        whole: whether the whole section falls, not just an upper floor.
    """
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
    """What standing in a place is worth to a unit: a share of each objective there, `alone` if no friend is on it, else `shared`.
    Standing at an exit is worth nothing."""
    total = 0.0
    for value in values:
        if not value.leaves and place in value.places and value.concerns(unit):
            total += (shared if value.others(unit) else alone) * value.worth
    return total


def left_worth(
    values: Iterable[ObjectiveValue], unit: Unit, place: int, riders: Sequence[Unit] = ()
) -> float:
    """What it is worth that a unit's move ends where it leaves the board, with its `riders`; above 0 wherever it can leave. A
    unit must move to leave: not from where it stands, and not on arrival as a reserve."""
    if unit.place in (place, -1):
        return 0.0
    worths = [
        v.worth
        for one in (unit, *riders)
        for v in values
        if v.leaves and place in v.places and v.concerns(one)
    ]
    return max(summed(worths), LEAST) if worths else 0.0


def contested_worths(values: Iterable[ObjectiveValue], foes: Sequence[Unit]) -> dict[int, float]:
    """What driving each enemy off the objectives it is on is worth, by unit; each objective is shared among the enemies on it.
    Exits do not count: an enemy standing there does not stop units from leaving."""
    found: dict[int, float] = {}
    places = {foe.place for foe in foes}
    for value in values:
        if not value.leaves and not places.isdisjoint(value.places):
            there = [foe.id for foe in foes if foe.place in value.places]
            for number in there:
                found[number] = found.get(number, 0.0) + value.worth / len(there)
    return found


class Closeness:
    """How near spaces are to something that attracts units, as a share from 0 to 1. All distances are hundredths.

    - `field`: how far each space is from it, -1 if there is no way; None: the straight line to `point` counts.
    - `places`: where it is.
    - `reach`: the distance within which it attracts.
    - `close`: a space within this distance of `point` counts as there.
    - `detour`: where there is no way, how many times the straight line the way is assumed to be.
    """

    def __init__(
        self,
        board: Board,
        field: Sequence[int] | None,
        places: tuple[int, ...],
        point: int,
        reach: int,
        close: int,
        detour: float,
    ) -> None:
        self.board, self.field, self.places, self.point = board, field, places, point
        self.reach, self.close, self.detour = reach, close, detour

    @memo_table(bound=5_000)
    def share(self, place: int) -> float:
        """The share of the way to it that is already covered in a place: 1 there, 0 out of reach."""
        if self.field is None:
            far = max(self.board.distance(place, self.point) - self.close, 0)
        else:
            far = self.field[place]
            if far < 0:
                straight = min(self.board.distance(place, p) for p in self.places[:MEASURED])
                far = int(self.detour * straight)
        return 1.0 - far / self.reach if far < self.reach else 0.0


Attraction = tuple[float, Closeness]
"""Something that attracts units: what being there is worth, and how near places are to it."""
