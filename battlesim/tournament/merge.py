"""Parts of one tournament put together. Read `merge`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import msgspec

from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.folder import ENVIRONMENT, RunFolder, write_json
from battlesim.jobs.store import Row, Store
from battlesim.tournament.driver import plan_of
from battlesim.tournament.resolve import Plan, with_part

BATCH = 2_000


def merge(target: Path, parts: Sequence[RunFolder]) -> tuple[RunFolder, int]:
    """Put the games of `parts` into the run at `target`, which is made where it does not exist. Returns it, and how many
    games were new: doing it again adds none. Raises InputError where the parts are not of one tournament, StoreError where
    two of them hold different results of the same game; no part is changed."""
    plans = [plan_of(part) for part in parts]
    first = plans[0]
    for part, plan in zip(parts[1:], plans[1:], strict=True):
        _same(parts[0], first, part, plan)
    if target.exists():
        whole = RunFolder(target)
        _same(parts[0], first, whole, plan_of(whole))
        for part in parts:
            if part.path.resolve() == target.resolve():
                raise InputError(
                    Fault("a run cannot be merged into itself", "give another --out", str(target))
                )
    else:
        asked = parts[0].asked()
        resolved = msgspec.to_builtins(with_part(first.resolved, (1, 1)))
        whole = RunFolder.create(target, resolved, asked.read_bytes(), asked.suffix)
    new = 0
    with whole.locked(), closing(whole.store()) as store:
        store.check()
        sessions = whole.environment()
        for part in parts:
            new += _take(part, store)
            sessions += [session for session in part.environment() if session not in sessions]
            for record in sorted(part.records.glob("*.jsonl.gz")):
                if not (whole.records / record.name).exists():
                    write_file(whole.records / record.name, record.read_bytes())
        write_json(whole.path / ENVIRONMENT, sessions)
    return whole, new


def _take(part: RunFolder, store: Store) -> int:
    new = 0
    with closing(part.store(read_only=True)) as other:
        rows: Iterator[Row] = other.rows()
        while batch := list(islice(rows, BATCH)):
            new += store.add(batch)
        for key, value in other.remarks("failure:"):
            store.set_meta(key, value)
    return new


def _same(one: RunFolder, first: Plan, two: RunFolder, second: Plan) -> None:
    a, b = first.resolved, second.resolved
    if a.identity == b.identity:
        return
    if a.code != b.code:
        why = f"the one was played by battlesim {a.version} ({a.code}), the other by {b.version} ({b.code})"
    elif a.agents != b.agents and [x.digest for x in a.agents] != [x.digest for x in b.agents]:
        why = "their agents differ"
    elif [f.source.digest for f in a.scenarios] != [f.source.digest for f in b.scenarios]:
        why = "their scenarios differ"
    else:
        why = "they were asked for different games"
    what = f"{one.path} and {two.path} are not parts of one tournament: {why}"
    raise InputError(Fault(what, "merge parts that --part made of the same file"))
