"""Checks of scenarios against the rules (OD-SCEN-1, OD-ENTER-6, OD-GUN-1). Read `check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.errors import Fault
from battlesim.rules.checks import (
    check_forces,
    check_models,
    check_objectives,
    check_quality,
    check_reserve,
    force_fault,
    is_dry,
    needs_inches,
    warn_unhurt,
)
from battlesim.rules.deployment import check_place, check_room
from battlesim.rules.options import read_options
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.orderdice import he, tankfight, vehicles
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES, WEAPONS, UnitType, Weapon
from battlesim.rulesets.orderdice.deployment import DEPLOYMENT
from battlesim.rulesets.orderdice.ground import can_stand
from battlesim.rulesets.orderdice.openings import gun_openings, is_fixed

MOST_OFFICER = 4
"""The highest rank bonus (OD-HOUSE-MORALE)."""


class Options(Struct, frozen=True):
    """Scenarios have no options under this rulebook."""


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """All faults of a scenario under the rules; `place` says where in its file."""
    turns = scenario.turns + scenario.extra_turn
    overfull = _overfull(scenario)

    def of_entry(force: Force, kind: UnitType) -> list[Fault]:
        return [
            *check_quality(force, "orderdice", QUALITIES),
            *check_models(force, kind, kind.models),
            *_check_officer(force),
            *check_reserve(scenario, force, turns, lambda place: can_stand(board, kind, place)),
        ]

    def of_unit(number: int, force: Force, kind: UnitType) -> list[Fault]:
        return [
            *check_place(scenario, number, DEPLOYMENT),
            *_check_opening(board, force, kind),
            *_check_aboard(scenario, number, force, kind, overfull),
        ]

    return [
        *needs_inches(board),
        *read_options(scenario.options, Options, "orderdice")[1],
        *check_forces(scenario, "orderdice", TYPES, of_entry, of_unit),
        *check_room(scenario, DEPLOYMENT),
        *check_objectives(scenario, board, lambda place: is_dry(board, place)),
        *warn_unhurt(scenario, TYPES, _can_any_hurt),
    ]


def _check_officer(force: Force) -> list[Fault]:
    if force.officer <= MOST_OFFICER:
        return []
    what = f"no officer has a bonus of {force.officer}"
    return [force_fault(force, "officer", what, f"give 0 to {MOST_OFFICER}")]


def _check_opening(board: Board, force: Force, kind: UnitType) -> list[Fault]:
    """A gun or fixed weapon inside needs an opening to fire from, or a wall in which to make one (OD-GUN-1)."""
    if force.place < 0 or board.spaces[force.place].kind != "floor":
        return []
    space = board.spaces[force.place]
    usable = gun_openings(board, force.place)
    blank = board.sections[space.section].kind != "bunker" and _has_blank_side(board, force.place)
    if force.opening >= 0:
        if not is_fixed(kind, force.models or kind.models):
            what = f"units of type {kind.name!r} have no fixed weapon to deploy at an opening"
            return [force_fault(force, "opening", what, "leave it out")]
        if force.opening not in usable:
            what = f"fire leaves a bunker by its slits, never by a {board.openings[force.opening].kind}"
            return [force_fault(force, "opening", what, "name a slit")]
    elif kind.artillery and not usable and not blank:
        return [force_fault(force, "at", f"{space.name!r} has no opening for a gun", "place it elsewhere")]
    return []


def _has_blank_side(board: Board, place: int) -> bool:
    """Whether an opening could be made for a gun on this floor (OD-FROM-5)."""
    space = board.spaces[place]
    section = board.sections[space.section]
    pierced = [board.openings[number].side for number in section.openings[space.floor]]
    return any(
        side.outer and side.outer_from <= space.floor and number not in pierced
        for number, side in enumerate(section.sides)
    )


def _check_aboard(
    scenario: Scenario, number: int, force: Force, kind: UnitType, overfull: Mapping[int, int]
) -> list[Fault]:
    """A passenger is infantry; the carrier has room for all its passengers. `overfull`: as `_overfull` finds it."""
    if force.aboard < 0:
        return []
    carrier = scenario.forces[force.aboard]
    transport = TYPES.get(carrier.type)
    if transport is None:
        return []
    if not kind.infantry:
        what = f"units of type {kind.name!r} cannot be carried"
        return [force_fault(force, "aboard", what, "give it a place of its own")]
    if not transport.capacity:
        what = f"units of type {transport.name!r} carry nobody"
        return [force_fault(force, "aboard", what, "name a transport")]
    if number in overfull:
        what = f"{carrier.name!r} carries {transport.capacity} men, not {overfull[number]}"
        return [force_fault(force, "aboard", what, "name another transport")]
    return []


def _overfull(scenario: Scenario) -> dict[int, int]:
    """Of each carrier with too many passengers: the first of them that has no room, and how many men are aboard in all."""
    men: dict[int, int] = {}
    first: dict[int, int] = {}
    for number, force in enumerate(scenario.forces):
        kind, carrier = TYPES.get(force.type), force.aboard
        if carrier < 0 or kind is None or not kind.infantry:
            continue
        men[carrier] = men.get(carrier, 0) + (force.models or kind.models)
        transport = TYPES.get(scenario.forces[carrier].type)
        if transport is not None and men[carrier] > transport.capacity:
            first.setdefault(carrier, number)
    return {number: men[carrier] for carrier, number in first.items()}


def can_hurt(kind: UnitType, armour: int) -> bool:
    """Whether a type of unit can ever hurt armour: by its best shot from behind or from above, a strike, or an assault."""
    if kind.strike:
        return True
    weapons = [WEAPONS[name] for name in (*kind.slots, *(weapon for _, weapon in kind.mounts)) if name]
    return in_contact(kind, armour) or any(can_pierce(weapon, armour, vehicles.REAR) for weapon in weapons)


def in_contact(kind: UnitType, armour: int) -> bool:
    """Whether a type of unit can ever hurt armour by an assault on foot."""
    return kind.infantry and vehicles.BEST + tankfight.penetration(kind) >= armour


def can_pierce(weapon: Weapon, armour: int, struck: str) -> bool:
    """Whether a weapon can ever hurt armour: by its best damage roll at the face `struck`, or at the top if its fire is only
    indirect. A weapon without a penetration of its own has that of its shells (OD-HOUSE-DAMAGE, OD-HOUSE-HE)."""
    power = weapon.penetration or (he.SHELLS[weapon.he].penetration if weapon.he else 0)
    best = vehicles.BEST + power + vehicles.BONUS[struck if weapon.direct else vehicles.TOP]
    return vehicles.can_hurt(weapon, armour) and best >= armour


def _can_any_hurt(enemies: Sequence[UnitType], kind: UnitType) -> bool:
    return not kind.armour or any(can_hurt(enemy, kind.armour) for enemy in enemies)
