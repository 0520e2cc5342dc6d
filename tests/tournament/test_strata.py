"""Several scenarios in one comparison: what they differ in is no noise, and the error rates hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from battlesim.tournament.likelihood import UNSEEN, log_likelihood_ratio
from battlesim.tournament.matrix import win_matrix
from battlesim.tournament.shares import PAIR_SCORES, pair_interval, share, stratified_interval
from battlesim.tournament.sprt import Sprt
from battlesim.tournament.strata import stratified_ratio
from battlesim.tournament.tally import Tally
from tests.tournament.simulated import too_few, too_many

POINTS = np.array(PAIR_SCORES)


def pair(mean: float) -> np.ndarray:
    """Chances of the five results of two independent games without draws."""
    return np.array([(1 - mean) ** 2, 0, 2 * mean * (1 - mean), 0, mean**2])


# ---- the ratio


def test_one_scenario_is_the_plain_test() -> None:
    counts = (10, 20, 40, 30, 20)
    plain = log_likelihood_ratio(counts, PAIR_SCORES, 0.5, 0.53)
    assert stratified_ratio([counts, (0, 0, 0, 0, 0)], PAIR_SCORES, 0.5, 0.53) == plain
    assert Sprt(0, 20).judge_strata([counts]) == Sprt(0, 20).judge(counts)
    assert stratified_ratio([], PAIR_SCORES, 0.5, 0.53) == 0


def slow_best(rows: np.ndarray, mean: float) -> float:
    """The greatest log-likelihood with this mean, by a general-purpose optimiser."""

    def chances(z: np.ndarray) -> np.ndarray:
        p = np.exp(z.reshape(rows.shape))
        return np.asarray(p / p.sum(axis=1, keepdims=True))

    found = minimize(
        lambda z: -float((rows * np.log(chances(z))).sum()),
        np.zeros(rows.size),
        constraints={"type": "eq", "fun": lambda z: float((chances(z) @ POINTS).mean()) - mean},
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    )
    return -float(found.fun)


@pytest.mark.parametrize(
    "strata",
    [
        [(3, 5, 9, 4, 2), (1, 0, 2, 6, 11)],
        [(20, 3, 2, 0, 1), (0, 1, 2, 5, 30), (4, 4, 9, 4, 4)],
        [(2, 1, 0, 0, 1), (1, 0, 0, 0, 40)],
    ],
)
def test_the_ratio_is_that_of_the_two_greatest_likelihoods(strata: list[tuple[int, ...]]) -> None:
    rows = np.array(strata, dtype=float)
    number = rows.sum()
    rows[rows == 0] = UNSEEN
    plain = slow_best(rows, 0.57) - slow_best(rows, 0.5)
    scaled = plain * (number - len(rows)) / (number - 1)
    assert stratified_ratio(strata, PAIR_SCORES, 0.5, 0.57) == pytest.approx(scaled, abs=1e-5)


def test_seen_from_the_other_agent_the_ratio_turns_around() -> None:
    strata = [(3, 5, 9, 4, 2), (1, 0, 2, 6, 11), (0, 0, 0, 0, 7)]
    here = stratified_ratio(strata, PAIR_SCORES, 0.5, 0.6)
    there = stratified_ratio([counts[::-1] for counts in strata], PAIR_SCORES, 0.5, 0.4)
    assert here == pytest.approx(there)
    assert stratified_ratio(strata[::-1], PAIR_SCORES, 0.5, 0.6) == pytest.approx(here)


# ---- by play


def play(
    test: Sprt, strata: list[np.ndarray], rng: np.random.Generator, plain: bool = False
) -> tuple[str, int]:
    """A match asked after each round: its decision and pairs. `plain`: with the scenarios thrown together."""
    seen = np.zeros((len(strata), 5), dtype=int)
    for pairs in range(1, 4000):
        for row, chances in enumerate(strata):
            seen[row, rng.choice(5, p=chances)] += 1
        verdict = test.judge(seen.sum(axis=0).tolist()) if plain else test.judge_strata(seen.tolist())
        if verdict.decision:
            return verdict.decision, pairs * len(strata)
    raise AssertionError("no decision")


def tilted(elo: float, scenarios: int, tilt: float) -> list[np.ndarray]:
    return [pair(share(elo) + (tilt if n % 2 else -tilt)) for n in range(scenarios)]


def test_scenarios_that_differ_take_no_more_pairs_than_they_must() -> None:
    # Shares of .9 and .1: the pairs of a scenario vary by .09 / 2, those of all thrown together by .205.
    rng = np.random.default_rng(2)
    strata = tilted(0, 12, 0.4)
    apart = [play(Sprt(0, 40), strata, rng)[1] for _ in range(15)]
    together = [play(Sprt(0, 40), strata, rng, plain=True)[1] for _ in range(15)]
    assert np.mean(apart) < 0.5 * np.mean(together), (np.mean(apart), np.mean(together))


def wrong(gap: float, scenarios: int, tilt: float, elo: float, times: int) -> int:
    rng = np.random.default_rng([int(gap), scenarios, int(elo), round(100 * tilt)])
    found = [play(Sprt(0, gap), tilted(elo, scenarios, tilt), rng)[0] for _ in range(times)]
    return found.count("H1" if elo == 0 else "H0")


@pytest.mark.slow
@pytest.mark.parametrize("elo", [0, 100])
def test_error_rates_hold(elo: float) -> None:
    found = wrong(100, 6, 0.3, elo, 60)
    assert not too_many(found, 60, 0.05), found


@pytest.mark.slow
@pytest.mark.parametrize("gap", [50, 150])
@pytest.mark.parametrize(("scenarios", "tilt"), [(2, 0.25), (12, 0.25), (12, 0.0), (24, 0.2)])
def test_error_rates_hold_in_many_matches(gap: float, scenarios: int, tilt: float) -> None:
    for elo in (0.0, gap):
        found = wrong(gap, scenarios, tilt, elo, 120)
        print(gap, scenarios, tilt, elo, found / 120)
        assert not too_many(found, 120, 0.05), found


# ---- the interval of a mean over scenarios


def test_the_interval_of_one_scenario_is_that_of_its_pairs() -> None:
    for counts in [(3, 5, 9, 4, 2), (0, 0, 0, 0, 7), (0, 0, 30, 0, 0)]:
        assert stratified_interval([counts]) == pair_interval(counts)
    assert stratified_interval([]) is None


def test_what_scenarios_differ_in_is_no_doubt() -> None:
    tally = Tally()
    for scenario, first, second in (("here", 45, 5), ("there", 5, 45)):
        tally.pair(scenario, "ann", "bob", 2, 2, first)
        tally.pair(scenario, "ann", "bob", 0, 0, second)
    found = win_matrix(tally, ["ann", "bob"]).cell("ann", "bob")
    thrown = pair_interval(tally.pentanomial("ann", "bob"))
    assert found is not None
    assert thrown is not None
    assert found.high - found.low < 0.65 * (thrown.high - thrown.low)


@pytest.mark.parametrize(
    ("pairs", "means"),
    [
        (15, (0.9, 0.1) * 6),
        (15, (0.97, 0.03) * 6),
        (15, (0.5,) * 24),
        (60, (0.98, 0.98)),
        (15, (0.97, 0.97, 0.5)),
    ],
)
def test_intervals_hold_the_truth(pairs: int, means: tuple[float, ...]) -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        found = stratified_interval([rng.multinomial(pairs, pair(mean)).tolist() for mean in means])
        assert found is not None
        held += found.low <= np.mean(means) <= found.high
    assert not too_few(held, 300, 0.94), held
