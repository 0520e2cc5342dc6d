"""Outlines of real houses made fit for a map: projected, mended, freed of overlaps and of small detail, in hundredths.

All houses are treated together, as one sheet of faces with shared edges, so that neighbours still share their walls
when detail is gone. Read `Frame` first, then `fit_together`. Only `importer.py` uses this; it needs the extra `geo`.
Floats are for placing corners on the grid of hundredths, once; no rule is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, ceil, cos, degrees, floor, hypot, radians, sin, sqrt
from typing import Any

from battlesim.board.cut import LARGEST, WANTED, cut_outline
from battlesim.board.shapes import crossing_itself, extents, middle, shared_wall
from battlesim.core.geometry import Point, doubled_area

_A, _E2 = 6378137.0, 0.00669437999014  # WGS 84: semi-major axis in metres, eccentricity squared
_THIN = 250  # a section thinner than this is joined to a neighbour where that leaves it small enough
_SMALL = 900  # so is one of less area than this many hundredths of a square inch times a hundred
_FREE = 100  # a strip left between two cuts is never thinner than this if it can be helped

Outline = tuple[Point, ...]


@dataclass(frozen=True)
class Frame:
    """Where a map lies in the world: `lon`, `lat` of its middle, its `size` in hundredths, `scale` in metres to the
    unit, and `turn`: how many degrees clockwise the world was turned to lay its streets along the map.
    """

    lon: float
    lat: float
    size: Point
    scale: float
    turn: float = 0.0

    def metres(self) -> tuple[float, float]:
        """Metres to a degree of longitude and of latitude, there."""
        s = sin(radians(self.lat))
        root = sqrt(1 - _E2 * s * s)
        return (
            radians(1) * _A / root * cos(radians(self.lat)),
            radians(1) * _A * (1 - _E2) / root**3,
        )

    def place(self, geometry: Any) -> Any:
        """A shapely geometry in degrees as one in hundredths of the map's unit, not yet rounded."""
        import numpy
        import shapely

        east, north = self.metres()
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        width, height = self.size

        def lay(degrees: Any) -> Any:
            x = (degrees[:, 0] - self.lon) * east * 100 / self.scale
            y = (degrees[:, 1] - self.lat) * north * 100 / self.scale
            return numpy.column_stack((width / 2 + x * c + y * s, height / 2 - x * s + y * c))

        return shapely.transform(geometry, lay)

    @property
    def box(self) -> Any:
        """The map's edge."""
        import shapely

        return shapely.box(0, 0, *self.size)


def common_direction(geometries: Sequence[Any]) -> float:
    """The direction most walls run along or across, in degrees counter-clockwise from east, from -45 to 45; of
    geometries in any metric plane.
    """
    x = y = 0.0
    for geometry in geometries:
        for part in polygons_of(geometry):
            corners = list(part.exterior.coords)
            for (ax, ay), (bx, by) in pairwise(corners):
                length, angle = hypot(bx - ax, by - ay), 4 * atan2(by - ay, bx - ax)
                x, y = x + length * cos(angle), y + length * sin(angle)
    return degrees(atan2(y, x)) / 4 if x or y else 0.0


def polygons_of(geometry: Any) -> list[Any]:
    """The polygons in a geometry, whatever it is."""
    if geometry.geom_type == "Polygon":
        return [] if geometry.is_empty else [geometry]
    return [part for each in getattr(geometry, "geoms", ()) for part in polygons_of(each)]


def lines_of(geometry: Any) -> list[Any]:
    """The lines in a geometry, whatever it is."""
    if geometry.geom_type in ("LineString", "LinearRing"):
        return [] if geometry.is_empty else [geometry]
    return [part for each in getattr(geometry, "geoms", ()) for part in lines_of(each)]


def whole(geometry: Any) -> Any:
    """A geometry with its corners on whole hundredths, valid."""
    import shapely

    if not geometry.is_valid:
        geometry = shapely.make_valid(geometry)
    return shapely.set_precision(geometry, 1)


def corners_of(ring: Any) -> Outline:
    """A ring as whole points, counter-clockwise, from its lowest corner; not closed."""
    points = [(round(x), round(y)) for x, y in ring.coords[:-1]]
    if doubled_area(points) < 0:
        points.reverse()
    at = points.index(min(points))
    return tuple(points[at:] + points[:at])


# --- one sheet of faces -------------------------------------------------------------------------------------------


@dataclass
class Fitted:
    """What became of each house, by its place in the list: its `outlines` (shapely polygons, holes and all; none where
    it is covered by others), and how much of it, in parts of a hundred, others took (`taken`: by, share).
    `closed`: gaps between houses that were closed.
    """

    outlines: list[list[Any]] = field(default_factory=list)
    taken: dict[int, tuple[int, int]] = field(default_factory=dict)
    closed: int = 0


def fit_together(houses: Sequence[Any], detail: int, gap: int) -> Fitted:
    """Houses (valid shapely geometries in whole hundredths) as a sheet without overlaps: the larger keeps what two
    claim. Gaps narrower than `gap` are closed, detail smaller than `detail` is smoothed away.
    """
    import shapely

    fitted = Fitted()
    if not houses:
        return fitted
    rank = sorted(range(len(houses)), key=lambda i: (-houses[i].area, i))
    everything = shapely.union_all(houses, grid_size=1)
    shut = everything.buffer(gap / 2, join_style="mitre").buffer(-gap / 2, join_style="mitre")
    slits = polygons_of(whole(shapely.difference(whole(shut), everything, grid_size=1)))
    slits = [slit for slit in slits if slit.area > 2 * slit.length]  # mere rounding closes nothing
    edge = shapely.union_all(
        [*(shapely.boundary(house) for house in houses), *map(shapely.boundary, slits)], grid_size=1
    )
    faces = _faces(edge)
    tree = shapely.STRtree(houses)
    owners: list[int] = []
    for face in faces:
        inside = face.representative_point()
        claims = sorted(tree.query(inside, predicate="within").tolist(), key=rank.index)
        owners.append(claims[0] if claims else -1)
        if len(claims) > 1:
            for loser in claims[1:]:
                by, area = fitted.taken.get(loser, (claims[0], 0))
                fitted.taken[loser] = (by, area + int(face.area))
    _give_slits(faces, owners, slits, fitted)
    fitted.taken = {
        loser: (by, round(100 * area / houses[loser].area)) for loser, (by, area) in fitted.taken.items()
    }
    smooth = shapely.union_all([_smooth(arc, detail) for arc in _arcs(faces, owners)], grid_size=1)
    pieces: list[list[Any]] = [[] for _ in houses]
    old = shapely.STRtree(faces)
    for face in _faces(smooth):
        shares: dict[int, float] = {}
        for number in sorted(old.query(face).tolist()):
            owner = owners[number]
            shares[owner] = shares.get(owner, 0.0) + shapely.intersection(face, faces[number]).area
        shares[-1] = shares.get(-1, 0.0) + face.area - sum(shares.values())
        best = max(sorted(shares), key=lambda owner: round(shares[owner]))
        if best >= 0:
            pieces[best].append(face)
    fitted.outlines = [_in_order(shapely.union_all(own, grid_size=1)) if own else [] for own in pieces]
    return fitted


def _in_order(geometry: Any) -> list[Any]:
    return sorted(polygons_of(geometry), key=lambda part: (-round(part.area), corners_of(part.exterior)))


def _faces(edge: Any) -> list[Any]:
    """The faces between noded lines, in a fixed order."""
    import shapely

    found = polygons_of(shapely.polygonize(lines_of(edge)))
    return sorted(found, key=lambda face: (corners_of(face.exterior), len(face.interiors)))


def _give_slits(faces: list[Any], owners: list[int], slits: list[Any], fitted: Fitted) -> None:
    """A closed gap goes to the neighbour with the longest wall along it."""
    import shapely

    tree = shapely.STRtree(slits)
    near = shapely.STRtree(faces)
    for number, face in enumerate(faces):
        if owners[number] >= 0 or not len(tree.query(face.representative_point(), predicate="within")):
            continue
        walls: dict[int, float] = {}
        for other in sorted(near.query(face).tolist()):
            if owners[other] >= 0 and other != number:
                along = shapely.intersection(face, faces[other]).length
                walls[owners[other]] = walls.get(owners[other], 0.0) + along
        if walls:
            owners[number] = max(sorted(walls), key=lambda owner: round(walls[owner]))
            fitted.closed += 1


def _arcs(faces: list[Any], owners: list[int]) -> list[Any]:
    """The walls of all houses, each stretch between two meeting points once."""
    import shapely

    houses: dict[int, list[Any]] = {}
    for face, owner in zip(faces, owners, strict=True):
        if owner >= 0:
            houses.setdefault(owner, []).append(face)
    outlines = [shapely.boundary(shapely.union_all(own, grid_size=1)) for _, own in sorted(houses.items())]
    merged = shapely.line_merge(shapely.union_all(outlines, grid_size=1))
    return sorted(lines_of(merged), key=lambda arc: [(round(x), round(y)) for x, y in arc.coords])


def _smooth(arc: Any, detail: int) -> Any:
    """An arc without corners nearer than `detail` to a straight run; a ring turns on its lowest and highest corners."""
    import shapely

    points = [(round(x), round(y)) for x, y in arc.coords]
    if points[0] != points[-1]:
        if points[-1] < points[0]:
            points.reverse()
        return shapely.LineString(_thinned(points, detail))
    ring = list(corners_of(arc))
    far = ring.index(max(ring))
    loop = _thinned(ring[: far + 1], detail)[:-1] + _thinned([*ring[far:], ring[0]], detail)
    return shapely.LineString(loop if len(loop) > 3 else points)


def _thinned(points: list[Point], detail: int) -> list[Point]:
    """Douglas and Peucker's choice of the corners to keep, in whole numbers."""
    keep = [False] * len(points)
    keep[0] = keep[-1] = True
    todo = [(0, len(points) - 1)]
    while todo:
        low, high = todo.pop()
        (ax, ay), (bx, by) = points[low], points[high]
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        best, best_at = 0, -1
        for i in range(low + 1, high):
            px, py = points[i][0] - ax, points[i][1] - ay
            along = px * dx + py * dy
            if length2 == 0 or along <= 0:
                gap2 = (px * px + py * py) * max(1, length2)
            elif along >= length2:
                gap2 = ((px - dx) ** 2 + (py - dy) ** 2) * length2
            else:
                gap2 = (px * dy - py * dx) ** 2
            if gap2 > best:
                best, best_at = gap2, i
        if best_at >= 0 and best > detail * detail * max(1, length2):
            keep[best_at] = True
            todo += [(low, best_at), (best_at, high)]
    return [point for point, kept in zip(points, keep, strict=True) if kept]


# --- cutting ------------------------------------------------------------------------------------------------------


def cut_house(outline: Any) -> list[Outline]:
    """A house, courtyards and all, as sections of at most 8 x 8 (OD-LARGE-1), from north to south; crumbs joined."""
    parts = [
        section for simple in open_courts(outline) for section in cut_outline(corners_of(simple.exterior))
    ]
    parts = _join_crumbs([part for part in parts if doubled_area(part) > 0])
    return sorted(parts, key=lambda part: (-(middle(part)[1] // 300), middle(part)))


def open_courts(outline: Any) -> list[Any]:
    """A polygon with holes cut along straight lines until none has a hole."""
    import shapely

    if not outline.interiors:
        return [outline]
    best: tuple[int, list[Any]] | None = None
    for direction, place in _court_lines(outline):
        parts = _halves(outline, direction, place)
        cost = sum(_waste(part) for part in parts)
        before = len(outline.interiors)
        if len(parts) > 1 and sum(len(part.interiors) for part in parts) < before:
            cut = round(shapely.intersection(outline, _line_through(direction, place)).length)
            if best is None or cost + cut < best[0]:
                best = (cost + cut, parts)
    assert best is not None  # the line through a hole's middle always opens it
    return [simple for part in best[1] for simple in open_courts(part)]


def _court_lines(outline: Any) -> list[tuple[Point, int]]:
    """Lines to try, as in `cut.py`: along the walls of the courts and through their middles."""
    ring = corners_of(outline.exterior)
    a, b = max(zip(ring, (*ring[1:], ring[0]), strict=True), key=lambda e: (_square(*e), e))
    along = (b[0] - a[0], b[1] - a[1])
    found: dict[tuple[Point, int], None] = {}
    for court in outline.interiors:
        corners = corners_of(court)
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
        for face in _faces(edge)
        if shapely.intersection(face, outline).area > face.area / 2 and face.area > 0
    ]


def _waste(part: Any) -> int:
    """What is wrong with a part: slivers, and how badly its width divides into sections."""
    long, short = extents(corners_of(part.exterior))
    cost = 0
    if short < _THIN:
        cost += 4 * (_THIN - short) + 500
    for length in (long, short):
        count = max(1, (length + WANTED // 2) // WANTED)
        cost += abs(length - count * WANTED) // 2
    return cost + 60  # every part more is a cut more


def _join_crumbs(parts: list[Outline]) -> list[Outline]:
    """Joins every crumb to the neighbour with the longest common wall that stays small enough with it."""
    import shapely

    left = sorted(parts)
    done: dict[Outline, None] = {}
    while True:
        crumbs = [part for part in left if part not in done and _is_crumb(part)]
        if not crumbs:
            return left
        crumb = min(crumbs, key=lambda part: (doubled_area(part), part))
        best: tuple[int, int, Outline, Outline] | None = None
        for other in left:
            wall = shared_wall(crumb, other) if other != crumb else 0
            if wall < 40:
                continue
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
    return extents(part)[1] < _THIN or doubled_area(part) // 2 < _SMALL * 100


def round_up(value: float) -> int:
    """The next whole number."""
    return ceil(value - 1e-9)


def round_down(value: float) -> int:
    """The whole number below."""
    return floor(value + 1e-9)
