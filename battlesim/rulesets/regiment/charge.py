"""The charge phase: charges, reactions, contact (RG-HOUSE-MOVE, RG-ATT-1, RG-HOUSE-ROOMS). Read `route`, then `contact`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Order, Pass, TargetUnit, numbered
from battlesim.core.geometry import INCH
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.nearby import Nearby
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import (
    casualties,
    contacts,
    facts,
    fire,
    ground,
    line_of_sight,
    rout,
    targets,
)
from battlesim.rulesets.regiment.facts import Charged, Reacted
from battlesim.rulesets.regiment.model import CHARGED, FLANK, FRONT, REAR, leads, type_of, unit_state
from battlesim.rulesets.regiment.move import FLIGHT

HOLD, STAND, FLEE = "hold", "stand", "flee"
_REACTIONS: dict[str, Answer] = {name: Order(name) for name in (HOLD, STAND, FLEE)}


class ChargeWhom(Ask, frozen=True):
    """Which enemy does the unit charge? Pass: none."""

    unit: int


class React(Ask, frozen=True):
    """A unit is charged by `other`: hold, stand and shoot, or flee?"""

    unit: int
    other: int


class Contact(Step, frozen=True):
    """The charge is moved."""

    unit: int
    target: int


# ---- who can be charged ----------------------------------------------------------------------------------------------


def can_charge(state: State, board: Board, unit: Unit, enemies: Nearby | None = None) -> bool:
    """Whether a unit might charge: it acts on its own, is free or attacks a garrison from outside (RG-ATT-5), and an enemy is
    near enough to check in detail. `enemies`: those of its side, if the caller checks many units."""
    mine = unit_state(unit)
    if not leads(unit) or mine.fleeing or mine.rallied or type_of(unit).engine or mine.moved:
        return False
    if contacts.is_locked(state, board, unit):
        return False
    if not ground.outdoors(board, unit.place):
        return bool(next_door(state, board, unit))
    far = charge_range(unit) * INCH + 3 * board.pitch + 8 * INCH
    foes = enemies.within(unit.place, far) if enemies else state.living(1 - unit.side)
    return any(leads(foe) and board.within(unit.place, foe.place, far) for foe in foes)


def charge_range(unit: Unit) -> int:
    """Inches of a charge: twice M; a flyer's flight."""
    kind = type_of(unit)
    return FLIGHT if kind.flyer else 2 * kind.m


def next_door(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies in the rooms next to a garrison's, by id."""
    room = ground.room_of(board, unit)
    if room is None:
        return []
    found = []
    for place in room.neighbours:
        foe = ground.holder(state, place)
        if foe is not None and foe.side != unit.side:
            found.append(foe.id)
    return sorted(found)


def charge_targets(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies that a unit can charge, by id, except those already in contact with it. A garrison charges those next door
    (RG-HOUSE-ROOMS)."""
    if not ground.outdoors(board, unit.place):
        return next_door(state, board, unit)
    known = ground.foes_of(unit)
    return [
        other.id
        for other in state.units.values()
        if other.side != unit.side
        and leads(other)
        and other.id not in known
        and route(state, board, unit, other) is not None
    ]


def route(state: State, board: Board, unit: Unit, foe: Unit) -> tuple[int, int, int] | None:
    """How a unit outside comes into contact with an enemy: (length, place, arc); None if it cannot.

    It must see the enemy in its front arc, and reach ground next to it on the side where it began, or ground from which it
    touches the outline of the enemy's building."""
    inches = charge_range(unit)
    if not board.within(unit.place, foe.place, inches * INCH + 3 * board.pitch + 8 * INCH):
        return None
    if not line_of_sight.in_front(board, unit, foe.place):
        return None
    room = ground.room_of(board, foe)
    if line_of_sight.sight(board, unit.place, foe.place) is None:
        return None
    if room is None and line_of_sight.screened(state, board, unit, foe):
        return None
    return _shortest(state, board, unit, foe, (ground.arc_of(board, foe, unit.place),))


def way_to_run_down(state: State, board: Board, unit: Unit, foe: Unit) -> tuple[int, int, int] | None:
    """How a charger reaches an enemy that has fled from it, as in `route`: seen or not, and from any side (RG-HOUSE-FLEE)."""
    return _shortest(state, board, unit, foe, (FRONT, FLANK, REAR))


def _shortest(
    state: State, board: Board, unit: Unit, foe: Unit, arcs: tuple[int, ...]
) -> tuple[int, int, int] | None:
    """The shortest way of a charge to ground next to an enemy in one of its arcs: (length, place, arc)."""
    best: tuple[int, int, int] | None = None
    for place, arc in _contact_places(state, board, unit, foe, arcs):
        length = _length(state, board, unit, charge_range(unit), place)
        if length is not None and (best is None or (length, place) < best[:2]):
            best = (length, place, arc)
    return best


def _contact_places(
    state: State, board: Board, unit: Unit, foe: Unit, arcs: tuple[int, ...]
) -> list[tuple[int, int]]:
    """The free places from which a unit touches an enemy, each with the arc of the enemy that it is in."""
    room = ground.room_of(board, foe)
    if room is not None:
        near = [node for node, _ in ground.contacts_for(unit, room)]
    else:
        near = [place for place, _ in ground.neighbours(state, board, foe.place)]
    places = [(place, ground.arc_of(board, foe, place)) for place in near]
    places = [(place, arc) for place, arc in places if arc in arcs]
    return [(place, arc) for place, arc in places if place == unit.place or place not in state.at]


def _length(state: State, board: Board, unit: Unit, inches: int, place: int) -> int | None:
    if place == unit.place:
        return 0
    if type_of(unit).flyer:
        far = board.distance(unit.place, place)
        return far if far <= inches * INCH else None
    return ground.reach(state, board, unit, inches).get(place)


def legal_charge_whom(state: State, board: Board, ask: ChargeWhom) -> Sequence[Answer]:
    """Pass, unless the unit is in frenzy, free and has a target (RG-HOUSE-TRAITS); then enemies by id."""
    unit = state.units[ask.unit]
    found: list[Answer] = [numbered(TargetUnit, target) for target in charge_targets(state, board, unit)]
    return found if found and type_of(unit).frenzy and not unit_state(unit).foes else [Pass(), *found]


# ---- the charge ------------------------------------------------------------------------------------------------------


def resolve_charge_whom(r: Resolution, ask: ChargeWhom, said: Answer) -> None:
    """A charge is declared; the enemy reacts; then it is moved."""
    if not isinstance(said, TargetUnit):
        return
    unit, foe = r.state.units[ask.unit], r.state.units[said.unit]
    if not ground.outdoors(r.board, unit.place):
        inside(r, unit, foe)
        return
    found = route(r.state, r.board, unit, foe)
    if found is None:
        return
    clauses: Clauses = ("RG-HOUSE-MOVE",)
    if type_of(unit).frenzy:
        clauses += ("RG-HOUSE-TRAITS",)
    if unit_state(unit).foes:
        clauses += ("RG-ATT-5",)
    r.because(Charged(unit.id, foe.id, found[2], clauses=clauses))
    r.set(unit.id, clauses, moved=CHARGED)
    r.then(React(foe.id, unit.id, side=foe.side), Contact(unit.id, foe.id))


def inside(r: Resolution, unit: Unit, foe: Unit) -> None:
    """A garrison attacks an enemy in the next room (RG-HOUSE-ROOMS); a fleeing one is destroyed."""
    clauses: Clauses = ("RG-HOUSE-ROOMS",)
    r.because(facts.BreaksIn(unit=unit.id, other=foe.id, place=foe.place, clauses=clauses))
    r.set(unit.id, clauses, moved=CHARGED)
    if unit_state(foe).fleeing:
        clauses += ("RG-HOUSE-FLEE",)
        r.because(facts.RunDown(unit=foe.id, other=unit.id, clauses=clauses))
        casualties.capture_standards(r, foe, r.state.units[unit.id])
        casualties.destroy(r, foe, "run down", clauses)
        return
    contacts.engage(r, r.state.units[unit.id], r.state.units[foe.id], FRONT, clauses)


def legal_react(state: State, board: Board, ask: React) -> Sequence[Answer]:
    """Hold; stand and shoot, if the unit can; flee, if it is free, outdoors and not in frenzy. A unit already fleeing can only
    flee again, one in contact can only hold."""
    unit, other = state.units[ask.unit], state.units[ask.other]
    if unit_state(unit).fleeing:
        return (_REACTIONS[FLEE],)
    if unit_state(unit).foes:
        return (_REACTIONS[HOLD],)
    found = [_REACTIONS[HOLD]]
    if targets.can_stand_and_shoot(state, board, unit, other):
        found.append(_REACTIONS[STAND])
    if ground.outdoors(board, unit.place) and not type_of(unit).frenzy:
        found.append(_REACTIONS[FLEE])
    return found


def resolve_react(r: Resolution, ask: React, said: Order) -> None:
    """The charged unit shoots, or turns to flee; holding does nothing."""
    unit = r.state.units[ask.unit]
    clauses: Clauses = ("RG-HOUSE-MOVE",)
    r.because(Reacted(ask.unit, ask.other, said.name, clauses=clauses))
    if said.name == STAND:
        r.then(fire.Volley(ask.unit, ask.other, True))
    elif said.name == FLEE:
        if unit_state(unit).fleeing:
            r.then(rout.Flee(ask.unit, ask.other, True))
        else:
            rout.take_flight(r, unit, ask.other)


def contact(r: Resolution, step: Contact) -> None:
    """The charger comes into contact, runs down a fleeing unit, or falls short."""
    unit, foe = r.state.units[step.unit], r.state.units[step.target]
    if not leads(unit) or unit_state(unit).fleeing:
        return
    if not foe.alive:
        return
    way_of_charge = way_to_run_down if unit_state(foe).fleeing else route
    found = way_of_charge(r.state, r.board, unit, foe)
    clauses: Clauses = ("RG-HOUSE-MOVE",)
    if found is None:
        _short(r, unit, foe, clauses)
        return
    _, place, arc = found
    facing = ground.towards(r.board, place, foe.place)
    way = _path(r.state, r.board, unit, place)
    if unit_state(foe).fleeing:
        clauses += ("RG-HOUSE-FLEE",)
        _move(r, unit, way, facing, clauses)
        r.because(facts.RunDown(unit=foe.id, other=unit.id, clauses=clauses))
        casualties.capture_standards(r, foe, r.state.units[unit.id])
        casualties.destroy(r, foe, "run down", clauses)
        return
    room = ground.room_of(r.board, foe)
    if room is not None:
        clauses += ("RG-ATT-1",) if not room.upper else ("RG-ATT-1", "RG-PART-2")
    else:
        clauses += ("RG-HOUSE-FORM",)
    _move(r, unit, way, facing, clauses)
    r.emit(facts.InContact(unit=unit.id, other=foe.id, place=place, number=arc, clauses=clauses))
    contacts.engage(r, r.state.units[unit.id], r.state.units[foe.id], arc, clauses)


def _move(r: Resolution, unit: Unit, way: tuple[int, ...], facing: int, clauses: Clauses) -> None:
    """The charger moves, and ends contact with a garrison that it no longer touches (RG-ATT-5)."""
    ground.put(r, unit, way, facing, clauses)
    contacts.after_move(r, r.state.units[unit.id], clauses)


def _short(r: Resolution, unit: Unit, foe: Unit, clauses: Clauses) -> None:
    """A charge that falls short goes M inches on its way."""
    goal = r.board.spaces[foe.place].point
    place = rout.nearest_free_ground(r.state, r.board, unit, goal, type_of(unit).m * INCH)
    r.because(facts.FallsShort(unit=unit.id, other=foe.id, place=place, clauses=clauses))
    if place != unit.place:
        way = ground.path(r.state, r.board, unit, rout.LONGEST, place)
        _move(r, unit, way, ground.towards(r.board, unit.place, place), clauses)


def _path(state: State, board: Board, unit: Unit, place: int) -> tuple[int, ...]:
    if place == unit.place:
        return (place,)
    if type_of(unit).flyer:
        return (unit.place, place)
    return ground.path(state, board, unit, charge_range(unit), place)


CHAPTER = Chapter(
    owns=("RG-ATT-1", "RG-HOUSE-ROOMS"),
    asks={ChargeWhom: (legal_charge_whom, resolve_charge_whom), React: (legal_react, resolve_react)},
    steps={Contact: contact},
)
