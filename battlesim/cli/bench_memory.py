"""The figure of long use for `battlesim bench`: the memory of a process after thousands of games on every map. Read `figures`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Figure = dict[str, Any]
GAMES, FIRST = 4_000, 200
AGENTS = (("greedy", "random"), ("random", "greedy"), ("random", "random"), ("greedy", "greedy"))
LARGEST, ROUNDS = "helsinki-quarter", 8
"""The largest battle, which takes as long as fifty others, is played once in this many rounds."""

_PLAYER = """
import json, sys
from battlesim.cli.bench_memory import play_round
print(json.dumps(play_round(*map(int, sys.argv[1:]))))
"""


def figures(games: int = GAMES, first: int = FIRST) -> Iterator[Figure]:
    """The peak memory of a process over `games` games of all shipped scenarios in turns, in megabytes above its memory after the
    first ones."""
    words = [sys.executable, "-c", _PLAYER, str(games), str(first)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    before, after, most = json.loads(done.stdout)
    yield {
        "name": f"memory of {games:,} games over the first {first}",
        "value": round(most - before, 1),
        "unit": "MB",
        "first": round(before, 1),
        "last": round(after, 1),
        "most": 100.0,
    }


def play_round(games: int, first: int) -> tuple[float, float, float]:
    """Play `games` games of all shipped scenarios in turns; returns the megabytes this process held after the first ones, at the
    end, and at most from then on."""
    from battlesim.engine.game import play
    from battlesim.scenario.load import load_scenario, shipped_scenarios

    scenarios = [load_scenario(name) for name in shipped_scenarios()]
    played, turn = 0, 0
    held: list[float] = []
    while played < games:
        for scenario in scenarios:
            if scenario.name == LARGEST and turn % ROUNDS:
                continue
            play(scenario, AGENTS[turn % len(AGENTS)], seed=turn)
            played += 1
            if played == first or (played > first and (played % 20 == 0 or played == games)):
                held.append(held_memory())
            if played == games:
                break
        turn += 1
    return held[0], held[-1], max(held)


def held_memory() -> float:
    """The present memory of this process, in MB; if the platform does not say, its peak."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def most_memory() -> float:
    """The peak memory of this process, in MB."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
