"""Bradley-Terry with draws and a side advantage per scenario, fitted by penalised maximum likelihood. Read `Model`.

Davidson (1970), with an order effect as Davidson and Beaver (1977) add it. In scenario s, with agent i on side 0 and j
on side 1, and d = theta_i - theta_j + gamma_s:

    side 0 wins : draw : side 1 wins  =  exp(d / 2) : nu_s : exp(-d / 2)

A control game has theta_i - theta_i = 0: it tells of gamma and nu alone. With eta = log nu this is a multinomial logit,
concave in (theta, gamma, eta), so Newton's method with a line search finds the one maximum.

The prior is normal with mean 0 and standard deviation `PRIOR_ELO` on each theta, gamma and eta (in the same logarithmic
unit). It weighs less than a tenth of one balanced game, keeps a score of 100% finite and centres the thetas.

The covariance is cluster-robust (sandwich; Liang and Zeger 1986). A cluster is a pair: its two games share their dice.
A control game is a cluster of its own. To the spread seen between the pairs of a pairing comes that of one imagined
pair of independent games, so that few or equal pairs do not claim certainty.
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

_STEPS = 200  # Newton needs about ten; the bound only says that it ends
_CELLS = [(first, second) for first in range(3) for second in range(3)]


class Group(NamedTuple):
    """The pairs of a (on side 0 first) and b in one scenario; a == b marks control games, cells by side 0's result."""

    scenario: int
    a: int
    b: int
    cells: tuple[int, ...]

    @property
    def clusters(self) -> int:
        return sum(self.cells)


class Model:
    """The games of a tally among some agents, as arrays; parameters are theta (agents), gamma and eta (scenarios).

    Two rows a pairing, one for each side that a sits on, and one row for the control games of an agent in a scenario.
    `pair_weight` below 1 makes the games of a pair count less: at 1/2 a pair tells no more than one game, which is
    the least it can tell.
    """

    def __init__(self, tally: Tally, agents: Sequence[str]) -> None:
        number = {agent: index for index, agent in enumerate(agents)}
        wanted = tally.restricted(agents=agents)
        self.agents = tuple(agents)
        self.scenarios = wanted.scenarios
        stage = {scenario: index for index, scenario in enumerate(self.scenarios)}
        self.groups = [Group(stage[s], number[a], number[b], cells) for (s, a, b), cells in wanted.pairings()]
        for (s, agent), (wins, draws, losses) in sorted(wanted.controls.items()):
            if wins or draws or losses:
                self.groups.append(Group(stage[s], number[agent], number[agent], (losses, draws, wins)))
        self.size = len(agents) + 2 * len(stage)
        self._rows()

    def _rows(self) -> None:
        agents, scenarios = len(self.agents), len(self.scenarios)
        games = sum(1 if group.a == group.b else 2 for group in self.groups)
        self.z: Matrix = np.zeros((games, self.size))
        self.e: Matrix = np.zeros((games, self.size))
        self.counts: Matrix = np.zeros((games, 3))  # losses, draws, wins of side 0
        self.paired = np.zeros(games, dtype=bool)
        row = 0
        for group in self.groups:
            for side in range(1 if group.a == group.b else 2):
                first, second = (group.a, group.b) if side == 0 else (group.b, group.a)
                self.z[row, first] += 1
                self.z[row, second] -= 1
                self.z[row, agents + group.scenario] = 1
                self.e[row, agents + scenarios + group.scenario] = 1
                if group.a == group.b:
                    self.counts[row] = group.cells
                else:
                    self.paired[row] = True
                    for (one, two), count in zip(_CELLS, group.cells, strict=True):
                        self.counts[row, one if side == 0 else 2 - two] += count
                row += 1

    # Likelihood

    def weighted(self, pair_weight: float) -> Matrix:
        return np.where(self.paired[:, None], pair_weight, 1.0) * self.counts

    def chances(self, psi: Vector) -> Matrix:
        """Chances of loss, draw and win of side 0, a row each."""
        half = self.z @ psi / 2
        logits = np.stack([-half, self.e @ psi, half], axis=1)
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def value(self, psi: Vector, counts: Matrix, prior: float) -> float:
        """Penalised log-likelihood."""
        half = self.z @ psi / 2
        logits = np.stack([-half, self.e @ psi, half], axis=1)
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
        gradient = self.z.T @ along + self.e.T @ drawn - prior * psi
        zz = n * ((p[:, 2] + p[:, 0]) / 4 - tilt**2)
        ze = -n * tilt * p[:, 1]
        ee = n * p[:, 1] * (1 - p[:, 1])
        cross = (self.z * ze[:, None]).T @ self.e
        bend = (self.z * zz[:, None]).T @ self.z + cross + cross.T + (self.e * ee[:, None]).T @ self.e
        return gradient, bend + prior * np.eye(self.size)

    def maximise(
        self,
        counts: Matrix,
        prior: float,
        start: Vector | None = None,
        contrast: Vector | None = None,
    ) -> Vector:
        """The parameters of greatest penalised likelihood; with `contrast`, of those with contrast @ psi as at `start`."""
        psi = np.zeros(self.size) if start is None else start.copy()
        best = self.value(psi, counts, prior)
        for _ in range(_STEPS):
            gradient, bend = self.slope(psi, counts, prior)
            step = np.linalg.solve(bend, gradient)
            if contrast is not None:
                along = np.linalg.solve(bend, contrast)
                step = step - along * (contrast @ step) / (contrast @ along)
            if np.abs(step).max() < 1e-7:
                return psi + step  # convergence is quadratic: what is left is below what floats hold
            gain = float(gradient @ step)
            length = 1.0
            while length > 1e-12:
                value = self.value(psi + length * step, counts, prior)
                if value >= best + 1e-4 * length * gain - 1e-13 * (1 + abs(best)):
                    break
                length /= 2
            else:
                break  # no longer for floats to tell
            psi, best = psi + length * step, value
        return psi

    # Spread

    def covariance(self, psi: Vector, prior: float) -> Matrix:
        """The sandwich: inverse curvature, spread of the clusters' scores, inverse curvature."""
        _, bend = self.slope(psi, self.counts, prior)
        bread = np.linalg.inv(bend)
        meat: Matrix = np.zeros((self.size, self.size))
        for group, base, scores, expected in self.clusters(psi):
            spread = sum_of_squares(scores, group.cells) + expected
            meat += base.T @ spread @ base
        number = sum(group.clusters for group in self.groups)
        return np.asarray(bread @ meat @ bread) * (number / max(1, number - self.size + 1))

    def clusters(self, psi: Vector) -> list[tuple[Group, Matrix, Matrix, Matrix]]:
        """For each group: its directions in the parameters, the score of each cell in them, the information of one cluster.

        A pair's score lies in three directions: theta_a - theta_b, gamma and eta; a control game's in two of them.
        """
        p = self.chances(psi)
        found = []
        row = 0
        agents, scenarios = len(self.agents), len(self.scenarios)
        for group in self.groups:
            base: Matrix = np.zeros((3, self.size))
            base[0, group.a] += 1
            base[0, group.b] -= 1
            base[1, agents + group.scenario] = 1
            base[2, agents + scenarios + group.scenario] = 1
            first = _game_scores(p[row])
            if group.a == group.b:
                scores = np.array([[0.0, along, drawn] for along, drawn in first])
                expected = (p[row][:, None] * scores).T @ scores
                row += 1
            else:
                second = _game_scores(p[row + 1])
                scores = np.array(
                    [
                        [
                            first[one][0] - second[2 - two][0],
                            first[one][0] + second[2 - two][0],
                            first[one][1] + second[2 - two][1],
                        ]
                        for one, two in _CELLS
                    ]
                )
                joint = np.array([p[row][one] * p[row + 1][2 - two] for one, two in _CELLS])
                expected = (joint[:, None] * scores).T @ scores
                row += 2
            found.append((group, base, scores, np.asarray(expected)))
        return found


def prior_weight(prior_elo: float) -> float:
    """The precision of a prior with this standard deviation in Elo."""
    return float((ELO / prior_elo) ** 2)


def sum_of_squares(scores: Matrix, cells: Sequence[int]) -> Matrix:
    """The sum over clusters of score times score."""
    return np.asarray((np.array(cells, dtype=np.float64)[:, None] * scores).T @ scores)


def _game_scores(p: Vector) -> list[tuple[float, float]]:
    """Derivatives of one game's log-likelihood by d and eta, for side 0's loss, draw and win."""
    tilt = float(p[2] - p[0]) / 2
    return [(value - tilt, float(drawn) - float(p[1])) for value, drawn in ((-0.5, 0), (0.0, 1), (0.5, 0))]
