"""SimPy keeps the clock over the agenda (law 2); the only module of the engine that imports it.

One driver process a battle waits until the rules are quiet, sleeps to the head of the agenda, and hands over what is due there.
The environment is never saved: it is made anew from any state, once its clock has to move. Read `Clock._drive`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import simpy

from battlesim.core.items import Entry


class Clock:
    """Moves on from one entry of the agenda to the next.

    `now`: the time it starts at, in ticks. `hand`: takes an entry off the agenda and puts its work in hand; it belongs to the
    battle, since the agenda lives in its state.
    """

    __slots__ = ("_hand", "_quiet", "env")

    def __init__(self, now: int, hand: Callable[[Entry], None]) -> None:
        self.env = simpy.Environment(initial_time=now)
        self._hand = hand
        self._quiet = self.env.event()
        self.env.process(self._drive())
        self.env.step()  # to where it first waits

    def _drive(self) -> Generator[simpy.Event, Any, None]:
        env = self.env
        while True:
            # The rules are quiet: all work in hand is done, and `entry` is the head of the agenda.
            entry: Entry = yield self._quiet
            # An entry that was scheduled for a time already past is due at once.
            yield env.timeout(max(entry.time - int(env.now), 0))
            self._quiet = env.event()
            self._hand(entry)

    def move_to(self, head: Entry) -> None:
        """Sleep until the head of the agenda is due, and hand it over. Call it only when no work is in hand."""
        self._quiet.succeed(head)
        self.env.step()  # the driver wakes and goes to sleep
        self.env.step()  # the entry is due
