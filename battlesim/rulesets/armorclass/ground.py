"""Reach of moves and room in spaces (AC-HOUSE-MOVE, AC-TYPE-3, AC-TYPE-5, AC-DEST-3).

Costs are hundredths of an inch: the length of a way, double over rough ground and obstacles; a window 2 inches more, a floor
3, doors and breaches nothing more; a tunnel its straight length. Read `reach`.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from operator import attrgetter
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, distance, point_segment_distance
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Structure, Unit
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.data import UnitType
from battlesim.rulesets.armorclass.model import type_of, unit_state

PACE: dict[str, int] = {
    "soldiers": 6 * INCH,
    "drone": 8 * INCH,
    "vehicle": 12 * INCH,
    "strongpoint": 0,
    "turret": 0,
}
"""The move of a unit that also fires, by kind."""
WINDOW, FLOOR = 2 * INCH, 3 * INCH
"""What a window costs to climb through, in addition to the way, and what a floor costs to climb."""
ROOM = 2
"""Friendly units that a space holds."""
CONTACT = 3 * INCH
"""A unit in front of a wall and no farther from it than this can work on it and go through its breach."""
NOBODY: frozenset[int] = frozenset()

DOOR, TUNNEL = "door", "tunnel"


class Exit(NamedTuple):
    """A step from one space to the next, `to`, and its `cost` in hundredths of an inch. `kind`: as `Way.kind`, or "tunnel"."""

    to: int
    cost: int
    kind: str
    section: int  # entered by this step, -1 none


class Reach(NamedTuple):
    """The reach of a move: costs by space in order of (cost, space), the space before each on the way, and the spaces that are
    passed on the way to others."""

    cost: dict[int, int]
    before: dict[int, int]
    passed: frozenset[int]


class Ways(NamedTuple):
    """The reach of a move and its ways: `safe` goes through no fire, `quick` is the shortest. `cost`: of the way taken, by space,
    in order of (cost, space)."""

    cost: dict[int, int]
    quick: Reach
    safe: Reach

    def path(self, start: int, goal: int) -> tuple[int, ...]:
        """The spaces from start to goal, both included: round a fire if that way reaches the goal, else through it."""
        return path_to(self.safe if goal in self.safe.cost else self.quick, start, goal)

    def fires(self, start: int, goal: int, burning: frozenset[int]) -> int:
        """How many `burning` spaces the way from start to goal enters."""
        if goal in self.safe.cost:
            return goal in burning
        return sum(place in burning for place in path_to(self.quick, start, goal)[1:])


def pace(kind: UnitType, run: bool = False) -> int:
    """How far a type of unit moves; double if it runs."""
    return PACE[kind.kind] * (2 if run else 1)


@owned_memo(bound=1)
def exits_of(board: Board) -> tuple[tuple[Exit, ...], ...]:
    """The ways out of every space on the unchanged map."""
    found: list[list[Exit]] = [[] for _ in board.spaces]

    def join(a: int, b: int, cost: int, kind: str) -> None:
        for one, other in ((a, b), (b, a)):
            space = board.spaces[other]
            section = space.section if space.kind == "floor" else -1
            if section >= 0 and board.spaces[one].section == section:
                section = -1
            found[one].append(Exit(other, cost, kind, section))

    for way in board.ways:
        if way.kind == "ruin" or way.water:
            continue
        if way.kind == "stairs":
            join(way.a, way.b, FLOOR, "stairs")
        elif way.kind == "door":
            window = board.openings[way.opening].kind == "window"
            cost = way.length * (2 if way.rough or way.obstacle else 1)
            join(way.a, way.b, cost + (WINDOW if window else 0), DOOR)
        else:
            join(way.a, way.b, way.length * (2 if way.rough or way.obstacle else 1), way.kind)
    for section, make in enumerate(works.makes(board)):
        for other in make.tunnels:
            if section < other or section not in works.make_of(board, other).tunnels:
                a, b = board.sections[section].spaces[0], board.sections[other].spaces[0]
                join(a, b, board.distance(a, b), TUNNEL)
    return tuple(tuple(sorted(out)) for out in found)


@owned_memo(bound=20_000)
def before_wall(board: Board, section: int, side: int) -> tuple[tuple[int, int], ...]:
    """Ground spaces in front of a wall and in contact with it: (space, distance), nearest first, three at most."""
    wall = board.sections[section].sides[side]
    (ax, ay), (bx, by) = wall.a, wall.b
    near: list[tuple[int, int]] = []
    for space in board.spaces:
        if space.kind != "ground" or space.terrain == "water":
            continue
        if (bx - ax) * (space.y - ay) - (by - ay) * (space.x - ax) >= 0:
            continue  # behind it or in line with it: the section lies on the left of a to b
        along = (space.x - ax) * (bx - ax) + (space.y - ay) * (by - ay)
        if not 0 <= along <= (bx - ax) ** 2 + (by - ay) ** 2:
            continue
        far = point_segment_distance(space.point, wall.a, wall.b)
        if far <= CONTACT:
            near.append((far, space.id))
    return tuple((place, far) for far, place in sorted(near)[:3])


def walls_in_contact(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """The (section, side) of outer walls that a unit on a ground space can work on."""
    return _contacts(board).get(place, ())


@owned_memo(bound=1)
def _contacts(board: Board) -> dict[int, tuple[tuple[int, int], ...]]:
    """`walls_in_contact` of every space that has any."""
    found: dict[int, list[tuple[int, int]]] = {}
    for section in board.sections:
        for number, side in enumerate(section.sides):
            if side.outer and side.outer_from == 0:
                for space, _ in before_wall(board, section.id, number):
                    found.setdefault(space, []).append((section.id, number))
    return {space: tuple(walls) for space, walls in found.items()}


class Change(NamedTuple):
    """The changes to a structure that affect movement: the lowest floor gone (-1: none), breaches as (floor, side), whether it is
    closed, whether it has fallen."""

    section: int
    gone: int
    breaches: tuple[tuple[int, int], ...]
    closed: bool
    fallen: bool


Changes = tuple[Change, ...]
_UNCHANGED = Change(-1, -1, (), False, False)
_MOVING = ("gone", "breaches", "closed")
"""The fields of a structure's record that affect movement."""


def changes_of(state: State) -> Changes:
    """The changes to structures that affect movement, by section."""
    moving = [s for s in state.structures.values() if not s.own.keys().isdisjoint(_MOVING)]
    return tuple(sorted(map(_change, moving))) if moving else ()


def _change(structure: Structure) -> Change:
    unit_state = structure.own
    gone, breaches, closed = (
        unit_state.get("gone", -1),
        unit_state.get("breaches", ()),
        bool(unit_state.get("closed")),
    )
    return Change(structure.section, gone, breaches, closed, structure.fallen)


def breach_exits(board: Board, changes: Changes) -> dict[int, list[Exit]]:
    """Ways through breaches on ground floors."""
    found: dict[int, list[Exit]] = {}
    for change in changes:
        for floor, side in change.breaches:
            if floor or change.fallen:
                continue
            inside = board.sections[change.section].spaces[0]
            for place, far in before_wall(board, change.section, side):
                found.setdefault(place, []).append(Exit(inside, far, "breach", change.section))
                found.setdefault(inside, []).append(Exit(place, far, "breach", -1))
    return found


def reach(state: State, board: Board, unit: Unit, limit: int, shut: frozenset[int]) -> Reach:
    """Where a unit gets within `limit`, without the start. The spaces in `shut` can be entered, not passed. Closed sections are
    entered by tunnels only; destroyed ones not at all."""
    foot = type_of(unit).foot
    changes = _bearing(state, board, unit.place, limit) if foot else ()
    found = _search(board, unit.place, limit, foot, NOBODY, changes)
    if shut.isdisjoint(found.passed):
        return found
    return _search(board, unit.place, limit, foot, shut.intersection(found.cost), changes)


def ways(
    state: State, board: Board, unit: Unit, limit: int, shut: frozenset[int], harmful: frozenset[int]
) -> Ways:
    """`reach`, with the spaces in `harmful` entered only as the goal or if no other way reaches it."""
    quick = reach(state, board, unit, limit, shut)
    if quick.passed.isdisjoint(harmful):
        return Ways(quick.cost, quick, quick)
    safe = reach(state, board, unit, limit, shut | harmful)
    cost = quick.cost | safe.cost
    return Ways(dict(sorted(cost.items(), key=lambda item: (item[1], item[0]))), quick, safe)


def _bearing(state: State, board: Board, place: int, limit: int) -> Changes:
    """The changes that affect a move on foot from a space: those of sections in reach on the unchanged map; all of them if the
    move reaches a breach, since that may lead anywhere."""
    changed = [s for s in state.structures.values() if not s.own.keys().isdisjoint(_MOVING)]
    if not changed:
        return ()
    near = _within(board, place, limit)
    for s in changed:
        if "breaches" in s.own and not near.isdisjoint(_at_breaches(board, s.section, s.own["breaches"])):
            return changes_of(state)
    doors = _doors(board, place, limit)
    near_by = [s for s in changed if s.section in doors]
    return tuple(sorted(map(_change, near_by))) if near_by else ()


@owned_memo(bound=4_000)
def _doors(board: Board, place: int, limit: int) -> frozenset[int]:
    """The sections next to the spaces of `_within`."""
    near = [board.spaces[way.to] for here in _within(board, place, limit) for way in exits_of(board)[here]]
    return frozenset(space.section for space in near if space.kind == "floor")


@owned_memo(bound=4_000)
def _within(board: Board, place: int, limit: int) -> frozenset[int]:
    """The spaces in reach on foot from a space, that one included, on the unchanged map."""
    return frozenset((place, *_search(board, place, limit, True, NOBODY, ()).cost))


@owned_memo(bound=500)
def _at_breaches(board: Board, section: int, breaches: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """The spaces on both sides of a section's breaches."""
    return frozenset(breach_exits(board, (Change(section, -1, breaches, False, False),)))


@owned_memo(bound=4_000)
def _search(
    board: Board, start: int, limit: int, foot: bool, shut: frozenset[int], changes: Changes
) -> Reach:
    """The reach within `limit`, on foot or not, passing no space in `shut`, with some structures changed."""
    exits, more = (_entries if foot else drives)(board), breach_exits(board, changes) if foot else {}
    changed = {change.section: change for change in changes} if foot else {}
    cost, before = {start: 0}, {start: start}
    heap = [(0, start)]
    done: dict[int, int] = {}
    known, spaces = cost.get, board.spaces
    while heap:
        spent, here = heappop(heap)
        if here in done:
            continue
        done[here] = spent
        if here in shut:
            continue
        for way in exits[here] if here not in more else sorted((*exits[here], *more[here]), key=_length):
            to = way[0]
            total = spent + way[1]
            if total > limit:
                break  # the others are longer
            old = known(to)
            if old is not None and old <= total:
                continue
            if changed and spaces[to].section in changed and not _enterable(board, way, changed):
                continue
            cost[to], before[to] = total, here
            heappush(heap, (total, to))
    del done[start]
    return Reach(done, before, frozenset(before.values()) - {start})


_length = attrgetter("cost")


@owned_memo(bound=1)
def _entries(board: Board) -> tuple[tuple[Exit, ...], ...]:
    """The ways out of every space on foot on the unchanged map, the shortest first. Changes close some of them; the only new ways
    are breaches."""
    return tuple(
        tuple(way for way in sorted(out, key=_length) if way.kind == "ground" or _enterable(board, way, {}))
        for out in exits_of(board)
    )


@owned_memo(bound=1)
def drives(board: Board) -> tuple[tuple[Exit, ...], ...]:
    """The ways out of every space for machines (outdoors only), the shortest first."""
    return tuple(
        tuple(way for way in sorted(out, key=_length) if way.kind == "ground") for out in exits_of(board)
    )


def _enterable(board: Board, way: Exit, changed: Mapping[int, Change]) -> bool:
    section = board.spaces[way.to].section
    if not works.is_left(board, way.to, changed.get(section, _UNCHANGED).gone):
        return False
    if way.section < 0 or way.kind == TUNNEL:
        return True
    return not (board.sections[way.section].closed or changed.get(way.section, _UNCHANGED).closed)


def has_way_out(state: State, board: Board, unit: Unit) -> bool:
    """Whether a space next to a unit is within its run and has room."""
    foot, limit = type_of(unit).foot, pace(type_of(unit), run=True)
    changed: Mapping[int, Change] | None = None
    for way in exits_of(board)[unit.place]:
        if way.cost <= limit and has_room(state, way.to, unit.side):
            if way.kind == "ground":
                return True
            if foot:
                if changed is None:
                    changed = {change.section: change for change in changes_of(state)}
                if _enterable(board, way, changed):
                    return True
    return False


def path_to(found: Reach, start: int, goal: int) -> tuple[int, ...]:
    """The spaces from start to goal, both included."""
    route = [goal]
    while route[-1] != start:
        route.append(found.before[route[-1]])
    return tuple(reversed(route))


def has_room(state: State, place: int, side: int, unit: int = -1) -> bool:
    """Whether a space has room for one more unit of a side, counting friends and enemies that the side has found."""
    here = state.at.get(place)
    if not here:
        return True
    friends = 0
    for number in here:
        other = state.units[number]
        if other.side == side:
            friends += number != unit
        elif unit_state(other).detected:
            return False
    return friends < ROOM


def foes_at(state: State, place: int, side: int) -> list[Unit]:
    """Enemies of a side on a space, hidden ones included, by id."""
    return [state.units[n] for n in state.at.get(place, ()) if state.units[n].side != side]


def neighbours(state: State, board: Board, place: int) -> tuple[int, ...]:
    """The spaces one way apart from a space, including breaches, ascending. The ends of a tunnel are not neighbours."""
    more = breach_exits(board, changes_of(state))
    near = (*exits_of(board)[place], *more.get(place, ()))
    return tuple(sorted({way.to for way in near if way.kind != TUNNEL}))


def free_ground(state: State, board: Board, point: tuple[int, int], side: int) -> int:
    """The nearest ground space to a point with room for a unit of a side and no enemy whom that side has found; -1: none."""
    best = (1 << 60, -1)
    for space in board.spaces:
        if space.kind == "ground" and space.terrain != "water":
            far = distance(point, space.point)
            if far < best[0] and has_room(state, space.id, side):
                best = (far, space.id)
    return best[1]
