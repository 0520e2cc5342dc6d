"""Geometry for building a board: lines and polygons in whole hundredths, without floats.

`core/geometry.py` has the basic measures. Outlines of neighbours may be apart or overlap by up to TOLERANCE. Read `covered`
first: it finds where a wall has a neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import isqrt

from battlesim.core.geometry import (
    Point,
    distance,
    doubled_area,
    in_polygon,
    point_segment_distance,
    polygon_distance,
)

TOLERANCE = 5
"""Outlines at most this far apart touch; outlines that overlap by at most this do not count as overlapping. In hundredths."""
WALL_TO_SHOW = 30
"""A wall faces the outdoors where at least this much of it is free, in hundredths."""

Polygon = Sequence[Point]
"""The corners of an outline in order, either way round unless a function says more. The last one is joined to the first."""
Span = tuple[int, int]
"""A stretch of a wall: where it begins and ends, in hundredths from the wall's first corner."""


def counter_clockwise(polygon: Polygon) -> tuple[Point, ...]:
    """The outline run counter-clockwise, from the same first corner."""
    if doubled_area(polygon) >= 0:
        return tuple(polygon)
    return (polygon[0], *reversed(polygon[1:]))


def edges(polygon: Polygon) -> list[tuple[Point, Point]]:
    """The edges in order; edge i runs from corner i to the next."""
    return [(polygon[i], polygon[(i + 1) % len(polygon)]) for i in range(len(polygon))]


def bounds(points: Sequence[Point]) -> tuple[int, int, int, int]:
    """West, south, east, north."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive where the way from `a` over `b` to `c` turns left, negative where it turns right, 0 on one line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(a: Point, b: Point, p: Point) -> bool:
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross within both, neither's end on the other."""
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def segments_touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    t1, t2, t3, t4 = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if t1 * t2 < 0 and t3 * t4 < 0:
        return True
    return (
        (t1 == 0 and _within(a, b, c))
        or (t2 == 0 and _within(a, b, d))
        or (t3 == 0 and _within(c, d, a))
        or (t4 == 0 and _within(c, d, b))
    )


def segment_meets(a: Point, b: Point, polygon: Polygon) -> bool:
    """Whether a segment touches a polygon or lies in it."""
    if in_polygon(a, polygon) or in_polygon(b, polygon):
        return True
    return any(segments_touch(a, b, c, d) for c, d in edges(polygon))


def crossing_itself(polygon: Polygon) -> tuple[int, int] | None:
    """The numbers of two edges of an outline that touch or cross and are not neighbours, or of neighbours that fold back on one
    another; None for a simple polygon. An edge without a length is given twice.

    >>> crossing_itself([(0, 0), (300, 300), (300, 0), (0, 300)])
    (0, 2)
    """
    sides = edges(polygon)
    count = len(sides)
    for i, (a, b) in enumerate(sides):
        if a == b:
            return i, i
    for i, (a, b) in enumerate(sides):
        following = sides[(i + 1) % count][1]
        if turn(a, b, following) == 0 and _folds(a, b, following):
            return i, (i + 1) % count
        for j in range(i + 2, count):
            if (j + 1) % count != i and segments_touch(a, b, *sides[j]):
                return i, j
    return None


def _folds(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0


def middle(polygon: Polygon) -> Point:
    """The centre of area, floored; the middle of the corners where there is no area."""
    area = doubled_area(polygon)
    if area == 0:
        return sum(p[0] for p in polygon) // len(polygon), sum(p[1] for p in polygon) // len(polygon)
    x = y = 0
    for (x1, y1), (x2, y2) in edges(polygon):
        cross = x1 * y2 - x2 * y1
        x += (x1 + x2) * cross
        y += (y1 + y2) * cross
    return x // (3 * area), y // (3 * area)


def extents(polygon: Polygon, spend: Callable[[int], None] | None = None) -> tuple[int, int]:
    """Length and breadth (the longer first) of the tightest box that has a side along one of the edges, rounded down; (0, 0) for
    a single point. `spend` receives the number of pairs of corners examined.

    >>> extents([(0, 0), (600, 0), (600, 300), (0, 300)])
    (600, 300)
    """
    best: tuple[int, int] | None = None
    hull = _hull(polygon)  # the farthest corners in any direction are among its own
    if spend is not None:
        spend(len(polygon) * len(hull))
    for a, b in edges(polygon):
        dx, dy = b[0] - a[0], b[1] - a[1]
        if dx == dy == 0:
            continue
        norm = isqrt((dx * dx + dy * dy) * 10_000)  # a hundred times the edge, so that floors cost little
        us = [p[0] * dx + p[1] * dy for p in hull]
        vs = [p[1] * dx - p[0] * dy for p in hull]
        u, v = (max(us) - min(us)) * 100 // norm, (max(vs) - min(vs)) * 100 // norm
        size = (max(u, v), min(u, v))
        if best is None or size < best:
            best = size
    return best or (0, 0)


def _hull(polygon: Polygon) -> list[Point]:
    """The corners of the convex hull, by Andrew's monotone chain."""
    points = sorted(set(polygon))
    if len(points) < 4:
        return points
    found: list[Point] = []
    for run in (points, points[::-1]):
        chain: list[Point] = []
        for p in run:
            while len(chain) > 1 and turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        found += chain[:-1]
    return found


def along(a: Point, b: Point, way: int) -> Point:
    """The point `way` hundredths from `a` towards `b`, rounded to whole hundredths."""
    length = distance(a, b) or 1
    return (
        a[0] + (2 * (b[0] - a[0]) * way + length) // (2 * length),
        a[1] + (2 * (b[1] - a[1]) * way + length) // (2 * length),
    )


def outwards(a: Point, b: Point, p: Point, way: int) -> Point:
    """`p` moved `way` hundredths to the right of the direction from `a` to `b`: out of a counter-clockwise outline."""
    length = isqrt(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) * 10_000) or 1  # in ten-thousandths
    dx, dy = (b[1] - a[1]) * way * 100, -(b[0] - a[0]) * way * 100
    return p[0] + (2 * dx + length) // (2 * length), p[1] + (2 * dy + length) // (2 * length)


def covered(a: Point, b: Point, polygon: Polygon) -> list[Span]:
    """The stretches of a wall from `a` to `b`, in hundredths from `a`, along which the polygon is its neighbour.

    An edge of the polygon counts where it runs in the opposite direction (both outlines are counter-clockwise) within TOLERANCE.

    >>> neighbour = [(0, 102), (50, 102), (50, 200), (0, 200)]
    >>> covered((100, 100), (0, 100), neighbour)
    [(50, 100)]
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    if length2 == 0:
        return []
    length = isqrt(length2)
    spans = []
    for c, d in edges(polygon):
        ex, ey = d[0] - c[0], d[1] - c[1]
        if dx * ex + dy * ey >= 0:
            continue
        # nearly parallel: within one in ten
        if (dx * ey - dy * ex) ** 2 * 100 > length2 * (ex * ex + ey * ey):
            continue
        start = ((d[0] - a[0]) * dx + (d[1] - a[1]) * dy) // length
        end = ((c[0] - a[0]) * dx + (c[1] - a[1]) * dy) // length
        start, end = max(0, start), min(length, end)
        if end <= start:
            continue
        # apart by no more than the tolerance at both ends of the stretch
        if all(point_segment_distance(along(a, b, t), c, d) <= TOLERANCE for t in (start, end)):
            spans.append((start, end))
    return spans


def uncovered(length: int, spans: Sequence[Span]) -> list[Span]:
    """What is left of a wall of this length when the stretches are taken away, in order.

    >>> uncovered(600, [(100, 200)])
    [(0, 100), (200, 600)]
    """
    left = []
    at = 0
    for start, end in sorted(spans):
        if start > at:
            left.append((at, start))
        at = max(at, end)
    if at < length:
        left.append((at, length))
    return left


def shared_wall(one: Polygon, other: Polygon) -> int:
    """The length of wall that two counter-clockwise outlines share, in hundredths."""
    return sum(end - start for a, b in edges(one) for start, end in covered(a, b, other))


def _stretches(polygon: Polygon, row2: int) -> list[Span]:
    """Where a row (in half hundredths, odd: no corner lies on it) runs inside the outline."""
    crossings = []
    for (x1, y1), (x2, y2) in edges(polygon):
        if (2 * y1 > row2) != (2 * y2 > row2):
            crossings.append(x1 + (row2 - 2 * y1) * (x2 - x1) // (2 * (y2 - y1)))
    crossings.sort()
    return list(zip(crossings[::2], crossings[1::2], strict=True))


def inner_point(polygon: Polygon) -> Point:
    """A point well inside: the middle of the widest stretch in which a row halfway between south and north runs inside."""
    south, north = min(p[1] for p in polygon), max(p[1] for p in polygon)
    row2 = south + north + (1 - (south + north) % 2)
    widest = max(_stretches(polygon, row2), key=lambda pair: pair[1] - pair[0])
    return (widest[0] + widest[1]) // 2, row2 // 2


def central_point(polygon: Polygon) -> Point:
    """The centre if it lies well inside, else another point that does."""
    centre = middle(polygon)
    return centre if deep_in(centre, polygon) else inner_point(polygon)


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two simple polygons overlap by more than TOLERANCE."""
    for inner, outer in ((one, other), (other, one)):
        for p in (*inner, inner_point(inner)):
            if deep_in(p, outer):
                return True
    for a, b in edges(one):
        for c, d in edges(other):
            if segments_cross(a, b, c, d) and all(
                point_segment_distance(p, *edge) > TOLERANCE
                for p, edge in ((a, (c, d)), (b, (c, d)), (c, (a, b)), (d, (a, b)))
            ):
                return True
    return any(deep_in(p, one) and deep_in(p, other) for p in _common_points(one, other))


def _common_points(one: Polygon, other: Polygon) -> Iterator[Point]:
    """Points inside both outlines, one in each common stretch halfway between the heights of their corners. These find overlaps
    in which no corner lies inside and no walls cross."""
    heights = sorted({p[1] for p in (*one, *other)})
    for south, north in pairwise(heights):
        row2 = south + north + (1 - (south + north) % 2)
        for a, b in _stretches(one, row2):
            for c, d in _stretches(other, row2):
                if min(b, d) - max(a, c) > 2 * TOLERANCE:
                    yield (max(a, c) + min(b, d)) // 2, row2 // 2


def deep_in(p: Point, polygon: Polygon) -> bool:
    """Whether a point lies in a polygon more than TOLERANCE from its outline."""
    return in_polygon(p, polygon) and all(
        point_segment_distance(p, a, b) > TOLERANCE for a, b in edges(polygon)
    )


def near_polygon(p: Point, polygon: Polygon, reach: int) -> bool:
    """Whether a point lies in a polygon or within `reach` hundredths of it."""
    return polygon_distance(p, polygon) <= reach


def ribbon(line: Sequence[Point], width: int) -> tuple[Point, ...]:
    """The outline of a strip `width` hundredths wide along a line, counter-clockwise; corners are mitred, sharp ones cut.

    >>> ribbon([(0, 0), (300, 0)], 100)
    ((0, -50), (300, -50), (300, 50), (0, 50))
    """
    left: list[Point] = []
    right: list[Point] = []
    half = width // 2
    for i, p in enumerate(line):
        before = line[i - 1] if i else None
        after = line[i + 1] if i + 1 < len(line) else None
        for side, sign in ((left, -1), (right, 1)):
            first = outwards(before, p, p, sign * half) if before else None
            second = outwards(p, after, p, sign * half) if after else None
            if first and second and before and after:
                joint = _joint(before, p, after, first, second)
                if joint and distance(joint, p) <= 2 * width:
                    side.append(joint)
                else:
                    side.extend((first, second))
            else:
                side.append(first or second or p)
    return counter_clockwise((*right, *reversed(left)))


def _joint(before: Point, p: Point, after: Point, first: Point, second: Point) -> Point | None:
    """Where the lines through `first` along before-p and through `second` along p-after meet."""
    ax, ay = p[0] - before[0], p[1] - before[1]
    bx, by = after[0] - p[0], after[1] - p[1]
    cross = ax * by - ay * bx
    if cross * cross * 400 <= (ax * ax + ay * ay) * (bx * bx + by * by):
        # nearly straight on, where the two points are one; or nearly straight back, where the corner is cut
        return first if ax * bx + ay * by > 0 else None
    t = (second[0] - first[0]) * by - (second[1] - first[1]) * bx
    return first[0] + ax * t // cross, first[1] + ay * t // cross
