"""Plays at random: every legal answer is as likely as any other. The floor that every other agent is measured from."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import Answer, Ask, Board, Chance, View


class Random:
    """Uniform over the legal answers of each question."""

    def start(self, board: Board, side: int, chance: Chance) -> None:
        self.chance = chance

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        return answers[self.chance.below(len(answers))]
