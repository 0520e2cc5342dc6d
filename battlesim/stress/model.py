"""A linear model of a response over the points of a design: main effects, and effects of two factors together. Read `Model`.

A factor of many values has one column: from the least to the most of its values. Any other, and any in a `list` design, has a
column for each level except its first. Columns are centred, so that a main effect is the mean over the levels of the others, and
the coefficient of a product is the change in the effect of one factor when the other goes from its first level to this one, or
over its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battlesim.stress.intervals import FEW, NONE, Estimate, Values, estimate, means
from battlesim.stress.plan import Design

MANY = 5
"""A factor with more levels than this, all of them numbers, is taken as a range."""
AS_IT_IS = "as it is"
"""The level of a factor that a point of a list does not name."""
MOST_PAIRS = 150
"""A model with more products than this is not fitted."""


class Term(NamedTuple):
    """A main effect of the level of a factor (None: over its range), or of two together."""

    factor: int
    level: Any
    other: int = -1
    other_level: Any = None


def is_range(levels: Sequence[Any]) -> bool:
    """Whether there are enough levels to treat them as a range."""
    return len(levels) > MANY and all(isinstance(level, (int, float)) for level in levels)


class Model:
    """The model of a design. `pairs`: with products of two factors, if there are enough points to separate them; `missing` says
    why there are none; `confounded`: main effects that the points cannot separate, in groups, which are not terms."""

    def __init__(self, design: Design, pairs: bool) -> None:
        points, factors = design.points, len(design.factors)
        self.terms: list[Term] = []
        columns: list[NDArray[np.float64]] = []
        for factor in range(factors):
            for level, column in _columns(design, factor):
                self.terms.append(Term(factor, level))
                columns.append(column - column.mean())
        self.confounded = self._set_apart(columns)
        main = len(columns)
        of = {
            factor: [place for place, term in enumerate(self.terms) if term.factor == factor]
            for factor in range(factors)
        }
        self.missing = "" if pairs else "this design is not made for them"
        if pairs and self.confounded:
            self.missing = "these points do not even tell all factors apart"
        elif pairs:
            for one, two in combinations(range(factors), 2):
                for a in of[one]:
                    for b in of[two]:
                        self.terms.append(Term(one, self.terms[a].level, two, self.terms[b].level))
                        columns.append(columns[a] * columns[b])
            self.missing = _why_not(columns, main, len(points))
            if self.missing:
                del self.terms[main:], columns[main:]
        self.matrix = np.column_stack([np.ones(len(points)), *columns, *self._together])
        self.has_full_rank = rank_of(self.matrix) == self.matrix.shape[1]
        self._inverse: NDArray[np.float64] | None = None

    def _set_apart(self, columns: list[NDArray[np.float64]]) -> tuple[tuple[Term, ...], ...]:
        """Remove the main effects that cannot be separated from terms and columns. Their joint effect stays in the model, or it
        would be attributed to others."""
        self._together: list[NDArray[np.float64]] = []
        if not columns:  # no factor is varied: a list of one point
            return ()
        matrix = np.column_stack([np.ones(len(columns[0])), *columns])
        if rank_of(matrix) == matrix.shape[1]:
            return ()
        matrix = matrix[:, 1:]
        # Row n of this matrix says what least squares makes of term n: itself alone, if it can be separated.
        made = np.linalg.pinv(matrix, rcond=1e-9) @ matrix
        mixed = np.abs(made - np.eye(len(columns))) > 1e-6
        lost = [place for place in range(len(columns)) if mixed[place].any()]
        groups: list[list[int]] = []
        for place in lost:
            if not any(place in group for group in groups):
                group = [place]
                for one in group:
                    group += [n for n in lost if n not in group and mixed[one, n]]
                groups.append(sorted(group))
        base = [column for place, column in enumerate(columns) if place not in lost]
        for place in lost:
            tried = np.column_stack([np.ones(len(matrix)), *base, *self._together, columns[place]])
            if rank_of(tried) == tried.shape[1]:
                self._together.append(columns[place])
        found = tuple(tuple(self.terms[place] for place in group) for group in groups)
        self.terms[:] = [term for place, term in enumerate(self.terms) if place not in lost]
        columns[:] = base
        return found

    def fit(self, values: Values, widest: float = float("inf")) -> list[Estimate]:
        """An estimate for each term. `widest`: the largest distance between two values."""
        found = self._fit(values)
        # An effect of two factors together is a difference of two differences.
        reach = [widest if term.other < 0 else 2 * widest for term in self.terms]
        return [one._replace(least=-far, most=far) for one, far in zip(found, reach, strict=True)]

    def _fit(self, values: Values) -> list[Estimate]:
        points, seeds = values.shape
        wide = self.matrix.shape[1]
        if not self.has_full_rank:
            return [NONE] * len(self.terms)
        if seeds < FEW and points >= wide + FEW:
            return self._by_point(values)
        if not np.isfinite(values).all():
            return self._with_holes(values)
        if self._inverse is None:
            self._inverse = np.linalg.inv(self.matrix.T @ self.matrix) @ self.matrix.T
        slopes = (self._inverse @ values).T
        return [estimate(slopes[:, place + 1]) for place in range(len(self.terms))]

    def _with_holes(self, values: Values) -> list[Estimate]:
        """Least squares over all games present, each seed with its own intercept, with errors over the seeds."""
        wide = self.matrix.shape[1] - 1
        crossed, dotted = np.zeros((wide, wide)), np.zeros(wide)
        parts = []
        for column in values.T:
            there = np.isfinite(column)
            if there.sum() > 1:
                x = self.matrix[there, 1:] - self.matrix[there, 1:].mean(0)
                y = column[there] - column[there].mean()
                parts.append((x, y))
                crossed, dotted = crossed + x.T @ x, dotted + x.T @ y
        if len(parts) < 2 or np.linalg.matrix_rank(crossed, hermitian=True) < wide:
            return [NONE] * len(self.terms)
        inverse = np.linalg.inv(crossed)
        slopes = inverse @ dotted
        scores = np.array([x.T @ (y - x @ slopes) for x, y in parts])
        covariance = inverse @ (scores.T @ scores) @ inverse * len(parts) / (len(parts) - 1)
        errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        return [
            Estimate(float(slope), 0.0 if error < 1e-12 else float(error), len(parts) - 1)
            for slope, error in list(zip(slopes, errors, strict=True))[: len(self.terms)]
        ]

    def _by_point(self, values: Values) -> list[Estimate]:
        """Least squares on the means of the points, with errors that allow for unequal variances (HC3)."""
        mean = means(values, 1)
        there = np.isfinite(mean)
        matrix, mean = self.matrix[there], mean[there]
        free = len(mean) - matrix.shape[1]
        if free < 1 or rank_of(matrix) < matrix.shape[1]:
            return [NONE] * len(self.terms)
        inverse = np.linalg.inv(matrix.T @ matrix)
        slopes = inverse @ matrix.T @ mean
        reach = np.einsum("ij,jk,ik->i", matrix, inverse, matrix)
        rest = (mean - matrix @ slopes) / np.maximum(1 - reach, 1e-9)
        covariance = inverse @ (matrix.T * rest**2) @ matrix @ inverse
        errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        return [
            Estimate(float(slope), 0.0 if error < 1e-12 else float(error), free)
            for slope, error in list(zip(slopes, errors, strict=True))[1 : len(self.terms) + 1]
        ]


def rank_of(matrix: NDArray[np.float64]) -> int:
    """The rank of a matrix of many rows and few columns, whose entries are about 1."""
    return int(np.linalg.matrix_rank(matrix.T @ matrix / len(matrix), tol=1e-9, hermitian=True))


def _columns(design: Design, factor: int) -> list[tuple[Any, NDArray[np.float64]]]:
    taken = [point[factor] for point in design.points]
    levels = levels_against(design, factor)
    if is_range(levels) and design.design != "list":
        numbers = np.array([float(level) for level in taken if isinstance(level, (int, float))])
        return [(None, (numbers - numbers.min()) / (numbers.max() - numbers.min()))]
    return [
        (AS_IT_IS if level is None else level, np.array([float(value == level) for value in taken]))
        for level in levels[1:]
    ]


def levels_against(design: Design, factor: int) -> list[Any]:
    """The levels of a factor, first the one with which the others are compared: for a list, that of the first point."""
    levels = design.levels_of(factor)
    return (
        sorted(levels, key=lambda level: level != design.points[0][factor])
        if design.design == "list"
        else levels
    )


def _why_not(columns: Sequence[NDArray[np.float64]], main: int, points: int) -> str:
    """Why products cannot be separated; empty if they can."""
    if len(columns) == main:
        return "there is one factor"
    if len(columns) - main > MOST_PAIRS:
        return f"there are {len(columns) - main} of them, more than {MOST_PAIRS}"
    if points < len(columns) + 1:
        return f"they would take {len(columns) + 1} points, and there are {points}"
    matrix = np.column_stack([np.ones(points), *columns])
    if rank_of(matrix) < matrix.shape[1]:
        return "these points cannot tell them apart"
    return ""
