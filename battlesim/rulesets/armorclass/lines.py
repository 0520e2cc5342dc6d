"""Who sees whom and by which lines fire goes, holes and breaches counted in (AC-HOUSE-STRUCT, AC-TYPE-3).

The board's table of sight knows openings of the map and the middles of walls; which walls have been opened is asked of the
state. Read `Lookout`, made anew for a question, and `Lines`, what it finds between two spaces.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from functools import cached_property

from battlesim.board.board import Board
from battlesim.board.model import Line
from battlesim.core.state import State
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

    @cached_property
    def holes(self) -> dict[int, Line]:
        """The nearest of `view` through each wall that has been opened where the map has nothing, by side."""
        nearest: dict[int, Line] = {}
        for line in self.view:
            if line.to_side >= 0 and line.to_opening < 0:
                nearest.setdefault(line.to_side, line)
        return dict(sorted(nearest.items()))


_NOTHING = Lines((), (), ())


Row = tuple[Sequence[tuple[int, int]], list[Lines | None]]
"""Places around a space, as (least distance that a line could have, place), in order, and the lines there: None before anybody
looked."""


_Seers = tuple[set[int], set[int]]
"""The spaces that are known to see into a space, and those that are known not to."""


class _Time:
    """What has been found of a board while certain sections are down, holes and breaches apart."""

    def __init__(self) -> None:
        self.seers: dict[int, _Seers] = {}
        self.rows: dict[tuple[int, tuple[int, ...]], Row] = {}


class _Kept:
    """What has been found of a board. `pairs`: by pair, and by what has been opened at either end; right while the board's
    sight gives the same lines. `first`, `times`: while all stands, and by what is down. `bunkers`: sections that nobody looks
    out of."""

    def __init__(self, board: Board) -> None:
        self.pairs: dict[object, Lines] = {}
        self.first = _Time()
        self.times: dict[frozenset[int], _Time] = {}
        self.bunkers = frozenset(n for n, make in enumerate(works.makes(board)) if not make.fighting)

    def time(self, down: frozenset[int]) -> _Time:
        if not down:
            return self.first
        found = self.times.get(down)
        if found is None:
            if len(self.times) > _MOST_TIMES:
                self.times.clear()
            found = self.times[down] = _Time()
        return found


class Lookout:
    """Who sees whom as things stand. Good until a structure changes: made for one question or step."""

    __slots__ = ("_kept", "_odd", "_spaces", "_time", "board", "state")

    def __init__(self, state: State, board: Board) -> None:
        kept = board.memo.get("armorclass lines")
        if not isinstance(kept, _Kept):
            kept = board.memo["armorclass lines"] = _Kept(board)
        self.state, self.board, self._kept, self._spaces = state, board, kept, board.spaces
        self._time = kept.time(state.down)
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
        key: object = a * len(self._spaces) + b
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
        yes, no = self._known(b)
        if a in yes or a == b:
            return True
        return not (a in no and self._is_even(a, b)) and self._looks(a, b)

    def seers(self, place: int) -> Container[int]:
        """The spaces that are known to see into a space; of the others `sees` tells."""
        return self._known(place)[0]

    def is_seen(self, place: int, posts: Collection[int]) -> bool:
        """Whether somebody in one of the spaces `posts` sees into a space: first of those of whom it is known."""
        yes, no = self._known(place)
        if not yes.isdisjoint(posts) or place in posts:
            return True
        even = not self._odd
        unsure = [post for post in posts if post not in no or not (even or self._is_even(post, place))]
        return any(self._looks(post, place) for post in unsure)

    def _known(self, place: int) -> _Seers:
        found = self._time.seers.get(place)
        if found is None:
            before = self._kept.first.seers.get(place)  # what falls opens lines and never closes one
            found = self._time.seers[place] = (set(before[0]) if before else set(), set())
        return found

    def _looks(self, a: int, b: int) -> bool:
        if not self._is_even(a, b):
            return bool(self.between(a, b).view)
        found = self._is_open(a, b) if a < b else self._is_open(b, a)
        for one, other in ((a, b), (b, a)):
            self._known(one)[not found].add(other)
        return found

    def _is_open(self, a: int, b: int) -> bool:
        """Whether there is a view from one even space into another."""
        if not self.board.sight.clear_lines(a, b, self.state.down):
            return False
        spaces = self._spaces  # in the open there is nothing that lets sight through and not fire
        return (spaces[a].kind != "floor" and spaces[b].kind != "floor") or bool(self.between(a, b).view)

    def _is_even(self, a: int, b: int) -> bool:
        """Whether who sees the other is seen, too."""
        odd, spaces = self._odd, self._spaces
        return not odd or not (spaces[a].section in odd or spaces[b].section in odd)

    def fires(self, a: int, b: int) -> bool:
        """Whether fire from space `a` can take any line to space `b`."""
        if self._spaces[a].kind != "floor":
            return bool(self.board.sight.clear_lines(a, b, self.state.down))
        return bool(self.between(a, b).fire)

    def nearest(self, a: int, b: int) -> Line | None:
        """The nearest line by which somebody in `a` sees into `b`; None where there is none. Who sees whom is asked first: that
        is known of both ways at once."""
        return self.between(a, b).view[0] if a != b and self.sees(a, b) else None

    def places(self, place: int, reach: int, out: Container[int]) -> Iterator[tuple[int, Lines]]:
        """Floors of other sections, and field works, that fire from a space can strike, and the lines there, in the order of the
        least distance that a line could have, as far as that is within reach; those in `out` are left out."""
        around, row = self._row(place)
        for number, (far, other) in enumerate(around):
            if far > reach:
                return
            found = row[number]
            if found is _NOTHING or other in out:
                continue
            if found is None:
                found = row[number] = self.between(place, other)
            if found.fire:
                yield other, found

    def _row(self, place: int) -> Row:
        key = (place, tuple([work.place for work in extra(self.state).fieldworks]))
        row = self._time.rows.get(key)
        if row is None or self._odd is not self._kept.bunkers:
            around = self.places_around(place)
            row = (around, [None] * len(around))
            if self._odd is self._kept.bunkers:  # where something was opened, all is looked at anew
                self._time.rows[key] = row
        return row

    def places_around(self, place: int) -> Sequence[tuple[int, int]]:
        """All other floors, and ground with a field work, by the least distance that a line could have."""
        floors, dug = _floors_around(self.board, place), extra(self.state).fieldworks
        if not dug:
            return floors
        hint = self.board.sight.reach_hint
        return sorted(
            [*floors, *((hint(place, work.place), work.place) for work in dug if work.place != place)]
        )


def _floors_around(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """All other floors by the least distance that a line could have; kept with the board."""
    kept: dict[int, tuple[tuple[int, int], ...]] = board.memo.setdefault("armorclass around", {})  # type: ignore[assignment]
    found = kept.get(place)
    if found is None:
        hint, section = board.sight.reach_hint, board.spaces[place].section
        near = [(hint(place, s.id), s.id) for s in board.spaces if s.kind == "floor" and s.section != section]
        found = kept[place] = tuple(sorted(near))
    return found
