"""The round: sides take turns of several actions; then come command and status (SH-HOUSE-ROUND, SH-HOUSE-ACTIONS).

Read `next_action`, where every action begins.
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
from battlesim.rulesets.squadhex import area, assault, declare, morale, move, victory
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
    battle_state,
    can_act,
    unit_state,
)
from battlesim.rulesets.squadhex.targets import can_support, has_hex, has_target

ROUND_PRIORITY, ACTION_PRIORITY = 5, 10
"""In one tick a round begins before its actions."""
CLAUSES: Clauses = ("SH-HOUSE-ROUND",)
_ORDERS: dict[str, Answer] = {name: Order(name) for name in ACTIONS}


class RoundStart(Step, frozen=True):
    """A round begins."""


class Action(Step, frozen=True):
    """The next action: a side picks a fresh unit, or the round ends."""


class ActionDone(Step, frozen=True):
    """An action is over: check exits, objectives, and whether a side has nothing left. `place`: where the unit stood before; -1
    after an assault, since only one that moves in may leave (`assault.py`)."""

    unit: int
    place: int


class EndRound(Step, frozen=True):
    """The round ends: the command phase, then the status phase."""


class WhichUnit(Ask, frozen=True):
    """Which fresh unit takes the next action?"""


class WhichAction(Ask, frozen=True):
    """Which action does it take?"""

    unit: int


def begin_round(r: Resolution, step: RoundStart) -> None:
    """The sides alternate in going first, round by round."""
    if victory.end_if_wiped(r):
        return
    known = battle_state(r.state)
    first = (known.first + r.state.turn - 1) % 2
    clauses = (*CLAUSES, "SH-HOUSE-VICTORY")
    r.set_extra(clauses, play=Alternate(first, known.play.actions))
    _schedule(r)


def _fresh(state: State) -> tuple[int, int]:
    """How many units of each side can still act this round."""
    one, two = ([unit for unit in state.living(side) if can_act(unit)] for side in (0, 1))
    return len(one), len(two)


def _schedule(r: Resolution) -> None:
    """Put the next action on the agenda; the remaining actions are spread evenly over the rest of the round."""
    turns.spread(r, Action(), ACTION_PRIORITY, sum(_fresh(r.state)))


def next_action(r: Resolution, step: Action) -> None:
    """The side whose turn it is picks a unit; a side without a fresh unit passes. When both pass, the round ends."""
    if victory.end_if_wiped(r):
        return
    state = r.state
    play = battle_state(state).play.next(_fresh(state))
    if play is None:
        r.then(EndRound())
        return
    r.set_extra(CLAUSES, play=play.acted())
    r.then(WhichUnit(side=play.side))


def legal_which_unit(state: State, board: Board, ask: WhichUnit) -> Sequence[Answer]:
    """Fresh units that can act, by id."""
    return [numbered(Pick, unit.id) for unit in state.living(ask.side) if can_act(unit)]


def resolve_which_unit(r: Resolution, ask: WhichUnit, said: Pick) -> None:
    """Ask next what the unit does."""
    r.then(WhichAction(said.unit, side=ask.side))


def legal_which_action(state: State, board: Board, ask: WhichAction) -> Sequence[Answer]:
    """The actions open to the unit, in the order of `model.ACTIONS`."""
    return [_ORDERS[name] for name in actions(state, board, state.units[ask.unit])]


def actions(state: State, board: Board, unit: Unit) -> list[str]:
    """The names of the actions open to a unit, in the order of `model.ACTIONS`. A pinned unit cannot move; hold is only for a
    unit that could otherwise do nothing but bombard, or nothing at all."""
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
    # No clause makes a unit fire: one that can neither wait with a weapon, nor advance and stay where it is, holds its position.
    return found if armed or (moves and BOMBARD in found) else [*found, HOLD]


def resolve_which_action(r: Resolution, ask: WhichAction, said: Order) -> None:
    """The unit takes the action, and is no longer fresh."""
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
        r.then(assault.WhomAssault(unit.id, side=unit.side), ActionDone(unit.id, -1))
    else:
        r.then(ActionDone(unit.id, unit.place))


def action_done(r: Resolution, step: ActionDone) -> None:
    """Exits and objectives are checked; then comes the next action."""
    victory.after_action(r, step.unit, step.place)
    if r.state.outcome is None:
        _schedule(r)


def end_round(r: Resolution, step: EndRound) -> None:
    """Command phase: objectives are scored. Status phase: pins are removed, disrupted units try to recover, all are fresh
    again."""
    victory.command(r)
    state = r.state
    here = [unit for unit in state.units.values() if unit.alive and unit.place >= 0]
    # All recover at once: whether an officer helps is settled before any roll.
    shaken = [unit for unit in here if unit_state(unit).disrupted]
    officers = [morale.officers(state, side) for side in (0, 1)] if shaken else []
    needs = {unit.id: morale.recovers_on(r.board, unit, officers[unit.side]) for unit in shaken}
    for unit in here:
        r.cause = -1
        mine = unit_state(unit)
        if unit.id in needs:
            morale.recover(r, unit, needs[unit.id])
            r.cause = -1  # it is fresh again whether or not it recovers
        if mine.pinned or mine.waits or not mine.fresh:
            r.set(unit.id, CLAUSES, pinned=False, waits=False, fresh=True)
    turns.end_turn(r, victory.round_over, RoundStart(), ROUND_PRIORITY)


CHAPTER = Chapter(
    owns=("SH-HOUSE-ROUND", "SH-HOUSE-ACTIONS"),
    asks={
        WhichUnit: (legal_which_unit, resolve_which_unit),
        WhichAction: (legal_which_action, resolve_which_action),
    },
    steps={
        RoundStart: begin_round,
        Action: next_action,
        ActionDone: action_done,
        EndRound: end_round,
    },
)
