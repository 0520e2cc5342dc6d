"""Margins of victory, in a scenario's points and as shares that can be averaged over scenarios. Read `Margins`.

Scenarios have different scales (5 points in one, 500 in another), so differences of points are averaged within one scenario
only. Over several, each side's points are taken as a share of the most that it could score. A margin of +0.3 means that an
agent's share was 30 percentage points above its opponent's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from battlesim.tournament.shares import Interval, z_value

WHOLE = 1_000_000
"""Shares are summed as whole millionths, so that the order of games changes no sum."""
Points = tuple[int, int]
"""Of an agent and of its opponent."""


def margin_share(points: Points, reach: Points) -> float:
    """The agent's points as a share of the most that it could score, minus the same for its opponent: from -1 to 1. A side that
    can score nothing has a share of 0.

    >>> margin_share((3, 1), (4, 2))
    0.25
    """
    own, other = (taken / most if most else 0.0 for taken, most in zip(points, reach, strict=True))
    return own - other


class MeanMargin(NamedTuple):
    """A mean margin, the variance of this mean (its squared standard error), and the degrees of freedom of that estimate: 0 where
    the variance was assumed."""

    mean: float
    variance: float
    degrees: int = 0


@dataclass
class Margins:
    """Sums over the pairs of one pairing on one scenario, for its first agent. The value of a pair is the sum over its two games.
    `shared`: pairs whose rows have `reach`; rows of older runs do not."""

    pairs: int = 0
    points: int = 0
    points_squared: int = 0
    shared: int = 0
    shares: int = 0
    shares_squared: int = 0

    def add(self, games: Iterable[tuple[Points, Points | None]]) -> None:
        """Add a pair: for each game the points and, if known, the points in reach, of the agent and of its opponent."""
        points, shares, known = 0, 0, True
        for taken, reach in games:
            points += taken[0] - taken[1]
            if reach is None:
                known = False
            else:
                shares += round(WHOLE * margin_share(taken, reach))
        self.pairs += 1
        self.points += points
        self.points_squared += points**2
        if known:
            self.shared += 1
            self.shares += shares
            self.shares_squared += shares**2

    def in_points(self, first: bool) -> tuple[float, Interval | None] | None:
        """Mean margin of a game in the scenario's points, for the first agent or the other, and the same with its 95% interval:
        None where all pairs are alike, and so show no spread. None without pairs."""
        if not self.pairs:
            return None
        total = self.points if first else -self.points
        found = _mean(self.pairs, total, self.points_squared, 1)
        return found.mean, interval_of_means([found]) if found.variance else None

    def in_shares(self, first: bool) -> MeanMargin | None:
        """Mean margin of a game as a share of the points in reach, for the first agent or the other; None if no row says what was
        in reach. Where all pairs are alike, the error is assumed: that of one pair wrong by the whole."""
        if not self.shared:
            return None
        total = self.shares if first else -self.shares
        found = _mean(self.shared, total, self.shares_squared, WHOLE)
        return found if found.variance else MeanMargin(found.mean, 1 / self.shared**2)


def mean_margin(cells: Iterable[tuple[Margins, bool]]) -> Interval | None:
    """An agent's mean margin over several scenarios and opponents, as a share of the points in reach: each cell weighs the same,
    and says whether the agent is the first of its pairing. None if no row says what was in reach."""
    found = [share for margins, first in cells if (share := margins.in_shares(first)) is not None]
    if not found:
        return None
    seen = interval_of_means(found)
    return Interval(seen.value, max(-1.0, seen.low), min(1.0, seen.high))


def _mean(pairs: int, total: int, squares: int, unit: int) -> MeanMargin:
    """The mean of a game from the `total` over pairs and the sum of their `squares`; its variance is 0 where all pairs are alike.
    `unit`: what stands for 1 in these sums."""
    spread = pairs * squares - total**2  # of whole numbers, so exactly 0 where pairs are alike
    variance = spread / pairs**2 / max(1, pairs - 1) / (2 * unit) ** 2
    return MeanMargin(total / pairs / (2 * unit), variance, pairs - 1)


def interval_of_means(means: Sequence[MeanMargin]) -> Interval:
    """The mean of some means with its 95% interval by Student's t. The degrees of freedom of several are those of Welch and
    Satterthwaite, in which a variance that was assumed counts as known."""
    from scipy.special import stdtrit

    mean = math.fsum(one.mean for one in means) / len(means)
    variance = math.fsum(one.variance for one in means)
    squares = math.fsum(one.variance**2 / one.degrees for one in means if one.degrees)
    quantile = float(stdtrit(variance**2 / squares, 0.975)) if squares else z_value(0.95)
    half = quantile * math.sqrt(variance) / len(means)
    return Interval(mean, mean - half, mean + half)
