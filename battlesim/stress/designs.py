"""Designs of experiments: which points of a space of factors are played. Read `points_of`.

- `factorial`: every combination of all levels.
- `one-at-a-time`: a base point, the first level of every factor, and from there each factor at each of its other levels.
- `latin-hypercube`: as many points as asked for, each factor spread evenly over its range.
- `sobol`: the same by a scrambled Sobol sequence, which fills the whole space evenly; best with powers of two.
- `list`: the points that are given.

The two that sample come from scipy.stats.qmc. Factors with levels take part in them by equal shares of the unit interval.
"""

from __future__ import annotations

from itertools import product
from math import floor

from battlesim.core.errors import Fault, InputError
from battlesim.stress.config import Factor, Level, StressConfig

MOST_POINTS = 200_000
"""A design larger than this is refused."""

Point = tuple[Level | None, ...]
"""The level of each factor, in the order of the factors; None: as the scenario has it."""


def points_of(asked: StressConfig) -> list[Point]:
    """The points of a design, each once, in a fixed order. Raises InputError where there are too many, or scipy is missing."""
    size = size_of(asked)
    if size > MOST_POINTS:
        remedy = "sample: design = 'latin-hypercube', points = 512; or give fewer levels"
        raise InputError(Fault(f"the design has {size:,} points, at most {MOST_POINTS:,} are played", remedy))
    if asked.design == "factorial":
        found: list[Point] = list(product(*(factor.levels for factor in asked.factors)))
    elif asked.design == "one-at-a-time":
        base = [factor.levels[0] for factor in asked.factors]
        found = [tuple(base)]
        for number, factor in enumerate(asked.factors):
            found += [(*base[:number], level, *base[number + 1 :]) for level in factor.levels[1:]]
    elif asked.design == "list":
        assert isinstance(asked.points, tuple)
        found = [tuple(point.get(factor.title) for factor in asked.factors) for point in asked.points]
    else:
        found = _sampled(asked, size)
    return list({tuple((type(level), level) for level in point): point for point in found}.values())


def size_of(asked: StressConfig) -> int:
    """How many points a design has, those that come out alike counted each."""
    if asked.design == "factorial":
        size = 1
        for factor in asked.factors:
            size *= len(factor.levels)
        return size
    if asked.design == "one-at-a-time":
        return 1 + sum(len(factor.levels) - 1 for factor in asked.factors)
    return len(asked.points) if isinstance(asked.points, tuple) else asked.points


def _sampled(asked: StressConfig, size: int) -> list[Point]:
    try:
        from scipy.stats import qmc
    except ImportError:
        remedy = "pip install 'battlesim-arena[stress]', or take a factorial design"
        raise InputError(Fault(f"a {asked.design} design needs the package 'scipy'", remedy)) from None
    seed = asked.seed % 2**32
    wide = len(asked.factors)
    if asked.design == "sobol":
        sample = qmc.Sobol(wide, scramble=True, rng=seed).random(size)
    else:
        sample = qmc.LatinHypercube(wide, rng=seed).random(size)
    return [
        tuple(level_at(factor, float(share)) for factor, share in zip(asked.factors, row, strict=True))
        for row in sample
    ]


def level_at(factor: Factor, share: float) -> Level:
    """The level of a factor at a share (0 to less than 1) of its range or of its levels."""
    if factor.range is None:
        return factor.levels[min(floor(share * len(factor.levels)), len(factor.levels) - 1)]
    low, high = factor.range
    if factor.integer:
        first, last = -floor(-low), floor(high)
        return min(last, first + floor(share * (last - first + 1)))
    return round(low + share * (high - low), 6)
