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
from typing import Any

from battlesim.core.errors import BattlesimError, InputError
from battlesim.core.files import write_file
from battlesim.core.version import VERSION
from battlesim.engine.source import code
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import ENVIRONMENT, RESOLVED, STORE, RunFolder, write_json
from battlesim.jobs.job import Done, Failure, Job
from battlesim.jobs.store import Row as Stored
from battlesim.jobs.store import Store
from battlesim.tournament.games import Game, failed
from battlesim.tournament.judge import NOTED, Judge
from battlesim.tournament.resolve import Plan, check_again, parse_resolved
from battlesim.tournament.schedule import Unit

DIARY_SECONDS = 1.0
"""What is known of a session is written down so often at most."""
Shown = Callable[[Judge, int], None]
"""Called after each batch, with the judge and how many games it brought."""


def plan_of(folder: RunFolder) -> Plan:
    """The plan of a run's folder."""
    resolved = parse_resolved(folder.resolved(), str(folder.path / RESOLVED))
    return Plan(resolved, str(folder.path / STORE))


def judged(folder: RunFolder, plan: Plan | None = None) -> Judge:
    """What a run's store comes to now, read anew from its first row."""
    judge = Judge(plan or plan_of(folder))
    with closing(folder.store(read_only=True)) as store:
        judge.read(store.rows())
    return judge


def drive(folder: RunFolder, executor: Executor, shown: Shown | None = None) -> Judge:
    """Play what the run lacks and keep each game as it ends. Returns what the whole store came to. Raises InputError where
    another driver holds the run, it was begun with another program, or an input has changed; KeyboardInterrupt passes
    through. What was recorded stays, whatever is raised."""
    with folder.locked(), closing(folder.store()) as store:
        store.check()
        plan = plan_of(folder)
        before = len(store)
        if before < plan.games:
            check_again(plan.resolved)
            diary = _Diary(folder, executor, before)
            diary.write()  # a session that is killed was one, too

            def told(judge: Judge, games: int) -> None:
                diary.write_when_due(judge.played)
                if shown is not None:
                    shown(judge, games)

            try:
                _play(folder, store, plan, executor, told)
            finally:
                diary.games = _quietly(lambda: len(store)) or diary.games
                _quietly(diary.write)
    return judged(folder, plan)


class _Diary:
    """What a run's folder says of its sessions: how long each took and how many games it played. Written again and again while a
    session goes on, so that one that is killed is counted, too, to its last second or so."""

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


def _play(folder: RunFolder, store: Store, plan: Plan, executor: Executor, shown: Shown | None) -> None:
    judge = Judge(plan)
    here = bytearray(plan.schedule.games)
    for stored in store.rows():
        here[stored.number] = 1
        judge.take(stored.row, stored.seconds)
    if shown is not None:
        shown(judge, judge.played)
    specs: dict[int, Game] = {}

    def jobs() -> Iterator[Job]:
        for unit in plan.units():
            for leg in range(unit.games):
                if judge.done:
                    return
                number = unit.first + leg
                if not here[number]:
                    specs[number] = spec = plan.game(unit, leg)
                    yield Job(number, _group(unit), spec)

    kept = 0
    for batch in executor.run(jobs()):
        rows = []
        for done in batch:
            spec = specs.pop(done.number)
            record = None if isinstance(done.result, Failure) else done.result.file
            if record is not None and (spec.record > 1 or kept < NOTED):
                kept += 1
                write_file(folder.records / record_name(done.number), record)
            rows.append(_row(done, spec, store))
        store.add(rows)
        for stored in rows:
            judge.take(stored.row, stored.seconds)
        if shown is not None:
            shown(judge, len(rows))


def record_name(number: int) -> str:
    """The file of a game's record inside `records`."""
    return f"{number:07d}.jsonl.gz"


def _group(unit: Unit) -> str:
    """Games of the same agents on the same scenario take about equally long."""
    return f"{unit.scenario}|{unit.a}|{unit.b}"


def _row(done: Done, spec: Game, store: Store) -> Stored:
    result = done.result
    if isinstance(result, Failure):
        store.set_meta(f"failure:{done.number}", result.what)
        return Stored(done.number, failed(spec, result), done.seconds, done.tries)
    return Stored(done.number, result.row, done.seconds, done.tries)


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
