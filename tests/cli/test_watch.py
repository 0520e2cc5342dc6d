"""`battlesim watch`: one page of a record, a page for each record of a run, refusals."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from battlesim import Limits, play
from battlesim.cli.main import main


def watch(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(["watch", *words]) == code
    read = capsys.readouterr()
    return read.out if code == 0 else read.err


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.jsonl.gz"
    play("stairwell", ("greedy", "rush"), seed=3).save(path)
    return path


def test_the_page_stands_beside_the_record(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(watch(capsys, str(record), "--json"))
    page = record.with_name("game.html")
    assert told["page"] == str(page)
    assert told["bytes"] == page.stat().st_size
    assert "Chance to win" in page.read_text(encoding="utf-8")
    assert watch(capsys, str(record)).startswith(str(page))


def test_the_plain_page_needs_no_rules(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("the rules were asked")

    monkeypatch.setattr("battlesim.engine.battle.Battle.answer", refuse)
    out = tmp_path / "plain.html"
    watch(capsys, str(record), "--plain", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert "Strength left" in text
    assert "Chance to win" not in text


@pytest.mark.slow
def test_thoughts_are_on_the_page(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "thought.html"
    watch(capsys, str(record), "--explain", "--out", str(out))
    data = out.read_text(encoding="utf-8").partition('id="data">')[2].partition("</script>")[0]
    thoughts = [question[7] for question in json.loads(data)["questions"]]
    assert sum(bool(lines) for lines in thoughts) > 3
    again = tmp_path / "other.html"
    watch(capsys, str(record), "--out", str(again))
    assert len(again.read_bytes()) < len(out.read_bytes())


PONDERS = """
import time

class Agent:
    def start(self, board, side, chance, brief):
        assert brief.seconds == 0.5

    def choose(self, view, ask, answers):
        return answers[0]

    def explain(self, view, ask, answers):
        if not view.number:
            time.sleep(0.6)
        return [(answer, 0.0, "") for answer in answers]
"""


@pytest.mark.slow
def test_explaining_takes_nothing_from_the_time_for_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent, path = tmp_path / "ponders.py", tmp_path / "timed.jsonl"
    agent.write_text(PONDERS)
    play("stairwell", (str(agent), "random"), seed=1, limits=Limits(seconds=0.5)).save(path)
    page = tmp_path / "timed.html"
    assert watch(capsys, str(path), "--explain", "--out", str(page)).startswith(str(page))


@pytest.mark.slow
def test_a_person_is_not_explained_but_the_agent_beside_them_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, page = tmp_path / "mine.jsonl.gz", tmp_path / "mine.html"
    monkeypatch.setattr("sys.stdin", StringIO("1\n" * 300))
    assert main(["play", "stairwell", "--agent", "Red=human", "--record", str(mine)]) == 0
    note = "A person played Red, who is not explained."
    assert f"note: {note}" in watch(capsys, str(mine), "--explain", "--out", str(page))
    text = page.read_text(encoding="utf-8")
    assert note in text
    questions = json.loads(text.partition('id="data">')[2].partition("</script>")[0])["questions"]
    assert {question[1] for question in questions if question[7]} == {1}


@pytest.mark.parametrize("words", [["--agent", "Red=rush"], ["--seed", "4"], ["--step"]])
def test_a_record_is_not_played(
    words: list[str], record: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told = watch(capsys, str(record), *words, "--out", str(tmp_path / "x.html"), code=2)
    assert f"{words[0]} is for a scenario that is played" in told
    assert len(told.splitlines()) == 1


def test_refusals(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "would replace the record" in watch(capsys, str(record), "--out", str(record), code=2)
    assert "give one or the other" in watch(capsys, str(record), "--plain", "--explain", code=2)
    assert "no such record" in watch(capsys, str(tmp_path / "none.jsonl"), code=2)
    assert "no such record, run or scenario" in watch(capsys, str(tmp_path / "runs/first"), code=2)


@pytest.mark.slow
def test_a_run_gets_a_page_for_each_record_and_its_report_links_to_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jinja2")
    words = ["tournament", "--agents", "greedy", "rush", "--scenarios", "stairwell", "--games", "4"]
    words += ["--control", "2", "--workers", "1", "--quiet"]
    folder = tmp_path / "run"
    assert main([*words, "--records", "notable", "--out", str(folder)]) == 0
    records = sorted(folder.glob("records/*.jsonl.gz"))
    assert records
    assert ">watch</a>" not in (folder / "report.html").read_text(encoding="utf-8")
    watch(capsys, str(folder), "--plain")
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert report.count(">watch</a>") == len(records)
    for made in records:
        name = made.name.removesuffix(".jsonl.gz") + ".html"
        assert (folder / "records" / name).is_file()
        assert f'href="records/{name}"' in report
    assert "--out names one page" in watch(capsys, str(folder), "--out", "x.html", code=2)
