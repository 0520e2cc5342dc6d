"""What a unit can fire at, and how: in the open, through walls, into openings, over roofs (AC-ATTACK-2, AC-OPEN-1, AC-KNOWN-1,
AC-EXPL-1, AC-HOUSE-INDIRECT, AC-ENG-1).

Nothing here depends on enemies that the firing side has not found. Read `targets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.answers import Answer, TargetUnit
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import concealment, fire, ground, works
from battlesim.rulesets.armorclass.data import WEAPONS, Weapon
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight, Lines
from battlesim.rulesets.armorclass.model import (
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    battle_state,
    type_of,
)

MOST_PLACES = 12
"""Floors and field works that may be searched, the nearest first; so many again for openings and for indirect fire."""


def targets(state: State, board: Board, unit: Unit) -> list[Answer]:
    """All targets of a unit's fire or work by hand from its place: enemies in sight, enemies behind walls, openings, floors and
    field works to search, places for indirect fire, walls to breach, machines to demolish. Units by id, places nearest first."""
    if unit.place < 0:
        return []
    direct, lobbed = fire.reaches(unit)
    look, foes = LineOfSight(state, board), concealment.known_foes(state, unit.side)
    found: list[Answer] = []
    if direct:
        found += [TargetUnit(foe.id) for foe in foes if aim(look, unit, foe) is not None]
        found += [
            Through(foe.id, side)
            for foe in foes
            for side in sides_of(look, unit, foe.place)
            if can_be_behind(foe, side)
        ]
        places = list(candidates(look, unit, direct))
        if fire.bursts_at(unit) >= 0:
            for place, between in places:
                found += [Into(place, opening) for opening in openings_of(unit, between)]
                found += [IntoHole(place, side) for side in holes_of(unit, between)]
        found += [
            Search(place, side) for place, between in places for side in sides_of(look, unit, place, between)
        ]
    if lobbed:
        found += [Lob(place) for place in lob_places(look, unit, lobbed, foes)]
    found += breaches(state, board, unit)
    found += demolitions(state, board, unit, foes)
    return found


def has_target(state: State, board: Board, unit: Unit) -> bool:
    """Whether `targets` lists anything; the likeliest kinds are checked first."""
    if unit.place < 0:
        return False
    direct, lobbed = fire.reaches(unit)
    look, foes = LineOfSight(state, board), concealment.known_foes(state, unit.side)
    if direct:
        if any(aim(look, unit, foe) is not None for foe in foes):
            return True
        for place, between in candidates(look, unit, direct):
            if sides_of(look, unit, place, between) or openings_of(unit, between):
                return True
            if holes_of(unit, between):
                return True
        if any(can_be_behind(foe, side) for foe in foes for side in sides_of(look, unit, foe.place)):
            return True
    if lobbed and lob_places(look, unit, lobbed, foes):
        return True
    return bool(breaches(state, board, unit) or demolitions(state, board, unit, foes))


def aim(look: LineOfSight, unit: Unit, foe: Unit) -> SightLine | None:
    """The nearest line by which a unit can fire at an enemy it sees, with a weapon in range that could harm it; None: none."""
    reach = fire.harms_at(unit, works.armour_of(look.board, foe))
    return look.nearest_within(unit.place, foe.place, reach) if reach >= 0 else None


def hurting(board: Board, volley: Sequence[Group], foe: Unit) -> list[Group]:
    """The weapons of a volley that could penetrate an enemy's armour; the others do not fire."""
    armour = works.armour_of(board, foe)
    return [group for group in volley if fire.harms(group.weapon, armour)]


def direct_groups(unit: Unit, distance: int) -> list[Group]:
    """The weapons that fire directly over a distance."""
    return fire.direct((unit.kind, unit.models, unit.own.spent), distance)


def area_groups(unit: Unit, distance: int) -> list[Group]:
    """The weapons of `direct_groups` with an effect area."""
    return [group for group in direct_groups(unit, distance) if group.weapon.radius]


def wall_of(state: State, board: Board, place: int, side: int) -> int:
    """The armour class of the wall (0 if breached), or of the bank of a field work (side -1), before a place."""
    if side < 0:
        work = works.fieldwork(state, place)
        return work.wall if work is not None else 0
    space = board.spaces[place]
    if works.is_breached(state, space.section, space.floor, side):
        return 0
    return works.make_of(board, space.section).wall


def suffers(state: State, burns: bool) -> tuple[bool, bool]:
    """The effects of fire that does not penetrate a wall or bank: (whether it costs points, whether it may set it alight)."""
    options = battle_state(state).options
    return options.variant > 1, options.fires and burns


def wall_line(look: LineOfSight, unit: Unit, place: int, side: int) -> SightLine | None:
    """The nearest line by which a unit fires at a wall of a floor, or (-1) at the bank of a field work."""
    return walls_seen(look, unit, place).get(side) if side >= 0 else look.nearest(unit.place, place)


def wall_burns(state: State, board: Board, place: int, side: int) -> bool:
    """Whether a wall of a floor, or (-1) the bank of a field work, is flammable."""
    if side >= 0:
        return works.make_of(board, board.spaces[place].section).burns
    work = works.fieldwork(state, place)
    return work is not None and work.burns


def wall_attack(
    look: LineOfSight, unit: Unit, place: int, side: int
) -> tuple[SightLine, int, list[Group]] | None:
    """How a unit fires at a wall of a floor, or (-1) at the bank of a field work: (line, armour class, weapons that could affect
    it); None if there is no line."""
    state, board = look.state, look.board
    line = wall_line(look, unit, place, side)
    if line is None:
        return None
    wall, weak = wall_of(state, board, place, side), suffers(state, wall_burns(state, board, place, side))
    return line, wall, [g for g in direct_groups(unit, line.distance) if fire.harms(g.weapon, wall, *weak)]


def opening_line(look: LineOfSight, unit: Unit, at: Into | IntoHole) -> SightLine | None:
    """The nearest line through an opening of a floor."""
    between = look.between(unit.place, at.place)
    return between.openings.get(at.opening) if isinstance(at, Into) else between.holes.get(at.side)


def walls_seen(look: LineOfSight, unit: Unit, place: int) -> dict[int, SightLine]:
    """The nearest line to each wall of a floor that a unit can fire at, by side in ascending order."""
    return {} if look.board.spaces[place].roof else look.between(unit.place, place).walls


def sides_of(look: LineOfSight, unit: Unit, place: int, between: Lines | None = None) -> list[int]:
    """The walls of a floor, or -1 for the bank of a field work, that a unit can usefully fire at; `between`: the lines, if
    known."""
    state, space = look.state, look.board.spaces[place]
    if space.kind != "floor":
        work = works.fieldwork(state, place)
        line = look.nearest(unit.place, place) if work is not None else None
        if work is None or line is None:
            return []
        return [-1] if line.distance <= fire.harms_at(unit, work.wall, *suffers(state, work.burns)) else []
    if space.roof:
        return []
    walls = (between or look.between(unit.place, place)).walls
    if not walls:
        return []
    make = works.make_of(look.board, space.section)
    weak = suffers(state, make.burns)
    whole = fire.harms_at(unit, make.wall, *weak)
    breached = works.breached_sides(state, space.section, space.floor)
    open_ = fire.harms_at(unit, 0, *weak) if breached else whole
    return [side for side, line in walls.items() if line.distance <= (open_ if side in breached else whole)]


def can_be_behind(foe: Unit, side: int) -> bool:
    """Whether an enemy in a space can be behind a wall of that floor, or (-1) in the field work there, as no machine is."""
    return side >= 0 or type_of(foe).foot


def openings_of(unit: Unit, between: Lines) -> list[int]:
    """The openings of a floor in the line of fire of a weapon with an effect area (AC-OPEN-1)."""
    reach = fire.bursts_at(unit)
    if reach < 0:
        return []
    return [opening for opening, line in between.openings.items() if line.distance <= reach]


def holes_of(unit: Unit, between: Lines) -> list[int]:
    """The walls of a floor with a hole or breach in the line of fire of a weapon with an effect area (AC-OPEN-1)."""
    reach = fire.bursts_at(unit)
    return [side for side, line in between.holes.items() if line.distance <= reach]


def kind_of(state: State, board: Board, answer: Into | IntoHole) -> str:
    """The kind of opening that an effect area is fired into: a breach is as large as a door, a hole is a slit
    (AC-HOUSE-STRUCT)."""
    if isinstance(answer, Into):
        return board.openings[answer.opening].kind
    space = board.spaces[answer.place]
    return "door" if works.is_breached(state, space.section, space.floor, answer.side) else "slit"


def is_held(state: State, place: int, side: int) -> bool:
    """Whether a unit of a side is in a space."""
    return any(state.units[n].side == side for n in state.at.get(place, ()))


def candidates(look: LineOfSight, unit: Unit, reach: int) -> Iterator[tuple[int, Lines]]:
    """The nearest floors and field works in range and sight without friends, where an enemy may be, with the lines there."""
    out = {friend.place for friend in look.state.living(unit.side)}
    out.update(works.ruined(look.state, look.board))
    return islice(look.places(unit.place, reach, out), MOST_PLACES)


def lob_places(look: LineOfSight, unit: Unit, reach: int, foes: list[Unit]) -> list[int]:
    """Where indirect fire can be aimed: at enemies found, and at floors and field works that a friend sees."""
    state, board = look.state, look.board
    here = board.spaces[unit.place]
    if here.kind == "floor" and not here.roof:
        return []
    found: dict[int, None] = {}
    for foe in foes:
        if board.distance(unit.place, foe.place) <= reach:
            found[foe.place] = None
    friends = [u.place for u in state.living(unit.side) if u.place >= 0]
    looked = 0
    for far, place in look.places_around(unit.place):
        if far > reach or looked >= MOST_PLACES:
            break
        space = board.spaces[place]
        if space.kind == "floor" and space.floor != works.floors_left(state, board, space.section) - 1:
            continue  # a shell hits the roof first
        if place in found or board.distance(unit.place, place) > reach:
            continue
        if is_held(state, place, unit.side):
            continue
        if any(look.fires(friend, place) for friend in friends):
            found[place] = None
            looked += 1
    return list(found)


# ---- in contact


def tools_of(unit: Unit) -> list[Weapon]:
    """The breaching gear of a unit."""
    return [WEAPONS[name] for name in type_of(unit).tools]


def works_on(state: State, tool: Weapon, wall: int) -> bool:
    """Whether a tool could penetrate a wall of some class, or cost it a point without that (AC-POINT-2, AC-POINT-3)."""
    costs, _ = suffers(state, burns=False)
    return fire.harms(tool, wall, costs)


def breaches(state: State, board: Board, unit: Unit) -> list[Answer]:
    """Intact walls in contact that a unit's tools could harm (AC-ENG-1, AC-ENG-2)."""
    tools = tools_of(unit)
    # If damage is ignored, no wall is ever breached (AC-DEST-4).
    if battle_state(state).options.damage == "ignored":
        return []
    if not tools or board.spaces[unit.place].kind != "ground":
        return []
    found: list[Answer] = []
    for section, side in ground.walls_in_contact(board, unit.place):
        if not works.floors_left(state, board, section) or works.is_breached(state, section, 0, side):
            continue
        wall = works.make_of(board, section).wall
        place = board.sections[section].spaces[0]
        if is_held(state, place, unit.side):
            continue
        if any(works_on(state, tool, wall) for tool in tools):
            found.append(Breach(place, side))
    return found


def demolitions(state: State, board: Board, unit: Unit, foes: list[Unit]) -> list[Answer]:
    """Vehicles, strongpoints and turrets in contact that a charge could harm (AC-HOUSE-ASSAULT)."""
    charges = [tool for tool in tools_of(unit) if tool.charge]
    if not charges:
        return []
    near = None
    found: list[Answer] = []
    for foe in foes:
        armour = works.armour_of(board, foe)
        if not type_of(foe).tough or not any(fire.harms(tool, armour) for tool in charges):
            continue
        if near is None:
            near = in_contact(state, board, unit)
        if foe.place in near:
            found.append(Demolish(foe.id))
    return found


def in_contact(state: State, board: Board, unit: Unit) -> frozenset[int]:
    """The spaces in contact with a unit: one way apart, or behind a wall in contact."""
    near = list(ground.neighbours(state, board, unit.place))
    if board.spaces[unit.place].kind == "ground":
        near += [
            board.sections[section].spaces[0] for section, _ in ground.walls_in_contact(board, unit.place)
        ]
    return frozenset(near)
