"""Tournaments drawn from a known model, so that what is found can be set against what is true."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from scipy.stats import binom, norm

from battlesim.tournament.shares import ELO
from battlesim.tournament.tally import Tally

FIELD = {"ann": 120.0, "bob": 40.0, "cid": -30.0, "dot": -130.0}
SIDES = {"farm": (150.0, 0.5), "mill": (-60.0, 1.5)}
"""A field of agents with their strengths in Elo, and scenarios with their side advantage in Elo and nu."""


def chances(d: float, nu: float) -> tuple[float, float, float]:
    """Davidson's chances of loss, draw and win of side 0."""
    win, loss = np.exp(d / 2), np.exp(-d / 2)
    total = win + loss + nu
    return loss / total, nu / total, win / total


def outcomes(p: tuple[float, float, float], luck: np.ndarray) -> np.ndarray:
    """Results of side 0 with chances p, luck being standard normal: the more, the better for side 0."""
    return np.searchsorted(norm.ppf(np.cumsum(p)[:2]), luck)


def joint(rng: np.random.Generator, count: int, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """Luck of agent a in the two games of a pair, correlated by rho. Dice that favour a side make rho negative."""
    first = rng.standard_normal(count)
    return first, rho * first + np.sqrt(1 - rho * rho) * rng.standard_normal(count)


def tournament(
    rng: np.random.Generator,
    strengths: Mapping[str, float],
    sides: Mapping[str, tuple[float, float]],
    pairs: int,
    controls: int,
    rho: float,
) -> Tally:
    """A round robin; strengths in Elo, `sides` maps scenario to side advantage in Elo and nu."""
    tally = Tally()
    for scenario, (gamma, nu) in sides.items():
        for a, b in combinations(strengths, 2):
            d = strengths[a] - strengths[b]
            one, two = joint(rng, pairs, rho)
            first = outcomes(chances((d + gamma) / ELO, nu), one)
            second = 2 - outcomes(chances((-d + gamma) / ELO, nu), -two)
            for x, y in zip(first.tolist(), second.tolist(), strict=True):
                tally.pair(scenario, a, b, x, y)
        for agent in strengths:
            for won in outcomes(chances(gamma / ELO, nu), rng.standard_normal(controls)).tolist():
                tally.control(scenario, agent, (1, None, 0)[won])
    return tally


def field(seed: int = 1, pairs: int = 50, rho: float = -0.5) -> Tally:
    """A round robin of `FIELD`, with 40 control games of each agent on each scenario."""
    return tournament(np.random.default_rng(seed), FIELD, SIDES, pairs, 40, rho)


def pair_truth(strengths: Mapping[str, float]) -> dict[str, float]:
    """Ratings about their mean, and differences by "a - b"."""
    mean = sum(strengths.values()) / len(strengths)
    truths = {agent: strength - mean for agent, strength in strengths.items()}
    truths.update({f"{a} - {b}": strengths[a] - strengths[b] for a, b in combinations(sorted(strengths), 2)})
    return truths


def too_few(hits: int, tries: int, chance: float) -> bool:
    """Whether so few hits would come less than once in 10,000 times were their chance at least `chance`."""
    return bool(binom.cdf(hits, tries, chance) < 1e-4)


def too_many(hits: int, tries: int, chance: float) -> bool:
    """Whether so many hits would come less than once in 10,000 times were their chance at most `chance`."""
    return bool(binom.sf(hits - 1, tries, chance) < 1e-4)
