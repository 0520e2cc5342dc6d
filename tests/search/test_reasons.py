"""What an act is expected to do is what the rules make of it, counted in imagined battles."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Any

import pytest

from battlesim import Battle, Board, KeyedDice, Reason, best_by_features, find_ruleset, first_state, play
from battlesim.core.answers import Answer, MoveTo, Order, Pass, TargetUnit, format_answer
from battlesim.core.view import View, unseen
from battlesim.engine.agent import Chance
from battlesim.engine.roster import find_agent
from battlesim.search.reasons import Thinking, differences, expected_act, main_parts
from tests.shipped import load

SAMPLES = 150


def questions(name: str, kind: str, text: str, seed: int = 3) -> list[tuple[Battle, Any]]:
    """Positions of a game of greedy in which a kind of question has an answer with such a text."""
    found: list[tuple[Battle, Any]] = []

    def look(battle: Battle, question: Any) -> None:
        if type(question.ask).__name__ == kind:
            said = [a for a in question.answers if format_answer(a).startswith(text)]
            if said:
                found.append((battle.fork(), said[0]))

    play(load(name), ("greedy", "greedy"), seed=seed, listener=look)
    return found


def lost_by_hand(battle: Battle, answer: Any, seed: int) -> int:
    """Models that the target loses in a fork with fresh dice, answered on while it is about the same unit or the enemy reacts."""
    fork, side, unit = battle.fresh(seed), battle.question.side, battle.question.ask.unit  # type: ignore[union-attr]
    begun, models = fork.state.now, fork.state.units[answer.unit].models
    fork.answer(answer)
    while (q := fork.question) is not None and fork.state.now == begun and hasattr(q.ask, "unit"):
        if q.side == side and q.ask.unit != unit:
            break
        seen = fork.ruleset.observe(fork.state, fork.board, q.side, ())
        fork.answer(best_by_features(seen, fork.board, seen.ask, q.answers))
    return models - fork.state.units[answer.unit].models


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stairwell", "square", "drones", "watch-house"])
def test_the_mean_loss_is_that_of_forks_with_fresh_dice(name: str) -> None:
    """Counted anew by hand, on the first shots of a game that do harm: one without losses would not be told from none. Means of
    two samples of one quantity seldom differ by more than three standard errors."""
    compared = 0
    for battle, answer in questions(name, "AtWhom", "at ")[:20]:
        by_hand = [lost_by_hand(battle, answer, 1000 + n) for n in range(SAMPLES)]
        error = stdev(by_hand) * sqrt(2 / SAMPLES)
        if mean(by_hand) <= 6 * error:
            continue
        question = battle.question
        assert question is not None
        view = battle.ruleset.observe(battle.state, battle.board, question.side, ())
        counted = []
        for seed in (1, 2):
            act = expected_act(view, battle.board, answer, best_by_features, seed=seed, samples=SAMPLES)
            assert act.steps[0] == (view.ask, answer)
            counted.append({loss.unit: loss.lost for loss in act.losses}[answer.unit])
        assert counted == pytest.approx([mean(by_hand)] * 2, abs=3 * error)
        assert counted[0] == pytest.approx(counted[1], abs=3 * error)
        compared += 1
        if compared == 3:
            break
    assert compared == 3


def fires_last(view: View, board: Board, ask: Any, answers: Sequence[Answer]) -> Answer:
    """Fires at the last enemy that it finds; before that it goes as far as it can."""
    goals = [answer for answer in answers if isinstance(answer, MoveTo)]
    if not goals:
        return [*answers[:1], *(answer for answer in answers if isinstance(answer, TargetUnit))][-1]
    return max(goals, key=lambda goal: board.distance(view.units[ask.unit].place, goal.place))


def test_no_step_of_an_act_names_an_enemy_that_was_made_up() -> None:
    """A team goes forward and may find an enemy that it imagines there. The story would tell it by the name of the true unit,
    which nobody has found."""
    scenario = load("outpost")
    ruleset, order = find_ruleset(scenario.ruleset), Order("move")
    battle = Battle(ruleset, scenario.board, first_state(scenario, 0), KeyedDice(0))
    while (question := battle.question) is not None and order not in question.answers:
        view = battle.view(question.side)
        battle.answer(best_by_features(view, battle.board, view.ask, question.answers))
    assert question is not None
    view = battle.view(question.side)
    for seed in range(20):
        act = expected_act(view, battle.board, order, fires_last, seed, samples=1)
        assert act.steps[0] == (view.ask, order)
        assert not {getattr(said, "unit", -1) for _, said in act.steps} & set(unseen(view))


@pytest.mark.slow
def test_what_comes_after_the_clock_has_moved_is_not_of_the_act() -> None:
    """The last shot of a phase is followed by fights of other units, which happen whatever is shot at."""
    asked, others = 0, set[int]()
    shots = [shot for seed in (13, 14, 15) for shot in questions("village-regiments", "AtWhom", "at ", seed)]
    for battle, answer in shots:
        question, bystanders = battle.question, set(battle.state.units)
        assert question is not None
        view = battle.ruleset.observe(battle.state, battle.board, question.side, ())
        found = expected_act(view, battle.board, answer, best_by_features, seed=1)
        asked += 1
        bystanders -= {question.ask.unit, answer.unit}
        others |= {loss.unit for loss in found.losses} & bystanders
    assert asked > 20
    assert not others


@pytest.mark.slow
def test_what_follows_in_an_act_is_not_thought_of_again() -> None:
    """The order and the target of a unit that was chosen for them are foreseen; a new choice is not."""
    thinking = Thinking(best_by_features)
    foreseen: list[tuple[str, bool, bool]] = []

    def look(battle: Battle, question: Any) -> None:
        if question.side == 0:
            view = battle.view(0)
            best = best_by_features(view, battle.board, view.ask, question.answers)
            thought = thinking.of(view, battle.board, view.ask, [Reason(best, 1.0)])
            foreseen.append((type(question.ask).__name__, thought.foreseen, bool(thought.acts)))

    class First:
        def start(self, board: Any, side: int, chance: Any) -> None:
            self.board = board

        def choose(self, view: Any, ask: Any, answers: Any) -> Any:
            return best_by_features(view, self.board, ask, answers)

    play("stairwell", (First, First), seed=3, listener=look)
    orders = [(seen, told) for kind, seen, told in foreseen if kind == "WhichOrder"]
    assert sum(seen for seen, _ in orders) > len(orders) / 2
    assert all(told for seen, told in orders), "why that order is told, whoever foresaw it"
    assert not any(seen for kind, seen, _ in foreseen if kind == "WhichUnit")
    assert any(seen and not told for kind, seen, told in foreseen if kind in ("AtWhom", "WhereTo"))


def test_parts_that_matter_come_first() -> None:
    one = Reason(None, 0.0, parts={"dealt": 1.0, "hold": 100.0, "taken": -20.0})  # type: ignore[arg-type]
    two = Reason(None, 0.0, parts={"dealt": 41.0, "hold": 100.0, "ready": 3.0})  # type: ignore[arg-type]
    assert main_parts(one) == [("hold", 100.0), ("taken", -20.0)]
    assert differences(one, two) == [("dealt", 40.0), ("taken", 20.0), ("ready", 3.0)]


@pytest.mark.slow
def test_an_order_to_move_that_was_second_is_told_with_the_place_that_was_weighed() -> None:
    """A garrison would stay where it is when ordered to advance: holding is better. But what is told of that order, and why it
    is worse, is of the best place to go to."""
    agent = find_agent("greedy").make()
    told = 0
    for battle, answer in questions("monastery", "WhichOrder", "order advance", seed=401):
        question = battle.question
        assert question is not None
        view = battle.ruleset.observe(battle.state, battle.board, question.side, ())
        agent.start(battle.board, view.side, Chance(1))
        rows = agent.explain(view, view.ask, question.answers)
        if rows[1].answer != answer or rows[0].score - rows[1].score < 1:
            continue
        fork = battle.fork()
        fork.answer(answer)
        following = fork.question
        if following is None or type(following.ask).__name__ != "WhereTo":
            continue
        after = fork.ruleset.observe(fork.state, fork.board, view.side, ())
        weighed = {
            row.answer
            for row in agent.explain(after, after.ask, following.answers)
            if row.score == rows[1].score
        }
        second = Thinking(agent.policy, agent.explain).of(view, battle.board, view.ask, rows).acts[1]
        if weighed:  # not of characters: leaving their men is weighed otherwise
            assert second.steps[1][1] in weighed
            told += agent.policy(after, fork.board, after.ask, following.answers) == Pass()
    assert told > 10
