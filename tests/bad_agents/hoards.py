"""Fills nearly all the memory there is before the game, so that others run out of it."""

from __future__ import annotations

from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        self.hoard: list[bytearray] = []
        for size in (8_000_000, 500_000, 50_000, 5_000):
            try:
                while True:
                    self.hoard.append(bytearray(size))
            except MemoryError:
                pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return answers[0]
