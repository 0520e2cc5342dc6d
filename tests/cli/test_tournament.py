"""`tournament`, `compare`, `runs`, `export`, `merge`: what they print, and what they say to bad folders and files."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from battlesim.batch.export import COLUMNS
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder

FIELD = [
    "--agents",
    "rush",
    "random",
    "--scenarios",
    "stairwell",
    "--games",
    "6",
    "--control",
    "2",
    "--quiet",
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "one"
    assert main(["tournament", *FIELD, "--out", str(path), "--workers", "1"]) == 0
    return path


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command that must not fail; what it printed."""

    def run(*words: str) -> str:
        capsys.readouterr()
        assert main(list(words)) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.slow
def test_the_table_names_who_is_better(made: Path, told: Any) -> None:
    text = told("runs", str(made))
    first = text.splitlines()
    assert first[0] == "tournament: 10 of 10 games, finished"
    assert any(line.split()[:2] == ["1", "rush"] for line in first)
    assert "control games" in text
    assert "rush is better than random" in text or "rush and random are not told apart" in text
    summary = json.loads(told("runs", str(made), "--json"))
    kept = json.loads((made / "summary.json").read_text())
    assert summary["standings"] == kept["standings"]


def test_runs_are_listed(made: Path, told: Any) -> None:
    assert "10/10" in told("runs", "--folder", str(made.parent))
    (row,) = json.loads(told("runs", "--folder", str(made.parent), "--json"))
    assert (row["run"], row["games"], row["state"]) == ("one", "10/10", "finished")
    assert "no runs in" in told("runs", "--folder", str(made))
    assert told("runs", str(made.parent)) == told("runs", "--folder", str(made.parent))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_run_is_exported(made: Path, told: Any, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"games.{ending}"
    assert told("export", str(made), "--to", str(file)) == f"10 games: {file}\n"
    if ending == "csv":
        rows: list[dict[str, Any]] = list(csv.DictReader(file.open()))
    else:
        from pyarrow import parquet

        rows = parquet.read_table(file).to_pylist()
    assert list(rows[0]) == [name for name, _ in COLUMNS]
    assert [int(row["number"]) for row in rows] == list(range(10))
    for row in rows:
        winner = row["winner"] or None
        agent = {row["side0"]: row["agent0"], row["side1"]: row["agent1"], None: ""}[winner]
        assert (row["winning_agent"] or "") == agent
        assert row["scenario"] == "stairwell"
    assert sorted(p.name for p in tmp_path.iterdir()) == [file.name], "no drafts beside it"


def test_a_defect_is_no_agents_fault_in_the_table(made: Path, told: Any, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(made, run)
    with closing(RunFolder(made).store(read_only=True)) as store:
        row = json.loads(next(store.rows()).row)
    row |= {"verdict": "fault", "termination": "fault", "winner": None, "points": None, "losses": None}
    row["faults"] = [{"side": "", "question": -1, "what": "it cannot be"}]
    with closing(sqlite3.connect(run / "results.sqlite")) as db, db:
        db.execute("UPDATE rows SET row = ? WHERE number = 0", (json.dumps(row).encode(),))
    told("export", str(run), "--to", str(tmp_path / "games.csv"))
    with (tmp_path / "games.csv").open() as file:
        first = next(csv.DictReader(file))
    assert (first["verdict"], first["faults"]) == ("fault", "0")


@pytest.mark.slow
def test_parts_merge_to_the_whole_again_and_again(made: Path, told: Any, tmp_path: Path) -> None:
    for part in ("1/2", "2/2"):
        told("tournament", *FIELD, "--out", str(tmp_path / part[0]), "--part", part, "--workers", "1")
    both = [str(tmp_path / "1"), str(tmp_path / "2")]
    first = told("merge", both[0], "--out", str(tmp_path / "m"))
    assert "games are missing; merge the other parts" in first
    more = len(RunFolder(tmp_path / "2").store())
    assert told("merge", *both, "--out", str(tmp_path / "m")).startswith(f"{more} games were new")
    assert told("merge", *both, "--out", str(tmp_path / "m")).startswith("0 games were new")
    with closing(RunFolder(tmp_path / "m").store()) as merged, closing(RunFolder(made).store()) as whole:
        assert merged.digest() == whole.digest()
    assert told("runs", str(tmp_path / "m")) == told("runs", str(made))


@pytest.mark.parametrize("text", ["[1]", "{}", "[{}]", "x"])
def test_one_bad_folder_does_not_hide_the_others(made: Path, told: Any, tmp_path: Path, text: str) -> None:
    for name in ("good", "harmed"):
        shutil.copytree(made, tmp_path / name)
    (tmp_path / "harmed" / "environment.json").write_text(text)
    listed = told("runs", "--folder", str(tmp_path)).splitlines()
    assert [line.split()[0] for line in listed[:3]] == ["run", "good", "harmed"]
    assert "10/10" in listed[1]
    assert listed[3:] == [f"{listed[2].split()[2]}: battlesim runs {tmp_path / 'harmed'} says what is wrong"]
    assert main(["runs", str(tmp_path / "harmed")]) == 2


@pytest.mark.slow
def test_odd_records_are_passed_over(made: Path, told: Any, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "copy")
    (tmp_path / "copy" / "records" / "0abc.jsonl.gz").write_bytes(b"")
    assert "10 of 10 games" in told("tournament", "--resume", str(tmp_path / "copy"), "--quiet")


def test_a_part_takes_no_games_of_others(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "part"
    shutil.copytree(made, part)
    resolved = json.loads((part / "resolved.json").read_text())
    (part / "resolved.json").write_text(json.dumps(resolved | {"part": [1, 2]}))
    with closing(RunFolder(part).store()) as store:
        before = store.digest()
    assert main(["merge", str(made), "--out", str(part)]) == 2
    assert "this run is part 1 of 2; parts are merged into a run of their own" in capsys.readouterr().err
    with closing(RunFolder(part).store()) as store:
        assert store.digest() == before


@pytest.mark.slow
def test_what_is_no_part_is_not_merged(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    assert main(["tournament", *FIELD, "--seed", "9", "--out", str(other), "--workers", "1"]) == 0
    assert main(["merge", str(made), str(other), "--out", str(tmp_path / "m")]) == 2
    assert "are not parts of one run: they were asked for different games" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("harm", ["environment", "cut", "changed"])
def test_a_merge_that_fails_leaves_nothing_behind(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str
) -> None:
    good, bad, whole = (tmp_path / name for name in ("good", "bad", "whole"))
    for path in (good, bad):
        shutil.copytree(made, path)
    if harm == "environment":
        (bad / "environment.json").write_text("{")
    else:
        with closing(sqlite3.connect(bad / "results.sqlite")) as db:
            db.execute("UPDATE rows SET row = '{}' WHERE number = 9")
            db.commit()
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if harm == "cut":
            with (bad / "results.sqlite").open("r+b") as file:
                file.truncate(3_000)
    assert main(["merge", str(good), str(bad), "--out", str(whole)]) == 2
    assert str(bad) in capsys.readouterr().err or harm == "changed"
    assert not whole.exists()


@pytest.mark.parametrize("where", ["there", "in another part"])
def test_a_merge_that_fails_leaves_the_run_as_it_was(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """All results are compared before any is added: it added games up to the first that differed."""
    whole, good, bad = (tmp_path / name for name in ("whole", "good", "bad"))
    for path, harm in (
        (whole, "DELETE FROM rows WHERE number < 5" + (" OR number = 9" if where != "there" else "")),
        (good, "DELETE FROM rows WHERE number > 100"),
        (bad, "UPDATE rows SET row = '{}' WHERE number = 9"),
    ):
        shutil.copytree(made, path)
        with closing(sqlite3.connect(path / "results.sqlite")) as db:
            db.execute(harm.replace("'{}'", "CAST('{}' AS BLOB)"))
            db.commit()
    for record in (whole / "records").iterdir():
        record.unlink()
    with closing(RunFolder(whole).store(read_only=True)) as store:
        before = store.digest()
    assert main(["merge", str(good), str(bad), "--out", str(whole)]) == 2
    assert "game 9 is recorded with another result" in capsys.readouterr().err
    with closing(RunFolder(whole).store(read_only=True)) as store:
        assert store.digest() == before
    assert not list((whole / "records").iterdir())


@pytest.mark.slow
def test_compare_stops_by_itself(told: Any, tmp_path: Path) -> None:
    words = [
        "compare",
        "rush",
        "random",
        "--scenarios",
        "stairwell",
        "--elo1",
        "200",
        "--games",
        "400",
        "--control",
        "4",
    ]
    text = told(*words, "--out", str(tmp_path / "c"), "--quiet")
    assert "sequential test: rush is more than 0 Elo better than random (H1: 200 is likelier than 0)" in text
    assert ", decided" in text.splitlines()[0]
    assert len(RunFolder(tmp_path / "c").store()) < 200
    assert (
        told("tournament", "--resume", str(tmp_path / "c"), "--quiet").splitlines()[0] == text.splitlines()[0]
    )


@pytest.mark.slow
def test_a_dry_run_writes_nothing(told: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = told("tournament", *FIELD, "--dry-run", "--workers", "1")
    assert "3 pairs of games and 4 control games: 10 games" in text
    assert "about " in text
    found = json.loads(
        told("compare", "rush", "random", "--scenarios", "stairwell", "--dry-run", "--json", "--quiet")
    )
    assert found["expected_pairs"]["0"] > 100
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_file_and_flags(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(
        'name = "mine"\nagents = ["rush", "random"]\nscenarios = ["stairwell"]\ngames = 50\n[keep]\nsample = 3\n'
    )
    words = [
        "tournament",
        str(file),
        "--games",
        "2",
        "--control",
        "1",
        "--records",
        "sample",
        "--quiet",
        "--json",
    ]
    summary = json.loads(told(*words, "--out", str(tmp_path / "r")))
    assert (summary["name"], summary["games"]["planned"]) == ("mine", 4)
    assert summary["config"]["keep"] == {"records": "sample", "sample": 3}
    assert len(summary["records"]) == 3  # of four games
    assert json.loads((tmp_path / "r" / "config.json").read_text())["games"] == 2


def changed_code(path: Path) -> None:
    file = path / "resolved.json"
    value = json.loads(file.read_text())
    value["code"] = "0" * 32
    file.write_text(json.dumps(value))
    with closing(sqlite3.connect(path / "results.sqlite")) as db:  # something is left to play
        db.execute("DELETE FROM rows WHERE number = 9")
        db.commit()


def damaged(path: Path) -> None:
    for scrap in path.glob("results.sqlite-*"):
        scrap.unlink()
    (path / "results.sqlite").write_bytes(b"no database" * 900)


def of_no_store(path: Path) -> None:
    (path / "results.sqlite").unlink()


def of_other_tables(path: Path) -> None:
    for scrap in path.glob("results.sqlite*"):
        scrap.unlink()
    with closing(sqlite3.connect(path / "results.sqlite")) as db:
        db.execute("CREATE TABLE t (x)")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (changed_code, "a run needs one version for all its games"),
        (damaged, "the store is damaged"),
        (of_no_store, "this is not a run's folder"),
        (of_other_tables, "this is not the store of a run"),
    ],
)
def test_a_run_that_cannot_go_on_says_why(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: Any, words: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    harm(copy)
    before = {p.name: p.read_bytes() for p in copy.iterdir() if p.is_file() and p.name != "driver.lock"}
    assert main(["tournament", "--resume", str(copy), "--quiet"]) == 2
    caught = capsys.readouterr()
    assert words in caught.err
    assert str(copy) in caught.err or harm is changed_code
    assert caught.out == ""
    after = {p.name: p.read_bytes() for p in copy.iterdir() if p.is_file() and p.name != "driver.lock"}
    results = {
        name: data for name, data in after.items() if not name.startswith(("results.sqlite-", "environment"))
    }
    assert results == {name: data for name, data in before.items() if name in results}


def test_an_unknown_format_of_tables(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(made), "--to", str(tmp_path / "g.xlsx")]) == 2
    assert "'.xlsx' is no format of tables; end it in .csv or .parquet" in capsys.readouterr().err
    assert main(["export", str(made), "--to", str(tmp_path / "no" / "g.csv")]) == 2
    assert "the table cannot be written" in capsys.readouterr().err


def test_an_agent_that_changes_ends_the_run_with_a_word(tmp_path: Path) -> None:
    from battlesim.tournament.config import parse_config
    from battlesim.tournament.resolve import TournamentPlan, resolve

    file = tmp_path / "mine.py"
    source = (Path(__file__).parents[2] / "agents" / "random_.py").read_text()
    file.write_text(source)
    found = resolve(parse_config({"agents": ["rush", str(file)], "scenarios": ["stairwell"]}))
    TournamentPlan(found).check()
    file.write_text(source + "\n# better now\n")
    with pytest.raises(
        InputError, match=r"the agent 'mine.py' is no longer what the run was begun with; put the file back"
    ):
        TournamentPlan(found).check()


def test_files_of_agents_count_from_the_folder_of_the_settings(tmp_path: Path) -> None:
    """An agent's own file, and those that its parameters name; in the run each keeps the name that was written."""
    from battlesim.tournament.config import read_config
    from battlesim.tournament.resolve import resolve

    (tmp_path / "orders.txt").write_text("otherwise: first\n")
    (tmp_path / "mine.py").write_text((Path(__file__).parents[2] / "agents" / "random_.py").read_text())
    cards = {"cards": [{"number": 1, "agent": "tactician,base=mine.py,tactics=never order:run"}]}
    (tmp_path / "cards.json").write_text(json.dumps(cards))
    names = [
        "script,file=orders.txt",
        "tactician,base=script+file=orders.txt,tactics=never order:run",
        "mine.py",
    ]
    file = tmp_path / "t.toml"
    file.write_text(f"agents = {json.dumps([*names, 'card:./1'])}\nscenarios = ['stairwell']\n")
    pins = resolve(read_config(file)[0], tmp_path).agents
    assert [pin.name for pin in pins] == [*names, cards["cards"][0]["agent"]]
    assert [pin.load for pin in pins] == [
        f"script,file={tmp_path}/orders.txt",
        f"tactician,base=script+file={tmp_path}/orders.txt,tactics=never order:run",
        f"{tmp_path}/mine.py",
        f"tactician,base={tmp_path}/mine.py,tactics=never order:run",
    ]
