"""Hypothesis strategies of maps, scenarios and battles under any rulebook, for tests of your own rulebooks. Read `scenarios`.

    from hypothesis import given
    from battlesim.stress.fuzz_strategies import battles, checked_cases, scenarios

    @given(battles("myrules"))
    def test_nobody_is_in_two_places(battle):
        ...

    @given(checked_cases("myrules"))          # all laws that hold for every rulebook
    def test_the_laws_hold(played):
        assert played.questions >= 0

The parts of scenarios come from those that your rulebook brings (`vocabulary_of`); give your own `Vocabulary` to change that.
Hypothesis shrinks failing cases.
"""

from __future__ import annotations

from hypothesis import reject
from hypothesis import strategies as st

from battlesim.board.board import Board
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import InputError
from battlesim.engine.battle import Battle
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state
from battlesim.stress.fuzz_checks import CasePlayed, play_case
from battlesim.stress.fuzz_choices import Choices
from battlesim.stress.fuzz_maps import random_map
from battlesim.stress.fuzz_scenarios import Vocabulary, random_scenario, vocabulary_of

MOST_CHOICES = 400
"""The most drawn numbers of a case; further choices are the simplest."""
ANSWERS = 60
"""The most questions of a battle that are answered before it is handed out."""


def _choices() -> st.SearchStrategy[Choices]:
    numbers = st.lists(st.integers(0, 255), max_size=MOST_CHOICES)
    return numbers.map(lambda given: Choices(given))


def maps(unit: str = "inch") -> st.SearchStrategy[Board]:
    """Valid maps of a few cells; `unit`: "inch" or "hex"."""
    return _choices().map(lambda choices: random_map(choices, unit))


def scenarios(ruleset: str, words: Vocabulary | None = None) -> st.SearchStrategy[Scenario]:
    """Valid scenarios under a rulebook."""
    known = words or vocabulary_of(ruleset)

    def made(choices: Choices) -> Scenario:
        try:
            return random_scenario(choices, known)
        except InputError:
            reject()

    return _choices().map(made)


@st.composite
def battles(draw: st.DrawFn, ruleset: str, words: Vocabulary | None = None) -> Battle:
    """Battles at some question, or over: a scenario of `scenarios`, and some answers."""
    scenario = draw(scenarios(ruleset, words))
    seed = draw(st.integers(0, 1 << 16))
    battle = Battle(find_ruleset(ruleset), scenario.board, first_state(scenario, seed), KeyedDice(seed))
    for number in draw(st.lists(st.integers(0, 499), max_size=ANSWERS)):
        if battle.question is None:
            break
        battle.answer(battle.question.answers[number % len(battle.question.answers)])
    return battle


def checked_cases(ruleset: str, words: Vocabulary | None = None) -> st.SearchStrategy[CasePlayed]:
    """Whole battles, played with every check of `fuzz_checks.play_case`; drawing one raises BrokenLaw if a law is broken."""
    known = words or vocabulary_of(ruleset)

    def made(choices: Choices) -> CasePlayed:
        played = CasePlayed()
        try:
            play_case(choices, known, played)
        except InputError:
            if played.scenario is not None:
                raise
            reject()
        return played

    return _choices().map(made)
