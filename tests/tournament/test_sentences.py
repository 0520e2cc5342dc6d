"""Runs planted to mislead, and what the page says of them: each sentence must be true of what was planted."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from battlesim.cli.running import leader
from battlesim.tournament.table import _better, lines
from battlesim.viewer.report_answers import fairness, who
from tests.tournament.planted import page, plan, play, told
from tests.tournament.simulated import too_few, too_many

TWO = {"farm": "orderdice", "mill": "squadhex"}
FOUR = {"farm": "orderdice", "mill": "squadhex", "fort": "armorclass", "nave": "regiment"}


def even(names: list[str], scenarios: dict[str, str]) -> dict[str, dict[str, float]]:
    return {scenario: dict.fromkeys(names, 0.0) for scenario in scenarios}


def read(summary: dict[str, Any]) -> str:
    """Page and terminal, after a check that both can be read."""
    text = page(summary) + " " + " ".join(lines(summary))
    assert not re.search(r"\b(nan|None|inf)\b", text)
    return text


def test_opposite_orders_are_said_first_in_a_duel() -> None:
    made = plan(["ann", "bob"], TWO, 40, 20)
    strengths = {"farm": {"ann": 300.0, "bob": 0.0}, "mill": {"ann": -300.0, "bob": 0.0}}
    summary = told(play(np.random.default_rng(1), made, strengths, {}, 40, 20))
    said = who(summary)
    assert said.answer.startswith("That depends on the rulebook: ")
    assert re.search(
        r"ann is better than bob under orderdice, and bob under squadhex|bob is better than ann under squadhex",
        said.answer,
    )
    assert "cannot be told apart" not in said.answer
    text = read(summary)
    assert "What differs by rulebook" in text
    assert "the numbers over all hold for this mix only" in text


def test_a_field_that_depends_on_the_scenario_says_so_before_its_ranks() -> None:
    names = ["ann", "bob", "cid"]
    made = plan(names, TWO, 40, 10)
    strengths = {
        "farm": {"ann": 250.0, "bob": 0.0, "cid": -400.0},
        "mill": {"ann": -250.0, "bob": 0.0, "cid": -400.0},
    }
    summary = told(play(np.random.default_rng(2), made, strengths, {}, 40, 10))
    assert who(summary).answer.startswith("That depends on the ")


def test_opposite_side_biases_are_seen_and_told_by_agent() -> None:
    made = plan(["ann", "bob"], {"farm": "orderdice"}, 20, 60)
    sides = {"farm": {"ann": 200.0, "bob": -200.0}}
    summary = told(play(np.random.default_rng(3), made, even(["ann", "bob"], {"farm": ""}), sides, 20, 60))
    said = fairness(summary)
    assert said.answer == "No: farm favours one side or the other, depending on the agent."
    text = read(summary)
    assert "depends on the agent" in text
    assert "no bias" not in said.answer


def test_few_games_claim_nothing() -> None:
    names = ["ann", "bob"]
    made = plan(names, {"farm": "orderdice"}, 5, 5)
    summary = told(play(np.random.default_rng(4), made, even(names, {"farm": ""}), {}, 5, 5))
    said = fairness(summary)
    assert said.answer.startswith("Not settled")
    assert "could have gone unseen" in said.answer
    assert "cannot be told apart" in who(summary).answer
    assert not re.search(r"\bYes: a bias|no bias above|ruled out for every agent on", page(summary))


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0, 6])
def test_hundred_percent_records_have_no_upper_limit(lost: int) -> None:
    # All games won under three rulebooks; under the fourth some lost, which must not give the whole an upper limit.
    made = plan(["ann", "bob"], FOUR, 30, 10)
    aggregator = play(np.random.default_rng(5), made, even(["ann", "bob"], FOUR), {}, 1, 10)
    aggregator.tally.pairs.clear()
    for scenario in FOUR:
        bad = lost if scenario == "nave" else 0
        aggregator.tally.pair(scenario, "ann", "bob", 2, 2, 30 - bad)
        if bad:
            aggregator.tally.pair(scenario, "ann", "bob", 2, 0, bad // 2)
            aggregator.tally.pair(scenario, "ann", "bob", 0, 2, bad // 2)
    summary = told(aggregator)
    top = summary["standings"][0]["rows"][0]
    assert (top["agent"], top["bound"], top["high"]) == ("ann", "at least", None)
    assert summary["superiority"][0]["high"] is None
    text = read(summary)
    assert re.search(
        r"ann is better than bob (by at least|on every|under every)|ann is better than bob (on|under)", text
    )
    assert not re.search(r"ahead of bob by \d[\d,]* Elo \[", text)


def test_a_ring_is_said_before_the_ranks() -> None:
    names = ["ann", "bob", "cid"]
    made = plan(names, {"farm": "orderdice"}, 80, 10)
    summary = told(play(np.random.default_rng(6), made, even(names, {"farm": ""}), {}, 80, 10, cycle=150))
    assert who(summary).answer.startswith("That depends on the opponent: ann beats bob beats cid beats ann")
    assert "No single agent is safe: each is shown to lose to another." in read(summary)


def test_a_dominant_agent_is_safe_and_the_best() -> None:
    names = ["ann", "bob", "cid"]
    made = plan(names, TWO, 60, 10)
    strengths = {scenario: {"ann": 250.0, "bob": 0.0, "cid": -50.0} for scenario in TWO}
    summary = told(play(np.random.default_rng(7), made, strengths, {}, 60, 10))
    assert who(summary).answer.startswith("ann is the best of 3 agents")
    text = read(summary)
    assert "is ann alone" in text
    assert "No single agent is safe" not in text


def equals(agents: int, scenarios: int, pairs: int, seed: int) -> dict[str, Any]:
    names = [f"a{n}" for n in range(agents)]
    fields = {f"s{n}": "orderdice" for n in range(scenarios)}
    made = plan(names, fields, pairs, pairs)
    return told(play(np.random.default_rng(seed), made, even(names, fields), {}, pairs, pairs))


def false_claims(agents: int, scenarios: int, pairs: int, times: int) -> dict[str, int]:
    """What is claimed of fields of equals on fair scenarios: how often."""
    found = dict.fromkeys(("best", "depends", "unfair", "unsafe", "ring", "differ"), 0)
    for seed in range(times):
        summary = equals(agents, scenarios, pairs, seed)
        answer = who(summary).answer
        found["best"] += "is the best of" in answer or "is better than" in answer
        found["depends"] += answer.startswith("That depends on the scenario")
        found["ring"] += bool(summary["matrix"]["cycles"])
        found["unfair"] += fairness(summary).answer.startswith(("No:", "Not all:"))
        found["unsafe"] += bool(summary["matrix"]["unsafe"])
        found["differ"] += any(row["p"] is not None and row["p"] < 0.05 for row in summary["superiority"])
    return found


@pytest.mark.slow
def test_fields_of_equals_are_seldom_told_apart() -> None:
    found = false_claims(3, 2, 15, 12)
    for claim, count in found.items():
        assert not too_many(count, 12, 0.05), (claim, count)


def test_a_lead_that_may_be_luck_among_several_pairs_is_not_told_as_one() -> None:
    row = {"elo": 85.2, "low": 10.1, "high": 160.3, "p": 0.09, "bound": "", "nelo": None}
    assert _better({"a": "ann", "b": "bob", **row}) == (
        "ann and bob are not told apart, since several pairs are compared: +85 Elo, 95% interval +10 to +160, p 0.090"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agents", "scenarios", "pairs"),
    [(2, 1, 15), (2, 12, 15), (4, 4, 60), (8, 2, 15), (12, 1, 15), (2, 1, 200)],
)
def test_fields_of_equals_are_seldom_told_apart_in_many_runs(agents: int, scenarios: int, pairs: int) -> None:
    times = 30 if agents > 4 else 80
    found = false_claims(agents, scenarios, pairs, times)
    print(agents, scenarios, pairs, {claim: count / times for claim, count in found.items()})
    for claim, count in found.items():
        assert not too_many(count, times, 0.06), (claim, count)


def test_a_mix_is_not_promised_more_than_it_takes() -> None:
    # Equals: the truth is one half whatever is chosen, but against a field that differs by chance a fitted mix takes less.
    summary = equals(4, 1, 20, 3)
    assert summary["matrix"]["value"] < 0.5
    assert "[" in read(summary).partition("By these shares")[2][:200]
    assert "of the points at least" not in read(summary)


def test_an_elo_is_told_in_points_of_these_scenarios() -> None:
    made = plan(["ann", "bob"], {"farm": "orderdice"}, 100, 100)
    sides = {"farm": {"ann": 300.0, "bob": 300.0}}
    summary = told(
        play(np.random.default_rng(8), made, even(["ann", "bob"], {"farm": ""}), sides, 100, 100, nu=0.01)
    )
    assert summary["scale"]["100"] == pytest.approx(0.575, abs=0.02)
    share = round(100 * summary["scale"]["100"])
    assert f"100 Elo more is a share of about {share}%" in read(summary)


def test_what_was_planted_is_found_often_enough() -> None:
    names = ["ann", "bob"]
    seen = 0
    for seed in range(8):
        made = plan(names, TWO, 20, 30)
        strengths = {"farm": {"ann": 200.0, "bob": 0.0}, "mill": {"ann": -200.0, "bob": 0.0}}
        summary = told(play(np.random.default_rng(seed), made, strengths, {}, 20, 30))
        seen += who(summary).answer.startswith("That depends on the ")
    assert not too_few(seen, 8, 0.9), seen


def test_a_rulebook_of_one_scenario_has_no_row_of_its_own() -> None:
    """Its row would repeat that of the scenario; a rulebook of two scenarios says more than each."""
    names, games = ["ann", "bob"], 20
    for scenarios, shown in ((TWO, set()), ({**TWO, "barn": "orderdice"}, {"orderdice"})):
        made = plan(names, scenarios, games, 4)
        summary = told(play(np.random.default_rng(3), made, even(names, scenarios), {}, games, 4))
        first = {line.split()[0] for line in lines(summary) if line}
        assert first & {"orderdice", "squadhex"} == shown
        assert set(scenarios) <= first


@pytest.mark.parametrize(("names", "among"), [(["ann", "bob"], " for an agent"), (["ann"], "")])
def test_a_bias_that_is_left_open_is_that_of_one_agent(names: list[str], among: str) -> None:
    made = plan(names, {"farm": "orderdice"}, 1, 12)
    summary = told(play(np.random.default_rng(4), made, even(names, {"farm": "orderdice"}), {}, 1, 12))
    (side,) = summary["sides"]
    assert re.fullmatch(rf"too few games: \d+:\d+ could go unseen{among}", side["verdict"])


@pytest.mark.parametrize("baseline", ["", "ann", "bob"])
def test_a_gauntlets_ratings_count_from_its_baseline(baseline: str) -> None:
    """The first agent is the baseline where none is named."""
    made = plan(["ann", "bob"], {"farm": "orderdice"}, 40, 10, format="gauntlet", baseline=baseline)
    summary = told(play(np.random.default_rng(4), made, {"farm": {"ann": 100.0, "bob": 0.0}}, {}, 40, 10))
    base = baseline or "ann"
    elo = {row["agent"]: row["elo"] for row in summary["standings"][0]["rows"]}
    assert elo[base] == 0.0
    assert len(set(elo.values())) == 2
    assert f"Elo counts from {base};" in " ".join(lines(summary))


def test_the_mean_that_ratings_count_from_names_its_agents() -> None:
    """One that lost every game is rated, but has no part in the mean."""
    names = ["ann", "bob", "cid"]
    made = plan(names, {"farm": "orderdice"}, 40, 10)
    strengths = {"ann": 50.0, "bob": 0.0, "cid": -5000.0}
    summary = told(play(np.random.default_rng(4), made, {"farm": strengths}, {}, 40, 10))
    assert "Elo counts from the mean of ann, bob;" in " ".join(lines(summary))
    strengths["cid"] = 0.0
    summary = told(play(np.random.default_rng(4), made, {"farm": strengths}, {}, 40, 10))
    assert "Elo counts from the mean of the rated;" in " ".join(lines(summary))


def test_a_side_that_won_every_game_has_a_limit_and_no_value() -> None:
    """Its value comes from the prior alone."""
    made = plan(["ann", "bob"], {"farm": "orderdice"}, 20, 20)
    biased = {"farm": {"ann": 9000.0, "bob": 9000.0}}
    summary = told(play(np.random.default_rng(1), made, {"farm": {"ann": 0.0, "bob": 0.0}}, biased, 20, 20))
    (side,) = summary["sides"]
    assert (side["elo_bound"], side["high"]) == ("at least", None)
    text = read(summary)
    assert f"at least +{side['low']:.0f}" in text
    assert f"{side['elo']:,.0f}" not in text


def test_the_leader_in_the_bar_has_no_value_that_the_prior_alone_gives() -> None:
    made = plan(["ann", "bob"], {"farm": "orderdice"}, 20, 0)
    for better, shown in ((5000.0, r"ann \[\+\d+\.\.\]"), (100.0, r"ann \+\d+ \[[+-]\d+\.\.\+\d+\]")):
        strengths = {"farm": {"ann": better, "bob": 0.0}}
        assert re.fullmatch(shown, leader(play(np.random.default_rng(1), made, strengths, {}, 20, 0)))
