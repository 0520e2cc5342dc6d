"""What `tournament`, `compare`, `runs`, `export` and `merge` say to bad words, and where an extra is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from battlesim.cli import running
from battlesim.cli.main import main
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.folder import RunFolder
from battlesim.scenario.load import scenario_path
from tests.tournament.runs import ROOT


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


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Begin a tournament in the folder `here` and play nothing; what it resolved to."""

    def not_played(args: object, run: RunFolder, plan: object, executor: LocalExecutor) -> int:
        executor.close()
        return 0

    monkeypatch.setattr(running, "_play", not_played)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def begin(*words: str) -> dict[str, Any]:
        assert main(["tournament", *words, "--out", str(tmp_path / "run"), "--workers", "1"]) == 0
        return RunFolder(tmp_path / "run").resolved()

    return begin


def test_paths_in_flags_count_from_where_you_are(
    tmp_path: Path, begun: Callable[..., dict[str, Any]]
) -> None:
    """Also beside a file, whose own paths count from its folder."""
    there = tmp_path / "there"
    there.mkdir()
    for folder in (there, tmp_path / "here"):
        shutil.copy(ROOT / "agents" / "rush.py", folder / "mine.py")
    text = scenario_path("stairwell").read_text(encoding="utf-8").replace("../stairwell.yaml", "stairwell")
    (there / "own.yaml").write_text(text, encoding="utf-8")
    (there / "t.toml").write_text("agents = ['mine.py', 'random']\nscenarios = ['own.yaml']\n")
    found = begun("../there/t.toml", "--agents", "mine.py", "greedy")
    assert [one["load"] for one in found["agents"]] == [str(tmp_path / "here" / "mine.py"), "greedy"]
    assert found["scenarios"][0]["source"]["load"] == str(there / "own.yaml")


def test_flags_give_what_the_file_leaves_out(tmp_path: Path, begun: Callable[..., dict[str, Any]]) -> None:
    file = tmp_path / "t.toml"
    file.write_text("scenarios = ['stairwell']\ngames = 4\nkeep = {sample = 3}\n")
    found = begun(str(file), "--agents", "rush", "random", "--games", "6", "--records", "none")["asked"]
    assert (found["agents"], found["scenarios"], found["games"]) == (["rush", "random"], ["stairwell"], 6)
    assert found["keep"] == {"records": "none", "sample": 3}


def test_a_bad_flag_beside_a_file_is_told_of_the_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.toml"
    file.write_text("scenarios = ['stairwell']\n")
    assert main(["tournament", str(file), "--agents", "rush", "rush"]) == 2
    assert capsys.readouterr().err.startswith("battlesim: --agents: 'rush' is named twice")
    assert main(["tournament", str(file)]) == 2
    assert f"{file}: agents: the setting is missing" in capsys.readouterr().err
