"""Shapes and cuts against shapely, an outside truth."""

from __future__ import annotations

from math import atan2

import pytest
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from battlesim.board.partition import LARGEST, partition
from battlesim.board.shapes import (
    central_point,
    counter_clockwise,
    covered,
    crossing_itself,
    edges,
    extents,
    inner_point,
    middle,
    outwards,
    overlap,
    ribbon,
    segment_meets,
    shared_wall,
    uncovered,
)
from battlesim.core.geometry import Point, distance, doubled_area

SQUARE = ((0, 0), (600, 0), (600, 600), (0, 600))


@st.composite
def stars(draw: st.DrawFn, reach: int = 15, unit: int = 100) -> tuple[Point, ...]:
    """A simple polygon: points about a centre, by angle; multiples of `unit`, as no wall is a hair thick."""
    points = draw(
        st.lists(st.tuples(st.integers(-reach, reach), st.integers(-reach, reach)), min_size=4, max_size=10)
    )
    points = [(x * unit, y * unit) for x, y in points]
    ring = tuple(dict.fromkeys(sorted(points, key=lambda p: (atan2(p[1], p[0]), p))))
    assume(len(ring) >= 3)
    assume(crossing_itself(ring) is None)
    assume(abs(doubled_area(ring)) > 200_000)
    return tuple((x + 2000, y + 2000) for x, y in ring)


@st.composite
def stairs(draw: st.DrawFn) -> tuple[Point, ...]:
    """A building along the axes: a row of wings of different depth, as footprints are."""
    widths = draw(st.lists(st.integers(300, 1200), min_size=1, max_size=5))
    tops = draw(st.lists(st.integers(400, 1800), min_size=len(widths), max_size=len(widths)))
    points: list[Point] = [(0, 0), (sum(widths), 0)]
    x = sum(widths)
    for width, top in zip(reversed(widths), reversed(tops), strict=True):
        points += [(x, top), (x - width, top)]
        x -= width
    ring = tuple(p for i, p in enumerate(points) if p != points[i - 1])
    assume(crossing_itself(ring) is None)
    return ring


@given(stars())
def test_simple_means_valid(ring: tuple[Point, ...]) -> None:
    assert shapely.Polygon(ring).is_valid
    assert doubled_area(counter_clockwise(ring)) > 0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7))
def test_crossings_are_found(points: list[Point]) -> None:
    crossing = crossing_itself(points)
    polygon = shapely.Polygon(points)
    if crossing is None and doubled_area(points) != 0:
        assert polygon.is_valid
    elif len(dict.fromkeys(points)) == len(points):
        ring = shapely.LinearRing([*points, points[0]])
        assert not polygon.is_valid or not ring.is_simple or doubled_area(points) == 0


@pytest.mark.parametrize(
    ("two", "lie"),
    [
        ((1200, 0, 2000, 600), True),  # walls along common lines, no corner inside and no walls that cross
        ((1000, 0, 2000, 600), True),
        ((900, 0, 1500, 600), True),
        ((1495, 0, 2000, 600), False),  # no deeper than outlines may be in one another
        ((1500, 0, 2000, 600), False),
        ((900, 600, 1500, 900), False),
        ((1000, -100, 1200, 700), True),
    ],
)
def test_rectangles_along_common_lines_overlap(two: tuple[int, int, int, int], lie: bool) -> None:
    def rectangle(x1: int, y1: int, x2: int, y2: int) -> tuple[tuple[int, int], ...]:
        return (x1, y1), (x2, y1), (x2, y2), (x1, y2)

    one = rectangle(900, 0, 1500, 600)
    assert overlap(one, rectangle(*two)) is lie
    assert overlap(rectangle(*two), one) is lie


@given(stars(), stars(), st.integers(-3000, 3000))
def test_overlap_against_shapely(one: tuple[Point, ...], two: tuple[Point, ...], shift: int) -> None:
    two = tuple((x + shift, y) for x, y in two)
    common = shapely.Polygon(one).intersection(shapely.Polygon(two))
    if common.buffer(-6).area > 100:
        assert overlap(one, two)
    if common.is_empty:
        assert not overlap(one, two)


@given(stars())
def test_points_inside(ring: tuple[Point, ...]) -> None:
    polygon = shapely.Polygon(ring).buffer(1)
    assert polygon.contains(shapely.Point(inner_point(ring)))
    assert polygon.contains(shapely.Point(central_point(ring)))
    centre = shapely.Polygon(ring).centroid
    assert abs(centre.x - middle(ring)[0]) < 2
    assert abs(centre.y - middle(ring)[1]) < 2


@given(
    stars(),
    st.tuples(st.integers(0, 4000), st.integers(0, 4000)),
    st.tuples(st.integers(0, 4000), st.integers(0, 4000)),
)
def test_segments_against_shapely(ring: tuple[Point, ...], a: Point, b: Point) -> None:
    assume(a != b)
    assert segment_meets(a, b, ring) == shapely.Polygon(ring).intersects(shapely.LineString([a, b]))


@pytest.mark.slow
@settings(deadline=None, derandomize=True)
@given(st.one_of(stairs(), stars()))
@example(((1700, 1600), (2000, 2000), (2100, 2900)))  # needles once were cut along, again and again
@example(((2800, 1800), (1900, 2300), (1800, 2000), (1900, 2000)))
@example(((2500, 1800), (1900, 2300), (1900, 2100), (1600, 2100)))
def test_cuts_keep_the_building_whole(ring: tuple[Point, ...]) -> None:
    parts = partition(ring)
    whole = shapely.Polygon(ring)
    polygons = [shapely.Polygon(part) for part in parts]
    assert all(polygon.is_valid for polygon in polygons)
    assert all(doubled_area(part) > 0 for part in parts)
    # rounding may shave a hundredth along each wall
    assert shapely.union_all(polygons).symmetric_difference(whole).area < whole.length * 2
    assert sum(polygon.area for polygon in polygons) == pytest.approx(whole.area, abs=whole.length * 2)
    assert all(extents(part)[0] <= LARGEST for part in parts)
    assert not any(overlap(a, b) for i, a in enumerate(parts) for b in parts[:i])
    assert len(parts) == len(partition(tuple(reversed(ring))))


@pytest.mark.slow
@given(stairs())
def test_cut_sections_hang_together(ring: tuple[Point, ...]) -> None:
    parts = partition(ring)
    reached = [0]
    for at in reached:
        for other in range(len(parts)):
            if other not in reached and shared_wall(parts[at], parts[other]) >= 50:
                reached.append(other)
    assert len(reached) == len(parts)


def test_a_long_house_is_cut_into_sixes() -> None:
    parts = partition(((0, 0), (2400, 0), (2400, 600), (0, 600)))
    assert [extents(part) for part in parts] == [(600, 600)] * 4
    assert partition(SQUARE) == [SQUARE]
    # 8 x 8 stays whole, a hair more does not (OD-LARGE-1)
    assert len(partition(((0, 0), (800, 0), (800, 800), (0, 800)))) == 1
    assert len(partition(((0, 0), (801, 0), (801, 800), (0, 800)))) == 2


def test_a_wing_is_cut_off_at_its_corner() -> None:
    parts = partition(((0, 0), (1200, 0), (1200, 600), (600, 600), (600, 1200), (0, 1200)))
    assert sorted(extents(part) for part in parts) == [(600, 600)] * 3


def test_covered_walls() -> None:
    right = ((600, 200), (1200, 200), (1200, 500), (600, 500))
    assert covered((600, 0), (600, 600), right) == [(200, 500)]
    assert covered((0, 0), (600, 0), right) == []
    nearly = tuple((x + 4, y) for x, y in right)
    apart = tuple((x + 9, y) for x, y in right)
    assert covered((600, 0), (600, 600), nearly) == [(200, 500)]
    assert covered((600, 0), (600, 600), apart) == []
    assert shared_wall(SQUARE, right) == 300
    assert uncovered(600, [(200, 500), (0, 100)]) == [(100, 200), (500, 600)]


def test_extents_turn_with_the_house() -> None:
    assert extents(SQUARE) == (600, 600)
    turned = ((0, 0), (480, 360), (120, 840), (-360, 480))  # 600 x 600 on a 3-4-5 slope
    assert extents(turned) == (600, 600)


def test_outwards_leaves_the_house() -> None:
    for a, b in edges(SQUARE):
        p = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
        x, y = outwards(a, b, p, 5)
        assert not shapely.Polygon(SQUARE).contains(shapely.Point(x, y))
        assert distance(p, (x, y)) == 5


def test_ribbons() -> None:
    assert ribbon(((0, 0), (1000, 0)), 200) == ((0, -100), (1000, -100), (1000, 100), (0, 100))
    bent = shapely.Polygon(ribbon(((0, 0), (1000, 0), (1500, 60), (1500, 1000)), 200))
    middle_line = shapely.LineString(((0, 0), (1000, 0), (1500, 60), (1500, 1000)))
    assert bent.is_valid
    assert bent.contains(middle_line.buffer(95, cap_style="flat", join_style="mitre").simplify(1).buffer(-5))
