"""A table to test the regiment rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table(FIELD, unit("spearmen", at="g3.4"), unit("spearmen", side=1, at="g5.4"), dice=[...])
table.do(Volley(0, 1))           # work the stack off to the next question
table.say(TargetUnit(1))         # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.events import Happened
from battlesim.core.items import Ask
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.activation import PhaseOrder
from battlesim.rules.contract import Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import rooms
from battlesim.rulesets.regiment.appraisal import Appraisal
from battlesim.rulesets.regiment.contenders import JUDGE
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.fire import Volley
from battlesim.rulesets.regiment.judgement import USUAL, Judgement
from battlesim.rulesets.regiment.model import BattleState, UnitState
from battlesim.rulesets.regiment.observation import observe
from battlesim.rulesets.regiment.ruleset import RULESET
from tests import kit
from tests.rulesets.regiment.grounds import HOUSE


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
    `own` fields may be given by name: files=10, fleeing=True, joined=0, charged=True (with `charges`, else all
    its foes)."""
    if own.get("charged"):
        own.setdefault("charges", tuple(foes or ()))
    return kit.placed(kind, at, side, models, own, facing=facing, foes=foes or {})


class Table(kit.Table):
    """A position under the regiment rules, with scripted dice."""

    ruleset = RULESET

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
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            models = row["models"] or kind.models
            fields = {"full": max(models, kind.models), "files": kind.files, **row["own"]}
            own = UnitState(foes=tuple(sorted(row["foes"].items())), **fields)
            place = board.space(row["at"]) if row["at"] else -1
            name = f"{kind.title} {number}"
            made[number] = Unit(number, row["side"], name, kind.name, place, models, True, row["facing"], own)
        ruins = {s: Structure(s, fallen=True) for s in sorted(rooms.rooms_of(board).open)}
        state = State(
            made,
            {**ruins, **{s.section: s for s in structures}},
            BattleState(sides=PhaseOrder(side, phase), **extra),
            turn=turn,
            at=standing_at(made),
        )
        super().__init__(board, state, dice)

    def room(self, name: str) -> rooms.Room:
        room = rooms.room_at(self.board, self.place(name))
        assert room is not None, name
        return room

    def happened(self, what: str) -> list[Happened]:
        return [event for event in self.events(Happened) if event.what == what]

    def done(self) -> None:
        """Nothing is pending, no scripted dice are left, nothing is broken."""
        super().done()
        self.sound()


# ---- what players make of it -------------------------------------------------------------------------------------------


def best(table: Table, ask: Ask, judgement: Judgement = USUAL) -> Answer:
    """The answer that greedy gives."""
    legal = table.ruleset.legal(table.state, table.board, ask)
    view = observe(table.state, table.board, ask.side, ())
    found = JUDGE.features(view, table.board, ask, legal, judgement)
    values = [weigh(one, weights_of(judgement)) for one in found]
    return legal[values.index(max(values))]


def value(table: Table, ask: Ask, answer: Answer, judgement: Judgement = USUAL) -> Features:
    """What an answer promises."""
    view = observe(table.state, table.board, ask.side, ())
    return JUDGE.features(view, table.board, ask, [answer], judgement)[0]


def appraisal(table: Table, judgement: Judgement = USUAL) -> Appraisal:
    """The position as the player of side 0 weighs it."""
    return Appraisal(observe(table.state, table.board, 0, ()), table.board, judgement)


def held(points: int = 150, side: int = -1) -> tuple[Objective, ...]:
    """An objective for whoever holds the house, or for one side alone."""
    return (Objective("hold", "the house", points, side=side, places=(HOUSE.space("house.1:0"),)),)


def shot(board: Board, *units: dict[str, Any], dice: list[Any]) -> Table:
    """The first unit has shot at the second."""
    table = Table(board, *units, dice=dice)
    table.do(Volley(0, 1))
    return table
