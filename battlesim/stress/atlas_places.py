"""The places of a scenario and what can be done to each of them. Read `Grounds`.

A place is a section, a floor, a flight of stairs, a door, a window, a wall or a piece of ground. Each can be changed in one or
two ways: closed, opened, weakened, removed, or held from the start by a unit of a side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.model import Opening, Section
from battlesim.board.shapes import along, covered
from battlesim.core.errors import Fault, InputError
from battlesim.core.geometry import FACING_NAMES, distance
from battlesim.rules.scenario import Scenario
from battlesim.scenario.changes import with_changes
from battlesim.stress.atlas_map import board_of, written_out

KINDS = ("building", "section", "floor", "stairs", "door", "window", "wall", "inner wall", "ground")
WEAKER = {"concrete": "stone", "stone": "brick", "brick": "wood"}
TRIED = 4
"""How many units of a side are tried for holding a place from the start, the nearest first."""
ZONE = "held-from-the-start"
"""The name of the zone that adds a place held from the start to its side."""
DOOR = 100
"""A wall needs this much free length, in hundredths, for a door."""


class Place(Struct, frozen=True):
    """One place. `kind`: one of `KINDS`; slits and gaps count as windows. `spaces`: the spaces that it consists of or lies
    between. `section`: the one that it belongs to, -1 outdoors; `other`: the one behind an inner wall. `floor`: of the plan that
    it is drawn on; `x, y`: its position there, in hundredths. `part`: the number of the opening, wall or piece of ground."""

    name: str
    kind: str
    spaces: tuple[int, ...]
    section: int
    floor: int
    x: int
    y: int
    other: int = -1
    part: int = -1


class Change(Struct, frozen=True):
    """Something done to a place. `what`: in a word or two. `side`: the one that holds it from the start, -1 for other changes."""

    place: int
    what: str
    side: int = -1


Edit = Callable[[dict[str, Any]], None]
"""Changes a copy of the map's table in place."""


class Grounds:
    """The places of a scenario. `scenario`: the same one with its map written out part by part, from which all changes start.
    `kinds`: only places of these kinds, () for all; `match`: only places whose name has this text in it."""

    def __init__(self, scenario: Scenario, kinds: Collection[str] = (), match: str = "") -> None:
        self.written, board = written_out(scenario.board)
        self.scenario = with_changes(replace(scenario, board=board), {})
        self.board = self.scenario.board
        self.places = tuple(
            place
            for place in _places(self.board, self.written.table)
            if (not kinds or place.kind in kinds) and match.lower() in place.name.lower()
        )

    def changes(self) -> list[Change]:
        """All possible changes, place by place."""
        return [change for number in range(len(self.places)) for change in self._changes(number)]

    def _changes(self, number: int) -> Iterator[Change]:
        place = self.places[number]
        shut = place.kind == "section" and self.scenario.is_closed(
            place.section
        )  # by the scenario, not by the map
        if place.kind in ("section", "stairs", "door", "window") and not shut:
            yield Change(number, "closed")
        if place.kind == "section":
            yield Change(number, "removed")
        elif place.kind == "building":
            if self.board.sections[place.section].material in WEAKER:
                yield Change(number, "weakened")
        elif place.kind == "window":
            if place.floor == 0 and self.board.openings[place.part].kind == "window":
                yield Change(number, "opened")
        elif place.kind == "wall":
            yield Change(number, "opened")
        elif place.kind == "inner wall":
            joined = place.other in self.board.sections[place.section].adjoining[place.floor]
            yield Change(number, "closed" if joined else "opened")
        elif place.kind == "ground":
            yield Change(number, "removed")
        elif place.kind == "floor":
            section = self.board.sections[place.section]
            if place.floor == section.top and section.top > 0:
                yield Change(number, "removed")
            for side in (0, 1):
                yield Change(number, "held", side)

    def changed(self, change: Change) -> Scenario:
        """The scenario with a change. Raises InputError if it would be invalid."""
        place = self.places[change.place]
        if change.side >= 0:
            return self._held(place, change.side)
        table = deepcopy(self.written.table)
        self._edit(place, change.what)(table)
        return with_changes(replace(self.scenario, board=board_of(self.board, table)), {})

    # ---- changes of the map

    def _edit(self, place: Place, what: str) -> Edit:
        if place.kind == "section" and what == "removed":
            return lambda table: self._remove_section(table, place.section)
        if place.kind == "section":
            return lambda table: self._section(table, place).update(closed=True)
        if place.kind == "building":
            building, _ = self.written.sections[place.section]
            weaker = WEAKER[self.board.sections[place.section].material]
            return lambda table: table["buildings"][building].update(material=weaker)
        if place.kind == "floor":
            return lambda table: self._lower(table, place)
        if place.kind == "stairs":
            return lambda table: self._section(table, place).update(
                stairs=[floor for floor in self._stairs(place.section) if floor != place.floor]
            )
        if place.kind == "ground":
            return lambda table: table["terrain"].pop(place.part)
        if place.kind == "inner wall":
            return lambda table: self._wall_between(table, place, what == "opened")
        if place.kind == "wall":
            return lambda table: self._section(table, place)["openings"].append(
                {"kind": "door", "floor": 0, "near": [place.x, place.y]}
            )
        index = self.written.openings[place.part]
        if what == "opened":
            return lambda table: self._section(table, place)["openings"][index].update(kind="door")
        return lambda table: self._section(table, place)["openings"].pop(index)

    def _section(self, table: dict[str, Any], place: Place) -> dict[str, Any]:
        return self.written.section(table, place.section)

    def _stairs(self, section: int) -> list[int]:
        """The floors of a section from which stairs lead up."""
        board = self.board
        return [
            board.spaces[way.a].floor
            for way in board.ways
            if way.kind == "stairs" and board.spaces[way.a].section == section
        ]

    def _lower(self, table: dict[str, Any], place: Place) -> None:
        """Take the top floor off a section: its open roof, if it has one."""
        found = self._section(table, place)
        if self.board.sections[place.section].flat_roof:
            found["flat_roof"] = False
            gone = place.floor
        else:
            found["floors"] = gone = place.floor
        found["openings"] = [one for one in found["openings"] if one["floor"] < gone]
        if "stairs" in found:
            found["stairs"] = [floor for floor in found["stairs"] if floor < gone - 1]
        name = self.board.sections[place.section].name
        for one in table["connections"]:
            if name in one["between"]:
                one["floors"] = [floor for floor in one["floors"] if floor < gone]
        table["connections"] = [one for one in table["connections"] if one["floors"]]

    def _remove_section(self, table: dict[str, Any], number: int) -> None:
        building, index = self.written.sections[number]
        name = self.board.sections[number].name
        sections = table["buildings"][building]["sections"]
        sections.pop(index)
        if not sections:
            table["buildings"].pop(building)
        table["connections"] = [one for one in table["connections"] if name not in one["between"]]

    def _wall_between(self, table: dict[str, Any], place: Place, opened: bool) -> None:
        pair = (place.section, place.other)
        index = self.written.connections.get(pair)
        if index is None:
            names = [self.board.sections[number].name for number in pair]
            table["connections"].append({"between": names, "floors": [place.floor]})
            return
        entry = table["connections"][index]
        if opened:
            entry["floors"] = sorted([*entry["floors"], place.floor])
        else:
            entry["floors"] = [floor for floor in entry["floors"] if floor != place.floor]
            if not entry["floors"]:
                table["connections"].pop(index)

    # ---- changes of the set-up

    def _held(self, place: Place, side: int) -> Scenario:
        """The scenario in which the nearest unit of a side that can begin in a place begins there. Raises InputError if none
        can."""
        file = json.loads(self.scenario.source)
        space = place.spaces[0]
        near = sorted(
            {
                force.entry: self._away(force.place, force.zone, force.side, space)
                for force in self.scenario.forces
                if force.side == side and force.aboard < 0
            }.items(),
            key=lambda pair: (pair[1], pair[0]),
        )
        first: InputError | None = None
        for entry, _ in near[:TRIED]:
            changes: list[tuple[tuple[str | int, ...], Any]]
            force = {**file["forces"][entry], "at": self.board.spaces[space].name}
            for key in ("zone", "reserve", "opening", "count"):
                force.pop(key, None)
            if file["forces"][entry].get("count", 1) > 1:
                left = file["forces"][entry]["count"] - 1
                force.pop("name", None)
                # The unit is the last of its entry, so that every unit keeps its number, and with it its dice.
                forces = [*file["forces"][:entry], {**file["forces"][entry], "count": left}, force]
                changes = [(("forces",), [*forces, *file["forces"][entry + 1 :]])]
            else:
                changes = [(("forces", entry), force)]
            if file["sides"][side].get("zones"):  # the unit may begin nowhere else
                changes.append((("sides", side, "zones", ZONE), {"places": [force["at"]]}))
            try:
                return with_changes(self.scenario, changes)
            except InputError as error:
                first = first or error
        raise first or InputError(Fault("the side has no unit that could begin there", "give it one"))

    def _away(self, place: int, zone: str, side: int, space: int) -> int:
        """How far a unit begins from a space; very far if it is not on the map at first."""
        if place >= 0:
            return self.board.distance(place, space)
        found = self.scenario.sides[side].zone(zone) if zone else None
        if found is None or not found.spaces:
            return 1 << 30
        return min(self.board.distance(one, space) for one in found.spaces)


# ---- what places there are


def _places(board: Board, table: dict[str, Any]) -> Iterator[Place]:
    for name, sections in board.buildings.items():
        first = board.sections[sections[0]]
        x = sum(board.spaces[board.sections[one].spaces[0]].x for one in sections) // len(sections)
        y = sum(board.spaces[board.sections[one].spaces[0]].y for one in sections) // len(sections)
        spaces = tuple(space for one in sections for space in board.sections[one].spaces)
        yield Place(f"{name} as a whole", "building", spaces, first.id, 0, x, y)
    for section in board.sections:
        yield from _of_section(board, section)
    for number, feature in enumerate(table.get("terrain", [])):
        points = feature.get("line") or feature.get("polygon") or _corners(feature["rect"])
        x, y = (sum(axis) // len(points) for axis in zip(*points, strict=True))
        name = f"{feature['kind']} at {x / 100:g}, {y / 100:g}"
        yield Place(name, "ground", (), -1, 0, x, y, part=number)


def _corners(rect: list[int]) -> list[list[int]]:
    west, south, east, north = rect
    return [[west, south], [east, south], [east, north], [west, north]]


def _of_section(board: Board, section: Section) -> Iterator[Place]:
    name, ground = _called(board, section), board.spaces[section.spaces[0]]
    if not section.closed:
        yield Place(name, "section", section.spaces, section.id, 0, ground.x, ground.y)
    for floor, number in enumerate(section.spaces):
        space = board.spaces[number]
        words = "roof" if space.roof else "ground floor" if floor == 0 else f"floor {floor}"
        yield Place(f"{words} of {name}", "floor", (number,), section.id, floor, space.x, space.y)
    for way in board.ways:
        if way.kind == "stairs" and board.spaces[way.a].section == section.id:
            low = board.spaces[way.a]
            words = f"stairs up from floor {low.floor} of {name}"
            yield Place(words, "stairs", (way.a, way.b), section.id, low.floor, low.x, low.y)
    for one in (opening for openings in section.openings for opening in openings):
        if board.openings[one].kind != "parapet":
            yield _of_opening(board, section, board.openings[one])
    for number, side in enumerate(section.sides):
        has_one = any(board.openings[one].side == number for one in section.openings[0])
        if side.outer and side.outer_from == 0 and not has_one and distance(side.a, side.b) >= DOOR:
            x, y = along(side.a, side.b, distance(side.a, side.b) // 2)
            words = f"{FACING_NAMES[side.facing]} wall of {name}"
            yield Place(words, "wall", (section.spaces[0],), section.id, 0, x, y, part=number)
    yield from _inner_walls(board, section)


def _of_opening(board: Board, section: Section, opening: Opening) -> Place:
    facing = FACING_NAMES[section.sides[opening.side].facing]
    alike = [
        one
        for one in section.openings[opening.floor]
        if board.openings[one].kind == opening.kind
        and FACING_NAMES[section.sides[board.openings[one].side].facing] == facing
    ]
    which = f"{opening.kind} {alike.index(opening.id) + 1}" if len(alike) > 1 else opening.kind
    name = f"{which} in the {facing} of {_called(board, section)}, floor {opening.floor}"
    kind = "door" if opening.kind == "door" else "window"
    spaces = (section.spaces[opening.floor],)
    return Place(name, kind, spaces, section.id, opening.floor, opening.x, opening.y, part=opening.id)


def _inner_walls(board: Board, section: Section) -> Iterator[Place]:
    """The walls that a section shares with those of a higher number, floor by floor."""
    for other in board.sections[section.id + 1 :]:
        spans = [
            (end - start, along(side.a, side.b, (start + end) // 2))
            for side in section.sides
            for start, end in covered(side.a, side.b, other.polygon)
        ]
        if not spans or max(spans)[0] < DOOR // 2:
            continue
        x, y = max(spans)[1]
        for floor in range(min(len(section.spaces), len(other.spaces))):
            one, two = board.spaces[section.spaces[floor]], board.spaces[other.spaces[floor]]
            joined = other.id in section.adjoining[floor]
            if not joined and (one.roof or two.roof or abs(one.z - two.z) > section.storey // 2):
                continue
            words = (
                f"{'inner door' if joined else 'wall'} between {section.name} and {other.name}, floor {floor}"
            )
            spaces = (section.spaces[floor], other.spaces[floor])
            yield Place(words, "inner wall", spaces, section.id, floor, x, y, other.id)


def _called(board: Board, section: Section) -> str:
    """The name of a section: the building's if it has none of its own."""
    return section.building if len(board.buildings[section.building]) == 1 else section.name
