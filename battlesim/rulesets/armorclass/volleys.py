"""The expected results of volleys, computed once for all positions with the same weapons and targets.

The functions read no position, and their results are cached for the whole process. `estimates.py` finds the facts of a position
and looks the result up. Nothing here decides a rule. Read `aimed` and `at_wall`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.evaluation.distributions import any_of
from battlesim.rulesets.armorclass import expected, fire
from battlesim.rulesets.armorclass.expected import Blow, Target, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import Options
from battlesim.rulesets.armorclass.outcomes import on_target, points_cost, starts_on

Firer = tuple[str, int, tuple[int, ...]]
"""What is left of a unit that fires: type, models, weapons lost or used up."""


def firer_of(unit: Unit) -> Firer:
    """What is left of a unit that fires."""
    return unit.kind, unit.models, unit.own.spent


class AimedVolley(NamedTuple):
    """A volley at a unit in sight: its weapons, their blows before the target's armour counts, their blows on the target, and the
    target's toll."""

    groups: tuple[Group, ...]
    blows: tuple[Blow, ...]
    struck: tuple[Blow, ...]
    toll: Toll


@memo(bound=1 << 13)
def aimed(
    firer: Firer,
    distance: int,
    level: int,
    steady: bool,
    far: bool,
    shaky: bool,
    target: Target,
    armour: int,
    room: int,
) -> AimedVolley:
    """A volley over a distance (`fire.as_far`) at a target with concealment `level`, spread over `room`. `steady`: the firer
    stands still; `far`: it has moved far; `shaky`: it is suppressed."""
    groups = tuple(group for group in fire.direct(firer, distance) if fire.harms(group.weapon, armour))
    blows = _blows(groups, distance, level, steady, far, shaky, 0)
    struck = on_target(target.models, armour, blows, groups, room, False)
    return AimedVolley(groups, blows, struck, expected.toll(struck, target))


@memo(bound=1 << 12)
def into(
    firer: Firer, distance: int, steady: bool, far: bool, shaky: bool, size: int
) -> tuple[tuple[Group, ...], tuple[Blow, ...]]:
    """The weapons with an effect area in range (`fire.as_far`), and their blows into an opening of a size."""
    groups = tuple(group for group in fire.direct(firer, distance) if group.weapon.radius)
    return groups, _blows(groups, distance, 0, steady, far, shaky, size)


def _blows(
    groups: Sequence[Group], distance: int, level: int, steady: bool, far: bool, shaky: bool, size: int
) -> tuple[Blow, ...]:
    thirds = [fire.third(distance, group.weapon.range) for group in groups]
    needs = [fire.hit_on(third, level, steady, far, shaky, size) for third in thirds]
    return tuple(
        Blow(group.shots, at_most(need), 1.0, 1.0, 0.0) for group, need in zip(groups, needs, strict=True)
    )


class WallVolley(NamedTuple):
    """A volley at a wall or bank: its weapons, their blows on it, the tolls of the units behind it, the chances that it destroys
    the floor or section (`falls`), opens a breach as wide as a door in an intact wall (`breaches`), hits at all (`hit`), and
    would set alight what it hits (`starts`); mean structure points lost."""

    groups: tuple[Group, ...]
    blows: tuple[Blow, ...]
    tolls: tuple[Toll, ...]
    falls: float
    breaches: float
    hit: float
    starts: float
    points: float


@memo(bound=1 << 13)
def at_wall(
    firer: Firer,
    distance: int,
    wall: int,
    burns: bool,
    indoors: bool,
    shaky: bool,
    room: int,
    options: Options,
    stands: int,
    inside: tuple[tuple[Target, int], ...],
    known: int,
) -> WallVolley:
    """A volley over a distance (`fire.as_far`) at a wall of some class, or (not `indoors`) at the bank of a field work. `burns`:
    it may be set alight. `stands`: structure points left; 0 if not used. `inside`: (target, armour) of each unit behind it;
    `known`: the index of the unit fired at; -1 on suspicion."""
    weak = options.variant > 1, options.fires and burns
    groups = tuple(g for g in fire.direct(firer, distance) if fire.harms(g.weapon, wall, *weak))
    blows = _at_wall(groups, wall, indoors, shaky, room, options, known >= 0)
    tolls = []
    for number, (target, armour) in enumerate(inside):
        struck = on_target(target.models, armour, blows, groups, room, True)
        if known < 0:  # a shot without an effect area strikes one of them
            struck = tuple(b if b.caught else b._replace(picked=1 / len(inside)) for b in struck)
        elif number != known:
            struck = tuple(b if b.caught else b._replace(inside=0.0) for b in struck)
        tolls.append(expected.toll(struck, target, stands))
    falls = points = 0.0
    if indoors:
        falls = expected.falls(blows, stands)
        points = expected.points_lost(blows, stands) if stands else 0.0
    breaches = 1.0
    for blow, group in zip(blows, groups, strict=True):
        if group.weapon.radius:
            breaches *= 1.0 - any_of(blow.shots, blow.hit * blow.wall)
    strikes = [any_of(blow.shots, blow.hit) for blow in blows]
    hit = 1.0 - prod(1.0 - chance for chance in strikes)
    needs = [starts_on(options, group) for group in groups]
    starts = expected.takes_fire(zip(strikes, needs, strict=True))
    return WallVolley(groups, blows, tuple(tolls), falls, 1.0 - breaches, hit, starts, points)


def _at_wall(
    groups: Sequence[Group], wall: int, indoors: bool, shaky: bool, room: int, options: Options, known: bool
) -> tuple[Blow, ...]:
    """The blows of weapons on a wall of some class: their chances to penetrate, and the damage to it."""
    hit = at_most(fire.structure_on(shaky))
    chances = fire.KNOWN if known else fire.POSSIBLE
    found = []
    for group in groups:
        weapon = group.weapon
        fells = (
            indoors
            and options.damage == "guidelines"
            and weapon.radius > 0
            and fire.covers_half(weapon.radius, room, half=True)
        )
        points = points_cost(options, weapon) if indoors else (0, 0)
        through, inside = goes_through(weapon.factor, wall), at_most(chances[weapon.cls])
        found.append(Blow(group.shots, hit, through, inside, 0.0, (), points, fells))
    return tuple(found)
