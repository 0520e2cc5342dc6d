"""Assault: close combat from an adjacent hex or floor (SH-HOUSE-ASSAULT).

Enemies on opportunity fire may fire at the assaulting unit first, and at a winner where it moves in. Read `fight`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetUnit, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import facts, morale, react, victory
from battlesim.rulesets.squadhex.casualties import lose_figures
from battlesim.rulesets.squadhex.facts import Fought
from battlesim.rulesets.squadhex.fire import CANCEL, close_firepower, dice_clauses
from battlesim.rulesets.squadhex.ground import enter_clauses, has_room, next_to
from battlesim.rulesets.squadhex.model import type_of, unit_state

CLAUSES: Clauses = ("SH-HOUSE-ASSAULT",)
HIT = 4
"""The roll from which each die of close firepower hits."""


class WhomAssault(Ask, frozen=True):
    """Whom does a unit assault?"""

    unit: int


class Fight(Step, frozen=True):
    """Both sides roll their close firepower."""

    unit: int
    target: int


class Settle(Step, frozen=True):
    """The assaulting unit moves into the loser's place if there is room."""

    unit: int
    place: int


class MovedIn(Step, frozen=True):
    """The assaulting unit has moved in, and may leave the map there."""

    unit: int


def can_assault(unit: Unit) -> bool:
    """Whether a unit may assault: on foot, not pinned, with any firepower."""
    kind, mine = type_of(unit), unit_state(unit)
    return not kind.vehicle and not mine.pinned and any(f.infantry or f.vehicles for f in kind.figures)


def assaultable(state: State, board: Board, unit: Unit) -> list[int]:
    """The enemies one permitted step away, by id."""
    if not can_assault(unit):
        return []
    found = [
        other
        for place, _ in next_to(state, board, unit, unit.place)
        for other in state.at.get(place, ())
        if state.units[other].side != unit.side
    ]
    # Enemies that survived a collapse share the ruins.
    found += [other for other in state.at.get(unit.place, ()) if state.units[other].side != unit.side]
    return sorted(found)


def legal_whom_assault(state: State, board: Board, ask: WhomAssault) -> Sequence[Answer]:
    """The enemies that `assaultable` lists, by id."""
    return [numbered(TargetUnit, foe) for foe in assaultable(state, board, state.units[ask.unit])] or [Pass()]


def resolve_whom_assault(r: Resolution, ask: WhomAssault, said: Answer) -> None:
    """Each enemy on opportunity fire is asked whether it fires; then both sides fight."""
    if not isinstance(said, TargetUnit):
        return
    unit = r.state.units[ask.unit]
    r.because(facts.Assaults(unit=unit.id, other=said.unit, clauses=(*CLAUSES, "SH-HOUSE-ACTIONS")))
    r.then(*_interrupts(r, unit), Fight(unit.id, said.unit))


def fight(r: Resolution, step: Fight) -> None:
    """Both sides roll their close firepower at the same time; cover does not help, armour does."""
    state = r.state
    unit, foe = state.units[step.unit], state.units[step.target]
    mine = unit_state(unit)
    # Opportunity fire may have removed, pinned or disrupted the assaulting unit: then there is no assault.
    if unit.place < 0 or foe.place < 0 or mine.pinned or mine.disrupted:
        return
    place = foe.place
    inflicted = r.count(close_firepower(unit, foe), HIT, "assault", unit.id, foe.id)
    if inflicted and type_of(foe).armour:
        inflicted = max(0, inflicted - r.count(type_of(foe).armour, CANCEL, "armour", foe.id, unit.id))
    suffered = r.count(close_firepower(foe, unit), HIT, "defence", foe.id, unit.id)
    lost, killed = min(suffered, unit.models), min(inflicted, foe.models)
    mine_left, theirs_left = unit.models - lost, foe.models - killed
    # The side with fewer figures left withdraws, the assaulting unit on a tie; if it cannot, it is removed.
    won = mine_left > theirs_left
    # A disrupted unit takes no action, so it rolls no dice.
    disrupted = ("SH-HOUSE-SUPPRESS",) if unit_state(foe).disrupted else ()
    named = (*CLAUSES, "SH-HOUSE-FIGURES", *dice_clauses(unit), *dice_clauses(foe), *disrupted)
    clauses = tuple(dict.fromkeys(named))
    r.because(Fought(unit.id, foe.id, lost, killed, won, clauses=clauses))
    lose_figures(r, foe, killed, "assault", CLAUSES)
    lose_figures(r, unit, lost, "assault", CLAUSES)
    if not won and mine_left:
        r.because(facts.ThrownBack(unit=unit.id, other=foe.id, clauses=CLAUSES))
    loser, left = (foe, theirs_left) if won else (unit, mine_left)
    r.then(
        morale.FallBack(loser.id, -1, CLAUSES) if left else None,
        Settle(unit.id, place) if won else None,
    )


def settle(r: Resolution, step: Settle) -> None:
    """The assaulting unit takes the place it fought for, unless it is full or already its own."""
    unit = r.state.units[step.unit]
    if unit.place < 0 or unit.place == step.place or not has_room(r.state, r.board, unit, step.place):
        return
    r.move(unit, (unit.place, step.place), (*CLAUSES, *enter_clauses(r.board, step.place)))
    # It has moved, so enemies on opportunity fire may fire at it here (SH-HOUSE-ACTIONS).
    r.then(*_interrupts(r, r.state.units[unit.id]), MovedIn(unit.id))


def moved_in(r: Resolution, step: MovedIn) -> None:
    """It has moved, so it may leave by an edge there. A beaten one withdraws, which is no move."""
    victory.leave_by_edge(r, step.unit)


def _interrupts(r: Resolution, unit: Unit) -> list[react.Interrupt]:
    """The questions for the enemies on opportunity fire that could fire at a unit where it is."""
    waiting = react.waiting_for(r.state, r.board, unit, unit.place)
    return [react.Interrupt(other, unit.id, side=1 - unit.side) for other in waiting]


CHAPTER = Chapter(
    owns=CLAUSES,
    asks={WhomAssault: (legal_whom_assault, resolve_whom_assault)},
    steps={Fight: fight, Settle: settle, MovedIn: moved_in},
)
