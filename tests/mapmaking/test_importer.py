"""Footprints made into maps: every kind of outline, every fallback, and that nothing goes in silence."""

from __future__ import annotations

import json
import random
import time
from math import isqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("shapely")
pytest.importorskip("osmium")

from battlesim.board.board import Board
from battlesim.board.check import check_map
from battlesim.board.load import load_map, maps_folder
from battlesim.board.mapfile import MapFile, read_map_file
from battlesim.board.partition import WorkBudget
from battlesim.board.shapes import extents
from battlesim.core.errors import InputError
from battlesim.core.geometry import doubled_area
from battlesim.mapmaking import footprint_buildings
from battlesim.mapmaking.importer import import_map
from battlesim.mapmaking.importlog import ImportReport, format_report
from battlesim.mapmaking.outlines import Frame, corners_of, fit_together, solid
from battlesim.mapmaking.partition_building import breadth, partition_building
from battlesim.mapmaking.tagging import as_name, ground_of, house_of, read_number

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
        self.map: MapFile = read_map_file(self.out)
        self.board: Board = load_map(self.out)

    def notes(self, action: str, what: str) -> list[str]:
        return [note.why for note in self.report.notes if (note.action, note.what) == (action, what)]

    def floors(self, house: int = 0) -> list[int]:
        return [section.floors for section in self.map.buildings[house].sections]


def built_area(board: Board) -> float:
    return sum(doubled_area(section.polygon) for section in board.sections) / 2 / 10_000


# --- outlines -----------------------------------------------------------------------------------------------------


def test_scale_and_place(tmp_path: Path) -> None:
    """18 x 15 metres north-east of the middle are 6 x 5 inches there, to a hundredth."""
    town = Town(tmp_path, area(box(30, 15, 18, 15)))
    assert town.board.size == (6000, 6000)
    (section,) = town.board.sections
    assert sorted(section.polygon) == [(4000, 3500), (4000, 4000), (4600, 3500), (4600, 4000)]


def test_large_house_is_cut_and_connected(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(-45, -15, 90, 18)))
    assert len(town.board.sections) == 5
    assert {extents(section.polygon) for section in town.board.sections} == {(600, 600)}
    assert [len(section.adjoining[0]) for section in town.board.sections] == [1, 2, 2, 2, 1]


def test_court_stays_open(tmp_path: Path) -> None:
    """A ring of wings round a court of 24 x 24 metres: its area is kept out, doors lead into it."""
    town = Town(tmp_path, area(box(-30, -30, 60, 60), box(-12, -12, 24, 24)))
    assert built_area(town.board) == pytest.approx(400 - 64, abs=0.5)
    inside = [s for s in town.board.spaces if s.kind == "ground" and abs(s.x - 3000) < 400 > abs(s.y - 3000)]
    assert inside
    doors = [way for way in town.board.ways if way.kind == "door" and way.a in {s.id for s in inside}]
    assert any(town.board.openings[way.opening].kind == "door" for way in doors)


def test_small_court_is_roofed_over_and_told(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(-30, -30, 60, 60), box(-3, -3, 5, 5)))
    assert built_area(town.board) == pytest.approx(400, abs=0.5)
    assert town.report.total("simplified", "court") == 1


def test_bow_tie_is_mended(tmp_path: Path) -> None:
    """An outline that crosses itself is the two triangles it encloses, not nothing."""
    bow = [(-18.0, -18.0), (18.0, 18.0), (18.0, -18.0), (-18.0, 18.0), (-18.0, -18.0)]
    town = Town(tmp_path, area(bow))
    assert town.notes("repaired", "house") == ["its outline crossed itself"]
    assert built_area(town.board) == pytest.approx(72, rel=0.05)


def test_outline_without_area_is_refused(tmp_path: Path) -> None:
    flat = [(0.0, 0.0), (9.0, 0.0), (18.0, 0.0), (0.0, 0.0)]
    town = Town(tmp_path, area(flat), area(box(-30, -30, 18, 18)))
    assert town.notes("left out", "house") == ["its outline encloses nothing"]
    assert len(town.map.buildings) == 1


def test_multipolygon_is_one_house(tmp_path: Path) -> None:
    parts = [[degrees(box(-30, 0, 18, 18))], [degrees(box(12, 0, 18, 18))]]
    feature = area(box(0, 0, 1, 1))
    feature["geometry"] = {"type": "MultiPolygon", "coordinates": parts}
    town = Town(tmp_path, feature)
    (building,) = town.map.buildings
    assert len(building.sections) == 2
    assert all(not others for section in town.board.sections for others in section.adjoining)
    entered = {town.board.openings[way.opening].section for way in town.board.ways if way.kind == "door"}
    assert entered == {0, 1}


def test_touching_houses_share_a_wall_without_doors(tmp_path: Path) -> None:
    """Party walls have neither windows nor doors unless asked for, whichever corner is mapped where."""
    houses = area(box(-18, 0, 18, 18)), area(box(0, 3, 18, 18))
    board = Town(tmp_path, *houses).board
    one, two = board.sections
    assert not one.adjoining[0]
    assert not two.adjoining[0]
    assert not [
        o for o in board.openings if abs(o.x - 3000) < 20 and 3120 < o.y < 3580 and o.kind != "parapet"
    ]
    joined = Town(tmp_path, *houses, connect_party_walls=True).board
    assert [section.adjoining[0] for section in joined.sections] == [(1,), (0,)]


def test_gap_of_a_hand_between_houses_is_closed(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(-18, 0, 18, 18)), area(box(0.5, 0, 18, 18)))
    assert town.report.total("simplified", "gap") == 1
    assert not [o for o in town.board.openings if abs(o.x - 3000) < 30 and o.kind != "parapet"]


def test_overlap_goes_to_the_larger(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(0, 0, 18, 18)), area(box(12, 0, 24, 24)), area(box(2, 2, 6, 6)))
    assert built_area(town.board) == pytest.approx(36 + 64 - 2 * 6, abs=0.3)
    assert town.notes("repaired", "house") == ["where it overlapped another house, the larger has the place"]
    assert town.notes("left out", "house") == ["it lies in another house"]


def test_outside_and_edge(tmp_path: Path) -> None:
    """Outside is counted, what crosses the edge is cut off, of what only reaches in a strip is left out."""
    town = Town(
        tmp_path,
        area(box(0, 0, 18, 18)),
        area(box(500, 0, 18, 18)),
        area(box(75, 0, 40, 18)),
        area(box(86, -40, 30, 18)),
    )
    assert town.notes("left out", "house") == ["only a strip of it lies in the window", "outside the window"]
    assert town.notes("simplified", "house") == ["cut off at the edge of the map"]
    assert max(x for section in town.board.sections for x, _ in section.polygon) == 6000


def test_too_small_shed_is_left_out_and_told(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(0, 0, 18, 18)), area(box(-20, 0, 3, 3), building="shed"))
    assert town.notes("left out", "house") == ["smaller than 4 square inches, or thinner than 1.5 inches"]
    kept = Town(tmp_path, area(box(-20, 0, 7, 7), building="shed"))
    assert kept.map.buildings[0].kind == "shed"
    assert kept.floors() == [1]


def test_small_detail_is_smoothed(tmp_path: Path) -> None:
    wavy = [(float(x), 0.4 * (x % 2)) for x in range(19)]
    town = Town(tmp_path, area([*wavy, (18.0, 18.0), (0.0, 18.0), (0.0, 0.0)]))
    assert len(town.board.sections[0].polygon) == 4


def test_roof_or_ship_is_no_house(tmp_path: Path) -> None:
    others = [
        area(box(30, 30 * i - 60, 18, 18), building=kind) for i, kind in enumerate(("roof", "ship", "no"))
    ]
    below = area(box(-60, 0, 18, 18), building="yes", layer="-1")
    town = Town(tmp_path, area(box(0, 0, 18, 18)), *others, below)
    assert len(town.map.buildings) == 1
    assert town.report.total("left out", "house") == 4


# --- floors, roofs, names -----------------------------------------------------------------------------------------


def test_levels_before_height_before_parts_before_default(tmp_path: Path) -> None:
    yes = {"building": "yes"}
    town = Town(
        tmp_path,
        area(box(-80, 0, 18, 18), **yes, building__levels="4", height="50"),
        area(box(-50, 0, 18, 18), **yes, height="21 m"),
        area(box(-20, 0, 18, 18), **yes),
        area(box(-20, 0, 18, 12), building__part="yes", building__levels="5"),
        area(box(10, 0, 18, 18), **yes, building__levels="many"),
        area(box(40, 0, 18, 18), **yes, building__levels="2.5"),
        default_levels=2,
        max_levels=5,
    )
    assert [town.floors(i)[0] for i in range(5)] == [4, 5, 5, 2, 3]
    assert town.notes("simplified", "house") == ["more than 5 floors"]
    assumed = town.notes("assumed", "house")
    assert "floors of its tagged parts" in assumed
    assert "2 floors, since no tag says" in assumed
    assert "the tag building:levels=many makes no sense and is passed over" in assumed


def test_roofs_by_tag_then_by_seed(tmp_path: Path) -> None:
    flat = area(box(-40, 0, 18, 18), building="yes", roof__shape="flat")
    gabled = area(box(-10, 0, 18, 18), building="yes", roof__shape="gabled")
    untold = area(box(20, 0, 18, 18))
    for share, expected in ((0, [True, False, False]), (100, [True, False, True])):
        town = Town(tmp_path, flat, gabled, untold, flat_roofs=share)
        assert [section.flat_roof for section in town.board.sections] == expected


def test_material_and_names(tmp_path: Path) -> None:
    town = Town(
        tmp_path,
        area(box(-60, 0, 18, 18), building="church", name="Église  St. <b>Jean</b>"),
        area(box(-30, 0, 18, 18), building="yes", building__material="wood"),
        area(box(0, 0, 18, 18), building="yes", addr__street="Long Lane", addr__housenumber="4"),
        area(box(30, 0, 18, 18), building="yes", addr__street="Long Lane", addr__housenumber="4"),
    )
    assert [b.name for b in town.map.buildings] == [
        "eglise-st-b-jean-b",
        "house-1",
        "long-lane-4",
        "long-lane-4-2",
    ]
    assert [b.material for b in town.map.buildings] == ["stone", "wood", "brick", "brick"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3.0),
        ("3.5", 3.5),
        ("3,5 m", 3.5),
        ("10 ft", 3.048),
        ("4;5", 4.0),
        ("2-3", 2.0),
        ("ten", None),
        ("", None),
    ],
)
def test_numbers_of_tags(text: str, number: float | None) -> None:
    assert read_number(text) == number


def test_names_fit_the_map_format() -> None:
    assert as_name("Hämeentie 12 B") == "hameentie-12-b"
    assert as_name("--- ") == ""
    assert len(as_name("x" * 90)) == 32


def test_half_a_floor_counts() -> None:
    assert house_of({"building": "yes", "building:levels": "3.5"}, 3.5).floors == 4
    assert house_of({"building": "yes", "height": "12"}, 3.5).floors == 3
    assert house_of({"building": "yes", "building:levels": "-2"}, 3.5).odd == ("building:levels=-2",)


# --- openings -----------------------------------------------------------------------------------------------------


def test_doors_on_the_street_side(tmp_path: Path) -> None:
    """A row of houses with a street to the south: every house has a door there, seeds move others only."""
    row = [area(box(-72 + 18 * i, 0, 18, 15)) for i in range(8)]
    street = line((-90, -9), (90, -9), highway="residential")
    maps = []
    for seed in (1, 2):
        town = Town(tmp_path, *row, street, seed=seed)
        south = {o.section for o in town.board.openings if o.kind == "door" and o.y < 3010}
        assert south == set(range(8))
        maps.append(town.out.read_bytes())
    assert maps[0] != maps[1]


def test_tagged_entrance_and_archway(tmp_path: Path) -> None:
    house = area(box(-30, -9, 60, 18))
    town = Town(
        tmp_path,
        house,
        point(14, -9, entrance="main"),
        point(60, 60, entrance="yes"),
        line((3, -20), (3, 20), highway="service", tunnel="building_passage"),
    )
    spots = {(o.kind, round(o.x, -1), round(o.y, -2)) for o in town.board.openings}
    assert ("door", 3470, 2700) in spots
    gaps = sorted(o.y for o in town.board.openings if o.kind == "gap")
    assert gaps == [2695, 3305]
    assert town.report.total("left out", "entrance") == 1


def test_windows_about_every_two_to_three_inches(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(-36, -9, 72, 18), building="yes", building__levels="2"))
    for section in town.board.sections:
        for floor in (0, 1):
            openings = [town.board.openings[n] for n in section.openings[floor]]
            for number, side in enumerate(section.sides):
                here = [o for o in openings if o.side == number]
                assert bool(here) == side.outer
                assert len(here) <= 4


# --- the rest of the ground ---------------------------------------------------------------------------------------


def test_surroundings_are_kept(tmp_path: Path) -> None:
    trees = [point(-60 + 6 * i, 60, natural="tree") for i in range(5)]
    town = Town(
        tmp_path,
        area(box(0, 0, 18, 18)),
        line((-90, -30), (90, -30), highway="residential"),
        line((-90, -40), (90, -40), highway="footway"),
        area(box(-80, -80, 40, 30), natural="water"),
        area(box(30, -80, 40, 30), leisure="park"),
        area(box(30, 40, 30, 30), natural="wood"),
        area(box(-80, 0, 30, 20), natural="scrub"),
        line((-40, 30), (40, 30), barrier="wall"),
        line((-40, 36), (40, 36), barrier="hedge"),
        line((-40, 42), (20, 42), barrier="fence"),
        line((-40, 48), (20, 48), barrier="kerb"),
        point(0, 30, barrier="gate"),
        point(80, 80, natural="tree"),
        *trees,
    )
    kinds = [feature.kind for feature in town.map.terrain]
    for kind in ("road", "water", "open", "rough", "wall", "hedge", "fence"):
        assert kind in kinds, kind
    assert kinds.count("woods") == 2
    assert kinds.count("wall") == 2, "the gate is a gap"
    (water,) = (feature for feature in town.map.terrain if feature.kind == "water")
    assert water.deep
    assert town.notes("left out", "barrier") == ["kerb: stops nobody"]
    assert town.notes("left out", "path") == ["footway: not a road"]
    assert town.notes("left out", "tree") == ["fewer than 3 stand together"]


def test_woods_stop_at_houses(tmp_path: Path) -> None:
    town = Town(tmp_path, area(box(-9, -9, 18, 18)), area(box(-30, -30, 60, 60), natural="wood"))
    woods = [feature for feature in town.map.terrain if feature.kind == "woods"]
    assert sum(abs(doubled_area(feature.corners)) for feature in woods) / 20_000 == pytest.approx(364, abs=1)


@pytest.mark.parametrize(
    ("tags", "form", "kind"),
    [
        ({"highway": "primary"}, "line", "road"),
        ({"highway": "residential", "tunnel": "building_passage"}, "line", "passage"),
        ({"highway": "pedestrian", "area": "yes"}, "area", "square"),
        ({"landuse": "grass"}, "area", "park"),
        ({"waterway": "river"}, "line", "water"),
        ({"barrier": "gate"}, "point", "gate"),
        ({"natural": "tree_row"}, "line", "tree"),
    ],
)
def test_kinds_of_ground(tags: dict[str, str], form: str, kind: str) -> None:
    ground = ground_of(tags, form)
    assert ground is not None
    assert ground.kind == kind
    assert not ground.why_not


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
        ({"centre": (200, 0)}, "200, 0 is no place"),
        ({"centre": (LON + 1, LAT)}, "no house lies in the window"),
        ({"window": (10, 50, 9, 51), "centre": None, "size": None}, "inside out"),
        ({"window": (9, 50, 10, 51)}, "both window and centre"),
        ({"default_levels": 0}, "levels"),
        ({"material": "mud"}, "mud"),
        ({"turn": 1000}, "a turn of 1000"),
        ({"overwrite": False}, "exists already"),
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
        ("a.shp", "", "no known kind"),
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


# --- properties ---------------------------------------------------------------------------------------------------

_place = st.integers(-70, 20)
_length = st.integers(3, 45)


@st.composite
def _house(draw: st.DrawFn) -> list[Metres]:
    """An outline of any sort: a box, an L, or corners as they come, crossing themselves and all."""
    x, y, width, height = draw(_place), draw(_place), draw(_length), draw(_length)
    kind = draw(st.sampled_from(("box", "ell", "any")))
    if kind == "box":
        return box(x, y, width, height)
    if kind == "ell":
        a, b = width / 2, height / 3
        ring = [(0, 0), (width, 0), (width, b), (a, b), (a, height), (0, height), (0, 0)]
        return [(x + p, y + q) for p, q in ring]
    ring = draw(st.lists(st.tuples(_length, _length), min_size=3, max_size=7))
    return [(float(x + p), float(y + q)) for p, q in (*ring, ring[0])]


def is_sound(tmp_path: Path, houses: list[list[Metres]], turn: int) -> None:
    anchor = box(50, 50, 12, 12)  # in the window however it is turned
    town = Town(tmp_path, *(area(ring) for ring in (*houses, anchor)), turn=turn)
    for section in town.board.sections:
        assert section.size <= 800
    told = town.report.total("taken", "house") + town.report.total("left out", "house")
    assert told == len(houses) + 1


any_town = given(st.lists(_house(), min_size=1, max_size=6), st.integers(-45, 45))
few, many = (
    settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    for examples in (12, 100)
)


@few
@any_town
def test_any_town_becomes_a_sound_map(tmp_path: Path, houses: list[list[Metres]], turn: int) -> None:
    """No section above 8 x 8 (OD-LARGE-1), no error of the check, nothing lost: every house is taken or left out."""
    is_sound(tmp_path, houses, turn)


@pytest.mark.slow
@many
@any_town
def test_any_of_many_towns_becomes_a_sound_map(tmp_path: Path, houses: list[list[Metres]], turn: int) -> None:
    is_sound(tmp_path, houses, turn)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000)), min_size=3, max_size=9))
def test_any_outline_is_cut_without_loss(corners: list[tuple[int, int]]) -> None:
    import shapely

    shape = shapely.make_valid(shapely.Polygon(corners))
    fitted = fit_together([solid(shape)], 0, 1)
    for outline in fitted.outlines[0]:
        if breadth(corners_of(outline.exterior)) < 150:  # too thin for a house: left out before
            continue
        sections = partition_building(outline, WorkBudget())
        assert all(extents(section)[0] <= 800 for section in sections)
        total = sum(doubled_area(section) for section in sections) / 2
        assert total == pytest.approx(outline.area, rel=0.03, abs=20_000)


# --- the shipped quarter ------------------------------------------------------------------------------------------


def test_shipped_quarter() -> None:
    """It is in order, small, and carries its attribution; playing it needs neither shapely nor osmium."""
    path = maps_folder() / "helsinki-quarter.yaml"
    assert check_map(path) == []
    assert path.stat().st_size < 400_000
    board = load_map("helsinki-quarter")
    assert "ateneum" in board.buildings
    assert 1500 <= len(board.spaces) <= 2000
    assert board.attribution == "© OpenStreetMap contributors"
    assert "ODbL" in board.license
    assert all(section.size <= 800 for section in board.sections)


@pytest.mark.parametrize(
    "inside",
    [
        '<node id="1" lat="abc" lon="10"/>',
        '<node id="1" lat="50" lon=""/>',
        '<node id="1" lat="1e400" lon="10"/>',
        '<node id="1" lat="9999999999999" lon="10"/>',
        '<node id="x" lat="50" lon="10"/>',
        '<node id="1" lat="50" lon="10" version="x"/>',
        '<node id="1" lat="50" lon="10" timestamp="yesterday"/>',
        '<node id="1" lat="50" lon="10"/><way id="2"><nd ref="y"/></way>',
        '<relation id="1"><member type="house" ref="1" role=""/></relation>',
        "<node",
        "",
    ],
)
def test_an_osm_file_with_odd_values_gets_one_message(tmp_path: Path, inside: str) -> None:
    file = tmp_path / "town.osm"
    file.write_text(f"<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">{inside}</osm>\n")
    with pytest.raises(InputError) as caught:
        import_map(file, tmp_path / "out.yaml")
    (fault,) = caught.value.faults
    assert fault.file == str(file)
    assert fault.remedy
    assert not (tmp_path / "out.yaml").exists()


# --- houses that would take too long ----------------------------------------------------------------------------


def comb(teeth: int, width: float, height: float) -> list[Metres]:
    points: list[Metres] = [(0.0, 0.0)]
    for tooth in range(teeth):
        x = 2 * width * tooth
        points += [(x, height), (x + width, height), (x + width, 10.0), (x + 2 * width, 10.0)]
    points += [(2 * width * teeth, 0.0)]
    return [(x - width * teeth, y - height / 2) for x, y in [*points, points[0]]]


def scribble(corners: int) -> list[Metres]:
    chance = random.Random(1)
    points = [(chance.uniform(-120, 120), chance.uniform(-120, 120)) for _ in range(corners)]
    return [*points, points[0]]


def refused_house(folder: Path, outline: list[Metres], **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        Town(folder, area(outline, building="yes", name="Big"), **options)
    assert not (folder / "town.yaml").exists()
    return str(caught.value)


@pytest.mark.parametrize("metres", [1500, 2900])
def test_a_house_of_too_many_sections_is_refused_before_it_is_cut(tmp_path: Path, metres: int) -> None:
    outline = box(-metres / 2, -metres / 2, metres, metres)
    message = refused_house(tmp_path, outline, size=(1000, 1000))
    assert "Big: it covers" in message
    assert (
        "which makes more than 400 sections; take a larger scale (more metres to the inch), or split it"
        in message
    )


def test_an_outline_that_is_a_scribble_is_refused(tmp_path: Path) -> None:
    message = refused_house(tmp_path, scribble(400))
    assert "Big: its outline crosses itself more than 300 times; simplify its outline, split it" in message
    assert Town(tmp_path, area([(0, 0), (40, 40), (40, 0), (0, 40), (0, 0)])).board.sections, (
        "one crossing is mended"
    )


def test_an_outline_too_intricate_is_smoothed_or_refused_by_work_not_by_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is made small here, so that the test is fast; what counts is that it is one of work."""
    teeth = [(x, 3.0 * (x // 6 % 2)) for x in range(-60, 61, 6)]  # an inch deep, and one to the next
    outline = [(-60.0, -60.0), (60.0, -60.0), *reversed(teeth), (-60.0, -60.0)]
    spent: list[WorkBudget] = []

    class Counted(WorkBudget):
        def __init__(self) -> None:
            super().__init__(bound)
            spent.append(self)

    monkeypatch.setattr(footprint_buildings, "WorkBudget", Counted)
    bound = 5_000_000
    plain = Town(tmp_path, area(outline, building="yes", name="Big"))
    assert plain.notes("simplified", "house") == []
    (whole,) = spent
    bound = bound - whole.left - 1
    smoothed = Town(tmp_path, area(outline, building="yes", name="Big"))
    words = "its outline was too intricate to be cut: detail finer than 2 inches is smoothed"
    assert smoothed.notes("simplified", "house") == [words]
    assert smoothed.report.total("taken", "house") == 1
    bound = 1_000
    (tmp_path / "town.yaml").unlink()
    message = refused_house(tmp_path, outline)
    assert (
        "Big: its outline is too intricate to be cut into sections; simplify its outline, split it" in message
    )


def test_one_such_house_does_not_keep_the_others_out(tmp_path: Path) -> None:
    town = Town(tmp_path, area(scribble(60), building="yes", name="Big"), area(box(30, 30, 30, 30)))
    assert town.board.buildings
    big = Town(tmp_path, area(scribble(400), building="yes", name="Big"), area(box(30, 30, 30, 30)))
    assert len(big.board.buildings) == 1
    assert any("crosses itself more than 300 times" in note for note in big.notes("left out", "house"))


@pytest.mark.slow
@pytest.mark.parametrize("outline", [comb(100, 3, 150), scribble(400)])
def test_no_house_takes_longer_than_half_a_minute(tmp_path: Path, outline: list[Metres]) -> None:
    begun = time.process_time()
    with pytest.raises(InputError, match="leave it out of the file"):
        Town(tmp_path, area(outline), size=(110, 110))
    assert time.process_time() - begun < 30


def test_measures_by_the_hull_are_those_by_all_corners() -> None:
    def slow(polygon: list[tuple[int, int]]) -> tuple[int, int]:
        sizes = []
        for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            dx, dy = bx - ax, by - ay
            if dx or dy:
                norm = isqrt((dx * dx + dy * dy) * 10_000)
                us, vs = [x * dx + y * dy for x, y in polygon], [y * dx - x * dy for x, y in polygon]
                u, v = (max(us) - min(us)) * 100 // norm, (max(vs) - min(vs)) * 100 // norm
                sizes.append((max(u, v), min(u, v)))
        return min(sizes)

    chance = random.Random(3)
    for _ in range(300):
        corners = [(chance.randrange(2_000), chance.randrange(2_000)) for _ in range(chance.randrange(3, 12))]
        assert extents(corners) == slow(corners)
