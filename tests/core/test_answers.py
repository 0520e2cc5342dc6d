"""Answers from the pool."""

from __future__ import annotations

import pytest

from battlesim.core import answers
from battlesim.core.answers import Answer, all_numbered, numbered

switched: list[int] = []


class Switching(Answer, frozen=True):
    """While the first one is made, another thread has its turn and asks for answers of this kind."""

    number: int

    def __post_init__(self) -> None:
        if not switched:
            switched.append(self.number)
            all_numbered(Switching, (3, 200))


def test_the_pool_keeps_its_numbers_where_two_threads_extend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(answers._INTERNED, Switching, [])
    switched.clear()
    assert numbered(Switching, 5) == Switching(5)
    assert all_numbered(Switching, (0, 90, 300)) == [Switching(0), Switching(90), Switching(300)]
    assert [numbered(Switching, n) for n in range(400)] == [Switching(n) for n in range(400)]
