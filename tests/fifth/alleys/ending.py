"""Who wins (AL-HOUSE-END). Read `ENDING`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.events import Placed
from battlesim.core.state import State, Unit
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Objective

from .facts import Left
from .model import battle_state

CLAUSES: Clauses = ("AL-HOUSE-END",)


def earned(state: State, goal: Objective) -> victory.Points:
    """A place is held by the side that has the only gangs there."""
    return victory.earned(state, goal, victory.alone_in(state, goal.places))


ENDING = victory.Ending(
    awards=lambda state: victory.goals_earned(state, earned),
    clauses=CLAUSES,
    fights_on=lambda unit: not unit.own.left,
    has_left=lambda unit: unit.own.left,
)


def leaves_at(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a gang that ends its run on a place gets away there."""
    return bool(victory.exits_of(battle_state(state).objectives, unit, board.spaces[place].edge))


def leave(r: Resolution, unit: Unit) -> None:
    """A gang gets away by the edge it is at, and scores."""
    r.because(Left(unit.id, unit.place, clauses=CLAUSES))
    victory.score_exits(r, unit, r.board.spaces[unit.place].edge, CLAUSES)
    r.set(unit.id, CLAUSES, left=True)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))
    ENDING.end_if_wiped(r)


CHAPTER = Chapter(owns=CLAUSES)
