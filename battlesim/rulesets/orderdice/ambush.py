"""Ambush: a unit that waits may interrupt an enemy (OD-HOUSE-REACT, OD-HOUSE-ORDERS).

It fires once, at any space of an enemy move where it could shoot at the mover, or after another enemy action there. A mortar may
rely on a friend who sees the enemy. Read `watchers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import shoot, targets
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.model import ADVANCE, AMBUSH, DOWN, FIRE, RUN, unit_state
from battlesim.rulesets.orderdice.react import NO_YES


class Interrupt(Ask, frozen=True):
    """Does a unit in Ambush fire at an enemy that acts where it can be shot at?"""

    unit: int
    enemy: int


class ActionDone(Step, frozen=True):
    """A unit has carried out its order: units in Ambush that can shoot at it may fire."""

    unit: int


def watchers(state: State, mover: Unit) -> list[Unit]:
    """Enemy units in Ambush, by id."""
    return [u for u in state.living(1 - mover.side) if u.own.order == AMBUSH]


def could_fire(state: State, board: Board, watcher: Unit, mover: Unit, place: int) -> bool:
    """Whether a unit in Ambush could shoot at a mover if it stood at a place."""
    there = mover if mover.place == place else replace(mover, place=place)
    return targets.can_shoot_at(state, board, watcher, there, moved=False)


def interrupts(state: State, board: Board, mover: Unit) -> list[Interrupt]:
    """The questions for the units in Ambush that could shoot at a unit where it is."""
    seen = [w for w in watchers(state, mover) if could_fire(state, board, w, mover, mover.place)]
    return [Interrupt(w.id, mover.id, side=w.side) for w in seen]


def legal_interrupt(state: State, board: Board, ask: Interrupt) -> Sequence[Answer]:
    """No, yes; only no if either unit is gone or the chance has passed."""
    unit, enemy = state.units[ask.unit], state.units[ask.enemy]
    if (
        unit.alive
        and enemy.alive
        and unit_state(unit).order == AMBUSH
        and enemy.place >= 0
        and could_fire(state, board, unit, enemy, enemy.place)
    ):
        return NO_YES
    return NO_YES[:1]


def resolve_interrupt(r: Resolution, ask: Interrupt, said: Confirm) -> None:
    """The die becomes Fire, and it shoots."""
    if not said.yes:
        return
    unit = r.state.units[ask.unit]
    r.because(Ordered(unit.id, FIRE, "ambush", clauses=("OD-HOUSE-REACT", "OD-HOUSE-ORDERS")))
    r.set(unit.id, order=FIRE)
    shoot.fire_at(r, unit, ask.enemy, moved=False)


def action_done(r: Resolution, step: ActionDone) -> None:
    """After an enemy action other than a move (moves are watched space by space), each unit in Ambush there may fire. Down is
    no action (OD-HOUSE-ORDERS)."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit.place < 0:
        return
    order = unit_state(unit).order
    if order == DOWN or (order in (ADVANCE, RUN) and unit_state(unit).moved):
        return
    r.then(*interrupts(r.state, r.board, unit))


CHAPTER = Chapter(
    asks={Interrupt: (legal_interrupt, resolve_interrupt)},
    steps={ActionDone: action_done},
)
