"""Lines of sight and fire, including holes and breaches (AC-HOUSE-STRUCT, AC-TYPE-3).

The board's sight table has lines to the map's openings and the middles of walls; the state says which walls have been opened.
Read `LineOfSight`, made anew for each question, and `Lines`, its result between two spaces.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from functools import partial

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.memo import COMPARES, declare, memo_property, owned_memo
from battlesim.core.memo_compare import compare, is_comparing
from battlesim.core.state import NONE, State
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.model import battle_state


class Lines:
    """The clear lines from one space to another, nearest first. `base_lines`: from the board's sight. `fire`: those along which a
    unit can fire, also at walls: not out of a bunker, nor out through a wall without an opening."""

    def __init__(
        self, base_lines: tuple[SightLine, ...], fire: tuple[SightLine, ...], opened: tuple[int, ...]
    ) -> None:
        self.base_lines, self.fire = base_lines, fire
        self._opened = opened

    @memo_property
    def view(self) -> tuple[SightLine, ...]:
        """The lines of `fire` that reach a unit there without passing a wall: in the open, or through an opening."""
        return tuple(
            line
            for line in self.fire
            if line.to_side < 0 or line.to_opening >= 0 or line.to_side in self._opened
        )

    @memo_property
    def walls(self) -> dict[int, SightLine]:
        """The nearest line of `fire` to each wall, by side in ascending order."""
        nearest: dict[int, SightLine] = {}
        for line in self.fire:
            if line.to_side >= 0:
                nearest.setdefault(line.to_side, line)
        return dict(sorted(nearest.items()))

    @memo_property
    def openings(self) -> dict[int, SightLine]:
        """The nearest line of `view` through each opening, by number."""
        nearest: dict[int, SightLine] = {}
        for line in self.view:
            if line.to_opening >= 0:
                nearest.setdefault(line.to_opening, line)
        return dict(sorted(nearest.items()))

    @memo_property
    def holes(self) -> dict[int, SightLine]:
        """The nearest line of `view` through each hole or breach, by side."""
        nearest: dict[int, SightLine] = {}
        for line in self.view:
            if line.to_side >= 0 and line.to_opening < 0:
                nearest.setdefault(line.to_side, line)
        return dict(sorted(nearest.items()))


_NOTHING = Lines((), (), ())
_UNKNOWN = SightLine(-1, -1, -1, -1, -1)
"""Stands for a nearest line that has not been computed yet."""


Row = tuple[Sequence[tuple[int, int]], list[Lines | None]]
"""Places around a space as (least length of a line there, place), in that order, and the lines to each (None: not computed)."""


Struck = tuple[tuple[int, int], ...]
"""Walls that fire strikes, as (side, -1 for a bank; distance by the nearest line)."""


_Seers = tuple[set[int], set[int]]
"""The spaces that are known to see into a space, and those that are known not to."""


class _CollapseEpoch:
    """Cached facts of a board while certain sections are down, without holes and breaches: the spaces that see into a space, the
    nearest line of view of two spaces, the walls that fire from one space strikes at another, and the lines around a space by
    its field works."""

    def __init__(self) -> None:
        self.memo_seers: dict[int, _Seers] = {}
        self.memo_nearest: dict[tuple[int, int], SightLine | None] = {}
        self.memo_rows: dict[tuple[int, tuple[int, ...]], Row] = {}
        self.memo_struck: dict[tuple[int, int], Struck] = {}


_SEERS = declare(
    f"{__name__}.LineOfSight.sees",
    "Whether a space sees into another, as far as somebody has asked, holes and breaches left out.",
    (("a", "int"), ("b", "int"), ("fallen", "frozenset[int]")),
    1 << 20,
    "_CollapseEpoch",
)
_NEAREST = declare(
    f"{__name__}.LineOfSight.nearest",
    "The nearest line by which a space sees into another, holes and breaches left out.",
    (("a", "int"), ("b", "int"), ("fallen", "frozenset[int]")),
    1 << 20,
    "_CollapseEpoch",
)
_STRUCK = declare(
    f"{__name__}.LineOfSight.struck",
    "The walls that fire from a space strikes at another, holes and breaches left out.",
    (("a", "int"), ("b", "int"), ("fallen", "frozenset[int]")),
    1 << 20,
    "_CollapseEpoch",
)
_ROWS = declare(
    f"{__name__}.LineOfSight.places",
    "The lines from a space to the places around it, holes and breaches left out.",
    (("place", "int"), ("fieldworks", "tuple[int, ...]"), ("fallen", "frozenset[int]")),
    1 << 20,
    "_CollapseEpoch",
)


@owned_memo(bound=40)
def _epoch_of(board: Board, down: frozenset[int]) -> _CollapseEpoch:
    """The cache for certain sections down."""
    return _CollapseEpoch()


@owned_memo(bound=1)
def _bunkers(board: Board) -> frozenset[int]:
    """Sections without sight out of them."""
    return frozenset(n for n, make in enumerate(works.makes(board)) if not make.fighting)


@owned_memo(bound=60_000)
def _lines(
    board: Board, a: int, b: int, fallen: frozenset[int], out: tuple[int, ...], into: tuple[int, ...]
) -> Lines:
    """The lines from a space to another while some sections are down, with the sides opened at either end."""
    base_lines, here = board.sight.clear_lines(a, b, fallen), board.spaces[a]
    if here.kind != "floor":
        return Lines(base_lines, base_lines, into)
    if here.section in _bunkers(board):
        return Lines(base_lines, (), into)
    fire = [
        line for line in base_lines if line.from_side < 0 or line.from_opening >= 0 or line.from_side in out
    ]
    return Lines(base_lines, tuple(fire), into)


class LineOfSight:
    """Lines of sight in a state. Valid until a structure changes, so one is made for each question or step."""

    __slots__ = ("_asymmetric", "_epoch", "_holed", "_spaces", "board", "state")

    def __init__(self, state: State, board: Board) -> None:
        self.state, self.board, self._spaces = state, board, board.spaces
        self._epoch = _epoch_of(board, state.down)
        self._asymmetric, self._holed = _bunkers(board), NONE
        if state.structures:
            changed = state.structures.values()
            holed = [s.section for s in changed if "holes" in s.own or "breaches" in s.own]
            if holed:
                self._holed = frozenset(holed)
                self._asymmetric = self._asymmetric | self._holed

    def between(self, a: int, b: int) -> Lines:
        """The lines from space `a` to space `b`; none lead to or from destroyed spaces."""
        board = self.board
        fallen = self.state.down
        base_lines = board.sight.clear_lines(a, b, fallen)
        if not base_lines:
            return _NOTHING
        if fallen and base_lines is board.sight.clear_lines(a, b):
            fallen = NONE  # the fallen sections have opened no line between the two
        if self._asymmetric:
            return _lines(board, a, b, fallen, self._opened(a), self._opened(b))
        return _lines(board, a, b, fallen, (), ())

    def _opened(self, place: int) -> tuple[int, ...]:
        """The sides of a space with holes or breaches."""
        space = self._spaces[place]
        if space.section not in self._asymmetric or space.kind != "floor":
            return ()
        return works.opened_sides(self.state, space.section, space.floor)

    def sees(self, a: int, b: int) -> bool:
        """Whether a unit in space `a` sees into space `b`. Floors of one section do not see each other. Sight is mutual, so one
        check answers for both directions, except from bunkers and through holes and breaches."""
        yes, no = self._known(b)
        if a in yes or a == b:
            return True
        return not (a in no and self._is_symmetric(a, b)) and self._looks(a, b)

    def is_seen(self, place: int, posts: Collection[int]) -> bool:
        """Whether a unit in one of the spaces `posts` would see into a space. Cached answers come first."""
        yes, no = self._known(place)
        if not yes.isdisjoint(posts) or place in posts:
            return True
        symmetric = not self._asymmetric
        unsure = [
            post for post in posts if post not in no or not (symmetric or self._is_symmetric(post, place))
        ]
        return any(self._looks(post, place) for post in unsure)

    def _seers(self, place: int) -> _Seers:
        found = self._epoch.memo_seers.get(place)
        if found is None:
            before = _epoch_of(self.board, NONE).memo_seers.get(
                place
            )  # a fallen section opens lines and never closes one
            found = self._epoch.memo_seers[place] = (set(before[0]) if before else set(), set())
        return found

    def _nobody(self, place: int) -> _Seers:
        return set(), set()

    _known = _nobody if COMPARES else _seers  # when caches are checked, no answer is read directly

    def _looks(self, a: int, b: int) -> bool:
        if not self._is_symmetric(a, b):
            return bool(self.between(a, b).view)
        found = self._is_open(a, b)  # in this direction, as its lines may be asked for next
        if COMPARES and not is_comparing():
            yes, no = self._seers(b)
            if a in yes or a in no:
                compare(_SEERS, f"{(a, b, self.state.down)}", a in yes, lambda: found)
        for one, other in ((a, b), (b, a)):
            self._seers(one)[not found].add(other)
        return found

    def _is_open(self, a: int, b: int) -> bool:
        """Whether one space sees into another, for spaces between which sight is mutual."""
        if not self.board.sight.clear_lines(a, b, self.state.down):
            return False
        spaces = self._spaces  # outdoors, nothing lets sight through but not fire
        return (spaces[a].kind != "floor" and spaces[b].kind != "floor") or bool(self.between(a, b).view)

    def _is_symmetric(self, a: int, b: int) -> bool:
        """Whether sight between two spaces is mutual: neither is in a bunker, or has a hole or breach."""
        asymmetric, spaces = self._asymmetric, self._spaces
        return not asymmetric or not (spaces[a].section in asymmetric or spaces[b].section in asymmetric)

    def fires(self, a: int, b: int) -> bool:
        """Whether fire from space `a` can take any line to space `b`."""
        if self._spaces[a].kind != "floor":
            return bool(self.board.sight.clear_lines(a, b, self.state.down))
        return bool(self.between(a, b).fire)

    def nearest(self, a: int, b: int) -> SightLine | None:
        """The nearest line by which a unit in `a` sees into `b`; None: none."""
        if self._holed and self._is_holed(a, b):
            return self._nearest(a, b)
        known = self._epoch.memo_nearest
        found = known.get((a, b), _UNKNOWN)
        if found is _UNKNOWN or (COMPARES and is_comparing()):
            found = known[a, b] = self._nearest(a, b)
        elif COMPARES:
            compare(_NEAREST, f"{(a, b, self.state.down)}", found, partial(self._nearest, a, b))
        return found

    def nearest_within(self, a: int, b: int, reach: int) -> SightLine | None:
        """The result of `nearest` if it is no longer than `reach`, else None. A line that is not known yet is not computed if
        the spaces are too far apart for it."""
        found = self._epoch.memo_nearest.get((a, b), _UNKNOWN)
        if found is _UNKNOWN or COMPARES or (self._holed and self._is_holed(a, b)):
            found = None if self.board.sight.too_far(a, b, reach) else self.nearest(a, b)
        return found if found is not None and found.distance <= reach else None

    def _nearest(self, a: int, b: int) -> SightLine | None:
        """`nearest`, computed. `sees` is asked first, as it answers for both directions at once."""
        return self.between(a, b).view[0] if a != b and self.sees(a, b) else None

    def struck(self, a: int, b: int, reach: int) -> Struck:
        """The walls of a floor, or the bank before ground, that fire from space `a` at space `b` strikes. If the spaces are
        farther apart than `reach`, what is not known yet is not computed, and there is none."""
        holed = self._holed and self._is_holed(a, b)
        found = None if holed else self._epoch.memo_struck.get((a, b))
        if found is None or COMPARES:
            if self.board.sight.too_far(a, b, reach):
                return ()
            now = self._struck(a, b)
            if COMPARES and found is not None and not is_comparing():
                compare(_STRUCK, f"{(a, b, self.state.down)}", found, lambda: now)
            if not holed:
                self._epoch.memo_struck[a, b] = now
            return now
        return found

    def _struck(self, a: int, b: int) -> Struck:
        """`struck`, computed."""
        if self._spaces[b].kind == "floor":
            return tuple([(side, line.distance) for side, line in self.between(a, b).walls.items()])
        line = self.nearest(a, b)
        return ((-1, line.distance),) if line is not None else ()

    def _is_holed(self, a: int, b: int) -> bool:
        """Whether one of two spaces is in a section with holes or breaches."""
        holed, spaces = self._holed, self._spaces
        return spaces[a].section in holed or spaces[b].section in holed

    def places(self, place: int, reach: int, out: Container[int]) -> Iterator[tuple[int, Lines]]:
        """Floors of other sections, and field works, that fire from a space can strike, with the lines there. They come in the
        order of the least distance that a line could have, up to `reach`, without those in `out`."""
        around, row = self._row(place)
        holed, spaces = self._holed, self._spaces
        if holed and spaces[place].section in holed:
            row = [None] * len(around)
        for number, (far, other) in enumerate(around):
            if far > reach:
                return
            if holed and spaces[other].section in holed:  # with holes or breaches, compute the lines anew
                if other not in out and (anew := self.between(place, other)).fire:
                    yield other, anew
                continue
            found = row[number]
            if COMPARES and found is not None and not is_comparing():
                now = partial(self.between, place, other)
                compare(_ROWS, f"{(place, other, self.state.down)}", found, now)
            if found is _NOTHING or other in out:
                continue
            if found is None:
                found = row[number] = self.between(place, other)
            if found.fire:
                yield other, found

    def _row(self, place: int) -> Row:
        key = (place, tuple([work.place for work in battle_state(self.state).fieldworks]))
        row = self._epoch.memo_rows.get(key)
        if row is None:
            around = self.places_around(place)
            row = self._epoch.memo_rows[key] = (around, [None] * len(around))
        return row

    def places_around(self, place: int) -> Sequence[tuple[int, int]]:
        """All other floors, and ground with a field work, by the least distance that a line could have."""
        floors, dug = _floors_around(self.board, place), battle_state(self.state).fieldworks
        if not dug:
            return floors
        hint = self.board.sight.min_distance
        return sorted(
            [*floors, *((hint(place, work.place), work.place) for work in dug if work.place != place)]
        )


@owned_memo(bound=20_000)
def _floors_around(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """All other floors by the least distance that a line could have."""
    hint, section = board.sight.min_distance, board.spaces[place].section
    near = [(hint(place, s.id), s.id) for s in board.spaces if s.kind == "floor" and s.section != section]
    return tuple(sorted(near))
