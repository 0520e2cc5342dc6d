"""A table to test rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table("open-ground", unit("rifle_section", at="g3.4"), unit("rifle_section", side=1, at="g5.4"), dice=[...])
ask = table.do(Obey(0))          # work the stack off to the next question
table.say(At(1))                 # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.core.answers import Answer
from battlesim.core.dice import ScriptedDice
from battlesim.core.events import Event
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.activation import Bag
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES
from battlesim.rulesets.orderdice.model import Extra, Own
from battlesim.rulesets.orderdice.ruleset import RULESET

E = TypeVar("E", bound=Event)


def unit(
    kind: str,
    at: str = "",
    side: int = 0,
    models: int = 0,
    quality: str = "regular",
    facing: int = 0,
    **own: Any,
) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `at` is a space's name, "" off the board. `own` fields may be
    given by name: pins=2, order="ambush", officer=1, opening=3."""
    return {
        "kind": kind,
        "at": at,
        "side": side,
        "models": models,
        "quality": quality,
        "facing": facing,
        "own": own,
    }


class Table:
    """A position under the order-dice rules, with scripted dice."""

    def __init__(
        self,
        board: str | Board,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        **extra: Any,
    ) -> None:
        self.board = load_map(board) if isinstance(board, str) else board
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            models = row["models"] or kind.models
            fields = {"officer": kind.officer, "full": kind.models, **row["own"]}
            own = Own(quality=QUALITIES.index(row["quality"]), **fields)
            place = self.board.space(row["at"]) if row["at"] else -1
            made[number] = Unit(
                number,
                row["side"],
                f"{kind.title} {number}",
                kind.name,
                place,
                models,
                True,
                row["facing"],
                own,
            )
        counts = [0, 0]
        for one in made.values():
            if one.own.order == "" and (one.place >= 0 or one.own.aboard >= 0):
                counts[one.side] += 1
        bag = Bag((tuple(range(counts[0])), tuple(range(counts[1]))))
        state = State(
            made, {s.section: s for s in structures}, Extra(**{"bag": bag, **extra}), at=standing_at(made)
        )
        self.dice = ScriptedDice(*dice)
        self.r = Resolution(state, self.board, self.dice)

    @property
    def state(self) -> State:
        return self.r.state

    def unit(self, number: int) -> Unit:
        return self.state.units[number]

    def place(self, name: str) -> int:
        return self.board.space(name)

    def do(self, *items: Item) -> Ask | None:
        """Push work, first done first, and work the stack off to the next question with more than one answer."""
        self.r.cause = -1
        self.r.then(*items)
        return self.run()

    def run(self) -> Ask | None:
        state = self.state
        while state.stack:
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

    def clauses(self) -> set[str]:
        """Every clause named so far."""
        return {clause for event in self.r.log for clause in event.clauses}

    def done(self) -> None:
        """Nothing is pending and no scripted dice are left."""
        assert not self.state.stack, self.state.stack
        self.dice.done()
