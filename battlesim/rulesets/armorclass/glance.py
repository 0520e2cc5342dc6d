"""What a volley comes to at a glance, for players by rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule.

The numbers are those of `quick_look.py`. Lines through single openings are left out.
"""

from __future__ import annotations

from math import isqrt

from battlesim.board.board import Board
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View, known_state
from battlesim.rules.contract import NOTHING, Exchange
from battlesim.rulesets.armorclass import concealment, quick_look, shoot, works
from battlesim.rulesets.armorclass.judgement import USUAL


def glance(view: View, board: Board) -> Exchange:
    """The exchanges of fire of a position."""
    state, spaces = known_state(view), board.spaces
    down, turn = fallen_of(view.structures), view.turn
    sees = board.sight.sees

    def volley(unit: Unit, foe: Unit, there: int, armour: int, far: int, moved: bool) -> float:
        level = min(concealment.place_level(state, board, there, foe), concealment.MORE)
        return quick_look.volley_loss(
            quick_look.profile_of(unit, 0).shooter,
            quick_look.profile_of(foe, armour).target,
            armour,
            far // quick_look.BAND,
            level,
            not moved,
            False,
            0 < turn <= unit.own.suppressed,
            shoot.room_of(board, there),
            USUAL.shaken,
        )

    def exchange(unit: Unit, place: int, foe: Unit, moved: bool) -> tuple[float, float]:
        there = foe.place
        mine, its = works.armour_of(board, unit), works.armour_of(board, foe)
        one, other = spaces[place], spaces[there]
        far = isqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2)
        hurts, hurt = far <= quick_look.hurts_at(unit, its), far <= quick_look.hurts_at(foe, mine)
        if not (hurts or hurt) or not sees(place, there, down):
            return NOTHING
        dealt = volley(unit, foe, there, its, far, moved) if hurts else 0.0
        return dealt, volley(foe, unit, place, mine, far, True) if hurt else 0.0

    return exchange
