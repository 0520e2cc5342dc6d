"""Means with intervals over games that share their dice. Read `mean_of`.

All points are played under the same seeds, so each seed is a small experiment of its own, and intervals are Student's over the
seeds: what the points share is thereby counted once. Differences of points, in which most of that cancels out, are judged over
the points where there are fewer than `FEW` seeds; means, where there are fewer than 3.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Values = NDArray[np.float64]
"""A response by point (rows) and seed (columns); nan where the game is not there."""
UNBOUNDED = (float("-inf"), float("inf"))
FEW = 8
"""Seeds, or points, from which on an interval is over them."""


class Estimate(NamedTuple):
    """A number with its standard error and its degrees of freedom; the error is nan where it is not known."""

    value: float
    error: float
    free: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval, endless where the error is not known."""
        if not np.isfinite(self.error):
            return float("-inf"), float("inf")
        wide = float(stats.t.ppf(0.975, self.free)) * self.error if self.error else 0.0
        return self.value - wide, self.value + wide

    @property
    def p(self) -> float:
        """The p-value of a value of 0."""
        if not np.isfinite(self.error) or not np.isfinite(self.value):
            return 1.0
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return 2 * float(stats.t.sf(abs(self.value) / self.error, self.free))

    def unseen(self, tests: int) -> float:
        """How large a change must be that four samples of five like this one would show it, with so many tests."""
        if not np.isfinite(self.error):
            return float("nan")
        limit = stats.t.ppf(1 - 0.025 / max(1, tests), self.free) + stats.t.ppf(0.8, self.free)
        return float(limit) * self.error


def within(interval: tuple[float, float], least: float, most: float) -> tuple[float, float]:
    """An interval without what cannot be: a share of the games is not below 0 nor above 1. One that is not known stays
    endless."""
    low, high = interval
    if not (np.isfinite(low) and np.isfinite(high)):
        return interval
    return max(low, least), min(high, most)


NONE = Estimate(float("nan"), float("nan"), 1.0)


def estimate(numbers: Sequence[float] | NDArray[np.float64]) -> Estimate:
    """The mean of independent numbers."""
    known = np.asarray(numbers, float)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        return NONE
    mean = float(np.mean(known))
    if len(known) == 1:
        return Estimate(mean, float("nan"), 1.0)
    mean = 0.0 if abs(mean) < 1e-12 else mean
    spread = float(np.std(known, ddof=1))
    # What differs by rounding alone does not differ.
    spread = 0.0 if spread < 1e-12 * max(1.0, abs(mean)) else spread
    return Estimate(mean, spread / sqrt(len(known)), len(known) - 1)


def means(values: Values, axis: int) -> NDArray[np.float64]:
    """Means along an axis without what is missing; nan where nothing is there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found: NDArray[np.float64] = np.nanmean(values, axis=axis)
    return found


def mean_of(values: Values) -> Estimate:
    """The mean of a response over some points and seeds: over the seeds where there are three, or else over the points, or else
    over the games."""
    points, seeds = values.shape
    if seeds >= 3:
        return estimate(means(values, 0))
    if points >= FEW:
        return estimate(means(values, 1))
    return estimate(values.ravel())
