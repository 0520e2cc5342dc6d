"""What a search was begun with, kept in its folder, so that a refusal to continue says what has changed. Read `check_begun`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.inputs import PinnedInput, PinnedScenario, check_inputs, pin_agent, pin_scenario
from battlesim.batch.lists import plan_of
from battlesim.batch.rounds import ROUNDS
from battlesim.core.errors import Fault, InputError
from battlesim.engine.source import code
from battlesim.jobs.folder import RunFolder, write_json

BEGUN = "begun.json"
"""The file in a search's folder that holds a `Begun`."""


class Begun(Struct, frozen=True):
    """What a search is begun with. `version` and `digest`: of the program. `settings`: as given, by name. `agents` and
    `scenarios`: pinned, each once."""

    version: str
    digest: str
    settings: dict[str, Any]
    agents: tuple[PinnedInput, ...]
    scenarios: tuple[PinnedScenario, ...]


def begun_with(settings: Mapping[str, Any], agents: Iterable[str], scenarios: Iterable[str]) -> Begun:
    """What a search is begun with now. `settings`: plain data. `agents`, `scenarios`: names, as `find_agent` and `load_scenario`
    take them. Raises InputError if one cannot be found."""
    program = code()
    return Begun(
        program.version,
        program.digest,
        msgspec.json.decode(msgspec.json.encode(settings)),  # as they are read back
        tuple(pin_agent(name) for name in dict.fromkeys(agents)),
        tuple(pin_scenario(name)[0] for name in dict.fromkeys(scenarios)),
    )


def check_begun(folder: Path, now: Begun, asked: Path) -> None:
    """Keep what a search is begun with; one that continues must have been begun with the same. `asked`: the file of its settings.
    Raises InputError, with a fault for each that differs: settings, program, agents, scenarios."""
    file = folder / BEGUN
    try:
        begun = msgspec.json.decode(file.read_bytes(), type=Begun)
    except FileNotFoundError:
        first = folder / ROUNDS / "0001"
        if first.is_dir():  # an older search, which did not keep this
            plan_of(RunFolder(first)).check()
        else:
            write_json(file, msgspec.to_builtins(now))
        return
    except (OSError, msgspec.DecodeError) as error:
        what = f"the file of what the search was begun with is damaged: {error}"
        raise InputError(Fault(what, "delete it and give --resume again", str(file))) from None
    faults = list(_other_settings(begun.settings, now.settings, str(asked)))
    try:
        check_inputs(begun.version, begun.digest, begun.agents, begun.scenarios)
    except InputError as error:
        faults += error.faults
    if faults:
        raise InputError(faults)


def _other_settings(begun: Mapping[str, Any], now: Mapping[str, Any], file: str) -> Iterator[Fault]:
    """A setting that the earlier program did not have counts as not given."""
    for name in begun:
        if name in now and begun[name] != now[name]:
            what = f"the search was begun with {name} = {begun[name]!r:.60}, now it is {now[name]!r:.60}"
            yield Fault(what, "put it back, or begin a new search: give another --out", file, place=name)
