"""Resolving a tournament: finding the agents and scenarios that its config names, and pinning their digests. Read `resolve`.

Two runs are parts of one tournament if their `identity` is the same: the settings that affect results, and the digests of agents,
scenarios and program. Folders, workers and the part played do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.batch.games import ALWAYS, FAULTS, NEVER, GameSpec
from battlesim.batch.inputs import PinnedInput, PinnedScenario, check_inputs, pin_agent, pin_scenario
from battlesim.batch.rows import GameRow, row_of
from battlesim.core.errors import Fault, InputError
from battlesim.engine.source import code
from battlesim.rulesets.finder import find_ruleset
from battlesim.tournament.config import TournamentConfig, parse_config
from battlesim.tournament.schedule import Encounter, Schedule

FORMAT = 1
"""Version of a run's list of games. Runs of other versions are not read."""
GOLDEN = 0.6180339887498949
"""Multiples of the golden ratio spread evenly over 0 to 1, whichever of them are taken."""
TOURNAMENT = "tournament"
"""The kind of a run whose `resolved.json` does not say."""


class ScenarioEntry(Struct, frozen=True):
    """A scenario of a tournament: its pin, rulebook, map, sides, length in turns, and number of units by side."""

    source: PinnedScenario
    ruleset: str
    version: str
    map: str
    map_digest: str
    sides: tuple[str, str]
    turns: int
    units: tuple[int, int]


class ResolvedTournament(Struct, frozen=True):
    """A tournament with every name resolved. `part`: (n, of): this run plays every of-th encounter, from the n-th on; n counts
    from 1."""

    format: int
    asked: dict[str, Any]
    agents: tuple[PinnedInput, ...]
    scenarios: tuple[ScenarioEntry, ...]
    version: str
    code: str
    part: tuple[int, int] = (1, 1)

    @property
    def identity(self) -> str:
        """Digest of everything that affects results."""
        same: dict[str, Any] = {
            "asked": {
                key: self.asked[key] for key in ("format", "games", "control", "seed", "stop", "limits")
            },
            "baseline": self.asked["baseline"],
            "agents": [(agent.name, agent.digest) for agent in self.agents],
            "scenarios": [(f.source.name, f.source.digest, f.ruleset, f.version) for f in self.scenarios],
            "code": self.code,
        }
        if self.asked.get("salt"):
            same["salt"] = self.asked["salt"]
        return blake2b(msgspec.json.encode(same, order="deterministic"), digest_size=16).hexdigest()


class TournamentPlan:
    """A resolved tournament as a `RunPlan`: its schedule and its games. `store`: the file of its results, for messages."""

    def __init__(self, resolved: ResolvedTournament, store: str = "") -> None:
        self.resolved = resolved
        self._store = store
        self.asked = parse_config(resolved.asked)
        names = [agent.name for agent in resolved.agents]
        self.schedule = Schedule(self.asked, names, [entry.source.name for entry in resolved.scenarios])
        self._sides = {entry.source.name: entry.sides for entry in resolved.scenarios}
        self.entries = {entry.source.name: entry for entry in resolved.scenarios}
        self._agents = {agent.name: agent for agent in resolved.agents}
        keep = self.asked.keep
        self._record = {"all": ALWAYS, "none": NEVER, "sample": NEVER}.get(keep.records, FAULTS)
        # Of all games, also if this run plays a part: so parts keep the records that the whole run would.
        self._sampled = keep.sample / max(1, self.numbers) if keep.records == "sample" else 0.0

    @property
    def games(self) -> int:
        """How many games this run has; if it plays a part, only those of the part."""
        if self.resolved.part[1] == 1:
            return self.schedule.games
        return sum(encounter.games for encounter in self.encounters())

    @property
    def numbers(self) -> int:
        """All numbers of games are below this."""
        return self.schedule.games

    def specs(self) -> Iterator[GameSpec]:
        """The games of this run, in canonical order."""
        for encounter in self.encounters():
            for leg in range(encounter.games):
                yield self.game(encounter, leg)

    def trials(self) -> Iterator[GameSpec]:
        """A game of each agent against itself on each scenario, to find out how long games take."""
        for scenario in self.schedule.scenarios:
            for agent in self.schedule.agents:
                yield self.game(Encounter(0, scenario, agent, agent, 0, self.schedule.seed), 0)

    def check(self) -> None:
        """Raises InputError if program, agents or scenarios have changed since the run was begun."""
        resolved = self.resolved
        scenarios = [entry.source for entry in resolved.scenarios]
        check_inputs(resolved.version, resolved.code, resolved.agents, scenarios)

    def encounters(self) -> Iterator[Encounter]:
        """The encounters of this run, in canonical order."""
        part, of = self.resolved.part
        for index, encounter in enumerate(self.schedule.encounters()):
            if index % of == part - 1:
                yield encounter

    def row(self, data: bytes) -> GameRow:
        """A row of this run as a value. Raises InputError if it is damaged."""
        return row_of(data, self._sides, self._store)

    def game(self, encounter: Encounter, leg: int) -> GameSpec:
        """One game of an encounter: the first (`leg` 0) or second (1)."""
        entry = self.entries[encounter.scenario]
        one, two = encounter.sides(leg)
        number = encounter.first + leg
        limits = self.asked.limits
        # Not every nth game: that could always be the same leg of the same pairing, or none of a part.
        sampled = number * GOLDEN % 1.0 < self._sampled
        return GameSpec(
            number=number,
            round=encounter.round,
            leg=leg,
            scenario=entry.source,
            ruleset=entry.ruleset,
            sides=entry.sides,
            agents=(self._agents[one], self._agents[two]),
            seed=encounter.seed,
            code=self.resolved.code,
            seconds=limits.answer_seconds,
            faults=limits.faults,
            questions=limits.imagine,
            record=ALWAYS if sampled else self._record,
            course=self.asked.format == "control",
        )


def resolve(
    asked: TournamentConfig,
    folder: Path | None = None,
    part: tuple[int, int] = (1, 1),
    flags: Collection[str] = (),
) -> ResolvedTournament:
    """Find and pin the agents and scenarios that a tournament names; paths are relative to `folder`, those of the settings in
    `flags` to the working folder. Raises InputError with every fault at once."""
    faults: list[Fault] = []
    agents: list[PinnedInput] = []
    for name in asked.agents:
        try:
            found = pin_agent(name, None if "agents" in flags else folder)
        except InputError as error:
            faults += error.faults
            continue
        if found.name in [agent.name for agent in agents]:
            remedy = "give one of the files another name"
            faults.append(Fault(f"two agents are called {found.name!r}", remedy))
        agents.append(found)
    scenarios: list[ScenarioEntry] = []
    for name in asked.scenarios:
        try:
            scenarios.append(_field(name, None if "scenarios" in flags else folder))
        except InputError as error:
            faults += error.faults
    names = [entry.source.name for entry in scenarios]
    faults += [
        Fault(f"two scenarios are called {name!r}", "give one of them another name")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    n, of = part
    if not 1 <= n <= of:
        faults.append(Fault(f"there is no part {n} of {of}", "give --part N/OF with N from 1 to OF"))
    if of > 1 and asked.stop is not None:
        what = "a sequential test needs all pairs in order, so it cannot be played in parts"
        faults.append(Fault(what, "play it in one run, or leave the test out"))
    if faults:
        raise InputError(faults)
    plain = asked.model_dump(mode="json")
    plain["agents"] = [agent.name for agent in agents]
    plain["scenarios"] = names
    if asked.baseline:
        plain["baseline"] = agents[asked.agents.index(asked.baseline)].name
    this = code()
    return ResolvedTournament(FORMAT, plain, tuple(agents), tuple(scenarios), this.version, this.digest, part)


def parse_resolved(data: dict[str, Any], file: str) -> ResolvedTournament:
    """The tournament in a run's `resolved.json`. Raises InputError if there is none."""
    if (kind := data.get("kind", TOURNAMENT)) != TOURNAMENT:
        raise InputError(
            Fault(
                f"this run is a {kind}, not a tournament",
                "'battlesim export' writes its games as a table",
                file,
            )
        )
    try:
        found = msgspec.convert(data, ResolvedTournament)
    except msgspec.ValidationError as error:
        raise InputError(
            Fault(f"the run's file is damaged: {error}", "restore it or begin a new run", file)
        ) from None
    if found.format != FORMAT:
        what = f"the run is of format {found.format}, this program reads {FORMAT}"
        raise InputError(Fault(what, "use the program that wrote it", file))
    return found


def with_part(resolved: ResolvedTournament, part: tuple[int, int]) -> ResolvedTournament:
    """Another part of the same tournament."""
    return replace(resolved, part=part)


def _field(name: str, folder: Path | None) -> ScenarioEntry:
    source, scenario = pin_scenario(name, folder)
    one, two = (sum(force.side == side for force in scenario.forces) for side in (0, 1))
    return ScenarioEntry(
        source=source,
        ruleset=scenario.ruleset,
        version=find_ruleset(scenario.ruleset).version,
        map=scenario.board.name,
        map_digest=scenario.board.digest,
        sides=(scenario.sides[0].name, scenario.sides[1].name),
        turns=scenario.turns,
        units=(one, two),
    )
