"""How much of what battles have looked up on their boards a process keeps. Read `relieve`.

A board keeps what was asked of it: lines of fire, routes, and the answers of memos (`core/memo.py`). These are pure functions of
the board and the question, so any of it may be forgotten between two questions of a battle. Each table has a bound of its own;
a process that plays on many maps would still hold the sum of all. So the sum has a bound, too: where it is passed, the largest
tables are emptied. The least lately used ones would be the wrong choice: a tournament goes round its scenarios, and would always
lose what it needs next.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from battlesim.board import model
from battlesim.board.board import Board

MOST = 110_000_000
"""Bytes of tables that the boards of a process keep together, by estimate; where they hold more, the largest are emptied until
three quarters of it are left."""
_STEP = 250_000
"""Estimating takes part of a second, so it waits until Python holds so many more blocks of memory than when it was last done,
some 20 MB."""
_SAMPLED = 8
"""Entries of a large container that are weighed; it is taken to consist of their like."""
_DEEP = 16
_NOT_THEIRS = (
    *(Board, model.Space, model.Section, model.Opening, model.Way, model.Area, model.Obstacle, model.Side),
    *(str, type, ModuleType, FunctionType, BuiltinFunctionType, MethodType),
)
"""What tables refer to and do not hold."""


class _LastCheck:
    """When tables were last weighed: how many blocks of memory Python held then. (An object, since a name that modules bind anew
    while a game is played looks like something an agent has changed: `jobs/leftovers.py`.)"""

    blocks = 0


_last = _LastCheck()

Sized = tuple[int, Callable[[], object]]
"""Its size in bytes, and how it is emptied."""


def relieve(boards: Iterable[Board], most: int = MOST) -> int:
    """Empty the largest tables of some boards where all together hold more than `most` bytes, until they hold three quarters of
    it. Returns what they hold then. Changes no answer that a board gives. Not to be called while rules
    are at work: between two questions, or two battles."""
    tables = sorted(_tables(boards), key=lambda table: table[0])
    held = sum(size for size, _ in tables)
    if held <= most:
        return held
    while tables and held > most * 3 // 4:
        size, empty = tables.pop()
        empty()
        held -= size
    return held


def relieve_when_due(boards: Iterable[Board]) -> None:
    """`relieve`, where this process has come to hold much more since it was last done: to be called before each battle."""
    if sys.getallocatedblocks() > _last.blocks + _STEP:
        relieve(boards)
        _last.blocks = sys.getallocatedblocks()


def _tables(boards: Iterable[Board]) -> Iterator[Sized]:
    """Every table of some boards that grows with what is asked of them."""
    for board in boards:
        made = board.__dict__
        for name in ("sight", "routes"):
            if name in made:
                yield int(sum(map(weight, made[name].grown()))), made[name].forget
        for memo, answers in board.memos.items():
            yield int(weight(answers)), lambda kept=board.memos, memo=memo: kept.pop(memo, None)  # type: ignore[misc]


def weight(thing: object, deep: int = _DEEP) -> float:
    """About how many bytes an object takes with all that hangs on it. What several hold counts for each of them with its
    part, by the number of references."""
    if not deep or isinstance(thing, _NOT_THEIRS):
        return 0.0
    references = sys.getrefcount(thing) - _OURS
    size: float = sys.getsizeof(thing)
    count = len(thing) if isinstance(thing, (dict, list, tuple, frozenset, set)) else 0
    if count > 2 * _SAMPLED:
        sample = _sample(thing, count)
        held = sum([weight(part, deep - 1) for part in sample]) * count / _SAMPLED
    else:
        held = sum([weight(part, deep - 1) for part in gc.get_referents(thing)])
    return (size + held) / max(1, references)


_OURS = 4
"""References to an object that `weight` itself makes: the list it comes from, the loop, the argument, that of `getrefcount`."""


def _sample(thing: Any, count: int) -> list[object]:
    """Some entries of a container; of a dictionary so many keys and as many values."""
    if isinstance(thing, dict):
        half = _SAMPLED // 2
        ends = (thing, reversed(thing), thing.values(), reversed(thing.values()))
        return [part for end in ends for part in islice(end, half)]
    if isinstance(thing, (list, tuple)):
        return list(thing[:: -(-count // _SAMPLED)])
    return list(islice(thing, _SAMPLED))
