"""Random cases as lists of small numbers, so that any case can be repeated, changed and made smaller. Read `Choices`, `shrunk`.

Code that makes a case asks for one choice after the other: `choices.below(4)` is 0 to 3. The numbers given are kept. The same
numbers make the same case; past their end every choice is 0, which always means the simplest thing. So a case becomes simpler as
numbers are removed or lowered, without any knowledge of what they mean (as in Hypothesis: MacIver and Donaldson, 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A source of choices. The first are `given`; further ones are random if there is a `seed`, else 0."""

    def __init__(self, given: Sequence[int] = (), seed: int | None = None) -> None:
        self._given = given
        self._random = None if seed is None else Random(seed)
        self.made: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; 0 is the simplest."""
        at = len(self.made)
        if at < len(self._given):
            chosen = self._given[at] % n
        elif self._random is not None:
            chosen = self._random.randrange(n)
        else:
            chosen = 0
        self.made.append(chosen)
        return chosen

    def between(self, low: int, high: int) -> int:
        """A number from `low`, the simplest, to `high`, both included."""
        return low + self.below(high - low + 1)

    def of(self, things: Sequence[T]) -> T:
        """One of some things; the first is the simplest."""
        return things[self.below(len(things))]

    def once_in(self, n: int) -> bool:
        """True once in n times; False is the simplest."""
        return self.below(n) == n - 1


def mutated(choices: Sequence[int], random: Random) -> tuple[list[int], int]:
    """A case near a given one: its first choices and a seed for the rest. Either everything after some point is new, or some
    single choices are."""
    kept = list(choices)
    if random.random() < 0.5:
        kept = kept[: random.randrange(len(kept) + 1)]
    else:
        for _ in range(random.randrange(1, 4)):
            if kept:
                kept[random.randrange(len(kept))] = random.randrange(256)
    return kept, random.getrandbits(62)


def shrunk(
    choices: Sequence[int], fails: Callable[[list[int]], list[int] | None], most: int = 400
) -> list[int]:
    """The simplest choices found, in at most `most` tries, that still fail. `fails`: the choices that were used if a case fails
    in the same way, else None."""
    best = list(choices)
    left = most

    def attempt(candidate: list[int]) -> bool:
        nonlocal best, left
        if left <= 0 or candidate == best:
            return False
        left -= 1
        used = fails(candidate)
        if used is None:
            return False
        while used and used[-1] == 0:  # past the end all is 0 anyway
            used = used[:-1]
        if (len(used), used) >= (len(best), best):
            return False
        best = used
        return True

    better = True
    while better and left > 0:
        better = False
        size = max(1, len(best) // 2)
        while size >= 1 and left > 0:  # remove whole stretches, the last first
            at = len(best) - size
            while at >= 0 and left > 0:
                if attempt(best[:at] + best[at + size :]) or attempt(
                    best[:at] + [0] * size + best[at + size :]
                ):
                    better = True
                at -= size
                at = min(at, len(best) - size)
            size //= 2
        for at in range(len(best) - 1, -1, -1):  # lower single numbers
            while at < len(best) and best[at] > 0 and left > 0:
                if not (attempt([*best[:at], best[at] // 2, *best[at + 1 :]])):
                    break
                better = True
    return best
