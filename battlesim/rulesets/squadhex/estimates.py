"""What acts may be expected to cost, in a position: fire, bombardment, buildings, assaults, opportunity fire (law 12).

This puts together what an act consists of, asking the chapters of the rules, and has it worked out by `expected.py`. Everybody
who is in the way counts, friends as well. Nothing here decides a rule. Read `fire`, then `bombardment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit, fallen
from battlesim.evaluation.distributions import Distribution, face_at_least, mean
from battlesim.rulesets.squadhex import area, expected, morale, react
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.expected import UNHURT, Clash, Side, Toll
from battlesim.rulesets.squadhex.fire import (
    INFANTRY,
    VEHICLES,
    WITHIN,
    class_of,
    defence,
    firepower,
    halved,
    halvings,
    need,
    need_at,
    required,
    strength,
    strength_at_building,
)
from battlesim.rulesets.squadhex.ground import COVER, has_room, is_light
from battlesim.rulesets.squadhex.hexes import DIRECTIONS, hexes
from battlesim.rulesets.squadhex.model import NORMAL, battle_state, is_weakened, type_of, unit_state
from battlesim.rulesets.squadhex.targets import may_destroy, occupants

SCATTERED = face_at_least(area.SCATTERS) / len(DIRECTIONS)
"""The chance that an area attack lands on one given hex next to the one it is aimed at."""
HELD = 1.0 - face_at_least(area.SCATTERS)
"""The chance that it lands where it is aimed."""


class Outcome(NamedTuple):
    """What an act is expected to do: the toll of each unit that it may cost anything, and for each building hex that it may
    harm (section, chance that it falls, chance that it is only weakened)."""

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    walls: tuple[tuple[int, float, float], ...] = ()


def worth(unit: Unit) -> float:
    """Points that what is left of a unit is worth."""
    return type_of(unit).worth * unit.models / max(unit_state(unit).full, 1)


def worth_lost(unit: Unit, toll: Toll) -> float:
    """Points that a toll takes of a unit, on average."""
    return type_of(unit).worth * toll.lost / max(unit_state(unit).full, 1)


# ---- fire at units -------------------------------------------------------------------------------------------------------


def attack_dice(board: Board, unit: Unit, target: Unit, moved: bool, supporters: Sequence[Unit] = ()) -> int:
    """Dice of a unit's fire at a unit, those that supporters add counted in."""
    dice = strength(board, unit, target, moved)
    return dice + sum(halved(strength(board, other, target), 1) for other in supporters)


def fire(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    mode: str,
    moved: bool = False,
    supporters: Sequence[Unit] = (),
) -> Toll:
    """What a unit's fire, alone or with supporters, costs its target."""
    dice = attack_dice(board, unit, target, moved, supporters)
    return hit_by(state, board, target, mode, dice, need_at(board, unit, target), unit.place)


def hit_by(state: State, board: Board, target: Unit, mode: str, dice: int, wanted: int, origin: int) -> Toll:
    """What an attack with so many dice that need so much, from the space `origin`, costs its target."""
    guarded = defence(state, board, target)
    if mode == NORMAL:
        return expected.fired_on(dice, wanted, guarded, target.models)
    if type_of(target).vehicle:
        return UNHURT
    mine = unit_state(target)
    trapped = not morale.ways_back(state, board, target, origin)
    return expected.suppressed(dice, wanted, guarded, target.models, mine.pinned, mine.disrupted, trapped)


# ---- fire at buildings ---------------------------------------------------------------------------------------------------


def fall_cover(state: State, board: Board, section: int) -> int:
    """Cover dice of those inside a building hex that falls: none, unless an option says so (SH-FALL-1)."""
    if not battle_state(state).fall_cover:
        return 0
    return COVER["light" if is_light(board, section) else "building"]


def burials(state: State, board: Board, section: int) -> tuple[tuple[Unit, Toll], ...]:
    """What the fall of a building hex costs each unit inside."""
    floors, cover = board.sections[section].top + 1, fall_cover(state, board, section)
    return tuple(
        (one, expected.buried(floors, cover, one.models, unit_state(one).pinned))
        for one in occupants(state, board, section)
    )


def walls_hit(state: State, board: Board, section: int, dice: int, wanted: int) -> tuple[float, float]:
    """Chances that an attack with so many dice brings a building hex down, and that it only weakens it."""
    weakened = is_weakened(state, section)
    return expected.walls(dice, wanted, required(board.sections[section].top, weakened), weakened)


def at_building(
    state: State,
    board: Board,
    unit: Unit,
    section: int,
    moved: bool = False,
    supporters: Sequence[Unit] = (),
) -> Outcome:
    """What a unit's fire at a building hex, alone or with supporters, comes to; those inside suffer when it falls."""
    grid, ruin = hexes(board), board.sections[section].ruin
    distance = grid.between(unit.place, ruin)
    dice = strength_at_building(unit, distance, moved)
    for other in supporters:
        dice += halved(strength_at_building(other, grid.between(other.place, ruin)), 1)
    falls, weakens = walls_hit(state, board, section, dice, need(distance, type_of(unit).ranges[VEHICLES]))
    buried = burials(state, board, section) if falls else ()
    return Outcome(tuple((one, toll.by(falls)) for one, toll in buried), ((section, falls, weakens),))


# ---- area attacks --------------------------------------------------------------------------------------------------------


def bombardment(state: State, board: Board, unit: Unit, place: int, mode: str) -> Outcome:
    """What a unit's area attack, aimed at the hex that `place` names, comes to on it and on the six around it."""
    grid, dice = hexes(board), area.area_dice(unit, mode)
    aimed = grid.of[place]
    landed = [(aimed, HELD), *((number, SCATTERED) for number in grid.near[aimed])]
    tolls: list[tuple[Unit, Toll]] = []
    walls: list[tuple[int, float, float]] = []
    for number, chance in landed:
        found = _burst(state, board, unit, number, mode, dice)
        tolls += [(one, toll.by(chance)) for one, toll in found.tolls]
        walls += [(section, chance * falls, chance * weakens) for section, falls, weakens in found.walls]
    return Outcome(tuple(tolls), tuple(walls))


def _burst(state: State, board: Board, unit: Unit, number: int, mode: str, dice: int) -> Outcome:
    """An area attack that has landed on a hex."""
    grid = hexes(board)
    section = grid.section[number]
    if section < 0 or section in fallen(state):
        ground = board.sections[section].ruin if section >= 0 else grid.ground[number]
        here = [state.units[one] for one in state.at.get(ground, ())]
        return Outcome(
            tuple((one, hit_by(state, board, one, mode, dice, WITHIN, unit.place)) for one in here)
        )
    house, inside = board.sections[section], occupants(state, board, section)
    falls = weakens = 0.0
    if mode == NORMAL and may_destroy(state, section):
        falls, weakens = walls_hit(state, board, section, dice, WITHIN)
    cover = fall_cover(state, board, section)
    tolls: list[tuple[Unit, Toll]] = []
    for one in inside:
        pinned = unit_state(one).pinned
        if one.place != house.spaces[-1]:
            # Below the top floor they are safe, unless the building falls.
            if falls:
                tolls.append((one, expected.buried(house.top + 1, cover, one.models, pinned).by(falls)))
        elif falls:
            guarded = defence(state, board, one)
            toll = expected.shelled_inside(
                dice, WITHIN, guarded, falls, house.top + 1, cover, one.models, pinned
            )
            tolls.append((one, toll))
        else:
            tolls.append((one, hit_by(state, board, one, mode, dice, WITHIN, unit.place)))
    return Outcome(tuple(tolls), ((section, falls, weakens),) if falls or weakens else ())


# ---- assaults and opportunity fire ---------------------------------------------------------------------------------------


@memo(bound=4_096)
def _close_dice(kind: str, models: int, against: int, times: int) -> tuple[int, ...]:
    """Dice of a unit in close combat by the figures it has left, from 0 up; `times`: how often they are halved."""
    return (0, *(halved(firepower(kind, n, against), times) for n in range(1, models + 1)))


def _side(state: State, board: Board, unit: Unit, foe: Unit) -> Side:
    """One side of close combat. The disrupted strike no blow; assaulters are on foot and have no armour."""
    dice = _close_dice(unit.kind, unit.models, class_of(foe), halvings(unit))
    if unit_state(unit).disrupted:
        dice = (0,) * len(dice)
    trapped = not morale.ways_back(state, board, unit, -1)
    return Side(dice, type_of(unit).armour, trapped)


def assault(state: State, board: Board, unit: Unit, foe: Unit, met: bool = True) -> Clash:
    """An assault: those who wait fire at the assaulters as they set out (`met`: they do), then both sides fight."""
    waiting = react.waiting_for(state, board, unit, unit.place) if met else ()
    attacks = [_opportunity(state, board, state.units[number], unit) for number in waiting]
    left = expected.survivors(tuple(attacks), unit.models)
    return expected.clash(_side(state, board, unit, foe), left, _side(state, board, foe, unit))


def _opportunity(state: State, board: Board, unit: Unit, target: Unit) -> Distribution:
    """Net hits of normal opportunity fire."""
    dice, wanted = strength(board, unit, target), need_at(board, unit, target)
    return expected.nets(dice, wanted, defence(state, board, target))


def moving(state: State, board: Board, unit: Unit, path: Sequence[int]) -> Toll:
    """What a move along a path (from where the unit is) costs it, when each enemy on opportunity fire fires normally at its first
    chance."""
    attacks: list[Distribution] = []
    fired: set[int] = set()
    for place in path[1:]:
        if place != path[-1] and not has_room(state, board, unit, place):
            continue
        there = replace(unit, place=place)
        for number in react.waiting_for(state, board, unit, place):
            if number not in fired:
                fired.add(number)
                attacks.append(_opportunity(state, board, state.units[number], there))
    if not attacks:
        return UNHURT
    left = expected.survivors(tuple(attacks), unit.models)
    return Toll(unit.models - mean(left), left[0])


def recovery(state: State, board: Board, unit: Unit) -> float:
    """The chance that a disrupted squad recovers in the next status phase."""
    return face_at_least(morale.recovers_on(state, board, unit))


# ---- what a player makes of them ------------------------------------------------------------------------------------------

PINNED, PINNED_SPENT, DISRUPTED, ROUTED = 0.2, 0.04, 0.38, 0.55
"""Shares of a unit that it loses when pinned (or pinned after it has acted), disrupted, routed."""
WAITING = 1.4
"""A unit on opportunity fire is worth more to pin, since it has fire to come."""


Target = tuple[str, int, int]
"""A target as the quick looks know it: kind, figures, and how many it began with."""


def target_of(unit: Unit) -> Target:
    """All of a unit that a quick look at what it may lose asks for."""
    return unit.kind, unit.models, unit_state(unit).full


@memo(bound=1 << 15)
def threat(kind: str, models: int, target: Target, distance: int, covered: int) -> float:
    """Expected points that a normal attack of so many figures of a kind costs a target at a distance behind so much cover."""
    one = TYPES[target[0]]
    against = VEHICLES if one.vehicle else INFANTRY
    wanted = need(distance, TYPES[kind].ranges[against])
    dice = firepower(kind, models, against) if wanted <= 6 else 0
    toll = expected.fired_on(dice, wanted, covered + one.armour, target[1])
    return toll.lost * (one.worth / max(target[2], 1))


def suppression(target: Unit, dice: int, need: int, defence: int) -> float:
    """Expected points that a suppressive attack costs a squad."""
    mine = unit_state(target)
    if type_of(target).vehicle:
        return 0.0
    if mine.disrupted:
        return 0.2 * expected.suppressed(dice, need, defence, 1, True, True, False).routed * worth(target)
    pin = 0.0 if mine.pinned else PINNED if mine.fresh else PINNED_SPENT
    if mine.waits:
        pin *= WAITING
    return _suppressed(pin, dice, need, defence) * worth(target)


@memo(bound=1 << 14)
def _suppressed(pin: float, dice: int, need: int, defence: int) -> float:
    """The share of a squad that a suppressive attack costs, where being pinned costs it `pin`."""
    toll = expected.suppressed(dice, need, defence, 1, False, False, False)
    return pin * toll.pinned + DISRUPTED * (toll.disrupted - toll.routed) + ROUTED * toll.routed


def fire_value(target: Unit, mode: str, dice: int, need: int, defence: int) -> float:
    """Expected points that an attack costs its target."""
    if mode == NORMAL:
        each = type_of(target).worth / max(unit_state(target).full, 1)
        return expected.fired_on(dice, need, defence, target.models).lost * each
    return suppression(target, dice, need, defence)


def fall_loss(unit: Unit, floors: int) -> float:
    """Expected points that a fall costs a squad inside: figures, and being pinned."""
    lost = worth_lost(unit, expected.buried(floors, 0, unit.models, False))
    return lost + PINNED * max(0.0, worth(unit) - lost)
