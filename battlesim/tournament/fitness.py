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
from scipy.special import gammaincc  # type: ignore[import-untyped]

from battlesim.tournament.davidson import Matrix, Model, sum_of_squares
from battlesim.tournament.tally import Tally

MOST_PAIRINGS = 1000
"""Above so many pairings the test is left out: it works on a square of that size."""


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
    keys = [(group.scenario if by_scenario else 0, group.a, group.b) for group in model.groups]
    places = {key: index for index, key in enumerate(sorted({key for key in keys if key[1] != key[2]}))}
    if len(places) > MOST_PAIRINGS:
        return Fitness(None, 0, None, f"{len(places)} pairings; tested up to {MOST_PAIRINGS}")
    extra = _beyond_strength(list(places), len(model.agents))
    df = extra.shape[1]
    if not df:
        return Fitness(None, 0, None, "no two ways to compare the same agents")

    psi = model.maximise(model.counts, prior)
    _, bend = model.slope(psi, model.counts, prior)
    clusters = model.clusters(psi)
    crossed: Matrix = np.zeros((df, model.size))
    for (group, base, _, expected), key in zip(clusters, keys, strict=True):
        if key in places:
            crossed += np.outer(extra[places[key]], group.clusters * expected[0] @ base)
    nuisance = np.linalg.solve(bend, crossed.T).T
    total = np.zeros(df)
    spread: Matrix = np.zeros((df, df))
    for (group, base, scores, expected), key in zip(clusters, keys, strict=True):
        load = -nuisance @ base.T
        if key in places:
            load[:, 0] += extra[places[key]]
        summed = np.array(group.cells, dtype=np.float64) @ scores
        total += load @ summed
        # About the mean, so that a gross misfit does not hide in its own spread.
        about = sum_of_squares(scores, group.cells) - np.outer(summed, summed) / group.clusters
        spread += load @ (about + expected) @ load.T
    chi2 = float(total @ np.linalg.lstsq(spread, total, rcond=None)[0])
    return Fitness(chi2, df, float(gammaincc(df / 2, chi2 / 2)))


def _beyond_strength(pairings: Sequence[tuple[int, int, int]], agents: int) -> Matrix:
    """An orthonormal basis of the differences of pairings that no strengths of agents give, one a column."""
    design: Matrix = np.zeros((len(pairings), agents))
    for row, (_, a, b) in enumerate(pairings):
        design[row, a], design[row, b] = 1.0, -1.0
    if not len(pairings):
        return np.zeros((0, 0))
    left, sizes, _ = np.linalg.svd(design)
    return np.asarray(left[:, int((sizes > 1e-9).sum()) :])
