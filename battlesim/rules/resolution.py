"""What the functions of a chapter work with: a state to read, dice to roll, events to emit, steps to put on the stack.

Rules never change the state directly: `emit` applies an event and logs it. Read `Resolution.emit`, `then` and `count`.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.apply import apply
from battlesim.core.dice import Dice
from battlesim.core.events import (
    Cancelled,
    Event,
    ExtraSet,
    ListChanged,
    ModelsLost,
    Placed,
    Rolled,
    Scheduled,
    UnitSet,
)
from battlesim.core.frozen import FrozenDict
from battlesim.core.items import Entry, Item, Step
from battlesim.core.state import State, Unit

Clauses = tuple[str, ...]
"""Ids of the clauses that an event applies, such as "OD-HE-5"."""


class Resolution:
    """The rules at work in one battle. `log`: every event emitted. `cause`: the number of the event that causes those emitted
    next, -1 for none. `depth`: how many items were left on the stack when the current step was taken off, so that `then` knows
    which ones that step has added.
    """

    __slots__ = ("board", "cause", "depth", "dice", "log", "state")

    def __init__(self, state: State, board: Board, dice: Dice) -> None:
        self.state = state
        self.board = board
        self.dice = dice
        self.log: list[Event] = []
        self.cause = -1
        self.depth = len(state.stack)

    # ---- events

    def emit(self, event: Event) -> int:
        """Apply an event and log it; returns its number. An event without a cause gets the current one."""
        if event.cause < 0 and self.cause >= 0:
            event = replace(event, cause=self.cause)
        number = apply(self.state, event)
        self.log.append(event)
        return number

    def because(self, event: Event) -> int:
        """Emit an event and make it the cause of what follows in this step."""
        self.cause = self.emit(event)
        return self.cause

    def then(self, *todo: Item | None) -> None:
        """Put steps and asks on the stack, in the order in which they are to be done; None is skipped.

        The first is done first. Those of one call are done before those of a later call in the same step, and all of them
        before what was on the stack already.
        """
        cause, state = self.cause, self.state
        stamped = [replace(i, cause=cause) if i.cause < 0 and cause >= 0 else i for i in todo if i]
        stamped.reverse()
        before, depth = state.stack, self.depth
        if len(before) <= depth:
            state.stack = (*before, *stamped)
        else:  # below what this step has pushed already
            state.stack = (*before[:depth], *stamped, *before[depth:])

    # ---- changes, in short

    def set(self, unit: int, clauses: Clauses = (), **own: Any) -> None:
        """Set fields of a unit's state in the rulebook (`unit.own`)."""
        self.emit(UnitSet(unit, FrozenDict(own), clauses=clauses, cause=self.cause))

    def set_extra(self, clauses: Clauses = (), **extra: Any) -> None:
        """Set fields of the battle's state in the rulebook (`state.extra`)."""
        self.emit(ExtraSet(FrozenDict(extra), clauses=clauses, cause=self.cause))

    def change_list(
        self,
        *path: str | int,
        removed: tuple[int, ...] = (),
        added: tuple[int, ...] = (),
        clauses: Clauses = (),
    ) -> None:
        """Take numbers out of the list at `path` in `state.extra`, and add some at its end; see `ListChanged`."""
        self.emit(ListChanged(path, removed, added, clauses=clauses, cause=self.cause))

    def move(
        self, unit: Unit, path: tuple[int, ...], clauses: Clauses = (), facing: int | None = None
    ) -> None:
        """Put a unit at the end of a path of spaces; an empty one takes it off the board. `facing`: 0-7, None to keep its own."""
        turned = unit.facing if facing is None else facing
        self.emit(Placed(unit.id, path[-1] if path else -1, turned, path, clauses=clauses))

    def lose(self, unit: Unit, models: int, how: str, clauses: Clauses = ()) -> int:
        """Take models from a unit; returns how many it lost, at most those that it had. `how`: the cause, in a word or two. There
        is no event if it loses none."""
        lost = min(models, unit.models)
        if lost > 0:
            self.emit(ModelsLost(unit.id, lost, unit.models - lost, how, clauses=clauses))
        return max(lost, 0)

    def schedule(self, time: int, step: Step, priority: int = 0, clauses: Clauses = ()) -> int:
        """Put a step on the agenda, to be done at `time` (ticks); returns the serial number of its entry. At the same time the
        lower priority comes first."""
        serial = self.state.serial
        self.emit(Scheduled(Entry(time, priority, serial, step), clauses=clauses, cause=self.cause))
        return serial

    def cancel(self, serial: int) -> None:
        """Remove the entry of a serial number from the agenda without doing it."""
        self.emit(Cancelled(serial))

    # ---- dice; `search/odds.py` overrides these

    def roll(
        self,
        n: int,
        sides: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        need: int = 0,
        clauses: Clauses = (),
    ) -> tuple[int, ...]:
        """Roll `n` dice and log them; returns their faces, from 1 to `sides`. Without dice there is no event.

        Faces follow from the turn, `purpose`, `actor`, `obj` and `attempt`, so two rolls must differ in one of these.
        `actor`: number of the unit that rolls; `obj`: what the roll is about, -1 for nothing; `attempt`: counts rolls that are
        alike. `need`: a die succeeds at this or more, 0 if the faces themselves count; it is only logged.
        """
        if n <= 0:
            return ()
        turn = self.state.turn
        faces = self.dice.faces((turn, actor, purpose, obj, attempt), n, sides)
        self.emit(
            Rolled(turn, actor, purpose, obj, attempt, sides, need, faces, clauses=clauses, cause=self.cause)
        )
        return faces

    def count(
        self,
        n: int,
        at_least: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        sides: int = 6,
        clauses: Clauses = (),
        enough: int = -1,
    ) -> int:
        """Roll `n` dice; returns how many show `at_least` or more. `enough`: a higher count is the same to the caller (-1: no
        limit), so that odds can merge these outcomes; here the real count is returned. All else as in `roll`."""
        faces = self.roll(n, sides, purpose, actor, obj, attempt, at_least, clauses)
        return sum(face >= at_least for face in faces)

    def total(
        self,
        n: int,
        sides: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        clauses: Clauses = (),
        cuts: tuple[int, ...] = (),
    ) -> int:
        """Roll `n` dice; returns their sum. `cuts`, ascending: sums up to the first cut are the same to the caller, then those
        up to the next, and so on, so that odds can merge these outcomes; () if every sum matters. All else as in `roll`."""
        return sum(self.roll(n, sides, purpose, actor, obj, attempt, 0, clauses))

    def pick(
        self,
        n: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        clauses: Clauses = (),
    ) -> int:
        """A random number from 0 to n - 1; `n` is at most 128. With n = 1 no die is rolled. All else as in `roll`."""
        if n <= 1:
            return 0
        return self.roll(1, n, purpose, actor, obj, attempt, 0, clauses)[0] - 1
