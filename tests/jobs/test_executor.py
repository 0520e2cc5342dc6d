"""Whatever a job does, every other job is done once, and the guilty one is named."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from battlesim.core.errors import BattlesimError, InputError
from battlesim.jobs.executor import CHUNK_MOST, TRIES, Chunks, LocalExecutor
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobOutput, JobResult
from tests.jobs.work import FUNCTION

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    made = LocalExecutor(FUNCTION, 2, JobLimits(seconds=1.0, megabytes=600))
    yield made
    made.close()


@pytest.fixture
def patient() -> Iterator[LocalExecutor]:
    made = LocalExecutor(FUNCTION, 1, JobLimits(seconds=120, megabytes=400))
    yield made
    made.close()


def jobs(*specs: Any) -> Iterator[Job]:
    for number, spec in enumerate(specs):
        spec = {"do": spec} if isinstance(spec, str) else spec
        yield Job(number, "one", {**spec, "number": number})


def done(executor: LocalExecutor, *specs: Any) -> list[JobResult]:
    found = [found for batch in executor.run(jobs(*specs)) for found in batch]
    assert sorted(one.number for one in found) == list(range(len(specs))), "each job ends once"
    return sorted(found, key=lambda one: one.number)


def failure(one: JobResult) -> JobFailure:
    assert isinstance(one.result, JobFailure), one
    return one.result


def test_jobs_give_rows_and_files(executor: LocalExecutor) -> None:
    found = done(executor, *["ok"] * 150, "file")
    assert [one.result for one in found[:2]] == [JobOutput(b'{"number":0}'), JobOutput(b'{"number":1}')]
    assert found[-1].result == JobOutput(b'{"number":150}', b"file")
    assert {one.tries for one in found} == {1}
    assert done(executor, "ok")[0].result == JobOutput(b'{"number":0}'), "and the workers go on"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "kind", "words", "tries"),
    [
        ("exit", "death", "ended its process with code 5", 1),
        ("fall", "death", "its process died of SIGSEGV", 1),
        ("kill", "death", "its process died of SIGKILL", TRIES),
        ("hang", "time", "took longer than 1 s, last in work.py:", 1),
    ],
)
def test_a_guilty_job_is_named_and_costs_nobody_else(
    executor: LocalExecutor, what: str, kind: str, words: str, tries: int
) -> None:
    found = done(executor, *["ok"] * 40, {"do": what, "actor": 1}, *["ok"] * 40)
    guilty = found.pop(40)
    assert all(isinstance(one.result, JobOutput) for one in found)
    failed = failure(guilty)
    assert (failed.kind, failed.actor, guilty.tries) == (kind, 1, tries)
    assert words in failed.what


def test_what_a_job_raises_is_its_fault_alone(executor: LocalExecutor) -> None:
    found = done(executor, "ok", "raise", "ok")
    failed = failure(found[1])
    assert (failed.kind, failed.actor) == ("fault", -1)
    assert failed.what.startswith("it cannot be (work.py:")
    theirs = failure(done(executor, {"do": "interrupt", "actor": 1})[0])
    assert (theirs.kind, theirs.actor) == ("raised", 1)
    assert isinstance(found[2].result, JobOutput)


def test_what_the_machine_killed_is_tried_again(executor: LocalExecutor, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    found = done(executor, "ok", {"do": "kill once", "mark": str(mark)}, "ok")
    assert all(isinstance(one.result, JobOutput) for one in found)
    assert found[1].tries == 2


@pytest.mark.slow
@linux
def test_want_of_memory_is_found_out_in_a_worker_of_its_own(patient: LocalExecutor) -> None:
    found = done(patient, "ok", {"do": "eat", "actor": 0}, "ok")
    failed = failure(found.pop(1))
    assert (failed.kind, failed.actor, failed.what) == ("memory", 0, "wanted more than 400 MB")
    assert all(isinstance(one.result, JobOutput) for one in found)


@pytest.mark.parametrize("code", [0, 1, 97, 98, 99])
def test_no_exit_code_is_a_password(executor: LocalExecutor, code: int) -> None:
    found = done(executor, "ok", {"do": "exit", "code": code, "actor": 1}, "ok")
    assert failure(found[1]).what == f"ended its process with code {code}"


@pytest.mark.slow
@linux
def test_workers_without_room_for_themselves_are_told() -> None:
    executor = LocalExecutor(FUNCTION, 1, JobLimits(seconds=0, megabytes=16))
    with pytest.raises(BattlesimError, match=r"limits\.megabytes = 16 is too small for the program itself"):
        done(executor, "ok")
    executor.close()


@pytest.mark.slow
@linux
def test_what_one_job_leaks_is_not_the_next_ones_fault(patient: LocalExecutor) -> None:
    found = done(patient, *[{"do": "leak", "megabytes": 100}] * 8)
    assert all(isinstance(one.result, JobOutput) for one in found)


@pytest.mark.slow
def test_an_end_while_nobodys_code_runs_is_nobodys_fault(executor: LocalExecutor) -> None:
    found = done(executor, "ok", {"do": "exit", "actor": -1}, "ok")
    assert found[1].tries == TRIES, "the machine has had every chance"
    assert failure(found[1]).actor == -1


def test_a_wrong_input_ends_the_run(executor: LocalExecutor) -> None:
    with pytest.raises(InputError, match="the file is gone; put it back"):
        done(executor, "ok", "refuse", *["ok"] * 20)


def test_whoever_stops_asking_waits_for_nothing(executor: LocalExecutor) -> None:
    begun = time.monotonic()
    limits = LocalExecutor(FUNCTION, 1, JobLimits(seconds=0, megabytes=0))
    running = limits.run(jobs("ok", *["hang"] * 5))
    assert next(running)[0].number == 0
    running.close()
    assert time.monotonic() - begun < 300, "five of them would hang for ever"


def test_a_worker_without_its_executor_goes(tmp_path: Path) -> None:
    """A worker notices that whoever started it is gone, and ends."""
    import subprocess

    script = tmp_path / "driver.py"
    script.write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(Path.cwd())!r})\n"
        "from battlesim.jobs.executor import LocalExecutor\n"
        "from battlesim.jobs.job import Job\n"
        "def endless():\n"
        "    number = 0\n"
        "    while True:\n"
        "        yield Job(number, 'one', {'do': 'ok', 'number': number})\n"
        "        number += 1\n"
        "if __name__ == '__main__':\n"
        "    for batch in LocalExecutor('tests.jobs.work:work', 2).run(endless()):\n"
        "        print(batch[0].number, flush=True)\n"
    )
    driver = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert driver.stdout is not None
    driver.stdout.readline()
    children = [int(line) for line in _children(driver.pid)]
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    for _ in range(6_000):
        if not any(Path(f"/proc/{child}/exe").exists() for child in children):
            break
        time.sleep(0.05)
    else:
        pytest.fail(f"workers {children} outlived their executor by five minutes")


def _children(pid: int) -> list[str]:
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    return listing.read_text().split() if listing.exists() else []


def test_chunks_grow_with_what_jobs_take() -> None:
    chunks = Chunks(Job(number, "quick", None) for number in range(1000))
    first = chunks.next()
    assert len(first) == 1, "nothing is known of the group yet"
    chunks.took(first[0], 0.05)
    assert len(chunks.next()) == 10
    for _ in range(40):
        chunks.took(first[0], 0.0001)
    assert len(chunks.next()) == CHUNK_MOST
    chunks.again([first[0]])
    assert chunks.next() == first, "what is tried again goes first, alone"
    assert chunks.next()[0].number == 1 + 10 + CHUNK_MOST


def test_no_workers_are_refused() -> None:
    with pytest.raises(InputError, match="give 1 or more"):
        LocalExecutor(FUNCTION, 0)


def new_workers(known: set[int]) -> list[int]:
    """Processes that were spawned as workers of this one and were not known yet."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) not in known:
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == os.getpid() and b"spawn_main" in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except (OSError, ValueError, IndexError):
                continue
    return found


class Killer(threading.Thread):
    """Kills so many workers as soon as they appear, while they start."""

    def __init__(self, times: int) -> None:
        super().__init__(daemon=True)
        self.times, self.over = times, threading.Event()
        self.killed: set[int] = set()
        self.known = set(new_workers(set()))

    def run(self) -> None:
        while len(self.killed) < self.times and not self.over.wait(0.002):
            for process in new_workers(self.known | self.killed):
                self.killed.add(process)
                with suppress(ProcessLookupError):  # it may have ended since it was seen
                    os.kill(process, signal.SIGKILL)


@pytest.fixture
def killer(request: pytest.FixtureRequest) -> Iterator[Killer]:
    made = Killer(request.param)
    made.start()
    yield made
    made.over.set()
    made.join()


@pytest.mark.slow
@linux
@pytest.mark.parametrize("killer", [3], indirect=True)
def test_a_worker_that_dies_while_it_starts_is_started_again(killer: Killer, executor: LocalExecutor) -> None:
    found = done(executor, *["ok"] * 20)
    assert len(killer.killed) >= 3
    assert all(isinstance(one.result, JobOutput) for one in found)


@pytest.mark.slow
@linux
@pytest.mark.parametrize("killer", [1_000], indirect=True)
def test_workers_that_never_start_end_the_run_and_say_why(killer: Killer, executor: LocalExecutor) -> None:
    with pytest.raises(BattlesimError, match="one more died of SIGKILL: find out what ends processes"):
        done(executor, *["ok"] * 20)
    assert len(killer.killed) <= 40


@linux
def test_what_a_worker_started_ends_with_it_however_it_dies(executor: LocalExecutor, tmp_path: Path) -> None:
    file = tmp_path / "number"
    guilty = done(executor, {"do": "child", "actor": 0, "file": str(file)})[0]
    assert failure(guilty).kind == "death"
    folder = Path("/proc", file.read_text())
    for _ in range(30_000):
        if not folder.exists() or " Z " in (folder / "stat").read_text():
            return
        time.sleep(0.01)
    raise AssertionError("the child goes on")
