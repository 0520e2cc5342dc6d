"""The turn: the sides act by turns of their gangs (AL-TURN-1, AL-MOVE-1). Read `next_gang`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from battlesim.board.board import Board
from battlesim.board.routes import MovementMode, MoveOption
from battlesim.core.answers import Answer, MoveTo, Pass, Pick, TargetUnit
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit, fallen
from battlesim.rules import turns
from battlesim.rules.activation import Alternate
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution

from . import ending, fight
from .ending import ENDING
from .facts import Acts
from .model import GANGS, battle_state, unit_state

TURN_PRIORITY, NEXT_PRIORITY = 5, 10


class BeginTurn(Step, frozen=True):
    """A turn begins."""


class NextGang(Step, frozen=True):
    """The next gang acts, or the turn ends."""


class WhichGang(Ask, frozen=True):
    """Which gang acts?"""


class WhatNow(Ask, frozen=True):
    """Does it throw at somebody, run somewhere, or hold?"""

    unit: int


def begin_turn(r: Resolution, step: BeginTurn) -> None:
    """The side that begins changes with every turn."""
    for unit in list(r.state.units.values()):
        if unit_state(unit).acted:
            r.set(unit.id, acted=False)
    r.set_extra(("AL-TURN-1",), play=Alternate((r.state.turn - 1) % 2))
    _schedule(r)


def waiting(state: State) -> list[Unit]:
    """The gangs that have not acted this turn."""
    return [unit for unit in state.units.values() if unit.place >= 0 and not unit_state(unit).acted]


def _schedule(r: Resolution) -> None:
    turns.spread(r, NextGang(), NEXT_PRIORITY, len(waiting(r.state)))


def next_gang(r: Resolution, step: NextGang) -> None:
    """A side whose gangs have all acted is passed over; when all have, the turn ends."""
    if ENDING.end_if_wiped(r):
        return
    sides = [unit.side for unit in waiting(r.state)]
    play = battle_state(r.state).play.next((sides.count(0), sides.count(1)))
    if play is None:
        turns.end_turn(r, ENDING.turn_over, BeginTurn(), TURN_PRIORITY, ("AL-TURN-1",))
        return
    r.set_extra(play=play.acted())
    _schedule(r)
    r.then(WhichGang(side=play.side))


def which_gang(state: State, board: Board, ask: WhichGang) -> Sequence[Answer]:
    """Gangs that have not acted, by id."""
    return [Pick(unit.id) for unit in waiting(state) if unit.side == ask.side]


def gang_picked(r: Resolution, ask: WhichGang, said: Pick) -> None:
    r.set(said.unit, ("AL-TURN-1",), acted=True)
    r.then(WhatNow(said.unit, side=ask.side))


def what_now(state: State, board: Board, ask: WhatNow) -> Sequence[Answer]:
    """Hold; throw at enemies, by id; run to places, by number. Who is scared can only hold."""
    unit = state.units[ask.unit]
    if unit_state(unit).scared:
        return [Pass()]
    foes = [TargetUnit(foe.id) for foe in fight.targets(state, board, unit)]
    return [Pass(), *foes, *(MoveTo(place) for place in sorted(runs(state, board, unit)))]


@cache
def mode(speed: int) -> MovementMode:
    """How a gang of some speed runs: by straight lengths, dry-shod."""
    phase = MoveOption(speed, lambda way: None if way.water else way.length)
    return MovementMode(f"alleys {speed}", (phase,))


def runs(state: State, board: Board, unit: Unit) -> list[int]:
    """The places that a gang can run to: nobody is there, and nobody in the way."""
    shut = state.at.keys() - {unit.place}
    closed = frozenset(number for number, one in state.structures.items() if one.own.get("closed"))
    reach = board.routes.reach(mode(GANGS[unit.kind].speed), unit.place, shut, fallen(state), closed)
    return [place for place in reach if board.spaces[place].terrain != "water"]


def done(r: Resolution, ask: WhatNow, said: Answer) -> None:
    """It throws, runs or holds; who holds takes heart."""
    unit = r.state.units[ask.unit]
    if isinstance(said, TargetUnit):
        r.because(Acts(unit.id, "throw", clauses=("AL-THROW-1",)))
        r.then(fight.Volley(unit.id, said.unit))
    elif isinstance(said, MoveTo):
        r.because(Acts(unit.id, "run", clauses=("AL-MOVE-1",)))
        r.move(unit, (unit.place, said.place), ("AL-MOVE-1",))
        if ending.leaves_at(r.state, r.board, unit, said.place):
            ending.leave(r, r.state.units[unit.id])
    else:
        r.because(Acts(unit.id, "hold", clauses=("AL-TURN-1",)))
        if unit_state(unit).scared:
            r.set(unit.id, ("AL-NERVE-1",), scared=False)


CHAPTER = Chapter(
    owns=("AL-TURN-1", "AL-MOVE-1"),
    asks={WhichGang: (which_gang, gang_picked), WhatNow: (what_now, done)},
    steps={BeginTurn: begin_turn, NextGang: next_gang},
)
