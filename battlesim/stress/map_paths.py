"""The parts of a map that can be varied, by paths: sections, buildings, stairs, openings, terrain, connections. Read `of_map`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.rules.scenario import Scenario
from battlesim.stress.path_steps import Place, Selected, fields_of, nearest, place_of, select

SECTION_FIELDS = ("floors", "flat_roof", "closed", "burning", "own", "openings")
WHOLE = ("closed", "burning")
"""What a map may say of a building with sections: then it is so of each of them."""
BUILDING_FIELDS = (*SECTION_FIELDS, "material", "kind", "storey", "present")
OPENING_FIELDS = ("kind", "count", "men", "at", "side", "floor", "floors", "present")
TERRAIN_FIELDS = ("kind", "height", "width", "present")


def of_map(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    """The places of a path that begins with `map`, whose `steps` are parsed. Raises InputError if the map has no such part, with
    the nearest names."""
    kind = steps[1] if len(steps) > 2 and isinstance(steps[2], Selected) else ""
    if kind == "terrain":
        return _of_terrain(scenario, path, steps)
    if kind == "connections":
        return _of_connections(scenario, path, steps)
    if len(steps) < 4 or kind not in ("sections", "buildings") or not isinstance(steps[2], Selected):
        raise InputError(Fault(f"{path!r} is not a path of a map", 'write map.sections["house.*"].floors'))
    whole = kind == "sections" and steps[3] in ("material", "kind", "storey")
    fields = (*SECTION_FIELDS, "stairs") if kind == "sections" and not whole else BUILDING_FIELDS
    head = fields_of(path, str(kind)[:-1], steps[3:4], fields)
    table: list[tuple[tuple[str | int, ...], str, Any]] = []
    for number, building in enumerate(json.loads(scenario.board.source).get("buildings", [])):
        parts = building.get("sections", [])
        if kind == "buildings" or not parts:
            table.append((("buildings", number), building["name"], building))
        else:
            table += [
                (("buildings", number, "sections", place), f"{building['name']}.{part['name']}", part)
                for place, part in enumerate(parts)
            ]
    found = select(list(enumerate(table)), steps[2], lambda entry: (entry[1],))
    if not found:
        raise InputError(
            Fault(f"{path!r}: the map has no such part", nearest(steps[2], [name for _, name, _ in table]))
        )
    if head == ("stairs",):
        flights = [place for n in found for place in _of_stairs(scenario, path, steps[4:], *table[n][:2])]
        if not flights:
            raise InputError(
                Fault(f"{path!r}: no part that it names has more than one floor", "name one that has")
            )
        return flights
    if whole:
        return [place_of("map", at, head) for at in _whole_buildings(path, table, found)]
    if head == ("openings",):
        return [place for number in found for place in _of_openings(path, steps[4:], *table[number][::2])]
    buildings = json.loads(scenario.board.source).get("buildings", [])
    for at in (table[number][0] for number in found):
        building = buildings[at[1]]
        if head[0] in WHOLE and len(at) > 2 and building.get(head[0]):
            what = f"{path!r} cannot undo what the map says of the whole of {building['name']!r}"
            raise InputError(Fault(what, f'write map.buildings["{building["name"]}"].{head[0]}'))
    rest = (*head, *(str(step) for step in steps[4:]))
    return [place_of("map", table[number][0], rest) for number in found]


def _of_stairs(
    scenario: Scenario,
    path: str,
    steps: Sequence[str | Selected],
    at: tuple[str | int, ...],
    name: str,
) -> list[Place]:
    """The flights of stairs of a section, each by the floor from which it leads up."""
    first = steps[0] if steps else ""
    if len(steps) != 2 or not isinstance(first, Selected) or first.is_new or steps[1] != "present":
        remedy = 'write stairs[0].present, of the stairs up from the ground floor, or stairs["*"].present'
        raise InputError(Fault(f"{path!r} is not a path of stairs", remedy))
    section = section_of(scenario, name)
    floors = range(len(scenario.board.sections[section].spaces) - 1)
    wanted = [floor for floor in floors if first.number in (floor, -1)]
    if not wanted and first.number >= 0:
        remedy = f"it has {len(floors) + 1} floors, numbered from 0, its open roof counted"
        raise InputError(Fault(f"{path!r}: nothing is above floor {first.number} of {name}", remedy))
    return [Place("map", (*at, "stairs", floor), "climb", (("section", str(section)),)) for floor in wanted]


def section_of(scenario: Scenario, name: str) -> int:
    """The section of the board that the map's file calls by a name. A building with one outline may have been cut into several,
    which are alike: the first of them."""
    board = scenario.board
    return board.section_by_name[name] if name in board.section_by_name else board.buildings[name][0]


def stairs_of(scenario: Scenario, section: int) -> list[int]:
    """The floors of a section from which stairs lead up."""
    spaces = scenario.board.spaces
    return [
        spaces[way.a].floor
        for way in scenario.board.ways
        if way.kind == "stairs" and spaces[way.a].section == section
    ]


def _whole_buildings(
    path: str, table: Sequence[tuple[tuple[str | int, ...], str, Any]], found: Sequence[int]
) -> list[tuple[str | int, ...]]:
    """The positions of the buildings that some sections make up. Raises InputError if a section of one of them is missing."""
    at = {n: steps[:2] for n, (steps, _, _) in enumerate(table)}
    chosen = list(dict.fromkeys(at[n] for n in found))
    for n, steps in at.items():
        if steps in chosen and n not in found:
            remedy = f'name all of its sections, or write map.buildings["{table[n][1].partition(".")[0]}"]'
            raise InputError(
                Fault(f"{path!r}: that is of a whole building, and {table[n][1]} is left out", remedy)
            )
    return chosen


def _of_openings(
    path: str, steps: Sequence[str | Selected], at: tuple[str | int, ...], part: Any
) -> list[Place]:
    """Openings of one section or building."""
    first = steps[0] if steps else ""
    if len(steps) == 1 and isinstance(first, Selected) and first.is_new:
        return [Place("map", (*at, "openings"), "add")]
    if len(steps) != 2 or not isinstance(first, Selected):
        remedy = 'write openings["door"].present, openings[0].count, or openings[+] for one more'
        raise InputError(Fault(f"{path!r} is not a path of openings", remedy))
    rest = fields_of(path, "opening", steps[1:], OPENING_FIELDS)
    table = list(enumerate(part.get("openings", [])))
    found = select(table, first, lambda entry: (entry["kind"],))
    if not found:
        remedy = nearest(first, [entry["kind"] for _, entry in table])
        raise InputError(Fault(f"{path!r}: {part['name']} has no such opening of its own", remedy))
    return [place_of("map", (*at, "openings", number), rest) for number in found]


def _of_terrain(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    selected = steps[2]
    assert isinstance(selected, Selected)
    if selected.is_new and len(steps) == 3:
        return [Place("map", ("terrain",), "add")]
    rest = fields_of(path, "piece of terrain", steps[3:], TERRAIN_FIELDS)
    table = list(enumerate(json.loads(scenario.board.source).get("terrain", [])))
    found = select(table, selected, lambda entry: (entry["kind"],))
    if not found:
        remedy = nearest(selected, [entry["kind"] for _, entry in table])
        raise InputError(Fault(f"{path!r}: the map has no such terrain", remedy))
    return [place_of("map", ("terrain", number), rest) for number in found]


def _of_connections(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    selected = steps[2]
    assert isinstance(selected, Selected)
    board = scenario.board
    first, dash, second = selected.pattern.partition(" - ")
    known = [f"{one} - {other}" for one, other in joined_sections(scenario)]
    names = board.section_by_name
    if not dash or first not in names or second not in names or steps[3:] != ["present"]:
        remedy = f'write map.connections["house.west - house.east"].present; {did_you_mean(selected.pattern, known)}'
        raise InputError(Fault(f"{path!r} names no two sections", remedy))
    if board.sections[names[first]].building != board.sections[names[second]].building:
        remedy = f"these are: {', '.join(known[:5])}"
        raise InputError(Fault(f"{path!r}: the sections are not of one building", remedy))
    if names[second] < names[first]:
        first, second = second, first
    return [Place("map", (first, second), "join")]


def joined_sections(scenario: Scenario) -> list[tuple[str, str]]:
    """The pairs of sections of one building that are joined inside, by name."""
    sections = scenario.board.sections
    return [
        (section.name, sections[other].name)
        for section in sections
        for other in sorted({other for floor in section.adjoining for other in floor})
        if section.id < other and section.building == sections[other].building
    ]
