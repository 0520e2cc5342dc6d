"""Fires at its best target, else goes for the nearest objective; the measuring stick between `random` and `greedy`.

It looks at two features only, what an answer may cost the enemy and how near it brings an objective, and never at what comes
back.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import Answer, Ask, Board, Chance, Features, View, features, weigh

WEIGHTS = Features(dealt=10.0, progress=1.0, hold=1.0)
"""What each feature counts; all others count nothing."""


class Rush:
    """Shoot what can be shot, run for the rest."""

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """Keep the map and its random numbers."""
        self.board = board
        self.chance = chance

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the highest value under `WEIGHTS`; among equals, one at random."""
        values = [weigh(found, WEIGHTS) for found in features(view, self.board, ask, answers)]
        best = max(values)
        return self.chance.choice([a for a, value in zip(answers, values, strict=True) if value == best])
