"""Instructions an activation costs, in floors: `python -m tests.count_instructions [RULEBOOK ...] [--agent random greedy]`.

A clock says more than the work, for it counts what the caches and other programs do as well. Instructions do not vary. They
are counted by valgrind (`apt-get install valgrind`) over whole games: one process plays games that warm the tables, a second
plays the same and some more, and the difference is what those cost.
One floor is the bare SimPy loop of `battlesim bench`, counted alike.
A rulebook and agent take from half a minute (`random`) to four minutes (`greedy`) on one core.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from battlesim.cli.bench import PLATOONS, floor

GAMES = {"random": (20, 5), "greedy": (10, 3)}
"""Games that warm the tables, and games that count."""
FLOORS = (2_000, 12_000)
"""Activations of the bare loop in the shorter and in the longer process."""


def work(what: str, scenario: str, agent: str, games: int) -> int:
    """What the counted process does: games from seed 1,000 on (their activations are returned), or the bare loop."""
    if what == "floor":
        floor(games)
        return games
    from battlesim import load_scenario, play
    from battlesim.cli.bench_field import activations_of

    loaded = load_scenario(scenario)
    return sum(activations_of(play(loaded, (agent, agent), seed=1000 + seed).log) for seed in range(games))


def command(what: str, scenario: str, agent: str, games: int) -> list[str]:
    """The command of a process that does `work`."""
    return [sys.executable, "-m", "tests.count_instructions", "--work", what, scenario, agent, str(games)]


def counted(what: str, scenario: str, agent: str, games: int) -> tuple[int, int]:
    """Instructions of a process that does `work`, and its activations."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/out"]
        words += command(what, scenario, agent, games)
        done = subprocess.run(
            words, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}
        )
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"count_instructions: valgrind failed:\n{done.stderr[-2000:]}")
    return int(found[1].replace(",", "")), int(done.stdout.split()[-1])


def an_activation(what: str, scenario: str, agent: str, few: int, more: int) -> float:
    """Instructions of one activation, start and warming left out."""
    # A first run compiles all modules, or one of the two that are counted might do it for the other.
    subprocess.run(command(what, scenario, agent, 1), check=True, capture_output=True)
    with ThreadPoolExecutor(2) as pool:
        (less, before), (all_, after) = pool.map(
            lambda n: counted(what, scenario, agent, n), (few, few + more)
        )
    return (all_ - less) / (after - before)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rulebooks", nargs="*", help=f"of {', '.join(PLATOONS)}; default: all")
    parser.add_argument("--agent", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        what, scenario, agent, games = args.work
        print(work(what, scenario, agent, int(games)))
        return
    if unknown := [name for name in args.rulebooks if name not in PLATOONS]:
        parser.error(f"there is no rulebook {unknown[0]!r}; known: {', '.join(PLATOONS)}")
    if not shutil.which("valgrind"):
        raise SystemExit("count_instructions needs valgrind; `apt-get install valgrind` brings it")
    base = an_activation("floor", "-", "-", FLOORS[0], FLOORS[1] - FLOORS[0])
    print(f"one floor{'':<34}{base:>12,.0f} instructions", flush=True)
    for rulebook in args.rulebooks or PLATOONS:
        for agent in args.agent:
            spent = an_activation("games", PLATOONS[rulebook], agent, *GAMES[agent])
            name = f"{PLATOONS[rulebook]} ({rulebook}), {agent}"
            print(f"{name:<43}{spent:>12,.0f} instructions{spent / base:>8.0f} floors", flush=True)


if __name__ == "__main__":
    main()
