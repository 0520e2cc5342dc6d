"""Where the share crosses a value along one factor, or two. Read `Frontier.run`.

The log odds of the first side are taken to be linear in the factors and their product. Games are played where they tell most
about the crossing: first over the whole range, then repeatedly near where the curve crosses. The band is the middle 95% of the
crossings of 400 resamplings of the seeds. `misfit` is the p-value of the model against the shares seen level by level: if it is
small, the curve is not that simple, and the levels themselves say more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, log, sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats

from battlesim.batch.blame import Blame
from battlesim.core.errors import Fault, InputError
from battlesim.core.sums import summed
from battlesim.stress.arena import Field
from battlesim.stress.change import Knob
from battlesim.stress.designs import Point
from battlesim.stress.logistic import chance, fit

FIRST = 16
"""Games at each level that is looked at first."""
AGAIN = 24
"""Games at each level near the crossing, each time that it is looked for again."""
ROWS = 6
"""The most levels of a second factor at which the crossing is searched."""
SAMPLES = 400
"""Bootstrap samples for the interval of a crossing."""


class Crossing(Struct, frozen=True):
    """Where the share crosses the target along the first factor: at one level of the second (None without one). `value` with its
    band; if it lies outside the range played, `value` is null and `beyond` says on which side: "below", "above", or "nowhere" if
    that is not known. "unplayed": no game at this level of the second has a result. "bent": the share was clearly on both sides
    of the target, yet no rising or falling curve crosses it."""

    level: Any
    value: float | None
    low: float | None
    high: float | None
    beyond: str = ""


class Seen(Struct, frozen=True):
    """The share seen at a level of each factor."""

    levels: tuple[Any, ...]
    share: float
    games: int


class FrontierFound(Struct, frozen=True):
    """The results: the factors, the target, the crossings, the shares seen, and how well the model fits. `blame`: what agents
    lost by their own failure."""

    factors: tuple[str, ...]
    target: float
    crossings: tuple[Crossing, ...]
    seen: tuple[Seen, ...]
    misfit: float
    games: int
    blame: tuple[Blame, ...] = ()


class Frontier:
    """A search for where the share crosses a target. `knobs`: one numeric factor, and perhaps a second factor."""

    def __init__(
        self,
        field: Field,
        knobs: Sequence[Knob],
        target: float = 0.5,
        seed: int = 1,
        most: int = 2000,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.field, self.knobs, self.target, self.seed, self.most, self.say = (
            field,
            list(knobs),
            target,
            seed,
            most,
            say,
        )
        if len(knobs) not in (1, 2):
            raise InputError(Fault(f"{len(knobs)} factors have no line", "give one factor, or two"))
        first = [
            level
            for level in knobs[0].levels
            if isinstance(level, (int, float)) and not isinstance(level, bool)
        ]
        if len(first) < 3 or len(first) < len(knobs[0].levels):
            what = f"the first factor, {knobs[0].name}, has not three levels that are numbers"
            raise InputError(Fault(what, "give a range: turns=4..10"))
        self.across = sorted(first)
        self.rows = _some(knobs[1].levels, ROWS) if len(knobs) == 2 else [None]
        self.seen: dict[Point, list[float]] = {}
        """By point, the share in the game of each seed, from the first on; nan for games that broke off."""

    def run(self) -> FrontierFound:
        """Play, and find the crossings. Raises InputError if no game of the first look over the whole range has a result."""
        self.say("the whole range")
        middle = self.across[len(self.across) // 2]
        self._look(
            (across, row, FIRST) for row in self.rows for across in (self.across[0], middle, self.across[-1])
        )
        if not self._totals():
            what = f"no game along {self.knobs[0].name} has a result: levels are not valid, or all games broke off"
            raise InputError(Fault(what, "give other levels, or look for what the agents do wrong"))
        while self.field.played + 3 * len(self.rows) * AGAIN <= self.most:
            self.say("near the crossing")
            before = self.field.played
            self._look((across, row, AGAIN) for row in self.rows for across in self._near(row))
            if self.field.played == before:
                break
        return self._told()

    def _point(self, across: Any, row: Any) -> Point:
        return (across,) if len(self.knobs) == 1 else (across, row)

    def _look(self, wanted: Any) -> None:
        asked: dict[Point, tuple[Point, int, int]] = {}
        for across, row, games in wanted:
            point = self._point(across, row)
            if self.field.is_sound(point):
                there = len(self.seen.get(point, ()))
                asked[point] = (point, self.seed + there, games)
        if not asked:
            return
        for point, found in zip(asked, self.field.play(list(asked.values())), strict=True):
            self.seen.setdefault(point, []).extend(float(share) for share in found["share"])

    def _known(self, point: Point) -> list[float]:
        """The shares in the games of a point that have a result."""
        return [share for share in self.seen.get(point, ()) if isfinite(share)]

    def _totals(self) -> dict[Point, tuple[float, float]]:
        """By point: the sum of the shares, and the games with a result; without points that have none."""
        known = {point: self._known(point) for point in self.seen}
        return {point: (summed(shares), float(len(shares))) for point, shares in known.items() if shares}

    def _near(self, row: Any) -> list[Any]:
        """The levels next to where the curve crosses, one on either side; if it does not cross, the nearer end and the middle."""
        beta = self._fit(self._totals())
        at = self._crossing(beta, row)
        middle = self.across[len(self.across) // 2]
        if not isfinite(at):
            return [self.across[0], middle, self.across[-1]]
        if not self.across[0] <= at <= self.across[-1]:
            return [self.across[0] if at < self.across[0] else self.across[-1], middle]
        below = [level for level in self.across if level <= at]
        above = [level for level in self.across if level > at]
        return [*below[-1:], *above[:1]]

    # ---- the model

    def _columns(self, points: Sequence[Point]) -> NDArray[np.float64]:
        low, wide = self.across[0], self.across[-1] - self.across[0]
        x = np.array([(float(point[0] or 0) - low) / wide for point in points])
        if len(self.knobs) == 1:
            return np.column_stack([np.ones(len(x)), x])
        if all(isinstance(row, (int, float)) and not isinstance(row, bool) for row in self.rows):
            first, spread = min(self.rows), (max(self.rows) - min(self.rows)) or 1
            y = np.array([(float(point[1] or 0) - first) / spread for point in points])
            return np.column_stack([np.ones(len(x)), x, y, x * y])
        marks = [np.array([float(point[1] == row) for point in points]) for row in self.rows[1:]]
        return np.column_stack([np.ones(len(x)), x, *marks, *(mark * x for mark in marks)])

    def _fit(self, seen: dict[Point, tuple[float, float]]) -> NDArray[np.float64]:
        points = list(seen)
        won, games = (np.array([seen[point][place] for point in points]) for place in (0, 1))
        return fit(self._columns(points), won, games)

    def _crossing(self, beta: NDArray[np.float64], row: Any) -> float:
        """Where the curve at a row crosses the target, in the factor's own numbers; it may lie far outside."""
        ends = self._columns([self._point(self.across[0], row), self._point(self.across[-1], row)]) @ beta
        goal = log(self.target / (1 - self.target))
        if abs(ends[1] - ends[0]) < 1e-6:
            return float("nan")
        share = (goal - ends[0]) / (ends[1] - ends[0])
        return float(self.across[0] + share * (self.across[-1] - self.across[0]))

    def _told(self) -> FrontierFound:
        whole = self._totals()
        beta = self._fit(whole)
        samples = self._resampled()
        played = [
            row for row in self.rows if any(self._point(across, row) in whole for across in self.across)
        ]
        crossings = tuple(
            self._row(beta, samples, row) if row in played else Crossing(row, None, None, None, "unplayed")
            for row in self.rows
        )
        seen = tuple(
            Seen(tuple(point), won / games, int(games))
            for point, (won, games) in sorted(whole.items(), key=lambda item: str(item[0]))
        )
        names = tuple(knob.name for knob in self.knobs)
        return FrontierFound(
            names, self.target, crossings, seen, self._misfit(beta, whole), self.field.played
        )

    def _resampled(self) -> list[NDArray[np.float64]]:
        """The coefficients by `SAMPLES` resamplings of the seeds: a seed is drawn for all points together, since they share its
        dice (bootstrap)."""
        chances = np.random.default_rng(self.seed % 2**32)
        most = max(len(shares) for shares in self.seen.values())
        table = [(point, np.array(shares)) for point, shares in self.seen.items()]
        samples = []
        for _ in range(SAMPLES):
            drawn = np.bincount(chances.integers(0, most, most), minlength=most).astype(float)
            resampled = {}
            for point, shares in table:
                there = np.isfinite(shares)
                weight = drawn[: len(shares)][there]
                if weight.sum():
                    resampled[point] = (float(weight @ shares[there]), float(weight.sum()))
            if resampled:
                samples.append(self._fit(resampled))
        return samples

    def _row(self, beta: NDArray[np.float64], samples: Sequence[NDArray[np.float64]], row: Any) -> Crossing:
        value = self._crossing(beta, row)
        found = np.array([self._crossing(sample, row) for sample in samples])
        found = found[np.isfinite(found)]
        low, high = np.quantile(found, [0.025, 0.975]) if len(found) else (float("nan"),) * 2
        ends = self.across[0], self.across[-1]
        if not isfinite(value) or not ends[0] <= value <= ends[1]:
            below, above = float(np.mean(found < ends[0])), float(np.mean(found > ends[1]))
            if self._is_bent(row):
                return Crossing(row, None, None, None, "bent")
            beyond = "below" if below > 0.9 else "above" if above > 0.9 else "nowhere"
            return Crossing(row, None, None, None, beyond)
        return Crossing(row, value, max(float(low), float(ends[0])), min(float(high), float(ends[1])))

    def _is_bent(self, row: Any) -> bool:
        """Whether levels of a row were clearly on both sides of the target."""
        sides = set()
        for across in self.across:
            shares = self._known(self._point(across, row))
            if len(shares) >= FIRST:
                off, error = float(np.mean(shares)) - self.target, 0.5 / sqrt(len(shares))
                sides |= {off > 0} if abs(off) > 2 * error else set()
        return len(sides) == 2

    def _misfit(self, beta: NDArray[np.float64], seen: dict[Point, tuple[float, float]]) -> float:
        points = [point for point, (_, games) in seen.items() if games >= 5]
        free = len(points) - len(beta)
        if free < 1:
            return float("nan")
        won, games = (np.array([seen[point][place] for point in points]) for place in (0, 1))
        told = np.clip(chance(self._columns(points), beta), 0.02, 0.98)
        square = float((((won / games - told) ** 2) * games / (told * (1 - told))).sum())
        return float(stats.chi2.sf(square, free))


def _some(levels: Sequence[Any], most: int) -> list[Any]:
    """Some of many levels, evenly spaced, including both ends."""
    if len(levels) <= most:
        return list(levels)
    return [levels[round(place * (len(levels) - 1) / (most - 1))] for place in range(most)]
