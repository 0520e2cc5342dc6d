"""Jobs on a cluster: a Dask scheduler and its workers. Read `ClusterExecutor.run`.

Each thread of the cluster keeps a `LocalExecutor` with one process. So limits and isolation are the same as on one machine, and
an agent that kills its process does not kill a worker of the cluster. The jobs of a lost worker are done again by another.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from distributed import CancelledError, Client, KilledWorker, wait

from battlesim.core.errors import BattlesimError, Fault, InputError
from battlesim.jobs.executor import AHEAD, Chunks, LocalExecutor
from battlesim.jobs.job import Job, JobLimits, JobResult

CONNECT_SECONDS = 10.0
"""How long to wait for an answer of the scheduler."""
LOST = 5
"""The run ends when this many workers in a row are lost."""
_own = threading.local()


class ClusterExecutor:
    """The workers of the Dask scheduler at `address` (`tcp://host:8786`). `function`, `limits`: as in `LocalExecutor`. `workers`:
    how many threads the cluster had at first. Raises InputError if the scheduler does not answer or has no workers."""

    def __init__(self, function: str, address: str, limits: JobLimits | None = None) -> None:
        self.function = function
        self.limits = limits or JobLimits()
        self._address = address
        # Errors are reported once, in our own words. Each part of the library sets a log level of its own.
        for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS)
            self.workers = sum(self._client.nthreads().values())
        except (OSError, ValueError, TypeError) as error:
            what = f"no Dask scheduler answers at {address!r}: {error}"
            remedy = (
                "start `dask scheduler` and `dask worker tcp://HOST:8786`, give --cluster tcp://HOST:8786"
            )
            raise InputError(Fault(what, remedy)) from None
        if not self.workers:
            self._client.close()
            raise InputError(
                Fault(f"the scheduler at {address!r} has no workers", "start `dask worker ADDRESS`")
            )

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """The results of `jobs`, a chunk at a time, in the order in which they end. Raises BattlesimError if the scheduler
        goes away or workers are lost one after the other."""
        chunks = Chunks(jobs)
        busy: dict[Any, list[Job]] = {}
        lost = 0
        try:
            while True:
                with self._scheduler_there():
                    hands = max(1, sum(self._client.nthreads().values()))
                while len(busy) < hands * AHEAD and (chunk := chunks.next()):
                    with self._scheduler_there():
                        future = self._client.submit(_do, self.function, chunk, self.limits, pure=False)
                    busy[future] = chunk
                if not busy:
                    return
                with self._scheduler_there():
                    ended = wait(list(busy), return_when="FIRST_COMPLETED").done
                for future in ended:
                    chunk = busy.pop(future)
                    try:
                        with self._scheduler_there():
                            found: list[JobResult] = future.result()
                    except KilledWorker as error:
                        lost += 1
                        if lost >= LOST:
                            raise BattlesimError(
                                f"the cluster lost {lost} workers in a row: {error}; check its machines, then resume"
                            ) from None
                        chunks.again(chunk)
                        continue
                    lost = 0
                    for job, done in zip(chunk, found, strict=True):
                        chunks.took(job, done.seconds)
                    yield found
        finally:
            # A scheduler that is gone has nothing left to cancel, and was reported above.
            with suppress(CancelledError, OSError):
                self._client.cancel(list(busy))

    @contextmanager
    def _scheduler_there(self) -> Iterator[None]:
        """Raises BattlesimError if the scheduler no longer answers, which any request may be the first to find."""
        try:
            yield
        except (CancelledError, OSError) as error:
            what = f"the scheduler at {self._address!r} is gone: {type(error).__name__}"
            raise BattlesimError(f"{what}; start it again, then resume the run") from None

    def close(self) -> None:
        """Leave the cluster."""
        with suppress(CancelledError, OSError):
            self._client.close()


def _do(function: str, jobs: Sequence[Job], limits: JobLimits) -> list[JobResult]:
    """Do a chunk on a worker of the cluster, in the process that this thread keeps."""
    # A worker under a nanny is a daemon, and Python allows daemons no children. This one ends its own child when it ends.
    process = multiprocessing.process.current_process()
    process._config["daemon"] = False  # type: ignore[attr-defined]
    kept = getattr(_own, "executor", None)
    if kept is None or (kept.function, kept.limits) != (function, limits):
        if kept is not None:
            kept.close()
        _own.executor = kept = LocalExecutor(function, 1, limits)
    done = {found.number: found for batch in kept.run(jobs) for found in batch}
    return [done[job.number] for job in jobs]
