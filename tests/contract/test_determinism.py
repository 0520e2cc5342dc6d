"""Same inputs, same bytes: in other processes, in another folder, under any hash seed, with caches warm or cold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from battlesim import play

SCRIPT = """
from battlesim import play
for name in ("village", "stairwell", "village"):
    print(play(name, ("rush", "random"), 3).record_hash)
"""


@pytest.mark.slow
def test_records_are_the_same_bytes_everywhere(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    expected = [play(name, ("rush", "random"), 3).record_hash for name in ("village", "stairwell", "village")]
    assert expected[0] == expected[2]
    for hash_seed, folder in (("0", root), ("4711", str(tmp_path))):
        env = {
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": root,
            "TZ": "Asia/Tokyo",
            "LC_ALL": "C",
        }
        made = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, cwd=folder, capture_output=True, check=True
        )
        assert made.stdout.decode().split() == expected


def test_order_of_games_does_not_matter() -> None:
    forth = [play("stairwell", ("random", "random"), seed).record_hash for seed in range(4)]
    back = [play("stairwell", ("random", "random"), seed).record_hash for seed in reversed(range(4))]
    assert forth == back[::-1]
