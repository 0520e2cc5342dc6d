"""Plans whole activations, from the order to the last target, and chooses the plan that did best in imagined battles.

At the first question of an activation it makes several plans: greedy's best answers, each with the best answers to the questions
that follow. All are played on under the same dice, as a rule to the end of the battle. The worse half is dropped as samples come
in (sequential halving). Greedy's plan is replaced only if the paired samples outweigh the prior belief that it is best.

At each later question of the activation it compares plans again, since more has been seen. A plan that samples preferred to
greedy's is now the one to beat. If greedy's plan was kept, greedy's present answer is the one to beat: the rest of that plan was
made for an imagined battle.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from battlesim import (
    TURN,
    Answer,
    Ask,
    Battle,
    Board,
    Brief,
    Budget,
    BudgetSpent,
    Candidate,
    Chance,
    KeyedDice,
    Plan,
    PlannedAnswer,
    Prior,
    Reason,
    Sightings,
    View,
    best_candidate,
    compare,
    derive_seed,
    feature_scores,
    find_ruleset,
    format_answer,
    is_about,
    likely_plans,
    number,
    parse_answer,
    plan_of,
    playout_policy,
    position_value,
    shortfalls,
    whole,
)
from battlesim.core.answers import CORE_ANSWERS

HALVED = 16
"""The worse half of the plans is dropped for the first time after this many samples, or a quarter of them if that is fewer."""
THINKING = 500
"""Milliseconds that it imagines for each second of the time for an answer, if that is limited."""


class Searcher:
    """How far it looks:

    - `first`, `then`: how many answers are tried at the first question of an activation, and at the second after each of these.
    - `samples`: the most imagined battles for each plan.
    - `turns`, `longest`: each is played for this many turns, or until this many questions are answered.
    - `questions`: the most imagined questions answered before one answer; 0 for no limit but the referee's. If the time for an
      answer is limited, it imagines for half of that at most.
    - `playout`: the policy of both sides in imagined battles, `greedy` or `quick`.

    What it believes before any sample, in chance to win:

    - `head_start`: how much better greedy's plan is than any other.
    - `trust`: how much worse a plan is, in addition, for each point that greedy scores its first answer lower; points count as
      shares of the side's own force.
    - `differ`: by how much plans differ, as a standard deviation.
    - `doubt`: a deviation assumed in two further samples, so that a few agreeing samples do not count as proof.

    Ranges: `first` and `samples` from 2, `then` and `longest` from 1, `questions`, `trust` and `doubt` from 0, `turns` from 0.001
    to 1,000, `differ` and `head_start` from 0 to 1.
    """

    def __init__(
        self,
        first: int = 4,
        then: int = 2,
        samples: int = 256,
        turns: float = 6.0,
        longest: int = 240,
        differ: float = 0.08,
        head_start: float = 0.02,
        trust: float = 0.15,
        doubt: float = 0.5,
        questions: int = 16_000,
        playout: str = "greedy",
    ) -> None:
        first, then = whole("first", first, 2), whole("then", then, 1)
        self.widths, self.later = (first, then, 1, 1), (first, 1, 1)
        self.samples = whole("samples", samples, 2)
        self.ahead = round(TURN * number("turns", turns, 1 / TURN, 1_000))
        self.longest, self.questions = whole("longest", longest, 1), whole("questions", questions, 0)
        self.prior = Prior(
            number("differ", differ, 0, 1), number("head_start", head_start, 0, 1), number("doubt", doubt, 0)
        )
        self.trust = number("trust", trust, 0)
        self.playout = playout_policy(playout)

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """Begin a battle, without a plan and without an enemy seen. `brief`: what it imagines hidden enemies by, its time for
        an answer, and whose rulebook says which answers `load` reads; None: it imagines by its views alone."""
        self.board, self.chance = board, chance
        self.sightings = Sightings(brief)
        self.milliseconds = ceil(THINKING * brief.seconds) if brief else 0
        self.plan: Plan = ()
        self.preferred = False  # whether samples preferred the plan to greedy's
        self.kinds = CORE_ANSWERS if brief is None else find_ruleset(brief.ruleset).answers

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The first answer of greedy's plan, or of one that did better in imagined battles; the rest of that plan is kept."""
        self.sightings.note(view)
        best = self._compared(view, ask, answers)[0]
        self.plan, self.preferred = best.then, not best.usual
        return best.answer

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The plans that were compared, the chosen one first, each with its chance to win in per cent."""
        self.sightings.note(view)
        return self._compared(view, ask, answers)

    def save(self) -> bytes:
        """The enemies it has seen, what is left of its plan, and whether it preferred that to greedy's."""
        steps = ["preferred" if self.preferred else "greedy's"]
        steps += [f"{step.ask}|{step.unit}|{format_answer(step.answer)}" for step in self.plan]
        return "\n".join(steps).encode() + b"\n\n" + self.sightings.save()

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        plan, _, seen = memory.partition(b"\n\n")
        whose, *steps = plan.decode().splitlines() or [""]
        self.preferred = whose == "preferred"
        self.plan = tuple(
            PlannedAnswer(ask, int(unit), parse_answer(answer, self.kinds))
            for ask, unit, answer in (line.split("|") for line in steps)
        )
        self.sightings.load(seen)

    def _begun(self, ask: Ask, answers: Sequence[Answer]) -> Plan:
        """What is left of the plan, if this is the question it continues with."""
        fits = self.plan and is_about(ask, self.plan[0].ask, self.plan[0].unit)
        return self.plan if fits and self.plan[0].answer in answers else ()

    def _compared(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """Plans for the activation, compared in imagined battles, the best first."""
        budget, seed = Budget(self.questions, self.milliseconds), self.chance.bits() >> 1
        begun = self._begun(ask, answers)
        plans = self._likely(view, seed, self.later if begun else self.widths, budget)
        if not self.preferred:
            begun = ()  # greedy's own plan, found for an imagined battle; greedy is asked anew
        scores = feature_scores(view, self.board, ask, answers)
        short = dict(zip(answers, shortfalls(view, scores), strict=True))
        # An answer that only the imagined battle allows is not a plan.
        plans = [plan for plan in plans if plan[0].answer in short] or [
            plan_of(ask, answers[scores.index(max(scores))])
        ]
        if begun:
            plans = [begun, *(plan for plan in plans if plan[: len(begun)] != begun)]
        usual_short = short[plans[0][0].answer]
        found = compare(
            view,
            self.board,
            plans,
            self.playout,
            position_value,
            seed,
            samples=self.samples,
            until=view.now + self.ahead,
            budget=budget,
            longest=self.longest,
            prior=self.prior,
            behind=[self.trust * max(0.0, short[plan[0].answer] - usual_short) for plan in plans],
            imagine=self.sightings.imagine,
            halve=max(2, min(HALVED, self.samples // 4)),
        )
        usual, best = found[0], best_candidate(found, self.prior)
        rows = sorted(found, key=lambda one: (one is not best, -one.mean))
        return [_reason(one, one is usual, bool(begun)) for one in rows]

    def _likely(self, view: View, seed: int, widths: Sequence[int], budget: Budget) -> list[Plan]:
        """Plans that greedy's scores find likely in one imagined battle, greedy's own first; none if the budget is spent."""
        ruleset, dice = find_ruleset(view.ruleset), KeyedDice(derive_seed(seed, "plans"))
        first = Battle(ruleset, self.board, self.sightings.imagine(view, self.board, dice), dice)
        try:
            return likely_plans(first, feature_scores, widths, budget)
        except BudgetSpent:
            return []


def _reason(one: Candidate, is_usual: bool, is_begun: bool) -> Reason:
    """A plan that was compared, as a reason. `is_usual`: the others are compared with it. It is greedy's or, where a plan was
    begun (`is_begun`), the rest of that."""
    whose = (", as planned" if is_begun else ", greedy's") if is_usual else ""
    steps = [format_answer(step.answer) for step in one.plan[1:]]
    return Reason(
        one.answer,
        100 * one.mean,
        ", then ".join([f"{len(one.values)} samples{whose}", *steps]),
        then=one.plan[1:],
        chance=True,
        samples=len(one.values),
        usual=is_usual and not is_begun,
    )
