"""Never answers."""

from __future__ import annotations

from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        x = 0
        while True:  # not even its own interrupt would stop it
            try:
                x += 1
            except BaseException:
                x = 0
