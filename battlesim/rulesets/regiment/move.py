"""The movement phase: orders, advance, run, flying, facing, reforming (RG-HOUSE-MOVE, RG-HOUSE-FORM, RG-MOVE-1).

Read `legal_which_order`, then `destinations`. Entering and leaving buildings is in `enter.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Face, MoveTo, Order, Pass, numbered
from battlesim.core.geometry import INCH, Point, distance, in_arc, in_polygon
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import contacts, enter, facts, form, ground, line_of_sight, rooms
from battlesim.rulesets.regiment.model import MOVED, RAN, company, flees, leads, type_of, unit_state

HOLD, ADVANCE, RUN, FLY, WIDE, DEEP = "hold", "advance", "run", "fly", "wide", "deep"
ORDERS: tuple[str, ...] = (HOLD, ADVANCE, RUN, FLY, WIDE, DEEP)
NEAR = 8 * INCH
"""No unit runs with an enemy this near (RG-HOUSE-MOVE)."""
FLIGHT = 20
"""Inches a flyer flies (RG-HOUSE-TRAITS)."""
WIDENED = 2
"""A wide formation has this many times the files of the narrowest."""

_ORDERS: dict[str, Answer] = {name: Order(name) for name in ORDERS}
_FACES: tuple[Face, ...] = tuple(Face(facing) for facing in range(8))


class WhichOrder(Ask, frozen=True):
    """What does the unit do in the movement phase?"""

    unit: int


class WhereTo(Ask, frozen=True):
    """Where does the unit go under this order? Pass stays. A room is occupied, a friend is joined."""

    unit: int
    order: str


class FaceWhere(Ask, frozen=True):
    """Which way does the unit face? `left`: the room it just left, whose wall its rear rank still touches (-1: none)."""

    unit: int
    left: int = -1


# ---- orders ----------------------------------------------------------------------------------------------------------


def can_act(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit has a part in the movement phase: not fleeing, not locked in combat, not having charged. A character with a
    unit may leave it if that unit could move."""
    if not unit.alive or unit.place < 0:
        return False
    mine = unit_state(unit)
    if mine.joined >= 0:
        host = state.units[mine.joined]
        theirs = unit_state(host)
        # a unit that has just rallied only reforms, and so do its characters (RG-HOUSE-FLEE)
        stays = theirs.fleeing or theirs.rallied or contacts.is_locked(state, board, host)
        return not (stays or theirs.moved or mine.moved)
    if mine.fleeing or mine.moved:
        return False
    return not contacts.is_locked(state, board, unit)


def may_run(state: State, board: Board, unit: Unit) -> bool:
    """Whether no enemy is within 8 inches, ignoring those in flight; a garrison counts from the outline of its building
    (RG-MOVE-2)."""
    return not any(
        other.place >= 0
        and other.side != unit.side
        and not flees(state, other)
        and line_of_sight.flat_distance(board, unit, other) <= NEAR
        for other in state.units.values()
    )


def orders(state: State, board: Board, unit: Unit) -> list[str]:
    """The orders open to a unit, hold first."""
    mine, kind = unit_state(unit), type_of(unit)
    if mine.joined >= 0:
        return [HOLD, ADVANCE]
    # A unit that a character has joined this turn moves no more, so that nobody goes farther than his move (RG-HOUSE-MOVE).
    stays = mine.rallied or any(unit_state(one).moved for one in company(state, unit))
    if not ground.outdoors(board, unit.place):
        return [HOLD] if stays else [HOLD, ADVANCE]
    names = [HOLD]
    if not stays:
        names.append(ADVANCE)
        if kind.flyer:
            names.append(FLY)
        elif not kind.engine and may_run(state, board, unit):
            names.append(RUN)
    if kind.kind in ("infantry", "cavalry", "mi") and not kind.character:
        least = kind.minimum
        if unit.models > least:
            names.append(DEEP if mine.files > least else WIDE)
    return names


def legal_which_order(state: State, board: Board, ask: WhichOrder) -> Sequence[Answer]:
    """Orders the unit can carry out: hold, advance, run or fly, wide or deep."""
    return [_ORDERS[name] for name in orders(state, board, state.units[ask.unit])]


def resolve_which_order(r: Resolution, ask: WhichOrder, said: Order) -> None:
    """Ask where to, or change formation at once. A unit that stays where it is may still turn."""
    unit = r.state.units[ask.unit]
    if said.name in (ADVANCE, RUN, FLY):
        r.then(WhereTo(unit.id, said.name, side=ask.side))
        return
    if said.name in (WIDE, DEEP):
        files = type_of(unit).minimum * (WIDENED if said.name == WIDE else 1)
        clauses: Clauses = ("RG-HOUSE-FORM",)
        if unit_state(unit).foes:
            clauses += ("RG-ATT-5",)
        formed = facts.Wide if said.name == WIDE else facts.Deep
        before = r.cause
        r.because(formed(unit=unit.id, number=files, clauses=clauses))
        r.set(unit.id, clauses, files=files, moved=MOVED)
        r.cause = before  # it may turn whether or not it changed formation
    if unit_state(unit).joined < 0:
        r.then(face(r.board, unit))


def face(board: Board, unit: Unit, left: int = -1) -> FaceWhere | None:
    """The question where a unit faces; none in a building or in contact. `left`: the room it just left."""
    if not leads(unit) or not ground.outdoors(board, unit.place) or unit_state(unit).foes:
        return None
    return FaceWhere(unit.id, left, side=unit.side)


# ---- where to --------------------------------------------------------------------------------------------------------


def lengths(state: State, board: Board, unit: Unit, inches: int) -> dict[int, int]:
    """Ground that a unit reaches, its own place first."""
    return {unit.place: 0, **ground.reach(state, board, unit, inches)}


def destinations(state: State, board: Board, unit: Unit, order: str) -> list[int]:
    """Where an order can end: ground by length, then rooms, then friends to join, each by number."""
    kind = type_of(unit)
    room = ground.room_of(board, unit)
    if order == FLY:
        here, down = board.spaces[unit.place].point, ground.open_ruins(board)
        return [
            s.id
            for s in board.spaces
            # open ruins are ground, too (RG-SCEN-1)
            if (s.kind == "ground" or (s.kind == "ruin" and s.section in down))
            and s.id not in state.at
            and s.terrain != "water"
            and abs(s.x - here[0]) <= FLIGHT * INCH
            and distance(here, s.point) <= FLIGHT * INCH
        ]
    if room is not None:
        found = enter.ways_out(state, unit, room) + enter.next_rooms(state, board, unit, room)
        if not kind.character:
            return found
        near = [*room.neighbours, *(node for node, _ in ground.contacts_for(unit, room))]
        return found + _friends(state, board, unit, near)
    inches = 2 * kind.m if order == RUN else kind.m
    within = lengths(state, board, unit, inches)
    found = [place for place in within if place not in state.at]
    if order == ADVANCE:
        found += sorted(enter.ways_in(state, board, unit, within))
        if kind.character:
            near = [place for place in within if place != unit.place]
            for place in within:
                near += [touched for touched, _ in rooms.rooms_of(board).touched.get(place, ())]
            found += _friends(state, board, unit, near)
    return found


def _friends(state: State, board: Board, unit: Unit, places: Sequence[int]) -> list[int]:
    """The places, out of some, where a friend stands that a character may join."""
    found: dict[int, None] = {}
    for place in places:
        other = ground.holder(state, place)
        if (
            other is not None
            and other.id != unit_state(unit).joined
            and enter.joins(state, board, unit, other)
        ):
            found[place] = None
    return sorted(found)


def legal_where_to(state: State, board: Board, ask: WhereTo) -> Sequence[Answer]:
    """Stay; then the places of `destinations`."""
    unit = state.units[ask.unit]
    return [Pass(), *(numbered(MoveTo, place) for place in destinations(state, board, unit, ask.order))]


def resolve_where_to(r: Resolution, ask: WhereTo, said: Answer) -> None:
    """Carry out the move; then the unit chooses its facing after an Advance, or faces along its path after a Run."""
    unit = r.state.units[ask.unit]
    if not isinstance(said, MoveTo):
        if unit_state(unit).joined < 0:
            r.then(face(r.board, unit))
        return
    state, board = r.state, r.board
    clauses: Clauses = ("RG-HOUSE-MOVE",)
    if unit_state(unit).foes:
        clauses += ("RG-ATT-5",)
    friend = ground.holder(state, said.place)
    route = _route(state, board, unit, ask.order, said.place)
    clauses += _on_the_way(board, route)
    r.set(unit.id, clauses, moved=RAN if ask.order == RUN else MOVED, joined=-1)
    unit = state.units[unit.id]
    if friend is not None:
        enter.join(r, unit, friend, route, (*clauses, "RG-HOUSE-AURA", *_by_outline(board, friend)))
    elif not ground.outdoors(board, said.place):
        enter.garrison(r, unit, said.place, ("RG-MOVE-2",), route)
    else:
        _walk(r, unit, ask.order, route, clauses)


def _by_outline(board: Board, friend: Unit) -> Clauses:
    return () if ground.outdoors(board, friend.place) else ("RG-MOVE-2",)


def facing_after_run(state: State, board: Board, unit: Unit, goal: int) -> int:
    """Which way a unit will face once it has run to a place outdoors."""
    return _along(board, _route(state, board, unit, RUN, goal))


def _along(board: Board, route: tuple[int, ...]) -> int:
    """The facing along the last step of a path."""
    return ground.towards(board, route[-2], route[-1])


def _walk(r: Resolution, unit: Unit, order: str, route: tuple[int, ...], clauses: Clauses) -> None:
    facing = unit.facing
    left = -1 if ground.outdoors(r.board, unit.place) else unit.place
    if left >= 0:
        clauses += ("RG-MOVE-4",)
        r.emit(facts.Leaves(unit=unit.id, place=unit.place, clauses=clauses))
        facing = ground.towards(r.board, unit.place, route[-1])
        least = type_of(unit).minimum
        if unit_state(unit).files < min(least, unit.models):
            r.set(unit.id, clauses, files=least)
    elif order == RUN and len(route) > 1:
        clauses += ("RG-HOUSE-FORM",)
        facing = _along(r.board, route)
    if order == FLY:
        clauses += ("RG-HOUSE-TRAITS",)
        facing = ground.towards(r.board, unit.place, route[-1])
    ground.put(r, unit, route, facing, clauses)
    unit = r.state.units[unit.id]
    contacts.after_move(r, unit, clauses)
    if order != RUN:
        r.then(face(r.board, r.state.units[unit.id], left))


def _route(state: State, board: Board, unit: Unit, order: str, goal: int) -> tuple[int, ...]:
    """The spaces a move passes, both ends included. Into a room it leads over ground that touches the building."""
    if order == FLY or not ground.outdoors(board, unit.place):
        return (unit.place, goal)
    inches = type_of(unit).m * (2 if order == RUN else 1)
    if ground.outdoors(board, goal):
        return ground.path(state, board, unit, inches, goal) or (unit.place, goal)
    within = lengths(state, board, unit, inches)
    found = enter.ways_in(state, board, unit, within).get(goal)
    if found is None:  # a friend's room: from the first node that touches it
        room = rooms.rooms_of(board).by_place[goal]
        node = next(place for place in within if ground.wall_for(board, unit, place, room) >= 0)
    else:
        node = found[1]
    return (*(ground.path(state, board, unit, inches, node) or (unit.place,)), goal)


def _on_the_way(board: Board, route: tuple[int, ...]) -> Clauses:
    """The clauses for the ground on a route: rough ground and obstacles that slowed it, a house that it went around."""
    clauses: Clauses = ()
    for a, b in pairwise(route):
        way = ground.way_between(board, a, b)
        if way is not None and (way.rough or way.obstacle or way.kind == "ruin"):
            clauses = ("RG-SCEN-1",) if way.kind == "ruin" else ()
            clauses += ("RG-HOUSE-TERRAIN",)
            break
    if len(route) > 2 and ground.outdoors(board, route[-1]) and _house_between(board, route[0], route[-1]):
        clauses += ("RG-MOVE-1",)
    return clauses


def _house_between(board: Board, a: int, b: int) -> bool:
    """Whether a house stands on the straight line between two places."""
    p, q = board.spaces[a].point, board.spaces[b].point
    points: list[Point] = [
        (p[0] + (q[0] - p[0]) * i // 8, p[1] + (q[1] - p[1]) * i // 8) for i in range(1, 8)
    ]
    down = ground.open_ruins(board)
    return any(
        in_polygon(point, section.polygon)
        for section in board.sections
        if section.id not in down and _near(section.polygon, p, q)
        for point in points
    )


def _near(polygon: tuple[Point, ...], p: Point, q: Point) -> bool:
    xs, ys = [c[0] for c in polygon], [c[1] for c in polygon]
    return (
        min(xs) <= max(p[0], q[0])
        and max(xs) >= min(p[0], q[0])
        and min(ys) <= max(p[1], q[1])
        and max(ys) >= min(p[1], q[1])
    )


# ---- facing ----------------------------------------------------------------------------------------------------------


def legal_face_where(state: State, board: Board, ask: FaceWhere) -> Sequence[Answer]:
    """The eight facings; for a unit that just left a room, those that keep a model of its rear rank at the wall: rear or flank to
    it, or any in a single rank (RG-MOVE-4)."""
    unit = state.units[ask.unit]
    room = rooms.room_at(board, ask.left) if ask.left >= 0 else None
    if room is None or form.ranks(unit, None) == 1:
        return _FACES
    here, wall = board.spaces[unit.place].point, ground.touched_at(board, unit, room)
    return [face for face in _FACES if not in_arc(here, face.facing, wall)]


def resolve_face_where(r: Resolution, ask: FaceWhere, said: Face) -> None:
    """The unit turns on the spot."""
    unit = r.state.units[ask.unit]
    if said.facing != unit.facing:
        ground.put(r, unit, (unit.place,), said.facing, ("RG-HOUSE-FORM",))


CHAPTER = Chapter(
    owns=("RG-HOUSE-MOVE", "RG-HOUSE-FORM", "RG-HOUSE-TERRAIN", "RG-MOVE-1"),
    asks={
        WhichOrder: (legal_which_order, resolve_which_order),
        WhereTo: (legal_where_to, resolve_where_to),
        FaceWhere: (legal_face_where, resolve_face_where),
    },
)
