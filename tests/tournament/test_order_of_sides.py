"""Which side is the scenario's first: every table, page and export says what the records say."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesim.batch.export import COLUMNS, table_rows
from battlesim.batch.rows import row_of
from battlesim.cli.bench_runs import made_up
from battlesim.core.errors import InputError
from battlesim.engine.record import read_record
from battlesim.jobs.folder import RunFolder
from battlesim.tournament.config import parse_config
from battlesim.tournament.driver import plan_of
from battlesim.tournament.resolve import TournamentPlan, resolve
from tests.tournament.runs import battlesim

SCENARIO = "stairwell"
SIDES = ("Red", "Blue")
WORDS = ("--agents", "rush", "random", "--scenarios", SCENARIO, "--games", "4", "--control", "1")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("sides") / "r"
    battlesim("tournament", *WORDS, "--records", "all", "--out", str(path), "--quiet", "--workers", "1")
    return RunFolder(path)


def headers(run: RunFolder) -> dict[int, Any]:
    """Every record's header by the game's number."""
    return {int(file.name[:7]): read_record(file).header for file in run.records.glob("*.jsonl.gz")}


@pytest.mark.slow
def test_the_sides_of_the_scenario_are_not_in_alphabetical_order(run: RunFolder) -> None:
    assert plan_of(run).entries[SCENARIO].sides == SIDES != tuple(sorted(SIDES))


def test_the_export_names_the_sides_as_the_records_do(run: RunFolder, tmp_path: Path) -> None:
    battlesim("export", str(run.path), "--to", str(tmp_path / "g.csv"))
    rows = list(csv.DictReader((tmp_path / "g.csv").open()))
    found = headers(run)
    assert len(rows) == len(found) == 6
    for row in rows:
        header = found[int(row["number"])]
        assert (row["side0"], row["side1"]) == header.sides == SIDES
        assert [row["agent0"], row["agent1"]] == [player.name for player in header.agents]
        outcome = read_record(run.records / f"{int(row['number']):07d}.jsonl.gz").outcome
        assert [int(row["points0"]), int(row["points1"])] == list(outcome.points)
        assert row["winner"] == ("" if outcome.winner is None else SIDES[outcome.winner])


def test_the_records_list_and_the_page_name_the_agents_in_the_order_of_the_sides(run: RunFolder) -> None:
    summary = run.summary()
    found = headers(run)
    page = (run.path / "report.html").read_text()
    for record in summary["records"]:
        header = found[record["number"]]
        names = [player.name for player in header.agents]
        assert record["sides"] == list(header.sides)
        assert record["agents"] == names
        file = page.partition(record["file"])[0].rpartition("<tr>")[2]
        assert " : ".join(names) in file
    assert {tuple(record["agents"]) for record in summary["records"]} >= {
        ("rush", "random"),
        ("random", "rush"),
    }


def test_the_sides_of_the_summary_are_those_of_the_records(run: RunFolder) -> None:
    (side,) = run.summary()["sides"]
    assert tuple(side["sides"]) == SIDES
    wins = [0, 0]
    for number, header in headers(run).items():
        outcome = read_record(run.records / f"{number:07d}.jsonl.gz").outcome
        if outcome.winner is not None and len({player.name for player in header.agents}) == 2:
            wins[outcome.winner] += 1
    assert side["all"]["wins"] == wins
    table = battlesim("runs", str(run.path)).stdout
    assert any(line.split()[:1] == [SCENARIO] and "Red" in line for line in table.splitlines())


def test_play_prints_the_order(run: RunFolder) -> None:
    row = json.loads(battlesim("play", SCENARIO, "--agent", "rush", "--json").stdout)
    assert row["sides"] == list(SIDES)
    assert row["format"] == 3


@pytest.mark.slow
def test_a_run_whose_rows_do_not_say_the_order_is_read_rightly(run: RunFolder, tmp_path: Path) -> None:
    """Rows of format 1 had sides in alphabetical order only; what the run was resolved with says the order."""
    shutil.copytree(run.path, tmp_path / "old")
    with closing(sqlite3.connect(tmp_path / "old" / "results.sqlite")) as db:
        for number, data in db.execute("SELECT number, row FROM rows").fetchall():
            row = json.loads(data) | {"format": 1}
            del row["sides"]
            db.execute(
                "UPDATE rows SET row = ? WHERE number = ?", (json.dumps(row, sort_keys=True).encode(), number)
            )
        db.commit()
    old = RunFolder(tmp_path / "old")
    with closing(old.store(read_only=True)) as store, closing(run.store(read_only=True)) as new:
        assert list(table_rows(store, plan_of(old))) == list(table_rows(new, plan_of(run)))
    assert battlesim("runs", str(old.path)).stdout == battlesim("runs", str(run.path)).stdout


# ---- rows that are none ----------------------------------------------------------------------------------------------

PLAN = TournamentPlan(
    resolve(parse_config({"agents": ["greedy", "rush"], "scenarios": [SCENARIO], "games": 2}))
)
GOOD = json.loads(made_up(PLAN.game(next(PLAN.encounters()), 0)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 4}, "no game's row of format 1, 2 or 3"),
        ({"format": []}, "no game's row of format 1, 2 or 3"),
        ({"scenario": "village"}, "the scenario 'village' is none of this run"),
        ({"scenario": ["x"]}, "is none of this run"),
        (
            {"sides": ["Blue", "Red"]},
            r"its sides are \['Blue', 'Red'\], the scenario's are \['Red', 'Blue'\]",
        ),
        ({"sides": "RB"}, "Expected `array`"),
        ({"agents": {"Red": "rush"}}, r"agents has the sides \['Red'\]"),
        ({"points": {"Red": 1, "Green": 2}}, r"points has the sides \['Green', 'Red'\]"),
        ({"reach": {"Red": 1, "Green": 2}}, r"reach has the sides \['Green', 'Red'\]"),
        ({"losses": {"Red": {}, "Blue": {}}}, "losses are not of units and models"),
        ({"winner": "Green"}, "the winner 'Green' is no side"),
        ({"faults": [{"side": "Green", "what": "x"}]}, "is not an agent's fault"),
        ({"faults": "x"}, "Expected `array`"),
        ({"clauses": "xyz"}, "clauses 'xyz' are not a hexadecimal number"),
        ({"turns": "many"}, "Expected `int"),
        ({"number": None}, "Expected `int"),
    ],
)
def test_a_row_that_is_none_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=rf"the row of a game is damaged: .*{words}"):
        PLAN.row(msgspec.json.encode(GOOD | change))


@pytest.mark.parametrize("data", [b"", b"x", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"format":2}'])
def test_bytes_that_are_no_row_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="the row of a game is damaged"):
        PLAN.row(data)


def test_the_columns_are_those_of_the_export(run: RunFolder) -> None:
    with closing(run.store(read_only=True)) as store:
        assert list(next(table_rows(store, plan_of(run)))) == [name for name, _ in COLUMNS]


def test_a_row_says_its_order_itself() -> None:
    assert row_of(msgspec.json.encode(GOOD)).sides == SIDES


# ---- a store whose rows are damaged ----------------------------------------------------------------------------------


def no_json(row: bytes) -> Any:
    return row[:-20]


def other_sides(row: bytes) -> Any:
    return row.replace(b"Red", b"Ned")


def text(row: bytes) -> Any:
    return row.decode()


def number(_: bytes) -> Any:
    return 7


@pytest.mark.parametrize("harm", [no_json, other_sides, text, number])
@pytest.mark.parametrize("verb", ["runs", "export", "resume"])
def test_a_damaged_row_in_a_store_gets_one_message(
    run: RunFolder, tmp_path: Path, harm: Any, verb: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run.path, copy)
    with closing(sqlite3.connect(copy / "results.sqlite")) as db:
        (row,) = db.execute("SELECT row FROM rows WHERE number = 2").fetchone()
        db.execute("UPDATE rows SET row = ? WHERE number = 2", (harm(row),))
        db.commit()
    words = {
        "runs": ["runs", str(copy)],
        "export": ["export", str(copy), "--to", str(tmp_path / "g.csv")],
        "resume": ["tournament", "--resume", str(copy), "--quiet"],
    }[verb]
    error = battlesim(*words, code=2).stderr
    assert "results.sqlite" in error
    assert "damaged" in error
    assert not (tmp_path / "g.csv").exists()
    assert "copy" in battlesim("runs", "--folder", str(tmp_path)).stdout


def test_a_damaged_store_is_a_word_in_the_list_and_a_sentence_by_itself(
    run: RunFolder, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run.path, copy)
    for more in copy.glob("results.sqlite-*"):
        more.unlink()
    data = bytearray((copy / "results.sqlite").read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    (copy / "results.sqlite").write_bytes(data)
    head, row, told = battlesim("runs", "--folder", str(tmp_path)).stdout.splitlines()
    assert row.split()[:3] == ["copy", "-", "damaged"]
    assert max(len(head), len(row)) < 80
    assert told == f"damaged: battlesim runs {copy} says what is wrong"
    error = battlesim("runs", str(copy), code=2).stderr
    assert "results.sqlite" in error
    assert "the store is damaged: " in error
    assert "battlesim export" not in error, "which reads no part of it"
    assert battlesim("export", str(copy), "--to", str(tmp_path / "g.csv"), code=2).stderr == error
    (kept,) = json.loads(battlesim("runs", "--folder", str(tmp_path), "--json").stdout)
    assert kept["state"] == "damaged"
    assert f"battlesim: {kept['why']}\n" == error
