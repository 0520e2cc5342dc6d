"""What an estimator prepares for looking at a view, kept while nothing has changed that it counts. Read `Kept.of`.

The questions of one activation come one after another, and a position is dear to prepare. One entry is kept: a cache of a pure
function, never a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.core.view import View


class Position(Protocol):
    """What an estimator prepares: of a view's side, on a board, with the state that the view shows."""

    board: Board
    side: int
    state: State


AnyPosition = TypeVar("AnyPosition", bound=Position)


class Kept(Generic[AnyPosition]):
    """The position prepared last. `prepare` makes one of a view; `settled` takes from a unit's own record what its side's
    activations change and no position counts; `alike` tells whether two extras say the same to a position."""

    def __init__(
        self,
        prepare: Callable[[View, Board], AnyPosition],
        settled: Callable[[Any], Any],
        alike: Callable[[Any, Any], bool],
    ) -> None:
        self._prepare, self._settled, self._alike = prepare, settled, alike
        self._last: AnyPosition | None = None

    def of(self, view: View, board: Board) -> AnyPosition:
        """The position of a view: the last one, with the view's units, where it says the same of both."""
        last = self._last
        if last is not None and last.board is board and last.side == view.side:
            before = last.state
            if (
                before.turn == view.turn
                and before.structures == view.structures
                and (before.extra is view.extra or self._alike(before.extra, view.extra))
                and self._unmoved(before.units, view.units, view.side)
            ):
                before.units = view.units
                return last
        self._last = self._prepare(view, board)
        return self._last

    def _unmoved(self, before: dict[int, Unit], now: dict[int, Unit], side: int) -> bool:
        """Whether units differ in nothing but what those of one side have done in their activations."""
        if before.keys() != now.keys():
            return False
        for number, old in before.items():
            new = now[number]
            if old is new:
                continue
            if old.side != side or replace(old, own=new.own) != new:
                return False
            if self._settled(old.own) != self._settled(new.own):
                return False
        return True
