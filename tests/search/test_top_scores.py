"""The scores that rule out answers by a bound lead to the same answers as judging all of them in full."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from battlesim import (
    Battle,
    KeyedDice,
    features,
    find_ruleset,
    first_state,
    judgement,
    load_scenario,
    parameters,
    shipped_scenarios,
    top_scores,
    weigh,
    weights_of,
)

OTHERS: dict[str, dict[str, float]] = {
    "orderdice": {"exposure": 1.5, "prospect": 0.0, "hold": 0.5},
    "armorclass": {"exposure": 2.0, "dealt": 3.0, "hold": 0.5},
}
"""Other judgements than the usual one."""


def questions(name: str, seed: int, most: int) -> Any:
    """The views and questions of a game that greedy plays against itself."""
    scenario = load_scenario(name)
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))
    for _ in range(most):
        if (question := battle.question) is None:
            return
        view = battle.view(question.side)
        yield scenario.board, view, question.answers
        scores = top_scores(view, scenario.board, view.ask, question.answers)
        battle.answer(question.answers[scores.index(max(scores))])


def compare(name: str, seed: int, most: int) -> tuple[int, int]:
    """Compares all questions of a game; how many answers there were, and how many were ruled out."""
    seen = out = 0
    for board, view, answers in questions(name, seed, most):
        for settings in ({}, OTHERS.get(view.ruleset, {})):
            judged = judgement(view.ruleset, **settings)
            found = top_scores(view, board, view.ask, answers, judged)
            full = [
                weigh(one, weights_of(judged)) for one in features(view, board, view.ask, answers, judged)
            ]
            best = max(full)
            assert [n for n, score in enumerate(found) if score == best] == [
                n for n, score in enumerate(full) if score == best
            ]
            assert all(
                score == whole or (score == -inf and whole < best)
                for score, whole in zip(found, full, strict=True)
            )
            seen += len(answers)
            out += found.count(-inf)
    return seen, out


@pytest.mark.parametrize("name", ["stairwell", "skirmish", "drones", "firebreak", "square", "watch-house"])
def test_the_best_answers_are_those_of_judging_all_in_full(name: str) -> None:
    seen, out = compare(name, 3, 60)
    assert seen > 200
    if load_scenario(name).ruleset in OTHERS:
        assert out > seen / 20


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in shipped_scenarios() if name != "helsinki-quarter"])
def test_the_best_answers_are_those_of_judging_all_in_full_everywhere(name: str) -> None:
    if load_scenario(name).ruleset in OTHERS:
        compare(name, 11, 400)


def test_other_judgements_are_of_their_rulebook() -> None:
    for ruleset, settings in OTHERS.items():
        assert settings.keys() <= {one.name for one in parameters(ruleset)}
