"""What runs inside a worker process: chunks of jobs, each job under its limits. Read `do_chunk`.

A worker leaves a slip, a small file shared with its executor that survives any death: which job it was at, whose code ran, and
whether it had to end for want of memory. Its exit code says nothing, since an agent may choose any. A hang is ended by
`faulthandler`, whose clock runs outside Python: even an agent that never gives the interpreter back is stopped, and the trace
beside the slip tells where it stood.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import signal
import struct
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO

from battlesim.core.errors import BattlesimError, InputError, RuleError
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobOutput, JobResult, function_of
from battlesim.jobs.leftovers import Leftovers, LoadedModules, adopt_orphans

_NOTE = struct.Struct("<qqqqq")
LOADING = 60.0
"""Seconds beyond a job's own that loading what it needs may take."""
NO_ROOM = 75
"""How a probe ends where a worker has no room."""
_parent = 0
_modules = LoadedModules()
_spent = False
"""Whether something stays in this worker that would reach into other jobs."""


class WorkerStatus(NamedTuple):
    """What a slip says: a job's number (-1: none was begun), whose code ran (-1: nobody's), 1 for want of memory, the process
    (0: none), and who answers for its end because a thread or child of his goes on (-1: nobody)."""

    number: int = -1
    actor: int = -1
    swollen: int = 0
    process: int = 0
    answers: int = -1


class StatusFile:
    """The note a worker keeps of what it is at."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b")
        self._file.write(_NOTE.pack(*WorkerStatus()))
        self._file.flush()
        self._map = mmap.mmap(self._file.fileno(), _NOTE.size)
        self._number = -1
        self._process = os.getpid()
        self.actor = -1
        self._leftovers: Leftovers | None = None

    def job(self, number: int, leftovers: Leftovers) -> None:
        self._number, self._leftovers = number, leftovers
        self.actor = -1
        self._note()

    def watch(self, actor: int) -> None:
        """Note whose code runs from now on."""
        if self._leftovers is not None:
            self._leftovers(actor)
        self.actor = actor
        self._note()

    def swollen(self, most: int) -> None:
        """Note that the job wanted more memory than the `most` bytes it may have, and who holds it."""
        holder = -1 if self._leftovers is None else self._leftovers.holder(most)
        self.actor = self.actor if holder < 0 else holder
        self._note(1)

    def _note(self, swollen: int = 0) -> None:
        answers = -1 if self._leftovers is None else self._leftovers.answers
        _NOTE.pack_into(self._map, 0, self._number, self.actor, swollen, self._process, answers)

    def close(self) -> None:
        self._map.close()
        self._file.close()


def read_slip(path: Path) -> WorkerStatus:
    """What a dead worker noted; the empty note where it began nothing."""
    try:
        return WorkerStatus(*_NOTE.unpack(path.read_bytes()[: _NOTE.size]))
    except (OSError, struct.error):
        return WorkerStatus()


def trace_of(slip: Path) -> Path:
    """The file beside a slip that tells where a job stood when its time was up."""
    return slip.with_suffix(".trace")


def begin(parent: int, guard: JobLimits) -> None:
    """Called once in a new worker: what is printed goes nowhere, an interrupt is the executor's business, memory is bounded."""
    global _parent
    _parent = parent
    adopt_orphans()
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # a group of its own, by which its executor finds what it leaves when it dies
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    if guard.megabytes:
        with suppress(ImportError, ValueError, OSError):
            import resource

            most = guard.megabytes * 1024 * 1024
            hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def probe(parent: int, guard: JobLimits, function: str) -> None:
    """Start as a worker does and do nothing; ends with `NO_ROOM` where the memory allowed does not do for that."""
    try:
        begin(parent, guard)
        function_of(function)
    except MemoryError:
        os._exit(NO_ROOM)


def do_chunk(function: str, jobs: Sequence[Job], guard: JobLimits, slip_path: str) -> list[JobResult]:
    """Do jobs one after another; fewer than all where something stays in this worker that would reach into the next. Raises
    InputError where a job's input is wrong, which ends the run; nothing else."""
    global _spent
    if _parent and os.getppid() != _parent:
        os._exit(1)
    path = Path(slip_path)
    slip = StatusFile(path)
    if guard.megabytes and _megabytes() > guard.megabytes / 2:
        slip.swollen(0)
        os._exit(1)  # so that every job has the same room, whatever ran before it
    if _spent:
        os._exit(1)  # so that every job has the same program, too
    work = function_of(function)
    prepare = getattr(work, "prepare", None)
    done = []
    with trace_of(path).open("w") as trace:
        for job in jobs:
            if _parent and os.getppid() != _parent:
                os._exit(1)
            leftovers = Leftovers(_modules)
            slip.job(job.number, leftovers)
            begun = time.perf_counter()
            result: JobOutput | JobFailure
            try:
                if prepare is not None:
                    _limit(guard.seconds and guard.seconds + LOADING, trace)
                    prepare(job.spec, slip.watch)
                    begun = time.perf_counter()
                _limit(guard.seconds, trace)
                result = work(job.spec, slip.watch)
            except InputError:
                faulthandler.cancel_dump_traceback_later()
                raise
            except MemoryError:
                slip.swollen(guard.megabytes * 1_048_576)
                os._exit(1)
            except BaseException as error:
                # What no referee holds back, such as an interrupt of an agent's own making, is still that agent's doing.
                kind = "fault" if slip.actor < 0 or isinstance(error, RuleError) else "raised"
                result = JobFailure(kind, slip.actor, _words(error))
            done.append(JobResult(job.number, result, time.perf_counter() - begun))
            if leftovers.end():
                _spent = True
                break
    faulthandler.cancel_dump_traceback_later()
    slip.close()
    return done


def _limit(seconds: float, trace: TextIO) -> None:
    """End this process after so many seconds, unless another limit is set before; 0: never."""
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True, file=trace)


def _words(error: BaseException) -> str:
    """What was raised, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    kind = "" if isinstance(error, RuleError | BattlesimError) else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())[:300] + where


def _megabytes() -> float:
    """What this process holds of its own memory; 0 where the platform does not say."""
    if sys.platform != "linux":
        return 0.0
    with suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmData:")[1].split()[0]) / 1024
    return 0.0
