"""Means with intervals: of equal numbers too, where Student's interval would have no width."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from battlesim.stress.analysis import analyse_values, lines
from battlesim.stress.intervals import UNBOUNDED, estimate, mean_of
from battlesim.stress.responses import RESPONSES
from tests.stress.made_up import made_up_design

DIFFERENCE = (-1.0, 1.0)


@pytest.mark.parametrize("games", [2, 4, 10, 40])
def test_games_that_were_all_won_leave_what_clopper_and_pearson_leave(games: int) -> None:
    exact = stats.binomtest(games, games).proportion_ci(0.95, "exact")
    assert estimate([1.0] * games, (0.0, 1.0)).interval == pytest.approx((exact.low, exact.high))
    none = stats.binomtest(0, games).proportion_ci(0.95, "exact")
    assert mean_of(np.zeros((1, games)), (0.0, 1.0)).interval == pytest.approx((none.low, none.high))


@pytest.mark.parametrize(
    ("change", "games"), list(product((0.05, 0.2, 0.5, 1.0, -0.5, -1.0), (2, 4, 5, 6, 8, 20, 60)))
)
def test_the_p_value_of_equal_differences_agrees_with_their_interval(change: float, games: int) -> None:
    found = estimate([change] * games, DIFFERENCE)
    low, high = found.interval
    assert -1 <= low <= change <= high <= 1
    assert low < high
    assert (found.p < 0.05) == (low > 0 or high < 0)


def test_equal_differences_of_one_are_judged_as_the_sign_test_does() -> None:
    for games in (2, 5, 6, 12):
        assert estimate([1.0] * games, DIFFERENCE).p == pytest.approx(stats.binomtest(games, games).pvalue)


def test_nothing_is_said_of_few_equal_numbers_without_bounds() -> None:
    found = estimate([1.0, 1.0])
    assert found.interval == UNBOUNDED
    assert found.p == 1.0
    assert np.isnan(found.unseen(1))


def test_of_many_equal_numbers_without_bounds_the_sign_test_speaks() -> None:
    found = estimate([3.0] * 6)
    assert found.p == pytest.approx(stats.binomtest(6, 6).pvalue)
    assert found.interval == (3.0, 3.0)
    assert estimate([3.0] * 5).interval == UNBOUNDED


def test_what_differs_is_judged_by_student_as_before() -> None:
    numbers = [0.1, 0.4, 0.2, 0.5, 0.3]
    found = estimate(numbers, DIFFERENCE)
    test = stats.ttest_1samp(numbers, 0.0)
    assert found.p == pytest.approx(test.pvalue)
    assert found.interval == pytest.approx(tuple(test.confidence_interval()))


def test_no_change_is_called_visible_that_cannot_be() -> None:
    assert estimate([1.0, 0.0], DIFFERENCE).unseen(1) == float("inf")
    assert estimate([0.0, 0.0], DIFFERENCE).unseen(1) == float("inf")
    assert estimate([0.0] * 20, DIFFERENCE).unseen(60_000) == float("inf")
    assert 0 < estimate([0.0] * 40, DIFFERENCE).unseen(3) < 1


def test_a_change_called_visible_is_shown_in_four_samples_of_five() -> None:
    chance = np.random.default_rng(4)
    change = estimate([0.0] * 40, DIFFERENCE).unseen(1)
    shown = [estimate((chance.random(40) < change).astype(float), DIFFERENCE).p < 0.05 for _ in range(400)]
    assert 0.7 <= np.mean(shown) <= 0.95


@pytest.mark.parametrize("games", [2, 4])
def test_few_equal_games_show_nothing(games: int) -> None:
    design = made_up_design("factorial", [(5,), (7,)], games)
    for won in (np.ones((2, games)), np.array([[0.0] * games, [1.0] * games])):
        found = analyse_values(design, {"share": won}, RESPONSES, won.size)
        (effect,) = found.responses[0].effects
        assert not effect.is_shown
        assert effect.low < 0 < effect.high
        assert found.responses[0].low < found.responses[0].high
        text = "\n".join(lines(design, found))
        assert "too few games to see any" in text
        assert "would probably have been seen" not in text


def test_a_straight_line_says_nothing_that_cannot_be() -> None:
    """A share that goes from 0 to 1 in the middle of a range: the straight line goes further."""
    chance = np.random.default_rng(2)
    points = [(float(at),) for at in np.linspace(0, 1, 40)]
    design = made_up_design("sobol", points, 12)
    for noise in (0.0, 0.02):
        won = np.array([[float(at > 0.5)] * 12 for (at,) in points])
        won = np.abs(won - (chance.random(won.shape) < noise))
        (effect,) = analyse_values(design, {"share": won}, RESPONSES, won.size).responses[0].effects
        assert abs(effect.change) <= 1
        assert effect.low == float("-inf") or effect.low <= effect.change <= effect.high
        assert effect.high - effect.low > 0
