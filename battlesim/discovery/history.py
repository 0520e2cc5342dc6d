"""A side's memory of its own units' orders, so that a tactic can say which order follows which. Read `History`."""

from __future__ import annotations

import json

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.discovery.acts import acts_of, question_name
from battlesim.discovery.situations import FEATURES, NO_ORDER, unit_asked

_SAME = {"fire-move": "move"}
"""Orders that count as another order."""


class History:
    """The last order of each of the side's own units: one of the values of the feature `last`."""

    def __init__(self) -> None:
        self._last: dict[int, str] = {}

    def last(self, unit: int) -> str:
        """The last order of a unit, by number."""
        return self._last.get(unit, NO_ORDER)

    def note(self, view: View, board: Board, ask: Ask, said: Answer) -> None:
        """Note an answer."""
        unit = unit_asked(view, ask)
        if unit is None or question_name(type(ask)) != "order":
            return
        for act in acts_of(view, board, ask, [said])[0]:
            order = act.partition(":")[2]
            order = _SAME.get(order, order)
            self._last[unit.id] = order if order in FEATURES["last"] else "other"

    def save(self) -> bytes:
        """What it remembers, on one line."""
        return json.dumps(self._last, sort_keys=True).encode()

    def load(self, memory: bytes) -> None:
        """Restore what `save` gave."""
        self._last = {int(unit): order for unit, order in json.loads(memory).items()}
