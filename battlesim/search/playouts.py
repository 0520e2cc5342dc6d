"""Playing on from answers in imagined battles, and telling which answer is better. Read `compare`.

All candidates are played on from the same imagined states under the same dice: dice are keyed by what they are rolled for, so
whatever an answer does not touch rolls alike, and the differences between candidates are much less noisy than their
values. Nothing here knows a rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.errors import IllegalAnswer
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.core.view import View
from battlesim.engine.battle import Battle
from battlesim.engine.budget import Budget, BudgetSpent
from battlesim.evaluation.parameters import Weights, weights_of
from battlesim.rules.contract import Ruleset, weigh
from battlesim.rulesets.finder import find_ruleset

Policy = Callable[[View, Board, Ask, Sequence[Answer]], Answer]
"""Who answers in imagined battles, for both sides, each by its own view: (view, board, ask, answers)."""
Value = Callable[[State, Board, Ruleset, int], float]
"""What a position is worth to a side: `battlesim.evaluation.position.position_value` is one."""
FIRST_CUT = 4
"""Samples before a candidate can be given up."""


def best_by_features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
    """The policy of `greedy` under the usual judgement of its rulebook, the first of the best."""
    ruleset = find_ruleset(view.ruleset)
    weights = weights_of((ruleset.judgement or Weights)())
    values = [weigh(found, weights) for found in ruleset.features(view, board, ask, answers)]
    return answers[values.index(max(values))]


def play_on(battle: Battle, policy: Policy, until: int, budget: Budget) -> None:
    """Answer questions for both sides until the clock stands at `until` or the battle is over. News are not told: no policy here
    listens to them. Raises BudgetSpent."""
    ruleset, board = battle.ruleset, battle.board
    while (question := battle.question) is not None and battle.state.now < until:
        view = ruleset.observe(battle.state, board, question.side, ())
        said = policy(view, board, view.ask, question.answers)
        budget.spend()
        battle.answer(said)


class Candidate(Struct):
    """One answer that is looked at: what playing on from it was worth, sample by sample, as far as it was tried. `mean` is of all
    its samples."""

    answer: Answer
    values: list[float]

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0


def lead_over(one: Candidate, other: Candidate) -> tuple[float, float]:
    """By how much one candidate was better than another in the samples that both have, and the standard error of that; (0, inf)
    where there are fewer than two."""
    pairs = [a - b for a, b in zip(one.values, other.values, strict=False)]
    n = len(pairs)
    if n < 2:
        return 0.0, inf
    mean = sum(pairs) / n
    spread = sum((pair - mean) ** 2 for pair in pairs) / (n - 1)
    return mean, sqrt(spread / n)


def compare(
    view: View,
    board: Board,
    answers: Sequence[Answer],
    policy: Policy,
    value: Value,
    seed: int,
    *,
    samples: int,
    until: int,
    budget: Budget,
    give_up: float = 2.0,
) -> list[Candidate]:
    """Play on from each of some answers to the question of a view, in up to `samples` imagined battles, and value the outcome.

    Sample n imagines the same state and rolls the same dice for all answers. A candidate that is behind the best by more than
    `give_up` standard errors is not played any further. `until`: the clock up to which is played. Ends early when the
    budget (this one, or that of the agent who thinks) is spent; what was tried in part is left out. The candidates stand in
    the order of the answers.
    """
    ruleset, side = find_ruleset(view.ruleset), view.side
    candidates = [Candidate(answer, []) for answer in answers]
    racing = candidates
    for sample in range(samples):
        dice = KeyedDice(derive_seed(seed, "sample", sample))
        try:
            first = Battle(ruleset, board, ruleset.imagine(view, board, dice), dice)
            found = [_played(first, one.answer, policy, value, side, until, budget) for one in racing]
        except BudgetSpent:
            break
        except IllegalAnswer:
            continue  # what was made up for the unknown stands in its way
        for one, worth in zip(racing, found, strict=True):
            one.values.append(worth)
        if sample + 1 >= FIRST_CUT:
            best = max(racing, key=lambda one: one.mean)
            racing = [one for one in racing if not _is_behind(one, best, give_up)]
        if len(racing) < 2:
            break
    return candidates


def _is_behind(one: Candidate, best: Candidate, give_up: float) -> bool:
    if one is best:
        return False
    lead, error = lead_over(best, one)
    return lead > give_up * error


def _played(
    first: Battle, answer: Answer, policy: Policy, value: Value, side: int, until: int, budget: Budget
) -> float:
    """What it is worth to a side to answer so and play on."""
    battle = first.fork()
    budget.spend()
    battle.answer(answer)
    play_on(battle, policy, until, budget)
    return value(battle.state, battle.board, battle.ruleset, side)
