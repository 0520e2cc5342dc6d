"""Lines of sight, ranges and cover (RG-HOUSE-TERRAIN, RG-HOUSE-TRAITS, RG-SHOOT-1, RG-SHOOT-2).

Read `sight`, then `cover`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.geometry import distance, in_arc, point_segment_distance
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses
from battlesim.rulesets.regiment import ground, rooms
from battlesim.rulesets.regiment.model import leads, type_of

IN_THE_WAY = 150
"""A unit nearer than this to a line of sight blocks it."""


def is_high(board: Board, place: int) -> bool:
    """Whether a place is on a hill, or on an upper floor, which counts as one (RG-PART-2)."""
    space = board.spaces[place]
    if space.kind == "floor":
        room = rooms.room_at(board, place)
        return room is not None and room.upper
    return space.z > 0


def sight(board: Board, a: int, b: int) -> SightLine | None:
    """The shortest line between two spaces that no house or wood blocks."""
    return board.sight.best(a, b, ground.open_ruins(board))


def screened(state: State, board: Board, unit: Unit, target: Unit) -> bool:
    """Whether other units block the line between two units on level ground: neither on a hill or an upper floor, the target not
    large (RG-HOUSE-TRAITS). Garrisons do not block it; their walls do."""
    if type_of(target).large or is_high(board, unit.place) or is_high(board, target.place):
        return False
    a, b = board.spaces[unit.place].point, board.spaces[target.place].point
    far = distance(a, b)
    for other in state.units.values():
        if not leads(other) or other.id in (unit.id, target.id) or not ground.outdoors(board, other.place):
            continue
        p = board.spaces[other.place].point
        if (
            distance(p, a) < far
            and distance(p, b) < far
            and point_segment_distance(p, a, b) < IN_THE_WAY
            and other.place not in (unit.place, target.place)
        ):
            return True
    return False


def in_front(board: Board, unit: Unit, place: int) -> bool:
    """Whether a place is in a unit's front arc; a garrison sees all round (RG-SHOOT-1)."""
    return not ground.outdoors(board, unit.place) or in_arc(
        board.spaces[unit.place].point, unit.facing, board.spaces[place].point
    )


def distance_to(board: Board, unit: Unit, target: Unit) -> int | None:
    """The range from one unit to another that it sees; None if it does not see it."""
    if sight(board, unit.place, target.place) is None:
        return None
    return flat_distance(board, unit, target)


def flat_distance(board: Board, unit: Unit, target: Unit) -> int:
    """The range from one unit to another, seen or not; for a garrison from the outline of its building."""
    return ground.gap(board, unit.place, target.place)


def cover(board: Board, here: int, there: int) -> tuple[int, Clauses]:
    """The cover of a target at `there` against a shooter at `here`, and its clauses: 0 none, 1 light, 2 hard.

    A garrison has that of its building (RG-SHOOT-2, RG-FORT-1), other units that of hedges, walls, woods and open ruins
    (RG-HOUSE-TERRAIN, RG-SCEN-1)."""
    room = rooms.room_at(board, there)
    if room is not None:
        return room.level + 1, ("RG-SHOOT-2", "RG-FORT-1")
    space = board.spaces[there]
    if space.kind == "ruin":
        section = board.sections[space.section]
        level = rooms.declared(section).get("level", rooms.usual_level(section))
        return level + 1, ("RG-SCEN-1", "RG-HOUSE-TERRAIN")
    line = sight(board, here, there)
    if line is None or not line.cover:
        return 0, ()
    return line.cover, ("RG-HOUSE-TERRAIN",)
