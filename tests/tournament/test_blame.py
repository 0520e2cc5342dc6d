"""Two agents share a process: what one leaves there is its own doing, and does not reach into others' games."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from battlesim.batch.games import FUNCTION
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.job import Job, JobLimits
from battlesim.tournament.config import parse_config
from battlesim.tournament.resolve import TournamentPlan, resolve
from battlesim.tournament.schedule import Schedule
from tests.tournament.runs import BAD, battlesim, workers_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from Linux's /proc")


def played(out: Path, *agents: str, games: int = 2, control: int = 0, megabytes: int = 300) -> dict[str, Any]:
    config = out.with_suffix(".toml")
    config.write_text(
        f"agents = {json.dumps(agents)}\nscenarios = ['stairwell']\ngames = {games}\ncontrol = {control}\n"
        f"limits = {{game_seconds = 120, megabytes = {megabytes}}}\n"
    )
    done = battlesim("tournament", str(config), "--out", str(out), "--json", "--workers", "1")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rows_of(out: Path) -> list[dict[str, Any]]:
    with closing(RunFolder(out).store(read_only=True)) as store:
        return [json.loads(row.row) for row in store.rows()]


@pytest.mark.slow
def test_a_thread_that_ends_the_process_is_its_own_agents_doing(tmp_path: Path) -> None:
    summary = played(tmp_path / "r", f"{BAD}/lurks.py", "greedy")
    (agent_faults,) = summary["blame"]
    assert (agent_faults["agent"], agent_faults["crash"]) == ("lurks.py", 2)
    assert "ended its process with code 7" in agent_faults["what"]


@pytest.mark.slow
@linux
@pytest.mark.parametrize("free", [0, 100_000, 600_000, 4_000_000])
def test_memory_filled_before_the_game_is_charged_to_who_holds_it(free: int, tmp_path: Path) -> None:
    """With 100,000 bytes left, the other's first question would end the process with SIGABRT."""
    summary = played(tmp_path / "r", f"{BAD}/hoards.py,free={free}", "greedy")
    (agent_faults,) = summary["blame"]
    assert (agent_faults["agent"], agent_faults["crash"]) == (f"hoards.py,free={free}", 2)
    assert "wanted more than 300 MB" in agent_faults["what"]


@pytest.mark.slow
def test_a_changed_module_does_not_live_on_into_others_games(tmp_path: Path) -> None:
    agents = (f"{BAD}/patches.py", "random", "rush")
    played(tmp_path / "alone", *agents[1:], games=4)
    played(tmp_path / "r", *agents, games=4)
    fair = {tuple(row["agents"].values()): [] for row in rows_of(tmp_path / "alone")}
    mixed: dict[Any, list[Any]] = {key: [] for key in fair}
    for found, out in ((fair, "alone"), (mixed, "r")):
        for row in rows_of(tmp_path / out):
            key = tuple(row["agents"].values())
            if key in found:
                found[key].append((row["seed"], row["record_hash"]))
    assert sum(map(len, fair.values())) == 4
    assert {key: sorted(rows) for key, rows in mixed.items()} == {
        key: sorted(rows) for key, rows in fair.items()
    }


@pytest.mark.slow
@linux
def test_what_an_agent_starts_ends_with_its_game(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    summary = played(tmp_path / "r", f"{BAD}/forks.py,file={numbers}", "random")
    assert summary["games"]["played"] == 2
    started = [int(line) for line in numbers.read_text().split()]
    assert len(started) >= 4, "two a game, and a game is played again for its record"
    for number in started:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


@pytest.mark.slow
def test_two_agents_that_fault_in_one_game_are_told_apart(tmp_path: Path) -> None:
    summary = played(tmp_path / "r", f"{BAD}/raises.py", f"{BAD}/illegal.py")
    words = {agent_faults["agent"]: agent_faults["what"] for agent_faults in summary["blame"]}
    assert "raised" in words["raises.py"]
    assert "answered" in words["illegal.py"]
    for row in rows_of(tmp_path / "r"):
        sides = {fault["side"]: fault["what"] for fault in row["faults"]}
        for side, agent in row["agents"].items():
            assert ("raised" if agent == "raises.py" else "answered") in sides[side]


@pytest.mark.slow
def test_a_salt_makes_other_dice_which_no_small_seed_gives(tmp_path: Path) -> None:
    def seeds(salt: str) -> set[int]:
        asked = parse_config(
            {"agents": ["random", "rush"], "scenarios": ["stairwell"], "games": 4, "salt": salt}
        )
        return {unit.seed for unit in Schedule(asked, ["random", "rush"], ["stairwell"]).encounters()}

    assert seeds("a") == seeds("a")
    assert not seeds("") & seeds("a")
    assert not seeds("b") & seeds("a")
    words = (
        "--agents",
        "random",
        "rush",
        "--scenarios",
        "stairwell",
        "--games",
        "4",
        "--control",
        "0",
        "--json",
    )
    battlesim("tournament", *words, "--salt", "--out", str(tmp_path / "drawn"), "--workers", "1")
    kept = json.loads((tmp_path / "drawn" / "resolved.json").read_text())["asked"]["salt"]
    assert len(kept) == 32
    assert {row["seed"] for row in rows_of(tmp_path / "drawn")} <= seeds(kept)


@pytest.mark.slow
@linux
def test_a_worker_plays_many_games_of_sound_agents() -> None:
    """Nothing that ordinary play does in a worker is taken for a change by an agent, which would replace it after every game."""
    asked = parse_config(
        {"agents": ["greedy", "rush"], "scenarios": ["stairwell", "silo"], "games": 4, "control": 0}
    )
    plan = TournamentPlan(resolve(asked))
    jobs = [
        Job(unit.first + leg, unit.scenario, plan.game(unit, leg))
        for unit in plan.schedule.encounters()
        for leg in range(unit.games)
    ]
    executor = LocalExecutor(FUNCTION, 1, JobLimits())
    seen = set()
    for _ in executor.run(jobs):
        seen.update(workers_of(os.getpid()))
    executor.close()
    assert len(seen) == 1
