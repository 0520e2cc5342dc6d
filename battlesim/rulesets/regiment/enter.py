"""Entering and leaving buildings (RG-MOVE-2..5, RG-PART-4). Read `garrison`; `ways_in` and `ways_out` say what is possible."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import contacts, facts, form, ground, rooms
from battlesim.rulesets.regiment.model import FRONT, type_of, unit_state
from battlesim.rulesets.regiment.rooms import CAPACITY, Room


def is_open_to(state: State, unit: Unit, room: Room) -> bool:
    """Whether a unit could be in a room that is now empty."""
    return (
        rooms.may_hold(type_of(unit), room)
        and ground.is_free(state, room.place)
        and not rooms.is_closed(state, room)
    )


def ways_in(state: State, board: Board, unit: Unit, lengths: dict[int, int]) -> dict[int, tuple[int, int]]:
    """Empty rooms that a unit outside can enter by a ground move: room -> (length, node from which it touches the outline).
    `lengths`: the ground it reaches, including its own place at 0 (RG-MOVE-2). A unit cannot end its move in a friend's place,
    but can enter a room from there."""
    kind = type_of(unit)
    if kind.kind not in ("infantry", "mi"):
        return {}
    known = rooms.rooms_of(board)
    found: dict[int, tuple[int, int]] = {}
    for node, far in lengths.items():
        for place, _ in known.touched.get(node, ()):
            if kind.flyer and known.by_place[place].tall:
                above = known.by_section[known.by_place[place].section][1]
                if above not in found and is_open_to(state, unit, known.by_place[above]):
                    found[above] = (far, node)
            if place not in found and is_open_to(state, unit, known.by_place[place]):
                found[place] = (far, node)
    return found


def ways_out(state: State, unit: Unit, room: Room) -> list[int]:
    """Free ground by the outline where a rear-rank model can stay in contact (RG-MOVE-4), by number."""
    return [node for node, _ in ground.contacts_for(unit, room) if ground.is_free(state, node)]


def next_rooms(state: State, board: Board, unit: Unit, room: Room) -> list[int]:
    """Empty rooms next door (RG-MOVE-2), by number."""
    known = rooms.rooms_of(board).by_place
    return [place for place in room.neighbours if is_open_to(state, unit, known[place])]


def surplus(state: State, unit: Unit, room: Room) -> int:
    """Models that do not fit (RG-MOVE-3); at least one of the unit's own always stays."""
    over = form.strength(state, unit) - room.capacity
    if over <= 0:
        return 0
    return min(unit.models - 1, -(-over // type_of(unit).us))


def garrison(r: Resolution, unit: Unit, place: int, clauses: Clauses, route: tuple[int, ...] = ()) -> None:
    """A unit takes a room. Models that do not fit are lost (RG-MOVE-3); enemies next door are attacked (RG-PART-4), the unit
    counting as a charger (RG-HOUSE-ROOMS)."""
    state, board = r.state, r.board
    room = rooms.rooms_of(board).by_place[place]
    over = surplus(state, unit, room)
    size: Clauses = ("RG-CAP-2",) if room.capacity == CAPACITY and not room.roomy else ("RG-CAP-1",)
    if rooms.is_part(board, room):
        size += ("RG-PART-1",)
    if room.upper:
        size += ("RG-PART-2",)
        if ground.outdoors(board, unit.place) and type_of(unit).flyer:
            size += ("RG-MOVE-5",)
    r.because(facts.Occupies(unit=unit.id, place=place, section=room.section, clauses=clauses + size))
    if over:
        r.lose(unit, over, "no room", ("RG-MOVE-3", *size))
        unit = state.units[unit.id]
    came = route or (unit.place, place)
    ground.put(r, unit, (*came, place) if came[-1] != place else came, unit.facing, clauses)
    contacts.after_move(r, unit, clauses)
    for other in room.neighbours:
        foe = ground.holder(state, other)
        if foe is not None and foe.side != unit.side and not unit_state(foe).fleeing:
            more: Clauses = ("RG-PART-3", "RG-PART-4", "RG-HOUSE-ROOMS")
            r.emit(facts.BreaksIn(unit=unit.id, other=foe.id, place=other, clauses=more))
            contacts.engage(r, state.units[unit.id], state.units[foe.id], FRONT, more)


def joins(state: State, board: Board, unit: Unit, other: Unit) -> bool:
    """Whether a character may join a unit: a friend of its own kind that neither flees nor is in contact; in a building only if
    there is room for one more (RG-HOUSE-AURA, RG-MOVE-2)."""
    kind, theirs = type_of(unit), type_of(other)
    if not kind.character or theirs.character or kind.kind != theirs.kind or theirs.flyer != kind.flyer:
        return False
    if other.side != unit.side or unit_state(other).fleeing or unit_state(other).foes:
        return False
    room = ground.room_of(board, other)
    return room is None or form.strength(state, other) + kind.us <= room.capacity


def join(r: Resolution, unit: Unit, other: Unit, route: tuple[int, ...], clauses: Clauses) -> None:
    """A character joins a unit."""
    r.because(facts.Joins(unit=unit.id, other=other.id, place=other.place, clauses=clauses))
    r.move(unit, (*route, other.place) if route[-1] != other.place else route, clauses, other.facing)
    contacts.disengage_all(r, unit, clauses)
    r.set(unit.id, clauses, joined=other.id, charged=False, charges=())


CHAPTER = Chapter(owns=("RG-MOVE-2", "RG-MOVE-3", "RG-MOVE-4", "RG-MOVE-5", "RG-PART-4"))
