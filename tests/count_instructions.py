"""Instructions an activation costs, in floors: `python -m tests.count_instructions [RULEBOOK ...] [--agent random greedy]`.

A clock says more than the work, for it counts what the caches and other programs do as well. Instructions do not vary. They
are counted by valgrind (`apt-get install valgrind`) over whole games: a process plays games that warm the tables, and then the
games that count.
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

from battlesim.cli.bench import PLATOONS, floor

GAMES = {"random": (20, 5), "greedy": (10, 9)}
"""Games that warm the tables, and games that count."""
FLOORS = (2_000, 10_000)
"""Activations of the bare loop that warm, and that count."""


def count(on: bool) -> None:
    """Have valgrind begin or end to count the instructions of this process."""
    words = ["callgrind_control", "-i", "on" if on else "off", str(os.getpid())]
    subprocess.run(words, check=True, capture_output=True)


def work(what: str, scenario: str, agent: str, warming: int, counting: int) -> int:
    """What the counted process does: the bare loop, or games from seed 1,000 on. Returns the activations of those that count."""
    if what == "floor":
        floor(warming)
        count(True)
        floor(counting)
        count(False)
        return counting
    from battlesim import load_scenario, play
    from battlesim.cli.bench_field import activations_of

    loaded = load_scenario(scenario)

    def activations(first: int, games: int) -> int:
        logs = [play(loaded, (agent, agent), seed=1000 + seed).log for seed in range(first, first + games)]
        return sum(map(activations_of, logs))

    activations(0, warming)
    count(True)
    found = activations(warming, counting)
    count(False)
    return found


def an_activation(what: str, scenario: str, agent: str, warming: int, counting: int) -> float:
    """Instructions of one activation, start and warming left out."""
    command = [sys.executable, "-m", "tests.count_instructions", "--work", what, scenario, agent]
    with tempfile.TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
        words += [*command, str(warming), str(counting)]
        done = subprocess.run(
            words, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"}
        )
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"count_instructions: valgrind failed:\n{done.stderr[-2000:]}")
    return int(found[1].replace(",", "")) / int(done.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rulebooks", nargs="*", help=f"of {', '.join(PLATOONS)}; default: all")
    parser.add_argument("--agent", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--work", nargs=5, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        what, scenario, agent, warming, counting = args.work
        print(work(what, scenario, agent, int(warming), int(counting)))
        return
    if unknown := [name for name in args.rulebooks if name not in PLATOONS]:
        parser.error(f"there is no rulebook {unknown[0]!r}; known: {', '.join(PLATOONS)}")
    if not shutil.which("valgrind"):
        raise SystemExit("count_instructions needs valgrind; `apt-get install valgrind` brings it")
    base = an_activation("floor", "-", "-", *FLOORS)
    print(f"one floor{'':<34}{base:>12,.0f} instructions", flush=True)
    for rulebook in args.rulebooks or PLATOONS:
        for agent in args.agent:
            spent = an_activation("games", PLATOONS[rulebook], agent, *GAMES[agent])
            name = f"{PLATOONS[rulebook]} ({rulebook}), {agent}"
            print(f"{name:<43}{spent:>12,.0f} instructions{spent / base:>8.0f} floors", flush=True)


if __name__ == "__main__":
    main()
