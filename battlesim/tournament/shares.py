"""Score shares, Elo and the intervals of a share. Read `interval` and `pair_interval`.

A *share* is points per game, a draw counting half. Elo is logistic: `share = 1 / (1 + 10 ** (-elo / 400))`.
Intervals are Wilson's (1927) with the number of results corrected for their spread: draws, and pairs whose two games cancel out,
say more about a share than the same number of coin tosses would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from msgspec import Struct

from battlesim.core.sums import summed

ELO = 400 / math.log(10)
"""Elo in one unit of log-odds."""

GAME_SCORES = (0.0, 0.5, 1.0)
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The shares of one game (lost, drawn, won) and of a pair of games."""


class Interval(Struct, frozen=True):
    """An estimate between its limits."""

    value: float
    low: float
    high: float


def elo(share: float) -> float:
    """The Elo difference at which this share is expected; -inf at 0 and inf at 1."""
    if not 0 <= share <= 1:
        raise ValueError(f"share {share!r}; it lies between 0 and 1")
    if share in (0, 1):
        return math.inf if share else -math.inf
    return ELO * math.log(share / (1 - share))


def share(elo: float) -> float:
    """The share expected at this Elo difference."""
    if elo >= 0:
        return 1 / (1 + math.exp(-elo / ELO))
    return math.exp(elo / ELO) / (1 + math.exp(elo / ELO))


def interval(wins: int, draws: int, losses: int, level: float = 0.95) -> Interval | None:
    """The share of independent games with its interval; None without games. Without draws it is Wilson's."""
    return _interval((losses, draws, wins), GAME_SCORES, level)


def pair_interval(pentanomial: Sequence[int], level: float = 0.95) -> Interval | None:
    """The share of paired games, from the counts of pairs by points (0, 1/2, 1, 3/2, 2); None without pairs."""
    return _interval(pentanomial, PAIR_SCORES, level)


def stratified_interval(strata: Sequence[Sequence[int]], level: float = 0.95) -> Interval | None:
    """The mean share over several scenarios, all weighing the same, from the pentanomial of each; None without any.

    The interval comes from differences between pairs of the same scenario only, not from differences between scenarios. With one
    scenario it is `pair_interval`.
    """
    if not strata:
        return None
    extra = z_value(level) ** 2
    means, doubt = [], 0.0
    rarity = summed(1 / sum(counts) for counts in strata)
    for counts in strata:
        number, mean = sum(counts), _mean(counts, PAIR_SCORES)
        # Imagined wins and losses prevent a few equal results from looking certain; most go to scenarios with few pairs.
        imagined = extra / (number * rarity)
        middle = (number * mean + imagined / 2) / (number + imagined)
        spread = summed(count * (score - mean) ** 2 for count, score in zip(counts, PAIR_SCORES, strict=True))
        doubt += (spread + imagined * middle * (1 - middle)) / number**2
        means.append(mean)
    mean = math.fsum(means) / len(means)
    total = sum(map(sum, strata))
    middle = (total * mean + extra / 2) / (total + extra)
    # The spread around a fitted mean is too small by one pair, in each scenario.
    doubt *= (total - 1) / max(1, total - len(strata)) / len(strata) ** 2 if len(strata) > 1 else 1.0
    return wilson(mean, (mean * (1 - mean) + extra * middle * (1 - middle) / total) / doubt, level)


def elo_interval(found: Interval) -> Interval:
    """An interval of a share in Elo; a limit at 0 or 1 is infinite."""
    return Interval(elo(found.value), elo(found.low), elo(found.high))


def z_value(level: float) -> float:
    """The number of standard deviations to either side that contain this share of a normal distribution."""
    if not 0 < level < 1:
        raise ValueError(f"level {level!r}; it lies between 0 and 1, such as 0.95")
    return NormalDist().inv_cdf((1 + level) / 2)


def effective_number(counts: Sequence[float], scores: Sequence[float], level: float = 0.95) -> float:
    """The number of wins and losses that would say as much about the share as these results do.

    It is the number of results, divided by the ratio of their variance to that of wins and losses with the same share. Imagined
    wins and losses, as many as Wilson's interval adds (z squared), pull the ratio towards 1, so that a few equal results do not
    look certain. At shares of 0 and 1 the ratio is 1.
    """
    number = sum(counts)
    extra = z_value(level) ** 2
    mean = _mean(counts, scores)
    spread = summed(count * (score - mean) ** 2 for count, score in zip(counts, scores, strict=True))
    middle = (number * mean + extra / 2) / (number + extra)
    imagined = extra * middle * (1 - middle)
    return number * (number * mean * (1 - mean) + imagined) / (spread + imagined)


def wilson(value: float, number: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share seen in `number` wins and losses."""
    z = z_value(level)
    middle = (value + z * z / (2 * number)) / (1 + z * z / number)
    half = z / (1 + z * z / number) * math.sqrt(value * (1 - value) / number + (z / (2 * number)) ** 2)
    return Interval(value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half)))


def _interval(counts: Sequence[int], scores: Sequence[float], level: float) -> Interval | None:
    if len(counts) != len(scores) or min(counts) < 0:
        raise ValueError(f"counts {tuple(counts)!r}; {len(scores)} numbers, none below 0")
    if not any(counts):
        return None
    return wilson(_mean(counts, scores), effective_number(counts, scores, level), level)


def _mean(counts: Sequence[float], scores: Sequence[float]) -> float:
    total = summed(count * score for count, score in zip(counts, scores, strict=True))
    return min(1.0, total / sum(counts))
