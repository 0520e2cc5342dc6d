"""Finding the strengths and side advantages that the results do not limit. Read `Cone.limits`.

If an agent has won all its games, the likelihood only grows with its strength: it has no maximum (the data are *separated*;
Albert and Anderson 1984). The directions in which the likelihood never falls form a cone: every observed result must become no
less likely against each other result of its game. A contrast of parameters is unlimited above (below) exactly if it can be
positive (negative) on that cone, which a linear program decides. This also finds cases that do not show in single agents, such as
a scenario in which side 0 won every game, which says nothing about strength.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.optimize import linprog

from battlesim.tournament.davidson import Matrix, Model, Vector

_SOME = 1e-5  # a ray is scaled to a largest entry of 1; the solver keeps constraints to 1e-7


class Cone:
    """The directions of parameters along which no observed result of the model becomes less likely."""

    def __init__(self, model: Model) -> None:
        self._model = model
        both = (model.counts[:, 0] > 0) & (model.counts[:, 2] > 0)
        sizes, directions = np.linalg.eigh(model.z[both].T @ model.z[both])
        self._open: Matrix = directions[:, sizes < 1e-9 * max(1.0, float(sizes.max(initial=0.0)))]
        self._known: dict[bytes, tuple[bool, bool]] = {}

    def limits(self, contrast: Vector) -> tuple[bool, bool]:
        """Whether the results set the contrast a lower and an upper limit."""
        if not contrast.any():
            return True, True
        key = contrast.tobytes()
        if key not in self._known:
            # Usually games won by both sides limit the contrast, and no linear program need be solved.
            fixed = self._spanned(contrast)
            self._known[key] = (
                (True, True) if fixed else (not self._reach(-contrast), not self._reach(contrast))
            )
        return self._known[key]

    def _spanned(self, contrast: Vector) -> bool:
        """Whether the contrast is a sum of comparisons that were won by both sides."""
        return bool(np.abs(contrast @ self._open).max(initial=0.0) < 1e-9)

    def _reach(self, contrast: Vector) -> bool:
        """Whether the contrast can be positive on the cone."""
        walls = self._results
        if not len(walls):
            return True
        found = linprog(-contrast, A_ub=-walls, b_ub=np.zeros(len(walls)), bounds=(-1, 1), method="highs")
        return bool(-found.fun > _SOME)

    @cached_property
    def _results(self) -> Matrix:
        """The constraints, a row each, which must not be negative: an observed result less each other result of its game."""
        model = self._model
        outcomes = (-model.z / 2, model.e, model.z / 2)
        walls = [np.zeros((0, model.size))]
        for seen in range(3):
            rows = model.counts[:, seen] > 0
            walls += [outcomes[seen][rows] - outcomes[other][rows] for other in range(3) if other != seen]
        return np.unique(np.concatenate(walls), axis=0)
