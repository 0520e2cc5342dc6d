"""Two battles that differ only in what a side cannot know: what its agent is given is the same, byte for byte.

Here the twins differ in what has been counted unheard: events, the enemy's questions, and, where a rulebook hides entries of the
agenda, those. Pairs that differ in who stands where are each rulebook's own (`test_twins.py`, `test_observation.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import find_ruleset, first_state
from battlesim.core.answers import Answer
from battlesim.core.dice import KeyedDice
from battlesim.core.state import State
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.engine.header import Limits
from battlesim.engine.referee import Referee
from tests.shipped import FIFTH, load

NAMES = ("skirmish", "village", "silo", "outpost", "bastion", "monastery", FIFTH)
HIDE_DUES = ("orderdice", "armorclass")
"""Rulebooks that hide entries of the agenda: those of reserves."""
ASKED, BEFORE = 30, 40


class Noting:
    """Answers by turns, and writes down everything it is given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def start(self, board: Any, side: int, chance: Chance) -> None:
        self.chance = chance

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        if len(self.given) == ASKED:
            raise StopIteration  # one lost question, and the battle is over
        assert ask == view.ask
        news = tuple(view.news)
        told = (view, news, ask, tuple(answers), self.chance.number, self.chance.bits())
        self.given.append(repr(told))
        return answers[7 * len(self.given) % len(answers)]


def unheard(state: State, side: int, scheduled: int) -> State:
    """The position after more that a side has not heard of."""
    twin = state.clone()
    asked = list(twin.questions)
    asked[1 - side] += 17
    twin.questions = (asked[0], asked[1])
    twin.events += 1_000
    twin.serial += scheduled
    twin.stack = tuple(replace(i, cause=i.cause + 1_000) if i.cause >= 0 else i for i in twin.stack)
    return twin


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_unheard_is_not_counted(name: str, side: int) -> None:
    scenario = load(name)
    ruleset, dice = find_ruleset(scenario.ruleset), KeyedDice(5)
    battle = Battle(ruleset, scenario.board, first_state(scenario, 5), dice)
    for number in range(BEFORE):
        assert battle.question is not None
        battle.answer(battle.question.answers[5 * number % len(battle.question.answers)])
    given = []
    for state in (battle.state.clone(), unheard(battle.state, side, 3 * (ruleset.name in HIDE_DUES))):
        agents = Noting(), Noting()
        twin = Battle(ruleset, scenario.board, state, dice)
        Referee(twin, agents, (1, 2), Limits(faults=1)).play_out()
        given.append(agents[side].given)
    assert len(given[0]) > 10
    for one, other in zip(*given, strict=True):
        assert one == other
