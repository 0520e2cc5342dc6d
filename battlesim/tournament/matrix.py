"""The matrix of win shares, cycles in it, and the mixed strategy over agents that no agent exploits. Read `win_matrix`.

If strength is not transitive, no rating orders the agents. Choosing an agent is then a game itself: each of two players names an
agent and gets its share minus 1/2. The maximin mixed strategy of this game (von Neumann 1928) scores at least 1/2 against every
agent. Of several such strategies the one with the greatest entropy is given, as in Balduzzi et al. (2018), "Re-evaluating
evaluation": it is unique and treats equal agents equally.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.linalg import null_space
from scipy.optimize import linprog, minimize

from battlesim.tournament.shares import PAIR_SCORES, Interval, stratified_interval
from battlesim.tournament.tally import Tally

Matrix = NDArray[np.float64]

DRAWS = 40
"""How often the pairs are resampled to find the uncertainty of a mixed strategy."""
_SOME = 1e-6  # weights below it are rounding: the solver keeps constraints to 1e-7


class MixedStrategy(Struct, frozen=True):
    """The maximin mixed strategy: weights of the agents, and the share that each agent gets against it.

    `value`: the least share that the strategy gets against any agent; 1/2 except for rounding, since the game is symmetric.
    Weights are None, with a reason, if two of the agents have not met.
    """

    agents: tuple[str, ...]
    weights: tuple[float, ...] | None
    against: tuple[float, ...] | None
    value: float | None
    reason: str = ""


class WinMatrix(Struct, frozen=True):
    """Shares of the row agent against the column agent with their intervals; None if they have not met."""

    agents: tuple[str, ...]
    cells: tuple[tuple[Interval | None, ...], ...]
    pairs: tuple[tuple[int, ...], ...]

    def cell(self, a: str, b: str) -> Interval | None:
        """The share of `a` against `b`; None if they have not met. Raises ValueError for an agent that is not in it."""
        return self.cells[self.agents.index(a)][self.agents.index(b)]

    def beats(self, a: str, b: str) -> bool:
        """Whether the whole interval of a's share against b lies above 1/2."""
        found = self.cell(a, b)
        return found is not None and found.low > 0.5


def win_matrix(tally: Tally, agents: Sequence[str], level: float = 0.95) -> WinMatrix:
    """The shares of each two agents. The scenarios in which they met weigh the same, however many pairs each has."""
    found = {(a, b): _share(tally, a, b, level) for a, b in combinations(sorted(agents), 2)}

    def cell(a: str, b: str) -> Interval | None:
        if a == b:
            return None
        seen = found[min(a, b), max(a, b)]
        if seen is None or a < b:
            return seen
        return Interval(1 - seen.value, 1 - seen.high, 1 - seen.low)

    return WinMatrix(
        agents=tuple(agents),
        cells=tuple(tuple(cell(a, b) for b in agents) for a in agents),
        pairs=tuple(tuple(sum(tally.cells(a, b)) if a != b else 0 for b in agents) for a in agents),
    )


def cycles(matrix: WinMatrix) -> tuple[tuple[str, str, str], ...]:
    """Every A that beats B that beats C that beats A, each beyond its interval; A comes first by name.

    Each interval may be wrong by itself: among many agents some cycles arise by chance, so use a level nearer to 1.
    """
    found = []
    for a, b, c in combinations(sorted(matrix.agents), 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            if matrix.beats(x, y) and matrix.beats(y, z) and matrix.beats(z, x):
                found.append((x, y, z))
    return tuple(found)


def maximin(matrix: WinMatrix) -> MixedStrategy:
    """The mix of agents that scores at least 1/2 against each of them, by their observed shares."""
    agents = sorted(matrix.agents)
    if not agents:
        return MixedStrategy((), None, None, None, "no agents")
    for a, b in combinations(agents, 2):
        if matrix.cell(a, b) is None:
            return MixedStrategy(matrix.agents, None, None, None, f"{a!r} and {b!r} have not met")
    gains: Matrix = np.zeros((len(agents), len(agents)))
    for i, j in combinations(range(len(agents)), 2):
        seen = matrix.cell(agents[i], agents[j])
        assert seen is not None
        gains[i, j], gains[j, i] = seen.value - 0.5, 0.5 - seen.value
    weights = dict(zip(agents, _even_mix(gains), strict=True))
    mix = np.array([weights[agent] for agent in agents])
    against = dict(zip(agents, 0.5 + gains @ mix, strict=True))
    return MixedStrategy(
        agents=matrix.agents,
        weights=tuple(float(weights[agent]) for agent in matrix.agents),
        against=tuple(float(against[agent]) for agent in matrix.agents),
        value=1 - max(float(share) for share in against.values()),
    )


class MixUncertainty(Struct, frozen=True):
    """The uncertainty of a mixed strategy, found by resampling the pairs that were played.

    `low`, `high`: for each agent, the weights between which 90% of the resampled strategies lie. `value`: the share that a
    strategy found from this many pairs is expected to get against the agent that does best against it, if the observed shares
    were true; below 1/2, since the strategy also fits the noise. `unsafe`: whether for each agent some opponent is shown to
    beat it, corrected for the number of tests.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]
    value: float
    unsafe: bool


def mix_uncertainty(tally: Tally, matrix: WinMatrix, draws: int = DRAWS) -> MixUncertainty | None:
    """The uncertainty of `maximin(matrix)`; None if two of the agents have not met. The same tally gives the same numbers."""
    agents = sorted(matrix.agents)
    couples = list(combinations(range(len(agents)), 2))
    cells = {}
    for i, j in couples:
        found = [tally.pentanomial(agents[i], agents[j], scenario) for scenario in tally.scenarios]
        cells[i, j] = [np.array(counts) for counts in found if any(counts)]
        if not cells[i, j]:
            return None
    if not couples:
        return None
    points = np.array(PAIR_SCORES)
    gains: Matrix = np.zeros((len(agents), len(agents)))
    for i, j in couples:
        gains[i, j] = np.mean([counts @ points / counts.sum() for counts in cells[i, j]]) - 0.5
        gains[j, i] = -gains[i, j]
    chance = np.random.default_rng(len(couples))
    mixes, worst = [], []
    for _ in range(draws):
        drawn: Matrix = np.zeros_like(gains)
        for i, j in couples:
            shares = []
            for counts in cells[i, j]:
                number = int(counts.sum())
                # One imagined pair, so that pairs with equal results do not look certain.
                part = (counts + 0.2) / (number + 1)
                shares.append(chance.multinomial(number, part) @ points / number)
            drawn[i, j] = np.mean(shares) - 0.5
            drawn[j, i] = -drawn[i, j]
        mix = _a_mix(drawn)
        mixes.append(mix)
        worst.append(0.5 + float((mix @ gains).min()))
    low, high = np.quantile(np.array(mixes), (0.05, 0.95), axis=0)
    place = {agent: index for index, agent in enumerate(agents)}
    strict = win_matrix(tally, agents, 1 - 0.05 / len(couples))
    unsafe = all(any(strict.beats(other, agent) for other in agents) for agent in agents)
    return MixUncertainty(
        low=tuple(float(low[place[agent]]) for agent in matrix.agents),
        high=tuple(float(high[place[agent]]) for agent in matrix.agents),
        value=float(np.mean(worst)),
        unsafe=unsafe,
    )


def _share(tally: Tally, a: str, b: str, level: float) -> Interval | None:
    strata = [tally.pentanomial(a, b, scenario) for scenario in tally.scenarios]
    return stratified_interval([counts for counts in strata if any(counts)], level)


def _even_mix(gains: Matrix) -> Matrix:
    """Of all mixes with `mix @ gains >= 0` the one of greatest entropy."""
    size = len(gains)
    # An agent is of use if some optimal mix holds it; the mean of these mixes holds every such agent.
    best = np.array([_most(gains, index) for index in range(size)])
    useful = np.flatnonzero(best.diagonal() > _SOME)
    idle = np.flatnonzero(best.diagonal() <= _SOME)
    mix = np.zeros(size)
    inner = best[np.ix_(useful, useful)].mean(axis=0)
    # Against an agent of use every optimal mix gains exactly nothing (complementary slackness): these equations and
    # that of the sum leave `free` directions to choose in.
    equations = np.vstack([gains[np.ix_(useful, useful)].T, np.ones(len(useful))])
    goal = np.append(np.zeros(len(useful)), 1.0)
    inner = inner - np.linalg.pinv(equations, rcond=_SOME) @ (equations @ inner - goal)
    free = null_space(equations, rcond=_SOME)
    if free.shape[1]:
        inner = _most_even(inner, free, gains[np.ix_(useful, idle)])
    mix[useful] = np.maximum(inner, 0.0)
    return np.asarray(mix / mix.sum())


def _most_even(start: Matrix, free: Matrix, others: Matrix) -> Matrix:
    """The point of greatest entropy among start + free @ y that loses to none of the others."""

    def entropy(y: Matrix) -> tuple[float, Matrix]:
        logs = np.log(np.maximum(start + free @ y, 1e-300))
        return float((start + free @ y) @ logs), free.T @ (logs + 1)

    walls = np.vstack([free, others.T @ free])
    offset = np.concatenate([start, others.T @ start])
    found = minimize(
        entropy,
        np.zeros(free.shape[1]),
        jac=True,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda y: offset + walls @ y, "jac": lambda y: walls},
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return np.asarray(start + free @ found.x)


def _a_mix(gains: Matrix) -> Matrix:
    """A mix that loses to none; for random gains there is only one."""
    size = len(gains)
    found = linprog(
        np.zeros(size),
        A_ub=-gains.T,
        b_ub=np.full(size, 1e-9),
        A_eq=np.ones((1, size)),
        b_eq=[1.0],
        method="highs",
    )
    return np.asarray(found.x)


def _most(gains: Matrix, index: int) -> Matrix:
    """A mix that loses to none and holds as much of this agent as such a mix can."""
    size = len(gains)
    aim = np.zeros(size)
    aim[index] = -1.0
    found = linprog(
        aim, A_ub=-gains.T, b_ub=np.zeros(size), A_eq=np.ones((1, size)), b_eq=[1.0], method="highs"
    )
    return np.asarray(found.x)
