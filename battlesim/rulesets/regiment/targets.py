"""Which enemies a unit may shoot at, and the rolls its shots need (RG-HOUSE-SHOOT, RG-SHOOT-2, RG-ATT-5).

Read `shooting_targets`, then `need`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rules.nearby import Nearby
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import contacts, ground, line_of_sight, rooms
from battlesim.rulesets.regiment.data import WEAPONS, Weapon
from battlesim.rulesets.regiment.model import CHARGED, RAN, leads, type_of, unit_state
from battlesim.rulesets.regiment.tables import IMPOSSIBLE, shot_need


def weapon_of(unit: Unit) -> Weapon | None:
    """What a unit shoots with."""
    name = type_of(unit).weapon
    return WEAPONS[name] if name else None


def can_shoot(state: State, unit: Unit) -> bool:
    """Whether a unit may shoot now if it has a target: armed, free, neither run nor charged; engines and heavy weapons only if
    they did not move at all; no misfire to repair (RG-HOUSE-MOVE, RG-HOUSE-CREW, RG-ATT-5)."""
    weapon = weapon_of(unit)
    mine = unit_state(unit)
    if weapon is None or not leads(unit) or mine.fleeing or mine.rallied or mine.foes:
        return False
    if mine.moved in (RAN, CHARGED) or (weapon.steady and mine.moved):
        return False
    return mine.silent < state.turn


def open_to_fire(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit may be shot at: free, or engaged with garrisons from outside (RG-ATT-5, RG-HOUSE-ROOMS)."""
    return leads(unit) and (not unit_state(unit).foes or contacts.is_besieging(state, board, unit))


def is_target(
    state: State, board: Board, unit: Unit, weapon: Weapon, target: Unit, stand: bool = False
) -> bool:
    """Whether a unit that can shoot may shoot at an enemy; `stand`: as that enemy charges it."""
    if not open_to_fire(state, board, target):
        return False
    flat = line_of_sight.flat_distance(board, unit, target)
    if flat > weapon.range or flat < weapon.minimum:
        return False
    room = ground.room_of(board, target)
    if room is not None and room.upper and weapon.way == "flame":
        return False  # only flyers aim flames at an upper floor (RG-SHOOT-5)
    if weapon.blind:
        return True
    if not line_of_sight.in_front(board, unit, target.place):
        return False
    far = line_of_sight.distance_to(board, unit, target)
    if far is None or far > weapon.range:
        return False
    if room is None and line_of_sight.screened(state, board, unit, target):
        return False
    if weapon.way not in ("shot", "bolt"):
        return True
    return need(board, unit, target, weapon, far, stand) < IMPOSSIBLE


def shooting_targets(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies a unit can shoot at, by id."""
    weapon = weapon_of(unit)
    if weapon is None or not can_shoot(state, unit):
        return []
    return [
        other.id
        for other in state.units.values()
        if other.side != unit.side and other.place >= 0 and is_target(state, board, unit, weapon, other)
    ]


def might_shoot(state: State, board: Board, unit: Unit, enemies: Nearby | None = None) -> bool:
    """A rough check whether a unit has a part in the shooting phase: armed, free, an enemy in range. `enemies`: those of its
    side, if the caller checks many units."""
    weapon = weapon_of(unit)
    if weapon is None or not can_shoot(state, unit):
        return False
    too_far = board.sight.too_far
    if enemies:
        # Ranges count from outline to outline: a point inside is at most the size of its section from one.
        foes = enemies.within(unit.place, weapon.range + 4 * enemies.widest)
    else:
        foes = state.living(1 - unit.side)
    return any(leads(foe) and not too_far(unit.place, foe.place, weapon.range) for foe in foes)


def can_stand_and_shoot(state: State, board: Board, unit: Unit, charger: Unit) -> bool:
    """Whether a charged unit can shoot at its charger: bows and the like, never engines."""
    weapon = weapon_of(unit)
    if (
        weapon is None
        or weapon.way != "shot"
        or not leads(unit)
        or unit_state(unit).foes
        or unit_state(unit).fleeing
    ):
        return False
    return is_target(state, board, unit, weapon, charger, True)


def need(board: Board, unit: Unit, target: Unit, weapon: Weapon, far: int, stand: bool = False) -> int:
    """The roll a unit's shots at a target need to hit. `stand`: at one that charges it, regardless of its own turn."""
    return shot_need(
        type_of(unit).bs,
        2 * far > weapon.range,
        bool(unit_state(unit).moved) and not stand,
        line_of_sight.cover(board, unit.place, target.place)[0],
        type_of(target).large,
    )


def clauses_of(r: Resolution, unit: Unit, target: Unit) -> Clauses:
    """The clauses that apply to a shot."""
    board = r.board
    found: Clauses = ("RG-HOUSE-SHOOT", *line_of_sight.cover(board, unit.place, target.place)[1])
    room = rooms.room_at(board, target.place)
    if room is not None and rooms.has_own_level(board, room):
        found += ("RG-PART-3",)
    if not ground.outdoors(board, unit.place):
        found += ("RG-SHOOT-1",)
    if line_of_sight.is_high(board, unit.place):
        found += ("RG-HOUSE-FORM",) if ground.outdoors(board, unit.place) else ("RG-PART-2",)
    if unit_state(target).foes:
        found += ("RG-ATT-5",)
    if type_of(target).large:
        found += ("RG-HOUSE-TRAITS",)
    return found
