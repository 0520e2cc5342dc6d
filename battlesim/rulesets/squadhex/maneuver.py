"""What it promises to move and to assault, and what a unit gives up that spends its action on another's fire.

Estimates for `features.py` and `replies.py`, which decide nothing. Read `value_of_move`, `value_of_assault` and `own_action`.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.rules.contract import Features, best_of, weigh
from battlesim.rulesets.squadhex import assault, estimates, move
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE

CLOSELY = 10
"""Places of a move that are looked at closely when actions are compared."""


def best_move(s: Appraisal, unit: Unit, action: str) -> Features:
    """The best place to end a move in, of the few that are nearest to what objectives make of places."""
    weights, ahead = s.weights, s.prospects
    drawn = [
        (weights.progress * ahead.progress(unit, place) + weights.hold * ahead.hold(unit, place), -place)
        for place in move.reach(s.state, s.board, unit, action)
    ]
    drawn.sort(reverse=True)
    return best_of([value_of_move(s, unit, -place, action) for _, place in drawn[:CLOSELY]], s.weights)


def value_of_move(s: Appraisal, unit: Unit, place: int, action: str) -> Features:
    """Ending a move in a place: fire from there, and opportunity fire on the way."""
    there = s.value_of_place(unit, place)
    dealt = s.best_shot(unit, place, True) if action == ADVANCE_FIRE else 0.0
    taken = 0.0
    if s.waiting and place != unit.place:
        taken = s.opportunity_fire(unit, place, action)
    if not dealt and not taken:
        return there
    return replace(there, dealt=dealt, taken=taken)


def value_of_assault(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """An assault: opportunity fire, the fight, what is won by standing there and what the enemy loses by being driven out."""
    found = estimates.assault(s.state, s.board, unit, foe)
    here, there = s.value_of_place(unit, unit.place), s.value_of_place(unit, foe.place)
    alone = len(s.state.at.get(foe.place, ())) == 1
    share = found.wins if alone else 0.0
    withdraws = max(0.0, found.wins - found.theirs.gone)
    driven = withdraws * (s.judgement.driven * estimates.worth(foe) + s.prices.points_on(foe))
    return Features(
        dealt=s.prices.figure[foe.id] * found.theirs.lost + driven,
        taken=s.prices.figure[unit.id] * found.mine.lost,
        exposure=share * there.exposure + (1 - share) * here.exposure,
        progress=share * there.progress + (1 - share) * here.progress,
        hold=share * there.hold + (1 - share) * here.hold,
        ready=share * there.ready + (1 - share) * here.ready,
    )


def assaults(s: Appraisal, unit: Unit) -> list[Features]:
    """An assault on each enemy that a unit can assault."""
    foes = assault.assaultable(s.state, s.board, unit)
    return [value_of_assault(s, unit, s.state.units[foe]) for foe in foes]


@owned_memo(bound=2_000)
def own_action(s: Appraisal, number: int) -> float:
    """What a unit's own action is worth to it at best, by its number: a shot, or what a move or an assault makes of its place."""
    unit = s.state.units[number]
    here = weigh(s.value_of_place(unit, unit.place), s.weights)
    acts = [best_move(s, unit, ADVANCE), best_move(s, unit, ADVANCE_FIRE), *assaults(s, unit)]
    return max(s.best_shot(unit, unit.place, False), *(weigh(act, s.weights) - here for act in acts))
