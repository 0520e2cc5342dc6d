"""A quick estimate of a volley, for players that use rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule.

Units in the way, the number of ranks that shoot and fleeing targets are ignored.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.distributions import mean
from battlesim.rules.contract import Volley
from battlesim.rulesets.regiment import casualties, expected, ground, quick_look, rooms
from battlesim.rulesets.regiment.combat_worth import cover, gap
from battlesim.rulesets.regiment.data import TYPES, WEAPONS
from battlesim.rulesets.regiment.tables import shot_need

RANKS = 3
"""The number of ranks a target is assumed to have."""


def glance(view: View, board: Board) -> Volley:
    """The volleys of a position."""
    ruins, indoors, turn = ground.open_ruins(board), rooms.rooms_of(board).by_place, view.turn
    sees = board.sight.sees

    def volley(unit: Unit, here: int, foe: Unit, moved: bool) -> float:
        there, name = foe.place, TYPES[unit.kind].weapon
        if not name or unit.own.silent >= turn:
            return 0.0
        weapon, far = WEAPONS[name], gap(board, here, there)
        if not weapon.minimum <= far <= weapon.range or (weapon.steady and moved):
            return 0.0
        if not weapon.blind and not sees(here, there, ruins):
            return 0.0
        left, full = casualties.wounds_left(foe), max(foe.own.full, 1)
        shots, hidden, long = (
            min(unit.models, unit.own.files),
            cover(board, here, there),
            2 * far > weapon.range,
        )
        return _loss(unit.kind, shots, long, moved, hidden, foe.kind, left, full, there in indoors)

    return volley


@memo(bound=1 << 14)
def _loss(
    kind: str,
    shots: int,
    far: bool,
    moved: bool,
    hidden: int,
    target: str,
    left: int,
    full: int,
    inside: bool,
) -> float:
    """Points that `shots` of a unit type cost a target with so many wounds `left`, which began with `full` models."""
    foe = TYPES[target]
    weapon = WEAPONS[TYPES[kind].weapon]
    if weapon.way == "shot":
        need = shot_need(TYPES[kind].bs, far, moved, hidden, foe.large)
        wounds = mean(expected.volley(shots, need, weapon.strength, target, left))
    else:
        models = max(1, left // foe.w)
        wounds = min(left, quick_look.engine_wounds(weapon.way, target, models, min(RANKS, models), inside))
    return foe.worth * wounds / (full * foe.w)
