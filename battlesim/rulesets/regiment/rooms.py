"""Buildings as rooms: what a part is, what it holds, its neighbours, where it is touched from (RG-PART, RG-CAP, RG-FORT).

A section of the map is a part of a building. A section with a walkable storey above 6 inches is two rooms, ground floor and
upper floor; any other is one. The other floors are folded into the room below them: a room is named by one space, floor 0,
or the lowest floor above 6 inches, and no unit stands on any other. The map describes garrisons in the section's `own` table
under `garrison`. Read `rooms_of`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.board.shapes import shared_wall
from battlesim.core.errors import Fault, did_you_mean
from battlesim.core.geometry import INCH, Point, distance, in_polygon
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Structure
from battlesim.rules.contract import Chapter
from battlesim.rulesets.regiment.data import UnitType

PART = 8 * INCH
"""A building longer than this is more than one part (RG-PART-1)."""
STOREY = 6 * INCH
"""A storey above this is an upper floor (RG-PART-2)."""
PARTY_WALL = 50
"""Parts touch if they share at least this length of wall."""
CAPACITY = 25
"""The unit strength that a room holds unless the map says less (RG-CAP-1)."""
SOUND: tuple[str, ...] = ("stone", "brick", "concrete")
"""Materials whose walls are hard cover (RG-HOUSE-WALLS)."""
KEYS: tuple[str, ...] = ("capacity", "roomy", "level", "unstable", "open", "upper")
"""What a map may say of a section's garrison."""


class Room(Struct, frozen=True):
    """One part, or one of the two rooms of a tall one. `place`: its space. `capacity`: unit strength (RG-CAP-1). `roomy`: open to
    monstrous infantry. `level`: 0 light, 1 hard cover (RG-FORT-1). `unstable`: from the start (RG-UNST-1). `tall`: one of two
    rooms. `neighbours`: places of the rooms next to it. `contacts`: (ground node, wall) pairs from which its outline is touched,
    by node; for an upper floor only nodes as high as it. `around`: those of its ground floor."""

    place: int
    section: int
    upper: bool
    capacity: int
    roomy: bool
    level: int
    unstable: bool
    tall: bool
    closed: bool
    neighbours: tuple[int, ...] = ()
    contacts: tuple[tuple[int, int], ...] = ()
    around: tuple[tuple[int, int], ...] = ()


class Rooms(Struct, frozen=True):
    """All rooms of a board. `by_place`: by their space. `by_section`: the spaces of the rooms of a section, ground floor first;
    none for an open ruin. `touched`: by ground node, the (space of a room, wall) pairs that a unit there touches. `open`: the
    sections that are open ruins (RG-SCEN-1)."""

    by_place: dict[int, Room]
    by_section: dict[int, tuple[int, ...]]
    touched: dict[int, tuple[tuple[int, int], ...]]
    open: frozenset[int]


def parts_of(length: int) -> int:
    """How many parts a building of a length has: one for each 8 inches begun (RG-PART-1)."""
    return max(1, -(-length // PART))


def upper_floor(board: Board, section: Section) -> int:
    """The lowest floor more than 6 inches above the ground; -1 if there is none (RG-PART-2)."""
    base = board.spaces[section.spaces[0]].z
    for floor, place in enumerate(section.spaces):
        if board.spaces[place].z - base > STOREY:
            return floor
    return -1


def declared(section: Section) -> dict[str, Any]:
    """What the map declares of a section's garrison; nothing if that is not a table."""
    table = section.own.get("garrison", {})
    return table if isinstance(table, dict) else {}


def is_open(section: Section) -> bool:
    """Whether a section is a very open ruin, played as linear obstacles (RG-SCEN-1)."""
    return declared(section).get("open") is True


def usual_level(section: Section) -> int:
    """The fortification level of a section that declares none (RG-HOUSE-WALLS)."""
    return 1 if section.material in SOUND and section.kind != "shed" else 0


def _room(board: Board, section: Section, floor: int, tall: bool) -> Room:
    said = declared(section)
    if floor and isinstance(said.get("upper"), dict):
        said = {**said, **said["upper"]}
    return Room(
        place=section.spaces[floor],
        section=section.id,
        upper=floor > 0,
        capacity=said.get("capacity", CAPACITY),
        roomy=said.get("roomy", False),
        level=said.get("level", usual_level(section)),
        unstable=said.get("unstable", False),
        tall=tall,
        closed=section.closed,
    )


@owned_memo(bound=1)
def rooms_of(board: Board) -> Rooms:
    """The rooms of a board."""
    split = {s.id: upper_floor(board, s) for s in board.sections}
    found: dict[int, Room] = {}
    by_section: dict[int, tuple[int, ...]] = {}
    for section in board.sections:
        if is_open(section):
            by_section[section.id] = ()
            continue
        floors = (0,) if split[section.id] < 0 else (0, split[section.id])
        for floor in floors:
            found[section.spaces[floor]] = _room(board, section, floor, len(floors) > 1)
        by_section[section.id] = tuple(section.spaces[floor] for floor in floors)
    near = _neighbours(board, split, by_section)
    around = {s.id: _contacts(board, s) for s in board.sections if by_section[s.id]}
    touched: dict[int, list[tuple[int, int]]] = {}
    for place, room in found.items():
        base = board.spaces[board.sections[room.section].spaces[0]].z
        walls = around[room.section]
        if room.upper:
            walls = tuple(c for c in walls if board.spaces[c[0]].z - base > STOREY)
        found[place] = replace(
            room, neighbours=near.get(place, ()), contacts=walls, around=around[room.section]
        )
        for node, wall in walls:
            touched.setdefault(node, []).append((place, wall))
    return Rooms(
        found,
        by_section,
        {node: tuple(sorted(rooms)) for node, rooms in touched.items()},
        frozenset(s for s, rooms in by_section.items() if not rooms),
    )


def _neighbours(
    board: Board, split: dict[int, int], by_section: dict[int, tuple[int, ...]]
) -> dict[int, tuple[int, ...]]:
    """Rooms that share an inner wall or a floor (RG-PART-2, RG-PART-3). No door is needed: parts of one building are neighbours
    where they touch, those of different buildings where the map connects them."""
    near: dict[int, set[int]] = {}

    def room(section: int, floor: int) -> int:
        places = by_section[section]
        return places[1] if len(places) > 1 and floor >= split[section] else places[0]

    def join(a: int, b: int) -> None:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)

    for section in board.sections:
        places = by_section[section.id]
        if not places:
            continue
        if len(places) > 1:
            join(places[0], places[1])
        for floor, others in enumerate(section.adjoining):
            for other in others:
                if not by_section[other]:
                    continue
                a, b = room(section.id, floor), room(other, floor)
                # ground floors meet ground floors, upper floors upper floors; a low house beside a tall one meets the room
                # at its own level
                if (a == places[0]) == (b == by_section[other][0]):
                    join(a, b)

    def level(a: int, b: int) -> bool:
        storey = min(board.sections[board.spaces[p].section].storey for p in (a, b))
        return 2 * abs(board.spaces[a].z - board.spaces[b].z) <= storey

    for sections in board.buildings.values():
        for one, other in combinations([s for s in sections if by_section[s]], 2):
            if shared_wall(board.sections[one].polygon, board.sections[other].polygon) < PARTY_WALL:
                continue
            for a, b in zip(by_section[one], by_section[other], strict=False):
                if level(a, b):
                    join(a, b)
    return {place: tuple(sorted(others)) for place, others in near.items()}


def _contacts(board: Board, section: Section) -> tuple[tuple[int, int], ...]:
    """Ground nodes from which a section's outline is touched, with the number of the wall: no further away than a step of the
    map, nearest to a wall that faces the outdoors, with no other house between; and open ruins built on to it."""
    outer = [(number, side) for number, side in enumerate(section.sides) if side.outer]
    # A section with houses on all its sides is not touched from the ground.
    if not outer:
        return tuple(_beside_ruins(board, section))
    polygon = section.polygon
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    reach = board.pitch
    west, east, south, north = min(xs) - reach, max(xs) + reach, min(ys) - reach, max(ys) + reach
    found: list[tuple[int, int]] = []
    for space in board.spaces:
        if space.kind != "ground":
            break
        if not (west <= space.x <= east and south <= space.y <= north) or space.terrain == "water":
            continue
        near = min(
            (distance(space.point, nearest_point(space.point, side.a, side.b)), number)
            for number, side in outer
        )
        gap, wall = near
        if gap > reach:
            continue
        foot = nearest_point(space.point, section.sides[wall].a, section.sides[wall].b)
        middle = ((space.x + foot[0]) // 2, (space.y + foot[1]) // 2)
        if any(
            in_polygon(middle, s.polygon) for s in board.sections if s.id != section.id and not is_open(s)
        ):
            continue
        found.append((space.id, wall))
    return (*found, *_beside_ruins(board, section))


def _beside_ruins(board: Board, section: Section) -> list[tuple[int, int]]:
    """Open ruins built on to a section, with the number of its wall: they are ground from which its outline is touched
    (RG-SCEN-1)."""
    found: list[tuple[int, int]] = []
    for other, way in board.exits[section.ruin]:
        space = board.spaces[other]
        if (
            board.ways[way].kind != "ruin"
            or space.kind != "ruin"
            or not is_open(board.sections[space.section])
        ):
            continue
        walls = [distance(space.point, nearest_point(space.point, s.a, s.b)) for s in section.sides]
        found.append((other, walls.index(min(walls))))
    return sorted(found)


def nearest_point(p: Point, a: Point, b: Point) -> Point:
    """The point of a segment nearest to `p`, in whole hundredths."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    t = (p[0] - a[0]) * dx + (p[1] - a[1]) * dy
    if t <= 0 or not length2:
        return a
    if t >= length2:
        return b
    return (a[0] + dx * t // length2, a[1] + dy * t // length2)


def wall_length(board: Board, room: Room, wall: int) -> int:
    """The length of one of a room's walls."""
    side = board.sections[room.section].sides[wall]
    return distance(side.a, side.b)


# ---- what a battle changes about rooms, and who may be in one --------------------------------------------------------


def room_at(board: Board, place: int) -> Room | None:
    """The room whose space this is; None outdoors and on folded floors."""
    return rooms_of(board).by_place.get(place)


def is_part(board: Board, room: Room) -> bool:
    """Whether a room is in one of several parts of its building (RG-PART-1)."""
    return len(board.buildings[board.sections[room.section].building]) > 1


def has_own_level(board: Board, room: Room) -> bool:
    """Whether a room's fortification differs from another's in its building (RG-PART-3)."""
    known = rooms_of(board)
    others = board.buildings[board.sections[room.section].building]
    return any(
        known.by_place[place].level != room.level for other in others for place in known.by_section[other]
    )


def is_unstable(state: State, room: Room) -> bool:
    """Whether a room is unstable, from the start (RG-UNST-1) or by a shot (RG-SHOOT-4)."""
    if room.unstable:
        return True
    if not state.structures:
        return False
    structure = state.structures.get(room.section)
    return structure is not None and room.place in structure.own.get("unstable", ())


def is_closed(state: State, room: Room) -> bool:
    """Whether no unit may enter a room: closed by map or scenario, or on fire."""
    if room.closed:
        return True
    structure: Structure | None = state.structures.get(room.section) if state.structures else None
    return structure is not None and bool(structure.own.get("closed") or structure.burning)


def may_hold(kind: UnitType, room: Room) -> bool:
    """Whether a type of unit may be in a room (RG-CAP-1, RG-CAP-2, RG-HOUSE-CREW): infantry; monstrous infantry if there is room
    for it."""
    return kind.kind == "infantry" or (kind.kind == "mi" and room.roomy)


# ---- checking a map --------------------------------------------------------------------------------------------------


def check_rooms(board: Board) -> list[Fault]:
    """Faults in the map's description of garrisons."""
    faults: list[Fault] = []

    def wrong(section: Section, what: str, remedy: str) -> None:
        faults.append(Fault(f"section {section.name!r} of map {board.name!r}: {what}", remedy, place="map"))

    for section in board.sections:
        if section.size > PART:
            wrong(
                section, f"{section.size / INCH:g} inches long are {parts_of(section.size)} parts", "cut it"
            )
        if "garrison" not in section.own:
            continue
        table = section.own["garrison"]
        if not isinstance(table, dict):
            wrong(section, f"garrison is {table!r}", f"give a table of {', '.join(KEYS)}")
            continue
        upper = table.get("upper", {})
        if not isinstance(upper, dict):
            wrong(section, f"upper is {upper!r}", "give a table of capacity, roomy, level, unstable")
            upper = {}
        elif upper and upper_floor(board, section) < 0:
            wrong(section, "it has no floor above 6 inches", "leave upper out")
        for said, known in ((table, KEYS), (upper, KEYS[:4])):
            for key, value in said.items():
                if key not in known:
                    wrong(section, f"garrison has no key {key!r}", did_you_mean(str(key), known))
                elif key in ("roomy", "unstable", "open") and not isinstance(value, bool):
                    wrong(section, f"{key} is {value!r}", "give true or false")
                elif key == "level" and (isinstance(value, bool) or value not in (0, 1)):
                    wrong(section, f"level is {value!r}", "give 0 (light cover) or 1 (hard cover)")
                elif key == "capacity" and (
                    isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= CAPACITY
                ):
                    wrong(section, f"capacity is {value!r}", f"give 1 to {CAPACITY}")
    return faults


CHAPTER = Chapter(
    owns=(
        "RG-SCEN-1",
        "RG-CAP-1",
        "RG-CAP-2",
        "RG-FORT-1",
        "RG-UNST-1",
        "RG-PART-1",
        "RG-PART-2",
        "RG-PART-3",
        "RG-HOUSE-WALLS",
    ),
)
