"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `estimates.py` and `appraisal.py`; nothing here decides a rule. Read `features`; each question `X` has a
function `value_X`, here or in `replies.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Order, Pick, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import Features
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.squadhex import (
    area,
    assault,
    attack,
    concentrate,
    declare,
    estimates,
    morale,
    move,
    react,
    replies,
    turn,
)
from battlesim.rulesets.squadhex.appraisal import MODES, Appraisal
from battlesim.rulesets.squadhex.judgement import USUAL, Judgement
from battlesim.rulesets.squadhex.model import (
    ADVANCE,
    ADVANCE_FIRE,
    ASSAULT,
    BOMBARD,
    CONCENTRATED,
    FIRE,
    NORMAL,
    OPPORTUNITY,
    BattleState,
    UnitState,
    type_of,
)
from battlesim.rulesets.squadhex.replies import NOTHING, best_concentration, value_of_waiting
from battlesim.rulesets.squadhex.targets import units_at

CLOSELY = 10
"""Places of a move that are looked at closely when actions are compared."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, fresh=True, waits=False)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, play=now.play) == now


@memo(bound=8)
def _positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions that one judgement looks at."""
    weights = weights_of(judgement)

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement, weights)

    return ViewCache(appraisal, _ignoring, _same_extra)


def features(
    view: View, board: Board, ask: Ask, answers: Sequence[Answer], judgement: Judgement = USUAL
) -> list[Features]:
    """One record an answer, in their order, as somebody judges."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _positions(judgement).ask(view, board, lambda position: work(position, ask, answers))


# ---- which unit, which action


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can hurt, and units in danger, act first."""
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Pick)
        unit = s.state.units[answer.unit]
        here = s.value_of_place(unit, unit.place)
        shots = [s.best_shot(unit, unit.place, False), s.best_at_buildings(unit)]
        shots += [s.value_of_bombardment(unit, place, NORMAL) for place in _hexes(s, unit)]
        dealt = max(shots)
        urgent = s.judgement.urgency * here.exposure + s.judgement.eager * here.progress
        made.append(Features(dealt=dealt, ready=urgent))
    return made


def _bombardments(s: Appraisal, unit: Unit) -> list[float]:
    """The better mode at each hex that a unit can bombard."""
    found = s.value_of_bombardment
    return [max(found(unit, place, mode) for mode in MODES) for place in _hexes(s, unit)]


def _hexes(s: Appraisal, unit: Unit) -> list[int]:
    """The hexes that a unit can bombard."""
    return s.hexes_at[unit.id] if type_of(unit).area else []


def value_which_action(s: Appraisal, ask: turn.WhichAction, answers: Sequence[Answer]) -> list[Features]:
    """Each action by the best of what it leads to."""
    unit = s.state.units[ask.unit]
    made = []
    for answer in answers:
        assert isinstance(answer, Order)
        made.append(_value_of_action(s, unit, answer.name))
    return made


def _value_of_action(s: Appraisal, unit: Unit, name: str) -> Features:
    here = s.value_of_place(unit, unit.place)
    if name in (ADVANCE, ADVANCE_FIRE):
        return _best_move(s, unit, name)
    if name == FIRE:
        found = [s.best_fire(unit, s.state.units[f], False) for f in units_at(s.state, s.board, unit)]
        found += [s.value_at_building(unit, n, False) for n in s.buildings_at[unit.id]]
        return replace(here, dealt=max(found, default=0.0))  # less than nothing on friends
    if name == CONCENTRATED:
        together = [best_concentration(s, unit, foe, -1) for foe in units_at(s.state, s.board, unit)]
        together += [best_concentration(s, unit, -1, n) for n in s.buildings_at[unit.id]]
        best = s.best_of(together)
        return replace(here, dealt=best.dealt, waste=best.waste)
    if name == BOMBARD:
        return replace(here, dealt=max(_bombardments(s, unit), default=0.0))
    if name == OPPORTUNITY:
        return replace(here, ready=here.ready + value_of_waiting(s, unit))
    if name == ASSAULT:
        foes = assault.assaultable(s.state, s.board, unit)
        return s.best_of([value_of_assault(s, unit, s.state.units[foe]) for foe in foes])
    return here


def _best_move(s: Appraisal, unit: Unit, action: str) -> Features:
    """The best place to end a move in, of the few that are nearest to what objectives make of places."""
    weights, ahead = s.weights, s.prospects
    drawn = [
        (weights.progress * ahead.progress(unit, place) + weights.hold * ahead.hold(unit, place), -place)
        for place in move.reach(s.state, s.board, unit, action)
    ]
    drawn.sort(reverse=True)
    return s.best_of([value_of_move(s, unit, -place, action) for _, place in drawn[:CLOSELY]])


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


# ---- moving, fighting


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        value_of_move(s, unit, answer.place if isinstance(answer, MoveTo) else unit.place, ask.action)
        for answer in answers
    ]


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


def value_whom_assault(s: Appraisal, ask: assault.WhomAssault, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        value_of_assault(s, unit, s.state.units[a.unit]) if isinstance(a, TargetUnit) else NOTHING
        for a in answers
    ]


def value_where_back(s: Appraisal, ask: morale.WhereBack, answers: Sequence[Answer]) -> list[Features]:
    """Who falls back does not leave the board, wherever that leads."""
    unit = s.state.units[ask.unit]
    return [
        s.value_of_staying(unit, answer.place) if isinstance(answer, MoveTo) else NOTHING
        for answer in answers
    ]


_WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.WhichUnit: value_which_unit,
    turn.WhichAction: value_which_action,
    move.WhereTo: value_where_to,
    declare.AtWhom: replies.value_at_whom,
    attack.HowFired: replies.value_how_fired,
    concentrate.WhoSupports: replies.value_who_supports,
    react.Interrupt: replies.value_interrupt,
    area.WhichHex: replies.value_which_hex,
    area.HowBombarded: replies.value_how_bombarded,
    assault.WhomAssault: value_whom_assault,
    morale.WhereBack: value_where_back,
}
