"""The search for one aim: to win, by any means. Read `Climb.generation`.

CMA-ES (Hansen and Ostermeier 2001; separable, Ros and Hansen 2008; pyribs' own) moves a cloud of players to where they win. In
each generation all its players meet the same few cases; the better half meets more of them (a race), and the cloud follows the
best.

A player that wins a race was also lucky. So the answers are not such players but the middles of the cloud, which are means over
many: a few of them, and the last. The player that the search began from is an answer, too: the middles may have moved to
worse players. Selection cases decide which of them is best, as for an archive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from battlesim.core.dice import derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.discovery.archive import Archive, Member
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.search import EmitterStep, Progress, Saved, Told
from battlesim.discovery.search_cases import GAMES, Counted, Field, Wanted
from battlesim.discovery.search_cma import genome_at, scaled_values, strategy
from battlesim.discovery.search_judge import Candidate

PLAYERS = 24
"""Players of a generation."""
STAGES = (4, 8)
"""Cases that all players of a generation meet, and cases that the better half meets after them."""
LEAST = GAMES * sum((PLAYERS >> stage) * count for stage, count in enumerate(STAGES))
"""Games of a generation: one is always played."""
STEP = 0.1
"""Standard deviation of the first players, of the scaled range."""
BY_POINTS = 2.0
"""The weight in a race of a player's share of the points, where a win is 1: points vary less from game to game than wins do.
Selection and confirmation count wins alone."""
ANSWERS = 6
"""Middles of the cloud that are measured at the end, evenly spread over the second half of the search. The player that the
search began from is measured beside them."""


class Climb:
    """`games`: of the training. `saved`: continue from there. `begin`: where the cloud begins; by default the usual way of
    fighting."""

    def __init__(
        self,
        space: SearchSpace,
        field: Field,
        axes: int,
        games: int,
        *,
        seed: int = 1,
        begin: Genome | None = None,
        told: Told = lambda what, archive, games: None,
        saved: Saved | None = None,
    ) -> None:
        self.space, self.games = space, games
        self.least = LEAST
        self.progress: list[Progress] = []
        self._field = Counted(field)
        self._seed, self._told = seed, told
        self._begin = begin or space.usual
        self._archive = Archive(axes)
        self._steps: list[EmitterStep] = []
        self._middles: list[Genome] = [self._begin]
        self._strategy: Any = strategy(len(space.genes), PLAYERS, derive_seed(seed, "climb"), STEP)
        self._strategy.reset(scaled_values(space, self._begin))
        if saved is not None:
            self._restore(saved)

    @property
    def played(self) -> int:
        """Games played so far."""
        return self._field.played

    @property
    def broken(self) -> int:
        """Games that broke off so far."""
        return self._field.broken

    @property
    def is_over(self) -> bool:
        """Whether its games have been played."""
        return self.played >= self.games

    def run(self, kept: Callable[[Climb], None] = lambda climb: None) -> list[Genome]:
        """Play all generations that are left; returns the answers. `kept`: called after each."""
        while not self.is_over:
            self.generation()
            kept(self)
        return self.answers()

    def answers(self) -> list[Genome]:
        """The middles of the cloud that are worth measuring, the last one first; then the player that it began from."""
        last = len(self._middles) - 1
        wanted = [last - last * n // (2 * ANSWERS) for n in range(ANSWERS)]
        return list(dict.fromkeys([*(self._middles[n] for n in wanted), self._begin]))

    def generation(self) -> None:
        """Let a cloud of players race, and move it."""
        self._told(f"climbing, generation {len(self._steps) + 1}", self._archive, self.played)
        genomes = [genome_at(self.space, row, self._begin.plan) for row in self._strategy.ask(PLAYERS)]
        members = [Member(number, genome) for number, genome in enumerate(genomes)]
        points = [0.0] * len(members)
        first = len(self._steps) * sum(STAGES)
        for stage, count in enumerate(STAGES):
            racing = members[: len(members) >> stage]
            cases = [Wanted(one.genome, "training", first, count) for one in racing]
            for one, played in zip(racing, self._field.play(cases), strict=True):
                for case in played:
                    one.add(case.score, case.behaviour)
                    points[one.number] += case.lead
            # Players that met the same cases are compared with one another; the others keep their places behind them.
            members[: len(racing)] = sorted(
                racing, key=lambda one: (-one.total - BY_POINTS * points[one.number], one.number)
            )
            first += count
        ranked = tuple(one.number for one in members)
        values = tuple((one.value.value, 0.0) for one in members)
        self._follow(EmitterStep(ranked=ranked, values=values, parents=PLAYERS // 2))
        self.progress.append(Progress(self.played, 0.0, 0.0, members[0].value.value))

    def save(self) -> Saved:
        """The search as it is between two generations."""
        return Saved(len(self._steps), self.played, 0, [], [], self.progress, [self._steps], self.broken)

    def _restore(self, saved: Saved) -> None:
        if len(saved.emitters) != 1:
            raise InputError(Fault("the search was begun with another aim", "begin a new one"))
        self._field.played, self._field.broken = saved.played, saved.broken
        self.progress = list(saved.progress)
        for step in saved.emitters[0]:
            self._strategy.ask(len(step.ranked))
            self._follow(step)

    def _follow(self, step: EmitterStep) -> None:
        import numpy as np

        self._steps.append(step)
        self._strategy.tell(np.array(step.ranked), np.array(step.values), step.parents)
        self._middles.append(genome_at(self.space, self._strategy.mean, self._begin.plan))


def numbered(genomes: Sequence[Genome]) -> list[Candidate]:
    """Answers with a cell each, as the judge takes them. The search began from the last."""
    last = len(genomes) - 1
    return [Candidate((n,), genome, is_begin=n == last) for n, genome in enumerate(genomes)]
