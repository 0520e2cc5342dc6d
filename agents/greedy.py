"""Takes the answer that promises most: a player that looks one order ahead and weighs what it costs.

It takes and holds objectives, fires at what it can hurt, assaults when the odds are good, lies down under heavy fire and
rallies when pinned, all by weighing the features that a ruleset gives each answer; so it plays every ruleset. `explain` shows
its reasons.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import SENSIBLE, Answer, Ask, Board, Chance, Features, View, features, weigh

NAMES: tuple[str, ...] = Features.__struct_fields__


class Greedy:
    """Maximises the weighed features of each answer. Keywords replace weights: `greedy,exposure=0.8`."""

    def __init__(self, **weights: float) -> None:
        for name, weight in weights.items():
            if name not in NAMES or isinstance(weight, bool) or not isinstance(weight, int | float):
                raise ValueError(
                    f"{name}={weight!r} is no weight: give a number for one of {', '.join(NAMES)}"
                )
        self.weights = Features(**{**{name: getattr(SENSIBLE, name) for name in NAMES}, **weights})

    def start(self, board: Board, side: int, chance: Chance) -> None:
        self.board = board
        self.chance = chance

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        values = [weigh(found, self.weights) for found in features(view, self.board, ask, answers)]
        best = max(values)
        return self.chance.choice([a for a, value in zip(answers, values, strict=True) if value == best])

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[tuple[Answer, float, str]]:
        """Every answer with its score and the features behind it, the best first."""
        rows = []
        for answer, found in zip(answers, features(view, self.board, ask, answers), strict=True):
            parts = [
                f"{name} {getattr(found, name):.1f}" for name in NAMES if abs(getattr(found, name)) >= 0.05
            ]
            rows.append((answer, weigh(found, self.weights), ", ".join(parts)))
        return sorted(rows, key=lambda row: -row[1])
