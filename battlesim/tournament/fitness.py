"""Does one number per agent describe the field? Read `transitivity`.

Ratings say who beats whom only where strength is transitive. Two generalised score tests (Rao 1948; with the
cluster-robust spread of Boos 1992) set the fitted model against a saturated one, which gives every pairing a difference
of its own: `transitivity` one for each two agents over all scenarios, `consistency` one for each two agents in each
scenario. A small p says that the ratings mislead: read the win matrix. Under the model p is uniform.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from scipy.special import gammaincc

from battlesim.tournament.davidson import Matrix, Model
from battlesim.tournament.tally import Tally

MOST_PAIRINGS = 1000
"""Above so many degrees of freedom the test is left out: it works on a square of that size."""


class Fitness(Struct, frozen=True):
    """Chi-square of the model against the saturated one, its degrees of freedom and p; all None with a reason."""

    chi2: float | None
    df: int
    p: float | None
    reason: str = ""


def transitivity(tally: Tally, agents: Sequence[str], prior: float) -> Fitness:
    """Whether one strength per agent explains who beats whom, all scenarios together."""
    return _score_test(tally, agents, prior, by_scenario=False)


def consistency(tally: Tally, agents: Sequence[str], prior: float) -> Fitness:
    """Whether one strength per agent explains who beats whom in each scenario."""
    return _score_test(tally, agents, prior, by_scenario=True)


def _score_test(tally: Tally, agents: Sequence[str], prior: float, by_scenario: bool) -> Fitness:
    if len(agents) < 2:
        return Fitness(None, 0, None, "fewer than two agents whose strengths are limited by the results")
    model = Model(tally, sorted(agents))
    keys = [(scenario if by_scenario else 0, a, b) for scenario, a, b in model.pairs]
    # One difference more for each pairing but those of a tree, whose differences the strengths already give.
    tree = _Tree(len(model.agents))
    places = {
        key: index
        for index, key in enumerate(key for key in sorted(dict.fromkeys(keys)) if not tree.joins(*key[1:]))
    }
    df = len(places)
    if not df:
        return Fitness(None, 0, None, "no two ways to compare the same agents")
    if df > MOST_PAIRINGS:
        return Fitness(None, df, None, f"{df} pairings beyond the strengths; tested up to {MOST_PAIRINGS}")

    psi = model.maximise(model.counts, prior)
    clusters = model.clusters(psi)
    extra: Matrix = np.zeros((len(clusters.counts), df))
    for group, key in enumerate(keys):
        if key in places:
            extra[group, places[key]] = 1.0

    def crossed(squares: Matrix) -> Matrix:
        """The part of the groups' matrices between the extra differences and the parameters of the model."""
        base = sum(clusters.base[x] * squares[:, 0, x, None] for x in range(3))
        return np.asarray(extra.T @ base)

    number = clusters.counts.sum(axis=1)
    summed = clusters.summed()
    information = clusters.expected * number[:, None, None]
    bend = clusters.spread(information)
    # The ridge serves the shift of all strengths, of which no difference takes notice.
    ridge = 1e-9 * np.trace(bend) / model.size * np.eye(model.size)
    nuisance = np.linalg.solve(bend + ridge, crossed(information).T).T
    slope = sum(clusters.base[x].T @ summed[:, x] for x in range(3))
    total = extra.T @ summed[:, 0] - nuisance @ slope
    # About the mean, so that a gross misfit does not hide in its own spread.
    about = clusters.squared() - summed[:, :, None] * summed[:, None, :] / number[:, None, None]
    about += clusters.expected
    mixed = crossed(about) @ nuisance.T
    spread = (extra * about[:, 0, 0, None]).T @ extra - mixed - mixed.T
    spread += nuisance @ clusters.spread(about) @ nuisance.T
    chi2 = float(total @ np.linalg.lstsq(spread, total, rcond=None)[0])
    return Fitness(chi2, df, float(gammaincc(df / 2, chi2 / 2)))


class _Tree:
    """Agents joined one by one."""

    def __init__(self, agents: int) -> None:
        self._home = list(range(agents))

    def joins(self, a: int, b: int) -> bool:
        """Whether a and b were apart; they no longer are."""
        one, two = self._home[a], self._home[b]
        self._home = [one if home == two else home for home in self._home]
        return one != two
