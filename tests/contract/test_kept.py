"""Features are functions of the view alone: what an estimator keeps from one question to the next changes none of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from battlesim import SENSIBLE, Answer, Board, Features, View, features, find_ruleset, first_state, weigh
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


@pytest.mark.parametrize("name", NAMES[:-1])
def test_an_agent_may_change_its_view_and_look_again(name: str) -> None:
    scenario = load(name)
    ruleset, board = find_ruleset(scenario.ruleset), scenario.board
    battle = Battle(ruleset, board, first_state(scenario, 3), KeyedDice(3))
    tried = 0
    while tried < 12 and battle.question is not None:
        question = battle.question
        view, answers = battle.view(question.side), question.answers
        usual = features(view, board, view.ask, answers)
        foes = [u for u in view.units.values() if u.side != view.side and u.place >= 0]
        if foes and question.number % 3 == 0:
            tried += 1
            # What if one of them were weaker, and had fewer behind it?
            for change in ({foes[0].id: replace(foes[0], models=1)}, {foes[0].id: foes[0]}):
                view.units.update(change)
                found = features(view, board, view.ask, answers)
                assert found == afresh(view, board, answers)
            assert found == usual
            for other in (
                replace(view, forces=(view.forces[0] + 3, view.forces[1] + 3)),
                replace(view, points=(view.points[1 - view.side], view.points[view.side] + 2)),
                replace(view, extra=replace(view.extra, margin=9)),
            ):
                assert features(view, board, view.ask, answers) == usual
                found = features(other, board, view.ask, answers)
                assert found == afresh(other, board, answers)
        battle.answer(answers[5 * question.number % len(answers)])
    assert tried == 12


def afresh(view: View, board: Board, answers: Sequence[Answer]) -> list[Features]:
    """The features of a view, prepared anew: another turn was looked at before."""
    features(replace(view, turn=view.turn + 1), board, view.ask, answers)
    same = replace(view, units=view.units.copy(), structures=view.structures.copy())
    return features(same, board, same.ask, answers)
