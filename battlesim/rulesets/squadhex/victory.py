"""Who holds what, and who wins (SH-HOUSE-VICTORY).

Read `after_action` and `command`. A battle ends in one of these words: length, annihilation, exit (of one side all that is left
has left); the referee adds forfeit.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.events import Ended, Placed, Scored
from battlesim.core.state import Outcome, State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Goal
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex.model import Captured, Happened, extra, own

LENGTH, ANNIHILATION, EXIT = "length", "annihilation", "exit"
CLAUSES: Clauses = ("SH-HOUSE-VICTORY",)


def inside(state: State, goal: Goal) -> int:
    """The side that alone has units on an objective's places, -1 where none or both have."""
    here = [False, False]
    for place in goal.places:
        for unit in state.at.get(place, ()):
            here[state.units[unit].side] = True
    if here[0] == here[1]:
        return -1
    return 0 if here[0] else 1


def holders(state: State, goals: tuple[Goal, ...], held: tuple[int, ...]) -> tuple[int, ...]:
    """For each objective the side that was last in it alone."""
    return tuple(
        now if (now := inside(state, goal)) >= 0 else before for goal, before in zip(goals, held, strict=True)
    )


def earned(state: State, number: int) -> tuple[int, int]:
    """Points of each side for an objective as things stand; those of exits are scored already."""
    goal = extra(state).objectives[number]
    side, points = goal.side, goal.points
    if goal.kind == "hold":
        side = extra(state).held[number]
        if goal.side not in (-1, side):
            side = -1
    elif goal.kind == "destroy" and goal.sections:
        down = fallen(state)
        points = goal.points if all(section in down for section in goal.sections) else 0
    elif goal.kind == "destroy":
        points = goal.points * sum(not state.units[unit].alive for unit in goal.units)
    elif goal.kind == "survive":
        points = goal.points * sum(state.units[unit].alive for unit in goal.units)
    else:
        return (0, 0)
    if side < 0:
        return (0, 0)
    return (points, 0) if side == 0 else (0, points)


def _due(state: State, goal: Goal, last: bool) -> bool:
    """Whether an objective is scored now: those held in every command phase where the scenario says so, all else at the end."""
    if goal.kind == "hold" and extra(state).each_round:
        return not last
    return last


def standing(state: State) -> tuple[int, int]:
    """The points of both sides were the battle to end now."""
    a, b = state.points
    for number, goal in enumerate(extra(state).objectives):
        if _due(state, goal, last=True):
            more = earned(state, number)
            a, b = a + more[0], b + more[1]
    return (a, b)


def winner_by_points(points: tuple[int, int], margin: int) -> int | None:
    """The side ahead by the margin at least; None for a draw."""
    ahead = points[0] - points[1]
    if ahead >= margin:
        return 0
    return 1 if -ahead >= margin else None


def _score(r: Resolution, last: bool) -> None:
    known = extra(r.state)
    for number, goal in enumerate(known.objectives):
        if not _due(r.state, goal, last):
            continue
        clauses = (*CLAUSES, "SH-FALL-4") if _fallen_goal(r, goal) else CLAUSES
        for side, points in enumerate(earned(r.state, number)):
            if points:
                r.emit(Scored(side, points, goal.name, clauses=clauses))


def _fallen_goal(r: Resolution, goal: Goal) -> bool:
    """Whether a held objective lies in ruins, in whole or in part (SH-FALL-4)."""
    if goal.kind != "hold":
        return False
    down = fallen(r.state)
    return any(r.board.spaces[place].section in down for place in goal.places)


def after_action(r: Resolution, number: int, before: int) -> None:
    """Who moved off by its edge leaves; whoever is alone in an objective holds it; a side with nothing left loses."""
    unit = r.state.units[number]
    if unit.place not in (-1, before) and can_exit(r.state, r.board, unit, unit.place):
        _leave(r, unit)
    known = extra(r.state)
    held = holders(r.state, known.objectives, known.held)
    if held != known.held:
        for goal, was, now in zip(known.objectives, known.held, held, strict=True):
            if now != was:
                r.emit(Captured(now, goal.name, clauses=CLAUSES))
        r.set_extra(CLAUSES, held=held)
    end_if_wiped(r)


def command(r: Resolution) -> None:
    """The command phase: objectives held are scored, where the scenario scores them each round."""
    _score(r, last=False)


def round_over(r: Resolution) -> bool:
    """After a round, with `state.turn` the round to come: True where the battle goes on, False where it is over."""
    state = r.state
    if state.outcome is not None or end_if_wiped(r):
        return False
    if state.turn <= extra(state).turns:
        return True
    _score(r, last=True)
    points = state.points
    r.emit(Ended(Outcome(winner_by_points(points, extra(state).margin), points, LENGTH), clauses=CLAUSES))
    return False


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no living unit left on the board: it loses, both at once draw.

    A side whose last units left by an edge has not lost: the points decide."""
    living, gone = [False, False], [False, False]
    for unit in state.units.values():
        if unit.alive and not living[unit.side]:
            if own(unit).left:
                gone[unit.side] = True
            else:
                living[unit.side] = True
    if living[0] and living[1]:
        return None
    points = standing(state)
    for side in (0, 1):
        if not living[side] and not gone[side]:
            other = 1 - side
            lost_too = not living[other] and not gone[other]
            return Outcome(None if lost_too else other, points, ANNIHILATION)
    return Outcome(winner_by_points(points, extra(state).margin), points, EXIT)


def end_if_wiped(r: Resolution) -> bool:
    """End the battle where a side has nothing left; whether it is over."""
    if r.state.outcome is not None:
        return True
    outcome = check_wiped(r.state)
    if outcome is None:
        return False
    _score(r, last=True)
    r.emit(Ended(replace(outcome, points=r.state.points), clauses=CLAUSES))
    return True


# ---- leaving


def exits_of(state: State, unit: Unit) -> list[Goal]:
    """The exit objectives that a unit can score."""
    return [
        goal
        for goal in extra(state).objectives
        if goal.kind == "exit" and goal.side == unit.side and (not goal.units or unit.id in goal.units)
    ]


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends an action at `place` leaves there: on an edge that an exit of its own names, able to move."""
    edge = board.spaces[place].edge
    mine = own(unit)
    if not edge or mine.pinned or mine.disrupted:
        return False
    return any(goal.edge in edge for goal in exits_of(state, unit))


def _leave(r: Resolution, unit: Unit) -> None:
    edge = r.board.spaces[unit.place].edge
    r.because(Happened("left", unit.id, place=unit.place, clauses=CLAUSES))
    for goal in exits_of(r.state, unit):
        if goal.edge in edge:
            r.emit(Scored(unit.side, goal.points, goal.name, clauses=CLAUSES))
    r.set(unit.id, CLAUSES, left=True, waits=False)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))


CHAPTER = Chapter(owns=CLAUSES)
