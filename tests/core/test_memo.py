"""Memos: what may be an input, how long answers are kept, and how a stale one is found."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple
from weakref import ref

import pytest
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.routes import MovementMode
from battlesim.core import memo as memos
from battlesim.core import memo_compare
from battlesim.core.memo import (
    MemoError,
    Memos,
    declared,
    is_key,
    memo,
    memo_method,
    memo_property,
    memo_table,
    no_memos,
    owned_memo,
)
from battlesim.core.memo_compare import StaleMemo, comparisons, same
from battlesim.core.state import State, Structure, Unit
from battlesim.core.view import View
from battlesim.rules.scenario import Objective


class Ground:
    """Something with memos of its own."""

    memos: Memos

    def __init__(self, size: int) -> None:
        self.memos = no_memos()
        self.size = size


class Pair(NamedTuple):
    one: int
    other: str


class Open(NamedTuple):
    one: int
    rest: list[int]


class Frozen(Struct, frozen=True):
    size: int
    inner: tuple[Pair, ...] = ()


class Loose(Struct):
    size: int


@dataclass(frozen=True)
class Record:
    size: int


@dataclass
class Mutable:
    size: int


KEYS = [
    *(int, str, float, bool, bytes, None, Fraction, int | None, type[Unit], Literal["a", "b"]),
    *(tuple[int, ...], tuple[int, str], frozenset[int], tuple[tuple[int, frozenset[str]], ...]),
    *(Pair, Frozen, Record, Objective, MovementMode, Callable[[int], int]),
]
NO_KEYS = [
    *(Any, object, list[int], dict[str, int], set[int], Mapping[str, int], list, dict, tuple[list[int], ...]),
    *(State, View, Unit, Structure, Board, Open, Loose, Mutable, int | list[int], Memos),
]


@pytest.mark.parametrize("kind", KEYS, ids=str)
def test_plain_frozen_values_may_be_inputs(kind: Any) -> None:
    assert is_key(type(kind) if kind is None else kind)


@pytest.mark.parametrize("kind", NO_KEYS, ids=str)
def test_what_may_change_or_hides_something_is_refused(kind: Any) -> None:
    assert not is_key(kind)

    def reads(thing) -> int:  # type: ignore[no-untyped-def]
        """Something."""
        return 1

    reads.__annotations__["thing"] = kind
    with pytest.raises(MemoError, match="thing"):
        memo(bound=4)(reads)


def test_a_memo_says_what_it_computes_from_named_inputs_within_a_bound() -> None:
    def silent(a: int) -> int:
        return a

    def many(*numbers: int) -> int:
        """Something."""
        return 0

    def fine(a: int) -> int:
        """Something."""
        return a

    for wrong, bound in ((silent, 4), (many, 4), (fine, 0)):
        with pytest.raises(MemoError):
            memo(bound=bound)(wrong)
    with pytest.raises(MemoError, match="`memos`"):
        owned_memo(bound=4)(fine)

    @memo(bound=4)
    def listed(a: int, b: tuple[str, ...] = ()) -> int:
        """Something
        that is listed."""
        return a

    (found,) = [one for one in declared() if one.name.endswith("listed")]
    assert found.computes == "Something that is listed."
    assert found.inputs == (("a", "int"), ("b", "tuple[str, ...]"))
    assert (found.bound, found.owner) == (4, "process")


@pytest.fixture(params=[False, True], ids=["kept", "compared"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(memos, "COMPARES", request.param)
    monkeypatch.setattr(memo_compare, "_comparisons", memo_compare._Comparisons())
    return bool(request.param)


@pytest.mark.slow
def test_answers_live_with_their_owner_and_within_the_bound(mode: bool) -> None:
    calls: list[object] = []

    @owned_memo(bound=2)
    def share(ground: Ground, part: int) -> int:
        """A part of the ground."""
        calls.append((ground.size, part))
        return ground.size // part

    @owned_memo(bound=1)
    def half(ground: Ground) -> int:
        """Half of the ground."""
        calls.append(ground.size)
        return ground.size // 2

    large, small = Ground(12), Ground(6)
    assert [share(large, 2), share(small, 2), share.on(large)(3), half(small), half.on(large)()] == [
        6,
        3,
        4,
        3,
        6,
    ]
    assert len(calls) == 5
    assert [share(large, 2), share.on(small)(2), half(small)] == [6, 3, 3]
    assert len(calls) == (8 if mode else 5)
    share(large, 4)
    share(large, 6)
    before = len(calls)
    assert share(large, 2) == 6
    assert len(calls) == before + 1, "it was forgotten"
    gone = ref(large)
    del large
    gc.collect()
    assert gone() is None


def test_methods_and_properties_keep_their_answers_with_their_object(mode: bool) -> None:
    calls: list[object] = []

    class Look:
        def __init__(self, size: int) -> None:
            self.memos = no_memos()
            self.size = size

        @memo_method(bound=8)
        def twice(self, more: int) -> int:
            """Twice the size, and more."""
            calls.append(more)
            return 2 * self.size + more

        @memo_table(bound=2)
        def thrice(self, more: int) -> int:
            """Three times the size, and more."""
            calls.append(more)
            return 3 * self.size + more

        @memo_property
        def half(self) -> int:
            """Half the size."""
            calls.append("half")
            return self.size // 2

    # the mode is asked for when a property is declared, and when a method is first used
    one, other = Look(4), Look(10)
    assert [one.twice(1), other.twice(1), one.twice(1), one.half, other.half, one.half] == [9, 21, 9, 2, 5, 2]
    assert len(calls) == (6 if mode else 4)
    assert [one.thrice[1], one.thrice[2], other.thrice[1], one.thrice[1]] == [13, 14, 31, 13]
    assert len(calls) == (10 if mode else 7)
    one.size = 5  # what an object holds counts as fixed
    if mode:
        with pytest.raises(StaleMemo, match=r"Look\.twice.*\(1,\).*9.*11"):
            one.twice(1)
        with pytest.raises(StaleMemo, match=r"Look\.thrice.*\(2,\).*14.*17"):
            _ = one.thrice[2]
        other.size = 30
        with pytest.raises(StaleMemo, match=r"Look\.half"):
            _ = other.half
    else:
        assert (one.twice(1), one.thrice[1]) == (9, 13)
        assert one.thrice[3] == 18, "too many: all others are forgotten"
        assert one.thrice[1] == 16
    gone = ref(one)
    del one
    assert gone() is None, "its tables do not keep it"


def test_comparing_finds_a_fact_that_is_no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memos, "COMPARES", True)
    monkeypatch.setattr(memo_compare, "_comparisons", memo_compare._Comparisons())
    weather = {"rain": 0}

    @memo(bound=8)
    def need(distance: int) -> int:
        """What a die must show."""
        return 3 + distance + weather["rain"]

    @memo(bound=8)
    def chance(distance: int) -> int:
        """What it comes to; it hides the other."""
        return 7 - need(distance)

    assert [chance(1), chance(1), need(1)] == [3, 3, 4]
    assert comparisons() == {f"{__name__}.{need.__wrapped__.__qualname__}": 1, f"{__name__}.{chance.__wrapped__.__qualname__}": 1}  # type: ignore[attr-defined]  # fmt: skip
    weather["rain"] = 1
    with pytest.raises(StaleMemo, match=r"need has kept for \(1,\) the answer 4; computed anew it is 5"):
        need(1)
    monkeypatch.setattr(memo_compare, "FRESH_FOR", 1)
    memo_compare._comparisons.left = 0
    with pytest.raises(StaleMemo, match="chance"):
        chance(1)
    assert any("chance" in found for found in memo_compare.stale()), "though somebody catches the error"


def test_comparing_finds_a_fact_behind_an_object_and_an_answer_that_was_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memos, "COMPARES", True)
    monkeypatch.setattr(memo_compare, "_comparisons", memo_compare._Comparisons())

    @owned_memo(bound=8)
    def rows(ground: Ground, number: int) -> list[int]:
        """Rows of the ground."""
        return [ground.size] * number

    ground = Ground(3)
    assert rows(ground, 2) == rows(ground, 2) == [3, 3]
    ground.size = 4
    with pytest.raises(StaleMemo):
        rows(ground, 2)
    rows(ground, 1).append(9)
    with pytest.raises(StaleMemo, match=r"\[4, 9\].*\[4\]"):
        rows(ground, 1)


def test_answers_are_the_same_by_what_they_hold() -> None:
    class Held:
        __slots__ = ("inner",)

        def __init__(self, inner: object) -> None:
            self.inner = inner

    assert same(Held([1, (2, {"a": Held(3)})]), Held([1, (2, {"a": Held(3)})]))
    assert not same(Held([1, (2, {"a": Held(3)})]), Held([1, (2, {"a": Held(4)})]))
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1}), "order is part of an answer"
    assert not same((1, 2), [1, 2])
    assert same(float("nan"), float("nan"))
    assert not same([1.0], [1.5])
