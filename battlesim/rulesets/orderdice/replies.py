"""The features of answers about reactions, set-up, facing and strikes; `features.py` has the other questions.

Estimates only, from a view and a judgement. Read `REPLIES`; each question has its own function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.core.answers import Answer, Confirm, Face, MoveTo, TargetSpace, TargetUnit, UseOpening
from battlesim.core.geometry import in_arc
from battlesim.core.items import Ask, Item
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER
from battlesim.rules.contract import Features
from battlesim.rulesets.orderdice import (
    ambush,
    assault,
    collapse,
    estimates,
    guns,
    he,
    openings,
    react,
    reserves,
    shoot,
    strike_estimates,
    strikes,
    support,
    turn,
    vehicles,
)
from battlesim.rulesets.orderdice.appraisal import Appraisal
from battlesim.rulesets.orderdice.model import AMBUSH, DOWN, type_of, unit_state
from battlesim.rulesets.orderdice.quick_look import BAND, range_of, shelter


def value_go_down(s: Appraisal, ask: react.GoDown, answers: Sequence[Answer]) -> list[Features]:
    """Going Down weakens the blow but gives up the turn's action."""
    unit = s.state.units[ask.unit]
    here = s.value_of_place(unit, unit.place, shoots=True, moved=False)
    action = s.judgement.action * here.dealt + s.judgement.later * estimates.worth(unit)
    blow, softened = _blow_to_come(s, ask, unit, False), _blow_to_come(s, ask, unit, True)
    lying = s.lying(unit)
    more = s.judgement.more_fire
    return [
        Features(taken=softened, exposure=more * lying.exposure)
        if answer == Confirm(True)
        else Features(taken=blow, exposure=more * here.exposure, ready=action)
        for answer in answers
    ]


def _blow_to_come(s: Appraisal, ask: react.GoDown, unit: Unit, down: bool) -> float:
    """The cost of the blow that a unit is about to take, if it goes `down` or not: a shell that has hit, else a volley."""
    target = replace(unit, own=replace(unit_state(unit), order=DOWN)) if down else unit
    foe = s.state.units[ask.enemy]
    for item in reversed(s.state.stack[:-1]):
        if isinstance(item, shoot.Volley) and item.unit == ask.enemy and item.target == ask.unit:
            return s.value_of_fire(foe, target, item.moved, item.wall, item.used)
        he_class = _shell_of(item)
        if he_class:
            return s.value_of_toll(unit, strike_estimates.burst_on(s.state, s.board, target, he_class))
    return s.value_of_fire(foe, target, False)


def _shell_of(item: Item) -> int:
    """The class of the shell that an item of the stack is about to burst; else 0."""
    if isinstance(item, he.Burst):
        return item.he
    if isinstance(item, strikes.BarrageShell):
        return strikes.HOWITZER
    return strikes.BOMB if isinstance(item, strikes.Bombed) else 0


def value_interrupt(s: Appraisal, ask: ambush.Interrupt, answers: Sequence[Answer]) -> list[Features]:
    """Fire out of ambush now, or wait for a better chance."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.enemy]
    dealt = s.value_of_fire(unit, foe, False)
    waits = s.judgement.hold_fire * s.value_of_waiting(unit)
    return [Features(dealt=dealt) if a == Confirm(True) else Features(ready=waits) for a in answers]


def value_react_fire(s: Appraisal, ask: assault.ReactFire, answers: Sequence[Answer]) -> list[Features]:
    """Fire at a charging enemy: it may be the last chance."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.enemy]
    dealt = s.value_of_fire(unit, foe, False)
    return [
        Features(dealt=dealt + s.judgement.last_chance) if a == Confirm(True) else NOTHING for a in answers
    ]


def value_keep_order(s: Appraisal, ask: turn.KeepOrder, answers: Sequence[Answer]) -> list[Features]:
    """Keep an Ambush unless a shot or progress is worth more; a unit that is Down gets up."""
    unit = s.state.units[ask.unit]
    if unit.place < 0:
        return [NOTHING for _ in answers]
    here, j = s.value_of_place(unit, unit.place, shoots=True, moved=False), s.judgement
    if unit_state(unit).order == AMBUSH:
        keep, leave = j.keep * s.value_of_waiting(unit), here.dealt + j.leave * here.progress
    else:
        keep, leave = 0.0, j.get_up  # it may go Down again when shot at, and can act until then
    return [Features(ready=keep) if a == Confirm(True) else Features(ready=leave) for a in answers]


def value_take_place(s: Appraisal, ask: assault.TakePlace, answers: Sequence[Answer]) -> list[Features]:
    """Stand where the loser stood, or stay; if all else is equal, the better shelter wins."""
    unit = s.state.units[ask.unit]

    def standing(place: int) -> Features:
        found = s.value_of_place(unit, place, shoots=False, moved=True)
        return replace(found, ready=found.ready + RATHER * shelter(s.board, place))

    there, here = standing(ask.place), standing(unit.place)
    return [there if a == Confirm(True) else here for a in answers]


def value_regroup(s: Appraisal, ask: assault.Regroup, answers: Sequence[Answer]) -> list[Features]:
    """Where a unit stands after a close combat, by what the place is worth."""
    unit = s.state.units[ask.unit]
    return [
        s.value_of_place(unit, a.place if isinstance(a, MoveTo) else unit.place, shoots=False, moved=True)
        for a in answers
    ]


def value_where_put(s: Appraisal, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Questions that only ask where a unit is placed."""
    unit = s.state.units[ask.unit]
    return [
        s.value_of_place(unit, a.place, False, False) if isinstance(a, MoveTo) else NOTHING for a in answers
    ]


def value_made_opening(s: Appraisal, ask: openings.MadeOpening, answers: Sequence[Answer]) -> list[Features]:
    """A new opening lets fire out and in: it is worth making if it faces enough of the enemy."""
    unit = s.state.units[ask.unit]
    section = s.board.sections[s.board.spaces[unit.place].section]
    here = s.board.spaces[unit.place].point
    made: list[Features] = []
    for answer in answers:
        value = 0.0
        if isinstance(answer, UseOpening):
            for foe in s.foes:
                there = s.board.spaces[foe.place].point
                value += 1.0 if in_arc(here, section.sides[answer.opening].facing, there) else 0.0
            value = value / max(len(s.foes), 1) - s.judgement.hole
        made.append(Features(ready=value))
    return made


def value_which_opening(s: Appraisal, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Openings to deploy at, by the expected fire at enemies with a clear line through them."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if not isinstance(answer, UseOpening):
            made.append(NOTHING)
            continue
        views = 0.0
        for foe in s.foes:
            for line in s.board.sight.clear_lines(unit.place, foe.place, s.fallen):
                if line.from_opening == answer.opening:
                    views += s.chance(unit, foe, line.distance // BAND, False)
                    break
        made.append(Features(ready=views))
    return made


def value_face_where(s: Appraisal, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Face the enemies that the unit can hurt most, and those that can hurt it most."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    here = s.board.spaces[unit.place].point if unit.place >= 0 else (0, 0)
    for answer in answers:
        value = 0.0
        if isinstance(answer, Face) and unit.place >= 0:
            for number, foe in enumerate(s.foes):
                if not in_arc(here, answer.facing, s.board.spaces[foe.place].point):
                    continue
                band = range_of(s.board, unit.place, foe.place) // BAND
                value += (
                    s.judgement.facing * s.chance(unit, foe, band, False)
                    + s.threat(number, unit, band, 0)
                    + RATHER / (1 + band)
                )
        made.append(Features(ready=value))
    return made


def value_call_strike(s: Appraisal, ask: support.CallStrike, answers: Sequence[Answer]) -> list[Features]:
    """A strike by its effect on all units where they stand now. It arrives at the start of a later turn, so it counts less for
    units that move away and for the chance that the battle ends before."""
    unit = s.state.units[ask.unit]
    air = type_of(unit).strike == support.AIR
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, TargetUnit | TargetSpace):
            place = s.state.units[answer.unit].place if isinstance(answer, TargetUnit) else answer.place
            target = answer.unit if isinstance(answer, TargetUnit) else -1
            outcomes = (
                strike_estimates.air_strike(s.state, s.board, target, place)
                if air
                else strike_estimates.barrage(s.state, s.board, place)
            )
            value = summed(s.value_of_outcome(outcome, s.side) for outcome in outcomes)
            made.append(Features(dealt=s.judgement.strike * s.later * value))
        else:
            made.append(NOTHING)
    return made


REPLIES: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.KeepOrder: value_keep_order,
    react.GoDown: value_go_down,
    ambush.Interrupt: value_interrupt,
    assault.ReactFire: value_react_fire,
    assault.TakePlace: value_take_place,
    assault.Regroup: value_regroup,
    collapse.BailOut: value_where_put,
    reserves.ArriveAt: value_where_put,
    openings.DeployAt: value_which_opening,
    openings.MadeOpening: value_made_opening,
    guns.Redeploy: value_which_opening,
    vehicles.FaceWhere: value_face_where,
    support.CallStrike: value_call_strike,
}
