"""The geometry of hex maps: flat-topped hexes in columns, odd columns half a hex higher, one unit from side to side.

Columns and rows count from 0 in the south-west. Hexes that meet share their corners exactly. Points are in hundredths. Read
`hex_outline`.
"""

from __future__ import annotations

from battlesim.core.geometry import Point

_COLUMN = 8660  # columns lie 0.8660 apart, in ten-thousandths
_HALF = 58  # from the middle of a hex to its eastern and western corners


def _x(thirds: int) -> int:
    """The x of a point that many thirds of a column east of the first middle; the middle of column c is at 3 * c thirds."""
    return _HALF + (thirds * _COLUMN + 150) // 300


def hex_centre(column: int, row: int) -> Point:
    """The middle of a hex.

    >>> hex_centre(0, 0), hex_centre(1, 0)
    ((58, 50), (145, 100))
    """
    return (_x(3 * column), 50 + row * 100 + 50 * (column % 2))


def hex_outline(column: int, row: int) -> tuple[Point, ...]:
    """The six corners of a hex, counter-clockwise from the south-western one."""
    y = hex_centre(column, row)[1]
    far_west, west, east, far_east = (_x(3 * column + third) for third in (-2, -1, 1, 2))
    return ((west, y - 50), (east, y - 50), (far_east, y), (east, y + 50), (west, y + 50), (far_west, y))


def hex_extent(columns: int, rows: int) -> Point:
    """The width and height of a map of so many columns and rows, each 1 or more."""
    return (_x(3 * (columns - 1) + 2), rows * 100 + (50 if columns > 1 else 0))


def hex_at(p: Point) -> tuple[int, int]:
    """The column and row of the hex whose middle is at a point, or nearest to it along the nearest column; neither below 0.

    >>> hex_at(hex_centre(4, 3))
    (4, 3)
    """
    column = max(0, ((p[0] - _HALF) * 100 + _COLUMN // 2) // _COLUMN)
    return column, max(0, (p[1] - 50 * (column % 2)) // 100)
