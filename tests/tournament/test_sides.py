"""Is a scenario fair: the tests against independent ones, verdicts that say what they could have missed, many looks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import fisher_exact

from battlesim.tournament.fair_table import fair_lines
from battlesim.tournament.multiple_testing import holm
from battlesim.tournament.sides import SideBias, differ_p, games_needed, judge_sides, pairs_p, side_p
from battlesim.tournament.tally import Results, Tally
from battlesim.viewer.report_fairness import SHOWN
from battlesim.viewer.report_words import more_games
from tests.tournament.simulated import too_few, too_many


def arms(**shares: tuple[int, int]) -> Tally:
    """Control games by agent, won by side 0 and by side 1."""
    tally = Tally()
    for agent, (first, second) in shares.items():
        tally.control("farm", agent, 0, first)
        tally.control("farm", agent, 1, second)
    return tally


def verdict(tally: Tally, fair: float = 0.6) -> SideBias:
    (found,) = judge_sides(tally, ["farm"], tally.agents, fair, 0.8)
    return found


# ---- the tests, by hand and by other code


def test_two_arms_are_compared_as_fisher_does() -> None:
    for one, two in [((21, 9), (9, 21)), ((5, 0), (1, 4)), ((97, 3), (3, 97)), ((8, 12), (15, 25))]:
        p = differ_p([Results(one[0], 0, one[1]), Results(two[0], 0, two[1])])
        # Fisher's p sums what is no likelier, ours what is no nearer; with arms of one size they are the same tables.
        if sum(one) == sum(two):
            assert p == pytest.approx(fisher_exact([one, two]).pvalue)
        assert p == pytest.approx(differ_p([Results(two[0], 0, two[1]), Results(one[0], 0, one[1])]))


def test_draws_count_half_between_arms() -> None:
    # One arm a win and a draw, the other a draw and a loss: of the six ways to part four games, two are as far apart.
    assert differ_p([Results(1, 1, 0), Results(0, 1, 1)]) == pytest.approx(4 / 6)
    assert differ_p([Results(0, 5, 0), Results(0, 7, 0)]) == 1


@pytest.mark.parametrize(
    "cells", [(0, 0, 0, 1, 0, 0, 3, 1, 0), (2, 1, 0, 0, 4, 0, 3, 0, 1), (0, 0, 2, 0, 0, 0, 7, 0, 0)]
)
def test_pairs_are_swapped_in_every_way(cells: tuple[int, ...]) -> None:
    leads = [index // 3 - index % 3 for index, count in enumerate(cells) for _ in range(count)]
    sums = [
        sum(sign * lead for sign, lead in zip(signs, leads, strict=True))
        for signs in product((1, -1), repeat=len(leads))
    ]
    assert pairs_p(cells) == pytest.approx(np.mean([abs(s) >= abs(sum(leads)) for s in sums]))


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.5, 0.9]) == [1.0, 1.0]


# ---- verdicts


def test_a_fair_scenario_is_called_so_only_where_a_larger_bias_is_ruled_out() -> None:
    few = verdict(arms(ann=(10, 10), bob=(11, 9)))
    assert few.kind == "unknown"
    assert few.unseen > 0.7
    assert few.needed == pytest.approx(196, abs=2)
    many = verdict(arms(ann=(150, 150), bob=(155, 145)))
    assert many.kind == "fair"
    assert 0.5 < many.unseen < 0.6
    assert verdict(arms(ann=(150, 150), bob=(155, 145)), fair=0.55).kind == "unknown"
    # One agent with few games is enough to leave the question open.
    assert verdict(arms(ann=(150, 150), bob=(4, 4))).kind == "unknown"


def test_more_games_than_were_played_are_recommended() -> None:
    """Where those that usually show a bias were played and showed none, those that would rule it out."""
    few = verdict(arms(ann=(54, 46)))
    assert (few.needed, few.needed_to) == (games_needed(0.6), "show")
    many = verdict(arms(ann=(108, 92)))
    assert (many.kind, many.needed_to) == ("unknown", "rule out")
    assert 200 < many.needed < 300
    assert verdict(arms(ann=(round(0.54 * many.needed), round(0.46 * many.needed)))).kind == "fair"
    near = verdict(arms(ann=(117, 83), bob=(100, 100)))
    assert (near.kind, near.needed, near.needed_to) == ("unknown", 800, "halve")


def test_what_more_games_would_do_is_told_of_the_first_step_that_is_open() -> None:
    show, rule_out, halve = (
        {"needed": needed, "needed_to": to, "bound": 0.6}
        for needed, to in ((197, "show"), (270, "rule out"), (1200, "halve"))
    )
    assert more_games([halve, show, rule_out], "games") == "197 games would reveal a bias of 60:40"
    assert more_games([halve, rule_out], "games").startswith(
        "270 games would rule out a bias of 60:40 if the shares"
    )
    assert more_games([halve], "games").startswith("1,200 games would halve the interval")


def test_a_scenario_is_not_called_fair_for_an_agent_without_a_result() -> None:
    """Such as one that fails in every game against itself."""
    tally = arms(ann=(300, 300))
    assert verdict(tally).kind == "fair"
    (found,) = judge_sides(tally, ["farm"], ["ann", "bob"], 0.6, 0.8)
    assert (found.kind, found.unseen) == ("unknown", 1.0)


def test_opposite_biases_are_seen_although_they_cancel_out() -> None:
    found = verdict(arms(ann=(42, 18), bob=(18, 42)))
    assert found.kind == "depends"
    assert found.pooled is not None
    assert found.pooled.value == 0.5
    assert [arm.p < 0.05 for arm in found.arms] == [True, True]


def test_agents_that_agree_are_pooled() -> None:
    found = verdict(arms(ann=(39, 21), bob=(40, 20), cid=(37, 23)))
    assert (found.kind, found.side) == ("favours", 0)


def test_one_agent_of_many_is_named() -> None:
    tally = arms(ann=(80, 40), **{f"x{n}": (60, 60) for n in range(7)})
    found = verdict(tally)
    assert found.kind in ("agent", "depends")
    assert min(found.arms, key=lambda arm: arm.p).agent == "ann"


def test_a_bias_of_one_agent_is_not_averaged_away() -> None:
    # One agent at 63.7% of a thousand games beside one that is even: 40 games of each show nothing, and say so.
    small = verdict(arms(greedy=(24, 16), random=(20, 20)))
    assert small.kind == "unknown"
    assert small.unseen >= 0.637
    large = verdict(arms(greedy=(637, 363), random=(500, 500)))
    assert large.kind == "depends"


def test_pairs_tell_of_sides_too() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 0, 30)
    tally.pair("farm", "ann", "bob", 2, 2, 30)
    found = verdict(tally)
    assert (found.kind, found.side) == ("between", 0)
    assert verdict(Tally()).kind == "unmeasured"


def test_out_of_bounds_wants_every_agent_to_point_the_same_way() -> None:
    assert verdict(arms(ann=(58, 2), bob=(55, 5))).kind == "out of bounds"
    assert verdict(arms(ann=(290, 10), bob=(8, 12))).kind == "depends"


# ---- calibration: how often a verdict is wrong, and how often a bias is missed


def flagged(
    rng: np.random.Generator, agents: int, scenarios: int, games: int, pairs: int, draws: float
) -> int:
    """How many of a fair tournament's scenarios are flagged. Pairs are between agents of unequal strength."""
    tally = Tally()
    names = [f"a{n}" for n in range(agents)]
    for scenario in range(scenarios):
        for name in names:
            won, lost, drawn = rng.multinomial(games, [(1 - draws) / 2, (1 - draws) / 2, draws])
            tally.controls[f"s{scenario}", name] = [int(won), int(drawn), int(lost)]
        one = np.array([0.2, draws * 0.5, 0.8 - draws * 0.5])
        joint = np.outer(one, one).ravel()
        tally.pairs[f"s{scenario}", "a0", "a1"] = [int(n) for n in rng.multinomial(pairs, joint)]
    found = judge_sides(tally, [f"s{n}" for n in range(scenarios)], names, 0.6, 0.8)
    return sum(row.kind in SHOWN for row in found)


@pytest.mark.parametrize(("agents", "scenarios", "games"), [(2, 22, 30), (6, 4, 15), (1, 1, 100)])
def test_a_fair_tournament_is_seldom_flagged(agents: int, scenarios: int, games: int) -> None:
    rng = np.random.default_rng(3)
    alarms = sum(flagged(rng, agents, scenarios, games, 40, 0.1) > 0 for _ in range(60))
    assert not too_many(alarms, 60, 0.05), alarms


@pytest.mark.slow
@pytest.mark.parametrize("agents", [1, 2, 3, 6, 12])
@pytest.mark.parametrize("scenarios", [1, 4, 12, 24])
@pytest.mark.parametrize("games", [15, 60, 200])
def test_fair_tournaments_are_seldom_flagged(agents: int, scenarios: int, games: int) -> None:
    rng = np.random.default_rng(4)
    times = 150
    alarms = sum(flagged(rng, agents, scenarios, games, games, 0.15) > 0 for _ in range(times))
    print(agents, scenarios, games, alarms / times)
    assert not too_many(alarms, times, 0.05), alarms


def test_a_bias_above_the_bound_is_never_called_fair() -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(400):
        first = int(rng.binomial(60, 0.62))
        second = int(rng.binomial(60, 0.38))
        wrong += verdict(arms(ann=(first, 60 - first), bob=(second, 60 - second))).kind == "fair"
    assert not too_many(wrong, 400, 0.001), wrong


def test_opposite_biases_are_seen_by_thirty_games_each() -> None:
    rng = np.random.default_rng(6)
    seen = 0
    for _ in range(200):
        first, second = int(rng.binomial(30, 0.7)), int(rng.binomial(30, 0.3))
        seen += verdict(arms(ann=(first, 30 - first), bob=(second, 30 - second))).kind == "depends"
    assert not too_few(seen, 200, 0.7), seen


def test_the_exact_test_of_sides_is_binomial() -> None:
    assert side_p(Results(9, 3, 1)) == pytest.approx(2 * 11 / 1024)
    assert side_p(Results(0, 4, 0)) == 1


def test_a_verdict_about_one_agent_names_the_agent_that_the_tests_found() -> None:
    arm = {
        "games": 400,
        "wins": [300, 100],
        "draws": 0,
        "share": 0.75,
        "low": 0.7,
        "high": 0.8,
        "p": 0.0,
        "unseen": 0.8,
    }
    side = {
        "scenario": "farm",
        "sides": ["North", "South"],
        "kind": "agent",
        "verdict": "favours North for searcher",
        "favoured": "North",
        "bound": 0.6,
        "agents": [{"agent": "greedy", **arm}, {"agent": "searcher", **arm}],
    }
    told = next(line for line in fair_lines({"sides": [side], "courses": []}) if line)
    assert told == "farm: not fair: North wins more often where searcher plays both sides"
    drawn = {"agent": "greedy", **arm, "wins": [7, 0], "draws": 393}
    most = "    most games are drawn: the points below show what each side scores"
    assert list(fair_lines({"sides": [{**side, "agents": [drawn]}], "courses": []})).count(most) == 1
    assert most not in list(fair_lines({"sides": [side], "courses": []}))


def test_the_lines_agree_with_sides_in_the_plural_and_count_one_game_as_one() -> None:
    side = {
        "scenario": "farm",
        "sides": ["Rangers", "Red"],
        "kind": "out of bounds",
        "verdict": "favours Rangers",
        "favoured": "Rangers",
        "bound": 0.6,
        "agents": [],
    }
    lead = [
        {"side": "Rangers", "won": 1234, "turns": [(2, 1234)], "not_ahead": 0},
        {"side": "Red", "won": 1, "turns": [], "not_ahead": 1},
    ]
    course = {"scenario": "farm", "agent": "greedy", "points": [], "losses": [], "lead": lead}
    told = [line.strip() for line in fair_lines({"sides": [side], "courses": [course]}) if line]
    assert told == [
        "farm: not fair: Rangers win nearly always, whoever plays",
        "greedy: Rangers won 1,234 games and led for good: 100% from turn 2",
        "greedy: Red won 1 game and led for good: 100% never on points",
        "`battlesim balance` finds the smallest change that makes a scenario fair, `battlesim stress` what decides it",
    ]
