"""What a chapter of rules is handed: the state to read, dice to ask for, events to emit, work to push.

Rules only emit; `emit` numbers the event, applies it and keeps it. Read `Resolution.emit`, `then` and `count`.
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


class Resolution:
    """One battle's rules at work. `log` holds every event emitted through it; `cause` is the number of the event that
    the events emitted next are put down to. `depth`: how many items lay on the stack when the step being done was taken off:
    whoever does a step sets it, so that `then` knows what that step has pushed.
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
        """Apply an event and keep it; its number. An event without a cause of its own gets the current one."""
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
        """Push work in the order it is to be done: the first is done first, and what one call pushes before what the next call in
        the same step pushes, all of it before what lay on the stack. None is left out."""
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
        """Set fields of a unit's own record."""
        self.emit(UnitSet(unit, FrozenDict(own), clauses=clauses, cause=self.cause))

    def set_extra(self, clauses: Clauses = (), **extra: Any) -> None:
        """Set fields of the state's extra record."""
        self.emit(ExtraSet(FrozenDict(extra), clauses=clauses, cause=self.cause))

    def change_list(
        self,
        *path: str | int,
        removed: tuple[int, ...] = (),
        added: tuple[int, ...] = (),
        clauses: Clauses = (),
    ) -> None:
        """Take numbers out of the list in the state's extra record that `path` leads to, and add some at its end."""
        self.emit(ListChanged(path, removed, added, clauses=clauses, cause=self.cause))

    def move(
        self, unit: Unit, path: tuple[int, ...], clauses: Clauses = (), facing: int | None = None
    ) -> None:
        """Put a unit at the end of a path."""
        turned = unit.facing if facing is None else facing
        self.emit(Placed(unit.id, path[-1] if path else -1, turned, path, clauses=clauses))

    def lose(self, unit: Unit, models: int, how: str, clauses: Clauses = ()) -> int:
        """Take models from a unit; how many it really lost."""
        lost = min(models, unit.models)
        if lost > 0:
            self.emit(ModelsLost(unit.id, lost, unit.models - lost, how, clauses=clauses))
        return max(lost, 0)

    def schedule(self, time: int, step: Step, priority: int = 0, clauses: Clauses = ()) -> int:
        """Put a step on the agenda, to be done at `time` (ticks); the serial number of its entry."""
        serial = self.state.serial
        self.emit(Scheduled(Entry(time, priority, serial, step), clauses=clauses, cause=self.cause))
        return serial

    def cancel(self, serial: int) -> None:
        """Take an entry off the agenda unused."""
        self.emit(Cancelled(serial))

    # ---- dice: the three questions rules ask of chance; an odds tool overrides these

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
        """The faces of `n` dice, logged under their key; no dice, no event."""
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
        """How many of `n` dice show `at_least` or more. `enough`: more than so many (-1: no limit) come to the same thing for
        the caller, so that odds may put them together; here they are counted all the same."""
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
        """The sum of `n` dice. `cuts`, ascending: sums up to the first, those above it up to the next, and so on come to the same
        thing for the caller, so that odds may put them together."""
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
        """One of `n` things at random, 0 to n - 1; with one thing no die is rolled. `n` is 128 at most."""
        if n <= 1:
            return 0
        return self.roll(1, n, purpose, actor, obj, attempt, 0, clauses)[0] - 1
