"""Whole tournaments: the same bytes whoever plays them, and nothing lost to any death."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.jobs.folder import RunFolder
from battlesim.tournament.driver import aggregate
from battlesim.tournament.finish import finish
from tests.tournament.runs import (
    BAD,
    SMALL,
    battlesim,
    digest_of,
    kill_driver,
    rows_of,
    started,
    undisturbed,
    wait_for_rows,
    workers_of,
)

GAMES = 12 + 2 * 4
posix = pytest.mark.skipif(os.name != "posix", reason="kills processes")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run nobody disturbed."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    undisturbed(path, *SMALL)
    return path


def summary_of(path: Path) -> dict[str, object]:
    """What a run came to, less when and where it was played."""
    found = json.loads((path / "summary.json").read_text())
    for key in ("run", "started", "seconds", "environment", "sessions", "records", "part"):
        del found[key]
    for row in found["lengths"]:
        del row["seconds"]
    return dict(found)


@pytest.mark.slow
def test_a_run_has_everything(whole: Path) -> None:
    assert sorted(p.name for p in whole.iterdir() if not p.name.startswith("results.sqlite-")) == [
        "config.json",
        "driver.lock",
        "environment.json",
        "records",
        "report.html",
        "resolved.json",
        "results.sqlite",
        "summary.json",
    ]
    assert rows_of(whole) == GAMES
    summary = json.loads((whole / "summary.json").read_text())
    assert summary["state"] == "finished"
    assert summary["games"] == {"planned": GAMES, "played": GAMES, "counted": GAMES}
    best, other = summary["standings"][0]["rows"]
    assert (best["agent"], best["games"], best["wins"]) == ("rush", 12, other["losses"])
    (record,) = summary["records"]
    assert battlesim("verify", str(whole / record["file"]), "--agents").stdout.startswith(
        "the record is correct"
    )


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["sample", "notable"])
def test_lost_and_damaged_records_are_made_again(
    tmp_path: Path, keep: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A deleted record and one that was cut are made again by --resume, and until then the report has no link to them."""
    words = [
        "--agents",
        "rush",
        "random",
        "--scenarios",
        "stairwell",
        "--games",
        "2",
        "--control",
        "0",
        "--quiet",
        "--workers",
        "1",
    ]
    assert main(["tournament", *words, "--records", keep, "--out", str(tmp_path / "r")]) == 0
    summary, report = tmp_path / "r" / "summary.json", tmp_path / "r" / "report.html"
    before, page = json.loads(summary.read_text())["records"], report.read_text()
    files = [tmp_path / "r" / one["file"] for one in before]
    whole = [file.read_bytes() for file in files]
    files[0].write_bytes(whole[0][:-400])
    for file in files[1:]:
        file.unlink()
    run = RunFolder(tmp_path / "r")
    assert finish(run, aggregate(run), None)["records"] == []
    assert main(["tournament", "--resume", str(tmp_path / "r"), "--quiet", "--workers", "1"]) == 0
    assert [file.read_bytes() for file in files] == whole
    assert json.loads(summary.read_text())["records"] == before
    assert report.read_text() == page


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "3"])
def test_workers_do_not_matter(whole: Path, tmp_path: Path, workers: str) -> None:
    battlesim("tournament", *SMALL, "--out", str(tmp_path / "r"), "--quiet", "--workers", workers)
    assert digest_of(tmp_path / "r") == digest_of(whole)
    assert summary_of(tmp_path / "r") == summary_of(whole)


def test_a_row_is_what_play_prints(whole: Path) -> None:
    from contextlib import closing

    with closing(RunFolder(whole).store(read_only=True)) as store:
        stored = store.get(1)
    assert stored is not None
    row = json.loads(stored.row)
    agents = [f"--agent={side}={name}" for side, name in row["agents"].items()]
    played = json.loads(battlesim("play", "stairwell", *agents, "--seed", str(row["seed"]), "--json").stdout)
    assert {key: row[key] for key in played} == played
    assert set(row) - set(played) == {"number", "round", "leg", "clauses"}


@pytest.mark.slow
@posix
@pytest.mark.parametrize("after", [pytest.param(1, marks=pytest.mark.slow), 9])
def test_a_killed_driver_loses_nothing(whole: Path, tmp_path: Path, after: int) -> None:
    path = tmp_path / "r"
    process = started("tournament", *SMALL, "--out", str(path), "--quiet")
    wait_for_rows(path, after, process)
    kill_driver(process)
    there = rows_of(path)
    assert there >= after
    battlesim("tournament", "--resume", str(path), "--quiet", "--workers", "1")
    assert digest_of(path) == digest_of(whole)
    assert summary_of(path) == summary_of(whole)
    sessions = json.loads((path / "environment.json").read_text())
    assert sessions[-1]["games"] == GAMES - there, "nothing that was there was played again"


@pytest.mark.slow
@posix
@pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
def test_a_killed_worker_loses_nothing(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "r"
    process = started("tournament", *SMALL, "--out", str(path), "--quiet", "--workers", "2")
    killed = 0
    for rows in (1, 6, 12):
        wait_for_rows(path, rows, process)
        for worker in workers_of(process.pid)[:1]:
            os.kill(worker, signal.SIGKILL)
            killed += 1
    assert process.wait(timeout=900) == 0
    assert killed
    assert digest_of(path) == digest_of(whole)


@pytest.mark.slow
def test_an_interrupt_keeps_what_was_played(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "r"
    process = started("tournament", *SMALL, "--out", str(path), "--quiet")
    wait_for_rows(path, 3, process)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=900) in (130, 0)
    assert rows_of(path) >= 3
    battlesim("tournament", "--resume", str(path), "--quiet", "--workers", "1")
    assert digest_of(path) == digest_of(whole)


@pytest.mark.slow
def test_a_second_driver_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r"
    process = started("tournament", *SMALL[:-4], "--games", "4000", "--out", str(path), "--quiet")
    try:
        wait_for_rows(path, 1, process)
        error = battlesim("tournament", "--resume", str(path), code=2).stderr
        assert "another process is playing this run" in error
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.slow
@posix
def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    """Driver or worker, at any moment: what was recorded stays, and the end is that of an undisturbed run."""
    words = ("--agents", "rush", "random", "--scenarios", "stairwell", "--games", "400", "--control", "100")
    expected = undisturbed(tmp_path / "whole", *words)
    path = tmp_path / "r"
    chance = random.Random(4)
    process = started("tournament", *words, "--out", str(path), "--quiet", "--workers", "2")
    there = drivers = workers = 0
    while drivers + workers < 100 and (there < 600 or process.poll() is None):
        wait_for_rows(path, min(600, there + chance.randrange(6)), process)
        children = workers_of(process.pid)
        if children and chance.random() < 0.5:
            try:
                os.kill(chance.choice(children), signal.SIGKILL)
            except ProcessLookupError:
                continue
            workers += 1
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL) if chance.random() < 0.5 else os.kill(
                process.pid, signal.SIGKILL
            )
            process.wait()
            drivers += 1
        now = rows_of(path)
        assert now >= there, "a recorded game is gone"
        there = now
        if process.poll() is not None:
            process = (
                started("tournament", "--resume", str(path), "--quiet", "--workers", "2")
                if path.exists()
                else started("tournament", *words, "--out", str(path), "--quiet", "--workers", "2")
            )
    process.wait(timeout=900)
    battlesim("tournament", "--resume", str(path), "--quiet")
    assert digest_of(path) == expected
    assert drivers + workers >= 100, (
        f"{drivers} drivers and {workers} workers were killed before the run was over"
    )


# ---- agents that misbehave -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "verdict", "words"),
    [
        ("dies", "crash", "ended its process with code 3"),
        ("hangs", "crash", "took longer than 1 s"),
        ("eats", "crash", "wanted more than 300 MB"),
        pytest.param("falls", "crash", "its process died of SIGSEGV", marks=pytest.mark.slow),
        pytest.param("kills", "crash", "its process died of SIGKILL", marks=pytest.mark.slow),
        ("interrupts", "crash", "KeyboardInterrupt: (interrupts.py:"),
        ("exits", "forfeit", "raised SystemExit"),
        ("raises", "forfeit", "raised"),
    ],
)
def test_no_agent_takes_the_tournament_down(tmp_path: Path, agent: str, verdict: str, words: str) -> None:
    config = tmp_path / "t.toml"
    config.write_text(
        f"agents = ['random', '{BAD / agent}.py']\nscenarios = ['stairwell']\ngames = 2\ncontrol = 1\n"
        f"limits = {{game_seconds = {1 if agent == 'hangs' else 120}, megabytes = 300}}\n"
    )
    done = battlesim("tournament", str(config), "--out", str(tmp_path / "r"), "--json", "--workers", "1")
    summary = json.loads(done.stdout)
    assert summary["games"]["played"] == 4
    (ends,) = summary["verdicts"]
    assert ends[verdict] == 3, "both games of the pair, and the one with itself"
    (agent_faults,) = summary["blame"]
    assert agent_faults["agent"] == f"{agent}.py"
    assert agent_faults[verdict] == 3
    assert words in agent_faults["what"]
    (pairing,) = summary["pairings"]
    assert (pairing["a"], pairing["wins"]) == (
        ("random", 2) if f"{agent}.py" > "random" else (f"{agent}.py", 0)
    )
    overall = summary["standings"][0]
    assert overall["withheld"]
    assert any(f"{agent}.py is not rated: it failed in 3 of its 3 games" in note for note in overall["notes"])
    assert summary["sides"][0]["control"]["games"] == 1, (
        "a side that lost by a failure says nothing of the side"
    )
