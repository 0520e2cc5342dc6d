"""A cache for estimators: the last prepared position, reused while nothing relevant has changed. Read `ViewCache.ask`.

The questions of one activation come in sequence, and a position takes long to prepare. One position is kept. It is a memo
(`core/memo.py`) whose inputs are compared instead of hashed. In the comparing mode a kept position must lead to the same result
as one prepared again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.memo import COMPARES, declare
from battlesim.core.memo_compare import compare, is_comparing
from battlesim.core.state import State, Unit
from battlesim.core.view import View


class Position(Protocol):
    """What an estimator prepares from a view: the board, the view's side, and the state that the view shows."""

    board: Board
    side: int
    state: State


AnyPosition = TypeVar("AnyPosition", bound=Position)


Found = TypeVar("Found")


class ViewCache(Generic[AnyPosition]):
    """The last prepared position of one estimator.

    `prepare` makes a position from a view. `ignoring` returns a unit's state without the fields that activations change and no
    position reads. `same_extra` says whether two records of the battle are the same to a position.
    """

    def __init__(
        self,
        prepare: Callable[[View, Board], AnyPosition],
        ignoring: Callable[[Any], Any],
        same_extra: Callable[[Any, Any], bool],
    ) -> None:
        self._prepare, self._ignoring, self._same_extra = prepare, ignoring, same_extra
        self.memo_last: AnyPosition | None = None
        self.memo_counts: tuple[tuple[int, int], ...] = ()
        """The points and forces of the view that the last position was prepared from; kept with it."""
        self._name = declare(
            f"{prepare.__module__}.{prepare.__qualname__}",
            "The position that a view shows, prepared for an estimator.",
            (("view", "View"), ("board", "Board")),
            bound=1,
        )

    def ask(self, view: View, board: Board, look: Callable[[AnyPosition], Found]) -> Found:
        """The result of `look(position)` for the position of a view."""
        before = self.memo_last
        position = self.get(view, board)
        found = look(position)
        if COMPARES and position is before and not is_comparing():
            compare(self._name, f"{view!r}", found, lambda: look(self._prepared(view, board)))
        return found

    def get(self, view: View, board: Board) -> AnyPosition:
        """The position of a view: the last one, with the view's units and stack, if nothing relevant has changed."""
        last = self.memo_last
        if last is not None and last.board is board and last.side == view.side:
            before = last.state
            if (
                before.turn == view.turn
                and self.memo_counts == (view.points, view.forces)
                and before.structures == view.structures
                and (before.extra is view.extra or self._same_extra(before.extra, view.extra))
                and self._unmoved(before.units, view.units, view.side)
            ):
                before.units, before.stack = view.units.copy(), view.stack
                return last
        # Copies, since an agent may change its view afterwards.
        kept = replace(view, units=view.units.copy(), structures=view.structures.copy())
        self.memo_last = self._prepared(kept, board)
        self.memo_counts = (view.points, view.forces)
        return self.memo_last

    def _prepared(self, view: View, board: Board) -> AnyPosition:
        position = self._prepare(view, board)
        position.state.stack = view.stack
        return position

    def _unmoved(self, before: dict[int, Unit], now: dict[int, Unit], side: int) -> bool:
        """Whether the units are the same except for what activations of `side` change in its own units' records."""
        if before.keys() != now.keys():
            return False
        for number, old in before.items():
            new = now[number]
            if old is new:
                continue
            if old.side != side or replace(old, own=new.own) != new:
                return False
            if self._ignoring(old.own) != self._ignoring(new.own):
                return False
        return True
