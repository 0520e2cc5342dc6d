"""All that can be varied in a scenario: paths with present values. Read `leaves`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from battlesim.rules.options import fitting
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.stress.map_paths import WHOLE, joined_sections, section_of, stairs_of
from battlesim.stress.path_steps import Place
from battlesim.stress.paths import BUILDING_FIELDS, SETTINGS
from battlesim.stress.points import DEFAULTS, MAP_DEFAULTS, option_defaults

EDGES = ("west", "south", "east", "north")


class Leaf(NamedTuple):
    """One thing that can be varied: its path, its present value (None: not given, so the default applies) and its possible
    values."""

    path: str
    value: Any
    may_be: str


def leaves(scenario: Scenario, agents: Sequence[str] = ("greedy", "greedy")) -> Iterator[Leaf]:
    """All that can be varied in a scenario, one entry each, with present values."""
    table = json.loads(scenario.source)
    for name, may_be in zip(
        SETTINGS, ("1 to 100", "true, false", "points ahead to win, 1 or more"), strict=True
    ):
        usual = scenario.turns if name == "turns" else DEFAULTS[name]
        yield Leaf(name, table.get(name, usual), may_be)
    yield from _options(scenario, table.get("options", {}))
    for number, side in enumerate(scenario.sides):
        yield from _units(scenario, side.name, table["forces"], listed=number == 0)
        yield from _zones(side.name, table["sides"][number].get("zones", {}))
    yield from _objectives(table.get("objectives", []))
    for name, state in table.get("buildings", {}).items():
        for field in BUILDING_FIELDS:
            yield Leaf(f'buildings["{name}"].{field}', state.get(field, DEFAULTS[field]), "true, false")
    yield from _map(scenario)
    # Players come last: their parameters are many, and most who read the list look for the scenario.
    for side, agent in zip(scenario.sides, agents, strict=True):
        yield from _agent(scenario, side.name, agent)


def _units(
    scenario: Scenario, side: str, forces: Sequence[Mapping[str, Any]], listed: bool
) -> Iterator[Leaf]:
    """The units of a side. `listed`: the first of them lists the rulebook's types, which are many; all others refer to it."""
    ruleset = find_ruleset(scenario.ruleset)
    for number, entry in enumerate(entry for entry in forces if entry["side"] == side):
        types = (
            (", ".join(ruleset.types) or "a type of unit")
            if listed and number == 0
            else "one of these types, too"
        )
        for name, may_be in (
            ("type", types),
            ("quality", ", ".join(ruleset.qualities)),
            ("models", "men or machines, up to full strength"),
            ("count", "units, where it begins in a zone"),
            ("at", "a space of the map" if "at" in entry else ""),
            ("zone", "a zone of its side" if "zone" in entry else ""),
            ("facing", "a direction" if "facing" in entry else ""),
            ("present", "true, false"),
        ):
            if may_be:  # a rulebook may have no qualities
                value = True if name == "present" else entry.get(name)
                whose = entry.get("name") or entry["type"]
                yield Leaf(f"forces.{side}.units[{number}].{name}", value, f"{whose}: {may_be}")
    yield Leaf(f"forces.{side}.units[+]", 0, "units more; entry = {...} says which")


def _zones(side: str, zones: Mapping[str, Mapping[str, Any]]) -> Iterator[Leaf]:
    """The edges of a side's zones that are rectangles."""
    for name, zone in zones.items():
        for edge, value in enumerate(zone.get("rect", ())):
            path = f'sides.{side}.zones["{name}"].rect[{edge}]'
            yield Leaf(path, value / 100, f"the {EDGES[edge]} edge of the zone, in the map's unit")


def _agent(scenario: Scenario, side: str, agent: str) -> Iterator[Leaf]:
    """The agent of a side, and the parameters of judgement of its rulebook."""
    from battlesim.search.outlook import parameters

    yield Leaf(f"agents.{side}", agent, "an agent, as `battlesim play` takes it")
    for parameter in parameters(scenario.ruleset):
        may_be = f"{parameter.low:g} to {parameter.high:g}: {parameter.meaning}"
        yield Leaf(f"agents.{side}.{parameter.name}", parameter.default, may_be)


def _objectives(objectives: Sequence[Mapping[str, Any]]) -> Iterator[Leaf]:
    for number, objective in enumerate(objectives):
        name = objective.get("name") or "it"
        yield Leaf(f"objectives[{number}].points", objective.get("points", 1), f"points of {name}")
        yield Leaf(f"objectives[{number}].present", True, f"true, false: {name}")
    yield Leaf("objectives[+]", 0, "objectives more; entry = {...} says which")


def _map(scenario: Scenario) -> Iterator[Leaf]:
    """The sections, buildings, connections and terrain of the map."""
    table = json.loads(scenario.board.source)
    for building in table.get("buildings", []):
        for part in building.get("sections") or [building]:
            own = building["name"] if part is building else f"{building['name']}.{part['name']}"
            yield from _section(scenario, building, part, own)
        yield Leaf(f'map.buildings["{building["name"]}"].present', True, "true, false: the whole building")
        for name in WHOLE if building.get("sections") else ():
            if building.get(name):
                yield Leaf(
                    f'map.buildings["{building["name"]}"].{name}', True, "true, false: all its sections"
                )
        material = building.get("material", MAP_DEFAULTS["material"])
        yield Leaf(f'map.buildings["{building["name"]}"].material', material, "wood, brick, stone, concrete")
    for one, other in joined_sections(scenario):
        yield Leaf(f'map.connections["{one} - {other}"].present', True, "true, false: joined inside")
    for number, feature in enumerate(table.get("terrain", ())):
        yield Leaf(f"map.terrain[{number}].present", True, f"true, false: {feature['kind']}")
    yield Leaf("map.terrain[+]", 0, "pieces of terrain more; entry = {...} says which")


def _section(
    scenario: Scenario, building: Mapping[str, Any], part: Mapping[str, Any], own: str
) -> Iterator[Leaf]:
    """One section. `part`: its entry in the map's file, that of its building if this has one outline; `own`: its name in
    paths."""
    for name, may_be in (
        ("floors", "1 to 50"),
        ("flat_roof", "true, false"),
        ("closed", "true, false"),
        ("burning", "true, false"),
    ):
        if name in WHOLE and part is not building and building.get(name):
            continue  # the whole building is
        value = part.get(name, building.get(name, MAP_DEFAULTS[name]))
        yield Leaf(f'map.sections["{own}"].{name}', value, may_be)
    for index, opening in enumerate(part.get("openings", ())):
        may_be = f"true, false: {opening['kind']} {opening.get('side', '')}".rstrip()
        yield Leaf(f'map.sections["{own}"].openings[{index}].present', True, may_be)
    yield Leaf(f'map.sections["{own}"].openings[+]', 0, "openings more; entry = {...} says which")
    number = section_of(scenario, own)
    there = stairs_of(scenario, number)
    for floor in range(len(scenario.board.sections[number].spaces) - 1):
        may_be = f"true, false: stairs lead up from floor {floor}"
        yield Leaf(f'map.sections["{own}"].stairs[{floor}].present', floor in there, may_be)


def _options(scenario: Scenario, given: Mapping[str, Any]) -> Iterator[Leaf]:
    """The options of its rulebook; those that it does not give, with their defaults."""
    record = find_ruleset(scenario.ruleset).options
    fields = () if record is None else msgspec.structs.fields(record)
    usual = option_defaults(scenario)
    for field in sorted(fields, key=lambda field: field.encode_name):
        yield Leaf(
            f"options.{field.encode_name}",
            given.get(field.encode_name, usual[field.encode_name]),
            fitting(field.type),
        )


def not_varied(scenario: Scenario, places: Sequence[Sequence[Place]]) -> Iterator[str]:
    """The parts of a scenario that some factors do not vary, in words, most general first."""
    varied = {place for found in places for place in found}
    fields = {(place.target, place.steps[0], place.steps[-1]) for place in varied}
    table = json.loads(scenario.source)
    for name in SETTINGS:
        if Place("scenario", (name,)) not in varied:
            value = scenario.turns if name == "turns" else table.get(name, DEFAULTS[name])
            yield f"{name} ({value})"
    for name, value in sorted(table.get("options", {}).items()):
        if not any(place.steps[:2] == ("options", name) for place in varied):
            yield f"options.{name} ({value})"
    for number, side in enumerate(scenario.sides):
        own = [at for at, entry in enumerate(table["forces"]) if entry["side"] == side.name]
        for field in ("type", "quality", "models"):
            left = [at for at in own if Place("scenario", ("forces", at, field)) not in varied]
            if left:
                some = "" if len(left) == len(own) else f" {len(left)} of"
                yield f"{field} of{some} the {len(own)} units of {side.name}"
        if Place("scenario", ("forces",), "add", (("side", side.name),)) not in varied and not any(
            place.action == "keep" and place.steps[0] == "forces" and place.steps[1] in own
            for place in varied
        ):
            yield f"the number of units of {side.name}"
        if not any(place.steps[:2] == ("sides", number) for place in varied):
            yield f"the zones of {side.name}"
        if Place("agent", (side.name,)) not in varied:
            yield f"who plays {side.name}"
    if ("scenario", "objectives", "points") not in fields:
        yield "what objectives are worth"
    if not any(place.target == "map" for place in varied):
        yield "the map"
    else:
        yield "the rest of the map"
