"""Playing a run to its end, or until it is stopped. Read `drive`.

A session plays the games that the store lacks. Nothing but the store is kept between sessions.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from os import cpu_count
from typing import Any, Protocol

from battlesim.batch.games import ALWAYS, GameSpec, failed
from battlesim.batch.rows import GameRow
from battlesim.core.errors import BattlesimError
from battlesim.core.files import write_file
from battlesim.core.version import VERSION
from battlesim.engine.source import code
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import ENVIRONMENT, RunFolder, write_json
from battlesim.jobs.job import Job, JobFailure, JobResult
from battlesim.jobs.store import Store, StoredRow

PROGRESS_SECONDS = 1.0
"""The progress of a session is written once in so many seconds at most, and at its end."""
MOST_FAULTY = 50
"""How many records one session keeps of games in which an agent lost a question, beside those that are always kept."""
OnProgress = Callable[[int, int], None]
"""Called as games end, with how many games of the run have been played and how many of these are new."""


class RunPlan(Protocol):
    """The games of a run. `lists.GameList` is one for any list of games, `tournament.resolve.TournamentPlan` one for
    tournaments."""

    @property
    def games(self) -> int:
        """How many games this run has; if it plays a part, only those of the part."""

    @property
    def numbers(self) -> int:
        """All numbers of games are below this."""

    def specs(self) -> Iterator[GameSpec]:
        """The games of this run, in canonical order."""

    def row(self, data: bytes) -> GameRow:
        """A row of this run as a value. Raises InputError if it is damaged."""

    def check(self) -> None:
        """Raises InputError if an input has changed since the run was begun."""


class Reader(Protocol):
    """Reads rows while a run is played, and may end it early, as a sequential test does."""

    def take(self, row: bytes, seconds: float) -> None:
        """Take one game's row. Rows from earlier sessions come first; new ones come in any order."""

    @property
    def done(self) -> bool:
        """Whether no more games are needed. Games under way are still kept."""


def drive(
    folder: RunFolder,
    plan: RunPlan,
    executor: Executor,
    reader: Reader | None = None,
    shown: OnProgress | None = None,
) -> None:
    """Play the games that the run lacks, and store each as it ends.

    `executor`: one that plays games, as `lists.local_executor` makes. `reader`: is given every row, and may end the run early;
    None for none. `shown`: is told of the progress. Raises InputError if another process plays the run, or the program or an
    input has changed since it was begun. KeyboardInterrupt passes through. Stored games are kept, whatever is raised.
    """
    with folder.locked(), closing(folder.store()) as store:
        store.check()
        before = len(store)
        if before < plan.games:
            plan.check()
            progress = _ProgressFile(folder, executor, before)
            progress.write()  # a session that is killed counts, too

            def told(games: int, new: int) -> None:
                progress.write_when_due(games)
                if shown is not None:
                    shown(games, new)

            try:
                _play(folder, store, plan, executor, reader, told)
            finally:
                progress.games = _quietly(lambda: len(store)) or progress.games
                _quietly(progress.write)


class _ProgressFile:
    """Writes how long each session of a run took and how many games it played. It is written about every second, so that a
    session that is killed counts, too."""

    def __init__(self, folder: RunFolder, executor: Executor, before: int) -> None:
        self._file = folder.path / ENVIRONMENT
        self._sessions = folder.environment()
        if self._sessions:  # a session that was killed may have played more than it last wrote
            told = sum(session.get("games", 0) for session in self._sessions)
            self._sessions[-1]["games"] = max(0, self._sessions[-1].get("games", 0) + before - told)
        self._session = _session(executor)
        self._before = self.games = before
        self._begun = self._written = time.monotonic()

    def write_when_due(self, games: int) -> None:
        self.games = games
        if time.monotonic() - self._written > PROGRESS_SECONDS:
            self.write()

    def write(self) -> None:
        self._written = time.monotonic()
        self._session["seconds"] = round(self._written - self._begun, 3)
        self._session["games"] = self.games - self._before
        write_json(self._file, [*self._sessions, self._session])


def _play(
    folder: RunFolder,
    store: Store,
    plan: RunPlan,
    executor: Executor,
    reader: Reader | None,
    shown: OnProgress,
) -> None:
    here = bytearray(plan.numbers)
    played = 0
    for stored in store.rows():
        here[stored.number] = 1
        played += 1
        if reader is not None:
            reader.take(stored.row, stored.seconds)
    shown(played, played)
    specs: dict[int, GameSpec] = {}

    def jobs() -> Iterator[Job]:
        for spec in plan.specs():
            if reader is not None and reader.done:
                return
            if not here[spec.number]:
                specs[spec.number] = spec
                yield Job(spec.number, _group(spec), spec)

    faulty = 0
    for batch in executor.run(jobs()):
        rows = []
        for done in batch:
            spec = specs.pop(done.number)
            record = None if isinstance(done.result, JobFailure) else done.result.file
            if record is not None and (spec.record == ALWAYS or faulty < MOST_FAULTY):
                faulty += spec.record != ALWAYS
                write_file(folder.records / record_name(done.number), record)
            rows.append(_row(done, spec, store))
        store.add(rows)
        played += len(rows)
        if reader is not None:
            for stored in rows:
                reader.take(stored.row, stored.seconds)
        shown(played, len(rows))


def record_name(number: int) -> str:
    """The file of a game's record inside `records`.

    >>> record_name(12)
    '0000012.jsonl.gz'
    """
    return f"{number:07d}.jsonl.gz"


def _group(spec: GameSpec) -> str:
    """The group of a game: games of the same agents on the same scenario take about equally long."""
    return "|".join((spec.scenario.name, *sorted(agent.name for agent in spec.agents)))


def _row(done: JobResult, spec: GameSpec, store: Store) -> StoredRow:
    result = done.result
    if isinstance(result, JobFailure):
        store.set_meta(f"failure:{done.number}", result.what)
        return StoredRow(done.number, failed(spec, result), done.seconds, done.tries)
    clocks = tuple(round(seconds, 6) for seconds in result.clocks)
    return StoredRow(done.number, result.row, done.seconds, done.tries, clocks)


def _session(executor: Executor) -> dict[str, Any]:
    this = code()
    return {
        "started": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "battlesim": VERSION,
        "code": this.digest,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": platform.machine(),
        "cpus": cpu_count(),
        "where": type(executor).__name__.removesuffix("Executor").lower(),
        "workers": executor.workers,
        "command": " ".join(sys.argv[1:]),
        "seconds": 0.0,
        "games": 0,
    }


def _quietly(work: Callable[[], Any]) -> Any:
    """Do something whose errors must not hide an error that is being raised."""
    try:
        return work()
    except BattlesimError:
        return 0
