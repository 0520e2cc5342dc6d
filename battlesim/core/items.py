"""Work to be done: steps and asks on the stack, steps on the agenda.

Every item is a frozen record of ids and small numbers. A ruleset defines one class for each of its steps and asks and lists them
in its chapters, so that any state can be saved and loaded. Read `Ask` first.
"""

from __future__ import annotations

from operator import attrgetter

from msgspec import Struct


class Item(Struct, frozen=True, tag=True, kw_only=True, gc=False):
    """One entry of `state.stack`. `cause`: number of the event that made it necessary (-1: none)."""

    cause: int = -1


class Step(Item, frozen=True, kw_only=True, omit_defaults=True):
    """Work that the rules still have to do: next (on the stack) or at a later time (on the agenda).

    A step reads the state anew when it runs and does nothing when its units are gone. Fields that have their default are not
    written. A step on the agenda has no cause until it is due.
    """


class Ask(Item, frozen=True, kw_only=True):
    """A question to one side."""

    side: int


class Entry(Struct, frozen=True, gc=False, rename={"step": "due"}):
    """One entry of the agenda: `step` is put on the stack at `time` (ticks, 1,000 a turn). At the same time lower `priority`
    comes first, then lower `serial`. Records and saved states call the step `due`."""

    time: int
    priority: int
    serial: int
    step: Step

    @property
    def rank(self) -> tuple[int, int, int]:
        """The place of the entry on the agenda: (time, priority, serial), the lowest first."""
        return (self.time, self.priority, self.serial)


by_rank = attrgetter("rank")
"""The sort key for entries of the agenda."""

TURN = 1_000
"""Ticks in one turn."""
