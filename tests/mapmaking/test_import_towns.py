"""Any town becomes a sound map, and no house takes too long."""

from __future__ import annotations

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

from battlesim.board.check import check_map
from battlesim.board.load import load_map, maps_folder
from battlesim.board.partition import WorkBudget
from battlesim.board.shapes import extents
from battlesim.core.errors import InputError
from battlesim.core.geometry import doubled_area
from battlesim.mapmaking import footprint_buildings
from battlesim.mapmaking.importer import import_map
from battlesim.mapmaking.outlines import corners_of, fit_together, solid
from battlesim.mapmaking.partition_building import breadth, partition_building
from tests.mapmaking.town import (
    Metres,
    Town,
    area,
    box,
)
from tests.pace import slowness

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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert time.process_time() - begun < 30 * slowness()


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
