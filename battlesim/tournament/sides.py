"""Is a scenario fair? Tests of its sides, and the bias that the games could have missed. Read `judge_sides`.

Each scenario is tested in four ways:

- `arm`: does one side win more often when an agent meets itself? One exact binomial test an agent, draws left out.
- `all`: the same, the agents' control games taken together.
- `differ`: is a side worth more to one agent than to another? Fisher's permutation test of the control arms: biases in opposite
  directions cancel out in the tests above, but show here.
- `pairs`: does one side win more often between different agents? An exact sign-flip test of pairs.

A scenario's p is the least of them times their number; over all scenarios Holm's correction keeps the chance of any false alarm
in the whole tournament at `ALPHA`. Inside a flagged scenario Holm's correction says which tests found something.

A test that finds nothing does not prove that a scenario is fair. It is called fair only if every agent's interval lies within a
given bound. `unseen` is the largest bias, as the share of one side, that the control games of some agent leave possible.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from scipy.special import bdtr
from scipy.stats import binom, chi2

from battlesim.core.sums import summed
from battlesim.tournament.multiple_testing import ALPHA, holm
from battlesim.tournament.shares import Interval, interval
from battlesim.tournament.tally import Results, Tally

Kind = Literal["favours", "depends", "agent", "between", "out of bounds", "fair", "unknown", "unmeasured"]
"""Verdicts on a scenario; `viewer.report_fairness.SHOWN` are those that report a bias."""
NeededTo = Literal["show", "rule out", "halve"]
"""What more control games would do: show a bias at the bound, rule it out, or halve the interval."""
_EXACT = 400
"""Up to this many games two arms are compared exactly; above, chi-square is accurate enough."""
_MOST_PAIRS = 4000
"""Up to this many pairs `flips_p` is exact; above, the normal approximation is accurate enough."""
NEAR = 0.02
"""How near to the bound no number of games is named that would rule it out."""
POWER_Z = 1.96 + 0.84
"""How many standard errors an effect must be from zero to be found by a test at 5% in 80% of runs."""


class Arm(Struct, frozen=True):
    """One agent's control games on a scenario. `p` is corrected for the number of agents there."""

    agent: str
    results: Results
    interval: Interval | None
    p: float

    @property
    def unseen(self) -> float:
        """The largest share of one side that the games leave possible; 1 without games."""
        return 1.0 if self.interval is None else max(self.interval.high, 1 - self.interval.low)


class SideBias(Struct, frozen=True):
    """The verdict on a scenario's sides. `side`: the favoured one, -1 if there is none or it depends on the agent. `agent`: the
    one that the verdict is about, "" for all.

    `p`: corrected for all tests and all scenarios. `tests`: p by test, before any correction. `needed`: how many control games of
    each agent would tell more, and `needed_to` do what, see `more_games`. `pairs`: side 0's share between different agents.
    """

    scenario: str
    kind: Kind
    side: int
    agent: str
    p: float
    tests: dict[str, float]
    unseen: float
    needed: int
    needed_to: NeededTo
    control: Results
    pooled: Interval | None
    arms: tuple[Arm, ...]
    pairs: float | None


def judge_sides(
    tally: Tally, scenarios: Sequence[str], agents: Sequence[str], fair: float, bounds: float
) -> list[SideBias]:
    """The verdict on each scenario. `fair`: the share of one side that a fair scenario must stay below. `bounds`: the share of
    one side above which a scenario is out of bounds."""
    tests = [_tests(tally, scenario, agents) for scenario in scenarios]
    adjusted = holm([min(1.0, len(found) * min(found.values())) if found else 1.0 for found in tests])
    return [
        _judge(tally, scenario, agents, found, p, fair, bounds)
        for scenario, found, p in zip(scenarios, tests, adjusted, strict=True)
    ]


def games_needed(share: float) -> int:
    """How many control games show a bias of this share, without draws, in 80% of tournaments with one test at 5%."""
    return math.ceil((POWER_Z / (2 * abs(share - 0.5))) ** 2)


def more_games(arms: Sequence[Arm], fair: float) -> tuple[int, NeededTo]:
    """How many control games of each agent would tell more about a scenario that is not settled, and what they would do.

    First those that show a bias at the bound. Where each agent has played so many, those that rule it out if the shares stay as
    they are; where a share is too near to the bound for that, those that halve the interval.
    """
    told = [(arm.interval, arm.results.games) for arm in arms if arm.interval is not None]
    fewest = min((games for _, games in told), default=0)
    if fewest < (usual := games_needed(fair)):
        return usual, "show"
    most = 0.0
    for found, games in told:
        left = fair - max(found.value, 1 - found.value)
        if left < NEAR:
            return 4 * fewest, "halve"
        most = max(most, games * ((found.high - found.low) / 2 / left) ** 2)
    return math.ceil(most), "rule out"


def _tests(tally: Tally, scenario: str, agents: Sequence[str]) -> dict[str, float]:
    arms = [tally.control_results(scenario, agent) for agent in agents]
    arms = [arm for arm in arms if arm.games]
    found = {}
    if arms:
        found["arm"] = min(1.0, len(arms) * min(map(side_p, arms)))
    if len(arms) > 1:
        found["all"] = side_p(tally.control_results(scenario))
        found["differ"] = differ_p(arms)
    cells = _cells(tally, scenario)
    if any(cells):
        found["pairs"] = pairs_p(cells)
    return found


def _judge(
    tally: Tally,
    scenario: str,
    agents: Sequence[str],
    tests: Mapping[str, float],
    p: float,
    fair: float,
    bounds: float,
) -> SideBias:
    control = tally.control_results(scenario)
    found = [tally.control_results(scenario, agent) for agent in agents]
    played = [side_p(arm) for arm in found if arm.games]
    corrected = iter(holm(played))
    arms = tuple(
        Arm(agent, arm, interval(arm.wins, arm.draws, arm.losses), next(corrected) if arm.games else 1.0)
        for agent, arm in zip(agents, found, strict=True)
    )
    pooled = interval(control.wins, control.draws, control.losses)
    met = tally.side_results(scenario)
    shown = dict(zip(tests, holm(list(tests.values())), strict=True))
    told = [arm for arm in arms if arm.interval is not None]
    # Also that of an agent without a result: it lost each of its games by its own failure.
    unseen = max((arm.unseen for arm in arms), default=1.0)
    needed, needed_to = more_games(arms, fair)
    kind, side, agent = _verdict(shown, p, told, pooled, met.share, fair, bounds, unseen)
    return SideBias(
        scenario=scenario,
        kind=kind,
        side=side,
        agent=agent,
        p=p,
        tests=dict(tests),
        unseen=unseen,
        needed=needed,
        needed_to=needed_to,
        control=control,
        pooled=pooled,
        arms=arms,
        pairs=met.share,
    )


def _verdict(
    shown: Mapping[str, float],
    p: float,
    arms: Sequence[Arm],
    pooled: Interval | None,
    between: float | None,
    fair: float,
    bounds: float,
    unseen: float,
) -> tuple[Kind, int, str]:
    """The kind of verdict, the side it names (-1: none) and the agent it holds for ("": all)."""
    if pooled is not None and (pooled.low > bounds or pooled.high < 1 - bounds):
        side = 0 if pooled.value > 0.5 else 1
        # A scenario is out of bounds only if no agent's games point the other way.
        if all(
            (arm.results.share or 0) > 0.5 if side == 0 else (arm.results.share or 0) < 0.5 for arm in arms
        ):
            return "out of bounds", side, ""
    if p < ALPHA:
        if shown.get("differ", 1.0) < ALPHA:
            return "depends", -1, ""
        together = "all" if "all" in shown else "arm"
        if pooled is not None and shown.get(together, 1.0) < ALPHA:
            return "favours", 0 if pooled.value > 0.5 else 1, ""
        if shown.get("arm", 1.0) < ALPHA:
            most = min(arms, key=lambda arm: arm.p)
            return "agent", 0 if (most.results.share or 0) > 0.5 else 1, most.agent
        return "between", 0 if (between or 0) > 0.5 else 1, ""
    if not arms:
        return "unmeasured", -1, ""
    return ("fair" if unseen <= fair else "unknown"), -1, ""


# ---- the tests -------------------------------------------------------------------------------------------------------


def side_p(results: Results) -> float:
    """The p of equal sides: a two-sided exact binomial test of the games that were not drawn."""
    decided = results.wins + results.losses
    return min(1.0, 2 * float(bdtr(min(results.wins, results.losses), decided, 0.5)))


def differ_p(arms: Sequence[Results]) -> float:
    """The p of equal mean scores in all arms: a permutation test.

    Two arms are compared exactly, as in Fisher's test. Otherwise the squared distances from the common mean are compared with
    chi-square, with their variance over permutations.
    """
    number = sum(arm.games for arm in arms)
    wins, draws = sum(arm.wins for arm in arms), sum(arm.draws for arm in arms)
    mean = (2 * wins + draws) / number
    spread = (4 * wins + draws) / number - mean * mean
    if spread <= 0 or len(arms) < 2:
        return 1.0
    if len(arms) == 2 and number <= _EXACT:
        return _two_arms(arms[0], wins, draws, number)
    distance = summed(arm.games * ((2 * arm.wins + arm.draws) / arm.games - mean) ** 2 for arm in arms)
    return float(chi2.sf(distance * (number - 1) / number / spread, len(arms) - 1))


def _two_arms(arm: Results, wins: int, draws: int, number: int) -> float:
    """The chance that drawing one arm's games from all of them gives a mean at least as far from the expected one."""
    losses = number - wins - draws
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, number + 1)))])

    def choose(n: int, k: np.ndarray) -> np.ndarray:
        fits = (k >= 0) & (k <= n)
        k = np.clip(k, 0, n)
        return np.where(fits, log[n] - log[k] - log[n - k], -np.inf)

    won, drawn = np.meshgrid(np.arange(wins + 1), np.arange(draws + 1), indexing="ij")
    weight = choose(wins, won) + choose(draws, drawn) + choose(losses, arm.games - won - drawn)
    chance = np.exp(weight - choose(number, np.array(arm.games)))
    # Whole numbers: points times the number of games, so that ties are ties.
    far = np.abs((2 * won + drawn) * number - arm.games * (2 * wins + draws))
    seen = abs((2 * arm.wins + arm.draws) * number - arm.games * (2 * wins + draws))
    return min(1.0, float(chance[far >= seen].sum()))


def pairs_p(cells: Sequence[int]) -> float:
    """The p of equal sides between different agents: an exact test that swaps the two games of each pair.

    `cells`: the nine counts of pairs, see `tally`. If the sides are equal, a pair is as likely as its mirror image.
    """
    leads = [0, 0, 0]
    total = 0
    for index, count in enumerate(cells):
        lead = index // 3 - index % 3
        leads[abs(lead)] += count
        total += lead * count
    return flips_p(leads[1], leads[2], total)


def flips_p(one: int, two: int, total: int) -> float:
    """The chance that `one` ones and `two` twos with random signs have a sum at least as far from 0 as `total`."""
    if one + two == 0:
        return 1.0
    if one + two > _MOST_PAIRS:
        return math.erfc(abs(total) / math.sqrt(2 * (one + 4 * two)))
    # The sum is (2 x - one) + 2 (2 y - two) with x and y binomial: place k of the product stands for x + 2 y = k.
    wide = np.zeros(2 * two + 1)
    wide[::2] = binom.pmf(np.arange(two + 1), two, 0.5)
    chances = np.convolve(binom.pmf(np.arange(one + 1), one, 0.5), wide)
    sums = 2 * np.arange(len(chances)) - one - 2 * two
    return min(1.0, float(chances[np.abs(sums) >= abs(total)].sum()))


def _cells(tally: Tally, scenario: str) -> list[int]:
    total = [0] * 9
    for (played, _, _), cells in tally.pairs.items():
        if played == scenario:
            for index, count in enumerate(cells):
                total[index] += count
    return total
