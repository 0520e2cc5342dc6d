"""Fills all the memory there is but `free` bytes before the game, so that others run out of it."""

from __future__ import annotations

from typing import Any


class Agent:
    def __init__(self, free: int = 0) -> None:
        self.free = free

    def start(self, board: Any, side: int, chance: Any) -> None:
        self.hoard: list[bytearray] = []
        for size in (8_000_000, 500_000, 50_000, 5_000):
            try:
                while True:
                    self.hoard.append(bytearray(size))
            except MemoryError:
                pass
        given = 0
        while given < self.free:
            given += len(self.hoard.pop())

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return answers[0]
