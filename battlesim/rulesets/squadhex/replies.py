"""Estimates of every kind of fire: at units and buildings, concentrated, by area attack, or held back for later.

For `features.py`; nothing here decides a rule. Read `best_concentration` and `value_at_whom`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.core.answers import Answer, Confirm, Order, Pick, TargetSpace, TargetUnit
from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.squadhex import area, attack, concentrate, declare, expected, react
from battlesim.rulesets.squadhex.appraisal import MODES, Appraisal
from battlesim.rulesets.squadhex.fire import class_of, firepower, need
from battlesim.rulesets.squadhex.maneuver import own_action
from battlesim.rulesets.squadhex.model import ADVANCE_FIRE, CONCENTRATED, type_of, unit_state
from battlesim.rulesets.squadhex.targets import adds, helpers

SOME_COVER = 1
"""Cover dice that a moving unit is assumed to have, on average."""


def value_of_waiting(s: Appraisal, unit: Unit) -> float:
    """What waiting for an enemy to move is worth: the best target among those still able to move, taken one hex nearer than
    now."""
    best = 0.0
    for foe in s.foes:
        mine = unit_state(foe)
        if not mine.fresh or mine.disrupted or mine.pinned:
            continue
        distance = s.grid.between(unit.place, foe.place)
        against = class_of(foe)
        wanted = need(max(1, distance - 1), type_of(unit).ranges[against])
        dice = firepower(unit.kind, unit.models, against)
        if wanted > 6 or not dice:
            continue
        toll = expected.fired_on(dice, wanted, SOME_COVER + type_of(foe).armour, foe.models)
        best = max(best, s.value_of_toll(foe, toll))
    return s.judgement.waited * best


# ---- fire


def value_of_concentration(
    s: Appraisal, unit: Unit, target: int, section: int, chosen: Sequence[int]
) -> Features:
    """Concentrated fire with some supporters: the damage it deals, and as waste the best actions the supporters give up."""
    waste = s.judgement.lent * summed(own_action(s, one) for one in chosen)
    if section >= 0:
        return Features(dealt=s.value_at_building(unit, section, False, tuple(chosen)), waste=waste)
    return Features(dealt=s.best_fire(unit, s.state.units[target], False, tuple(chosen)), waste=waste)


def best_concentration(
    s: Appraisal, unit: Unit, target: int, section: int, friends: Sequence[Unit]
) -> Features:
    """The best concentrated fire at one target. Of the unit's `helpers` (`friends`), those who can support it join while they
    add more than they cost, those with the least else to do first."""
    return _best_concentration(s, unit.id, target, section, tuple([friend.id for friend in friends]))


@owned_memo(bound=2_000)
def _best_concentration(
    s: Appraisal, number: int, target: int, section: int, friends: tuple[int, ...]
) -> Features:
    """`best_concentration` of units by their numbers."""
    units = s.state.units
    unit = units[number]
    left = [
        one
        for one in friends
        if (adds(s.state, s.board, units[one], -1, section) if section >= 0 else target in s.in_range[one])
    ]
    best = NOTHING
    chosen: list[int] = []
    for one in sorted(left, key=lambda n: (own_action(s, n), n)):
        found = value_of_concentration(s, unit, target, section, [*chosen, one])
        if not chosen or weigh(found, s.weights) > weigh(best, s.weights):
            best = found
            chosen.append(one)
    return best


def value_at_whom(s: Appraisal, ask: declare.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Units by the better mode, buildings by what their fall is worth."""
    unit = s.state.units[ask.unit]
    moved = ask.action == ADVANCE_FIRE
    friends = helpers(s.state, unit) if ask.action == CONCENTRATED else []
    made = []
    for answer in answers:
        if isinstance(answer, TargetUnit):
            if ask.action == CONCENTRATED:
                made.append(best_concentration(s, unit, answer.unit, -1, friends))
            else:
                made.append(Features(dealt=RATHER + s.best_fire(unit, s.state.units[answer.unit], moved)))
        elif isinstance(answer, TargetSpace):
            section = s.board.spaces[answer.place].section
            if ask.action == CONCENTRATED:
                made.append(best_concentration(s, unit, -1, section, friends))
            else:
                made.append(Features(dealt=s.value_at_building(unit, section, moved)))
        else:
            # A unit holds its fire rather than shoot at a house for nothing, such as the one that it is in.
            made.append(Features(dealt=RATHER / 2))
    return made


def value_who_supports(
    s: Appraisal, ask: concentrate.WhoSupports, answers: Sequence[Answer]
) -> list[Features]:
    """Each supporter by what the attack is worth with it and those chosen before."""
    unit = s.state.units[ask.unit]
    return [
        value_of_concentration(
            s,
            unit,
            ask.target,
            ask.section,
            [*ask.chosen, answer.unit] if isinstance(answer, Pick) else ask.chosen,
        )
        for answer in answers
    ]


def value_how_fired(s: Appraisal, ask: attack.HowFired, answers: Sequence[Answer]) -> list[Features]:
    """Normal or suppressive fire, by what each is expected to do to the target."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.target]
    moved = ask.action == ADVANCE_FIRE
    return [
        Features(dealt=s.value_of_fire(unit, foe, answer.name, moved, ask.supporters))
        if isinstance(answer, Order)
        else NOTHING
        for answer in answers
    ]


def value_interrupt(s: Appraisal, ask: react.Interrupt, answers: Sequence[Answer]) -> list[Features]:
    """Compares firing now with a better chance later."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.mover]
    now = s.best_fire(unit, foe, False)
    later = s.judgement.later * value_of_waiting(s, unit)
    return [Features(dealt=now) if answer == Confirm(True) else Features(ready=later) for answer in answers]


# ---- area attacks


def value_which_hex(s: Appraisal, ask: area.WhichHex, answers: Sequence[Answer]) -> list[Features]:
    """Each hex by the better mode of bombarding it."""
    unit = s.state.units[ask.unit]
    return [
        Features(dealt=max(s.value_of_bombardment(unit, answer.place, mode) for mode in MODES))
        if isinstance(answer, TargetSpace)
        else NOTHING
        for answer in answers
    ]


def value_how_bombarded(s: Appraisal, ask: area.HowBombarded, answers: Sequence[Answer]) -> list[Features]:
    """Each mode by what the bombardment of this hex is worth."""
    unit = s.state.units[ask.unit]
    return [
        Features(dealt=s.value_of_bombardment(unit, ask.place, answer.name))
        if isinstance(answer, Order)
        else NOTHING
        for answer in answers
    ]
