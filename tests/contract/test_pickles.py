"""What a search or a cluster sends to another process: battles, views, boards and scenarios as pickles."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from battlesim import Battle, KeyedDice, find_ruleset, first_state, load_scenario
from tests.shipped import FIFTH

SCENARIOS = ("stairwell", "outpost", "silo", "watch-house", FIFTH)


def battle_of(name: str, questions: int) -> Battle:
    scenario = load_scenario(name)
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(ruleset, scenario.board, first_state(scenario, 4), KeyedDice(4))
    play_on(battle, questions)
    return battle


def play_on(battle: Battle, questions: int) -> None:
    for n in range(questions):
        if battle.question is not None:
            battle.answer(battle.question.answers[(5 * n) % len(battle.question.answers)])


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_battle_that_was_pickled_goes_on_alike(name: str) -> None:
    battle = battle_of(name, 30)
    copy = pickle.loads(pickle.dumps(battle))
    assert copy.board is battle.board
    assert copy.question == battle.question
    for side in (0, 1):
        assert copy.view(side) == battle.view(side)
    before = battle.save()
    play_on(copy, 10)
    assert battle.save() == before
    play_on(battle, 10)
    assert copy.save() == battle.save()
    assert copy.log == battle.log


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_view_is_a_plain_value(name: str) -> None:
    battle = battle_of(name, 25)
    view = battle.view(0)
    assert view.news
    assert pickle.loads(pickle.dumps(view)) == view


def test_a_battle_that_is_over_can_be_pickled() -> None:
    battle = battle_of("stairwell", 10_000)
    assert battle.over
    assert pickle.loads(pickle.dumps(battle)).outcome == battle.outcome


SCRIPT = """
import pickle, sys
battle = pickle.load(sys.stdin.buffer)
while battle.question is not None and battle.state.turn < 3:
    battle.answer(battle.question.answers[0])
sys.stdout.buffer.write(battle.save())
"""


@pytest.mark.parametrize("name", ["outpost", FIFTH])
def test_another_process_plays_a_pickled_battle_on_alike(name: str) -> None:
    battle = battle_of(name, 5)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=pickle.dumps(battle), capture_output=True, check=True
    )
    while battle.question is not None and battle.state.turn < 3:
        battle.answer(battle.question.answers[0])
    assert ran.stdout == battle.save()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_fork_hears_what_was_not_heard_yet(name: str) -> None:
    battle = battle_of(name, 30)
    fork = battle.fork()
    for side in (0, 1):
        assert fork.view(side) == battle.view(side)
