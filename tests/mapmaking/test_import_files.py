"""The window, the written file, the report, and bad input of an import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("shapely")
pytest.importorskip("osmium")

from battlesim.board.load import load_map
from battlesim.core.errors import InputError
from battlesim.mapmaking.importer import import_map
from battlesim.mapmaking.importlog import format_report
from tests.mapmaking.town import (
    LAT,
    LON,
    Town,
    area,
    box,
    built_area,
    degrees,
    line,
)

# --- where, and the file ------------------------------------------------------------------------------------------


def test_turned_along_its_streets(tmp_path: Path) -> None:
    """A house 20 degrees off comes out square to the map."""
    from math import cos, radians, sin

    c, s = cos(radians(20)), sin(radians(20))
    tilted = [(x * c - y * s, x * s + y * c) for x, y in box(-15, -9, 30, 18)]
    town = Town(tmp_path, area(tilted), turn="auto")
    assert town.report.turn == 2000
    for section in town.board.sections:
        for side in section.sides:
            assert min(abs(side.a[0] - side.b[0]), abs(side.a[1] - side.b[1])) <= 1


def test_window_in_degrees(tmp_path: Path) -> None:
    edges = degrees([(-60, -30), (60, 30)])
    window = (*edges[0], *edges[1])
    town = Town(tmp_path, area(box(0, 0, 18, 18)), window=window, centre=None, size=None, scale=2.0)
    assert town.board.size == (6000, 3000)


def test_same_bytes(tmp_path: Path) -> None:
    features = [area(box(-60, -30, 50, 60), box(-40, -10, 15, 20)), area(box(-10, -30, 30, 31))]
    first = Town(tmp_path, *features).out.read_bytes()
    assert Town(tmp_path, *features).out.read_bytes() == first


def test_the_schema_is_named_only_where_it_lies_beside_the_map(tmp_path: Path) -> None:
    """Else an editor would complain of a file that it cannot find."""
    feature = area(box(-60, -30, 50, 60))
    assert "$schema" not in Town(tmp_path, feature).out.read_text()
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "map.schema.json").write_text("{}")
    first = Town(tmp_path, feature).out.read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=schema/map.schema.json"


def test_report_tells_all(tmp_path: Path) -> None:
    """Every feature of the file is in exactly one place of the report: taken or left out."""
    features = [
        area(box(0, 0, 18, 18)),
        area(box(2, 2, 5, 5)),
        area(box(900, 0, 5, 5)),
        line((-90, -30), (90, -30), highway="residential"),
        line((-90, -50), (90, -50), railway="rail"),
        area(box(-80, -80, 40, 30), landuse="residential"),
    ]
    report = Town(tmp_path, *features).report
    told = sum(n.count for n in report.notes if n.action in ("taken", "left out") and n.what != "door")
    assert told == len(features)
    text = format_report(report)
    assert "60 x 60 inches" in text
    assert "it lies in another house (feature/1 (in feature/0))" in text


def test_osm_file(tmp_path: Path) -> None:
    """The same from OpenStreetMap data: a house, a relation with a court, one that crosses itself, one cut short."""
    import osmium

    file = tmp_path / "town.osm.pbf"
    shapes = {
        1: box(-60, -9, 18, 18),
        2: box(-30, -30, 60, 60),
        3: box(-12, -12, 24, 24),
        4: [(45.0, -15.0), (75.0, 15.0), (75.0, -15.0), (45.0, 15.0), (45.0, -15.0)],
    }
    tags = {1: {"building": "yes", "building:levels": "2"}, 2: {}, 3: {}, 4: {"building": "yes"}}
    ways = []
    with osmium.SimpleWriter(str(file)) as writer:
        node = 0
        for number, ring in shapes.items():
            first = node
            for place in degrees(ring)[:-1]:
                node += 1
                writer.add_node(osmium.osm.mutable.Node(id=node, location=(place[0], place[1])))
            refs = [*range(first + 1, node + 1), first + 1]
            ways.append(osmium.osm.mutable.Way(id=number, nodes=refs, tags=tags[number]))
        ways.append(
            osmium.osm.mutable.Way(id=9, nodes=[1, 2, 9999, 1], tags={"building": "yes", "name": "Cut"})
        )
        for way in ways:
            writer.add_way(way)
        members = [("w", 2, "outer"), ("w", 3, "inner")]
        relation = {"type": "multipolygon", "building": "apartments", "name": "Court"}
        writer.add_relation(osmium.osm.mutable.Relation(id=7, members=members, tags=relation))
    report = import_map(file, tmp_path / "town.yaml", centre=(LON, LAT), size=(60, 60), turn=0)
    board = load_map(tmp_path / "town.yaml")
    assert sorted(board.buildings) == ["court", "house-1", "house-2"]
    assert board.attribution == "© OpenStreetMap contributors"
    assert built_area(board) == pytest.approx(36 + 336 + 50, rel=0.03)
    assert "# relation/7 Court" in (tmp_path / "town.yaml").read_text(encoding="utf-8")
    lost = [note for note in report.notes if note.action == "left out"]
    assert [(note.id, note.name) for note in lost] == [("way/9", "Cut")]
    assert report.total("repaired", "house") == 1


# --- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scale": 0}, "scale 0 is out of range"),
        ({"scale": float("nan")}, "scale nan is out of range"),
        ({"size": (5000, 10)}, "5000 x 10 inches"),
        ({"size": None}, "centre and size go together"),
        ({"centre": (200, 0)}, "200, 0 is not a place"),
        ({"centre": (LON + 1, LAT)}, "no house lies in the window"),
        ({"window": (10, 50, 9, 51), "centre": None, "size": None}, "inside out"),
        ({"window": (9, 50, 10, 51)}, "both window and centre"),
        ({"default_levels": 0}, "levels"),
        ({"material": "mud"}, "mud"),
        ({"turn": 1000}, "a turn of 1000"),
        ({"overwrite": False}, "exists already; name another, or give --overwrite"),
    ],
)
def test_bad_arguments(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    (tmp_path / "town.yaml").write_text("mine")
    with pytest.raises(InputError, match=words):
        Town(tmp_path, area(box(0, 0, 18, 18)), **options)
    assert (tmp_path / "town.yaml").read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["town.geojson", "town.yaml"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.geojson", "not json", "not JSON"),
        ("a.geojson", "[1, 2]", "no GeoJSON"),
        ("a.geojson", '{"type": "FeatureCollection", "features": []}', "no house"),
        ("a.osm.pbf", "not a pbf", "cannot be read as OpenStreetMap data"),
        ("a.osm", "<osm", "cannot be read as OpenStreetMap data"),
        ("a.shp", "", "not a known kind"),
    ],
)
def test_bad_sources(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=words):
        import_map(tmp_path / name, tmp_path / "out.yaml")
    assert not (tmp_path / "out.yaml").exists()


def test_missing_source_and_metres_for_degrees(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        import_map(tmp_path / "none.geojson", tmp_path / "out.yaml")
    projected = area(box(0, 0, 18, 18))
    projected["geometry"]["coordinates"] = [[[385000, 6671000], [385018, 6671000], [385018, 6671018]]]
    projected["geometry"]["coordinates"][0].append([385000, 6671000])
    with pytest.raises(InputError, match="reproject"):
        Town(tmp_path, projected)


def test_broken_feature_is_told(tmp_path: Path) -> None:
    broken = {
        "type": "Feature",
        "id": "x9",
        "properties": {"building": "yes"},
        "geometry": {"type": "Polygon"},
    }
    town = Town(tmp_path, area(box(0, 0, 18, 18)), broken)
    (note,) = (note for note in town.report.notes if note.action == "left out")
    assert (note.id, "no GeoJSON geometry" in note.why) == ("feature/x9", True)


def test_shapes_are_told_as_what_they_are(tmp_path: Path) -> None:
    road = line((0, 40), (40, 40), highway="residential")
    road["geometry"] = None
    ring = area(box(-60, -60, 20, 20))
    ring["geometry"] = {"type": "LinearRing", "coordinates": ring["geometry"]["coordinates"][0]}
    town = Town(tmp_path, area(box(0, 0, 20, 20)), ring, road)
    assert len(town.board.buildings) == 2, "a closed line that is a building is one"
    assert town.report.total("left out", "house") == 0
    assert [note.id for note in town.report.notes if note.what == "other shape"] == ["feature/2"]


def test_where_no_house_is_left_the_reason_is_why_one_was_left_out(tmp_path: Path) -> None:
    tiny = area([(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0), (0.0, 0.0)])
    with pytest.raises(InputError, match="no house in the window could be taken; feature/0: smaller than 4"):
        Town(tmp_path, tiny)


def test_houses_that_fill_the_map_are_answered_with_a_wider_area(tmp_path: Path) -> None:
    """Without an area the map reaches as far as the houses do, so one large house leaves no ground."""
    house = area(box(-50.0, -50.0, 100.0, 100.0), building="yes")
    with pytest.raises(InputError, match="the houses leave no ground free within the map; give a wider"):
        Town(tmp_path, house, centre=None, size=None)
    assert not (tmp_path / "town.yaml").exists()
    assert Town(tmp_path, house).board.spaces
