"""Opportunity fire: a unit that waits may fire once at an enemy that moves or assaults in its sight (SH-HOUSE-ACTIONS).

Read `waiting_for`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.squadhex import attack, facts
from battlesim.rulesets.squadhex.model import OPPORTUNITY, unit_state
from battlesim.rulesets.squadhex.targets import can_hit


class Interrupt(Ask, frozen=True):
    """Does a unit on opportunity fire now fire at an enemy, `mover`?"""

    unit: int
    mover: int


def waiting_for(state: State, board: Board, unit: Unit, place: int) -> list[int]:
    """The enemies on opportunity fire that could fire at a unit if it were on `place`, by id."""
    found: list[int] = []
    down: frozenset[int] | None = None
    for other in state.living(1 - unit.side):
        if not other.own.waits or other.place < 0:
            continue
        if down is None:
            down = fallen(state)
        if can_hit(state, board, other, replace(unit, place=place), down):
            found.append(other.id)
    return found


def legal_interrupt(state: State, board: Board, ask: Interrupt) -> Sequence[Answer]:
    """No, then yes; only no if it can no longer fire."""
    unit, mover = state.units[ask.unit], state.units[ask.mover]
    if unit_state(unit).waits and unit.place >= 0 and can_hit(state, board, unit, mover, fallen(state)):
        return (Confirm(False), Confirm(True))
    return (Confirm(False),)


def resolve_interrupt(r: Resolution, ask: Interrupt, said: Confirm) -> None:
    """On "yes" the unit fires at the mover before it goes on."""
    if not said.yes:
        return
    clauses = ("SH-HOUSE-ACTIONS",)
    r.because(facts.Opportunity(unit=ask.unit, other=ask.mover, clauses=clauses))
    # It fires once, and is no longer on opportunity fire.
    r.set(ask.unit, clauses, waits=False)
    r.then(attack.HowFired(ask.unit, ask.mover, OPPORTUNITY, side=ask.side))


CHAPTER = Chapter(asks={Interrupt: (legal_interrupt, resolve_interrupt)})
