"""Who wins: objectives, the end of the battle, leaving by an edge (OD-HOUSE-VICTORY, OD-HOUSE-EXIT).

Read `turn_over` for the end by length, `check_wiped` for the end by loss. Objectives are scored once, at the end, save
breaking through, which scores when a unit leaves. A battle ends in one of these words: length, annihilation, exit (of
one side all that is left has left); the referee adds forfeit.
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
from battlesim.rules.victory import ANNIHILATION, LENGTH
from battlesim.rulesets.orderdice.losses import drop_die
from battlesim.rulesets.orderdice.model import Happened, extra, own

CLAUSES: Clauses = ("OD-HOUSE-VICTORY",)
ONE_MORE = 4
"""The extra turn comes on this or more (OD-HOUSE-TURN)."""


# ---- what objectives are worth


def earned(state: State, goal: Goal) -> victory.Points:
    """Points of each side for an objective as things stand; those of exit objectives are scored already."""
    return victory.earned(state, goal, victory.alone_in(state, goal.places))


def reach(state: State) -> victory.Points:
    """The most points that each side can take in a battle that begins at this state."""
    return victory.total((0, 0), [victory.in_reach(state, goal) for goal in extra(state).objectives])


def standing(state: State) -> victory.Points:
    """The points of both sides were the battle to end now."""
    return victory.total(state.points, [earned(state, goal) for goal in extra(state).objectives])


# ---- how a battle ends


def score(r: Resolution) -> None:
    """Score every objective, in the scenario's order. Only at the end."""
    for goal in extra(r.state).objectives:
        for side, points in enumerate(earned(r.state, goal)):
            if points:
                r.emit(Scored(side, points, goal.name, clauses=CLAUSES))


def final(r: Resolution, termination: str = LENGTH, clauses: Clauses = CLAUSES) -> None:
    """Score, and end the battle: the side ahead by the margin wins, else it is a draw."""
    score(r)
    points = r.state.points
    winner = victory.winner_by_points(points, extra(r.state).margin)
    r.emit(Ended(Outcome(winner, points, termination), clauses=clauses))


def turn_over(r: Resolution) -> bool:
    """After a turn's end, with `state.turn` the turn to come: True where the battle goes on, False where it is over."""
    state = r.state
    if state.outcome is not None or end_if_wiped(r):
        return False
    if state.turn <= extra(state).turns:
        return True
    if extra(state).extra_turn:
        clauses: Clauses = ("OD-HOUSE-TURN",)
        more = r.count(1, ONE_MORE, "extra turn", -1, clauses=clauses) == 1
        r.set_extra(clauses, extra_turn=False, turns=extra(state).turns + more)
        if more:
            return True
    final(r)
    return False


def _fights_on(state: State, side: int) -> bool:
    """Whether a side has a living unit that has not left by an edge."""
    return any(not state.units[number].own.left for number in state.alive[side])


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no living unit left: it loses, both at once draw. Units in reserve live.

    A side that has units which left by an edge, and no others, has not lost: the points decide (OD-HOUSE-EXIT). The
    points are those of `standing`.
    """
    fights = (_fights_on(state, 0), _fights_on(state, 1))
    some = (bool(state.alive[0]), bool(state.alive[1]))
    return victory.end_by_loss(fights, some, lambda: standing(state), extra(state).margin)


def end_if_wiped(r: Resolution) -> bool:
    """End the battle where a side has nothing left; whether it is over."""
    if r.state.outcome is not None:
        return True
    outcome = check_wiped(r.state)
    if outcome is None:
        return False
    score(r)
    clauses: Clauses = CLAUSES if outcome.termination == ANNIHILATION else (*CLAUSES, "OD-HOUSE-EXIT")
    r.emit(Ended(replace(outcome, points=r.state.points), clauses=clauses))
    return True


# ---- breaking through


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends its move at `place` leaves the board there: on ground at an edge that an exit objective
    of its own names, for it or a unit it carries."""
    edge = board.spaces[place].edge
    if not edge or not unit.alive:
        return False
    goals = extra(state).objectives
    return any(victory.exits_of(goals, one, edge) for one in (unit, *passengers(state, unit)))


def passengers(state: State, unit: Unit) -> list[Unit]:
    """The living units aboard a unit, by id."""
    return [u for u in state.living(unit.side) if own(u).aboard == unit.id]


def exit_unit(r: Resolution, unit: Unit) -> None:
    """A unit leaves by the edge it stands on, with its passengers, and scores; the battle may end by it."""
    clauses: Clauses = ("OD-HOUSE-EXIT", "OD-HOUSE-VICTORY")
    edge = r.board.spaces[unit.place].edge
    for one in [unit, *passengers(r.state, unit)]:
        r.emit(Happened("left", one.id, place=unit.place, clauses=clauses))
        for goal in victory.exits_of(extra(r.state).objectives, one, edge):
            r.emit(Scored(one.side, goal.points, goal.name, clauses=clauses))
        if own(one).order == "":  # a passenger that has not acted: its die goes
            drop_die(r, one.side, ("OD-HOUSE-TURN",))
        r.set(one.id, clauses, left=True, aboard=-1)
        if one.place >= 0:
            r.emit(Placed(one.id, -1, one.facing, clauses=clauses))
    end_if_wiped(r)


CHAPTER = Chapter(owns=("OD-HOUSE-VICTORY", "OD-HOUSE-EXIT"))
