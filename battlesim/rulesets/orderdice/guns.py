"""Guns on their carriages, and fixed weapons that are set up anew at another opening (OD-HOUSE-GUN, OD-FROM-6).

What a gun may do stands where it is done: its arc in `armament.bears`, its shield in `shoot`, its crew in `casualties`, its moves
in `turn.open_orders` (never a Run), `move.destinations` (a light gun goes, others stay) and `vehicles.may_turn` (all turn by
Advance). Here is the one question left. Read `asks`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, UseOpening
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import ground, openings
from battlesim.rulesets.orderdice.model import type_of, unit_state


class Redeploy(Ask, frozen=True):
    """At which opening of its floor is the fixed weapon deployed, now that its unit has made an Advance or Run?"""

    unit: int


def redeploys(board: Board, unit: Unit) -> bool:
    """Whether a unit that has done an Advance or Run has a fixed weapon to set up inside: infantry only, since no gun in a
    building is ever free to move (OD-GUN-2)."""
    kind = type_of(unit)
    return (
        unit.alive and kind.infantry and ground.inside(board, unit) and openings.is_fixed(kind, unit.models)
    )


def asks(board: Board, unit: Unit) -> list[Ask]:
    """The question for a unit whose Advance or Run is over, if there is one."""
    return [Redeploy(unit.id, side=unit.side)] if redeploys(board, unit) else []


def legal_redeploy(state: State, board: Board, ask: Redeploy) -> Sequence[Answer]:
    """The opening it stands at, if any; then the others in the order of set-up. Pass where there is none at all."""
    unit = state.units[ask.unit]
    if not redeploys(board, unit):
        return [Pass()]
    answers = list(openings.legal_deploy_at(state, board, openings.DeployAt(unit.id, side=unit.side)))
    now = UseOpening(unit_state(unit).opening)
    return [now, *(answer for answer in answers if answer != now)] if now in answers else answers


def resolve_redeploy(r: Resolution, ask: Redeploy, said: Answer) -> None:
    """The weapon is set up at another opening, or stays at the one it has."""
    unit = r.state.units[ask.unit]
    if isinstance(said, UseOpening) and said.opening != unit_state(unit).opening:
        openings.deploy(r, unit, said.opening)


CHAPTER = Chapter(
    owns=("OD-HOUSE-GUN", "OD-FROM-6"),
    asks={Redeploy: (legal_redeploy, resolve_redeploy)},
)
