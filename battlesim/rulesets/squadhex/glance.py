"""A quick estimate of a volley, for players that use rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View
from battlesim.rules.contract import Volley
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.estimates import TargetProfile, both_modes, target_profile
from battlesim.rulesets.squadhex.fire import halvings, reaches
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.line_of_sight import lines_of_sight
from battlesim.rulesets.squadhex.model import ADVANCE_FIRE

DISRUPTED, PINNED = 0.3, 0.1
"""The shares of a unit's worth that being disrupted or pinned costs."""


def glance(view: View, board: Board) -> Volley:
    """The volleys of a position. A unit that advances and fires uses half its dice, even if it stays where it is."""
    ask = view.ask if view.stack else None
    advancing = getattr(ask, "unit", -1) if getattr(ask, "action", "") == ADVANCE_FIRE else -1
    down, between, sees = fallen_of(view.structures), hexes(board).between, lines_of_sight(board).sees

    def volley(unit: Unit, place: int, foe: Unit, moved: bool) -> float:
        there = foe.place
        far = between(place, there)
        if far > max(reaches(unit.kind, unit.models)) or not sees(place, there, down):
            return 0.0
        times = halvings(unit, moved or unit.id == advancing)
        return _loss(unit.kind, unit.models, times, target_profile(board, foe), foe.own.full, far)

    return volley


@memo(bound=1 << 15)
def _loss(kind: str, models: int, times: int, target: TargetProfile, full: int, far: int) -> float:
    """Points that the better mode of fire costs a target; the attackers' dice are halved so many `times`."""
    lost, other = both_modes(kind, models, times, target, far)
    one = TYPES[target.kind].worth / max(full, 1)
    worse = DISRUPTED * other.disrupted + PINNED * other.pinned
    return max(one * lost, one * (other.lost + target.models * worse))
