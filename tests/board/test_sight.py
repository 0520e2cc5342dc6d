"""Lines of sight and fire: what blocks them, what covers, and that the store never changes an answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.board.model import Area, Obstacle, SightLine
from battlesim.board.occluders import Occluders
from battlesim.board.segment_geometry import BOTH, blocked_sides
from battlesim.board.sight import Sight
from tests.board.handmade import PLAYED, Draft, House, town

NEAR, FAR = 0, 1  # two nodes either side of what stands between them


def between(*houses: House, **draft: object) -> Board:
    return Draft([(0, 1000), (3000, 1000)], list(houses), **draft).build()  # type: ignore[arg-type]


def floor(board: Board, name: str) -> int:
    return board.space(name)


# -- what blocks -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_a_house_blocks_until_it_falls() -> None:
    board = between(House(1000, 700))
    sight = board.sight
    assert not sight.sees(NEAR, FAR)
    assert sight.clear_lines(NEAR, FAR) == ()
    assert sight.best(NEAR, FAR) is None
    assert [line.blockers for line in sight.lines(NEAR, FAR)] == [(0,)]
    down = frozenset({0})
    assert sight.sees(NEAR, FAR, down)
    assert sight.best(NEAR, FAR, down) == SightLine(3000, -1, -1, -1, -1, (0,), 0)
    assert not sight.sees(NEAR, FAR), "a fall in one battle is none in another"


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_two_houses_block_until_both_have_fallen() -> None:
    sight = between(House(700, 700), House(1700, 700)).sight
    assert not sight.sees(NEAR, FAR, frozenset({0}))
    assert not sight.sees(NEAR, FAR, frozenset({1}))
    assert sight.sees(NEAR, FAR, frozenset({0, 1}))
    assert sight.lines(NEAR, FAR)[0].blockers == (0, 1)


def test_a_line_along_an_outer_wall_is_clear_and_one_along_a_party_wall_is_not() -> None:
    assert between(House(1000, 1000)).sight.sees(NEAR, FAR)
    assert between(House(1000, 400)).sight.sees(NEAR, FAR)
    party = between(House(1000, 1000), House(1000, 400))
    assert not party.sight.sees(NEAR, FAR)
    assert not party.sight.sees(FAR, NEAR)
    assert party.sight.lines(NEAR, FAR)[0].blockers == (0, 1)


def test_houses_that_touch_at_one_corner_leave_no_gap_but_one_corner_alone_does_not_block() -> None:
    nodes = [(0, 0), (2000, 2000)]
    corner = House(1000, 400, 600, 600)  # its north-west corner lies on the diagonal
    other = House(400, 1000, 600, 600)  # its south-east corner lies on the same point
    assert Draft(nodes, [corner]).build().sight.sees(0, 1)
    assert not Draft(nodes, [corner, other]).build().sight.sees(0, 1)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_upper_floors_look_over_lower_houses() -> None:
    low = House(1000, 700, floors=1)
    tall = House(2500, 700, floors=3)
    board = Draft([(0, 1000)], [low, tall]).build()
    sight = board.sight
    # floor 0 and 1 have their windows at 150 and 450; the roof line of the low house is at 300
    assert not any(
        line.to_opening >= 0 and line.to_side == 3 for line in sight.clear_lines(0, floor(board, "h1.0"))
    )
    assert not sight.sees(0, floor(board, "h1.1")), (
        "from 100 to 450 over 2500 it passes the house at 240 to 324"
    )
    top = sight.clear_lines(0, floor(board, "h1.2"))
    assert {line.to_side for line in top} == {3}, "100 to 750: at 1000 it is at 360, above the roof line"


def test_the_roof_line_stands_on_the_ground_of_the_house() -> None:
    raised = between(House(1000, 700, floors=1, z=200), heights={0: 350, 1: 350})
    assert not raised.sight.sees(NEAR, FAR)
    assert between(House(1000, 700, floors=1), heights={0: 350, 1: 350}).sight.sees(NEAR, FAR)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_hills_block_below_their_height_and_those_on_top_look_down() -> None:
    hill = Area("hill", ((1000, 500), (2700, 500), (2700, 1500), (1000, 1500)), 200)
    nodes = [(0, 1000), (3000, 1000), (1500, 1000), (2600, 1000)]
    sight = Draft(nodes, areas=[hill], heights={2: 200, 3: 200}).build().sight
    assert sight.lines(0, 1) == ()
    assert not sight.sees(0, 1, frozenset({0})), "hills never fall"
    assert sight.sees(2, 3)
    assert sight.sees(0, 2), "100 to 300 over 1500: 233 above the edge"
    assert not sight.sees(0, 3), "100 to 300 over 2600: 177 at the edge"
    assert sight.sees(1, 3)


def test_where_hills_overlap_the_ground_is_that_of_the_highest() -> None:
    """In whichever order a map draws them; a wall on top stands as high."""
    high = Area("hill", ((1000, 500), (2000, 500), (2000, 1500), (1000, 1500)), 300)
    low = Area("hill", ((500, 500), (2500, 500), (2500, 1500), (500, 1500)), 100)
    nodes = [(1100, 1000), (1900, 1000)]
    wall = Obstacle("wall", (1500, 500), (1500, 1500), 200)
    for areas in ([high, low], [low, high]):
        draft = Draft(nodes, areas=areas, obstacles=[wall], heights={0: 300, 1: 300})
        assert not draft.build().sight.sees(0, 1)


@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.parametrize(("depth", "clear"), [(600, True), (601, False)])
def test_woods_block_when_more_than_six_inches_are_crossed(depth: int, clear: bool) -> None:
    wood = Area("woods", ((1000, 500), (1000 + depth, 500), (1000 + depth, 1500), (1000, 1500)), 400)
    sight = between(areas=[wood]).sight
    assert sight.sees(NEAR, FAR) is clear
    if clear:
        assert sight.best(NEAR, FAR) == SightLine(3000, -1, -1, -1, -1, (), 1)


def test_depths_of_several_woods_add_up_and_overlaps_count_once() -> None:
    def wood(x: int, w: int) -> Area:
        return Area("woods", ((x, 500), (x + w, 500), (x + w, 1500), (x, 1500)), 400)

    assert not between(areas=[wood(500, 400), wood(1500, 300)]).sight.sees(NEAR, FAR)
    assert between(areas=[wood(500, 400), wood(700, 300)]).sight.sees(NEAR, FAR)


def test_woods_are_looked_over_from_above() -> None:
    wood = Area("woods", ((1000, 500), (2000, 500), (2000, 1500), (1000, 1500)), 200)
    assert between(areas=[wood], heights={0: 150, 1: 150}).sight.best(NEAR, FAR) == SightLine(
        3000, -1, -1, -1, -1
    )


# -- cover -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "x", "cover"),
    [
        ("wall", 2700, 2),
        ("hedge", 2700, 1),
        ("fence", 2700, 0),
        ("wall", 2650, 2),
        ("wall", 2649, 0),
        ("wall", 300, 0),
    ],
)
@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_an_obstacle_near_the_target_covers_it(kind: str, x: int, cover: int) -> None:
    sight = between(obstacles=[Obstacle(kind, (x, 0), (x, 2000), 100)]).sight
    line = sight.best(NEAR, FAR)
    assert line is not None
    assert line.cover == cover


def test_an_obstacle_nearer_to_the_shooter_does_not_cover() -> None:
    wall = Obstacle("wall", (200, 0), (200, 2000), 100)
    sight = Draft([(0, 1000), (500, 1000), (300, 1000)], obstacles=[wall]).build().sight
    assert [line.cover for line in sight.lines(0, 1)] == [0]
    assert [line.cover for line in sight.lines(1, 0)] == [2]
    assert [line.cover for line in sight.lines(0, 2)] == [2], "200 from the shooter, 100 from the target"


def test_a_wall_blocks_only_where_it_is_higher_than_the_line() -> None:
    def high(height: int) -> Sight:
        return between(obstacles=[Obstacle("wall", (1500, 0), (1500, 2000), height)]).sight

    assert high(100).sees(NEAR, FAR)
    assert not high(101).sees(NEAR, FAR)
    assert high(101).lines(NEAR, FAR) == ()


def test_a_target_in_woods_is_in_soft_cover_and_hard_cover_wins() -> None:
    wall = Obstacle("wall", (2800, 0), (2800, 2000), 100)
    assert between(terrain={1: "woods"}).sight.lines(NEAR, FAR)[0].cover == 1
    assert between(terrain={1: "woods"}, obstacles=[wall]).sight.lines(NEAR, FAR)[0].cover == 2


# -- openings and walls ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-AT-1")
@pytest.mark.clause("OD-AT-2")
def test_a_floor_is_aimed_at_through_its_openings_and_at_its_walls() -> None:
    board = Draft([(1000, 0)], [House(700, 1000, floors=1, sides=(1,))]).build()
    lines = board.sight.lines(0, floor(board, "h0.0"))
    assert [(line.to_side, line.to_opening, line.distance) for line in lines] == [(0, -1, 995)], (
        "the south wall has no opening: only the wall itself; the east side faces away"
    )
    board = Draft([(1000, 0)], [House(700, 1000, floors=1, sides=(0,), per_side=2)]).build()
    lines = board.sight.lines(0, floor(board, "h0.0"))
    assert [(line.to_side, line.to_opening) for line in lines] == [(0, -1), (0, 0), (0, 1)]
    assert [line.distance for line in lines] == [995, 1006, 1006]


@pytest.mark.clause("OD-FROM-1")
@pytest.mark.clause("OD-FROM-5")
def test_a_floor_shoots_from_openings_and_from_walls_that_have_none() -> None:
    board = Draft([(1000, 0), (2000, 1300)], [House(700, 1000, floors=1, sides=(1,))]).build()
    inside = floor(board, "h0.0")
    assert [(line.from_side, line.from_opening) for line in board.sight.lines(inside, 0)] == [(0, -1)]
    assert [(line.from_side, line.from_opening) for line in board.sight.lines(inside, 1)] == [(1, 0)]
    assert not board.sight.has_view(inside, 0), "an opening yet to be made is none to look through"
    assert board.sight.has_view(inside, 1)
    assert board.sight.has_view(1, inside)


@pytest.mark.clause("OD-FROM-4")
def test_a_roof_is_open_on_all_sides_and_has_no_walls() -> None:
    board = Draft([(1000, 0)], [House(700, 1000, floors=1, sides=(1,), flat_roof=True)]).build()
    roof = floor(board, "h0.1")
    assert [(line.from_side, line.to_side) for line in board.sight.lines(roof, 0)] == [(0, -1)]
    assert all(line.to_opening >= 0 for line in board.sight.lines(0, roof))


def test_a_wall_that_only_adjoins_a_neighbour_is_no_target() -> None:
    board = Draft([(1000, 0)], [House(700, 1000, floors=1, sides=(1,), blind=(0,))]).build()
    assert board.sight.lines(0, floor(board, "h0.0")) == ()


def test_floors_of_one_house_and_its_own_ruin_have_no_lines() -> None:
    board = town(1).build()
    ground, upper = (floor(board, name) for name in ("h0.0", "h0.1"))
    assert board.sight.lines(ground, upper) == ()
    assert board.sight.lines(ground, ground) == ()
    assert board.sight.sees(board.space("h0.ruin"), 0), "a ruin's own walls have fallen"


points = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@st.composite
def stars(draw: st.DrawFn) -> list[tuple[int, int]]:
    """A polygon whose corners run round the origin; often not convex."""
    corners = draw(st.lists(points, min_size=3, max_size=7, unique=True))
    return sorted(corners, key=lambda p: (math.atan2(p[1], p[0]), p))


@pytest.mark.slow
@given(stars(), points, points, st.tuples(*[st.integers(0, 40)] * 3))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_meeting_a_polygon_agrees_with_an_outside_library(
    ring: list[tuple[int, int]], p: tuple[int, int], q: tuple[int, int], heights: tuple[int, int, int]
) -> None:
    shape = Polygon(ring)
    assume(shape.is_valid and shape.area > 0 and p != q)
    dx, dy = q[0] - p[0], q[1] - p[1]
    assume(all(dx * (y - p[1]) - dy * (x - p[0]) for x, y in ring))  # touching a corner has its own tests
    z1, z2, top = heights
    inside = LineString([p, q]).intersection(shape)
    ends = [
        point for part in getattr(inside, "geoms", [inside]) if part.length > 1e-9 for point in part.coords
    ]
    along = [((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy) for x, y in ends]
    lowest = min((z1 + (z2 - z1) * t for t in along), default=1e9)
    assume(abs(lowest - top) > 1e-6 or z1 == z2)
    assert blocked_sides(ring, *p, dx, dy, z1, z2, top) == (BOTH if lowest < top - 1e-9 else 0)


def test_emptying_the_store_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = town(2, per_side=1).build()
    spaces = range(0, len(board.spaces), 3)
    fallen = frozenset({1, 2})
    wanted = [
        (board.sight.clear_lines(a, b), board.sight.clear_lines(a, b, fallen)) for a in spaces for b in spaces
    ]
    monkeypatch.setattr("battlesim.board.sight._MOST_LINES", 20)
    small = Sight(board, PLAYED)
    for _ in range(2):
        assert [
            (small.clear_lines(a, b), small.clear_lines(a, b, fallen)) for a in spaces for b in spaces
        ] == wanted


@pytest.mark.parametrize("name", ["open-ground", "stairwell"])
def test_a_shipped_map_is_seen_alike_from_both_ends(name: str) -> None:
    board = load_map(name).under(PLAYED)
    sight = Sight(board, PLAYED)
    step = max(1, len(board.spaces) // 60)
    spaces = range(0, len(board.spaces), step)
    seen = 0
    for a in spaces:
        for b in spaces:
            assert sight.has_view(a, b) == sight.has_view(b, a)
            assert bool(sight.clear_lines(a, b)) == sight.sees(a, b)
            seen += sight.sees(a, b)
    assert 0 < seen < len(spaces) ** 2


def test_too_far_is_what_the_hint_says() -> None:
    board = load_map("village").under(PLAYED)
    for a in range(0, len(board.spaces), 7):
        for b in range(3, len(board.spaces), 11):
            hint = board.sight.min_distance(a, b)
            assert not board.sight.too_far(a, b, hint)
            assert hint == 0 or board.sight.too_far(a, b, hint - 1)


@pytest.mark.parametrize("name", ["tobacco-factory", "district"])
def test_what_is_left_out_between_two_spaces_is_never_in_the_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = load_map(name).under(PLAYED)
    n = len(board.spaces)
    pairs = [(a, b) for a in range(0, n, 17) for b in range(3, n, 29)]
    few = Sight(board, PLAYED)
    looked = [few.lines(a, b) for a, b in pairs]
    everything = Sight(board, PLAYED)
    filed = [
        *everything._occluders._large,
        *(one for cell in everything._occluders._grid.values() for one in cell),
    ]
    monkeypatch.setattr(Occluders, "_between_cells", lambda *_: filed)
    assert looked == [everything.lines(a, b) for a, b in pairs]
    assert sum(map(len, looked)) > 100
