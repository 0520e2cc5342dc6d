"""Deployment: units begin on a given place or somewhere in a zone of their side. Read `Deployment`, then `fill_zones`.

A scenario is checked and set up by the same code, so one that passes the check never fails at set-up. Random choices come from
the variation seed, never from the battle's dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault
from battlesim.core.geometry import Point, facing_towards
from battlesim.core.items import Entry, Step, by_rank
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.checks import force_fault
from battlesim.rules.scenario import Scenario

Lots = Callable[[str, int, int], Sequence[int]]
"""(purpose, side, n) -> the numbers 0 to n - 1 in random order. `purpose` tells draws of one side apart."""
Refusal = tuple[str, str] | None
"""Why a force cannot begin somewhere, and a remedy; None if it can."""
Indoors = Literal["either", "never", "by lot"]
"""Whether zones put a unit into buildings; see `Deployment.indoors`."""


@dataclass(frozen=True)
class Deployment:
    """Where the units of a rulebook can begin. Forces are given by their numbers in `scenario.forces`.

    types: the rulebook's unit types.
    refuse(scenario, number, place): why a force cannot begin on a place, other units aside; None if it can.
    room(scenario, place, here, number): whether it can begin on a place together with the forces `here` (one or more).
    holds: the rule of `room` in words, for messages.
    shared: whether zones may put several units on one place, where there is room.
    makes_way(kind): types that are placed last, since they fit on most places.
    indoors(kind): whether zones put such units into buildings: "never"; "either", by chance; or "by lot", where a random choice
    decides whether a unit looks for a place indoors or outdoors first.
    """

    types: Mapping[str, Any]
    refuse: Callable[[Scenario, int, int], Refusal]
    room: Callable[[Scenario, int, Sequence[int], int], bool]
    holds: str
    shared: bool = False
    makes_way: Callable[[Any], bool] = lambda kind: False
    indoors: Callable[[Any], Indoors] = lambda kind: "either"


def in_order(purpose: str, side: int, n: int) -> Sequence[int]:
    """Lots without chance, for a check: the numbers in order."""
    return range(n)


def lots_of(dice: Dice) -> Lots:
    """Lots drawn by the dice of a scenario's variation."""

    def lots(purpose: str, side: int, n: int) -> Sequence[int]:
        return [number for _, number in dice.ranking(0, side, purpose, n) if number < n]

    return lots


def forces_in_zones(scenario: Scenario, rules: Deployment) -> list[int]:
    """The numbers of the forces that begin somewhere in a zone, ascending. Those with an unknown type or zone are left out."""
    return [
        number
        for number, force in enumerate(scenario.forces)
        if force.zone
        and not force.reserve
        and force.type in rules.types
        and scenario.sides[force.side].zone(force.zone) is not None
    ]


def fill_zones(scenario: Scenario, rules: Deployment, lots: Lots = in_order) -> dict[int, int]:
    """The places of the forces that begin in a zone: number -> place.

    Each force takes the first place of its zone, in random order, that suits it and has room. If none is left, other forces
    from zones move to make room, as few as possible. A force for which this fails is left out.
    """
    return _Filling(scenario, rules, lots).filled()


class _Filling:
    """Zones while they are filled. `standing`: the forces on each place. `where`: the places found for forces that begin in a
    zone."""

    def __init__(self, scenario: Scenario, rules: Deployment, lots: Lots) -> None:
        self.scenario, self.rules, self.lots = scenario, rules, lots
        self.where: dict[int, int] = {}
        self.standing: dict[int, list[int]] = {}
        self.orders: dict[tuple[int, str, str], list[int]] = {}
        self.moods: dict[int, Sequence[int]] = {}
        for number, force in enumerate(scenario.forces):
            if force.place >= 0 and force.type in rules.types:
                self.standing.setdefault(force.place, []).append(number)

    def filled(self) -> dict[int, int]:
        types, forces = self.rules.types, self.scenario.forces
        numbers = forces_in_zones(self.scenario, self.rules)
        for number in sorted(numbers, key=lambda n: (self.rules.makes_way(types[forces[n].type]), n)):
            self._put(number)
        return self.where

    def _put(self, number: int) -> None:
        """Find a place for a force: the first one with room, else the shortest chain of moves that ends on one."""
        for place in self._places(number):
            if self._joins(number, place, self.standing.get(place, ())) and self._suits(number, place):
                self._move(number, place, {})
                return
        tried: dict[int, None] = {}
        wants: dict[int, tuple[int, int]] = {}  # force that would leave its place -> the force that wants it
        queue = [number]
        for mover in queue:
            for place in self._places(mover):
                if place in tried or not self._suits(mover, place):
                    continue
                here = self.standing.get(place, [])
                if self._joins(mover, place, here):
                    self._move(mover, place, wants)
                    return
                tried[place] = None
                for other in here:
                    rest = [one for one in here if one != other]
                    if other in self.where and other not in wants and self._joins(mover, place, rest):
                        wants[other] = (mover, place)
                        queue.append(other)

    def _suits(self, number: int, place: int) -> bool:
        return self.rules.refuse(self.scenario, number, place) is None

    def _joins(self, number: int, place: int, here: Sequence[int]) -> bool:
        if not here:
            return True
        return self.rules.shared and self.rules.room(self.scenario, place, here, number)

    def _move(self, mover: int, place: int, wants: dict[int, tuple[int, int]]) -> None:
        """Put a force on a place with room. Its old place goes to the force that wants it, and so on."""
        while True:
            before = self.where.get(mover, -1)
            if before >= 0:
                self.standing[before].remove(mover)
            self.standing.setdefault(place, []).append(mover)
            self.where[mover] = place
            if mover not in wants:
                return
            mover, place = wants[mover]

    def _places(self, number: int) -> list[int]:
        """The places of a force's zone, in the order in which it tries them."""
        force, spaces = self.scenario.forces[number], self.scenario.board.spaces
        mode: str = self.rules.indoors(self.rules.types[force.type])
        if mode == "by lot":
            if force.side not in self.moods:
                self.moods[force.side] = self.lots("inside", force.side, len(self.scenario.forces))
            mode = "inside first" if self.moods[force.side][number] % 2 == 0 else "outside first"
        key = (force.side, force.zone, mode)
        if key not in self.orders:
            zone = self.scenario.sides[force.side].zone(force.zone)
            drawn = zone.spaces if zone is not None else ()
            order = [drawn[i] for i in self.lots(f"zone {force.zone}", force.side, len(drawn))]
            if mode == "never":
                order = [place for place in order if spaces[place].kind != "floor"]
            elif mode != "either":
                order.sort(key=lambda place: (spaces[place].kind == "floor") != (mode == "inside first"))
            self.orders[key] = order
        return self.orders[key]


def starting_places(scenario: Scenario, rules: Deployment, dice: Dice) -> dict[int, int]:
    """The places of all forces that begin on the board: number -> place. `dice`: those of the scenario's variation. If random
    order leaves no room for all forces, the fixed order is used if that places more."""
    where = fill_zones(scenario, rules, lots_of(dice))
    if len(where) < len(forces_in_zones(scenario, rules)):
        where = max(where, fill_zones(scenario, rules), key=len)
    return where | {number: force.place for number, force in enumerate(scenario.forces) if force.place >= 0}


# ---- checks


def check_place(scenario: Scenario, number: int, rules: Deployment) -> list[Fault]:
    """Faults of a given place: outside the side's zones, or a place where such a unit cannot be. `number`: of a force; one
    without a given place has none."""
    force = scenario.forces[number]
    if force.place < 0:
        return []
    info, space = scenario.sides[force.side], scenario.board.spaces[force.place]
    faults: list[Fault] = []
    drawn = [zone for zone in info.zones if zone.spaces]  # a zone without spaces has a fault of its own
    if drawn and not any(force.place in zone.spaces for zone in drawn):
        lies = "does not lie wholly in a" if space.kind == "floor" else "is in no"
        what = f"{space.name!r} {lies} zone of side {info.name!r}"
        faults.append(force_fault(force, "at", what, "enlarge the zone or move the unit"))
    if refusal := rules.refuse(scenario, number, force.place):
        faults.append(force_fault(force, "at", *refusal))
    return faults


def check_room(scenario: Scenario, rules: Deployment) -> list[Fault]:
    """Faults of room: too many units on a given place, or too many in a zone."""
    forces, faults = scenario.forces, list[Fault]()
    standing: dict[int, list[int]] = {}
    for number, force in enumerate(forces):
        if force.place < 0 or force.type not in rules.types:
            continue
        here = standing.setdefault(force.place, [])
        if here and not rules.room(scenario, force.place, here, number):
            names = ", ".join(repr(forces[other].name) for other in here)
            what = f"{scenario.board.spaces[force.place].name!r} is taken by {names}"
            faults.append(force_fault(force, "at", what, rules.holds))
        here.append(number)
    where = fill_zones(scenario, rules)
    left: dict[int, list[int]] = {}
    for number in forces_in_zones(scenario, rules):
        force = forces[number]
        zone = scenario.sides[force.side].zone(force.zone)
        # A zone without any place has a fault of its own: an outline round nothing, or a wrong name.
        if number not in where and zone is not None and zone.spaces:
            left.setdefault(force.entry, []).append(number)
    for units in left.values():
        force = forces[units[0]]
        full = f"zone {force.zone!r} has no room for {len(units)} of the units"
        said = _unfit(scenario, rules, units[0]) or (full, "enlarge the zone, or use fewer units")
        faults.append(force_fault(force, "zone", *said))
    return faults


def _unfit(scenario: Scenario, rules: Deployment, number: int) -> Refusal:
    """Why no place of a force's zone suits it, other units aside; None if one does."""
    force = scenario.forces[number]
    zone = scenario.sides[force.side].zone(force.zone)
    spaces = zone.spaces if zone is not None else ()
    refusals = [(place, rules.refuse(scenario, number, place)) for place in spaces]
    suiting = [place for place, refusal in refusals if refusal is None]
    if not suiting:
        reasons = [refusal for _, refusal in refusals if refusal is not None]
        return (
            (f"zone {force.zone!r} has no place for it: {reasons[0][0]}", reasons[0][1]) if reasons else None
        )
    outdoors = rules.indoors(rules.types[force.type]) == "never"
    if outdoors and all(scenario.board.spaces[place].kind == "floor" for place in suiting):
        what = f"zone {force.zone!r} has no place for it: of a zone it only begins outdoors"
        return what, "add ground where it can stand to the zone, or give it a floor by at"
    return None


# ---- the first state


def middle_of(board: Board, places: Sequence[int]) -> Point:
    """The mean of the points of some places, rounded down; the centre of the board if there are none."""
    if not places:
        return (board.size[0] // 2, board.size[1] // 2)
    points = [board.spaces[place].point for place in places]
    return (sum(p[0] for p in points) // len(points), sum(p[1] for p in points) // len(points))


def zone_places(scenario: Scenario, side: int) -> list[int]:
    """The places of a side's zones, in the file's order."""
    return [place for zone in scenario.sides[side].zones for place in zone.spaces]


def unit_places(scenario: Scenario, where: Mapping[int, int], side: int) -> list[int]:
    """The places where a side's units begin, in the order of their numbers. `where`: number of the force -> place."""
    return [where[number] for number in sorted(where) if scenario.forces[number].side == side]


def first_facing(scenario: Scenario, facing: int, place: int, towards: Point) -> int:
    """The facing (0-7) of a unit at first: `facing`, if the scenario gives one (it is -1 if not); else from its `place` towards a
    point; 0 if it is not on the board (`place` -1)."""
    if facing >= 0:
        return facing
    return facing_towards(scenario.board.spaces[place].point, towards) if place >= 0 else 0


def marked_sections(scenario: Scenario) -> dict[int, Structure]:
    """The sections that begin closed or on fire, by number. All others need no entry in a state."""
    found: dict[int, Structure] = {}
    for section in scenario.board.sections:
        closed, burning = scenario.is_closed(section.id), scenario.is_burning(section.id)
        if closed or burning:
            own = {"closed": True} if closed else {}
            found[section.id] = Structure(section.id, burning=burning, own=own)
    return found


def first_state(
    units: dict[int, Unit],
    structures: dict[int, Structure],
    extra: Any,
    work: Sequence[tuple[int, int, Step]],
) -> State:
    """The first state of a battle. `units`, `structures`: by number. `extra`: the rulebook's record of the battle. `work`: steps
    for the agenda, as (time in ticks, priority, step), numbered in this order; the lower priority comes first."""
    agenda = [Entry(time, priority, serial, step) for serial, (time, priority, step) in enumerate(work)]
    return State(
        units=units,
        structures=structures,
        extra=extra,
        agenda=tuple(sorted(agenda, key=by_rank)),
        serial=len(agenda),
        at=standing_at(units),
    )
