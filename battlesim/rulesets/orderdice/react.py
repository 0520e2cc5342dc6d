"""Going down under fire (OD-HOUSE-REACT, OD-AT-3); Ambush, the other reaction, stands in `ambush.py`. Read `may_go_down`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import ground, morale
from battlesim.rulesets.orderdice.model import type_of, unit_state

NO_YES: tuple[Answer, ...] = (Confirm(False), Confirm(True))


class GoDown(Ask, frozen=True):
    """Shot at by `enemy`: does the unit go down?"""

    unit: int
    enemy: int


def may_go_down(state: State, unit: Unit) -> bool:
    """A unit that has not acted may go down when shot at; vehicles never do; passengers are not shot at."""
    return unit.alive and unit_state(unit).order == "" and not type_of(unit).vehicle and unit.place >= 0


def legal_go_down(state: State, board: Board, ask: GoDown) -> Sequence[Answer]:
    """No, yes; only no where the unit has acted meanwhile."""
    return NO_YES if may_go_down(state, state.units[ask.unit]) else NO_YES[:1]


def resolve_go_down(r: Resolution, ask: GoDown, said: Confirm) -> None:
    """The unit goes Down before the dice are rolled, or stands."""
    if said.yes:
        inside = ground.inside(r.board, r.state.units[ask.unit])
        clauses = ("OD-HOUSE-REACT", "OD-AT-3") if inside else ("OD-HOUSE-REACT",)
        morale.go_down(r, r.state.units[ask.unit], "under fire", clauses)


CHAPTER = Chapter(
    owns=("OD-HOUSE-REACT",),
    asks={GoDown: (legal_go_down, resolve_go_down)},
)
