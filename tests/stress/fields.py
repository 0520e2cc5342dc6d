"""Made-up fields, whose truth is known, and a factor that several searches on them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np

from battlesim.stress.arena import ALSO, Results
from battlesim.stress.change import Knob
from battlesim.stress.designs import Point

TURNS = Knob("turns", 6, tuple(range(3, 13)), True)


class MadeUp:
    """A field where the first side's log odds at a point are known. Half of the dice are the same at every point."""

    def __init__(self, odds: Callable[[Point], float], bad: Sequence[Point] = ()) -> None:
        self.odds, self.bad, self.played = odds, bad, 0
        self.first: list[int] = []

    def is_sound(self, point: Point) -> bool:
        return point not in self.bad

    def why_not(self, point: Point) -> str:
        return "no room" if 2 in point else ""

    def play(self, wanted: Sequence[tuple[Point, int, int]]) -> list[Results]:
        return [self._games(point, first, count) for point, first, count in wanted]

    def _games(self, point: Point, first: int, count: int) -> Mapping[str, Any]:
        assert self.is_sound(point)
        self.played += count
        self.first.append(first)
        won = []
        for seed in range(first, first + count):
            common = np.random.default_rng(seed)
            mine = np.random.default_rng([seed, crc32(str(point).encode())])
            drawn = common.random() if common.random() < 0.5 else mine.random()
            won.append(float(drawn < 1 / (1 + np.exp(-self.odds(point)))))
        length = np.full(count, 6.0 - (point[0] or 0) if isinstance(point[0], int) else 6.0)
        return {"share": np.array(won), **dict.fromkeys(ALSO, np.ones(count)), "turns": length}


class Breaking(MadeUp):
    """A field in which the games of every `every`-th seed break off; it keeps which seeds were played at each point."""

    def __init__(self, odds: Callable[[Point], float], every: int) -> None:
        super().__init__(odds)
        self.every = every
        self.seeds: dict[Point, list[int]] = {}

    def _games(self, point: Point, first: int, count: int) -> Mapping[str, Any]:
        seeds = range(first, first + count)
        self.seeds.setdefault(point, []).extend(seeds)
        found = super()._games(point, first, count)
        broke = [seed % self.every == 0 for seed in seeds]
        return {**found, "share": np.where(broke, np.nan, found["share"])}
