"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `appraisal.py` and `quick_look.py`; nothing here decides a rule. Read `features`; each question has a function
of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Face, MoveTo, Order, Pick, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.contract import Features, best_of
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.regiment import charge, fight, fire, ground, move, rooms, rout, targets, turn
from battlesim.rulesets.regiment.appraisal import THREAT_SHARE, Appraisal
from battlesim.rulesets.regiment.model import CHARGE, MOVE, SHOOT, BattleState, UnitState, type_of, unit_state
from battlesim.rulesets.regiment.quick_look import worth_left

NOTHING = Features()
MOST_PLACES = 40
"""Places looked at closely; of more those that bring most progress."""


def _ignoring(record: UnitState) -> UnitState:
    return record


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return before.objectives == now.objectives


_POSITIONS = ViewCache(Appraisal, _ignoring, _same_extra)


MOST_UNITS = 40
"""Units looked at when one of many is to act."""


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _POSITIONS.ask(view, board, lambda position: work(position, ask, answers))


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Who can hurt most shoots and charges first; who is nearest to the enemy moves first. Of very many units only some, taken
    evenly, are looked at: all of them act sooner or later."""
    made: list[Features] = []
    every = -(-len(answers) // MOST_UNITS)
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number % every:
            made.append(NOTHING)
            continue
        unit = s.state.units[answer.unit]
        if ask.phase == SHOOT:
            made.append(Features(dealt=s.best_shot(unit, unit.place, bool(unit_state(unit).moved))))
        elif ask.phase == MOVE:
            near = min((s.board.distance(unit.place, foe.place) for foe in s.foes), default=0)
            made.append(Features(ready=-near / 1000))
        elif ask.phase == CHARGE:
            made.append(best_of([_charge(s, unit, s.state.units[t]) for t in _targets(s, unit)]))
        else:
            made.append(NOTHING)
    return made


def _targets(s: Appraisal, unit: Unit) -> list[int]:
    return charge.charge_targets(s.state, s.board, unit)


# ---- charges ---------------------------------------------------------------------------------------------------------


def _charge(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """The clash, what is won by it, and the objective that falls with it."""
    at_stake = sum(g.points for g in s.goals if foe.place in g.places)
    if unit_state(foe).fleeing:
        return Features(dealt=0.6 * worth_left(foe), risk=0.02 * worth_left(unit))
    arc = ground.arc_of(s.board, foe, unit.place)
    dealt, taken = s.fight(unit, foe, arc)
    odds = s.clash(unit, foe, arc)
    helped = 1.0 + 0.3 * len(unit_state(foe).foes)
    leaves = s.held_points(unit, unit.place)
    return Features(
        dealt=dealt * helped + odds.breaks * at_stake,
        taken=taken / helped,
        exposure=0.5 * THREAT_SHARE * s.threat(unit, unit.place, foe.id),
        risk=0.2 * leaves,
    )


def value_charge_whom(s: Appraisal, ask: charge.ChargeWhom, answers: Sequence[Answer]) -> list[Features]:
    """Charges by their odds; not to charge is to shoot, or to be charged; or to fight on."""
    unit = s.state.units[ask.unit]
    stays = Features(
        dealt=s.best_shot(unit, unit.place, False), exposure=THREAT_SHARE * s.threat(unit, unit.place)
    )
    if unit_state(unit).foes:
        clashes = [s.fight(unit, s.state.units[foe]) for foe in ground.foes_of(unit)]
        stays = Features(dealt=sum(d for d, _ in clashes), taken=sum(t for _, t in clashes))
    return [_charge(s, unit, s.state.units[a.unit]) if isinstance(a, TargetUnit) else stays for a in answers]


def value_react(s: Appraisal, ask: charge.React, answers: Sequence[Answer]) -> list[Features]:
    """To stand is to be struck; to flee is to lose the place, and often the unit."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.other]
    arc = ground.arc_of(s.board, unit, foe.place)
    dealt, taken = s.fight(foe, unit, arc)
    held = s.held_points(unit, unit.place)
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        if answer.name == charge.FLEE:
            made.append(Features(risk=0.34 * worth_left(unit), waste=5.0))
        elif answer.name == charge.STAND:
            shot = s.shot(unit, foe, unit.place, False)
            made.append(Features(dealt=taken + shot, taken=dealt, hold=held))
        else:
            made.append(Features(dealt=taken, taken=dealt, hold=held))
    return made


# ---- moves -----------------------------------------------------------------------------------------------------------


def value_which_order(s: Appraisal, ask: move.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best of what it leads to."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    stays = s.value_of_place(unit, unit.place, False, targets.can_shoot(s.state, unit))
    for answer in answers:
        assert isinstance(answer, Order)
        if answer.name in (move.ADVANCE, move.RUN, move.FLY):
            places = _places(s, unit, move.destinations(s.state, s.board, unit, answer.name))
            made.append(best_of([_go(s, unit, place, answer.name) for place in places]) if places else stays)
        elif answer.name == move.HOLD:
            made.append(stays)
        else:
            made.append(_reformed(s, unit, stays, answer.name))
    if unit_state(unit).joined >= 0:  # a character stays with its men unless there is a reason
        made = [
            replace(f, nerve=20.0) if a == Order(move.HOLD) else replace(f, progress=0.0)
            for f, a in zip(made, answers, strict=True)
        ]
    return made


def _reformed(s: Appraisal, unit: Unit, stays: Features, order: str) -> Features:
    """Wide to shoot, deep to fight; it costs the turn."""
    shooter = type_of(unit).weapon and unit.models > unit_state(unit).files
    gain = 8.0 if shooter and order == move.WIDE and not s.best_shot(unit, unit.place, True) else -8.0
    return replace(stays, dealt=0.6 * stays.dealt, ready=stays.ready + gain)


def _places(s: Appraisal, unit: Unit, places: list[int]) -> list[int]:
    """Of many places those that bring most."""
    if len(places) <= MOST_PLACES:
        return places
    drawn = sorted((-s.progress(unit, p) - s.held_points(unit, p), p) for p in places)
    return [p for _, p in drawn[:MOST_PLACES]]


def _go(s: Appraisal, unit: Unit, place: int, order: str) -> Features:
    """Ending a move in a place, or joining the friend there; an enemy there is one who makes room (`follow_in`). Who does not
    fit a house is lost, an enemy next door is attacked."""
    moved = place != unit.place
    found = s.value_of_place(
        unit, place, moved, order in (move.ADVANCE, move.FLY) and targets.can_shoot(s.state, unit)
    )
    friend = ground.holder(s.state, place)
    if friend is not None and friend.id != unit.id and friend.side == unit.side:
        return replace(found, nerve=10.0, exposure=0.3 * found.exposure, hold=0.0)
    room = rooms.room_at(s.board, place)
    if room is None:
        return found
    kind = type_of(unit)
    over = max(0, unit.models * kind.us - room.capacity)
    waste = over / kind.us * kind.worth / max(1, kind.models)
    dealt, taken = found.dealt, 0.0
    for other in room.neighbours:
        foe = ground.holder(s.state, other)
        if foe is not None and foe.side != unit.side:
            gain, loss = s.fight(unit, foe)
            dealt, taken = dealt + gain, taken + loss
    return replace(found, dealt=dealt, taken=taken, waste=waste)


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place as `_go`; of very many those that bring little are not looked at closely."""
    unit = s.state.units[ask.unit]
    places = [a.place for a in answers if isinstance(a, MoveTo)]
    close = dict.fromkeys(_places(s, unit, places))
    made: list[Features] = []
    for answer in answers:
        if not isinstance(answer, MoveTo):
            made.append(_go(s, unit, unit.place, ask.order))
        elif answer.place in close:
            made.append(_go(s, unit, answer.place, ask.order))
        else:
            made.append(Features(exposure=500.0))
    return made


def value_face_where(s: Appraisal, ask: move.FaceWhere, answers: Sequence[Answer]) -> list[Features]:
    """Towards what can be charged or shot at, no flank to what can charge."""
    unit = s.state.units[ask.unit]
    return [s.facing(unit, a.facing) if isinstance(a, Face) else NOTHING for a in answers]


# ---- shooting and fighting -------------------------------------------------------------------------------------------


def value_at_whom(s: Appraisal, ask: fire.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Targets by what they lose; those on objectives a little more."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, TargetUnit):
            foe = s.state.units[answer.unit]
            loss = s.shot(unit, foe, unit.place, bool(unit_state(unit).moved))
            at_stake = sum(g.points for g in s.goals if foe.place in g.places)
            made.append(Features(dealt=loss * (1.0 + min(0.5, at_stake / 400)) + 0.01))
        else:
            made.append(NOTHING)
    return made


def value_pursue(s: Appraisal, ask: rout.Pursue, answers: Sequence[Answer]) -> list[Features]:
    """A pursuer destroys what flees about every second time; it leaves what it holds."""
    unit, prey = s.state.units[ask.unit], s.state.units[ask.prey]
    chance = 0.55 + 0.2 * (rout.dice_of(unit) - rout.dice_of(prey))
    gain = Features(dealt=chance * worth_left(prey), risk=0.4 * s.held_points(unit, unit.place))
    return [gain if isinstance(a, Confirm) and a.yes else NOTHING for a in answers]


def value_follow_in(s: Appraisal, ask: rout.FollowIn, answers: Sequence[Answer]) -> list[Features]:
    """The garrison is lost and its room is ours, for what we leave."""
    unit = s.state.units[ask.unit]
    prey = worth_left(s.state.units[ask.prey]) if ask.prey >= 0 else 0.0
    found = _go(s, unit, ask.place, move.ADVANCE)
    gain = replace(found, dealt=found.dealt + prey, exposure=0.3 * found.exposure)
    here = s.value_of_place(unit, unit.place, False, False)
    return [gain if isinstance(a, Confirm) and a.yes else here for a in answers]


def value_against_whom(s: Appraisal, ask: fight.AgainstWhom, answers: Sequence[Answer]) -> list[Features]:
    """Where its blows tell most."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, TargetUnit)
        dealt, _ = s.fight(unit, s.state.units[answer.unit])
        made.append(Features(dealt=dealt))
    return made


_WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.WhichUnit: value_which_unit,
    charge.ChargeWhom: value_charge_whom,
    charge.React: value_react,
    move.WhichOrder: value_which_order,
    move.WhereTo: value_where_to,
    move.FaceWhere: value_face_where,
    fire.AtWhom: value_at_whom,
    rout.Pursue: value_pursue,
    rout.FollowIn: value_follow_in,
    fight.AgainstWhom: value_against_whom,
}
