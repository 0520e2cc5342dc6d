"""Who does the jobs of a run. `Executor.run` takes jobs as it has hands free and gives back what is done, in any order.

`LocalExecutor` is this machine: a pool of spawned processes that stay warm. Jobs travel in chunks of about half a second's
work, so that a short job costs no more than itself; a chunk that dies is done again job by job, less the guilty one. Whom a
death is blamed on: a hang, a memory fault or an exit of its own on the job (and whose code ran); a kill from outside on the
machine, and the job is tried again, up to `TRIES` times. Read `LocalExecutor.run`.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pebble import ProcessExpired, ProcessPool

from battlesim.core.errors import BattlesimError, Fault, InputError
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobResult
from battlesim.jobs.worker import LOADING, NO_ROOM, begin, do_chunk, probe, read_slip, trace_of

CHUNK_SECONDS = 0.5
CHUNK_MOST = 64
AHEAD = 2
"""Chunks waiting for each worker, so that none stands idle."""
TRIES = 10
"""A job whose worker was killed so often is taken to do it itself."""
LOOK_SECONDS = 2.0
"""Nothing came for so long: look whether the workers are still there."""
IDLE = 8
"""So many workers more than there are may end in a row before they begin anything."""
STARTS = 5
"""So many times in a row the workers are started again where one of them died while it started."""
GRACE = 30.0
"""Seconds beyond its jobs' own limits after which a chunk whose worker does not even end itself is stopped."""
FROM_OUTSIDE = frozenset(-number for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)))


class Executor(Protocol):
    """Does jobs somewhere."""

    workers: int

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """Every job's end, in any order, in batches; asks for a job only when there is somebody to do it. Each job of
        `jobs` is given back once. Raises InputError where a job's input is wrong."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


class Chunks:
    """Jobs in chunks of about `CHUNK_SECONDS`, by what jobs of their group took so far; those to be tried again first, alone."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._again: deque[Job] = deque()
        self._took: dict[str, float] = {}
        self._tries: dict[int, int] = {}
        self._kept: Job | None = None

    def next(self) -> list[Job]:
        """The next chunk; empty where nothing is left for now."""
        if self._again:
            return [self._again.popleft()]
        chunk: list[Job] = []
        seconds = 0.0
        while len(chunk) < CHUNK_MOST and (job := self._kept or next(self._jobs, None)) is not None:
            self._kept = None
            # A group that was not measured goes alone: its jobs may take minutes.
            cost = self._took.get(job.group, CHUNK_SECONDS)
            if chunk and seconds + cost > CHUNK_SECONDS:
                self._kept = job
                break
            chunk.append(job)
            seconds += cost
        return chunk

    def took(self, job: Job, seconds: float) -> None:
        """Learn from a job done."""
        old = self._took.get(job.group)
        self._took[job.group] = seconds if old is None else 0.8 * old + 0.2 * seconds

    def again(self, jobs: Iterable[Job]) -> None:
        """Do these again, each alone; that costs them no try."""
        self._again.extend(jobs)

    def tries(self, job: Job, more: int = 0) -> int:
        """How often a job was begun and lost, this time counted with `more`."""
        if more:
            self._tries[job.number] = self._tries.get(job.number, 0) + more
        return self._tries.get(job.number, 0)


class LocalExecutor:
    """This machine. `function` names who does a job, `workers` counts the processes."""

    def __init__(self, function: str, workers: int, guard: JobLimits | None = None) -> None:
        if workers < 1:
            raise InputError(Fault(f"{workers} workers can do nothing", "give 1 or more"))
        self.function = function
        self.workers = workers
        self.guard = guard or JobLimits()
        self._pool: ProcessPool | None = None
        self._processes: set[int] = set()

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        chunks = Chunks(jobs)
        pool = self._started()
        busy: dict[Future[Any], tuple[list[Job], Path]] = {}
        serial = idle = starts = 0
        with tempfile.TemporaryDirectory(prefix="battlesim-") as folder:
            try:
                while True:
                    while len(busy) < self.workers * AHEAD and (chunk := chunks.next()):
                        serial += 1
                        slip = Path(folder, f"{serial}.slip")
                        each = self.guard.seconds + LOADING
                        limit = each * len(chunk) + GRACE if self.guard.seconds else None
                        args = (self.function, chunk, self.guard, str(slip))
                        try:
                            begun = pool.schedule(do_chunk, args=args, timeout=limit)
                        except (BrokenExecutor, RuntimeError):
                            chunks.again(chunk)  # the pool broke just now; what is busy comes back, too
                            break
                        busy[begun] = chunk, slip
                    if not busy and pool.active:
                        return
                    ready = wait(busy, LOOK_SECONDS, FIRST_COMPLETED).done if busy else set()
                    if not ready and not pool.active:
                        # The pool broke; a chunk it took while it did so never comes back by itself.
                        chunks.again(job for chunk, _ in busy.values() for job in chunk)
                        busy.clear()
                        pool = self._started_again(starts := starts + 1)
                        continue
                    for future in ready or self._vanished(busy):
                        chunk, slip = busy.pop(future)
                        done = self._settle(future, chunk, slip, chunks)
                        starts = 0 if done else starts
                        note = read_slip(slip)
                        if note.process:
                            self._processes.add(note.process)
                        if done or note.number >= 0:
                            idle = 0
                        elif pool.active:
                            idle += 1
                        if idle > IDLE + self.workers:
                            raise self._no_start(idle, bool(note.swollen))
                        if done:
                            yield done
                        slip.unlink(missing_ok=True)
                        trace_of(slip).unlink(missing_ok=True)
            finally:
                if busy:  # whoever asked has gone: nothing begun is worth waiting for
                    self.close()

    def close(self) -> None:
        """End the workers at once; the next `run` starts others."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None
            self._end_groups()

    def _end_groups(self) -> None:
        """What workers left that were ended by force."""
        for process in self._processes:
            end_group(process)
        self._processes.clear()

    def _started(self) -> ProcessPool:
        """The pool, whose workers stay warm from one `run` to the next."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            start = (os.getpid(), self.guard)
            self._pool = ProcessPool(
                max_workers=self.workers, initializer=begin, initargs=start, context=spawn
            )
        return self._pool

    def _started_again(self, times: int) -> ProcessPool:
        """A new pool in the place of one that broke because a worker died while it started. Raises BattlesimError where that
        goes on."""
        self.close()
        if times > STARTS:
            raise self._no_start(times)
        return self._started()

    def _no_start(self, times: int, no_room: bool = False) -> BattlesimError:
        """Why workers end before they begin anything: want of room, where they said so, else what one more comes to."""
        code = NO_ROOM if no_room else self._probed()
        if code is None:
            how, remedy = "does not come to its first job", "see whether the machine is overloaded"
        elif code < 0:
            how = _death(code).removeprefix("its process ")
            remedy = "see what ends processes on this machine: its log, its memory, a limit of jobs"
        elif code == NO_ROOM:
            how = "wants more memory than it may have"
            remedy = (
                f"limits.megabytes = {self.guard.megabytes} is too small for the program itself: raise it"
            )
        elif code:
            how, remedy = f"ends with code {code}", "play one game with `battlesim play` to see the error"
        else:
            how, remedy = "starts now", "resume the run"
        what = f"workers ended {times} times in a row before they began anything; one more {how}"
        return BattlesimError(f"{what}: {remedy}; what was recorded is kept")

    def _probed(self) -> int | None:
        """How a process that only starts as a worker does ends; None where it does not."""
        process = multiprocessing.get_context("spawn").Process(
            target=probe, args=(os.getpid(), self.guard, self.function)
        )
        process.start()
        process.join(GRACE)
        code = process.exitcode
        process.kill()
        return code

    def _vanished(self, busy: dict[Future[Any], tuple[list[Job], Path]]) -> list[Future[Any]]:
        """The chunks whose process has ended without anybody being told: the pool takes exit code 0 for a farewell."""
        if os.name != "posix":
            return []  # elsewhere the chunk's own time limit finds out
        gone = [
            future
            for future, (_, slip) in busy.items()
            if (process := read_slip(slip).process) and not _alive(process) and not future.done()
        ]
        for future in gone:
            future.cancel()
        return gone

    def _settle(self, future: Future[Any], chunk: list[Job], slip: Path, chunks: Chunks) -> list[JobResult]:
        """What came of a chunk; what must be done again is put back."""
        try:
            found: list[JobResult] = future.result()
        except TimeoutError:
            code = None
        except BrokenExecutor:
            # A worker that dies while it starts takes the pool with it; all it had begun or not is done again.
            chunks.again(chunk)
            return []
        except CancelledError:
            code = 0
        except ProcessExpired as died:
            code = died.exitcode
        else:
            chunks.again(chunk[len(found) :])  # the worker gave itself up before them
            for job, done in zip(chunk, found, strict=False):
                chunks.took(job, done.seconds)
            return [_counted(done, chunks.tries(job)) for job, done in zip(chunk, found, strict=False)]
        number, actor, swollen, process, answers = read_slip(slip)
        if process:
            end_group(process)
            self._processes.discard(process)
        if answers >= 0 and not swollen:
            actor = (
                answers  # an agent that left something running answers for the process until the game ends
            )
        guilty = next((job for job in chunk if job.number == number), None)
        chunks.again(job for job in chunk if job is not guilty)
        if guilty is None:
            return []  # it ended before it began: to make room, or killed
        trace = trace_of(slip)
        told = trace.read_text(errors="replace") if trace.is_file() else ""
        if code is None or told:
            failure = JobFailure("time", actor, f"took longer than {self.guard.seconds:g} s{_stood(told)}")
        else:
            # A kill from outside is the machine's doing, and so is an end while nobody's code ran; want of memory counts
            # once it is had in a worker of its own.
            once = 2 if swollen else TRIES if code in FROM_OUTSIDE or actor < 0 else 1
            if chunks.tries(guilty, 1) < once:
                chunks.again([guilty])
                return []
            if swollen:
                failure = JobFailure("memory", actor, f"wanted more than {self.guard.megabytes} MB")
            else:
                failure = JobFailure("death", actor, _death(code))
        return [JobResult(guilty.number, failure, 0.0, max(1, chunks.tries(guilty)))]


def end_group(process: int) -> None:
    """End what is left of the group of a worker that has ended."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process, signal.SIGKILL)


def _counted(done: JobResult, lost: int) -> JobResult:
    return done if not lost else JobResult(done.number, done.result, done.seconds, lost + 1)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _death(code: int) -> str:
    if code >= 0:
        return f"ended its process with code {code}"
    try:
        return f"its process died of {signal.Signals(-code).name}"
    except ValueError:
        return f"its process died of signal {-code}"


def _stood(trace: str) -> str:
    """Where a hung job stood: the innermost line of the trace that names a file outside the program, else the innermost."""
    lines = re.findall(r'File "([^"]+)", line (\d+)', trace)
    if not lines:
        return ""
    own = [line for line in lines if "battlesim" not in Path(line[0]).parts] or lines
    return f", last in {Path(own[0][0]).name}:{own[0][1]}"
