"""Whole runs for tests: play one to its end here, or begin one in a process of its own, kill it, look at what is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bad_agents"
SMALL = ("--agents", "rush", "random", "--scenarios", "stairwell", "--games", "12", "--control", "4")


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "battlesim", *words]


class Told(NamedTuple):
    """What a command printed."""

    stdout: str
    stderr: str


def battlesim(*words: str, code: int = 0) -> Told:
    """Run the command to its end, in this process: its workers have processes of their own, as ever."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        done = main(words)
    told = Told(out.getvalue(), err.getvalue())
    assert done == code, f"{done}\n{told.stdout}\n{told.stderr}"
    return told


def started(*words: str, errors: Any = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Run the command in a group of its own, so that it can be killed with its workers; what it says of faults goes to
    `errors`."""
    return subprocess.Popen(
        command(*words),
        stdout=subprocess.DEVNULL,
        stderr=errors,
        cwd=ROOT,
        start_new_session=True,
    )


def rows_of(path: Path) -> int:
    """Games recorded so far; 0 where there is no run yet."""
    try:
        with closing(RunFolder(path).store(read_only=True)) as store:
            return len(store)
    except InputError:
        return 0


def digest_of(path: Path) -> str:
    with closing(RunFolder(path).store(read_only=True)) as store:
        return store.digest()


def workers_of(pid: int) -> list[int]:
    """The processes that a driver has started (Linux)."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    found = []
    for child in map(int, text.split()):
        try:
            line = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in line:
            found.append(child)
    return found


def wait_until(reached: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 900) -> None:
    """Look again and again until something is so, the process has ended or the time is over."""
    end = time.monotonic() + seconds
    while not reached() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)


def wait_for_rows(path: Path, rows: int, process: subprocess.Popen[bytes], seconds: float = 900) -> None:
    wait_until(lambda: rows_of(path) >= rows, process, seconds)


def kill_driver(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to the driver alone: its workers must find out by themselves."""
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def undisturbed(path: Path, *words: str) -> str:
    """Play a run without a disturbance; the digest of its results."""
    battlesim("tournament", *words, "--out", str(path), "--quiet", "--workers", "2")
    return digest_of(path)
