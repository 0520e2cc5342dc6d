"""The turn: charges, flight, moves, shooting, close combat, one side after the other (RG-HOUSE-TURN).

A turn of the battle is both sides' turns, half of its 1,000 ticks each. Every unit's part in a phase is an entry of the agenda.
If the scenario activates by unit, both sides share one sequence of phases and their units alternate.
Read `begin_phase`, then `next_part`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pick, numbered
from battlesim.core.items import TURN, Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules import turns
from battlesim.rules.activation import PhaseOrder
from battlesim.rules.contract import Chapter
from battlesim.rules.nearby import FEW, Nearby
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.regiment import charge, contacts, fight, fire, morale, move, rout, targets, victory
from battlesim.rulesets.regiment.facts import TurnOf
from battlesim.rulesets.regiment.model import (
    CHARGE,
    COMPULSORY,
    FIGHT,
    MOVE,
    PHASES,
    SHOOT,
    battle_state,
    leads,
    unit_state,
)

PHASE_PRIORITY, PART_PRIORITY = 5, 10
"""In one tick a phase begins before the parts of a phase are played."""
STARTS: tuple[int, ...] = (0, 100, 130, 300, 400, 500)
"""Ticks of half a turn at which the phases begin; the last is its end."""
BOTH = 2
"""The value of `PhaseOrder.side` when both sides act."""


class PhaseBegins(Step, frozen=True):
    """A phase of a side's turn begins."""

    side: int
    phase: int


class Part(Step, frozen=True):
    """The next unit has its part in the phase."""


class Schedule(Step, frozen=True):
    """The next part, or the next phase, is put on the agenda."""


class EndTurn(Step, frozen=True):
    """Both sides have had their turns."""


class WhichUnit(Ask, frozen=True):
    """Which unit has its part in the phase next?"""

    phase: int


# ---- who acts --------------------------------------------------------------------------------------------------------


def waits(state: State, board: Board, unit: Unit, phase: int, enemies: Nearby | None = None) -> bool:
    """Whether a unit has something to do in a phase. `enemies`: its enemies by place, if the caller checks many units."""
    if phase == MOVE:
        return move.can_act(state, board, unit)
    if phase == SHOOT:
        return targets.might_shoot(state, board, unit, enemies)
    if not leads(unit):
        return False
    if phase == CHARGE:
        return charge.can_charge(state, board, unit, enemies)
    if phase == COMPULSORY:
        return unit_state(unit).fleeing
    return bool(unit_state(unit).foes)


def waiting(state: State, board: Board) -> list[Unit]:
    """The units that have yet to take their part in this phase, by id. In close combat both sides have one."""
    return list(_waiting(state, board))


def _waiting(state: State, board: Board) -> Iterator[Unit]:
    """`waiting`, one by one, so that a caller can stop at the first."""
    known, alive = battle_state(state), state.alive
    side, phase = known.sides.side, known.sides.phase
    # the dead have no part in anything
    able = sorted((*alive[0], *alive[1])) if side == BOTH or phase == FIGHT else alive[side]
    done = frozenset(known.done)
    near: list[Nearby | None] = [None, None]
    if phase in (CHARGE, SHOOT) and min(len(alive[0]), len(alive[1])) > FEW:
        near = [Nearby(board, state.living(1 - one)) for one in (0, 1)]
    for number in able:
        unit = state.units[number]
        if number not in done and waits(state, board, unit, phase, near[unit.side]):
            yield unit


def legal_which_unit(state: State, board: Board, ask: WhichUnit) -> Sequence[Answer]:
    """Units of the side that have yet to take their part, by id."""
    return [numbered(Pick, unit.id) for unit in waiting(state, board) if unit.side == ask.side]


# ---- phases ----------------------------------------------------------------------------------------------------------


def begin_phase(r: Resolution, step: PhaseBegins) -> None:
    """At the start of a side's turn its fleeing units try to rally; a shooting phase resets the count of losses."""
    if victory.end_if_wiped(r):
        return
    state = r.state
    if step.phase == CHARGE:
        side = -1 if step.side == BOTH else step.side
        r.because(TurnOf(side, clauses=("RG-HOUSE-TURN",)))
        rallies: list[Item] = []
        for unit in state.units.values():
            if unit.alive and unit_state(unit).shot:
                r.set(unit.id, shot=0)
            if unit.alive and unit_state(unit).charged and not unit_state(unit).foes:
                r.set(unit.id, charged=False, charges=())
            if not unit.alive or (unit.side != step.side and step.side != BOTH):
                continue
            mine = unit_state(unit)
            if mine.moved or mine.rallied:
                r.set(unit.id, moved="", rallied=False)
            if mine.fleeing:
                rallies.append(morale.Rally(unit.id))
    elif step.phase == SHOOT:
        rallies = []
        for unit in state.units.values():
            if unit.alive and unit_state(unit).shot:
                r.set(unit.id, shot=0)
    else:
        rallies = []
    r.set_extra(("RG-HOUSE-TURN",), sides=PhaseOrder(step.side, step.phase), done=())
    r.then(*rallies, Schedule())


def schedule(r: Resolution, step: Schedule) -> None:
    """The parts are spread evenly over the rest of their phase."""
    if r.state.outcome is not None:
        return
    state = r.state
    known = battle_state(state)
    ends = _start(state, known.sides, known.sides.phase + 1)
    left = len(waiting(state, r.board))
    if left:
        turns.spread(r, Part(), PART_PRIORITY, left, ends)
    elif known.sides.phase + 1 < PHASES:
        r.schedule(ends, PhaseBegins(known.sides.side, known.sides.phase + 1), PHASE_PRIORITY)
    elif known.sides.side == 0:
        r.schedule(ends, PhaseBegins(1, CHARGE), PHASE_PRIORITY)
    else:
        r.then(EndTurn())


def _start(state: State, sides: PhaseOrder, phase: int) -> int:
    begun = (state.turn - 1) * TURN
    if sides.side == BOTH:
        return begun + 2 * STARTS[phase]
    return begun + sides.side * TURN // 2 + STARTS[phase]


def next_part(r: Resolution, step: Part) -> None:
    """In flight and close combat there is no choice: the lowest number goes first. Otherwise a side picks the unit; by unit, the
    side that has had fewer parts in this phase, the first side on a tie."""
    if victory.end_if_wiped(r):
        return
    able = _waiting(r.state, r.board)
    side, phase = battle_state(r.state).sides.side, battle_state(r.state).sides.phase
    first = next(able, None)
    if first is None:
        r.then(Schedule())
    elif phase in (COMPULSORY, FIGHT):
        _begin(r, first, phase)
    else:
        r.then(WhichUnit(phase, side=_turn_of(r.state, [first, *able]) if side == BOTH else side))


def _turn_of(state: State, able: list[Unit]) -> int:
    sides = [unit.side for unit in able]
    had = [state.units[number].side for number in battle_state(state).done]
    if 0 in sides and 1 in sides:
        return 0 if had.count(0) <= had.count(1) else 1
    return sides[0]


def resolve_which_unit(r: Resolution, ask: WhichUnit, said: Pick) -> None:
    """The unit begins its part in the phase."""
    _begin(r, r.state.units[said.unit], ask.phase)


def _begin(r: Resolution, unit: Unit, phase: int) -> None:
    now: tuple[int, ...] = (unit.id,)
    if phase == FIGHT:
        done = battle_state(r.state).done
        now = tuple(number for number in contacts.units_in_combat(r.state, unit) if number not in done)
    r.change_list("done", added=now, clauses=("RG-HOUSE-TURN",))
    work: Item
    if phase == CHARGE:
        work = charge.ChargeWhom(unit.id, side=unit.side)
    elif phase == COMPULSORY:
        work = rout.Flee(unit.id)
    elif phase == MOVE:
        work = move.WhichOrder(unit.id, side=unit.side)
    elif phase == SHOOT:
        work = fire.AtWhom(unit.id, side=unit.side)
    else:
        work = fight.Fight(now)
    r.then(work, Schedule())


def end_turn(r: Resolution, step: EndTurn) -> None:
    """The turn is over: its position is hashed, then the next begins or the battle ends."""
    if victory.end_if_wiped(r):
        return
    first = BOTH if battle_state(r.state).by_unit else 0
    turns.end_turn(r, victory.turn_over, PhaseBegins(first, CHARGE), PHASE_PRIORITY)


CHAPTER = Chapter(
    owns=("RG-HOUSE-TURN",),
    asks={WhichUnit: (legal_which_unit, resolve_which_unit)},
    steps={PhaseBegins: begin_phase, Part: next_part, Schedule: schedule, EndTurn: end_turn},
)
