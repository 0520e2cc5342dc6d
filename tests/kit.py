"""A table to test rules on, whatever the rulebook: work is pushed, the stack worked off to the next question, answers given.

Each rulebook's own kit places its units on a `Table` of its own and adds what only its tests look at:

table = Table(FIELD, unit("spearmen", at="g3.4"), unit("spearmen", side=1, at="g5.4"), dice=[...])
ask = table.do(Volley(0, 1))     # work the stack off to the next question
table.say(TargetUnit(1))         # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import ScriptedDice
from battlesim.core.events import Event
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Ruleset
from battlesim.rules.resolution import Resolution

E = TypeVar("E", bound=Event)


def placed(kind: str, at: str, side: int, models: int, own: dict[str, Any], **common: Any) -> dict[str, Any]:
    """A unit to place, as every rulebook's `unit` gives it; ids count from 0 in the order given. `at` is a space's name, "" off
    the board; `models` 0 is the full number; `own` are fields of the rulebook's own record of a unit."""
    return {"kind": kind, "at": at, "side": side, "models": models, "own": own, **common}


class Table:
    """A position under some rules, with scripted dice."""

    ruleset: ClassVar[Ruleset]

    def __init__(self, board: Board, state: State, dice: Iterable[Iterable[int] | int]) -> None:
        self.board = board = board.under(self.ruleset.sight)
        self.dice = ScriptedDice(*dice)
        self.r = Resolution(state, board, self.dice)

    @property
    def state(self) -> State:
        return self.r.state

    def unit(self, number: int) -> Unit:
        return self.state.units[number]

    def where(self, number: int) -> str:
        """The name of the space a unit is on; "" off the board."""
        place = self.unit(number).place
        return self.board.spaces[place].name if place >= 0 else ""

    def place(self, name: str) -> int:
        return self.board.space(name)

    def do(self, *items: Item) -> Ask | None:
        """Push work, first done first, and work the stack off to the next question that is `put`."""
        self.r.cause = -1
        self.r.then(*items)
        return self.run()

    def put(self, ask: Ask, legal: Sequence[Answer]) -> bool:
        """Whether a question comes back to the test, which is then to answer it: it has more than one answer."""
        return len(legal) > 1

    def left_out(self, step: Step) -> bool:
        """Whether a step is not taken at this table."""
        return False

    def run(self) -> Ask | None:
        state = self.state
        while state.stack and state.outcome is None:
            top = state.stack[-1]
            if isinstance(top, Ask):
                legal = self.ruleset.legal(state, self.board, top)
                if self.put(top, legal):
                    return top
                self._carry(top, legal[0])
                continue
            state.stack = state.stack[:-1]
            self.r.cause = top.cause
            if not self.left_out(top):
                self.ruleset.step(self.r, top)
        return None

    @property
    def ask(self) -> Ask | None:
        top = self.state.stack[-1] if self.state.stack else None
        return top if isinstance(top, Ask) else None

    @property
    def legal(self) -> list[Answer]:
        assert self.ask is not None
        return list(self.ruleset.legal(self.state, self.board, self.ask))

    def say(self, *answers: Answer) -> Ask | None:
        """Answer the questions on top, one after the other; each answer must be legal."""
        left = self.ask
        for answer in answers:
            assert self.ask is not None, "nothing was asked"
            assert answer in self.legal, f"{answer} is not among {self.legal}"
            self._carry(self.ask, answer)
            left = self.run()
        return left

    def _carry(self, ask: Ask, answer: Answer) -> None:
        self.state.stack = self.state.stack[:-1]
        self.r.cause = ask.cause
        self.ruleset.answer(self.r, ask, answer)

    def events(self, kind: type[E]) -> list[E]:
        return [event for event in self.r.log if isinstance(event, kind)]

    def causes(self, kind: type[Event]) -> list[str]:
        """The kinds of event that caused all events of a kind; "" for none."""
        log = self.r.log
        return [type(log[e.cause]).__name__ if e.cause >= 0 else "" for e in self.events(kind)]

    def clauses(self) -> set[str]:
        """Every clause named so far."""
        return {clause for event in self.r.log for clause in event.clauses}

    def sound(self) -> None:
        """No invariant is broken (the agenda aside, which a table has none of)."""
        found = self.ruleset.faults(self.state, self.board)
        assert [fault for fault in found if "nothing is left" not in fault] == []

    def done(self) -> None:
        """Nothing is pending, and no scripted dice are left."""
        assert not self.state.stack, self.state.stack
        self.dice.done()
