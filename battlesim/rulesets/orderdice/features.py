"""The features of each answer (contract: `Features`), question by question, from a view and a judgement alone.

Estimates come from `estimates.py` and `appraisal.py`; nothing here decides a rule. Read `features`. Each question has its own
function, named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeVar

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Order, Pass, Pick, TargetSpace, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER, weights_of
from battlesim.rules.contract import Features, best_of, mix, weigh
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.orderdice import (
    collapse,
    contact,
    empty_buildings,
    estimates,
    expected,
    fire,
    ground,
    morale,
    move,
    replies,
    shoot,
    support,
    tankfight,
    tanks,
    targets,
    transports,
    turn,
)
from battlesim.rulesets.orderdice.appraisal import Appraisal
from battlesim.rulesets.orderdice.expected import Toll
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import (
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    RALLY,
    RUN,
    BattleState,
    UnitState,
    type_of,
    unit_state,
)

Found = TypeVar("Found")

MOST_AIMED = 4
"""Targets judged in detail (the best by a quick estimate) when fire is compared with other orders."""
MOST_UNITS = 16
"""Units judged when one of many is chosen to act."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, order=DOWN if record.order == DOWN else "", moved=False)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, bag=now.bag) == now


@memo(bound=8)
def positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions judged with one judgement."""

    weights = weights_of(judgement)

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement, weights)

    return ViewCache(appraisal, _ignoring, _same_extra)


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units with a good shot and units in danger act first. Of more than MOST_UNITS units only an even sample is judged, since
    all of them act sooner or later. The others get features of zero."""
    made: list[Features] = []
    many = len(answers)
    looked_at = (
        set(range(many)) if many <= MOST_UNITS else {i * many // MOST_UNITS for i in range(MOST_UNITS)}
    )
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number not in looked_at:
            made.append(NOTHING)
            continue
        unit = s.state.units[answer.unit]
        if unit.place < 0:
            made.append(Features(ready=1.0))
            continue
        here = s.value_of_place(unit, unit.place, shoots=True, moved=False)
        made.append(
            Features(
                dealt=here.dealt,
                ready=s.judgement.urgency * here.exposure + s.judgement.eager * here.progress,
            )
        )
    return made


def value_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best answer it leads to, mixed with going Down by the chance that a pinned unit fails its test."""
    unit = s.state.units[ask.unit]
    if unit.place < 0:
        return [Features(progress=1.0 if a == Order(ADVANCE) else 0.0) for a in answers]
    down = s.lying(unit)
    made: list[Features] = []
    for name, share in obeyed(s, unit, answers):
        found = value_of_order(s, unit, name, down)
        made.append(found if share >= 1.0 else mix(found, share, down))
    return made


def obeyed(s: Appraisal, unit: Unit, answers: Sequence[Answer]) -> list[tuple[str, float]]:
    """The name of each order, and the chance that a unit obeys it: 1 for going Down, which it also does if it fails its test."""
    mine = unit_state(unit)
    bonus = morale.officer_bonus(s.state, s.board, unit) if mine.pins else 0
    passes = expected.obeys(mine.quality, mine.pins, bonus)
    made: list[tuple[str, float]] = []
    for answer in answers:
        assert isinstance(answer, Order)
        share = expected.obeys(mine.quality, 0, bonus) if answer.name == RALLY and mine.pins else passes
        made.append((answer.name, 1.0 if answer.name == DOWN else share))
    return made


def value_of_order(s: Appraisal, unit: Unit, order: str, down: Features) -> Features:
    """An order by the best that it leads to."""
    return better_order(s, unit, order, down, -inf) or NOTHING


def better_order(s: Appraisal, unit: Unit, order: str, down: Features, wanted: float) -> Features | None:
    """An order by the best that it leads to; None if that cannot weigh more than `wanted`."""
    if order == FIRE:
        return value_of_firing(s, unit)
    if order == ADVANCE:
        # Staying in place to shoot belongs to Fire.
        places = move.destinations(s.state, s.board, unit, ADVANCE)
        if places:
            return s.better_place(unit, places, True, wanted)
        here = value_of_staying(s, unit)
        return here if weigh(here, s.weights) > wanted else None
    if order == RUN:
        # Staying in place without shooting belongs to Ambush and Down.
        places = move.destinations(s.state, s.board, unit, RUN) or [unit.place]
        there = s.better_place(unit, places, False, wanted)
        found = [] if there is None else [there]
        foes = s.state.units
        if ground.on_foot(unit):
            found += [value_of_charge(s, unit, foes[t]) for t in contact.targets(s.state, s.board, unit)]
        elif type_of(unit).vehicle:
            found += [value_of_charge(s, unit, foes[t]) for t in tankfight.targets(s.state, s.board, unit)]
            found += [value_of_driving_in(s, unit, place) for place in tanks.targets(s.state, s.board, unit)]
        best = best_of(found, s.weights)
        return best if found and weigh(best, s.weights) > wanted else None
    if order == AMBUSH:
        here = s.value_of_place(unit, unit.place, shoots=False, moved=False)
        return replace(here, ready=s.value_of_waiting(unit))
    if order == RALLY:
        here = s.value_of_place(unit, unit.place, shoots=False, moved=False)
        lost = min(unit_state(unit).pins, 1 + 3.5)
        return replace(here, nerve=lost * 2 * s.judgement.pin * estimates.worth(unit))
    return down


def value_of_firing(s: Appraisal, unit: Unit) -> Features:
    """Fire at the best target from each wall in turn, or the best strike."""
    here = s.value_of_place(unit, unit.place, shoots=False, moved=False)
    dealt = best_fire(s, unit, False, fire.walls_of(s.board, unit)[0], ())
    if type_of(unit).strike and not unit_state(unit).called:
        ask = support.CallStrike(unit.id, side=unit.side)
        found = replies.value_call_strike(s, ask, list(support.calls(s.state, s.board, unit)))
        dealt = max([dealt, *(f.dealt for f in found)])
    return replace(here, dealt=dealt)


def best_fire(s: Appraisal, unit: Unit, moved: bool, first: int, used: tuple[int, ...]) -> float:
    """The worth of fire at the best target from each wall, from wall `first` on, with the weapons not yet used."""
    total = 0.0
    ours = [wall for wall in fire.walls_of(s.board, unit) if wall >= first]
    bearing = list(targets.bearing_on(s.state, s.board, unit, s.foes, moved, used)) if ours else []
    for wall in ours:
        best, chosen = 0.0, None
        foes = [foe for foe, walls in bearing if wall in walls]
        if len(foes) > MOST_AIMED:
            foes.sort(key=lambda foe: -s.at_a_glance(unit, foe, moved))
        for foe in foes[:MOST_AIMED]:
            value = s.value_of_shot(unit, foe, moved, wall, used)
            if value > best:
                best, chosen = value, foe
        for place in (
            empty_buildings.targets(s.state, s.board, unit, moved, wall, used) if s.stakes.razes else ()
        ):
            best = max(best, s.value_at_house(unit, place, moved, wall, used))
        total += best
        if chosen is not None:
            before, used = used, s.slots_after(unit, chosen, moved, wall, used)
            if used != before and wall != ours[-1]:
                bearing = list(targets.bearing_on(s.state, s.board, unit, s.foes, moved, used))
    return total


def value_of_move(s: Appraisal, unit: Unit, place: int, order: str) -> Features:
    """Ending a move in a place: an Advance shoots from there, a Run does not."""
    return s.value_of_arrival(unit, place, shoots=order == ADVANCE)


def value_of_staying(s: Appraisal, unit: Unit) -> Features:
    """An Advance without a move: it still shoots as if it had moved, so that Fire is better."""
    here = s.value_of_place(unit, unit.place, shoots=False, moved=True)
    dealt = best_fire(s, unit, True, fire.walls_of(s.board, unit)[0], ())
    return replace(here, dealt=dealt, waste=RATHER)


def value_of_charge(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """An assault, a ram or an overrun: reaction fire on the way, the fight, and the worth of standing there afterwards."""
    here = s.value_of_place(unit, unit.place, shoots=False, moved=True)
    route = contact.charge(s.state, s.board, unit, foe)
    if route is None:
        return here
    if type_of(unit).vehicle or type_of(foe).vehicle:
        found = estimates.tank_fight(s.state, s.board, unit, foe, route)
        after = mix(here, 1.0 - found.mine.gone, NOTHING)
    else:
        found = estimates.assault_on(s.state, s.board, unit, foe, route)
        # The winner stands where the enemy stood. The loser is destroyed and holds nothing.
        there = s.value_of_place(unit, foe.place, shoots=False, moved=True)
        # A lost unit forfeits only a share of its nearness to objectives: its own worth covers the rest.
        rest = Features(progress=(1.0 - s.judgement.forfeit) * here.progress)
        after = mix(there, found.wins, rest)
    lost = estimates.worth_lost(unit, found.mine)
    named = found.mine.gone * estimates.worth(unit) * s.judgement.named * (s.stakes.importance[unit.id] - 1.0)
    return replace(after, dealt=s.value_of_toll(foe, found.theirs), risk=lost + named)


def value_of_driving_in(s: Appraisal, unit: Unit, place: int) -> Features:
    """A tank drives into a house: all units inside are lost if it falls."""
    section = s.board.spaces[place].section
    here = s.value_of_place(unit, unit.place, shoots=False, moved=True)
    found = estimates.drive_in(s.state, s.board, unit, place)
    gained = s.stakes.razed(section)
    for other in collapse.occupants(s.state, s.board, section):
        value = s.value_of_toll(other, Toll(lost=other.models))
        gained += value if other.side != s.side else -value
    return replace(
        here, dealt=found.falls * gained, risk=s.value_of_toll(unit, found.mine), waste=s.judgement.ram
    )


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Places by `value_of_move`, enemies by `value_of_charge`. A passenger counts as standing where its transport is."""
    unit = transports.standing(s.state, s.state.units[ask.unit])
    return [value_of_end(s, unit, ask.order, answer) for answer in answers]


def value_of_end(s: Appraisal, unit: Unit, order: str, answer: Answer) -> Features:
    """The worth of one end of a move."""
    if isinstance(answer, MoveTo):
        return value_of_move(s, unit, answer.place, order)
    if isinstance(answer, TargetUnit):
        other = s.state.units[answer.unit]
        return value_of_charge(s, unit, other) if other.side != unit.side else NOTHING
    if isinstance(answer, TargetSpace):
        return value_of_driving_in(s, unit, answer.place)
    if unit_state(unit).aboard >= 0:
        return NOTHING
    if order == ADVANCE:
        return value_of_staying(s, unit)
    return value_of_move(s, unit, unit.place, order)


def value_at_whom(s: Appraisal, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Each target by the worth of fire at it, plus what the weapons left can do from later walls. An empty building counts by the
    worth of its fall."""
    unit, units = s.state.units[ask.unit], s.state.units
    values = [
        s.value_of_shot(unit, units[answer.unit], ask.moved, ask.wall, ask.used) + RATHER
        if isinstance(answer, TargetUnit)
        else s.value_at_house(unit, answer.place, ask.moved, ask.wall, ask.used)
        if isinstance(answer, TargetSpace)
        else 0.0
        for answer in answers
    ]
    rest = saved = 0.0
    if ask.wall >= 0:
        # The weapons left after the best shot stand for those left after any shot.
        saved = best_fire(s, unit, ask.moved, ask.wall + 1, ask.used)
        first = answers[values.index(max(values))]
        if saved and isinstance(first, TargetUnit):
            used = s.slots_after(unit, units[first.unit], ask.moved, ask.wall, ask.used)
            rest = best_fire(s, unit, ask.moved, ask.wall + 1, used)
    return [
        Features(
            dealt=value + (saved if isinstance(answer, Pass) else rest),
            waste=s.judgement.vacant if isinstance(answer, TargetSpace) else 0.0,
        )
        for answer, value in zip(answers, values, strict=True)
    ]


WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.WhichUnit: value_which_unit,
    turn.WhichOrder: value_which_order,
    move.WhereTo: value_where_to,
    shoot.AtWhom: value_at_whom,
    **replies.REPLIES,
}
