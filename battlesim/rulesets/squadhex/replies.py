"""What fire of every kind promises: at squads and buildings, together, from afar, held back for later.

Estimates for `features.py`, which decide nothing. Read `together` and `bombard_value`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.core.answers import Answer, Confirm, Order, Pick, TargetSpace, TargetUnit
from battlesim.core.state import Unit, fallen
from battlesim.rules.contract import SENSIBLE, Features, weigh
from battlesim.rulesets.squadhex import area, attack, concentrate, declare, estimates, react
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.fire import WITHIN, class_of, defence, firepower, halved, need
from battlesim.rulesets.squadhex.model import (
    ADVANCE_FIRE,
    CONCENTRATED,
    NORMAL,
    SUPPRESSIVE,
    battle_state,
    type_of,
    unit_state,
)
from battlesim.rulesets.squadhex.targets import occupants, supporters

NOTHING = Features()
MODES = (NORMAL, SUPPRESSIVE)
LENT = 0.75
"""Share of a supporter's own fire that a concentrated fire costs."""
WAITED = 0.9
"""Share of what an enemy in sight would suffer that waiting for it to move is worth."""


def waiting_value(s: Appraisal, unit: Unit) -> float:
    """What it is worth to wait for an enemy to move: the best target that still can, as it would be in the open."""
    best = 0.0
    for foe in s.foes:
        mine = unit_state(foe)
        if mine.disrupted or mine.pinned:
            continue
        distance = s.grid.between(unit.place, foe.place)
        against = class_of(foe)
        wanted = need(max(1, distance - 1), type_of(unit).ranges[against])
        dice = firepower(unit.kind, unit.models, against)
        if wanted > 6 or not dice:
            continue
        value = estimates.fire_value(foe, NORMAL, dice, wanted, 1 + type_of(foe).armour)
        best = max(best, value * (WAITED if mine.fresh else 0.1 * WAITED))
    return best


# ---- fire


def value_at_building(s: Appraisal, unit: Unit, section: int, moved: bool) -> float:
    dice, wanted = s.building_dice(unit, section, moved)
    return s.value_at_building(section, dice, wanted)


def dice_added(s: Appraisal, unit: Unit, target: int, section: int) -> int:
    """Dice that a supporter adds."""
    if section >= 0:
        return halved(s.building_dice(unit, section, False)[0], 1)
    foe = s.state.units[target]
    return halved(s.dice(unit, unit.place, foe, foe.place, False)[0], 1)


def value_of_concentration(
    s: Appraisal, unit: Unit, target: int, section: int, chosen: Sequence[int]
) -> Features:
    """A concentrated fire with some supporters: what it deals, and their own fire as waste."""
    helpers = [s.state.units[one] for one in chosen]
    more = sum(dice_added(s, helper, target, section) for helper in helpers)
    waste = LENT * sum(s.best_here(helper) for helper in helpers)
    if section >= 0:
        dice, wanted = s.building_dice(unit, section, False)
        return Features(dealt=s.value_at_building(section, dice + more, wanted), waste=waste)
    foe = s.state.units[target]
    dealt = s.best_loss(unit, unit.place, foe, False, more)
    return Features(dealt=dealt, waste=waste)


def best_concentration(s: Appraisal, unit: Unit, target: int, section: int) -> Features:
    """The best of a concentrated fire at one target: supporters are taken in while they bring more than they cost."""
    left = supporters(s.state, s.board, unit, target, section)
    best = NOTHING
    chosen: list[int] = []
    for one in sorted(left, key=lambda n: (s.best_here(s.state.units[n]), n)):
        found = value_of_concentration(s, unit, target, section, [*chosen, one])
        if not chosen or weigh(found, SENSIBLE) > weigh(best, SENSIBLE):
            best = found
            chosen.append(one)
    return best


def value_at_whom(s: Appraisal, ask: declare.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Squads by the better mode, buildings by the chance that they fall on somebody."""
    unit = s.state.units[ask.unit]
    moved = ask.action == ADVANCE_FIRE
    made = []
    for answer in answers:
        if isinstance(answer, TargetUnit):
            if ask.action == CONCENTRATED:
                made.append(best_concentration(s, unit, answer.unit, -1))
            else:
                foe = s.state.units[answer.unit]
                made.append(Features(dealt=0.01 + s.best_loss(unit, unit.place, foe, moved)))
        elif isinstance(answer, TargetSpace):
            section = s.board.spaces[answer.place].section
            if ask.action == CONCENTRATED:
                made.append(best_concentration(s, unit, -1, section))
            else:
                made.append(Features(dealt=value_at_building(s, unit, section, moved)))
        else:
            made.append(NOTHING)
    return made


def value_who_supports(
    s: Appraisal, ask: concentrate.WhoSupports, answers: Sequence[Answer]
) -> list[Features]:
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
    unit, foe = s.state.units[ask.unit], s.state.units[ask.target]
    more = sum(dice_added(s, s.state.units[one], ask.target, -1) for one in ask.supporters)
    moved = ask.action == ADVANCE_FIRE
    return [
        Features(dealt=s.loss(unit, unit.place, foe, answer.name, moved, more))
        if isinstance(answer, Order)
        else NOTHING
        for answer in answers
    ]


def value_interrupt(s: Appraisal, ask: react.Interrupt, answers: Sequence[Answer]) -> list[Features]:
    """Firing now against a better chance later."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.mover]
    now = s.best_loss(unit, unit.place, foe, False)
    later = 0.5 * waiting_value(s, unit)
    return [Features(dealt=now) if answer == Confirm(True) else Features(ready=later) for answer in answers]


# ---- area attacks


def bombard_value(s: Appraisal, unit: Unit, place: int, mode: str) -> float:
    """Expected worth of an area attack on a hex, friends counted against it; a third of it strays."""
    state, board = s.state, s.board
    dice = area.area_dice(unit, mode)
    space = board.spaces[place]
    value = 0.0
    if space.kind == "floor":
        section = space.section
        top = board.sections[section].spaces[-1]
        hit = [one for one in occupants(state, board, section) if one.place == top]
        if mode == NORMAL and section in battle_state(state).destructible and section not in fallen(state):
            value += s.value_at_building(section, dice, WITHIN)
    else:
        hit = [state.units[one] for one in state.at.get(place, ())]
    for one in hit:
        loss = s.importance(one) * estimates.fire_value(one, mode, dice, WITHIN, defence(state, board, one))
        value += loss if one.side != s.side else -loss
    return 0.7 * value


def value_which_hex(s: Appraisal, ask: area.WhichHex, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        Features(dealt=max(bombard_value(s, unit, answer.place, mode) for mode in MODES))
        if isinstance(answer, TargetSpace)
        else NOTHING
        for answer in answers
    ]


def value_how_bombarded(s: Appraisal, ask: area.HowBombarded, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        Features(dealt=bombard_value(s, unit, ask.place, answer.name))
        if isinstance(answer, Order)
        else NOTHING
        for answer in answers
    ]
