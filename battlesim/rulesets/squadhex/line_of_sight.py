"""Line of sight: from centre to centre, over or past obstacles (SH-HOUSE-STACK, SH-ATTACK-2).

A line runs between points half a floor above the floors of both spaces. A standing building hex blocks it up to its roof, woods
up to one floor above their ground, a hill up to its top. A line that only runs along edges is blocked if there are obstacles on
both sides of it. A collapsed building blocks nothing. Read `LinesOfSight.sees`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import COMPARES, declare, memo_method, memo_table, no_memos, owned_memo
from battlesim.core.memo_compare import compare, is_comparing
from battlesim.rulesets.squadhex.hexes import BOTH, Hexes, crossed, hexes

SEEN, UNSEEN = 1, 2
"""What is known of a pair of spaces; 0 stands for nothing yet."""
MOST_ROWS = 8_000
"""Rows kept (one for each space and set of fallen sections) before all are dropped."""
Blockers = tuple[int, tuple[tuple[int, int], ...]]
"""(sides of the line blocked permanently, ((section, sides blocked while it stands), ...))."""


class LinesOfSight:
    """The lines of sight of one board, computed when first needed. If A sees B, B sees A."""

    def __init__(self, board: Board) -> None:
        self.memos = no_memos()
        self.board = board
        self.hexes: Hexes = hexes(board)
        self._n = len(board.spaces)
        self._nothing = bytearray(self._n)
        self.memo_rows: dict[tuple[int, frozenset[int]], bytearray] = {}
        level = self.hexes.level
        self._heights = [space.z + level // 2 for space in board.spaces]
        self._tops: list[int] = []  # the blocking height of each hex without a building
        self._roofs: list[int] = []
        for number in range(len(self.hexes.at)):
            section, ground = self.hexes.section[number], self.hexes.ground[number]
            low = board.spaces[ground if ground >= 0 else board.sections[section].ruin]
            self._tops.append(low.z + (level if low.terrain == "woods" else 0))
            self._roofs.append(low.z + board.sections[section].height if section >= 0 else 0)

    def sees(self, a: int, b: int, fallen: frozenset[int]) -> bool:
        """Whether units in space `a` and space `b` see each other."""
        return (self.row(a, fallen)[b] or self.look(a, b, fallen)) == SEEN

    def _row(self, place: int, fallen: frozenset[int]) -> bytearray:
        """What is known of each space as seen from one: SEEN, UNSEEN, or 0 if `look` must compute it."""
        key = (place, fallen)
        found = self.memo_rows.get(key)
        if found is None:
            if len(self.memo_rows) >= MOST_ROWS:
                self.memo_rows.clear()
            found = self.memo_rows[key] = bytearray(self._n)
        return found

    def _blank(self, place: int, fallen: frozenset[int]) -> bytearray:
        return self._nothing

    # When answers are compared, a row is always blank, so that every answer is computed.
    row = _blank if COMPARES else _row

    def look(self, a: int, b: int, fallen: frozenset[int]) -> int:
        """SEEN or UNSEEN, computed and kept in the row."""
        row = self._row(a, fallen)
        if COMPARES and row[b] and not is_comparing():
            compare(_ROWS, f"{(a, b, fallen)}", row[b], lambda: self._seen(a, b, fallen))
        found = row[b] = self._seen(a, b, fallen)
        return found

    def _seen(self, a: int, b: int, fallen: frozenset[int]) -> int:
        shut, sections = self._blockers(min(a, b), max(a, b))
        for section, how in sections:
            if section not in fallen:
                shut |= how
        return UNSEEN if shut == BOTH else SEEN

    @memo_method(bound=500_000)
    def _blockers(self, a: int, b: int) -> Blockers:
        """What blocks the line between two spaces, the lower number first."""
        grid = self.hexes
        one, two = grid.at[grid.of[a]], grid.at[grid.of[b]]
        if one == two:
            return 0, ()
        low, high = self._heights[a], self._heights[b]
        shut = 0
        sections: list[tuple[int, int]] = []
        for met in crossed(two[0] - one[0], two[1] - one[1]):
            number = grid.by_axial.get((one[0] + met.q, one[1] + met.r))
            if number is None:
                continue
            at = met.enters if high >= low else met.leaves
            whole = at.denominator
            height = low * whole + (high - low) * at.numerator  # the line's lowest point over the hex
            if height <= self._tops[number] * whole:
                shut |= met.how
            elif grid.section[number] >= 0 and height <= self._roofs[number] * whole:
                sections.append((grid.section[number], met.how))
        return shut, () if shut == BOTH else tuple(sections)


_ROWS = declare(
    f"{__name__}.LinesOfSight.row",
    "Of each space whether it is seen from one, as far as somebody has asked.",
    (("place", "int"), ("fallen", "frozenset[int]")),
    MOST_ROWS,
    "LinesOfSight",
)


Sighted = list[tuple[int, int]]
"""Units in sight of a place: their index among those looked for, and their distance in hexes."""


class Sightings:
    """Which of some units are in sight of each place, and how far away. `places`: where they are; `far`: how far one looks;
    `fallen`: the sections that have fallen."""

    def __init__(self, board: Board, places: tuple[int, ...], far: int, fallen: frozenset[int]) -> None:
        self._lines, self._grid = lines_of_sight(board), hexes(board)
        self._units = [(number, place, self._grid.of[place]) for number, place in enumerate(places)]
        self._far, self._fallen = far, fallen

    @memo_table(bound=20_000)
    def sighted(self, place: int) -> Sighted:
        """The units in sight of a place."""
        far, look, down = self._far, self._lines.look, self._fallen
        seen, apart = self._lines.row(place, down), self._grid.distances(place)
        return [
            (number, away)
            for number, there, hexagon in self._units
            if (away := apart[hexagon]) <= far and (seen[there] or look(place, there, down)) == SEEN
        ]


@owned_memo(bound=100)
def sightings(board: Board, places: tuple[int, ...], far: int, fallen: frozenset[int]) -> Sightings:
    """The sightings of units that stand in some places. Units that stand still are seen from the same places in many positions,
    so these share one answer."""
    return Sightings(board, places, far, fallen)


@owned_memo(bound=1)
def lines_of_sight(board: Board) -> LinesOfSight:
    """The lines of sight of a board."""
    return LinesOfSight(board)
