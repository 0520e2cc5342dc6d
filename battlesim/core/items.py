"""Work in hand and work to come: steps and asks on the stack, entries on the agenda (laws 2 and 5).

Every item is a frozen record of ids and small numbers. A ruleset defines one class each for its steps, asks and dues and
lists them in its contract, so that any state can be saved and loaded. Read `Ask` first.
"""

from __future__ import annotations

from msgspec import Struct


class Item(Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """One entry of `state.stack`. `cause`: number of the event that made it necessary (-1: none)."""

    cause: int = -1


class Step(Item, frozen=True, kw_only=True):
    """Rules work still to be done. It rereads the state when it runs and does nothing when its units are gone."""


class Ask(Item, frozen=True, kw_only=True):
    """A question to one side."""

    side: int


class Due(Struct, frozen=True, tag=True, gc=False):
    """What an agenda entry stands for. It only pushes work on the stack."""


class Entry(Struct, frozen=True, gc=False):
    """One entry of the agenda: at `time` (ticks, 1,000 a turn) and, among equals, lower `priority`, then `serial`."""

    time: int
    priority: int
    serial: int
    due: Due

    @property
    def rank(self) -> tuple[int, int, int]:
        return (self.time, self.priority, self.serial)


TURN = 1_000
"""Ticks in one turn."""
