"""Points of a design played as they are asked for: for searches that decide by what they saw which point to play next. Read
`Arena.play`.

Each request is a run of its own under the search's folder, `rounds/0001` and so on. A search is deterministic, so one that was
stopped asks for the same rounds again: those that were played are read, the one that was broken off is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from battlesim.batch.driver import drive
from battlesim.batch.lists import GameRequest, plan_of, resolve_games, rows_of
from battlesim.batch.rows import GameRow
from battlesim.batch.settings import Bounds
from battlesim.core.errors import Fault, InputError
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RunFolder
from battlesim.stress.designs import Point
from battlesim.stress.points import Varied
from battlesim.stress.responses import RESPONSES

ROUNDS = "rounds"
ALSO = ("turns", "decided", "lead_changes", "lost0", "lost1", "inside")
"""Responses that are told beside the share."""
Results = Mapping[str, NDArray[np.float64]]
"""Responses of games at one point, by seed."""


class Field(Protocol):
    """Where points are played."""

    played: int

    def play(self, wanted: Sequence[tuple[Point, int, int]]) -> list[Results]:
        """The games of some points, each (point, first seed, how many)."""
        ...

    def is_sound(self, point: Point) -> bool:
        """Whether a point can be played."""
        ...


class Arena:
    """Plays points of a varied scenario. `folder`: of the search. `told`: called with the games played so far."""

    def __init__(
        self,
        varied: Varied,
        executor: Executor,
        folder: Path,
        limits: Bounds | None = None,
        told: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.varied = varied
        self.played = 0
        self.faults: dict[Point, InputError] = {}
        self._executor, self._folder, self._limits, self._told = executor, folder, limits, told
        self._round = 0

    def is_sound(self, point: Point) -> bool:
        """Whether a point is a sound scenario; `faults` says why one is not."""
        try:
            self.varied.scenario_at(point)
        except InputError as error:
            self.faults[point] = error
        return point not in self.faults

    def play(self, wanted: Sequence[tuple[Point, int, int]]) -> list[Results]:
        """The games of some points, each (point, first seed, how many), played in one round."""
        games: list[GameRequest] = []
        known: dict[str, str] = {}
        for point, first, count in wanted:
            ground = self.varied.scenario_at(point)
            name = known.setdefault(ground.digest, f"{self.varied.scenario.name}.{len(known) + 1}")
            agents = self.varied.agents_at(point)
            games += [
                GameRequest(ground, agents, first + number, name, round=number) for number in range(count)
            ]
        rows = iter(self._rows(games))
        self.played += len(games)
        found: list[Results] = []
        for _, _, count in wanted:
            mine = [next(rows) for _ in range(count)]
            found.append({name: np.array([_value(row, name) for row in mine]) for name in ("share", *ALSO)})
        return found

    def _rows(self, games: Sequence[GameRequest]) -> list[GameRow]:
        self._round += 1
        path = self._folder / ROUNDS / f"{self._round:04d}"
        resolved = resolve_games(f"round {self._round}", games, self._limits, measures=True)
        if path.exists():
            run = RunFolder(path)
            if plan_of(run).resolved.identity != resolved.identity:
                what = "this search was begun with another program, scenario or settings"
                raise InputError(Fault(what, "begin a new one: give another --out", str(path)))
        else:
            run = RunFolder.create(path, msgspec.to_builtins(resolved), b"{}\n", ".json")
        plan = plan_of(run)
        before = self.played
        drive(run, plan, self._executor, shown=lambda there, _: self._told(before + there))
        rows = sorted(rows_of(run, plan), key=lambda row: row.number)
        if len(rows) != len(games):
            raise InputError(
                Fault("a round of the search is not whole", "go on with it: --resume", str(path))
            )
        return rows


def _value(row: GameRow, name: str) -> float:
    return float("nan") if row.measures is None else RESPONSES[name].of(row, row.measures)
