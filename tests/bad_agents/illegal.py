"""Answers with what is an answer, but not a legal one."""

from __future__ import annotations

from typing import Any

from battlesim.core.answers import TargetUnit


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        return TargetUnit(999)
