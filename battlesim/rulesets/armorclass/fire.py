"""The tables of fire as pure functions: ranges, hits, penetration, effect areas (AC-HOUSE-HIT, AC-HOUSE-PEN, AC-HOUSE-AREA).

Resolution, features and odds use the same functions. Read `hit_on` and `penetrates_on`.
"""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct

from battlesim.core.geometry import INCH
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass.data import FIRE, TYPES, WEAPONS, Weapon
from battlesim.rulesets.armorclass.model import working

BASE: tuple[int, int, int] = (7, 5, 3)
"""The highest D10 roll that hits at short, medium and long range."""
STRUCTURE_ON, LOB_ON = 9, 4
"""The highest D10 roll that hits a structure (AC-HOUSE-HIT), or hits by indirect fire (AC-HOUSE-INDIRECT)."""
SIZES: dict[str, int] = {"window": -1, "door": 0, "gap": 0, "slit": -3, "parapet": 0}
"""The modifier of an opening's size to the number to hit (AC-HOUSE-DATA); gaps are as wide as doors."""
SUPPRESSED = 2
"""A suppressed unit hits on a number lower by this (AC-HOUSE-MORALE)."""
KNOWN: dict[str, int] = {"single": 3, "beam": 3, "automatic": 4, "pulse": 4, "rotary": 5}
"""After penetrating, one enemy known to be inside is hit on a D10 of at most this (AC-KNOWN-1)."""
POSSIBLE: dict[str, int] = {"single": 1, "beam": 1, "automatic": 2, "pulse": 2, "rotary": 3}
"""The same if an enemy may be inside (AC-EXPL-1)."""
OPEN_AREA = (3 * INCH) ** 2
"""The room that a unit takes up in the open: a square of three inches."""
DEADLY = 7
"""A soldier on a destroyed floor dies on a D10 of at most this (AC-HOUSE-STRUCT)."""


def third(distance: int, reach: int) -> int:
    """0 short, 1 medium, 2 long range; -1 out of range."""
    if distance > reach:
        return -1
    return 0 if 3 * distance <= reach else 1 if 3 * distance <= 2 * reach else 2


@memo(bound=8_192)
def hit_on(band: int, level: int, stationary: bool, moved_far: bool, suppressed: bool, size: int = 0) -> int:
    """The highest D10 roll on which a shot hits: a 1 always hits, a 10 never. `level`: concealment 0-4; `size`: of an opening."""
    need = BASE[band] + stationary - moved_far - min(level, 3) + size - (SUPPRESSED if suppressed else 0)
    return max(1, min(9, need))


def penetrates_on(factor: int, armour: int) -> int:
    """The lowest D10 roll on which an attack factor penetrates an armour class; 1: always, 11: never."""
    return max(1, min(11, 6 + armour - factor))


def structure_on(suppressed: bool) -> int:
    """The highest D10 roll on which a structure is hit (AC-HOUSE-HIT)."""
    return STRUCTURE_ON - (SUPPRESSED if suppressed else 0)


def circle(radius: int) -> int:
    """The area of an effect area, in hundredths of an inch squared."""
    return 314159 * radius * radius // 100000


def caught(models: int, radius: int, area: int, half: bool) -> int:
    """How many of a unit's models lie within an effect area on their space: the area's share of the space's `area`, rounded up
    (AC-HOUSE-AREA). `half`: only half of the effect area is inside."""
    burst = circle(radius) // 2 if half else circle(radius)
    return min(models, -(-models * burst // max(area, 1)))


def covers_half(radius: int, area: int, half: bool) -> bool:
    """Whether an effect area covers half of a floor, which destroys it (AC-HOUSE-STRUCT)."""
    burst = circle(radius) // 2 if half else circle(radius)
    return 2 * burst >= area


class Group(Struct, frozen=True):
    """Weapons of one kind that fire together. `mounts`: by index."""

    weapon: Weapon
    mounts: tuple[int, ...]

    @property
    def shots(self) -> int:
        """Shots of all its weapons in one volley."""
        return self.weapon.shots * len(self.mounts)


@memo(bound=8_192)
def groups(kind: str, mounts: tuple[int, ...]) -> tuple[Group, ...]:
    """The working weapons of a unit, grouped by kind."""
    one = TYPES[kind]
    names = one.slots if one.soldiers else one.mounts
    found: dict[str, list[int]] = {}
    for number in mounts:
        if names[number]:
            found.setdefault(names[number], []).append(number)
    return tuple(Group(WEAPONS[name], tuple(numbers)) for name, numbers in found.items())


@memo(bound=8_192)
def _groups_of(kind: str, models: int, spent: tuple[int, ...]) -> tuple[Group, ...]:
    """`groups_of` by the facts that decide it."""
    return groups(kind, working(kind, models, spent))


def groups_of(unit: Unit) -> tuple[Group, ...]:
    """The working weapons of a unit, by kind."""
    return _groups_of(unit.kind, unit.models, unit.own.spent)


@memo(bound=8_192)
def _breaks(firer: tuple[str, int, tuple[int, ...]]) -> tuple[int, ...]:
    """The limits of short, medium and long range of all direct weapons of a firer, in order."""
    ranges = {group.weapon.range for group in _groups_of(*firer) if not group.weapon.lobbed}
    return tuple(sorted({reach * thirds // 3 for reach in ranges for thirds in (1, 2, 3)}))


def as_far(firer: tuple[str, int, tuple[int, ...]], distance: int) -> int:
    """The longest distance at which a firer's fire is the same as at this one."""
    breaks = _breaks(firer)
    at = bisect_left(breaks, distance)
    return breaks[at] if at < len(breaks) else distance


def direct(firer: tuple[str, int, tuple[int, ...]], distance: int) -> list[Group]:
    """The weapons that fire directly over a distance."""
    return [g for g in _groups_of(*firer) if not g.weapon.lobbed and g.weapon.range >= distance]


@memo(bound=8_192)
def reaches_of(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, int]:
    """`reaches` by the facts that decide it."""
    direct = lobbed = 0
    for group in _groups_of(kind, models, spent):
        if not group.weapon.lobbed:
            direct = max(direct, group.weapon.range)
        if group.weapon.indirect:
            lobbed = max(lobbed, group.weapon.range)
    return direct, lobbed


def reaches(unit: Unit) -> tuple[int, int]:
    """The longest direct and the longest indirect range of a unit."""
    return reaches_of(unit.kind, unit.models, unit.own.spent)


def harms(weapon: Weapon, wall: int, points: bool = False, burns: bool = False) -> bool:
    """Whether a weapon could affect armour of a class: penetrate it, cost `points` without penetrating, or set it alight if it
    `burns`."""
    return points or penetrates_on(weapon.factor, wall) <= 10 or (burns and weapon.type in FIRE)


@memo(bound=8_192)
def harms_of(
    kind: str, models: int, spent: tuple[int, ...], wall: int, points: bool = False, burns: bool = False
) -> int:
    """`harms_at` by the facts that decide it."""
    found = -1
    for group in _groups_of(kind, models, spent):
        if not group.weapon.lobbed and harms(group.weapon, wall, points, burns):
            found = max(found, group.weapon.range)
    return found


def harms_at(unit: Unit, wall: int, points: bool = False, burns: bool = False) -> int:
    """The longest range of a unit's direct weapons that could affect armour of a class; -1: none could."""
    return harms_of(unit.kind, unit.models, unit.own.spent, wall, points, burns)


@memo(bound=8_192)
def _bursts_at(kind: str, models: int, spent: tuple[int, ...]) -> int:
    """`bursts_at` by the facts that decide it."""
    found = -1
    for group in _groups_of(kind, models, spent):
        if not group.weapon.lobbed and group.weapon.radius:
            found = max(found, group.weapon.range)
    return found


def bursts_at(unit: Unit) -> int:
    """The longest range of a unit's direct weapons with an effect area; -1: it has none."""
    return _bursts_at(unit.kind, unit.models, unit.own.spent)


def is_suppressed(state: State, unit: Unit) -> bool:
    """Whether a unit is suppressed now (AC-HOUSE-MORALE)."""
    return bool(unit.own.suppressed) and unit.own.suppressed >= state.turn
