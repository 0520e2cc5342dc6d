"""What fire and assaults may be expected to cost: plain estimates in points of worth, for agents that weigh.

Nothing here decides a rule. Every chance comes from the functions of the chapters that do (`fire`, `concealment`, `damage`). Read
`volley_loss` (one volley) and `assault_odds`.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.geometry import INCH
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.rulesets.armorclass import blaze, concealment, damage, fire, flames
from battlesim.rulesets.armorclass.assault import ROUNDS
from battlesim.rulesets.armorclass.data import TYPES, WEAPONS
from battlesim.rulesets.armorclass.model import type_of, unit_state, working

BAND = 3 * INCH
"""Quick looks tell distances apart by this much."""
FOUND: tuple[float, ...] = (0.95, 0.85, 0.7, 0.5, 0.06)
"""Chance that a unit is found by those who see it for a turn or so, by concealment."""
HARM = 0.45
"""Share of a machine's worth that one penetrating hit costs it (AC-HOUSE-PEN)."""
NERVE = 0.06
"""Share of a unit's worth that a loss costs it besides: it may be suppressed."""


Target = tuple[str, int, int, int]
"""A target as the estimates know it: kind, models, full strength, armour class."""


class Measure(Struct, frozen=True):
    """What is the same of a unit wherever it stands: points that what is left of it is worth, and the unit as `volley_loss` knows
    shooters and targets."""

    worth: float
    shooter: tuple[str, tuple[int, ...]]
    target: Target


@memo(bound=8_192)
def _measure(
    kind: str, models: int, full: int, spent: tuple[int, ...], immobile: bool, armour: int
) -> Measure:
    """`measure` of what is left of a type of unit."""
    one, mounts = TYPES[kind], working(kind, models, spent)
    if one.tough:
        left = len(mounts) / max(len(one.mounts), 1)
        worth = one.worth * (0.4 + 0.6 * left) * (0.85 if immobile and not one.fixed else 1.0)
    else:
        worth = one.worth * models / max(full, 1)
    return Measure(worth, (kind, mounts), (kind, models, full, armour))


def measure(unit: Unit, armour: int) -> Measure:
    """What is the same of a unit wherever it stands. `armour`: what attacks on it meet (`works.armour_of`)."""
    mine = unit_state(unit)
    return _measure(unit.kind, unit.models, mine.full, mine.spent, mine.immobile, armour)


def worth(unit: Unit) -> float:
    """Points that what is left of a unit is worth."""
    return measure(unit, type_of(unit).armour).worth


def chance(need: int) -> float:
    """Chance of a D10 of at most `need`."""
    return min(max(need, 0), 10) / 10


def goes_through(factor: int, armour: int) -> float:
    """Chance that an attack factor penetrates a class."""
    return (11 - fire.penetrates_on(factor, armour)) / 10


def cost(kind: str, models: int, full: int, through: float) -> float:
    """Points that so many penetrating hits cost a target, on average."""
    one = TYPES[kind]
    if one.tough:
        return one.worth * (1 - (1 - HARM) ** through) if through < 20 else float(one.worth)
    lost = min(through, float(models))
    return one.worth * (lost / max(full, 1) + NERVE * min(1.0, lost))


@memo(bound=1 << 15)
def volley_loss(
    shooter: tuple[str, tuple[int, ...]],
    target: Target,
    band: int,
    level: int,
    stationary: bool,
    moved_far: bool,
    suppressed: bool,
    room: int,
) -> float:
    """Expected points that a volley costs a target: shooter as (kind, working weapons), at `band` times 3 inches,
    `level` of concealment, spread over `room`."""
    kind, models, full, armour = target
    distance, through = band * BAND, 0.0
    for group in fire.groups(*shooter):
        weapon = group.weapon
        if weapon.lobbed or weapon.range < distance:
            continue
        on = fire.hit_on(fire.third(distance, weapon.range), level, stationary, moved_far, suppressed)
        hits = group.shots * chance(on)
        if weapon.radius:
            hits *= fire.caught(models, weapon.radius, room, half=False)
        through += hits * goes_through(weapon.factor, armour)
    return cost(kind, models, full, through)


@memo(bound=1 << 12)
def behind_wall(
    shooter: tuple[str, tuple[int, ...]],
    target: Target,
    distance: int,
    wall: int,
    room: int,
    known: bool,
    suppressed: bool,
) -> float:
    """Expected points that a volley through a wall costs a target behind it."""
    kind, models, full, armour = target
    through = 0.0
    hit = chance(fire.structure_on(suppressed))
    for group in fire.groups(*shooter):
        weapon = group.weapon
        if weapon.lobbed or weapon.range < distance:
            continue
        in_ = group.shots * hit * goes_through(weapon.factor, wall)
        if weapon.radius:
            in_ *= fire.caught(models, weapon.radius, room, half=True)
        else:
            in_ *= chance((fire.KNOWN if known else fire.POSSIBLE)[weapon.cls])
        through += in_ * goes_through(weapon.factor, armour)
    return cost(kind, models, full, through)


@memo(bound=1 << 12)
def into(
    shooter: tuple[str, tuple[int, ...]],
    target: Target,
    distance: int,
    size: int,
    stationary: bool,
    suppressed: bool,
    room: int,
) -> float:
    """Expected points that effect areas into an opening cost a target behind it."""
    kind, models, full, armour = target
    through = 0.0
    for group in fire.groups(*shooter):
        weapon = group.weapon
        if weapon.lobbed or not weapon.radius or weapon.range < distance:
            continue
        on = fire.hit_on(fire.third(distance, weapon.range), 0, stationary, False, suppressed, size)
        struck = fire.caught(models, weapon.radius, room, half=False)
        through += group.shots * chance(on) * struck * goes_through(weapon.factor, armour)
    return cost(kind, models, full, through)


@memo(bound=1 << 12)
def lobbed(
    shooter: tuple[str, tuple[int, ...]], target: Target, distance: int, roof: int, room: int
) -> float:
    """Expected points that indirect fire costs a target under a roof of some class (0: none)."""
    kind, models, full, armour = target
    through = 0.0
    for group in fire.groups(*shooter):
        weapon = group.weapon
        if not weapon.indirect or weapon.range < distance:
            continue
        struck = fire.caught(models, weapon.radius, room, half=False)
        lands = chance(fire.LOB_ON) * (goes_through(weapon.factor, roof) if roof else 1.0)
        through += group.shots * lands * struck * goes_through(weapon.factor, armour)
    return cost(kind, models, full, through)


@memo(bound=1 << 10)
def points_taken(shooter: tuple[str, tuple[int, ...]], wall: int, variant: int) -> float:
    """Structure points that a volley costs a section, on average."""
    total, hit = 0.0, chance(fire.STRUCTURE_ON)
    for group in fire.groups(*shooter):
        weapon = group.weapon
        through = goes_through(weapon.factor, wall)
        area = weapon.radius > 0
        total += group.shots * hit * through * damage.points_lost(variant, weapon.factor, area, True)
        total += group.shots * hit * (1 - through) * damage.points_lost(variant, weapon.factor, area, False)
    return total


def burnt(unit: Unit, times: int) -> float:
    """Expected points that so many attacks by fire cost a unit (AC-FIRE-4)."""
    if times <= 0:
        return 0.0
    models, full = unit.models, unit_state(unit).full
    through = goes_through(flames.FACTOR, type_of(unit).armour)
    if type_of(unit).tough:
        return cost(unit.kind, models, full, times * models * through)
    return cost(unit.kind, models, full, models * (1 - (1 - through) ** times))


def catches(shooter: tuple[str, tuple[int, ...]], distance: int, weather: str, suppressed: bool) -> float:
    """Chance that a volley sets what it strikes on fire (AC-FIRE-1)."""
    best, missed = 0, 1.0
    for group in fire.groups(*shooter):
        weapon = group.weapon
        if not weapon.lobbed and weapon.range >= distance:
            missed *= (1 - chance(fire.structure_on(suppressed))) ** group.shots
            best = max(best, blaze.starts_on(weapon.type, weather))
    return (1 - missed) * chance(best)


def charge_loss(unit: Unit, target: Unit, armour: int) -> float:
    """Expected points that demolition charges cost a machine in contact of some armour class."""
    through = sum(
        goes_through(WEAPONS[name].factor, armour) for name in type_of(unit).tools if WEAPONS[name].charge
    )
    return cost(target.kind, target.models, unit_state(target).full, through)


def found(level: int, fired: bool) -> float:
    """Chance that a unit is found where it is."""
    return FOUND[concealment.MORE if fired and level == concealment.TOTAL else level]


# ---- close combat


@memo(bound=1_024)
def _pair(ahead: int) -> tuple[float, float]:
    """(wins, loses) of one pair whose first die has `ahead` added."""
    wins = sum(a + ahead > b for a in range(1, 11) for b in range(1, 11))
    ties = sum(a + ahead == b for a in range(1, 11) for b in range(1, 11))
    return wins / 100, (100 - wins - ties) / 100


@memo(bound=8_192)
def assault_odds(
    models: int, foes: int, melee: int, their_melee: int, rounds: int = ROUNDS
) -> tuple[float, float, float, float]:
    """(assaulters win, assaulters are gone, soldiers they lose, soldiers they kill) of an assault, exactly."""
    if not models or not foes:
        return (float(not foes and models > 0), float(not models), 0.0, 0.0)
    if not rounds:
        return (0.0, 0.0, 0.0, 0.0)
    pairs = min(models, foes)
    ours, theirs = max(0, models - foes), max(0, foes - models)
    spread = {(0, 0): 1.0}
    for i in range(pairs):
        ahead = (
            melee - their_melee + ours // pairs + (i < ours % pairs) - theirs // pairs - (i < theirs % pairs)
        )
        win, lose = _pair(ahead)
        after: dict[tuple[int, int], float] = {}
        for (lost, killed), p in spread.items():
            for state, q in (
                ((lost, killed + 1), win),
                ((lost + 1, killed), lose),
                ((lost, killed), 1 - win - lose),
            ):
                after[state] = after.get(state, 0.0) + p * q
        spread = after
    total = [0.0, 0.0, 0.0, 0.0]
    for (lost, killed), p in spread.items():
        rest = assault_odds(models - lost, foes - killed, melee, their_melee, rounds - 1)
        total[0] += p * rest[0]
        total[1] += p * rest[1]
        total[2] += p * (rest[2] + lost)
        total[3] += p * (rest[3] + killed)
    return (total[0], total[1], total[2], total[3])
