"""Exact distributions of dice: pairs of an outcome and its chance as a fraction, outcomes ascending, no chance of 0."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import product
from math import comb

from battlesim.core.errors import BattlesimError
from battlesim.core.memo import memo

LARGEST_ROLL = 50_000
"""The most outcomes of one roll whose individual faces matter."""


class OddsError(BattlesimError):
    """There are too many outcomes, or a random draw for which odds cannot be computed."""


@memo(bound=1_024)
def binomial(n: int, good: int, sides: int, enough: int = -1) -> tuple[tuple[int, Fraction], ...]:
    """How many of `n` dice show one of `good` of their `sides` faces; more than `enough` (-1: no limit) count as `enough`.

    >>> binomial(2, 3, 6)
    ((0, Fraction(1, 4)), (1, Fraction(1, 2)), (2, Fraction(1, 4)))
    """
    bad, whole = sides - good, sides**n
    most = n if enough < 0 else min(n, enough)
    ways = [0] * (most + 1)
    for k in range(n + 1):
        ways[min(k, most)] += comb(n, k) * good**k * bad ** (n - k)
    return tuple((k, Fraction(way, whole)) for k, way in enumerate(ways) if way)


@memo(bound=256)
def sums(n: int, sides: int, cuts: tuple[int, ...] = ()) -> tuple[tuple[int, Fraction], ...]:
    """The sum of `n` dice; with `cuts`, sums between the same two cuts are merged into the lowest possible of them."""
    ways = {0: 1}
    for _ in range(n):
        more: dict[int, int] = {}
        for total, way in ways.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + way
        ways = more
    if cuts:
        banded: dict[int, list[int]] = {}
        for total in sorted(ways):
            banded.setdefault(bisect_left(cuts, total), []).append(total)
        ways = {totals[0]: sum(ways[total] for total in totals) for totals in banded.values()}
    return tuple((total, Fraction(ways[total], sides**n)) for total in sorted(ways))


@memo(bound=256)
def tuples(n: int, sides: int, need: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """The faces of `n` dice in order. If at least `need` is wanted, all faces below it are alike and shown as 1."""
    low = max(1, min(need - 1, sides))
    one_die = [(1, low), *((face, 1) for face in range(low + 1, sides + 1))]
    if len(one_die) ** n > LARGEST_ROLL:
        raise OddsError(f"{n} dice whose faces count one by one have more than {LARGEST_ROLL:,} outcomes")
    found = []
    for dice in product(one_die, repeat=n):
        ways = 1
        for _, way in dice:
            ways *= way
        found.append((tuple(face for face, _ in dice), Fraction(ways, sides**n)))
    return tuple(found)
