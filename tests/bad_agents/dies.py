"""Ends its whole process."""

from __future__ import annotations

import os
from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        os._exit(3)
