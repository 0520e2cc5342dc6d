"""The features of each answer (contract: `Features`), question by question, from a view alone.

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
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER, weights_of
from battlesim.rules.contract import Features, best_of
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.squadhex import (
    area,
    assault,
    attack,
    concentrate,
    declare,
    morale,
    move,
    react,
    replies,
    turn,
)
from battlesim.rulesets.squadhex.appraisal import MODES, Appraisal
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.maneuver import assaults, best_move, value_of_assault, value_of_move
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
from battlesim.rulesets.squadhex.replies import best_concentration, value_of_waiting
from battlesim.rulesets.squadhex.targets import helpers


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, fresh=True, waits=False)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, play=now.play) == now


@memo(bound=8)
def positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions appraised under one judgement."""
    weights = weights_of(judgement)

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement, weights)

    return ViewCache(appraisal, _ignoring, _same_extra)


# ---- which unit, which action


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can do damage and units in danger act first."""
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
    """The value of the better mode at each hex that a unit can bombard."""
    found = s.value_of_bombardment
    return [max(found(unit, place, mode) for mode in MODES) for place in _hexes(s, unit)]


def _hexes(s: Appraisal, unit: Unit) -> list[int]:
    """The hexes that a unit can bombard."""
    return s.hexes_at[unit.id] if type_of(unit).area else []


def value_which_action(s: Appraisal, ask: turn.WhichAction, answers: Sequence[Answer]) -> list[Features]:
    """Each action is valued by the best result it can lead to."""
    unit = s.state.units[ask.unit]
    made = []
    for answer in answers:
        assert isinstance(answer, Order)
        made.append(value_of_action(s, unit, answer.name))
    return made


def value_of_action(s: Appraisal, unit: Unit, name: str) -> Features:
    """The value of the best result that an action can lead to."""
    here = s.value_of_place(unit, unit.place)
    if name in (ADVANCE, ADVANCE_FIRE):
        return best_move(s, unit, name)
    if name == FIRE:
        found = [s.best_fire(unit, s.state.units[f], False) for f in s.units_at[unit.id]]
        found += [s.value_at_building(unit, n, False) for n in s.buildings_at[unit.id]]
        return replace(here, dealt=max(found, default=0.0))  # negative on friends
    if name == CONCENTRATED:
        friends = helpers(s.state, unit)
        together = [best_concentration(s, unit, n, -1, friends) for n in s.units_at[unit.id]]
        together += [best_concentration(s, unit, -1, n, friends) for n in s.buildings_at[unit.id]]
        best = best_of(together, s.weights)
        return replace(here, dealt=best.dealt, waste=best.waste)
    if name == BOMBARD:
        return replace(here, dealt=max(_bombardments(s, unit), default=0.0))
    if name == OPPORTUNITY:
        # A unit with nothing useful to do waits, rather than move to its own place or fire at an empty house.
        return replace(here, ready=here.ready + value_of_waiting(s, unit) + RATHER)
    if name == ASSAULT:
        return best_of(assaults(s, unit), s.weights)
    return here


# ---- moving, fighting


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Each hex to move to, or to stay, by what it is worth after the move."""
    unit = s.state.units[ask.unit]
    return [
        value_of_move(s, unit, answer.place if isinstance(answer, MoveTo) else unit.place, ask.action)
        for answer in answers
    ]


def value_whom_assault(s: Appraisal, ask: assault.WhomAssault, answers: Sequence[Answer]) -> list[Features]:
    """Each enemy to assault, by the expected end of the fight."""
    unit = s.state.units[ask.unit]
    return [
        value_of_assault(s, unit, s.state.units[a.unit]) if isinstance(a, TargetUnit) else NOTHING
        for a in answers
    ]


def value_where_back(s: Appraisal, ask: morale.WhereBack, answers: Sequence[Answer]) -> list[Features]:
    """A unit that falls back does not leave the board, even at an exit edge."""
    unit = s.state.units[ask.unit]
    return [
        s.value_of_staying(unit, answer.place) if isinstance(answer, MoveTo) else NOTHING
        for answer in answers
    ]


WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
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
