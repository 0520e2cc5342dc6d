"""Scenarios changed in memory: another number of turns, a unit's quality, an option, without a file. Read `with_changes`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import structs
from pydantic import BaseModel, ValidationError

from battlesim.board.board import Board
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
Changes = Mapping[Place, Any] | Iterable[tuple[Place, Any]]
"""Places and their new values, made in this order."""
APPEND = "+"
"""The step of a place that means a new entry at the end of a list."""
M = TypeVar("M", bound=BaseModel)


def with_changes(scenario: Scenario, changes: Changes) -> Scenario:
    """A changed copy of a scenario, on the same map, checked like a file.

    `changes` maps places in the file to new values; None removes a value, so that its default applies. A place is written as in
    messages, or as a tuple of keys and indexes if a key contains dots; the last step "+" adds an entry to a list. Lengths are
    whole hundredths. The result has its own digest and no file; records of games on it contain it.

        with_changes(load_scenario("stairwell"), {"turns": 4, "forces[0].quality": "veteran"})

    Raises InputError with every fault: places that do not exist, values that the format or the rulebook does not accept.
    """
    _check_loaded(scenario)
    table = json.loads(scenario.source)
    table.setdefault("turns", scenario.turns)
    _put_all(table, changes, "scenario")
    name = f"the scenario {scenario.name!r}, changed"
    file = _parsed({"map": scenario.board.name, **table}, ScenarioFile, name, "scenario")
    found = Findings()
    changed = settle(file, find_ruleset(file.ruleset), scenario.board, found)
    faults = [Fault(f.what, f.remedy, name, 0, place_of(loc), f.level) for loc, f in found.items]
    if found.fatal:
        raise InputError([fault for fault in faults if fault.level == "error"])
    return structs.replace(changed, warnings=tuple(faults))


def _check_loaded(scenario: object) -> None:
    """Refuse a name or a path in place of a loaded scenario. Raises InputError."""
    if not isinstance(scenario, Scenario):
        remedy = f"load it first: with_changes(load_scenario({str(scenario)!r:.60}), ...)"
        raise InputError(Fault(f"{scenario!r:.60} is not a loaded scenario", remedy))


def with_map_changes(scenario: Scenario, changes: Changes) -> Scenario:
    """A copy of a scenario with a changed map, such as another number of floors or a closed section. Places are those of the
    map's file.

        with_map_changes(load_scenario("stairwell"), {"buildings[0].sections[1].floors": 2})

    The scenario itself is unchanged, and is checked on the changed map. Raises InputError with every fault.
    """
    return with_changes(structs.replace(scenario, board=changed_board(scenario.board, changes)), {})


def changed_board(board: Board, changes: Changes) -> Board:
    """The board of a map with changes; places are those of the map's file. Raises InputError with every fault."""
    table = json.loads(board.source)
    _put_all(table, changes, "map")
    name = f"the map {board.name!r}, changed"
    return decode_map(canonical_bytes(_parsed(table, MapFile, name, "map")), name)


def _parsed(table: dict[str, Any], model: type[M], name: str, kind: str) -> M:
    """The checked model of a table. Raises InputError with every fault, without line numbers: no user wrote the text."""
    try:
        text = json.dumps(table)
        try:
            return model.model_validate(json.loads(text), context=CANONICAL)
        except ValidationError:
            return parse_yaml(text.encode(), model, name, kind, CANONICAL)  # words its faults
    except (TypeError, ValueError) as error:
        raise InputError(
            Fault(f"a change is not plain data: {error}", "give text, numbers, lists, tables")
        ) from None
    except InputError as error:
        raise InputError([structs.replace(fault, line=0) for fault in error.faults]) from None


def _put_all(table: dict[str, Any], changes: Changes, kind: str) -> None:
    """Make all changes in the table of a scenario or map (`kind`). Raises InputError with every place that does not exist."""
    pairs = changes.items() if isinstance(changes, Mapping) else changes
    faults = [fault for place, value in pairs if (fault := _put(table, place, value, kind)) is not None]
    if faults:
        raise InputError(faults)


def _put(table: dict[str, Any], place: Place, value: Any, kind: str) -> Fault | None:
    """Make one change in plain values. Returns a fault if there is no such place."""
    steps = steps_of(place) if isinstance(place, str) else tuple(place)
    if not steps:
        examples = {"scenario": "turns or forces[0].quality", "map": "storey or buildings[0].floors"}
        return Fault(f"{place!r} is not a place", f"give one such as {examples[kind]}")
    here: Any = table
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        if step == APPEND and last:
            there = isinstance(here, list)
        elif isinstance(step, int):
            there = isinstance(here, list) and 0 <= step < len(here)
        else:
            there = isinstance(here, dict)
        if not there:
            what = f"there is no {place_of(steps[: number + 1])!r} to change"
            return Fault(what, f"see what the {kind}'s file has", place=place_of(steps))
        if not last:
            empty: Any = [] if steps[number + 1] == APPEND else {}
            here = here.setdefault(step, empty) if isinstance(here, dict) else here[step]
        elif step == APPEND:
            here.append(value)
        elif value is not None:
            here[step] = value
        elif isinstance(step, int) or step in here:
            del here[step]
    return None
