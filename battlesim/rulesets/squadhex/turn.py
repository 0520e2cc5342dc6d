"""The round: blocks of actions by turns, command, status (SH-HOUSE-ROUND, SH-HOUSE-ACTIONS).

Read `next_action`: the life of an action begins there.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Order, Pick, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules import turns
from battlesim.rules.activation import Alternate
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import area, assault, declare, move, suppress, victory
from battlesim.rulesets.squadhex.facts import Acts
from battlesim.rulesets.squadhex.fire import INFANTRY, VEHICLES, firepower
from battlesim.rulesets.squadhex.model import (
    ACTIONS,
    ADVANCE,
    ADVANCE_FIRE,
    ASSAULT,
    BOMBARD,
    CONCENTRATED,
    FIRE,
    HOLD,
    OPPORTUNITY,
    UnitState,
    battle_state,
    can_act,
    unit_state,
)
from battlesim.rulesets.squadhex.targets import can_support, has_hex, has_target

ROUND_PRIORITY, ACTION_PRIORITY = 5, 10
CLAUSES: Clauses = ("SH-HOUSE-ROUND",)
_ORDERS: dict[str, Answer] = {name: Order(name) for name in ACTIONS}


class RoundStart(Step, frozen=True):
    """A round begins: whose block is first."""


class Action(Step, frozen=True):
    """The next action: a side picks a fresh unit, or the round ends."""


class ActionDone(Step, frozen=True):
    """An action is over: who holds what, who has left, who has nothing left. `place`: where the unit stood before."""

    unit: int
    place: int


class EndRound(Step, frozen=True):
    """Command, then status."""


class WhichUnit(Ask, frozen=True):
    """Which fresh unit acts?"""


class WhichAction(Ask, frozen=True):
    """What does it do?"""

    unit: int


def begin_round(r: Resolution, step: RoundStart) -> None:
    """The first side alternates by round."""
    if victory.end_if_wiped(r):
        return
    known = battle_state(r.state)
    first = (known.first + r.state.turn - 1) % 2
    clauses = (*CLAUSES, "SH-HOUSE-VICTORY")
    r.set_extra(clauses, play=Alternate(first, known.play.actions))
    _schedule(r)


def _able(state: State) -> tuple[int, int]:
    counts = [0, 0]
    for unit in state.units.values():
        mine: UnitState = unit.own
        if mine.fresh and can_act(unit):
            counts[unit.side] += 1
    return counts[0], counts[1]


def _schedule(r: Resolution) -> None:
    """The actions of a round are spread evenly over what is left of it."""
    turns.spread(r, Action(), ACTION_PRIORITY, sum(_able(r.state)))


def next_action(r: Resolution, step: Action) -> None:
    """The side whose block it is picks a unit; a side without a fresh one passes."""
    if victory.end_if_wiped(r):
        return
    state = r.state
    play = battle_state(state).play.next(_able(state))
    if play is None:
        r.then(EndRound())
        return
    r.set_extra(CLAUSES, play=play.acted())
    r.then(WhichUnit(side=play.side))


def which_unit(state: State, board: Board, ask: WhichUnit) -> Sequence[Answer]:
    """Fresh units that can act, by id."""
    return [
        numbered(Pick, unit.id)
        for unit in state.units.values()
        if unit.side == ask.side and unit.own.fresh and can_act(unit)
    ]


def unit_picked(r: Resolution, ask: WhichUnit, said: Pick) -> None:
    r.then(WhichAction(said.unit, side=ask.side))


def which_action(state: State, board: Board, ask: WhichAction) -> Sequence[Answer]:
    """Actions open to the unit, in the order advance, fire, advance_fire, concentrated, bombard, opportunity, assault, hold."""
    return [_ORDERS[name] for name in actions(state, board, state.units[ask.unit])]


def actions(state: State, board: Board, unit: Unit) -> list[str]:
    """The actions open to a unit. A pinned one does not move; hold is left to whoever has nothing to fire."""
    found: list[str] = []
    moves = move.can_move(state, board, unit, ADVANCE)
    armed = bool(firepower(unit.kind, unit.models, INFANTRY) or firepower(unit.kind, unit.models, VEHICLES))
    if moves:
        found.append(ADVANCE)
    if armed and has_target(state, board, unit):
        found.append(FIRE)
    if armed and moves and move.can_move(state, board, unit, ADVANCE_FIRE):
        found.append(ADVANCE_FIRE)
    if FIRE in found and can_support(state, board, unit):
        found.append(CONCENTRATED)
    if has_hex(state, board, unit):
        found.append(BOMBARD)
    if armed:
        found.append(OPPORTUNITY)
    if assault.assaultable(state, board, unit):
        found.append(ASSAULT)
    return found if armed or BOMBARD in found else [*found, HOLD]


def action_given(r: Resolution, ask: WhichAction, said: Order) -> None:
    """The unit acts and is no longer fresh."""
    unit = r.state.units[ask.unit]
    clauses: Clauses = ("SH-HOUSE-ACTIONS", "SH-HOUSE-UNITS")
    r.because(Acts(unit.id, said.name, clauses=clauses))
    r.set(unit.id, CLAUSES, fresh=False, waits=said.name == OPPORTUNITY)
    name = said.name
    if name in (ADVANCE, ADVANCE_FIRE):
        r.then(move.WhereTo(unit.id, name, side=unit.side), ActionDone(unit.id, unit.place))
    elif name in (FIRE, CONCENTRATED):
        r.then(declare.AtWhom(unit.id, name, side=unit.side), ActionDone(unit.id, unit.place))
    elif name == BOMBARD:
        r.then(area.WhichHex(unit.id, side=unit.side), ActionDone(unit.id, unit.place))
    elif name == ASSAULT:
        r.then(assault.WhomAssault(unit.id, side=unit.side), ActionDone(unit.id, unit.place))
    else:
        r.then(ActionDone(unit.id, unit.place))


def action_done(r: Resolution, step: ActionDone) -> None:
    """Exits, who holds what, and the next action."""
    victory.after_action(r, step.unit, step.place)
    if r.state.outcome is None:
        _schedule(r)


def end_round(r: Resolution, step: EndRound) -> None:
    """Command: objectives are scored. Status: pins go, the disrupted try to recover, all are fresh again."""
    victory.command(r)
    state = r.state
    here = [unit for unit in state.units.values() if unit.alive and unit.place >= 0]
    # all at once: whether an officer helps is settled before anybody has recovered, not by the order of the units
    needs = {
        unit.id: suppress.recovers_on(state, r.board, unit) for unit in here if unit_state(unit).disrupted
    }
    for unit in here:
        r.cause = -1
        mine = unit_state(unit)
        if unit.id in needs:
            suppress.recover(r, unit, needs[unit.id])
        if mine.pinned or mine.waits or not mine.fresh:
            r.set(unit.id, CLAUSES, pinned=False, waits=False, fresh=True)
    turns.end_turn(r, victory.round_over, RoundStart(), ROUND_PRIORITY)


CHAPTER = Chapter(
    owns=("SH-HOUSE-ROUND", "SH-HOUSE-ACTIONS"),
    asks={WhichUnit: (which_unit, unit_picked), WhichAction: (which_action, action_given)},
    steps={
        RoundStart: begin_round,
        Action: next_action,
        ActionDone: action_done,
        EndRound: end_round,
    },
)
