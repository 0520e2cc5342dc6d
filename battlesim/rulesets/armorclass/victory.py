"""Victory: objectives, the end of the battle, leaving by an edge (AC-HOUSE-VICTORY).

Read `ENDING`. Objectives are scored once, at the end, except exits, which score when a unit leaves. A battle ends by length,
annihilation or exit; the referee adds forfeit.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.events import Placed
from battlesim.core.state import State, Unit
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass import facts
from battlesim.rulesets.armorclass.model import able, battle_state

CLAUSES: Clauses = ("AC-HOUSE-VICTORY",)


def damaged(state: State) -> list[int]:
    """The sections that have lost a floor or have fallen."""
    return [s.section for s in state.structures.values() if s.own.get("gone", -1) >= 0]


def earned(state: State, goal: Objective) -> victory.Points:
    """Points of each side for an objective in the present state; exits are scored already. A building is kept if all of it
    stands."""
    return victory.earned(state, goal, victory.alone_in(state, goal.places), damaged(state))


ENDING = victory.Ending(
    awards=lambda state: victory.goals_earned(state, earned),
    clauses=CLAUSES,
    # A machine with neither weapons nor engine no longer counts.
    fights_on=able,
    has_left=lambda unit: unit.own.left,
    # More than the margin.
    least=lambda state: battle_state(state).margin + 1,
)
standing, end_if_wiped, turn_over = ENDING.standing, ENDING.end_if_wiped, ENDING.turn_over


# ---- leaving by an edge


def can_exit(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit that ends its move at `place` leaves the board there."""
    edge = board.spaces[place].edge
    return unit.alive and bool(victory.exits_of(battle_state(state).objectives, unit, edge))


def exit_unit(r: Resolution, unit: Unit) -> None:
    """A unit leaves by the edge it stands on and scores; this may end the battle."""
    edge = r.board.spaces[unit.place].edge
    r.emit(facts.LeftTheTable(unit=unit.id, place=unit.place, clauses=CLAUSES))
    victory.score_exits(r, unit, edge, CLAUSES)
    # A unit that was found stays known, as one that has left.
    r.set(unit.id, CLAUSES, left=True)
    r.emit(Placed(unit.id, -1, unit.facing, clauses=CLAUSES))
    end_if_wiped(r)


CHAPTER = Chapter(owns=("AC-HOUSE-VICTORY",))
