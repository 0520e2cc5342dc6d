"""The search for ways of fighting that work, generation by generation. Read `Search.generation`.

The search decides by *training* cases alone. The value of its elites is measured afterwards, on other cases
(`search_judge.judge`).

All randomness comes from the seed and the number of the generation. So a search that continues from what `save` gave finds the
same as one that was never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct

from battlesim.core.dice import derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.core.sums import summed
from battlesim.discovery.archive import FIRST, Archive, Member
from battlesim.discovery.behaviour import BINS, Cell
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.search_cases import GAMES, Counted, Field, Wanted

GENERATION = 16
"""New players of a generation."""
AGAIN = 16
"""Players of a generation that are measured again: as many as new ones."""
DOUBLED = 16
"""A player that is measured again plays as many cases as it has played so far, but at most this many."""
RANDOM = 0.25
"""Share of new players that are random; the others descend from elites."""
Told = Callable[[str, Archive, int], None]
"""Called with what is being done, the archive so far, and the games so far."""


class Progress(Struct, frozen=True):
    """The archive after a generation, on corrected training values."""

    games: int
    coverage: float
    qd_score: float
    best: float


class Saved(Struct, frozen=True):
    """A search between two generations. `emitters`: what each emitter must be told to restore its state. `broken`: games that
    broke off."""

    generation: int
    played: int
    born: int
    elites: list[tuple[Cell, Member]]
    bench: list[tuple[Cell, Member]]
    progress: list[Progress]
    emitters: list[list[EmitterStep]]
    broken: int = 0


class EmitterStep(Struct, frozen=True):
    """What an emitter was told once. `start`: the genome from which it restarted, else one without values. `ranked`: players of
    its last batch, best first; `values`: theirs; `parents`: how many of them are followed. `thresholds`: of cells, if it keeps
    any, in a step of their own."""

    start: Genome = Genome()
    ranked: tuple[int, ...] = ()
    values: tuple[tuple[float, float], ...] = ()
    parents: int = 0
    generation: int = 0
    thresholds: tuple[tuple[Cell, float], ...] = ()


class Emitter(Protocol):
    """Proposes new players."""

    def ask(self, count: int, archive: Archive, random: Random, generation: int) -> list[Genome]:
        """`count` new genomes."""
        ...

    def tell(self, members: Sequence[Member], archive: Archive) -> None:
        """Report the results of the players that it proposed, which the archive already has."""
        ...

    def save(self) -> list[EmitterStep]:
        """What it must be told to restore its present state."""
        ...

    def restore(self, steps: Sequence[EmitterStep]) -> None:
        """Give a new emitter the state of the one that gave these steps."""
        ...


class Mutation:
    """New players that are random, or descend from one or two elites by small changes."""

    def __init__(self, space: SearchSpace) -> None:
        self._space = space

    def ask(self, count: int, archive: Archive, random: Random, generation: int) -> list[Genome]:
        """As `Emitter.ask`."""
        elites = [archive.elites[cell] for cell in sorted(archive.elites)]
        return [self._descendant(elites, random) for _ in range(count)]

    def _descendant(self, elites: Sequence[Member], random: Random) -> Genome:
        if not elites or random.random() < RANDOM:
            return self._space.sample(random)
        parent = random.choice(elites).genome
        if random.random() < 0.5:
            parent = self._space.cross(parent, random.choice(elites).genome, random)
        return self._space.mutate(parent, random)

    def tell(self, members: Sequence[Member], archive: Archive) -> None:
        """It needs no results."""

    def save(self) -> list[EmitterStep]:
        """It remembers nothing."""
        return []

    def restore(self, steps: Sequence[EmitterStep]) -> None:
        """It remembers nothing."""


def least_games(first: int) -> int:
    """Games of the first generation, which is always played. `first`: how many players are tried before all others."""
    return GAMES * FIRST * (GENERATION + first)


class Search:
    """`axes`: how many numbers a behaviour has. `games`: of the training. `first`: genomes that are tried first. `emitters`: they
    propose new players in turn, one generation each. `saved`: continue from there."""

    def __init__(
        self,
        space: SearchSpace,
        field: Field,
        axes: int,
        games: int,
        *,
        seed: int = 1,
        bins: int = BINS,
        first: Sequence[Genome] = (),
        emitters: Sequence[Emitter] = (),
        told: Told = lambda what, archive, games: None,
        saved: Saved | None = None,
    ) -> None:
        self.space, self.games = space, games
        self.archive = Archive(axes, bins)
        self.progress: list[Progress] = []
        self._field = Counted(field)
        self._first = list(dict.fromkeys([space.usual, *first]))
        self.least = least_games(len(self._first))
        self._emitters = list(emitters) or [Mutation(space)]
        self._seed, self._told = seed, told
        self._generation = self._born = 0
        if saved is not None:
            self._restore(saved, axes, bins)

    @property
    def played(self) -> int:
        """Games played so far."""
        return self._field.played

    @property
    def broken(self) -> int:
        """Games that broke off so far."""
        return self._field.broken

    @property
    def generations(self) -> int:
        """Generations played so far."""
        return self._generation

    @property
    def is_over(self) -> bool:
        """Whether its games have been played."""
        return self.played >= self.games

    def run(self, kept: Callable[[Search], None] = lambda search: None) -> Archive:
        """Play all generations that are left. `kept`: called after each."""
        while not self.is_over:
            self.generation()
            kept(self)
        return self.archive

    def generation(self) -> None:
        """Try new players on a few cases; measure doubtful ones again, and the elites that have played least."""
        self._told("searching", self.archive, self.played)
        random = Random(derive_seed(self._seed, "genomes", self._generation))
        emitter = self._emitters[self._generation % len(self._emitters)]
        given, self._first = self._first, []
        proposed = emitter.ask(GENERATION, self.archive, random, self._generation)
        new = [self._member(genome) for genome in [*given, *proposed]]
        again = self.archive.doubtful(AGAIN)
        asked = [(member, FIRST) for member in new]
        asked += [(member, min(len(member.scores), DOUBLED)) for member in again]
        cases = [Wanted(member.genome, "training", len(member.scores), count) for member, count in asked]
        for (member, _), played in zip(asked, self._field.play(cases), strict=True):
            for one in played:
                member.add(one.score, one.behaviour)
        for member, _ in asked:
            self.archive.tell(member)
        emitter.tell(new[len(given) :], self.archive)
        self._generation += 1
        corrected = self.archive.corrected().values()
        qd_score, best = summed(one.value for one in corrected), max(one.value for one in corrected)
        self.progress.append(Progress(self.played, self.archive.coverage, qd_score, best))

    def save(self) -> Saved:
        """The search as it is between two generations."""
        elites, bench = self.archive.seats()
        steps = [emitter.save() for emitter in self._emitters]
        return Saved(
            self._generation, self.played, self._born, elites, bench, self.progress, steps, self.broken
        )

    def _restore(self, saved: Saved, axes: int, bins: int) -> None:
        if len(saved.emitters) != len(self._emitters):
            raise InputError(Fault("the search was begun with other emitters", "begin a new one"))
        self.archive = Archive.of(axes, bins, saved.elites, saved.bench)
        self.progress = list(saved.progress)
        self._field.played, self._field.broken = saved.played, saved.broken
        self._generation, self._born = saved.generation, saved.born
        self._first = []
        for emitter, steps in zip(self._emitters, saved.emitters, strict=True):
            emitter.restore(steps)

    def _member(self, genome: Genome) -> Member:
        self._born += 1
        return Member(self._born, genome)
