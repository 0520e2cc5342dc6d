"""Preparing the outlines of real houses for a map: they are projected and repaired; overlaps and small detail are removed.

All houses are treated together, as faces with shared edges, so that neighbours still share their walls when detail is removed.
Read `Frame` first, then `fit_together`; `partition_building.py` cuts the results. Needs the extra `geo`. Floats are used only
to round corners to hundredths; no rule depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import Any

from battlesim.core.geometry import Point, doubled_area

_A, _E2 = 6378137.0, 0.00669437999014  # WGS 84: semi-major axis in metres, eccentricity squared

Outline = tuple[Point, ...]


@dataclass(frozen=True)
class Frame:
    """The position of a map in the world: `lon`, `lat` of its middle, its `size` in hundredths, `scale` in metres to the unit,
    and `turn`: how many degrees clockwise the world was turned to align its streets with the map.
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
        import shapely

        east, north = self.metres()
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        width, height = self.size

        def lay(points: Any) -> Any:
            """Points of degrees, a row each, on the map."""
            x = (points[:, 0] - self.lon) * east * 100 / self.scale
            y = (points[:, 1] - self.lat) * north * 100 / self.scale
            laid = points.copy()
            laid[:, 0], laid[:, 1] = width / 2 + x * c + y * s, height / 2 - x * s + y * c
            return laid

        return shapely.transform(geometry, lay)

    def in_degrees(self, x: float, y: float) -> tuple[float, float]:
        """The longitude and latitude of a point of the map, in hundredths of its unit."""
        east, north = self.metres()
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        across, up = x - self.size[0] / 2, y - self.size[1] / 2
        metres = self.scale / 100
        return (
            self.lon + (across * c - up * s) * metres / east,
            self.lat + (across * s + up * c) * metres / north,
        )

    @property
    def box(self) -> Any:
        """The map's edge."""
        import shapely

        return shapely.box(0, 0, *self.size)


def common_direction(geometries: Sequence[Any]) -> float:
    """The direction that most walls are parallel or perpendicular to, in degrees counter-clockwise from east, from -45 to 45; for
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
    return floating(shapely.set_precision(geometry, 1))


def floating(geometry: Any) -> Any:
    """The same geometry without the grid that GEOS remembers: some of its releases buffer wrongly on a grid."""
    import shapely

    return shapely.set_precision(geometry, 0)


def solid(geometry: Any) -> Any:
    """The parts of a geometry that have an area, with corners on whole hundredths: one or more valid polygons; empty for none."""
    import shapely

    return floating(shapely.union_all(polygons_of(whole(geometry)), grid_size=1))


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
    """The result for each house, by its place in the list: its `outlines` (shapely polygons with holes; none if it is covered by
    others), and how much of it, in per cent, others took (`taken`: by, share). `closed`: gaps between houses that were closed.
    """

    outlines: list[list[Any]] = field(default_factory=list)
    taken: dict[int, tuple[int, int]] = field(default_factory=dict)
    closed: int = 0


def fit_together(houses: Sequence[Any], detail: int, gap: int) -> Fitted:
    """Houses (shapely geometries as `solid` makes them) as a sheet without overlaps: the larger of two keeps the overlap. Gaps
    narrower than `gap` are closed, detail smaller than `detail` is smoothed away.
    """
    import shapely

    fitted = Fitted()
    if not houses:
        return fitted
    rank = sorted(range(len(houses)), key=lambda i: (-houses[i].area, i))
    everything = floating(shapely.union_all(houses, grid_size=1))
    shut = everything.buffer(gap / 2, join_style="mitre").buffer(-gap / 2, join_style="mitre")
    slits = polygons_of(whole(shapely.difference(solid(shut), everything, grid_size=1)))
    slits = [slit for slit in slits if slit.area > 2 * slit.length]  # slits from rounding do not count
    edge = shapely.union_all(
        [*(shapely.boundary(house) for house in houses), *map(shapely.boundary, slits)], grid_size=1
    )
    faces = faces_of(edge)
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
    walls = shapely.union_all([smooth(arc, detail) for arc in _arcs(faces, owners)], grid_size=1)
    pieces: list[list[Any]] = [[] for _ in houses]
    old = shapely.STRtree(faces)
    for face in faces_of(walls):
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


def faces_of(edge: Any) -> list[Any]:
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
    """The walls of all houses, each stretch between two junctions once."""
    import shapely

    houses: dict[int, list[Any]] = {}
    for face, owner in zip(faces, owners, strict=True):
        if owner >= 0:
            houses.setdefault(owner, []).append(face)
    outlines = [shapely.boundary(shapely.union_all(own, grid_size=1)) for _, own in sorted(houses.items())]
    merged = shapely.line_merge(shapely.union_all(outlines, grid_size=1))
    return sorted(lines_of(merged), key=lambda arc: [(round(x), round(y)) for x, y in arc.coords])


def smooth(arc: Any, detail: int) -> Any:
    """An arc without corners nearer than `detail` to a straight run; a ring turns on its lowest and highest corners."""
    import shapely

    given = [(round(x), round(y)) for x, y in arc.coords]
    points = [p for i, p in enumerate(given) if i == 0 or p != given[i - 1]]
    if len(points) < 2:
        return shapely.LineString()
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
