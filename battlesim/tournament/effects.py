"""Effect sizes besides Elo: normalised Elo, the share of points for an Elo difference, the games that pairs save. Read
`normalised`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battlesim.core.sums import summed
from battlesim.tournament.ratings import SideAdvantage
from battlesim.tournament.shares import ELO, PAIR_SCORES, Interval, z_value
from battlesim.tournament.tally import Tally

NORMAL = 800 / math.log(10)
"""Normalised Elo in one standard deviation of a game's score: near even games without draws it is Elo."""


def normalised(strata: Sequence[Sequence[int]]) -> Interval | None:
    """Normalised Elo of pentanomials, one for each scenario: the distance of the mean share from one half, in standard
    deviations of a game, times `NORMAL`.

    After M. Van den Bergh. It says how many games are needed to see a difference, and it is not smaller where draws are common.
    None if nothing was played or all pairs had the same result.
    """
    rows = [row for row in strata if sum(row) > 1]
    if not rows:
        return None
    means, spread, doubt = [], 0.0, 0.0
    for row in rows:
        number = sum(row)
        mean = summed(count * score for count, score in zip(row, PAIR_SCORES, strict=True)) / number
        squares = summed(count * (score - mean) ** 2 for count, score in zip(row, PAIR_SCORES, strict=True))
        means.append(mean)
        spread += squares / (number - 1) / len(rows)
        doubt += squares / (number - 1) / number / len(rows) ** 2
    if spread <= 0:
        return None
    # The mean of two games varies half as much as one game.
    unit = NORMAL / math.sqrt(2 * spread)
    value = unit * (math.fsum(means) / len(means) - 0.5)
    half = unit * z_value(0.95) * math.sqrt(doubt)
    return Interval(value, value - half, value + half)


def share_at(elo: float, sides: Iterable[SideAdvantage]) -> float | None:
    """The share of points that an agent stronger by `elo` is expected to take on these scenarios, over both sides. It is less
    than between even sides without draws. None if no scenario has measured sides and draws."""
    found = []
    for side in sides:
        if side.kind != "measured" or side.nu is None or side.elo is None:
            continue
        for sign in (1, -1):
            half = (elo + sign * side.elo) / ELO / 2
            win, loss = math.exp(half), math.exp(-half)
            found.append((win + side.nu / 2) / (win + loss + side.nu))
    return math.fsum(found) / len(found) if found else None


class Pairing(NamedTuple):
    """The correlation of the two games of a pair with its 95% interval, over `pairs` pairs."""

    correlation: float
    low: float
    high: float
    pairs: int

    @property
    def saved(self) -> float:
        """The share of games that common dice save, compared with separate dice and the same swap of sides; below 0, the share
        that they cost."""
        return -self.correlation


def pairing(tally: Tally) -> Pairing | None:
    """The correlation of an agent's results in the two games of a pair, around the means of each pairing on each scenario. None
    with few pairs, or where results do not vary."""
    together = one = two = 0.0
    number = groups = 0
    for _, cells in tally.pairings():
        pairs = sum(cells)
        if pairs < 2:
            continue
        first = sum(cell // 3 * count for cell, count in enumerate(cells)) / pairs
        second = sum(cell % 3 * count for cell, count in enumerate(cells)) / pairs
        for cell, count in enumerate(cells):
            x, y = cell // 3 - first, cell % 3 - second
            together, one, two = together + count * x * y, one + count * x * x, two + count * y * y
        number, groups = number + pairs, groups + 1
    if number - groups < 5 or one <= 0 or two <= 0:
        return None
    found = max(-1.0, min(1.0, together / math.sqrt(one * two)))
    half = z_value(0.95) / math.sqrt(number - groups - 2)
    # A few pairs that all agree do not prove that all others would: the interval counts one of them as differing.
    most = 1 - 2 / (number - groups)
    middle = math.atanh(max(-most, min(most, found)))
    low, high = math.tanh(middle - half), math.tanh(middle + half)
    return Pairing(found, min(low, found), max(high, found), number)
