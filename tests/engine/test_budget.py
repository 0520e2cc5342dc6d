"""Budgets of imagination: counted whoever imagines, kept by the referee, repeatable where they are counted in questions."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from threading import Event, Thread
from typing import Any, ClassVar

import pytest

from battlesim import (
    Answer,
    Battle,
    Board,
    Chance,
    KeyedDice,
    compare,
    find_ruleset,
    outcomes,
    play,
    position_value,
    quick_answer,
)
from battlesim.core.errors import InputError, RuleError
from battlesim.core.events import Asked
from battlesim.engine.brief import Brief
from battlesim.engine.budget import THINKING, Allowance, Budget, BudgetSpent
from battlesim.engine.header import Limits
from battlesim.engine.record import parse_record
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario
from tests.shipped import load


class Dreamer:
    """Answers as many questions as it may in its imagination, and remembers how many that were."""

    kept: ClassVar[list[int]] = []
    told: ClassVar[list[Brief]] = []

    def start(self, board: Board, side: int, chance: Chance, brief: Brief) -> None:
        self.board, self.brief = board, brief
        Dreamer.told.append(brief)

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        ruleset, dice = find_ruleset(view.ruleset), KeyedDice(3)
        first = Battle(ruleset, self.board, ruleset.imagine(view, self.board, dice), dice)
        done = 0
        try:
            while done < 60:
                battle = first.fork()
                while battle.question is not None and done < 60:
                    battle.answer(battle.question.answers[0])
                    done += 1
        except BudgetSpent:
            assert self.brief.budget.over
        Dreamer.kept.append(done)
        return answers[0]


class Heedless(Dreamer):
    """Goes on though its budget is spent."""

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        ruleset, dice = find_ruleset(view.ruleset), KeyedDice(3)
        state = ruleset.imagine(view, self.board, dice)
        while True:
            battle = Battle(ruleset, self.board, state.clone(), dice)
            assert battle.question is not None
            battle.answer(battle.question.answers[0])


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load("square")


@pytest.fixture(autouse=True)
def _forget() -> None:
    Dreamer.kept, Dreamer.told = [], []


@pytest.mark.slow
def test_imagined_questions_are_counted_and_bounded(scenario: Scenario) -> None:
    game = play(scenario, (Dreamer, "random"), 4, Limits(questions=7))
    assert not game.faults
    assert set(Dreamer.kept) == {7}
    assert game.imagined == (7 * len(Dreamer.kept), 0)
    assert play(scenario, (Dreamer, "random"), 4).imagined[0] > game.imagined[0]


@pytest.mark.parametrize(
    ("questions", "milliseconds", "says"),
    [
        (-1, 0, "questions=-1"),
        (0, -5, "milliseconds=-5"),
        (2.5, 0, "questions=2.5"),
        (True, 0, "questions=True"),
    ],
)
def test_a_budget_is_a_whole_number_from_0(questions: Any, milliseconds: int, says: str) -> None:
    told = f"a budget of {says} will not do; give a whole number from 0, which is no limit"
    with pytest.raises(InputError, match=told):
        Budget(questions, milliseconds)


def test_a_budget_of_time_runs_from_when_it_is_made_and_says_which_limit_was_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("battlesim.engine.budget.monotonic", lambda: now)
    budget = Budget(2, 50)
    budget.spend()
    now += 0.05
    with pytest.raises(BudgetSpent, match="the budget of 50 milliseconds is spent"):
        budget.spend()
    budget.begin()
    budget.spend()
    budget.spend()
    with pytest.raises(BudgetSpent, match="the budget of 2 questions is spent"):
        budget.spend()
    assert (budget.spent, budget.total) == (2, 3)


def test_games_in_other_threads_have_budgets_of_their_own(scenario: Scenario) -> None:
    """One game begins while an agent of another thinks, and goes on after it: neither's budget is left behind."""
    thinks, goes_on = Event(), Event()

    class Slow(Dreamer):
        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            thinks.set()
            assert goes_on.wait(60)
            return answers[0]

    other = Thread(target=play, args=(scenario, (Slow, "random"), 4))
    other.start()
    assert thinks.wait(60)

    class Waiting(Dreamer):
        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            goes_on.set()
            other.join(60)
            return super().choose(view, ask, answers)

    play(scenario, (Waiting, "random"), 4, Limits(questions=7))
    assert set(Dreamer.kept) == {7}
    assert THINKING.get() is None


def test_one_who_goes_on_loses_the_question(scenario: Scenario) -> None:
    game = play(scenario, (Heedless, "random"), 4, Limits(questions=7))
    assert game.outcome.termination == "forfeit"
    assert "the budget of 7 questions is spent" in game.faults[0].what
    assert game.imagined == (70, 0)


def test_real_questions_cost_nothing(scenario: Scenario) -> None:
    game = play(scenario, ("random", "random"), 4, Limits(questions=1))
    assert game.imagined == (0, 0)
    assert not game.faults
    assert THINKING.get() is None


def test_branches_of_exact_odds_count(scenario: Scenario) -> None:
    budget = Budget(questions=2)
    budget.begin()
    THINKING.set(budget)
    try:
        battle = play_to_question(scenario)
        with pytest.raises(BudgetSpent, match="2 questions"):
            outcomes(battle.state, battle.board, battle.ruleset, answer=first)
        assert budget.spent == 2
    finally:
        THINKING.set(None)


def first(state: Any, board: Any, ask: Any, legal: Sequence[Answer]) -> Answer:
    """The first legal answer."""
    return legal[0]


def play_to_question(scenario: Scenario) -> Battle:
    """The first question of a battle."""
    from battlesim import first_state

    return Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 4), KeyedDice(4))


def test_time_is_a_budget_and_the_record_says_so(scenario: Scenario) -> None:
    game = play(scenario, (Heedless, "random"), 4, Limits(milliseconds=20, faults=2))
    assert [fault.what.partition(" (")[0] for fault in game.faults] == [
        "raised BudgetSpent: the budget of 20 milliseconds is spent"
    ] * 2
    record = parse_record(game.record(), "x")
    assert not record.header.options.repeatable
    assert "clock" in verify(record, scenario=scenario).notes[0]


def test_a_record_with_a_budget_of_questions_is_asked_again(scenario: Scenario) -> None:
    game = play(scenario, ("random", "random"), 4, Limits(questions=9))
    record = parse_record(game.record(), "x")
    assert record.header.options == Limits(questions=9)
    assert record.header.options.repeatable
    assert verify(record, True, scenario).same
    # A header without budgets reads as it did before there were any.
    plain = play(scenario, ("random", "random"), 4).record().splitlines()[0]
    assert b'"options":{"seconds":0.0,"faults":10}' in plain


def test_agents_are_told_the_open_part_of_the_scenario(scenario: Scenario) -> None:
    limits = Limits(seconds=50, questions=5)
    play(scenario, (Dreamer, Dreamer), 4, limits)
    assert len(Dreamer.told) == 2
    for side, brief in enumerate(Dreamer.told):
        assert (brief.title, brief.text) == (scenario.title, scenario.briefing)
        assert brief.sides == tuple(info.name for info in scenario.sides)
        assert brief.zones == tuple(info.zones for info in scenario.sides)
        for number, types in enumerate(brief.forces):
            assert types == tuple(sorted(one.type for one in scenario.forces if one.side == number))
            assert types
        assert (brief.seconds, brief.budget.questions) == (50, 5)
        assert Dreamer.told[side].budget is not Dreamer.told[1 - side].budget


def test_agents_of_three_arguments_start_as_before(scenario: Scenario) -> None:
    class Old:
        def start(self, board: Board, side: int, chance: Chance) -> None:
            self.begun = True

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            if not self.begun:
                raise RuleError("never started")
            return answers[0]

    assert not play(scenario, (Old, Old), 4).faults


class Lifter(Dreamer):
    """Tries to give itself a larger budget."""

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        budget = self.brief.budget
        for name in ("questions", "milliseconds", "spent", "total"):
            with pytest.raises(AttributeError, match="cannot change its own budget"):
                setattr(budget, name, 0)
        try:
            while True:
                budget.begin()
                super().choose(view, ask, answers)
                if budget.left == 0:
                    return answers[0]
        except BudgetSpent:
            return answers[0]


def test_an_agent_cannot_lift_its_own_budget(scenario: Scenario) -> None:
    game = play(scenario, (Lifter, "rush"), seed=1, limits=Limits(questions=7))
    asked = sum(isinstance(event, Asked) and event.side == 0 for event in game.log)
    assert not game.faults
    assert game.imagined == (7 * asked, 0)


class Comparer(Dreamer):
    """Gives the budget of its brief to `compare`."""

    samples: ClassVar[list[int]] = []

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        budget = self.brief.budget
        found = compare(
            view,
            self.board,
            answers[:2],
            quick_answer,
            position_value,
            1,
            samples=3,
            until=1,
            budget=budget,
            longest=1,
        )
        assert budget.spent == sum(len(one.values) for one in found)
        Comparer.samples.append(min(len(one.values) for one in found))
        return answers[0]


def test_what_is_imagined_on_the_budget_of_the_brief_counts_once(scenario: Scenario) -> None:
    game = play(scenario, (Comparer, "rush"), seed=1, limits=Limits(questions=6))
    assert not game.faults
    assert max(Comparer.samples) == 3


def test_the_budget_of_a_brief_counts_where_no_agent_thinks() -> None:
    kept = Budget(2)
    shown = Allowance(kept)
    shown.spend()
    assert (shown.spent, shown.left, kept.left) == (1, 1, 1)
    shown.spend()
    with pytest.raises(BudgetSpent, match="2 questions"):
        shown.spend()
    copied = deepcopy(shown)
    kept.begin()
    assert (copied.left, shown.left) == (0, 2)
