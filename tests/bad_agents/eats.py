"""Wants all the memory there is."""

from __future__ import annotations

from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        hoard = []
        while True:
            hoard.append(bytearray(32_000_000))
