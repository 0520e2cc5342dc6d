"""What files and folders of battlesim are called where another kind was asked for."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.core.kinds import kind_of

RECORD = b'{"record":"battlesim","format":1}\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("run/records").mkdir(parents=True)
    Path("run/resolved.json").write_text("{}")
    Path("run/report.html").write_text("<!DOCTYPE html>\n")
    with sqlite3.connect("run/results.sqlite") as db:
        db.execute("CREATE TABLE rows (number)")
    db.close()
    Path("g.jsonl").write_bytes(RECORD)
    Path("g.jsonl.gz").write_bytes(gzip.compress(RECORD))
    Path("raid.yaml").write_text("name: raid\nruleset: orderdice\n")
    Path("town.yaml").write_text("name: town\nground: {kind: lattice}\n")
    Path("page.html").write_text("<!DOCTYPE html>\n")
    Path("mine.py").write_text("")
    Path("noise").write_bytes(bytes(range(255, 100, -1)))
    Path("cut.gz").write_bytes(b"\x1f\x8b\x08")
    Path("folder").mkdir()
    return tmp_path


STORE = "this is the store of a run; battlesim runs run shows the run, battlesim export run writes its games to a file"
RUN = "this is the folder of a run; battlesim runs run shows it"


def test_kinds(place: Path) -> None:
    told = {name: str(kind_of(name)) for name in ("run", "run/results.sqlite", "g.jsonl.gz", "page.html")}
    assert told["run"] == f"run: {RUN}"
    assert told["run/results.sqlite"] == f"run/results.sqlite: {STORE}"
    assert told["g.jsonl.gz"].startswith(
        "g.jsonl.gz: this is the record of a battle; battlesim replay g.jsonl.gz"
    )
    assert told["page.html"] == "page.html: this is a page; open it in a browser"
    assert kind_of("g.jsonl", "record") is None
    assert [kind_of(name) for name in ("noise", "cut.gz", "folder", "nowhere", "a\0b")] == [None] * 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "run/results.sqlite"], STORE),
        (["runs", "run/results.sqlite"], STORE),
        (["replay", "run/results.sqlite"], STORE),
        (["tournament", "run/results.sqlite"], STORE),
        (["map", "check", "run/results.sqlite"], STORE),
        (["compare", "--resume", "run/results.sqlite"], STORE),
        (["play", "run"], RUN),
        (["replay", "run"], RUN),
        (["tournament", "run"], RUN),
        (["watch", "run/report.html"], "this is a file of a run; battlesim runs run shows the run"),
        (["play", "g.jsonl"], "this is the record of a battle"),
        (["runs", "g.jsonl"], "this is the record of a battle"),
        (["tournament", "g.jsonl"], "this is the record of a battle"),
        (["replay", "raid.yaml"], "this is a scenario; battlesim play raid.yaml plays it"),
        (["tournament", "raid.yaml"], "this is a scenario; battlesim play raid.yaml plays it"),
        (["replay", "town.yaml"], "this is a map; battlesim map check town.yaml checks it"),
        (["play", "mine.py"], "battlesim play SCENARIO --agent mine.py plays a battle with it"),
        (["replay", "noise"], "noise:1: not a record: the first line is not text; name a record"),
        (["replay", "folder"], "folder: the record cannot be read: Is a directory"),
    ],
)
def test_another_kind_is_named(
    place: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tqdm")
    assert main(words) == 2
    printed = capsys.readouterr()
    assert told in printed.err + printed.out
    assert (printed.err + printed.out).count("\n") <= 2
