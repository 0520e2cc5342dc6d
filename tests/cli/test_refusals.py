"""Flags and files that do not go together are refused in one message, with exit code 2 and nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim import play
from battlesim.cli.main import main


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one message of a command that is refused."""
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def test_merging_into_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain.txt").write_text("kept\n", encoding="utf-8")
    told = refused(["merge", str(tmp_path), "--out", str(tmp_path / "plain.txt")], capsys)
    assert "plain.txt: --out: this is a file; runs are merged into a folder; name a folder" in told
    assert (tmp_path / "plain.txt").read_text(encoding="utf-8") == "kept\n"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "code.py",
            '"""Words."""\n\nimport x\n',
            "code.py:1: not YAML: text stands where a file of keys begins",
        ),
        ("README.md", "Words: and: words\n", "README.md:1: not YAML: a colon stands where no key can be"),
        ("notes", "words\n", "notes:1: a map file is a table of keys; begin with 'key: value' lines"),
    ],
)
def test_a_file_that_is_no_map_is_told_as_such(
    name: str,
    text: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also one whose name has neither a folder nor .yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["map", "check", name]) != 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["skirmish", "--resume", "r"], "skirmish and --resume are given together"),
        (["--factors", "skirmish", "--resume", "r"], "--resume and --factors are given together"),
        ([], "a stress test needs a file"),
    ],
)
def test_stress_takes_one_of_file_run_and_factors(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(["stress", *words], capsys)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--quiet"], "--explain is told in the story, which --quiet leaves out"),
        (["--json"], "--explain is told in the story, which --json leaves out"),
        (["--agent", "human"], "--explain would tell a person who plays what the enemy thinks"),
    ],
)
def test_explain_is_refused_where_no_story_is_told(
    flags: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(["play", "skirmish", "--explain", *flags], capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flag", ["--map", "--scenario"])
def test_replay_takes_a_map_only_for_a_picture(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "r.jsonl")
    play("stairwell", ("random", "random"), seed=1).save(record)
    assert f"{flag} is for a picture" in refused(["replay", record, flag, "silo"], capsys)


def test_a_picture_on_another_map_than_the_record_s_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, picture = str(tmp_path / "r.jsonl"), str(tmp_path / "end.svg")
    play("stairwell", ("random", "random"), seed=1).save(record)
    told = refused(["replay", record, "--map", "silo", "--picture", picture], capsys)
    assert "map 'silo' is not the one of this record" in told
    assert not Path(picture).exists()
