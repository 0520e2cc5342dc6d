"""Stones and nerve (AL-THROW-1, AL-NERVE-1). Read `volley`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.items import Step
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution

from .ending import ENDING
from .facts import Nerve, Threw
from .model import GANGS, battle_state

HITS, HITS_INSIDE = 4, 5


class Volley(Step, frozen=True):
    """A gang throws at a gang."""

    unit: int
    target: int


class Waver(Step, frozen=True):
    """A gang that lost half its men or more to one volley is tested; `by`: whose it was."""

    unit: int
    by: int


def targets(state: State, board: Board, unit: Unit) -> list[Unit]:
    """The enemies that a gang sees within its reach, by id."""
    reach, down = GANGS[unit.kind].reach, fallen(state)
    found = []
    for foe in state.living(1 - unit.side):
        line = board.sight.best(unit.place, foe.place, down) if foe.place >= 0 else None
        if line is not None and line.distance <= reach:
            found.append(foe)
    return found


def needed(board: Board, target: Unit) -> int:
    """What a die must show to hit."""
    return HITS_INSIDE if board.spaces[target.place].kind == "floor" else HITS


def volley(r: Resolution, step: Volley) -> None:
    """A die a man; every hit takes a man out."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    hits = r.count(unit.models, needed(r.board, target), "throw", unit.id, target.id)
    r.because(Threw(unit.id, target.id, hits, clauses=("AL-THROW-1",)))
    lost = r.lose(target, hits, "stones", ("AL-THROW-1",))
    if ENDING.end_if_wiped(r):
        return
    # A gang that loses half its men or more to one volley is tested.
    if 2 * lost >= target.models and r.state.units[target.id].alive and not battle_state(r.state).hardened:
        r.then(Waver(target.id, unit.id))


def waver(r: Resolution, step: Waver) -> None:
    unit = r.state.units[step.unit]
    held = r.total(1, 6, "nerve", unit.id, step.by) <= GANGS[unit.kind].nerve
    r.because(Nerve(unit.id, held, clauses=("AL-NERVE-1",)))
    if not held:
        r.set(unit.id, ("AL-NERVE-1",), scared=True)


CHAPTER = Chapter(owns=("AL-THROW-1", "AL-NERVE-1"), steps={Volley: volley, Waver: waver})
