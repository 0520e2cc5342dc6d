"""The end of a session: records of the games worth a look, the summary, the report. Read `finish`.

Median games are not kept while playing, since nobody knows yet which they are: they are played once more from their seeds,
and must come out with the digest that their row has.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from battlesim.batch.records import lacking_records, record_again
from battlesim.core.errors import InputError
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import REPORT, SUMMARY, RunFolder, write_json
from battlesim.jobs.store import Store
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.summary import summarise

MEDIANS = 60
"""So many median games at most; beyond that each pairing has that of its first scenario only, as far as they go."""


def finish(folder: RunFolder, judge: Aggregator, executor: Executor | None) -> dict[str, Any]:
    """Keep the records asked for, write summary and report. Returns the summary. Without an executor nothing is played."""
    with closing(folder.store(read_only=True)) as store:
        wanted = _wanted(judge)
        warnings = _play_again(folder, store, judge, wanted, executor) if executor is not None else []
        records = _kept(folder, store, judge, wanted)
    summary = summarise(judge, folder.path.name, folder.environment(), records, warnings)
    write_json(folder.path / SUMMARY, summary)
    write_report(folder, summary)
    return summary


def write_report(folder: RunFolder, summary: Mapping[str, Any]) -> None:
    """Write the page of a run."""
    from battlesim.viewer.report import write_report  # brings jinja2 with it

    write_report(summary, folder.path / REPORT)


def _wanted(judge: Aggregator) -> dict[int, str]:
    """The games worth a look: number -> why."""
    keep = judge.plan.asked.keep.records
    wanted: dict[int, str] = {}
    if keep == "notable":
        for (scenario, a, b), number in _medians(judge):
            wanted[number] = f"median game of {a} : {b} on {scenario}"
    if keep != "none":
        for number in judge.noted:
            wanted.setdefault(number, "lost questions")
    return wanted


def _medians(judge: Aggregator) -> list[tuple[tuple[str, str, str], int]]:
    found = list(judge.medians())
    if len(found) > MEDIANS:
        first: dict[tuple[str, str], tuple[tuple[str, str, str], int]] = {}
        for key, number in found:
            first.setdefault(key[1:], (key, number))
        found = list(first.values())[:MEDIANS]
    return found


def _play_again(
    folder: RunFolder, store: Store, judge: Aggregator, wanted: Mapping[int, str], executor: Executor
) -> list[str]:
    """Play the wanted games that have no record yet; what was odd about them."""
    lacking = lacking_records(folder, store, judge.plan, wanted)
    specs = [spec for spec in judge.plan.specs() if spec.number in lacking] if lacking else []
    try:
        return record_again(folder, judge.plan, lacking, specs, executor)
    except (
        InputError
    ) as error:  # a file has changed since; the results stand, these records cannot be had any more
        return [f"no records of median games: {error}"]


def _kept(
    folder: RunFolder, store: Store, judge: Aggregator, wanted: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Every record there is: those worth a look first, then the others by number."""
    there = {int(p.name[:7]): p.name for p in sorted(folder.records.glob(f"{'[0-9]' * 7}.jsonl.gz"))}
    order = [number for number in wanted if number in there]
    order += [number for number in there if number not in wanted]
    found = []
    for number in order:
        stored = store.get(number)
        if stored is not None:
            row = judge.plan.row(stored.row)
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
