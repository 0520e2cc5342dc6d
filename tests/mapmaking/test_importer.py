"""Footprints made into maps: outlines, floors, openings and the rest of the ground, with every fallback and its note."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

import pytest

pytest.importorskip("shapely")
pytest.importorskip("osmium")

from battlesim.board.shapes import extents
from battlesim.core.geometry import distance, doubled_area
from battlesim.mapmaking.tagging import as_name, ground_of, house_of, read_number
from tests.mapmaking.town import EAST, LAT, LON, NORTH, Town, area, box, built_area, degrees, line, point

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


def test_without_a_window_no_house_is_cut_off(tmp_path: Path) -> None:
    """The map has room for all houses, where they do not measure whole inches, too: 21.3 by 10.7 are 22 by 11."""
    houses = area(box(-32, -16, 20, 32)), area(box(12, -16, 20, 32))
    town = Town(tmp_path, *houses, centre=None, size=None)
    assert town.board.size == (2200, 1100)
    assert town.notes("simplified", "house") == []
    assert built_area(town.board) == pytest.approx(2 * 20 * 32 / 9, rel=0.01)
    west, south, east, north = LON - 32 / EAST, LAT - 16 / NORTH, LON + 32 / EAST, LAT + 16 / NORTH
    asked = Town(tmp_path, *houses, centre=None, size=None, window=(west, south, east, north))
    assert asked.board.size == (2100, 1000)


@pytest.mark.parametrize("turn", [45, -20.0, "auto"])
def test_without_a_window_a_turned_map_has_room_for_all_houses(tmp_path: Path, turn: float | str) -> None:
    """The corner houses of a town that lies square to north, and of one that lies askew, are whole on a turned map."""
    for angle in (0.0, 30.0):
        c, s = cos(radians(angle)), sin(radians(angle))
        blocks = [box(x, y, 20, 20) for x in (-60, 40) for y in (-40, 20)]
        houses = [area([(x * c - y * s, x * s + y * c) for x, y in block]) for block in blocks]
        town = Town(tmp_path, *houses, centre=None, size=None, turn=turn)
        assert town.notes("simplified", "house") == []
        assert town.notes("left out", "house") == []
        assert built_area(town.board) == pytest.approx(4 * 400 / 9, rel=0.01)
        if turn == "auto":  # along the map, the town measures 40 by 26.7 inches
            assert town.board.size in [(4000, 2700), (4100, 2700)]


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


def test_every_house_has_a_name_of_its_own(tmp_path: Path) -> None:
    names = ["Hof 2", "Hof", "Hof", "House 1", ""]
    houses = [area(box(40 * n - 80, 0, 18, 18), building="yes", name=name) for n, name in enumerate(names)]
    town = Town(tmp_path, *houses)
    assert list(town.board.buildings) == ["hof-2", "hof", "hof-3", "house-1", "house-1-2"]


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


@pytest.mark.parametrize(("options", "least", "most"), [({}, 200, 300), ({"windows": 6.0}, 550, 650)])
def test_windows_about_every_two_to_three_inches_or_as_asked(
    tmp_path: Path, options: dict[str, float], least: int, most: int
) -> None:
    house = area(box(-36, -9, 72, 18), building="yes", building__levels="2")
    town = Town(tmp_path, house, **options)
    upstairs = 0
    for section in town.board.sections:
        for floor in (0, 1):
            openings = [town.board.openings[n] for n in section.openings[floor]]
            for number, side in enumerate(section.sides):
                here = [o for o in openings if o.side == number]
                assert bool(here) == side.outer
                if here and floor == 1:  # where no door takes the room of a window
                    assert {o.kind for o in here} == {"window"}
                    assert least <= distance(side.a, side.b) / len(here) <= most
                    upstairs += 1
    assert upstairs == 10, "four sections in a row"


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
