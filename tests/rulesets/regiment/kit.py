"""A table to test the regiment rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table(FIELD, unit("spearmen", at="g3.4"), unit("spearmen", side=1, at="g5.4"), dice=[...])
table.do(Volley(0, 1))           # work the stack off to the next question
table.say(At(1))                 # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.dice import ScriptedDice
from battlesim.core.events import Event
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.activation import Sides
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.regiment import observation, rooms
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.model import Extra, Happened, Own
from battlesim.rulesets.regiment.ruleset import RULESET

E = TypeVar("E", bound=Event)


def unit(
    kind: str,
    at: str = "",
    side: int = 0,
    models: int = 0,
    facing: int = 0,
    foes: dict[int, int] | None = None,
    **own: Any,
) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `at` is a space's name. `foes`: enemy -> the arc it stands in.
    `own` fields may be given by name: files=10, fleeing=True, joined=0, charged=True."""
    return {
        "kind": kind,
        "at": at,
        "side": side,
        "models": models,
        "facing": facing,
        "foes": foes or {},
        "own": own,
    }


class Table:
    """A position under the regiment rules, with scripted dice."""

    def __init__(
        self,
        board: Board,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        turn: int = 1,
        side: int = 0,
        phase: int = 0,
        **extra: Any,
    ) -> None:
        self.board = board
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            models = row["models"] or kind.models
            fields = {"full": max(models, kind.models), "files": kind.files, **row["own"]}
            own = Own(foes=tuple(sorted(row["foes"].items())), **fields)
            place = board.space(row["at"]) if row["at"] else -1
            name = f"{kind.title} {number}"
            made[number] = Unit(number, row["side"], name, kind.name, place, models, True, row["facing"], own)
        ruins = {s: Structure(s, fallen=True) for s in sorted(rooms.rooms_of(board).open)}
        state = State(
            made,
            {**ruins, **{s.section: s for s in structures}},
            Extra(sides=Sides(side, phase), **extra),
            turn=turn,
            at=standing_at(made),
        )
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

    def room(self, name: str) -> rooms.Room:
        room = rooms.room_at(self.board, self.place(name))
        assert room is not None, name
        return room

    def do(self, *items: Item) -> Ask | None:
        """Push work, first done first, and work the stack off to the next question with more than one answer."""
        self.r.cause = -1
        self.r.then(*items)
        return self.run()

    def run(self) -> Ask | None:
        state = self.state
        while state.stack and state.outcome is None:
            top = state.stack[-1]
            if isinstance(top, Ask):
                legal = RULESET.legal(state, self.board, top)
                if len(legal) > 1:
                    return top
                self._carry(top, legal[0])
                continue
            state.stack = state.stack[:-1]
            self.r.cause = top.cause
            RULESET.step(self.r, top)  # type: ignore[arg-type]
        return None

    @property
    def ask(self) -> Ask | None:
        top = self.state.stack[-1] if self.state.stack else None
        return top if isinstance(top, Ask) else None

    @property
    def legal(self) -> list[Answer]:
        assert self.ask is not None
        return list(RULESET.legal(self.state, self.board, self.ask))

    def say(self, answer: Answer) -> Ask | None:
        """Answer the question on top; it must be legal."""
        assert self.ask is not None, "nothing was asked"
        assert answer in self.legal, f"{answer} is not among {self.legal}"
        self._carry(self.ask, answer)
        return self.run()

    def _carry(self, ask: Ask, answer: Answer) -> None:
        self.state.stack = self.state.stack[:-1]
        self.r.cause = ask.cause
        RULESET.answer(self.r, ask, answer)

    def events(self, kind: type[E]) -> list[E]:
        return [event for event in self.r.log if isinstance(event, kind)]

    def happened(self, what: str) -> list[Happened]:
        return [event for event in self.events(Happened) if event.what == what]

    def clauses(self) -> set[str]:
        """Every clause named so far."""
        return {clause for event in self.r.log for clause in event.clauses}

    def sound(self) -> None:
        """No invariant is broken (the agenda aside, which a table has none of)."""
        found = observation.faults(self.state, self.board)
        assert [fault for fault in found if "nothing is left to do" not in fault] == []

    def done(self) -> None:
        """Nothing is pending and no scripted dice are left."""
        assert not self.state.stack, self.state.stack
        self.dice.done()
        self.sound()
