"""Support from off the board: calling a barrage or an air strike, and waiting for it (OD-AIR-1, OD-BARR-1, OD-HOUSE-SUPPORT).

On a Fire order, an observer with a strike left is asked what to call it on; Pass shoots its own weapons instead. The strike is an
entry on the agenda at the start of each later turn until it arrives; its effects are in `strikes.py`. Read `calls`, then
`strike_comes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.answers import Answer, Pass, TargetSpace, TargetUnit
from battlesim.core.items import TURN, Ask, Step
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import (
    collapse,
    empty_buildings,
    facts_fire,
    ground,
    line_of_sight,
    shoot,
    strikes,
)
from battlesim.rulesets.orderdice.model import type_of, unit_state
from battlesim.rulesets.orderdice.strikes import SUPPORT

BARRAGE, AIR = "barrage", "air"
STRIKE_PRIORITY = 3
"""After reserves have come on, before the turn begins and the dice go into the bag."""
ARRIVES = 3
"""A strike arrives on this or more; else it is delayed."""
MOST_EMPTIES = 8
"""Empty buildings offered at most, the nearest first."""


class CallStrike(Ask, frozen=True):
    """What does the observer call its strike on?"""

    unit: int


class StrikeDue(Step, frozen=True):
    """A strike called by `unit` may arrive: at a unit (`target`, -1: none), or where it was called (`place`, a space)."""

    unit: int
    kind: str
    target: int
    place: int


# ---- calling a strike ------------------------------------------------------------------------------------------------


def sees_building(state: State, board: Board, place: int, section: Section) -> bool:
    """Whether a unit in a space sees any floor of a building; never of its own."""
    if board.spaces[place].section == section.id:
        return False
    return any(line_of_sight.sees(state, board, place, floor) for floor in section.spaces)


def calls(state: State, board: Board, unit: Unit) -> Iterator[Answer]:
    """What an observer can call its strike on.

    A barrage: ground where it sees enemies, by unit; then buildings in sight with enemies, by section. An air strike: enemies
    in sight, those in buildings by sight of the building (OD-AIR-1), by id. Both: then empty buildings in sight, the nearest
    MOST_EMPTIES (OD-EMPTY-1). A building is named by its ground floor, the point on top of it (OD-BARR-1).
    """
    mine = unit_state(unit)
    if mine.called or unit.place < 0 or not type_of(unit).strike:
        return
    air = type_of(unit).strike == AIR
    held: dict[int, bool] = {}
    offered: dict[int, None] = {}
    for enemy in state.living(1 - unit.side):
        if enemy.place < 0:
            continue
        section = ground.section_of(board, enemy.place)
        if section is None:
            if enemy.place not in offered and line_of_sight.sees(state, board, unit.place, enemy.place):
                if not air:
                    offered[enemy.place] = None
                yield TargetUnit(enemy.id) if air else TargetSpace(enemy.place)
            continue
        if section.id not in held:
            held[section.id] = sees_building(state, board, unit.place, section)
        if air and held[section.id]:
            yield TargetUnit(enemy.id)
    if not air:
        yield from (TargetSpace(board.sections[number].spaces[0]) for number in sorted(held) if held[number])
    yield from islice(_empties(state, board, unit), MOST_EMPTIES)


def _empties(state: State, board: Board, unit: Unit) -> Iterator[Answer]:
    """Standing empty buildings in sight, the nearest first."""
    down = fallen(state)
    for _, number in empty_buildings.near_sections(board, unit.place):
        section = board.sections[number]
        if number in down or any(floor in state.at for floor in section.spaces):
            continue
        if sees_building(state, board, unit.place, section):
            yield TargetSpace(section.spaces[0])


def can_call(state: State, board: Board, unit: Unit) -> bool:
    """Whether an observer has a strike left and something to call it on."""
    return next(calls(state, board, unit), None) is not None


def legal_call_strike(state: State, board: Board, ask: CallStrike) -> Sequence[Answer]:
    """As in `calls`; last Pass, if the unit's own weapons have a target or there is nothing to call a strike on."""
    unit = state.units[ask.unit]
    answers = list(calls(state, board, unit))
    if not answers or shoot.can_fire(state, board, unit):
        answers.append(Pass())
    return answers


def resolve_call_strike(r: Resolution, ask: CallStrike, said: Answer) -> None:
    """The strike is used up and on its way, or the unit shoots."""
    unit = r.state.units[ask.unit]
    if isinstance(said, TargetUnit):
        target, place = said.unit, r.state.units[said.unit].place
    elif isinstance(said, TargetSpace):
        target, place = -1, said.place
    else:
        shoot.begin(r, unit, moved=False)
        return
    kind = type_of(unit).strike
    section = ground.section_of(r.board, place)
    clauses = SUPPORT
    if section is not None:
        clauses += ("OD-AIR-1",) if kind == AIR else ("OD-BARR-1",)
        if not collapse.occupants(r.state, r.board, section.id):
            clauses += ("OD-EMPTY-1",)
    there = -1 if section is None else section.id
    if kind == AIR:
        r.because(
            facts_fire.CallsAir(unit=unit.id, other=target, place=place, section=there, clauses=clauses)
        )
    else:
        r.because(facts_fire.CallsBarrage(unit=unit.id, place=place, section=there, clauses=clauses))
    r.set(unit.id, SUPPORT, called=True)
    _expect(r, unit.id, kind, target, place)


def _expect(r: Resolution, unit: int, kind: str, target: int, place: int) -> None:
    """A strike may arrive at the start of the next turn."""
    r.schedule(r.state.turn * TURN, StrikeDue(unit, kind, target, place), STRIKE_PRIORITY, SUPPORT)


# ---- its arrival -----------------------------------------------------------------------------------------------------


def strike_comes(r: Resolution, step: StrikeDue) -> None:
    """On 1-2 it is delayed by a turn, on 3+ it arrives, whether or not its observer is alive."""
    clauses = SUPPORT
    if not r.count(1, ARRIVES, "strike", step.unit, clauses=clauses):
        r.because(facts_fire.Delayed(unit=step.unit, place=step.place, clauses=clauses))
        _expect(r, step.unit, step.kind, step.target, step.place)
    elif step.kind == AIR:
        strikes.air_strike(r, step.unit, step.target, step.place)
    else:
        strikes.barrage(r, step.unit, step.place)


CHAPTER = Chapter(
    owns=("OD-AIR-1", "OD-BARR-1", "OD-HOUSE-SUPPORT"),
    asks={CallStrike: (legal_call_strike, resolve_call_strike)},
    steps={StrikeDue: strike_comes},
)
