"""How often Python searches for circles of references while agents play."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest

from battlesim import play
from battlesim.core.garbage import THRESHOLDS


class Watcher:
    """Notes the thresholds while it is asked; may break off the game."""

    seen: ClassVar[set[tuple[int, int, int]]] = set()
    breaks = False

    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Sequence[Any]) -> Any:
        Watcher.seen.add(gc.get_threshold())
        if self.breaks:
            raise KeyboardInterrupt
        return answers[0]


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    Watcher.seen.clear()
    yield
    gc.set_threshold(*before)


def test_searches_are_seldom_during_a_game_and_as_before_after_it() -> None:
    gc.set_threshold(700, 10, 10)
    play("stairwell", (Watcher, "random"), seed=1)
    assert Watcher.seen == {THRESHOLDS}
    assert gc.get_threshold() == (700, 10, 10)


def test_they_are_as_before_after_a_game_that_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(Watcher, "breaks", True)
    with pytest.raises(KeyboardInterrupt):
        play("stairwell", (Watcher, "random"), seed=1)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("own", [(0, 0, 0), (50_000, 5, 5)])
def test_a_program_that_searches_less_often_or_never_is_left_alone(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    play("stairwell", (Watcher, "random"), seed=1)
    assert {first for first, *_ in Watcher.seen} == {own[0]}
