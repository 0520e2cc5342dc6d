"""Changes a module that all games of its process share: every die shows a six from then on."""

from __future__ import annotations

from typing import Any

from battlesim.core.dice import KeyedDice


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        KeyedDice.faces = lambda self, key, n, sides: (sides,) * n  # type: ignore[method-assign]

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return answers[0]
