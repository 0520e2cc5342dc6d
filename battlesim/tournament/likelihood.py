"""The likelihood ratio of the sequential test on results of one distribution. Read `log_likelihood_ratio`; `sprt` explains its
use, and `strata.py` has the ratio over several scenarios.

A result that was not seen yet counts as `UNSEEN` of one, as is usual: without it a mean outside the results seen would be
impossible, and an early ratio infinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from battlesim.core.sums import summed

UNSEEN = 1e-3
"""What a result that was not seen yet counts as."""


def log_likelihood_ratio(
    counts: Sequence[float], scores: Sequence[float], mean0: float, mean1: float
) -> float:
    """Log of the greatest likelihood of the counts with expected score `mean1` over that with `mean0`."""
    if len(counts) != len(scores) or min(counts) < 0:
        raise ValueError(f"counts {tuple(counts)!r}; {len(scores)} numbers, none below 0")
    if not any(counts):
        return 0.0
    seen = [count or UNSEEN for count in counts]
    number = sum(seen)
    part = [count / number for count in seen]
    from0, from1 = [score - mean0 for score in scores], [score - mean1 for score in scores]
    # The greatest likelihood has p_k = part_k / (1 + tilt * (score_k - mean)), so the ratio is that of the brackets.
    tilt0, tilt1 = _tilt(part, from0), _tilt(part, from1)
    return summed(
        count * (math.log1p(tilt0 * before) - math.log1p(tilt1 * after))
        for count, before, after in zip(seen, from0, from1, strict=True)
    )


def _tilt(part: Sequence[float], away: Sequence[float]) -> float:
    """The t at which the sum of part * away / (1 + t * away) is 0; `away`: scores less the required mean.

    The sum falls in t. No chance is above 1, so no bracket is below its part, which bounds t. Newton's method is used within
    these bounds, which close in.
    """
    low, high = -(1 - part[-1]) / away[-1], -(1 - part[0]) / away[0]
    t = 0.0
    for _ in range(200):
        total = slope = 0.0
        for share_, distance in zip(part, away, strict=True):
            ratio = distance / (1 + t * distance)
            total += share_ * ratio
            slope += share_ * ratio * ratio
        if total > 0:
            low = t
        elif total < 0:
            high = t
        else:
            return t
        new = t + total / slope
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - t) <= 1e-15 * (1 + abs(t)):
            return new
        t = new
    return t
