"""Means with intervals over games that share their dice. Read `mean_of`.

All points are played with the same seeds, so each seed is a small experiment of its own, and intervals are Student's over the
seeds: so what the points share is counted once. Differences of points, in which most of that cancels out, are judged over the
points if there are fewer than `FEW` seeds; means, if there are fewer than 3.

If all numbers are equal, Student's interval has no width, and would claim certainty. The interval is then what n equal numbers
rule out: at most 1 - 0.025^(1/n) of all possible numbers differ (Clopper and Pearson), by as much as the bounds allow. Without
bounds the sign test is used, which is about the median: six numbers or more show that it is this one.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Values = NDArray[np.float64]
"""A response by point (rows) and seed (columns); nan for missing games."""
UNBOUNDED = (float("-inf"), float("inf"))
FEW = 8
"""The fewest seeds, or points, for an interval over them."""


class Estimate(NamedTuple):
    """A mean with its standard error and its degrees of freedom; the error is nan if not known. `least`, `most`: bounds of the
    single numbers."""

    value: float
    error: float
    free: float
    least: float = float("-inf")
    most: float = float("inf")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval, infinite if the error is not known."""
        if not np.isfinite(self.error):
            return UNBOUNDED
        if self.error == 0:
            others = 1 - (0.05 / 2) ** (1 / (self.free + 1))
            low, high = (
                self.value - others * (self.value - self.least),
                self.value + others * (self.most - self.value),
            )
            if np.isfinite(high - low):
                return low, high
            return (self.value, self.value) if self._by_signs < 0.05 else UNBOUNDED
        wide = float(stats.t.ppf(0.975, self.free)) * self.error
        return self.value - wide, self.value + wide

    @property
    def p(self) -> float:
        """The p-value of a true value of 0."""
        if not np.isfinite(self.error) or not np.isfinite(self.value) or self.value == 0:
            return 1.0
        if self.error > 0:
            return 2 * float(stats.t.sf(abs(self.value) / self.error, self.free))
        far = self.least if self.value > 0 else self.most
        if not np.isfinite(self.most - self.least):
            return self._by_signs if self._by_signs < 0.05 else 1.0
        # The mean can be 0 only if at least this share of all numbers differ.
        others = min(1.0, self.value / (self.value - far))
        return min(1.0, 2 * float((1 - others) ** (self.free + 1)))

    @property
    def _by_signs(self) -> float:
        """The least p-value that the sign test can have with this many numbers."""
        return float(2 * 0.5 ** (self.free + 1))

    def unseen(self, tests: int) -> float:
        """The change that four of five samples like this one would show, with this many tests: infinite if no possible change
        would be shown, nan if not known."""
        widest = (self.most - self.least) / 2
        if not np.isfinite(self.error):
            return float("nan")
        tests = max(1, tests)
        limit = float(stats.t.ppf(1 - 0.025 / tests, self.free) + stats.t.ppf(0.8, self.free))
        if self.error > 0:
            change = float(limit * self.error)
            return change if change <= widest else float("inf")
        if not np.isfinite(widest):
            return float("nan")
        if self._by_signs > 0.05 / tests:  # not even if every number is as far away as possible
            return float("inf")
        # A share of the numbers is moved as far as possible: the error is then that of the share.
        return float(widest * limit**2 / (self.free + 1 + limit**2))


def within(interval: tuple[float, float], least: float, most: float) -> tuple[float, float]:
    """An interval cut to the possible range: a share of the games is between 0 and 1. An unknown one stays infinite, an empty one
    becomes infinite."""
    low, high = interval
    if not (np.isfinite(low) and np.isfinite(high)):
        return interval
    low, high = max(low, least), min(high, most)
    return (low, high) if low < high else UNBOUNDED


NONE = Estimate(float("nan"), float("nan"), 1.0)


def estimate(
    numbers: Sequence[float] | NDArray[np.float64], bounds: tuple[float, float] = UNBOUNDED
) -> Estimate:
    """The mean of independent numbers. `bounds`: of each number."""
    known = np.asarray(numbers, float)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        return NONE
    mean = float(np.mean(known))
    if len(known) == 1:
        return Estimate(mean, float("nan"), 1.0, *bounds)
    mean = 0.0 if abs(mean) < 1e-12 else mean
    spread = float(np.std(known, ddof=1))
    # Differences by rounding alone do not count.
    spread = 0.0 if spread < 1e-12 * max(1.0, abs(mean)) else spread
    return Estimate(mean, spread / sqrt(len(known)), len(known) - 1, *bounds)


def means(values: Values, axis: int) -> NDArray[np.float64]:
    """Means along an axis without missing values; nan if all are missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found: NDArray[np.float64] = np.nanmean(values, axis=axis)
    return found


def mean_of(values: Values, bounds: tuple[float, float] = UNBOUNDED) -> Estimate:
    """The mean of a response over some points and seeds: over the seeds if there are three, else over the points, else over the
    games. `bounds`: of the response in a game."""
    points, seeds = values.shape
    if seeds >= 3:
        return estimate(means(values, 0), bounds)
    if points >= FEW:
        return estimate(means(values, 1), bounds)
    return estimate(values.ravel(), bounds)


MOST_PERMUTED = 9
"""With at most this many pairs, the p-value of a rank correlation is exact: all their orders are tried."""


def exact_rank_p(one: Sequence[float], other: Sequence[float]) -> float:
    """The two-sided p-value of Spearman's rank correlation: the share of orders of `other` with a correlation as far from 0. For
    few pairs the usual approximation, by Student's t, is too small."""
    a, b = (ranks - ranks.mean() for ranks in (stats.rankdata(one), stats.rankdata(other)))
    return float(np.mean(np.abs(b[_orders(len(b))] @ a) >= abs(b @ a) - 1e-9))


@lru_cache
def _orders(n: int) -> NDArray[np.int8]:
    """All orders of n things."""
    return np.array(list(permutations(range(n))), dtype=np.int8)
