"""Sight from centre to centre, over and past what stands between (SH-HOUSE-STACK, SH-ATTACK-2)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.board.hexgrid import hex_at
from battlesim.board.load import load_map
from battlesim.rulesets.squadhex.hexes import BOTH, DIRECTIONS, LEFT, RIGHT, crossed, hexes, misfits
from battlesim.rulesets.squadhex.line_of_sight import lines_of_sight
from tests.rulesets.squadhex.kit import YARD, Table

NOTHING: frozenset[int] = frozenset()


def sees(a: str, b: str, *fallen: str) -> bool:
    table = Table()
    down = frozenset(table.section(name) for name in fallen)
    assert lines_of_sight(table.board).sees(table.place(a), table.place(b), down) == lines_of_sight(
        table.board
    ).sees(table.place(b), table.place(a), down)
    return lines_of_sight(table.board).sees(table.place(a), table.place(b), down)


@pytest.mark.clause("SH-HOUSE-STACK")
@pytest.mark.parametrize(
    ("a", "b", "clear"),
    [
        ("g0.0", "g0.9", True),
        ("g4.3", "g4.6", False),  # through the hall
        ("g4.3", "hall.high:0", True),
        ("g4.6", "hall.tower:0", True),
        ("hall.high:0", "hall.tower:2", True),  # next to one another
        ("g4.6", "hall.high:0", False),
        ("g8.0", "g8.2", False),  # through the woods
        ("g8.0", "g8.1", True),
        ("g10.5", "g6.5", True),  # from the hill over the hut
        ("hall.high:1", "g8.3", True),  # from the first floor over the low one, as far as its shadow
        ("g7.4", "hall.high:0", False),  # the low house between
        ("g1.4", "hall.tower:2", True),
        ("hall.high:1", "g7.5", False),  # it leaves the low roof at just its height: past it, not above it
        ("hall.tower:2", "g10.0", False),  # nor above the woods
    ],
)
def test_lines(a: str, b: str, clear: bool) -> None:
    assert sees(a, b) == clear


@pytest.mark.clause("SH-HOUSE-STACK", "SH-FALL-3")
def test_what_has_fallen_blocks_no_more() -> None:
    assert not sees("g4.3", "g4.6")
    assert not sees("g4.3", "g4.6", "hall.high")
    assert sees("g4.3", "g4.6", "hall.high", "hall.tower")


@pytest.mark.clause("SH-HOUSE-STACK")
def test_the_roof_hides_what_is_close_behind_it() -> None:
    """From 0.75 up, over a roof of 0.5: the line must still be above it where it leaves the hex."""
    assert not sees("hall.high:1", "g6.5")
    assert sees("hall.high:1", "g8.6")
    assert not sees("hall.high:0", "g8.6")


@pytest.mark.clause("SH-HOUSE-STACK")
def test_a_line_along_an_edge_is_blocked_by_both_sides_only() -> None:
    """From a hex to the next but one across a corner the line runs between two hexes."""
    (one, two) = crossed(2, -1)
    assert {one.how, two.how} == {LEFT, RIGHT}
    assert {(one.q, one.r), (two.q, two.r)} == {(1, 0), (1, -1)}
    assert sees("g3.3", "g5.3")  # the hall lies on one side only
    assert not sees("g3.4", "hall.low:0")
    assert sees("g3.4", "hall.low:0", "hall.high")
    assert sees("g3.4", "hall.low:0", "hall.tower")


def test_lines_through_rows_pass_each_hex() -> None:
    assert [(met.q, met.r, met.how) for met in crossed(3, 0)] == [(1, 0, BOTH), (2, 0, BOTH)]
    assert crossed(1, 0) == ()
    assert crossed(0, 0) == ()


offsets = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(offsets)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_lines_are_the_same_both_ways(offset: tuple[int, int]) -> None:
    q, r = offset
    there = {(m.q, m.r): m for m in crossed(q, r)}
    back = {(q + m.q, r + m.r): m for m in crossed(-q, -r)}
    assert there.keys() == back.keys()
    for name, met in there.items():
        assert (met.enters, met.leaves) == (1 - back[name].leaves, 1 - back[name].enters)
        assert (met.how == BOTH) == (back[name].how == BOTH)


@given(offsets)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_hexes_passed_through_cover_the_way_between_the_ends(offset: tuple[int, int]) -> None:
    """The stretches through hexes, each side of an edge counted half, add up to the way less the halves at both ends."""
    q, r = offset
    if (q, r) == (0, 0):
        return
    total = sum((m.leaves - m.enters) * (2 if m.how == BOTH else 1) for m in crossed(q, r))
    first = min((m.enters for m in crossed(q, r)), default=Fraction(1, 2))
    assert total == 2 * (1 - 2 * first)


def test_hexes_of_a_board() -> None:
    board = load_map(YARD)
    grid = hexes(board)
    assert misfits(board) == []
    middle = grid.of[board.space("g5.2")]
    assert len(grid.near[middle]) == 6 == len(DIRECTIONS)
    assert all(grid.distance(middle, other) == 1 for other in grid.near[middle])
    assert grid.between(board.space("hall.tower:0"), board.space("hall.tower:2")) == 0
    assert grid.between(board.space("g0.0"), board.space("g0.9")) == 9
    assert grid.between(board.space("g0.0"), board.space("g11.0")) == 11
    assert grid.between(board.space("g0.0"), board.space("g11.9")) == 15


@pytest.mark.clause("SH-HOUSE-STACK")
def test_a_mirrored_map_is_seen_alike_from_both_sides() -> None:
    """The square is the same from west and east: what sees what is so in the mirror."""
    board = load_map("square")
    by_hex = {(*hex_at(s.point), s.kind, s.floor): s.id for s in board.spaces}
    names = [(*hex_at(s.point), s.kind, s.floor) for s in board.spaces]
    mirror = [by_hex[10 - column, row, kind, floor] for column, row, kind, floor in names]
    lines = lines_of_sight(board)
    section = {s.section: board.spaces[mirror[s.id]].section for s in board.spaces if s.kind == "ruin"}
    down = frozenset({board.section("west-block.wing"), board.section("town-hall.tower")})
    other = frozenset(section[number] for number in down)
    for a in range(0, len(board.spaces), 2):
        for b in range(a % 5, len(board.spaces), 5):
            assert lines.sees(a, b, NOTHING) == lines.sees(mirror[a], mirror[b], NOTHING)
            assert lines.sees(a, b, down) == lines.sees(mirror[a], mirror[b], other)


LEVELS = """\
name: levels
unit: hex
size: [9, 5]
storey: {storey}
ground:
  kind: hex
  cells:
    - {{at: [0, 2], level: 1}}
    - {{at: [3, 2], terrain: woods}}
    - {{at: [4, 3], level: 1}}
    - {{at: [5, 1], terrain: woods}}
    - {{at: [6, 3], level: 2}}
{more}
"""
FAR_HOUSE = "buildings: [{name: a, sections: [{name: x, hex: [8, 0]}], openings: [{kind: door, side: all}]}]"


@pytest.mark.parametrize("more", ["", FAR_HOUSE])
@pytest.mark.parametrize("storey", ["0.5", "1", "3"])
def test_levels_are_counted_alike_on_every_map(tmp_path: Path, storey: str, more: str) -> None:
    """How high a level is drawn does not matter, nor whether a house stands somewhere."""
    file = tmp_path / "levels.yaml"
    file.write_text(LEVELS.format(storey=storey, more=more), encoding="utf-8")
    board = load_map(file)
    lines = lines_of_sight(board)
    west = [s.id for s in board.spaces if s.kind == "ground" and s.name != "g8.0"]
    assert sum(lines.sees(a, b, frozenset()) for a in west for b in west if a < b) == 571
