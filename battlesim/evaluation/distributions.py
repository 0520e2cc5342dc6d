"""Distributions of dice results, as plain tuples of chances: the building blocks of expected outcomes.

A `Distribution` is `(P(0), P(1), P(2), ...)` and adds up to 1. Chances (`p`) are from 0 to 1. Most functions take `cap`, 0 or
more: everything above it counts as `cap`, as with models that can be lost only once. All functions are pure, and the costly ones
are memoized. Chances are floats, since players need many of them fast; `search/odds.py` has exact ones. Read `binomial` and
`thin`.

An example: the men that a section of ten loses to seven rifles that hit on 4+ and wound on 4+, and the chance that it loses half.

>>> hits = binomial(7, 1 / 2, cap=7)
>>> lost = thin(hits, 1 / 2, cap=10)
>>> round(mean(lost), 3), round(at_least(lost, 5), 3)
(1.75, 0.013)
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.core.memo import memo
from battlesim.core.sums import summed

Distribution = tuple[float, ...]
"""Chances of 0, 1, 2 ..."""
NOTHING: Distribution = (1.0,)
"""Always 0."""


@memo(bound=1 << 12)
def binomial(n: int, p: float, cap: int) -> Distribution:
    """How many of `n` independent tries succeed, each with chance `p` (the binomial distribution).

    >>> binomial(2, 0.5, cap=2)
    (0.25, 0.5, 0.25)
    """
    row = [1.0]
    for _ in range(n):
        longer = [x * (1.0 - p) for x in row]
        longer.append(0.0)
        for k, x in enumerate(row):
            longer[k + 1] += x * p
        row = longer
    return capped(row, cap)


@memo(bound=256)
def dice(n: int, sides: int) -> Distribution:
    """The sum of `n` dice with faces 1 to `sides`; index k is the chance of the sum k."""
    row: Distribution = NOTHING
    face = (0.0, *([1.0 / sides] * sides))
    for _ in range(n):
        row = convolve(row, face, len(row) + sides - 1)
    return row


@memo(bound=1 << 12)
def thin(numbers: Distribution, p: float, cap: int) -> Distribution:
    """How many of a random number of things pass a test, each with chance `p`: of the shots those that hit, of the hits those
    that wound. `numbers`: the distribution of how many things there are."""
    found = [0.0] * (cap + 1)
    for n, share in enumerate(numbers):
        if share:
            for k, chance in enumerate(binomial(n, p, cap)):
                found[k] += share * chance
    while len(found) > len(numbers) and found[-1] == 0.0:
        found.pop()
    return tuple(found)


def convolve(a: Sequence[float], b: Sequence[float], cap: int) -> Distribution:
    """The sum of two independent numbers."""
    found = [0.0] * min(len(a) + len(b) - 1, cap + 1)
    last = len(found) - 1
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                k = i + j
                found[k if k < last else last] += x * y
    return tuple(found)


def capped(numbers: Sequence[float], cap: int) -> Distribution:
    """Everything above `cap` counted as `cap`."""
    if len(numbers) <= cap + 1:
        return tuple(numbers)
    return (*numbers[:cap], summed(numbers[cap:]))


def mixture(parts: Sequence[tuple[float, Sequence[float]]]) -> Distribution:
    """The distribution of a number drawn from one of several distributions. `parts`: (chance, distribution), at least one; the
    chances add up to 1."""
    found = [0.0] * max(len(part) for _, part in parts)
    for share, part in parts:
        for k, x in enumerate(part):
            found[k] += share * x
    return tuple(found)


def mean(numbers: Sequence[float]) -> float:
    """The mean (expected value)."""
    found = 0.0
    for k, x in enumerate(numbers):
        found += k * x
    return found


def at_least(numbers: Sequence[float], least: int) -> float:
    """The chance of `least` or more; 1 if `least` is 0 or below."""
    return summed(numbers[max(least, 0) :])


def any_of(n: int, p: float) -> float:
    """The chance that at least one of `n` independent tries succeeds."""
    return 1.0 - (1.0 - p) ** n


@memo(bound=64)
def face_at_least(need: int, sides: int = 6) -> float:
    """The chance that one die shows `need` or more; 1 for `need` up to 1, 0 above `sides`.

    >>> face_at_least(5), face_at_least(7)
    (0.3333333333333333, 0.0)
    """
    return max(0, min(sides, sides + 1 - need)) / sides


@memo(bound=64)
def two_dice_at_most(most: int) -> float:
    """The chance that the sum of two six-sided dice is at most `most`."""
    return sum(6 - abs(7 - total) for total in range(2, min(most, 12) + 1)) / 36
