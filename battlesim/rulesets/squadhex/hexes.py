"""The hexes of a board: where each space lies, what stands on each hex, distances between hexes, the hexes a line crosses.

Hexes have axial coordinates (q, r); an affine map to the plane keeps lines straight, so everything is exact in whole numbers.
Read `Hexes`; `crossed` lists the hexes that a line between two centres meets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.hexgrid import hex_at, hex_centre
from battlesim.core.memo import memo, memo_table, owned_memo

Axial = tuple[int, int]
DIRECTIONS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Steps to the six neighbours in (q, r), in turn around the hex."""
LEFT, RIGHT, BOTH = 1, 2, 3
"""How a line meets a hex: along an edge, with the hex to its left or right, or through it."""
_CORNERS: tuple[Axial, ...] = tuple(
    (DIRECTIONS[i][0] + DIRECTIONS[i - 5][0], DIRECTIONS[i][1] + DIRECTIONS[i - 5][1]) for i in range(6)
)
"""From the centre of a hex to its corners, in thirds of a hex, counter-clockwise."""
NEAR = 12
"""How far the centre of a section may be from that of its hex, in hundredths, along x and along y."""


class Crossed(NamedTuple):
    """A hex that a line meets, by its offset (q, r) from the first hex. `how`: BOTH if the line passes through it, LEFT or RIGHT
    if it only runs along an edge and the hex lies on that side. `enters`, `leaves`: where, as shares of the line."""

    q: int
    r: int
    how: int
    enters: Fraction
    leaves: Fraction


class Hexes:
    """The hexes of one board, numbered from 0 in the order of rows.

    `of[space]`: the hex of a space. `at[hex]`: its axial coordinates. `ground[hex]`: its outdoor space, -1 none.
    `section[hex]`: the building hex that stands there, -1 none. `near[hex]`: its neighbours. `level`: the height of
    one level, of hexes and of floors, in hundredths.
    """

    def __init__(self, board: Board) -> None:
        found: dict[tuple[int, int], list[int]] = {}
        for space in board.spaces:
            column, row = hex_at(space.point)
            found.setdefault((row, column), []).append(space.id)
        self.at: list[Axial] = []
        self.ground: list[int] = []
        self.section: list[int] = []
        self.of: list[int] = [0] * len(board.spaces)
        for number, (row, column) in enumerate(sorted(found)):
            spaces = found[row, column]
            self.at.append((column, row - (column - column % 2) // 2))
            self.ground.append(next((s for s in spaces if board.spaces[s].kind == "ground"), -1))
            self.section.append(
                next((board.spaces[s].section for s in spaces if board.spaces[s].kind == "ruin"), -1)
            )
            for held in spaces:
                self.of[held] = number
        self.by_axial: dict[Axial, int] = {axial: number for number, axial in enumerate(self.at)}
        self.near: list[tuple[int, ...]] = [
            tuple(self.by_axial[q + dq, r + dr] for dq, dr in DIRECTIONS if (q + dq, r + dr) in self.by_axial)
            for q, r in self.at
        ]
        self.level = board.storey

    @memo_table(bound=20_000)
    def distances_from(self, hexagon: int) -> bytes:
        """The distance of each hex from a hex, in hexes."""
        here = self.at[hexagon]
        # One byte each: `MOST_HEXES` of check.py keeps maps below 256 hexes across; larger distances count as 255.
        return bytes([min(255, _apart(here, other)) for other in self.at])

    def distance(self, a: int, b: int) -> int:
        """The distance between two hexes; neighbours are 1."""
        return self.distances_from[a][b]

    def distances(self, place: int) -> bytes:
        """The distance of each hex from a space, in hexes."""
        return self.distances_from[self.of[place]]

    def between(self, a: int, b: int) -> int:
        """The distance between two spaces in hexes; 0 on the same hex."""
        return self.distances_from[self.of[a]][self.of[b]]


def _apart(a: Axial, b: Axial) -> int:
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@owned_memo(bound=1)
def hexes(board: Board) -> Hexes:
    """The hexes of a board."""
    return Hexes(board)


def misfits(board: Board) -> list[int]:
    """The sections that do not fit a hex of their own: off its centre, wider than it, or two on one hex."""
    taken: dict[tuple[int, int], int] = {}
    found = []
    for space in board.spaces:
        if space.kind == "floor" and space.floor:
            continue
        if space.kind == "ruin":
            continue
        name = hex_at(space.point)
        x, y = hex_centre(*name)
        if space.section >= 0 and (
            abs(space.x - x) > NEAR or abs(space.y - y) > NEAR or name in taken or _wide(board, space.section)
        ):
            found.append(space.section)
        taken[name] = space.id
    return found


def _wide(board: Board, section: int) -> bool:
    return board.sections[section].size > 120


@memo(bound=8_192)
def crossed(dq: int, dr: int) -> tuple[Crossed, ...]:
    """The hexes met by the line from the centre of a hex to the centre of the hex (dq, dr) from it, without both ends."""
    end = (3 * dq, 3 * dr)
    # a hex is met only if its centre is no farther from the line than a corner can be from its centre
    width = max(abs(dq * y - dr * x) for x, y in _CORNERS)
    found: list[Crossed] = []
    for q in range(min(0, dq) - 1, max(0, dq) + 2):
        for r in range(min(0, dr) - 1, max(0, dr) + 2):
            if 3 * abs(dq * r - dr * q) > width or (q, r) in ((0, 0), (dq, dr)):
                continue
            met = _cut((q, r), end)
            if met is not None:
                found.append(met)
    return tuple(sorted(found, key=lambda c: (c.enters, c.q, c.r)))


def _cut(at: Axial, end: Axial) -> Crossed | None:
    """How the line from (0, 0) to `end` (in thirds of a hex) meets the hex at `at`."""
    middle = (3 * at[0], 3 * at[1])
    corners = [(middle[0] + x, middle[1] + y) for x, y in _CORNERS]
    low, high = Fraction(0), Fraction(1)
    along = False
    for i in range(6):
        a, b = corners[i], corners[i - 5]
        ex, ey = b[0] - a[0], b[1] - a[1]
        slope = ex * end[1] - ey * end[0]
        rest = ex * -a[1] - ey * -a[0]  # inside where slope * t + rest >= 0
        if slope == 0:
            if rest < 0:
                return None
            along = along or rest == 0
        elif slope > 0:
            low = max(low, Fraction(-rest, slope))
        else:
            high = min(high, Fraction(-rest, slope))
    if low >= high:
        return None
    side = end[0] * middle[1] - end[1] * middle[0]
    how = BOTH if not along else LEFT if side > 0 else RIGHT
    return Crossed(at[0], at[1], how, low, high)
