"""From a scenario to the first state, and what the rules forbid of a scenario (OD-SCEN-1, OD-ENTER-6, OD-GUN-1).

Read `check` for what may go wrong, `setup` for how a battle begins. Units have the numbers of `scenario.forces`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault, did_you_mean
from battlesim.core.geometry import Point, facing_towards
from battlesim.core.items import TURN, Entry, Step
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Force, Scenario, needs_inches
from battlesim.rulesets.orderdice import deploy, placing
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES, WEAPONS, UnitType
from battlesim.rulesets.orderdice.model import Extra, Own

REGULAR = 1
MOST_OFFICER = 4
"""The highest rank bonus (OD-HOUSE-MORALE)."""
REAR = 2
"""The best bonus of a shot against armour (OD-HOUSE-DAMAGE)."""


# ---- check -----------------------------------------------------------------------------------------------------------


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Everything the rules have against a scenario, every fault at once; `place` says where in its file."""
    faults = needs_inches(board)
    faults += [
        _fault(f"options.{option}", f"orderdice has no option {option!r}", "leave it out")
        for option in scenario.options
    ]
    for number, force in enumerate(scenario.forces):
        kind = TYPES.get(force.type)
        if kind is None:
            if not _seen(scenario, number):
                what = f"orderdice has no unit type {force.type!r}"
                faults.append(_at(force, "type", what, did_you_mean(force.type, TYPES)))
            continue
        if not _seen(scenario, number):  # units of one entry share what is wrong with it
            faults += _check_strength(force, kind)
            faults += _check_reserve(scenario, force)
        faults += _check_place(scenario, force, kind)
        faults += _check_aboard(scenario, number, force, kind)
    faults += _check_room(scenario)
    for number, goal in enumerate(scenario.objectives):
        if goal.kind == "destroy" and goal.sections and goal.side < 0:
            what = "nobody is named to score for the buildings"
            faults.append(_fault(f"objectives[{number}]", what, "add side"))
        if goal.kind == "exit" and not any(goal.edge in space.edge for space in board.spaces):
            faults.append(
                _fault(f"objectives[{number}].edge", "no place of the map lies on that edge", "name another")
            )
    return faults + _check_armour(scenario)


def _fault(place: str, what: str, remedy: str = "", level: str = "error") -> Fault:
    return Fault(what, remedy, place=place, level=level)


def _at(force: Force, key: str, what: str, remedy: str = "") -> Fault:
    return _fault(f"forces[{force.entry}].{key}", what, remedy)


def _seen(scenario: Scenario, number: int) -> bool:
    """Whether an earlier unit comes from the same entry."""
    return number > 0 and scenario.forces[number - 1].entry == scenario.forces[number].entry


def _check_strength(force: Force, kind: UnitType) -> list[Fault]:
    faults = []
    if force.quality and force.quality not in QUALITIES:
        what = f"orderdice has no quality {force.quality!r}"
        faults.append(_at(force, "quality", what, did_you_mean(force.quality, QUALITIES)))
    if force.models > kind.models:
        what = f"a {kind.title} has {kind.models} models, not {force.models}"
        faults.append(_at(force, "models", what, f"give 1 to {kind.models}"))
    if force.officer > MOST_OFFICER:
        what = f"no officer has a bonus of {force.officer}"
        faults.append(_at(force, "officer", what, f"give 0 to {MOST_OFFICER}"))
    return faults


def _check_reserve(scenario: Scenario, force: Force) -> list[Fault]:
    last = scenario.turns + scenario.extra_turn
    if force.reserve > last:
        what = f"turn {force.reserve} is never played"
        return [_at(force, "reserve.turn", what, f"the battle has {last} turns")]
    return []


def _check_place(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    """A place of its own: in its zone, of a kind it can stand on, in a building that is open to it."""
    if force.place < 0:
        return []
    board, info = scenario.board, scenario.sides[force.side]
    space = board.spaces[force.place]
    faults = []
    drawn = [zone for zone in info.zones if zone.spaces]  # one without is answered for already
    if drawn and not any(force.place in zone.spaces for zone in drawn):
        what = f"{space.name!r} is in no zone of side {info.name!r}"
        if space.kind == "floor":
            what = f"{space.name!r} does not lie wholly in a zone of side {info.name!r}"
        faults.append(_at(force, "at", what, "enlarge the zone or move the unit"))
    if space.kind == "floor":
        house = board.sections[space.section].name
        if kind.vehicle:
            faults.append(_at(force, "at", f"a {kind.title} cannot be in a building", "place it outdoors"))
        elif scenario.is_closed(space.section):
            faults.append(_at(force, "at", f"{house!r} is closed: nobody may enter", "place it elsewhere"))
        elif scenario.is_burning(space.section):
            faults.append(_at(force, "at", f"{house!r} is on fire", "place it elsewhere"))
        faults += _check_opening(board, force, kind)
    elif not deploy.can_stand(board, kind, force.place):
        what = f"a {kind.title} cannot stand on {space.name!r}: {space.terrain}"
        faults.append(_at(force, "at", what, "place it elsewhere"))
    return faults


def _check_opening(board: Board, force: Force, kind: UnitType) -> list[Fault]:
    space = board.spaces[force.place]
    usable = deploy.gun_openings(board, force.place)
    blank = board.sections[space.section].kind != "bunker" and _has_blank_side(board, force.place)
    if force.opening >= 0:
        if not deploy.is_fixed(kind, force.models or kind.models):
            what = f"a {kind.title} has no fixed weapon to deploy at an opening"
            return [_at(force, "opening", what, "leave it out")]
        if force.opening not in usable:
            what = f"fire leaves a bunker by its slits, never by a {board.openings[force.opening].kind}"
            return [_at(force, "opening", what, "name a slit")]
    elif kind.artillery and not usable and not blank:
        return [_at(force, "at", f"{space.name!r} has no opening for a gun", "place it elsewhere")]
    return []


def _has_blank_side(board: Board, place: int) -> bool:
    """Whether an opening could be made for a gun on this floor (OD-FROM-5)."""
    space = board.spaces[place]
    section = board.sections[space.section]
    pierced = [board.openings[number].side for number in section.openings[space.floor]]
    return any(
        side.outer and side.outer_from <= space.floor and number not in pierced
        for number, side in enumerate(section.sides)
    )


def _check_aboard(scenario: Scenario, number: int, force: Force, kind: UnitType) -> list[Fault]:
    """A passenger is infantry; the carrier has room for all that ride it."""
    if force.aboard < 0:
        return []
    carrier = scenario.forces[force.aboard]
    room = TYPES.get(carrier.type)
    if room is None:
        return []
    if not kind.infantry:
        return [_at(force, "aboard", f"a {kind.title} cannot be carried", "give it a place of its own")]
    if not room.capacity:
        what = f"a {room.title} carries nobody"
        return [_at(force, "aboard", what, "name a transport")]
    riders = [f for f in scenario.forces[: number + 1] if f.aboard == force.aboard and f.type in TYPES]
    men = sum(f.models or TYPES[f.type].models for f in riders)
    if men > room.capacity:
        what = f"{carrier.name!r} carries {room.capacity} men, not {men}"
        return [_at(force, "aboard", what, "name another transport")]
    return []


def _check_room(scenario: Scenario) -> list[Fault]:
    """No more units on a space than it holds, and room for all that begin in a zone."""
    faults = []
    taken: dict[int, list[Force]] = {}
    for force in scenario.forces:
        if force.place >= 0:
            here = taken.setdefault(force.place, [])
            space = scenario.board.spaces[force.place]
            if len(here) >= space.capacity:
                what = f"{space.name!r} is taken by {here[0].name!r}"
                remedy = "a space holds one unit" if space.capacity == 1 else f"it holds {space.capacity}"
                faults.append(_at(force, "at", what, remedy))
            here.append(force)
    where = placing.fill_zones(scenario, placing.in_order)
    without = [
        force
        for number, force in enumerate(scenario.forces)
        if force.zone and not force.reserve and force.type in TYPES and number not in where
    ]
    entries: dict[int, list[Force]] = {}
    for force in without:
        entries.setdefault(force.entry, []).append(force)
    for units in entries.values():
        what = f"zone {units[0].zone!r} has no room for {len(units)} of the units"
        faults.append(_at(units[0], "zone", what, "enlarge the zone, or use fewer units"))
    return faults


def can_hurt(kind: UnitType, armour: int) -> bool:
    """Whether a type of unit can ever hurt armour: by its best shot from behind, a strike, or an assault."""
    if kind.strike:
        return True
    if kind.infantry and 6 + (6 if kind.anti_tank else 1) >= armour:
        return True
    names = (*kind.slots, *(weapon for _, weapon in kind.mounts))
    weapons = [WEAPONS[name] for name in names if name]
    return any(
        6 + weapon.penetration + REAR >= armour and not (weapon.small and armour >= 7) for weapon in weapons
    )


def _check_armour(scenario: Scenario) -> list[Fault]:
    faults = []
    told: list[tuple[int, str]] = []
    for force in scenario.forces:
        kind = TYPES.get(force.type)
        if kind is None or not kind.armour or (force.side, force.type) in told:
            continue
        enemies = [TYPES[f.type] for f in scenario.forces if f.side != force.side and f.type in TYPES]
        if enemies and not any(can_hurt(enemy, kind.armour) for enemy in enemies):
            told.append((force.side, force.type))
            what = f"nothing of side {scenario.sides[1 - force.side].name!r} can hurt a {kind.title}"
            remedy = "give it something that can, or let it be so"
            faults.append(_fault(f"forces[{force.entry}].type", what, remedy, "warning"))
    return faults


# ---- setup -----------------------------------------------------------------------------------------------------------


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's: they only fill the zones."""
    from battlesim.rulesets.orderdice.turn import TURN_PRIORITY, TurnStart

    def lots(purpose: str, side: int, n: int) -> Sequence[int]:
        return [number for _, number in dice.ranking(0, side, purpose, n) if number < n]

    where = placing.fill_zones(scenario, lots)
    fronts = (_front(scenario, where, 1), _front(scenario, where, 0))
    units = {
        number: _unit(scenario, number, force, where.get(number, force.place), fronts[force.side])
        for number, force in enumerate(scenario.forces)
    }
    work: list[tuple[int, int, Step]] = [
        (0, deploy.SETUP_PRIORITY, deploy.SetUp()),
        (0, TURN_PRIORITY, TurnStart()),
    ]
    for number, force in enumerate(scenario.forces):
        if force.reserve:
            arrives = _arrival(scenario, number, force)
            work.append(((force.reserve - 1) * TURN, deploy.ARRIVE_PRIORITY, arrives))
    agenda = [Entry(time, priority, serial, step) for serial, (time, priority, step) in enumerate(work)]
    return State(
        units=units,
        structures=_structures(scenario),
        extra=Extra(
            turns=scenario.turns,
            extra_turn=scenario.extra_turn,
            margin=scenario.margin,
            objectives=scenario.objectives,
        ),
        agenda=tuple(sorted(agenda, key=lambda entry: entry.rank)),
        serial=len(agenda),
        at=standing_at(units),
    )


def _unit(scenario: Scenario, number: int, force: Force, place: int, front: Point) -> Unit:
    kind, board = TYPES[force.type], scenario.board
    models = force.models or kind.models
    inside = place >= 0 and board.spaces[place].kind == "floor"
    carrier = scenario.forces[force.aboard] if force.aboard >= 0 else None
    arrives = carrier.reserve if carrier else force.reserve
    facing = force.facing
    if force.opening >= 0:
        hole = board.openings[force.opening]
        facing = board.sections[hole.section].sides[hole.side].facing
    elif facing < 0:
        facing = facing_towards(board.spaces[place].point, front) if place >= 0 else 0
    return Unit(
        id=number,
        side=force.side,
        name=force.name,
        kind=force.type,
        place=place,
        models=models,
        facing=facing,
        own=Own(
            quality=QUALITIES.index(force.quality) if force.quality else REGULAR,
            full=models,
            officer=kind.officer if force.officer < 0 else force.officer,
            opening=force.opening,
            emplaced=inside and kind.artillery,
            # a passenger of a reserve boards when it comes on, and so holds no die before
            aboard=force.aboard if carrier and not arrives else -1,
            arrives=arrives,
        ),
    )


def _front(scenario: Scenario, where: dict[int, int], side: int) -> Point:
    """The middle of a side's zones, or of its units on the board: where the enemy looks."""
    places = [place for zone in scenario.sides[side].zones for place in zone.spaces]
    if not places:
        places = [
            where.get(number, force.place)
            for number, force in enumerate(scenario.forces)
            if force.side == side and where.get(number, force.place) >= 0
        ]
    return deploy.middle_of(scenario.board, places)


def _arrival(scenario: Scenario, number: int, force: Force) -> deploy.Arrive:
    zone = scenario.sides[force.side].zone(force.zone) if force.zone else None
    cargo = tuple(n for n, other in enumerate(scenario.forces) if other.aboard == number)
    return deploy.Arrive(number, cargo, force.edge, zone.spaces if zone else ())


def _structures(scenario: Scenario) -> dict[int, Structure]:
    """Sections that begin closed or on fire (OD-SCEN-1)."""
    found: dict[int, Structure] = {}
    for section in scenario.board.sections:
        closed, burning = scenario.is_closed(section.id), scenario.is_burning(section.id)
        if closed or burning:
            own = {"closed": True} if closed else {}
            found[section.id] = Structure(section.id, burning=burning, own=own)
    return found


CHAPTER = Chapter(owns=("OD-SCEN-1", "OD-ENTER-6"))
