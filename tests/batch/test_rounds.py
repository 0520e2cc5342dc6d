"""Rounds: gone on with, and played by several parts that share a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from battlesim.batch.games import play_game
from battlesim.batch.lists import GameRequest
from battlesim.batch.rounds import PUBLISHED, Rounds, part_name, part_of
from battlesim.batch.rows import GameRow
from battlesim.core.errors import InputError
from battlesim.jobs.job import Job, JobResult

GAMES = [GameRequest("stairwell", ("rush", "rush"), seed, round=seed, records="none") for seed in range(3)]
MORE = [GameRequest("stairwell", ("rush", "random"), 9, records="none")]


class Here:
    """Plays in this process, and counts."""

    workers = 1

    def __init__(self) -> None:
        self.played: list[int] = []

    def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        for job in jobs:
            self.played.append(job.number)
            yield [JobResult(job.number, play_game(job.spec, lambda _: None), 0.0)]

    def close(self) -> None:
        """Nothing to end."""


def played(folder: Path, executor: Here) -> list[GameRow]:
    rounds = Rounds(executor, folder)
    return [*rounds.play(GAMES), *rounds.play(MORE)]


@pytest.mark.slow
def test_parts_play_a_game_each_and_all_have_all_rows(tmp_path: Path) -> None:
    whole = played(tmp_path / "whole", Here())
    executors = [Here() for _ in range(2)]
    folders = [tmp_path / "shared" / part_name(n, 2) for n in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(played, folders, executors))
    assert found[0] == found[1] == whole
    # The second round has one game: it is the first part's.
    assert [executor.played for executor in executors] == [[0, 2, 0], [1]]
    # Gone on with, a part needs to play nothing.
    again = Here()
    assert played(folders[0], again) == whole
    assert again.played == []


def test_a_part_of_another_search_is_refused(tmp_path: Path) -> None:
    folders = [tmp_path / part_name(n, 2) for n in (1, 2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(played, folders, [Here(), Here()]))
    with pytest.raises(InputError, match="begun with other settings"):
        Rounds(Here(), folders[0]).play(list(reversed(GAMES)))
    file = folders[1] / "rounds" / "0001" / PUBLISHED
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        played(folders[0], Here())
    (folders[1] / "rounds" / "0002" / PUBLISHED).rename(file)
    with pytest.raises(InputError):
        played(folders[0], Here())


def test_which_part_a_folder_is() -> None:
    assert part_of(Path("out/part-2-of-3/league-01/rounds/0001")) == (Path("out/part-2-of-3"), 2, 3)
    for whole in ("out/rounds/0001", "out/part-4-of-3/rounds", "out/part-of-3"):
        assert part_of(Path(whole)) == (Path(whole), 1, 1)
