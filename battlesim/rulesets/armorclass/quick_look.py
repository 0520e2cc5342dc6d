"""Fire at a glance: what a volley may cost a unit at a distance, kept by the few facts that matter. Read `volley_loss`.

For looking at many places: fire through walls and into openings, and bystanders, are left to `estimates.py`. Nothing here decides
a rule.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.rulesets.armorclass import concealment, expected, fire
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.expected import Blow, Target, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.model import type_of, unit_state, working
from battlesim.rulesets.armorclass.outcomes import caught_by, target_of

LOOKS = 1.5
"""How often in a turn somebody who sees a unit looks for it: before he acts, and again after moving."""


class Profile(Struct, frozen=True):
    """What is the same of a unit wherever it stands: points that what is left of it is worth; its type and the weapons that work;
    the unit as attacks know it, and what it wears; by how much its fire shows (the signature of its loudest weapon)."""

    worth: float
    shooter: tuple[str, tuple[int, ...]]
    target: Target
    armour: int
    signature: int


@memo(bound=8_192)
def _profile(target: Target, spent: tuple[int, ...], armour: int) -> Profile:
    """`profile_of` what is left of a type of unit."""
    worth = TYPES[target.kind].worth * expected.worth_at(target, expected.condition_of(target))
    shooter = (target.kind, working(target.kind, target.models, spent))
    signature = max((group.weapon.signature for group in fire.groups(*shooter)), default=0)
    return Profile(worth, shooter, target, armour, signature)


def profile_of(unit: Unit, armour: int) -> Profile:
    """What is the same of a unit wherever it stands. `armour`: what attacks on it meet (`works.armour_of`)."""
    return _profile(target_of(unit), unit_state(unit).spent, armour)


def worth(unit: Unit) -> float:
    """Points that what is left of a unit is worth."""
    return profile_of(unit, type_of(unit).armour).worth


@memo(bound=1 << 15)
def volley_loss(
    shooter: tuple[str, tuple[int, ...]],
    target: Target,
    armour: int,
    distance: int,
    level: int,
    stationary: bool,
    moved_far: bool,
    suppressed: bool,
    room: int,
    shaken: float,
) -> float:
    """Points that a volley is expected to cost a target: shooter as (type, working weapons), over a distance (`fire.as_far`),
    `level` of concealment, spread over `room`. `shaken`: share of a unit that being suppressed costs it."""
    blows = []
    for group in fire.groups(*shooter):
        weapon = group.weapon
        pierce = goes_through(weapon.factor, armour)
        if weapon.lobbed or weapon.range < distance or not pierce:
            continue
        on = fire.hit_on(fire.third(distance, weapon.range), level, stationary, moved_far, suppressed)
        caught = caught_by(target.models, weapon.radius, room, False)
        blows.append(Blow(group.shots, at_most(on), 1.0, 1.0, pierce, caught))
    return points_of(expected.toll(tuple(blows), target), target, TYPES[target.kind].cohesion, shaken)


def points_of(toll: Toll, target: Target, cohesion: int, shaken: float) -> float:
    """Points that a toll costs a unit: what it loses, and the nerve of what is left."""
    one = TYPES[target.kind]
    lost = one.worth * toll.worth
    if cohesion and shaken:
        left = expected.worth_at(target, expected.condition_of(target)) - toll.worth
        lost += shaken * (1.0 - at_most(cohesion)) * toll.shaken * one.worth * left
    return lost


@memo(bound=64)
def _found(need: int) -> float:
    """The chance that somebody who sees a unit finds it in a turn, on a D10 of at most `need` a look (AC-HOUSE-DETECT)."""
    return float(1.0 - (1.0 - at_most(need)) ** LOOKS)


def found(level: int, fired: int) -> float:
    """The chance that a unit is found where it is by those who see it. `fired`: the signature of what it has fired, -1 nothing
    (AC-CONC-1)."""
    if fired < 0:
        return _found(concealment.FOUND_ON[level])
    return _found(concealment.FOUND_ON[min(level, concealment.MORE)] + fired)
