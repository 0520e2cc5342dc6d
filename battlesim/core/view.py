"""What one side may know (law 7): agents see this and the legal answers, nothing else."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from battlesim.core.events import Event
from battlesim.core.items import Ask, Entry
from battlesim.core.state import Structure, Unit


class View(Struct):
    """The battle as one side knows it, when it is asked.

    `units` and `structures` are copies: an agent may keep them, and can change nothing by them. `stack`: the work in hand
    as the side may know it, the question last. `agenda`: the entries the side may know. `news`: events since its last
    question. `number` is the number of the question.
    """

    ruleset: str
    side: int
    turn: int
    now: int
    number: int
    units: dict[int, Unit]
    structures: dict[int, Structure]
    points: tuple[int, int]
    extra: Any
    stack: tuple[Any, ...]
    agenda: tuple[Entry, ...]
    news: tuple[Event, ...]

    @property
    def ask(self) -> Ask:
        """The question being put."""
        ask: Ask = self.stack[-1]
        return ask
