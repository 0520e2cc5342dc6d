"""What each answer to a question promises, whatever the ruleset. Read `features`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.rules.contract import Features
from battlesim.rulesets.finder import find_ruleset


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record of features an answer, in their order, from what the view's side may know."""
    return find_ruleset(view.ruleset).features(view, board, ask, answers)
