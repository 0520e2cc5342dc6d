"""Answers with all kinds of things that are no answers; their names can hurt."""

from __future__ import annotations

from typing import Any


class Rude:
    def __repr__(self) -> str:
        raise SystemExit("no repr")

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Agent:
    """Takes one kind of nonsense after the other."""

    def start(self, board: Any, side: int, chance: Any) -> None:
        self.number = 0

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        self.number += 1
        kinds: list[Any] = [
            None,
            "pass",
            7,
            Rude(),
            "\ud800 lone",
            "line\nbreak",
            float("nan"),
            object(),
            answers,
            Agent,
        ]
        return kinds[self.number % len(kinds)]
