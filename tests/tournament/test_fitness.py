"""Tests of the model: their p is uniform where the model is true, and small where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from battlesim.tournament.davidson import prior_weight
from battlesim.tournament.fitness import consistency, transitivity
from battlesim.tournament.ratings import PRIOR_ELO
from battlesim.tournament.tally import Tally
from tests.tournament.simulated import chances, joint, outcomes, too_few, too_many, tournament

PRIOR = prior_weight(PRIOR_ELO)


def field(agents: int, spread: float) -> dict[str, float]:
    return {f"a{n:02}": spread * (n / max(1, agents - 1) - 0.5) for n in range(agents)}


def sides(scenarios: int) -> dict[str, tuple[float, float]]:
    return {f"s{n:02}": (60.0 * (n % 3 - 1), (0.1, 0.5, 1.5)[n % 3]) for n in range(scenarios)}


def p_values(
    agents: int, scenarios: int, pairs: int, rho: float, spread: float, times: int
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([agents, scenarios, pairs, int(spread)])
    strengths, found, other = field(agents, spread), [], []
    for _ in range(times):
        tally = tournament(rng, strengths, sides(scenarios), pairs, 10, rho)
        found.append(consistency(tally, list(strengths), PRIOR).p)
        other.append(transitivity(tally, list(strengths), PRIOR).p)
    return np.array(found, dtype=float), np.array(other, dtype=float)


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "scenarios", "pairs", "rho"), [(2, 12, 15, 0.0), (4, 3, 15, 0.5)])
def test_p_is_uniform_where_the_model_is_true(agents: int, scenarios: int, pairs: int, rho: float) -> None:
    for p in p_values(agents, scenarios, pairs, rho, 200, 60):
        seen = p[~np.isnan(p)]
        if len(seen):
            assert not too_many(int((seen < 0.01).sum()), len(seen), 0.015), p
            assert not too_many(int((seen < 0.1).sum()), len(seen), 0.12), p
            assert not too_few(int((seen < 0.5).sum()), len(seen), 0.4), p


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 800.0])
@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.9])
@pytest.mark.parametrize(
    ("agents", "scenarios", "pairs"),
    [(2, 4, 15), (2, 24, 15), (2, 12, 200), (6, 1, 15), (6, 4, 60), (6, 12, 15), (12, 4, 15), (12, 1, 60)],
)
def test_p_is_uniform_in_many_tournaments(
    agents: int, scenarios: int, pairs: int, rho: float, spread: float
) -> None:
    """Where one agent wins nearly every game of a pairing (a spread of 800 Elo) a p below 1% may come in up to 4%."""
    times = 25 if agents * scenarios > 40 else 80
    for name, p in zip(
        ("consistency", "transitivity"), p_values(agents, scenarios, pairs, rho, spread, times), strict=True
    ):
        seen = p[~np.isnan(p)]
        if len(seen):
            rates = [float((seen < level).mean()) for level in (0.01, 0.05, 0.5)]
            print(name, agents, scenarios, pairs, rho, spread, rates)
            assert not too_many(int((seen < 0.01).sum()), len(seen), 0.04 if spread > 400 else 0.015)
            assert not too_many(int((seen < 0.05).sum()), len(seen), 0.10 if spread > 400 else 0.07)
            assert not too_few(int((seen < 0.5).sum()), len(seen), 0.4)


def test_opposite_orders_on_two_scenarios_are_seen() -> None:
    rng = np.random.default_rng(8)
    tally = Tally()
    for scenario, d in (("here", 300.0), ("there", -300.0)):
        one, two = joint(rng, 15, 0.0)
        first = outcomes(chances(d / 173.7, 0.5), one)
        second = 2 - outcomes(chances(-d / 173.7, 0.5), -two)
        for x, y in zip(first.tolist(), second.tolist(), strict=True):
            tally.pair(scenario, "ann", "bob", x, y)
    found = consistency(tally, ["ann", "bob"], PRIOR)
    assert found.p is not None
    assert found.p < 1e-6
    assert found.df == 1


def test_degrees_of_freedom_are_what_the_strengths_do_not_give() -> None:
    rng = np.random.default_rng(9)
    tally = tournament(rng, field(4, 100), sides(3), 20, 0, 0)
    names = sorted(field(4, 100))
    assert transitivity(tally, names, PRIOR).df == 6 - 3
    assert consistency(tally, names, PRIOR).df == 3 * 2
    gauntlet = Tally({key: cells for key, cells in tally.pairs.items() if names[0] in key})
    assert transitivity(gauntlet, names, PRIOR).p is None
    assert consistency(gauntlet, names, PRIOR).df == 3 * 2
