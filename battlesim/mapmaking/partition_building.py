"""Cutting repaired houses into sections: courts are opened, large parts cut (`board/partition.py`), small ones joined to
neighbours.

Read `partition_building` first. Works on shapely polygons in whole hundredths; needs the extra `geo`.
"""

from __future__ import annotations

from math import isqrt, sqrt
from typing import Any

from battlesim.board.partition import LARGEST, WANTED, WorkBudget, partition
from battlesim.board.shapes import crossing_itself, extents, middle, shared_wall
from battlesim.core.geometry import Point, doubled_area
from battlesim.mapmaking.outlines import Outline, corners_of, faces_of

# Lengths are in hundredths of an inch, areas in squares of these.
_THIN = 250  # a section thinner than this is joined to a neighbour if the result is small enough
_SMALL = 90_000  # so is one of less than this area: nine square inches
_FREE = 100  # a part that is thinner than this on average is a bad cut
_NEEDLE = 10  # a part thinner than this on average is not a place


_CALL = 400
"""The fixed cost of one operation of the geometry library, in pairs of corners, added to that of its corners."""


def partition_building(outline: Any, work: WorkBudget) -> list[Outline]:
    """A house with its courtyards, as sections of at most 8 x 8, from north to south; small parts are joined.

    Needles too thin to stand in are left out. Raises TooIntricate if `work` does not suffice.
    """
    parts = [section for simple in open_courts(outline, work) for section in _cut_simple(simple, work)]
    parts = [
        part for part in _join_crumbs(parts, work) if extents(part)[0] <= LARGEST and breadth(part) >= _NEEDLE
    ]
    return sorted(parts, key=lambda part: (-(middle(part)[1] // 300), middle(part)))


def breadth(outline: Outline) -> int:
    """The average breadth of an outline: its area over its length."""
    return abs(doubled_area(outline)) // 2 // max(1, extents(outline)[0])


def _cut_simple(simple: Any, work: WorkBudget) -> list[Outline]:
    """A simple polygon cut by `board/partition.py`, or repeatedly straight across if that leaves needles."""
    parts = partition(corners_of(simple.exterior), work)
    if all(_is_fair(part) for part in parts):
        return parts
    plain = _sliced(corners_of(simple.exterior), 12, work)
    return min(parts, plain, key=lambda some: (sum(not _is_fair(part) for part in some), len(some)))


def _is_fair(part: Outline) -> bool:
    return extents(part)[0] <= LARGEST and breadth(part) >= _FREE


def _sliced(outline: Outline, levels: int, work: WorkBudget) -> list[Outline]:
    import shapely

    work.spend(64 * len(outline) + _CALL)
    long = extents(outline)[0]
    if long <= LARGEST or levels == 0:
        return [outline]
    best: tuple[int, Point] | None = None
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        for way in ((bx - ax, by - ay), (ay - by, bx - ax)):
            places = [x * way[0] + y * way[1] for x, y in outline]
            length = (max(places) - min(places)) * 100 // (isqrt((way[0] ** 2 + way[1] ** 2) * 10_000) or 1)
            if best is None or abs(length - long) < best[0]:
                best = (abs(length - long), way)
    assert best is not None  # an outline has corners
    places = [x * best[1][0] + y * best[1][1] for x, y in outline]
    count = -(-long // WANTED)
    place = min(places) + (max(places) - min(places)) * (count // 2) // count
    parts = [corners_of(half.exterior) for half in _halves(shapely.Polygon(outline), best[1], place)]
    return [small for part in parts for small in _sliced(part, levels - 1, work)]


def open_courts(outline: Any, work: WorkBudget | None = None) -> list[Any]:
    """A polygon with holes cut along straight lines until none has a hole."""
    import shapely

    if not outline.interiors:
        return [outline]
    best: tuple[int, list[Any]] | None = None
    corners = shapely.get_num_coordinates(outline)
    for direction, place in _court_lines(outline):
        if work is not None:
            work.spend(20 * int(corners) + _CALL)
        parts = _halves(outline, direction, place)
        cost = sum(_waste(part) for part in parts)
        before = len(outline.interiors)
        if len(parts) > 1 and sum(len(part.interiors) for part in parts) < before:
            cut = round(shapely.intersection(outline, _line_through(direction, place)).length)
            if best is None or cost + cut < best[0]:
                best = (cost + cut, parts)
    assert best is not None  # the line through a hole's middle always opens it
    return [simple for part in best[1] for simple in open_courts(part, work)]


def _court_lines(outline: Any) -> list[tuple[Point, int]]:
    """Lines to try, as in `board/partition.py`: along the walls of the courts and through their middles."""
    ring = corners_of(outline.exterior)
    a, b = max(zip(ring, (*ring[1:], ring[0]), strict=True), key=lambda e: (_square(*e), e))
    along = (b[0] - a[0], b[1] - a[1])
    found: dict[tuple[Point, int], None] = {}
    for corners in sorted(corners_of(court) for court in outline.interiors):
        c, d = max(zip(corners, (*corners[1:], corners[0]), strict=True), key=lambda e: (_square(*e), e))
        for direction in (along, (d[0] - c[0], d[1] - c[1])):
            for way in (direction, (-direction[1], direction[0])):
                places = sorted({p[0] * way[0] + p[1] * way[1] for p in corners})
                low, high = places[0], places[-1]
                for place in (low, high, (low + high) // 2, *places[1:-1]):
                    found[way, place] = None
    return list(found)


def _square(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _line_through(direction: Point, place: int) -> Any:
    """The line of all points q with q . direction == place, long enough for any map."""
    import shapely

    norm2 = direction[0] ** 2 + direction[1] ** 2
    x, y = direction[0] * place / norm2, direction[1] * place / norm2
    far = 400_000 / sqrt(norm2)
    dx, dy = -direction[1] * far, direction[0] * far
    return shapely.LineString([(x - dx, y - dy), (x + dx, y + dy)])


def _halves(outline: Any, direction: Point, place: int) -> list[Any]:
    """The parts of a polygon on both sides of a line, corners on whole hundredths."""
    import shapely

    edge = shapely.union_all([shapely.boundary(outline), _line_through(direction, place)], grid_size=1)
    return [
        face
        for face in faces_of(edge)
        if shapely.intersection(face, outline).area > face.area / 2 and face.area > 0
    ]


def _waste(part: Any) -> int:
    """The cost of a part: slivers, and how badly its width divides into sections."""
    long, short = extents(corners_of(part.exterior))
    cost = 0
    if short < _THIN:
        cost += 4 * (_THIN - short) + 500
    for length in (long, short):
        count = max(1, (length + WANTED // 2) // WANTED)
        cost += abs(length - count * WANTED) // 2
    return cost + 60  # every additional part is an additional cut


def _join_crumbs(parts: list[Outline], work: WorkBudget) -> list[Outline]:
    """Joins every small part to a neighbour: of those with a small enough result, the one with the longest common wall."""
    import shapely

    left = sorted(parts)
    done: dict[Outline, None] = {}
    while True:
        work.spend(32 * sum(map(len, left)))
        crumbs = [part for part in left if part not in done and _is_crumb(part)]
        if not crumbs:
            return left
        crumb = min(crumbs, key=lambda part: (doubled_area(part), part))
        best: tuple[int, int, Outline, Outline] | None = None
        for other in left:
            work.spend(len(crumb) * len(other))
            wall = shared_wall(crumb, other) if other != crumb else 0
            if wall < 40:
                continue
            work.spend(_CALL + (len(crumb) + len(other)) ** 2)
            joined = shapely.union_all([shapely.Polygon(crumb), shapely.Polygon(other)], grid_size=1)
            if joined.geom_type != "Polygon" or joined.interiors:
                continue
            outline = corners_of(joined.exterior)
            if extents(outline)[0] > LARGEST or crossing_itself(outline):
                continue
            hollow = round(joined.convex_hull.area - joined.area) // 1000
            if best is None or (wall - hollow, doubled_area(other)) > best[:2]:
                best = (wall - hollow, doubled_area(other), other, outline)
        if best is None:
            done[crumb] = None
            continue
        left = sorted([part for part in left if part not in (crumb, best[2])] + [best[3]])


def _is_crumb(part: Outline) -> bool:
    return extents(part)[1] < _THIN or doubled_area(part) // 2 < _SMALL
