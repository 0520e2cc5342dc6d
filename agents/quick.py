"""Plays by rules of thumb, at less than twice the cost of `random`: for many games in little time, and for players that imagine.

A unit on an objective stays and fires. Elsewhere it stands to fire where that costs the enemy much, fires on the move where it
costs him something, and else runs for an objective. It does not ask what comes back.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import Answer, Ask, Board, Chance, View, quick_answer


class Quick:
    """No memory, no dice: equals are told apart by the number of the question."""

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """Keep the map; it needs no random numbers."""
        self.board = board

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """What `battlesim.quick_answer` says."""
        return quick_answer(view, self.board, ask, answers)

    def policy(self, view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """Its answer in a battle that it imagines."""
        return quick_answer(view, board, ask, answers)
