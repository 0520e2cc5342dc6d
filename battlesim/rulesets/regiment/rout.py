"""Flight and pursuit (RG-HOUSE-FLEE, RG-HOUSE-RESULT, RG-RES-4, RG-HOUSE-RANKS). Read `take_flight`; a lost combat ends in
`Rout`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm
from battlesim.core.geometry import FACINGS, INCH, Point, distance, facing_towards
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import casualties, contacts, enter, facts, ground, rooms
from battlesim.rulesets.regiment.model import attempt, leads, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room
from battlesim.rulesets.regiment.tables import flight_dice

NEAR = 8 * INCH
"""Enemies within this distance count when a garrison looks for a way out."""
OFF = -1
"""In place of a space: flight leads off the table."""
LONGEST = 18
"""The maximum of three dice."""


class Flee(Step, frozen=True):
    """A unit flees from an enemy (-1: from all of them). `again`: it fled already, and this enemy charges it."""

    unit: int
    source: int = -1
    again: bool = False


class Rout(Step, frozen=True):
    """A unit that broke in close combat turns to flee; its enemies may pursue. `stood`: where the enemy from which it flees stood
    in the fight, since that one may have pursued another by now (-1: it is still in contact)."""

    unit: int
    stood: int = -1


class Pursue(Ask, frozen=True):
    """Does the unit pursue the one that flees from it? `rest`: units to ask next; `after`: units already pursuing; `stood`:
    see `Rout`."""

    unit: int
    prey: int
    rest: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    stood: int = -1


class Flight(Step, frozen=True):
    """Flight and pursuit in the open."""

    unit: int
    after: tuple[int, ...]
    stood: int = -1


class FollowIn(Ask, frozen=True):
    """Does the unit follow into the room whose garrison (`prey`, -1: none is left) breaks, and hold it?"""

    unit: int
    place: int
    prey: int = -1


# ---- where to --------------------------------------------------------------------------------------------------------


def dice_of(unit: Unit) -> int:
    """Dice for a unit's flight and pursuit."""
    return flight_dice(type_of(unit).m)


def fled_from(state: State, board: Board, unit: Unit, source: int) -> Point:
    """The point a unit flees from: an enemy's place, else the centre of the living enemies. From a friend whose stray shot makes
    it panic it does not flee: flight is from the enemy (RG-HOUSE-FLEE)."""
    other = state.units.get(source)
    if other is not None and other.side != unit.side and other.place >= 0:
        return board.spaces[other.place].point
    points = [
        board.spaces[u.place].point for u in state.units.values() if u.place >= 0 and u.side != unit.side
    ]
    if not points:
        return board.spaces[unit.place].point
    return (sum(p[0] for p in points) // len(points), sum(p[1] for p in points) // len(points))


def straight_away(board: Board, unit: Unit, away: Point, length: int) -> Point:
    """The point at a length straight away from another; towards the unit's rear if they coincide."""
    here = board.spaces[unit.place].point
    dx, dy = here[0] - away[0], here[1] - away[1]
    if not dx and not dy:
        dx, dy = FACINGS[(unit.facing + 4) % 8]
    far = max(1, distance((0, 0), (dx, dy)))
    return (here[0] + dx * length // far, here[1] + dy * length // far)


def flight_end(state: State, board: Board, unit: Unit, goal: Point, length: int) -> int:
    """Where flight towards a point ends: the nearest free ground in reach; OFF if the point is off the table."""
    if not (0 <= goal[0] <= board.size[0] and 0 <= goal[1] <= board.size[1]):
        return OFF
    return nearest_free_ground(state, board, unit, goal, length)


def nearest_free_ground(state: State, board: Board, unit: Unit, goal: Point, length: int) -> int:
    """The free ground in reach nearest to a point; the unit's own place if none is nearer."""
    found = ground.reach(state, board, unit, LONGEST)
    best = (distance(board.spaces[unit.place].point, goal), unit.place)
    for place, far in found.items():
        if far > length:
            break
        if ground.is_free(state, place):
            best = min(best, (distance(board.spaces[place].point, goal), place))
    return best[1]


# ---- fleeing ---------------------------------------------------------------------------------------------------------


def take_flight(r: Resolution, unit: Unit, source: int) -> None:
    """A unit turns and flees at once."""
    contacts.disengage_all(r, unit)
    r.set(unit.id, ("RG-HOUSE-FLEE",), fleeing=True, charged=False, charges=())
    r.then(Flee(unit.id, source))


def flee(r: Resolution, step: Flee) -> None:
    """2D6, or 3D6 if it is fast, away from the enemy; off the table it is destroyed. A garrison flees out of its building."""
    unit = r.state.units[step.unit]
    if not leads(unit) or not unit_state(unit).fleeing:
        return
    clauses: Clauses = ("RG-HOUSE-FLEE",)
    room = ground.room_of(r.board, unit)
    if room is not None and not leave_room(r, unit, room):
        return
    unit = r.state.units[step.unit]
    # The enemy that charges may be the one whose volley put it to flight in this phase.
    why = "flee again" if step.again else "flee"
    length = r.total(dice_of(unit), 6, why, unit.id, step.source, attempt(r.state), clauses=clauses) * INCH
    goal = straight_away(r.board, unit, fled_from(r.state, r.board, unit, step.source), length)
    flee_towards(r, unit, goal, length, clauses)


def flee_towards(r: Resolution, unit: Unit, goal: Point, length: int, clauses: Clauses) -> None:
    """The flight itself, so many hundredths towards a point."""
    place = flight_end(r.state, r.board, unit, goal, length)
    facing = facing_towards(r.board.spaces[unit.place].point, goal)
    if place == OFF:
        r.because(facts.FledOff(unit=unit.id, clauses=clauses))
        casualties.destroy(r, unit, "fled off the table", clauses)
        return
    r.because(facts.Flees(unit=unit.id, place=place, number=length, clauses=clauses))
    route = ground.path(r.state, r.board, unit, LONGEST, place)
    ground.put(r, unit, route or (place,), facing, clauses)


def way_out(state: State, board: Board, unit: Unit, room: Room) -> int:
    """Where a garrison flees to: the free ground by its walls with the fewest enemies near, with ties the lowest number; -1 if
    there is none."""
    enemies = [
        board.spaces[u.place].point for u in state.units.values() if u.place >= 0 and u.side != unit.side
    ]
    found = [
        (sum(distance(board.spaces[node].point, p) <= NEAR for p in enemies), node)
        for node, _ in ground.contacts_for(unit, room)
        if ground.is_free(state, node)
    ]
    return min(found)[1] if found else -1


def leave_room(r: Resolution, unit: Unit, room: Room) -> bool:
    """A fleeing garrison leaves its room; False if it goes no further: it is in a free room next door, or lost."""
    clauses: Clauses = ("RG-HOUSE-FLEE", "RG-MOVE-4")
    place = way_out(r.state, r.board, unit, room)
    if place >= 0:
        r.because(facts.FleesOut(unit=unit.id, place=place, clauses=clauses))
        facing = ground.towards(r.board, unit.place, place)
        ground.put(r, unit, (unit.place, place), facing, clauses)
        return True
    for other in room.neighbours:
        next_door = rooms.room_at(r.board, other)
        if next_door and enter.is_open_to(r.state, unit, next_door):
            r.because(facts.FleesNextDoor(unit=unit.id, place=other, clauses=clauses))
            over = enter.surplus(r.state, unit, next_door)
            if over:
                r.lose(unit, over, "no room", ("RG-MOVE-3",))
                unit = r.state.units[unit.id]
            ground.put(r, unit, (unit.place, other), unit.facing, clauses)
            return False
    r.because(facts.Trapped(unit=unit.id, clauses=clauses))
    casualties.destroy(r, unit, "no way out", clauses)
    return False


# ---- pursuit ---------------------------------------------------------------------------------------------------------


def fights_others(state: State, unit: Unit, prey: int) -> bool:
    """Whether a unit has other enemies to fight besides the one that flees from it."""
    return any(foe != prey and not unit_state(state.units[foe]).fleeing for foe in ground.foes_of(unit))


def may_pursue(state: State, board: Board, unit: Unit, prey: Unit) -> bool:
    """Whether a unit may pursue another into the open: it is outside (RG-RES-4), not an engine, and fights no one else."""
    return (
        unit.alive
        and not unit_state(unit).fleeing
        and not type_of(unit).engine
        and ground.outdoors(board, unit.place)
        and not fights_others(state, unit, prey.id)
    )


def may_follow(state: State, board: Board, unit: Unit, room: Room, prey: int) -> bool:
    """Whether a unit may follow into a room: its type may be there and it fights no one else (RG-RES-4)."""
    if (
        not unit.alive
        or unit_state(unit).fleeing
        or not rooms.may_hold(type_of(unit), room)
        or fights_others(state, unit, prey)
    ):
        return False
    mine = ground.room_of(board, unit)
    if mine is not None:
        return room.place in mine.neighbours
    return ground.wall_for(board, unit, unit.place, room) >= 0


def rout(r: Resolution, step: Rout) -> None:
    """Units that may pursue are asked; then the broken unit flees. From a building, an enemy that follows in catches it."""
    unit = r.state.units[step.unit]
    if not unit.alive or not unit_state(unit).fleeing:
        return
    room = ground.room_of(r.board, unit)
    foes = [r.state.units[foe] for foe in ground.foes_of(unit)]
    if room is not None:
        asks: list[Item] = [
            FollowIn(foe.id, room.place, unit.id, side=foe.side)
            for foe in foes
            if may_follow(r.state, r.board, foe, room, unit.id)
        ]
        for foe in foes:
            if not rooms.may_hold(type_of(foe), room):
                r.emit(facts.StaysOut(unit=foe.id, place=room.place, clauses=("RG-RES-4",)))
        source = foes[0].id if foes else -1
        r.then(*asks, Break(unit.id), Flee(unit.id, source))
        return
    able = tuple(foe.id for foe in foes if may_pursue(r.state, r.board, foe, unit))
    _ask_on(r, unit.id, able, (), foes[0].place if foes else step.stood)


class Break(Step, frozen=True):
    """A fleeing unit is no longer in contact with any enemy."""

    unit: int


def break_away(r: Resolution, step: Break) -> None:
    """No enemy followed: the unit leaves the combat."""
    if r.state.units[step.unit].alive:
        contacts.disengage_all(r, r.state.units[step.unit], ("RG-HOUSE-FLEE",))


def _ask_on(r: Resolution, prey: int, rest: tuple[int, ...], after: tuple[int, ...], stood: int) -> None:
    if rest:
        r.then(Pursue(rest[0], prey, rest[1:], after, stood, side=r.state.units[rest[0]].side))
    else:
        r.then(Flight(prey, after, stood))


def legal_pursue(state: State, board: Board, ask: Pursue) -> Sequence[Answer]:
    """No, yes."""
    return (Confirm(False), Confirm(True))


def resolve_pursue(r: Resolution, ask: Pursue, said: Confirm) -> None:
    """The next enemy is asked; after the last one the unit flees."""
    _ask_on(r, ask.prey, ask.rest, (*ask.after, ask.unit) if said.yes else ask.after, ask.stood)


def flight(r: Resolution, step: Flight) -> None:
    """Dice against dice: the unit is destroyed if a pursuer rolls at least as much."""
    unit = r.state.units[step.unit]
    if not unit.alive or not unit_state(unit).fleeing:
        return
    clauses: Clauses = ("RG-HOUSE-RESULT", "RG-HOUSE-RANKS")
    now = attempt(r.state)
    length = r.total(dice_of(unit), 6, "flee", unit.id, -1, now, clauses=("RG-HOUSE-FLEE",)) * INCH
    rolled = [
        (
            number,
            r.total(dice_of(r.state.units[number]), 6, "pursue", number, unit.id, now, clauses=clauses)
            * INCH,
        )
        for number in step.after
    ]
    away = r.board.spaces[step.stood].point if step.stood >= 0 else fled_from(r.state, r.board, unit, -1)
    goal = straight_away(r.board, unit, away, length)
    begun = unit.place
    contacts.disengage_all(r, unit)
    catcher = next((number for number, far in rolled if far >= length), -1)
    before = r.cause
    if catcher >= 0:
        by = r.state.units[catcher]
        r.because(facts.Caught(unit=unit.id, other=catcher, clauses=clauses))
        casualties.capture_standards(r, unit, by)
        casualties.destroy(r, unit, "caught in flight", clauses)
    else:
        flee_towards(r, unit, goal, length, ("RG-HOUSE-FLEE",))
    r.cause = before  # they pursue, whether or not one of them catches it
    for number, far in rolled:
        _chase(r, r.state.units[number], begun, goal, far, clauses)


def _chase(r: Resolution, unit: Unit, begun: int, goal: Point, length: int, clauses: Clauses) -> None:
    """A pursuer goes as far as its dice say, in the direction of the flight, short of any unit."""
    if not unit.alive or unit.place < 0:
        return
    contacts.disengage_all(r, unit)  # it pursues no one else that flees from it
    here, start = r.board.spaces[unit.place].point, r.board.spaces[begun].point
    far = max(1, distance(start, goal))
    end = (here[0] + (goal[0] - start[0]) * length // far, here[1] + (goal[1] - start[1]) * length // far)
    place = nearest_free_ground(r.state, r.board, unit, end, length)
    facing = facing_towards(start, goal)
    route = ground.path(r.state, r.board, unit, LONGEST, place) or (unit.place,)
    r.emit(facts.Pursues(unit=unit.id, place=place, clauses=clauses))
    ground.put(r, unit, route, facing, clauses)


# ---- into a building -------------------------------------------------------------------------------------------------


def legal_follow_in(state: State, board: Board, ask: FollowIn) -> Sequence[Answer]:
    """No; yes, while the room can still be taken."""
    room = rooms.room_at(board, ask.place)
    unit = state.units[ask.unit]
    here = ground.holder(state, ask.place)
    if (
        room is None
        or not unit.alive
        or (here is not None and here.id != ask.prey)
        or rooms.is_closed(state, room)
        or not may_follow(state, board, unit, room, ask.prey)
    ):
        return (Confirm(False),)
    return (Confirm(False), Confirm(True))


def resolve_follow_in(r: Resolution, ask: FollowIn, said: Confirm) -> None:
    """The garrison is caught; its enemy holds the room and loses the models that do not fit (RG-MOVE-3)."""
    if not said.yes:
        return
    unit = r.state.units[ask.unit]
    clauses: Clauses = ("RG-RES-4",) if ask.prey >= 0 else ("RG-RES-4", "RG-HOUSE-ROOMS")
    if ask.prey >= 0 and r.state.units[ask.prey].alive:
        prey = r.state.units[ask.prey]
        r.because(facts.CaughtInside(unit=prey.id, other=unit.id, place=ask.place, clauses=clauses))
        casualties.capture_standards(r, prey, unit)
        casualties.destroy(r, prey, "caught in the house", clauses)
    if r.state.units[ask.unit].alive:
        r.then(TakeRoom(unit.id, ask.place, ask.prey < 0))


class TakeRoom(Step, frozen=True):
    """A unit follows into a room that was just emptied; `over`: by an overrun."""

    unit: int
    place: int
    over: bool


def take_room(r: Resolution, step: TakeRoom) -> None:
    """The unit goes into the room, if nobody has taken it."""
    unit = r.state.units[step.unit]
    if not unit.alive or not ground.is_free(r.state, step.place):
        return
    clauses: Clauses = ("RG-RES-4", "RG-HOUSE-ROOMS") if step.over else ("RG-RES-4",)
    contacts.disengage_all(r, unit, clauses)  # it follows no one else that flees from it
    unit = r.state.units[unit.id]
    enter.garrison(r, unit, step.place, clauses)


CHAPTER = Chapter(
    owns=("RG-HOUSE-FLEE", "RG-RES-4"),
    asks={Pursue: (legal_pursue, resolve_pursue), FollowIn: (legal_follow_in, resolve_follow_in)},
    steps={Flee: flee, Rout: rout, Break: break_away, Flight: flight, TakeRoom: take_room},
)
