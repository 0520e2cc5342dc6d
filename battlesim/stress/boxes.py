"""Which side does well in which part of the space of factors, in words. Read `boxes_of`.

A regression tree (scikit-learn) divides the points into boxes. It is grown on half of the dice, with the number of leaves that
best predicts held-out games. Its boxes are measured on the other half, so that a box does not look good by the luck with which it
was found.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from battlesim.stress.curves import at_words
from battlesim.stress.intervals import Values, mean_of, means, within
from battlesim.stress.plan import Design

LEAVES = 8
"""The most leaves of the tree that boxes are read from."""
SHARE = 0.05
"""The least share of the points in a box."""


class Box(Struct, frozen=True):
    """A part of the space: its limits in words, the mean of the response with its 95% interval on dice that did not choose the
    box, its share of the points, and its number of games."""

    words: str
    mean: float
    low: float
    high: float
    space: float
    games: int


class _Column(Struct, frozen=True):
    """A column of the tree: a numeric factor, or whether a factor is at a level."""

    factor: int
    level: Any
    numbers: bool


def boxes_of(design: Design, values: Values) -> list[Box]:
    """The boxes, the best first; a single box is the whole space, which nothing divides."""
    found_by, told_by = halves(values)
    at, words = parts_of(design, found_by)
    found = []
    for leaf, text in words.items():
        here = told_by[at == leaf]
        mean = mean_of(here, (0.0, 1.0))
        low, high = within(mean.interval, 0.0, 1.0)
        games = int(np.isfinite(here).sum())
        if games:
            found.append(Box(text, mean.value, low, high, float(np.mean(at == leaf)), games))
    return sorted(found, key=lambda box: -box.mean)


def parts_of(design: Design, found_by: Values) -> tuple[NDArray[np.int_], dict[int, str]]:
    """The part of the space that each point lies in, by number, and the parts in words."""
    from sklearn.tree import DecisionTreeRegressor

    points = len(found_by)
    columns, matrix = _matrix(design)
    # The luck of a seed that is the same at every point says nothing about the points.
    found_by = found_by - means(found_by, 0)[None, :]
    y = means(found_by, 1)
    there = np.isfinite(y)
    if there.sum() < 4:
        return np.zeros(points, int), {0: ""}
    least = max(1, int(np.ceil(SHARE * points)))
    leaves = _leaves(matrix[there], found_by[there], least)
    words = {0: ""}
    at = np.zeros(points, int)
    if leaves > 1:
        tree = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=least, random_state=0)
        tree.fit(matrix[there], y[there])
        at = tree.apply(matrix)
        words = _paths(tree.tree_, columns, design)
    return at, words


def halves(values: Values) -> tuple[Values, Values]:
    """The games that find boxes, and those that measure them: half of the seeds each, or with one seed every second point. Seeds
    without a game do not count: a part of a run may have every second seed alone."""
    values = values[:, np.isfinite(values).any(0)]
    if values.shape[1] >= 2:
        half = np.arange(values.shape[1]) % 2 == 0
        return values[:, half], values[:, ~half]
    half = np.arange(values.shape[0]) % 2 == 0
    return np.where(half[:, None], values, np.nan), np.where(half[:, None], np.nan, values)


def _matrix(design: Design) -> tuple[list[_Column], NDArray[np.float64]]:
    columns: list[_Column] = []
    cells: list[list[float]] = []
    for number in range(len(design.factors)):
        taken = [point[number] for point in design.points]
        levels = design.levels_of(number)
        numbers = all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in levels)
        if numbers:
            columns.append(_Column(number, None, True))
            cells.append([float(value) for value in taken if isinstance(value, (int, float))])
        else:
            for level in levels[1:] if len(levels) == 2 else levels:
                columns.append(_Column(number, level, False))
                cells.append([float(value == level) for value in taken])
    return columns, np.array(cells).T


def _leaves(matrix: NDArray[np.float64], values: Values, least: int) -> int:
    """How many leaves predict held-out games best: other dice if there are any, else other points."""
    from sklearn.tree import DecisionTreeRegressor

    points, seeds = values.shape
    folds: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    rank = np.random.default_rng(0).permutation(points)
    for fold in range(4):
        by_seed = np.arange(seeds) % 4 == fold if seeds >= 4 else np.zeros(seeds, bool)
        by_point = rank % 4 == fold if points >= 32 else np.zeros(points, bool)
        if not by_seed.any() and not by_point.any():
            return 1
        kept = values[:, ~by_seed] if by_seed.any() else values
        out = values[:, by_seed] if by_seed.any() else values
        train = np.where(by_point, np.nan, means(kept, 1))
        test = np.where(by_point, means(out, 1), np.nan) if by_point.any() else means(out, 1)
        if np.isfinite(train).any() and np.isfinite(test).any():
            folds.append((train, test))
    if len(folds) < 2:
        return 1
    errors = []
    for leaves in range(1, LEAVES + 1):
        misses = []
        for train, test in folds:
            known, asked = np.isfinite(train), np.isfinite(test)
            if leaves == 1:
                told = np.full(int(asked.sum()), float(np.mean(train[known])))
            else:
                tree = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=least, random_state=0)
                told = tree.fit(matrix[known], train[known]).predict(matrix[asked])
            misses.append(float(np.mean((test[asked] - told) ** 2)))
        errors.append(misses)
    means_of = [float(np.mean(misses)) for misses in errors]
    best = int(np.argmin(means_of))
    # The fewest leaves that are not clearly worse than the best: within one standard error of it, fold by fold.
    apart = [np.array(misses) - np.array(errors[best]) for misses in errors]
    return next(at for at, gap in enumerate(apart) if gap.mean() <= gap.std(ddof=1) / np.sqrt(len(gap))) + 1


def _paths(tree: Any, columns: list[_Column], design: Design) -> dict[int, str]:
    """The words of each leaf of a tree, by its number."""
    found: dict[int, str] = {}
    full = {number: design.levels_of(number) for number in range(len(design.factors))}

    def go(node: int, left: dict[int, list[Any]]) -> None:
        feature = tree.feature[node]
        if feature < 0:
            found[node] = " and ".join(
                limit_words(design.factors[number], *_there(design, number, kept, full[number]))
                for number, kept in left.items()
                if len(kept) < len(full[number])
            )
            return
        column, limit = columns[feature], tree.threshold[node]
        kept = left[column.factor]
        if column.numbers:
            below = [level for level in kept if level <= limit]
        else:
            below = [level for level in kept if level != column.level]
        above = [level for level in kept if level not in below]
        go(tree.children_left[node], {**left, column.factor: below})
        go(tree.children_right[node], {**left, column.factor: above})

    go(0, {number: list(levels) for number, levels in full.items()})
    return found


def _there(design: Design, factor: int, kept: list[Any], levels: list[Any]) -> tuple[list[Any], list[Any]]:
    """Levels; for a named thing that is added or not, true and false: `without a section more`."""
    added = design.paths[factor][0].endswith("[+]") and set(levels) == {0, 1}
    if not added or design.factors[factor] == design.paths[factor][0]:
        return kept, levels
    return [bool(level) for level in kept], [False, True]


def limit_words(factor: str, kept: list[Any], levels: list[Any]) -> str:
    """The levels of a factor that a box holds, in words."""
    if not kept:
        return f"{factor} at none of its levels"
    numbers = all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in levels)
    if set(levels) == {True, False} and not numbers:
        return at_words(factor, kept[0])
    if numbers and len(levels) > 2:
        if kept[0] == levels[0]:
            return f"{factor} at most {_shown(kept[-1])}"
        if kept[-1] == levels[-1]:
            return f"{factor} {_shown(kept[0])} or more"
        several = f" to {_shown(kept[-1])}" if len(kept) > 1 else ""
        return f"{factor} {_shown(kept[0])}{several}"
    if len(kept) > len(levels) // 2 + 1 and len(levels) > 3:
        return f"{factor} not {' or '.join(_shown(level) for level in levels if level not in kept)}"
    return f"{factor} {' or '.join(map(_shown, kept))}"


def _shown(level: Any) -> str:
    if isinstance(level, bool):
        return "true" if level else "false"
    return f"{level:.4g}" if isinstance(level, float) else "as it is" if level is None else str(level)
