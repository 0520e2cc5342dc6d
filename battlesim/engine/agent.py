"""What an agent is, and the random numbers it may use.

An agent is `start(board, side, chance)`, then `choose(view, ask, answers) -> answer` for every question put to its side; one
that remembers offers `save() -> bytes` and `load(bytes)`. Subclassing `Agent` is optional.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import Protocol, TypeVar

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import check_seed
from battlesim.core.items import Ask
from battlesim.core.view import View

T = TypeVar("T")
_EIGHT = Struct("<8Q")
START = -1
"""What stands for the number of a question while an agent starts."""


class Chance:
    """An agent's random numbers.

    They follow from its seed and the number of its side's question. So they can neither change nor foresee the battle's dice, and
    a game resumed at a question goes on alike. The referee calls `at` before each question, and before the agent starts. Raises
    InputError for a seed that is not a whole number of 64 bits.

    >>> chance = Chance(7)
    >>> chance.at(3)
    >>> first = chance.below(6), chance.random()
    >>> chance.at(3)
    >>> first == (chance.below(6), chance.random())
    True
    """

    def __init__(self, seed: int) -> None:
        check_seed(seed)
        self._key = seed.to_bytes(8, "little", signed=seed < 0)
        self.number = 0
        self._drawn = 0
        self._block: int | None = None
        self._words: tuple[int, ...] = ()

    def at(self, number: int) -> None:
        """Begin the numbers of a question: those drawn next depend on nothing but the seed and `number`, 0 or more, or
        START."""
        self.number = number
        self._drawn = 0

    def bits(self) -> int:
        """64 random bits."""
        drawn = self._drawn
        self._drawn = drawn + 1
        if drawn:
            text = b"%d|%d" % (self.number, drawn)
            return int.from_bytes(blake2b(text, key=self._key, digest_size=8).digest(), "little")
        # Most agents draw once for a question: one hash holds the first draws of eight questions.
        block, place = divmod(self.number, 8)
        if block != self._block:
            self._block = block
            self._words = _EIGHT.unpack(blake2b(b"%d" % block, key=self._key, digest_size=64).digest())
        return self._words[place]

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, uniform to within 2**-32; n is at most 2**32."""
        return (self.bits() >> 32) * n >> 32

    def random(self) -> float:
        """A float from 0 up to, not including, 1."""
        return (self.bits() >> 11) / 2**53

    def choice(self, things: Sequence[T]) -> T:
        """One of a non-empty sequence."""
        return things[self.below(len(things))]


class Agent(Protocol):
    """An AI player."""

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """Called once, before the first question. `side`: 0 or 1. If it also has a parameter `brief`, it gets a
        `battlesim.engine.brief.Brief`."""

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """One of `answers`, which are all legal answers to `ask`, two or more. The agent may keep `view`. If it returns anything
        else or raises, it loses the question: the rulebook's safe answer is taken."""
        ...
