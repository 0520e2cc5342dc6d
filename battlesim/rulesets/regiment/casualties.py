"""Casualties: hits that wound and are not saved, models lost, and what their loss scores.

(RG-HOUSE-SHOOT, RG-HOUSE-PROFILE, RG-HOUSE-VICTORY.) Read `unsaved`, then `take_wounds` and `destroy`.
"""

from __future__ import annotations

from battlesim.core.events import Scored
from battlesim.core.state import Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import contacts, facts
from battlesim.rulesets.regiment.data import UnitType
from battlesim.rulesets.regiment.model import attempt, battle_state, company, type_of, unit_state
from battlesim.rulesets.regiment.tables import NEVER, save_need, second_need, wound_need
from battlesim.rulesets.regiment.victory import STANDARD_WORTH


def hits(r: Resolution, shots: int, need: int, purpose: str, actor: int, target: int) -> int:
    """How many of so many shots hit; a need of 7 to 9 means a 6 and then 4, 5 or 6 (RG-HOUSE-SHOOT)."""
    now = attempt(r.state)
    if need <= 6:
        return r.count(shots, need, f"{purpose} hit", actor, target, now)
    sixes = r.count(shots, 6, f"{purpose} hit", actor, target, now)
    return r.count(sixes, second_need(need), f"{purpose} again", actor, target, now)


def unsaved(r: Resolution, hit: int, strength: int, target: Unit, purpose: str, actor: int) -> int:
    """How many hits wound and are not saved, by armour or ward."""
    kind: UnitType = type_of(target)
    now = attempt(r.state)
    left = r.count(hit, wound_need(strength, kind.t), f"{purpose} wound", actor, target.id, now)
    save = save_need(kind.save, strength)
    if save < NEVER:
        left -= r.count(left, save, f"{purpose} save", actor, target.id, now)
    if kind.ward:
        left -= r.count(left, kind.ward, f"{purpose} ward", actor, target.id, now)
    return left


def multiple_wounds(r: Resolution, wounds: int, target: Unit, purpose: str, actor: int) -> int:
    """D3 for each wound, capped at the wounds of one model: a model with one wound dies of the first."""
    most = type_of(target).w
    if most == 1 or not wounds:
        return wounds
    faces = r.roll(wounds, 3, f"{purpose} wounds", actor, target.id, attempt(r.state))
    return sum(min(face, most) for face in faces)


def wounds_left(unit: Unit) -> int:
    """Wounds until the last model of a unit is gone."""
    return unit.models * type_of(unit).w - unit_state(unit).wounds


def take_wounds(
    r: Resolution, unit: Unit, wounds: int, how: str, clauses: Clauses = (), melee: bool = False
) -> int:
    """A unit takes wounds, model after model; returns the models lost. `melee`: they count as fallen in this round of combat."""
    unit = r.state.units[unit.id]
    taken = min(wounds, wounds_left(unit))
    if taken <= 0 or not unit.alive:
        return 0
    models, rest = divmod(unit_state(unit).wounds + taken, type_of(unit).w)
    if melee and models:
        r.set(unit.id, wounds=rest, fell=unit_state(unit).fell + models)
    elif rest != unit_state(unit).wounds:
        r.set(unit.id, wounds=rest)
    if models:
        # A model is lost when it has taken as many wounds as its profile says.
        r.lose(unit, models, how, (*clauses, "RG-HOUSE-PROFILE") if type_of(unit).w > 1 else clauses)
        if models >= unit.models:
            unit_lost(r, unit)
    return models


def wounds_by_shooting(r: Resolution, target: Unit, wounds: int, clauses: Clauses) -> int:
    """Wounds by shooting; models lost are counted for panic."""
    lost = take_wounds(r, target, wounds, "shot", clauses)
    after = r.state.units[target.id]
    if lost and after.alive and unit_state(after).shot >= 0:
        r.set(target.id, shot=unit_state(after).shot + lost)
    return lost


def destroy(r: Resolution, unit: Unit, how: str, clauses: Clauses = ()) -> None:
    """A unit is lost with all characters with it."""
    for one in company(r.state, unit):
        r.lose(one, one.models, how, clauses)
        _lost(r, one)
        r.set(one.id, joined=-1)
    unit = r.state.units[unit.id]
    r.lose(unit, unit.models, how, clauses)
    unit_lost(r, unit)


def unit_lost(r: Resolution, unit: Unit) -> None:
    """After the last model of a unit is lost: its worth is scored, its contacts pass to its characters or end. `unit`: as it
    was."""
    _lost(r, unit)
    if unit_state(unit).joined >= 0:
        r.set(unit.id, joined=-1)
    else:
        contacts.hand_contacts_on(r, unit)


def _lost(r: Resolution, unit: Unit) -> None:
    worth = type_of(unit).worth
    lost = list(battle_state(r.state).losses)
    lost[unit.side] += worth
    clauses: Clauses = ("RG-HOUSE-VICTORY",)
    r.set_extra(clauses, losses=(lost[0], lost[1]))
    r.emit(Scored(1 - unit.side, worth, unit.name, clauses=clauses))


def capture_standards(r: Resolution, unit: Unit, by: Unit, alone: bool = False) -> None:
    """The standards of a unit and of the characters with it are captured by the enemy that destroys it in close combat; `alone`:
    by blows that the characters with it survive."""
    clauses: Clauses = ("RG-HOUSE-VICTORY",)
    for one in [unit] if alone else [unit, *company(r.state, unit)]:
        if type_of(one).standard:
            r.emit(facts.Captured(unit=by.id, other=one.id, clauses=clauses))
            r.emit(Scored(by.side, STANDARD_WORTH, f"the standard of {one.name}", clauses=clauses))
