"""A run's games as a table for analysis: CSV, or Parquet where pyarrow is installed. Read `COLUMNS`."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from battlesim.batch.driver import RunPlan
from battlesim.batch.measures import Measures
from battlesim.batch.rows import GameRow, clauses_of
from battlesim.batch.tables import Table
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import drafted
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.store import Store, StoredRow

COLUMNS: tuple[tuple[str, str], ...] = (
    ("number", "int"),
    ("round", "int"),
    ("leg", "int"),
    ("scenario", "text"),
    ("ruleset", "text"),
    ("seed", "int"),
    ("side0", "text"),
    ("side1", "text"),
    ("agent0", "text"),
    ("agent1", "text"),
    ("winner", "text"),
    ("winning_agent", "text"),
    ("points0", "int"),
    ("points1", "int"),
    ("reach0", "int"),
    ("reach1", "int"),
    ("turns", "int"),
    ("termination", "text"),
    ("verdict", "text"),
    ("units_lost0", "int"),
    ("units_lost1", "int"),
    ("models_lost0", "int"),
    ("models_lost1", "int"),
    ("faults", "int"),
    ("record_hash", "text"),
    ("clauses", "text"),
    ("seconds", "float"),
    ("thinking0", "float"),
    ("thinking1", "float"),
    ("tries", "int"),
)
"""One row for each game, as (name, kind); kinds are int, float and text. 0 and 1 are the scenario's first and second side. `leg`
1 is the second game of a pair. A control game has the same agent on both sides. `seconds` and `thinking0`, `thinking1` (those of
each side's agent) are by the clock of the machine that played it. `clauses`: those that applied in the game, separated by spaces.
A cell without a value is empty."""
MEASURES: tuple[tuple[str, str], ...] = tuple(
    (name, "int")
    for name in (
        *(
            "lead_changes",
            "unit_turns",
            "inside",
            "above",
            "idle",
            "shots",
            "shots_from",
            "shots_at",
            "assaults",
        ),
        *(
            "assaults_into",
            "breaches",
            "fires",
            "falls",
            "waits",
            "reactions",
            "led_from",
            "began0",
            "began1",
        ),
    )
)
"""The `measures.Measures` of a game, for runs that keep them; `began0`, `began1`: models each side had at first."""
COMMON: tuple[tuple[str, str], ...] = (("number", "int"), ("scenario", "text"))
"""The first columns of tables with several lines a game."""
BROKEN = ("crash", "fault")
"""The terminations of games that broke off."""
BATCH = 5_000
"""Lines that are written to a Parquet file at a time."""


class More(NamedTuple):
    """Columns that a kind of run adds: their names and kinds, as in `COLUMNS`, and their values for the game of a number."""

    columns: Sequence[tuple[str, str]]
    of: Callable[[int], Mapping[str, Any]]


NO_MORE = More((), lambda _: {})
"""A run adds no columns."""


def export(
    folder: RunFolder, plan: RunPlan, target: Path, more: More = NO_MORE, table: Table | None = None
) -> int:
    """Write all games of a run as a table; returns how many lines. The name of `target` ends in .csv or .parquet. `table`: one
    with several lines a game (`tables.TABLES`); None: one line a game. The file is written whole or not at all. Raises InputError
    if it cannot be written, the format is unknown, or the run does not keep what the table needs."""
    writers = {".csv": _csv, ".parquet": _parquet}
    write = writers.get(target.suffix)
    if write is None:
        remedy = f"end it in {' or '.join(writers)}"
        raise InputError(
            Fault(f"{target.suffix or target.name!r} is no format of tables", remedy, str(target))
        )
    with closing(folder.store(read_only=True)) as store, drafted(target, "the table") as draft:
        if table is None:
            return write(table_rows(store, plan, more), _columns(store, plan, more), draft)
        columns = [*COMMON, *table.columns, *more.columns]
        return write(_long_rows(store, plan, more, table), columns, draft)


def _long_rows(store: Store, plan: RunPlan, more: More, table: Table) -> Iterator[dict[str, Any]]:
    """The lines of every game in a table with several lines a game."""
    for stored in store.rows():
        row = plan.row(stored.row)
        if row.measures is None:
            if row.termination in BROKEN:
                continue
            remedy = "stress tests keep it; of this run only the table of games can be written"
            raise InputError(Fault("this run does not keep what happened in its games", remedy))
        common = {"number": row.number, "scenario": row.scenario}
        of_run = more.of(row.number)
        for line in table.lines(row.measures):
            yield {**common, **line, **of_run}


def _columns(store: Store, plan: RunPlan, more: More) -> list[tuple[str, str]]:
    """The columns of a run's table. Those of measures and of the user's own functions are known from the first game that was
    played to its end: games that broke off have neither, and all others of a run have the same."""
    rows = (plan.row(stored.row) for stored in store.rows())
    whole = next((row for row in rows if row.termination not in BROKEN), None)
    measured = whole is not None and whole.measures is not None
    own = (whole.own or {}) if whole is not None else {}
    return [
        *COLUMNS,
        *(MEASURES if measured else ()),
        *((f"own.{name}", "float") for name in own),
        *more.columns,
    ]


def table_rows(store: Store, plan: RunPlan, more: More = NO_MORE) -> Iterator[dict[str, Any]]:
    """Every game of a store as a row of the table, by number: column -> value, None for an empty cell. Raises InputError if a row
    is damaged."""
    for stored in store.rows():
        row = plan.row(stored.row)
        yield {**_game(stored, row), **_measures(row.measures), **_own(row), **more.of(row.number)}


def _measures(found: Measures | None) -> dict[str, Any]:
    if found is None:
        return {}
    numbers = {name: getattr(found, name, None) for name, _ in MEASURES}
    return {**numbers, "began0": found.began[0], "began1": found.began[1]}


def _own(row: GameRow) -> dict[str, Any]:
    """The numbers by the user's own functions, under `own.` and their name."""
    return {f"own.{name}": value for name, value in (row.own or {}).items()}


def _game(stored: StoredRow, row: GameRow) -> dict[str, Any]:
    """One game as plain columns."""
    one, two = row.sides
    points, reach, losses = row.points or {}, row.reach or {}, row.losses or {}
    return {
        "number": row.number,
        "round": row.round,
        "leg": row.leg,
        "scenario": row.scenario,
        "ruleset": row.ruleset,
        "seed": row.seed,
        "side0": one,
        "side1": two,
        "agent0": row.agents[one],
        "agent1": row.agents[two],
        "winner": row.winner,
        "winning_agent": None if row.winner is None else row.agents[row.winner],
        "points0": points.get(one),
        "points1": points.get(two),
        "reach0": reach.get(one),
        "reach1": reach.get(two),
        "turns": row.turns,
        "termination": row.termination,
        "verdict": row.verdict,
        "units_lost0": losses[one]["units"] if losses else None,
        "units_lost1": losses[two]["units"] if losses else None,
        "models_lost0": losses[one]["models"] if losses else None,
        "models_lost1": losses[two]["models"] if losses else None,
        "faults": sum(fault["side"] != "" for fault in row.faults),  # not those of battlesim itself
        "record_hash": row.record_hash,
        "clauses": " ".join(clauses_of(row.ruleset, row.clauses)),
        "seconds": stored.seconds,
        **dict(zip(("thinking0", "thinking1"), stored.clocks, strict=False)),
        "tries": stored.tries,
    }


def _csv(rows: Iterator[dict[str, Any]], columns: Sequence[tuple[str, str]], draft: Path) -> int:
    games = 0
    with draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [name for name, _ in columns])
        writer.writeheader()
        for row in rows:
            writer.writerow({key: _cell(value) for key, value in row.items()})
            games += 1
    return games


def _cell(value: Any) -> Any:
    """A cell of a CSV file. Text that a spreadsheet would read as a formula gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value


def _parquet(rows: Iterator[dict[str, Any]], columns: Sequence[tuple[str, str]], draft: Path) -> int:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        remedy = "pip install 'battlesim-arena[export]', or write .csv"
        raise InputError(Fault(f"Parquet needs the package {error.name!r}", remedy)) from None
    kinds = {"int": arrow.int64(), "float": arrow.float64(), "text": arrow.string(), "bool": arrow.bool_()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in columns])
    games = 0
    with parquet.ParquetWriter(draft, schema, compression="zstd") as writer:
        while batch := list(islice(rows, BATCH)):
            writer.write_table(arrow.Table.from_pylist(batch, schema))
            games += len(batch)
    return games
