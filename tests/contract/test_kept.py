"""Features are functions of the view alone: what an estimator keeps from one question to the next changes none of them."""

from __future__ import annotations

import pytest

from battlesim import SENSIBLE, features, find_ruleset, first_state, weigh
from battlesim.core.dice import KeyedDice
from battlesim.engine.battle import Battle
from tests.shipped import FIFTH, load

NAMES = ("skirmish", "stairwell", "square", "outpost", "firebreak", "watch-house", FIFTH)
QUESTIONS = 60


@pytest.mark.parametrize("name", NAMES)
def test_features_of_one_question_after_another_are_those_of_each_alone(name: str) -> None:
    scenario = load(name)
    board = scenario.board
    battle = Battle(find_ruleset(scenario.ruleset), board, first_state(scenario, 3), KeyedDice(3))
    asked = []
    for _ in range(QUESTIONS):
        question = battle.question
        if question is None:
            break
        view, answers = battle.view(question.ask.side), question.answers
        found = features(view, board, question.ask, answers)
        asked.append((view, question.ask, answers, found))
        worths = [weigh(one, SENSIBLE) for one in found]
        battle.answer(answers[worths.index(max(worths))])
    sides = [[row for row in asked if row[0].side == side] for side in (0, 1)]
    assert min(map(len, sides)) > 8
    for mine, theirs in (sides, sides[::-1]):
        for view, ask, answers, found in mine:
            features(theirs[0][0], board, theirs[0][1], theirs[0][2])  # what was kept is another's now
            assert features(view, board, ask, answers) == found
