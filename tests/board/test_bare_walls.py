"""Walls behind a neighbour: no targets while it stands, targets like any other once it has fallen."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.board.model import BARE, SightLine
from battlesim.board.sight import Sight
from tests.board.handmade import PLAYED, Draft, House
from tests.rulesets.orderdice.grounds import ground

NONE: frozenset[int] = frozenset()


def row(east: str, west: str = "floors: 2", more: str = "") -> Board:
    """Two sections wall to wall along x = 12, the eastern one where it is said, on 30 x 20 inches; doors south."""
    return ground(
        (30, 20),
        f"""
buildings:
  - name: row
    sections:
      - {{name: west, rect: [6, 8, 12, 14], {west}, openings: [{{kind: door, side: south, at: 0.5}}]}}
      - {{name: east, {east}, openings: [{{kind: door, side: south, at: 0.2}}]}}
{more}
""",
    )


def walls_hit(board: Board, shooter: str, target: str, *fallen: str) -> list[tuple[int, int, int]]:
    """(side, opening, distance) of the lines at walls of a floor, once some sections are down."""
    down = frozenset(board.section(name) for name in fallen)
    lines = board.sight.clear_lines(board.space(shooter), board.space(target), down)
    return [(line.to_side, line.to_opening, line.distance) for line in lines if line.to_opening < 0]


@pytest.mark.clause("OD-AT-2", "OD-HE-1")
def test_a_party_wall_is_laid_bare_by_the_fall_of_its_neighbour_alone() -> None:
    board = row("rect: [12, 8, 18, 14], floors: 2")
    assert walls_hit(board, "g25.11", "row.west:0") == []
    assert walls_hit(board, "g25.11", "row.west:1") == []
    for floor in (0, 1):
        ((side, opening, far),) = walls_hit(board, "g25.11", f"row.west:{floor}", "row.east")
        assert (side, opening) == (1, BARE)
        assert 1340 <= far <= 1350  # from (25.5, 11.5) to (12.05, 11)
    assert walls_hit(board, "g25.11", "row.west:0") == [], "a fall in one battle is none in another"
    all_lines = board.sight.lines(board.space("g25.11"), board.space("row.west:0"))
    assert [line.blockers for line in all_lines if line.to_opening == BARE] == [(board.section("row.east"),)]


@pytest.mark.clause("OD-AT-2")
def test_only_the_floors_that_the_neighbour_hid_wait_for_its_fall() -> None:
    board = row("rect: [12, 8, 18, 14], floors: 1")
    assert walls_hit(board, "g29.11", "row.west:0") == []
    assert [hit[:2] for hit in walls_hit(board, "g29.11", "row.west:0", "row.east")] == [(1, BARE)]
    # 4.5 high, above the lower roof: seen from far enough away, and the same when that has fallen
    assert walls_hit(board, "g18.11", "row.west:1") == []
    assert [hit[:2] for hit in walls_hit(board, "g29.11", "row.west:1")] == [(1, -1)]
    assert [hit[:2] for hit in walls_hit(board, "g18.11", "row.west:1", "row.east")] == [(1, -1)]


@pytest.mark.clause("OD-AT-2")
def test_each_stretch_of_a_wall_is_a_target_of_its_own() -> None:
    """The neighbour hides the northern half of the wall; a shed in the yard hides the southern half from the east."""
    yard = """
  - {name: yard, rect: [14, 8, 16, 10.9], floors: 2, openings: [{kind: door, side: east}]}
"""
    board = row("rect: [12, 11, 18, 14], floors: 2", more=yard)
    assert walls_hit(board, "g19.12", "row.west:0") == []
    assert [hit[:2] for hit in walls_hit(board, "g19.12", "row.west:0", "row.east")] == [(1, BARE)]
    assert [hit[:2] for hit in walls_hit(board, "g19.9", "row.west:0", "yard.1")] == [(1, -1)]


@pytest.mark.clause("OD-AT-2")
def test_every_neighbour_of_a_long_wall_bares_its_own_stretch() -> None:
    board = row(
        "rect: [12, 8, 18, 11], floors: 2",
        more="""
  - {name: third, rect: [12, 11, 18, 14], floors: 2, openings: [{kind: door, side: east}]}
""",
    )
    assert walls_hit(board, "g19.11", "row.west:0") == []
    south = walls_hit(board, "g19.9", "row.west:0", "row.east")
    north = walls_hit(board, "g19.12", "row.west:0", "third.1")
    assert [hit[:2] for hit in south] == [hit[:2] for hit in north] == [(1, BARE)]
    assert south[0][2] < walls_hit(board, "g19.9", "row.west:0", "third.1", "row.east")[1][2]


def test_a_wall_behind_two_standing_houses_waits_for_both() -> None:
    board = ground(
        (40, 20),
        """
buildings:
  - name: row
    sections:
      - {name: a, rect: [6, 8, 12, 14], floors: 2, openings: [{kind: door, side: south}]}
      - {name: b, rect: [12, 8, 18, 14], floors: 2, openings: [{kind: door, side: south}]}
      - {name: c, rect: [18, 8, 24, 14], floors: 2, openings: [{kind: door, side: south}]}
""",
    )
    assert walls_hit(board, "g35.11", "row.a:0", "row.b") == []
    assert walls_hit(board, "g35.11", "row.a:0", "row.c") == []
    assert len(walls_hit(board, "g35.11", "row.a:0", "row.b", "row.c")) == 1
    assert len(walls_hit(board, "g35.11", "row.b:0", "row.c")) == 1


rows = st.builds(
    lambda widths, floors, gap: Draft(
        [(x, y) for x in range(-600, 3000, 600) for y in (-700, 300, 1300)],
        [
            House(sum(widths[:i]) + gap * (i > 1), 0, width, 600, floors=tall, sides=(0,))
            for i, (width, tall) in enumerate(zip(widths, floors, strict=True))
        ],
    ),
    st.lists(st.sampled_from([300, 450, 600]), min_size=4, max_size=4),
    st.lists(st.integers(1, 3), min_size=4, max_size=4),
    st.sampled_from([0, 3, 5, 40]),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows, st.data())
def test_lines_at_bared_walls_are_those_whose_blockers_have_fallen(draft: Draft, data: st.DataObject) -> None:
    """What is kept never changes an answer."""
    board = draft.build()
    kept = Sight(board, PLAYED)
    space = st.integers(0, len(board.spaces) - 1)
    falls = st.frozensets(st.integers(0, 3))
    for _ in range(6):
        a, b = data.draw(space), data.draw(space)
        every = Sight(board, PLAYED).lines(a, b)
        ruins = [
            end for end in (a, b) if board.spaces[end].kind == "ruin"
        ]  # where what hid the wall has fallen
        for line in every:
            assert line.blockers or ruins or BARE not in (line.from_opening, line.to_opening)
        for fallen in (data.draw(falls), NONE, data.draw(falls)):
            wanted: tuple[SightLine, ...] = tuple(line for line in every if fallen.issuperset(line.blockers))
            assert kept.sees(a, b, fallen) == bool(wanted)
            assert kept.clear_lines(a, b, fallen) == wanted


def test_nothing_bare_is_seen_while_all_stands() -> None:
    """Over a shipped map full of party walls."""
    board = load_map("tobacco-factory").under(PLAYED)
    floors = [space.id for space in board.spaces if space.kind == "floor"]
    nodes = range(0, len(board.spaces), 23)
    bare = 0
    for floor in floors[::3]:
        for node in nodes:
            assert all(line.to_opening != BARE for line in board.sight.clear_lines(node, floor))
            lines = board.sight.lines(node, floor)
            bare += sum(line.to_opening == BARE for line in lines)
            assert all(line.blockers for line in lines if line.to_opening == BARE)
    assert bare > 50


@pytest.mark.parametrize(("storey", "hidden"), [(4.4, False), (4.6, True)])
def test_a_neighbour_hides_a_wall_if_its_roof_is_above_the_middle_of_it(storey: float, hidden: bool) -> None:
    """The middle of the wall of the first floor is 4.5 inches up."""
    board = ground(
        (60, 20),
        f"""
buildings:
  - {{name: west, rect: [6, 8, 12, 14], floors: 2, openings: [{{kind: door, side: south, at: 0.5}}]}}
  - {{name: east, rect: [12, 8, 18, 14], storey: {storey}, openings: [{{kind: door, side: south, at: 0.5}}]}}
""",
    )
    every = board.sight.lines(board.space("g58.11"), board.space("west.1:1"))
    assert [(line.to_side, line.to_opening) for line in every] == [(1, BARE if hidden else -1)]
    # either way the lower house is in the way from the ground
    assert [line.blockers for line in every] == [(board.section("east.1"),)]
