"""How much each factor contributes: sensitivity indices on the sample played. Read `sensitivity_of`.

- On any sample of 48 different points or more: PAWN (Pianosi and Wagener 2018), how far the distribution of a response moves when
  one factor is fixed; and the first-order index after RBD-FAST, the share of the variance between points that comes from a factor
  alone.
- On a design `saltelli`: Sobol's first-order and total indices. On a design `morris`: mu* and sigma of the elementary effects.

PAWN is never 0. `none` is its value for factors that do not exist (random columns beside the same sample), which one in twenty
exceeds. A factor whose index is not above it may make no difference. All indices come from SALib.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from battlesim.stress.designs import MORRIS_LEVELS, problem
from battlesim.stress.intervals import Values, means
from battlesim.stress.plan import Design

LEAST = 48
"""The fewest points for PAWN and RBD-FAST: with few levels, some of the usual 64 are duplicates."""
SHUFFLED = 20
"""Dummy factors of chance alone, by which an index that means nothing is known."""
SEED = 1
"""Of the dummies and of resampling, so that the same games give the same indices."""


class Sensitivity(Struct, frozen=True):
    """The indices of one factor for one response; null if the design does not give one. `first_error`, `total_error`,
    `mu_star_error`: half the width of the 95% interval."""

    response: str
    factor: str
    pawn: float | None = None
    none: float | None = None
    first: float | None = None
    first_error: float | None = None
    total: float | None = None
    total_error: float | None = None
    mu_star: float | None = None
    mu_star_error: float | None = None
    sigma: float | None = None


def sensitivity_of(design: Design, response: str, values: Values) -> list[Sensitivity]:
    """The indices of every factor that varies for one response; none if the sample is too small, or nothing differs."""
    mean = means(values, 1)
    there = np.isfinite(mean)
    if not there.any() or float(np.ptp(mean[there])) == 0.0:
        return []
    whole = design.design in ("morris", "saltelli")
    if there.sum() < (len(there) if whole else LEAST):
        return []
    with warnings.catch_warnings():
        # Where nearly all games ended alike, some resamples are constant; SALib warns of each of them.
        warnings.simplefilter("ignore")
        return _whole(design, response, mean) if whole else _sample(design, response, mean, there)


def unit_columns(design: Design) -> NDArray[np.float64]:
    """Every factor by point in the unit interval: levels in equal shares of it, points of one level spread over its share."""
    chance = np.random.default_rng(SEED)
    columns = []
    for number in range(len(design.factors)):
        places = {level: at for at, level in enumerate(design.levels_of(number))}
        ranks = np.array([places[point[number]] for point in design.points], float)
        columns.append((ranks + chance.random(len(ranks))) / max(1, len(places)))
    return np.column_stack(columns)


def _sample(
    design: Design, response: str, mean: NDArray[np.float64], there: NDArray[np.bool_]
) -> list[Sensitivity]:
    from SALib.analyze import pawn, rbd_fast

    x, y = unit_columns(design)[there], mean[there]
    chance = np.random.default_rng(SEED)
    dummies = np.column_stack([chance.random(len(y)) for _ in range(SHUFFLED)])
    slices = 10 if len(y) >= 200 else 5
    of = pawn.analyze(problem(x.shape[1]), x, y, S=slices, seed=SEED)
    nothing = pawn.analyze(problem(SHUFFLED), dummies, y, S=slices, seed=SEED)
    none = float(np.quantile(nothing["median"], 0.95))
    shares = rbd_fast.analyze(problem(x.shape[1]), x, y, seed=SEED)
    return [
        Sensitivity(
            response,
            factor,
            pawn=float(of["median"][number]),
            none=none,
            first=float(shares["S1"][number]),
            first_error=float(shares["S1_conf"][number]),
        )
        for number, factor in enumerate(design.factors)
    ]


def _whole(design: Design, response: str, mean: NDArray[np.float64]) -> list[Sensitivity]:
    y = mean[list(design.rows)]
    names = problem(len(design.factors))
    if design.design == "morris":
        from SALib.analyze import morris

        walked: Any = morris.analyze(names, np.array(design.unit), y, num_levels=MORRIS_LEVELS, seed=SEED)
        return [
            Sensitivity(
                response,
                factor,
                mu_star=float(walked["mu_star"][number]),
                mu_star_error=float(walked["mu_star_conf"][number]),
                sigma=float(walked["sigma"][number]),
            )
            for number, factor in enumerate(design.factors)
        ]
    from SALib.analyze import sobol

    found: Any = sobol.analyze(names, y, calc_second_order=False, seed=SEED)
    return [
        Sensitivity(
            response,
            factor,
            first=float(found["S1"][number]),
            first_error=float(found["S1_conf"][number]),
            total=float(found["ST"][number]),
            total_error=float(found["ST_conf"][number]),
        )
        for number, factor in enumerate(design.factors)
    ]
