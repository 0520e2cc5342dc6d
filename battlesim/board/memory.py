"""A bound on the memory that all boards of a process use for their tables. Read `relieve`.

A board keeps lines of sight, routes and the values of memos (`core/memo.py`). All can be computed again, so they may be dropped
between two questions of a battle. Each table has a bound of its own, but a process that plays on many maps would hold the sum of
all. If the sum exceeds `MOST`, the largest tables are emptied. Emptying the least recently used ones would be wrong: a
tournament cycles through its scenarios, so it would always lose the tables that it needs next.
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
"""The most bytes, by estimate, of the tables of all boards. Above it the largest are emptied until three quarters are left."""
_STEP = 250_000
"""Estimating takes part of a second. So it is done only when Python holds this many more blocks of memory than the last time,
some 20 MB."""
_SAMPLED = 8
"""Entries of a large container that are measured; the others are assumed to be alike."""
_DEEP = 16
"""How deep nested objects are measured."""
_NOT_THEIRS = (
    *(Board, model.Space, model.Section, model.Opening, model.Way, model.Area, model.Obstacle, model.Side),
    *(str, type, ModuleType, FunctionType, BuiltinFunctionType, MethodType),
)
"""Types that tables refer to but that do not belong to them."""
_PLAIN = frozenset((int, float, bool, type(None)))
"""Types that hold no other objects."""


class _LastCheck:
    """How many blocks of memory Python held when tables were last measured. An attribute of an object, since a module variable
    that changes during a game would be taken for a change by an agent (`jobs/leftovers.py`)."""

    blocks = 0


_last = _LastCheck()

Sized = tuple[int, Callable[[], object]]
"""The size of a table in bytes, and the function that empties it."""


def relieve(boards: Iterable[Board], most: int = MOST) -> int:
    """If the tables of some boards hold more than `most` bytes, empty the largest until they hold three quarters of that.

    Returns the bytes that they hold then. No result of a board changes. Call it between questions or battles only, never while
    rules are at work.
    """
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
    """Call `relieve` where the process's memory has grown much since the last time. For use before each battle."""
    if sys.getallocatedblocks() > _last.blocks + _STEP:
        relieve(boards)
        _last.blocks = sys.getallocatedblocks()


def _tables(boards: Iterable[Board]) -> Iterator[Sized]:
    """Every table of some boards that grows with use."""
    for board in boards:
        made = board.__dict__
        for name in ("sight", "routes"):
            if name in made:
                yield int(sum(map(weight, made[name].grown()))), made[name].forget
        for memo, answers in board.memos.items():
            yield int(weight(answers)), lambda kept=board.memos, memo=memo: kept.pop(memo, None)  # type: ignore[misc]


def weight(thing: object, deep: int = _DEEP) -> float:
    """About how many bytes an object takes with all that it holds. An object held by several counts in part for each of them, by
    the number of references."""
    references = sys.getrefcount(thing) - _OURS
    if type(thing) in _PLAIN:
        return sys.getsizeof(thing) / max(1, references) if deep else 0.0
    if not deep or isinstance(thing, _NOT_THEIRS):
        return 0.0
    size: float = sys.getsizeof(thing)
    count = len(thing) if isinstance(thing, (dict, list, tuple, frozenset, set)) else 0
    if count > 2 * _SAMPLED:
        sample = _sample(thing, count)
        held = sum([weight(part, deep - 1) for part in sample]) * count / _SAMPLED
    else:
        held = sum([weight(part, deep - 1) for part in gc.get_referents(thing)])
    return (size + held) / max(1, references)


_OURS = 4
"""References to an object that `weight` itself makes: from the list, the loop, the argument, and `getrefcount`."""


def _sample(thing: Any, count: int) -> list[object]:
    """`_SAMPLED` entries of a container; of a dictionary half of them keys and half values."""
    if isinstance(thing, dict):
        half = _SAMPLED // 2
        ends = (thing, reversed(thing), thing.values(), reversed(thing.values()))
        return [part for end in ends for part in islice(end, half)]
    if isinstance(thing, (list, tuple)):
        return list(thing[:: -(-count // _SAMPLED)])
    return list(islice(thing, _SAMPLED))
