"""What fire may cost at a glance: volleys by type, strength and distance, for looking at many places at once.

A quick look leaves out what only the exact place tells (arcs of fire, which face a vehicle shows, ranging shots already
fired), and tells distances apart by BAND. Chances are those of `expected.py`, from the rules' own tables. Read `quick_toll`.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.geometry import FACINGS, INCH, doubled_area, in_arc
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
"""Distances are told apart by this much."""
FARTHEST = max(weapon.range for weapon in WEAPONS.values())
"""No weapon reaches farther."""
OPEN, SOFT, RUBBLE, HOUSE, BUNKER = 0, 1, 2, 3, 4
"""What shelters a target: nothing, rough ground, rubble, the walls of a house, those of a bunker."""
COVER = (0, fire.SOFT, fire.HARD, fire.HARD, fire.BUNKER)
"""The cover that each gives."""
OPENING = 2
"""Men that can shoot out of the usual opening (OD-FROM-2)."""
EVERYBODY = 99
MOST_PINS = 4
"""More pins hinder a shot no more than so many, for a quick look."""


class CombatProfile(NamedTuple):
    """All of a shooter that a quick look asks for."""

    kind: str
    models: int
    spent: tuple[int, ...]
    pins: int
    quality: int


class TargetProfile(NamedTuple):
    """All of a target that a quick look asks for; `bonus` of the officers near it."""

    kind: str
    models: int
    full: int
    quality: int
    pins: int
    bonus: int
    down: bool


@memo(bound=2_048)
def bands_of(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, ...]:
    """Of each band of distances the nearest one at which everything that so many models of a type can fire fares the same: in
    range or not, far or not, point blank or not."""
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
    """A unit as it shoots."""
    mine = unit_state(unit)
    return CombatProfile(unit.kind, unit.models, mine.spent, min(mine.pins, MOST_PINS), mine.quality)


def target_of(unit: Unit, bonus: int, down: bool) -> TargetProfile:
    """A unit as it is shot at; `down`: Down, which a vehicle has nothing of."""
    mine = unit_state(unit)
    down = down and not TYPES[unit.kind].vehicle
    return TargetProfile(unit.kind, unit.models, mine.full, mine.quality, mine.pins, bonus, down)


@owned_memo(bound=8_192)
def shelter(board: Board, place: int) -> int:
    """What shelters whoever is in a place."""
    section = ground.section_of(board, place)
    if section is not None:
        return BUNKER if bunkers.is_bunker(section) else HOUSE
    return fire.terrain_cover(board, place)


@owned_memo(bound=8_192)
def depth(board: Board, place: int) -> int:
    """How far the walls of a floor are from its middle, more or less: fire is measured to and from them. 0 out of doors."""
    section = ground.section_of(board, place)
    return isqrt(doubled_area(section.polygon) // 8) if section is not None else 0


def range_of(board: Board, place: int, there: int) -> int:
    """How far fire goes from one place to another, more or less."""
    return max(board.distance(place, there) - depth(board, place) - depth(board, there), 0)


@owned_memo(bound=1)
def most_depth(board: Board) -> int:
    """The most that `depth` comes to anywhere."""
    return max((depth(board, section.spaces[0]) for section in board.sections), default=0)


@owned_memo(bound=8_192)
def men_towards(board: Board, place: int, sector: int) -> int:
    """How many men can shoot out of a floor towards one of eight sectors (facings); out of doors everybody can."""
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
    """An enemy as a quick look needs it: where it is, how far and how it shoots, the bands of distances it tells apart,
    what shelters it, the `depth` of its place, whether its building lets but some of it shoot in any one
    direction (`cramped`), and whether it can assault."""

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


class InReach(NamedTuple):
    """What of an enemy in reach of a place bears on it: its `number`, the `depth` of both places together, and of `Enemy` what is
    called so there; `share`: of its fire, what comes at one and the same unit."""

    number: int
    depth: int
    reach: int
    charges: bool
    cramped: bool
    bands: tuple[int, ...]
    share: float


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
    """A unit as an enemy, by all that decides it."""
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
    """What a shooter's volleys take of a target at any distance: `loss[band]`, in points. A pin counts as a share `pin` of the
    unit, being burnt out of its house as a share `driven_out`; else as `quick_toll`."""

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
        """Points that a volley takes at a distance of `band` and a half times BAND."""
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
    """The `Duel` of these two."""
    return Duel(shooter, target, shelter, moved, men, pin, driven_out)


def quick_toll(
    shooter: CombatProfile, target: TargetProfile, band: int, shelter: int, moved: bool, men: int
) -> Toll:
    """What a shooter's volley takes of a target at a distance of `band` and a half times BAND; `men` of it can shoot."""
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
    """What of a target decides how a weapon fares against it."""

    armour: int
    quality: int
    shield: bool
    one_man: bool
    down: bool
    gun: bool


@memo(bound=1 << 13)
def _arms(kind: str, models: int, spent: tuple[int, ...]) -> tuple[tuple[Arm, int], ...]:
    """What so many models of a type can fire, like and like together: small arms last, as they are fired."""
    counts: dict[tuple[object, ...], tuple[Arm, int]] = {}
    for arm in armament(kind, models, spent).arms:
        key = (arm.weapon, bool(arm.mount), arm.alone)
        counts[key] = (arm, counts.get(key, (arm, 0))[1] + 1)
    return tuple(sorted(counts.values(), key=lambda found: found[0].weapon.small))


@memo(bound=1 << 14)
def _volley(
    shooter: CombatProfile, mark: Vulnerability, band: int, shelter: int, moved: bool, men: int
) -> tuple[Blow, ...]:
    """All that bears on a target, at most so many men firing."""
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
    """So many weapons of a kind; None where it does not reach or can do nothing."""
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
