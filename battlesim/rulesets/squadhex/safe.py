"""What stands in for an agent that failed: the most harmless legal answer (referee). Read `safe_answer`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Order, Pass, Say
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.rulesets.squadhex.model import HOLD, OPPORTUNITY

HARMLESS: tuple[Answer, ...] = (Pass(), Say(False), Order(HOLD), Order(OPPORTUNITY))


def safe_answer(state: State, board: Board, ask: Ask, legal: Sequence[Answer]) -> Answer:
    """Pass, no, hold or wait where they are legal, else the first legal answer."""
    for answer in HARMLESS:
        if answer in legal:
            return answer
    return legal[0]
