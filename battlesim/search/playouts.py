"""Playing on from answers in imagined battles, and telling which answer is better. Read `compare`.

All candidates are played on from the same imagined states under the same dice: dice are keyed by what they are rolled for, so
whatever an answer does not touch rolls alike, and the differences between candidates are much less noisy than their
values. Nothing here knows a rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import Dice, KeyedDice, derive_seed
from battlesim.core.errors import IllegalAnswer
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.core.view import View
from battlesim.engine.battle import Battle, Question
from battlesim.engine.budget import Budget, BudgetSpent
from battlesim.evaluation.parameters import Weights, weights_of
from battlesim.rules.contract import Ruleset, weigh
from battlesim.rulesets.finder import find_ruleset

Policy = Callable[[View, Board, Ask, Sequence[Answer]], Answer]
"""Who answers in imagined battles, for both sides, each by its own view: (view, board, ask, answers)."""
Value = Callable[[State, Board, Ruleset, int], float]
"""What a position is worth to a side: `battlesim.evaluation.position.position_value` is one."""
Imagine = Callable[[View, Board, Dice], State]
"""A state that fits a view, what is hidden made up by the dice."""
FIRST_CUT = 4
"""Samples before a candidate can be given up."""
DOUBTED = 2
"""Samples that doubt counts as."""


def feature_scores(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[float]:
    """What each answer promises, as `greedy` weighs it under the usual judgement of its rulebook."""
    ruleset = find_ruleset(view.ruleset)
    weights = weights_of((ruleset.judgement or Weights)())
    return [weigh(found, weights) for found in ruleset.features(view, board, ask, answers)]


def best_by_features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
    """The policy of `greedy`: the answer that promises most, the first of equals."""
    scores = feature_scores(view, board, ask, answers)
    return answers[scores.index(max(scores))]


class PlannedAnswer(NamedTuple):
    """One answer of a plan: the question it is meant for (its class's name and its unit, -1 for none), and the answer."""

    ask: str
    unit: int
    answer: Answer

    def fits(self, question: Question) -> bool:
        """Whether it can be given to a question."""
        return is_about(question.ask, self.ask, self.unit) and self.answer in question.answers


Plan = tuple[PlannedAnswer, ...]
"""The answers that a side means to give one after another, an order and its target, say."""


def is_about(ask: Ask, name: str, unit: int) -> bool:
    """Whether a question is of a class and about a unit."""
    return type(ask).__name__ == name and getattr(ask, "unit", -1) == unit


def plan_of(ask: Ask, answer: Answer) -> Plan:
    """The plan to answer a question so, and then as the policy likes."""
    return (PlannedAnswer(type(ask).__name__, getattr(ask, "unit", -1), answer),)


def play_on(
    battle: Battle,
    policy: Policy,
    until: int,
    budget: Budget,
    plan: Plan = (),
    side: int = -1,
    longest: int = 0,
) -> None:
    """Answer questions for both sides until the clock stands at `until`, `longest` of them are answered (0: any number), or the
    battle is over. News are not told: no policy here listens to them. `plan`: what `side` answers first; it is given up at
    the first of its questions for which it was not meant, or where its answer is not legal. Raises BudgetSpent."""
    ruleset, board = battle.ruleset, battle.board
    answered = 0
    while (question := battle.question) is not None and battle.state.now < until:
        if longest and answered == longest:
            return
        budget.spend()
        answered += 1
        if plan and question.side == side:
            if plan[0].fits(question):
                battle.answer(plan[0].answer)
                plan = plan[1:]
                continue
            plan = ()
        view = ruleset.observe(battle.state, board, question.side, ())
        battle.answer(policy(view, board, view.ask, question.answers))


class Candidate(Struct):
    """One plan that is looked at: what playing on by it was worth, sample by sample, as far as it was tried. `answer`: its first;
    `mean` is of all its samples."""

    plan: Plan
    values: list[float]

    @property
    def answer(self) -> Answer:
        return self.plan[0].answer

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0


def lead_over(one: Candidate, other: Candidate, doubt: float = 0.0) -> tuple[float, float]:
    """By how much one candidate was better than another in the samples that both have, and the standard error of that; (0, inf)
    where there are fewer than two. `doubt`: a deviation that is taken to have been seen in `DOUBTED` samples besides, so that few
    samples which happen to agree, or a hair's breadth of a lead, are not taken for certain."""
    pairs = [a - b for a, b in zip(one.values, other.values, strict=False)]
    n = len(pairs)
    if n < 2:
        return 0.0, inf
    mean = sum(pairs) / n
    squares, free = sum((pair - mean) ** 2 for pair in pairs), n - 1
    if doubt:
        squares, free = squares + DOUBTED * doubt * doubt, free + DOUBTED
    return mean, sqrt(squares / free / n)


def best_candidate(
    found: Sequence[Candidate], differ: float, head_start: float, doubt: float = 0.0
) -> Candidate:
    """The candidate to take: the first, the usual one, unless the samples say that another is better than it.

    Before any sample another is taken to be worse than the usual one by `head_start`, give or take `differ` (a standard
    deviation). The paired samples then count by their error against that, as Bayes' rule has it: a lead that is known well counts
    nearly as it is, one of few noisy samples next to nothing, so that the luckiest of several is not taken for the best. `doubt`:
    as `lead_over` has it."""
    best, most = found[0], 0.0
    for one in found[1:]:
        lead, error = lead_over(one, found[0], doubt)
        if error == inf:
            continue
        noise, spread = error * error, differ * differ
        gain = (lead * spread - head_start * noise) / (spread + noise) if spread + noise else lead
        if gain > most:
            best, most = one, gain
    return best


def compare(
    view: View,
    board: Board,
    plans: Sequence[Plan | Answer],
    policy: Policy,
    value: Value,
    seed: int,
    *,
    samples: int,
    until: int,
    budget: Budget,
    longest: int = 0,
    give_up: float = 2.0,
    halve: bool = False,
    imagine: Imagine | None = None,
) -> list[Candidate]:
    """Play on by each of some plans (or from some answers) to the question of a view, in up to `samples` imagined battles.

    Sample n imagines the same state and rolls the same dice for all of them. The first is what the others are compared with, and
    is played on as long as any other. One that is behind the best by more than `give_up` standard errors is not played any
    further, nor one that has come out as the first in every sample; with `halve`, neither is the worse half after 4, 8, 16 ...
    samples (sequential halving). `until`, `longest`: how far is played, as `play_on` has it. Ends early when the budget (this
    one, or that of the agent who thinks) is spent; what was tried in part is left out. `imagine`: makes up what is hidden, as the
    rulebook does unless something else is given (`Sightings.imagine`). The candidates stand in the order of the plans.
    """
    ruleset, side = find_ruleset(view.ruleset), view.side
    made = [plan_of(view.ask, plan) if isinstance(plan, Answer) else plan for plan in plans]
    candidates = [Candidate(plan, []) for plan in made]
    racing = candidates
    usual = candidates[0]
    for sample in range(samples):
        dice = KeyedDice(derive_seed(seed, "sample", sample))
        try:
            first = Battle(ruleset, board, (imagine or ruleset.imagine)(view, board, dice), dice)
            found = [_played(first, one.plan, policy, value, side, until, budget, longest) for one in racing]
        except BudgetSpent:
            break
        except IllegalAnswer:
            continue  # what was made up for the unknown stands in its way
        for one, worth in zip(racing, found, strict=True):
            one.values.append(worth)
        tried = len(usual.values)
        if tried >= FIRST_CUT:
            best = max(racing, key=lambda one: one.mean)
            others = [
                one for one in racing[1:] if not _is_behind(one, best, give_up) and not _is_like(one, usual)
            ]
            if halve and tried.bit_count() == 1:
                better = sorted(others, key=lambda one: -one.mean)[: max(1, (len(racing) + 1) // 2 - 1)]
                others = [one for one in others if any(one is other for other in better)]
            racing = [usual, *others]
        if len(racing) < 2:
            break
    return candidates


def _is_like(one: Candidate, usual: Candidate) -> bool:
    """Whether a candidate came out as the first did in every sample."""
    return one.values == usual.values


def _is_behind(one: Candidate, best: Candidate, give_up: float) -> bool:
    if one is best:
        return False
    lead, error = lead_over(best, one)
    return lead > give_up * error


def _played(
    first: Battle,
    plan: Plan,
    policy: Policy,
    value: Value,
    side: int,
    until: int,
    budget: Budget,
    longest: int,
) -> float:
    """What it is worth to a side to play on by a plan."""
    battle = first.fork()
    budget.spend()
    battle.answer(plan[0].answer)
    play_on(battle, policy, until, budget, plan[1:], side, longest)
    return value(battle.state, battle.board, battle.ruleset, side)
