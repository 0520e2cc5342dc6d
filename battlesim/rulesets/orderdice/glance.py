"""A quick estimate of a volley, for players by rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule.

The numbers are those of `quick_look.py`. Officers near a target are left out.
"""

from __future__ import annotations

from math import isqrt

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View
from battlesim.rules.contract import Volley
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.judgement import USUAL
from battlesim.rulesets.orderdice.model import DOWN
from battlesim.rulesets.orderdice.quick_look import (
    BAND,
    MOST_PINS,
    CombatProfile,
    Duel,
    TargetProfile,
    bands_of,
    depth,
    duel,
    men_at,
    shelter,
)


def glance(view: View, board: Board) -> Volley:
    """The function that estimates volleys in a position."""
    down, spaces, sees = fallen_of(view.structures), board.spaces, board.sight.sees

    def volley(unit: Unit, place: int, foe: Unit, moved: bool) -> float:
        mine, its, there = unit.own, foe.own, foe.place
        reach, bands = _reach(unit.kind, unit.models, mine.spent)
        one, other = spaces[place], spaces[there]
        far = isqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2)
        far -= depth(board, place) + depth(board, there)
        if far > reach or not sees(place, there, down):
            return 0.0
        shooter = CombatProfile(unit.kind, unit.models, mine.spent, mine.pins, mine.quality)
        target = CombatProfile(foe.kind, foe.models, its.spent, its.pins, its.quality)
        men, walls = men_at(board, place, there), shelter(board, there)
        fire = _duel(shooter, target, its.full, its.order == DOWN, walls, moved, men)
        return fire.loss[bands[far // BAND if far > 0 else 0]]

    return volley


@memo(bound=8_192)
def _reach(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The range of so many models of a type, and their distance bands."""
    return armament(kind, models, spent).reach, bands_of(kind, models, spent)


@memo(bound=1 << 14)
def _duel(
    shooter: CombatProfile, target: CombatProfile, full: int, down: bool, shelter: int, moved: bool, men: int
) -> Duel:
    """The fire of a unit at another, which began with `full` men; `men`: how many can shoot."""
    mark = TargetProfile(target.kind, target.models, full, target.quality, target.pins, 0, down)
    shooter = shooter._replace(pins=min(shooter.pins, MOST_PINS))
    return duel(shooter, mark, shelter, moved, men, USUAL.pin, USUAL.driven_out)
