"""Scenarios changed in memory: another number of turns, a unit's quality, an option, without a file. Read `with_changes`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from battlesim.board.findings import Findings
from battlesim.board.lengths import CANONICAL
from battlesim.board.load import decode_map
from battlesim.board.mapfile import MapFile, canonical_bytes
from battlesim.board.yamlfaults import place_of
from battlesim.board.yamlfile import parse_yaml
from battlesim.core.errors import Fault, InputError
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.file import ScenarioFile
from battlesim.scenario.load import settle, steps_of

Place = str | Sequence[str | int]


def with_changes(scenario: Scenario, changes: Mapping[Place, Any]) -> Scenario:
    """A changed copy of a scenario, on the same map, checked like a file.

    `changes` maps places in the file to new values; None takes a value away, so that its default holds. A place is written as
    in messages, or as a tuple of keys and indexes where a key has dots in it. Lengths are whole hundredths. The result has a
    digest of its own and no file; records of games on it hold its content.

        with_changes(load_scenario("stairwell"), {"turns": 4, "forces[0].quality": "veteran"})

    Raises InputError with every fault: places that do not exist, values that the format or the rulebook does not accept.
    """
    table = json.loads(scenario.source)
    table.setdefault("turns", scenario.turns)
    faults = [fault for place, value in changes.items() if (fault := _put(table, place, value)) is not None]
    if faults:
        raise InputError(faults)
    name = f"the scenario {scenario.name!r}, changed"
    try:
        data = json.dumps({"map": scenario.board.name, **table}).encode()
        file = parse_yaml(data, ScenarioFile, name, "scenario", CANONICAL)
    except (TypeError, ValueError) as error:
        raise InputError(
            Fault(f"a change is no plain data: {error}", "give text, numbers, lists, tables")
        ) from None
    except InputError as error:  # the text they were found in is nobody's
        raise InputError([structs.replace(fault, line=0) for fault in error.faults]) from None
    found = Findings()
    changed = settle(file, find_ruleset(file.ruleset), scenario.board, found)
    faults = [Fault(f.what, f.remedy, name, 0, place_of(loc), f.level) for loc, f in found.items]
    if found.fatal:
        raise InputError([fault for fault in faults if fault.level == "error"])
    return structs.replace(changed, warnings=tuple(faults))


def with_map_changes(scenario: Scenario, changes: Mapping[Place, Any]) -> Scenario:
    """A copy of a scenario with a changed map, such as another number of floors or a closed section. Places are those of the
    map's file.

        with_map_changes(load_scenario("stairwell"), {"buildings[0].sections[1].floors": 2})

    The scenario itself stays as it is, and is checked on the changed map. Raises InputError with every fault.
    """
    table = json.loads(scenario.board.source)
    faults = [fault for place, value in changes.items() if (fault := _put(table, place, value)) is not None]
    if faults:
        raise InputError(faults)
    name = f"the map {scenario.board.name!r}, changed"
    try:
        data = json.dumps(table).encode()
        mapfile = parse_yaml(data, MapFile, name, "map", CANONICAL)
    except (TypeError, ValueError) as error:
        raise InputError(
            Fault(f"a change is no plain data: {error}", "give text, numbers, lists, tables")
        ) from None
    except InputError as error:  # the text they were found in is nobody's
        raise InputError([structs.replace(fault, line=0) for fault in error.faults]) from None
    board = decode_map(canonical_bytes(mapfile), name)
    return with_changes(structs.replace(scenario, board=board), {})


def _put(table: dict[str, Any], place: Place, value: Any) -> Fault | None:
    """Make one change in plain values. Returns a fault where there is no such place."""
    steps = steps_of(place) if isinstance(place, str) else tuple(place)
    if not steps:
        return Fault(f"{place!r} is no place", "give one such as turns or forces[0].quality")
    here: Any = table
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        if isinstance(step, int):
            there = isinstance(here, list) and 0 <= step < len(here)
        else:
            there = isinstance(here, dict)
        if not there:
            what = f"there is no {place_of(steps[: number + 1])!r} to change"
            return Fault(what, "see what the scenario's file has", place=place_of(steps))
        if not last:
            here = here.setdefault(step, {}) if isinstance(here, dict) else here[step]
        elif value is not None:
            here[step] = value
        elif isinstance(step, int) or step in here:
            del here[step]
    return None
