"""Ratings of agents, side advantages and differences between agents, with intervals. Read `fit`.

The model is Davidson's Bradley-Terry model with draws and a side advantage for each scenario; variances come from pairs: see
`davidson`. Numbers are in Elo. A strength to which the games set no upper limit is marked "at least"; one that they do not
determine is withheld, with the reason.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
from msgspec import Struct
from scipy.optimize import brentq

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.tournament.davidson import PRIOR_ELO, Matrix, Model, Vector, prior_weight
from battlesim.tournament.fitness import Fitness, consistency, transitivity
from battlesim.tournament.separation import Cone
from battlesim.tournament.shares import ELO, elo, elo_interval, interval, pair_interval, share, z_value
from battlesim.tournament.tally import Tally

__all__ = [
    "fit",
    "Ratings",
    "Rating",
    "SideAdvantage",
    "Difference",
    "Kind",
    "Fitness",
    "elo",
    "share",
    "interval",
    "pair_interval",
    "elo_interval",
    "PRIOR_ELO",
]

Kind = Literal["measured", "at least", "at most", "withheld"]


class Rating(Struct, frozen=True):
    """An agent's strength in Elo, against the mean of the field or the baseline.

    Kind "at least": there is no upper limit (`high` is None), `low` is what the games show, and the size of `elo` comes from the
    prior. "at most" is the mirror image. "withheld" has no numbers but a `reason`. `games` counts games of pairs.
    """

    agent: str
    kind: Kind
    elo: float | None
    low: float | None
    high: float | None
    games: int
    share: float | None
    reason: str = ""


class SideAdvantage(Struct, frozen=True):
    """The advantage of side 0 of a scenario in Elo between equal agents, with its interval.

    `share` is its expected share of the points, `draws` the chance of a draw, `nu` the draw parameter of the model. Kinds are
    those of `Rating`; if the kind is not "measured", the size of these three also comes from the prior. `control_games` counts
    games of agents against themselves.
    """

    scenario: str
    kind: Kind
    elo: float | None
    low: float | None
    high: float | None
    share: float | None
    draws: float | None
    nu: float | None
    games: int
    control_games: int
    reason: str = ""


class Difference(Struct, frozen=True):
    """How much stronger `a` is than `b`, in Elo with its limits. `superiority`, 0 to 1: 1 less the one-sided p of the difference;
    it is not the chance that `a` is stronger."""

    a: str
    b: str
    kind: Kind
    elo: float | None
    low: float | None
    high: float | None
    superiority: float | None

    def turned(self) -> Difference:
        """The same difference from b's point of view."""
        kinds: dict[Kind, Kind] = {"at least": "at most", "at most": "at least"}
        return Difference(
            a=self.b,
            b=self.a,
            kind=kinds.get(self.kind, self.kind),
            elo=None if self.elo is None else -self.elo,
            low=None if self.high is None else -self.high,
            high=None if self.low is None else -self.low,
            superiority=None if self.superiority is None else 1 - self.superiority,
        )


class Ratings(Struct, frozen=True):
    """Everything `fit` found; `reason` says why all ratings were withheld, and is empty if they were not.

    `ratings` keep the order of the agents as given, `sides` and `differences` (a before b) are sorted by name.
    `reference` names the agents whose mean is 0. `transitivity` and `consistency` test the model, see `fitness`.
    """

    ratings: tuple[Rating, ...]
    sides: tuple[SideAdvantage, ...]
    differences: tuple[Difference, ...]
    reference: tuple[str, ...]
    transitivity: Fitness
    consistency: Fitness
    level: float
    prior_elo: float
    reason: str = ""

    def rating(self, agent: str) -> Rating:
        """The rating of an agent. Raises KeyError if there is none."""
        for row in self.ratings:
            if row.agent == agent:
                return row
        raise KeyError(f"no rating of {agent!r}; rated: {', '.join(row.agent for row in self.ratings)}")

    def side(self, scenario: str) -> SideAdvantage:
        """What side 0 is worth in a scenario. Raises KeyError if no game of it was counted."""
        for row in self.sides:
            if row.scenario == scenario:
                return row
        known = ", ".join(row.scenario for row in self.sides)
        raise KeyError(f"no games of the scenario {scenario!r}; there are some of: {known or 'none'}")

    def difference(self, a: str, b: str) -> Difference:
        """The difference between two different agents, in either direction. Raises KeyError if they are not both rated."""
        for row in self.differences:
            if (row.a, row.b) == (a, b):
                return row
            if (row.a, row.b) == (b, a):
                return row.turned()
        rated = ", ".join(row.agent for row in self.ratings)
        raise KeyError(f"no difference between {a!r} and {b!r}; name two of the rated: {rated}")

    def standings(self) -> tuple[Rating, ...]:
        """Strongest first; the withheld last, by name."""
        return tuple(sorted(self.ratings, key=lambda r: (r.elo is None, -(r.elo or 0.0), r.agent)))


def fit(
    tally: Tally,
    agents: Sequence[str],
    baseline: str | None = None,
    *,
    level: float = 0.95,
    prior_elo: float = PRIOR_ELO,
    differences: bool = True,
) -> Ratings:
    """Ratings of `agents` from the games among them; games with others are left out.

    Ratings are relative to the baseline or, without one, to a mean: that of the largest group of agents between whose strengths
    the results limit every difference on both sides (an agent that lost every game is in no such group), or of all agents if
    there is no such group. `differences=False` leaves out the differences and the tests of the model, for a quick look while
    games are played.
    """
    _check(agents, baseline, prior_elo)
    z_value(level)
    return _Fit(tally, agents, baseline, level, prior_elo).ratings(differences)


class _Fit:
    """One fit. Agents are sorted, so that the order in which they are named changes no result."""

    def __init__(
        self, tally: Tally, agents: Sequence[str], baseline: str | None, level: float, prior_elo: float
    ) -> None:
        self.asked = tuple(agents)
        self.names = sorted(agents)
        self.baseline = baseline
        self.level, self.prior_elo, self.prior = level, prior_elo, prior_weight(prior_elo)
        self.z = z_value(level)
        self.tally = tally.restricted(agents=self.names)
        self.model = Model(self.tally, self.names)
        self.psi = self.model.maximise(self.model.counts, self.prior)
        self.covariance = self.model.covariance(self.psi, self.prior)
        self.cone = Cone(self.model)
        # For estimates with one limit only: a pair counts as one game, the least that it can tell.
        self.cautious: Matrix = self.model.weighted(0.5)
        self._peak: Vector | None = None

    def ratings(self, differences: bool) -> Ratings:
        reasons = self._unconnected()
        rated = [agent for agent in self.names if agent not in reasons]
        main = self._classes(rated)[0] if rated else []
        if self.baseline is not None:
            reference = [self.baseline] if rated else []
        else:
            reference = main if len(main) > 1 else rated
        rows = {agent: self._rating(agent, reference, reasons.get(agent, "")) for agent in self.names}
        pairs = [(a, b) for i, a in enumerate(rated) for b in rated[i + 1 :]] if differences else []
        untested = Fitness(None, 0, None, "left out of a quick look")
        return Ratings(
            ratings=tuple(rows[agent] for agent in self.asked),
            sides=tuple(self._side(scenario) for scenario in self.model.scenarios),
            differences=tuple(self._difference(a, b) for a, b in pairs),
            reference=tuple(reference),
            transitivity=transitivity(self.tally, main, self.prior) if differences else untested,
            consistency=consistency(self.tally, main, self.prior) if differences else untested,
            level=self.level,
            prior_elo=self.prior_elo,
            reason="" if rated else next(iter(reasons.values())),
        )

    # Which agents can be compared at all

    def _unconnected(self) -> dict[str, str]:
        """Agents whose rating is withheld because no chain of pairs compares them, with the reason."""
        if len(self.names) < 2:
            return dict.fromkeys(self.names, "one agent alone: there is nobody to compare it with")
        parts = _parts(self.names, self.tally)
        reasons = {part[0]: "no paired games" for part in parts if len(part) == 1}
        fields = [part for part in parts if len(part) > 1]
        if not fields:
            return dict.fromkeys(self.names, "no paired games")
        if self.baseline is not None:
            home = next((part for part in fields if self.baseline in part), [])
            why = f"no chain of games leads to the baseline {self.baseline!r}"
            away = [agent for agent in self.names if agent not in home and agent not in reasons]
            reasons.update(dict.fromkeys(away, why))
            if not home:
                reasons = dict.fromkeys(self.names, f"the baseline {self.baseline!r} has no paired games")
        elif len(fields) > 1:
            groups = "; ".join(", ".join(part) for part in fields)
            why = f"no chain of games connects these groups of agents: {groups}"
            reasons.update({agent: why for part in fields for agent in part})
        return reasons

    def _classes(self, rated: list[str]) -> list[list[str]]:
        """Agents whose differences the results limit on both sides, together; the largest class first, then by name."""
        classes: list[list[str]] = []
        for agent in rated:
            for members in classes:
                if self.cone.limits(self._contrast({agent: 1.0, members[0]: -1.0})) == (True, True):
                    members.append(agent)
                    break
            else:
                classes.append([agent])
        return sorted(classes, key=lambda members: (-len(members), members))

    # Numbers

    def _rating(self, agent: str, reference: list[str], reason: str) -> Rating:
        results = self.tally.results(agent)
        if reason:
            kind, value, low, high = _WITHHELD
        else:
            weights = {agent: 1.0}
            for other in reference:
                weights[other] = weights.get(other, 0.0) - 1 / len(reference)
            kind, value, low, high = self._estimate(self._contrast(weights))
            if kind == "withheld":
                reason = "the results do not limit it against the reference; see its differences and results"
        return Rating(agent, kind, value, low, high, results.games, results.share, reason)

    def _side(self, scenario: str) -> SideAdvantage:
        place = len(self.names) + self.model.scenarios.index(scenario)
        contrast = np.zeros(self.model.size)
        contrast[place] = 1.0
        kind, value, low, high = self._estimate(contrast)
        controls = self.tally.control_results(scenario).games
        games = self.tally.side_results(scenario).games
        if kind == "withheld":
            why = "the results do not limit it"
            return SideAdvantage(scenario, kind, None, None, None, None, None, None, games, controls, why)
        half, eta = self.psi[place] / 2, self.psi[place + len(self.model.scenarios)]
        top = max(abs(half), eta)
        win, draw, loss = math.exp(half - top), math.exp(eta - top), math.exp(-half - top)
        total = win + draw + loss
        return SideAdvantage(
            scenario,
            kind,
            value,
            low,
            high,
            share=(win + draw / 2) / total,
            draws=draw / total,
            nu=math.exp(eta),
            games=games,
            control_games=controls,
        )

    def _difference(self, a: str, b: str) -> Difference:
        contrast = self._contrast({a: 1.0, b: -1.0})
        kind, value, low, high = self._estimate(contrast)
        superiority: float | None = None
        if kind == "measured":
            superiority = NormalDist().cdf(float(contrast @ self.psi) / self._error(contrast))
        elif kind != "withheld":
            peak = self._cautious_peak()
            fall = math.sqrt(2 * max(0.0, self._fall(contrast, 0.0)))
            superiority = NormalDist().cdf(math.copysign(fall, float(contrast @ peak)))
        return Difference(a, b, kind, value, low, high, superiority)

    def _estimate(self, contrast: Vector) -> tuple[Kind, float | None, float | None, float | None]:
        """A contrast in Elo: its kind, value and limits."""
        below, above = self.cone.limits(contrast)
        value = float(contrast @ self.psi)
        if below and above:
            half = self.z * self._error(contrast)
            return "measured", ELO * value, ELO * (value - half), ELO * (value + half)
        if below:
            return "at least", ELO * value, ELO * min(value, self._limit(contrast, -1.0)), None
        if above:
            return "at most", ELO * value, None, ELO * max(value, self._limit(contrast, 1.0))
        return _WITHHELD

    def _error(self, contrast: Vector) -> float:
        return math.sqrt(max(0.0, float(contrast @ self.covariance @ contrast)))

    def _limit(self, contrast: Vector, way: float) -> float:
        """The value at which the likelihood of the results has fallen to (1 - level) / 2, as in Clopper and Pearson's limit for
        n out of n."""
        enough = math.log(2 / (1 - self.level))
        start = float(contrast @ self._cautious_peak())
        far = 1.0
        while self._fall(contrast, start + way * far) < enough:
            far *= 2
        found = brentq(lambda x: self._fall(contrast, start + way * x) - enough, 0.0, far, xtol=1e-6)
        return start + way * float(found)

    def _fall(self, contrast: Vector, value: float) -> float:
        """How much the greatest log-likelihood falls if the contrast is held at this value."""
        peak = self._cautious_peak()
        start = peak + contrast * ((value - contrast @ peak) / (contrast @ contrast))
        held = self.model.maximise(self.cautious, self.prior, start, contrast)
        best = self.model.value(peak, self.cautious, self.prior)
        return best - self.model.value(held, self.cautious, self.prior)

    def _cautious_peak(self) -> Vector:
        if self._peak is None:
            self._peak = self.model.maximise(self.cautious, self.prior, self.psi)
        return self._peak

    def _contrast(self, weights: dict[str, float]) -> Vector:
        contrast = np.zeros(self.model.size)
        for agent, weight in weights.items():
            contrast[self.names.index(agent)] = weight
        return contrast


_WITHHELD: tuple[Kind, None, None, None] = ("withheld", None, None, None)


def _check(agents: Sequence[str], baseline: str | None, prior_elo: float) -> None:
    faults = [
        Fault(f"agent {agent!r} is named {times} times", "name each agent of a rating once")
        for agent, times in Counter(agents).items()
        if times > 1
    ]
    if not agents:
        faults.append(Fault("no agents to rate", "name at least two"))
    if baseline is not None and baseline not in agents:
        faults.append(Fault(f"baseline {baseline!r} is not among the agents", did_you_mean(baseline, agents)))
    if not (math.isfinite(prior_elo) and prior_elo > 0):
        faults.append(Fault(f"prior of {prior_elo!r} Elo", "a number above 0, such as 1000"))
    if faults:
        raise InputError(faults)


def _parts(names: Sequence[str], tally: Tally) -> list[list[str]]:
    """The names in groups that chains of pairs connect, each sorted, by first name."""
    home = {name: name for name in names}

    def root(name: str) -> str:
        while home[name] != name:
            name = home[name]
        return name

    for (_, a, b), _cells in tally.pairings():
        first, second = sorted((root(a), root(b)))
        home[second] = first
    parts: dict[str, list[str]] = {}
    for name in names:
        parts.setdefault(root(name), []).append(name)
    return [sorted(part) for part in parts.values()]
