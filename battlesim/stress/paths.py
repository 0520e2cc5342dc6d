"""The parts of a scenario, its map and its agents that can be varied, by paths. Read `find_places`, then `leaves`.

A path names one place or many:

    turns                               the scenario's own settings
    options.fires                       an option of its ruleset
    forces.Red.units[3].quality         the fourth entry of Red's forces
    forces.Red.units["*"].quality       all of them; also a name or a type, with * and ? as in file names
    objectives["the mill"].points       an objective by its name, or by its number
    buildings["mill"].burning           what the scenario adds to a building or section: burning, closed
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
from collections.abc import Sequence

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.rules.scenario import Scenario
from battlesim.stress.map_paths import of_map
from battlesim.stress.path_steps import Place, Selected, fields_of, nearest, parse, place_of, select

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
OBJECTIVE_FIELDS = ("points", "side", "name", "edge", "buildings", "places", "units", "present")
BUILDING_FIELDS = ("closed", "burning")
SETTINGS = ("turns", "extra_turn", "margin")


def find_places(scenario: Scenario, path: str) -> list[Place]:
    """Everything that a path names in a scenario, in its order. Raises InputError for a path that names nothing, with the nearest
    names."""
    steps = parse(path)
    head = steps[0] if steps else ""
    if head == "forces":
        return _of_forces(scenario, path, steps)
    if head == "objectives":
        return _of_objectives(scenario, path, steps)
    if head == "buildings":
        return _of_buildings(scenario, path, steps)
    if head == "map":
        return of_map(scenario, path, steps)
    if head == "sides":
        return _of_zones(scenario, path, steps)
    if head == "agents":
        return _of_agents(scenario, path, steps)
    if head == "options" and len(steps) > 1 and all(isinstance(step, str) for step in steps):
        return [Place("scenario", tuple(str(step) for step in steps))]
    if len(steps) == 1 and head in SETTINGS:
        return [Place("scenario", (str(head),))]
    known = [
        *SETTINGS,
        "options.",
        "forces.",
        "objectives[",
        "buildings[",
        "map.sections[",
        "sides.",
        "agents.",
    ]
    raise InputError(Fault(f"{path!r} names nothing that can be varied", did_you_mean(path, known)))


def _of_forces(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    new = len(steps) == 4 and isinstance(steps[3], Selected) and steps[3].is_new
    if len(steps) < 4 or steps[2] != "units" or not isinstance(steps[3], Selected) or not (new or steps[4:]):
        remedy = f'write forces.{sides[0]}.units[0].quality, units["*"], or units[+] for one more'
        raise InputError(Fault(f"{path!r} is not a path of forces", remedy))
    side = _side(path, steps[1], sides)
    if new:
        return [Place("scenario", ("forces",), "add", (("side", side),))]
    rest = fields_of(path, "unit", steps[4:], FORCE_FIELDS, deep=("reserve",))
    table = json.loads(scenario.source)["forces"]
    own = [(number, entry) for number, entry in enumerate(table) if entry["side"] == side]
    found = select(own, steps[3], lambda entry: (entry.get("name", ""), entry["type"]))
    if not found:
        names = [entry.get("name", entry["type"]) for _, entry in own]
        raise InputError(Fault(f"{path!r}: {side} has no such unit", nearest(steps[3], names)))
    return [place_of("scenario", ("forces", number), rest) for number in found]


def _side(path: str, step: str | Selected, sides: Sequence[str]) -> str:
    """The side that a path names. Raises InputError if there is no such side."""
    if isinstance(step, Selected):
        raise InputError(Fault(f"{path!r}: brackets name no side", f"write {' or '.join(sides)} there"))
    if step not in sides:
        raise InputError(Fault(f"{path!r}: there is no side {step!r}", did_you_mean(step, sides)))
    return step


def _of_objectives(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    if len(steps) == 2 and isinstance(steps[1], Selected) and steps[1].is_new:
        return [Place("scenario", ("objectives",), "add")]
    if len(steps) != 3 or not isinstance(steps[1], Selected):
        remedy = 'write objectives[0].points, objectives["*"].points, or objectives[+] for one more'
        raise InputError(Fault(f"{path!r} is not a path of objectives", remedy))
    rest = fields_of(path, "objective", steps[2:], OBJECTIVE_FIELDS)
    table = list(enumerate(json.loads(scenario.source).get("objectives", [])))
    found = select(table, steps[1], lambda entry: (entry.get("name", ""),))
    if not found:
        names = [entry.get("name", "") for _, entry in table]
        raise InputError(Fault(f"{path!r}: there is no such objective", nearest(steps[1], names)))
    return [place_of("scenario", ("objectives", number), rest) for number in found]


def _of_buildings(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    board = scenario.board
    sections = {name: (number,) for name, number in board.section_by_name.items()} | dict(board.buildings)
    known = [*board.buildings, *(name for name in board.section_by_name if name not in board.buildings)]
    if len(steps) != 3 or (isinstance(steps[1], Selected) and steps[1].number != -1):
        remedy = f'write buildings["{known[0] if known else "mill"}"].burning, or .closed'
        raise InputError(Fault(f"{path!r} is not a path of a scenario's buildings", remedy))
    named = Selected(-1, steps[1]) if isinstance(steps[1], str) else steps[1]
    if not isinstance(steps[2], str) or steps[2] not in BUILDING_FIELDS:
        remedy = f'what the map says of it is varied by map.sections["{named.pattern}"]'
        what = f"{path!r}: a scenario gives a building only {' and '.join(BUILDING_FIELDS)}"
        raise InputError(Fault(what, remedy))
    found = select(list(enumerate(known)), named, lambda name: (name,))
    if not found:
        raise InputError(Fault(f"{path!r}: the map has no such building or section", nearest(named, known)))
    names = [known[number] for number in found]
    # A section is closed, or on fire, if the scenario says so of the section or of its building. A value given under one of these
    # names cannot undo what is said under the other.
    reached = {section for name in names for section in sections[name]}
    for given, state in json.loads(scenario.source).get("buildings", {}).items():
        if given not in names and state.get(steps[2]) and not reached.isdisjoint(sections[given]):
            what = f"{path!r} cannot undo what the scenario says of {given!r}"
            raise InputError(Fault(what, f'write buildings["{given}"].{steps[2]}'))
    return [Place("scenario", ("buildings", name, steps[2])) for name in names]


def _of_zones(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if not (
        len(steps) == 6
        and steps[2] == "zones"
        and isinstance(steps[3], Selected)
        and steps[4] == "rect"
        and isinstance(steps[5], Selected)
        and 0 <= steps[5].number < 4
    ):
        remedy = f'write sides.{sides[0]}.zones["*"].rect[2]; the edges are west, south, east, north'
        raise InputError(Fault(f"{path!r} is not a path of a zone", remedy))
    side = _side(path, steps[1], sides)
    at = sides.index(side)
    zones = list(json.loads(scenario.source)["sides"][at].get("zones", {}).items())
    found = select(list(enumerate(zones)), steps[3], lambda zone: (zone[0],))
    drawn = [zones[number][0] for number in found if "rect" in zones[number][1]]
    if not drawn:
        names = [name for name, zone in zones if "rect" in zone]
        raise InputError(Fault(f"{path!r}: {side} has no such zone with a rect", nearest(steps[3], names)))
    edge = steps[5].number
    return [Place("scenario", ("sides", at, "zones", name, "rect", edge), length=True) for name in drawn]


def _of_agents(scenario: Scenario, path: str, steps: Sequence[str | Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if len(steps) not in (2, 3) or not all(isinstance(step, str) for step in steps):
        raise InputError(
            Fault(
                f"{path!r} is not a path of an agent",
                f"write agents.{sides[0]} or agents.{sides[0]}.exposure",
            )
        )
    _side(path, steps[1], sides)
    return [Place("agent", tuple(str(step) for step in steps[1:]))]
