"""Who wins: objectives, the end of the battle, leaving by an edge (AC-HOUSE-VICTORY).

Read `turn_over` for the end by length, `end_if_wiped` for the end by loss. Objectives are scored once, at the end, save exits,
which score when a unit leaves. A battle ends in one of these words: length, annihilation, exit; the referee adds forfeit.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.events import Ended, Placed, Scored
from battlesim.core.state import Outcome, State, Unit
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Goal
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.victory import LENGTH
from battlesim.rulesets.armorclass.model import Happened, able, extra, own

CLAUSES: Clauses = ("AC-HOUSE-VICTORY",)


def earned(state: State, goal: Goal) -> victory.Points:
    """Points of each side for an objective as things stand; those of exits are scored already. A building is kept where all of
    it stands."""
    damaged = [s.section for s in state.structures.values() if s.own.get("gone", -1) >= 0]
    return victory.earned(state, goal, victory.alone_in(state, goal.places), damaged)


def reach(state: State) -> victory.Points:
    """The most points that each side can take in a battle that begins at this state."""
    return victory.total((0, 0), [victory.in_reach(state, goal) for goal in extra(state).objectives])


def standing(state: State) -> victory.Points:
    """The points of both sides were the battle to end now."""
    return victory.total(state.points, [earned(state, goal) for goal in extra(state).objectives])


def _least(state: State) -> int:
    """Points that a side must be ahead by: more than the margin."""
    return extra(state).margin + 1


def score(r: Resolution) -> None:
    """Score every objective, in the scenario's order. Only at the end."""
    for goal in extra(r.state).objectives:
        for side, points in enumerate(earned(r.state, goal)):
            if points:
                r.emit(Scored(side, points, goal.name, clauses=CLAUSES))


def final(r: Resolution) -> None:
    """Score, and end the battle: the side ahead by more than the margin wins, else it is a draw."""
    score(r)
    points = r.state.points
    winner = victory.winner_by_points(points, _least(r.state))
    r.emit(Ended(Outcome(winner, points, LENGTH), clauses=CLAUSES))


def turn_over(r: Resolution) -> bool:
    """After a turn's end, with `state.turn` the turn to come: True where the battle goes on, False where it is over."""
    if end_if_wiped(r):
        return False
    if r.state.turn <= extra(r.state).turns:
        return True
    final(r)
    return False


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no able unit left, reserves counted in: it loses, both at once draw. A side
    that has only units which left by an edge has not lost: the points decide."""
    fights = (_fights_on(state, 0), _fights_on(state, 1))
    if fights == (True, True):
        return None
    left = (_has_left(state, 0), _has_left(state, 1))
    return victory.end_by_loss(fights, left, lambda: standing(state), _least(state))


def _fights_on(state: State, side: int) -> bool:
    units = state.units
    return any(able(units[number]) for number in state.alive[side])


def _has_left(state: State, side: int) -> bool:
    return any(own(unit).left for unit in state.living(side))


def end_if_wiped(r: Resolution) -> bool:
    """End the battle where a side has nothing left; whether it is over."""
    if r.state.outcome is not None:
        return True
    outcome = check_wiped(r.state)
    if outcome is None:
        return False
    score(r)
    r.emit(Ended(replace(outcome, points=r.state.points), clauses=CLAUSES))
    return True


# ---- leaving by an edge


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends its move at `place` leaves the board there."""
    edge = board.spaces[place].edge
    return unit.alive and bool(victory.exits_of(extra(state).objectives, unit, edge))


def exit_unit(r: Resolution, unit: Unit) -> None:
    """A unit leaves by the edge it stands on and scores; the battle may end by it."""
    edge = r.board.spaces[unit.place].edge
    r.emit(Happened("left", unit.id, place=unit.place, clauses=CLAUSES))
    for goal in victory.exits_of(extra(r.state).objectives, unit, edge):
        r.emit(Scored(unit.side, goal.points, goal.name, clauses=CLAUSES))
    r.set(unit.id, CLAUSES, left=True)
    if own(r.state.units[unit.id]).detected:
        r.set(unit.id, CLAUSES, detected=False)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))
    end_if_wiped(r)


CHAPTER = Chapter(owns=("AC-HOUSE-VICTORY",))
