"""How a response varies along one factor, and along two. Read `curve_of` and `grid_of`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from battlesim.stress.intervals import UNBOUNDED, Values, mean_of, within
from battlesim.stress.model import MANY
from battlesim.stress.plan import Design

BINS = 8
"""Parts that the range of a factor is cut into for its curve."""
ACROSS = 6
"""Steps of a range in a grid of two factors."""


class CurvePoint(Struct, frozen=True):
    """The mean of a response over all points at one level of a factor, or in one part of its range (`level` is then [least,
    most]), with its 95% interval. `at`: the middle, for numbers."""

    factor: str
    level: Any
    at: float | None
    games: int
    mean: float
    low: float
    high: float


class Grid(Struct, frozen=True):
    """Means of a response over two factors: `means[row][column]`; null where no point lies."""

    down: str
    across: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    means: tuple[tuple[float | None, ...], ...]
    games: tuple[tuple[int, ...], ...]


def curve_of(
    design: Design, factor: int, values: Values, bounds: tuple[float, float] = UNBOUNDED
) -> list[CurvePoint]:
    """A response along one factor. `bounds`: of its means."""
    found = []
    for level, here in _parts(design, factor, BINS):
        part = values[here]
        mean = mean_of(part, bounds)
        low, high = within(mean.interval, *bounds)
        games = int(np.isfinite(part).sum())
        found.append(CurvePoint(design.factors[factor], level, _middle(level), games, mean.value, low, high))
    return found


def grid_of(design: Design, down: int, across: int, values: Values) -> Grid:
    """A response along two factors."""
    rows, columns = _parts(design, down, ACROSS), _parts(design, across, ACROSS)
    cells = [[values[here & there] for _, there in columns] for _, here in rows]
    known = [[np.isfinite(cell) for cell in row] for row in cells]
    return Grid(
        design.factors[down],
        design.factors[across],
        tuple(level for level, _ in rows),
        tuple(level for level, _ in columns),
        tuple(
            tuple(
                float(cell[there].mean()) if there.any() else None for cell, there in zip(row, k, strict=True)
            )
            for row, k in zip(cells, known, strict=True)
        ),
        tuple(tuple(int(there.sum()) for there in row) for row in known),
    )


def _parts(design: Design, factor: int, bins: int) -> list[tuple[Any, NDArray[np.bool_]]]:
    """The levels of a factor, or the parts of its range if there are many, with the points that lie there."""
    taken = [point[factor] for point in design.points]
    levels = design.levels_of(factor)
    if len(levels) <= min(MANY, 2 * bins) or not all(isinstance(level, (int, float)) for level in levels):
        return [(level, np.array([value == level for value in taken])) for level in levels]
    numbers = np.array([float(value) for value in taken if isinstance(value, (int, float))])
    limits = np.unique(np.quantile(numbers, np.linspace(0, 1, bins + 1)))
    at = np.clip(np.searchsorted(limits, numbers, side="right") - 1, 0, len(limits) - 2)
    parts = [(at == number) for number in range(len(limits) - 1)]
    return [
        ((_round(numbers[here].min()), _round(numbers[here].max())), here) for here in parts if here.any()
    ]


def _round(number: float) -> float:
    return float(f"{number:.4g}")


def _middle(level: Any) -> float | None:
    if isinstance(level, tuple):
        return (float(level[0]) + float(level[1])) / 2
    if isinstance(level, (int, float)) and not isinstance(level, bool):
        return float(level)
    return None


def at_words(factor: str, level: Any) -> str:
    """A factor at a level: `turns = 8`, `without the tank`, `walls = brick`."""
    name = factor.removesuffix(".present")
    if isinstance(level, bool) and (name != factor or not set(factor) & set(".[=")):
        return f"with {name}" if level else f"without {name}"
    return f"{factor} = {level_words(level)}"


def level_words(level: Any) -> str:
    """A level, or a part of a range, as shown to users."""
    if isinstance(level, Sequence) and not isinstance(level, str):
        return f"{level[0]:g}" if level[0] == level[1] else f"{level[0]:g} to {level[1]:g}"
    if level is None:
        return "as it is"
    if isinstance(level, bool):
        return "true" if level else "false"
    return f"{level:g}" if isinstance(level, float) else str(level)
