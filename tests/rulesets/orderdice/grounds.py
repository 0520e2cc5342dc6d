"""Small maps for rule tests, written for the distances they are about. Nodes of a lattice lie every inch: g<x>.<y>."""

from __future__ import annotations

from functools import lru_cache

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.findings import Findings
from battlesim.board.mapfile import MapFile
from battlesim.board.yamlfile import parse_yaml
from battlesim.rulesets.orderdice.ground import SIGHT


@lru_cache(maxsize=64)
def ground(size: tuple[int, int], features: str = "", pitch: int = 1) -> Board:
    """A lattice of `size` inches; `features`: the `terrain` and `buildings` of a map file."""
    text = f"""
name: test
size: [{size[0]}, {size[1]}]
ground: {{kind: lattice, pitch: {pitch}}}
{features}
"""
    found = Findings()
    board = build_board(parse_yaml(text.encode(), MapFile, "test.yaml", "map"), found)
    assert board is not None, found.items
    return board.under(SIGHT)


def plain(features: str = "") -> Board:
    """A strip 75 inches long and 5 deep, with nothing on it or with some features."""
    return ground((75, 5), features)


HOUSE = """
buildings:
  - name: house
    rect: [20, 7, 26, 13]
    floors: 3
    flat_roof: true
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: door, side: east, at: 0.5}
      - {kind: window, side: north, count: 1}
      - {kind: window, side: south, count: 1}
      - {kind: window, floors: upper, side: all, count: 2}
"""


def house(more: str = "") -> Board:
    """One house of 6 x 6 inches, three floors and a flat roof, in the middle of 46 x 20 inches: ground-floor doors west (at
    20, 10) and east (26, 10), windows north (23, 13) and south (23, 7), two windows a side above.
    """
    return ground((46, 20), more + HOUSE)


def terrace(*lengths: int, windows: str = "") -> Board:
    """A row of connected sections t.1, t.2 ... from west to east, so many inches long and 6 deep, two floors each, a door
    south in each; it begins at (10, 8).
    """
    sections, x = "", 10
    for number, length in enumerate(lengths, 1):
        sections += f"""
      - name: t{number}
        rect: [{x}, 8, {x + length}, 14]
        floors: 2
        openings: [{{kind: door, side: south, at: 0.5}}{windows}]"""
        x += length
    return ground(
        (x + 10, 20),
        f"""
buildings:
  - name: t
    sections: {sections}
""",
    )


def two_houses(gap: int) -> Board:
    """Two houses of two floors, a.1 and b.1, their doors opposite, so many inches apart."""
    return ground(
        (30 + gap, 16),
        f"""
buildings:
  - {{name: a, rect: [5, 5, 11, 11], floors: 2, openings: [{{kind: door, side: east}}]}}
  - {{name: b, rect: [{11 + gap}, 5, {17 + gap}, 11], floors: 2, openings: [{{kind: door, side: west}}]}}
""",
    )


def street() -> Board:
    """From west to east a post of two floors that looks east from upstairs, a low shed, a tower of four floors right behind it
    and a hut behind the tower. From the post one sees the tower's upper floors, not its ground floor, and nothing of the hut.
    """
    return ground(
        (60, 20),
        """
buildings:
  - name: post
    rect: [2, 7, 8, 13]
    floors: 2
    openings: [{kind: door, side: west, at: 0.5}, {kind: window, floor: 1, side: east, count: 2}]
  - name: shed
    rect: [20, 3, 26, 17]
    floors: 1
    openings: [{kind: door, side: north, at: 0.5}]
  - name: tower
    rect: [27, 7, 33, 13]
    floors: 4
    openings: [{kind: door, side: east, at: 0.5}, {kind: window, floors: upper, side: all, count: 1}]
  - name: hut
    rect: [40, 8, 44, 12]
    floors: 1
    openings: [{kind: door, side: east, at: 0.5}]
""",
    )
