"""Plays a run to its end, or until somebody stops it. Read `drive`.

What is in the store when a session ends is what counts: a session plays what the store lacks. Nothing else is remembered.
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
from battlesim.core.errors import BattlesimError, InputError
from battlesim.core.files import write_file
from battlesim.core.version import VERSION
from battlesim.engine.source import code
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import ENVIRONMENT, RunFolder, write_json
from battlesim.jobs.job import Job, JobFailure, JobResult
from battlesim.jobs.store import Store, StoredRow

DIARY_SECONDS = 1.0
"""What is known of a session is written down so often at most."""
FAULTY = 50
"""Records of games with faults that one session keeps unasked."""
Shown = Callable[[int, int], None]
"""Called as games end, with how many of the run are played and how many of them are new."""


class RunPlan(Protocol):
    """What a run is to play: tournaments have one, and `lists.GameList` is one for any list of games."""

    @property
    def games(self) -> int:
        """Games of this run: of its part, where it plays one."""

    @property
    def numbers(self) -> int:
        """The numbers of games are below this."""

    def specs(self) -> Iterator[GameSpec]:
        """The games of this run, in canonical order."""

    def row(self, data: bytes) -> GameRow:
        """A row of this run as a value. Raises InputError where it is none."""

    def check(self) -> None:
        """Raises InputError where an input is no longer what the run was begun with."""


class Reader(Protocol):
    """Reads rows while a run is played, and may end it early: a sequential test, a search that has found what it sought."""

    def take(self, row: bytes, seconds: float) -> None:
        """One game's row, in any order; those that are there when a session begins come first."""

    @property
    def done(self) -> bool:
        """Whether nothing more needs to be played. Games under way are kept."""


def drive(
    folder: RunFolder,
    plan: RunPlan,
    executor: Executor,
    reader: Reader | None = None,
    shown: Shown | None = None,
) -> None:
    """Play what the run lacks and keep each game as it ends. Raises InputError where another driver holds the run, it was begun
    with another program, or an input has changed; KeyboardInterrupt passes through. What was recorded stays, whatever is
    raised."""
    with folder.locked(), closing(folder.store()) as store:
        store.check()
        before = len(store)
        if before < plan.games:
            plan.check()
            diary = _ProgressFile(folder, executor, before)
            diary.write()  # a session that is killed was one, too

            def told(games: int, new: int) -> None:
                diary.write_when_due(games)
                if shown is not None:
                    shown(games, new)

            try:
                _play(folder, store, plan, executor, reader, told)
            finally:
                diary.games = _quietly(lambda: len(store)) or diary.games
                _quietly(diary.write)


class _ProgressFile:
    """What a run's folder says of its sessions: how long each took and how many games it played. Written again and again while
    a session goes on, so that one that is killed is counted, too, to its last second or so."""

    def __init__(self, folder: RunFolder, executor: Executor, before: int) -> None:
        self._file = folder.path / ENVIRONMENT
        self._sessions = folder.environment()
        if self._sessions:  # a session that was killed may have played more than it could say
            told = sum(session.get("games", 0) for session in self._sessions)
            self._sessions[-1]["games"] = max(0, self._sessions[-1].get("games", 0) + before - told)
        self._session = _session(executor)
        self._before = self.games = before
        self._begun = self._written = time.monotonic()

    def write_when_due(self, games: int) -> None:
        self.games = games
        if time.monotonic() - self._written > DIARY_SECONDS:
            self.write()

    def write(self) -> None:
        self._written = time.monotonic()
        self._session["seconds"] = round(self._written - self._begun, 3)
        self._session["games"] = self.games - self._before
        write_json(self._file, [*self._sessions, self._session])


def _play(
    folder: RunFolder, store: Store, plan: RunPlan, executor: Executor, reader: Reader | None, shown: Shown
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

    kept = 0
    for batch in executor.run(jobs()):
        rows = []
        for done in batch:
            spec = specs.pop(done.number)
            record = None if isinstance(done.result, JobFailure) else done.result.file
            if record is not None and (spec.record == ALWAYS or kept < FAULTY):
                kept += 1
                write_file(folder.records / record_name(done.number), record)
            rows.append(_row(done, spec, store))
        store.add(rows)
        played += len(rows)
        if reader is not None:
            for stored in rows:
                reader.take(stored.row, stored.seconds)
        shown(played, len(rows))


def record_name(number: int) -> str:
    """The file of a game's record inside `records`."""
    return f"{number:07d}.jsonl.gz"


def _group(spec: GameSpec) -> str:
    """Games of the same agents on the same scenario take about equally long."""
    return "|".join((spec.scenario.name, *sorted(agent.name for agent in spec.agents)))


def _row(done: JobResult, spec: GameSpec, store: Store) -> StoredRow:
    result = done.result
    if isinstance(result, JobFailure):
        store.set_meta(f"failure:{done.number}", result.what)
        return StoredRow(done.number, failed(spec, result), done.seconds, done.tries)
    return StoredRow(done.number, result.row, done.seconds, done.tries)


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
    """Do what must not hide the error that is on its way."""
    try:
        return work()
    except (BattlesimError, InputError):
        return 0
