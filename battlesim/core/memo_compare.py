"""Memos in the comparing mode: kept values are computed again and compared. Read `Comparing`.

A value is compared whenever it is asked for again. The other memos that it needs are then computed again too, since one stale
value could hide behind another. Those results are reused over the next `FRESH_FOR` comparisons, so that a battle takes minutes,
not hours; a stale value is then found a little later.
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
"""Comparisons over which a result that was computed again for another one is reused."""

SAMPLED = 50
"""A memo with one value for an owner, such as the hexes of a board, is compared once in so many uses."""
MEMOS = "memo"
"""Prefix of the attributes that hold kept values; `same` leaves them out."""


class StaleMemo(BattlesimError):
    """A kept value is not what would be computed now: the memo reads something that is not among its inputs, or the value was
    changed."""


class _Comparisons:
    """Counts and findings of this process. `fresh`: results computed again, for reuse; `left`: comparisons until they are
    dropped."""

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
    """The stale values found in this process, even where the errors were caught."""
    return tuple(_comparisons.stale)


def compare(name: str, what: str, before: Any, anew: Callable[[], Any]) -> None:
    """Count a comparison. Raises StaleMemo, with the memo, its arguments and both values, if `anew()` differs from `before`.
    Not to be called while a comparison is running."""
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
    """Whether a comparison is running."""
    return _comparisons.running


class Comparing(Generic[P, R]):
    """A memo that compares at each hit, or one in `every` hits. It stands in for `functools.lru_cache`."""

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
    """A function with its first argument given by a weak reference, so that the owner and what it keeps can be freed."""
    alive = ref(owner)

    def with_owner(*args: Any) -> R:
        return compute(alive(), *args)

    return with_owner


class Answers(dict[Key, R]):
    """Results by one argument, computed on first use. At `bound` results all are dropped."""

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
    """Results that are compared when they are asked for again."""

    __slots__ = ("_answers", "_several")

    def __init__(self, name: str, bound: int, answers: Answers[Key, R]) -> None:
        self._answers = Comparing(name, bound, given(answers.compute, answers.owner()))
        self._several = isinstance(answers, AnswersOfSeveral)

    def __getitem__(self, key: Any) -> R:
        return self._answers(*key) if self._several else self._answers(key)


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal: by value where their type defines that, sequences and mappings in order; else attribute by
    attribute, kept values left out."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if "__eq__" in vars(type(one)) or isinstance(one, int | float | str | bytes | frozenset | set | Struct):
        return bool(one == other) or one != one  # NaN does not equal itself
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
