"""The search for ways of fighting that work, generation by generation. Read `Search.run`.

What is played is split from the start into three parts that share no dice. The search decides by *training* cases alone.
Values of the elites are measured on *selection* cases, which the search has not seen; by these the best are chosen. Those are
played once on *confirmation* cases, and what is said of them comes from these alone.

A case is a pair of games with the same dice against one opponent, once from each side. Its score is the mean of both: 1 for a
win, 0.5 for a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, Protocol

from msgspec import Struct
from scipy import stats

from battlesim.core.dice import derive_seed
from battlesim.discovery.archive import FIRST, Archive, Member, shrunk
from battlesim.discovery.behaviour import BINS, Behaviour, Cell
from battlesim.discovery.genome import Genome, Space
from battlesim.stress.intervals import Estimate

Part = Literal["training", "selection", "confirmation"]
GENERATION = 16
"""New players of a generation."""
AGAIN = 16
"""Players of a generation that are measured again."""
SELECTION = 40
"""Selection cases of each elite."""
RANDOM = 0.25
"""Share of new players that are random; the others descend from elites."""
GAMES = 2
"""Games of a case."""


class Wanted(Struct, frozen=True):
    """Cases that a player shall play: `count` of them from `first` on, of one part."""

    genome: Genome
    part: Part
    first: int
    count: int


class Played(Struct, frozen=True):
    """A case that was played: its score from 0 to 1, and how the player behaved."""

    score: float
    behaviour: Behaviour


class Field(Protocol):
    """Where cases are played."""

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        """The cases of each entry, in their order."""
        ...


class Found(Struct, frozen=True):
    """An elite at the end. `value`, `low`, `high`: its score on selection cases with its 95% interval; `corrected`: the value,
    shrunk towards that of all elites. `confirmed`: its score on confirmation cases with an interval that holds for all that
    were confirmed together, or None where it was not among them."""

    cell: Cell
    behaviour: Behaviour
    agent: str
    value: float
    low: float
    high: float
    corrected: float
    confirmed: tuple[float, float, float] | None = None


class Progress(Struct, frozen=True):
    """The archive after a generation, on corrected training values."""

    games: int
    coverage: float
    qd_score: float
    best: float


class Discovery(Struct, frozen=True):
    """What a search came to. `elites`: best corrected value first. `games`: of training, selection and confirmation."""

    elites: tuple[Found, ...]
    progress: tuple[Progress, ...]
    games: tuple[int, int, int]


class Search:
    """`axes`: how many numbers a behaviour has. `games`: of the training. `select`, `confirm`: selection cases of each elite,
    and confirmation cases of each of the best `best`. `first`: genomes that are tried first."""

    def __init__(
        self,
        space: Space,
        field: Field,
        axes: int,
        games: int,
        *,
        seed: int = 1,
        bins: int = BINS,
        select: int = SELECTION,
        confirm: int = 100,
        best: int = 3,
        first: Sequence[Genome] = (),
        told: Callable[[str, Archive, int], None] = lambda what, archive, games: None,
    ) -> None:
        self.space, self.field, self.games = space, field, games
        self.select, self.confirm, self.best = select, confirm, best
        self.archive = Archive(axes, bins)
        self.progress: list[Progress] = []
        self.played = 0
        self._first = [space.usual, *first]
        self._random = Random(derive_seed(seed, "genomes"))
        self._born = 0
        self._told = told

    def run(self) -> Discovery:
        """Search, measure the elites on cases they have not seen, and confirm the best of them once."""
        while self.played < self.games:
            self._generation()
        training = self.played
        elites = self._selected()
        selection = self.played - training
        found = self._confirmed(elites)
        return Discovery(
            tuple(found), tuple(self.progress), (training, selection, self.played - training - selection)
        )

    # ---- training

    def _generation(self) -> None:
        self._told("searching", self.archive, self.played)
        asked = [(self._member(genome), FIRST) for genome in self._new()]
        asked += [(member, min(len(member.scores), 16)) for member in self.archive.doubtful()[:AGAIN]]
        cases = [Wanted(member.genome, "training", len(member.scores), count) for member, count in asked]
        for (member, _), played in zip(asked, self._play(cases), strict=True):
            member.scores += [one.score for one in played]
            member.behaviours += [one.behaviour for one in played]
        for member, _ in asked:
            self.archive.tell(member)
        corrected = self.archive.corrected()
        best = max(one.value for one in corrected.values())
        self.progress.append(Progress(self.played, self.archive.coverage, self.archive.qd_score, best))

    def _member(self, genome: Genome) -> Member:
        self._born += 1
        return Member(self._born, genome)

    def _new(self) -> list[Genome]:
        """The new players of a generation; the first generation begins with those that were given."""
        given, self._first = self._first, []
        elites = [elite for _, elite in sorted(self.archive.elites.items())]
        return [*given, *(self._descendant(elites) for _ in range(GENERATION - len(given)))]

    def _descendant(self, elites: Sequence[Member]) -> Genome:
        random, space = self._random, self.space
        if not elites or random.random() < RANDOM:
            return space.sample(random)
        parent = random.choice(elites).genome
        if random.random() < 0.5:
            parent = space.cross(parent, random.choice(elites).genome, random)
        return space.mutate(parent, random)

    def _play(self, cases: Sequence[Wanted]) -> list[list[Played]]:
        found = self.field.play(cases)
        self.played += GAMES * sum(case.count for case in cases)
        return found

    # ---- selection and confirmation

    def _selected(self) -> list[tuple[Found, Genome]]:
        """The elites by their values on cases that the search has not seen, best first."""
        self._told("measuring the elites anew", self.archive, self.played)
        elites = sorted(self.archive.elites.items())
        played = self._play([Wanted(elite.genome, "selection", 0, self.select) for _, elite in elites])
        values = {cell: _value(cases) for (cell, _), cases in zip(elites, played, strict=True)}
        corrected = shrunk(values)
        found = []
        for (cell, elite), cases in zip(elites, played, strict=True):
            behaviour = tuple(
                sum(axis) / len(cases) for axis in zip(*(c.behaviour for c in cases), strict=True)
            )
            low, high = _interval(values[cell])
            text = self.space.text(elite.genome)
            told = Found(cell, behaviour, text, values[cell].value, low, high, corrected[cell].value)
            found.append((told, elite.genome))
        return sorted(found, key=lambda pair: (-pair[0].corrected, -pair[0].value, pair[0].cell))

    def _confirmed(self, elites: Sequence[tuple[Found, Genome]]) -> list[Found]:
        self._told("confirming the best", self.archive, self.played)
        chosen = elites[: self.best]
        played = self._play([Wanted(genome, "confirmation", 0, self.confirm) for _, genome in chosen])
        found = []
        for (told, _), cases in zip(chosen, played, strict=True):
            value = _value(cases)
            found.append(_with(told, (value.value, *_interval(value, len(chosen)))))
        return [*found, *(told for told, _ in elites[len(chosen) :])]


def _with(told: Found, confirmed: tuple[float, float, float]) -> Found:
    return Found(
        told.cell, told.behaviour, told.agent, told.value, told.low, told.high, told.corrected, confirmed
    )


def _value(cases: Sequence[Played]) -> Estimate:
    return Member(0, (), [case.score for case in cases]).value


def _interval(value: Estimate, together: int = 1) -> tuple[float, float]:
    """The 95% interval within 0 to 1, wide enough for so many values together."""
    wide = float(stats.t.ppf(1 - 0.025 / together, value.free)) * value.error
    return max(0.0, value.value - wide), min(1.0, value.value + wide)
