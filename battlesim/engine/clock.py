"""The clock, kept by SimPy over the agenda. No other module of the engine imports SimPy.

Each battle has one SimPy process. It waits until the stack is empty, sleeps until the head of the agenda is due, and hands that
entry to the battle. The SimPy environment is never saved: a new one is made from any state when the clock has to move. Read
`Clock._drive`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import simpy

from battlesim.core.items import Entry


class Clock:
    """Moves the time from one entry of the agenda to the next.

    `now`: the time at the start, in ticks. `hand`: the battle's function that takes an entry off the agenda and puts its step on
    the stack.
    """

    __slots__ = ("_driver", "_hand", "_quiet", "env")

    def __init__(self, now: int, hand: Callable[[Entry], None]) -> None:
        self.env = simpy.Environment(initial_time=now)
        self._hand = hand
        self._quiet = self.env.event()
        self._driver = self.env.process(self._drive())
        self.env.step()  # to where it first waits

    def _drive(self) -> Generator[simpy.Event, Any, None]:
        env = self.env
        while True:
            # The stack is empty; `entry` is the head of the agenda.
            entry: Entry = yield self._quiet
            # An entry that was scheduled for a time already past is due at once.
            yield env.timeout(max(entry.time - int(env.now), 0))
            self._quiet = env.event()
            self._hand(entry)

    def move_to(self, head: Entry) -> None:
        """Move the time to the head of the agenda and hand that over. Call it only when the stack is empty."""
        self._quiet.succeed(head)
        self.env.step()  # the driver wakes and goes to sleep
        self.env.step()  # the entry is due
        # SimPy keeps what stops a process, an interrupt by Ctrl-C too, for its next step.
        if not self._driver.is_alive:
            stopped = self._driver.value
            assert isinstance(stopped, BaseException)
            raise stopped
