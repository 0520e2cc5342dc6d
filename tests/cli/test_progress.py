"""Long work says where it is; what is interrupted says how far it came; what is mistyped is guessed."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from battlesim.cli import progress
from battlesim.cli.main import main
from battlesim.cli.progress import counted, reporting
from battlesim.jobs.folder import ENVIRONMENT
from tests.tournament.runs import BAD, ROOT, battlesim, command, rows_of, started, wait_for_rows, wait_until

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_work_without_a_bar_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.001)
    told = threading.Event()
    asked: list[int] = []

    def where() -> str:
        asked.append(1)
        if len(asked) == 2:
            raise ValueError("the tally is being changed")
        if len(asked) > 3:
            told.set()
        return "game 3 of 7"

    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    with reporting(where):
        assert told.wait(60)
    lines = out.getvalue().splitlines()
    assert lines[0] == "game 3 of 7 (0 s)"
    assert len(lines) >= 2, "what went wrong once does not end it"
    for quiet, always, stream, spoken in (
        (True, True, io.StringIO(), False),
        (False, False, Terminal(), False),
        (False, True, Terminal(), True),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        before = threading.active_count()
        with reporting(where, quiet, always):
            assert (threading.active_count() > before) == spoken


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["play", "stairwell", "--agent", "random", "--games", "40"],
        [
            "tournament",
            "--agents",
            "rush",
            "random",
            "--scenarios",
            "stairwell",
            "--games",
            "20",
            "--control",
            "0",
        ],
        ["compare", "rush", "random", "--scenarios", "stairwell", "--games", "20", "--control", "0"],
    ],
)
def test_verbs_whose_output_is_redirected_say_where_they_are(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.02)
    monkeypatch.chdir(tmp_path)
    error = battlesim(*words).stderr
    assert re.search(r"\d+ of (20|40) games", error), error
    assert not re.search(r"\d+ of (20|40) games", battlesim(*words, "--quiet").stderr)


def test_counts_say_what_is_left() -> None:
    assert counted(0, 10, "games", 5.0) == "0 of 10 games"
    assert counted(5, 10, "games", 50.0) == "5 of 10 games, about 50 s left"
    assert counted(1, 100, "games", 60.0) == "1 of 100 games, about 1.6 hours left"
    assert counted(10, 10, "games", 60.0) == "10 of 10 games"


@pytest.mark.slow
@posix
def test_an_interrupted_series_tells_what_it_reached() -> None:
    words = command("play", "stairwell", "--agent", "random", "--games", "100000")
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    for _ in range(3):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=600)
    assert process.returncode == 130
    last = out.splitlines()[-1]
    found = re.match(r"(\d+) games: Red \(random\) won (\d+), Blue \(random\) won (\d+), (\d+) drawn", last)
    assert found, out
    games, *parts = map(int, found.groups())
    assert games == sum(parts) >= 3
    assert f"stopped after {games} of 100,000 games, before seed {games}" in error
    assert "Traceback" not in error


def test_an_interrupt_anywhere_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import battlesim.cli.maps as maps

    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(maps, "run", interrupted)
    assert main(["maps"]) == 130
    assert capsys.readouterr().err == "battlesim: interrupted\n"


@pytest.mark.slow
@posix
def test_a_run_being_played_is_called_so_and_a_killed_one_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "r"
    words = ("--agents", "rush", "random", "--scenarios", "stairwell", "--games", "4000", "--quiet")
    process = started("tournament", *words, "--out", str(path), "--workers", "1")
    try:
        wait_for_rows(path, 2, process)
        assert " playing " in battlesim("runs", "--folder", str(tmp_path)).stdout
        assert battlesim("runs", str(path)).stdout.splitlines()[0].endswith(", playing")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert " interrupted " in battlesim("runs", "--folder", str(tmp_path)).stdout
    assert battlesim("runs", str(path)).stdout.splitlines()[0].endswith(", interrupted")


def seconds_written(path: Path) -> float:
    """How long the first session of a run took, as far as its folder says so."""
    file = path / ENVIRONMENT
    sessions = json.loads(file.read_text()) if file.exists() else []
    return sessions[0].get("seconds", 0.0) if sessions else 0.0


@pytest.mark.slow
@posix
def test_a_resumed_run_counts_all_its_sessions(tmp_path: Path) -> None:
    path = tmp_path / "r"
    words = (
        "--agents",
        "rush",
        "random",
        "--scenarios",
        "stairwell",
        "--games",
        "160",  # more than one worker plays before its session is first written down
        "--control",
        "0",
        "--quiet",
    )
    process = started("tournament", *words, "--out", str(path), "--workers", "1")
    wait_until(lambda: seconds_written(path) >= 0.5, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    there = rows_of(path)
    battlesim("tournament", "--resume", str(path), "--quiet", "--workers", "1")
    summary = json.loads((path / "summary.json").read_text())
    first, second = summary["sessions"]
    assert first["games"] == there
    assert first["games"] + second["games"] == 160
    assert first["seconds"] >= 0.5
    assert summary["seconds"] == pytest.approx(first["seconds"] + second["seconds"], abs=0.1)


def test_a_broken_agent_is_told_even_if_quiet(tmp_path: Path) -> None:
    agent = f"Red={BAD / 'raises.py'}"
    one = battlesim("play", "stairwell", "--agent", agent, "--quiet").stdout
    assert re.search(r"agent faults?, the first: Red \(raises\.py\) raised ValueError", one)
    many = battlesim("play", "stairwell", "--agent", agent, "--quiet", "--games", "2").stdout
    assert re.search(r"agent faults, the first: Red \(raises\.py\) raised ValueError", many)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plya"], "there is no verb 'plya'; did you mean 'play'"),
        (
            ["play", "skirmish", "--sed", "4"],
            "battlesim play: there is no flag '--sed'; did you mean '--seed'",
        ),
        (["pla'y"], """there is no verb "pla'y"; did you mean 'play'"""),
        (["map", "chek", "village"], "there is no verb 'chek'; did you mean 'check'?"),
        (["map", "draw", "--ot", "x", "village"], "there is no flag '--ot'; did you mean '--out'"),
        (
            ["tournament", "--format", "rond-robin"],
            "there is no choice for --format 'rond-robin'; did you mean 'round-robin'",
        ),
        (["play", "skirmish", "more"], "unexpected words: more"),
        (["--jsn"], "there is no flag '--jsn'; known: --help, --version"),
        (["map", "check", "skirmish"], "'skirmish' is a scenario, not a map; 'battlesim scenarios skirmish'"),
        (
            ["map", "check", "{scenario}"],
            "this is a scenario, not a map; check it with 'battlesim scenarios FILE'",
        ),
        (["map", "draw", "{scenario}"], "this is a scenario, not a map"),
        (["play", "{map}"], "this is a map, not a scenario; check it with 'battlesim map check FILE'"),
        (["play", "nix.yaml"], "there is no such scenario file; name an existing scenario file"),
        (["play", "bni.yaml"], "there is no such scenario file; did you mean 'bin.yaml'?"),
        (["play", "skirmish", "--agent", "nix.py"], "there is no such agent file; name an existing one"),
        (["play", "skirmish", "--agent", "mime.py"], "there is no such agent file; did you mean 'mine.py'?"),
        (
            ["tournament", "text.toml"],
            'agents: \'greedy\' is not valid; give a list: agents = ["...", "..."]',
        ),
        (["tournament", "kinds.toml"], "games: 'x' is not valid; give a whole number"),
        (["tournament", "kinds.toml"], "limits: 3 is not valid; give a table: [limits]"),
    ],
)
def test_what_was_mistyped_is_guessed(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin.yaml").write_text("name: bin\n")
    (tmp_path / "mine.py").write_text("")
    (tmp_path / "text.toml").write_text('agents = "greedy"\nscenarios = ["skirmish"]\n')
    (tmp_path / "kinds.toml").write_text(
        'agents = ["greedy"]\nscenarios = ["skirmish"]\ngames = "x"\nlimits = 3\n'
    )
    files = {"scenario": str(ROOT / "maps/scenarios/skirmish.yaml"), "map": str(ROOT / "maps/village.yaml")}
    try:
        code = main([word.format(**files) for word in words])
    except SystemExit as stop:
        code = int(str(stop.code))
    caught = capsys.readouterr()
    assert code == 2
    assert said in caught.err + caught.out
    assert (caught.err + caught.out).count("did you mean") <= 1
