"""The features of each answer (contract: `Features`), question by question, from a view and a judgement alone.

Estimates come from `estimates.py` and `appraisal.py`; nothing here decides a rule. Read `features`. Each question has its own
function, `value_` and its name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Any, TypeVar

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, MoveTo, Order, Pass, Pick, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.memo import memo, owned_memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER, weights_of
from battlesim.rules.contract import Features, best_of, mix
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.armorclass import (
    deployment,
    estimates,
    ground,
    move,
    shoot,
    targets,
    turn,
)
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.features_move import best_move, better_move, end_of, through_fire
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.model import (
    FIRE,
    STAND,
    BattleState,
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    UnitState,
    unit_state,
)

Found = TypeVar("Found")

BY_HAND = (Breach, Demolish)
QUIET = (Pass, *BY_HAND)
"""Answers that do not reveal the unit."""
ON_SUSPICION = (Search, Into, IntoHole, Lob)
STEADIED = (TargetUnit, Into, IntoHole)
"""Fire that is better if the unit stands still."""
MOST_SUSPECTS = 2
"""Places judged in detail for fire on suspicion."""
MOST_UNITS = 12
"""Units judged in detail when one of many is chosen to act."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, acted=False, fired=-1, moved=0)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, to_act=now.to_act) == now


@memo(bound=8)
def positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions judged with one judgement."""
    weights = weights_of(judgement)

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement, weights)

    return ViewCache(appraisal, _ignoring, _same_extra)


# ---- whose turn, which unit, which order


def value_initiative(s: Appraisal, ask: turn.Initiative, answers: Sequence[Answer]) -> list[Features]:
    """To begin is good: the side that fires first may not be fired at."""
    return [Features(ready=1.0 if isinstance(a, Confirm) and a.yes else 0.0) for a in answers]


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units with a good shot and units in danger act first, then those nearest to objectives. Of more than MOST_UNITS units only
    an even sample is judged, since all of them act sooner or later. The others get features of zero."""
    step = max(1, len(answers) // MOST_UNITS)
    made: list[Features] = []
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number % step:
            made.append(NOTHING)
            continue
        unit = s.state.units[answer.unit]
        shot = s.best_shot(unit, unit.place, stationary=True)
        here = s.value_of_place(unit, unit.place, unit_state(unit).fired >= 0)
        made.append(
            Features(
                dealt=shot,
                progress=s.judgement.eager * here.progress,
                ready=s.judgement.urgency * here.exposure,
            )
        )
    return made


def value_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best answer that it leads to."""
    unit = s.state.units[ask.unit]
    found = [better_order(s, unit, answer, -inf) for answer in answers]
    return [one or NOTHING for one in found]


def better_order(s: Appraisal, unit: Unit, answer: Answer, wanted: float) -> Features | None:
    """An order by the best that it leads to; None if that is a move which weighs no more than `wanted`."""
    assert isinstance(answer, Order)
    if answer.name == STAND:
        return best_of(fire_at(s, unit, _shots(s, unit.id), True), s.weights)
    if answer.name == FIRE:  # the other orders allow a move without a shot
        return best_of(fire_at(s, unit, _shots(s, unit.id)[1:], False), s.weights)
    return better_move(s, unit.id, answer.name, unit_state(unit).fired >= 0, wanted)


@owned_memo(bound=500)
def _shots(s: Appraisal, number: int) -> list[Answer]:
    """Not to fire, and what a unit can fire at."""
    return [Pass(), *targets.targets(s.state, s.board, s.state.units[number])]


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place by the worth of being there; every enemy by the odds of the assault."""
    unit = s.state.units[ask.unit]
    fired = unit_state(unit).fired >= 0
    return [end_of(s, unit, ask.order, answer, fired) for answer in answers]


# ---- fire


def value_at_whom(s: Appraisal, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Every target by the expected loss of the enemy, less the cost of being revealed by firing."""
    return fire_at(s, s.state.units[ask.unit], answers, ask.standing)


def fire_at(s: Appraisal, unit: Unit, answers: Sequence[Answer], standing: bool) -> list[Features]:
    """`value_at_whom` for any list of targets."""
    mine = unit_state(unit)
    return [*_fire_at(s, unit.id, mine.moved, mine.fired >= 0, standing, tuple(answers))]


@owned_memo(bound=500)
def _fire_at(
    s: Appraisal, number: int, moved: int, fired: bool, standing: bool, answers: tuple[Answer, ...]
) -> list[Features]:
    """`fire_at` of a unit by its number. `moved`: how far it has moved this turn; `fired`: it has fired since its last
    activation."""
    unit = s.state.units[number]
    if unit_state(unit).moved != moved:
        unit = replace(unit, own=replace(unit_state(unit), moved=moved))
    if standing or moved:
        quiet = s.value_of_place(unit, unit.place, fired)
        loud = s.value_of_place(unit, unit.place, True)
        if s.burning:
            quiet, loud = (through_fire(s, unit, found, 0, unit.place) for found in (quiet, loud))
    else:  # it can still move, so its final place counts
        loud = quiet = best_move(s, number, FIRE, True)
        if not fired and any(type(answer) in QUIET for answer in answers):
            quiet = best_move(s, number, FIRE, False)
    places = [answer.place for answer in answers if type(answer) in ON_SUSPICION]  # type: ignore[attr-defined]
    suspects = _suspects(s, tuple(dict.fromkeys(places)))
    unlikely = replace(loud, waste=loud.waste + s.judgement.fruitless)
    made: list[Features] = []
    alike: dict[Hashable, Features] = {}
    for answer in answers:
        kind = type(answer)
        if kind is Pass:
            made.append(quiet)
            continue
        if kind in ON_SUSPICION and not suspects.get(answer.place, True):  # type: ignore[attr-defined]
            made.append(unlikely)
            continue
        like = _alike(s, answer)
        found = alike.get(like)
        if found is None:
            steady = standing and not moved and kind in STEADIED
            gained, waste, opens = _gain(s, number, moved, answer, steady)
            base = quiet if kind in BY_HAND else loud
            if opens and not standing and not moved:
                base = _through_breach(s, unit, answer, opens, base)
            idle = RATHER if gained <= 0.0 else 0.0  # a unit with nothing to gain does nothing
            found = alike[like] = replace(base, dealt=base.dealt + gained, waste=base.waste + waste + idle)
        made.append(found)
    return made


def _alike(s: Appraisal, answer: Answer) -> Hashable:
    """A key that is equal for shots with equal features: at walls of one class, or openings of one kind, of the same place."""
    if isinstance(answer, Search):
        return answer.place, s.wall_classes[answer.place, answer.side]
    if isinstance(answer, Through):
        return -1, answer.unit, s.wall_classes[s.state.units[answer.unit].place, answer.side]
    if isinstance(answer, Into | IntoHole):
        return answer.place, targets.kind_of(s.state, s.board, answer)
    return answer


@owned_memo(bound=500)
def _suspects(s: Appraisal, places: tuple[int, ...]) -> dict[int, bool]:
    """The places with no known enemy among targets of fire on suspicion, and whether each is judged in detail: the
    MOST_SUSPECTS best ones, if fire there may pay for itself."""
    found = {place: promised for place in places if (promised := s.promise[place]) is not None}
    best = sorted(found, key=found.__getitem__, reverse=True)[:MOST_SUSPECTS]
    return {place: place in best and promised > 0 for place, promised in found.items()}


@owned_memo(bound=5_000)
def _gain(s: Appraisal, number: int, moved: int, answer: Answer, steady: bool) -> tuple[float, float, float]:
    """(points expected from a shot or work by hand, points wasted, the chance that tools open a breach). `moved`: how far the
    unit has moved; `steady`: it stands still."""
    unit = s.state.units[number]
    if unit_state(unit).moved != moved:
        unit = replace(unit, own=replace(unit_state(unit), moved=moved))
    waste, ghost = 0.0, None
    if isinstance(answer, ON_SUSPICION) and answer.place not in s.posted:
        waste = (1.0 - s.hidden(answer.place)) * s.judgement.fruitless
        ghost = s.suspect(answer.place)
    outcome = estimates.outcome_of(s.look, unit, answer, steady, ghost)
    side = answer.side if isinstance(answer, Breach | Search | Through) else -1
    opens = outcome.breaches if isinstance(answer, Breach) else 0.0
    return s.value_of_outcome(outcome, side), waste, opens


def _through_breach(s: Appraisal, unit: Unit, answer: Answer, opens: float, otherwise: Features) -> Features:
    """The worth of a breach to a team that can still move: it may go in at once if there is room."""
    assert isinstance(answer, Breach)
    state = s.state
    if not ground.has_room(state, answer.place, unit.side, unit.id):
        return otherwise
    inside = s.value_of_place(unit, answer.place, True)
    return mix(best_of((inside, otherwise), s.weights), opens, otherwise)


# ---- reserves


def value_arrive_at(s: Appraisal, ask: deployment.ArriveAt, answers: Sequence[Answer]) -> list[Features]:
    """Where a reserve is nearest to objectives, and not in a fire."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, MoveTo):
            there = s.value_of_place(unit, answer.place, False)
            made.append(through_fire(s, unit, there, answer.place in s.burning, answer.place))
        else:
            made.append(NOTHING)
    return made


WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.Initiative: value_initiative,
    turn.WhichUnit: value_which_unit,
    turn.WhichOrder: value_which_order,
    move.WhereTo: value_where_to,
    shoot.AtWhom: value_at_whom,
    deployment.ArriveAt: value_arrive_at,
}
