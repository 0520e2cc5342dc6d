"""From a scenario to the first state, and what the rules forbid of a scenario (RG-HOUSE-PROFILE). Read `check` and `setup`.

Units have the numbers of `scenario.forces`. A character may begin with another unit: `aboard` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault, did_you_mean
from battlesim.core.geometry import Point, facing_towards
from battlesim.core.items import Entry, Step
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Force, Scenario, needs_inches
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import rooms
from battlesim.rulesets.regiment.data import TYPES, UnitType
from battlesim.rulesets.regiment.model import CHARGE, Extra, Happened, Own, own, type_of
from battlesim.rulesets.regiment.turn import BOTH, PHASE_PRIORITY, PhaseBegins

MOST_MODELS = 60
OPTIONS: tuple[str, ...] = ("activation", "massacre")
ACTIVATIONS: tuple[str, ...] = ("side", "unit")
GOALS: tuple[str, ...] = ("hold", "destroy", "survive")
Lots = Callable[[str, int, int], Sequence[int]]
"""(purpose, side, n) -> the numbers 0 to n - 1 in drawn order."""


class Parade(Step, frozen=True):
    """Before the first turn: what the houses are like is told."""


# ---- check -----------------------------------------------------------------------------------------------------------


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Everything the rules have against a scenario, every fault at once; `place` says where in its file."""
    faults = needs_inches(board) + rooms.check_rooms(board) + _check_options(scenario)
    for number, force in enumerate(scenario.forces):
        kind = TYPES.get(force.type)
        first = number == 0 or scenario.forces[number - 1].entry != force.entry
        if kind is None:
            if first:
                what = f"regiment has no unit type {force.type!r}"
                faults.append(_at(force, "type", what, did_you_mean(force.type, TYPES)))
            continue
        if first:
            faults += _check_kind(force, kind)
        faults += _check_place(scenario, force, kind)
        faults += _check_host(scenario, force, kind)
    faults += _check_room(scenario)
    for number, goal in enumerate(scenario.objectives):
        where = f"objectives[{number}]"
        if goal.kind not in GOALS:
            faults.append(
                _fault(where, f"regiment has no objective {goal.kind!r}", f"give {', '.join(GOALS)}")
            )
        elif goal.kind == "destroy" and goal.sections:
            faults.append(_fault(where, "buildings are not destroyed here", "name units"))
    return faults


def _fault(place: str, what: str, remedy: str = "", level: str = "error") -> Fault:
    return Fault(what, remedy, place=place, level=level)


def _at(force: Force, key: str, what: str, remedy: str = "") -> Fault:
    return _fault(f"forces[{force.entry}].{key}", what, remedy)


def _check_options(scenario: Scenario) -> list[Fault]:
    faults = []
    for option, value in scenario.options.items():
        place = f"options.{option}"
        if option not in OPTIONS:
            faults.append(_fault(place, f"regiment has no option {option!r}", did_you_mean(option, OPTIONS)))
        elif option == "activation" and value not in ACTIVATIONS:
            faults.append(_fault(place, f"activation is {value!r}", "give side or unit"))
        elif option == "massacre" and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            faults.append(_fault(place, f"massacre is {value!r}", "give points, 1 or more"))
    if scenario.extra_turn:
        faults.append(_fault("extra_turn", "regiment rolls for no extra turn", "leave it out"))
    return faults


def _check_kind(force: Force, kind: UnitType) -> list[Fault]:
    faults = []
    if force.quality:
        faults.append(_at(force, "quality", "regiment has no qualities", "leave it out"))
    if force.officer >= 0:
        faults.append(_at(force, "officer", "characters are units of their own", "leave it out"))
    if force.reserve:
        faults.append(_at(force, "reserve", "regiment has no reserves", "give at or zone"))
    if force.opening >= 0:
        faults.append(_at(force, "opening", "regiment knows no openings", "leave it out"))
    single = kind.models == 1 or kind.engine
    if force.models and (force.models > MOST_MODELS or (single and force.models > kind.models)):
        most = kind.models if single else MOST_MODELS
        what = f"a unit of {kind.title} has at most {most} models, not {force.models}"
        faults.append(_at(force, "models", what, f"give 1 to {most}"))
    return faults


def _strength(scenario: Scenario, number: int) -> int:
    """Unit strength of a force with the characters that begin with it."""
    force = scenario.forces[number]
    total = (force.models or TYPES[force.type].models) * TYPES[force.type].us
    for other in scenario.forces:
        if other.aboard == number and other.type in TYPES:
            total += TYPES[other.type].us
    return total


def can_begin(scenario: Scenario, number: int, place: int) -> str:
    """What keeps a force from beginning on a space, whoever stands there; "" for nothing."""
    board, force = scenario.board, scenario.forces[number]
    kind, space = TYPES[force.type], board.spaces[place]
    if space.kind != "floor":
        return f"nobody can stand on {space.name!r}: water" if space.terrain == "water" else ""
    section = board.sections[space.section]
    room = rooms.room_at(board, place)
    if room is None:
        known = [board.spaces[p].name for p in rooms.rooms_of(board).by_section[section.id]]
        told = f"name {' or '.join(known)}" if known else "it is an open ruin; place it outdoors"
        return f"{space.name!r} is no room of its own; {told}"
    if not rooms.may_hold(kind, room):
        return f"{kind.title} cannot be in {space.name!r}"
    if scenario.is_closed(section.id) or scenario.is_burning(section.id):
        return f"{section.name!r} is closed: nobody may enter"
    if _strength(scenario, number) > room.capacity:
        return f"{space.name!r} holds unit strength {room.capacity}, not {_strength(scenario, number)}"
    return ""


def _check_place(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    if force.place < 0:
        return []
    board, info = scenario.board, scenario.sides[force.side]
    space = board.spaces[force.place]
    faults = []
    drawn = [zone for zone in info.zones if zone.spaces]
    if drawn and not any(force.place in zone.spaces for zone in drawn):
        what = f"{space.name!r} is in no zone of side {info.name!r}"
        faults.append(_at(force, "at", what, "enlarge the zone or move the unit"))
    what = can_begin(scenario, scenario.forces.index(force), force.place)
    if what:
        faults.append(_at(force, "at", what, "place it elsewhere"))
    return faults


def _check_host(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    """A character is with a unit of its own kind and side, which is with nobody itself."""
    if force.aboard < 0:
        return []
    host = scenario.forces[force.aboard]
    theirs = TYPES.get(host.type)
    if not kind.character:
        return [_at(force, "aboard", f"{kind.title} are no character", "give it a place of its own")]
    if theirs is None:
        return []
    if theirs.character or theirs.kind != kind.kind or host.side != force.side:
        what = f"a {kind.title} cannot be with {host.name!r}"
        return [_at(force, "aboard", what, f"name a unit of {kind.kind} of its side")]
    return []


def _check_room(scenario: Scenario) -> list[Fault]:
    """One unit a space, and room for all that begin in a zone."""
    faults = []
    taken: dict[int, Force] = {}
    for force in scenario.forces:
        if force.place >= 0:
            if force.place in taken:
                what = f"{scenario.board.spaces[force.place].name!r} is taken by {taken[force.place].name!r}"
                faults.append(_at(force, "at", what, "a space holds one unit"))
            taken[force.place] = force
    where = fill_zones(scenario, lambda purpose, side, n: range(n))
    told: list[int] = []
    for number, force in enumerate(scenario.forces):
        if force.zone and not force.reserve and force.type in TYPES and number not in where:
            if force.entry not in told:
                what = f"zone {force.zone!r} has no room for all of the units"
                faults.append(_at(force, "zone", what, "enlarge the zone, or use fewer units"))
            told.append(force.entry)
    return faults


# ---- setup -----------------------------------------------------------------------------------------------------------


def fill_zones(scenario: Scenario, lots: Lots) -> dict[int, int]:
    """Where the forces that begin in a zone are put: number in `scenario.forces` -> space, the first free one of the zone in
    the order of the lots where it can begin. Infantry looks for a room first where its own lot says so."""
    taken = [force.place for force in scenario.forces if force.place >= 0]
    where: dict[int, int] = {}
    spaces = scenario.board.spaces
    orders: dict[tuple[int, str], Sequence[int]] = {}
    numbers = sorted(range(len(scenario.forces)), key=lambda n: (scenario.forces[n].type not in TYPES, n))
    for number in numbers:
        force = scenario.forces[number]
        zone = scenario.sides[force.side].zone(force.zone) if force.zone else None
        if zone is None or force.type not in TYPES or force.reserve:
            continue
        key = (force.side, force.zone)
        if key not in orders:
            orders[key] = lots(f"zone {force.zone}", force.side, len(zone.spaces))
        places = [zone.spaces[i] for i in orders[key]]
        if TYPES[force.type].infantry:
            inside = lots("inside", force.side, len(scenario.forces))[number] % 2 == 0
            places.sort(key=lambda place: (spaces[place].kind == "floor") != inside)
        for place in places:
            if place not in taken and not can_begin(scenario, number, place):
                taken.append(place)
                where[number] = place
                break
    return where


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's: they only fill the zones."""

    def lots(purpose: str, side: int, n: int) -> Sequence[int]:
        return [number for _, number in dice.ranking(0, side, purpose, n) if number < n]

    where = fill_zones(scenario, lots)
    for number, force in enumerate(scenario.forces):
        if force.place >= 0:
            where[number] = force.place
    for number, force in enumerate(scenario.forces):
        if force.aboard >= 0 and force.aboard in where:
            where[number] = where[force.aboard]
    fronts = (_front(scenario, where, 1), _front(scenario, where, 0))
    units: dict[int, Unit] = {}
    for number, force in enumerate(scenario.forces):
        leader = scenario.forces[force.aboard] if force.aboard >= 0 else force
        units[number] = _unit(scenario, number, force, leader, where.get(number, -1), fronts[force.side])
    by_unit = scenario.options.get("activation") == "unit"
    agenda = (
        Entry(0, 0, 0, Parade()),
        Entry(0, PHASE_PRIORITY, 1, PhaseBegins(BOTH if by_unit else 0, CHARGE)),
    )
    return State(
        units=units,
        structures=_structures(scenario),
        extra=Extra(
            by_unit=by_unit,
            turns=scenario.turns,
            margin=scenario.margin,
            massacre=scenario.options.get("massacre", 0),
            objectives=scenario.objectives,
        ),
        agenda=agenda,
        serial=len(agenda),
        at=standing_at(units),
    )


def _unit(scenario: Scenario, number: int, force: Force, leader: Force, place: int, front: Point) -> Unit:
    kind = TYPES[force.type]
    models = force.models or kind.models
    facing = leader.facing
    if facing < 0:
        facing = facing_towards(scenario.board.spaces[place].point, front) if place >= 0 else 0
    mine = Own(full=models, files=kind.files, joined=force.aboard)
    return Unit(number, force.side, force.name, force.type, place, models, True, facing, mine)


def _front(scenario: Scenario, where: dict[int, int], side: int) -> Point:
    """The middle of a side's units: where the enemy looks."""
    points = [
        scenario.board.spaces[place].point
        for number, place in sorted(where.items())
        if scenario.forces[number].side == side
    ]
    if not points:
        return (scenario.board.size[0] // 2, scenario.board.size[1] // 2)
    return (sum(p[0] for p in points) // len(points), sum(p[1] for p in points) // len(points))


def _structures(scenario: Scenario) -> dict[int, Structure]:
    """Open ruins have fallen: their rubble is ground (RG-SCEN-1). Closed and burning sections are shut."""
    found: dict[int, Structure] = {}
    ruins = rooms.rooms_of(scenario.board).open
    for section in scenario.board.sections:
        closed, burning = scenario.is_closed(section.id), scenario.is_burning(section.id)
        if section.id in ruins:
            found[section.id] = Structure(section.id, fallen=True)
        elif closed or burning:
            own_table: dict[str, Any] = {"closed": True} if closed else {}
            found[section.id] = Structure(section.id, burning=burning, own=own_table)
    return found


def parade(r: Resolution, step: Parade) -> None:
    """What the houses are: parts, tall ones, open ruins, brittle and small ones; and who holds which."""
    board = r.board
    known = rooms.rooms_of(board)
    for sections in board.buildings.values():
        if len(sections) > 1:
            clauses: Clauses = ("RG-PART-1", "RG-PART-3")
            r.emit(Happened("parts", section=sections[0], number=len(sections), clauses=clauses))
    for section in board.sections:
        places = known.by_section[section.id]
        if not places:
            r.emit(Happened("open ruin", section=section.id, clauses=("RG-SCEN-1",)))
        for place in places:
            room = known.by_place[place]
            if room.unstable:
                r.emit(Happened("brittle", place=place, section=section.id, clauses=("RG-UNST-1",)))
            if room.capacity < rooms.CAPACITY:
                told = Happened(
                    "small", place=place, section=section.id, number=room.capacity, clauses=("RG-CAP-1",)
                )
                r.emit(told)
            if room.roomy:
                r.emit(Happened("roomy", place=place, section=section.id, clauses=("RG-CAP-1",)))
    for unit in r.state.units.values():
        room_here = rooms.room_at(board, unit.place) if unit.place >= 0 else None
        if room_here is not None and own(unit).joined < 0:
            clauses = ("RG-CAP-1", "RG-PART-2") if room_here.tall else ("RG-CAP-1",)
            if (
                room_here.capacity == rooms.CAPACITY
                and "garrison" not in board.sections[room_here.section].own
            ):
                clauses = (*clauses, "RG-CAP-2", "RG-HOUSE-WALLS")
            r.emit(
                Happened("garrisons", unit.id, place=unit.place, section=room_here.section, clauses=clauses)
            )
    if any(type_of(unit).character for unit in r.state.units.values()):
        r.emit(Happened("profiles", clauses=("RG-HOUSE-PROFILE",)))


CHAPTER = Chapter(owns=("RG-HOUSE-PROFILE",), steps={Parade: parade})
