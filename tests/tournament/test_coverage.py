"""Do the intervals hold the truth as often as they say, whatever the two games of a pair share? By simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from battlesim.tournament.ratings import fit
from tests.tournament.simulated import pair_truth, too_few, too_many, tournament

FIELD = {"ann": 120.0, "bob": 0.0, "cid": -120.0}
SIDES = {"farm": (150.0, 0.5), "mill": (-60.0, 1.5)}


def coverage(times: int, pairs: int, rho: float, seed: int = 1) -> dict[str, tuple[int, float]]:
    """For each difference, rating and side advantage how often its interval held the truth, and its mean width."""
    truths = pair_truth(FIELD)
    truths.update({scenario: gamma for scenario, (gamma, _) in SIDES.items()})
    held, width = dict.fromkeys(truths, 0), dict.fromkeys(truths, 0.0)
    misfits = 0
    rng = np.random.default_rng(seed)
    for _ in range(times):
        found = fit(tournament(rng, FIELD, SIDES, pairs, pairs, rho), sorted(FIELD))
        rows = {row.agent: row for row in found.ratings} | {row.scenario: row for row in found.sides}
        rows |= {f"{a} - {b}": found.difference(a, b) for a, b in combinations(sorted(FIELD), 2)}
        for name, truth in truths.items():
            row = rows[name]
            assert row.low is not None
            assert row.high is not None
            held[name] += row.low <= truth <= row.high
            width[name] += (row.high - row.low) / times
        misfits += found.transitivity.p < 0.05
    assert not too_many(misfits, times, 0.065), misfits / times
    return {name: (held[name], width[name]) for name in truths}


@pytest.mark.parametrize("rho", [-0.9, 0.9])
def test_intervals_hold_the_truth(rho: float) -> None:
    for name, (held, _) in coverage(60, 25, rho).items():
        assert not too_few(held, 60, 0.93), (name, held)


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [15, 60])
@pytest.mark.parametrize("rho", [-0.95, -0.5, 0.0, 0.5, 0.95])
def test_intervals_hold_the_truth_in_many_tournaments(rho: float, pairs: int) -> None:
    times = 600
    for name, (held, width) in coverage(times, pairs, rho, seed=2).items():
        print(rho, pairs, name, held / times, round(width))
        assert not too_few(held, times, 0.94), (name, held / times)
        # Nor are they safe by being idle.
        assert not too_many(held, times, 0.97), (name, held / times)


@pytest.mark.slow
def test_what_games_taken_one_by_one_would_claim_is_wrong_both_ways() -> None:
    # The widths of pairs that agree, of pairs that have nothing in common, and of pairs that cancel out.
    agree, apart, cancel = (coverage(50, 60, rho, seed=3)["ann - cid"][1] for rho in (0.95, 0.0, -0.95))
    assert agree > 1.2 * apart > 1.5 * cancel
