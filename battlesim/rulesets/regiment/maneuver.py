"""Estimates of moves: what ending one in a place is worth, and which places are worth a look.

For `features.py` and `contenders.py`; nothing here decides a rule. Read `end_of`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.evaluation.parameters import RATHER
from battlesim.rules.contract import Features, best_of, weigh
from battlesim.rulesets.regiment import enter, expected_melee, ground, move, rooms, targets
from battlesim.rulesets.regiment.appraisal import Appraisal
from battlesim.rulesets.regiment.model import type_of, unit_state

ROUNDING = 1e-6
"""Values that differ by less than this may be equal."""
MOVES = (move.ADVANCE, move.RUN, move.FLY)
"""The orders to move."""


def value_of_halt(s: Appraisal, unit: Unit) -> Features:
    """The value of an order to stay: a shot if it can, or the next round of the fight it is in."""
    stays = s.value_of_place(unit, unit.place, False, targets.can_shoot(s.state, unit))
    return fights_on(s, unit, stays) if unit_state(unit).foes else stays


def better_order(
    s: Appraisal, unit: Unit, order: str, stays: Features, wanted: float = -math.inf
) -> Features | None:
    """The best that an order can lead to, or None if it leads to nothing that weighs as much as is `wanted`. `stays`: the value
    of staying."""
    if order == move.HOLD:
        return stays
    if order not in MOVES:
        return _reformed(s, unit, stays, order)
    places = move.destinations(s.state, s.board, unit, order)
    if not places:
        return stays
    found = race(s, unit, places, order, wanted)
    best = best_of(found.values(), s.weights)
    return best if found and weigh(best, s.weights) >= wanted else None


def _reformed(s: Appraisal, unit: Unit, stays: Features, order: str) -> Features:
    """A wide formation shoots better, a deep one fights better; changing costs the turn."""
    shooter = type_of(unit).weapon and unit.models > unit_state(unit).files
    gain = (
        s.judgement.deploy
        if shooter and order == move.WIDE and not s.best_shot(unit, unit.place, True)
        else -s.judgement.deploy
    )
    return replace(stays, dealt=s.judgement.reformed * stays.dealt, ready=stays.ready + gain)


def race(
    s: Appraisal, unit: Unit, places: Sequence[int], order: str, wanted: float = -math.inf
) -> dict[int, Features]:
    """The features of every place that might be the best: a place is evaluated only while no other is certain to be better.
    `wanted`: what the best weighs at least, to be of interest."""
    w, shoots = s.weights, _shoots(s, unit, order)
    most = s.most_by_act(unit, shoots)
    bounds: list[tuple[float, int]] = []
    standing: dict[int, float] = {}
    for place in places:
        value = standing[place] = (
            math.inf if _is_special(s, unit, place) else s.value_of_standing(unit, place)
        )
        bounds.append((-(most + value), place))
    made: dict[int, Features] = {}
    best = wanted
    for bound, place in sorted(bounds):
        if -bound < best - ROUNDING:
            break
        # What the enemy may do there only lowers what a place is worth.
        if standing[place] + s.value_of_acts(unit, place, shoots) < best - ROUNDING:
            continue
        found = made[place] = end_of(s, unit, place, order)
        best = max(best, weigh(found, w))
    return made


def _shoots(s: Appraisal, unit: Unit, order: str) -> bool:
    """Whether a unit may shoot this turn after a move by an order."""
    return order in (move.ADVANCE, move.FLY) and targets.can_shoot(s.state, unit)


def _is_special(s: Appraisal, unit: Unit, place: int) -> bool:
    """Whether a place may be worth more than standing there: it has a friend to join, or an enemy next door."""
    friend = ground.holder(s.state, place)
    if friend is not None and friend.id != unit.id:
        return True
    room = rooms.room_at(s.board, place)
    return room is not None and any(
        (other := ground.holder(s.state, near)) is not None and other.side != unit.side
        for near in room.neighbours
    )


def end_of(s: Appraisal, unit: Unit, place: int, order: str) -> Features:
    """The value of ending a move in a place or joining the friend there; an enemy there is giving up the place (`follow_in`).
    Models that do not fit in a house are lost, and an enemy next door is attacked."""
    moved = place != unit.place
    shoots = _shoots(s, unit, order)
    # after a run a unit faces along its path; after other moves it may turn
    facing = -1
    if moved and order == move.RUN and s.minds_facing(unit, place):
        facing = move.facing_after_run(s.state, s.board, unit, place)
    found = s.value_of_place(unit, place, moved, shoots, facing)
    if moved:  # a unit with nothing to gain stays
        found = replace(found, waste=RATHER)
    friend = ground.holder(s.state, place)
    if friend is not None and friend.id != unit.id and friend.side == unit.side:
        return replace(found, nerve=s.judgement.joins, exposure=s.judgement.amid * found.exposure, hold=0.0)
    room = rooms.room_at(s.board, place)
    if room is None:
        return found
    kind = type_of(unit)
    over = enter.surplus(s.state, unit, room)
    found = replace(found, waste=found.waste + over * kind.worth / max(1, kind.models))
    foes = [
        foe
        for other in room.neighbours
        if (foe := ground.holder(s.state, other)) is not None and foe.side != unit.side
    ]
    if not foes:
        return found
    fought = s.melee(*expected_melee.charging(unit, place, foes))  # it does not shoot (RG-HOUSE-ROOMS)
    taken, dealt = s.value_of_melee(unit, foes, fought)
    won = summed(chance * s.at_stake(foe) for foe, chance in zip(foes, fought.wins, strict=True))
    hold = (1.0 - fought.loses) * found.hold
    return replace(found, dealt=summed(dealt) + won, taken=s.matters * taken, hold=hold)


def value_of_rest(s: Appraisal, unit: Unit, order: str) -> Features:
    """The value of staying in place after an order to move."""
    found = end_of(s, unit, unit.place, order)
    return fights_on(s, unit, found) if unit_state(unit).foes else found


def fights_on(s: Appraisal, unit: Unit, stays: Features) -> Features:
    """The value of staying for a unit that besieges a garrison: the next round of combat."""
    foes = [s.state.units[number] for number in ground.foes_of(unit)]
    fought = s.melee(unit, foes)
    taken, dealt = s.value_of_melee(unit, foes, fought)
    won = summed(chance * s.at_stake(foe) for foe, chance in zip(foes, fought.wins, strict=True))
    return replace(stays, dealt=summed(dealt) + won, taken=s.matters * taken)
