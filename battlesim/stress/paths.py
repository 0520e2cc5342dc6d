"""What of a scenario, its map and its agents can be varied, by paths. Read `find_places`, then `leaves`.

A path names one place or many:

    turns                               the scenario's own settings
    options.fires                       an option of its ruleset
    forces.Red.units[3].quality         the fourth entry of Red's forces
    forces.Red.units["*"].quality       all of them; a name or a type may stand there, with * and ? as in file names
    objectives["the mill"].points       an objective by its name, or by its number
    map.sections["factory.*"].floors    sections of the map
    map.buildings["mill"].flat_roof     buildings that have no sections of their own
    agents.Red                          who plays Red: levels are agents, as `battlesim play` takes them
    agents.Red.exposure                 a parameter of Red's agent
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.rules.scenario import Scenario

Target = Literal["scenario", "map", "agent"]


class Place(NamedTuple):
    """One thing that can be set. `steps`: keys and indexes in the table of the scenario or the map; of an agent, (side,) for the
    agent itself and (side, name) for one of its parameters."""

    target: Target
    steps: tuple[str | int, ...]


_STEP = re.compile(r"""\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|\[\*\]""")
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
)
SECTION_FIELDS = ("floors", "flat_roof", "closed", "burning", "own", "openings")
OBJECTIVE_FIELDS = ("points", "side", "name", "when", "edge", "buildings", "places", "units")
SETTINGS = ("turns", "extra_turn", "margin")


class _Selected(NamedTuple):
    """The part of a path in brackets: a number, or a pattern for names."""

    number: int
    pattern: str


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
        word, number, double, single = found.groups()
        if word is not None:
            steps.append(word)
        elif number is not None:
            steps.append(_Selected(int(number), ""))
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
    if head == "agents":
        return _of_agents(scenario, path, steps)
    if head == "options" and len(steps) > 1 and all(isinstance(step, str) for step in steps):
        return [Place("scenario", tuple(str(step) for step in steps))]
    if len(steps) == 1 and head in SETTINGS:
        return [Place("scenario", (str(head),))]
    known = [*SETTINGS, "options.", "forces.", "objectives[", "map.sections[", "map.buildings[", "agents."]
    raise InputError(Fault(f"{path!r} names nothing that can be varied", did_you_mean(path, known)))


def _of_forces(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if len(steps) != 5 or steps[2] != "units" or not isinstance(steps[3], _Selected):
        raise InputError(
            Fault(
                f"{path!r} is no path of forces", f'write forces.{sides[0]}.units[0].quality, or units["*"]'
            )
        )
    side, field = str(steps[1]), str(steps[4])
    if side not in sides:
        raise InputError(Fault(f"{path!r}: there is no side {side!r}", did_you_mean(side, sides)))
    if field not in FORCE_FIELDS:
        raise InputError(Fault(f"{path!r}: a unit has no {field!r}", did_you_mean(field, FORCE_FIELDS)))
    table = json.loads(scenario.source)["forces"]
    own = [(number, entry) for number, entry in enumerate(table) if entry["side"] == side]
    found = _select(own, steps[3], lambda entry: (entry.get("name", ""), entry["type"]))
    if not found:
        names = [entry.get("name", entry["type"]) for _, entry in own]
        raise InputError(Fault(f"{path!r}: {side} has no such unit", _nearest(steps[3], names)))
    return [Place("scenario", ("forces", number, field)) for number in found]


def _of_objectives(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    if len(steps) != 3 or not isinstance(steps[1], _Selected):
        raise InputError(
            Fault(
                f"{path!r} is no path of objectives", 'write objectives[0].points, or objectives["*"].points'
            )
        )
    field = str(steps[2])
    if field not in OBJECTIVE_FIELDS:
        raise InputError(
            Fault(f"{path!r}: an objective has no {field!r}", did_you_mean(field, OBJECTIVE_FIELDS))
        )
    table = list(enumerate(json.loads(scenario.source).get("objectives", [])))
    found = _select(table, steps[1], lambda entry: (entry.get("name", ""),))
    if not found:
        names = [entry.get("name", "") for _, entry in table]
        raise InputError(Fault(f"{path!r}: there is no such objective", _nearest(steps[1], names)))
    return [Place("scenario", ("objectives", number, field)) for number in found]


def _of_map(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    if len(steps) < 4 or steps[1] not in ("sections", "buildings") or not isinstance(steps[2], _Selected):
        raise InputError(Fault(f"{path!r} is no path of a map", 'write map.sections["house.*"].floors'))
    field = str(steps[3])
    if field not in SECTION_FIELDS:
        raise InputError(
            Fault(f"{path!r}: a {str(steps[1])[:-1]} has no {field!r}", did_you_mean(field, SECTION_FIELDS))
        )
    table: list[tuple[tuple[str | int, ...], str]] = []
    for number, building in enumerate(json.loads(scenario.board.source).get("buildings", [])):
        parts = building.get("sections", [])
        if steps[1] == "buildings" or not parts:
            table.append((("buildings", number), building["name"]))
        else:
            table += [
                (("buildings", number, "sections", place), f"{building['name']}.{part['name']}")
                for place, part in enumerate(parts)
            ]
    found = _select(list(enumerate(table)), steps[2], lambda entry: (entry[1],))
    if not found:
        raise InputError(
            Fault(f"{path!r}: the map has no such part", _nearest(steps[2], [name for _, name in table]))
        )
    rest = tuple(str(step) for step in steps[3:])
    return [Place("map", (*table[number][0], *rest)) for number in found]


def _of_agents(scenario: Scenario, path: str, steps: Sequence[str | _Selected]) -> list[Place]:
    sides = [side.name for side in scenario.sides]
    if len(steps) not in (2, 3) or not all(isinstance(step, str) for step in steps):
        raise InputError(
            Fault(
                f"{path!r} is no path of an agent", f"write agents.{sides[0]} or agents.{sides[0]}.exposure"
            )
        )
    side = str(steps[1])
    if side not in sides:
        raise InputError(Fault(f"{path!r}: there is no side {side!r}", did_you_mean(side, sides)))
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


# ---- what there is


class Leaf(NamedTuple):
    """One thing that can be varied: its path, what stands there now (None: nothing, so the usual counts) and what may stand
    there."""

    path: str
    value: Any
    may_be: str


def leaves(scenario: Scenario, agents: Sequence[str] = ("greedy", "greedy")) -> Iterator[Leaf]:
    """All that can be varied in a scenario, one entry each, with present values."""
    from battlesim.search.outlook import parameters

    table = json.loads(scenario.source)
    for name, may_be in zip(
        SETTINGS, ("1 to 100", "true, false", "points ahead to win, 1 or more"), strict=True
    ):
        yield Leaf(name, table.get(name, scenario.turns if name == "turns" else None), may_be)
    for name, value in sorted(table.get("options", {}).items()):
        yield Leaf(f"options.{name}", value, f"as {type(value).__name__}; docs of the ruleset say what")
    for side, agent in zip(scenario.sides, agents, strict=True):
        numbered = enumerate(entry for entry in table["forces"] if entry["side"] == side.name)
        for number, entry in numbered:
            for name, may_be in (
                ("type", "a unit of the ruleset"),
                ("quality", "a quality of the ruleset"),
                ("models", "men or machines, up to full strength"),
                ("count", "units, where it begins in a zone"),
            ):
                yield Leaf(f"forces.{side.name}.units[{number}].{name}", entry.get(name), may_be)
        yield Leaf(f"agents.{side.name}", agent, "an agent, as `battlesim play` takes it")
        for parameter in parameters(scenario.ruleset):
            path = f"agents.{side.name}.{parameter.name}"
            yield Leaf(
                path, parameter.default, f"{parameter.low:g} to {parameter.high:g}: {parameter.meaning}"
            )
    for number, objective in enumerate(table.get("objectives", [])):
        yield Leaf(
            f"objectives[{number}].points",
            objective.get("points", 1),
            f"points of {objective.get('name') or 'it'}",
        )
    for building in json.loads(scenario.board.source).get("buildings", []):
        for part in building.get("sections") or [building]:
            own = building["name"] if part is building else f"{building['name']}.{part['name']}"
            for name, may_be in (
                ("floors", "1 to 50"),
                ("flat_roof", "true, false"),
                ("closed", "true, false"),
                ("burning", "true, false"),
            ):
                yield Leaf(f'map.sections["{own}"].{name}', part.get(name, building.get(name)), may_be)
