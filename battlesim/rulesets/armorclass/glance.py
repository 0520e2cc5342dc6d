"""A quick estimate of a volley, for players by rules of thumb (contract: `Ruleset.glance`). Nothing here decides a rule.

The numbers are those of `quick_look.py`. Lines through single openings are left out.
"""

from __future__ import annotations

from math import isqrt

from battlesim.board.board import Board
from battlesim.core.state import Unit, fallen_of
from battlesim.core.view import View, known_state
from battlesim.rules.contract import Volley
from battlesim.rulesets.armorclass import concealment, fire, quick_look, shoot, works
from battlesim.rulesets.armorclass.judgement import USUAL
from battlesim.rulesets.armorclass.volleys import firer_of


def glance(view: View, board: Board) -> Volley:
    """The function that estimates volleys in a position."""
    state, spaces = known_state(view), board.spaces
    down, turn, sees = fallen_of(view.structures), view.turn, board.sight.sees

    def volley(unit: Unit, place: int, foe: Unit, moved: bool) -> float:
        armour, there = works.armour_of(board, foe), foe.place
        one, other = spaces[place], spaces[there]
        far = isqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2)
        if far > fire.harms_at(unit, armour) or not sees(place, there, down):
            return 0.0
        return quick_look.volley_loss(
            quick_look.profile_of(unit, 0).shooter,
            quick_look.profile_of(foe, armour).target,
            armour,
            fire.as_far(firer_of(unit), far),
            min(concealment.place_level(state, board, there, foe), concealment.MORE),
            not moved,
            False,
            0 < turn <= unit.own.suppressed,
            shoot.room_of(board, there),
            USUAL.shaken,
        )

    return volley
