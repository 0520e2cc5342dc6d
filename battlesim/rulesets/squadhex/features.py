"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `estimates.py` and `appraisal.py`; nothing here decides a rule. Read `features`; each question has a function
of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Order, Pick, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.contract import Features, best_of
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
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.fire import defence
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
    unit_state,
)
from battlesim.rulesets.squadhex.replies import (
    MODES,
    NOTHING,
    best_concentration,
    bombard_value,
    value_at_building,
    waiting_value,
)
from battlesim.rulesets.squadhex.targets import buildings_at, hexes_at, units_at

CLOSELY = 10
"""Places of a move that are looked at closely when actions are compared."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, fresh=True, waits=False)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, play=now.play) == now


_POSITIONS = ViewCache(Appraisal, _ignoring, _same_extra)


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _POSITIONS.ask(view, board, lambda position: work(position, ask, answers))


# ---- which unit, which action


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can hurt, and units in danger, act first."""
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Pick)
        unit = s.state.units[answer.unit]
        here = s.at(unit, unit.place)
        houses = [
            value_at_building(s, unit, section, False) for section in buildings_at(s.state, s.board, unit)
        ]
        dealt = max([s.best_here(unit), *_hexes(s, unit), *houses])
        made.append(Features(dealt=dealt, ready=0.3 * here.exposure + 0.02 * here.progress))
    return made


def _hexes(s: Appraisal, unit: Unit) -> list[float]:
    if not type_of(unit).area:
        return []
    return [
        max(bombard_value(s, unit, place, mode) for mode in MODES)
        for place in hexes_at(s.state, s.board, unit)
    ]


def value_which_action(s: Appraisal, ask: turn.WhichAction, answers: Sequence[Answer]) -> list[Features]:
    """Each action by the best of what it leads to."""
    unit = s.state.units[ask.unit]
    made = []
    for answer in answers:
        assert isinstance(answer, Order)
        made.append(_action(s, unit, answer.name))
    return made


def _action(s: Appraisal, unit: Unit, name: str) -> Features:
    here = s.at(unit, unit.place)
    if name in (ADVANCE, ADVANCE_FIRE):
        places = _best_places(s, unit, name)
        return best_of([move_to(s, unit, place, name) for place in places])
    if name == FIRE:
        targets = [
            s.best_loss(unit, unit.place, s.state.units[f], False) for f in units_at(s.state, s.board, unit)
        ]
        houses = [
            value_at_building(s, unit, section, False) for section in buildings_at(s.state, s.board, unit)
        ]
        return replace(here, dealt=max([*targets, *houses], default=0.0))  # less than nothing on friends
    if name == CONCENTRATED:
        found = [best_concentration(s, unit, foe, -1) for foe in units_at(s.state, s.board, unit)]
        found += [
            best_concentration(s, unit, -1, section) for section in buildings_at(s.state, s.board, unit)
        ]
        best = best_of(found)
        return replace(here, dealt=best.dealt, waste=best.waste)
    if name == BOMBARD:
        return replace(here, dealt=max(_hexes(s, unit), default=0.0))
    if name == OPPORTUNITY:
        return replace(here, ready=waiting_value(s, unit))
    if name == ASSAULT:
        return best_of(
            [value_of_assault(s, unit, s.state.units[f]) for f in assault.assaultable(s.state, s.board, unit)]
        )
    return here


def _best_places(s: Appraisal, unit: Unit, action: str) -> list[int]:
    """Of the places a move can end on, those that bring most: what fire they lie under is looked at next."""
    places = move.reach(s.state, s.board, unit, action)
    if len(places) > CLOSELY:
        drawn = sorted((-s.progress(unit, place) - s.hold(unit, place), place) for place in places)
        places = [place for _, place in drawn[:CLOSELY]]
    return places


def move_to(s: Appraisal, unit: Unit, place: int, action: str) -> Features:
    there = s.at(unit, place)
    if action == ADVANCE_FIRE:
        there = replace(there, dealt=s.best_shot(unit, place, True))
    return replace(there, taken=opportunity_fire(s, unit, place))


def opportunity_fire(s: Appraisal, unit: Unit, place: int) -> float:
    """What those who wait would make of a move to a place: their fire at its end."""
    total = 0.0
    for foe in s.waiting:
        dice, wanted = s.dice(foe, foe.place, unit, place, False)
        if dice and s.sees(foe.place, place):
            covered = defence(s.state, s.board, replace(unit, place=place))
            total += estimates.fire_value(unit, NORMAL, dice, wanted, covered)
    return 0.7 * min(total, estimates.worth(unit))


# ---- moving, fighting


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        move_to(s, unit, answer.place if isinstance(answer, MoveTo) else unit.place, ask.action)
        for answer in answers
    ]


def value_of_assault(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """An assault: exact odds, what is won by standing there, the fire of those who wait."""
    clash = estimates.assault(s.state, s.board, unit, foe, met=False)
    win, lost, taken = clash.wins, clash.mine.lost, clash.theirs.lost
    each = type_of(unit).worth / max(unit_state(unit).full, 1)
    theirs = type_of(foe).worth / max(unit_state(foe).full, 1)
    here, there = s.at(unit, unit.place), s.at(unit, foe.place)
    alone = len(s.state.at.get(foe.place, ())) == 1
    share = win if alone else 0.0
    left = max(0.0, foe.models - taken)
    driven = win * (s.importance(foe) - 1.0) * theirs * left + 0.25 * win * theirs * left
    return Features(
        dealt=taken * theirs * s.importance(foe) + driven,
        taken=lost * each * s.importance(unit) + opportunity_fire(s, unit, unit.place),
        exposure=share * there.exposure + (1 - share) * here.exposure,
        progress=share * there.progress + (1 - share) * here.progress,
        hold=share * there.hold + (1 - share) * here.hold,
    )


def value_whom_assault(s: Appraisal, ask: assault.WhomAssault, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        value_of_assault(s, unit, s.state.units[a.unit]) if isinstance(a, TargetUnit) else NOTHING
        for a in answers
    ]


def value_where_back(s: Appraisal, ask: morale.WhereBack, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [s.at(unit, answer.place) if isinstance(answer, MoveTo) else NOTHING for answer in answers]


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
