"""The likelihood ratio of the sequential test over several scenarios. Read `stratified_ratio`; `sprt` explains its use."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from battlesim.tournament.likelihood import UNSEEN, log_likelihood_ratio

Matrix = NDArray[np.float64]


def stratified_ratio(
    strata: Sequence[Sequence[float]], scores: Sequence[float], mean0: float, mean1: float
) -> float:
    """`log_likelihood_ratio` for several strata, each with a distribution of its own: the mean of their expected scores is
    `mean1` or `mean0`.

    The mean of each stratum is fitted, so its spread is too small by one result; the ratio is scaled down to correct for this.
    """
    rows = [row for row in strata if any(row)]
    if len(rows) < 2:
        return log_likelihood_ratio(rows[0] if rows else [0] * len(scores), scores, mean0, mean1)
    seen = np.array(rows, dtype=np.float64)
    if seen.shape[1] != len(scores) or seen.min() < 0:
        raise ValueError(f"counts {rows!r}; {len(scores)} numbers a row, none below 0")
    number = seen.sum()
    seen[seen == 0] = UNSEEN
    points = np.array(scores)
    fitted = [_greatest(seen, points, mean) for mean in (mean0, mean1)]
    return float((fitted[1] - fitted[0]) * (number - len(rows)) / (number - 1))


def _greatest(seen: Matrix, scores: Matrix, mean: float) -> float:
    """The greatest log-likelihood of the strata's counts, if the mean of their expected scores is `mean`.

    The chances are part / (bracket + tilt * score), the tilt of a stratum being one multiplier over its number of results.
    Newton's method finds the multiplier within bounds that close in, since the mean falls as the multiplier grows.
    """
    number = seen.sum(axis=1)
    part = seen / number[:, None]
    weight = number.mean() / number
    low, high, multiplier = -math.inf, math.inf, 0.0
    for _ in range(200):
        tilt = multiplier * weight
        chances = part / (_bracket(part, scores, tilt)[:, None] + tilt[:, None] * scores)
        means = chances @ scores
        gap = float(means.mean()) - mean
        if gap > 0:
            low = multiplier
        else:
            high = multiplier
        away = scores - means[:, None]
        squares = chances**2 / part
        slope = float((weight * (squares * away**2).sum(axis=1) / squares.sum(axis=1)).mean())
        new = multiplier + gap / slope if slope > 0 else multiplier + math.copysign(1.0, gap)
        if not low < new < high:
            far = 2 * abs(multiplier) + 1
            new = (low + high) / 2 if math.isfinite(low + high) else multiplier + math.copysign(far, gap)
        if abs(gap) < 1e-13 or abs(new - multiplier) <= 1e-13 * (1 + abs(multiplier)):
            break
        multiplier = new
    return float((seen * np.log(chances)).sum())


def _bracket(part: Matrix, scores: Matrix, tilt: Matrix) -> Matrix:
    """For each stratum the a at which part / (a + tilt * score) sums to 1.

    No chance is above 1, so a is at least each part less its tilt; from there Newton's method climbs, since the sum is convex."""
    slant = tilt[:, None] * scores
    found = (part - slant).max(axis=1)
    for _ in range(200):
        ratio = part / (found[:, None] + slant)
        step = (ratio.sum(axis=1) - 1) / (ratio**2 / part).sum(axis=1)
        found = found + step
        if np.abs(step).max() <= 1e-14 * (1 + np.abs(found).max()):
            break
    return np.asarray(found)
