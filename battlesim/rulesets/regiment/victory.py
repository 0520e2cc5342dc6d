"""Who wins: units lost or fleeing, standards, objectives, margins (RG-HOUSE-VICTORY). Read `ENDING`.

A battle ends in one of these words: length, massacre (at its end, by a large enough lead), annihilation; the referee adds
forfeit.
"""

from __future__ import annotations

from battlesim.core.state import State
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment.model import battle_state, flees, type_of

MASSACRE = "massacre"
CLAUSES: Clauses = ("RG-HOUSE-VICTORY",)
STANDARD_WORTH = 50
"""Points for a captured standard."""


def holder(state: State, goal: Objective) -> int:
    """The only side with units that do not flee on an objective's places, -1 if there is none."""
    return victory.alone_in(state, goal.places, lambda unit: not flees(state, unit))


def earned(state: State, goal: Objective) -> victory.Points:
    """Points of each side for an objective at present."""
    return victory.earned(state, goal, holder(state, goal))


def reach(state: State) -> victory.Points:
    """The most points that each side can win in a battle that begins in this state: the worth of all enemies, their standards,
    and its objectives."""
    lost = [0, 0]
    for unit in state.units.values():
        lost[1 - unit.side] += type_of(unit).worth + (STANDARD_WORTH if type_of(unit).standard else 0)
    return victory.total((lost[0], lost[1]), [victory.goals_in_reach(state)])


def awards(state: State) -> list[victory.Award]:
    """Every objective, and fleeing units. Lost units and standards are scored when they are lost."""
    fleeing = [unit for unit in state.units.values() if unit.alive and flees(state, unit)]
    worth = [
        victory.Award(f"{unit.name}, in flight", victory.for_side(1 - unit.side, type_of(unit).worth))
        for unit in fleeing
    ]
    return victory.goals_earned(state, earned) + worth


def _word(state: State) -> str:
    """A massacre is a victory by enough points, if the scenario allows one."""
    known, points = battle_state(state), state.points
    winner = victory.winner_by_points(points, known.margin)
    crushed = known.massacre and abs(points[0] - points[1]) >= known.massacre
    return MASSACRE if crushed and winner is not None else victory.LENGTH


ENDING = victory.Ending(awards=awards, clauses=CLAUSES, fights_on=lambda unit: True, word=_word)
standing, end_if_wiped, turn_over = ENDING.standing, ENDING.end_if_wiped, ENDING.turn_over


def is_losing(state: State, side: int) -> bool:
    """Whether a side would lose if the battle ended now."""
    return victory.winner_by_points(standing(state), battle_state(state).margin) == 1 - side


CHAPTER = Chapter(owns=("RG-HOUSE-VICTORY",))
