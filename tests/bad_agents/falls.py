"""Reads where nothing is."""

from __future__ import annotations

import ctypes
from typing import Any


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        ctypes.string_at(0)
