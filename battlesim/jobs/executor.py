"""Executors do the jobs of a run. `Executor.run` takes jobs as workers become free and returns results in any order.

`LocalExecutor` uses this machine: a pool of processes that live on from job to job. Jobs are sent in chunks of about half a
second of work, so that short jobs have little overhead. When a worker dies, the jobs of its chunk are done again one by one,
except the one that is to blame. A hang, too much memory or an exit is the fault of the job and of the actor whose code ran. A
kill from outside is the fault of the machine; then the job is tried again, up to `TRIES` times. Read `LocalExecutor.run`.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pebble import ProcessExpired, ProcessPool

from battlesim.core.errors import BattlesimError, Fault, InputError
from battlesim.jobs.interrupts import held_back
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobResult
from battlesim.jobs.scratch import scratch_folder
from battlesim.jobs.worker import LOADING, NO_ROOM, begin, do_chunk, probe, read_status, trace_of

CHUNK_SECONDS = 0.5
"""How long the jobs of one chunk should take together."""
CHUNK_MOST = 64
"""The most jobs of one chunk."""
AHEAD = 2
"""Chunks that wait for each worker, so that none is idle."""
TRIES = 10
"""A job whose worker was killed this often is taken to be the cause."""
LOOK_SECONDS = 2.0
"""After this long without a result, check whether the workers still run."""
IDLE = 8
"""How many workers, beyond the pool's size, may end in a row before they begin a job."""
STARTS = 5
"""How often in a row the workers are started again when one dies while it starts."""
GRACE = 30.0
"""Seconds beyond the limits of its jobs after which a chunk is stopped from outside."""
FROM_OUTSIDE = frozenset(-number for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)))
"""Exit codes of workers that somebody else has ended."""


class Executor(Protocol):
    """Does jobs somewhere. `workers`: how many at the same time."""

    workers: int

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """The results of all jobs, each once, in batches, in any order. Takes a job from `jobs` only when a worker is free.
        Raises InputError if a job's input is wrong."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...


class Chunks:
    """Divides jobs into chunks of about `CHUNK_SECONDS`, by how long jobs of their group took so far. Jobs that are tried again
    come first, each alone.

    >>> chunks = Chunks(Job(number, "quick", None) for number in range(9))
    >>> [job.number for job in chunks.next()]
    [0]
    >>> chunks.took(Job(0, "quick", None), seconds=0.1)
    >>> [job.number for job in chunks.next()]
    [1, 2, 3, 4, 5]
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._again: deque[Job] = deque()
        self._took: dict[str, float] = {}
        self._tries: dict[int, int] = {}
        self._kept: Job | None = None

    def next(self) -> list[Job]:
        """The next chunk; empty if no job is left for now."""
        if self._again:
            return [self._again.popleft()]
        chunk: list[Job] = []
        seconds = 0.0
        while len(chunk) < CHUNK_MOST and (job := self._kept or next(self._jobs, None)) is not None:
            self._kept = None
            # The first job of a group goes alone: it may take minutes.
            cost = self._took.get(job.group, CHUNK_SECONDS)
            if chunk and seconds + cost > CHUNK_SECONDS:
                self._kept = job
                break
            chunk.append(job)
            seconds += cost
        return chunk

    def took(self, job: Job, seconds: float) -> None:
        """Note how many seconds a job took; later ones count for more than earlier ones."""
        old = self._took.get(job.group)
        self._took[job.group] = seconds if old is None else 0.8 * old + 0.2 * seconds

    def again(self, jobs: Iterable[Job]) -> None:
        """Do these jobs again, each alone; this does not count as a try."""
        self._again.extend(jobs)

    def tries(self, job: Job, more: int = 0) -> int:
        """How often a job's worker was lost, after adding `more` (0 or more)."""
        if more:
            self._tries[job.number] = self._tries.get(job.number, 0) + more
        return self._tries.get(job.number, 0)


class LocalExecutor:
    """Does jobs in processes of this machine. `function`: the one that does a job, as `module:function`. `workers`: how many
    processes, 1 or more. `limits`: of each job; None for those of `JobLimits()`. Raises InputError for too few workers."""

    def __init__(self, function: str, workers: int, limits: JobLimits | None = None) -> None:
        if workers < 1:
            raise InputError(Fault(f"{workers} workers can do nothing", "give 1 or more"))
        self.function = function
        self.workers = workers
        self.limits = limits or JobLimits()
        self._pool: ProcessPool | None = None
        self._processes: set[int] = set()

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """As `Executor.run`. Raises BattlesimError if workers do not start, or the temporary folder cannot be written to. A
        caller that stops early ends the workers."""
        chunks = Chunks(jobs)
        pool = self._started()
        busy: dict[Future[Any], tuple[list[Job], Path]] = {}
        serial = idle = starts = 0
        with scratch_folder() as folder:
            try:
                while True:
                    while len(busy) < self.workers * AHEAD and (chunk := chunks.next()):
                        serial += 1
                        status_file = folder / f"{serial}.slip"
                        each = self.limits.seconds + LOADING
                        limit = each * len(chunk) + GRACE if self.limits.seconds else None
                        args = (self.function, chunk, self.limits, str(status_file))
                        try:
                            begun = pool.schedule(do_chunk, args=args, timeout=limit)
                        except (BrokenExecutor, RuntimeError):
                            # The pool broke just now; the other chunks will come back, too.
                            chunks.again(chunk)
                            break
                        busy[begun] = chunk, status_file
                    if not busy and pool.active:
                        return
                    ready = wait(busy, LOOK_SECONDS, FIRST_COMPLETED).done if busy else set()
                    if not ready and not pool.active:
                        # The pool broke; a chunk that it took at that moment never comes back by itself.
                        chunks.again(job for chunk, _ in busy.values() for job in chunk)
                        busy.clear()
                        pool = self._started_again(starts := starts + 1)
                        continue
                    for future in ready or self._vanished(busy):
                        chunk, status_file = busy.pop(future)
                        done = self._settle(future, chunk, status_file, chunks)
                        starts = 0 if done else starts
                        note = read_status(status_file)
                        if note.process:
                            self._processes.add(note.process)
                        if done or note.number >= 0:
                            idle = 0
                        elif pool.active:
                            idle += 1
                        if idle > IDLE + self.workers:
                            raise self._no_start(idle, bool(note.out_of_memory))
                        if done:
                            yield done
                        status_file.unlink(missing_ok=True)
                        trace_of(status_file).unlink(missing_ok=True)
            finally:
                if busy:  # the caller has stopped: do not wait for chunks under way
                    self.close()

    def close(self) -> None:
        """End the workers at once; the next `run` starts others."""
        if self._pool is not None:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._pool.join()
            self._pool = None
            self._end_groups()

    def _end_groups(self) -> None:
        """End the processes that workers have left behind."""
        for process in self._processes:
            end_group(process)
        self._processes.clear()

    def _started(self) -> ProcessPool:
        """The pool, whose workers live on from one `run` to the next."""
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            start = (os.getpid(), self.limits)
            self._pool = ProcessPool(
                max_workers=self.workers, initializer=begin, initargs=start, context=spawn
            )
            with held_back():
                _ = self._pool.active  # starts the workers, and the threads that replace them
        return self._pool

    def _started_again(self, times: int) -> ProcessPool:
        """A new pool after one broke because a worker died while it started. Raises BattlesimError after `STARTS` times in a
        row."""
        self.close()
        if times > STARTS:
            raise self._no_start(times)
        return self._started()

    def _no_start(self, times: int, no_room: bool = False) -> BattlesimError:
        """Why workers end before they begin a job: too little memory, if they reported that; else the exit code of one more of
        them."""
        code = NO_ROOM if no_room else self._probed()
        if code is None:
            how, remedy = "does not reach its first job", "check whether the machine is overloaded"
        elif code < 0:
            how = _death(code).removeprefix("its process ")
            remedy = (
                "find out what ends processes on this machine: see its log, its memory, its limits on jobs"
            )
        elif code == NO_ROOM:
            how = "needs more memory than it may have"
            remedy = (
                f"limits.megabytes = {self.limits.megabytes} is too small for the program itself: raise it"
            )
        elif code:
            how, remedy = f"ends with code {code}", "play one game with `battlesim play` to see the error"
        else:
            how, remedy = "starts now", "resume the run"
        what = f"workers ended {times} times in a row before they began anything; one more {how}"
        return BattlesimError(f"{what}: {remedy}; what was recorded is kept")

    def _probed(self) -> int | None:
        """Exit code of a process that starts as a worker and does nothing; None if it does not end."""
        process = multiprocessing.get_context("spawn").Process(
            target=probe, args=(os.getpid(), self.limits, self.function)
        )
        with held_back():
            process.start()
        process.join(GRACE)
        code = process.exitcode
        process.kill()
        return code

    def _vanished(self, busy: dict[Future[Any], tuple[list[Job], Path]]) -> list[Future[Any]]:
        """The chunks whose process has ended unnoticed: the pool takes exit code 0 for a normal end."""
        if os.name != "posix":
            return []  # on other platforms the chunk's own time limit notices
        gone = [
            future
            for future, (_, status_file) in busy.items()
            if (process := read_status(status_file).process) and not _alive(process) and not future.done()
        ]
        for future in gone:
            future.cancel()
        return gone

    def _settle(
        self, future: Future[Any], chunk: list[Job], status_file: Path, chunks: Chunks
    ) -> list[JobResult]:
        """The results of a chunk that has ended. Jobs that must be done again are put back."""
        code: int | None
        try:
            found: list[JobResult] = future.result()
        except TimeoutError:
            code = None
        except BrokenExecutor:
            # A worker that dies while it starts breaks the pool; all jobs of the chunk are done again.
            chunks.again(chunk)
            return []
        except CancelledError:
            code = 0
        except ProcessExpired as died:
            code = died.exitcode
        except OSError as error:  # no job raises it: the worker could not write its status file
            what = f"workers cannot write to the temporary folder {status_file.parent}: {error.strerror}"
            raise BattlesimError(
                f"{what}; make room or see who removes it; what was recorded is kept"
            ) from None
        else:
            chunks.again(chunk[len(found) :])  # the worker stopped before these
            for job, done in zip(chunk, found, strict=False):
                chunks.took(job, done.seconds)
            return [_counted(done, chunks.tries(job)) for job, done in zip(chunk, found, strict=False)]
        return self._settle_lost(code, chunk, status_file, chunks)

    def _settle_lost(
        self, code: int | None, chunk: list[Job], status_file: Path, chunks: Chunks
    ) -> list[JobResult]:
        """The same for a chunk whose worker has ended: the failure of the job that is to blame, if any. `code`: the worker's exit
        code, None if it was stopped since it took too long."""
        number, actor, out_of_memory, process, responsible = read_status(status_file)
        if process:
            end_group(process)
            self._processes.discard(process)
        if responsible >= 0 and not out_of_memory:
            actor = responsible  # an agent that left something running is responsible for the process until the game ends
        guilty = next((job for job in chunk if job.number == number), None)
        chunks.again(job for job in chunk if job is not guilty)
        if guilty is None:
            return []  # the worker ended before it began a job: to free memory, or it was killed
        trace = trace_of(status_file)
        told = trace.read_text(errors="replace") if trace.is_file() else ""
        if code is None or told:
            failure = JobFailure("time", actor, f"took longer than {self.limits.seconds:g} s{_stood(told)}")
        else:
            # A kill from outside, or an end while no actor's code ran, is the machine's fault. Too much memory counts only when
            # it happens again in a new worker.
            once = 2 if out_of_memory else TRIES if code in FROM_OUTSIDE or actor < 0 else 1
            if chunks.tries(guilty, 1) < once:
                chunks.again([guilty])
                return []
            if out_of_memory:
                failure = JobFailure("memory", actor, f"wanted more than {self.limits.megabytes} MB")
            else:
                failure = JobFailure("death", actor, _death(code))
        return [JobResult(guilty.number, failure, 0.0, max(1, chunks.tries(guilty)))]


def end_group(process: int) -> None:
    """End the processes that are left of a worker's process group. `process`: the worker's process id."""
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
    """Where a hanging job was: the innermost line of the trace in a file outside battlesim, else the innermost line."""
    lines = re.findall(r'File "([^"]+)", line (\d+)', trace)
    if not lines:
        return ""
    own = [line for line in lines if "battlesim" not in Path(line[0]).parts] or lines
    return f", last in {Path(own[0][0]).name}:{own[0][1]}"
