"""The sequential test: its ratio against independent computations, its bounds and its error rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import null_space
from scipy.optimize import minimize

from battlesim.core.errors import InputError
from battlesim.tournament.likelihood import UNSEEN, log_likelihood_ratio
from battlesim.tournament.shares import GAME_SCORES, PAIR_SCORES, share
from battlesim.tournament.sprt import Sprt
from tests.tournament.simulated import too_many


def independent_ratio(counts: list[float], scores: tuple[float, ...], mean0: float, mean1: float) -> float:
    """The same by a general optimiser, in the chances themselves."""
    seen = np.array([count or UNSEEN for count in counts])
    ways = null_space(np.array([np.ones(len(scores)), scores]))
    found = []
    for mean in (mean0, mean1):
        # A start with the mean, and no chance 0: the counts' own chances, mended at the two ends.
        start = 0.9 * seen / seen.sum()
        top = (mean - start @ scores) / (1 - 0) / 0.1
        start[-1] += 0.1 * top
        start[0] += 0.1 * (1 - top)
        assert start.min() > 0

        def cost(y: np.ndarray, start: np.ndarray = start) -> float:
            p = start + ways @ y
            return -float(seen @ np.log(p)) if p.min() > 0 else math.inf

        best = minimize(
            cost,
            np.zeros(ways.shape[1]),
            jac=lambda y, start=start: -ways.T @ (seen / (start + ways @ y)),
            hess=lambda y, start=start: ways.T @ np.diag(seen / (start + ways @ y) ** 2) @ ways,
            method="trust-exact",
            options={"gtol": 1e-8, "initial_trust_radius": 0.01},
        )
        found.append(-best.fun)
    return found[1] - found[0]


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((10, 20, 40, 30, 20), 0, 20),
        ((50, 3, 10, 4, 61), -10, 10),
        ((5, 9, 200, 30, 7), 0, 5),
        ((12, 8, 30, 22, 40), 20, 80),
    ],
)
def test_the_ratio_is_that_of_the_two_greatest_likelihoods(
    counts: tuple[float, ...], elo0: float, elo1: float
) -> None:
    means = share(elo0), share(elo1)
    known = independent_ratio(list(counts), PAIR_SCORES, *means)
    assert log_likelihood_ratio(counts, PAIR_SCORES, *means) == pytest.approx(known, abs=1e-6)


def test_with_two_results_the_ratio_is_walds_own() -> None:
    # Only wins and losses leave nothing to maximise over: the mean is the chance.
    known = 60 * math.log(0.6 / 0.5) + 40 * math.log(0.4 / 0.5)
    assert log_likelihood_ratio((40, 60), (0.0, 1.0), 0.5, 0.6) == pytest.approx(known)
    # An unseen draw counts next to nothing.
    assert log_likelihood_ratio((40, 0, 60), GAME_SCORES, 0.5, 0.6) == pytest.approx(known, abs=0.01)


def test_three_results_by_hand() -> None:
    # Mean 1/2 with scores 0, 1/2, 1 wants p_loss = p_win = x; the greatest likelihood of (20, 50, 30) has 2x = 50/100.
    # Mean m in general: p_win - p_loss = 2m - 1 =: e, p_loss = x, p_win = x + e, p_draw = 1 - 2x - e.
    e = 0.1
    best = max(
        20 * math.log(x) + 30 * math.log(x + e) + 50 * math.log(1 - 2 * x - e)
        for x in (0.0001 * k for k in range(1, 4490))
    )
    even = 50 * math.log(0.25) + 50 * math.log(0.5)
    assert log_likelihood_ratio((20, 50, 30), GAME_SCORES, 0.5, 0.55) == pytest.approx(best - even, abs=1e-6)


@pytest.mark.parametrize(
    ("pentanomial", "elo0", "elo1", "llr"),
    [((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07), ((871, 26175, 55983, 26678, 821), 0, 2, -4.98)],
)
def test_ratios_that_engine_testers_have_published(
    pentanomial: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    assert Sprt(elo0, elo1).judge(pentanomial).llr == pytest.approx(llr, abs=0.005)


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "elo0", "elo1", "llr"),
    [(21404, 40708, 21184, 0.5, 2.5, -1.57), (57433, 106593, 57030, 0, 2, -2.59)],
)
def test_ratios_of_single_games_that_engine_testers_have_published(
    wins: int, draws: int, losses: int, elo0: float, elo1: float, llr: float
) -> None:
    assert Sprt(elo0, elo1).judge_games(losses, draws, wins).llr == pytest.approx(llr, abs=0.005)


counts = st.lists(st.integers(0, 10**6), min_size=5, max_size=5)
elos = st.tuples(st.floats(-300, 300), st.floats(1, 300))


@given(counts, elos)
def test_seen_from_the_other_agent_the_ratio_turns_around(seen: list[int], gap: tuple[float, float]) -> None:
    elo0, elo1 = gap[0], gap[0] + gap[1]
    here = Sprt(elo0, elo1).judge(seen)
    there = Sprt(-elo1, -elo0).judge(seen[::-1])
    assert math.isfinite(here.llr)
    assert here.llr == pytest.approx(-there.llr, rel=1e-6, abs=1e-6)


@given(counts, elos)
def test_the_constraint_is_met(seen: list[int], gap: tuple[float, float]) -> None:
    # By the envelope theorem the ratio's slope in mean1 is number * tilt; its numeric slope must agree with itself.
    elo0, elo1 = gap[0], gap[0] + gap[1]
    middle = share((elo0 + elo1) / 2)
    whole = log_likelihood_ratio(seen, PAIR_SCORES, share(elo0), share(elo1))
    parts = log_likelihood_ratio(seen, PAIR_SCORES, share(elo0), middle)
    parts += log_likelihood_ratio(seen, PAIR_SCORES, middle, share(elo1))
    assert whole == pytest.approx(parts, rel=1e-6, abs=1e-6)


def test_bounds_and_decisions() -> None:
    test = Sprt(0, 20, alpha=0.05, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.judge((0, 0, 0, 0, 0)).llr == 0
    assert test.judge((0, 0, 0, 0, 0)).decision is None
    assert test.judge((10, 10, 30, 90, 90)).decision == "H1"
    assert test.judge((90, 90, 30, 10, 10)).decision == "H0"
    assert test.judge_games(losses=100, draws=50, wins=300).decision == "H1"
    assert test.judge_games(losses=300, draws=50, wins=100).decision == "H0"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((10, 10), "not below"),
        ((20, 0), "not below"),
        ((20, 20 + 1e-14), "not below"),
        ((math.nan, 0), "elo0 is nan"),
        ((0, math.inf), "elo1 is inf"),
        ((0, 10, 0), "alpha is 0"),
        ((0, 10, 0.05, 0.5), "beta is 0.5"),
        ((0, 10, -1, math.nan), "alpha is -1.*\n.*beta is nan"),
    ],
)
def test_a_test_that_is_none_is_refused(arguments: tuple[float, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Sprt(*arguments)


# Error rates, by play


def pair_chances(elo: float, draws: float, agreeing: float) -> np.ndarray:
    """Five chances with the share of `elo`: from an even distribution by exponential tilting.

    `agreeing` 1 has all mass on 0, 1 and 2 points as pairs that go to one agent, 0 on 1 point, as pairs that split.
    """
    base = np.array([agreeing / 2, draws / 2, 1 - agreeing - draws, draws / 2, agreeing / 2])
    low, high = -50.0, 50.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        p = base * np.exp(middle * np.array(PAIR_SCORES))
        low, high = (middle, high) if p @ PAIR_SCORES / p.sum() < share(elo) else (low, middle)
    return np.asarray(p / p.sum())


def play(test: Sprt, chances: np.ndarray, rng: np.random.Generator) -> tuple[str, int]:
    seen = [0] * 5
    while True:
        for result in rng.choice(5, size=500, p=chances).tolist():
            seen[result] += 1
            decision = test.judge(seen).decision
            if decision:
                return decision, sum(seen)


SHAPES = {"independent": (0.2, 0.4), "agreeing": (0.1, 0.7), "splitting": (0.2, 0.1)}


def error_rates(test: Sprt, shape: str, times: int) -> tuple[int, int, float, float]:
    rng = np.random.default_rng(11)
    at0 = [play(test, pair_chances(test.elo0, *SHAPES[shape]), rng) for _ in range(times)]
    at1 = [play(test, pair_chances(test.elo1, *SHAPES[shape]), rng) for _ in range(times)]
    wrong0 = sum(decision == "H1" for decision, _ in at0)
    wrong1 = sum(decision == "H0" for decision, _ in at1)
    return wrong0, wrong1, float(np.mean([n for _, n in at0])), float(np.mean([n for _, n in at1]))


@pytest.mark.parametrize("shape", SHAPES)
def test_error_rates_are_those_declared(shape: str) -> None:
    wrong0, wrong1, *_ = error_rates(Sprt(0, 80, 0.1, 0.1), shape, 150)
    assert not too_many(wrong0, 150, 0.1), wrong0
    assert not too_many(wrong1, 150, 0.1), wrong1


def in_rounds(test: Sprt, scenarios: list[np.ndarray], rng: np.random.Generator, most: int) -> str | None:
    """The decision of a match that goes through the scenarios round by round, and asks after each round."""
    seen = [0] * 5
    for _ in range(most):
        for chances in scenarios:
            seen[int(rng.choice(5, p=chances))] += 1
        decision = test.judge(seen).decision
        if decision:
            return decision
    return None


@pytest.mark.parametrize("elo", [0, 100])
def test_error_rates_hold_over_scenarios_that_differ(elo: float) -> None:
    """Half the scenarios favour the one agent by far, half the other; asked after each round, no order of them matters."""
    tilt = [240] * 6 + [0] + [-240] * 6
    shares = [share(float(t)) - 0.5 + share(elo) for t in tilt]
    scenarios = [np.array([1 - min(s, 1.0), 0, 0, 0, min(s, 1.0)]) for s in shares]
    assert np.mean([p[4] for p in scenarios]) == pytest.approx(share(elo), abs=0.01)
    rng = np.random.default_rng(5)
    found = [in_rounds(Sprt(0, 100), scenarios, rng, 400) for _ in range(100)]
    wrong = sum(decision == ("H1" if elo == 0 else "H0") for decision in found)
    assert None not in found
    assert not too_many(wrong, 100, 0.05), wrong


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("test", [Sprt(0, 40), Sprt(-20, 20, 0.1, 0.05), Sprt(0, 200), Sprt(100, 150)])
def test_error_rates_are_those_declared_in_many_matches(test: Sprt, shape: str) -> None:
    wrong0, wrong1, pairs0, pairs1 = error_rates(test, shape, 2000)
    print(test, shape, wrong0 / 2000, wrong1 / 2000, pairs0, pairs1)
    assert not too_many(wrong0, 2000, test.alpha), wrong0
    assert not too_many(wrong1, 2000, test.beta), wrong1


# What to expect


def test_the_outlook_at_the_hypotheses_is_the_error_rates() -> None:
    test = Sprt(0, 20, 0.05, 0.1)
    assert test.outlook(0).h1 == pytest.approx(0.05)
    assert test.outlook(20).h1 == pytest.approx(0.9, abs=2e-3)
    assert test.outlook(-500).h1 == pytest.approx(0, abs=1e-9)
    assert test.outlook(500).h1 == pytest.approx(1, abs=1e-9)
    between = [test.outlook(elo).pairs for elo in (-20, 0, 10, 20, 40)]
    assert max(between) == between[2]
    with pytest.raises(ValueError, match="variance"):
        test.outlook(0, variance=0)


def test_the_outlook_is_smooth_where_the_walk_has_no_drift() -> None:
    test = Sprt(-10, 10)
    near = [test.outlook(elo, 0.1) for elo in (-1e-3, -1e-7, 0.0, 1e-7, 1e-3)]
    assert [x.pairs for x in near] == pytest.approx([near[2].pairs] * 5, rel=1e-4)
    assert [x.h1 for x in near] == pytest.approx([0.5] * 5, abs=1e-3)


@pytest.mark.parametrize("elo", [0, 15, 30])
def test_the_outlook_is_about_what_play_shows(elo: float) -> None:
    test = Sprt(0, 30, 0.1, 0.1)
    rng = np.random.default_rng(4)
    chances = pair_chances(elo, *SHAPES["splitting"])
    mean = chances @ PAIR_SCORES
    outlook = test.outlook(elo, float(chances @ (np.array(PAIR_SCORES) - mean) ** 2))
    played = [play(test, chances, rng) for _ in range(150)]
    assert np.mean([n for _, n in played]) == pytest.approx(outlook.pairs, rel=0.25)
    assert np.mean([d == "H1" for d, _ in played]) == pytest.approx(outlook.h1, abs=0.15)
