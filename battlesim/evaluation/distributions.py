"""Distributions of dice results, as plain tuples of chances: the building blocks of expected outcomes.

A `Distribution` is `(P(0), P(1), P(2), ...)` and adds up to 1. Most functions take `cap`: everything above it counts as `cap`,
as with models that can be lost only once. All are pure, and the small ones are memoized. An example: the men that a section of
ten loses to seven rifles that hit on 4+ and wound on 4+, and the chance that it loses half:

    lost = thin(binomial(7, 1 / 2, 7), 1 / 2, 10)
    mean(lost), at_least(lost, 5)

Read `thin` and `convolve`.
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
    """How many of `n` independent tries succeed, each with chance `p`."""
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
    """The sum of `n` dice with faces 1 to `sides`."""
    row: Distribution = NOTHING
    face = (0.0, *([1.0 / sides] * sides))
    for _ in range(n):
        row = convolve(row, face, len(row) + sides - 1)
    return row


@memo(bound=1 << 12)
def thin(numbers: Distribution, p: float, cap: int) -> Distribution:
    """How many of a random number of things pass a test that each passes with chance `p`: hits that wound, shots that hit."""
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
    """One of several distributions, each with its chance."""
    found = [0.0] * max(len(part) for _, part in parts)
    for share, part in parts:
        for k, x in enumerate(part):
            found[k] += share * x
    return tuple(found)


def mean(numbers: Sequence[float]) -> float:
    """The mean."""
    found = 0.0
    for k, x in enumerate(numbers):
        found += k * x
    return found


def at_least(numbers: Sequence[float], least: int) -> float:
    """The chance of `least` or more."""
    return summed(numbers[max(least, 0) :])


def any_of(n: int, p: float) -> float:
    """The chance that at least one of `n` independent tries succeeds."""
    return 1.0 - (1.0 - p) ** n


@memo(bound=64)
def face_at_least(need: int, sides: int = 6) -> float:
    """The chance that one die shows `need` or more."""
    return max(0, min(sides, sides + 1 - need)) / sides


@memo(bound=64)
def two_dice_at_most(most: int) -> float:
    """The chance that the sum of two six-sided dice is at most `most`."""
    return sum(6 - abs(7 - total) for total in range(2, min(most, 12) + 1)) / 36
