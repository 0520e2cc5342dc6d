"""Wounds, models lost, and what their loss scores (RG-HOUSE-PROFILE, RG-HOUSE-VICTORY). Read `hurt` and `destroy`."""

from __future__ import annotations

from battlesim.core.events import Scored
from battlesim.core.state import Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import contacts, facts
from battlesim.rulesets.regiment.model import battle_state, company, type_of, unit_state
from battlesim.rulesets.regiment.victory import STANDARD_WORTH


def wounds_left(unit: Unit) -> int:
    """Wounds until the last model of a unit is gone."""
    return unit.models * type_of(unit).w - unit_state(unit).wounds


def hurt(r: Resolution, unit: Unit, wounds: int, how: str, clauses: Clauses = (), melee: bool = False) -> int:
    """A unit takes wounds, model after model; the models it lost. `melee`: they count as fallen in this round of combat."""
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
        r.lose(unit, models, how, clauses)
        if models >= unit.models:
            gone(r, unit, clauses)
    return models


def destroy(r: Resolution, unit: Unit, how: str, clauses: Clauses = ()) -> None:
    """A unit is lost with all who are with it."""
    for one in company(r.state, unit):
        r.lose(one, one.models, how, clauses)
        _lost(r, one)
        r.set(one.id, joined=-1)
    unit = r.state.units[unit.id]
    r.lose(unit, unit.models, how, clauses)
    gone(r, unit, clauses)


def gone(r: Resolution, unit: Unit, clauses: Clauses = ()) -> None:
    """After the last model of a unit: its worth is scored, its contacts pass to its characters or end. `unit`: as it was."""
    _lost(r, unit)
    if unit_state(unit).joined >= 0:
        r.set(unit.id, joined=-1)
    else:
        contacts.succeed(r, unit)


def _lost(r: Resolution, unit: Unit) -> None:
    worth = type_of(unit).worth
    lost = list(battle_state(r.state).losses)
    lost[unit.side] += worth
    clauses: Clauses = ("RG-HOUSE-VICTORY",)
    r.set_extra(clauses, losses=(lost[0], lost[1]))
    r.emit(Scored(1 - unit.side, worth, unit.name, clauses=clauses))


def capture(r: Resolution, unit: Unit, by: Unit, alone: bool = False) -> None:
    """The standards of a unit, and of the characters with it, are captured by the enemy that destroys it in close combat;
    `alone`: by blows, which the characters with it outlive."""
    clauses: Clauses = ("RG-HOUSE-VICTORY",)
    for one in [unit] if alone else [unit, *company(r.state, unit)]:
        if type_of(one).standard:
            r.emit(facts.Captured(unit=by.id, other=one.id, clauses=clauses))
            r.emit(Scored(by.side, STANDARD_WORTH, f"the standard of {one.name}", clauses=clauses))
