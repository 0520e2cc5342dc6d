"""Estimates of moves and assaults, and of what a unit gives up when it spends its action supporting another's fire.

For `features.py` and `replies.py`; nothing here decides a rule. Read `value_of_move`, `value_of_assault` and `own_action`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import neg

from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.squadhex import assault, estimates, move
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.expected import UNHURT
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE

CLOSELY = 10
"""Places of a move that are examined in detail when actions are compared."""
ROUNDING = 1e-6
"""Values that differ by less than this may be equal."""
NOWHERE = Features()
"""A move that leads nowhere."""


def best_move(s: Appraisal, unit: Unit, action: str) -> Features:
    """The best place to end a move, among the few that score highest on objectives."""
    return better_move(s, unit, action, -inf)[0]


def better_move(s: Appraisal, unit: Unit, action: str, least: float) -> tuple[Features, float]:
    """`best_move` and what it is worth; `NOWHERE` and `least` if no move is worth more than that.

    Places are judged in the order of their score. The enemy's fire only lowers the worth of a place, so one that could not win
    even without it is passed over; but not if the best shot next round counts as well."""
    weights, places = s.weights, move.reach(s.state, s.board, unit, action)
    if not places:
        return NOWHERE, weigh(NOWHERE, weights)
    scores = s.prospects.drawn(unit, places, weights)
    drawn = sorted(zip(scores, map(neg, places), strict=True), reverse=True)
    best, most = NOWHERE, least
    for score, place in drawn[:CLOSELY]:
        dealt = s.best_shot(unit, -place, True) if action == ADVANCE_FIRE else 0.0
        highest = score + weights.dealt * dealt + ROUNDING if dealt else score
        if highest <= most and not s.looks_ahead:
            continue
        found = value_of_move(s, unit, -place, action)
        value = weigh(found, weights)
        if value > most:
            best, most = found, value
    return best, most


def top_moves(s: Appraisal, unit: Unit, places: Sequence[int], action: str, wanted: float) -> list[float]:
    """What ending a move in each of some places weighs, or -inf where it cannot be as much as in another, or as much as is
    `wanted`. Like `better_move`, but no place is left out because of its score."""
    weights, best = s.weights, wanted
    values = [-inf] * len(places)
    bounds = list[tuple[float, int]]()
    for number, score in enumerate(s.prospects.drawn(unit, places, weights)):
        dealt = s.best_shot(unit, places[number], True) if action == ADVANCE_FIRE else 0.0
        bounds.append((-(score + weights.dealt * dealt), number))
    for bound, number in sorted(bounds):
        if -bound < best - ROUNDING and not s.looks_ahead:
            break
        values[number] = weigh(value_of_move(s, unit, places[number], action), weights)
        best = max(best, values[number])
    return values


def value_of_move(s: Appraisal, unit: Unit, place: int, action: str) -> Features:
    """The value of ending a move in a place, including fire from there and opportunity fire on the way."""
    there = s.value_of_place(unit, place)
    dealt = s.best_shot(unit, place, True) if action == ADVANCE_FIRE else 0.0
    toll = UNHURT
    if s.waiting and place != unit.place:
        toll = s.opportunity_fire(unit, place, action)
    if not dealt and not toll.lost:
        return there
    # Who dies on the way neither arrives nor fires.
    lives = 1.0 - toll.gone
    return Features(
        dealt=lives * dealt,
        taken=s.value_of_toll(unit, toll),
        exposure=lives * there.exposure,
        progress=lives * there.progress,
        hold=lives * there.hold,
        ready=lives * there.ready,
    )


def value_of_assault(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """The value of an assault: opportunity fire, the fight, what standing there gains, and what the enemy loses by being driven
    out."""
    found = estimates.assault(s.state, s.board, unit, foe)
    here = s.value_of_place(unit, unit.place)
    alone = len(s.state.at.get(foe.place, ())) == 1
    share = found.wins if alone else 0.0
    stays = 1.0 - found.mine.gone - share
    withdraws = max(0.0, found.wins - found.theirs.gone)
    # Who takes the place of a dead enemy need not fear him there.
    beaten = 1.0 - withdraws / found.wins if found.wins else 0.0
    leaves = s.prospects.leaving(unit, foe.place) > 0.0
    there = (
        s.value_of_place(unit, foe.place) if leaves else s.value_of_staying(unit, foe.place, foe.id, beaten)
    )
    driven = withdraws * (s.judgement.driven * estimates.worth(foe) + s.prices.points_on(foe))
    return Features(
        dealt=s.prices.figure[foe.id] * found.theirs.lost + driven,
        taken=s.prices.figure[unit.id] * found.mine.lost,
        exposure=share * there.exposure + stays * here.exposure,
        progress=share * there.progress + stays * here.progress,
        hold=share * there.hold + stays * here.hold,
        ready=share * there.ready + stays * here.ready,
    )


def assaults(s: Appraisal, unit: Unit) -> list[Features]:
    """The value of an assault on each enemy that a unit can assault."""
    foes = assault.assaultable(s.state, s.board, unit)
    return [value_of_assault(s, unit, s.state.units[foe]) for foe in foes]


@owned_memo(bound=2_000)
def own_action(s: Appraisal, number: int) -> float:
    """The value of a unit's best action of its own, by its number: a shot, or what a move or an assault adds to the value of its
    place."""
    unit = s.state.units[number]
    here = weigh(s.value_of_place(unit, unit.place), s.weights)
    most = s.best_shot(unit, unit.place, False)
    for action in (ADVANCE, ADVANCE_FIRE):
        most = max(most, better_move(s, unit, action, most + here - ROUNDING)[1] - here)
    return max([most, *(weigh(act, s.weights) - here for act in assaults(s, unit))])
