"""An archive of ways of fighting, one elite in each cell of behaviour, that is honest under noise. Read `Archive`.

All players meet the same cases in the same order, so two are compared over the cases that both have played. A challenger takes a
cell only where it is better by more than noise. One that may be better is played on, and so is the elite; the elite is also
measured again on its own account, and where its behaviour or its value turns out otherwise, it leaves. Measures follow MAP-Elites
(Mouret and Clune 2015) with adaptive sampling (Justesen, Risi and Mouret 2019).

Being the best of many makes a value too good. So the values told are corrected: shrunk towards the mean of
all elites, after James and Stein.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod, sqrt
from statistics import fmean

from scipy import stats

from battlesim.discovery.behaviour import BINS, Behaviour, Cell, cell_of
from battlesim.discovery.genome import Genome
from battlesim.stress.intervals import Estimate, estimate

FIRST = 8
"""Cases that every player is tried on."""
MOST = 64
"""Cases of the search that one player plays, at most."""
SURE = 2.0
"""A challenger takes a cell where it is better by so many standard errors."""
BENCH = 2
"""Rivals that a cell keeps beside its elite."""


@dataclass
class Member:
    """A way of fighting that has been tried. `scores`: of each case, 0 to 1, in the order of cases; `behaviours` beside them."""

    number: int
    genome: Genome
    scores: list[float] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)

    @property
    def value(self) -> Estimate:
        """The mean score with its error. A row of wins is no certainty, so the error is at least half of what games that are won
        or lost by chance would have, with one win and one loss added."""
        found = estimate(self.scores)
        count = len(self.scores)
        kept = (sum(self.scores) + 1) / (count + 2)
        least = sqrt(kept * (1 - kept) / (count + 2)) / 2
        return Estimate(found.value, max(found.error, least) if count > 1 else 0.5, max(1, count - 1))

    def cell(self, bins: int) -> Cell:
        """The cell of its mean behaviour."""
        return cell_of(tuple(fmean(axis) for axis in zip(*self.behaviours, strict=True)), bins)


def lead(one: Member, other: Member) -> float:
    """By how many standard errors one is better than another, over the cases that both have played."""
    both = min(len(one.scores), len(other.scores))
    gains = [a - b for a, b in zip(one.scores[:both], other.scores[:both], strict=True)]
    if both < 2:
        return 0.0
    found = estimate(gains)
    # That all cases went the same way is no certainty: one more that went against it is counted in.
    error = max(found.error, 1 / (both + 1))
    return found.value / error


class Archive:
    """`axes`: how many. `bins`: of each axis. Members are handed over with `tell` once their cases are played; `doubtful` says
    who should play more."""

    def __init__(self, axes: int, bins: int = BINS) -> None:
        self.axes, self.bins = axes, bins
        self.elites: dict[Cell, Member] = {}
        self.bench: dict[Cell, list[Member]] = {}

    def tell(self, member: Member) -> None:
        """Let a member compete for the cell that its behaviour is in, after it has played (again)."""
        self._leave(member)
        cell = member.cell(self.bins)
        elite = self.elites.get(cell)
        if elite is None:
            self.elites[cell] = member
        elif lead(member, elite) > SURE:
            self.elites[cell] = member
            self._sit(cell, elite)
        else:
            self._sit(cell, member)
        self._rise()

    def doubtful(self) -> list[Member]:
        """Who should play more: rivals that may be better than their elite, with that elite; then the elites that have played
        least."""
        wanted: dict[int, Member] = {}
        for cell in sorted(self.bench):
            elite = self.elites[cell]
            for rival in self.bench[cell]:
                if lead(rival, elite) > 0 and min(len(rival.scores), len(elite.scores)) < MOST:
                    for one in sorted((rival, elite), key=lambda m: len(m.scores))[:1]:
                        wanted[one.number] = one
        for elite in sorted(self.elites.values(), key=lambda m: (len(m.scores), m.number)):
            wanted.setdefault(elite.number, elite)
        return [one for one in wanted.values() if len(one.scores) < MOST]

    def corrected(self) -> dict[Cell, Estimate]:
        """The value of every elite, shrunk towards the mean of all by how much of their spread is noise."""
        return shrunk({cell: elite.value for cell, elite in sorted(self.elites.items())})

    @property
    def coverage(self) -> float:
        """Share of the cells that have an elite."""
        return len(self.elites) / prod([self.bins] * self.axes)

    @property
    def qd_score(self) -> float:
        """Sum over the cells of the corrected values."""
        return sum(value.value for value in self.corrected().values())

    def _leave(self, member: Member) -> None:
        """Take a member out; the best rival of its cell takes its place."""
        for cell, elite in list(self.elites.items()):
            if elite is member:
                del self.elites[cell]
                rivals = self.bench.pop(cell, [])
                if rivals:
                    best = max(rivals, key=_worth)
                    self.elites[cell] = best
                    self._sit_all(cell, [rival for rival in rivals if rival is not best])
        for cell in list(self.bench):
            self._sit_all(cell, [rival for rival in self.bench.pop(cell) if rival is not member])

    def _rise(self) -> None:
        """Rivals that are now better than their elite by more than noise take its place."""
        for cell, rivals in list(self.bench.items()):
            for rival in rivals:
                if lead(rival, self.elites[cell]) > SURE:
                    old, self.elites[cell] = self.elites[cell], rival
                    self._sit_all(cell, [one for one in [*self.bench.pop(cell), old] if one is not rival])
                    break

    def _sit(self, cell: Cell, member: Member) -> None:
        self._sit_all(cell, [*self.bench.pop(cell, []), member])

    def _sit_all(self, cell: Cell, members: Iterable[Member]) -> None:
        kept = sorted(members, key=lambda m: (-_worth(m), m.number))[:BENCH]
        if kept:
            self.bench[cell] = kept


def _worth(member: Member) -> float:
    """A value that few cases cannot make large."""
    return member.value.value - member.value.error


def shrunk(values: dict[Cell, Estimate]) -> dict[Cell, Estimate]:
    """Values shrunk towards their mean, all by the same share: that of their spread which noise alone may make (in 95 of 100
    cases). So values of equal players nearly always become one. Errors stay as they are."""
    if len(values) < 2:
        return dict(values)
    mean = fmean(one.value for one in values.values())
    spread = sum((one.value - mean) ** 2 for one in values.values())
    noise = fmean(one.error**2 for one in values.values()) * float(stats.chi2.ppf(0.95, len(values) - 1))
    kept = max(0.0, 1 - noise / spread) if spread > 0 else 0.0
    return {
        cell: Estimate(mean + kept * (one.value - mean), one.error, one.free) for cell, one in values.items()
    }
