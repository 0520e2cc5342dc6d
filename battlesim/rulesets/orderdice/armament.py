"""The weapons that a unit can fire, with their ranges and effects.

OD-HOUSE-TRAITS, OD-HOUSE-FACING, OD-HOUSE-MOUNT, OD-IND-1. A pure function of type, models and spent weapons, computed once for
each; `bearings.py` says what a weapon can hit. Read `armament`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.geometry import in_arc
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.rulesets.orderdice.data import TYPES, WEAPONS, Weapon

ARMOURED = 7
"""Small arms can do nothing to armour of this and more (OD-HOUSE-DAMAGE, OD-HOUSE-TRAITS)."""
BLOWS_DOWN = 3
"""Shells of this class or more, 2D6 hits and up, can bring a house down (OD-HE-5)."""

Ranges = tuple[int, int]
"""The longest ranges of small arms and flame, which need an opening, and of heavy weapons and shells, which need a wall; -1 for
none."""
SOFT_SKINNED = 1
"""Classes of targets: men (0), soft-skinned vehicles (1), armour that small arms cannot harm (2)."""


class Arm(Struct, frozen=True):
    """A weapon a unit can fire now. `index`: its slot or mount; `mount`: "", turret or hull; `alone`: the last man of a team
    weapon's crew; `turns`: it fires only in 90 degrees around the unit's facing, like hull guns and artillery."""

    index: int
    weapon: Weapon
    mount: str = ""
    alone: bool = False
    turns: bool = False


class Bearer(Struct, frozen=True, gc=False):
    """The facts of a unit that decide what its weapons can hit; fields as in `Unit` and `UnitState`."""

    place: int
    kind: str
    models: int
    spent: tuple[int, ...]
    facing: int
    opening: int


class Armament(Struct, frozen=True):
    """All weapons without the slots or mounts `spent`: `arms` in the order in which the men survive.

    `reach`: the longest range, 0: none. `lobs`: some can fire indirectly. `harms_buildings`: some can bring a building down or
    set it on fire. `still`: none fires after a move. `turns`: the unit's facing matters for some. `ranges`: by class of target,
    if they alone decide what the weapons can hit; None for units whose arcs, carriages or trajectories matter too.
    """

    spent: tuple[int, ...]
    arms: tuple[Arm, ...]
    reach: int
    lobs: bool
    harms_buildings: bool
    still: bool
    turns: bool
    ranges: tuple[Ranges, Ranges, Ranges] | None


@memo(bound=16_384)
def armament(kind: str, models: int, spent: tuple[int, ...]) -> Armament:
    """What so many models of a type can fire, without the weapons spent."""
    arms = _arms(kind, models, spent)
    simple = TYPES[kind].infantry and not any(arm.weapon.fixed or arm.weapon.indirect for arm in arms)
    return Armament(
        spent,
        arms,
        max((arm.weapon.range for arm in arms), default=0),
        any(arm.weapon.indirect for arm in arms),
        any(arm.weapon.flame or arm.weapon.he >= BLOWS_DOWN for arm in arms),
        all(arm.weapon.fixed and not arm.mount for arm in arms),
        any(arm.turns for arm in arms),
        (_ranges(arms, 0), _ranges(arms, SOFT_SKINNED), _ranges(arms, 2)) if simple else None,
    )


def armament_of(unit: Unit, used: tuple[int, ...] = ()) -> Armament:
    """What a unit can fire now, without the slots already `used` this action."""
    spent = unit.own.spent
    return armament(unit.kind, unit.models, (*spent, *used) if used else spent)


def bearer_of(unit: Unit, spent: tuple[int, ...]) -> Bearer:
    """A unit as the bearer of its weapons, without those `spent`."""
    return Bearer(unit.place, unit.kind, unit.models, spent, unit.facing, unit.own.opening)


def _arms(kind: str, models: int, spent: tuple[int, ...]) -> tuple[Arm, ...]:
    unit_type = TYPES[kind]
    if unit_type.vehicle:
        mounts = enumerate(unit_type.mounts)
        return tuple(
            Arm(i, WEAPONS[name], mount, False, mount == "hull")
            for i, (mount, name) in mounts
            if i not in spent
        )
    arms: list[Arm] = []
    for i, name in enumerate(unit_type.slots[:models]):
        if name and i not in spent:
            weapon = WEAPONS[name]
            served = i + 1 < models and unit_type.slots[i + 1] == ""
            arms.append(Arm(i, weapon, "", weapon.team and not served, unit_type.artillery))
    return tuple(arms)


def _ranges(arms: Iterable[Arm], against: int) -> Ranges:
    small = heavy = -1
    for arm in arms:
        weapon = arm.weapon
        if against > SOFT_SKINNED and weapon.small:
            continue
        if weapon.small or weapon.flame:
            small = max(small, weapon.range)
        else:
            heavy = max(heavy, weapon.range)
    return small, heavy


def _class_of(armour: int) -> int:
    return 2 if armour >= ARMOURED else SOFT_SKINNED if armour else 0


CLASSES = {name: _class_of(kind.armour) for name, kind in TYPES.items()}
"""The target class of each type of unit."""


# ---- one weapon ------------------------------------------------------------------------------------------------------


def mode_of(weapon: Weapon, armoured: bool) -> str:
    """How a weapon is resolved: shells burst among men; against armour they pierce if the weapon has penetration."""
    if weapon.flame:
        return "flame"
    if weapon.he and not (armoured and weapon.penetration):
        return "he"
    return "small" if weapon.small else "ap"


def in_range(weapon: Weapon, far: int) -> bool:
    """Whether a distance is within the range and not below the minimum of indirect fire (OD-IND-1)."""
    return weapon.minimum <= far <= weapon.range


def bears(board: Board, unit: Bearer, arm: Arm, target: int) -> bool:
    """Whether a weapon's arc allows a target: turrets and men fire all round; hull guns and artillery 90 degrees around their
    facing, which inside is that of their opening (OD-HOUSE-FACING, OD-HOUSE-GUN, OD-GUN-2)."""
    if not arm.turns:
        return True
    opening = unit.opening
    origin = board.openings[opening].point if opening >= 0 else board.spaces[unit.place].point
    return in_arc(origin, unit.facing, board.spaces[target].point)


def may_fire(board: Board, unit: Bearer, arm: Arm, place: int, against: int, moved: bool) -> bool:
    """Whether a weapon may be fired at a target of a class in a place, apart from firing points and sight."""
    weapon = arm.weapon
    if weapon.fixed and moved and not arm.mount:  # OD-HOUSE-MOUNT
        return False
    if against > SOFT_SKINNED and weapon.small:
        return False
    return bears(board, unit, arm, place)
