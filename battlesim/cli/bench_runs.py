"""Figures of runs for `battlesim bench`: the cost of a tournament besides its games. Read `figures`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from battlesim.cli.bench_memory import most_memory
from battlesim.core.dice import derive_seed

if TYPE_CHECKING:
    from battlesim.jobs.job import Job, JobResult

Figure = dict[str, Any]
SCENARIO, AGENTS = "skirmish", ("greedy", "rush")
"""Games of some 20 ms and more on a quiet machine."""


class InstantExecutor:
    """Invents rows instead of playing, so that only the driver's own cost is measured."""

    workers = 1

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """A made-up row for each job, in batches of 64."""
        from battlesim.jobs.job import JobOutput, JobResult

        batch: list[JobResult] = []
        for job in jobs:
            batch.append(JobResult(job.number, JobOutput(made_up(job.spec)), 0.02))
            if len(batch) == 64:
                yield batch
                batch = []
        if batch:
            yield batch

    def close(self) -> None:
        """Nothing is open."""


def made_up(spec: Any) -> bytes:
    """A made-up row of a game, with the first agent somewhat better."""
    from battlesim.batch.rows import GameRow
    from battlesim.engine.game import FORMAT

    drawn = derive_seed(spec.seed, spec.leg)
    one, two = spec.sides
    strong = spec.agents[0].name < spec.agents[1].name
    chance = drawn % 100
    winner = one if chance < (55 if strong else 40) else two if chance < 95 else None
    row = GameRow(
        format=FORMAT,
        number=spec.number,
        round=spec.round,
        leg=spec.leg,
        scenario=spec.scenario.name,
        ruleset=spec.ruleset,
        seed=spec.seed,
        sides=spec.sides,
        agents={one: spec.agents[0].name, two: spec.agents[1].name},
        winner=winner,
        points={one: drawn // 100 % 9, two: drawn // 900 % 9},
        reach={one: 8, two: 8},
        turns=3 + drawn // 8100 % 4,
        termination="length" if chance % 3 else "annihilation",
        verdict="length" if chance % 3 else "decided",
        losses={side: {"units": 3, "models": 17} for side in spec.sides},
        faults=[],
        record_hash=f"{drawn:032x}",
        clauses=f"{drawn:x}",
    )
    return msgspec.json.encode(row, order="deterministic")


def figures(quick: bool = False) -> Iterator[Figure]:
    """Every figure of runs, one by one."""
    yield from _rates(40 if quick else 200)
    small, large = (1_000, 10_000) if quick else (1_000, 100_000)
    before, after = _bookkeeping(small), _bookkeeping(large)
    yield {
        "name": f"driver memory, {large:,} games over {small:,}",
        "value": round(after["megabytes"] / before["megabytes"], 2),
        "unit": "times",
        "megabytes": round(after["megabytes"], 1),
        "most": 1.1,
    }
    yield {
        "name": f"report of {large:,} games",
        "value": round(after["report"], 1),
        "unit": "s",
        "most": 20.0,
    }
    yield {
        "name": "driver's own cost",
        "value": round(after["drive"] / large * 1e6, 1),
        "unit": "us a game",
    }


def _rates(games: int) -> Iterator[Figure]:
    """Games a second through a tournament with one worker against a bare loop, and with two workers against one; each as
    the median of three rounds in turns."""
    bare_over, two_over = [], []
    rates = []
    for turn in range(3):
        bare = _bare(games, turn)
        one = _through(games, turn, 1)
        two = _through(games, turn, 2)
        rates.append(one)
        bare_over.append(one / bare)
        two_over.append(two / one)
    yield {
        "name": "tournament against a bare loop, one worker",
        "value": round(statistics.median(bare_over), 3),
        "unit": "times",
        "games_a_second": round(statistics.median(rates), 1),
        "least": 0.9,
    }
    yield {
        "name": f"two workers against one ({os.cpu_count()} cores)",
        "value": round(statistics.median(two_over), 2),
        "unit": "times",
        "least": 1.8,
    }


def _specs(games: int, turn: int) -> Iterator[Any]:
    from battlesim.tournament.config import parse_config
    from battlesim.tournament.resolve import TournamentPlan, resolve

    value = {"agents": list(AGENTS), "scenarios": [SCENARIO], "games": games, "control": 0, "seed": turn}
    plan = TournamentPlan(resolve(parse_config(value)))
    for unit in plan.encounters():
        for leg in range(unit.games):
            yield plan.game(unit, leg)


def _bare(games: int, turn: int) -> float:
    """Games a second of a loop over `play`, warm."""
    from battlesim.engine.game import play
    from battlesim.scenario.load import load_scenario

    scenario = load_scenario(SCENARIO)
    specs = list(_specs(games, turn))
    for spec in specs[:6]:
        play(scenario, AGENTS, spec.seed)
    begun = time.perf_counter()
    for spec in specs:
        play(scenario, [agent.name for agent in spec.agents], spec.seed).row()
    return games / (time.perf_counter() - begun)


def _through(games: int, turn: int, workers: int) -> float:
    """Games a second through the executor, its workers warm."""
    from battlesim.batch.games import FUNCTION
    from battlesim.jobs.executor import LocalExecutor
    from battlesim.jobs.job import Job
    from battlesim.jobs.store import Store, StoredRow

    executor = LocalExecutor(FUNCTION, workers)
    specs = list(_specs(games, turn))
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store.create(Path(folder, "s"))) as store,
        closing(executor),
    ):
        for _ in executor.run(Job(spec.number, SCENARIO, spec) for spec in specs[: 6 * workers]):
            pass
        begun = time.perf_counter()
        for batch in executor.run(Job(spec.number, SCENARIO, spec) for spec in specs):
            store.add([StoredRow(done.number, done.result.row, done.seconds, 1) for done in batch])  # type: ignore[union-attr]
        return games / (time.perf_counter() - begun)


_KEEPER = """
import json, sys, time
from pathlib import Path
from battlesim.cli.bench_runs import keep_books
print(json.dumps(keep_books(Path(sys.argv[1]), int(sys.argv[2]))))
"""


def _bookkeeping(games: int) -> dict[str, float]:
    """`keep_books` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-c", _KEEPER, str(Path(folder, "run")), str(games)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def keep_books(path: Path, games: int) -> dict[str, float]:
    """Drive a run with made-up games, then report it: the seconds of each, and the peak memory of this process after driving, in
    MB."""
    from battlesim.jobs.folder import RunFolder
    from battlesim.tournament.config import parse_config
    from battlesim.tournament.driver import aggregate, drive
    from battlesim.tournament.finish import finish
    from battlesim.tournament.resolve import resolve

    each = games // 2 // 10 * 2
    value = {
        "agents": ["greedy", "rush", "random", "greedy,exposure=0.8", "greedy,dealt=2"],
        "scenarios": [SCENARIO],
        "games": each,
        "control": 0,
        "keep": {"records": "none"},
    }
    run = RunFolder.create(path, msgspec.to_builtins(resolve(parse_config(value))), b"{}", ".json")
    begun = time.perf_counter()
    drive(run, InstantExecutor())
    drove = time.perf_counter() - begun
    begun = time.perf_counter()
    finish(run, aggregate(run), None)
    return {"drive": drove, "report": time.perf_counter() - begun, "megabytes": most_memory()}
