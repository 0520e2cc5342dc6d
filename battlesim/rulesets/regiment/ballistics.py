"""Lines of flight over the board: where a shot lands and what lies in its path (RG-HOUSE-AIM). Read `length_to`.

A shot flies along the straight line from the engine through its target; lengths along it are hundredths.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.geometry import INCH, Point, distance, in_polygon
from battlesim.core.state import State
from battlesim.rulesets.regiment import ground, rooms
from battlesim.rulesets.regiment.model import leads
from battlesim.rulesets.regiment.rooms import Room

NARROW = 100
"""A ball hits units whose point is within this distance of its path."""
SHORT, SHORT_AT_WALLS = 8 * INCH, 4 * INCH
"""How far short of a unit, and of a building, a cannon is aimed (RG-HOUSE-AIM)."""
STEP = 25
"""The step in which a line is sampled."""


def point_along(a: Point, b: Point, length: int) -> Point:
    """The point a length from `a` on the line through `b`."""
    far = max(1, distance(a, b))
    return (a[0] + (b[0] - a[0]) * length // far, a[1] + (b[1] - a[1]) * length // far)


def section_at(board: Board, p: Point) -> Section | None:
    """The closed building that contains a point; open ruins do not count (RG-SCEN-1)."""
    down = ground.open_ruins(board)
    for section in board.sections:
        if section.id not in down and in_polygon(p, section.polygon):
            return section
    return None


def length_to(board: Board, here: int, there: int) -> int:
    """The length from an engine on one space to a target on another: to the wall of a garrison's building, else to the unit."""
    a, b = board.spaces[here].point, board.spaces[there].point
    if ground.outdoors(board, there):
        return distance(a, b)
    polygon = board.sections[board.spaces[there].section].polygon
    far = distance(a, b)
    return next((x for x in range(0, far, STEP) if in_polygon(point_along(a, b, x), polygon)), far)


def struck_room(board: Board, section: Section, upper: bool) -> Room:
    """The room of a building that is struck: in a tall one the upper floor or the ground floor (RG-SHOOT-5)."""
    places = rooms.rooms_of(board).by_section[section.id]
    return rooms.rooms_of(board).by_place[places[-1] if upper else places[0]]


# ---- balls -----------------------------------------------------------------------------------------------------------


def falls(board: Board, here: int, there: int, flies: int) -> tuple[int, Section | None]:
    """How far along its line a ball from one space at a target on another lands, by the artillery die, and the building that it
    strikes there."""
    short = SHORT if ground.outdoors(board, there) else SHORT_AT_WALLS
    first = max(0, length_to(board, here, there) - short) + flies
    a, b = board.spaces[here].point, board.spaces[there].point
    return first, section_at(board, point_along(a, b, first))


def bounces(board: Board, here: int, there: int, first: int, length: int) -> tuple[int, Section | None]:
    """How far along its line a ball that landed at `first` bounces on, and the building that it bounces into."""
    a, b = board.spaces[here].point, board.spaces[there].point
    for x in range(first, first + length + 1, STEP):
        section = section_at(board, point_along(a, b, x))
        if section is not None:
            return x, section
    return first + length, None


def on_line(state: State, board: Board, a: Point, b: Point) -> list[tuple[int, int]]:
    """Units outdoors on the line of a ball: (how far along it, unit), nearest first."""
    far = max(1, distance(a, b))
    found = []
    for unit in state.units.values():
        if not leads(unit) or not ground.outdoors(board, unit.place):
            continue
        x, y = board.spaces[unit.place].point
        dx, dy = x - a[0], y - a[1]
        on = (dx * (b[0] - a[0]) + dy * (b[1] - a[1])) // far
        off = abs(dx * (b[1] - a[1]) - dy * (b[0] - a[0])) // far
        if off <= NARROW and on > 0:
            found.append((on, unit.id))
    return sorted(found)


def is_met(on: int, first: int, last: int) -> bool:
    """Whether a ball hits what stands at this distance along its line, between the two ends of its bounce."""
    return first - NARROW <= on <= last
