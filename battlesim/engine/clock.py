"""SimPy keeps the clock over the agenda (law 2); the only module of the product that imports it.

One driver process a battle sleeps to the head of the agenda, hands over what is due, and waits until the rules are quiet.
The environment is never saved: it is rebuilt from any state.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import inf

import simpy

from battlesim.core.items import Entry


class Clock:
    """Hands over agenda entries in order of time. `head` shows the head of the agenda or None, `hand` takes it off and
    pushes its work; both belong to the battle, since the agenda lives in its state.
    """

    def __init__(self, now: int, head: Callable[[], Entry | None], hand: Callable[[Entry], None]) -> None:
        self.env = simpy.Environment(initial_time=now)
        self._head = head
        self._hand = hand
        self._handed = False
        self._quiet: simpy.Event | None = None
        self.env.process(self._drive())

    def _drive(self) -> Generator[simpy.Event, object, None]:
        env = self.env
        while (entry := self._head()) is not None:
            if entry.time > env.now:
                yield env.timeout(entry.time - env.now)
            self._hand(entry)
            self._handed = True
            self._quiet = env.event()
            yield self._quiet

    def tick(self) -> bool:
        """Move on to the next entry and hand it over; False where the agenda is empty.

        Call it only when the stack is empty.
        """
        self._handed = False
        if self._quiet is not None:
            self._quiet.succeed()
            self._quiet = None
        env = self.env
        while not self._handed and env.peek() != inf:
            env.step()
        return self._handed
