"""A table to test the squad-and-hex rules on: place a few units, script the dice, give answers, look at the events.

table = Table(unit("rifle_squad", at="g3.4"), unit("rifle_squad", side=1, at="g5.4"), dice=[...])
ask = table.act(0, "fire")       # a unit takes an action, up to the next question
table.say(TargetUnit(1))         # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from battlesim.board.load import load_map
from battlesim.core.answers import Answer, Order
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Structure, Unit, fallen_of, standing_at
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.declare import AtWhom
from battlesim.rulesets.squadhex.ground import is_dense
from battlesim.rulesets.squadhex.model import BattleState, UnitState
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.rulesets.squadhex.turn import ActionDone, WhichAction
from tests import kit

YARD = Path(__file__).parent / "yard.yaml"


def unit(kind: str, at: str = "", side: int = 0, models: int = 0, **own: Any) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `own` fields may be given by name: pinned=True, fresh=False."""
    return kit.placed(kind, at, side, models, own)


class Table(kit.Table):
    """A position under the squad-and-hex rules, with scripted dice. All dense buildings may be destroyed unless told not to."""

    ruleset = RULESET

    def __init__(
        self,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        board: str | Path = YARD,
        goals: tuple[Objective, ...] = (),
        **extra: Any,
    ) -> None:
        played_on = load_map(board)
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            own = UnitState(**{"full": kind.strength, "shots": kind.shots or -1, **row["own"]})
            place = played_on.space(row["at"]) if row["at"] else -1
            models = row["models"] or kind.strength
            name = f"{kind.title} {number}"
            made[number] = Unit(number, row["side"], name, kind.name, place, models, own=own)
        fields = {
            "destructible": tuple(s.id for s in played_on.sections if is_dense(played_on, s.id)),
            "objectives": goals,
            "held": (-1,) * len(goals),
            **extra,
        }
        known = {s.section: s for s in structures}
        for section in played_on.sections:
            if section.closed:
                known[section.id] = Structure(section.id, own={"closed": True})
        state = State(made, known, BattleState(**fields), at=standing_at(made))
        super().__init__(played_on, state, dice)

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

    def put(self, ask: Ask, legal: Sequence[Answer]) -> bool:
        """With more than one answer; and which action and at whom in any case, since tests look at what is legal there."""
        return super().put(ask, legal) or isinstance(ask, WhichAction | AtWhom)

    def left_out(self, step: Step) -> bool:
        """The end of an action would schedule the next one; what it looks at has tests of its own."""
        return isinstance(step, ActionDone)
