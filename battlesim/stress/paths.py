"""What of a scenario, its map and its agents can be varied, by paths. Read `find_places`, then `leaves`.

A path names one place or many:

    turns                               the scenario's own settings
    options.fires                       an option of its ruleset
    forces.Red.units[3].quality         the fourth entry of Red's forces
    forces.Red.units["*"].quality       all of them; a name or a type may stand there, with * and ? as in file names
    objectives["the mill"].points       an objective by its name, or by its number
    map.sections["factory.*"].floors    sections of the map
    map.buildings["mill"].flat_roof     buildings that have no sections of their own
    map.sections["house.west"].openings["door"].present   whether an entry is there: of forces, objectives, openings, terrain
    map.connections["house.west - house.east"].present    whether two sections are joined inside
    map.sections["house.west"].stairs[0].present          whether stairs lead up from a floor
    map.sections["house.*"].material                      the material of a building all of whose sections are named
    forces.Red.units[+]                 one unit more: the factor's `entry` says which, its levels how many; also
                                        objectives[+], map.terrain[+], map.sections["house.west"].openings[+]
    sides.Red.zones["west"].rect[2]     an edge of a zone: west, south, east, north
    agents.Red                          who plays Red: levels are agents, as `battlesim play` takes them
    agents.Red.exposure                 a parameter of Red's agent
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.rules.scenario import Scenario

Target = Literal["scenario", "map", "agent"]


Action = Literal["set", "keep", "add", "join", "climb"]


class Place(NamedTuple):
    """One thing that can be set. `steps`: keys and indexes in the table of the scenario or the map; of an agent, (side,) for the
    agent itself and (side, name) for one of its parameters.

    `action`: "set" puts the level there; "keep" takes the entry there away where the level is false; "add" puts new entries at
    the end of the list there, as many as the level says; "join" joins the two sections named, or parts them; "climb" says
    whether stairs lead up from the floor that ends its steps. `fixed`: what a new entry has beside what the factor says; of
    stairs the section. `length`: the level is a length in the map's unit."""

    target: Target
    steps: tuple[str | int, ...]
    action: Action = "set"
    fixed: tuple[tuple[str, str], ...] = ()
    length: bool = False


_STEP = re.compile(r"""\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|\[(\*|\+)\]""")
FORCE_FIELDS = (
    "type",
    "quality",
    "models",
    "officer",
    "count",
    "at",
    "zone",
    "facing",
    "opening",
    "reserve",
    "aboard",
    "name",
    "present",
)
SECTION_FIELDS = ("floors", "flat_roof", "closed", "burning", "own", "openings")
BUILDING_FIELDS = (*SECTION_FIELDS, "material", "kind", "storey", "present")
OPENING_FIELDS = ("kind", "count", "men", "at", "side", "floor", "floors", "present")
TERRAIN_FIELDS = ("kind", "height", "width", "present")
OBJECTIVE_FIELDS = ("points", "side", "name", "edge", "buildings", "places", "units", "present")
LENGTHS = ("storey", "height", "width", "at")
"""Fields of a map that are lengths, in the map's unit."""
SETTINGS = ("turns", "extra_turn", "margin")


class _Selected(NamedTuple):
    """The part of a path in brackets: a number, or -1 and a pattern for names, or -2 for a new entry."""

    number: int
    pattern: str

    @property
    def is_new(self) -> bool:
        """Whether it stands for a new entry."""
        return self.number == NEW


NEW = -2


def _parse(path: str) -> list[str | _Selected]:
    """The steps of a path. Raises InputError where it is none."""
    steps: list[str | _Selected] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None or found.end() == at:
            raise InputError(
                Fault(f"{path!r} is no path", "write it as turns, or forces.Red.units[0].quality")
            )
        word, number, double, single, mark = found.groups()
        if word is not None:
            steps.append(word)
        elif number is not None:
            steps.append(_Selected(int(number), ""))
        elif mark == "+":
            steps.append(_Selected(NEW, ""))
        else:
            steps.append(_Selected(-1, double or single or "*"))
        at = found.end()
    return steps


def find_places(scenario: Scenario, path: str) -> list[Place]:
    """Everything that a path names in a scenario, in its order. Raises InputError for a path that names nothing, with what is
    near it."""
    steps = _parse(path)
    head = steps[0] if steps else ""
    if head == "forces":
        return _of_forces(scenario, path, steps)
    if head == "objectives":
        return _of_objectives(scenario, path, steps)
    if head == "map":
        return _of_map(scenario, path, steps)
    if head == "sides":
        return _of_zones(scenario, path, steps)
    if head == "agents":
        return _of_agents(scenario, path, steps)
    if head == "options" and len(steps) > 1 and all(isinstance(step, str) for step in steps):
        return [Place("scenario", tuple(str(step) for step in steps))]
    if len(steps) == 1 and head in SETTINGS:
        return [Place("scenario", (str(head),))]
    known = [*SETTINGS, "options.", "forces.", "objectives[", "map.sections[", "sides.", "agents."]
    raise InputError(Fault(f"{path!r} names nothing that can be varied", did_you_mean(path, known)))


def _of_forces(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    new = len(steps) == 4 and isinstance(steps[3], _Selected) and steps[3].is_new
    if len(steps) < 4 or steps[2] != "units" or not isinstance(steps[3], _Selected) or not (new or steps[4:]):
        remedy = f'write forces.{sides[0]}.units[0].quality, units["*"], or units[+] for one more'
        raise InputError(Fault(f"{path!r} is no path of forces", remedy))
    side = _side(path, steps[1], sides)
    if new:
        return [Place("scenario", ("forces",), "add", (("side", side),))]
    rest = _fields(path, "unit", steps[4:], FORCE_FIELDS, deep=("reserve",))
    table = json.loads(scenario.source)["forces"]
    own = [(number, entry) for number, entry in enumerate(table) if entry["side"] == side]
    found = _select(own, steps[3], lambda entry: (entry.get("name", ""), entry["type"]))
    if not found:
        names = [entry.get("name", entry["type"]) for _, entry in own]
        raise InputError(Fault(f"{path!r}: {side} has no such unit", _nearest(steps[3], names)))
    return [_place("scenario", ("forces", number), rest) for number in found]


def _side(path: str, step: str | _Selected, sides: Sequence[str]) -> str:
    """The side that a path names. Raises InputError for one that is none."""
    if isinstance(step, _Selected):
        raise InputError(Fault(f"{path!r}: brackets name no side", f"write {' or '.join(sides)} there"))
    if step not in sides:
        raise InputError(Fault(f"{path!r}: there is no side {step!r}", did_you_mean(step, sides)))
    return step


def _of_objectives(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    if len(steps) == 2 and isinstance(steps[1], _Selected) and steps[1].is_new:
        return [Place("scenario", ("objectives",), "add")]
    if len(steps) != 3 or not isinstance(steps[1], _Selected):
        remedy = 'write objectives[0].points, objectives["*"].points, or objectives[+] for one more'
        raise InputError(Fault(f"{path!r} is no path of objectives", remedy))
    rest = _fields(path, "objective", steps[2:], OBJECTIVE_FIELDS)
    table = list(enumerate(json.loads(scenario.source).get("objectives", [])))
    found = _select(table, steps[1], lambda entry: (entry.get("name", ""),))
    if not found:
        names = [entry.get("name", "") for _, entry in table]
        raise InputError(Fault(f"{path!r}: there is no such objective", _nearest(steps[1], names)))
    return [_place("scenario", ("objectives", number), rest) for number in found]


def _of_zones(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if not (
        len(steps) == 6
        and steps[2] == "zones"
        and isinstance(steps[3], _Selected)
        and steps[4] == "rect"
        and isinstance(steps[5], _Selected)
        and 0 <= steps[5].number < 4
    ):
        remedy = f'write sides.{sides[0]}.zones["*"].rect[2]; the edges are west, south, east, north'
        raise InputError(Fault(f"{path!r} is no path of a zone", remedy))
    side = _side(path, steps[1], sides)
    at = sides.index(side)
    zones = list(json.loads(scenario.source)["sides"][at].get("zones", {}).items())
    found = _select(list(enumerate(zones)), steps[3], lambda zone: (zone[0],))
    drawn = [zones[number][0] for number in found if "rect" in zones[number][1]]
    if not drawn:
        names = [name for name, zone in zones if "rect" in zone]
        raise InputError(Fault(f"{path!r}: {side} has no such zone with a rect", _nearest(steps[3], names)))
    edge = steps[5].number
    return [Place("scenario", ("sides", at, "zones", name, "rect", edge), length=True) for name in drawn]


def _of_map(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    kind = steps[1] if len(steps) > 2 and isinstance(steps[2], _Selected) else ""
    if kind == "terrain":
        return _of_terrain(scenario, path, steps)
    if kind == "connections":
        return _of_connections(scenario, path, steps)
    if len(steps) < 4 or kind not in ("sections", "buildings") or not isinstance(steps[2], _Selected):
        raise InputError(Fault(f"{path!r} is no path of a map", 'write map.sections["house.*"].floors'))
    whole = kind == "sections" and steps[3] in ("material", "kind", "storey")
    fields = (*SECTION_FIELDS, "stairs") if kind == "sections" and not whole else BUILDING_FIELDS
    head = _fields(path, str(kind)[:-1], steps[3:4], fields)
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
    found = _select(list(enumerate(table)), steps[2], lambda entry: (entry[1],))
    if not found:
        raise InputError(
            Fault(f"{path!r}: the map has no such part", _nearest(steps[2], [name for _, name, _ in table]))
        )
    if head == ("stairs",):
        return [place for n in found for place in _of_stairs(scenario, path, steps[4:], n, *table[n][:2])]
    if whole:
        return [_place("map", at, head) for at in _whole_buildings(path, table, found)]
    if head == ("openings",):
        return [place for number in found for place in _of_openings(path, steps[4:], *table[number][::2])]
    rest = (*head, *(str(step) for step in steps[4:]))
    return [_place("map", table[number][0], rest) for number in found]


def _of_stairs(
    scenario: Scenario,
    path: str,
    steps: Sequence[str | _Selected],
    section: int,
    at: tuple[str | int, ...],
    name: str,
) -> list[Place]:
    """The flights of stairs of a section, each by the floor from which it leads up."""
    first = steps[0] if steps else ""
    if len(steps) != 2 or not isinstance(first, _Selected) or first.is_new or steps[1] != "present":
        remedy = 'write stairs[0].present, of the stairs up from the ground floor, or stairs["*"].present'
        raise InputError(Fault(f"{path!r} is no path of stairs", remedy))
    floors = range(len(scenario.board.sections[section].spaces) - 1)
    wanted = [floor for floor in floors if first.number in (floor, -1)]
    if not wanted and first.number >= 0:
        remedy = f"it has {len(floors) + 1} floors, numbered from 0, its open roof counted"
        raise InputError(Fault(f"{path!r}: nothing is above floor {first.number} of {name}", remedy))
    return [Place("map", (*at, "stairs", floor), "climb", (("section", str(section)),)) for floor in wanted]


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
    """Where the buildings stand that some sections make up. Raises InputError where a section of one of them is missing."""
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
    path: str, steps: Sequence[str | _Selected], at: tuple[str | int, ...], part: Any
) -> list[Place]:
    """Openings of one section or building."""
    first = steps[0] if steps else ""
    if len(steps) == 1 and isinstance(first, _Selected) and first.is_new:
        return [Place("map", (*at, "openings"), "add")]
    if len(steps) != 2 or not isinstance(first, _Selected):
        remedy = 'write openings["door"].present, openings[0].count, or openings[+] for one more'
        raise InputError(Fault(f"{path!r} is no path of openings", remedy))
    rest = _fields(path, "opening", steps[1:], OPENING_FIELDS)
    table = list(enumerate(part.get("openings", [])))
    found = _select(table, first, lambda entry: (entry["kind"],))
    if not found:
        remedy = _nearest(first, [entry["kind"] for _, entry in table])
        raise InputError(Fault(f"{path!r}: {part['name']} has no such opening of its own", remedy))
    return [_place("map", (*at, "openings", number), rest) for number in found]


def _of_terrain(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    selected = steps[2]
    assert isinstance(selected, _Selected)
    if selected.is_new and len(steps) == 3:
        return [Place("map", ("terrain",), "add")]
    rest = _fields(path, "piece of terrain", steps[3:], TERRAIN_FIELDS)
    table = list(enumerate(json.loads(scenario.board.source).get("terrain", [])))
    found = _select(table, selected, lambda entry: (entry["kind"],))
    if not found:
        remedy = _nearest(selected, [entry["kind"] for _, entry in table])
        raise InputError(Fault(f"{path!r}: the map has no such terrain", remedy))
    return [_place("map", ("terrain", number), rest) for number in found]


def _of_connections(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    selected = steps[2]
    assert isinstance(selected, _Selected)
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


def _fields(
    path: str,
    what: str,
    steps: Sequence[str | _Selected],
    known: Sequence[str],
    deep: Sequence[str] = (),
) -> tuple[str, ...]:
    """The field that ends a path, and those of its table where it is one of `deep`. Raises InputError for unknown ones."""
    field = str(steps[0]) if steps and isinstance(steps[0], str) else ""
    if field not in known:
        raise InputError(
            Fault(
                f"{path!r}: {'an' if what[0] in 'aeo' else 'a'} {what} has no {field!r}",
                did_you_mean(field, known),
            )
        )
    if len(steps) > 1 and field not in deep:
        raise InputError(Fault(f"{path!r}: {field} is no table", f"end the path with .{field}"))
    return tuple(str(step) for step in steps)


def _place(target: Target, steps: tuple[str | int, ...], rest: tuple[str, ...]) -> Place:
    """The place of a field of an entry, or of the entry itself where the field is `present`."""
    if rest == ("present",):
        return Place(target, steps, "keep")
    return Place(target, (*steps, *rest), length=target == "map" and rest[-1] in LENGTHS)


def _of_agents(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if len(steps) not in (2, 3) or not all(isinstance(step, str) for step in steps):
        raise InputError(
            Fault(
                f"{path!r} is no path of an agent", f"write agents.{sides[0]} or agents.{sides[0]}.exposure"
            )
        )
    _side(path, steps[1], sides)
    return [Place("agent", tuple(str(step) for step in steps[1:]))]


def _select(entries: Sequence[tuple[int, Any]], wanted: _Selected, names: Any) -> list[int]:
    """The numbers of the entries that brackets name: the nth of them, or those one of whose names fits the pattern."""
    if wanted.number >= 0:
        return [entries[wanted.number][0]] if wanted.number < len(entries) else []
    return [
        number for number, entry in entries if any(fnmatchcase(name, wanted.pattern) for name in names(entry))
    ]


def _nearest(wanted: _Selected, names: Sequence[str]) -> str:
    if wanted.number >= 0:
        return f"there are {len(names)}, numbered from 0"
    return did_you_mean(wanted.pattern, names)
