"""What each answer promises (contract: `Features`), question by question, from a view alone."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.rules.contract import Features


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    return [Features() for _ in answers]
