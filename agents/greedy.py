"""Takes the answer that promises most: a player that looks one order ahead and weighs what it costs.

It takes and holds objectives, fires at what it can hurt, assaults when the odds are good, lies down under heavy fire and
rallies when pinned, all by weighing the features that a ruleset gives each answer; so it plays every ruleset. `explain` shows
its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battlesim import (
    Answer,
    Ask,
    Board,
    Chance,
    Features,
    Reason,
    View,
    check_settings,
    contributions,
    features,
    judgement,
    parameters,
    top_scores,
    weigh,
    weights_of,
)


class Greedy:
    """Maximises the weighed features of each answer. Keywords set parameters of judgement, as `parameters(ruleset)` lists them:
    `greedy,exposure=0.8`. One that a rulebook does not have counts nothing there."""

    def __init__(self, **settings: float) -> None:
        self.settings = settings
        self._judgements: dict[str, Any] = {}
        check_settings(settings)

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """Keep the map and its random numbers."""
        self.board = board
        self.chance = chance

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the highest score; among equals, one at random."""
        values = self._scores(view, ask, answers)
        best = max(values)
        return self.chance.choice([a for a, value in zip(answers, values, strict=True) if value == best])

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """Every answer with its score, in points of unit worth, and what each feature adds to that, the best first."""
        judges, weights = self._judging(view.ruleset)
        rows = []
        for answer, found in zip(answers, features(view, self.board, ask, answers, judges), strict=True):
            value = weigh(found, weights)
            parts = contributions(found, weights)
            terms = [f"{name} {part:+.2f}" for name, part in parts.items() if abs(part) >= 0.005]
            rows.append(Reason(answer, value, ", ".join(terms), parts))
        return sorted(rows, key=lambda row: -row.score)

    def policy(self, view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """Its answer in a battle that it imagines: the first of the best."""
        values = self._scores(view, ask, answers)
        return answers[values.index(max(values))]

    def _scores(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[float]:
        """The score of every answer that may be the best."""
        return top_scores(view, self.board, ask, answers, self._judging(view.ruleset)[0])

    def _judging(self, ruleset: str) -> tuple[Any, Features]:
        """The judgement under a rulebook, and its weights."""
        known = self._judgements.get(ruleset)
        if known is None:
            names = {one.name for one in parameters(ruleset)}
            judges = judgement(ruleset, **{name: x for name, x in self.settings.items() if name in names})
            known = self._judgements[ruleset] = (judges, weights_of(judges))
        return known
