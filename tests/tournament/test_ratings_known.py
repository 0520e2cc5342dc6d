"""Ratings against what is known: values by hand, an independent library, a general optimiser, planted strengths."""

from __future__ import annotations

import itertools
import math

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from battlesim.tournament.davidson import PRIOR_ELO, Model, prior_weight
from battlesim.tournament.ratings import fit
from battlesim.tournament.shares import ELO, elo
from battlesim.tournament.tally import Tally
from tests.tournament.simulated import FIELD, SIDES, field, tournament

# Known values


def test_two_agents_without_draws_or_side_advantage_by_hand() -> None:
    # 75 of 100 games on either side: the odds are 3 to 1 whatever the side, so the difference is 400 * log10(3).
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 2, times=25)
    tally.pair("farm", "ann", "bob", 2, 0, times=12)
    tally.pair("farm", "ann", "bob", 0, 2, times=13)
    tally.pair("farm", "ann", "bob", 2, 0, times=1)
    tally.pair("farm", "ann", "bob", 0, 2, times=0)
    found = fit(tally, ["ann", "bob"], prior_elo=1e6)
    wins = [38 / 51, 38 / 51]
    assert found.difference("ann", "bob").elo == pytest.approx(elo(wins[0]), abs=1e-3)
    assert found.rating("ann").elo == pytest.approx(elo(wins[0]) / 2, abs=1e-3)
    assert found.side("farm").elo == pytest.approx(0, abs=1e-3)


def test_draw_parameter_and_side_advantage_of_control_games_by_hand() -> None:
    # Alone, 50 wins : 30 draws : 20 losses are fitted exactly: d = log(50 / 20), nu = 30 / sqrt(50 * 20).
    tally = Tally()
    for winner, times in ((0, 50), (None, 30), (1, 20)):
        tally.control("farm", "ann", winner, times)
    side = fit(tally, ["ann"], prior_elo=1e6).side("farm")
    assert side.elo == pytest.approx(ELO * math.log(2.5), abs=1e-3)
    assert side.nu == pytest.approx(30 / math.sqrt(1000), abs=1e-4)
    assert (side.share, side.draws) == (pytest.approx(0.65, abs=1e-5), pytest.approx(0.3, abs=1e-5))
    # The variance of log(50 / 20) is 1/50 + 1/20, for that is all the games say of d; the spread has its own estimate
    # (one imagined game and the correction for three parameters, 101/100 * 100/(100 - 2)).
    half = 1.959964 * math.sqrt((1 / 50 + 1 / 20) * 1.01 * 100 / 98) * ELO
    assert side.high == pytest.approx(side.elo + half, abs=1e-2)
    assert (side.kind, side.games, side.control_games) == ("measured", 0, 100)


def test_a_field_and_one_that_is_even() -> None:
    tally = Tally()
    for a, b in itertools.combinations("abc", 2):
        for first, second in itertools.product(range(3), repeat=2):
            tally.pair("farm", a, b, first, second, times=10)
    found = fit(tally, list("abc"))
    for row in found.ratings:
        assert row.elo == pytest.approx(0, abs=1e-9)
    assert found.difference("a", "b").superiority == pytest.approx(0.5)
    assert found.transitivity.chi2 == pytest.approx(0, abs=1e-9)
    assert found.transitivity.df == 1
    assert found.transitivity.p == pytest.approx(1)
    # Every cell as often as every other: the two games of a pair are independent, a draw is a third, so is a win.
    # Each difference rests on 180 games of its own and, by way of the third agent, on half of 360 more.
    info = (180 + 90) * (1 / 6)
    half = 1.959964 * math.sqrt(1 / info * (91 / 90) * 270 / (270 - 4)) * ELO
    assert found.difference("a", "b").high == pytest.approx(half, rel=1e-3)


# Against others


def test_without_draws_and_sides_the_strengths_are_those_of_an_independent_library() -> None:
    rng = np.random.default_rng(3)
    strengths = np.array([0.8, 0.3, -0.2, -0.9])
    names = ["ann", "bob", "cid", "dot"]
    tally, games = Tally(), []
    for i, j in itertools.combinations(range(4), 2):
        chance = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        for won in (rng.random(60) < chance).tolist():
            # Each result on both sides, so that no side advantage can be seen.
            tally.pair("farm", names[i], names[j], 2 * won, 2 * won)
            games += 2 * [(i, j) if won else (j, i)]
    flat = choix.ilsr_pairwise(4, games)
    found = fit(tally, names, prior_elo=1e5)
    assert [r.elo for r in found.ratings] == pytest.approx(list(ELO * (flat - flat.mean())), abs=1e-3 * ELO)

    # choix's penalty is alpha * sum of squares, a normal prior of precision 2 * alpha.
    penalised = choix.opt_pairwise(4, games, alpha=prior_weight(PRIOR_ELO) / 2)
    found = fit(tally, names)
    assert [r.elo for r in found.ratings] == pytest.approx(
        list(ELO * (penalised - penalised.mean())), abs=1e-3 * ELO
    )


@pytest.mark.slow
def test_the_fit_is_the_maximum_that_a_general_optimiser_finds() -> None:
    tally = field()
    model = Model(tally, sorted(FIELD))
    prior = prior_weight(PRIOR_ELO)

    def cost(psi: np.ndarray) -> float:
        value = prior * float(psi @ psi) / 2
        for (s, a, b), cells in tally.pairings():
            i, j, k = model.agents.index(a), model.agents.index(b), 4 + model.scenarios.index(s)
            for (one, two), count in zip(itertools.product(range(3), repeat=2), cells, strict=True):
                for d, result in ((psi[i] - psi[j] + psi[k], one), (psi[j] - psi[i] + psi[k], 2 - two)):
                    logits = (-d / 2, psi[k + 2], d / 2)
                    value -= count * (logits[result] - math.log(sum(math.exp(x) for x in logits)))
        for (s, _), (wins, draws, losses) in tally.controls.items():
            k = 4 + model.scenarios.index(s)
            logits = (-psi[k] / 2, psi[k + 2], psi[k] / 2)
            norm = math.log(sum(math.exp(x) for x in logits))
            value -= sum(n * (x - norm) for n, x in zip((losses, draws, wins), logits, strict=True))
        return value

    best = minimize(cost, np.zeros(8), method="BFGS", options={"gtol": 1e-6})
    found = fit(tally, sorted(FIELD))
    assert [r.elo for r in found.ratings] == pytest.approx(
        list(ELO * (best.x[:4] - best.x[:4].mean())), abs=0.01
    )
    assert [s.elo for s in found.sides] == pytest.approx(list(ELO * best.x[4:6]), abs=0.01)
    assert [s.nu for s in found.sides] == pytest.approx(list(np.exp(best.x[6:8])), rel=1e-4)


def test_planted_strengths_sides_and_draws_are_found() -> None:
    found = fit(tournament(np.random.default_rng(8), FIELD, SIDES, 4000, 4000, -0.6), sorted(FIELD))
    for name, strength in FIELD.items():
        assert found.rating(name).elo == pytest.approx(strength, abs=12)
    for scenario, (gamma, nu) in SIDES.items():
        assert found.side(scenario).elo == pytest.approx(gamma, abs=12)
        assert found.side(scenario).nu == pytest.approx(nu, rel=0.05)


def test_control_games_alone_tell_of_the_side_where_pairs_of_unequal_agents_hardly_do() -> None:
    without = tournament(
        np.random.default_rng(2), {"ann": 500.0, "bob": -500.0}, {"farm": (100.0, 0.3)}, 40, 0, 0
    )
    arms = tournament(
        np.random.default_rng(2), {"ann": 500.0, "bob": -500.0}, {"farm": (100.0, 0.3)}, 40, 200, 0
    )
    before, after = (fit(t, ["ann", "bob"]).side("farm") for t in (without, arms))
    assert after.kind == "measured"
    assert after.low is not None
    assert after.high is not None
    assert after.low < 100 < after.high
    assert (
        before.low is None or before.high is None or after.high - after.low < (before.high - before.low) / 2
    )
