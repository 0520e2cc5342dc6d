"""Plans whole activations: tries acts from order to last target in its imagination, and carries out the one that came out best.

At the first question of an activation it makes a portfolio of plans (greedy's best answers, each with the best of what follows),
plays all of them on under the same dice over the enemy's modelled reply, and halves the field as samples come in. It leaves
greedy's plan only where the paired samples say so, and keeps to the plan while its questions come as foreseen.
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
    Reason,
    Sightings,
    View,
    best_by_features,
    compare,
    derive_seed,
    feature_scores,
    find_ruleset,
    format_answer,
    is_about,
    lead_over,
    likely_plans,
    parse_answer,
    plan_of,
    position_value,
)
from battlesim.core.answers import CORE_ANSWERS

TURN = 1_000
"""Ticks of the clock a turn."""


class Searcher:
    """`first`, `then`: answers that are looked at to the first question of an activation, and to the second after each.
    `samples`: imagined battles for each plan, at most. `turns`: how far they are played, and `longest`: how many questions far,
    at most. `sure`: standard errors by which a plan must be ahead of greedy's. `doubt`: a deviation that is taken to have been
    seen in two samples besides, so that few which agree do not count as proof. `questions`: imagined questions that it answers at
    most before it answers one, 0 for no limit but the referee's."""

    def __init__(
        self,
        first: int = 4,
        then: int = 2,
        samples: int = 16,
        turns: float = 1.0,
        longest: int = 80,
        sure: float = 1.0,
        doubt: float = 0.1,
        questions: int = 0,
    ) -> None:
        if (
            first < 2
            or then < 1
            or samples < 2
            or turns <= 0
            or longest < 1
            or sure < 0
            or doubt < 0
            or questions < 0
        ):
            raise ValueError(
                "give first and samples of at least 2, then and longest of 1, turns above 0, and nothing below 0"
            )
        self.widths, self.samples, self.ahead, self.sure = (
            (first, then, 1, 1),
            samples,
            round(TURN * turns),
            sure,
        )
        self.longest, self.questions, self.doubt = longest, questions, doubt

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        self.board, self.chance = board, chance
        self.sightings = Sightings()
        self.plan: Plan = ()
        self.kinds = CORE_ANSWERS if brief is None else find_ruleset(brief.ruleset).answers

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.sightings.note(view)
        if self.plan:
            step, self.plan = self.plan[0], self.plan[1:]
            if is_about(ask, step.ask, step.unit) and step.answer in answers:
                return step.answer
        best = self._weighed(view, ask, answers)[0]
        self.plan = best.then
        return best.answer

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The plans that were looked at, the chosen one first, each with the chance to win in per cent; of a plan that is being
        carried out, its next answer."""
        self.sightings.note(view)
        if self.plan:
            step = self.plan[0]
            if is_about(ask, step.ask, step.unit) and step.answer in answers:
                return [Reason(step.answer, 0.0, "as planned", then=self.plan[1:], chance=True)]
        return self._weighed(view, ask, answers)

    def save(self) -> bytes:
        """Whom it has seen, and what is left of its plan."""
        steps = [f"{step.ask}|{step.unit}|{format_answer(step.answer)}" for step in self.plan]
        return "\n".join(steps).encode() + b"\n\n" + self.sightings.save()

    def load(self, memory: bytes) -> None:
        """Go on where a battle was left."""
        steps, _, seen = memory.partition(b"\n\n")
        self.plan = tuple(
            PlannedAnswer(ask, int(unit), parse_answer(answer, self.kinds))
            for ask, unit, answer in (line.split("|") for line in steps.decode().splitlines())
        )
        self.sightings.load(seen)

    def _weighed(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        budget, seed = Budget(self.questions), self.chance.bits() >> 1
        ruleset, dice = find_ruleset(view.ruleset), KeyedDice(derive_seed(seed, "plans"))
        first = Battle(ruleset, self.board, self.sightings.imagine(view, self.board, dice), dice)
        try:
            plans = likely_plans(first, feature_scores, self.widths, budget)
        except BudgetSpent:
            plans = [plan_of(ask, best_by_features(view, self.board, ask, answers))]
        found = compare(
            view,
            self.board,
            plans,
            best_by_features,
            position_value,
            seed,
            samples=self.samples,
            until=view.now + self.ahead,
            budget=budget,
            longest=self.longest,
            imagine=self.sightings.imagine,
            halve=True,
        )
        usual, best, most = found[0], found[0], 0.0
        for one in found[1:]:
            lead, error = lead_over(one, usual, self.doubt)
            if lead > self.sure * error and lead > most:
                best, most = one, lead
        rows = sorted(found, key=lambda one: (one is not best, -one.mean))
        return [
            Reason(
                one.answer,
                100 * one.mean,
                ", then ".join(
                    [
                        f"{len(one.values)} samples" + ", greedy's" * (one is usual),
                        *(format_answer(step.answer) for step in one.plan[1:]),
                    ]
                ),
                then=one.plan[1:],
                chance=True,
                samples=len(one.values),
                usual=one is usual,
            )
            for one in rows
        ]
