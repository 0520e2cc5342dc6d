"""Shares, Elo and intervals of shares."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from battlesim.tournament.shares import elo, elo_interval, interval, pair_interval, share
from tests.tournament.simulated import too_few


def test_elo_and_share_by_hand() -> None:
    assert share(0) == 0.5
    assert share(400) == pytest.approx(10 / 11)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.76) == pytest.approx(200.24, abs=0.01)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    assert share(-1e9) == 0
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo(1.5)


@pytest.mark.parametrize(("wins", "losses"), [(0, 10), (3, 7), (10, 0), (60, 40), (1, 0)])
def test_without_draws_the_interval_is_wilsons(wins: int, losses: int) -> None:
    found = interval(wins, 0, losses)
    known = binomtest(wins, wins + losses).proportion_ci(method="wilson")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((known.low, known.high))


def test_draws_narrow_the_interval_and_all_draws_do_not_close_it() -> None:
    decisive, drawn, all_drawn = interval(50, 0, 50), interval(10, 80, 10), interval(0, 100, 0)
    assert decisive is not None
    assert drawn is not None
    assert all_drawn is not None
    assert decisive.value == drawn.value == all_drawn.value == 0.5
    assert decisive.low < drawn.low < all_drawn.low < 0.5 < all_drawn.high
    assert all_drawn.high == pytest.approx(0.5 + 1.96**2 / 2 / 100, abs=2e-3)


def test_pairs_that_cancel_out_say_more_and_pairs_that_agree_say_no_more_than_one_game() -> None:
    split, agreeing, wilson_50 = (
        pair_interval((0, 0, 50, 0, 0)),
        pair_interval((25, 0, 0, 0, 25)),
        interval(25, 0, 25),
    )
    assert split is not None
    assert agreeing is not None
    assert wilson_50 is not None
    assert split.high - split.low < (agreeing.high - agreeing.low) / 3
    assert agreeing == wilson_50


def test_nothing_played_is_no_interval_and_infinite_limits_stay_infinite() -> None:
    assert interval(0, 0, 0) is None
    assert pair_interval((0, 0, 0, 0, 0)) is None
    swept = pair_interval((0, 0, 0, 0, 9))
    assert swept is not None
    assert elo_interval(swept).high == math.inf
    with pytest.raises(ValueError, match="none below 0"):
        interval(-1, 0, 2)


@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=5).filter(any))
def test_intervals_hold_their_estimate_and_mirror(counts: list[int]) -> None:
    found, turned = pair_interval(counts), pair_interval(counts[::-1])
    assert found is not None
    assert turned is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high
    assert found.low == pytest.approx(1 - turned.high, abs=1e-9)


@pytest.mark.parametrize("pairs", [20, 200])
@pytest.mark.parametrize(
    "chances",
    [
        (0.05, 0.1, 0.7, 0.1, 0.05),
        (0.4, 0.05, 0.1, 0.05, 0.4),
        (0.0, 0.05, 0.3, 0.15, 0.5),
        (0.1, 0.1, 0.2, 0.3, 0.3),
        (0.02, 0.0, 0.96, 0.0, 0.02),
    ],
)
def test_the_interval_of_a_match_holds_the_truth_as_often_as_it_says(
    chances: tuple[float, ...], pairs: int
) -> None:
    rng = np.random.default_rng(5)
    truth = float(np.dot(chances, (0, 0.25, 0.5, 0.75, 1)))
    held = 0
    for counts in rng.multinomial(pairs, chances, size=2000).tolist():
        found = pair_interval(counts)
        assert found is not None
        held += found.low <= truth <= found.high
    assert not too_few(held, 2000, 0.93), held / 2000
