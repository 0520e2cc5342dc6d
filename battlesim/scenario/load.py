"""Loading scenarios by name or path, and checking them against their map and ruleset. Read `load_scenario` first.

A scenario is named by its shipped name (`stairwell`) or by the path of its file. `resolve.py` resolves the names in it; the
ruleset's `check` finds what its rules forbid. All faults are reported at once.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.findings import Findings
from battlesim.board.load import load_map, maps_folder, shipped_maps
from battlesim.board.mapfile import decode_canonical
from battlesim.board.yamlfaults import Loc
from battlesim.board.yamlfile import parse_yaml, read_bytes, with_lines
from battlesim.core.dice import KeyedDice, check_seed, derive_seed
from battlesim.core.errors import Fault, InputError, did_you_mean_or_path
from battlesim.core.kinds import kind_of
from battlesim.core.state import State
from battlesim.rules.contract import Ruleset
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.file import ScenarioFile, canonical_bytes
from battlesim.scenario.resolve import resolve


def scenarios_folder() -> Path:
    """The folder of the shipped scenarios; in a checkout, the one there."""
    return maps_folder() / "scenarios"


def shipped_scenarios() -> tuple[str, ...]:
    """The names of the shipped scenarios, sorted."""
    return tuple(sorted(path.stem for path in scenarios_folder().glob("*.yaml")))


def ruleset_scenarios(ruleset: str) -> tuple[str, ...]:
    """The scenarios that a ruleset of another package brings in its folder `scenarios`, called `ruleset:scenario`."""
    files = (find_ruleset(ruleset).folder / "scenarios").glob("*.yaml")
    return tuple(sorted(f"{ruleset}:{path.stem}" for path in files))


def scenario_path(name_or_path: str | Path) -> Path:
    """The file of a scenario: a path if it looks like one (a separator or .yaml), else that of a shipped name, or of
    `ruleset:scenario` if the ruleset's package brings it.

    Raises InputError for a name that no scenario has. A path is not checked here.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or "\\" in text or text.endswith((".yaml", ".yml")):
        return Path(text)
    ruleset, colon, name = text.partition(":")
    names = ruleset_scenarios(ruleset) if colon else shipped_scenarios()
    if text not in names and Path(text).is_file():
        raise InputError(
            kind_of(text) or Fault("its name does not end in .yaml", "name a scenario file", text)
        )
    if text not in names and Path(text).is_dir():
        return Path(text)  # which is refused as a folder
    if text not in names:
        raise InputError(Fault(f"there is no scenario {text!r}", did_you_mean_or_path(text, names)))
    return (
        find_ruleset(ruleset).folder / "scenarios" / f"{name}.yaml"
        if colon
        else scenarios_folder() / f"{text}.yaml"
    )


def load_scenario(name_or_path: str | Path) -> Scenario:
    """A scenario by shipped name or path, checked against its map and ruleset.

    Raises InputError with every fault of the file except warnings; a valid scenario carries its warnings.
    """
    path = scenario_path(name_or_path)
    data = read_bytes(path, "scenario")
    scenario = parse_scenario(data, path)
    errors = [fault for fault in scenario.warnings if fault.level == "error"]
    if errors:
        raise InputError(errors)
    return scenario


def check_scenario(name_or_path: str | Path) -> tuple[Fault, ...]:
    """All faults of a scenario, errors and warnings, in file order; () if there are none."""
    try:
        path = scenario_path(name_or_path)
        return parse_scenario(read_bytes(path, "scenario"), path).warnings
    except InputError as error:
        return error.faults


def parse_scenario(data: bytes, path: Path) -> Scenario:
    """The scenario in the bytes of a file; `warnings` holds its faults, errors among them.

    Raises InputError if file, map or ruleset cannot be read at all. A scenario with errors is for messages only.
    """
    name = str(path)
    file = parse_yaml(data, ScenarioFile, name, "scenario")
    found = Findings()
    ruleset = _ruleset(file.ruleset, found)
    board = _board(file.map, path, found)
    if ruleset is None or board is None:
        raise InputError(_with_lines(found, data, name))
    scenario = replace(settle(file, ruleset, board, found), path=name)
    return replace(scenario, warnings=tuple(_with_lines(found, data, name)))


def decode_scenario(source: bytes, board: Board, name: str = "") -> Scenario:
    """The scenario of canonical bytes (`Scenario.source`) on its map. `name`: the file that they came from, for messages. Raises
    InputError where they are damaged."""
    # Canonical bytes leave out defaults; the default number of turns is the ruleset's.
    turns = ScenarioFile.model_fields["turns"].default
    file = decode_canonical(source, ScenarioFile, name, "scenario", {"map": board.name, "turns": turns})
    found = Findings()
    ruleset = _ruleset(file.ruleset, found)
    if ruleset is not None:
        scenario = settle(file, ruleset, board, found)
        if not found.fatal and scenario.source == source:
            return scenario
        found.error((), "the scenario in it was altered", "take the scenario's own file")
    raise InputError(
        [Fault(f"the scenario: {f.what}", f.remedy, name) for _, f in found.items if f.level == "error"]
    )


def settle(file: ScenarioFile, ruleset: Ruleset, board: Board, found: Findings) -> Scenario:
    """The scenario of a file on its map under its ruleset; faults go into `found`."""
    board = board.under(ruleset.sight)
    if "turns" not in file.model_fields_set:
        file = file.model_copy(update={"turns": ruleset.turns})
    source = canonical_bytes(file)
    digest = sha256(source + b"|" + board.digest.encode()).hexdigest()
    scenario = replace(resolve(file, board, found), digest=digest, source=source)
    for fault in ruleset.check(scenario, board):
        found.items.append((steps_of(fault.place), fault))
    return scenario


def first_state(scenario: Scenario, seed: int) -> State:
    """The first state of a battle. `seed`: the battle's; the random part of the set-up is derived from it.
    Raises InputError for a seed that is not a whole number of 64 bits."""
    check_seed(seed)
    dice = KeyedDice(derive_seed(seed, "variation"))
    return find_ruleset(scenario.ruleset).setup(scenario, scenario.board, dice)


def _ruleset(name: str, found: Findings) -> Ruleset | None:
    try:
        return find_ruleset(name)
    except InputError as error:
        found.items += [(("ruleset",), fault) for fault in error.faults]
        return None


def _board(name: str, path: Path, found: Findings) -> Board | None:
    is_path = "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))
    try:
        return load_map(path.parent / name if is_path else name)
    except InputError as error:
        # a fault of the map itself keeps its own file and line
        own = [fault for fault in error.faults if fault.file and fault.line]
        if own:
            raise InputError(own) from None
        shipped = Path(name).stem if is_path and Path(name).stem in shipped_maps() else ""
        for fault in error.faults:
            what = fault.what if name in fault.what else f"{fault.what}: {name!r}"
            # A shipped scenario that was copied elsewhere names its map by a path that is no longer valid.
            remedy = (
                f"write `map: {shipped}` for the shipped map; a path counts from the folder of this file"
                if shipped
                else ""
            )
            # A map of one's own is named by its file, not by its name.
            if not is_path and (path.parent / f"{name}.yaml").is_file():
                remedy = f"for the file beside this one, write `map: {name}.yaml`"
            found.items.append((("map",), Fault(what, remedy or fault.remedy)))
        return None


def _with_lines(found: Findings, data: bytes, name: str) -> list[Fault]:
    return with_lines(found.items, data, name)


_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def steps_of(place: str) -> Loc:
    """The location of a place such as `forces[2].at`."""
    return tuple(int(number) if number else word for word, number in _STEP.findall(place))
