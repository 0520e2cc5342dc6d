"""Games asked for in rounds: for searches that decide by what they saw which games to play next. Read `Rounds.play`.

Each round is a run of its own under the search's folder, `rounds/0001` and so on. A search is deterministic, so one that was
stopped asks for the same rounds again: those that were played are read, the one that was broken off is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from battlesim.batch.driver import drive
from battlesim.batch.lists import GameRequest, begin, plan_of, resolve_games, rows_of
from battlesim.batch.rows import GameRow
from battlesim.batch.settings import Bounds
from battlesim.core.errors import Fault, InputError
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RunFolder

ROUNDS = "rounds"


class Rounds:
    """Plays rounds of games, with measures. `folder`: of the search. `told`: called with the games played so far. `done`,
    `played`: rounds that the search needs no more, and their games."""

    def __init__(
        self,
        executor: Executor,
        folder: Path,
        limits: Bounds | None = None,
        told: Callable[[int], None] = lambda _: None,
        done: int = 0,
        played: int = 0,
    ) -> None:
        self.played, self.done = played, done
        self._executor, self._folder, self._limits, self._told = executor, folder, limits, told

    def play(self, games: Sequence[GameRequest]) -> list[GameRow]:
        """The rows of some games, in their order. Raises InputError where the search was begun with other inputs."""
        number = self.done + 1
        path = self._folder / ROUNDS / f"{number:04d}"
        resolved = resolve_games(f"round {number}", games, self._limits, measures=True)
        if path.exists():
            run = RunFolder(path)
            if plan_of(run).resolved.identity != resolved.identity:
                what = "this search was begun with another program, scenario or settings"
                raise InputError(Fault(what, "begin a new one: give another --out", str(path)))
        else:
            run = begin(path, resolved)
        plan = plan_of(run)
        before = self.played
        drive(run, plan, self._executor, shown=lambda there, _: self._told(before + there))
        rows = sorted(rows_of(run, plan), key=lambda row: row.number)
        if len(rows) != len(games):
            what = "a round of the search is not whole"
            raise InputError(Fault(what, "go on with it: --resume", str(path)))
        self.played += len(games)
        self.done = number
        return rows
