"""Playing on: common dice, fair pairs, plans, candidates, budgets."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import position_value
from battlesim.core.answers import Answer
from battlesim.core.errors import InputError
from battlesim.engine.budget import THINKING, Budget, BudgetSpent
from battlesim.search import playouts
from battlesim.search.plans import likely_plans
from battlesim.search.playouts import (
    Candidate,
    Prior,
    best_by_features,
    best_candidate,
    compare,
    feature_scores,
    lead_over,
    play_on,
    shortfalls,
)
from tests.search.battles import battle_of, first

TURN = 1_000


def test_the_same_answer_under_the_same_dice_comes_out_alike() -> None:
    """So what is left of a difference is the answer's own doing."""
    battle = battle_of("square")
    assert battle.question is not None
    answer = battle.question.answers[0]
    one, two = compare(
        battle.view(battle.question.side),
        battle.board,
        [answer, answer],
        best_by_features,
        lambda state, board, ruleset, side: float(sum(u.models for u in state.units.values())),
        7,
        samples=3,
        until=TURN,
        budget=Budget(),
    )
    assert one.values == two.values
    assert len(one.values) == 3
    assert lead_over(one, two) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("number", "behind", "samples", "says"),
    [
        (0, (), 1, "there are no plans to compare"),
        (2, (0.1,), 1, "behind has 1 numbers for 2 plans"),
        (1, (0.1, 0.2), 1, "behind has 2"),
        (2, (), 0, "samples=0 compares nothing; give 1 or more"),
        (2, (), -3, "samples=-3 compares nothing"),
    ],
)
def test_plans_that_cannot_be_compared_are_refused(
    number: int, behind: tuple[float, ...], samples: int, says: str
) -> None:
    battle = battle_of("square")
    assert battle.question is not None
    view, answers = battle.view(battle.question.side), battle.question.answers[:number]
    with pytest.raises(InputError, match=says):
        compare(
            view,
            battle.board,
            answers,
            first,
            position_value,
            7,
            samples=samples,
            until=1,
            budget=Budget(),
            behind=behind,
        )


@pytest.mark.slow
def test_samples_differ_and_seeds_do() -> None:
    battle = battle_of("square")
    assert battle.question is not None
    view = battle.view(battle.question.side)

    def tried(seed: int) -> list[list[float]]:
        found = compare(
            view,
            battle.board,
            battle.question.answers[:2],  # type: ignore[union-attr]
            best_by_features,
            lambda state, board, ruleset, side: float(state.events),
            seed,
            samples=3,
            until=TURN,
            budget=Budget(),
        )
        return [one.values for one in found]

    assert tried(1) == tried(1)
    assert tried(1) != tried(2)
    assert len(set(tried(1)[0])) > 1


@pytest.mark.parametrize(
    ("own", "agents", "spent", "found"),
    [
        (Budget(1000), None, 99, True),
        (Budget(1000), None, 100, False),
        (Budget(1000), Budget(), 99, True),
        (Budget(1000), Budget(200), 19, True),
        (Budget(1000), Budget(200), 20, False),
        (Budget(), Budget(200), 19, True),
        (Budget(), None, 0, False),
        (Budget(1000), Budget(0, 50), 0, False),
    ],
)
def test_samples_are_cheap_while_they_are_a_small_part_of_the_tightest_budget(
    own: Budget, agents: Budget | None, spent: int, found: bool
) -> None:
    own.spent = spent
    if agents is not None:
        agents.spent = spent  # what an agent imagines counts in both
    token = THINKING.set(agents)
    try:
        assert playouts.cheap(own) is found
    finally:
        THINKING.reset(token)


def test_a_spent_budget_leaves_whole_samples_only() -> None:
    battle = battle_of("square")
    assert battle.question is not None
    budget = Budget(40)
    found = compare(
        battle.view(battle.question.side),
        battle.board,
        battle.question.answers[:3],
        best_by_features,
        lambda state, board, ruleset, side: 0.0,
        7,
        samples=50,
        until=200,
        budget=budget,
    )
    assert budget.spent == 40
    assert len({len(one.values) for one in found}) == 1


def test_playing_on_stops_at_the_time_or_the_budget() -> None:
    battle = battle_of("stairwell")
    play_on(battle, first, TURN, Budget())
    assert battle.state.now >= TURN or battle.over
    with pytest.raises(BudgetSpent):
        play_on(battle_of("stairwell"), first, TURN, Budget(3))
    budget = Budget()
    play_on(battle_of("stairwell"), first, TURN, budget, longest=5)
    assert budget.spent == 5


@pytest.mark.parametrize("said", [None, Answer()], ids=["nothing", "another answer"])
def test_a_policy_that_gives_no_legal_answer_is_refused(said: Any) -> None:
    battle = battle_of("stairwell")
    assert battle.question is not None
    view, answers = battle.view(battle.question.side), battle.question.answers[:2]

    def policy(view: Any, board: Any, ask: Any, answers: Sequence[Answer]) -> Any:
        return said

    with pytest.raises(
        InputError, match=r"the policy's answer .* is not legal for .*; return one of `answers`"
    ):
        compare(
            view,
            battle.board,
            answers,
            policy,
            position_value,
            7,
            samples=1,
            until=view.now + TURN,
            budget=Budget(),
        )


def test_a_plan_is_carried_out_while_its_questions_come() -> None:
    """And given up at the first that it was not meant for."""
    battle, said = battle_of("drones"), list[int]()
    assert battle.question is not None
    battle.answer(battle.question.answers[0])  # who has the initiative
    assert battle.question is not None
    side = battle.question.side
    plans = likely_plans(battle, feature_scores, (2, 2, 2), Budget())
    deep = max(plans, key=len)
    assert len(deep) > 1
    assert len({tuple(plan) for plan in plans}) == len(plans)

    def noting(view: Any, board: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        said.append(view.side)
        return answers[0]

    fork = battle.fork()
    play_on(fork, noting, TURN, Budget(), deep, side, longest=len(deep))
    assert said.count(side) == 0
    stray = (deep[0], deep[1]._replace(ask="Nothing"))
    fork = battle.fork()
    play_on(fork, noting, TURN, Budget(), stray, side, longest=len(deep))
    assert said.count(side) > 0


@pytest.mark.parametrize("name", ["stairwell", "square", "drones", "watch-house"])
def test_plans_stay_within_one_activation(name: str) -> None:
    """The first of them is what greedy would do; a plan is of one unit, once it is chosen."""
    battle = battle_of(name)
    for _ in range(25):
        question = battle.question
        assert question is not None
        plans = likely_plans(battle, feature_scores, (3, 2, 1, 1), Budget())
        view = battle.view(question.side)
        best = best_by_features(view, battle.board, view.ask, question.answers)
        assert plans[0][0].answer == best
        assert len(plans) <= 6
        for plan in plans:
            assert plan[0].fits(question)
            assert len({step.unit for step in plan[1:]}) <= 1
        battle.answer(best)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"first": "stairwell"}, "plans are found in a battle, not in a str"),
        ({"scores": 3}, "scores=3 is not a function"),
        ({"widths": 3}, "widths=3 will not do"),
        ({"widths": ()}, "will not do"),
        ({"widths": (3, 0)}, "will not do"),
        ({"widths": ("a",)}, "will not do"),
        ({"budget": 400}, "budget=400 is not a budget"),
    ],
)
def test_plans_refuse_arguments_of_the_wrong_type(wrong: dict[str, Any], told: str) -> None:
    given = {"first": battle_of("stairwell"), "scores": feature_scores, "widths": (3, 2), "budget": Budget()}
    with pytest.raises(InputError) as raised:
        likely_plans(**{**given, **wrong})
    assert told in str(raised.value)


def test_a_lead_is_of_the_samples_that_both_have() -> None:
    lead, error = lead_over(Candidate((), [1.0, 2.0, 9.0]), Candidate((), [0.0, 0.0]))
    assert lead == 1.5
    assert error == pytest.approx(0.5)
    assert lead_over(Candidate((), [1.0]), Candidate((), [0.0])) == (0.0, inf)


def test_doubt_counts_as_samples_that_disagree() -> None:
    """Two samples that happen to agree prove nothing; many that agree do."""
    leads = [Candidate((), [0.51] * n) for n in (2, 200)]
    usual = Candidate((), [0.5] * 200)
    assert lead_over(leads[0], usual)[1] < 1e-9
    few, many = (lead_over(one, usual, 0.1) for one in leads)
    assert few[0] == many[0] == pytest.approx(0.01)
    assert few[1] == pytest.approx(sqrt(2 * 0.01 / 3 / 2))
    assert few[0] < few[1]
    assert many[0] > many[1]


def test_the_usual_candidate_is_left_by_the_rule_of_bayes() -> None:
    """Against a normal prior of mean -0.02 and deviation 0.05, a lead of 0.1 with an error of 0.05 makes a mean of 0.04; the same
    lead with an error of 0.2 makes one below 0."""
    prior = Prior(differ=0.05, head_start=0.02, doubt=0.0)
    usual = Candidate((), [0.5] * 4)
    noise = [0.1, -0.1, 0.1, -0.1]  # an error of the mean of 0.1 / sqrt(3)
    clear = Candidate((), [0.6 + 0.5 * sqrt(3) * one for one in noise])
    vague = Candidate((), [0.6 + 2 * sqrt(3) * one for one in noise])
    assert lead_over(clear, usual) == (pytest.approx(0.1), pytest.approx(0.05))
    assert best_candidate([usual, clear], prior) is clear
    assert best_candidate([usual, vague], prior) is usual
    assert prior.gain(clear, usual) == (pytest.approx(0.04), pytest.approx(0.05 / sqrt(2)))
    clear.behind = 0.09
    wide = 0.05**2 + 0.09**2
    assert prior.gain(clear, usual)[0] == pytest.approx((0.1 * wide - 0.11 * 0.05**2) / (wide + 0.05**2))
    clear.behind = 0.0
    assert best_candidate([usual, vague, clear], prior) is clear
    # The mean is 0 where the lead is head_start * (error / differ) ** 2.
    assert best_candidate([usual, clear], Prior(0.05, 0.099, 0.0)) is clear
    assert best_candidate([usual, clear], Prior(0.05, 0.101, 0.0)) is usual
    assert best_candidate([usual, Candidate((), [0.9])], prior) is usual, "one sample shows nothing"
    assert best_candidate([usual, Candidate((), [0.51] * 4)], prior) is not usual, "what is certain counts"


def test_the_luckiest_of_many_equals_is_seldom_taken() -> None:
    """Three others that are as good as the usual one, each with eight samples as noisy as won and lost games."""
    chance, taken = Random(5), 0
    for _ in range(400):
        found = [Candidate((), [float(chance.random() < 0.5) for _ in range(8)]) for _ in range(4)]
        taken += best_candidate(found, Prior(0.05, 0.02, 0.2)) is not found[0]
    assert taken < 0.25 * 400


def test_a_shortfall_is_a_share_of_what_is_left_of_ones_own() -> None:
    battle = battle_of("stairwell")
    assert battle.question is not None
    side, worth = battle.question.side, battle.ruleset.worth
    force = sum(worth(unit) for unit in battle.state.living(side))
    assert force > 0
    view = battle.view(side)
    assert shortfalls(view, [5.0, 5.0 + force / 10, 5.0]) == [pytest.approx(0.1), 0.0, pytest.approx(0.1)]
    assert shortfalls(view, [0.0, -1e9]) == [0.0, 0.5], "'never' is a half"
    dead = next(unit for unit in battle.state.living(side))
    battle.state.units[dead.id] = replace(dead, alive=False)
    less = force - worth(dead)
    assert shortfalls(battle.view(side), [0.0, -less / 4]) == [0.0, pytest.approx(0.25)]


def test_samples_are_not_cheap_once_earlier_comparisons_have_spent_the_budget() -> None:
    """An agent may compare several times at one question, each time under a new budget of its own."""
    agents = Budget(1000)
    agents.spent = 900
    token = THINKING.set(agents)
    try:
        assert not playouts.cheap(Budget(100))
        assert not playouts.cheap(Budget())
        agents.spent = 95
        assert playouts.cheap(Budget(100))
    finally:
        THINKING.reset(token)
