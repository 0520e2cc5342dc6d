"""The share of a side along factors as a logistic curve, and where it crosses a value. Read `fit`, then `crossing`."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHRINK = 0.02
"""Weight of the prior that keeps slopes finite if every game was won: small compared with a few games."""
STEPS = 50
"""The most steps of Newton's method."""


def fit(columns: Array, wins: Array, games: Array) -> Array:
    """Coefficients of log odds that are linear in some columns, whose first is all ones, by maximum likelihood with a weak prior
    on the others. `wins` may be halves. Rows are points."""
    beta = np.zeros(columns.shape[1])
    ridge = np.full(columns.shape[1], SHRINK)
    ridge[0] = 1e-6
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ beta, -30, 30)))
        weight = np.maximum(games * chance * (1 - chance), 1e-9)
        slope = columns.T @ (wins - games * chance) - ridge * beta
        bend = (columns.T * weight) @ columns + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        beta = beta + np.clip(step, -3, 3)
        if float(np.abs(step).max()) < 1e-8:
            break
    return beta


def chance(columns: Array, beta: Array) -> Array:
    """The share by the curve."""
    found: Array = 1 / (1 + np.exp(-np.clip(columns @ beta, -30, 30)))
    return found


def crossing(beta: Array, target: float = 0.5) -> float:
    """Where a curve of one factor crosses a share; nan where it is level."""
    return (log(target / (1 - target)) - beta[0]) / beta[1] if abs(beta[1]) > 1e-9 else float("nan")


def logit(share: float, games: float) -> float:
    """The log odds of a share seen in some games, kept finite."""
    kept = (share * games + 0.5) / (games + 1)
    return log(kept / (1 - kept))
