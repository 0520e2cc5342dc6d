"""The expected costs of acts in a position: volleys, shells at houses, assaults, tank fights, rams.

This finds the parts of an act by the rules chapters, and `expected.py` and `expected_close.py` compute the result. All units
that may be hit count, friends as well. Nothing here decides a rule. Read `volley`, then `assault_on`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import any_of
from battlesim.rulesets.orderdice import (
    assault,
    bunkers,
    collapse,
    contact,
    expected,
    expected_armour,
    expected_close,
    fire,
    ground,
    he,
    morale,
    shoot,
    structures,
    tankfight,
    tanks,
    targets,
    vehicles,
)
from battlesim.rulesets.orderdice.armament import ARMOURED, BLOWS_DOWN
from battlesim.rulesets.orderdice.expected import FIRE, FLAME, NO_HARM, SHELL, SHOTS, Blow, Toll
from battlesim.rulesets.orderdice.expected_close import Armour, Clash, Fighters
from battlesim.rulesets.orderdice.fire import Group
from battlesim.rulesets.orderdice.model import AMBUSH, DOWN, type_of, unit_state

BonusOf = Callable[[Unit], int]
"""The morale bonus of a unit from officers near it."""


class Outcome(Struct, frozen=True):
    """What an act is expected to do: the toll of each unit that it may harm, and the chances that `section` (-1: none) collapses
    or is set alight."""

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    section: int = -1
    falls: float = 0.0
    burns: float = 0.0


def worth(unit: Unit) -> float:
    """The worth of what is left of a unit, in points."""
    return type_of(unit).worth * unit.models / max(unit_state(unit).full, 1)


def worth_lost(unit: Unit, toll: Toll) -> float:
    """The mean loss of a unit to a toll, in points."""
    return type_of(unit).worth * toll.lost / max(unit_state(unit).full, 1)


# ---- fire --------------------------------------------------------------------------------------------------------------


def groups_of(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    moved: bool,
    wall: int = -2,
    used: tuple[int, ...] = (),
) -> list[Group]:
    """All weapon groups that can hit a target, in the order of firing: from one wall, or (-2) from every wall in turn, each
    weapon once."""
    if wall >= -1:
        return fire.volley(state, board, unit, target, moved, wall, used)[::-1]
    walls = targets.walls_bearing(state, board, unit, target, moved, used)
    found: list[Group] = []
    for side in walls:
        groups = fire.volley(state, board, unit, target, moved, side, used)
        used = shoot.with_slots(used, groups)
        found += reversed(groups)
    return found


def blows_on(
    board: Board, unit: Unit, target: Unit, groups: Sequence[Group], floor: float = -1.0
) -> tuple[Blow, ...]:
    """The blows of weapon groups on one unit. With `floor` below 0 it is their target. Else it is another unit that their shells
    may catch; `floor`: the chance that a shell bursts where it is."""
    kind = type_of(target)
    section = ground.section_of(board, target.place)
    found: list[Blow] = []
    for group in groups:
        weapon = group.weapon
        shell = group.mode in ("he", "indirect")
        if floor >= 0.0 and not shell:
            continue
        lands = floor if floor >= 0.0 else 1.0
        falls = 0
        if shell and section is not None:
            if group.mode == "indirect" and floor < 0.0:
                lands = expected.floor_chances(len(section.spaces))[board.spaces[target.place].floor]
            falls = fall_hits(board, section.id, weapon.he)
        shots, blow = weapon.shots * len(group.arms), SHELL if shell else SHOTS
        if group.mode == "flame":
            shots, blow = len(group.arms), FLAME
        power = he.SHELLS[weapon.he].penetration if shell else weapon.penetration
        if kind.vehicle:
            far, struck = False, vehicles.TOP
            if group.mode != "indirect":
                opening = group.line.from_opening
                struck = vehicles.struck_by(board, unit.place, opening, target, weapon, group.distance)
                far = vehicles.is_far(weapon, group.distance)
            harm = vehicles.margin(0, power, struck, far, kind.armour)
        elif shell:
            harm = (
                NO_HARM
                if ground.in_bunker(board, target)
                else fire.damage_need(unit_state(target).quality, power, False)
            )
        else:
            guarded = group.mode != "flame" and shoot.protected(board, unit, target)
            harm = fire.damage_need(unit_state(target).quality, power, guarded)
        found.append(Blow(blow, shots, group.need, harm, weapon.he if shell else 0, lands, falls))
    return tuple(found)


def fall_hits(board: Board, section: int, shell: int) -> int:
    """How many hits of one shell of a class bring a section down; 0: it never does (OD-HE-5, OD-BUNK-3)."""
    if shell < BLOWS_DOWN:
        return 0
    return bunkers.HITS if bunkers.is_bunker(board.sections[section]) else collapse.HITS


def toll_of(bonus_of: BonusOf, target: Unit, blows: tuple[Blow, ...]) -> Toll:
    """The toll of blows on a unit in its present state."""
    if not blows:
        return Toll()
    mine, kind = unit_state(target), type_of(target)
    bonus = bonus_of(target)
    if kind.vehicle:
        return expected_armour.on_vehicle(blows, mine.quality, mine.pins, bonus, kind.armour < ARMOURED)
    return expected.on_men(blows, target.models, mine.quality, mine.pins, bonus, mine.order == DOWN)


def volley(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    moved: bool,
    wall: int = -2,
    used: tuple[int, ...] = (),
    bonus_of: BonusOf | None = None,
) -> Outcome:
    """The expected outcome of a unit's fire at a target, for all units and the building; the target's toll comes first.
    `bonus_of`: the function for morale bonuses from officers, if the caller has one."""
    bonus_of = bonus_of or partial(morale.officer_bonus, state, board)
    groups = groups_of(state, board, unit, target, moved, wall, used)
    section = ground.section_of(board, target.place)
    shells = [group for group in groups if group.mode in ("he", "indirect")]
    blows = blows_on(board, unit, target, groups)
    if section is None:
        first = (target, toll_of(bonus_of, target, blows))
        if not shells:
            return Outcome((first,))
        return Outcome((first, *_bystanders(state, board, unit, target, shells, bonus_of)))
    throwers = sum(len(group.arms) for group in groups if group.mode == "flame")
    burns = 0.0
    if throwers and structures.can_burn(state, board, section.id):
        burns = expected.catches_fire(throwers)
    tolls = [(target, toll_of(bonus_of, target, (*blows, *_fire(target, burns))))]
    if shells or burns:
        for other in collapse.occupants(state, board, section.id):
            if other.id != target.id:
                blows = (*_on_floor(board, unit, other, shells), *_fire(other, burns))
                tolls.append((other, toll_of(bonus_of, other, blows)))
    falls = _falls(board, section.id, shells)
    return Outcome(tuple(tolls), section.id, falls, burns * (1.0 - falls))


def _fire(unit: Unit, burns: float) -> tuple[Blow, ...]:
    """The blow of a fire, which starts with the chance `burns`, on a unit in the house."""
    if not burns:
        return ()
    return (Blow(FIRE, 1, 1, NO_HARM if type_of(unit).infantry else 0, lands=burns),)


def _on_floor(board: Board, unit: Unit, other: Unit, shells: Sequence[Group]) -> tuple[Blow, ...]:
    """The blows of shells at a house on another unit in it than the target: indirect shells may burst on its floor, and any shell
    may bring the house down."""
    section = board.sections[board.spaces[other.place].section]
    here = expected.floor_chances(len(section.spaces))[board.spaces[other.place].floor]
    lobbed = [group for group in shells if group.mode == "indirect"]
    direct = [group for group in shells if group.mode == "he"]
    return (*blows_on(board, unit, other, lobbed, here), *blows_on(board, unit, other, direct, 0.0))


def _falls(board: Board, section: int, groups: Sequence[Group]) -> float:
    """The chance that the shells among the groups fired at a section bring it down."""
    stands = 1.0
    for group in groups:
        if group.mode in ("he", "indirect"):
            fall = expected.fall_chance(group.weapon.he, fall_hits(board, section, group.weapon.he))
            chance = expected.hit_chance(group.need) * fall
            stands *= 1.0 - any_of(group.weapon.shots * len(group.arms), chance)
    return 1.0 - stands


def _bystanders(
    state: State, board: Board, unit: Unit, target: Unit, shells: Sequence[Group], bonus_of: BonusOf
) -> list[tuple[Unit, Toll]]:
    """The tolls of other units within reach of bursts in the open, friend or foe."""
    found: dict[int, list[Group]] = {}
    for group in shells:
        for number in he.caught(state, board, target.place, group.weapon.he):
            if number != target.id:
                found.setdefault(number, []).append(group)
    return [
        (
            state.units[n],
            toll_of(bonus_of, state.units[n], blows_on(board, unit, state.units[n], groups, 1.0)),
        )
        for n, groups in sorted(found.items())
    ]


def at_house(
    state: State,
    board: Board,
    unit: Unit,
    place: int,
    moved: bool,
    wall: int = -1,
    used: tuple[int, ...] = (),
) -> Outcome:
    """The expected outcome of a unit's fire at an empty building (OD-EMPTY-1)."""
    section = board.spaces[place].section
    groups = fire.volley_at(state, board, unit, place, moved, wall, used)
    throwers = sum(len(group.arms) for group in groups if group.mode == "flame")
    burns = 0.0
    if throwers and structures.can_burn(state, board, section):
        burns = expected.catches_fire(throwers)
    return Outcome((), section, _falls(board, section, groups), burns)


# ---- close quarters ------------------------------------------------------------------------------------------------------


class Charge(Struct, frozen=True):
    """The expected outcome of an assault or another clash: the toll of either side, the chances that the charging unit wins or
    loses, and that a house falls (`falls`)."""

    mine: Toll
    theirs: Toll
    wins: float
    loses: float
    falls: float = 0.0


def fighters(unit: Unit) -> Fighters:
    """A unit as `expected_close` needs it."""
    return Fighters(unit.kind, unit_state(unit).quality, unit.models)


def assault_on(
    state: State, board: Board, unit: Unit, target: Unit, route: contact.Charge, reacts: bool = True
) -> Charge:
    """An assault of infantry on men: reaction fire if the rules allow it and the enemy uses it (`reacts`), then close quarters to
    the end."""
    both = ground.inside(board, target) or bool(route.obstacle) or unit_state(target).order == AMBUSH
    left: tuple[float, ...] = (*([0.0] * unit.models), 1.0)
    if reacts and assault.may_react(state, board, unit, target, route):
        left = _met_by_fire(state, board, unit, target, route)
    clash: Clash = expected_close.charge(fighters(unit), left, fighters(target), both)
    return Charge(
        Toll(clash.lost, 0.0, clash.left[0]),
        Toll(clash.foes_lost, 0.0, clash.foes_left[0]),
        clash.win,
        clash.lose,
    )


def _met_by_fire(
    state: State, board: Board, unit: Unit, target: Unit, route: contact.Charge
) -> tuple[float, ...]:
    """The chances by number of attackers left after reaction fire; it hits them outside the building they come from."""
    met = replace(unit, place=assault.met_at(state, board, unit, route.path))
    groups = groups_of(state, board, target, met, False)
    blows = blows_on(board, target, met, groups)
    mine = unit_state(unit)
    bonus = morale.officer_bonus(state, board, unit)
    spread = expected.attack_on_men(blows, unit.models, mine.quality, mine.pins, mine.order == DOWN)
    return expected.survivors(spread, unit.models, mine.quality, mine.pins, bonus)[0]


def tank_fight(
    state: State, board: Board, unit: Unit, target: Unit, route: contact.Charge, reacts: bool = True
) -> Charge:
    """A clash in which at least one side is a vehicle."""
    mine, theirs = unit_state(unit), unit_state(target)
    ours, kind = type_of(unit), type_of(target)
    bonus = morale.officer_bonus(state, board, target)
    if not ours.vehicle:
        left: tuple[float, ...] = (*([0.0] * unit.models), 1.0)
        if reacts and assault.may_react(state, board, unit, target, route):
            left = _met_by_fire(state, board, unit, target, route)
        ahead = vehicles.margin(0, tankfight.penetration(type_of(unit)), vehicles.FRONT, False, kind.armour)
        struck = expected_close.tank_assault(
            left, tankfight.needed(target), ahead, theirs.quality, theirs.pins, bonus
        )
        lost = unit.models - summed(k * share for k, share in enumerate(left))
        return Charge(Toll(lost, 0.0, left[0]), struck, struck.gone, 0.0)
    if not kind.vehicle:
        over = expected_close.driven_over(target.models, theirs.quality, theirs.pins, bonus)
        return Charge(Toll(), over, over.gone, 0.0)
    us = Armour(ours.armour, mine.quality, mine.pins, morale.officer_bonus(state, board, unit))
    to_us, to_them = expected_close.ram(us, Armour(kind.armour, theirs.quality, theirs.pins, bonus))
    return Charge(to_us, to_them, to_them.gone, to_us.gone)


def drive_in(state: State, board: Board, unit: Unit, place: int) -> Charge:
    """A tank that drives into a house."""
    section = board.sections[board.spaces[place].section]
    mine = unit_state(unit)
    us = Armour(type_of(unit).armour, mine.quality, mine.pins, morale.officer_bonus(state, board, unit))
    shack = tanks.is_shack(board, section)
    to_us, falls = expected_close.crash(us, section.material, section.kind == "shed", shack)
    return Charge(to_us, Toll(), falls, to_us.gone, falls)
