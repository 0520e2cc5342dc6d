"""A small list of games that is no tournament, some on a scenario changed in memory.

`python -m tests.batch.veterans FOLDER WORKERS` begins or resumes it there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from battlesim.batch.driver import drive
from battlesim.batch.lists import GameRequest, begin, local_executor, plan_of, resolve_games
from battlesim.jobs.folder import RunFolder
from battlesim.scenario.changes import with_changes
from battlesim.scenario.load import load_scenario

SEEDS = range(20)
GAMES = 3 * len(SEEDS)


def asked() -> list[GameRequest]:
    """The usual scenario, a shorter one, and one with better troops, each under the same seeds."""
    usual = load_scenario("stairwell")
    short = with_changes(usual, {"turns": 3})
    veterans = with_changes(usual, {"forces[0].quality": "veteran", "forces[1].quality": "veteran"})
    return [
        GameRequest(scenario, ("rush", "random"), seed, name, records="all" if seed == 0 else "none")
        for seed in SEEDS
        for name, scenario in (("usual", "stairwell"), ("short", short), ("veterans", veterans))
    ]


def play(path: Path, workers: int, part: tuple[int, int] = (1, 1)) -> RunFolder:
    """Play the list to its end, from wherever the folder's run stands."""
    folder = RunFolder(path) if path.exists() else begin(path, resolve_games("veterans", asked(), part=part))
    plan = plan_of(folder)
    executor = local_executor(plan, workers)
    try:
        drive(folder, plan, executor)
    finally:
        executor.close()
    return folder


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
