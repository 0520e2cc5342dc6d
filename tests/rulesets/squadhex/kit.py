"""A table to test the squad-and-hex rules on: place a few units, script the dice, give answers, look at the events.

table = Table(unit("rifle_squad", at="g3.4"), unit("rifle_squad", side=1, at="g5.4"), dice=[...])
ask = table.act(0, "fire")       # a unit takes an action, up to the next question
table.say(At(1))                 # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.core.answers import Answer, Order
from battlesim.core.dice import ScriptedDice
from battlesim.core.events import Event
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Structure, Unit, fallen_of, standing_at
from battlesim.rules.forces import Goal
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.squadhex.attack import AtWhom
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.ground import is_dense
from battlesim.rulesets.squadhex.model import Extra, Own
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.rulesets.squadhex.turn import ActionDone, WhichAction

YARD = Path(__file__).parent / "yard.yaml"
E = TypeVar("E", bound=Event)


def unit(kind: str, at: str = "", side: int = 0, models: int = 0, **own: Any) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `own` fields may be given by name: pinned=True, fresh=False."""
    return {"kind": kind, "at": at, "side": side, "models": models, "own": own}


class Table:
    """A position under the squad-and-hex rules, with scripted dice. All dense buildings may be destroyed unless told not to."""

    def __init__(
        self,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        board: str | Path = YARD,
        goals: tuple[Goal, ...] = (),
        **extra: Any,
    ) -> None:
        self.board: Board = load_map(board)
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            own = Own(**{"full": kind.strength, "shots": kind.shots or -1, **row["own"]})
            place = self.board.space(row["at"]) if row["at"] else -1
            models = row["models"] or kind.strength
            name = f"{kind.title} {number}"
            made[number] = Unit(number, row["side"], name, kind.name, place, models, own=own)
        fields = {
            "destructible": tuple(s.id for s in self.board.sections if is_dense(self.board, s.id)),
            "objectives": goals,
            "held": (-1,) * len(goals),
            **extra,
        }
        known = {s.section: s for s in structures}
        for section in self.board.sections:
            if section.closed:
                known[section.id] = Structure(section.id, own={"closed": True})
        state = State(made, known, Extra(**fields), at=standing_at(made))
        self.dice = ScriptedDice(*dice)
        self.r = Resolution(state, self.board, self.dice)

    @property
    def state(self) -> State:
        return self.r.state

    def unit(self, number: int) -> Unit:
        return self.state.units[number]

    def at(self, number: int) -> str:
        """The name of the space a unit is on."""
        place = self.unit(number).place
        return self.board.spaces[place].name if place >= 0 else ""

    def place(self, name: str) -> int:
        return self.board.space(name)

    def section(self, name: str) -> int:
        return self.board.section(name)

    def fell(self, name: str) -> None:
        """Bring a building hex down before the test begins."""
        number = self.section(name)
        self.state.structures[number] = Structure(number, fallen=True)
        self.state.down = fallen_of(self.state.structures)

    def set_own(self, number: int, **own: Any) -> None:
        one = self.unit(number)
        self.state.units[number] = replace(one, own=replace(one.own, **own))

    def act(self, number: int, action: str) -> Ask | None:
        """A unit takes an action, to the next question with more than one answer."""
        self.do(WhichAction(number, side=self.unit(number).side))
        return self.say(Order(action))

    def actions(self, number: int) -> list[str]:
        """The actions open to a unit."""
        ask = WhichAction(number, side=self.unit(number).side)
        return [
            answer.name for answer in RULESET.legal(self.state, self.board, ask) if isinstance(answer, Order)
        ]

    def do(self, *items: Item) -> Ask | None:
        """Push work, first done first, and work the stack off to the next question: one with more than one answer, or at whom."""
        self.r.cause = -1
        self.r.then(*items)
        return self.run()

    def run(self) -> Ask | None:
        state = self.state
        while state.stack:
            top = state.stack[-1]
            if isinstance(top, Ask):
                legal = RULESET.legal(state, self.board, top)
                if len(legal) > 1 or isinstance(top, WhichAction | AtWhom):
                    return top
                self._carry(top, legal[0])
                continue
            state.stack = state.stack[:-1]
            self.r.cause = top.cause
            if isinstance(
                top, ActionDone
            ):  # it would schedule the next action; what it looks at has tests of its own
                continue
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

    def say(self, *answers: Answer) -> Ask | None:
        """Answer the questions on top; each must be legal."""
        left: Ask | None = self.ask
        for answer in answers:
            assert self.ask is not None, "nothing was asked"
            assert answer in self.legal, f"{answer} is not among {self.legal}"
            self._carry(self.ask, answer)
            left = self.run()
        return left

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
