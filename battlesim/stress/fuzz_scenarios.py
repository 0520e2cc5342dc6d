"""Random scenarios under any rulebook, valid by construction. Read `vocabulary_of`, then `random_scenario`.

The parts of a rulebook's scenarios (types of units, qualities, options, tables of sections) are taken from the scenarios that
come with it, from its list of units, and from what its package declares. Whatever its check refuses is removed again, until it
refuses nothing.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import fields, replace

from battlesim.board.board import Board
from battlesim.board.findings import Findings
from battlesim.board.lengths import CANONICAL
from battlesim.core.errors import InputError
from battlesim.rules.contract import Ruleset
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.file import ScenarioFile
from battlesim.scenario.load import load_scenario, ruleset_scenarios, settle, shipped_scenarios
from battlesim.stress.fuzz_choices import Choices
from battlesim.stress.fuzz_maps import random_map

EDGES = ("west", "east", "north", "south")
REPAIRS = 60
"""The most times that a scenario is repaired."""
ANEW = 20
"""How many scenarios are tried before the choices are given up."""


class Vocabulary(Struct, frozen=True):
    """The parts of scenarios under a rulebook. `types` of units; `qualities`; `officers`, rank bonuses; `options`, values by
    name; `owns`, tables of sections; `unit`, of its maps; `boards`, small maps that it is played on; `shipped`, scenarios that
    come with it, except the largest."""

    ruleset: str
    types: tuple[str, ...]
    qualities: tuple[str, ...] = ()
    officers: tuple[int, ...] = ()
    options: dict[str, tuple[Any, ...]] = {}
    owns: tuple[dict[str, Any], ...] = ()
    unit: str = "inch"
    boards: tuple[Board, ...] = ()
    reserves: bool = False
    shipped: tuple[Scenario, ...] = ()


SMALL = 160
"""A shipped map with at most this many spaces is also used unchanged."""
MEDIUM = 400
"""A shipped scenario whose map has at most this many is used with some changes."""


def vocabulary_of(ruleset: str) -> Vocabulary:
    """The vocabulary of a rulebook: from the scenarios that come with it, its `data/units.toml`, and `QUALITIES` (a tuple of
    words) and `Options` (the record of its options) in modules of its package."""
    found = find_ruleset(ruleset)
    scenarios = list(_scenarios_of(ruleset))
    types: dict[str, None] = {}
    options: dict[str, dict[str, Any]] = {}
    qualities: dict[str, None] = {}
    officers: dict[int, None] = {}
    owns: dict[str, dict[str, Any]] = {}
    boards: dict[str, Board] = {}
    reserves = False
    for scenario in scenarios:
        boards.setdefault(scenario.board.digest, scenario.board)
        for force in scenario.forces:
            types[force.type] = None
            reserves = reserves or force.reserve > 0
            if force.quality:
                qualities[force.quality] = None
            if force.officer >= 0:
                officers[force.officer] = None
        for name, value in scenario.options.items():
            for one in _near(_blanked(value, scenario)):
                options.setdefault(name, {})[json.dumps(one, sort_keys=True)] = one
        for section in scenario.board.sections:
            if section.own:
                owns[json.dumps(section.own, sort_keys=True, default=str)] = dict(section.own)
    for module in _modules_of(found):
        for word in getattr(module, "QUALITIES", ()):
            qualities[word] = None
        record = getattr(module, "Options", None)
        if isinstance(record, type) and issubclass(record, Struct):
            for field in fields(record):
                for one in values_within(field.type):
                    options.setdefault(field.encode_name, {})[json.dumps(one, sort_keys=True)] = one
    for name in _listed(found.folder / "data" / "units.toml"):
        types[name] = None
    return Vocabulary(
        ruleset,
        tuple(types),
        tuple(qualities),
        tuple(officers),
        {name: tuple(values.values()) for name, values in options.items()},
        tuple(owns.values()),
        scenarios[0].board.unit if scenarios else "inch",
        tuple(board for board in boards.values() if len(board.spaces) <= SMALL),
        reserves,
        tuple(scenario for scenario in scenarios if len(scenario.board.spaces) <= MEDIUM),
    )


def _scenarios_of(ruleset: str) -> Iterator[Scenario]:
    for name in (*shipped_scenarios(), *ruleset_scenarios(ruleset)):
        scenario = load_scenario(name)
        if scenario.ruleset == ruleset:
            yield scenario


def _listed(file: Path) -> tuple[str, ...]:
    """The rows of a list of units, () if there is no such file."""
    try:
        return tuple(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError:
        return ()


def _modules_of(ruleset: Ruleset) -> list[ModuleType]:
    """The modules of a rulebook's package, by name."""
    package = ruleset.check.__module__.rpartition(".")[0]
    return [sys.modules[name] for name in sorted(sys.modules) if name.startswith(f"{package}.")]


def values_within(kind: Any) -> list[Any]:
    """Some values of a type of option, within its bounds."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        meta = next((arg for arg in args if isinstance(arg, Meta)), Meta())
        high = meta.le if isinstance(meta.le, int) else None
        low = meta.ge if isinstance(meta.ge, int) else 1 if high is None else min(1, high - 5)
        high = low + 5 if high is None else high
        return [low, min(low + 1, high), high]
    if origin is Literal:
        return list(args)
    if origin in (Union, UnionType):
        return [one for arg in args for one in values_within(arg)]
    return [False, True] if kind is bool else []


PLACE, BUILDING, SIDE = "\0place", "\0building", "\0side"
"""Placeholders in options for names from one scenario, filled in for another."""


def _blanked(value: Any, scenario: Scenario) -> Any:
    """A value of an option without the names of its own scenario."""
    if isinstance(value, dict):
        return {key: _blanked(one, scenario) for key, one in value.items()}
    if isinstance(value, list):
        return [_blanked(one, scenario) for one in value]
    board = scenario.board
    if value in [side.name for side in scenario.sides]:
        return SIDE
    if isinstance(value, str) and value in board.by_name:
        return PLACE
    if isinstance(value, str) and (value in board.buildings or value in board.section_by_name):
        return BUILDING
    return value


def _filled(choices: Choices, value: Any, board: Board) -> Any:
    """A value of an option with names of a generated scenario."""
    if isinstance(value, dict):
        return {key: _filled(choices, one, board) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(choices, one, board) for one in value]
    if value == PLACE:
        return choices.of([space.name for space in board.spaces if space.kind == "ground"])
    if value == BUILDING:
        return choices.of(tuple(board.buildings) or ("none",))
    return choices.of(("A", "B")) if value == SIDE else value


def _near(value: Any) -> list[Any]:
    """Values near one that an option has: the other truth value, smaller and larger numbers; for a list, also its single
    entries."""
    if isinstance(value, list):
        return [value, *([one] for one in value)]
    if isinstance(value, bool):
        return [value, not value]
    if isinstance(value, int):
        return [value, 1, max(1, value // 2), value + 1]
    return [value] if isinstance(value, str) else []


# ---- a scenario


def random_scenario(choices: Choices, words: Vocabulary) -> Scenario:
    """A valid scenario. One that cannot be repaired is made anew, from further choices. Raises InputError if that does not help.
    One in eight is a shipped one with some changes: its forces can do what two random ones seldom can, such as battering a house
    down."""
    for number in range(ANEW):
        try:
            if words.shipped and choices.once_in(8):
                return _changed(choices, words, choices.of(words.shipped))
            if words.boards and choices.once_in(4):
                board = choices.of(words.boards)
            else:
                board = random_map(choices, words.unit, words.owns)
            return sound_scenario(_table(choices, words, board), words, board)
        except InputError:
            if number + 1 == ANEW:
                raise
    raise AssertionError("unreachable")


def _changed(choices: Choices, words: Vocabulary, shipped: Scenario) -> Scenario:
    """A shipped scenario without some of its units, and perhaps with other options."""
    table = json.loads(shipped.source)
    table["forces"] = [force for force in table["forces"] if not choices.once_in(6)] or table["forces"]
    for name, values in words.options.items():
        if values and choices.once_in(8):
            table.setdefault("options", {})[name] = _filled(choices, choices.of(values), shipped.board)
    return sound_scenario(table, words, shipped.board)


def sound_scenario(table: dict[str, Any], words: Vocabulary, board: Board) -> Scenario:
    """The scenario of a table, without what the rulebook's check refuses."""
    ruleset = find_ruleset(words.ruleset)
    for _ in range(REPAIRS):
        found = Findings()
        file = ScenarioFile.model_validate({"map": board.name, **table}, context=CANONICAL)
        scenario = settle(file, ruleset, board, found)
        errors = [loc for loc, fault in found.items if fault.level == "error"]
        if not errors:
            return replace(scenario, warnings=())
        _mend(table, errors, found)
    raise InputError([fault for _, fault in found.items])


def _table(choices: Choices, words: Vocabulary, board: Board) -> dict[str, Any]:
    width, height = board.size
    cut = width * choices.between(3, 5) // 9
    mixed = choices.once_in(3)  # both begin anywhere, even in the same house
    table: dict[str, Any] = {
        "name": "fuzz",
        "ruleset": words.ruleset,
        "turns": choices.between(1, 5),
        "margin": choices.between(1, 3) if choices.once_in(4) else 1,
        "sides": [
            {
                "name": "A",
                "zones": {"own": {"rect": [-100, -100, width + 100 if mixed else cut, height + 100]}},
            },
            {
                "name": "B",
                "zones": {"own": {"rect": [-100 if mixed else cut, -100, width + 100, height + 100]}},
            },
        ],
        "forces": [],
    }
    for side in (0, 1):
        for number in range(choices.between(1, 5)):
            table["forces"].append(_force(choices, words, board, side, number, -1 if mixed else cut))
    table["objectives"] = [
        goal for _ in range(choices.between(0, 3)) if (goal := _goal(choices, board, table))
    ]
    options = {
        name: _filled(choices, choices.of(values), board)
        for name, values in words.options.items()
        if values and choices.below(2)
    }
    if options:
        table["options"] = options
    if choices.once_in(8):
        table["extra_turn"] = True
    return table


def _force(
    choices: Choices, words: Vocabulary, board: Board, side: int, number: int, cut: int
) -> dict[str, Any]:
    name = "AB"[side]
    force: dict[str, Any] = {"side": name, "type": choices.of(words.types), "name": f"{name}{number}"}
    if words.qualities and choices.below(3):
        force["quality"] = choices.of(words.qualities)
    if choices.once_in(5):
        force["officer"] = choices.of(words.officers or (1, 2, 3))
    if choices.once_in(4):
        force["models"] = choices.between(1, 12)
    where = choices.below(10)
    if where >= 8 and words.reserves:
        force["reserve"] = {
            "turn": choices.between(2, 3),
            "edge": EDGES[side] if choices.below(3) else "north",
        }
    elif where == 7 and number:
        force["aboard"] = f"{name}{choices.below(number)}"
    elif where >= 3:
        own = [
            space.name
            for space in board.spaces
            if space.kind != "ruin" and (cut < 0 or (space.x < cut if side == 0 else space.x >= cut))
        ]
        indoors = [one for one in own if ":" in one]
        # The rulebooks are mostly about fighting in houses.
        force["at"] = choices.of(indoors if indoors and where >= 5 else own or [board.spaces[0].name])
    else:
        force["zone"] = "own"
    return force


def _goal(choices: Choices, board: Board, table: dict[str, Any]) -> dict[str, Any] | None:
    kind = choices.below(5)
    points = choices.between(1, 4)
    if kind == 0 and board.buildings:
        return {"kind": "hold", "buildings": [choices.of(tuple(board.buildings))], "points": points}
    if kind == 1 and board.buildings:
        house = choices.of(tuple(board.buildings))
        return {"kind": "destroy", "buildings": [house], "points": points, "side": choices.of(("A", "B"))}
    if kind == 2:
        unit = choices.of(table["forces"])["name"]
        return {"kind": choices.of(("destroy", "survive")), "units": [unit], "points": points}
    if kind == 3:
        return {"kind": "exit", "side": choices.of(("A", "B")), "edge": choices.of(EDGES), "points": points}
    ground = [space.name for space in board.spaces if space.kind == "ground"]
    return {"kind": "hold", "places": [choices.of(ground)], "points": points}


# ---- mending


def _mend(table: dict[str, Any], errors: list[Any], found: Findings) -> None:
    """Remove what the faults are about: first a single value, then the whole unit, option or objective."""
    gone: dict[str, set[int]] = {"forces": set(), "objectives": set()}
    for loc in errors:
        head = loc[0] if loc else ""
        if head in gone and len(loc) > 1 and isinstance(loc[1], int) and loc[1] < len(table[head]):
            entry = table[head][loc[1]]
            key = loc[2] if len(loc) > 2 else ""
            if head == "forces" and key in ("quality", "models", "officer", "opening") and key in entry:
                del entry[key]
            elif head == "forces" and key in ("at", "aboard", "reserve") and key in entry:
                del entry[key]
                entry["zone"] = "own"
            else:
                gone[head].add(loc[1])
        elif head == "options" and len(loc) > 1:
            table.get("options", {}).pop(str(loc[1]), None)
        elif head in ("extra_turn", "margin", "options"):
            table.pop(head, None)
        else:
            raise InputError([fault for _, fault in found.items])
    names = {table["forces"][number]["name"] for number in gone["forces"]}
    for head, numbers in gone.items():
        table[head] = [one for number, one in enumerate(table[head]) if number not in numbers]
    for force in table["forces"]:
        if force.get("aboard") in names:
            del force["aboard"]
            force["zone"] = "own"
    table["objectives"] = [goal for goal in table["objectives"] if not names & set(goal.get("units", ()))]
    if not table["forces"]:
        raise InputError([fault for _, fault in found.items])


def renamed(scenario: Scenario) -> Scenario:
    """The same scenario with other names for its sides and units."""
    table = json.loads(scenario.source)
    names = {force.name for force in scenario.forces} | {side.name for side in scenario.sides}
    names |= {entry["name"] for entry in table["forces"] if "name" in entry}
    other = {name: f"Z{number:02}-{name[::-1]}" for number, name in enumerate(sorted(names, reverse=True))}
    return sound_again(_replaced(table, other), scenario)


def reordered(scenario: Scenario) -> Scenario:
    """The same scenario with its units listed in reverse order."""
    table = json.loads(scenario.source)
    table["forces"].reverse()
    return sound_again(table, scenario)


def _replaced(value: Any, other: dict[str, str]) -> Any:
    if isinstance(value, dict):
        # The scenario's own name, title and briefing are not names of sides or units.
        return {key: _replaced(one, other) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, other) for one in value]
    return other.get(value, value) if isinstance(value, str) else value


def sound_again(table: dict[str, Any], scenario: Scenario) -> Scenario:
    """The scenario of a changed table on the same map. Raises InputError if it is invalid."""
    found = Findings()
    file = ScenarioFile.model_validate({"map": scenario.board.name, **table}, context=CANONICAL)
    again = settle(file, find_ruleset(scenario.ruleset), scenario.board, found)
    if found.fatal:
        raise InputError([fault for _, fault in found.items])
    return replace(again, warnings=())
