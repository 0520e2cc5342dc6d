"""Bradley-Terry with draws and a side advantage per scenario, fitted by penalised maximum likelihood. Read `Model`.

Davidson (1970), with an order effect as Davidson and Beaver (1977) add it. In scenario s, with agent i on side 0 and j
on side 1, and d = theta_i - theta_j + gamma_s:

    side 0 wins : draw : side 1 wins  =  exp(d / 2) : nu_s : exp(-d / 2)

A control game has theta_i - theta_i = 0: it informs gamma and nu alone. With eta = log nu this is a multinomial logit, concave in
(theta, gamma, eta), so Newton's method with a line search finds the one maximum.

The prior is normal with mean 0 and standard deviation `PRIOR_ELO` on each theta, gamma and eta (in the same logarithmic
unit). It weighs about an eighth of one game between equals, keeps a score of 100% finite and centres the thetas.

The covariance is cluster-robust (sandwich; Liang and Zeger 1986). A cluster is a pair, whose two games share their dice, or a
single control game. The variance of one imagined pair of independent games is added to that between the pairs of a pairing, so
that few or equal pairs do not look certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from battlesim.tournament.shares import ELO
from battlesim.tournament.tally import Tally

PRIOR_ELO = 1000.0
"""Standard deviation of the prior of a strength and of a side advantage, in Elo."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

_STEPS = 200  # Newton's method needs about ten; this only guarantees that it ends
_CELLS = [(first, second) for first in range(3) for second in range(3)]


class Clusters(NamedTuple):
    """The clusters of a model at some parameters, grouped by what was played: a pairing in a scenario, or a control arm.

    A pair's score (the slope of its log-likelihood) lies in three directions: theta_a - theta_b, gamma and eta, which
    are `base[0]` to `base[2]`, a row a group; a control game's score lies in the last two. `scores[g, c]` is the score
    of a cluster of group g with the result of cell c, `counts[g, c]` how many there are, `expected[g]` the mean square
    of the score of one cluster under the model, its games being independent.
    """

    base: tuple[Matrix, Matrix, Matrix]
    scores: Matrix
    counts: Matrix
    expected: Matrix

    def summed(self) -> Matrix:
        """The sum of the scores, a row a group."""
        return np.asarray(np.einsum("gc,gcx->gx", self.counts, self.scores))

    def squared(self) -> Matrix:
        """The sum of the squares of the scores, a matrix a group."""
        return np.asarray(np.einsum("gc,gcx,gcy->gxy", self.counts, self.scores, self.scores))

    def spread(self, squares: Matrix) -> Matrix:
        """Matrices of groups mapped to the parameters and summed."""
        base = np.stack(self.base, axis=1)
        width = base.shape[2]
        return np.asarray(base.reshape(-1, width).T @ (squares @ base).reshape(-1, width))


class Model:
    """The games of a tally among some agents, as arrays; parameters are theta (agents), gamma and eta (scenarios).

    Rows are games of one kind: first the games of each pairing with a on side 0, then those with b on side 0, then the
    control games of each agent in each scenario. `z` and `e` take parameters to d and eta, `counts` has the losses,
    draws and wins of side 0. `pairs` lists the pairings (scenario, a, b) by number.
    """

    def __init__(self, tally: Tally, agents: Sequence[str]) -> None:
        number = {agent: index for index, agent in enumerate(agents)}
        wanted = tally.restricted(agents=agents)
        self.agents = tuple(agents)
        self.scenarios = wanted.scenarios
        stage = {scenario: index for index, scenario in enumerate(self.scenarios)}
        found = list(wanted.pairings())
        arms = [(key, counts) for key, counts in sorted(wanted.controls.items()) if any(counts)]
        self.pairs = [(stage[s], number[a], number[b]) for (s, a, b), _ in found]
        self.cells: Matrix = np.array([cells for _, cells in found], dtype=np.float64).reshape(-1, 9)
        controls: Matrix = np.array([counts[::-1] for _, counts in arms], dtype=np.float64).reshape(-1, 3)
        self.size = len(agents) + 2 * len(stage)

        square = self.cells.reshape(-1, 3, 3)
        self.counts: Matrix = np.concatenate([square.sum(axis=2), square.sum(axis=1)[:, ::-1], controls])
        # In control games both sides are the same agent, so strengths do not matter.
        seats = self.pairs + [(s, b, a) for s, a, b in self.pairs] + [(stage[s], 0, 0) for (s, _), _ in arms]
        scene, first, second = np.array(seats, dtype=np.intp).reshape(-1, 3).T
        rows = np.arange(len(seats))
        # The positions and signs of the four numbers that a row depends on: theta twice, gamma and eta.
        self._where = np.stack([first, second, len(agents) + scene, len(agents) + len(stage) + scene], axis=1)
        self._sign: Matrix = np.tile(np.array([1.0, -1.0, 1.0, 1.0]), (len(seats), 1))
        self._sign[2 * len(found) :, :2] = 0.0
        self._square = (self._where[:, :, None] * self.size + self._where[:, None, :]).ravel()
        self.z: Matrix = np.zeros((len(seats), self.size))
        self.e: Matrix = np.zeros((len(seats), self.size))
        for place in range(3):
            self.z[rows, self._where[:, place]] += self._sign[:, place]
        self.e[rows, self._where[:, 3]] = 1.0

    # Likelihood

    def weighted(self, pair_weight: float) -> Matrix:
        """The counts with less weight on games of pairs: at 1/2 a pair counts as one game, the least it can."""
        weights = np.ones((len(self.counts), 1))
        weights[: 2 * len(self.pairs)] = pair_weight
        return np.asarray(weights * self.counts)

    def _logits(self, psi: Vector) -> Matrix:
        found = psi[self._where] * self._sign
        half = found[:, :3].sum(axis=1) / 2
        return np.stack([-half, found[:, 3], half], axis=1)

    def chances(self, psi: Vector) -> Matrix:
        """Chances of loss, draw and win of side 0, a row each."""
        logits = self._logits(psi)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def value(self, psi: Vector, counts: Matrix, prior: float) -> float:
        """Penalised log-likelihood."""
        logits = self._logits(psi)
        top = logits.max(axis=1)
        norm = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
        return float((counts * logits).sum() - (counts.sum(axis=1) * norm).sum() - prior * (psi @ psi) / 2)

    def slope(self, psi: Vector, counts: Matrix, prior: float) -> tuple[Vector, Matrix]:
        """Gradient and negative Hessian of `value`."""
        p = self.chances(psi)
        n = counts.sum(axis=1)
        tilt = (p[:, 2] - p[:, 0]) / 2
        along = (counts[:, 2] - counts[:, 0]) / 2 - n * tilt
        drawn = counts[:, 1] - n * p[:, 1]
        zz = n * ((p[:, 2] + p[:, 0]) / 4 - tilt**2)
        ze = -n * tilt * p[:, 1]
        ee = n * p[:, 1] * (1 - p[:, 1])
        # Summed element by element, four numbers a row: rows are many and mostly empty.
        slopes = np.stack([along, along, along, drawn], axis=1) * self._sign
        gradient = np.bincount(self._where.ravel(), slopes.ravel(), self.size) - prior * psi
        bends = np.empty((len(n), 4, 4))
        bends[:, :3, :3] = zz[:, None, None]
        bends[:, :3, 3] = bends[:, 3, :3] = ze[:, None]
        bends[:, 3, 3] = ee
        bends *= self._sign[:, :, None] * self._sign[:, None, :]
        bend = np.bincount(self._square, bends.ravel(), self.size**2).reshape(self.size, self.size)
        return gradient, bend + prior * np.eye(self.size)

    def maximise(
        self,
        counts: Matrix,
        prior: float,
        start: Vector | None = None,
        contrast: Vector | None = None,
    ) -> Vector:
        """The parameters of greatest penalised likelihood; with `contrast`, among those whose contrast @ psi is as at `start`."""
        psi = np.zeros(self.size) if start is None else start.copy()
        best = self.value(psi, counts, prior)
        for _ in range(_STEPS):
            gradient, bend = self.slope(psi, counts, prior)
            step = np.linalg.solve(bend, gradient)
            if contrast is not None:
                along = np.linalg.solve(bend, contrast)
                step = step - along * (contrast @ step) / (contrast @ along)
            if np.abs(step).max() < 1e-7:
                return psi + step  # convergence is quadratic: the rest is below the precision of floats
            gain = float(gradient @ step)
            if gain < 1e-9 * (1 + abs(best)):
                # So near the maximum whole steps converge, while the value over millions of games is too coarse to compare.
                psi = psi + step
                best = self.value(psi, counts, prior)
                continue
            length = 1.0
            while length > 1e-12:
                value = self.value(psi + length * step, counts, prior)
                if value >= best + 1e-4 * length * gain - 1e-13 * (1 + abs(best)):
                    break
                length /= 2
            else:
                break  # the difference is below the precision of floats
            psi, best = psi + length * step, value
        return psi

    # Spread

    def covariance(self, psi: Vector, prior: float) -> Matrix:
        """The sandwich: inverse curvature, spread of the clusters' scores, inverse curvature."""
        _, bend = self.slope(psi, self.counts, prior)
        bread = np.linalg.inv(bend)
        clusters = self.clusters(psi)
        meat = clusters.spread(clusters.squared() + clusters.expected)
        number = int(clusters.counts.sum())
        return np.asarray(bread @ meat @ bread) * (number / max(1, number - self.size + 1))

    def clusters(self, psi: Vector) -> Clusters:
        """Pairs and control games with their scores: the pairings as in `pairs`, then the control arms."""
        p = self.chances(psi)
        tilt = (p[:, 2] - p[:, 0]) / 2
        along = (
            np.array([-0.5, 0.0, 0.5]) - tilt[:, None]
        )  # slope of one game by d, for side 0's loss, draw and win
        drawn = np.array([0.0, 1.0, 0.0]) - p[:, 1, None]  # and by eta
        groups, arms = len(self.pairs), len(p) - 2 * len(self.pairs)
        one, two, alone = slice(0, groups), slice(groups, 2 * groups), slice(2 * groups, None)
        scores: Matrix = np.zeros((groups + arms, 9, 3))
        chances: Matrix = np.zeros((groups + arms, 9))
        counts: Matrix = np.zeros((groups + arms, 9))
        for cell, (first, second) in enumerate(_CELLS):
            other = 2 - second  # the second game as its side 0 sees it
            scores[:groups, cell, 0] = along[one, first] - along[two, other]
            scores[:groups, cell, 1] = along[one, first] + along[two, other]
            scores[:groups, cell, 2] = drawn[one, first] + drawn[two, other]
            chances[:groups, cell] = p[one, first] * p[two, other]
        scores[groups:, :3, 1] = along[alone]
        scores[groups:, :3, 2] = drawn[alone]
        chances[groups:, :3] = p[alone]
        counts[:groups] = self.cells
        counts[groups:, :3] = self.counts[alone]
        seats = np.concatenate([self.z[one], self.z[alone]])
        swapped = np.concatenate([self.z[two], self.z[alone]])
        lines = np.concatenate([self.e[one], self.e[alone]])
        expected = np.asarray(np.einsum("gc,gcx,gcy->gxy", chances, scores, scores))
        return Clusters(((seats - swapped) / 2, (seats + swapped) / 2, lines), scores, counts, expected)


def prior_weight(prior_elo: float) -> float:
    """The precision of a prior with this standard deviation in Elo."""
    return float((ELO / prior_elo) ** 2)
