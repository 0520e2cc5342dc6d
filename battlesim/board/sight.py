"""Lines of sight between spaces, computed pair by pair on first use.

`viewpoints.py` says from which points a space sees and at which it is aimed. The ruleset decides which of the lines a weapon may
use. What blocks a line:

- a section that stands, below its roof;
- a hill or a high wall, for good;
- woods, where the line crosses more of them than `SightRules.woods_depth`.

Units never block. One `Sight` is shared by all battles of a process; which sections have fallen is an argument of each question.
Read `Sight.clear_lines` first; `segment_geometry.py` has the geometry.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import isqrt

from msgspec import Struct

from battlesim.board.layout import Layout
from battlesim.board.model import SightLine, SightRules
from battlesim.board.occluders import Occluders, blocked_permanently, woods_crossed
from battlesim.board.segment_geometry import BOTH, LEFT, RIGHT, blocked_sides
from battlesim.board.terrain import WOODED
from battlesim.board.viewpoints import SightPoints

_NONE: frozenset[int] = frozenset()
_MOST_LINES = 150_000
"""Lines that are kept, some 20 MB; above it all are dropped."""

# The code of a pair in its row, while no section has fallen:
CLEAR = 1
"""Some line is clear."""
_UNKNOWN, _MANY, _FIRST, _NEVER = 0, 2, 3, 0xFFFF
# _UNKNOWN: not computed yet. _MANY: several sections block. _FIRST + s: section s blocks every line.
# _NEVER: no line becomes clear, whatever falls.


_SOME = (SightLine(0, -1, -1, -1, -1),)
"""Stands for "there is a line" if the caller does not need to know which."""


class _Visibility(Struct, frozen=True):
    """The clear lines of a pair. They hold when all sections of `need` have fallen and all of `watched` stand."""

    need: frozenset[int]
    watched: frozenset[int]
    lines: tuple[SightLine, ...]


class Sight:
    """Lines of sight over one board. Results depend on nothing but the board and the arguments; what is kept only makes them
    faster. Spaces and sections are meant by number, distances are hundredths.

    >>> from battlesim.board.load import load_map
    >>> board = load_map("stairwell")
    >>> line = board.sight.best(board.space("g0.0"), board.space("g5.0"))
    >>> line.distance, line.from_opening
    (1500, -1)
    """

    def __init__(self, board: Layout, rules: SightRules) -> None:
        self._board = board
        self._woods_depth = rules.woods_depth
        self._trees = max((level for kind, level in rules.cover if kind in WOODED), default=0)
        n = len(board.spaces)
        self._n = n
        empty = array("H", bytes(2 * n))
        self._empty = empty
        self._rows: list[array[int]] = [empty] * n
        self._lines: dict[int, tuple[SightLine, ...]] = {}
        self._clear: dict[int, _Visibility] = {}
        self._later: dict[int, _Visibility] = {}
        self._sets: dict[frozenset[int], frozenset[int]] = {}
        self._held = 0
        self._viewpoints = SightPoints(board, rules.eye)
        self._occluders = Occluders(board, self._viewpoints, rules)
        self._half = self._viewpoints.half_size
        self._middles = self._viewpoints.middles

    # -- memory ---------------------------------------------------------------------------------------------------

    def grown(self) -> tuple[object, ...]:
        """The tables that grow with use, for `memory.py`."""
        return self._rows, self._lines, self._clear, self._later, self._sets, self._occluders.pairs

    def forget(self) -> None:
        """Drop everything that is kept; it is computed again when needed."""
        self._rows[:] = [self._empty] * self._n
        self._hold(_MOST_LINES)
        self._held = 0
        self._occluders.pairs.clear()

    # -- questions ------------------------------------------------------------------------------------------------

    def sees(self, a: int, b: int, fallen: frozenset[int] = _NONE) -> bool:
        """Whether any line from space `a` to space `b` is clear. Lines to walls and from openings that could be made count,
        too; so where this is False, nothing in `a` can shoot at anything in `b`. See also `has_view`.
        """
        code = self._rows[a][b]
        if code == CLEAR:
            return True  # a section that falls opens lines and never closes one
        if code and not fallen:
            return False
        return self._sees(a, b, fallen)

    def clear_lines(self, a: int, b: int, fallen: frozenset[int] = _NONE) -> tuple[SightLine, ...]:
        """The lines from `a` to `b` that are clear when the sections `fallen` have fallen, in order of (distance, from_side,
        from_opening, to_side, to_opening). These are the lines of `lines` whose blockers have all fallen.
        """
        code = self._rows[a][b]
        if code > CLEAR and (not fallen or code == _NEVER):
            return ()
        if code >= _FIRST and code - _FIRST not in fallen:
            return ()
        key = a * self._n + b
        answer = self._clear.get(key)
        if answer is None or (fallen and not answer.watched.isdisjoint(fallen)):
            answer = self._later.get(key) if fallen else None
            if answer is None or not (answer.need <= fallen and answer.watched.isdisjoint(fallen)):
                answer = self._look(a, b, fallen)
        return answer.lines

    def best(self, a: int, b: int, fallen: frozenset[int] = _NONE) -> SightLine | None:
        """The first of `clear_lines(a, b, fallen)`, which is the shortest; None if there is none."""
        found = self.clear_lines(a, b, fallen)
        return found[0] if found else None

    def has_view(self, a: int, b: int, fallen: frozenset[int] = _NONE) -> bool:
        """Whether units in `a` and `b` see each other through existing openings. Symmetric in `a` and `b`."""
        if not self.sees(a, b, fallen):
            return False
        for line in self.clear_lines(a, b, fallen):
            if (line.from_opening >= 0 or line.from_side < 0) and (line.to_opening >= 0 or line.to_side < 0):
                return True
        return False

    def lines(self, a: int, b: int) -> tuple[SightLine, ...]:
        """All lines from `a` to `b`, in the order of `clear_lines`, each with the sections that block it while they stand. Lines
        that are blocked for good are left out. Slower than `clear_lines`; for pictures, tests and analysis.
        """
        key = a * self._n + b
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = self._scan(a, b, None)[0]
            self._hold(len(found))
        return found

    def min_distance(self, a: int, b: int) -> int:
        """A lower bound of the length of any line from `a` to `b`, 0 or more; quick to compute."""
        p, q = self._board.spaces[a], self._board.spaces[b]
        hint = isqrt((p.x - q.x) ** 2 + (p.y - q.y) ** 2) - self._half(a) - self._half(b)
        return hint if hint > 0 else 0

    def too_far(self, a: int, b: int, reach: int) -> bool:
        """Whether `min_distance` is more than `reach`: no line from `a` to `b` is that short."""
        ax, ay, half = self._middles[a]
        bx, by, other = self._middles[b]
        least = reach + half + other + 1
        return (ax - bx) ** 2 + (ay - by) ** 2 >= least * least

    def quick_visibility(self, a: int, fallen: frozenset[int] = _NONE) -> tuple[Sequence[int], int]:
        """A row of codes and a limit, for a quick look from `a` at all spaces. `sees(a, b, fallen)` is True where `row[b]` is
        CLEAR, False if it is above the limit; else ask `sees`. Do not change the row. Codes stay right, but later calls know
        more.
        """
        return self._rows[a], _NEVER - 1 if fallen else CLEAR

    # -- filling the store -----------------------------------------------------------------------------------------

    def _sees(self, a: int, b: int, fallen: frozenset[int]) -> bool:
        code = self._rows[a][b] or self._first_look(a, b)
        if code == CLEAR:
            return True
        if code == _NEVER or not fallen or (code >= _FIRST and code - _FIRST not in fallen):
            return False
        return bool(self.clear_lines(a, b, fallen))

    def _first_look(self, a: int, b: int) -> int:
        """Fill in and return the code of a pair."""
        found, watched = self._scan(a, b, _NONE, once=True)
        return self._note(a, b, bool(found), watched)

    def _look(self, a: int, b: int, fallen: frozenset[int]) -> _Visibility:
        """Compute the clear lines under `fallen`, and keep them. Those without blockers are also the clear lines while everything
        stands, so both results come from one scan."""
        found, watched = self._scan(a, b, fallen)
        key = a * self._n + b
        before = self._clear.get(key)
        opened = [line.blockers for line in found if line.blockers]
        if opened:
            need = self._shared([section for blockers in opened for section in blockers])
            answer = _Visibility(need, self._shared(watched), found)
            self._keep(self._later, key, answer)
            watched += [s for s in dict.fromkeys(blockers[0] for blockers in opened) if s not in watched]
            found = tuple([line for line in found if not line.blockers])
            first = before or _Visibility(_NONE, self._shared(watched), found)
        else:
            first = answer = _Visibility(_NONE, self._shared(watched), before.lines if before else found)
        if not self._rows[a][b]:
            self._note(a, b, bool(found), watched)
        # Otherwise no line is clear while everything stands, which the row's code already says.
        if first is not before and (found or (fallen and watched)):
            self._keep(self._clear, key, first)
        return answer

    def _keep(self, store: dict[int, _Visibility], key: int, answer: _Visibility) -> None:
        self._hold(len(answer.lines) + 3)
        store[key] = answer

    def _shared(self, sections: list[int]) -> frozenset[int]:
        if not sections:
            return _NONE
        as_set = frozenset(sections)
        return self._sets.setdefault(as_set, as_set)

    def _note(self, a: int, b: int, clear: bool, watched: list[int]) -> int:
        if clear:
            code = CLEAR
        elif not watched:
            code = _NEVER
        else:
            code = _FIRST + watched[0] if len(watched) == 1 else _MANY
        self._row(a)[b] = code
        spaces = self._board.spaces
        from_floor, to_floor = spaces[a].kind == "floor", spaces[b].kind == "floor"
        if not from_floor and not to_floor:
            self._row(b)[a] = code  # with one point at each end it is the same line
        elif from_floor != to_floor and from_floor == clear and not self._rows[b][a]:
            # A floor is aimed at every point that it sees from. So what is clear out of it is clear into it, and what is blocked
            # into it is blocked out of it.
            self._row(b)[a] = code
        return code

    def _row(self, a: int) -> array[int]:
        row = self._rows[a]
        if row is self._empty:
            row = self._rows[a] = array("H", bytes(2 * self._n))
        return row

    def _hold(self, count: int) -> None:
        self._held += count
        if self._held > _MOST_LINES:
            self._held = count
            self._lines.clear()
            self._clear.clear()
            self._later.clear()
            self._sets.clear()

    # -- one pair of spaces ----------------------------------------------------------------------------------------

    def _scan(
        self, a: int, b: int, fallen: frozenset[int] | None, once: bool = False
    ) -> tuple[tuple[SightLine, ...], list[int]]:
        """The lines from `a` to `b` that are clear under `fallen` (None: all lines, with their blockers); and for each blocked
        line one standing section that blocks it, without repeats. `once`: stop at the first clear line, and return `_SOME` for
        it.
        """
        spaces = self._board.spaces
        here, there = spaces[a], spaces[b]
        if a == b or (here.section >= 0 and here.section == there.section):
            return (), []
        between = self._occluders.between(a, b)
        occluders, lasting, woods = between.sections, between.lasting, between.woods
        target_points = self._viewpoints.target_points_from(b, a)
        found: list[SightLine] = []
        watched: list[int] = []
        for fx, fy, fz, from_side, from_opening, fnx, fny, _ in self._viewpoints.sight_points_towards(a, b):
            for tx, ty, tz, to_side, to_opening, tnx, tny, _ in target_points:
                dx, dy = tx - fx, ty - fy
                # One sees out of a wall only outwards, and hits a wall only from outside.
                if (from_side >= 0 and dx * fnx + dy * fny <= 0) or (
                    to_side >= 0 and dx * tnx + dy * tny >= 0
                ):
                    continue
                low = fz if fz < tz else tz
                x0, x1 = (fx, tx) if fx < tx else (tx, fx)
                y0, y1 = (fy, ty) if fy < ty else (ty, fy)
                in_the_way: list[tuple[int, int]] = []
                blocker = -1
                for place, (bx0, by0, bx1, by1, top, section, polygon) in enumerate(occluders):
                    if bx1 < x0 or bx0 > x1 or by1 < y0 or by0 > y1 or top <= low:
                        continue
                    how = blocked_sides(polygon, fx, fy, dx, dy, fz, tz, top)
                    if how:
                        if how == BOTH and fallen is not None and section not in fallen:
                            blocker = section
                            if place:  # it is likely to block the next line, too: try it first
                                occluders.insert(0, occluders.pop(place))
                            break
                        in_the_way.append((section, how))
                if blocker < 0:
                    lasting_sides = blocked_permanently(lasting, fx, fy, fz, dx, dy, tz) if lasting else 0
                    if lasting_sides == BOTH:
                        continue
                    blockers = _blockers(in_the_way, lasting_sides) if in_the_way else ()
                    if fallen is not None:
                        blocker = next((s for s in blockers if s not in fallen), -1)
                if blocker >= 0:
                    if blocker not in watched:
                        watched.append(blocker)
                    continue
                trees = woods_crossed(woods, fx, fy, fz, dx, dy, tz, self._woods_depth) if woods else 0
                if trees < 0:
                    continue
                if once:
                    return _SOME, watched
                cover = self._trees if trees or there.terrain in WOODED else 0
                line = SightLine(
                    isqrt(dx * dx + dy * dy),
                    from_side,
                    from_opening,
                    to_side,
                    to_opening,
                    blockers,
                    self._occluders.cover(b, fx, fy, dx, dy, cover),
                )
                found.append(line)
        found.sort(key=_order)
        return tuple(found), watched


def _order(line: SightLine) -> tuple[int, int, int, int, int]:
    return (line.distance, line.from_side, line.from_opening, line.to_side, line.to_opening)


def _blockers(met: list[tuple[int, int]], shut: int) -> tuple[int, ...]:
    """The sections that must fall before the line is clear. A line that only touches things is clear when it is so a
    hair to its left or to its right; where both are blocked, all they meet must fall.
    """
    left = sorted(section for section, how in met if how & LEFT)
    right = sorted(section for section, how in met if how & RIGHT)
    if shut & LEFT:
        return tuple(right)
    if shut & RIGHT:
        return tuple(left)
    if not left or not right:
        return ()
    return tuple(sorted({*left, *right}))
