"""Playing on from answers in imagined battles (playouts), to find out which answer is better. Read `compare`.

All candidates are played on from the same imagined states under the same dice (common random numbers). Dice are keyed by what
they are rolled for, so whatever an answer does not affect rolls alike, and the differences between candidates are much less noisy
than their values. Nothing here knows a rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import Dice, KeyedDice, derive_seed
from battlesim.core.errors import Fault, IllegalAnswer, InputError
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.core.sums import summed
from battlesim.core.view import View
from battlesim.engine.battle import Battle, Question
from battlesim.engine.budget import THINKING, Budget, BudgetSpent
from battlesim.evaluation.parameters import Weights, weights_of
from battlesim.rules.contract import Ruleset, weigh
from battlesim.rulesets.finder import find_ruleset
from battlesim.search.outlook import top_scores

Policy = Callable[[View, Board, Ask, Sequence[Answer]], Answer]
"""(view, board, ask, answers) -> one of the answers. It plays both sides in imagined battles, each by its own view."""
Value = Callable[[State, Board, Ruleset, int], float]
"""(state, board, ruleset, side) -> what a position is worth to a side: `battlesim.evaluation.position.position_value` is one."""
Imagine = Callable[[View, Board, Dice], State]
"""(view, board, dice) -> a state that fits the view; the dice make up what is hidden."""
ALIKE = 4
"""Samples in which a candidate ends exactly like the first (every unit's place and models) before it is treated as the same."""
LONG_ALIKE = 12
"""`ALIKE` while samples are cheap: a rare event may still distinguish it from the first."""
COMPARED = 4
"""Samples before a candidate can be given up for another: fewer would miss rare events that matter a lot."""
DOUBTED = 2
"""How many samples doubt counts as."""
GREATEST = 0.5
"""The cap on an answer's shortfall: larger ones only mean "never"."""
CHEAP = 0.1
"""While less than this share of the budget is spent, samples are cheap, and only candidates that end like the first are given
up."""
HOPELESS = 0.7
"""A candidate is given up if its expected gain plus this many standard deviations does not exceed the best expected gain (at
least 0)."""
SETTLED = 1.0
"""The only candidate left is taken at once if its expected gain exceeds this many standard deviations."""


def feature_scores(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[float]:
    """The score of each answer, as `greedy` weighs it under the default judgement of its rulebook."""
    ruleset = find_ruleset(view.ruleset)
    weights = weights_of((ruleset.judgement or Weights)())
    return [weigh(found, weights) for found in ruleset.features(view, board, ask, answers)]


def shortfalls(view: View, scores: Sequence[float]) -> list[float]:
    """How much less each answer scores than the best, as a share of the worth of the side's remaining force, at most a half:
    scores are on the scale of unit worth."""
    worth, most = find_ruleset(view.ruleset).worth, max(scores)
    force = summed(worth(unit) for unit in view.units.values() if unit.side == view.side and unit.alive)
    return [min(GREATEST, (most - score) / max(force, 1.0)) for score in scores]


def best_by_features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
    """The policy of `greedy`: the answer with the highest score, the first of equals."""
    scores = top_scores(view, board, ask, answers)
    return answers[scores.index(max(scores))]


class PlannedAnswer(NamedTuple):
    """One answer of a plan: the question it is meant for (its class name and its unit, -1 for none), and the answer."""

    ask: str
    unit: int
    answer: Answer

    def fits(self, question: Question) -> bool:
        """Whether it can be given to a question."""
        return is_about(question.ask, self.ask, self.unit) and self.answer in question.answers


Plan = tuple[PlannedAnswer, ...]
"""The answers that a side means to give in sequence, such as an order and its target."""


def is_about(ask: Ask, name: str, unit: int) -> bool:
    """Whether a question is of a class and about a unit."""
    return type(ask).__name__ == name and getattr(ask, "unit", -1) == unit


def plan_of(ask: Ask, answer: Answer) -> Plan:
    """The plan to give this answer, and then follow the policy."""
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
    """Answer the questions of both sides by a policy, until one of the limits is reached or the battle is over. `battle` itself
    goes on: fork it to keep it. Views come without news, which no policy here uses.

    Args:
        until: stop when the clock is at this time or later, in ticks (1,000 a turn).
        plan: the first answers of `side`. It is given up at that side's first question for which it was not meant, or if its
            answer is not legal.
        side: whose plan it is, 0 or 1; -1 without a plan.
        longest: stop after this many questions; 0 for no limit.

    Raises BudgetSpent, and InputError if the policy returns what is not one of its answers.
    """
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
        said = policy(view, board, view.ask, question.answers)
        try:
            battle.answer(said)
        except IllegalAnswer as error:
            # `compare` leaves out plans that are not legal; a wrong policy must not look like one.
            raise InputError(Fault(f"the policy's answer {error}", "return one of `answers`")) from None


End = tuple[int, tuple[int, int], tuple[tuple[int, int], ...]]
"""How an imagined battle ended: the clock, the points, the place and models of each unit."""


class Candidate(Struct):
    """One plan under evaluation.

    - `values`: the value of playing on from it, sample by sample; `ends`: how these battles ended.
    - `behind`: how much worse than the first candidate it is assumed to be beforehand, in chance to win, in addition to
      `Prior.head_start`. The uncertainty grows with it.
    """

    plan: Plan
    values: list[float]
    behind: float = 0.0
    ends: list[End] = []  # each has its own: msgspec copies an empty default

    @property
    def answer(self) -> Answer:
        """The first answer of its plan."""
        return self.plan[0].answer

    @property
    def mean(self) -> float:
        """The mean of its samples; 0 if there are none."""
        return summed(self.values) / len(self.values) if self.values else 0.0


def lead_over(one: Candidate, other: Candidate, doubt: float = 0.0) -> tuple[float, float]:
    """How much better one candidate was than another in the samples that both have, and the standard error of this mean paired
    difference; (0, inf) if there are fewer than two samples. `doubt`: a deviation assumed in `DOUBTED` additional samples, so
    that a few agreeing samples, or a tiny lead, do not count as certain.

    >>> plan = (PlannedAnswer("WhichUnit", -1, Answer()),)
    >>> lead_over(Candidate(plan, [0.75, 1.0]), Candidate(plan, [0.5, 0.5]))
    (0.375, 0.125)
    """
    pairs = [a - b for a, b in zip(one.values, other.values, strict=False)]
    n = len(pairs)
    if n < 2:
        return 0.0, inf
    mean = summed(pairs) / n
    squares, free = summed((pair - mean) ** 2 for pair in pairs), n - 1
    if doubt:
        squares, free = squares + DOUBTED * doubt * doubt, free + DOUBTED
    return mean, sqrt(squares / free / n)


class Prior(Struct, frozen=True):
    """The belief, before any sample, about how candidates compare with the first, which is the usual one: they are worse by
    `head_start`, normally distributed with the standard deviation `differ`. Both are chances to win, 0 to 1. `doubt`: as in
    `lead_over`."""

    differ: float = 0.08
    head_start: float = 0.02
    doubt: float = 0.5

    def gain(self, one: Candidate, usual: Candidate) -> tuple[float, float]:
        """How much better than the usual candidate another is: the posterior mean by Bayes' rule after the samples that both
        have, and its standard deviation. A lead over many samples counts almost fully, one over a few noisy samples hardly at
        all, so that the luckiest of several is not taken for the best."""
        lead, error = lead_over(one, usual, self.doubt)
        before = -self.head_start - one.behind
        # The further behind an answer is assumed to be, the less certain that is.
        spread = self.differ * self.differ + one.behind * one.behind
        if error == inf:
            return before, sqrt(spread)
        noise = error * error
        if not noise + spread:
            return lead, 0.0
        return (lead * spread + before * noise) / (spread + noise), sqrt(spread * noise / (spread + noise))


def best_candidate(found: Sequence[Candidate], prior: Prior) -> Candidate:
    """The candidate to take: the first, the usual one, unless the samples outweigh the prior belief about another."""
    best, most = found[0], 0.0
    for one in found[1:]:
        gain = prior.gain(one, found[0])[0]
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
    prior: Prior | None = None,
    behind: Sequence[float] = (),
    halve: int = 0,
    imagine: Imagine | None = None,
) -> list[Candidate]:
    """Play on with each of several plans (or from several answers) from the question of a view, in up to `samples` imagined
    battles.

    Sample n imagines the same state and rolls the same dice for all plans. The first is the reference for the others, and is
    played as long as any other. A candidate that ended like the first in every sample is dropped. With a `prior`, so is one
    that is hardly better than the first or than the best of the others; and if only one is left and is surely better, play
    stops. A sample in which the first answer of any plan is not legal is left out for all. Play also ends when the budget (this
    one, or that of the thinking agent) is spent; a sample that is then incomplete is left out for all.

    Args:
        plans: one or more, the usual one first.
        policy: plays for both sides after the plan: `best_by_features`, `quick_answer` or your own.
        value: what the position at the end is worth to the side that is asked, a higher number being better: `position_value` or
            your own. A `Prior` takes it for a chance to win, 0 to 1.
        samples: the most imagined battles for each plan, 1 or more.
        until: how far to play, as a time of the clock in ticks: `view.now + 1_000` is one turn from now.
        longest: the most questions answered in each battle; 0 for no limit.
        behind: how much worse than the first each plan is assumed to be beforehand, in addition to the prior's `head_start`.
        halve: the worse half is dropped after this many samples, after twice as many, after four times as many and so on
            (sequential halving); 0 for never.
        imagine: makes up what is hidden, by default the rulebook's own. `Sightings.imagine` is another.

    Returns a `Candidate` for each plan, in their order: its `plan`, the `values` of its samples, their `mean`. Without a whole
    sample, `values` is empty. Raises InputError without a plan, with `samples` below 1, if `behind` has not one number for
    each plan, or if the policy returns what is not one of its answers.

        >>> from battlesim import first_state, load_scenario, position_value, quick_answer
        >>> scenario = load_scenario("stairwell")
        >>> battle = Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 1), KeyedDice(1))
        >>> question = battle.question
        >>> view = battle.view(question.side)
        >>> answers = question.answers[:2]
        >>> until = view.now + 1_000
        >>> found = compare(
        ...     view, battle.board, answers, quick_answer, position_value, 7, samples=3, until=until, budget=Budget()
        ... )
        >>> [one.answer for one in found] == list(answers), [len(one.values) for one in found]
        (True, [3, 3])
    """
    if not plans:
        raise InputError(Fault("there are no plans to compare", "give at least one plan or answer"))
    if samples < 1:
        raise InputError(Fault(f"samples={samples!r:.60} compares nothing", "give 1 or more"))
    if behind and len(behind) != len(plans):
        what = f"behind has {len(behind)} numbers for {len(plans)} plans"
        raise InputError(Fault(what, "give one for each plan, or none"))
    ruleset, side = find_ruleset(view.ruleset), view.side
    made = [plan_of(view.ask, plan) if isinstance(plan, Answer) else plan for plan in plans]
    candidates = [Candidate(plan, [], behind[n] if behind else 0.0) for n, plan in enumerate(made)]
    racing = candidates
    for sample in range(samples):
        dice = KeyedDice(derive_seed(seed, "sample", sample))
        try:
            first = Battle(ruleset, board, (imagine or ruleset.imagine)(view, board, dice), dice)
            found = [_played(first, one.plan, policy, value, side, until, budget, longest) for one in racing]
        except BudgetSpent:
            break
        except IllegalAnswer:
            continue  # something made up for the unknown blocks it
        for one, (worth, end) in zip(racing, found, strict=True):
            one.values.append(worth)
            one.ends.append(end)
        racing = _still_racing(racing, prior, halve, cheap(budget))
        if len(racing) < 2:
            break
    return candidates


def _still_racing(
    racing: Sequence[Candidate], prior: Prior | None, halve: int, little: bool
) -> list[Candidate]:
    """The candidates to play the next sample with, the usual one first. `little`: whether samples are cheap still."""
    usual, *others = racing
    tried = len(usual.values)
    if tried >= (LONG_ALIKE if little else ALIKE):
        others = [one for one in others if (one.values, one.ends) != (usual.values, usual.ends)]
    if prior is not None and tried >= COMPARED and not little:
        others = _undecided(others, usual, prior)
    # Sequential halving: after `halve` samples, after 2 * `halve`, after 4 * `halve` ...
    if halve and not little and tried % halve == 0 and (tried // halve).bit_count() == 1:
        kept = max(1, (len(racing) + 1) // 2 - 1)
        better = sorted(others, key=lambda one: -one.mean)[:kept]
        others = [one for one in others if any(one is other for other in better)]
    return [usual, *others]


def cheap(budget: Budget) -> bool:
    """Whether only a small part of the budget has been spent, of this one and that of the thinking agent, so that nothing need be
    given up yet. False if a clock is the limit."""
    budgets = [one for one in (budget, THINKING.get()) if one is not None]
    limited = [one for one in budgets if one.questions]
    if not limited or any(one.milliseconds for one in budgets):
        return False
    return all(one.spent < CHEAP * one.questions for one in limited)


def _undecided(others: Sequence[Candidate], usual: Candidate, prior: Prior) -> list[Candidate]:
    """The candidates that more samples could still show to be the best; none if one is already clearly the best."""
    gains = [prior.gain(one, usual) for one in others]
    bar = max([0.0, *(mean for mean, _ in gains)])
    left = [
        (one, mean, spread)
        for one, (mean, spread) in zip(others, gains, strict=True)
        if mean + HOPELESS * spread > bar
    ]
    if len(left) == 1 and left[0][1] > SETTLED * left[0][2]:
        return []
    return [one for one, _, _ in left]


def _played(
    first: Battle,
    plan: Plan,
    policy: Policy,
    value: Value,
    side: int,
    until: int,
    budget: Budget,
    longest: int,
) -> tuple[float, End]:
    """The value to a side of playing on with a plan, and how the battle ends."""
    battle = first.fork()
    budget.spend()
    battle.answer(plan[0].answer)
    play_on(battle, policy, until, budget, plan[1:], side, longest)
    state = battle.state
    end = (state.now, state.points, tuple([(unit.place, unit.models) for unit in state.units.values()]))
    return value(state, battle.board, battle.ruleset, side), end
