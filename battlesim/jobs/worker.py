"""The code inside a worker process: it does chunks of jobs, each within its limits. Read `do_chunk`.

A worker writes a status file, a small file shared with its executor: which job it does, whose code runs, and whether memory ran
out. The file survives the worker's death; the exit code would say nothing, since an agent can choose any. A hanging job is ended
by `faulthandler`, whose clock runs outside Python, so that even an agent that blocks the interpreter is stopped. A trace beside
the status file says where it was.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import struct
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO

from battlesim.core.errors import BattlesimError, InputError, RuleError
from battlesim.jobs.interrupts import ignore
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobOutput, JobResult, function_of
from battlesim.jobs.leftovers import Leftovers, LoadedModules, adopt_orphans

_LAYOUT = struct.Struct("<qqqqq")
LOADING = 60.0
"""Seconds that loading what a job needs may take, beyond the job's own."""
NO_ROOM = 75
"""Exit code of a probe that has too little memory to start."""
_parent = 0
_modules = LoadedModules()
_spent = False
"""Whether a job has left something in this worker that could affect other jobs."""


class WorkerStatus(NamedTuple):
    """The content of a status file.

    `number`: the job's, -1 if none was begun. `actor`: whose code ran, -1 for nobody's. `out_of_memory`: 1 if memory ran
    out. `process`: the worker's process id, 0 for none. `responsible`: the actor that left a thread or child process running and
    is therefore responsible for the worker's death, -1 for nobody.
    """

    number: int = -1
    actor: int = -1
    out_of_memory: int = 0
    process: int = 0
    responsible: int = -1


class StatusFile:
    """The status file of a worker, while the worker writes it. `actor`: whose code runs now, -1 for nobody's."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b")
        self._file.write(_LAYOUT.pack(*WorkerStatus()))
        self._file.flush()
        self._map = mmap.mmap(self._file.fileno(), _LAYOUT.size)
        self._number = -1
        self._process = os.getpid()
        self.actor = -1
        self._leftovers: Leftovers | None = None

    def job(self, number: int, leftovers: Leftovers) -> None:
        """Note that a job begins. `leftovers`: what looks after its actors."""
        self._number, self._leftovers = number, leftovers
        self.actor = -1
        self._note()

    def watch(self, actor: int) -> None:
        """Note whose code runs from now on."""
        if self._leftovers is not None:
            self._leftovers(actor)
        self.actor = actor
        self._note()

    def out_of_memory(self) -> None:
        """Note that the job needed more memory than the process may have, and which actor holds it."""
        holder = -1 if self._leftovers is None else self._leftovers.holder()
        self.actor = self.actor if holder < 0 else holder
        self._note(1)

    def _note(self, out_of_memory: int = 0) -> None:
        responsible = -1 if self._leftovers is None else self._leftovers.responsible
        _LAYOUT.pack_into(self._map, 0, self._number, self.actor, out_of_memory, self._process, responsible)

    def close(self) -> None:
        """Close the file; it stays for the executor to read."""
        self._map.close()
        self._file.close()


def read_status(path: Path) -> WorkerStatus:
    """The status that a worker has left; an empty one where it began nothing."""
    try:
        return WorkerStatus(*_LAYOUT.unpack(path.read_bytes()[: _LAYOUT.size]))
    except (OSError, struct.error):
        return WorkerStatus()


def trace_of(status_file: Path) -> Path:
    """The file beside a status file that says where a job was when its time was up."""
    return status_file.with_suffix(".trace")


def begin(parent: int, limits: JobLimits) -> None:
    """Set up a new worker: discard what is printed, leave interrupts to the executor, and limit its memory. `parent`: process id
    of the executor; a worker whose parent is another ends before its next job."""
    global _parent
    _parent = parent
    adopt_orphans()
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # a process group of its own, so that its executor can end what it leaves behind
    ignore()
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    if limits.megabytes:
        with suppress(ImportError, ValueError, OSError):
            import resource

            most = limits.megabytes * 1024 * 1024
            hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def probe(parent: int, limits: JobLimits, function: str) -> None:
    """Start as a worker does and do nothing; exits with `NO_ROOM` where the memory allowed is too little for that."""
    try:
        begin(parent, limits)
        function_of(function)
    except MemoryError:
        os._exit(NO_ROOM)


def do_chunk(function: str, jobs: Sequence[Job], limits: JobLimits, status_path: str) -> list[JobResult]:
    """Do jobs one after another, and return their results. It stops early where a job has left something in this worker that
    could affect the next. Raises InputError, which ends the run, where an input is wrong; nothing else."""
    global _spent
    if _parent and os.getppid() != _parent:
        os._exit(1)
    path = Path(status_path)
    status_file = StatusFile(path)
    if limits.megabytes and _megabytes() > limits.megabytes / 2:
        status_file.out_of_memory()
        os._exit(1)  # every job must have the same memory, whatever ran before it
    if _spent:
        os._exit(1)  # every job must run in an unchanged program
    work = function_of(function)
    prepare = getattr(work, "prepare", None)
    done = []
    with trace_of(path).open("w") as trace:
        for job in jobs:
            if _parent and os.getppid() != _parent:
                os._exit(1)
            leftovers = Leftovers(_modules, limits.megabytes * 1_048_576)
            status_file.job(job.number, leftovers)
            begun = time.perf_counter()
            result: JobOutput | JobFailure
            try:
                if prepare is not None:
                    _limit(limits.seconds and limits.seconds + LOADING, trace)
                    prepare(job.spec, status_file.watch)
                    begun = time.perf_counter()
                _limit(limits.seconds, trace)
                result = work(job.spec, status_file.watch)
            except InputError:
                faulthandler.cancel_dump_traceback_later()
                raise
            except MemoryError:
                status_file.out_of_memory()
                os._exit(1)
            except BaseException as error:
                # An exception that the referee does not catch, such as an agent's KeyboardInterrupt, is that agent's fault, too.
                kind = "fault" if status_file.actor < 0 or isinstance(error, RuleError) else "raised"
                result = JobFailure(kind, status_file.actor, _words(error))
            done.append(JobResult(job.number, result, time.perf_counter() - begun))
            if leftovers.end():
                _spent = True
                break
    faulthandler.cancel_dump_traceback_later()
    status_file.close()
    return done


def _limit(seconds: float, trace: TextIO) -> None:
    """End this process after this many seconds, unless another limit is set before; 0: never."""
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True, file=trace)


def _words(error: BaseException) -> str:
    """What was raised, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    kind = "" if isinstance(error, RuleError | BattlesimError) else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())[:300] + where


def _megabytes() -> float:
    """Memory that this process holds, in megabytes; 0 if the platform does not say."""
    if sys.platform != "linux":
        return 0.0
    with suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmData:")[1].split()[0]) / 1024
    return 0.0
