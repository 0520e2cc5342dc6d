"""Merging the parts of a run. Read `merge_runs`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from typing import Any

from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.folder import ENVIRONMENT, RunFolder, write_json
from battlesim.jobs.store import Store, StoredRow

BATCH = 2_000
"""Rows that are added in one transaction."""


def merge_runs(
    target: Path,
    parts: Sequence[RunFolder],
    differ: Callable[[RunFolder, RunFolder], str],
    whole_of: Callable[[RunFolder], Mapping[str, Any]],
) -> tuple[RunFolder, int]:
    """Put the games of `parts` into the run at `target`, which is made if it does not exist.

    Returns that run and the number of new games; merging again adds none. No part is changed. `differ(one, other)`: why two
    folders are not parts of one run, "" if they are. `whole_of(part)`: the resolved data of the whole run. Raises InputError if
    the parts are not of one run, one is damaged or the target is itself a part, StoreError where two of them hold different
    results of the same game; then a run that was to be made is not there, and one that was there is as it was.
    """
    for part in parts[1:]:
        _same(parts[0], part, differ)
    # A damaged part is found before anything is written.
    for part in parts:
        part.environment()
        with closing(part.store(read_only=True)) as store:
            store.check()
    is_new = not target.exists()
    if not is_new:
        whole = RunFolder(target)
        _same(parts[0], whole, differ)
        for part in parts:
            if part.path.resolve() == target.resolve():
                raise InputError(
                    Fault("a run cannot be merged into itself", "give another --out", str(target))
                )
        _check_whole(whole)
    else:
        asked = parts[0].asked()
        whole = RunFolder.create(target, whole_of(parts[0]), asked.read_bytes(), asked.suffix)
    try:
        return whole, _fill(whole, parts)
    except BaseException:
        if is_new:
            shutil.rmtree(whole.path, ignore_errors=True)
        raise


def _check_whole(run: RunFolder) -> None:
    """Raises InputError if a run is a part: it would not count the games of others."""
    n, of = run.resolved().get("part", (1, 1))
    if of > 1:
        what = f"this run is part {n} of {of}; parts are merged into a run of their own"
        raise InputError(Fault(what, "give another --out, and name this one among the parts", str(run.path)))


def _fill(whole: RunFolder, parts: Sequence[RunFolder]) -> int:
    """Copy games, records and sessions of parts into a run; returns how many games were new."""
    new = 0
    with whole.locked(), closing(whole.store()) as store:
        store.check()
        sessions = whole.environment()
        _check_results(store, parts)
        for part in parts:
            new += _take(part, store)
            sessions += [session for session in part.environment() if session not in sessions]
            for record in sorted(part.records.glob("*.jsonl.gz")):
                if not (whole.records / record.name).exists():
                    write_file(whole.records / record.name, record.read_bytes())
        write_json(whole.path / ENVIRONMENT, sessions)
    return new


def _check_results(store: Store, parts: Sequence[RunFolder]) -> None:
    """Raises StoreError if a part has another result of a game than the store, or than a part before it. Writes nothing."""
    with ExitStack() as opened:
        earlier = [store]
        for part in parts:
            other = opened.enter_context(closing(part.store(read_only=True)))
            for one in earlier:
                one.check_same(other.rows())
            earlier.append(other)


def _take(part: RunFolder, store: Store) -> int:
    new = 0
    with closing(part.store(read_only=True)) as other:
        rows: Iterator[StoredRow] = other.rows()
        while batch := list(islice(rows, BATCH)):
            new += store.add(batch)
        for key, value in other.remarks("failure:"):
            store.set_meta(key, value)
    return new


def _same(one: RunFolder, other: RunFolder, differ: Callable[[RunFolder, RunFolder], str]) -> None:
    if why := differ(one, other):
        what = f"{one.path} and {other.path} are not parts of one run: {why}"
        raise InputError(Fault(what, "merge parts that --part made of the same file"))


def inputs_differ(
    codes: tuple[tuple[str, str], tuple[str, str]],
    agents: tuple[Sequence[str], Sequence[str]],
    scenarios: tuple[Sequence[str], Sequence[str]],
) -> str:
    """How two runs that are not parts of one differ, in words. Each argument has a value for either run: (version, digest) of the
    program, digests of agents, digests of scenarios."""
    (version, code), (other_version, other) = codes
    if code != other:
        return f"the one was played by battlesim {version} ({code}), the other by {other_version} ({other})"
    if list(agents[0]) != list(agents[1]):
        return "their agents differ"
    if list(scenarios[0]) != list(scenarios[1]):
        return "their scenarios differ"
    return "they were asked for different games"
