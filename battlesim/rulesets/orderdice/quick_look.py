"""Quick estimates of fire: volleys by type, strength and distance, for judging many places at once.

They leave out facts that need the exact place (arcs of fire, a vehicle's facing, ranging shots already fired), and group
distances by BAND. Chances are those of `expected.py`, from the rules' own tables. Read `quick_toll`.
"""

from __future__ import annotations

from array import array
from math import isqrt
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.geometry import FACINGS, INCH, doubled_area, facing_towards, in_arc
from battlesim.core.memo import memo, memo_table, owned_memo
from battlesim.core.state import Unit
from battlesim.rulesets.orderdice import (
    bunkers,
    collapse,
    expected,
    expected_armour,
    fire,
    ground,
    he,
    vehicles,
)
from battlesim.rulesets.orderdice.armament import (
    ARMOURED,
    BLOWS_DOWN,
    Arm,
    armament,
    in_range,
    mode_of,
)
from battlesim.rulesets.orderdice.data import TYPES, WEAPONS
from battlesim.rulesets.orderdice.expected import FIRE, FLAME, NO_HARM, SHELL, SHOTS, Blow, Toll
from battlesim.rulesets.orderdice.model import unit_state

BAND = 3 * INCH
"""The width of a distance band."""
FARTHEST = max(weapon.range for weapon in WEAPONS.values())
"""The longest range of any weapon."""
FAR_OFF = 0xFFFF
"""A distance beyond all ranges."""
OPEN, SOFT, RUBBLE, HOUSE, BUNKER = 0, 1, 2, 3, 4
"""The shelter of a target: none, rough ground, rubble, a house, a bunker."""
COVER = (0, fire.SOFT, fire.HARD, fire.HARD, fire.BUNKER)
"""The cover that each shelter gives."""
OPENING = 2
"""Men that can shoot out of the usual opening (OD-FROM-2)."""
EVERYBODY = 99
"""Stands for all men of a unit, where no opening limits how many shoot."""
MOST_PINS = 4
"""A quick estimate counts at most this many pins of a shooter."""


class CombatProfile(NamedTuple):
    """The facts of a shooter that a quick estimate needs."""

    kind: str
    models: int
    spent: tuple[int, ...]
    pins: int
    quality: int


class TargetProfile(NamedTuple):
    """The facts of a target that a quick estimate needs; `bonus`: from officers near it."""

    kind: str
    models: int
    full: int
    quality: int
    pins: int
    bonus: int
    down: bool


@memo(bound=2_048)
def bands_of(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, ...]:
    """For each distance band, the nearest band with the same effect for all weapons of so many models of a type: in range or
    not, far or not, point blank or not."""
    weapons = dict.fromkeys(arm.weapon for arm in armament(kind, models, spent).arms)
    first: dict[tuple[object, ...], int] = {}
    found: list[int] = []
    for band in range(FARTHEST // BAND + 1):
        far = _middle(band)
        alike: list[object] = [far <= fire.POINT_BLANK]
        for weapon in weapons:
            alike += (far <= weapon.range, 2 * far > weapon.range, far >= weapon.minimum)
        found.append(first.setdefault(tuple(alike), band))
    return tuple(found)


def _middle(band: int) -> int:
    """The distance that stands for a band."""
    return band * BAND + BAND // 2


def shooter_of(unit: Unit) -> CombatProfile:
    """A unit as a shooter."""
    mine = unit_state(unit)
    return CombatProfile(unit.kind, unit.models, mine.spent, min(mine.pins, MOST_PINS), mine.quality)


def target_of(unit: Unit, bonus: int, down: bool) -> TargetProfile:
    """A unit as a target; `down`: it is Down, which does not help a vehicle."""
    mine = unit_state(unit)
    down = down and not TYPES[unit.kind].vehicle
    return TargetProfile(unit.kind, unit.models, mine.full, mine.quality, mine.pins, bonus, down)


@owned_memo(bound=8_192)
def shelter(board: Board, place: int) -> int:
    """The shelter that a place gives."""
    section = ground.section_of(board, place)
    if section is not None:
        return BUNKER if bunkers.is_bunker(section) else HOUSE
    return fire.terrain_cover(board, place)


@owned_memo(bound=8_192)
def depth(board: Board, place: int) -> int:
    """The approximate distance from the middle of a floor to its walls, where fire is measured; 0 outdoors."""
    section = ground.section_of(board, place)
    return isqrt(doubled_area(section.polygon) // 8) if section is not None else 0


def range_of(board: Board, place: int, there: int) -> int:
    """The approximate range of fire from one place to another."""
    return max(board.distance(place, there) - depth(board, place) - depth(board, there), 0)


@owned_memo(bound=4_000)
def apart(board: Board, place: int) -> array[int]:
    """`range_of` from one place to each space; distances beyond all ranges count as FAR_OFF."""
    here, deep = board.spaces[place], depth(board, place)
    found = array("H")
    for there in board.spaces:
        gap = isqrt((there.x - here.x) ** 2 + (there.y - here.y) ** 2) - deep - depth(board, there.id)
        found.append(min(max(gap, 0), FAR_OFF))
    return found


@owned_memo(bound=1)
def most_depth(board: Board) -> int:
    """The largest `depth` on the board."""
    return max((depth(board, section.spaces[0]) for section in board.sections), default=0)


@owned_memo(bound=50_000)
def men_at(board: Board, place: int, there: int) -> int:
    """How many men can shoot from one place towards another."""
    one, other = board.spaces[place], board.spaces[there]
    if one.kind != "floor":
        return EVERYBODY
    return men_towards(board, place, facing_towards(one.point, other.point))


@owned_memo(bound=8_192)
def men_towards(board: Board, place: int, sector: int) -> int:
    """How many men can shoot out of a floor towards one of eight sectors (facings); outdoors all can."""
    section = ground.section_of(board, place)
    if section is None:
        return EVERYBODY
    here = board.spaces[place].point
    dx, dy = FACINGS[sector]
    there = (here[0] + INCH * dx, here[1] + INCH * dy)
    total = 0
    for number in section.openings[board.spaces[place].floor]:
        opening = board.openings[number]
        if bunkers.lets_fire_through(section, opening) and in_arc(
            here, section.sides[opening.side].facing, there
        ):
            total += opening.men
    return total


class Enemy(Struct, frozen=True, gc=False):
    """An enemy for quick estimates: its place, its range and how it shoots, its distance bands (`bands_of`), its shelter, the
    `depth` of its place, whether only some of it may be able to shoot in one direction from its building (`cramped`), and
    whether it can assault."""

    place: int
    x: int
    y: int
    reach: int
    shooter: CombatProfile
    bands: tuple[int, ...]
    shelter: int
    depth: int
    cramped: bool
    charges: bool


@owned_memo(bound=8_192)
def enemy_of(
    board: Board,
    kind: str,
    models: int,
    spent: tuple[int, ...],
    pins: int,
    quality: int,
    place: int,
) -> Enemy:
    """A unit as an `Enemy`, by all facts that decide it."""
    there, carried = board.spaces[place], armament(kind, models, spent)
    return Enemy(
        place,
        there.x,
        there.y,
        carried.reach,
        CombatProfile(kind, models, spent, min(pins, MOST_PINS), quality),
        bands_of(kind, models, spent),
        shelter(board, place),
        depth(board, place),
        there.kind == "floor" and len(carried.arms) > OPENING,
        TYPES[kind].infantry,
    )


class Duel:
    """A target's expected loss to a shooter's volley at any distance: `loss[band]`, in points. A pin costs the share `pin` of the
    unit, being burnt out of its house the share `driven_out`. Otherwise as `quick_toll`."""

    def __init__(
        self,
        shooter: CombatProfile,
        target: TargetProfile,
        shelter: int,
        moved: bool,
        men: int,
        pin: float,
        driven_out: float,
    ) -> None:
        self._shooter, self._target = shooter, target
        self._shelter, self._moved, self._men = shelter, moved, men
        self._pin, self._driven_out = pin, driven_out

    @memo_table(bound=64)
    def loss(self, band: int) -> float:
        """The expected loss to a volley, in points, at a distance of `band` and a half times BAND."""
        target = self._target
        blows = _blows(self._shooter, target, band, self._shelter, self._moved, self._men)
        if not blows:
            return 0.0
        toll = _toll(target, blows)
        models = toll.lost + self._pin * toll.pins * target.models
        if blows[-1].kind == FIRE:
            models += self._driven_out * blows[-1].lands * (target.models - toll.lost)
        return TYPES[target.kind].worth / max(target.full, 1) * models


@memo(bound=1 << 14)
def duel(
    shooter: CombatProfile,
    target: TargetProfile,
    shelter: int,
    moved: bool,
    men: int,
    pin: float,
    driven_out: float,
) -> Duel:
    """The `Duel` of a shooter and a target."""
    return Duel(shooter, target, shelter, moved, men, pin, driven_out)


def quick_toll(
    shooter: CombatProfile, target: TargetProfile, band: int, shelter: int, moved: bool, men: int
) -> Toll:
    """The toll of a shooter's volley at a distance of `band` and a half times BAND; `men`: how many can shoot."""
    blows = _blows(shooter, target, band, shelter, moved, men)
    return _toll(target, blows) if blows else Toll()


def _blows(
    shooter: CombatProfile, target: TargetProfile, band: int, shelter: int, moved: bool, men: int
) -> tuple[Blow, ...]:
    kind = TYPES[target.kind]
    one_man = not kind.armour and target.models == 1
    mark = Vulnerability(kind.armour, target.quality, kind.shield, one_man, target.down, kind.artillery)
    return _volley(shooter, mark, band, shelter, moved, men)


def _toll(target: TargetProfile, blows: tuple[Blow, ...]) -> Toll:
    kind = TYPES[target.kind]
    if kind.vehicle:
        soft = kind.armour < ARMOURED
        return expected_armour.on_vehicle(blows, target.quality, target.pins, target.bonus, soft)
    return expected.on_men(blows, target.models, target.quality, target.pins, target.bonus, target.down)


class Vulnerability(NamedTuple):
    """The facts of a target that decide a weapon's effect on it."""

    armour: int
    quality: int
    shield: bool
    one_man: bool
    down: bool
    gun: bool


@memo(bound=1 << 13)
def _arms(kind: str, models: int, spent: tuple[int, ...]) -> tuple[tuple[Arm, int], ...]:
    """The weapons of so many models of a type, grouped by kind; small arms last, in the order of firing."""
    counts: dict[tuple[object, ...], tuple[Arm, int]] = {}
    for arm in armament(kind, models, spent).arms:
        key = (arm.weapon, bool(arm.mount), arm.alone)
        counts[key] = (arm, counts.get(key, (arm, 0))[1] + 1)
    return tuple(sorted(counts.values(), key=lambda found: found[0].weapon.small))


@memo(bound=1 << 14)
def _volley(
    shooter: CombatProfile, mark: Vulnerability, band: int, shelter: int, moved: bool, men: int
) -> tuple[Blow, ...]:
    """The blows of all weapons that can hit a target, with at most `men` firing."""
    distance, blows = _middle(band), list[Blow]()
    throwers = 0
    for arm, number in _arms(shooter.kind, shooter.models, shooter.spent):
        blow = _blow(shooter, mark, arm, min(number, men), distance, shelter, moved)
        if blow is not None:
            blows.append(blow)
            throwers += blow.shots if blow.kind == FLAME else 0
            men -= min(number, men)
            if not men:
                break
    if throwers and shelter == HOUSE:
        blows.append(Blow(FIRE, 1, 1, 0 if mark.gun else NO_HARM, lands=expected.catches_fire(throwers)))
    return tuple(blows)


def _blow(
    shooter: CombatProfile,
    mark: Vulnerability,
    arm: Arm,
    number: int,
    distance: int,
    shelter: int,
    moved: bool,
) -> Blow | None:
    """The blow of `number` weapons of a kind; None if out of range or harmless."""
    weapon, armour = arm.weapon, mark.armour
    if weapon.range < distance or (weapon.fixed and moved and not arm.mount):
        return None
    if not vehicles.can_hurt(weapon, armour):
        return None
    if not weapon.direct and not in_range(weapon, distance):
        return None
    mode = mode_of(weapon, armour > 0) if weapon.direct else "indirect"
    if mode == "indirect":
        need = fire.indirect_need((-1, -1, -1, 0), 0, 0, 0)
    else:
        cover = 0 if mode == "flame" or (mode == "he" and shelter >= HOUSE) else COVER[shelter]
        down = mark.down and mode != "he"
        far = 2 * distance > weapon.range
        need = fire.to_hit(
            shooter.pins, shooter.quality, moved, distance, far, down, mark.one_man, cover, arm.alone
        )
    shell = mode in ("he", "indirect")
    power = he.SHELLS[weapon.he].penetration if shell else weapon.penetration
    if armour:
        far = not shell and vehicles.is_far(weapon, distance)
        struck = vehicles.TOP if mode == "indirect" else vehicles.FRONT
        harm = vehicles.margin(0, power, struck, far, armour)
    elif shell and shelter == BUNKER:
        harm = NO_HARM
    else:
        guarded = not shell and mode != "flame" and (shelter >= HOUSE or mark.shield)
        harm = fire.damage_need(mark.quality, power, guarded)
    falls = 0
    if shell and weapon.he >= BLOWS_DOWN and shelter >= HOUSE:
        falls = bunkers.HITS if shelter == BUNKER else collapse.HITS
    if mode == "flame":
        return Blow(FLAME, number, need, harm)
    kind, he_class = (SHELL, weapon.he) if shell else (SHOTS, 0)
    return Blow(kind, weapon.shots * number, need, harm, he_class, 1.0, falls)
