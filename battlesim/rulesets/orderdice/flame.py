"""Flamethrowers (OD-FLAME-1..4, OD-BUNK-2, the flame traits of OD-HOUSE-TRAITS).

Their targets and needs to hit are in `fire.py` and `line_of_sight.py`; burning buildings are in `collapse.py`. Read `spray`, then
`used`.
"""

from __future__ import annotations

from battlesim.core.items import Step
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    casualties,
    collapse,
    facts_fire,
    fire,
    ground,
    line_of_sight,
    morale,
    vehicles,
)
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import type_of, unit_state
from battlesim.rulesets.orderdice.structures import can_burn

CATCHES = 4
"""A building catches fire on this or more."""
EMPTY = 2
"""A flamethrower is empty on this or less after use."""
PIN_SIDES = 3
"""Flame gives D3 pins (OD-HOUSE-TRAITS)."""


class Spray(Step, frozen=True):
    """Flamethrowers (`throwers`) shoot D6 shots each at `target` (-1: at the empty floor `place`), from `opening` (-1: none)."""

    unit: int
    target: int
    place: int
    weapon: str
    number: int
    throwers: int
    need: int
    distance: int
    opening: int = -1


class Used(Step, frozen=True):
    """Flamethrowers (`slots` of the unit) have been used: the section shot at (-1: none) may catch fire, and they may be empty.
    `deserted`: the section was shot at as an empty building (OD-EMPTY-1)."""

    unit: int
    section: int
    number: int
    slots: tuple[int, ...]
    deserted: bool = False


def spray(r: Resolution, step: Spray) -> None:
    """Roll to hit, then for damage, which cover, shields and walls do not make harder; a unit that is hit takes D3 pins."""
    state = r.state
    unit = state.units[step.unit]
    if not unit.alive or step.target < 0 or not state.units[step.target].alive:
        return
    target = state.units[step.target]
    weapon, kind = WEAPONS[step.weapon], type_of(target)
    clauses: Clauses = ("OD-HOUSE-SHOOT", "OD-HOUSE-TRAITS", "OD-FLAME-2")
    clauses += line_of_sight.clauses_from(r.board, unit.place)
    if ground.in_bunker(r.board, target):
        clauses += ("OD-BUNK-1", "OD-BUNK-2")
    elif ground.inside(r.board, target):
        clauses += ("OD-FLAME-1", "OD-AT-5")
    shots = r.total(step.throwers, 6, "flame shots", unit.id, target.id, step.number)
    hits = fire.roll_hits(r, unit.id, target.id, step.number, shots, step.need, clauses)
    margins: list[int] = []
    if kind.vehicle:
        struck = vehicles.struck_by(r.board, unit.place, step.opening, target, weapon, step.distance)
        far = vehicles.is_far(weapon, step.distance)
        margins = vehicles.pierce(
            r, unit.id, target.id, hits, weapon.penetration, struck, far, step.number, clauses
        )
        damage = len(margins)
    else:
        damage = fire.roll_damage(r, unit.id, target, step.number, hits, weapon.penetration)
    r.because(
        Shot(
            unit.id,
            target.id,
            weapon.name,
            shots,
            step.need,
            hits,
            damage,
            step.distance,
            clauses=clauses,
        )
    )
    if not hits:
        return
    pins = r.total(1, PIN_SIDES, "flame pins", unit.id, target.id, step.number)
    morale.add_pins(r, target.id, pins, ("OD-HOUSE-TRAITS",))
    if kind.vehicle:
        vehicles.suffer(r, unit.id, target.id, margins, step.number)
    else:
        casualties.lose(r, target.id, damage, "burnt", ("OD-HOUSE-DAMAGE",))


def used(r: Resolution, step: Used) -> None:
    """The flamethrower is empty on 1-2. A building catches fire on 4-6, whether or not anybody in it was hit."""
    unit = r.state.units[step.unit]
    faces = r.roll(
        len(step.slots), 6, "fuel", unit.id, step.section, step.number, EMPTY + 1, ("OD-HOUSE-TRAITS",)
    )
    spent = [slot for slot, face in zip(step.slots, faces, strict=True) if face <= EMPTY]
    if spent:
        r.emit(facts_fire.FuelSpent(unit=unit.id, number=len(spent), clauses=("OD-HOUSE-TRAITS",)))
        r.set(unit.id, ("OD-HOUSE-TRAITS",), spent=tuple(sorted((*unit_state(unit).spent, *spent))))
    if step.section < 0 or not can_burn(r.state, r.board, step.section):
        return
    clauses: Clauses = ("OD-FLAME-3", "OD-EMPTY-1") if step.deserted else ("OD-FLAME-3",)
    if r.count(len(step.slots), CATCHES, "catch fire", unit.id, step.section, step.number, 6, clauses):
        collapse.burn(r, step.section, ("OD-FLAME-3",))


CHAPTER = Chapter(
    owns=("OD-FLAME-1", "OD-FLAME-2", "OD-FLAME-3", "OD-FLAME-4"),
    steps={Spray: spray, Used: used},
)
