"""Victory: objectives, the end of the battle, leaving by an edge (OD-HOUSE-VICTORY, OD-HOUSE-EXIT).

Read `ENDING`, then `turn_over`. Objectives are scored once, at the end, except breaking through, which scores when a unit
leaves. A battle ends by length, annihilation or exit (all remaining units of one side have left); the referee adds forfeit.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.events import Placed
from battlesim.core.state import State, Unit
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice import facts
from battlesim.rulesets.orderdice.casualties import drop_die
from battlesim.rulesets.orderdice.model import battle_state, unit_state

CLAUSES: Clauses = ("OD-HOUSE-VICTORY",)
ONE_MORE = 4
"""The extra turn comes on this or more (OD-HOUSE-TURN)."""


# ---- what objectives are worth


def earned(state: State, goal: Objective) -> victory.Points:
    """Points of each side for an objective in the present state; exit objectives are scored already."""
    return victory.earned(state, goal, victory.alone_in(state, goal.places))


# ---- how a battle ends

ENDING = victory.Ending(
    awards=lambda state: victory.goals_earned(state, earned),
    clauses=CLAUSES,
    fights_on=lambda unit: not unit.own.left,
    # A unit that left by an edge is not lost (OD-HOUSE-EXIT).
    has_left=lambda unit: unit.own.left,
    exit_clauses=("OD-HOUSE-EXIT",),
)
standing, end_if_wiped = ENDING.standing, ENDING.end_if_wiped


def turn_over(r: Resolution) -> bool:
    """After a turn's end, with `state.turn` the turn to come: True where the battle goes on, False where it is over."""
    if end_if_wiped(r):
        return False
    known = battle_state(r.state)
    # After the last turn one more is played on a D6 of 4 or more, where the scenario says so.
    if r.state.turn > known.turns and known.extra_turn:
        clauses: Clauses = ("OD-HOUSE-TURN",)
        more = r.count(1, ONE_MORE, "extra turn", -1, clauses=clauses) == 1
        r.set_extra(clauses, extra_turn=False, turns=known.turns + more)
    return ENDING.turn_over(r)


# ---- breaking through


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends its move at `place` leaves the board there: on ground at an edge that an exit objective
    of its own names, for it or a unit it carries."""
    edge = board.spaces[place].edge
    if not edge or not unit.alive:
        return False
    goals = battle_state(state).objectives
    return any(victory.exits_of(goals, one, edge) for one in (unit, *passengers(state, unit)))


def passengers(state: State, unit: Unit) -> list[Unit]:
    """The living units aboard a unit, by id."""
    return [u for u in state.living(unit.side) if unit_state(u).aboard == unit.id]


def exit_unit(r: Resolution, unit: Unit) -> None:
    """A unit leaves by the edge it stands on, with its passengers, and scores; this may end the battle."""
    clauses: Clauses = ("OD-HOUSE-EXIT", "OD-HOUSE-VICTORY")
    edge = r.board.spaces[unit.place].edge
    for one in [unit, *passengers(r.state, unit)]:
        r.emit(facts.LeftTheTable(unit=one.id, place=unit.place, clauses=clauses))
        victory.score_exits(r, one, edge, clauses)
        if unit_state(one).order == "":  # a passenger that has not acted: its die goes
            drop_die(r, one.side, ("OD-HOUSE-TURN",))
        r.set(one.id, clauses, left=True, aboard=-1)
        if one.place >= 0:
            r.emit(Placed(one.id, -1, one.facing, clauses=clauses))
    end_if_wiped(r)


CHAPTER = Chapter(owns=("OD-HOUSE-VICTORY", "OD-HOUSE-EXIT"))
