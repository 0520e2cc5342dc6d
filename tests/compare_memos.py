"""Battles in which every answer that was kept is computed anew and compared: `python -m tests.compare_memos stairwell`.

Plays each scenario (of big ones the first two turns) with `random` and with `greedy` on both sides and prints one JSON object a
game: its record's hash, what was stale, and how often each memo was compared. Exits with 1 where an answer was stale or a game
broke off. Read `main`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

AGENTS = ("random", "greedy")
SEED = 5


def compared(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The games of some scenarios, played in a process of its own that compares."""
    environment = {**os.environ, "BATTLESIM_COMPARE_MEMOS": "1"}
    command = [sys.executable, "-m", "tests.compare_memos", *names]
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise AssertionError(done.stderr)
    return map(json.loads, done.stdout.splitlines())


def main(names: Sequence[str]) -> int:
    from battlesim.core import memo
    from battlesim.core.memo_compare import comparisons, stale
    from battlesim.engine.game import play
    from tests.shipped import short

    if not memo.COMPARES:
        raise SystemExit("set BATTLESIM_COMPARE_MEMOS=1")
    for name in names:
        for agent in AGENTS:
            game = play(short(name), (agent, agent), seed=SEED)
            told = {"scenario": name, "agent": agent, "hash": game.record_hash, "faults": len(game.faults)}
            print(json.dumps({**told, "stale": stale(), "compared": comparisons()}), flush=True)
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
