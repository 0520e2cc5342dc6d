"""Small towns written as GeoJSON, imported and loaded: what the tests of the importer share. Read `Town`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.board.mapfile import MapFile
from battlesim.board.yamlfile import parse_yaml, read_bytes
from battlesim.core.geometry import doubled_area
from battlesim.mapmaking.importer import import_map
from battlesim.mapmaking.importlog import ImportReport
from battlesim.mapmaking.outlines import Frame

LON, LAT = 10.0, 50.0
EAST, NORTH = Frame(LON, LAT, (0, 0), 1.0).metres()
Metres = tuple[float, float]


def degrees(points: list[Metres]) -> list[list[float]]:
    """Points in metres from the middle of the map, as a GeoJSON file has them."""
    return [[LON + x / EAST, LAT + y / NORTH] for x, y in points]


def box(x: float, y: float, width: float, height: float) -> list[Metres]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]


def area(*rings: list[Metres], **tags: str) -> dict[str, Any]:
    given = {key.replace("__", ":"): value for key, value in tags.items()} or {"building": "yes"}
    shape = {"type": "Polygon", "coordinates": [degrees(ring) for ring in rings]}
    return {"type": "Feature", "properties": given, "geometry": shape}


def line(*points: Metres, **tags: str) -> dict[str, Any]:
    shape = {"type": "LineString", "coordinates": degrees(list(points))}
    return {"type": "Feature", "properties": tags, "geometry": shape}


def point(x: float, y: float, **tags: str) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": tags,
        "geometry": {"type": "Point", "coordinates": degrees([(x, y)])[0]},
    }


class Town:
    """Features written to a file and imported: 60 x 60 inches at 3 metres to the inch unless told otherwise."""

    def __init__(self, folder: Path, *features: dict[str, Any], **options: Any) -> None:
        self.source, self.out = folder / "town.geojson", folder / "town.yaml"
        self.source.write_text(json.dumps({"type": "FeatureCollection", "features": list(features)}))
        asked = {"centre": (LON, LAT), "size": (60, 60), "turn": 0, "overwrite": True, **options}
        self.report: ImportReport = import_map(self.source, self.out, **asked)
        assert [fault for fault in self.report.faults if fault.level == "error"] == []  # of `check_map`
        self.map: MapFile = parse_yaml(read_bytes(self.out), MapFile, str(self.out))
        self.board: Board = load_map(self.out)

    def notes(self, action: str, what: str) -> list[str]:
        return [note.why for note in self.report.notes if (note.action, note.what) == (action, what)]

    def floors(self, house: int = 0) -> list[int]:
        return [section.floors for section in self.map.buildings[house].sections]


def built_area(board: Board) -> float:
    return sum(doubled_area(section.polygon) for section in board.sections) / 2 / 10_000
