"""Tables of kept answers that compute each one anew and compare: how `memo.py` makes them where it was told to. Read `Comparing`.

An answer is compared whenever it is asked for again. What its body asks of other memos is computed anew as well, not taken from
their tables: else one stale answer would hide behind another. That is remembered over the next `FRESH_FOR` comparisons, so that
a battle stays within minutes; a fact that changes meanwhile is met a little later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import ref

from msgspec import Struct

from battlesim.core.errors import BattlesimError

P = ParamSpec("P")
R = TypeVar("R")
Key = TypeVar("Key")

FRESH_FOR = 200
"""Comparisons over which an answer that was computed anew for another one counts as such."""

SAMPLED = 50
"""The one value of a board, as its hexes are, is compared once in so many times."""
MEMOS = "memo"
"""How attributes begin that hold kept answers, which are no part of what an object says."""


class StaleMemo(BattlesimError):
    """An answer that was kept is not what would be computed now: its memo reads something that is not among its inputs, or
    somebody has changed the answer."""


class _Comparisons:
    """What has been compared in this process."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.stale: list[str] = []
        self.running = False
        self.fresh: dict[tuple[Comparing[Any, Any], Any], Any] = {}
        self.left = 0


_comparisons = _Comparisons()


def comparisons() -> Mapping[str, int]:
    """How often each memo, by name, has been compared in this process."""
    return dict(_comparisons.made)


def stale() -> tuple[str, ...]:
    """What was found stale in this process, in case that somebody has caught the errors."""
    return tuple(_comparisons.stale)


def compare(name: str, what: str, before: Any, anew: Callable[[], Any]) -> None:
    """Count a comparison. Raises StaleMemo, which names the memo, what was asked and both answers, where an answer is another
    when it is computed anew. Not to be called while one is under way."""
    log = _comparisons
    log.made[name] += 1
    log.left -= 1
    if log.left <= 0:
        log.left = FRESH_FOR
        log.fresh = {}
    log.running = True
    try:
        now = anew()
    finally:
        log.running = False
    if not same(before, now):
        found = (
            f"{name} has kept for {what[:400]} the answer {before!r:.400}; computed anew it is {now!r:.400}"
        )
        log.stale.append(found)
        raise StaleMemo(f"{found}: make what has changed an input, and change no answer")


def is_comparing() -> bool:
    """Whether an answer is being computed anew."""
    return _comparisons.running


class Comparing(Generic[P, R]):
    """A table of answers that are compared at each hit. In place of `functools.lru_cache`."""

    def __init__(self, name: str, bound: int, compute: Callable[P, R], every: int = 1) -> None:
        self.name, self.bound, self.compute, self.every = name, bound, compute, every
        self.kept: dict[Any, R] = {}
        self.asked = 0
        self.__doc__ = compute.__doc__
        self.__wrapped__ = compute

    def __call__(self, *args: P.args, **names: P.kwargs) -> R:
        key = (args, tuple(sorted(names.items()))) if names else args
        log = _comparisons
        if log.running:
            mine = (self, key)
            if mine not in log.fresh:
                log.fresh[mine] = self.compute(*args, **names)
            found: R = log.fresh[mine]
            return found
        if key in self.kept:
            found = self.kept[key]
            self.asked += 1
            if self.asked % self.every != 1 % self.every:
                return found
            compare(self.name, repr(key), found, lambda: self.compute(*args, **names))
            return found
        found = self.compute(*args, **names)
        if len(self.kept) >= self.bound:
            self.kept.clear()
        self.kept[key] = found
        return found


def given(compute: Callable[..., R], owner: object) -> Callable[..., R]:
    """A function with its first argument given, without keeping that alive: its answers hang on it, and should go with it."""
    alive = ref(owner)

    def with_owner(*args: Any) -> R:
        return compute(alive(), *args)

    return with_owner


class Answers(dict[Key, R]):
    """Answers by one argument, computed when they are first asked for; forgotten all together where there are too many."""

    __slots__ = ("bound", "compute", "owner")

    def __init__(self, bound: int, compute: Callable[..., R], owner: object) -> None:
        self.bound, self.compute, self.owner = bound, compute, ref(owner)

    def __missing__(self, key: Key) -> R:
        found = self.compute(self.owner(), key)
        if len(self) >= self.bound:
            self.clear()
        self[key] = found
        return found


class AnswersOfSeveral(Answers[Key, R]):
    """The same by several arguments, in the order of the parameters."""

    __slots__ = ()

    def __missing__(self, key: Any) -> R:
        found = self.compute(self.owner(), *key)
        if len(self) >= self.bound:
            self.clear()
        self[key] = found
        return found


class ComparedAnswers(Answers[Key, R]):
    """Answers that are compared when they are asked for again."""

    __slots__ = ("_answers", "_several")

    def __init__(self, name: str, bound: int, answers: Answers[Key, R]) -> None:
        self._answers = Comparing(name, bound, given(answers.compute, answers.owner()))
        self._several = isinstance(answers, AnswersOfSeveral)

    def __getitem__(self, key: Any) -> R:
        return self._answers(*key) if self._several else self._answers(key)


def same(one: Any, other: Any) -> bool:
    """Whether two answers say the same: by value where their type knows how, in their order; else by what they hold, kept answers
    left out."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if "__eq__" in vars(type(one)) or isinstance(one, int | float | str | bytes | frozenset | set | Struct):
        return bool(one == other) or one != one  # nothing equals a value that is no number
    if isinstance(one, FunctionType):
        return one.__code__ is other.__code__
    mine, theirs = _held(one), _held(other)
    return mine.keys() == theirs.keys() and all(same(mine[name], theirs[name]) for name in mine)


def _held(thing: Any) -> dict[str, Any]:
    held = dict(getattr(thing, "__dict__", {}))
    for kind in type(thing).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(thing, name) and not name.startswith("__"):
                held[name] = getattr(thing, name)
    return {
        name: value
        for name, value in held.items()
        if not (name.startswith(MEMOS) or isinstance(value, Answers))
    }
