"""Tests of the rating model: does one number for each agent describe the results? Read `transitivity`.

Ratings say who beats whom only if strength is transitive, and the same on every scenario. Two generalised score tests (Rao 1948;
Boos 1992) compare the fitted model with a larger one: `transitivity` with one that has a separate difference for each two agents,
over all scenarios; `consistency` with one that has a separate strength for each agent on each scenario. A small p says that the
ratings mislead: read the win matrix, or the ratings by scenario. Under the model p is uniform.

The spread of scores is that of pairs, with a dispersion that many pairings share: how much more (or less) the scores of pairs
vary inside a pairing than those of two independent games would. Estimated from the few pairs of each pairing alone, it would be
so uncertain that many pairings together would look like a misfit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from scipy.special import gammaincc

from battlesim.tournament.davidson import Clusters, Matrix, Model, Vector
from battlesim.tournament.tally import Tally

MOST_EXTRA = 1000
"""With more extra parameters than this the test is left out: it uses a square matrix of that size."""
CLASSES, LEAST_ALIKE = 4, 4
"""Pairings are pooled by how even they are: in at most `CLASSES` classes of at least `LEAST_ALIKE` pairings."""


class Fitness(Struct, frozen=True):
    """Chi-square of the model against the larger one, its degrees of freedom and p; or None for all, with a reason."""

    chi2: float | None
    df: int
    p: float | None
    reason: str = ""


def transitivity(tally: Tally, agents: Sequence[str], prior: float) -> Fitness:
    """Whether one strength per agent explains who beats whom, all scenarios together."""
    if len(agents) < 2:
        return _FEW
    model = Model(tally, sorted(agents))
    couples = sorted(dict.fromkeys((a, b) for _, a, b in model.pairs))
    extra: Matrix = np.zeros((len(model.pairs), len(couples)))
    for group, (_, a, b) in enumerate(model.pairs):
        extra[group, couples.index((a, b))] = 1.0
    return _score_test(model, extra, prior)


def consistency(tally: Tally, agents: Sequence[str], prior: float) -> Fitness:
    """Whether agents are equally strong on all scenarios."""
    if len(agents) < 2:
        return _FEW
    model = Model(tally, sorted(agents))
    size = len(model.agents)
    extra: Matrix = np.zeros((len(model.pairs), size * len(model.scenarios)))
    for group, (scenario, a, b) in enumerate(model.pairs):
        extra[group, size * scenario + a] = 1.0
        extra[group, size * scenario + b] = -1.0
    return _score_test(model, extra, prior)


_FEW = Fitness(None, 0, None, "fewer than two agents whose strengths are limited by the results")


def _score_test(model: Model, extra: Matrix, prior: float) -> Fitness:
    """Score test of the extra differences: a row for each pairing and scenario, a column for each parameter."""
    free = _beyond(model, extra)
    if not free:
        return Fitness(None, 0, None, "no two ways to compare the same agents")
    if extra.shape[1] > MOST_EXTRA:
        return Fitness(None, free, None, f"{extra.shape[1]} extra parameters; tested up to {MOST_EXTRA}")
    psi = model.maximise(model.counts, prior)
    clusters = model.clusters(psi)
    number = clusters.counts.sum(axis=1)
    pairs = len(model.pairs)
    wide: Matrix = np.zeros((len(number), extra.shape[1]))
    wide[:pairs] = extra
    information = clusters.expected * number[:, None, None]
    summed = clusters.summed()

    def crossed(squares: Matrix) -> Matrix:
        """The part of the groups' matrices between the extra differences and the parameters of the model."""
        base = sum(clusters.base[x] * squares[:, 0, x, None] for x in range(3))
        return np.asarray(wide.T @ base)

    bend = clusters.spread(information)
    # The ridge is for the shift of all strengths, which changes no difference.
    ridge = 1e-9 * np.trace(bend) / model.size * np.eye(model.size)
    nuisance = np.linalg.solve(bend + ridge, crossed(information).T).T
    slope = sum(clusters.base[x].T @ summed[:, x] for x in range(3))
    total = wide.T @ summed[:, 0] - nuisance @ slope
    about = information.copy()
    scale = np.sqrt(_dispersion(clusters, pairs))
    about[:pairs] *= scale[:, :, None] * scale[:, None, :]
    mixed = crossed(about) @ nuisance.T
    spread = (wide * about[:, 0, 0, None]).T @ wide - mixed - mixed.T
    spread += nuisance @ clusters.spread(about) @ nuisance.T
    chi2 = _form(total, spread, free)
    return Fitness(chi2, free, float(gammaincc(free / 2, chi2 / 2)))


def _beyond(model: Model, extra: Matrix) -> int:
    """How many of the extra parameters are independent of the strengths."""
    known: Matrix = np.zeros((len(model.pairs), len(model.agents)))
    for group, (_, a, b) in enumerate(model.pairs):
        known[group, a], known[group, b] = 1.0, -1.0
    if not len(known):
        return 0
    both = int(np.linalg.matrix_rank(np.hstack([known, extra])))
    return both - int(np.linalg.matrix_rank(known))


def _dispersion(clusters: Clusters, pairs: int) -> Matrix:
    """The variance of the scores of pairs about the mean of their pairing, divided by that of two independent games: a row for
    each pairing, in three directions.

    It is about the mean so that a misfit does not hide in its own spread. What two games share matters less in pairings whose
    games are nearly all won by one agent, so even and uneven pairings are pooled separately. One imagined pair keeps it above 0.
    """
    number = clusters.counts[:pairs].sum(axis=1)
    some = np.maximum(number, 1.0)
    summed = clusters.summed()[:pairs]
    within = clusters.squared()[:pairs] - summed[:, :, None] * summed[:, None, :] / some[:, None, None]
    expected = clusters.expected[:pairs]
    meant = expected * np.maximum(number - 1, 0.0)[:, None, None]
    found = np.ones((pairs, 3))
    order = np.argsort(expected[:, 0, 0], kind="stable")
    for some_alike in np.array_split(order, max(1, min(CLASSES, pairs // LEAST_ALIKE))):
        one = expected[some_alike].mean(axis=0).diagonal()
        seen = within[some_alike].sum(axis=0).diagonal() + one
        found[some_alike] = seen / np.maximum(meant[some_alike].sum(axis=0).diagonal() + one, 1e-300)
    return found


def _form(total: Vector, spread: Matrix, rank: int) -> float:
    """The quadratic form of the inverse of a matrix of this rank."""
    sizes, directions = np.linalg.eigh((spread + spread.T) / 2)
    sizes, directions = sizes[-rank:], directions[:, -rank:]
    keep = sizes > 1e-9 * sizes[-1]
    return float((((total @ directions)[keep]) ** 2 / sizes[keep]).sum())
