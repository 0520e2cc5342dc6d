"""SimPy keeps the clock over the agenda (law 2); the only module of the product that imports it.

One driver process a battle sleeps until its alarm rings at the head of the agenda, and hands over what is due; the alarm is set
again when the rules are quiet.
The environment is never saved: it is rebuilt from any state.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import simpy

from battlesim.core.items import Entry


class _Alarm(simpy.Event):
    """A timeout whose delay is given later than it is made."""

    def ring_in(self, delay: int) -> None:
        self._ok, self._value = True, None
        self.env.schedule(self, delay=delay)


class Clock:
    """Hands over agenda entries in order of time. `head` shows the head of the agenda or None, `hand` takes it off and
    pushes its work; both belong to the battle, since the agenda lives in its state.
    """

    def __init__(self, now: int, head: Callable[[], Entry | None], hand: Callable[[Entry], None]) -> None:
        self.env = simpy.Environment(initial_time=now)
        self._head = head
        self._hand = hand
        self._alarm = _Alarm(self.env)
        self.env.process(self._drive())
        self.env.step()  # to where it first sleeps

    def _drive(self) -> Generator[simpy.Event, object, None]:
        while True:
            yield self._alarm
            self._alarm = _Alarm(self.env)
            entry = self._head()
            assert entry is not None  # the alarm was set for it
            self._hand(entry)

    def tick(self) -> bool:
        """Move on to the next entry and hand it over; False where the agenda is empty.

        Call it only when the stack is empty.
        """
        entry = self._head()
        if entry is None:
            return False
        self._alarm.ring_in(max(entry.time - int(self.env.now), 0))
        self.env.step()
        return True
