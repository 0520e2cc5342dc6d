"""Sequential tests on pairs: games are played until they decide, with error rates chosen before. Read `Sprt.judge`.

This is the generalised sequential probability ratio test (GSPRT) that is used to test chess engines, after M. Van den Bergh, "A
practical introduction to the GSPRT" and "The generalized maximum likelihood ratio for the expectation value of a distribution".
The results are pairs, by a's points (0, 1/2, 1, 3/2, 2). Nothing is assumed about their distribution. H0 says that the expected
share is that of `elo0`, H1 that of `elo1`; the ratio compares the greatest likelihoods of the results under each. Elo is
logistic, of the share of a pair: `share = 1 / (1 + 10 ** (-elo / 400))`.

Over several scenarios the test is stratified: each scenario has its own distribution, and a hypothesis fixes the mean of their
expected shares, all scenarios weighing the same. So differences between scenarios are not noise. With one scenario this is the
plain test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.tournament.likelihood import log_likelihood_ratio
from battlesim.tournament.shares import GAME_SCORES, PAIR_SCORES, share

MOST_ELO = 2000.0
"""The largest difference that can be tested, either way."""

Decision = Literal["H0", "H1"] | None


class SprtStatus(Struct, frozen=True):
    """The state of a test: the log-likelihood ratio, its bounds, and the accepted hypothesis, None before a decision."""

    llr: float
    lower: float
    upper: float
    decision: Decision


class SprtForecast(Struct, frozen=True):
    """The number of pairs that a test is expected to take, and the chance that it ends with H1."""

    pairs: float
    h1: float


class Sprt(Struct, frozen=True):
    """A test of H0: elo = elo0 against H1: elo = elo1. `alpha`: chance to accept H1 if H0 is true; `beta`: chance to accept H0 if
    H1 is true."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        faults = []
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not (math.isfinite(value) and abs(value) <= MOST_ELO):
                faults.append(Fault(f"{name} is {value!r}", f"a number from {-MOST_ELO:g} to {MOST_ELO:g}"))
        if not faults and not share(self.elo0) < share(self.elo1):  # a gap can also be too small for floats
            what = f"elo0 {self.elo0!r} is not below elo1 {self.elo1!r}"
            faults.append(Fault(what, "the test needs a gap between them, such as elo0 0 and elo1 20"))
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0 < value < 0.5:
                faults.append(
                    Fault(f"{name} is {value!r}", "an error rate above 0 and below 0.5, such as 0.05")
                )
        if faults:
            raise InputError(faults)

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def shares(self) -> tuple[float, float]:
        """The expected shares of the two hypotheses."""
        return share(self.elo0), share(self.elo1)

    def judge(self, pentanomial: Sequence[int]) -> SprtStatus:
        """The state of the test after these pairs, counted by a's points 0, 1/2, 1, 3/2, 2.

        Call it after each pair, in an order that was fixed before. The first decision is final.
        """
        return self._verdict(log_likelihood_ratio(pentanomial, PAIR_SCORES, *self.shares))

    def judge_strata(self, pentanomials: Sequence[Sequence[int]]) -> SprtStatus:
        """The state of the test over several scenarios: one row of counts for each; rows of zeros are left out. Call it after
        each round of all scenarios. The first decision is final."""
        from battlesim.tournament.strata import stratified_ratio  # brings numpy with it

        return self._verdict(stratified_ratio(pentanomials, PAIR_SCORES, *self.shares))

    def judge_games(self, losses: int, draws: int, wins: int) -> SprtStatus:
        """The same test on single, independent games."""
        return self._verdict(log_likelihood_ratio((losses, draws, wins), GAME_SCORES, *self.shares))

    def outlook(self, elo: float, variance: float | None = None) -> SprtForecast:
        """What to expect if the true difference is `elo`: Wald's approximation by a Brownian motion.

        `variance`: of the share of one pair (a number from 0 to 1); by default that of two independent games without draws,
        about the largest possible unless the games of a pair tend to have the same winner. The approximation leaves out the
        overshoot, so tests take a little longer.
        """
        low, high = self.shares
        true = share(elo)
        spread = true * (1 - true) / 2 if variance is None else variance
        if not spread > 0:
            raise ValueError(f"variance {variance!r}; above 0, at most 0.25")
        gap = high - low
        drift = gap * (true - (high + low) / 2) / spread
        square = gap * gap / spread
        # exp(-slant * llr) is a martingale; with a slant near 0 the walk has no drift.
        slant = 2 * drift / square
        if abs(slant) * max(-self.lower, self.upper) < 1e-6:
            return SprtForecast(
                pairs=-self.lower * self.upper / square, h1=-self.lower / (self.upper - self.lower)
            )
        # Each case is written so that no exponent is above 0.
        if slant > 0:
            h1 = math.expm1(slant * self.lower) / math.expm1(slant * (self.lower - self.upper))
        else:
            upward = math.exp(slant * self.upper) * math.expm1(-slant * self.lower)
            h1 = upward / math.expm1(slant * (self.upper - self.lower))
        return SprtForecast(pairs=(h1 * self.upper + (1 - h1) * self.lower) / drift, h1=h1)

    def _verdict(self, llr: float) -> SprtStatus:
        decision: Decision = "H1" if llr >= self.upper else "H0" if llr <= self.lower else None
        return SprtStatus(llr, self.lower, self.upper, decision)
