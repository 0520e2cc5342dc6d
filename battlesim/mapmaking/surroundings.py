"""Streets, squares, parks, trees, water, walls and hedges of an imported map. Needs the extra `geo`.

Read `lay_surroundings` first. The input is in degrees; the output is features of the map format, in hundredths, clipped to the
map. What is left out is noted. Flat ground comes first, then water, then trees, then roads, then obstacles: later ones lie over
earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from battlesim.board.shapes import crossing_itself
from battlesim.board.terrain import OBSTACLES
from battlesim.mapmaking.footprints import Shape
from battlesim.mapmaking.importlog import ImportLog
from battlesim.mapmaking.outlines import Frame, corners_of, lines_of, polygons_of, smooth, solid
from battlesim.mapmaking.partition_building import open_courts
from battlesim.mapmaking.tagging import GroundTags, ground_of

_CROWN = 4.0  # metres from the stem to the edge of a tree
_APART = 14.0  # trees nearer to one another than this, in metres, are a group
_ROW = 7.0  # width of a row of trees, in metres
_GROUP = 3  # fewer trees than this are not woods
_SHORTEST = 150  # a wall, hedge or fence shorter than this is left out
_HUGGING = 40  # one that is closer to a house than this is part of the house
_KINDS = {"square": "road", "park": "open", "rough": "rough", "water": "water", "woods": "woods"}


@dataclass
class Surroundings:
    """The surroundings of an imported map. `features`: for the map file. `streets`: lines and squares as shapely geometries in
    hundredths, for finding fronts. `entrances`, `passages`: tagged doors, and lines of ways through houses.
    """

    features: list[dict[str, Any]] = field(default_factory=list)
    streets: list[Any] = field(default_factory=list)
    entrances: list[Any] = field(default_factory=list)
    passages: list[Any] = field(default_factory=list)


@dataclass
class _Sorted:
    """Geometries of the map by kind, clipped."""

    areas: dict[tuple[str, bool], list[Any]] = field(default_factory=dict)
    roads: dict[int, list[Any]] = field(default_factory=dict)
    streams: dict[tuple[int, bool], list[Any]] = field(default_factory=dict)
    barriers: dict[str, list[Any]] = field(default_factory=dict)
    gates: list[Any] = field(default_factory=list)
    trees: list[Any] = field(default_factory=list)
    rows: list[Any] = field(default_factory=list)


def lay_surroundings(
    shapes: Sequence[Shape],
    frame: Frame,
    houses: Any,
    *,
    detail: int,
    smallest: int,
    pitch: int,
    log: ImportLog,
) -> Surroundings:
    """Everything of the source but its houses. `houses`: all of them as one geometry in hundredths; `smallest`: areas
    below this, in hundredths squared, are left out.
    """
    laid = Surroundings()
    kinds = _sort(shapes, frame, laid, log)
    for kind, name in _KINDS.items():
        if kind == "woods":
            _plant(kinds, frame, log)
        for deep in (False, True):
            whats = kinds.areas.get((kind, deep), [])
            if kind == "square":
                laid.streets += whats
            solid = kind in ("woods", "water", "rough")
            for outline in _areas(whats, houses if solid else None, detail, smallest, kind, log):
                more = {"deep": True} if deep else {}
                laid.features.append({"kind": name, "polygon": outline, **more})
        if kind == "water":
            for (width, deep), lines in sorted(kinds.streams.items()):
                more = {"deep": True} if deep else {}
                for line in _lines(lines, None, detail, 100, "water", log):
                    laid.features.append({"kind": "water", "line": line, "width": width, **more})
    for width, lines in sorted(kinds.roads.items()):
        laid.streets += lines
        for line in _lines(lines, None, detail, 200, "road", log):
            laid.features.append({"kind": "road", "line": line, "width": width})
    _fence(kinds, houses, laid, detail, pitch, log)
    return laid


def _sort(shapes: Sequence[Shape], frame: Frame, laid: Surroundings, log: ImportLog) -> _Sorted:
    import shapely

    kinds = _Sorted()
    outside: dict[str, int] = {}
    others = 0
    scale = 100 / frame.scale
    for shape in shapes:
        ground = ground_of(shape.tags, shape.form)
        geometry = frame.place(shape.geometry)
        if ground is None:
            others += geometry.intersects(frame.box)
            continue
        if shape.form == "area" and not geometry.is_valid:
            geometry = shapely.make_valid(geometry)
            if geometry.intersects(frame.box):
                log.add(
                    "repaired",
                    ground.kind,
                    "its outline crossed itself",
                    shape.id,
                    shape.tags.get("name", ""),
                )
        geometry = shapely.intersection(geometry, frame.box)
        if geometry.is_empty:
            outside[ground.kind] = outside.get(ground.kind, 0) + 1
        elif ground.why_not:
            log.add("left out", ground.kind, ground.why_not, shape.id, shape.tags.get("name", ""))
        else:
            _file(shape, ground, geometry, scale, kinds, laid)
            if ground.kind not in ("gate", "entrance", "passage"):
                log.add("taken", ground.kind)
    log.add("left out", "other shape", "tagged as nothing that a map shows", count=others)
    for kind, count in sorted(outside.items()):
        log.add("left out", kind, "outside the window", count=count)
    return kinds


def _file(
    shape: Shape, ground: GroundTags, geometry: Any, scale: float, kinds: _Sorted, laid: Surroundings
) -> None:
    kind = ground.kind
    if kind == "gate":
        kinds.gates.append(geometry)
    elif kind == "entrance":
        laid.entrances.append(geometry)
    elif kind == "passage":
        laid.passages.append(geometry)
    elif kind == "tree":
        (kinds.trees if shape.form == "point" else kinds.rows).append(geometry)
    elif shape.form == "area":
        kinds.areas.setdefault((kind, ground.deep), []).append(geometry)
    elif kind == "road":
        kinds.roads.setdefault(_width(ground.width * scale), []).append(geometry)
    elif kind == "water":
        kinds.streams.setdefault((_width(ground.width * scale), ground.deep), []).append(geometry)
    else:
        kinds.barriers.setdefault(kind, []).append(geometry)


def _width(hundredths: float) -> int:
    """A width to the nearest quarter of a unit, from one half to thirty."""
    return min(max(25 * round(hundredths / 25), 50), 3000)


def _plant(kinds: _Sorted, frame: Frame, log: ImportLog) -> None:
    """Rows of trees and trees in groups become woods; single trees hide no unit."""
    import shapely

    scale = 100 / frame.scale
    woods = kinds.areas.setdefault(("woods", False), [])
    woods += [shapely.buffer(row, _ROW / 2 * scale, quad_segs=2) for row in kinds.rows]
    if not kinds.trees:
        return
    near = shapely.union_all([shapely.buffer(tree, _APART / 2 * scale, quad_segs=4) for tree in kinds.trees])
    alone = 0
    for group in polygons_of(near):
        inside = [tree for tree in kinds.trees if group.covers(tree)]
        if len(inside) < _GROUP:
            alone += len(inside)
        else:
            woods.append(shapely.buffer(group, -(_APART / 2 - _CROWN) * scale, quad_segs=2))
    log.add("left out", "tree", f"fewer than {_GROUP} stand together", count=alone)


def _areas(
    geometries: Sequence[Any], houses: Any, detail: int, smallest: int, what: str, log: ImportLog
) -> list[tuple[tuple[int, int], ...]]:
    """Areas of one kind as simple outlines, without holes; areas that are too small are noted."""
    import shapely

    if not geometries:
        return []
    together = shapely.union_all([solid(geometry) for geometry in geometries], grid_size=1)
    if houses is not None:
        together = shapely.difference(together, houses, grid_size=1)
    found = []
    small = 0
    for part in polygons_of(together):
        rings = [smooth(ring, detail) for ring in (part.exterior, *part.interiors)]
        for piece in polygons_of(solid(shapely.Polygon(rings[0], rings[1:]))):
            if piece.area < smallest:
                small += 1
                continue
            holes = [hole for hole in piece.interiors if shapely.Polygon(hole).area >= smallest]
            for simple in open_courts(shapely.Polygon(piece.exterior, holes)):
                outline = corners_of(simple.exterior)
                if len(outline) <= 500 and crossing_itself(outline) is None and simple.area >= smallest:
                    found.append(outline)
                else:
                    small += 1
    log.add("left out", what, f"pieces smaller than {smallest / 10000:g} square inches", count=small)
    return sorted(found)


def _lines(
    geometries: Sequence[Any], houses: Any, detail: int, shortest: int, what: str, log: ImportLog
) -> list[tuple[tuple[int, int], ...]]:
    """Lines of one kind, pieces joined end to end, smoothed."""
    import shapely

    together = shapely.union_all([line for each in geometries for line in lines_of(each)])
    if houses is not None:
        together = shapely.difference(together, houses)
    pieces = lines_of(shapely.line_merge(together) if together.geom_type == "MultiLineString" else together)
    found = []
    short = 0
    for piece in pieces:
        line = tuple((round(x), round(y)) for x, y in smooth(piece, detail).coords)
        if piece.length < shortest or len(line) < 2:
            short += 1
        else:
            found += [line[i : i + 500] for i in range(0, len(line) - 1, 499)]
    log.add("left out", what, f"pieces shorter than {shortest / 100:g} inches", count=short)
    return sorted(min(line, line[::-1]) for line in found)


def _fence(kinds: _Sorted, houses: Any, laid: Surroundings, detail: int, pitch: int, log: ImportLog) -> None:
    """Walls, hedges and fences, with gaps at gates and without what runs along a house."""
    import shapely

    holes = [shapely.buffer(gate, pitch * 0.6, quad_segs=2) for gate in kinds.gates]
    if not houses.is_empty:
        holes.append(shapely.buffer(houses, _HUGGING, join_style="mitre"))
    away = shapely.union_all(holes) if holes else None
    for kind in OBSTACLES:
        lines = kinds.barriers.get(kind, [])
        if not lines:
            continue
        if away is not None:
            cut = sum(1 for line in lines if line.intersects(away))
            log.add("simplified", kind, "cut back at a gate, or where it runs along a house", count=cut)
        for line in _lines(lines, away, detail, _SHORTEST, kind, log):
            laid.features.append({"kind": kind, "line": line})
    log.add("taken", "gate", "a gap in what it stands in", count=len(kinds.gates))
