"""Players that think ahead: legal, repeatable, within their budget, under every rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from agents.planner import Planner
from agents.searcher import Searcher
from battlesim import (
    Battle,
    Board,
    Budget,
    Chance,
    InputError,
    KeyedDice,
    best_by_features,
    compare,
    feature_scores,
    find_agent,
    find_ruleset,
    first_state,
    plan_of,
    play,
)
from battlesim.core.view import View
from battlesim.engine.battle import Question
from battlesim.engine.brief import brief_of
from battlesim.engine.header import Limits
from battlesim.engine.record import parse_record
from battlesim.engine.verify import verify
from tests.fifth.install import installed
from tests.shipped import FIFTH, load

SMALL = ("stairwell", "square", "drones", "watch-house")
"""One scenario a rulebook."""
CHEAP = "planner,width=2,samples=2,turns=0.3,questions=40"
SEARCH = "searcher,first=2,samples=2,turns=0.3,questions=60"


@pytest.fixture(autouse=True, scope="module")
def _fifth() -> Any:
    """The fifth rulebook, from a package of its own."""
    with installed():
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, FIFTH])
@pytest.mark.parametrize("agent", [CHEAP, SEARCH])
def test_they_play_every_rulebook_by_the_rules_and_the_same_again(agent: str, name: str) -> None:
    game = play(name, (agent, "rush"), seed=3)
    assert not game.faults
    verdict = verify(parse_record(game.record(), "x"), True, load(name))
    assert verdict.same, str(verdict)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["planner", "searcher"])
@pytest.mark.parametrize("name", ["stairwell", "drones"])
def test_they_keep_their_budget(name: str, agent: str) -> None:
    """Its own, and the referee's: it answers with what it has found."""
    asked = [0]

    def listener(battle: Any, question: Any) -> None:
        asked[0] += question.side == 0

    game = play(name, (f"{agent},samples=4,questions=30", "rush"), seed=3, listener=listener)
    assert not game.faults
    assert 0 < game.imagined[0] <= 30 * asked[0]
    asked[0] = 0
    game = play(name, (f"{agent},samples=4", "rush"), seed=3, limits=Limits(questions=25), listener=listener)
    assert not game.faults
    assert 0 < game.imagined[0] <= 25 * asked[0]


@pytest.mark.parametrize(("seconds", "milliseconds"), [(0, 0), (2, 1_000), (0.0001, 1)])
@pytest.mark.parametrize("made", [Planner, Searcher])
def test_they_answer_in_time(
    made: Any, seconds: float, milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They imagine for half the time that they are told of. Without a limit no clock is looked at."""
    board, question, view, _ = first_question()
    heard: list[Any] = []

    def compared(*given: Any, **words: Any) -> Any:
        heard.append(words["budget"])
        return compare(*given, **{**words, "samples": 1})

    monkeypatch.setattr(f"{made.__module__}.compare", compared)
    player = made()
    player.start(board, question.side, Chance(1), brief_of(view, load("stairwell"), seconds, Budget()))
    player.choose(view, view.ask, question.answers)
    assert [budget.milliseconds for budget in heard] == [milliseconds]


@pytest.mark.parametrize("agent", ["planner", "searcher"])
def test_with_nothing_to_spend_they_answer_as_greedy(agent: str) -> None:
    one = play("square", (f"{agent},questions=1", "rush"), seed=3)
    assert not one.faults
    # Greedy itself draws lots between equals

    class First:
        def start(self, board: Any, side: int, chance: Chance) -> None:
            self.board = board

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            return best_by_features(view, self.board, ask, answers)

    assert play("square", (First, "rush"), seed=3).log == one.log


@pytest.mark.slow
@pytest.mark.parametrize("agent", [CHEAP, SEARCH])
def test_they_say_what_they_found(agent: str) -> None:
    said: list[Any] = []

    class Telling:
        def __init__(self) -> None:
            self.inner: Any = find_agent(agent).make()

        def start(self, board: Any, side: int, chance: Chance) -> None:
            self.chance = chance
            self.inner.start(board, side, chance)

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            rows = self.inner.explain(view, ask, answers)
            self.chance.at(self.chance.number)  # explaining draws as choosing does
            chosen = self.inner.choose(view, ask, answers)
            said.append((rows, chosen))
            return chosen

    play("stairwell", (Telling, "rush"), seed=3)
    assert said
    for rows, chosen in said:
        assert rows[0][0] == chosen
        assert all(0 <= row.score <= 100 for row in rows)
        usual = [row for row in rows if "greedy's" in row.text]
        planned = [row for row in rows if "as planned" in row.text]
        assert [row for row in rows if row.usual] == usual
        assert len(usual) + len(planned) == 1, "one row is what the others are measured against"


@pytest.mark.parametrize("agent", ["planner", "searcher"])
def test_a_number_too_large_for_a_float_is_refused(agent: str) -> None:
    with pytest.raises(InputError, match=r"trust=9{60} will not do; give a number of at least 0$"):
        find_agent(f"{agent},trust={'9' * 400}")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("width=1", "give a whole number of at least 2"),
        ("width=2.5", "give a whole number of at least 2"),
        ("width=true", "give a whole number of at least 2"),
        ("samples=1", "give a whole number of at least 2"),
        ("samples=abc", "give a whole number of at least 2"),
        ("turns=0", "give a number from 0.001 to 1000"),
        ("turns=inf", "give a number from 0.001 to 1000"),
        ("longest=0", "give a whole number of at least 1"),
        ("differ=-1", "give a number from 0 to 1"),
        ("head_start=nan", "give a number from 0 to 1"),
        ("doubt=-1", "give a number of at least 0"),
        ("questions=-5", "give a whole number of at least 0"),
    ],
)
@pytest.mark.parametrize("agent", ["planner", "searcher"])
def test_senseless_parameters_are_refused(agent: str, words: str, remedy: str) -> None:
    if agent == "searcher":
        words = words.replace("width", "first")
    with pytest.raises(InputError) as caught:
        find_agent(f"{agent},{words}")
    given = words.replace("true", "True")
    assert str(caught.value) == f"agent '{agent},{words}': {given} will not do; {remedy}"


@pytest.mark.slow
@pytest.mark.parametrize("agent", [CHEAP, SEARCH])
@pytest.mark.parametrize("name", ["outpost", "square"])
def test_a_battle_left_in_its_middle_goes_on_alike(agent: str, name: str) -> None:
    """What they remember, plans and sightings, is saved and loaded between any two questions."""

    class Forgetful:
        """Is made anew before each question, from what the one before has saved."""

        def start(self, board: Any, side: int, chance: Chance, brief: Any) -> None:
            self.given, self.memory = (board, side, chance), b""
            self.brief = brief
            inner: Any = find_agent(agent).make()
            inner.start(*self.given, brief=brief)
            self.memory = inner.save()

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            inner: Any = find_agent(agent).make()
            inner.start(*self.given, brief=self.brief)
            inner.load(self.memory)
            said = inner.choose(view, ask, answers)
            self.memory = inner.save()
            return said

    one, two = (play(name, (who, "rush"), seed=4) for who in (agent, Forgetful))
    assert not two.faults
    assert one.log == two.log


def first_question() -> tuple[Board, Question, View, list[float]]:
    """The first question of a battle on stairwell: its board, what the side that is asked sees, and greedy's scores."""
    scenario = load("stairwell")
    ruleset, board = find_ruleset(scenario.ruleset), scenario.board
    battle = Battle(ruleset, board, first_state(scenario, 1), KeyedDice(1))
    question = battle.question
    assert question is not None
    view = ruleset.observe(battle.state, board, question.side, ())
    return board, question, view, feature_scores(view, board, view.ask, question.answers)


def test_only_a_plan_that_samples_preferred_is_carried_out_unasked() -> None:
    """With nothing to spend at the next question: the rest of greedy's plan was made for an imagined battle, so greedy is asked
    again, now that more has been seen. A plan that samples preferred to greedy's goes on."""
    board, question, view, scores = first_question()
    best, worst = (question.answers[scores.index(chosen(scores))] for chosen in (max, min))
    for preferred, said in ((True, worst), (False, best)):
        searcher: Any = Searcher(questions=1)
        searcher.start(board, question.side, Chance(1))
        searcher.plan, searcher.preferred = plan_of(view.ask, worst), preferred
        assert searcher.choose(view, view.ask, question.answers) == said
        assert searcher.preferred is preferred


def test_a_begun_plan_is_not_favoured_over_one_that_promises_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far a plan is behind is counted from the one that was begun: whatever promises as much or more is not behind it."""
    board, question, view, scores = first_question()
    worst = question.answers[scores.index(min(scores))]
    assert max(scores) > min(scores)
    heard: list[list[float]] = []

    def listening(*args: Any, behind: list[float], **more: Any) -> Any:
        heard.append(behind)
        return compare(*args, behind=behind, **more)

    monkeypatch.setattr("agents.searcher.compare", listening)
    for plan in ((), plan_of(view.ask, worst)):
        searcher: Any = Searcher(first=4, samples=2, turns=0.1)
        searcher.start(board, question.side, Chance(1))
        searcher.plan, searcher.preferred = plan, True
        searcher.choose(view, view.ask, question.answers)
    fresh, begun = heard
    assert fresh[0] == 0
    assert any(fresh)
    assert begun == [0.0] * len(begun)
    assert len(begun) > 1
