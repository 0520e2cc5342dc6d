"""Games by the list: the same rows whoever plays them, however often they are killed and in whatever parts; scenarios as data."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from battlesim.batch.driver import drive, record_name
from battlesim.batch.export import export
from battlesim.batch.games import failed, play_game
from battlesim.batch.inputs import pinned_agent
from battlesim.batch.lists import (
    GameRequest,
    begin,
    local_executor,
    merge,
    plan_of,
    resolve_games,
    rows_of,
)
from battlesim.core.errors import InputError
from battlesim.engine.record import read_record
from battlesim.engine.verify import verify
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.job import JobFailure
from battlesim.jobs.store import StoredRow
from battlesim.scenario.changes import with_changes
from battlesim.scenario.load import load_scenario
from tests.batch.veterans import GAMES, SEEDS, asked, play
from tests.tournament.runs import ROOT, battlesim, wait_for_rows
from tests.tournament.runs import rows_of as count_of

posix = pytest.mark.skipif(os.name != "posix", reason="kills processes")


def bytes_of(folder: RunFolder) -> list[tuple[int, bytes]]:
    """Every row as it is stored."""
    with closing(folder.store(read_only=True)) as store:
        return [(stored.number, stored.row) for stored in store.rows()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The list played by one worker, undisturbed."""
    return play(tmp_path_factory.mktemp("lists") / "whole", 1)


@pytest.mark.slow
def test_every_game_has_its_row(whole: RunFolder) -> None:
    rows = list(rows_of(whole, plan_of(whole)))
    assert [row.number for row in rows] == list(range(GAMES))
    assert Counter(row.scenario for row in rows) == dict.fromkeys(("usual", "short", "veterans"), len(SEEDS))
    assert {row.seed for row in rows} == set(SEEDS)
    assert max(row.turns or 0 for row in rows if row.scenario == "short") <= 3
    assert max(row.turns or 0 for row in rows if row.scenario == "usual") > 3
    by_seed = {(row.scenario, row.seed): row.record_hash for row in rows}
    assert any(by_seed["usual", seed] != by_seed["veterans", seed] for seed in SEEDS)


@pytest.mark.slow
@posix
def test_killed_half_way_and_resumed_by_two_workers_it_has_the_same_rows(
    whole: RunFolder, tmp_path: Path
) -> None:
    path = tmp_path / "killed"
    command = [sys.executable, "-m", "tests.batch.veterans", str(path), "1"]
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as process:
        wait_for_rows(path, GAMES // 4, process)
        os.killpg(process.pid, signal.SIGKILL)
    assert 0 < count_of(path) < GAMES, "the run was over before it could be killed"
    assert bytes_of(play(path, 2)) == bytes_of(whole)


@pytest.mark.slow
def test_parts_on_two_workers_come_to_the_same_rows(whole: RunFolder, tmp_path: Path) -> None:
    halves = [play(tmp_path / f"part{n}", 2, (n, 2)) for n in (1, 2)]
    assert [len(bytes_of(half)) for half in halves] == [GAMES // 2, GAMES // 2]
    merged, new = merge(tmp_path / "merged", halves)
    assert new == GAMES
    assert bytes_of(merged) == bytes_of(whole)
    assert merge(tmp_path / "merged", halves)[1] == 0
    names = sorted(path.name for path in whole.records.iterdir())
    assert names == [record_name(number) for number in range(3)]
    for name in names:
        assert (merged.records / name).read_bytes() == (whole.records / name).read_bytes()


def test_a_record_of_a_changed_scenario_verifies_anywhere(whole: RunFolder) -> None:
    for number, name in enumerate(("usual", "short", "veterans")):
        record = whole.records / record_name(number)
        assert verify(read_record(record), agents=True).same
        told = battlesim("verify", str(record), "--agents").stdout
        assert told.startswith("the record is correct")
        said = json.loads(read_record(record).header.scenario.said or b"{}")
        assert said.get("turns", 6) == (3 if name == "short" else 6)
        assert (said["forces"][0].get("quality") == "veteran") == (name == "veterans")


def test_the_folder_holds_what_no_file_does(whole: RunFolder) -> None:
    """A run folder can be taken to another machine: the changed scenarios and their map, once, are in it."""
    resolved = whole.resolved()
    assert [bool(ground["source"].get("said")) for ground in resolved["scenarios"]] == [False, True, True]
    assert list(resolved["maps"]) == [load_scenario("stairwell").board.digest]


def test_the_verbs_that_read_runs_read_it(whole: RunFolder, tmp_path: Path) -> None:
    told = battlesim("runs", "--folder", str(whole.path.parent)).stdout.splitlines()
    assert told[1].split()[:3] == ["whole", f"{GAMES}/{GAMES}", "finished"]
    battlesim("export", str(whole.path), "--to", str(tmp_path / "games.csv"))
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["scenario"] for row in rows[:3]] == ["usual", "short", "veterans"]
    assert {row["agent0"] for row in rows} == {"rush"}
    shown = battlesim("runs", str(whole.path)).stdout.splitlines()
    assert shown[0] == f"whole: {GAMES} of {GAMES} games of a list"
    assert [line.split()[0] for line in shown[3:6]] == ["usual", "short", "veterans"]
    found = json.loads(battlesim("runs", str(whole.path), "--json").stdout)
    assert (found["played"], found["games"]) == (GAMES, GAMES)
    for result in found["results"]:
        assert result["games"] == sum(result[name] for name in ("won", "drawn", "lost", "broken"))
    assert sum(result["games"] for result in found["results"]) == GAMES
    assert "not a tournament" in battlesim("tournament", "--resume", str(whole.path), code=2).stderr


def test_games_that_broke_off_do_not_hide_the_columns_of_the_others(tmp_path: Path) -> None:
    """A table has the columns of measures even where more than a hundred games before the first whole one broke off."""
    requests = [GameRequest("stairwell", ("random", "random"), seed) for seed in range(102)]
    folder = begin(tmp_path / "broken", resolve_games("broken", requests, measures=True))
    plan = plan_of(folder)
    *early, last = plan.specs()
    rows = [StoredRow(one.number, failed(one, JobFailure("death", 0, "died")), 1.0, 2) for one in early]
    with closing(folder.store()) as store:
        store.add([*rows, StoredRow(last.number, play_game(last, lambda side: None).row, 1.0, 1)])
    assert export(folder, plan, tmp_path / "games.csv") == len(requests)
    with (tmp_path / "games.csv").open() as file:
        table = list(csv.DictReader(file))
    assert table[0]["shots"] == ""
    assert int(table[-1]["shots"]) > 0


# ---- what the driver lets others do


class Stops:
    """Has seen enough after some games."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.seen: list[bytes] = []

    def take(self, row: bytes, seconds: float) -> None:
        assert seconds >= 0
        self.seen.append(row)

    @property
    def done(self) -> bool:
        return len(self.seen) >= self.after


@pytest.mark.slow
def test_a_reader_ends_a_run_early_and_sees_old_rows_first(whole: RunFolder, tmp_path: Path) -> None:
    folder = begin(tmp_path / "early", resolve_games("veterans", asked()))
    plan = plan_of(folder)
    executor = local_executor(plan, 1)
    told: list[tuple[int, int]] = []
    try:
        drive(folder, plan, executor, Stops(2), lambda games, new: told.append((games, new)))
        kept = [row for _, row in bytes_of(folder)]
        assert 2 <= len(kept) < GAMES
        again = Stops(GAMES + 1)
        drive(folder, plan, executor, again)
    finally:
        executor.close()
    assert told[0] == (0, 0)
    assert told[-1][0] == sum(new for _, new in told) == len(kept)
    assert again.seen[: len(kept)] == kept
    assert bytes_of(folder) == bytes_of(whole)


@pytest.mark.slow
def test_records_that_are_always_kept_leave_room_for_those_of_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("battlesim.batch.driver.MOST_FAULTY", 2)
    bad = str(ROOT / "tests" / "bad_agents" / "raises.py")
    kept = [GameRequest("stairwell", ("random", "random"), seed, records="all") for seed in range(3)]
    faulty = [GameRequest("stairwell", (bad, "random"), seed) for seed in range(3)]
    folder = begin(tmp_path / "faulty", resolve_games("faulty", kept + faulty))
    plan = plan_of(folder)
    executor = local_executor(plan, 1)
    try:
        drive(folder, plan, executor)
    finally:
        executor.close()
    assert sorted(path.name for path in folder.records.iterdir()) == [record_name(n) for n in range(5)]


def test_salt_gives_other_dice_that_only_it_tells() -> None:
    plain, one, other = (
        [spec.seed for spec in specs(resolve_games("x", asked(), salt=salt))] for salt in ("", "a", "b")
    )
    assert plain == [seed for seed in SEEDS for _ in range(3)]
    assert not set(plain) & set(one)
    assert not set(one) & set(other)
    assert len(set(one)) == len(SEEDS), "games under one seed share it still"


def specs(resolved: object) -> Iterator[object]:
    from battlesim.batch.lists import GameList, ResolvedList

    assert isinstance(resolved, ResolvedList)
    return GameList(resolved).specs()


# ---- bad input


def test_every_fault_is_told_at_once() -> None:
    usual = load_scenario("stairwell")
    games = [
        GameRequest("stairwell", ("nobody", "rush"), 1),
        GameRequest("nowhere", ("rush", "rush"), 1),
        GameRequest(with_changes(usual, {"turns": 3}), ("rush", "rush"), 1),
        GameRequest("stairwell", ("rush", "rush"), 2**64, records="some"),
        GameRequest("stairwell", ("rush", "rush"), "seven"),  # type: ignore[arg-type]
        GameRequest("stairwell", ("rush",), 1),  # type: ignore[arg-type]
    ]
    with pytest.raises(InputError) as error:
        resolve_games("wrong", games)
    told = "\n".join(str(fault) for fault in error.value.faults)
    for words in (
        "'nobody'",
        "'nowhere'",
        "two scenarios are called 'stairwell'",
        "18446744073709551616",
        "'some'",
        "game 4: the seed 'seven' is not usable",
        "game 5: agents ('rush',): a battle has two sides",
    ):
        assert words in told
    with pytest.raises(InputError, match="no games to play"):
        resolve_games("none", [])
    with pytest.raises(InputError, match="no part 3 of 2"):
        resolve_games("part", asked()[:1], part=(3, 2))


def test_inputs_that_changed_end_the_run(tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    text = (ROOT / "agents" / "rush.py").read_text()
    agent.write_text(text)
    folder = begin(tmp_path / "r", resolve_games("mine", [GameRequest("stairwell", (str(agent), "rush"), 1)]))
    plan = plan_of(folder)
    plan.check()
    agent.write_text(text + "\n# changed\n")
    with pytest.raises(InputError, match=r"'mine\.py' is no longer what the run was begun with"):
        plan.check()


def test_a_file_that_many_players_build_on_is_told_once(tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    text = (ROOT / "agents" / "greedy.py").read_text()
    agent.write_text(text)
    players = [f"tactician,base={agent},tactics={word} go-down:no" for word in ("always", "never")]
    asked = [GameRequest("stairwell", (player, str(agent)), 1) for player in players]
    plan = plan_of(begin(tmp_path / "r", resolve_games("mine", asked)))
    plan.check()
    agent.write_text(text + "\n# changed\n")
    with pytest.raises(InputError) as error:
        plan.check()
    assert [fault.file for fault in error.value.faults] == [str(agent)]
    agent.unlink()
    with pytest.raises(InputError) as error:
        plan.check()
    assert len(error.value.faults) == 1


def test_orders_that_changed_end_the_run(tmp_path: Path) -> None:
    """The file of orders is the agent: also a session that has begun, which reads it for each game, goes no further."""
    orders = tmp_path / "orders.txt"
    orders.write_text("otherwise: first\n")
    asked = [GameRequest("stairwell", (f"script,file={orders}", "rush"), 1)]
    resolved = resolve_games("mine", asked)
    plan = plan_of(begin(tmp_path / "r", resolved))
    plan.check()
    assert pinned_agent(resolved.agents[0]).name == f"script,file={orders}"
    orders.write_text("otherwise: random\n")
    with pytest.raises(
        InputError, match=r"the agent 'script,file=.*' is no longer what the run was begun with"
    ):
        plan.check()
    with pytest.raises(InputError, match="no longer what the run was begun with"):
        pinned_agent(resolved.agents[0])


def test_a_run_keeps_the_player_of_a_card(tmp_path: Path) -> None:
    """What the card says later is another player: the run goes on with the one that it was begun with."""
    card = tmp_path / "cards.json"
    card.write_text('{"cards": [{"number": 1, "agent": "doctrine,character=assault"}]}')
    asked = [GameRequest("stairwell", (f"card:{tmp_path}/1", "rush"), 1)]
    resolved = resolve_games("mine", asked)
    card.write_text('{"cards": [{"number": 1, "agent": "doctrine,character=defence"}]}')
    plan_of(begin(tmp_path / "r", resolved)).check()
    assert [pin.load for pin in resolved.agents] == ["doctrine,character=assault", "rush"]


@pytest.mark.slow
def test_damaged_and_foreign_folders_are_told(whole: RunFolder, tmp_path: Path) -> None:
    battlesim(
        *(
            "tournament",
            "--agents",
            "rush",
            "random",
            "--scenarios",
            "stairwell",
            "--games",
            "2",
            "--control",
            "0",
        ),
        *("--out", str(tmp_path / "t"), "--quiet", "--workers", "1"),
    )
    with pytest.raises(InputError, match="this run is not a list of games"):
        plan_of(RunFolder(tmp_path / "t"))
    folder = begin(tmp_path / "r", resolve_games("one", asked()[:1]))
    resolved = json.loads((folder.path / "resolved.json").read_text())
    for change, words in (({"format": 9}, "format 9"), ({"games": 3}, "damaged")):
        (folder.path / "resolved.json").write_text(json.dumps({**resolved, **change}))
        with pytest.raises(InputError, match=words):
            plan_of(folder)
    (folder.path / "resolved.json").write_text(json.dumps(resolved))
    with pytest.raises(InputError, match="not parts of one run: they were asked for different games"):
        merge(tmp_path / "merged", [whole, begin(tmp_path / "s", resolve_games("s", asked()[:3]))])
