"""A run from any list of games, each with its scenario, agents and seed. Read `resolve_games`, then `begin`.

    veterans = with_changes(load_scenario("stairwell"), {"forces[0].quality": "veteran"})
    games = [
        GameRequest(scenario, ("greedy", "rush"), seed, name=name)
        for seed in range(100)
        for name, scenario in (("usual", "stairwell"), ("veterans", veterans))
    ]
    run = begin(Path("runs/veterans"), resolve_games("veterans", games))
    plan = plan_of(run)
    drive(run, plan, executor)          # may be called again after it was killed: it plays the missing games
    for row in rows_of(run, plan): ...

The run's folder holds every scenario that was given as data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.batch.games import ALWAYS, FAULTS, FUNCTION, NEVER, GameSpec
from battlesim.batch.inputs import PinnedInput, PinnedScenario, check_inputs, pin_agent, pin_scenario
from battlesim.batch.own import PinnedOwn
from battlesim.batch.parts import inputs_differ, merge_runs
from battlesim.batch.rows import GameRow, row_of
from battlesim.batch.seeds import game_seed
from battlesim.batch.settings import Bounds, bounds_contradictions, parse_settings
from battlesim.core.errors import Fault, InputError
from battlesim.engine.source import code
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.folder import RESOLVED, STORE, RunFolder
from battlesim.jobs.job import JobLimits
from battlesim.rules.scenario import Scenario

FORMAT = 1
"""Version of a run's file."""
KIND = "list of games"
"""The `kind` in the `resolved.json` of such a run."""
RECORDS = {"none": NEVER, "faults": FAULTS, "all": ALWAYS}
"""The words of `GameRequest.records`."""


class GameRequest(Struct, frozen=True):
    """A requested game.

    `scenario`: shipped name, path, or a `Scenario`. `agents`: of its first and second side, as `find_agent` takes them. `seed`:
    of the battle. `name`: of the scenario in the run, by default its own; two scenarios need two names. `round`, `leg`: as in
    `games.GameSpec`. `records`: when to keep the game's record: "none", "faults" (where an agent lost a question) or "all".
    """

    scenario: str | Path | Scenario
    agents: tuple[str, str]
    seed: int
    name: str = ""
    round: int = 0
    leg: int = 0
    records: str = "faults"


class ListedGame(Struct, frozen=True, array_like=True):
    """A game in the run's file: the numbers of its scenario and agents in the run's lists (from 0), and its seed, round, leg and
    record (as in `games.GameSpec`)."""

    scenario: int
    agents: tuple[int, int]
    seed: int
    round: int
    leg: int
    record: int


class ListedScenario(Struct, frozen=True):
    """A scenario of the run: pinned, with the name of its ruleset and those of its sides. Where it was given as data,
    `source.map` is the key of its map in `ResolvedList.maps`."""

    source: PinnedScenario
    ruleset: str
    sides: tuple[str, str]


class ResolvedList(Struct, frozen=True):
    """A list of games with every name resolved. `kind`, `format`: `KIND` and `FORMAT`. `salt`: goes into every seed, "" for none.
    `limits`: those of `settings.Bounds`, as plain data. `maps`: content of the maps of scenarios given as data, by digest.
    `version`, `code`: version and digest of the program. `part`: (n, of): this run plays every of-th game, from the n-th on; n
    counts from 1. `measures`: rows hold what happened in the game (`batch.measures`); `own`: and the numbers of these
    functions."""

    kind: str
    format: int
    name: str
    salt: str
    limits: dict[str, Any]
    agents: tuple[PinnedInput, ...]
    scenarios: tuple[ListedScenario, ...]
    maps: dict[str, str]
    games: tuple[ListedGame, ...]
    version: str
    code: str
    part: tuple[int, int] = (1, 1)
    measures: bool = False
    own: PinnedOwn | None = None

    @property
    def identity(self) -> str:
        """Digest of everything that affects results. Runs with the same identity are parts of one run."""
        same = {
            "limits": self.limits,
            "salt": self.salt,
            "agents": [(agent.name, agent.digest) for agent in self.agents],
            "scenarios": [(listed.source.name, listed.source.digest) for listed in self.scenarios],
            "games": self.games,
            "code": self.code,
            "own": "" if self.own is None else self.own.digest,
        }
        return blake2b(msgspec.json.encode(same, order="deterministic"), digest_size=16).hexdigest()


class GameList:
    """A resolved list of games as a `RunPlan`. `store`: the file of its results, for messages."""

    def __init__(self, resolved: ResolvedList, store: str = "") -> None:
        self.resolved = resolved
        self._store = store
        self.limits = parse_settings(Bounds, resolved.limits, lambda found: bounds_contradictions(found, ""))
        self._sides = {listed.source.name: listed.sides for listed in resolved.scenarios}
        self._pins = [
            replace(listed.source, map=resolved.maps.get(listed.source.map, ""))
            for listed in resolved.scenarios
        ]

    @property
    def numbers(self) -> int:
        """All numbers of games are below this."""
        return len(self.resolved.games)

    @property
    def games(self) -> int:
        """How many games this run has; only those of its part where it plays one."""
        part, of = self.resolved.part
        return len(range(part - 1, self.numbers, of))

    def specs(self) -> Iterator[GameSpec]:
        """The games of this run, in the order of the requests."""
        part, of = self.resolved.part
        for number in range(part - 1, self.numbers, of):
            yield self.game(number)

    def game(self, number: int) -> GameSpec:
        """One game by its number, which is its index in the list. Games of other parts are given, too."""
        resolved = self.resolved
        entry = resolved.games[number]
        listed = resolved.scenarios[entry.scenario]
        one, two = entry.agents
        return GameSpec(
            number=number,
            round=entry.round,
            leg=entry.leg,
            scenario=self._pins[entry.scenario],
            ruleset=listed.ruleset,
            sides=listed.sides,
            agents=(resolved.agents[one], resolved.agents[two]),
            seed=game_seed(entry.seed, resolved.salt) if resolved.salt else entry.seed,
            code=resolved.code,
            seconds=self.limits.answer_seconds,
            faults=self.limits.faults,
            questions=self.limits.imagine,
            record=entry.record,
            measures=resolved.measures,
            own=resolved.own,
        )

    def row(self, data: bytes) -> GameRow:
        """A row of this run as a value. Raises InputError if it is damaged."""
        return row_of(data, self._sides, self._store)

    def check(self) -> None:
        """Raises InputError if program, agents or scenarios have changed since the run was begun."""
        check_inputs(self.resolved.version, self.resolved.code, self.resolved.agents, self._pins)


def resolve_games(
    name: str,
    games: Iterable[GameRequest],
    limits: Bounds | None = None,
    salt: str = "",
    part: tuple[int, int] = (1, 1),
    folder: Path | None = None,
    measures: bool = False,
    own: PinnedOwn | None = None,
) -> ResolvedList:
    """Find and pin the agents and scenarios of some games.

    `name`: of the run. `limits`: None for those of `Bounds()`. `salt`: a secret that goes into every game's seed, so that no
    agent can guess its dice; "" leaves seeds as they are. `part`: (n, of), as in `ResolvedList`. `folder`: paths are relative to
    it; None: to the working folder. `measures`: rows hold what happened in each game; `own`: and the numbers of these functions.
    Raises InputError with every fault at once.
    """
    inputs = _Inputs(folder)
    entries = [inputs.listed(number, request) for number, request in enumerate(games)]
    faults = inputs.faults
    if not entries:
        faults.append(Fault("there are no games to play", "ask for one at least"))
    n, of = part
    if not 1 <= n <= of:
        faults.append(Fault(f"there is no part {n} of {of}", "give (n, of) with n from 1 to of"))
    if faults:
        raise InputError(faults)
    program = code()
    return ResolvedList(
        kind=KIND,
        format=FORMAT,
        name=name,
        salt=salt,
        limits=(limits or Bounds()).model_dump(mode="json"),
        agents=tuple(inputs.agents),
        scenarios=tuple(inputs.scenarios),
        maps=inputs.maps,
        games=tuple(entries),
        version=program.version,
        code=program.digest,
        part=part,
        measures=measures,
        own=own,
    )


class _Inputs:
    """The agents and scenarios of requested games, each pinned once. `maps`: those of scenarios given as data, by digest.
    `faults`: everything wrong so far. A number of -1 stands for an input that cannot be found."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.agents: list[PinnedInput] = []
        self.scenarios: list[ListedScenario] = []
        self.maps: dict[str, str] = {}
        self.faults: list[Fault] = []
        self._agent_numbers: dict[str, int] = {}
        self._scenario_numbers: dict[tuple[str, str], int] = {}
        self._agent_names: set[str] = set()
        self._scenario_names: set[str] = set()

    def listed(self, number: int, request: GameRequest) -> ListedGame:
        """Request `number` as an entry of the run's file."""
        if request.records not in RECORDS:
            what = f"game {number}: records = {request.records!r} is unknown"
            self.faults.append(Fault(what, f"known: {', '.join(RECORDS)}"))
        seed: object = request.seed
        if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
            what = f"game {number}: the seed {seed!r:.60} is not usable"
            self.faults.append(Fault(what, "give a whole number from -2**63 to 2**63 - 1"))
        named: Sequence[str] = request.agents
        if isinstance(named, str) or len(named) != 2:
            what = f"game {number}: agents {named!r:.60}: a battle has two sides"
            self.faults.append(Fault(what, "name two agents"))
            agents = (-1, -1)
        else:
            agents = (self._agent(named[0]), self._agent(named[1]))
        record = RECORDS.get(request.records, NEVER)
        return ListedGame(self._scenario(request), agents, request.seed, request.round, request.leg, record)

    def _agent(self, name: str) -> int:
        """The number of an agent, which is pinned when its name first occurs."""
        if name not in self._agent_numbers:
            self._agent_numbers[name] = self._pin_agent(name)
        return self._agent_numbers[name]

    def _pin_agent(self, name: str) -> int:
        try:
            pin = pin_agent(name, self._folder)
        except InputError as error:
            self.faults += error.faults
            return -1
        if pin.name in self._agent_names:
            what = f"two agents are called {pin.name!r}"
            self.faults.append(Fault(what, "give one of the files another name"))
        self._agent_names.add(pin.name)
        self.agents.append(pin)
        return len(self.agents) - 1

    def _scenario(self, request: GameRequest) -> int:
        """The number of a game's scenario, which is pinned when it first occurs under its name."""
        given = request.scenario
        key = (request.name, given.digest if isinstance(given, Scenario) else str(given))
        if key not in self._scenario_numbers:
            self._scenario_numbers[key] = self._pin_scenario(request)
        return self._scenario_numbers[key]

    def _pin_scenario(self, request: GameRequest) -> int:
        try:
            pin, scenario = pin_scenario(request.scenario, self._folder, request.name)
        except InputError as error:
            self.faults += error.faults
            return -1
        if pin.name in self._scenario_names:
            what = f"two scenarios are called {pin.name!r}"
            self.faults.append(Fault(what, "give the games of one of them another name"))
        self._scenario_names.add(pin.name)
        if pin.map:
            self.maps[scenario.board.digest] = pin.map
            pin = replace(pin, map=scenario.board.digest)
        one, two = scenario.sides
        self.scenarios.append(ListedScenario(pin, scenario.ruleset, (one.name, two.name)))
        return len(self.scenarios) - 1


# ---- in a folder


def begin(path: Path, resolved: ResolvedList) -> RunFolder:
    """Make the folder of a new run at `path`. Raises InputError if it exists or cannot be made."""
    asked = {"kind": KIND, "name": resolved.name, "games": len(resolved.games), "limits": resolved.limits}
    return RunFolder.create(path, msgspec.to_builtins(resolved), msgspec.json.encode(asked), ".json")


def is_list(folder: RunFolder) -> bool:
    """Whether a run's folder holds a list of games."""
    return folder.resolved().get("kind") == KIND


def plan_of(folder: RunFolder) -> GameList:
    """The games of a run's folder. Raises InputError if it holds something else, or a list that is damaged or of another
    format."""
    file = str(folder.path / RESOLVED)
    data = folder.resolved()
    if not is_list(folder):
        raise InputError(Fault(f"this run is not a {KIND}", "read it with the command that made it", file))
    try:
        resolved = msgspec.convert(data, ResolvedList)
    except msgspec.ValidationError as error:
        raise InputError(
            Fault(f"the run's file is damaged: {error}", "restore it or begin a new run", file)
        ) from None
    if resolved.format != FORMAT:
        what = f"the run is of format {resolved.format}, this program reads {FORMAT}"
        raise InputError(Fault(what, "use the program that wrote it", file))
    return GameList(resolved, str(folder.path / STORE))


def local_executor(plan: GameList, workers: int) -> LocalExecutor:
    """An executor on this machine that plays games within the limits of a run. `workers`: how many processes, 1 or more."""
    return LocalExecutor(FUNCTION, workers, JobLimits(plan.limits.game_seconds, plan.limits.megabytes))


def rows_of(folder: RunFolder, plan: GameList) -> Iterator[GameRow]:
    """All rows in the store, by number. Raises InputError if one is damaged."""
    with closing(folder.store(read_only=True)) as store:
        for stored in store.rows():
            yield plan.row(stored.row)


def clocks_of(folder: RunFolder) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The number of each game in the store, and the seconds that each side's agent thought, the first side's first; () where the
    game broke off or the store is of version 1."""
    with closing(folder.store(read_only=True)) as store:
        for stored in store.rows():
            yield stored.number, stored.clocks


def merge(target: Path, runs: Sequence[RunFolder]) -> tuple[RunFolder, int]:
    """Merge parts, `runs`, into the run at `target`, as `parts.merge_runs` does. Returns the run, and how many of its games were
    new."""
    return merge_runs(target, runs, _differ, _whole)


def _whole(part: RunFolder) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(replace(plan_of(part).resolved, part=(1, 1)))
    return found


def _differ(one: RunFolder, other: RunFolder) -> str:
    a, b = plan_of(one).resolved, plan_of(other).resolved
    if a.identity == b.identity:
        return ""
    return inputs_differ(
        ((a.version, a.code), (b.version, b.code)),
        ([agent.digest for agent in a.agents], [agent.digest for agent in b.agents]),
        ([listed.source.digest for listed in a.scenarios], [listed.source.digest for listed in b.scenarios]),
    )
