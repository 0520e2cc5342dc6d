"""A table to test rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table(ground(), unit("rifle_team", at="g3.4"), unit("militia", side=1, at="g5.4", detected=True), dice=[...])
ask = table.do(AtWhom(0, side=0))   # work the stack off to the next question
table.say(TargetUnit(1))            # answer it
table.done()                        # nothing pending, no dice left over

`dice` are faces in the order the rules roll them. To hit, to find and to start fires is on the face or less; to penetrate on
the face or more.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.findings import Findings
from battlesim.board.load import load_map
from battlesim.board.mapfile import MapFile
from battlesim.board.yamlfile import parse_yaml
from battlesim.core.events import Happened, Rolled
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.core.view import View
from battlesim.rules.activation import Alternate
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.model import BattleState, Options, UnitState
from battlesim.rulesets.armorclass.ruleset import RULESET
from tests import kit


@lru_cache(maxsize=128)
def ground(features: str = "", size: tuple[int, int] = (60, 30), pitch: int = 3) -> Board:
    """A lattice (g<column>.<row>, the middles of squares of three inches) with the `terrain` and `buildings` of a map file."""
    text = f"""
name: test
size: [{size[0]}, {size[1]}]
ground: {{kind: lattice, pitch: {pitch}}}
{features}
"""
    found = Findings()
    board = build_board(parse_yaml(text.encode(), MapFile, "test.yaml", "map"), found)
    assert board is not None, found.items
    return board


def house(
    own: str = "",
    more: str = "",
    floors: int = 2,
    material: str = "brick",
    size: float = 6,
    flat: bool = False,
) -> Board:
    """One house in the middle of 60 x 30 inches, its south-west corner at (27, 12): a door west, windows south and east, a blank
    wall north; `own`: its armour table, `more`: terrain and the like before it, `flat`: with a flat roof, one floor more."""
    table = f"    own: {{armour: {{{own}}}}}\n" if own else ""
    return ground(
        f"""{more}
buildings:
  - name: house
    material: {material}
    rect: [27, 12, {27 + size}, {12 + size}]
    floors: {floors}
    flat_roof: {str(flat).lower()}
{table}    openings:
      - {{kind: door, side: west, at: 0.5}}
      - {{kind: window, floors: all, side: south, count: 1}}
      - {{kind: window, floors: all, side: east, count: 1}}
"""
    )


PICKS = ("whom", "which weapon", "direction")
"""Dice that pick one of several things; all others are D10s."""
SOUTH, EAST, NORTH, WEST = 0, 1, 2, 3
"""The walls of a rectangle, from its south-west corner counter-clockwise."""


def unit(
    kind: str, at: str = "", side: int = 0, models: int = 0, facing: int = 0, **own: Any
) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `at` is a space's name, "" off the board. `own` fields may be given
    by name: detected=True, suppressed=2."""
    return kit.placed(kind, at, side, models, own, facing=facing)


class Table(kit.Table):
    """A position under the armour-class rules, with scripted dice."""

    ruleset = RULESET

    def __init__(
        self,
        board: str | Board,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        options: dict[str, Any] | None = None,
        **extra: Any,
    ) -> None:
        board = load_map(board) if isinstance(board, str) else board
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            fields = {"full": kind.models, "cohesion": kind.cohesion, **row["own"]}
            place = board.space(row["at"]) if row["at"] else -1
            models = row["models"] or kind.models
            name = f"{kind.title} {number}"
            made[number] = Unit(
                number, row["side"], name, kind.name, place, models, True, row["facing"], UnitState(**fields)
            )
        record = BattleState(**{"to_act": Alternate(0), "options": Options(**(options or {})), **extra})
        state = State(made, {s.section: s for s in structures}, record, at=standing_at(made))
        super().__init__(board, state, dice)

    def view(self, side: int) -> View:
        """What a side may know, with everything that happened as news."""
        return RULESET.observe(self.state, self.board, side, tuple(self.r.log))

    def happened(self) -> list[str]:
        """What happened, in the words of `Happened`."""
        return [event.what for event in self.events(Happened)]

    def done(self) -> None:
        """Nothing is pending, no scripted dice are left, all of them had ten sides, nothing is broken."""
        super().done()
        assert all(e.sides == 10 or e.purpose in PICKS for e in self.events(Rolled))
        self.sound()
