"""Points of a design played on request, for searches in which earlier results decide which point to play next. Read `Arena.play`.
`batch.rounds` says how they are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from battlesim.batch.blame import Failures
from battlesim.batch.lists import GameRequest
from battlesim.batch.rounds import Rounds
from battlesim.batch.rows import GameRow
from battlesim.batch.settings import Bounds
from battlesim.core.errors import InputError
from battlesim.jobs.executor import Executor
from battlesim.stress.designs import Point
from battlesim.stress.points import Varied
from battlesim.stress.responses import RESPONSES

ALSO = ("turns", "decided", "lead_changes", "lost0", "lost1", "inside")
"""Responses that are reported beside the share."""
Results = Mapping[str, NDArray[np.float64]]
"""Responses of games at one point, by seed."""


class Field(Protocol):
    """Where points are played."""

    @property
    def played(self) -> int:
        """Games played so far."""
        ...

    def play(self, wanted: Sequence[tuple[Point, int, int]]) -> list[Results]:
        """The games of some points, each (point, first seed, how many)."""
        ...

    def is_sound(self, point: Point) -> bool:
        """Whether a point can be played."""
        ...

    def why_not(self, point: Point) -> str:
        """Why a point cannot be played: its first fault, empty if there is none."""
        ...


class Arena:
    """Plays points of a varied scenario. `folder`: of the search. `told`: called with the games played so far. `failures`: what
    agents lost by their own failure."""

    def __init__(
        self,
        varied: Varied,
        executor: Executor,
        folder: Path,
        limits: Bounds | None = None,
        told: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.varied = varied
        self.faults: dict[Point, InputError] = {}
        self.failures = Failures()
        self._rounds = Rounds(executor, folder, limits, told)

    @property
    def played(self) -> int:
        """Games played so far."""
        return self._rounds.played

    def is_sound(self, point: Point) -> bool:
        """Whether a point is a valid scenario; `faults` says why one is not."""
        try:
            self.varied.scenario_at(point)
        except InputError as error:
            self.faults[point] = error
        return point not in self.faults

    def why_not(self, point: Point) -> str:
        """The first fault of a point that was found to be no valid scenario; empty for any other."""
        return self.faults[point].faults[0].what if point in self.faults else ""

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
        rows = iter(self.failures.watch(self._rounds.play(games)))
        found: list[Results] = []
        for _, _, count in wanted:
            mine = [next(rows) for _ in range(count)]
            found.append({name: np.array([_value(row, name) for row in mine]) for name in ("share", *ALSO)})
        return found


def _value(row: GameRow, name: str) -> float:
    return float("nan") if row.measures is None else RESPONSES[name].of(row, row.measures)
