"""Two runs are compared by the games that both have."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from battlesim.jobs.folder import RunFolder
from battlesim.tournament import paired_runs
from battlesim.tournament.shares import elo
from tests.tournament.runs import battlesim

MINE = """
class Agent:
    def start(self, board, side, chance):
        pass

    def choose(self, view, ask, answers):
        return answers[{which}]
"""


def played(out: Path, *more: str) -> None:
    mine = str(out.parent / "mine.py")
    agents = ("--agents", mine, "random", "--scenarios", "stairwell", "--games", "6", "--control", "2")
    battlesim("tournament", *agents, "--out", str(out), "--workers", "1", "--quiet", *more)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for name, which in (("old", 0), ("new", -1)):
        (folder / "mine.py").write_text(MINE.format(which=which))
        played(folder / name)
    played(folder / "other", "--seed", "2")
    return folder


def points_of(run: Path, agent: str) -> dict[tuple[int, str], float]:
    """An agent's points in each of its games against another, by seed and side."""
    found = {}
    with closing(RunFolder(run).store(read_only=True)) as store:
        for stored in store.rows():
            row = json.loads(stored.row)
            if len(set(row["agents"].values())) == 2:
                side = next(side for side, name in row["agents"].items() if name == agent)
                found[row["seed"], side] = 0.5 if row["winner"] is None else float(row["winner"] == side)
    return found


def compared(one: Path, two: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(battlesim("runs", str(one), str(two), "--json").stdout)
    return found


def test_shares_are_those_of_the_games_that_both_have(runs: Path) -> None:
    found = compared(runs / "old", runs / "new")
    assert found["games"] == [10, 10, 10]
    assert found["differs"] == ["the agent mine.py"]
    mine, other = found["agents"]
    old, new = (points_of(runs / name, "mine.py") for name in ("old", "new"))
    assert (mine["agent"], mine["scenario"], mine["games"]) == ("mine.py", "stairwell", 6)
    assert mine["before"] == pytest.approx(math.fsum(old.values()) / 6)
    assert mine["after"] == pytest.approx(math.fsum(new.values()) / 6)
    assert mine["changed"] == sum(old[game] != new[game] for game in old)
    assert other["difference"] == pytest.approx(-mine["difference"])
    assert [(row["agent"], row["side"], row["games"]) for row in found["sides"]] == [
        ("mine.py", "Red", 2),
        ("random", "Red", 2),
    ]


def test_an_agents_own_failure_says_nothing_of_the_sides(runs: Path, tmp_path: Path) -> None:
    """It is no result of a game of the agent against itself, here as in the tables."""
    failing = tmp_path / "failing"
    shutil.copytree(runs / "old", failing)
    store = sqlite3.connect(failing / "results.sqlite")
    for number, text in store.execute("SELECT number, row FROM rows").fetchall():
        row = json.loads(text)
        if set(row["agents"].values()) == {"random"}:
            row |= {"verdict": "forfeit", "termination": "forfeit", "winner": "Red"}
            store.execute("UPDATE rows SET row = ? WHERE number = ?", (json.dumps(row).encode(), number))
            break
    store.commit()
    store.close()
    found = compared(runs / "old", failing)
    assert found["games"] == [10, 9, 9]
    assert [(row["agent"], row["games"], row["changed"]) for row in found["sides"]] == [
        ("mine.py", 2, 0),
        ("random", 1, 0),
    ]


def test_a_run_does_not_differ_from_itself(runs: Path) -> None:
    found = compared(runs / "old", runs / "old")
    assert found["differs"] == []
    assert all((row["changed"], row["difference"]) == (0, 0.0) for row in found["agents"] + found["sides"])
    text = battlesim("runs", str(runs / "old"), str(runs / "old")).stdout
    assert "10 games are in both" in text
    assert "alike in the two runs" in text


def test_runs_without_a_common_game_are_refused(runs: Path) -> None:
    told = battlesim("runs", str(runs / "old"), str(runs / "other"), code=2)
    assert "no game of one run has the same scenario, seed and agents" in told.stderr


def test_nine_intervals_in_ten_or_more_hold_the_true_difference() -> None:
    chance = Random(5)
    held = held_elo = counted = 0
    for _ in range(400):
        cells = []
        for strength in (0.4, 0.6):
            cell: dict[int, list[tuple[float, float]]] = {}
            for seed in range(30):
                luck = [chance.random() for _ in range(2)]
                cell[seed] = [(float(at < strength), float(at < strength + 0.1)) for at in luck]
            cells.append(cell)
        row = paired_runs._compared("a", "", "", cells)
        if row.interval is None or row.elo is None:
            continue
        counted += 1
        held += row.interval.low <= 0.1 <= row.interval.high
        held_elo += row.elo.low <= elo(0.6) - elo(0.5) <= row.elo.high
    assert counted > 390
    assert held / counted > 0.9
    assert held_elo / counted > 0.9
