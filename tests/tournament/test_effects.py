"""Sizes beside Elo: normalised Elo, shares at an Elo, the gain of pairing, shares of points."""

from __future__ import annotations

import numpy as np
import pytest

from battlesim.tournament.effects import normalised, pairing, share_at
from battlesim.tournament.margins import Margins, margin_share, mean_margin
from battlesim.tournament.ratings import SideAdvantage
from battlesim.tournament.shares import elo, share
from battlesim.tournament.table import saved_words
from battlesim.tournament.tally import Tally
from tests.tournament.simulated import too_few, tournament


def test_normalised_elo_is_elo_near_even_games_without_draws() -> None:
    mean = share(10)
    pair = np.array([(1 - mean) ** 2, 0, 2 * mean * (1 - mean), 0, mean**2]) * 1e7
    found = normalised([pair.round().astype(int).tolist()])
    assert found is not None
    assert found.value == pytest.approx(10, abs=0.05)
    # Where draws are many the same share is farther from one half in standard deviations.
    drawn = normalised([(0, 4000, 10000, 6000, 0)])
    assert drawn is not None
    assert drawn.value > 2 * elo((0.25 * 4000 + 0.5 * 10000 + 0.75 * 6000) / 20000)


def test_normalised_elo_of_scenarios_that_differ_is_that_of_each() -> None:
    here, there = [(1, 8, 30, 50, 11)], [(11, 50, 30, 8, 1)]
    both = normalised(here + there)
    assert both is not None
    assert both.value == pytest.approx(0)
    assert normalised([(0, 0, 30, 0, 0)]) is None
    assert normalised([]) is None


def side(elo_: float, nu: float) -> SideAdvantage:
    return SideAdvantage("farm", "measured", elo_, elo_ - 9, elo_ + 9, 0.5, 0.2, nu, 10, 10)


def test_an_elo_means_less_where_a_side_has_the_advantage_or_games_are_drawn() -> None:
    assert share_at(100, [side(0, 0)]) == pytest.approx(share(100))
    # Sides of +300: 100 more is 400 and -200, so a mean of the shares of both.
    found = share_at(100, [side(300, 0)])
    assert found == pytest.approx((share(400) + share(-200)) / 2)
    assert found == pytest.approx(0.5745, abs=1e-3)
    drawn = share_at(100, [side(0, 2)])
    assert drawn is not None
    assert 0.5 < drawn < 0.6
    assert share_at(100, []) is None


@pytest.mark.parametrize("rho", [-0.8, 0.0, 0.8])
def test_the_correlation_of_pairs_is_what_was_put_in(rho: float) -> None:
    rng = np.random.default_rng(1)
    tally = tournament(rng, {"ann": 50, "bob": -50}, {"farm": (200.0, 0.3), "mill": (0.0, 1.0)}, 400, 0, rho)
    found = pairing(tally)
    assert found is not None
    assert found.pairs == 800
    if rho:
        assert np.sign(found.correlation) == np.sign(rho)
        assert not found.low <= 0 <= found.high
    else:
        assert abs(found.correlation) < 0.15
    assert found.saved == -found.correlation
    assert pairing(Tally()) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_a_few_pairs_that_are_all_alike_do_not_make_their_correlation_certain(sign: int) -> None:
    tally = Tally()
    for first in (0, 2):
        tally.pair("farm", "ann", "bob", first, first if sign > 0 else 2 - first, times=5)
    found = pairing(tally)
    assert found is not None
    assert found.correlation == pytest.approx(sign)
    assert found.low <= found.correlation <= found.high
    assert found.high - found.low > 0.5


def test_margins_count_as_shares_of_what_is_in_reach() -> None:
    assert margin_share((3, 1), (4, 2)) == 0.25
    assert margin_share((0, 0), (4, 0)) == 0.0, "a side that can take nothing has a share of nothing"
    small, large = Margins(), Margins()
    for _ in range(4):
        small.add([((3, 1), (4, 4)), ((0, 0), (4, 4))])
        large.add([((300, 100), (400, 400)), ((0, 0), (400, 400))])
    found = mean_margin([(small, True), (large, True)])
    assert found is not None
    assert found.value == pytest.approx(0.25)
    turned = mean_margin([(small, False), (large, False)])
    assert turned is not None
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))
    assert large.in_points(first=True) == (100, None)
    assert large.in_points(first=False) == (-100, None)
    assert mean_margin([]) is None


def test_rows_that_do_not_say_what_was_in_reach_give_no_share() -> None:
    old = Margins()
    old.add([((3, 1), None), ((2, 2), (4, 4))])
    assert mean_margin([(old, True)]) is None
    assert old.in_points(first=True) == (1.0, None)


def test_pairs_that_are_alike_do_not_make_a_margin_certain() -> None:
    margins = Margins()
    assert margins.in_points(first=True) is None
    for pairs, error in ((1, 1.0), (2, 0.5)):
        margins.add([((2, 1), (4, 4)), ((2, 1), (4, 4))])
        assert margins.in_points(first=True) == (1.0, None), pairs
        share = margins.in_shares(first=True)
        assert share is not None
        assert share == pytest.approx((0.25, error**2, 0))
    margins.add([((4, 1), (4, 4)), ((2, 1), (4, 4))])
    found = margins.in_points(first=True)
    assert found is not None
    mean, limits = found
    assert mean == pytest.approx(4 / 3)
    assert limits is not None
    assert limits.high - mean == pytest.approx(4.303 / 3, abs=0.001), "of values 1, 1 and 2, t(2)"


@pytest.mark.parametrize("pairs", [5, 20])
def test_the_interval_of_margins_holds_the_truth(pairs: int) -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        cells = []
        for scale, mean in ((5, 0.7), (500, 0.4)):
            margins = Margins()
            for _ in range(pairs):
                own = rng.binomial(scale, mean, 2).tolist()
                margins.add([((points, scale - points), (scale, scale)) for points in own])
            cells.append((margins, True))
        found = mean_margin(cells)
        assert found is not None
        held += found.low <= 0.1 <= found.high
    assert not too_few(held, 300, 0.93), held


def test_a_few_pairs_of_one_scenario_have_a_wide_interval() -> None:
    """With five pairs, 1.96 standard errors would hold the truth in 88% of cases only."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        margins = Margins()
        for _ in range(5):
            own = rng.binomial(500, 0.4, 2).tolist()
            margins.add([((points, 500 - points), (500, 500)) for points in own])
        found = margins.in_points(first=True)
        assert found is not None
        assert found[1] is not None
        held += found[1].low <= -100 <= found[1].high
    assert not too_few(held, 1000, 0.95), held


@pytest.mark.parametrize(
    ("correlation", "low", "high", "told"),
    [
        (0.2, 0.01, 0.37, "cost about 20% of the games (interval 1% to 37%)"),
        (0.05, -0.08, 0.18, "cost about 5% of the games (interval -8% to 18%; below 0: a saving)"),
        (-0.05, -0.09, -0.01, "saved about 5% of the games (interval 1% to 9%)"),
        (-0.04, -0.1, 0.02, "saved about 4% of the games (interval -2% to 10%; below 0: a cost)"),
    ],
)
def test_what_common_dice_saved_or_cost_has_an_interval_of_that_sign(
    correlation: float, low: float, high: float, told: str
) -> None:
    row = {"pairs": 100, "correlation": correlation, "low": low, "high": high, "saved": -correlation}
    said = f"common dice {told}: the two games of a pair correlate by {correlation:+.2f}"
    assert saved_words(row) == said


@pytest.mark.parametrize("rho", [-0.5, 0.5])
def test_a_pair_says_more_than_two_games_where_these_disagree(rho: float) -> None:
    """The variance of a pair's mean is that of two separate games times one plus the correlation: what is saved is told so."""
    rng = np.random.default_rng(2)
    tally = tournament(rng, {"ann": 0, "bob": 0}, {"farm": (0.0, 0.5)}, 4000, 0, rho)
    found = pairing(tally)
    assert found is not None
    ((_, cells),) = tally.pairings()
    scores = np.repeat([(cell // 3 / 2, cell % 3 / 2) for cell in range(9)], cells, axis=0)
    alone = (scores[:, 0].var() + scores[:, 1].var()) / 4
    assert scores.mean(1).var() / alone == pytest.approx(1 - found.saved, abs=0.01)
    assert (found.saved > 0) == (rho < 0)
