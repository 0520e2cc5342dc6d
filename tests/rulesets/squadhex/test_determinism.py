"""Same inputs, same bytes: in another process, in another folder, under another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from battlesim import play

SCRIPT = """
from battlesim import play
for agents in (("greedy", "rush"), ("random", "greedy")):
    print(play("square", agents, 3).record_hash)
"""


@pytest.mark.slow
def test_records_are_the_same_bytes_elsewhere(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[3])
    expected = [
        play("square", agents, 3).record_hash for agents in (("greedy", "rush"), ("random", "greedy"))
    ]
    env = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": root, "TZ": "Asia/Tokyo"}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, cwd=tmp_path, capture_output=True, check=True
    )
    assert ran.stdout.decode().split() == expected
