"""Some services start programs with the standard streams closed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def run(words: str, closed: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The program in a shell that closes a stream: `<&-`, `>&-` or `2>&-`."""
    command = f'"{sys.executable}" -m battlesim {words} {closed}'
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_without_an_output_a_command_does_its_work(tmp_path: Path) -> None:
    done = run("rules", ">&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_without_an_input_the_game_of_a_person_is_saved(tmp_path: Path) -> None:
    done = run("play stairwell --agent Red=human", "<&-", tmp_path)
    assert done.returncode == 0
    assert "The game is saved." in done.stdout + done.stderr
    assert (tmp_path / "stairwell-0.saved").is_file()
