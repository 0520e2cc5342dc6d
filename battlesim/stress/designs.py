"""Designs of experiments: which points of a space of factors are played. Read `sample_of`.

- `factorial`: every combination of all levels.
- `fractional-factorial`: two levels of each factor, and the fewest combinations that separate main effects from one another and,
  at resolution 4, from effects of two factors together.
- `one-at-a-time`: a base point, the first level of every factor, and from there each factor at each of its other levels.
- `latin-hypercube`: as many points as asked for, each factor spread evenly over its range.
- `sobol`: the same by a scrambled Sobol sequence, which fills the whole space evenly; best with powers of two.
- `morris`: walks that change one factor at a time, from many places: it shows which of many factors matter, with few points.
- `saltelli`: the sample from which Sobol's indices are estimated: how much of the variance each factor makes, alone and
  with others.
- `list`: the given points.

They come from scipy.stats.qmc, pydoe and SALib. In designs that sample, the levels of a factor have equal shares of the unit
interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import floor
from typing import Any, NamedTuple

from battlesim.core.errors import Fault, InputError
from battlesim.stress.config import SAMPLED, Factor, Level, StressConfig

MOST_POINTS = 200_000
"""A design larger than this is refused."""
MORRIS_LEVELS = 4
"""Levels of each factor in Morris's design."""

Point = tuple[Level | None, ...]
"""The level of each factor, in the order of the factors; None: as the scenario has it."""


class Sample(NamedTuple):
    """The points of a design, each once, in a fixed order. For designs that are analysed as a whole (morris, saltelli): `unit`,
    their rows in the unit cube, and `rows`, the number of the point of each row."""

    points: list[Point]
    unit: tuple[tuple[float, ...], ...] = ()
    rows: tuple[int, ...] = ()


def sample_of(asked: StressConfig) -> Sample:
    """The points of a design. Raises InputError if there are too many, or a library is missing."""
    size = size_of(asked)
    if size > MOST_POINTS:
        remedy = "sample: design = 'latin-hypercube', points = 512; or give fewer levels"
        raise InputError(Fault(f"the design has {size:,} points, at most {MOST_POINTS:,} are played", remedy))
    if asked.design == "factorial":
        found: list[Point] = list(product(*(factor.levels for factor in asked.factors)))
    elif asked.design == "fractional-factorial":
        found = _fractional(asked)
    elif asked.design == "one-at-a-time":
        base = [factor.levels[0] for factor in asked.factors]
        found = [tuple(base)]
        for number, factor in enumerate(asked.factors):
            found += [(*base[:number], level, *base[number + 1 :]) for level in factor.levels[1:]]
    elif asked.design == "list":
        assert isinstance(asked.points, tuple)
        found = [tuple(point.get(factor.title) for factor in asked.factors) for point in asked.points]
    else:
        return _sampled(asked, size)
    return Sample(_once(found)[0])


def points_of(asked: StressConfig) -> list[Point]:
    """The points of a design, each once, in a fixed order."""
    return sample_of(asked).points


def size_of(asked: StressConfig) -> int:
    """How many points a design has, counting duplicates; for a fractional factorial, the most."""
    factors = len(asked.factors)
    if asked.design == "factorial":
        size = 1
        for factor in asked.factors:
            size *= len(factor.levels)
        return size
    if asked.design == "one-at-a-time":
        return 1 + sum(len(factor.levels) - 1 for factor in asked.factors)
    if asked.design == "fractional-factorial":
        return int(min(2**factors, 4 * factors**2))
    if isinstance(asked.points, tuple):
        return len(asked.points)
    if asked.design == "morris":
        return max(2, asked.points // (factors + 1)) * (factors + 1)
    if asked.design == "saltelli":
        return _power_of_two(asked.points // (factors + 2)) * (factors + 2)
    return asked.points


def drawn_of(asked: StressConfig) -> int:
    """How many points are drawn, counting duplicates, which are common with few levels."""
    return size_of(asked) if asked.design in SAMPLED else len(points_of(asked))


def _power_of_two(about: int) -> int:
    """The power of two at or below a number, at least 2."""
    return max(2, 1 << (max(about, 1).bit_length() - 1))


def _once(points: Sequence[Point]) -> tuple[list[Point], tuple[int, ...]]:
    """The points, each once, and the number of the point of each row."""
    numbers: dict[Any, int] = {}
    found: list[Point] = []
    rows = []
    for point in points:
        key = tuple((type(level), level) for level in point)
        if key not in numbers:
            numbers[key] = len(found)
            found.append(point)
        rows.append(numbers[key])
    return found, tuple(rows)


def _fractional(asked: StressConfig) -> list[Point]:
    factors = asked.factors
    ends = [factor.levels or (level_at(factor, 0.0), level_at(factor, 1.0)) for factor in factors]
    if len(factors) < asked.resolution:  # no fraction separates them
        return list(product(*ends))
    try:
        import pydoe
    except ImportError as error:
        raise _missing(error, "a fractional factorial") from None
    signs = pydoe.fracfact_by_res(len(factors), asked.resolution)
    return [tuple(ends[place][int(sign > 0)] for place, sign in enumerate(row)) for row in signs]


def _sampled(asked: StressConfig, size: int) -> Sample:
    try:
        rows = _unit_rows(asked, size)
    except ImportError as error:
        raise _missing(error, f"a {asked.design} design") from None
    points, numbers = _once(
        [
            tuple(level_at(factor, share) for factor, share in zip(asked.factors, row, strict=True))
            for row in rows
        ]
    )
    whole = asked.design in ("morris", "saltelli")
    return Sample(points, tuple(rows), numbers) if whole else Sample(points)


def _unit_rows(asked: StressConfig, size: int) -> list[tuple[float, ...]]:
    """The rows of a design that samples, in the unit cube."""
    seed = asked.seed % 2**32
    wide = len(asked.factors)
    if asked.design == "morris":
        from SALib.sample import morris

        sample: Any = morris.sample(problem(wide), size // (wide + 1), num_levels=MORRIS_LEVELS, seed=seed)
    elif asked.design == "saltelli":
        from SALib.sample import sobol

        sample = sobol.sample(problem(wide), size // (wide + 2), calc_second_order=False, seed=seed)
    else:
        from scipy.stats import qmc

        kind = qmc.Sobol if asked.design == "sobol" else qmc.LatinHypercube
        sample = kind(wide, rng=seed).random(size)
    return [tuple(float(share) for share in row) for row in sample]


def problem(factors: int) -> dict[str, Any]:
    """Factors in the unit cube, as SALib calls them."""
    return {
        "num_vars": factors,
        "names": [f"x{number}" for number in range(factors)],
        "bounds": [[0.0, 1.0]] * factors,
    }


def _missing(error: ImportError, what: str) -> InputError:
    remedy = "pip install 'battlesim-arena[stress]', or take a factorial design"
    return InputError(Fault(f"{what} needs the package {error.name!r}", remedy))


def level_at(factor: Factor, share: float) -> Level:
    """The level of a factor at a share (0 to 1) of its range or of its levels."""
    if factor.range is None:
        return factor.levels[min(floor(share * len(factor.levels) + 1e-9), len(factor.levels) - 1)]
    low, high = factor.range
    if factor.integer:
        first, last = -floor(-low), floor(high)
        return min(last, first + floor(share * (last - first + 1)))
    return round(low + share * (high - low), 6)
