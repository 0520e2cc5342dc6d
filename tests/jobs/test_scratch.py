"""A killed process leaves its temporary folder; the next executor removes it, and no other."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from battlesim.core.errors import BattlesimError, InputError
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.job import Job
from battlesim.jobs.scratch import OLD_SECONDS, PREFIX, scratch_folder
from tests.jobs.work import FUNCTION

WAITS = """
import time
from battlesim.jobs.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def age(folder: Path) -> None:
    then = time.time() - 2 * OLD_SECONDS
    os.utime(folder, (then, then))


def test_a_folder_of_a_killed_process_is_removed_by_the_next_executor(parent: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(parent), "TEMP": str(parent), "TMP": str(parent)}
    with subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, env=environment) as other:
        assert other.stdout is not None
        left = Path(other.stdout.readline().decode().strip())
        assert left.parent == parent
        age(left)
        with scratch_folder():
            assert left.is_dir(), "its process lives"
        other.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    assert left.is_dir()
    fresh, foreign = parent / "battlesim-fresh", parent / "battlesim-foreign"
    for folder in (fresh, foreign):
        folder.mkdir()
    (fresh / "driver.lock").touch()
    age(foreign)  # no lock: not made by an executor
    age(left)
    executor = LocalExecutor(FUNCTION, 1)
    try:
        assert list(executor.run(())) == []
    finally:
        executor.close()
    assert sorted(parent.iterdir()) == [foreign, fresh]


def test_a_scratch_folder_ends_with_its_use(parent: Path) -> None:
    with scratch_folder() as folder:
        assert folder.is_dir()
    assert list(parent.iterdir()) == []


def test_a_temporary_folder_that_cannot_be_made_is_told(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(parent / "gone"))
    executor = LocalExecutor(FUNCTION, 1)
    try:
        with pytest.raises(
            InputError, match=r"no temporary folder can be made: .*; make room, or set TMPDIR"
        ):
            list(executor.run(()))
    finally:
        executor.close()


def test_a_temporary_folder_that_vanishes_is_told(parent: Path) -> None:
    def jobs() -> Iterator[Job]:
        for number in range(4):
            for folder in parent.glob(f"{PREFIX}*"):
                shutil.rmtree(folder)
            yield Job(number, "one", {"do": "well", "number": number})

    executor = LocalExecutor(FUNCTION, 1)
    try:
        with pytest.raises(
            BattlesimError, match=r"workers cannot write to the temporary folder .*: No such file"
        ):
            list(executor.run(jobs()))
    finally:
        executor.close()
