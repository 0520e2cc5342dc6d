"""Who holds what, and who wins (SH-HOUSE-VICTORY).

Read `after_action` and `command`. A battle ends in one of these words: length, annihilation, exit (of one side all that is left
has left); the referee adds forfeit.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.events import Ended, Placed, Scored
from battlesim.core.state import Outcome, State, Unit, fallen
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Goal
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.victory import LENGTH
from battlesim.rulesets.squadhex.model import Captured, Happened, extra, own

CLAUSES: Clauses = ("SH-HOUSE-VICTORY",)


def holders(state: State, goals: tuple[Goal, ...], held: tuple[int, ...]) -> tuple[int, ...]:
    """For each objective the side that was last in it alone."""
    return tuple(
        now if (now := victory.alone_in(state, goal.places)) >= 0 else before
        for goal, before in zip(goals, held, strict=True)
    )


def earned(state: State, number: int) -> victory.Points:
    """Points of each side for an objective as things stand; those of exits are scored already."""
    known = extra(state)
    return victory.earned(state, known.objectives[number], known.held[number])


def _due(state: State, goal: Goal, last: bool) -> bool:
    """Whether an objective is scored now: those held in every command phase where the scenario says so, all else at the end."""
    if goal.kind == "hold" and extra(state).each_round:
        return not last
    return last


def reach(state: State) -> victory.Points:
    """The most points that each side can take in a battle that begins at this state."""
    known = extra(state)
    times = known.turns if known.each_round else 1
    return victory.total((0, 0), [victory.in_reach(state, goal, times) for goal in known.objectives])


def standing(state: State) -> victory.Points:
    """The points of both sides were the battle to end now."""
    goals = extra(state).objectives
    due = [earned(state, number) for number, goal in enumerate(goals) if _due(state, goal, last=True)]
    return victory.total(state.points, due)


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
    winner = victory.winner_by_points(state.points, extra(state).margin)
    r.emit(Ended(Outcome(winner, state.points, LENGTH), clauses=CLAUSES))
    return False


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no living unit left on the board: it loses, both at once draw.

    A side whose last units left by an edge has not lost: the points decide."""
    fights = (_fights_on(state, 0), _fights_on(state, 1))
    some = (bool(state.alive[0]), bool(state.alive[1]))
    return victory.end_by_loss(fights, some, lambda: standing(state), extra(state).margin)


def _fights_on(state: State, side: int) -> bool:
    """Whether a side has a living unit that has not left by an edge."""
    units = state.units
    return any(not units[number].own.left for number in state.alive[side])


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


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends an action at `place` leaves there: on an edge that an exit of its own names, able to move."""
    edge = board.spaces[place].edge
    mine = own(unit)
    if mine.pinned or mine.disrupted:
        return False
    return bool(victory.exits_of(extra(state).objectives, unit, edge))


def _leave(r: Resolution, unit: Unit) -> None:
    edge = r.board.spaces[unit.place].edge
    r.because(Happened("left", unit.id, place=unit.place, clauses=CLAUSES))
    for goal in victory.exits_of(extra(r.state).objectives, unit, edge):
        r.emit(Scored(unit.side, goal.points, goal.name, clauses=CLAUSES))
    r.set(unit.id, CLAUSES, left=True, waits=False)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))


CHAPTER = Chapter(owns=CLAUSES)
