"""Plans whole activations: tries acts from order to last target in its imagination, and carries out the one that came out best.

At the first question of an activation it makes a portfolio of plans (greedy's best answers, each with the best of what follows),
plays all of them on under the same dice, to the end of most battles, and halves the field as samples come in. It leaves
greedy's plan only where the paired samples say so. At the questions that follow it looks again, knowing more: a plan that samples
preferred to greedy's stands where greedy's stood, and is left only for one that they say is better. If greedy's plan was kept,
what greedy would do now stands there: the rest of that plan was made for an imagined battle, before anything was seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import (
    Answer,
    Ask,
    Battle,
    Board,
    Brief,
    Budget,
    BudgetSpent,
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

TURN = 1_000
"""Ticks of the clock a turn."""


class Searcher:
    """`first`, `then`: answers that are looked at to the first question of an activation, and to the second after each.
    `samples`: imagined battles for each plan, at most. `turns`: how far they are played, and `longest`: how many questions far,
    at most. `head_start`: by how much greedy's plan is taken to be better beforehand, in chance to win, and `trust`: how much
    more for each point of what its first answer promises more, as a share of the side's own force. `differ`: by how much plans
    are taken to differ, a standard deviation. `doubt`: a deviation that is taken to have been seen in two samples besides, so
    that few which agree do not count as proof. `questions`: imagined questions that it answers at most before it answers one, 0
    for no limit but the referee's. `playout`: who plays on in its imagination, `greedy` or `quick`."""

    def __init__(
        self,
        first: int = 4,
        then: int = 2,
        samples: int = 64,
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
        self.samples, self.ahead = (
            whole("samples", samples, 2),
            round(TURN * number("turns", turns, 1 / TURN, 1_000)),
        )
        self.longest, self.questions = whole("longest", longest, 1), whole("questions", questions, 0)
        self.prior = Prior(
            number("differ", differ, 0, 1), number("head_start", head_start, 0, 1), number("doubt", doubt, 0)
        )
        self.trust = number("trust", trust, 0)
        self.playout = playout_policy(playout)

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        self.board, self.chance = board, chance
        self.sightings = Sightings(brief)
        self.plan: Plan = ()
        self.preferred = False  # whether samples preferred the plan to greedy's
        self.kinds = CORE_ANSWERS if brief is None else find_ruleset(brief.ruleset).answers

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.sightings.note(view)
        best = self._weighed(view, ask, answers)[0]
        self.plan, self.preferred = best.then, not best.usual
        return best.answer

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The plans that were tried, the chosen one first, each with the chance to win in per cent."""
        self.sightings.note(view)
        return self._weighed(view, ask, answers)

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

    def _weighed(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        budget, seed = Budget(self.questions), self.chance.bits() >> 1
        begun = self._begun(ask, answers)
        ruleset, dice = find_ruleset(view.ruleset), KeyedDice(derive_seed(seed, "plans"))
        first = Battle(ruleset, self.board, self.sightings.imagine(view, self.board, dice), dice)
        try:
            plans = likely_plans(first, feature_scores, self.later if begun else self.widths, budget)
        except BudgetSpent:
            plans = []
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
            halve=max(2, self.samples // 4),
        )
        usual, best = found[0], best_candidate(found, self.prior)
        rows = sorted(found, key=lambda one: (one is not best, -one.mean))
        return [
            Reason(
                one.answer,
                100 * one.mean,
                ", then ".join(
                    [
                        f"{len(one.values)} samples"
                        + (", as planned" if begun else ", greedy's") * (one is usual),
                        *(format_answer(step.answer) for step in one.plan[1:]),
                    ]
                ),
                then=one.plan[1:],
                chance=True,
                samples=len(one.values),
                usual=one is usual and not begun,
            )
            for one in rows
        ]
