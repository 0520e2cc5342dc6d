"""Who wins: objectives, the end of the battle, leaving by an edge (AC-HOUSE-VICTORY).

Read `turn_over` for the end by length, `end_if_wiped` for the end by loss. Objectives are scored once, at the end, save exits,
which score when a unit leaves. A battle ends in one of these words: length, annihilation, exit; the referee adds forfeit.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.events import Ended, Placed, Scored
from battlesim.core.state import Outcome, State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass.model import Happened, Objective, able, extra, own

LENGTH, ANNIHILATION, EXIT = "length", "annihilation", "exit"
CLAUSES: Clauses = ("AC-HOUSE-VICTORY",)


def holder(state: State, goal: Objective) -> int:
    """The side that alone has living units on an objective's places, -1 where none has."""
    here = [False, False]
    for place in goal.places:
        for unit in state.at.get(place, ()):
            here[state.units[unit].side] = True
    if here[0] == here[1]:
        return -1
    return 0 if here[0] else 1


def earned(state: State, goal: Objective) -> tuple[int, int]:
    """Points of each side for an objective as things stand; those of exits are scored already."""
    side, points = goal.side, 0
    if goal.kind == "hold":
        side, points = holder(state, goal), goal.points
        if goal.side not in (-1, side):
            side = -1
    elif goal.kind in ("destroy", "keep") and goal.sections:
        down = fallen(state)
        gone = [section in down for section in goal.sections]
        points = goal.points if (all(gone) if goal.kind == "destroy" else not any(gone)) else 0
    elif goal.kind == "destroy":
        points = goal.points * sum(not state.units[unit].alive for unit in goal.units)
    elif goal.kind == "survive":
        points = goal.points * sum(state.units[unit].alive for unit in goal.units)
    if side < 0:
        return (0, 0)
    return (points, 0) if side == 0 else (0, points)


def standing(state: State) -> tuple[int, int]:
    """The points of both sides were the battle to end now."""
    a, b = state.points
    for goal in extra(state).objectives:
        more = earned(state, goal)
        a, b = a + more[0], b + more[1]
    return (a, b)


def winner_by_points(points: tuple[int, int], margin: int) -> int | None:
    """The side ahead by more than the margin; None for a draw."""
    ahead = points[0] - points[1]
    if abs(ahead) <= margin:
        return None
    return 0 if ahead > 0 else 1


def score(r: Resolution) -> None:
    """Score every objective, in the scenario's order. Only at the end."""
    for goal in extra(r.state).objectives:
        for side, points in enumerate(earned(r.state, goal)):
            if points:
                r.emit(Scored(side, points, goal.name, clauses=CLAUSES))


def final(r: Resolution, termination: str = LENGTH) -> None:
    """Score, and end the battle: the side ahead by more than the margin wins, else it is a draw."""
    score(r)
    points = r.state.points
    r.emit(
        Ended(Outcome(winner_by_points(points, extra(r.state).margin), points, termination), clauses=CLAUSES)
    )


def turn_over(r: Resolution) -> bool:
    """After a turn's end, with `state.turn` the turn to come: True where the battle goes on, False where it is over."""
    if end_if_wiped(r):
        return False
    if r.state.turn <= extra(r.state).turns:
        return True
    final(r)
    return False


def end_if_wiped(r: Resolution) -> bool:
    """End the battle where a side has no able unit left, reserves counted in; whether it is over. A side that has
    only units which
    left by an edge has not lost: the points decide."""
    state = r.state
    if state.outcome is not None:
        return True
    fit, gone = [False, False], [False, False]
    for unit in state.units.values():
        if fit[unit.side]:
            continue
        if able(unit):
            fit[unit.side] = True
        elif unit.alive and own(unit).left:
            gone[unit.side] = True
    if fit[0] and fit[1]:
        return False
    for side in (0, 1):
        if not fit[side] and not gone[side]:
            other = 1 - side
            lost_too = not fit[other] and not gone[other]
            score(r)
            outcome = Outcome(None if lost_too else other, r.state.points, ANNIHILATION)
            r.emit(Ended(outcome, clauses=CLAUSES))
            return True
    final(r, EXIT)
    return True


# ---- leaving by an edge


def exits_of(state: State, unit: Unit) -> list[Objective]:
    """The exit objectives that a unit can score."""
    return [
        goal
        for goal in extra(state).objectives
        if goal.kind == "exit" and goal.side == unit.side and (not goal.units or unit.id in goal.units)
    ]


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends its move at `place` leaves the board there."""
    edge = board.spaces[place].edge
    return bool(edge) and unit.alive and any(goal.edge in edge for goal in exits_of(state, unit))


def exit_unit(r: Resolution, unit: Unit) -> None:
    """A unit leaves by the edge it stands on and scores; the battle may end by it."""
    edge = r.board.spaces[unit.place].edge
    r.emit(Happened("left", unit.id, place=unit.place, clauses=CLAUSES))
    for goal in exits_of(r.state, unit):
        if goal.edge in edge:
            r.emit(Scored(unit.side, goal.points, goal.name, clauses=CLAUSES))
    r.set(unit.id, CLAUSES, left=True)
    if own(r.state.units[unit.id]).detected:
        r.set(unit.id, CLAUSES, detected=False)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))
    end_if_wiped(r)


CHAPTER = Chapter(owns=("AC-HOUSE-VICTORY",))
