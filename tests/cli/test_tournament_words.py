"""What `tournament`, `compare`, `runs`, `export` and `merge` say to bad words, and where an extra is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a tournament needs agents and scenarios; give a FILE, or --agents greedy rush --scenarios"),
        (["--agents", "greedy", "rush"], "but --scenarios is not given; give a FILE"),
        (["--scenarios", "stairwell"], "but --agents is not given; give a FILE"),
        (["none.toml"], "none.toml: the tournament's file cannot be read"),
        (["--agents", "greedy", "nobody", "--scenarios", "stairwell"], "there is no agent 'nobody'"),
        (
            ["--agents", "greedy", "rush,x=1", "--scenarios", "stairwell"],
            "agent 'rush,x=1' has no parameter 'x'",
        ),
        (["--agents", "greedy", "rush", "--scenarios", "starwell"], "did you mean 'stairwell'"),
        (
            ["--agents", "greedy", "rush", "--scenarios", "stairwell", "--games", "3"],
            "do not make whole pairs",
        ),
        (
            ["--agents", "greedy", "rush", "--scenarios", "stairwell", "--part", "3/2"],
            "--part '3/2' is not a part",
        ),
        (["--agents", "greedy", "--scenarios", "stairwell", "--format", "match"], "a match has two agents"),
        (["--resume", "nowhere"], "nowhere: there is no such run; give the folder of a run"),
        (["--resume", "."], "this is not a run's folder"),
        (["--resume", "x", "--games", "4"], "--resume goes on with what the run was asked for"),
        (["--resume", "x", "--dry-run"], "--resume goes on with what the run was asked for"),
        (
            ["--agents", "greedy", "t.toml"],
            "'t.toml' is a tournament's file, not an agent or a scenario; put it first",
        ),
    ],
)
def test_bad_input_gets_one_message(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", *words]) == 2
    caught = capsys.readouterr()
    assert said in caught.err
    assert caught.out == ""
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "rush"], "a comparison has two agents, not 1"),
        (["compare", "rush", "random", "--elo0", "5", "--elo1", "5"], "elo0 5 is not below elo1 5"),
        (["compare", "rush", "random", "--alpha", "0.9"], "--alpha: 0.9 is not valid"),
        (["compare", "--resume", "x", "--elo1", "50"], "--resume goes on with what the run was asked for"),
        (["compare", "rush", "rush"], "'rush' is named twice"),
        (["runs", "nowhere"], "there is no such run"),
        (["export", "nowhere"], "there is no such run"),
        (["merge", "nowhere", "--out", "m"], "there is no such run"),
    ],
)
def test_bad_words_of_the_others(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in ("pebble", "battlesim.jobs.executor"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "pebble", None)
    words = ["tournament", "--agents", "rush", "random", "--scenarios", "stairwell", "--quiet"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "pip install 'battlesim-arena[tournament]'" in error
