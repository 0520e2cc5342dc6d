"""Quick estimates of fire: the expected loss from a volley at a distance, cached by its deciding facts. Read `volley_loss`.

Used to judge many places: fire at a unit in sight (`volley_loss`), or at the wall before it (`wall_loss`). Fire into openings and
bystanders are left to `estimates.py`. Nothing here decides a rule.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.rulesets.armorclass import concealment, expected, fire, volleys
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.expected import Blow, Target, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.model import Options, type_of, unit_state, working
from battlesim.rulesets.armorclass.outcomes import caught_by, points_cost, target_of
from battlesim.rulesets.armorclass.volleys import Firer

LOOKS = 1.5
"""How often in a turn an enemy that sees a unit tries to find it: before it acts, and again after moving."""


class Profile(Struct, frozen=True):
    """What does not depend on where a unit stands: the worth of what is left of it, in points; its type and working weapons; the
    unit as a `Target`; its armour; and the highest signature of its weapons (AC-CONC-1)."""

    worth: float
    shooter: tuple[str, tuple[int, ...]]
    target: Target
    armour: int
    signature: int


@memo(bound=8_192)
def _profile(target: Target, spent: tuple[int, ...], armour: int) -> Profile:
    """`profile_of` a unit by the facts that decide it."""
    worth = TYPES[target.kind].worth * expected.worth_at(target, expected.condition_of(target))
    shooter = (target.kind, working(target.kind, target.models, spent))
    signature = max((group.weapon.signature for group in fire.groups(*shooter)), default=0)
    return Profile(worth, shooter, target, armour, signature)


def profile_of(unit: Unit, armour: int) -> Profile:
    """The profile of a unit. `armour`: its armour against attacks (`works.armour_of`)."""
    return _profile(target_of(unit), unit_state(unit).spent, armour)


def worth(unit: Unit) -> float:
    """The worth of what is left of a unit, in points."""
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
    """The expected loss of a target to a volley, in points. `shooter`: (type, working weapons); `distance`: as `fire.as_far`;
    `level`: concealment; `room`: the target is spread over it; `shaken`: the share of a unit's worth that suppression costs."""
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


@memo(bound=1 << 13)
def wall_loss(
    firer: Firer,
    target: Target,
    armour: int,
    distance: int,
    wall: int,
    indoors: bool,
    suppressed: bool,
    room: int,
    options: Options,
    stands: int,
    shaken: float,
) -> float:
    """The expected loss, in points, of a known target to a volley at the wall (`indoors`) or bank before it, of class `wall`.
    `stands`: structure points left of the building; 0 if not used. The others: `volley_loss`."""
    most = summed(g.shots * max(points_cost(options, g.weapon)) for g in fire.direct(firer, distance))
    may_fall = stands if stands <= most else 0  # what one volley cannot bring down need not be counted
    volley = volleys.at_wall(
        firer, distance, wall, False, indoors, suppressed, room, options, may_fall, ((target, armour),), 0
    )
    return points_of(volley.tolls[0], target, TYPES[target.kind].cohesion, shaken)


def points_of(toll: Toll, target: Target, cohesion: int, shaken: float) -> float:
    """The points that a toll costs a unit: its losses, and the expected cost of suppression of the rest."""
    one = TYPES[target.kind]
    lost = one.worth * toll.worth
    if cohesion and shaken:
        left = expected.worth_at(target, expected.condition_of(target)) - toll.worth
        lost += shaken * (1.0 - at_most(cohesion)) * toll.shaken * one.worth * left
    return lost


@memo(bound=64)
def _found(need: int) -> float:
    """The chance that an enemy that sees a unit finds it in a turn; each try needs at most `need` on a D10 (AC-HOUSE-DETECT)."""
    return float(1.0 - (1.0 - at_most(need)) ** LOOKS)


def found(level: int, fired: int) -> float:
    """The chance that a unit is found by an enemy that sees it. `fired`: the signature of the weapon it fired; -1: none
    (AC-CONC-1)."""
    if fired < 0:
        return _found(concealment.FOUND_ON[level])
    return _found(concealment.FOUND_ON[min(level, concealment.MORE)] + fired)
