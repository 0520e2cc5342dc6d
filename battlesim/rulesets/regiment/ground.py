"""Where units stand and how they move over ground (RG-HOUSE-TERRAIN, RG-MOVE-1): movement modes as data, arcs, obstacles,
contact.

Read `reach`. Outdoors a regiment is a point with a facing; in a building it is its room.
"""

from __future__ import annotations

from collections.abc import Mapping

from battlesim.board.board import Board
from battlesim.board.model import SightRules, Way
from battlesim.board.routes import MovementMode, MoveOption
from battlesim.core.geometry import INCH, Point, facing_towards, in_arc
from battlesim.core.memo import memo, owned_memo
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import rooms
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR, company, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room

NOBODY: frozenset[int] = frozenset()
MOST_GAITS = 64
"""Lengths of moves whose modes are kept."""
LIGHT_COVER, HARD_COVER = 1, 2
"""Levels of cover; each is also what it adds to the roll needed to hit (RG-HOUSE-SHOOT)."""
SIGHT = SightRules(
    woods_depth=6 * INCH,
    obstacle_reach=7 * INCH // 2,
    cover=(("woods", LIGHT_COVER), ("hedge", LIGHT_COVER), ("wall", HARD_COVER)),
)
"""Woods block sight if more than 6 inches of them are crossed; hedges give light, walls hard cover (RG-HOUSE-TERRAIN)."""
ENTRENCHING: tuple[str, ...] = ("wall", "hedge")
"""Obstacles that entrench units behind them (RG-HOUSE-TERRAIN); fences only slow."""


def pace(way: Way) -> int | None:
    """Movement on the ground: woods, rough ground and obstacles halve it; the walls of an open ruin are obstacles (RG-SCEN-1);
    buildings are impassable (RG-MOVE-1)."""
    if way.water or way.kind not in ("ground", "ruin"):
        return None
    return way.length * 2 if way.rough or way.obstacle or way.kind == "ruin" else way.length


@memo(bound=MOST_GAITS)
def mode(inches: int) -> MovementMode:
    """A move of so many inches on the ground."""
    return MovementMode(f"regiment-{inches}", (MoveOption(inches * INCH, pace),))


def outdoors(board: Board, place: int) -> bool:
    """Whether a space is not a room of a building."""
    return board.spaces[place].kind != "floor"


def room_of(board: Board, unit: Unit) -> Room | None:
    """The room a unit garrisons; None outdoors or off the board."""
    return rooms.room_at(board, unit.place) if unit.place >= 0 else None


def enemy_places(state: State, side: int) -> frozenset[int]:
    """Where the other side's units stand."""
    return frozenset(u.place for u in state.units.values() if u.place >= 0 and u.side != side)


def gap(board: Board, a: int, b: int) -> int:
    """The distance between two spaces over everything: a garrison is at the outline of its building (RG-MOVE-2), for shots out of
    it as for shots at it."""
    one, other = board.spaces[a], board.spaces[b]
    if one.kind == other.kind == "floor":
        return board.gap_between(one.section, other.section)
    if one.kind == "floor":
        return board.gap_to_section(other.point, one.section)
    if other.kind == "floor":
        return board.gap_to_section(one.point, other.section)
    return board.distance(a, b)


def open_ruins(board: Board) -> frozenset[int]:
    """Sections that are played as linear obstacles."""
    return rooms.rooms_of(board).open


def reach(state: State, board: Board, unit: Unit, inches: int) -> Mapping[int, int]:
    """Ground within a move, with lengths; friends are passed, enemies not. The caller decides who may end there."""
    shut = enemy_places(state, unit.side)
    return board.routes.reach(mode(inches), unit.place, shut, fallen(state))


def path(state: State, board: Board, unit: Unit, inches: int, goal: int) -> tuple[int, ...]:
    """The way to a place in `reach`, both ends included."""
    shut = enemy_places(state, unit.side)
    return board.routes.path(mode(inches), unit.place, goal, shut, fallen(state))


def is_free(state: State, place: int) -> bool:
    """Whether a place is empty."""
    return place not in state.at


def holder(state: State, place: int) -> Unit | None:
    """The unit in a place, without its characters."""
    for number in state.at.get(place, ()):
        if state.units[number].own.joined < 0:
            return state.units[number]
    return None


def put(r: Resolution, unit: Unit, route: tuple[int, ...], facing: int, clauses: Clauses = ()) -> None:
    """Move a unit, and the characters with it, to the end of a route."""
    for one in [unit, *company(r.state, unit)]:
        r.move(one, route, clauses, facing)


# ---- arcs ------------------------------------------------------------------------------------------------------------


def arc_of(board: Board, unit: Unit, place: int) -> int:
    """The arc of a unit in which a place lies: 90 degrees to the front, 90 to the rear, flanks between (RG-HOUSE-FORM). All
    around a garrison is its front (RG-ATT-2)."""
    if not outdoors(board, unit.place):
        return FRONT
    return _arc(board.spaces[unit.place].point, unit.facing, board.spaces[place].point)


@owned_memo(bound=50_000)
def arcs(board: Board, place: int, other: int) -> tuple[int, ...]:
    """The arc in which another space lies for a unit in a place, by its facing (`arc_of`)."""
    if not outdoors(board, place):
        return (FRONT,) * 8
    here, there = board.spaces[place].point, board.spaces[other].point
    return tuple(_arc(here, facing, there) for facing in range(8))


def _arc(here: Point, facing: int, there: Point) -> int:
    """The arc of a unit at a point outdoors in which another point lies."""
    if in_arc(here, facing, there):
        return FRONT
    return REAR if in_arc(here, (facing + 4) % 8, there) else FLANK


def towards(board: Board, a: int, b: int) -> int:
    """The facing from one space to another."""
    return facing_towards(board.spaces[a].point, board.spaces[b].point)


# ---- contact ---------------------------------------------------------------------------------------------------------


def neighbours(state: State, board: Board, place: int) -> list[tuple[int, Way]]:
    """Ground next to a space outdoors, with the shortest way there, without the ground of standing houses."""
    down = open_ruins(board)
    found: dict[int, Way] = {}
    for other, number in board.exits[place]:
        way = board.ways[number]
        if way.water or way.kind not in ("ground", "ruin"):
            continue
        if way.kind == "ruin" and not down.issuperset(way.sections):
            continue
        if other not in found or way.length < found[other].length:
            found[other] = way
    return sorted(found.items())


def way_between(board: Board, a: int, b: int) -> Way | None:
    """The shortest ground way that joins two spaces."""
    ways = [
        board.ways[n]
        for other, n in board.exits[a]
        if other == b and board.ways[n].kind in ("ground", "ruin")
    ]
    return min(ways, key=lambda way: (way.length, way.id), default=None)


def wall_before(board: Board, place: int, room: Room) -> int:
    """The wall of a room that is touched from a ground node; -1 if none."""
    for touched, wall in rooms.rooms_of(board).touched.get(place, ()):
        if touched == room.place:
            return wall
    return -1


def wall_for(board: Board, unit: Unit, place: int, room: Room) -> int:
    """The wall at which a unit in a place touches a room: a flyer reaches an upper floor where others reach the one below
    (RG-PART-2, RG-MOVE-5). -1 if it does not touch it."""
    wall = wall_before(board, place, room)
    if wall < 0 and room.upper and type_of(unit).flyer:
        wall = next((w for node, w in room.around if node == place), -1)
    return wall


def contacts_for(unit: Unit, room: Room) -> tuple[tuple[int, int], ...]:
    """The (node, wall) pairs from which a unit touches a room."""
    return room.around if room.upper and type_of(unit).flyer else room.contacts


def touched_at(board: Board, unit: Unit, room: Room) -> Point:
    """The point of a room's outline that a unit before one of its walls touches; the room's own point if it does not, or if it
    stands on the outline itself."""
    here, wall = board.spaces[unit.place].point, wall_for(board, unit, unit.place, room)
    if wall >= 0:
        side = board.sections[room.section].sides[wall]
        foot = rooms.nearest_point(here, side.a, side.b)
        if foot != here:
            return foot
    return board.spaces[room.place].point


def in_touch(board: Board, unit: Unit, other: Unit) -> bool:
    """Whether two units stand so that they can be in contact: next to each other outdoors, by a house's outline, or in adjacent
    rooms."""
    mine, theirs = room_of(board, unit), room_of(board, other)
    if mine is not None and theirs is not None:
        return theirs.place in mine.neighbours
    if theirs is not None:
        return wall_for(board, unit, unit.place, theirs) >= 0
    if mine is not None:
        return wall_for(board, other, other.place, mine) >= 0
    return way_between(board, unit.place, other.place) is not None


def entrenched(board: Board, unit: Unit, against: int) -> bool:
    """Whether a unit is entrenched against an enemy in a place: in a building (RG-ATT-2, RG-HOUSE-ROOMS), or behind a wall or
    hedge, including an open ruin's walls (RG-HOUSE-TERRAIN)."""
    if unit.place < 0:
        return False
    if not outdoors(board, unit.place):
        return True
    if not outdoors(board, against):
        return False
    way = way_between(board, unit.place, against)
    if way is None:
        return False
    return way.obstacle in ENTRENCHING or (way.kind == "ruin" and board.spaces[unit.place].kind == "ruin")


# ---- seeing ----------------------------------------------------------------------------------------------------------


def foes_of(unit: Unit) -> list[int]:
    """The enemies a unit is in contact with."""
    return [foe for foe, _ in unit_state(unit).foes]
