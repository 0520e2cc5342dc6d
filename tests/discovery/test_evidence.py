"""Mining and intervention on made-up games: what was planted is found, and nothing is found where there is nothing."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from battlesim.batch.rows import mask_of
from battlesim.discovery.card_facts import clauses_that_bear
from battlesim.discovery.cards import ABSENT, DOUBTFUL, HARMS, HOLDS, LIKELY, UNSEEN, verdict_of
from battlesim.discovery.contrasts import Contrast, Listed, with_tactics
from battlesim.discovery.intervention import (
    FEWEST,
    RATE,
    Figure,
    costs,
    effect_of,
    exact_p,
    gains,
    is_confirmed,
    is_seen,
    judged,
    opposite_costs,
)
from battlesim.discovery.mining import Pattern, associations, differences, mine, shares
from battlesim.discovery.tactic import parse_tactic
from battlesim.discovery.watching import FORMAT, SEPARATOR, Counts, WatchedRow
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from tests.discovery.made_up_games import FIRST, compared_games, mined_games, situation, tried_games


def test_shares_are_counted_over_all_situations_of_a_pattern() -> None:
    done = {situation(Random(1)): {"order:fire": (4, 1)}, situation(Random(2)): {"order:fire": (2, 2)}}
    found = shares(done)
    assert found[Pattern("order:fire")] == 3 / 6
    assert found[Pattern("order:fire", (("time", FIRST[7]),))] == 3 / 6
    assert all(len(pattern.when) <= 2 for pattern in found)


@pytest.mark.slow
def test_what_was_planted_is_mined_with_its_sign() -> None:
    rows, contrasts = mined_games(3, 200, ("order:run",), 0.35)
    found, looked = mine(rows, contrasts, 8)
    assert looked > 100
    assert found[0].pattern.act == "order:run"
    assert found[0].q < 0.001
    assert found[0].low > 0
    assert str(found[0].tactic).startswith("always order:run")
    rows = {number: replace(row, score=1 - row.score, margin=-row.margin) for number, row in rows.items()}
    assert str(mine(rows, contrasts, 8)[0][0].tactic).startswith("never order:run")


@pytest.mark.slow
def test_the_order_of_two_players_means_nothing() -> None:
    rows, contrasts = mined_games(5, 60, ("order:run",), 0.3)
    swapped = [
        Contrast(one.subject, one.scenario, one.side, one.seed, one.other, one.one)
        if one.subject % 3 == 0
        else one
        for one in contrasts
    ]
    one, other = (associations(*differences(rows, pairs)) for pairs in (contrasts, swapped))
    assert [row.pattern for row in one] == [row.pattern for row in other]
    assert np.allclose([row.slope for row in one], [row.slope for row in other])
    assert np.allclose([row.p for row in one], [row.p for row in other])


@pytest.mark.slow
def test_games_that_broke_off_count_for_nothing() -> None:
    rows, contrasts = mined_games(5, 60, ("order:run",), 0.3)
    wrong = {**rows, 0: replace(rows[0], failed="it hung")}
    assert associations(*differences(wrong, contrasts)) == associations(*differences(rows, contrasts[1:]))


@pytest.mark.slow
def test_mining_finds_nothing_where_there_is_nothing_but_as_often_as_declared() -> None:
    """In 20 made-up studies without any effect, a pattern is told in about one: chance of more than 4 is below 1%. `python -m
    tests.discovery.measure_evidence` plays many more."""
    false = 0
    for seed in range(20):
        found = associations(*differences(*mined_games(100 + seed, 30)))
        false += any(one.q <= RATE for one in found)
    assert false <= 4


@pytest.mark.slow
def test_candidates_differ_and_some_are_about_buildings() -> None:
    rows, contrasts = mined_games(3, 120, ("order:run", "go:nearer"), 0.2)
    found, _ = mine(rows, contrasts, 6, reserved=2)
    assert len(found) == 6
    assert sum(one.pattern.act == "at:building" for one in found) >= 2
    assert len({one.pattern for one in found}) == 6
    assert any(one.related for one in found)


@given(st.lists(st.sampled_from((-1.0, -0.5, -0.25, 0.0, 0.5, 1.0)), max_size=8))
def test_the_exact_p_value_is_the_share_of_signs_that_go_as_far(differences: list[float]) -> None:
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    assert exact_p(differences) == pytest.approx(sum(total >= seen - 1e-9 for total in sums) / len(sums))


def test_an_effect_that_was_planted_is_confirmed_and_told_with_its_size() -> None:
    rows, every = tried_games(1, (0.4, 0.0, -0.4), 60)
    found = judged([effect_of(rows, pairs) for pairs in every])
    assert [is_confirmed(one) for one in found] == [True, False, False]
    up, none, down = found
    assert up is not None
    assert none is not None
    assert down is not None
    assert up.score.low is not None
    assert up.score.high is not None
    assert up.score.low < 0.4 < up.score.high
    assert up.margin.value > 0
    assert (up.seeds, up.games, up.dosed, up.bore, up.changed) == (60, 120, 1.0, 3.0, 2.0)
    assert down.q <= RATE
    assert down.score.value < 0
    assert none.p <= none.q


def test_the_dose_is_told_apart() -> None:
    rows, every = tried_games(2, (0.5,), 60, bears=0.25)
    effect = effect_of(rows, every[0])
    assert effect is not None
    assert 0.1 < effect.dosed < 0.4
    assert effect.score.value < 0.3
    rows, every = tried_games(2, (0.5,), 60, bears=0.0)
    (nothing,) = judged([effect_of(rows, every[0])])
    assert nothing is not None
    assert (nothing.dosed, nothing.told, nothing.p, nothing.score.value) == (0.0, 0, 1.0, 0.0)


def test_what_too_few_seeds_tell_of_is_not_confirmed_but_counts_as_tested() -> None:
    rows, every = tried_games(4, (1.0,), FEWEST - 1)
    (found,) = judged([effect_of(rows, every[0])])
    assert found is not None
    assert found.p < RATE
    assert found.q == 1.0
    assert not is_confirmed(found)


def test_seeds_whose_sides_cancel_out_ended_differently() -> None:
    """The same side wins, whichever side keeps to the tactic: each pair differs, but their means do not."""
    rows, pairs = {}, []
    for number in range(4 * FEWEST):
        tactic, side = number % 2 == 0, number // 2 % 2
        rows[number] = WatchedRow(FORMAT, number, float(tactic), 1.0 if tactic else -1.0)
        if not tactic:
            pairs.append(Contrast(0, "made-up", side, number // 4, number - 1, number))
    effect = effect_of(rows, pairs)
    assert effect is not None
    assert (effect.seeds, effect.told, effect.score.value, effect.p) == (FEWEST, FEWEST, 0.0, 1.0)


@pytest.mark.slow
def test_no_more_is_confirmed_than_the_rate_allows() -> None:
    """In 150 made-up studies of eight tactics that do nothing, one is confirmed in at most one study of twenty, in the mean:
    chance of more than 15 is below 1%."""
    false = 0
    for seed in range(150):
        rows, every = tried_games(1_000 + seed, (0.0,) * 8, 20)
        false += any(map(is_seen, judged([effect_of(rows, pairs) for pairs in every])))
    assert false <= 15


@pytest.mark.slow
def test_of_what_is_confirmed_at_most_one_in_twenty_is_false() -> None:
    """40 studies of eight tactics of which three help: the share of false finds among all."""
    true = false = 0
    for seed in range(40):
        rows, every = tried_games(5_000 + seed, (0.45, 0.45, 0.45, 0.0, 0.0, 0.0, 0.0, 0.0), 30)
        told = [is_confirmed(one) for one in judged([effect_of(rows, pairs) for pairs in every])]
        true, false = true + sum(told[:3]), false + sum(told[3:])
    assert true >= 90
    assert false / (true + false) <= 0.08


@pytest.mark.slow
def test_harm_of_the_opposites_makes_nothing_better_than_the_base_player() -> None:
    """In 150 made-up studies of six tactics that do nothing, and whose opposites do harm, one is called better or worse than the
    base player's own judgement in at most one study of twenty, in the mean: chance of more than 15 is below 1%."""
    false = harmful = 0
    for seed in range(150):
        rows, every = compared_games(seed, (0.0,) * 6, (-0.4,) * 6, 24)
        found = judged([effect_of(rows, pairs) for pairs in every])
        false += any(gains(one) or costs(one) for one in found)
        harmful += sum(map(opposite_costs, found))
    assert harmful >= 0.95 * 150 * 6  # that is what is told of them instead
    assert false <= 15


def test_what_beats_the_base_player_is_told_with_its_size() -> None:
    rows, every = compared_games(7, (0.3, 0.0, -0.3), (0.0, -0.3, -0.3), 80)
    found = judged([effect_of(rows, pairs) for pairs in every])
    assert [gains(one) for one in found] == [True, False, False]
    assert [costs(one) for one in found] == [False, False, True]
    assert [opposite_costs(one) for one in found] == [False, True, True]
    assert found[0] is not None
    assert found[0].kept.low is not None
    assert found[0].kept.high is not None
    assert found[0].kept.low < 0.3 < found[0].kept.high


def test_equal_differences_are_not_known_for_sure_and_no_interval_leaves_what_can_be() -> None:
    rows, every = compared_games(1, (0.5, 0.5), (-0.5, -0.5), 20)
    effect = effect_of(rows, every[0])
    assert effect is not None
    assert (effect.score.value, effect.score.high) == (1.0, 1.0)
    assert effect.score.low is not None
    assert 0.6 < effect.score.low < 0.95  # twenty of twenty: at most 17% of all others, each -100% at worst
    for figure in (effect.kept, effect.opposite):
        assert figure.low is not None
        assert figure.high is not None
        assert -0.5 <= figure.low < figure.high <= 0.5
    one_side = [pair for pair in every[0] if pair.side == 0]
    alone = effect_of(rows, one_side)
    assert alone is not None
    assert alone.sides[1] is None
    assert alone.sides[0] == alone.score


def test_what_no_tactic_can_name_is_no_candidate() -> None:
    """An installed rulebook may have answers without a word; a study that chose one could not go on."""
    random, key = Random(1), SEPARATOR.join(FIRST)
    rows, pairs = {}, []
    for number in range(60):
        for game in (2 * number, 2 * number + 1):
            did = random.randrange(5)
            won = float(did >= 2)
            done: Counts = {key: {"charge:sideways": (4, did), "order:run": (4, random.randrange(5))}}
            rows[game] = WatchedRow(FORMAT, game, won, 2 * won - 1, done=(done, {}))
        pairs.append(Contrast(number, "made-up", 0, number, 2 * number, 2 * number + 1))
    found, looked = mine(rows, pairs, 8)
    assert {one.pattern.act for one in found} == {"order:run"}
    assert looked == 1 + 10 + 45


@pytest.mark.parametrize(
    ("value", "q", "verdict"),
    [(0.3, 0.01, HOLDS), (0.3, 0.2, LIKELY), (0.1, 0.01, UNSEEN), (-0.3, 0.2, DOUBTFUL), (-0.3, 0.01, HARMS)],
)
def test_what_is_likely_elsewhere_is_told_apart_from_what_is_not_seen(
    value: float, q: float, verdict: str
) -> None:
    rows, every = compared_games(1, (0.3,), (0.0,), 20)
    effect = effect_of(rows, every[0])
    assert effect is not None
    assert verdict_of(replace(effect, score=Figure(value, value - 0.2, value + 0.2), q=q)) == verdict
    assert verdict_of(replace(effect, dosed=0.0)) == verdict_of(None) == ABSENT


def test_clauses_that_only_seem_to_bear_more_often_are_not_told() -> None:
    names = [clause.id for clause in read_clauses(find_ruleset("orderdice").folder)]
    rows, pairs = {}, []
    for number in range(60):
        common = names[0:1] if number % 2 else []
        surely, hardly = names[1:2] * (number % 3 > 0), names[2:3] * (number < 4)
        for game, named in ((2 * number, [*common, *surely, *hardly]), (2 * number + 1, common)):
            rows[game] = WatchedRow(FORMAT, game, 0.5, 0.0, clauses=mask_of("orderdice", frozenset(named)))
        pairs.append(Contrast(0, "stairwell", 0, number, 2 * number, 2 * number + 1))
    assert [bears.clause for bears in clauses_that_bear(rows, pairs, "orderdice")] == [names[1]]


def test_games_are_shared_where_they_are_the_same() -> None:
    listed = Listed()
    for subject, tactic in enumerate(("always order:fire", "never order:run")):
        one = parse_tactic(tactic)
        players = with_tactics("greedy", [one]), with_tactics("greedy", [one.opposite])
        for side in (0, 1):
            listed.contrast(subject, "stairwell", side, 7, players, "greedy", "greedy")
    assert len(listed.contrasts) == 4
    assert len(listed.requests) == 9  # eight of their own, and one of the base player against itself
    assert len({pair.base for pair in listed.contrasts}) == 1


def test_new_tactics_bear_before_those_that_a_player_has() -> None:
    once = with_tactics("doctrine,character=assault", ["never order:wait"])
    assert once == "tactician,base=doctrine+character=assault,tactics=never order:wait"
    twice = with_tactics(once, ["always order:wait"])
    assert twice == "tactician,base=doctrine+character=assault,tactics=always order:wait; never order:wait"
    assert with_tactics("greedy", []) == "greedy"
