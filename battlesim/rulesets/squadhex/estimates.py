"""The expected cost of acts in a position: fire, bombardment, buildings, assaults, opportunity fire.

This works out what an act consists of by asking the chapters of the rules, and has `expected.py` compute it. Every unit affected
counts, friends included. Nothing here decides a rule. Read `fire`, then `bombardment`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    dice_at,
    firepower,
    halved,
    halvings,
    need,
    need_at,
    required,
    strength,
    strength_at_building,
)
from battlesim.rulesets.squadhex.ground import COVER, covers, has_room, is_light
from battlesim.rulesets.squadhex.hexes import DIRECTIONS, hexes
from battlesim.rulesets.squadhex.model import NORMAL, battle_state, is_weakened, type_of, unit_state
from battlesim.rulesets.squadhex.targets import may_destroy, occupants

SCATTERED = face_at_least(area.SCATTERS) / len(DIRECTIONS)
"""The chance that an area attack lands on one given hex next to its target hex."""
HELD = 1.0 - face_at_least(area.SCATTERS)
"""The chance that it lands on its target hex."""


class Outcome(NamedTuple):
    """What an act is expected to do: the toll on each unit that it may harm, and for each building hex that it may harm (section,
    chance that it falls, chance that it is only weakened)."""

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    walls: tuple[tuple[int, float, float], ...] = ()


def worth(unit: Unit) -> float:
    """The worth in points of what is left of a unit."""
    return type_of(unit).worth * unit.models / max(unit_state(unit).full, 1)


def worth_lost(unit: Unit, toll: Toll) -> float:
    """The points that a toll costs a unit, on average."""
    return type_of(unit).worth * toll.lost / max(unit_state(unit).full, 1)


# ---- fire at units -------------------------------------------------------------------------------------------------------


def attack_dice(board: Board, unit: Unit, target: Unit, moved: bool, supporters: Sequence[Unit] = ()) -> int:
    """Dice of a unit's fire at a unit, including those that supporters add."""
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
    return fires(state, board, unit, target, (mode,), moved, supporters)[0]


def fires(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    modes: Sequence[str],
    moved: bool = False,
    supporters: Sequence[Unit] = (),
) -> list[Toll]:
    """`fire` in each of some modes."""
    dice, wanted = attack_dice(board, unit, target, moved, supporters), need_at(board, unit, target)
    return [hit_by(state, board, target, mode, dice, wanted, unit.place) for mode in modes]


def hit_by(state: State, board: Board, target: Unit, mode: str, dice: int, wanted: int, origin: int) -> Toll:
    """What an attack from the space `origin` costs its target; each of its `dice` needs `wanted` to hit."""
    guarded = defence(state, board, target)
    if mode == NORMAL:
        return expected.fired_on(dice, wanted, guarded, target.models)
    if type_of(target).vehicle:
        return UNHURT
    mine, models = unit_state(target), target.models
    toll = expected.suppressed(dice, wanted, guarded, models, mine.pinned, mine.disrupted, False)
    if toll.routed and not morale.can_fall_back(state, board, target, origin):
        return expected.suppressed(dice, wanted, guarded, models, mine.pinned, mine.disrupted, True)
    return toll


@memo(bound=1 << 16)
def lost_to(
    kind: str, models: int, against: int, inside: bool, distance: int, guarded: int, figures: int
) -> float:
    """The expected figures a target loses to normal fire. `kind`, `models`: the attackers; `against`: the target's class;
    `inside`: it is in a building; `guarded`: its defence dice; `figures`: how many it has."""
    dice, wanted = dice_at(kind, models, 0, against, inside, distance)
    return expected.fired_on(dice, wanted, guarded, figures).lost


class TargetProfile(NamedTuple):
    """All that matters about a unit as a target: its type and figures, whether it is in a building, its cover dice, and its
    suppression."""

    kind: str
    models: int
    inside: bool
    cover: int
    pinned: bool
    disrupted: bool


def target_profile(board: Board, unit: Unit) -> TargetProfile:
    """A unit as a target."""
    inside = board.spaces[unit.place].kind == "floor"
    mine = unit_state(unit)
    return TargetProfile(
        unit.kind, unit.models, inside, covers(board)[unit.place], mine.pinned, mine.disrupted
    )


@memo(bound=1 << 16)
def both_modes(
    kind: str, models: int, times: int, target: TargetProfile, distance: int
) -> tuple[float, Toll]:
    """What fire costs a target at a distance: figures lost to normal fire, and the toll of suppressive fire. `times`: how often
    the attackers' dice are halved. The target is assumed to be able to fall back."""
    foe = TYPES[target.kind]
    dice, wanted = dice_at(
        kind, models, times, VEHICLES if foe.vehicle else INFANTRY, target.inside, distance
    )
    if not dice:
        return 0.0, UNHURT
    guarded = target.cover + foe.armour
    lost = expected.fired_on(dice, wanted, guarded, target.models).lost
    if foe.vehicle:
        return lost, UNHURT
    return lost, expected.suppressed(
        dice, wanted, guarded, target.models, target.pinned, target.disrupted, False
    )


# ---- fire at buildings ---------------------------------------------------------------------------------------------------


def fall_cover(state: State, board: Board, section: int) -> int:
    """Cover dice of units inside a building hex that falls: none unless an option says so (SH-FALL-1)."""
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
    """Chances that an attack destroys a building hex, and that it only weakens it. Each of its `dice` needs `wanted` to hit."""
    weakened = is_weakened(state, section)
    return expected.walls(dice, wanted, required(board.sections[section].top, weakened), weakened)


def building_dice(board: Board, unit: Unit, section: int, moved: bool = False) -> tuple[int, int]:
    """(dice, roll needed) of a unit's fire at a building hex."""
    distance = hexes(board).between(unit.place, board.sections[section].ruin)
    return strength_at_building(unit, distance, moved), need(distance, type_of(unit).ranges[VEHICLES])


def walls_under(
    state: State,
    board: Board,
    unit: Unit,
    section: int,
    moved: bool = False,
    supporters: Sequence[Unit] = (),
) -> tuple[float, float]:
    """Chances that a unit's fire, alone or with supporters, destroys a building hex, and that it only weakens it."""
    dice, wanted = building_dice(board, unit, section, moved)
    for other in supporters:
        dice += halved(building_dice(board, other, section)[0], 1)
    return walls_hit(state, board, section, dice, wanted)


def at_building(
    state: State,
    board: Board,
    unit: Unit,
    section: int,
    moved: bool = False,
    supporters: Sequence[Unit] = (),
) -> Outcome:
    """The outcome of a unit's fire at a building hex, alone or with supporters. Units inside suffer when it falls."""
    falls, weakens = walls_under(state, board, unit, section, moved, supporters)
    buried = burials(state, board, section) if falls else ()
    return Outcome(tuple((one, toll.by(falls)) for one, toll in buried), ((section, falls, weakens),))


# ---- area attacks --------------------------------------------------------------------------------------------------------


def landings(board: Board, place: int) -> list[tuple[int, float]]:
    """The hexes on which an area attack aimed at the hex of a place may land, with the chance of each. The rest of the
    probability is that it lands off the map."""
    grid = hexes(board)
    aimed = grid.of[place]
    return [(aimed, HELD), *((number, SCATTERED) for number in grid.near[aimed])]


def bombardment(state: State, board: Board, unit: Unit, place: int, mode: str) -> Outcome:
    """The outcome of a unit's area attack aimed at the hex that `place` names, over that hex and the six around it."""
    tolls: list[tuple[Unit, Toll]] = []
    walls: list[tuple[int, float, float]] = []
    for number, chance in landings(board, place):
        found = burst(state, board, unit, number, mode)
        tolls += [(one, toll.by(chance)) for one, toll in found.tolls]
        walls += [(section, chance * falls, chance * weakens) for section, falls, weakens in found.walls]
    return Outcome(tuple(tolls), tuple(walls))


def burst(state: State, board: Board, unit: Unit, number: int, mode: str) -> Outcome:
    """The outcome of a unit's area attack once it has landed on a hex."""
    grid, dice = hexes(board), area.area_dice(unit, mode)
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
            # Units below the top floor are safe unless the building falls.
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
    """Dice of a unit in close combat by figures left, from 0 up; `times`: how often they are halved."""
    return (0, *(halved(firepower(kind, n, against), times) for n in range(1, models + 1)))


def _side(state: State, board: Board, unit: Unit, foe: Unit) -> Side:
    """One side of close combat. A disrupted unit does not strike; assaulting units are on foot and have no armour."""
    dice = _close_dice(unit.kind, unit.models, class_of(foe), halvings(unit))
    if unit_state(unit).disrupted:
        dice = (0,) * len(dice)
    trapped = not morale.can_fall_back(state, board, unit, -1)
    return Side(dice, type_of(unit).armour, trapped)


def assault(state: State, board: Board, unit: Unit, foe: Unit) -> Clash:
    """An assault: enemies on opportunity fire shoot at the assaulting unit as it sets out, then both sides fight."""
    attacks = [net for _, net in opportunities(state, board, unit, unit.place)]
    left = expected.survivors(tuple(attacks), unit.models)
    return expected.clash(_side(state, board, unit, foe), left, _side(state, board, foe, unit))


def _opportunity(state: State, board: Board, unit: Unit, target: Unit) -> Distribution:
    """Net hits of normal opportunity fire."""
    dice, wanted = strength(board, unit, target), need_at(board, unit, target)
    return expected.nets(dice, wanted, defence(state, board, target))


def opportunities(state: State, board: Board, unit: Unit, place: int) -> tuple[tuple[int, Distribution], ...]:
    """The enemies on opportunity fire that could fire at a unit in a place, with the net hits of their normal fire."""
    there = replace(unit, place=place)
    waiting = react.waiting_for(state, board, unit, place)
    return tuple((number, _opportunity(state, board, state.units[number], there)) for number in waiting)


def moving(
    state: State,
    board: Board,
    unit: Unit,
    path: Sequence[int],
    met: Callable[[int], tuple[tuple[int, Distribution], ...]],
) -> Toll:
    """What a move along a path (from the unit's place) costs it, if each enemy on opportunity fire uses normal fire at its first
    chance; `met`: the `opportunities` in a place."""
    attacks: list[Distribution] = []
    fired: set[int] = set()
    for place in path[1:]:
        # Units cannot be fired at in a full place on the way.
        if place != path[-1] and place in state.at and not has_room(state, board, unit, place):
            continue
        for number, net in met(place):
            if number not in fired:
                fired.add(number)
                attacks.append(net)
    if not attacks:
        return UNHURT
    left = expected.survivors(tuple(attacks), unit.models)
    return Toll(unit.models - mean(left), left[0])


def recovery(board: Board, unit: Unit, officers: Sequence[int]) -> float:
    """The chance that a disrupted squad recovers in the next status phase; `officers`: the places of its side's officers."""
    return face_at_least(morale.recovers_on(board, unit, officers))
