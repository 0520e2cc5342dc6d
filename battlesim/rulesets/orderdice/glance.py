"""What a volley comes to at a glance, for players by rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule.

The numbers are those of `quick_look.py`. Officers near a target, and how few men fire out of one opening, are left out.
"""

from __future__ import annotations

from math import isqrt

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View
from battlesim.rules.contract import NOTHING, Exchange
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.judgement import USUAL
from battlesim.rulesets.orderdice.model import DOWN
from battlesim.rulesets.orderdice.quick_look import (
    BAND,
    EVERYBODY,
    MOST_PINS,
    CombatProfile,
    Duel,
    TargetProfile,
    bands_of,
    depth,
    duel,
    shelter,
)


def glance(view: View, board: Board) -> Exchange:
    """The exchanges of fire of a position."""
    down, spaces, sees = fallen_of(view.structures), board.spaces, board.sight.sees

    def exchange(unit: Unit, place: int, foe: Unit, moved: bool) -> tuple[float, float]:
        mine, its, there = unit.own, foe.own, foe.place
        reach, bands = _reach(unit.kind, unit.models, mine.spent)
        danger, their_bands = _reach(foe.kind, foe.models, its.spent)
        one, other = spaces[place], spaces[there]
        far = isqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2) - depth(board, place) - depth(board, there)
        if (far > reach and far > danger) or not sees(place, there, down):
            return NOTHING
        a = CombatProfile(unit.kind, unit.models, mine.spent, mine.pins, mine.quality)
        b = CombatProfile(foe.kind, foe.models, its.spent, its.pins, its.quality)
        band = far // BAND if far > 0 else 0
        dealt = taken = 0.0
        if far <= reach:
            dealt = _duel(a, b, its.full, its.order == DOWN, shelter(board, there), moved).loss[bands[band]]
        if far <= danger:
            taken = _duel(b, a, mine.full, False, shelter(board, place), False).loss[their_bands[band]]
        return dealt, taken

    return exchange


@memo(bound=8_192)
def _reach(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """How far so many of a type fire, and the bands of distances that they tell apart."""
    return armament(kind, models, spent).reach, bands_of(kind, models, spent)


@memo(bound=1 << 14)
def _duel(
    shooter: CombatProfile, target: CombatProfile, full: int, down: bool, shelter: int, moved: bool
) -> Duel:
    """The fire of a unit at another, which began with `full` men."""
    mark = TargetProfile(target.kind, target.models, full, target.quality, target.pins, 0, down)
    shooter = shooter._replace(pins=min(shooter.pins, MOST_PINS))
    return duel(shooter, mark, shelter, moved, EVERYBODY, USUAL.pin, USUAL.driven_out)
