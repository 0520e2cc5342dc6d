"""What a unit can fire at, and how: in the open, through walls, into openings, over roofs (AC-ATTACK-2, AC-OPEN-1, AC-KNOWN-1,
AC-EXPL-1, AC-HOUSE-INDIRECT, AC-ENG-1).

Nothing here depends on enemies that the firing side has not found. Read `targets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battlesim.board.board import Board
from battlesim.board.model import Line
from battlesim.core.answers import Answer, At
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import fire, ground, hide, lines, works
from battlesim.rulesets.armorclass.data import FIRE, WEAPONS, Weapon
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import (
    Breach,
    Demolish,
    Into,
    Lob,
    Search,
    Through,
    extra,
    own,
    type_of,
)

MOST_PLACES = 12
"""Floors and field works that may be searched, the nearest first; so many again for openings and for indirect fire."""


def targets(state: State, board: Board, unit: Unit) -> list[Answer]:
    """Everything a unit can fire at or work on from where it stands: enemies in sight, enemies behind walls, openings, floors and
    field works to search, places to lob at, walls to breach, machines to blow up; each by id, places the nearest first."""
    return list(_each(state, board, unit))


def has_target(state: State, board: Board, unit: Unit) -> bool:
    """Whether `targets` lists anything."""
    return next(_each(state, board, unit), None) is not None


def _each(state: State, board: Board, unit: Unit) -> Iterator[Answer]:
    if unit.place < 0 or not unit.alive:
        return
    direct, lobbed = fire.reaches(unit)
    foes = hide.known_foes(state, unit.side)
    if direct:
        for foe in foes:
            if aim(state, board, unit, foe) is not None:
                yield At(foe.id)
        for foe in foes:
            for side in sides_of(state, board, unit, foe.place):
                yield Through(foe.id, side)
        places = candidates(state, board, unit, direct)
        if any(group.weapon.radius for group in fire.groups_of(unit)):
            for place in places:
                for opening in openings_of(state, board, unit, place):
                    yield Into(place, opening)
        for place in places:
            for side in sides_of(state, board, unit, place):
                yield Search(place, side)
    if lobbed:
        for place in lob_places(state, board, unit, lobbed, foes):
            yield Lob(place)
    yield from breaches(state, board, unit)
    yield from demolitions(state, board, unit, foes)


def aim(state: State, board: Board, unit: Unit, foe: Unit) -> Line | None:
    """The nearest line by which a unit can fire at an enemy it sees, with a weapon that reaches so far and could
    hurt; None: none."""
    direct, _ = fire.reaches(unit)
    if not direct or board.sight.reach_hint(unit.place, foe.place) > direct:
        return None
    found = lines.view_lines(state, board, unit.place, foe.place)
    if not found or found[0].distance > direct:
        return None
    line = found[0]
    return line if hurting(direct_groups(unit, line.distance), foe) else None


def hurting(volley: Sequence[Group], foe: Unit) -> list[Group]:
    """Those weapons of a volley that could go through what an enemy wears; the others hold their fire."""
    armour = type_of(foe).armour
    return [group for group in volley if fire.penetrates_on(group.weapon.factor, armour) <= 10]


def direct_groups(unit: Unit, distance: int) -> list[Group]:
    """The weapons that fire directly over a distance."""
    return [
        group for group in fire.groups_of(unit) if not group.weapon.lobbed and group.weapon.range >= distance
    ]


def area_groups(unit: Unit, distance: int) -> list[Group]:
    """Those of them with an effect area."""
    return [group for group in direct_groups(unit, distance) if group.weapon.radius]


def wall_of(state: State, board: Board, place: int, side: int) -> int:
    """The armour class between a firer and a place: of the wall, 0 where it is breached, or of the bank of a field work."""
    if side < 0:
        work = works.fieldwork(state, place)
        return work.wall if work is not None else 0
    space = board.spaces[place]
    if works.is_breached(state, space.section, space.floor, side):
        return 0
    return works.make_of(board, space.section).wall


def useful(state: State, board: Board, weapon: Weapon, place: int, side: int) -> bool:
    """Whether a weapon could do anything to a wall: penetrate it, cost points, or start a fire."""
    if fire.penetrates_on(weapon.factor, wall_of(state, board, place, side)) <= 10:
        return True
    if side < 0:
        return False
    options = extra(state).options
    burns = works.make_of(board, board.spaces[place].section).burns
    return options.variant > 1 or (options.fires and burns and weapon.type in FIRE)


def wall_lines(state: State, board: Board, unit: Unit, place: int) -> dict[int, Line]:
    """The nearest line to each wall of a floor that a unit can fire at, by side."""
    found: dict[int, Line] = {}
    if board.spaces[place].roof:
        return found
    for line in lines.fire_lines(state, board, unit.place, place):
        if line.to_side >= 0 and line.to_side not in found:
            found[line.to_side] = line
    return found


def sides_of(state: State, board: Board, unit: Unit, place: int) -> list[int]:
    """The walls of a floor, or -1 for the bank of a field work, that a unit can usefully fire at."""
    if board.spaces[place].kind != "floor":
        if works.fieldwork(state, place) is None:
            return []
        seen = lines.view_lines(state, board, unit.place, place)
        if seen and any(
            useful(state, board, g.weapon, place, -1) for g in direct_groups(unit, seen[0].distance)
        ):
            return [-1]
        return []
    found = []
    for side, line in sorted(wall_lines(state, board, unit, place).items()):
        if any(useful(state, board, g.weapon, place, side) for g in direct_groups(unit, line.distance)):
            found.append(side)
    return found


def openings_of(state: State, board: Board, unit: Unit, place: int) -> list[int]:
    """The openings of a floor in the line of fire of a weapon with an effect area (AC-OPEN-1)."""
    if board.spaces[place].kind != "floor" or not any(g.weapon.radius for g in fire.groups_of(unit)):
        return []
    found: dict[int, None] = {}
    for line in lines.view_lines(state, board, unit.place, place):
        if line.to_opening >= 0 and area_groups(unit, line.distance):
            found[line.to_opening] = None
    return sorted(found)


def candidates(state: State, board: Board, unit: Unit, reach: int) -> list[int]:
    """The nearest floors and field works in range and sight where an enemy may be: no friend is known there."""
    found: list[int] = []
    at, units, side = state.at, state.units, unit.side
    for far, place in _places_around(state, board, unit.place):
        if far > reach or len(found) >= MOST_PLACES:
            break
        here = at.get(place)
        if here and any(units[n].side == side for n in here):
            continue
        if not works.tenable(state, board, place):
            continue
        if lines.fire_lines(state, board, unit.place, place):
            found.append(place)
    return found


def _places_around(state: State, board: Board, place: int) -> Sequence[tuple[int, int]]:
    """All other floors, and ground with a field work, by the least distance that a line could have."""
    floors = _floors_around(board, place)
    dug = extra(state).fieldworks
    if not dug:
        return floors
    hint = board.sight.reach_hint
    return sorted([*floors, *((hint(place, work.place), work.place) for work in dug if work.place != place)])


def _floors_around(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """All other floors by the least distance that a line could have; kept with the board."""
    kept: dict[int, tuple[tuple[int, int], ...]] = board.memo.setdefault("armorclass around", {})  # type: ignore[assignment]
    found = kept.get(place)
    if found is None:
        hint, section = board.sight.reach_hint, board.spaces[place].section
        near = [(hint(place, s.id), s.id) for s in board.spaces if s.kind == "floor" and s.section != section]
        found = kept[place] = tuple(sorted(near))
    return found


def lob_places(state: State, board: Board, unit: Unit, reach: int, foes: list[Unit]) -> list[int]:
    """Where indirect fire can be aimed: at enemies found, and at floors and field works that a friend sees."""
    here = board.spaces[unit.place]
    if here.kind == "floor" and not here.roof:
        return []
    found: dict[int, None] = {}
    for foe in foes:
        if board.distance(unit.place, foe.place) <= reach:
            found[foe.place] = None
    friends = [u.place for u in state.units.values() if u.side == unit.side and u.alive and u.place >= 0]
    looked = 0
    for far, place in _places_around(state, board, unit.place):
        if far > reach or looked >= MOST_PLACES:
            break
        space = board.spaces[place]
        if space.kind == "floor" and space.floor != works.floors_left(state, board, space.section) - 1:
            continue  # the roof is met first
        if place in found or board.distance(unit.place, place) > reach:
            continue
        if any(state.units[n].side == unit.side for n in state.at.get(place, ())):
            continue
        if any(lines.fire_lines(state, board, friend, place) for friend in friends):
            found[place] = None
            looked += 1
    return list(found)


# ---- in contact


def tools_of(unit: Unit) -> list[Weapon]:
    """The breaching gear of a unit."""
    return [WEAPONS[name] for name in type_of(unit).tools]


def breaches(state: State, board: Board, unit: Unit) -> list[Answer]:
    """Walls in contact that a unit's tools can go through, breached ones left out (AC-ENG-1, AC-ENG-2)."""
    tools = tools_of(unit)
    if not tools or board.spaces[unit.place].kind != "ground":
        return []
    found: list[Answer] = []
    for section, side in ground.walls_in_contact(board, unit.place):
        if not works.floors_left(state, board, section) or works.is_breached(state, section, 0, side):
            continue
        wall = works.make_of(board, section).wall
        place = board.sections[section].spaces[0]
        if any(state.units[n].side == unit.side for n in state.at.get(place, ())):
            continue
        if any(fire.penetrates_on(tool.factor, wall) <= 10 for tool in tools):
            found.append(Breach(place, side))
    return found


def demolitions(state: State, board: Board, unit: Unit, foes: list[Unit]) -> list[Answer]:
    """Vehicles, strongpoints and turrets in contact that a charge could hurt (AC-HOUSE-ASSAULT)."""
    if not any(tool.charge for tool in tools_of(unit)):
        return []
    near = None
    found: list[Answer] = []
    for foe in foes:
        if not type_of(foe).tough:
            continue
        if near is None:
            near = in_contact(state, board, unit)
        if foe.place in near:
            found.append(Demolish(foe.id))
    return found


def in_contact(state: State, board: Board, unit: Unit) -> frozenset[int]:
    """The spaces in contact with a unit: one way apart, or behind a wall it touches."""
    near = list(ground.neighbours(state, board, unit.place))
    if board.spaces[unit.place].kind == "ground":
        near += [
            board.sections[section].spaces[0] for section, _ in ground.walls_in_contact(board, unit.place)
        ]
    return frozenset(near)


def is_hidden_from(unit: Unit, side: int) -> bool:
    """Whether a side has not found an enemy."""
    return unit.side != side and not own(unit).detected
