"""Never answers in time, and swallows every error that would wake it."""

from __future__ import annotations

import time
from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            try:
                time.sleep(0.01)
            except Exception:
                continue
        return answers[0]
