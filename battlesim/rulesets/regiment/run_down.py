"""The chances that a unit that flees from a charge is run down (RG-HOUSE-FLEE). Read `chance`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, distance, in_arc
from battlesim.core.state import State, Unit
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import dice
from battlesim.rulesets.regiment import charge, ground, rout

AVERAGE = 7 * INCH // 2
"""How far a unit flees on average for each of its dice."""


def chance(board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that a charger catches an enemy that flees from its charge."""
    return _no_farther(foe, charge.charge_range(unit) * INCH - board.distance(unit.place, foe.place))


def by_another(state: State, board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that a unit that flees from one charger is then run down by another, about where an average flight ends: it
    flees again from that one."""
    end = rout.straight_away(board, unit, board.spaces[foe.place].point, rout.dice_of(unit) * AVERAGE)
    caught = 0.0
    for other in state.living(foe.side):
        if other.id == foe.id or not charge.can_charge(state, board, other):
            continue
        here = board.spaces[other.place].point
        if ground.outdoors(board, other.place) and in_arc(here, other.facing, end):
            caught = max(caught, _no_farther(unit, charge.charge_range(other) * INCH - distance(here, end)))
    return caught


def _no_farther(unit: Unit, length: int) -> float:
    """The chance that a unit flees no farther than a length."""
    return summed(dice(rout.dice_of(unit), 6)[: max(0, length // INCH + 1)])
