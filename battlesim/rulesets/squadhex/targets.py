"""Targets: what a unit can fire at, in sight and in range of its firepower (SH-ATTACK-2, SH-TARGET-1, SH-TARGET-2).

Pure functions of a position. Read `units_at`, `buildings_at` and `hexes_at`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from battlesim.board.board import Board
from battlesim.core.state import State, Unit, fallen
from battlesim.rulesets.squadhex.fire import (
    VEHICLES,
    class_of,
    need,
    reaches,
    required,
    strength_at_building,
)
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.line_of_sight import SEEN, lines_of_sight
from battlesim.rulesets.squadhex.model import battle_state, can_act, is_weakened, type_of, unit_state

OUT = 7
"""The roll needed out of range."""


def can_hit(state: State, board: Board, unit: Unit, target: Unit, down: frozenset[int]) -> bool:
    """Whether a unit can fire at a target from where it is; `down`: the sections that have fallen."""
    return (
        target.place >= 0
        and hexes(board).between(unit.place, target.place)
        <= reaches(unit.kind, unit.models)[class_of(target)]
        and lines_of_sight(board).sees(unit.place, target.place, down)
    )


def units_at(state: State, board: Board, unit: Unit) -> list[int]:
    """The enemy units that a unit can fire at, by id."""
    return [foe.id for foe in foes_at(state, board, unit)]


def foes_at(state: State, board: Board, unit: Unit) -> Iterator[Unit]:
    """The enemy units that a unit can fire at, one by one, so that a caller can stop at the first."""
    down, reach, place = fallen(state), reaches(unit.kind, unit.models), unit.place
    grid, lines = hexes(board), lines_of_sight(board)
    hex_of, apart, seen = grid.of, grid.distances(place), lines.row(place, down)
    for foe in state.living(1 - unit.side):
        there = foe.place
        if (
            there >= 0
            and apart[hex_of[there]] <= reach[class_of(foe)]
            and (seen[there] or lines.look(place, there, down)) == SEEN
        ):
            yield foe


def has_target(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit can fire at anything."""
    for _ in foes_at(state, board, unit):
        return True
    return bool(buildings_at(state, board, unit))


def sees_building(board: Board, place: int, section: int, down: frozenset[int]) -> bool:
    """Whether any floor of a building hex is visible from a space."""
    lines = lines_of_sight(board)
    return any(lines.sees(place, floor, down) for floor in board.sections[section].spaces)


def occupants(state: State, board: Board, section: int) -> list[Unit]:
    """The units in a building hex, from the ground floor up."""
    return [state.units[unit] for floor in board.sections[section].spaces for unit in state.at.get(floor, ())]


def may_destroy(state: State, section: int) -> bool:
    """Whether a building hex may be attacked: it stands and may be destroyed in this scenario (SH-SCEN-1)."""
    return section in battle_state(state).destructible and section not in fallen(state)


def can_fell(state: State, board: Board, section: int, dice: Callable[[int], int]) -> bool:
    """Whether any hex of a building could come down, were all dice to hit; `dice`: how many would be rolled at each of its hexes
    (SH-EX-3)."""
    return any(
        may_destroy(state, other)
        and dice(other) >= required(board.sections[other].top, is_weakened(state, other))
        for other in board.buildings[board.sections[section].building]
    )


def is_on_top(board: Board, unit: Unit) -> bool:
    """Whether a unit is on the uppermost floor of a building hex."""
    space = board.spaces[unit.place]
    return space.kind == "floor" and space.floor == board.sections[space.section].top


def can_hit_building(state: State, board: Board, unit: Unit, section: int, down: frozenset[int]) -> bool:
    """Whether a unit can fire at a building hex, by its range against vehicles (SH-TARGET-1, SH-TARGET-2). `may_destroy` says
    whether it may be attacked."""
    distance = hexes(board).between(unit.place, board.sections[section].ruin)
    return (
        need(distance, type_of(unit).ranges[VEHICLES]) < OUT
        and strength_at_building(unit, distance) > 0
        and sees_building(board, unit.place, section, down)
    )


def buildings_at(state: State, board: Board, unit: Unit) -> list[int]:
    """The building hexes that a unit can fire at, by number."""
    if not strength_at_building(unit, 1):
        return []
    down = fallen(state)
    return [
        section
        for section in battle_state(state).destructible
        if section not in down and can_hit_building(state, board, unit, section, down)
    ]


def supporters(
    state: State, board: Board, leader: Unit, target: int, section: int, chosen: tuple[int, ...] = ()
) -> list[int]:
    """Fresh friends that can support a leader's concentrated fire at a unit (`target`) or a building hex (`section`), by id,
    except those already `chosen`. They need the target in sight and within range, not beyond it (SH-HOUSE-ACTIONS)."""
    return [
        unit.id
        for unit in helpers(state, leader)
        if unit.id not in chosen and adds(state, board, unit, target, section)
    ]


def helpers(state: State, leader: Unit) -> list[Unit]:
    """Friends of a leader that are fresh and able to act."""
    return [unit for unit in state.living(leader.side) if unit.id != leader.id and can_act(unit)]


def adds(state: State, board: Board, unit: Unit, target: int, section: int) -> bool:
    """Whether a unit has a target, a unit or (`section` not -1) a building hex, in sight and within range."""
    if section >= 0:
        near = hexes(board).between(unit.place, board.sections[section].ruin)
        if near > type_of(unit).ranges[VEHICLES]:
            return False
        return can_hit_building(state, board, unit, section, fallen(state))
    foe = state.units[target]
    if foe.place < 0:
        return False
    near, against = hexes(board).between(unit.place, foe.place), class_of(foe)
    return (
        near <= type_of(unit).ranges[against]
        and near <= reaches(unit.kind, unit.models)[against]
        and lines_of_sight(board).sees(unit.place, foe.place, fallen(state))
    )


def can_support(state: State, board: Board, leader: Unit) -> bool:
    """Whether a leader has any target that a friend could fire at with it."""
    friends = helpers(state, leader)
    if not friends:
        return False
    return any(
        adds(state, board, friend, foe.id, -1) for foe in foes_at(state, board, leader) for friend in friends
    ) or any(
        adds(state, board, friend, -1, section)
        for section in buildings_at(state, board, leader)
        for friend in friends
    )


# ---- area attacks ----------------------------------------------------------------------------------------------------


def can_bombard(unit: Unit) -> bool:
    """Whether a unit has an area attack left."""
    return type_of(unit).area > 0 and unit_state(unit).shots != 0


def hexes_at(state: State, board: Board, unit: Unit) -> list[int]:
    """The hexes that a unit can bombard, as the spaces that name them (`name_of`), ascending: hexes with an enemy and building
    hexes that may be destroyed, in its range and in sight of any friend (SH-HOUSE-AREA)."""
    return sorted(_hexes(state, board, unit))


def has_hex(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit can bombard anything."""
    for _ in _hexes(state, board, unit):
        return True
    return False


def _hexes(state: State, board: Board, unit: Unit) -> Iterator[int]:
    if not can_bombard(unit):
        return
    down, grid, lines = fallen(state), hexes(board), lines_of_sight(board)
    reach = type_of(unit).area_range
    friends = [u.place for u in state.units.values() if u.side == unit.side and u.place >= 0]
    found: dict[int, None] = {}
    for foe in state.units.values():
        if foe.side == unit.side or foe.place < 0 or grid.between(unit.place, foe.place) > reach:
            continue
        name = name_of(board, foe.place)
        if name not in found and any(lines.sees(place, foe.place, down) for place in friends):
            found[name] = None
            yield name
    for section in battle_state(state).destructible:
        name = board.sections[section].spaces[0]
        if name in found or section in down or grid.between(unit.place, name) > reach:
            continue
        if any(sees_building(board, place, section, down) for place in friends):
            yield name


def name_of(board: Board, place: int) -> int:
    """The space that names the hex of a space: the ground floor of a standing building, else the space itself."""
    space = board.spaces[place]
    return board.sections[space.section].spaces[0] if space.kind == "floor" else place
