"""One digest of how every shipped scenario is played: `python -m tests.play_digest`. Read `digest_of`.

A change that means to leave the rules and the players alone leaves every line as it is. `--check` compares with the
lines kept in `play_digest.txt` and names each scenario that is played otherwise; `--write` keeps what is played now.
Only the lines of a record between its header and its last line are hashed (questions, answers, events), and how the
battle ended: a new version of the code changes the header, not the play.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from battlesim.core.errors import InputError
from battlesim.engine.game import play
from battlesim.scenario.load import scenario_path, shipped_scenarios

KEPT = Path(__file__).with_suffix(".txt")
PAIRINGS = (
    ("random", "random"),
    ("rush", "greedy"),
    ("random", "rush"),
    ("greedy", "random"),
    ("greedy", "greedy"),
)
SEEDS = (1, 2)
"""Every scenario is played by these agents with each of these seeds."""
LARGE, FEWER = ("helsinki-quarter", "helsinki-platoons"), 2
"""Scenarios whose games take as long as dozens of others are played by the first pairings only, with one seed."""


def digest_of(name: str) -> str:
    """The digest of a shipped scenario's games: 32 hexadecimal digits over all they asked, answered and told."""
    told = hashlib.blake2b(digest_size=16)
    games = product(SEEDS, PAIRINGS) if name not in LARGE else product(SEEDS[:1], PAIRINGS[:FEWER])
    for seed, agents in games:
        game = play(name, agents, seed=seed)
        for line in game.record().splitlines()[1:-1]:
            told.update(line + b"\n")
        told.update(repr((game.winner, game.outcome.points, game.outcome.termination)).encode())
    return told.hexdigest()


def digests(names: Sequence[str], processes: int) -> Iterator[tuple[str, str]]:
    """(scenario, its digest), in the order of the names."""
    with get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        yield from zip(names, pool.imap(digest_of, names, chunksize=1), strict=True)


def kept() -> dict[str, str]:
    """The digests that were kept, by scenario."""
    return dict(reversed(line.split()) for line in KEPT.read_text(encoding="utf-8").splitlines()[:-1])


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each scenario and one for all; 1 where `--check` finds another digest than was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.play_digest", description=__doc__)
    parser.add_argument("scenarios", nargs="*", help="names of shipped scenarios (default: all)")
    parser.add_argument("--check", action="store_true", help="compare with the digests that were kept")
    parser.add_argument("--write", action="store_true", help="keep what is played now")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="games at a time (default 2)")
    asked = parser.parse_args(words)
    if asked.write and asked.scenarios:
        parser.error("--write keeps all scenarios: name none")
    names = tuple(asked.scenarios) or shipped_scenarios()
    for name in names:
        scenario_path(name)  # a misspelt name is told before anything is played
    before = kept() if asked.check else {}
    lines, other = [], []
    for name, digest in digests(names, asked.processes):
        lines.append(f"{digest} {name}")
        print(lines[-1], flush=True)
        if asked.check and before.get(name) != digest:
            other.append(name)
    lines.append(hashlib.blake2b("\n".join(lines).encode(), digest_size=16).hexdigest() + " all of them")
    print(lines[-1])
    if asked.write:
        KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if other:
        print(f"played otherwise than kept in {KEPT.name}: {', '.join(other)}", file=sys.stderr)
    elif asked.check:
        print("all are played as they were")
    return 1 if other else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputError as error:
        sys.exit(str(error))
