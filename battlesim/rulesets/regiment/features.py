"""The features of each answer (contract: `Features`), question by question, from a view alone.

`estimates.py` computes what acts are expected to do, `appraisal.py` what that is worth; nothing here decides a rule. Read
`features`; each question has a function named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Face, MoveTo, Order, Pick, TargetUnit
from battlesim.core.geometry import INCH
from battlesim.core.items import Ask
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.core.view import View
from battlesim.evaluation.judge import NOTHING
from battlesim.evaluation.parameters import RATHER
from battlesim.rules.contract import Features
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.regiment import (
    casualties,
    charge,
    estimates,
    expected,
    expected_engines,
    expected_melee,
    fight,
    fire,
    ground,
    move,
    rout,
    run_down,
    targets,
    turn,
)
from battlesim.rulesets.regiment.appraisal import Appraisal
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.judgement import Judgement
from battlesim.rulesets.regiment.maneuver import (
    better_order,
    end_of,
    fights_on,
    value_of_halt,
    value_of_rest,
)
from battlesim.rulesets.regiment.model import (
    CHARGE,
    FRONT,
    MOVE,
    SHOOT,
    BattleState,
    UnitState,
    unit_state,
)


def _ignoring(record: UnitState) -> UnitState:
    return record


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, done=now.done) == now


@memo(bound=8)
def positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions appraised under one judgement."""

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement)

    return ViewCache(appraisal, _ignoring, _same_extra)


MOST_UNITS = 40
"""The most units examined when choosing which one acts."""


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """In shooting and charges, the units that can do most damage act first; in movement, those nearest to the enemy. If there are
    very many units, only an evenly spaced sample is examined, since all of them act sooner or later."""
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
            made.append(Features(ready=-s.judgement.foremost * near / INCH))
        elif ask.phase == CHARGE:
            made.append(Features(dealt=s.charge_prospect(unit, unit.place)))
        else:
            made.append(NOTHING)
    return made


# ---- charges ---------------------------------------------------------------------------------------------------------


def _charge(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """The value of a charge: reaction fire and the clash, what winning gains, and what the charge leaves behind."""
    j = s.judgement
    found = charge.route(s.state, s.board, unit, foe) if ground.outdoors(s.board, unit.place) else None
    leaves = j.leave * s.held_points(unit, unit.place) if found is not None else 0.0
    if unit_state(foe).fleeing:
        caught = 1.0 if found is None else run_down.chance(s.state, s.board, unit, foe)
        lost = Toll(casualties.wounds_left(foe), 1.0)
        return Features(dealt=caught * s.value_of_toll(foe, lost, True), risk=leaves)
    clash = (
        s.clash(unit, unit.place, foe, foe.place, FRONT, True)
        if found is None
        else estimates.charge(s.state, s.board, unit, foe, *found[1:])
    )
    dealt, taken = s.value_of_clash(unit, foe, clash, s.time.after_now)
    wins = clash.wins
    if unit_state(foe).foes:
        dealt, taken, wins = _joined(s, unit, foe, *((unit.place, FRONT) if found is None else found[1:]))
    if found is None:  # it stays in its room while it fights next door, and loses the room if it breaks
        leaves = clash.loses * s.at_stake(unit)
    return Features(
        dealt=dealt + wins * s.at_stake(foe),
        taken=s.matters * taken,
        exposure=j.feared * s.threat(unit, unit.place, foe.id),
        risk=leaves,
    )


def _joined(s: Appraisal, unit: Unit, foe: Unit, place: int, arc: int) -> tuple[float, float, float]:
    """What a charge that ends in a place adds against an enemy that friends already fight: extra damage dealt and taken, and how
    much likelier the enemy is to lose. All of them share one result."""
    friends = [s.state.units[number] for number in ground.foes_of(foe)]
    charger, (charged,) = expected_melee.charging(unit, place, [foe], arc)
    before, after = s.melee(foe, friends), s.melee(charged, [*friends, charger])
    dealt_before, taken_before = s.value_of_melee(foe, friends, before)
    dealt, taken = s.value_of_melee(foe, [*friends, unit], after)
    more = max(0.0, after.loses - before.loses)
    return max(0.0, dealt - dealt_before), summed(taken) - summed(taken_before), more


def value_charge_whom(s: Appraisal, ask: charge.ChargeWhom, answers: Sequence[Answer]) -> list[Features]:
    """Charges by their odds. The alternative is to shoot and risk being charged, or to go on fighting."""
    unit = s.state.units[ask.unit]
    stays = Features(
        dealt=s.best_shot(unit, unit.place, False),
        exposure=s.threat(unit, unit.place),
        nerve=s.shelter(unit, unit.place),
    )
    if unit_state(unit).foes:
        stays = fights_on(s, unit, NOTHING)
    return [_charge(s, unit, s.state.units[a.unit]) if isinstance(a, TargetUnit) else stays for a in answers]


def value_react(s: Appraisal, ask: charge.React, answers: Sequence[Answer]) -> list[Features]:
    """Holding or standing means taking the charge; fleeing loses the place, and often the unit."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.other]
    found = charge.route(s.state, s.board, foe, unit)
    held = s.held_points(unit, unit.place)
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        if answer.name == charge.FLEE:
            caught = run_down.lost(s.state, s.board, unit, foe)
            lost = caught + (1.0 - caught) * s.flight(unit)
            made.append(Features(taken=lost * s.worth_left(unit), waste=s.judgement.fled))
            continue
        if found is None:
            made.append(Features(hold=held))
            continue
        stands = answer.name == charge.STAND
        clash = estimates.charge(s.state, s.board, foe, unit, *found[1:], reacts=stands)
        taken, dealt = s.value_of_clash(foe, unit, clash, s.time.after_now)
        made.append(Features(dealt=dealt, taken=taken, hold=held))
    return made


# ---- moves -----------------------------------------------------------------------------------------------------------


def value_which_order(s: Appraisal, ask: move.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order is valued by the best result it can lead to."""
    unit = s.state.units[ask.unit]
    stays = value_of_halt(s, unit)
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        found = better_order(s, unit, answer.name, stays)
        assert found is not None
        made.append(found)
    if unit_state(unit).joined >= 0:  # a character stays with its unit unless there is a reason to leave
        made = [
            replace(f, nerve=s.judgement.joined) if a == Order(move.HOLD) else replace(f, progress=0.0)
            for f, a in zip(made, answers, strict=True)
        ]
    return made


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place where a move may end."""
    unit = s.state.units[ask.unit]
    stays = value_of_rest(s, unit, ask.order)
    return [
        end_of(s, unit, answer.place, ask.order)
        if isinstance(answer, MoveTo) and answer.place != unit.place
        else stays
        for answer in answers
    ]


def value_face_where(s: Appraisal, ask: move.FaceWhere, answers: Sequence[Answer]) -> list[Features]:
    """Face what can be charged or shot at, and show no flank to enemies that can charge."""
    unit = s.state.units[ask.unit]
    return [s.value_of_facing(unit, a.facing) if isinstance(a, Face) else NOTHING for a in answers]


# ---- shooting and fighting -------------------------------------------------------------------------------------------


def value_at_whom(s: Appraisal, ask: fire.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Targets by the expected result of the shot, including units in its way."""
    unit = s.state.units[ask.unit]
    weapon = targets.weapon_of(unit)
    shot = estimates.volley if weapon is not None and weapon.way == "shot" else expected_engines.engine
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, TargetUnit):
            outcome = shot(s.state, s.board, unit, s.state.units[answer.unit])
            made.append(Features(dealt=s.value_of_outcome(outcome, unit.side) + RATHER))
        else:
            made.append(NOTHING)
    return made


def value_pursue(s: Appraisal, ask: rout.Pursue, answers: Sequence[Answer]) -> list[Features]:
    """A unit that is caught is lost with its standards; a pursuer leaves the objectives it holds."""
    unit, prey = s.state.units[ask.unit], s.state.units[ask.prey]
    caught, _ = expected.escape(rout.dice_of(prey), (rout.dice_of(unit),), 0)
    kept = s.value_of_toll(prey, Toll(casualties.wounds_left(prey), 1.0), True)
    gain = Features(
        dealt=caught * kept,
        risk=s.judgement.pursuit * s.held_points(unit, unit.place),
    )
    return [gain if isinstance(a, Confirm) and a.yes else NOTHING for a in answers]


def value_follow_in(s: Appraisal, ask: rout.FollowIn, answers: Sequence[Answer]) -> list[Features]:
    """The garrison is lost and its room is taken, at the cost of the place left."""
    unit = s.state.units[ask.unit]
    prey = 0.0
    if ask.prey >= 0:
        foe = s.state.units[ask.prey]
        prey = s.value_of_toll(foe, Toll(casualties.wounds_left(foe), 1.0), True)
    found = end_of(s, unit, ask.place, move.ADVANCE)
    gain = replace(found, dealt=found.dealt + prey, exposure=s.judgement.amid * found.exposure)
    here = s.value_of_place(unit, unit.place, False, False)
    return [gain if isinstance(a, Confirm) and a.yes else here for a in answers]


def value_against_whom(s: Appraisal, ask: fight.AgainstWhom, answers: Sequence[Answer]) -> list[Features]:
    """The enemy against which its blows are worth most in the round, with its unit and against all who fight that."""
    unit = s.state.units[ask.unit]
    host = fight.host_of(s.state, unit)
    foes = [s.state.units[number] for number in ask.among or ground.foes_of(host)]
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, TargetUnit)
        turned = replace(unit, own=replace(unit_state(unit), against=answer.unit))
        one = turned if host.id == unit.id else host
        fought = s.melee(one, foes, () if one is turned else (turned,))
        taken, dealt = s.value_of_melee(one, foes, fought)
        for duel in fought.duels:
            taken += s.value_of_toll(duel.mine, duel.lost, True)
            dealt.append(s.value_of_toll(duel.theirs, duel.slain, True))
        made.append(Features(dealt=summed(dealt), taken=s.matters * taken))
    return made


WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
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
