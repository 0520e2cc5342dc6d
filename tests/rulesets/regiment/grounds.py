"""Small maps for the regiment rules. Nodes stand every three inches: g<column>.<row> is at (1.5 + 3 column, 1.5 + 3 row).

HOUSE: one house of 6 x 6 inches at [12, 12, 18, 18]: nodes touch it from the west (g3.4, g3.5), east (g6.4, g6.5), south
(g4.3, g5.3), north (g4.6, g5.6), and at its corners (g3.3, g6.3, g3.6, g6.6).
"""

from __future__ import annotations

from battlesim.board.board import Board
from tests.rulesets.orderdice.grounds import ground

EAST, NORTH_EAST, NORTH, NORTH_WEST, WEST, SOUTH_WEST, SOUTH, SOUTH_EAST = range(8)


def field(features: str = "", size: tuple[int, int] = (45, 36)) -> Board:
    """Open ground, or some features on it."""
    return ground(size, features, 3)


def house(
    own: str = "{}", floors: int = 1, material: str = "brick", more: str = "", terrain: str = ""
) -> Board:
    """The one house; `own`: its own table; `more`: further buildings."""
    return field(
        f"""
{terrain}
buildings:
  - name: house
    material: {material}
    rect: [12, 12, 18, 18]
    floors: {floors}
    own: {own}
    openings: [{{kind: door, side: west, at: 0.5}}, {{kind: window, floors: all, side: all, count: 1}}]
{more}
"""
    )


def row(*own: str, floors: tuple[int, ...] = (), connections: str = "all") -> Board:
    """Rooms side by side from x = 12 eastwards, 6 x 6 each, named row.r1, row.r2 ...; `own` a table for each."""
    sections = ""
    for number, table in enumerate(own, 1):
        high = floors[number - 1] if floors else 1
        sections += f"""
      - name: r{number}
        rect: [{6 + 6 * number}, 12, {12 + 6 * number}, 18]
        floors: {high}
        own: {table}
        openings: [{{kind: door, side: south, at: 0.5}}, {{kind: window, floors: all, side: north, count: 1}}]"""
    return field(
        f"""
buildings:
  - name: row
    connections: {connections}
    sections: {sections}
"""
    )


FIELD = field()
HOUSE = house()
HUT = house(material="wood")
TALL = house(floors=4)
"""Floors at 0, 3, 6 and 9 inches: ground floor house.1:0, upper floor house.1:3."""
ROW = row("{}", "{}")
