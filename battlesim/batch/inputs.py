"""The inputs of games (agents, scenarios, the program), pinned by digest. Read `PinnedScenario` and `pin_scenario`.

A run pins its inputs when it is begun. Each worker loads them by name and must find the same digests. A scenario can also be
given as data: one that was made or changed in memory (`scenario.changes.with_changes`) is sent along with its games and needs
no file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from battlesim.board.load import decode_map
from battlesim.core.errors import Fault, InputError
from battlesim.engine.roster import Entrant, agent_named, find_agent, with_files
from battlesim.engine.source import code, ruleset_code
from battlesim.rules.scenario import Scenario
from battlesim.scenario.load import decode_scenario, load_scenario, scenario_path, shipped_scenarios


class PinnedInput(Struct, frozen=True):
    """An agent: its name in the run, the name to load it by (as `find_agent` takes it), and the digest that it must have."""

    name: str
    load: str
    digest: str


class PinnedScenario(Struct, frozen=True, omit_defaults=True):
    """A scenario, loaded by the name `load` or, where that is "", given as data: `said` and `map` are `Scenario.source` and
    `Board.source` as text. `rules`: the digest of its ruleset where that is from another package; else the program's digest
    covers it."""

    name: str
    load: str
    digest: str
    said: str = ""
    map: str = ""
    rules: str = ""


def pin_agent(name: str, folder: Path | None = None) -> PinnedInput:
    """An agent by name, as `find_agent` takes it; paths are relative to `folder` (None: to the working folder), also those in its
    parameters. Raises InputError if there is no such agent."""
    written = agent_named(name, folder)
    load = with_files(written, lambda path: str(_from(path, folder)))
    found = find_agent(load)
    # Its name in the run has its parameters as they were written.
    head, (_, comma, words) = found.name.partition(",")[0], written.partition(",")
    return PinnedInput(f"{head}{comma}{words}", load, found.digest)


def pin_scenario(
    scenario: str | Path | Scenario, folder: Path | None = None, name: str = ""
) -> tuple[PinnedScenario, Scenario]:
    """Pin a scenario; returns the pin and the loaded scenario. A shipped name or a path (relative to `folder`) is pinned to its
    file, a `Scenario` as data. `name`: its name in the run, by default its own. Raises InputError if it cannot be loaded."""
    if isinstance(scenario, Scenario):
        said, of_map = scenario.source.decode(), scenario.board.source.decode()
        rules = ruleset_code(scenario.ruleset).digest
        pin = PinnedScenario(name or scenario.name, "", scenario.digest, said, of_map, rules)
        # It is read back here, so that a scenario for which that fails is refused now and not by a worker.
        return pin, pinned_scenario(pin)
    text = str(scenario)
    load = text if text in shipped_scenarios() else str(_from(str(scenario_path(text)), folder))
    found = load_scenario(load)
    rules = ruleset_code(found.ruleset).digest
    return PinnedScenario(name or found.name, load, found.digest, rules=rules), found


# ---- loaded again


@lru_cache(maxsize=64)
def pinned_scenario(pin: PinnedScenario) -> Scenario:
    """Load a pinned scenario. Raises InputError if it has changed."""
    if pin.load:
        scenario = load_scenario(pin.load)
    else:
        file = f"the scenario {pin.name!r} of the run"
        scenario = decode_scenario(pin.said.encode(), decode_map(pin.map.encode(), file), file)
    if scenario.digest != pin.digest:
        raise InputError(_changed("scenario", pin.name, pin.load))
    _check_rules(pin, scenario)
    return scenario


def _check_rules(pin: PinnedScenario, scenario: Scenario) -> None:
    """Raises InputError if a ruleset from another package has changed."""
    if ruleset_code(scenario.ruleset).digest != pin.rules:
        what = f"the ruleset {scenario.ruleset!r} is no longer what the run was begun with"
        raise InputError(Fault(what, "install the version it was begun with, or begin a new run"))


def pinned_agent(pin: PinnedInput) -> Entrant:
    """Load a pinned agent. Raises InputError if it or a file that it reads (again for each game) has changed."""
    found = _loaded(pin)
    return found if not found.reads else _load(pin)


def _load(pin: PinnedInput) -> Entrant:
    found = find_agent(pin.load)
    if found.digest != pin.digest:
        raise InputError(_changed("agent", pin.name, pin.load))
    return replace(found, name=pin.name)


_loaded = lru_cache(maxsize=256)(_load)


def check_code(digest: str) -> None:
    """Raises InputError if this program has another digest than `digest`."""
    if code().digest != digest:
        what = f"a worker runs another battlesim ({code().version}, {code().digest}) than the run ({digest})"
        raise InputError(Fault(what, "give every machine the version the run was begun with"))


def check_inputs(
    version: str, digest: str, agents: Iterable[PinnedInput], scenarios: Iterable[PinnedScenario]
) -> None:
    """Before a run continues, check that program, agents and scenarios have not changed. Raises InputError with a fault for each
    that has."""
    faults = []
    this = code()
    if this.digest != digest:
        what = (
            f"the run was begun with battlesim {version} ({digest}), this is {this.version} ({this.digest})"
        )
        faults.append(
            Fault(what, "a run needs one version for all its games: use that one, or begin a new run")
        )
    changed = []
    for agent in agents:
        try:
            if find_agent(agent.load).digest != agent.digest:
                changed.append(agent)
        except InputError as error:
            faults += error.faults
    faults += [_changed("agent", one.name, one.load) for one in changed if not _builds_on_any(one, changed)]
    for scenario in scenarios:
        try:
            if scenario.load and (now := load_scenario(scenario.load)).digest != scenario.digest:
                faults.append(_changed("scenario", scenario.name, scenario.load))
            elif scenario.load:
                _check_rules(scenario, now)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(dict.fromkeys(faults))


def _builds_on_any(agent: PinnedInput, others: Iterable[PinnedInput]) -> bool:
    """Whether an agent plays as one of the others with tactics: what changed is told of that one."""
    bases = {f",base={other.load.replace(',', '+')}," for other in others}
    return any(base in f"{agent.load}," for base in bases)


def _changed(kind: str, name: str, load: str) -> Fault:
    what = f"the {kind} {name!r} is no longer what the run was begun with"
    return Fault(what, "put the file back, or begin a new run", load)


def _from(path: str, folder: Path | None) -> Path:
    return (folder / path if folder is not None else Path(path)).resolve()
