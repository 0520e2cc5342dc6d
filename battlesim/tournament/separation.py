"""Which strengths and side advantages the results leave without a limit. Read `Cone.limits`.

Where an agent has won all its games, the likelihood only grows with its strength: there is no greatest one (the data are
*separated*; Albert and Anderson 1984). The directions in which the likelihood never falls form a cone: every observed
result must become no less likely against each other result of its game. A contrast of parameters is unlimited above
(below) exactly where it can be positive (negative) on that cone, which a linear program answers. This also finds what
no look at single agents would, such as a scenario whose every game went to side 0 and so tells nothing of strength.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog  # type: ignore[import-untyped]

from battlesim.tournament.davidson import Matrix, Model, Vector

_SOME = 1e-5  # a ray is scaled to a largest entry of 1; the solver keeps constraints to 1e-7


class Cone:
    """The directions of parameters along which no observed result of the model becomes less likely."""

    def __init__(self, model: Model) -> None:
        outcomes = (-model.z / 2, model.e, model.z / 2)
        walls = []
        for seen in range(3):
            rows = model.counts[:, seen] > 0
            walls += [outcomes[seen][rows] - outcomes[other][rows] for other in range(3) if other != seen]
        self._walls: Matrix = np.unique(np.concatenate([np.zeros((0, model.size)), *walls]), axis=0)
        both = (model.counts[:, 0] > 0) & (model.counts[:, 2] > 0)
        self._fixed: Matrix = np.unique(model.z[both], axis=0)
        self._rank = int(np.linalg.matrix_rank(self._fixed)) if len(self._fixed) else 0
        self._known: dict[bytes, tuple[bool, bool]] = {}

    def limits(self, contrast: Vector) -> tuple[bool, bool]:
        """Whether the results set the contrast a lower and an upper limit."""
        if not contrast.any():
            return True, True
        key = contrast.tobytes()
        if key not in self._known:
            # Most often games won by both sides fix the contrast, and no program need be solved.
            fixed = self._spanned(contrast)
            self._known[key] = (
                (True, True) if fixed else (not self._reach(-contrast), not self._reach(contrast))
            )
        return self._known[key]

    def _spanned(self, contrast: Vector) -> bool:
        """Whether the contrast is a sum of comparisons that were won by both sides."""
        if not self._rank:
            return False
        return int(np.linalg.matrix_rank(np.vstack([self._fixed, contrast]))) == self._rank

    def _reach(self, contrast: Vector) -> bool:
        if not len(self._walls):
            return True
        found = linprog(
            -contrast, A_ub=-self._walls, b_ub=np.zeros(len(self._walls)), bounds=(-1, 1), method="highs"
        )
        return bool(-found.fun > _SOME)
