"""Margins of victory that may be averaged: an agent's share of the points that either side took. Read `Haul`.

Scenarios have scales of their own (5 points in one, 500 in another), so differences of points are compared in one scenario
only. Over several an agent's share of the points taken in a game is averaged, cells of a scenario and an opponent weighing the
same; a game in which nobody took a point counts as half.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from battlesim.tournament.shares import Interval, z_value

WHOLE = 1_000_000
"""Shares are summed in millionths, as whole numbers: the order of games changes no sum."""


@dataclass
class Haul:
    """Sums over pairs of one pairing on one scenario, for its first agent; a pair's value is the sum of its two games'."""

    pairs: int = 0
    margin: int = 0
    margin_squares: int = 0
    share: int = 0
    share_squares: int = 0

    def add(self, games: Iterable[tuple[int, int]]) -> None:
        """Add a pair: (own points, points of the other) of each game."""
        margin = share = 0
        for own, other in games:
            margin += own - other
            share += WHOLE // 2 if own + other == 0 else round(WHOLE * own / (own + other))
        self.pairs += 1
        self.margin += margin
        self.margin_squares += margin**2
        self.share += share
        self.share_squares += share**2

    def margins(self) -> Interval | None:
        """Mean margin of a game in the scenario's points, with its 95% interval; None without pairs."""
        return _interval([self._mean(self.margin, self.margin_squares, 1)]) if self.pairs else None

    def _mean(self, total: int, squares: int, unit: int) -> tuple[float, float]:
        """Mean of a game and its squared standard error. One pair tells of no spread: it is taken to be as wide as the mean."""
        mean = total / self.pairs
        spread = squares / self.pairs - mean * mean if self.pairs > 1 else mean * mean
        return mean / (2 * unit), max(0.0, spread) / max(1, self.pairs - 1) / (2 * unit) ** 2

    def shares(self, first: bool) -> tuple[float, float]:
        """The first agent's (or the other's) mean share of points, and its squared standard error."""
        mean, doubt = self._mean(self.share, self.share_squares, WHOLE)
        if self.pairs == 1:
            doubt = 0.25
        return (mean if first else 1 - mean), doubt


def share_of_points(cells: Iterable[tuple[Haul, bool]]) -> Interval | None:
    """An agent's share of the points over several cells, each with whether it is the first agent there; None without games."""
    found = [haul.shares(first) for haul, first in cells if haul.pairs]
    if not found:
        return None
    seen = _interval(found)
    return Interval(seen.value, max(0.0, seen.low), min(1.0, seen.high))


def _interval(cells: list[tuple[float, float]]) -> Interval:
    mean = math.fsum(value for value, _ in cells) / len(cells)
    half = z_value(0.95) * math.sqrt(math.fsum(doubt for _, doubt in cells)) / len(cells)
    return Interval(mean, mean - half, mean + half)
