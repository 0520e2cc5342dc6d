"""Plane geometry in whole hundredths of the map's unit.

Points are `(x, y)`, x to the east and y to the north. All results are integers, so no float decides a rule; lengths are square
roots rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from battlesim.core.memo import memo

Point = tuple[int, int]

INCH = 100
"""Hundredths in one unit of the map (an inch, or one hex)."""

# Eight facings, counter-clockwise from east; the index is the facing's number everywhere.
FACINGS: tuple[Point, ...] = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
FACING_NAMES: tuple[str, ...] = (
    "east",
    "north-east",
    "north",
    "north-west",
    "west",
    "south-west",
    "south",
    "south-east",
)


def distance(a: Point, b: Point) -> int:
    """Straight-line distance of two points, floored to a whole hundredth.

    >>> distance((0, 0), (300, 400))
    500
    """
    return isqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def facing_towards(a: Point, b: Point) -> int:
    """The facing (0-7) whose direction is nearest to the one from `a` to `b`; 0 where they coincide.

    >>> FACING_NAMES[facing_towards((0, 0), (0, 500))]
    'north'
    """
    return _facing(b[0] - a[0], b[1] - a[1])


@memo(bound=4_096)
def _facing(dx: int, dy: int) -> int:
    """The facing nearest to a direction; 0 for none."""
    best, best_score = 0, -1
    for number, (fx, fy) in enumerate(FACINGS):
        dot = dx * fx + dy * fy
        # Compare the cosines dot / |f|, squared, with their signs kept; |f|^2 is 1 or 2.
        score = dot * dot * 2 // (fx * fx + fy * fy) if dot > 0 else -1
        if score > best_score:
            best, best_score = number, score
    return best


def in_arc(origin: Point, facing: int, target: Point) -> bool:
    """Whether `target` lies in the 90 degree arc around `facing` (its edges included)."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    fx, fy = FACINGS[facing]
    along, across = dx * fx + dy * fy, dx * fy - dy * fx
    return along >= 0 and abs(across) <= along


def point_segment_distance(p: Point, a: Point, b: Point) -> int:
    """Distance from a point to a segment, floored to a whole hundredth."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    if length2 == 0:
        return distance(p, a)
    t = (p[0] - a[0]) * dx + (p[1] - a[1]) * dy
    if t <= 0:
        return distance(p, a)
    if t >= length2:
        return distance(p, b)
    cross = (p[0] - a[0]) * dy - (p[1] - a[1]) * dx
    return isqrt(cross * cross // length2)


def in_polygon(p: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies inside a simple polygon, given by its corners in either order; a point on the outline counts as
    inside."""
    x, y = p
    inside = False
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        if cross == 0 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return True
        if (y1 > y) != (y2 > y) and (cross > 0) == (y2 > y1):
            inside = not inside
        x1, y1 = x2, y2
    return inside


def polygon_distance(p: Point, polygon: Sequence[Point]) -> int:
    """Distance from a point to a polygon; 0 inside."""
    if in_polygon(p, polygon):
        return 0
    return min(point_segment_distance(p, polygon[i - 1], polygon[i]) for i in range(len(polygon)))


def polygon_gap(one: Sequence[Point], other: Sequence[Point]) -> int:
    """Distance between the outlines of two polygons that do not cross; 0 where they touch or one lies in the other."""
    return min(
        *(polygon_distance(p, other) for p in one),
        *(polygon_distance(p, one) for p in other),
    )


def doubled_area(polygon: Sequence[Point]) -> int:
    """Twice the signed area; positive where the points run counter-clockwise."""
    return sum(
        polygon[i - 1][0] * polygon[i][1] - polygon[i][0] * polygon[i - 1][1] for i in range(len(polygon))
    )
