"""Who sees whom and by which lines fire goes, holes and breaches counted in (AC-HOUSE-STRUCT, AC-TYPE-3).

The board's table of sight knows openings of the map and the middles of walls; which walls have been opened is asked of the
state. Read `fire_lines` and `sees`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.model import Line
from battlesim.core.state import State, fallen
from battlesim.rulesets.armorclass import works

_MOST = 60_000
_Key = tuple[int, frozenset[int], tuple[int, ...], tuple[int, ...]]


class _Kept:
    """Lines of a board by pair and by what has been opened at either end."""

    def __init__(self) -> None:
        self.out: dict[_Key, tuple[Line, ...]] = {}
        self.view: dict[_Key, tuple[Line, ...]] = {}


def _kept(board: Board) -> _Kept:
    kept = board.memo.get("armorclass lines")
    if not isinstance(kept, _Kept):
        kept = board.memo["armorclass lines"] = _Kept()
    return kept


def _opened(state: State, board: Board, place: int) -> tuple[int, ...]:
    if not state.structures:
        return ()
    space = board.spaces[place]
    return works.opened_sides(state, space.section, space.floor) if space.kind == "floor" else ()


def fire_lines(state: State, board: Board, a: int, b: int) -> tuple[Line, ...]:
    """The clear lines that fire from space `a` can take to space `b`, walls as targets included, nearest first.
    Nobody fires out of
    a bunker, nor through a wall without an opening; nothing leads to or from what is destroyed."""
    down = fallen(state)
    if not board.sight.sees(a, b, down):
        return ()
    key = (a * len(board.spaces) + b, down, _opened(state, board, a), ())
    kept = _kept(board).out
    found = kept.get(key)
    if found is None:
        if len(kept) > _MOST:
            kept.clear()
        found = kept[key] = _find(board, a, b, key[1], key[2])
    return found


def _find(board: Board, a: int, b: int, down: frozenset[int], opened: tuple[int, ...]) -> tuple[Line, ...]:
    here = board.spaces[a]
    if here.kind == "floor" and not works.make_of(board, here.section).fighting:
        return ()
    return tuple(
        line
        for line in board.sight.clear_lines(a, b, down)
        if line.from_side < 0 or line.from_opening >= 0 or line.from_side in opened
    )


def view_lines(state: State, board: Board, a: int, b: int) -> tuple[Line, ...]:
    """Those of `fire_lines` that reach somebody in `b` without passing a wall: in the open, or through an opening."""
    down = fallen(state)
    if not board.sight.sees(a, b, down):
        return ()
    key: _Key = (a * len(board.spaces) + b, down, _opened(state, board, a), _opened(state, board, b))
    kept = _kept(board).view
    found = kept.get(key)
    if found is None:
        if len(kept) > _MOST:
            kept.clear()
        found = kept[key] = tuple(
            line
            for line in fire_lines(state, board, a, b)
            if line.to_side < 0 or line.to_opening >= 0 or line.to_side in key[3]
        )
    return found


def sees(state: State, board: Board, a: int, b: int) -> bool:
    """Whether somebody in space `a` sees into space `b`. Within one section the floors see nothing of one another."""
    return a == b or bool(view_lines(state, board, a, b))
