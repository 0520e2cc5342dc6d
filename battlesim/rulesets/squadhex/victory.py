"""Objectives and victory (SH-HOUSE-VICTORY).

A battle ends by length, annihilation or exit (all that is left of a side has left the map); the referee adds forfeit. Read
`after_action` and `command`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.events import Placed
from battlesim.core.state import State, Unit, fallen
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex import facts
from battlesim.rulesets.squadhex.facts import Captured
from battlesim.rulesets.squadhex.model import battle_state, unit_state

CLAUSES: Clauses = ("SH-HOUSE-VICTORY",)


def holders(state: State, goals: tuple[Objective, ...], held: tuple[int, ...]) -> tuple[int, ...]:
    """For each objective the side that was last alone in it, -1 none; `held`: the holders before."""
    return tuple(
        now if (now := victory.alone_in(state, goal.places)) >= 0 else before
        for goal, before in zip(goals, held, strict=True)
    )


def earned(state: State, number: int) -> victory.Points:
    """The points an objective is worth to each side at present; exits are scored when they happen."""
    known = battle_state(state)
    return victory.earned(state, known.objectives[number], known.held[number])


def _due(state: State, goal: Objective, last: bool) -> bool:
    """Whether an objective is scored now. Held places are scored in every command phase if the scenario says so; everything else
    at the end (`last`)."""
    if goal.kind == "hold" and battle_state(state).each_round:
        return not last
    return last


def reach(state: State) -> victory.Points:
    """The most points that each side can win in a battle that begins in this state."""
    known = battle_state(state)
    return victory.goals_in_reach(state, known.turns if known.each_round else 1)


def awards(state: State, last: bool = True) -> list[victory.Award]:
    """What is scored now: at the end (`last`), or in a command phase."""
    return [
        victory.Award(goal.name, earned(state, number), goal)
        for number, goal in enumerate(battle_state(state).objectives)
        if _due(state, goal, last)
    ]


def _fallen_goal(r: Resolution, goal: Objective) -> Clauses:
    """SH-FALL-4 if an objective to hold lies in ruins, wholly or partly."""
    if goal.kind != "hold":
        return ()
    down = fallen(r.state)
    ruined = any(r.board.spaces[place].section in down for place in goal.places)
    return ("SH-FALL-4",) if ruined else ()


ENDING = victory.Ending(
    awards=awards,
    clauses=CLAUSES,
    fights_on=lambda unit: not unit.own.left,
    has_left=lambda unit: unit.own.left,
    also=_fallen_goal,
)
standing, end_if_wiped, round_over = ENDING.standing, ENDING.end_if_wiped, ENDING.turn_over


def after_action(r: Resolution, number: int, before: int) -> None:
    """After an action: a unit that has moved to its edge leaves; a side alone in an objective holds it; a side with nothing left
    loses. `before`: where the unit stood before the action; -1 if the action is not a move by which it may leave."""
    if before not in (-1, r.state.units[number].place):
        leave_by_edge(r, number)
    known = battle_state(r.state)
    held = holders(r.state, known.objectives, known.held)
    if held != known.held:
        for goal, was, now in zip(known.objectives, known.held, held, strict=True):
            if now != was:
                r.emit(Captured(now, goal.name, clauses=CLAUSES))
        r.set_extra(CLAUSES, held=held)
    end_if_wiped(r)


def command(r: Resolution) -> None:
    """The command phase: held places are scored if the scenario scores them each round."""
    ENDING.score(r, awards(r.state, last=False))


# ---- leaving


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends a move at `place` leaves the map there: it is neither pinned nor disrupted, and one of its
    exits is on that edge."""
    edge = board.spaces[place].edge
    mine = unit_state(unit)
    if mine.pinned or mine.disrupted:
        return False
    return bool(victory.exits_of(battle_state(state).objectives, unit, edge))


def leave_by_edge(r: Resolution, number: int) -> None:
    """A unit that has moved leaves the map if it is at its edge and able to. Falling back is not moving."""
    unit = r.state.units[number]
    if unit.place < 0 or not can_exit(r.state, r.board, unit, unit.place):
        return
    edge, before = r.board.spaces[unit.place].edge, r.cause
    r.because(facts.LeftTheMap(unit=unit.id, place=unit.place, clauses=CLAUSES))
    victory.score_exits(r, unit, edge, CLAUSES)
    r.set(unit.id, CLAUSES, left=True, waits=False)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))
    r.cause = before  # the next action, or a capture elsewhere, is not an effect of it


CHAPTER = Chapter(owns=CLAUSES)
