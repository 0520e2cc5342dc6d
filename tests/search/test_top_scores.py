"""The scores that rule out answers by a bound lead to the same answers as judging all of them in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Any

import pytest

from battlesim import (
    Answer,
    Battle,
    Board,
    InputError,
    KeyedDice,
    View,
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

BOUNDED = ("orderdice", "armorclass", "regiment", "squadhex")
"""The rulebooks that have bounds."""


def drawn(ruleset: str, dice: Random) -> dict[str, float]:
    """Some parameters of judgement, from their lowest to three times the default."""
    return {
        one.name: dice.uniform(one.low, max(one.low, min(one.high, 3 * one.default)))
        for one in parameters(ruleset)
        if dice.random() < 0.3
    }


def questions(name: str, seed: int, most: int) -> Iterator[tuple[Board, View, Sequence[Answer]]]:
    """The views and questions of a game. Half of the answers are greedy's, half are drawn: so units come to odd places."""
    scenario = load_scenario(name)
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))
    dice = Random(seed)
    for _ in range(most):
        if (question := battle.question) is None:
            return
        view = battle.view(question.side)
        yield scenario.board, view, question.answers
        scores = top_scores(view, scenario.board, view.ask, question.answers)
        best = question.answers[scores.index(max(scores))]
        battle.answer(best if dice.random() < 0.5 else dice.choice(question.answers))


def compare(board: Board, view: View, answers: Sequence[Answer], settings: dict[str, float]) -> int:
    """Compares all answers to a question. How many were ruled out."""
    judged = judgement(view.ruleset, **settings)
    found = top_scores(view, board, view.ask, answers, judged)
    full = [weigh(one, weights_of(judged)) for one in features(view, board, view.ask, answers, judged)]
    best = max(full)
    assert all(
        score == whole or (score == -inf and whole < best) for score, whole in zip(found, full, strict=True)
    ), (view.ask, settings)
    return found.count(-inf)


def compare_game(name: str, seed: int, most: int) -> tuple[int, int]:
    """Compares all questions of a game, under the usual judgement and one that is drawn. How many answers there were, and how
    many were ruled out."""
    seen = out = 0
    dice = Random(seed)
    for board, view, answers in questions(name, seed, most):
        for settings in ({}, drawn(view.ruleset, dice)):
            seen += len(answers)
            out += compare(board, view, answers, settings)
    return seen, out


@pytest.mark.parametrize("name", ["stairwell", "skirmish", "drones", "firebreak", "square", "watch-house"])
def test_the_best_answers_are_those_of_judging_all_in_full(name: str) -> None:
    seen, out = compare_game(name, 3, 60)
    assert seen > 200
    if load_scenario(name).ruleset in BOUNDED:
        assert out > seen / 20


@pytest.mark.parametrize("wrong", [3, "x", judgement("squadhex")])
def test_a_judgement_of_another_rulebook_is_refused(wrong: Any) -> None:
    board, view, answers = next(questions("stairwell", 1, 1))
    for found in (features, top_scores):
        with pytest.raises(InputError, match="is not a judgement of orderdice"):
            found(view, board, view.ask, answers, wrong)


@pytest.mark.parametrize("name", ["stairwell", "square", "watch-house"])
def test_what_an_answer_promises_does_not_hang_on_which_others_are_asked_about(name: str) -> None:
    """Regiments told a placeholder for places that could not be the best. Armour classes are left out: of the places where nobody
    is known to be they judge only the most promising in full."""
    asked = 0
    for board, view, answers in questions(name, 5, 40):
        together = features(view, board, view.ask, answers)
        for number in range(0, len(answers), 1 + len(answers) // 10):
            assert features(view, board, view.ask, [answers[number]]) == [together[number]], view.ask
            asked += 1
    assert asked > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in shipped_scenarios() if name != "helsinki-quarter"])
def test_the_best_answers_are_those_of_judging_all_in_full_everywhere(name: str) -> None:
    if load_scenario(name).ruleset in BOUNDED:
        for seed in (11, 12, 13):
            compare_game(name, seed, 400)
