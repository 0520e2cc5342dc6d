"""Who sees whom and by which lines fire goes, holes and breaches counted in (AC-HOUSE-STRUCT, AC-TYPE-3).

The board's table of sight knows openings of the map and the middles of walls; which walls have been opened is asked of the
state. Read `Lookout`, made anew for a question, and `Lines`, what it finds between two spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from battlesim.board.board import Board
from battlesim.board.model import Line
from battlesim.core.state import NONE, State
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.model import extra

_MOST = 60_000
_MOST_TIMES = 40


class Lines:
    """The clear lines from one space to another, nearest first. `source`: as the board's sight has them. `fire`: those that
    fire can take, walls as targets included: nobody fires out of a bunker, nor through a wall without an opening."""

    def __init__(self, source: tuple[Line, ...], fire: tuple[Line, ...], opened: tuple[int, ...]) -> None:
        self.source, self.fire = source, fire
        self._opened = opened

    @cached_property
    def view(self) -> tuple[Line, ...]:
        """Those of `fire` that reach somebody there without passing a wall: in the open, or through an opening."""
        return tuple(
            line
            for line in self.fire
            if line.to_side < 0 or line.to_opening >= 0 or line.to_side in self._opened
        )

    @cached_property
    def walls(self) -> dict[int, Line]:
        """The nearest of `fire` to each wall, by side in ascending order."""
        nearest: dict[int, Line] = {}
        for line in self.fire:
            if line.to_side >= 0:
                nearest.setdefault(line.to_side, line)
        return dict(sorted(nearest.items()))

    @cached_property
    def openings(self) -> dict[int, Line]:
        """The nearest of `view` through each opening, by number."""
        nearest: dict[int, Line] = {}
        for line in self.view:
            if line.to_opening >= 0:
                nearest.setdefault(line.to_opening, line)
        return dict(sorted(nearest.items()))


_NOTHING = Lines((), (), ())


Row = tuple[Sequence[tuple[int, int]], list[Lines | None]]
"""Places around a space, as (least distance that a line could have, place), in order, and the lines there: None before anybody
looked."""


class _Time:
    """What has been found of a board while certain sections are down, holes and breaches apart. `seen`: by pair, the lower
    number first. `rows`: by space, and by where field works are."""

    def __init__(self) -> None:
        self.seen: dict[int, bool] = {}
        self.rows: dict[tuple[int, tuple[int, ...]], Row] = {}


class _Kept:
    """What has been found of a board. `pairs`: by pair, and by what has been opened at either end; right while the board's
    sight gives the same lines. `times`: by what is down. `bunkers`: sections that nobody looks out of."""

    def __init__(self, board: Board) -> None:
        self.pairs: dict[object, Lines] = {}
        self.times = {NONE: _Time()}
        self.bunkers = frozenset(n for n, make in enumerate(works.makes(board)) if not make.fighting)

    def time(self, down: frozenset[int]) -> _Time:
        found = self.times.get(down)
        if found is None:
            if len(self.times) > _MOST_TIMES:
                first = self.times[NONE]
                self.times.clear()
                self.times[NONE] = first
            found = self.times[down] = _Time()
        return found


class Lookout:
    """Who sees whom as things stand. Good until a structure changes: made for one question or step."""

    __slots__ = ("_before", "_dug", "_kept", "_n", "_odd", "_spaces", "_time", "board", "state")

    def __init__(self, state: State, board: Board) -> None:
        kept = board.memo.get("armorclass lines")
        if not isinstance(kept, _Kept):
            kept = board.memo["armorclass lines"] = _Kept(board)
        self.state, self.board, self._kept, self._spaces = state, board, kept, board.spaces
        self._n = len(board.spaces)
        self._time, self._before = kept.time(state.down), kept.time(NONE)
        self._dug = tuple([work.place for work in extra(state).fieldworks])
        self._odd = kept.bunkers
        if state.structures:
            changed = state.structures.values()
            holed = [s.section for s in changed if "holes" in s.own or "breaches" in s.own]
            if holed:
                self._odd = kept.bunkers.union(holed)

    def between(self, a: int, b: int) -> Lines:
        """The lines from space `a` to space `b`; nothing leads to or from what is destroyed."""
        board = self.board
        source = board.sight.clear_lines(a, b, self.state.down)
        if not source:
            return _NOTHING
        key: object = a * self._n + b
        out: tuple[int, ...] = ()
        into: tuple[int, ...] = ()
        if self._odd:
            out, into = self._opened(a), self._opened(b)
            if out or into:
                key = (key, out, into)
        pairs = self._kept.pairs
        found = pairs.get(key)
        if found is None or found.source is not source:
            if len(pairs) > _MOST:
                pairs.clear()
            found = pairs[key] = Lines(source, self._out_of(a, source, out), into)
        return found

    def _opened(self, place: int) -> tuple[int, ...]:
        """The sides of a space's walls that let fire through where the map has no opening."""
        space = self._spaces[place]
        if space.section not in self._odd or space.kind != "floor":
            return ()
        return works.opened_sides(self.state, space.section, space.floor)

    def _out_of(self, a: int, source: tuple[Line, ...], opened: tuple[int, ...]) -> tuple[Line, ...]:
        here = self._spaces[a]
        if here.kind != "floor":
            return source
        if here.section in self._kept.bunkers:
            return ()
        return tuple(
            line
            for line in source
            if line.from_side < 0 or line.from_opening >= 0 or line.from_side in opened
        )

    def sees(self, a: int, b: int) -> bool:
        """Whether somebody in space `a` sees into space `b`. Within one section the floors see nothing of one another. Who sees
        is seen, save from bunkers and through what has been opened: one look does for both ways."""
        if a == b:
            return True
        known = self._known(a, b)
        return self._looks(a, b) if known is None else known

    def is_seen(self, place: int, posts: Iterable[int]) -> bool:
        """Whether somebody in one of the spaces `posts` sees into a space: first of those of whom it is known."""
        unsure = []
        for post in posts:
            known = self._known(post, place)
            if known or post == place:
                return True
            if known is None:
                unsure.append(post)
        return any(self._looks(post, place) for post in unsure)

    def _known(self, a: int, b: int) -> bool | None:
        """`sees`, where somebody looked before. What falls opens lines and never closes one."""
        if self._odd and self._is_odd(a, b):
            return None
        pair = a * self._n + b if a < b else b * self._n + a
        found = self._time.seen.get(pair)
        return found if found is not None else self._before.seen.get(pair) or None

    def _looks(self, a: int, b: int) -> bool:
        if self._odd and self._is_odd(a, b):
            return bool(self.between(a, b).view)
        if b < a:
            a, b = b, a
        seen = self._time.seen
        if len(seen) > _MOST:
            seen.clear()
        found = seen[a * self._n + b] = bool(self.between(a, b).view)
        return found

    def _is_odd(self, a: int, b: int) -> bool:
        """Whether one may see the other and not be seen."""
        return self._spaces[a].section in self._odd or self._spaces[b].section in self._odd

    def nearest(self, a: int, b: int) -> Line | None:
        """The nearest line by which somebody in `a` sees into `b`; None where there is none. Who sees whom is asked first: that
        is known of both ways at once."""
        return self.between(a, b).view[0] if a != b and self.sees(a, b) else None

    def places(self, place: int, reach: int, out: Callable[[int], bool]) -> Iterator[tuple[int, Lines]]:
        """Floors of other sections, and field works, that fire from a space can strike, and the lines there, in the order of the
        least distance that a line could have, as far as that is within reach. `out`: which are left out."""
        around, row = self._row(place)
        for number, (far, other) in enumerate(around):
            if far > reach:
                return
            found = row[number]
            if found is _NOTHING or out(other):
                continue
            if found is None:
                found = row[number] = self.between(place, other)
            if found.fire:
                yield other, found

    def _row(self, place: int) -> Row:
        key = (place, self._dug)
        row = self._time.rows.get(key)
        if row is None or self._odd is not self._kept.bunkers:
            around = self.places_around(place)
            row = (around, [None] * len(around))
            if self._odd is self._kept.bunkers:  # where something was opened, all is looked at anew
                self._time.rows[key] = row
        return row

    def places_around(self, place: int) -> Sequence[tuple[int, int]]:
        """All other floors, and ground with a field work, by the least distance that a line could have."""
        floors = _floors_around(self.board, place)
        if not self._dug:
            return floors
        hint = self.board.sight.reach_hint
        return sorted([*floors, *((hint(place, work), work) for work in self._dug if work != place)])


def _floors_around(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """All other floors by the least distance that a line could have; kept with the board."""
    kept: dict[int, tuple[tuple[int, int], ...]] = board.memo.setdefault("armorclass around", {})  # type: ignore[assignment]
    found = kept.get(place)
    if found is None:
        hint, section = board.sight.reach_hint, board.spaces[place].section
        near = [(hint(place, s.id), s.id) for s in board.spaces if s.kind == "floor" and s.section != section]
        found = kept[place] = tuple(sorted(near))
    return found
