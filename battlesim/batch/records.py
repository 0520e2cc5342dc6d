"""Records of chosen games, made after a run by playing these games again from their seeds. Read `record_again`.

Which games are worth a record is often known only at the end, and keeping all would fill the disk. A game that is played again
must have the record hash in its row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

from msgspec.structs import replace

from battlesim.batch.driver import RunPlan, record_name
from battlesim.batch.games import ALWAYS, GameSpec
from battlesim.batch.rows import GameRow
from battlesim.core.errors import InputError
from battlesim.core.files import write_file
from battlesim.engine.record_file import read_bytes
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.job import Job, JobOutput
from battlesim.jobs.store import Store


def damaged_records(folder: RunFolder, store: Store, plan: RunPlan, numbers: Iterable[int]) -> set[int]:
    """Those of the numbers whose file in the folder is not the whole record of the game that the store has."""
    damaged = set()
    for number in numbers:
        stored = store.get(number)
        if stored is not None:
            row = plan.row(stored.row)
            if row.record_hash is not None and not _is_whole(
                folder.records / record_name(number), row.record_hash
            ):
                damaged.add(number)
    return damaged


def _is_whole(path: Path, record_hash: str) -> bool:
    """Whether a file is the record with this hash, whole. Its last line is the only one that the hash does not cover."""
    try:
        data = read_bytes(path)
    except InputError:
        return False
    return (
        data.endswith(b"\n")
        and record_hash == blake2b(data[: data.rfind(b"\n", 0, -1) + 1], digest_size=16).hexdigest()
    )


def lacking_records(
    folder: RunFolder, store: Store, plan: RunPlan, wanted: Iterable[int], damaged: Collection[int] = ()
) -> dict[int, GameRow]:
    """The rows of the wanted games that were played to their ends and have no record in the folder, or a damaged one, by
    number."""
    lacking: dict[int, GameRow] = {}
    for number in wanted:
        stored = store.get(number)
        if stored is not None and (number in damaged or not (folder.records / record_name(number)).is_file()):
            row = plan.row(stored.row)
            if row.record_hash is not None:
                lacking[number] = row
    return lacking


def record_again(
    folder: RunFolder,
    plan: RunPlan,
    rows: Mapping[int, GameRow],
    specs: Iterable[GameSpec],
    executor: Executor,
) -> list[str]:
    """Play games again and keep their records. Returns a warning for each with a different result, whose record is not kept.
    `rows`: their rows by number; `specs`: the same games. Raises InputError if an input has changed since."""
    jobs = [Job(spec.number, spec.scenario.name, replace(spec, record=ALWAYS)) for spec in specs]
    warnings = []
    for batch in list(executor.run(jobs)):
        for done in batch:
            row, result = rows[done.number], done.result
            same = isinstance(result, JobOutput) and plan.row(result.row).record_hash == row.record_hash
            if same and isinstance(result, JobOutput) and result.file is not None:
                write_file(folder.records / record_name(done.number), result.file)
            else:
                agents = " : ".join(row.agents[side] for side in row.sides)
                warnings.append(
                    f"game {row.number} ({agents} on {row.scenario}, seed {row.seed}) came out otherwise when played again: "
                    "an agent is not repeatable; it must depend on nothing but its view and its chance"
                )
    return sorted(warnings)
