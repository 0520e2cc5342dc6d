"""Firepower tables: the number of dice, the rolls they need, what cancels hits (SH-HOUSE-ATTACK, SH-HOUSE-FIGURES, SH-ELIG-1,
SH-ROLL-2).

Pure functions, used by resolution, features and odds alike. Read `strength` and `need`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.ground import cover
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import is_damaged, type_of, unit_state

INFANTRY, VEHICLES = 0, 1
"""Classes of targets for firepower and range: squads and crews, or vehicles and buildings."""
CLOSE, WITHIN, FAR = 4, 5, 6
"""The rolls from which attack dice hit: adjacent or on the same hex, within range, up to twice the range."""
CANCEL = 5
"""The roll from which a defence die cancels a hit."""
CONCUSSIVE = 3
"""Dice that concussive firepower adds against a building (SH-ROLL-2) and against squads in one (SH-TARGET-2)."""
WALLS = 3
"""Defence dice of a building hex (SH-ROLL-1)."""
ANTI_TANK_REACH = 3
"""Hexes within which all figures of squads with an anti-tank specialisation count against buildings (SH-ELIG-1)."""


@memo(bound=4_096)
def firepower(kind: str, models: int, against: int) -> int:
    """Dice of a unit with `models` figures left (`against`: INFANTRY or VEHICLES), before bonuses and halving."""
    unit = TYPES[kind]
    if unit.vehicle:
        return unit.vehicles if against else unit.infantry
    living = unit.figures[:models]
    return sum(figure.vehicles if against else figure.infantry for figure in living)


@memo(bound=4_096)
def eligible(kind: str, models: int, distance: int) -> int:
    """Dice against buildings, before bonuses and halving: firepower against vehicles of all figures that count (SH-ELIG-1)."""
    unit = TYPES[kind]
    if unit.vehicle:
        return unit.vehicles
    # A squad with an anti-tank specialisation counts in full within 3 hexes; otherwise only crews of mortars, guns etc. count.
    if unit.anti_tank and distance <= ANTI_TANK_REACH:
        return firepower(kind, models, VEHICLES)
    return sum(figure.vehicles for figure in unit.figures[:models] if figure.counts)


def building_bonus(kind: str) -> int:
    """Dice added against a building: those of an ability, and those of concussive fire unless the ability includes them
    (SH-ROLL-2)."""
    unit = TYPES[kind]
    return unit.building_bonus + (CONCUSSIVE if unit.concussive and not unit.has_concussive else 0)


def halved(dice: int, times: int) -> int:
    """Dice halved `times` times, rounded up each time."""
    for _ in range(times):
        dice = (dice + 1) // 2
    return dice


def halvings(unit: Unit, moved: bool = False) -> int:
    """How often a unit's dice are halved: once each if it is pinned, is heavily damaged, or fires after an advance (`moved`)."""
    return unit_state(unit).pinned + is_damaged(unit) + moved


def dice_clauses(unit: Unit) -> Clauses:
    """The clauses that apply to the number of a unit's dice: the sum of its figures, and what halves it, an advance aside."""
    found = [] if type_of(unit).vehicle else ["SH-HOUSE-FIGURES"]
    if unit_state(unit).pinned:
        found.append("SH-HOUSE-SUPPRESS")
    if is_damaged(unit):
        found.append("SH-HOUSE-NORMAL")
    return tuple(found)


def need(distance: int, reach: int) -> int:
    """The roll attack dice need at a distance in hexes; 7 beyond twice the range `reach`, or if that is 0."""
    if reach <= 0 or distance > 2 * reach:
        return 7
    if distance <= 1:
        return CLOSE
    return WITHIN if distance <= reach else FAR


AsFar = tuple[tuple[int, ...], tuple[int, ...]]
"""For infantry and for vehicles as targets: a distance by distances."""


@memo(bound=256)
def as_far(kind: str) -> AsFar:
    """For infantry and for vehicles as targets, by their distance in hexes: the longest distance at which a unit of a kind needs
    the same roll; beyond twice its range the next distance out of range."""
    ranges = TYPES[kind].ranges
    farthest = 2 * max(0, *ranges)
    one, two = (
        tuple([_same_need(distance, max(reach, 0)) for distance in range(farthest + 1)]) for reach in ranges
    )
    return one, two


def _same_need(distance: int, reach: int) -> int:
    """The longest distance at which `need` is the same."""
    if distance > 2 * reach:
        return 2 * reach + 1
    if distance <= 1:
        return 1
    return reach if distance <= reach else 2 * reach


def class_of(target: Unit) -> int:
    """INFANTRY or VEHICLES: the class of a unit as a target."""
    return VEHICLES if TYPES[target.kind].vehicle else INFANTRY


@memo(bound=4_096)
def reaches(kind: str, models: int) -> tuple[int, int]:
    """The distances in hexes up to which a unit can hit infantry, and vehicles: twice its range; -1 if it has no dice or no
    range."""
    one, two = (
        2 * reach if reach > 0 and firepower(kind, models, against) else -1
        for against, reach in enumerate(TYPES[kind].ranges)
    )
    return one, two


@memo(bound=1 << 14)
def dice_at(kind: str, models: int, times: int, against: int, inside: bool, distance: int) -> tuple[int, int]:
    """(dice, roll needed) of `models` figures of a kind against a class of target at a distance. `times`: how often the dice are
    halved; `inside`: the target is in a building. (0, 7) if they cannot hit."""
    unit = TYPES[kind]
    wanted = need(distance, unit.ranges[against])
    dice = _dice(kind, models, against, inside, times) if wanted <= 6 else 0
    return (dice, wanted) if dice else (0, 7)


@memo(bound=4_096)
def _dice(kind: str, models: int, against: int, inside: bool, times: int) -> int:
    """Attack dice of `models` figures of a kind, halved some times. `inside`: the target is in a building."""
    dice = firepower(kind, models, against)
    if dice and inside and against == INFANTRY and TYPES[kind].concussive:
        dice += CONCUSSIVE
    return halved(dice, times)


def is_concussive(board: Board, unit: Unit, target: Unit) -> bool:
    """Whether concussive fire adds dice to an attack on a unit, as it does on squads in a building (SH-TARGET-2)."""
    return (
        type_of(unit).concussive
        and not type_of(target).vehicle
        and board.spaces[target.place].kind == "floor"
    )


def strength(board: Board, unit: Unit, target: Unit, moved: bool = False) -> int:
    """Attack dice of a unit against a unit; `need_at` says whether it is in range."""
    inside = board.spaces[target.place].kind == "floor"
    return _dice(unit.kind, unit.models, class_of(target), inside, halvings(unit, moved))


def strength_at_building(unit: Unit, distance: int, moved: bool = False) -> int:
    """Attack dice of a unit against a building hex; 0 if none of its firepower counts (SH-ELIG-1)."""
    dice = eligible(unit.kind, unit.models, distance)
    if not dice:
        return 0
    return halved(dice + building_bonus(unit.kind), halvings(unit, moved))


def need_at(board: Board, unit: Unit, target: Unit) -> int:
    """The roll a unit's dice need against a unit; 7 out of range."""
    distance = hexes(board).between(unit.place, target.place)
    return need(distance, type_of(unit).ranges[class_of(target)])


def defence(state: State, board: Board, target: Unit) -> int:
    """Defence dice of a unit: cover and armour."""
    return cover(board, target.place) + type_of(target).armour


def close_firepower(unit: Unit, foe: Unit) -> int:
    """Dice of a unit in close combat with another, halved as for fire (SH-HOUSE-FIGURES); a disrupted unit has none
    (SH-HOUSE-SUPPRESS)."""
    if unit_state(unit).disrupted:
        return 0
    return halved(firepower(unit.kind, unit.models, class_of(foe)), halvings(unit))


@memo(bound=256)
def required(top: int, weakened: bool) -> int:
    """Net hits in one attack that destroy a building hex with floors 0 to `top`: 6, plus 3 for each floor above the ground floor;
    for a weakened hex half of that, rounded up (SH-DEST-1, SH-DEST-3)."""
    whole = 6 + 3 * top
    return (whole + 1) // 2 if weakened else whole


CHAPTER = Chapter(owns=("SH-HOUSE-FIGURES", "SH-ELIG-1", "SH-ROLL-2"))
