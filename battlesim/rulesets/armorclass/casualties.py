"""The effects of hits on units: soldiers, drones, vehicles, strongpoints, turrets (AC-HOUSE-PEN, AC-HOUSE-AIM).

Read `pierce`, which rolls for penetration of a unit's own armour, and `suffer`, which applies the result.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import fire, works
from battlesim.rulesets.armorclass.data import D10
from battlesim.rulesets.armorclass.facts_fire import Hit
from battlesim.rulesets.armorclass.model import armed_mounts, type_of, unit_state

WEAPON, MOBILITY, DESTROYED = "weapon", "mobility", "destroyed"
LOST_WEAPON, LOST_MOBILITY = 4, 7
"""The highest D10 rolls for these results (AC-HOUSE-PEN); a higher roll destroys."""


def strike(
    r: Resolution,
    actor: int,
    target: int,
    factor: int,
    hits: int,
    attempt: int,
    clauses: Clauses = (),
    purpose: str = "armour",
) -> int:
    """Resolve hits of one attack factor on a unit. Returns how many penetrated its armour."""
    wound = pierce(r, actor, target, factor, hits, attempt, clauses, purpose)
    suffer(r, wound)
    return wound.penetrations


class Wound(NamedTuple):
    """Hits that penetrated a target's armour and have not taken effect yet."""

    actor: int
    target: int
    penetrations: int
    attempt: int
    clauses: Clauses
    sure: bool = False
    """Whether no die was rolled because the armour could not stop the hits."""


def pierce(
    r: Resolution,
    actor: int,
    target: int,
    factor: int,
    hits: int,
    attempt: int,
    clauses: Clauses = (),
    purpose: str = "armour",
) -> Wound:
    """Roll one die for each hit on a unit; count the hits that penetrate its armour."""
    unit = r.state.units[target]
    clauses = (*clauses, "AC-HOUSE-PEN")
    if works.armour_of(r.board, unit) != type_of(unit).armour:
        clauses = tuple(dict.fromkeys((*clauses, "AC-HOUSE-STRUCT")))  # its screen
    penetrations, sure = 0, False
    if hits > 0 and unit.alive:
        need = fire.penetrates_on(factor, works.armour_of(r.board, unit))
        sure = need <= 1
        if need <= 10:
            penetrations = (
                hits if sure else r.count(hits, need, purpose, actor, target, attempt, D10, clauses)
            )
    return Wound(actor, target, penetrations, attempt, clauses, sure)


def suffer(r: Resolution, wound: Wound) -> None:
    """Apply penetrating hits: soldiers are removed; machines roll on the damage table."""
    unit = r.state.units[wound.target]
    if not wound.penetrations or not unit.alive:
        return
    if type_of(unit).tough:
        for number in range(wound.penetrations):
            damage(r, wound.actor, wound.target, 16 * wound.attempt + number, wound.clauses)
    else:
        lose(r, wound.target, wound.penetrations, "penetrated", wound.clauses)


def lose(r: Resolution, target: int, soldiers: int, how: str, clauses: Clauses) -> int:
    """A unit loses soldiers; it tests morale for that at the turn's end. Returns how many it lost."""
    unit = r.state.units[target]
    lost = min(soldiers, unit.models)
    if lost <= 0:
        return 0
    if lost < unit.models:
        r.set(target, lost=unit_state(unit).lost + lost)
    r.lose(unit, lost, how, clauses)
    return lost


def damage(r: Resolution, actor: int, target: int, attempt: int, clauses: Clauses) -> None:
    """Roll the D10 of a penetrating hit on a vehicle, strongpoint or turret. A result that it cannot suffer (no weapon left,
    cannot move) counts as the next worse. For fixed units, mobility counts as weapon, and the loss of the last weapon destroys
    the unit (AC-HOUSE-AIM)."""
    unit = r.state.units[target]
    if not unit.alive:
        return
    cuts = (LOST_WEAPON, LOST_MOBILITY)
    rolled = r.total(1, D10, "damage", actor, target, attempt, clauses, cuts)
    fixed = type_of(unit).fixed
    result = result_of(bool(armed_mounts(unit)), not fixed and not unit_state(unit).immobile, fixed, rolled)
    if type_of(unit).fixed:
        clauses = (*clauses, "AC-HOUSE-AIM", *_FIXED[type_of(unit).kind])
    r.emit(Hit(target, result, clauses=clauses, cause=r.cause))
    mine = unit_state(unit)
    if result == DESTROYED:
        r.lose(unit, unit.models, "destroyed", clauses)
    elif result == MOBILITY:
        r.set(target, clauses, immobile=True)
    else:
        left = armed_mounts(unit)
        gone = left[r.pick(len(left), "which weapon", actor, target, attempt, clauses)]
        r.set(target, clauses, spent=tuple(sorted((*mine.spent, gone))), lost=mine.lost + 1)
        if type_of(unit).fixed and len(left) == 1:
            unit = r.state.units[target]
            r.lose(unit, unit.models, "silenced", clauses)


_FIXED: dict[str, Clauses] = {"strongpoint": ("AC-TYPE-6",), "turret": ("AC-TYPE-9",)}


def result_of(armed: bool, moves: bool, fixed: bool, rolled: int) -> str:
    """The result of a penetrating hit on a machine, by its D10. `armed`: one of its weapons works; `moves`: it can still move;
    `fixed`: it never could."""
    if rolled > LOST_MOBILITY:
        return DESTROYED
    if fixed:
        return WEAPON if armed else DESTROYED
    if rolled <= LOST_WEAPON and armed:
        return WEAPON
    return MOBILITY if moves else DESTROYED


CHAPTER = Chapter(owns=("AC-HOUSE-PEN", "AC-HOUSE-AIM", "AC-TYPE-6"))
