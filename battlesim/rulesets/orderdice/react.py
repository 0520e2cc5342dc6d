"""Reactions: going down under fire, and Ambush (OD-HOUSE-REACT).

Read `may_go_down` and `watchers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Say
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import ground, morale, shoot
from battlesim.rulesets.orderdice.model import ADVANCE, AMBUSH, DOWN, FIRE, RUN, Ordered, own, type_of

NO_YES: tuple[Answer, ...] = (Say(False), Say(True))


class GoDown(Ask, frozen=True):
    """Shot at by `enemy`: does the unit go down?"""

    unit: int
    enemy: int


class Interrupt(Ask, frozen=True):
    """Does a unit in Ambush fire at the enemy it sees act?"""

    unit: int
    enemy: int


class ActionDone(Step, frozen=True):
    """A unit has done what it was ordered to: units in Ambush that see it may fire."""

    unit: int


def may_go_down(state: State, unit: Unit) -> bool:
    """A unit that has not acted may go down when shot at; vehicles never do; passengers are not shot at."""
    return unit.alive and own(unit).order == "" and not type_of(unit).vehicle and unit.place >= 0


def no_yes(state: State, board: Board, ask: Ask) -> Sequence[Answer]:
    """No, yes."""
    return NO_YES


def go_down_legal(state: State, board: Board, ask: GoDown) -> Sequence[Answer]:
    """No, yes; only no where the unit has acted meanwhile."""
    return NO_YES if may_go_down(state, state.units[ask.unit]) else NO_YES[:1]


def goes_down(r: Resolution, ask: GoDown, said: Say) -> None:
    if said.yes:
        inside = ground.inside(r.board, r.state.units[ask.unit])
        clauses = ("OD-HOUSE-REACT", "OD-AT-3") if inside else ("OD-HOUSE-REACT",)
        morale.go_down(r, r.state.units[ask.unit], "under fire", clauses)


def watchers(state: State, mover: Unit) -> list[Unit]:
    """Enemy units in Ambush, by id."""
    side = 1 - mover.side
    return [u for u in state.units.values() if u.side == side and u.alive and u.own.order == AMBUSH]


def could_fire(state: State, board: Board, watcher: Unit, mover: Unit, place: int) -> bool:
    """Whether a unit in Ambush could shoot at a mover if it stood at a place."""
    there = mover if mover.place == place else replace(mover, place=place)
    return shoot.can_shoot_at(state, board, watcher, there, moved=False)


def interrupt_legal(state: State, board: Board, ask: Interrupt) -> Sequence[Answer]:
    """No, yes; only no where either is gone or the chance has passed."""
    unit, enemy = state.units[ask.unit], state.units[ask.enemy]
    if (
        unit.alive
        and enemy.alive
        and own(unit).order == AMBUSH
        and enemy.place >= 0
        and could_fire(state, board, unit, enemy, enemy.place)
    ):
        return NO_YES
    return NO_YES[:1]


def interrupts(r: Resolution, ask: Interrupt, said: Say) -> None:
    """The die becomes Fire, and it shoots."""
    if not said.yes:
        return
    unit = r.state.units[ask.unit]
    r.because(Ordered(unit.id, FIRE, "ambush", clauses=("OD-HOUSE-REACT", "OD-HOUSE-ORDERS")))
    r.set(unit.id, order=FIRE)
    shoot.fire_at(r, unit, ask.enemy, moved=False)


def action_done(r: Resolution, step: ActionDone) -> None:
    """After an enemy action other than a move (moves are watched space by space), each unit in Ambush there may fire."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit.place < 0:
        return
    order = own(unit).order
    if order in (ADVANCE, RUN) and own(unit).moved:
        return
    seen = [w for w in watchers(r.state, unit) if could_fire(r.state, r.board, w, unit, unit.place)]
    r.then(*(Interrupt(w.id, unit.id, side=w.side) for w in seen))


def is_down(unit: Unit) -> bool:
    """Whether a unit lies down; a vehicle that shows Down merely halts."""
    return bool(unit.own.order == DOWN) and not type_of(unit).vehicle


CHAPTER = Chapter(
    owns=("OD-HOUSE-REACT",),
    asks={GoDown: (go_down_legal, goes_down), Interrupt: (interrupt_legal, interrupts)},
    steps={ActionDone: action_done},
)
