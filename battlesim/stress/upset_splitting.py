"""The odds of a rare event, by adaptive multilevel splitting. Read `split`.

A number of battles are played. Those that came least near to the event are dropped, and each is replaced by a copy of one that
came nearer, which continues with fresh dice from the first question at which it was nearer. This is repeated until the event has
happened often enough. The share dropped in each round shows how unlikely it was to come so near. The estimate is unbiased for any
measure of nearness (Cérou and Guyader 2007; Bréhier and others 2016), so the mean of several runs has an interval. Set-up,
drawing of lots and the players' own chance belong to a battle from its start; only the dice are rolled anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf, log, sqrt
from random import Random
from statistics import fmean, stdev

from msgspec import Struct

from battlesim.batch.blame import Failures
from battlesim.core.dice import Dice, Key, KeyedDice, LoadedRoll, dice_of
from battlesim.core.events import Event, Rolled
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import seeds_of
from battlesim.engine.referee import Referee
from battlesim.engine.roster import Entrant
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state
from battlesim.stress.upset_targets import Target

Stretches = tuple[tuple[int, int], ...]
"""(question, seed), ascending: from that question on, the dice come from the seed."""


class StretchedDice:
    """Dice whose seed changes at some questions. `lots` are drawn by the battle's own seed throughout."""

    def __init__(self, lots: int, stretches: Stretches) -> None:
        self._lots = KeyedDice(lots)
        self._later = list(stretches)
        self._now = KeyedDice(self._later.pop(0)[1])

    def at(self, question: int) -> None:
        """A question is asked: from here on, rolls come from its stretch."""
        while self._later and self._later[0][0] <= question:
            self._now = KeyedDice(self._later.pop(0)[1])

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """As `Dice.faces`."""
        return self._now.faces(key, n, sides)

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """As `Dice.ranking`."""
        return self._lots.ranking(turn, side, purpose, n)


class _Over(BaseException):
    """The target is met, and the rest of the battle is not needed."""


class Trial:
    """Battles of one scenario between two agents, played to see whether a target is met. `played` counts them,
    `failures` what agents lost in them by their own failure."""

    def __init__(self, scenario: Scenario, agents: Sequence[Entrant], target: Target) -> None:
        self.scenario, self.agents, self.target = scenario, tuple(agents), target
        self.played = 0
        self.failures = Failures()

    def play(
        self, seed: int, dice: Dice, watch: Callable[[Battle, Question], None] | None = None
    ) -> tuple[bool, Battle]:
        """Play one battle with some dice until the target is met or it is over; returns whether it was met, and the battle at
        that point."""
        self.played += 1
        state = first_state(self.scenario, seed)
        battle = Battle(find_ruleset(self.scenario.ruleset), self.scenario.board, state, dice)
        seen = [0]

        def look(battle: Battle, question: Question) -> None:
            news = battle.log[seen[0] :]
            seen[0] = len(battle.log)
            if self.target.met(battle, news):
                raise _Over
            if watch is not None:
                watch(battle, question)

        made = [agent.make() for agent in self.agents]
        referee = Referee(battle, made, seeds_of(seed).agents, listener=look, scenario=self.scenario)
        try:
            referee.play_out()
        except _Over:
            return True, battle
        finally:
            self._blame(referee)
        return self.target.met(battle, battle.log[seen[0] :]), battle

    def _blame(self, referee: Referee) -> None:
        """Count what agents lost in a battle by their own failure."""
        if referee.faults:
            outcome = referee.battle.state.outcome
            forfeited = outcome is not None and outcome.termination == "forfeit"
            winner = outcome.winner if outcome is not None and forfeited else None
            sides = [side.name for side in self.scenario.sides]
            self.failures.count(
                {side: agent.name for side, agent in zip(sides, self.agents, strict=True)},
                [{"side": sides[fault.side], "what": fault.what} for fault in referee.faults],
                "forfeit" if forfeited else "",
                None if winner is None else sides[winner],
            )

    def play_loaded(self, seed: int, loaded: Sequence[LoadedRoll]) -> tuple[bool, Battle]:
        """Play the battle of a seed with some rolls set beforehand."""
        return self.play(seed, dice_of(seeds_of(seed).dice, loaded))


class Particle(Struct, frozen=True):
    """One battle of the splitting. `levels`: (question, nearness) wherever it came nearer than ever before, ascending. `height`:
    the highest of them, infinity if the target was met. `rolls`: its rolls, if it was met."""

    seed: int
    stretches: Stretches
    levels: tuple[tuple[int, float], ...]
    height: float
    rolls: tuple[Rolled, ...] = ()


class Met(Struct, frozen=True):
    """A battle that met the target: its seed, which decides set-up, lots and the players' chance, and all its rolls."""

    seed: int
    rolls: tuple[Rolled, ...]


class Split(Struct, frozen=True):
    """One run of splitting. `odds`: an unbiased estimate. `met`: battles that met the target at its end. `rounds`: how often the
    worst were dropped. `plain`: how many of the first battles met the target without splitting."""

    odds: float
    met: tuple[Met, ...]
    rounds: int
    plain: int


class Estimate(Struct, frozen=True):
    """Odds with their 95% interval: Student's over independent repeats, on the log-odds scale, or, if no battle met the target or
    all did, what the first battles of all repeats rule out. `repeats`: the estimate of each. `battles`: how many were played for
    it, including those cut short. `rounds`: of splitting, in all repeats. `begun`, `plain`: how many battles the repeats began
    with, and how many of these met the target without splitting."""

    odds: float
    low: float
    high: float
    repeats: tuple[float, ...]
    battles: int
    rounds: int
    begun: int
    plain: int


def split(trial: Trial, seed: int, size: int, keep: float = 0.7) -> Split:
    """One run of splitting with `size` battles. `keep`: about the share of battles that are kept in each round."""
    chance = Random(seed)
    living = [
        _play(trial, first := chance.getrandbits(62), ((0, seeds_of(first).dice),)) for _ in range(size)
    ]
    plain = sum(one.height == inf for one in living)
    odds, rounds = 1.0, 0
    lowest = max(1, round((1 - keep) * size))
    while True:
        bar = sorted(one.height for one in living)[lowest - 1]
        if bar == inf:
            break
        nearer = [one for one in living if one.height > bar]
        if not nearer:  # all are equally near: there is nothing to continue from
            return Split(0.0, (), rounds, plain)
        odds *= len(nearer) / size
        rounds += 1
        living = nearer + [
            _branch(trial, chance.choice(nearer), bar, chance.getrandbits(62))
            for _ in range(size - len(nearer))
        ]
    met = [one for one in living if one.height == inf]
    found = tuple(dict.fromkeys(Met(one.seed, one.rolls) for one in met))
    return Split(odds * len(met) / size, found, rounds, plain)


def _branch(trial: Trial, parent: Particle, bar: float, seed: int) -> Particle:
    """The battle of a parent up to where it first came nearer than a bar, and with fresh dice from there."""
    question = next((number for number, level in parent.levels if level > bar), None)
    if question is None:  # nearer only by meeting the target, at its end: it is a copy
        return parent
    kept = tuple(stretch for stretch in parent.stretches if stretch[0] < question or stretch[0] == 0)
    if question == 0:
        return _play(trial, parent.seed, ((0, seed),))
    return _play(trial, parent.seed, (*kept, (question, seed)))


def _play(trial: Trial, seed: int, stretches: Stretches) -> Particle:
    dice = StretchedDice(seeds_of(seed).dice, stretches)
    levels: list[tuple[int, float]] = []

    def watch(battle: Battle, question: Question) -> None:
        dice.at(question.number)
        near = trial.target.nearness(battle)
        if not levels or near > levels[-1][1]:
            levels.append((question.number, near))

    met, battle = trial.play(seed, dice, watch)
    height = inf if met else levels[-1][1] if levels else 0.0
    rolls = rolls_of(battle.log) if met else ()
    return Particle(seed, stretches, tuple(levels), height, rolls)


def rolls_of(log: Sequence[Event]) -> tuple[Rolled, ...]:
    """The rolls of a battle, in order."""
    return tuple(event for event in log if isinstance(event, Rolled))


def estimate_of(runs: Sequence[Split], size: int, battles: int) -> Estimate:
    """The mean of independent runs of splitting, `size` battles each, with its interval."""
    from scipy import stats

    each = tuple(run.odds for run in runs)
    n, odds, begun = len(each), fmean(each), size * len(each)
    if not any(each):
        low, high = 0.0, 1.0 - 0.05 ** (1 / begun)
    elif min(each) == 1.0:
        low, high = 0.05 ** (1 / begun), 1.0
    elif n < 2:
        low, high = 0.0, 1.0
    else:
        # Repeats that agree to the last digit do not show that there is no error: then it is that of plain battles.
        error = stdev(each) / sqrt(n) or sqrt(odds * (1 - odds) / begun)
        # Estimates of rare odds are skewed. On the scale of log-odds they are nearly symmetric, and no limit is 0 or 1.
        half = float(stats.t.ppf(0.975, n - 1)) * error / (odds * (1 - odds))
        low, high = (_of_log_odds(log(odds / (1 - odds)) + way * half) for way in (-1, 1))
    rounds, plain = sum(run.rounds for run in runs), sum(run.plain for run in runs)
    return Estimate(odds, low, high, each, battles, rounds, begun, plain)


def _of_log_odds(value: float) -> float:
    """The chance with these log-odds."""
    return 1 / (1 + exp(-value)) if value > 0 else exp(value) / (1 + exp(value))
