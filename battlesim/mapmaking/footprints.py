"""Footprints read from a file: OpenStreetMap (`.osm.pbf`, `.osm`) or GeoJSON, with their tags. Needs the extra `geo`.

`read_footprints` returns every shape whose tags may matter to a map, in longitude and latitude, sorted. Shapes that cannot be
used, such as buildings without an outline, are listed in `Footprints.lost`. `outlines.py` repairs the outlines; `importer.py`
makes the map.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from battlesim.core.errors import Fault, InputError

KEYS = (
    "building",
    "building:part",
    "barrier",
    "natural",
    "landuse",
    "leisure",
    "highway",
    "railway",
    "waterway",
    "water",
    "place",
    "entrance",
)
"""Shapes without any of these tags are skipped."""
_AREAS = (
    "building",
    "building:part",
    "natural",
    "landuse",
    "leisure",
    "water",
    "place",
    "highway",
    "barrier",
)
_OSM = (".pbf", ".osm", ".osm.gz", ".osm.bz2", ".osm.xml")
_JSON = (".geojson", ".json")
_LINES = ("LineString", "LinearRing")
_MOST_BYTES = 512_000_000
"""A larger file is refused."""


class Shape(NamedTuple):
    """One thing of the file. `form` is area, line or point; `geometry` a shapely geometry in degrees, x east, y north.

    `id` names it in its file: `way/8033120`, or `feature/3` (counting from 0) for a GeoJSON feature without one.
    """

    id: str
    form: str
    tags: dict[str, str]
    geometry: Any


class LostShape(NamedTuple):
    """A shape that cannot be used, mostly a building without an outline. `near`: the points that it has, if any. `what`: what it
    is, as reports have it."""

    id: str
    name: str
    why: str
    near: Any = None
    what: str = "house"


@dataclass
class Footprints:
    """What a file holds: shapes, and those without a usable geometry."""

    shapes: list[Shape] = field(default_factory=list)
    lost: list[LostShape] = field(default_factory=list)
    attribution: str = ""
    license: str = ""


def need_geo() -> None:
    """Raises InputError if the extra `geo` is not installed."""
    try:
        import osmium  # noqa: F401
        import shapely  # noqa: F401
    except ImportError as error:
        what = f"importing footprints needs the package {error.name or 'shapely'!r}"
        raise InputError(Fault(what, "install the extra: pip install 'battlesim-arena[geo]'")) from None


def read_footprints(path: str | Path) -> Footprints:
    """Every shape of the file that may matter to a map, sorted by form and id.

    Raises InputError if the extra `geo` is missing or the file does not have the format of its ending.
    """
    need_geo()
    file, name = Path(path), str(path)
    if not file.is_file():
        raise InputError(Fault("there is no such file of footprints", "name an existing file", name))
    if file.stat().st_size > _MOST_BYTES:
        what = f"the file is larger than {_MOST_BYTES:,} bytes"
        raise InputError(Fault(what, "cut out the part you need first (osmium extract)", name))
    ending = file.name.lower()
    if ending.endswith(_OSM):
        source = _read_osm(file)
    elif ending.endswith(_JSON):
        source = _read_geojson(file)
    else:
        known = ", ".join((*_OSM, *_JSON))
        raise InputError(
            Fault(f"{file.suffix or file.name!r} is not a known kind of footprints", known, name)
        )
    source.shapes.sort(key=lambda shape: (shape.form, _order(shape.id)))
    source.lost.sort(key=lambda loss: _order(loss.id))
    return source


def _order(id: str) -> tuple[str, int, str]:
    kind, _, rest = id.partition("/")
    return (kind, int(rest), "") if rest.isascii() and rest.isdigit() else (kind, -1, rest)


# --- OpenStreetMap ------------------------------------------------------------------------------------------------


def _read_osm(file: Path) -> Footprints:
    import osmium
    import shapely
    from osmium.filter import KeyFilter

    source = Footprints(attribution="© OpenStreetMap contributors", license="ODbL 1.0")
    formed: dict[str, None] = {}
    rings: dict[str, Shape] = {}
    outlined: list[tuple[str, str, Any]] = []
    maker = osmium.geom.WKBFactory()
    try:
        stream = osmium.FileProcessor(str(file)).with_areas(KeyFilter(*_AREAS)).with_filter(KeyFilter(*KEYS))
        for item in stream:
            tags = {tag.k: tag.v for tag in item.tags}
            if item.is_node():
                if item.location.valid():
                    point = shapely.Point(item.location.lon, item.location.lat)
                    source.shapes.append(Shape(f"node/{item.id}", "point", tags, point))
            elif item.is_way():
                points = [(node.lon, node.lat) for node in item.nodes if node.location.valid()]
                key = f"way/{item.id}"
                if "building" in tags:
                    if len(points) >= 4 and item.is_closed():
                        rings[key] = Shape(key, "area", tags, shapely.Polygon(points))
                    near = shapely.MultiPoint(points) if points else None
                    outlined.append((key, tags.get("name", ""), near))
                elif len(dict.fromkeys(points)) >= 2:
                    source.shapes.append(Shape(key, "line", tags, shapely.LineString(points)))
            elif item.is_relation():
                if "building" in tags and tags.get("type") == "multipolygon":
                    outlined.append((f"relation/{item.id}", tags.get("name", ""), None))
            elif item.is_area():
                key = f"{'way' if item.from_way() else 'relation'}/{item.orig_id()}"
                try:
                    geometry = shapely.from_wkb(maker.create_multipolygon(item))
                except (RuntimeError, ValueError):
                    continue  # its outline crosses itself or is incomplete: reported below
                source.shapes.append(Shape(key, "area", tags, geometry))
                formed[key] = None
    except (RuntimeError, ValueError, OSError, osmium.InvalidLocationError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        what = f"the file cannot be read as OpenStreetMap data: {said[:200]}"
        raise InputError(Fault(what, "give an .osm.pbf or .osm file", str(file))) from None
    for key, name, near in outlined:
        if key in formed:
            continue
        if key in rings:
            source.shapes.append(rings[key])  # crosses itself: repaired later
        else:
            why = "its outline is not closed, or incomplete in the file"
            source.lost.append(LostShape(key, name, why, near))
    return source


# --- GeoJSON ------------------------------------------------------------------------------------------------------


def _read_geojson(file: Path) -> Footprints:
    import shapely
    from shapely.geometry import shape as make_shape

    name = str(file)
    try:
        data = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(Fault(f"the file is not JSON: {error}", "give a GeoJSON file", name)) from None
    source = Footprints()
    if isinstance(data, dict):
        source.attribution = _text(data.get("attribution"))
        source.license = _text(data.get("license"))
    for number, feature in enumerate(_features(data, name)):
        properties = feature.get("properties") or {}
        if not isinstance(properties, dict):
            properties = {}
        given = properties.get("tags")
        tags = {str(k): _text(v) for k, v in (given if isinstance(given, dict) else properties).items()}
        tags = {k: v for k, v in tags.items() if v}
        key = f"feature/{_text(feature.get('id')) or number}"
        if not any(k in tags for k in KEYS):
            continue
        try:
            geometry = make_shape(feature["geometry"])
            bounds = geometry.bounds
            usable = not geometry.is_empty and all(isfinite(value) for value in bounds)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, shapely.errors.ShapelyError):
            usable = False
        if not usable:
            what = "house" if "building" in tags else "other shape"
            why = "its geometry is no GeoJSON geometry"
            source.lost.append(LostShape(key, tags.get("name", ""), why, what=what))
            continue
        if min(bounds[0], -bounds[2]) < -180 or min(bounds[1], -bounds[3]) < -90:
            what = f"{key} lies at {bounds[0]:g}, {bounds[1]:g}, which is not a longitude and latitude"
            raise InputError(Fault(what, "reproject the file to WGS 84 (EPSG:4326)", name))
        for part, form in _parts(geometry, tags):
            source.shapes.append(Shape(key, form, tags, part))
    return source


def _features(data: object, name: str) -> list[dict[str, Any]]:
    if isinstance(data, dict) and data.get("type") == "FeatureCollection":
        found = data.get("features")
        if isinstance(found, list):
            return [item for item in found if isinstance(item, dict)]
    if isinstance(data, dict) and data.get("type") == "Feature":
        return [data]
    raise InputError(Fault("the file is no GeoJSON", "give a FeatureCollection with properties", name))


def _parts(geometry: Any, tags: dict[str, str]) -> Iterator[tuple[Any, str]]:
    """A geometry by form; a closed line that is a building is an area."""
    import shapely

    kind = geometry.geom_type
    if kind in ("Polygon", "MultiPolygon"):
        yield geometry, "area"
    elif kind in _LINES and "building" in tags and geometry.is_closed and len(geometry.coords) >= 4:
        yield shapely.Polygon(geometry.coords), "area"
    elif kind in (*_LINES, "Point"):
        yield geometry, "point" if kind == "Point" else "line"
    else:
        for part in geometry.geoms:
            yield from _parts(part, tags)


def _text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    return str(value) if isinstance(value, str | int | float) else ""
