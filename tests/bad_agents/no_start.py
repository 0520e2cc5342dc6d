"""Cannot start, and cannot answer either."""

from __future__ import annotations

from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        raise RuntimeError("no fuel")

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return self.plan  # type: ignore[attr-defined]
