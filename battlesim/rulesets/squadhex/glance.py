"""What a volley comes to at a glance, for players by rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View
from battlesim.rules.contract import NOTHING, Exchange
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.estimates import TargetProfile, both_modes
from battlesim.rulesets.squadhex.fire import halvings, reaches
from battlesim.rulesets.squadhex.ground import covers
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.line_of_sight import lines_of_sight

DISRUPTED, PINNED = 0.3, 0.1
"""Shares of a unit that it costs to be disrupted or pinned."""


def glance(view: View, board: Board) -> Exchange:
    """The exchanges of fire of a position."""
    down = fallen_of(view.structures)
    between, sees, cover, spaces = hexes(board).between, lines_of_sight(board).sees, covers(board), board.spaces

    def volley(unit: Unit, times: int, foe: Unit, there: int, far: int) -> float:
        its, inside = foe.own, spaces[there].kind == "floor"
        mark = TargetProfile(foe.kind, foe.models, inside, cover[there], its.pinned, its.disrupted)
        return _loss(unit.kind, unit.models, times, mark, its.full, far)

    def exchange(unit: Unit, place: int, foe: Unit, moved: bool) -> tuple[float, float]:
        there = foe.place
        far = between(place, there)
        mine, its = max(reaches(unit.kind, unit.models)), max(reaches(foe.kind, foe.models))
        if (far > mine and far > its) or not sees(place, there, down):
            return NOTHING
        dealt = volley(unit, halvings(unit, moved), foe, there, far) if far <= mine else 0.0
        return dealt, volley(foe, halvings(foe), unit, place, far) if far <= its else 0.0

    return exchange


@memo(bound=1 << 15)
def _loss(kind: str, models: int, times: int, target: TargetProfile, full: int, far: int) -> float:
    """Points that the better way to fire takes of a target, by so many of a kind, their dice halved so many `times`."""
    lost, other = both_modes(kind, models, times, target, far)
    one = TYPES[target.kind].worth / max(full, 1)
    worse = DISRUPTED * other.disrupted + PINNED * other.pinned
    return max(one * lost, one * (other.lost + target.models * worse))
