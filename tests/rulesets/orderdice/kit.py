"""A table to test rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table("open-ground", unit("rifle_section", at="g3.4"), unit("rifle_section", side=1, at="g5.4"), dice=[...])
ask = table.do(Obey(0))          # work the stack off to the next question
table.say(TargetUnit(1))         # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.activation import Bag
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES
from battlesim.rulesets.orderdice.model import BattleState, UnitState
from battlesim.rulesets.orderdice.ruleset import RULESET
from tests import kit


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
    return kit.placed(kind, at, side, models, own, quality=quality, facing=facing)


class Table(kit.Table):
    """A position under the order-dice rules, with scripted dice."""

    ruleset = RULESET

    def __init__(
        self,
        board: str | Board,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        **extra: Any,
    ) -> None:
        board = load_map(board) if isinstance(board, str) else board
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            models = row["models"] or kind.models
            fields = {"officer": kind.officer, "full": kind.models, **row["own"]}
            own = UnitState(quality=QUALITIES.index(row["quality"]), **fields)
            place = board.space(row["at"]) if row["at"] else -1
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
            made,
            {s.section: s for s in structures},
            BattleState(**{"bag": bag, **extra}),
            at=standing_at(made),
        )
        super().__init__(board, state, dice)
