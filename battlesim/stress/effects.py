"""What each factor does: main effects with intervals. Read `analyse`.

All points are played under the same seeds, so each seed is a small experiment of its own: it gives one estimate of every effect.
The estimate of the run is the mean over the seeds, and its interval is Student's over the seeds. What the seeds share (the same
dice at every point) is thereby taken out of it.

- Designs of levels (factorial, one-at-a-time, list): the effect of a level is the mean difference to the factor's first level,
  over all pairs of points that differ in that factor alone.
- Designs that sample (latin-hypercube, sobol): the effects are those of a linear model fitted to all points. For a range it is
  the change from its least to its most; for a level, the change from the first level.

Where many effects are looked at, some seem to be there by luck. `holm` is the p-value after Holm's correction over all effects
on one response: where no factor matters, it is below 0.05 for any of them in one run of twenty at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats

from battlesim.batch.rows import GameRow
from battlesim.stress.config import SAMPLED
from battlesim.stress.plan import Design
from battlesim.stress.responses import RESPONSES, Response

Values = NDArray[np.float64]
"""A response by point (rows) and seed (columns); nan where the game is not there."""


class LevelMean(Struct, frozen=True):
    """The mean of a response at one level of a factor, over all points there, with its 95% interval."""

    factor: str
    level: Any
    games: int
    mean: float
    low: float
    high: float


class Effect(Struct, frozen=True):
    """What a factor does to a response.

    `level`: compared with the factor's first; None: from the least to the most of its range. `change` with its 95% interval.
    `p`: of no change; `holm`: the same corrected for all effects on the response. `saved`: how many times more games would have
    been needed for the same interval had every point dice of its own; nan where that is not known.
    """

    factor: str
    level: Any
    change: float
    low: float
    high: float
    p: float
    holm: float
    saved: float


class ResponseFound(Struct, frozen=True):
    """What was found of one response: its mean over all games, the means by level, the effects."""

    response: str
    meaning: str
    mean: float
    levels: tuple[LevelMean, ...]
    effects: tuple[Effect, ...]


class StressFound(Struct, frozen=True):
    """What a run came to. `broken`: games that broke off and are left out; `untried`: what this design cannot see."""

    games: int
    broken: int
    responses: tuple[ResponseFound, ...]
    untried: str


def analyse(
    design: Design, rows: Iterable[GameRow], responses: Mapping[str, Response] = RESPONSES
) -> StressFound:
    """The effects of every factor on some responses."""
    names = list(responses)
    shape = (len(design.points), design.games)
    values = {name: np.full(shape, np.nan) for name in names}
    games = broken = 0
    for row in rows:
        games += 1
        if row.measures is None:
            broken += 1
            continue
        for name in names:
            values[name][divmod(row.number, design.games)] = responses[name].of(row, row.measures)
    found = tuple(response_of(design, name, values[name], responses[name].meaning) for name in names)
    sampled = design.design in SAMPLED
    untried = (
        "effects of two factors together" if design.design in ("one-at-a-time", "list") or sampled else ""
    )
    return StressFound(games, broken, found, untried)


def response_of(design: Design, name: str, values: Values, meaning: str = "") -> ResponseFound:
    """What was found of one response, whose values are given by point and seed."""
    effects = _sampled_effects(design, values) if design.design in SAMPLED else _level_effects(design, values)
    mean = float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")
    return ResponseFound(name, meaning, mean, tuple(_level_means(design, values)), tuple(_corrected(effects)))


def _level_means(design: Design, values: Values) -> Iterable[LevelMean]:
    """Means by level; none for factors that take many values."""
    for number, factor in enumerate(design.factors):
        levels = list(dict.fromkeys(point[number] for point in design.points))
        if len(levels) > 20:
            continue
        for level in levels:
            here = values[[point[number] == level for point in design.points]]
            seeds = np.array([float(np.nanmean(column)) for column in here.T if np.isfinite(column).any()])
            mean, low, high, _ = _interval(seeds)
            yield LevelMean(factor, level, int(np.isfinite(here).sum()), mean, low, high)


def _level_effects(design: Design, values: Values) -> list[Effect]:
    found = []
    for number, factor in enumerate(design.factors):
        groups: dict[Any, dict[Any, int]] = defaultdict(dict)
        for place, point in enumerate(design.points):
            groups[(*point[:number], *point[number + 1 :])][point[number]] = place
        first = design.points[0][number]
        for level in dict.fromkeys(point[number] for point in design.points):
            pairs = [
                (group[first], group[level]) for group in groups.values() if first in group and level in group
            ]
            if level != first and pairs:
                found.append(_paired(factor, level, values, pairs))
    return found


def _paired(factor: str, level: Any, values: Values, pairs: Sequence[tuple[int, int]]) -> Effect:
    """The mean difference over pairs of points, by seed."""
    before, after = values[[a for a, _ in pairs]], values[[b for _, b in pairs]]
    both = np.isfinite(before) & np.isfinite(after)
    change = np.where(both, after - before, np.nan)
    seeds = np.array([float(np.nanmean(column)) for column in change.T if np.isfinite(column).any()])
    mean, low, high, p = _interval(seeds)
    together = float(np.var(seeds)) * len(pairs) if both.all() else 0.0
    saved = float(np.mean(np.var(before, 1) + np.var(after, 1))) / together if together > 0 else float("nan")
    return Effect(factor, level, mean, low, high, p, p, saved)


def _sampled_effects(design: Design, values: Values) -> list[Effect]:
    """Effects of a linear model, fitted seed by seed."""
    names: list[tuple[str, Any]] = []
    columns: list[list[float]] = []
    for number, factor in enumerate(design.factors):
        taken = [point[number] for point in design.points]
        levels = list(dict.fromkeys(taken))
        if len(levels) > 20 and all(isinstance(level, (int, float)) for level in levels):
            numbers = [float(level) for level in taken if isinstance(level, (int, float))]
            least, most = min(numbers), max(numbers)
            names.append((factor, None))
            columns.append([(value - least) / (most - least) for value in numbers])
        else:
            for level in sorted(levels, key=str)[1:]:
                names.append((factor, level))
                columns.append([float(value == level) for value in taken])
    matrix = np.column_stack([np.ones(len(design.points)), *columns])
    slopes = []
    for column in values.T:
        there = np.isfinite(column)
        if there.sum() > matrix.shape[1]:
            slopes.append(np.linalg.lstsq(matrix[there], column[there], rcond=None)[0][1:])
    found = []
    for place, (factor, level) in enumerate(names):
        mean, low, high, p = _interval(np.array([slope[place] for slope in slopes]))
        found.append(Effect(factor, level, mean, low, high, p, p, float("nan")))
    return found


def _interval(seeds: Values) -> tuple[float, float, float, float]:
    """Mean, Student's 95% interval and p-value of a mean of 0, of one number a seed."""
    count = len(seeds)
    if count == 0:
        return float("nan"), float("nan"), float("nan"), 1.0
    mean = float(np.mean(seeds))
    if count == 1:
        return mean, float("-inf"), float("inf"), 1.0
    error = float(np.std(seeds, ddof=1)) / sqrt(count)
    if error == 0:
        return mean, mean, mean, 1.0 if mean == 0 else 0.0
    wide = float(stats.t.ppf(0.975, count - 1)) * error
    p = 2 * float(stats.t.sf(abs(mean) / error, count - 1))
    return mean, mean - wide, mean + wide, p


def _corrected(effects: Sequence[Effect]) -> Iterable[Effect]:
    """The effects with their p-values corrected after Holm."""
    order = sorted(range(len(effects)), key=lambda number: effects[number].p)
    most, corrected = 0.0, [0.0] * len(effects)
    for rank, number in enumerate(order):
        most = max(most, min(1.0, effects[number].p * (len(effects) - rank)))
        corrected[number] = most
    for effect, holm in zip(effects, corrected, strict=True):
        yield Effect(
            effect.factor, effect.level, effect.change, effect.low, effect.high, effect.p, holm, effect.saved
        )


def lines(design: Design, found: StressFound, names: Mapping[str, str] | None = None) -> Iterable[str]:
    """What a run came to, as text."""
    yield f"{design.scenario}: {len(design.points)} points, {found.games} games; the first side is {design.sides[0]}"
    if found.broken:
        yield f"{found.broken} games broke off and are left out"
    for response in found.responses:
        moved = [effect for effect in response.effects if effect.holm < 0.05]
        if response.response not in ("share", "margin") and not moved:
            continue
        yield ""
        yield f"{response.response} ({response.meaning}), {response.mean:.3g} over all games"
        for effect in response.effects:
            what = "over its range" if effect.level is None else f"= {effect.level}"
            sure = "" if effect.holm < 0.05 else "   not told from none"
            yield f"  {effect.factor} {what:<16} {effect.change:+.3f} [{effect.low:+.3f}, {effect.high:+.3f}]{sure}"
    still = [
        response.response
        for response in found.responses
        if response.response not in ("share", "margin")
        and all(effect.holm >= 0.05 for effect in response.effects)
    ]
    if still:
        yield ""
        yield f"no effect told from none on: {', '.join(still)}"
    if found.untried:
        yield f"not seen by this design: {found.untried}"
