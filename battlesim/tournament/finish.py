"""The end of a session: it writes records of chosen games, the summary and the report. Read `finish`.

The median games are known only at the end, so they are played again from their seeds; each must have the record hash in its row.
So are games whose record should be there and is lost or damaged.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import closing
from typing import Any

from battlesim.batch.games import ALWAYS
from battlesim.batch.records import damaged_records, lacking_records, record_again
from battlesim.core.errors import InputError
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import REPORT, SUMMARY, RunFolder, write_json
from battlesim.jobs.store import Store
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.summary import summarise

MEDIANS = 60
"""The most median games that are kept. If there are more, only that of each pairing's first scenario is kept, up to this
number."""


def finish(folder: RunFolder, aggregator: Aggregator, executor: Executor | None) -> dict[str, Any]:
    """Keep the records that the config asks for, and write summary and report. Returns the summary. Without an executor no game
    is played again."""
    with closing(folder.store(read_only=True)) as store:
        wanted = _wanted(aggregator)
        damaged = damaged_records(folder, store, aggregator.plan, _there(folder))
        warnings = []
        if executor is not None:
            warnings = _play_again(folder, store, aggregator, wanted, damaged, executor)
            damaged = damaged_records(folder, store, aggregator.plan, damaged)
        records = _kept(folder, store, aggregator, wanted, damaged)
    summary = summarise(aggregator, folder.path.name, folder.environment(), records, warnings)
    write_json(folder.path / SUMMARY, summary)
    write_report(folder, summary)
    return summary


def write_report(folder: RunFolder, summary: Mapping[str, Any]) -> None:
    """Write the page of a run."""
    from battlesim.viewer.report import write_report  # brings jinja2 with it

    write_report(summary, folder.path / REPORT)


def _wanted(aggregator: Aggregator) -> dict[int, str]:
    """The games whose records are wanted: number -> why."""
    keep = aggregator.plan.asked.keep.records
    wanted: dict[int, str] = {}
    if keep == "notable":
        for (scenario, a, b), number in _medians(aggregator):
            wanted[number] = f"median game of {a} : {b} on {scenario}"
    if keep != "none":
        for number in aggregator.games_with_faults:
            wanted.setdefault(number, "lost questions")
    if keep in ("all", "sample"):
        for spec in aggregator.plan.specs():
            if spec.record == ALWAYS:
                wanted.setdefault(spec.number, "kept")
    return wanted


def _medians(aggregator: Aggregator) -> list[tuple[tuple[str, str, str], int]]:
    found = list(aggregator.medians())
    if len(found) > MEDIANS:
        first: dict[tuple[str, str], tuple[tuple[str, str, str], int]] = {}
        for key, number in found:
            first.setdefault(key[1:], (key, number))
        found = list(first.values())[:MEDIANS]
    return found


def _there(folder: RunFolder) -> dict[int, str]:
    """The files of records that are there, by the number of the game."""
    return {int(p.name[:7]): p.name for p in sorted(folder.records.glob(f"{'[0-9]' * 7}.jsonl.gz"))}


def _play_again(
    folder: RunFolder,
    store: Store,
    aggregator: Aggregator,
    wanted: Mapping[int, str],
    damaged: Collection[int],
    executor: Executor,
) -> list[str]:
    """Play the wanted games that have no record yet, or a damaged one; returns warnings."""
    lacking = lacking_records(folder, store, aggregator.plan, wanted, damaged)
    specs = [spec for spec in aggregator.plan.specs() if spec.number in lacking] if lacking else []
    try:
        return record_again(folder, aggregator.plan, lacking, specs, executor)
    except (
        InputError
    ) as error:  # a file has changed since; the results are valid, but these records can no longer be made
        return [f"records that the run lacks cannot be made: {error}"]


def _kept(
    folder: RunFolder,
    store: Store,
    aggregator: Aggregator,
    wanted: Mapping[int, str],
    damaged: Collection[int],
) -> list[dict[str, Any]]:
    """All records of the run that are whole: the wanted ones first, then the others by number."""
    there = {number: name for number, name in _there(folder).items() if number not in damaged}
    order = [number for number in wanted if number in there]
    order += [number for number in there if number not in wanted]
    found = []
    for number in order:
        stored = store.get(number)
        if stored is not None:
            row = aggregator.plan.row(stored.row)
            won = "a draw" if row.winner is None else f"victory: {row.winner}"
            entry = {
                "file": f"records/{there[number]}",
                "number": number,
                "what": wanted.get(number, "kept"),
                "scenario": row.scenario,
                "seed": row.seed,
                "sides": list(row.sides),
                "agents": [row.agents[side] for side in row.sides],
                "outcome": f"{won} ({row.termination}, turn {row.turns})",
            }
            found.append(entry)
    return found
