"""An archive of ways of fighting, one elite in each cell of behaviour, that is honest under noise. Read `Archive`.

All players meet the same cases in the same order, so two are compared over the cases that both have played. A challenger takes a
cell only where it is better by more than noise. If it may be better, it and the elite play more. The elite is also measured again
by itself, and leaves if its behaviour or its value turns out to be different. Measures follow MAP-Elites (Mouret and Clune 2015)
with adaptive sampling (Justesen, Risi and Mouret 2019).

The best of many looks better than it is. So reported values are corrected: shrunk towards the mean of all elites, after James and
Stein.

The constants follow from their purpose, not from results; `python -m tests.discovery.made_up` measures the resulting rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from math import prod, sqrt
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct, field
from scipy import stats

from battlesim.core.sums import summed
from battlesim.discovery.behaviour import BINS, Behaviour, Cell, cell_of
from battlesim.discovery.genome import Genome
from battlesim.stress.intervals import Estimate

FIRST = 8
"""Cases that every player is tried on: each of four opponents twice."""
MOST = 64
"""Cases of the search that one player plays, at most: its value is then known to about 5%."""
SURE = 2.0
"""A challenger takes a cell if it is better by this many standard errors: by chance alone, one in forty is."""
BENCH = 2
"""Rivals that a cell keeps beside its elite."""


class Member(Struct, eq=False):
    """A way of fighting that has been tried. `scores`: of each case, 0 to 1, in the order of cases. `behaved`: the sum of its
    behaviour over them, on each axis."""

    number: int
    genome: Genome
    scores: list[float] = field(default_factory=list)
    behaved: list[float] = field(default_factory=list)
    total: float = 0.0
    squares: float = 0.0

    def add(self, score: float, behaviour: Behaviour) -> None:
        """Add a case that it has played."""
        self.scores.append(score)
        self.total += score
        self.squares += score * score
        self.behaved = [a + b for a, b in zip(self.behaved or [0.0] * len(behaviour), behaviour, strict=True)]

    @property
    def value(self) -> Estimate:
        """The mean score with its error."""
        return value_of(len(self.scores), self.total, self.squares)

    @property
    def behaviour(self) -> Behaviour:
        """Its mean behaviour."""
        return tuple(total / len(self.scores) for total in self.behaved)

    def cell(self, bins: int) -> Cell:
        """The cell of its mean behaviour."""
        return cell_of(self.behaviour, bins)


def value_of(count: int, total: float, squares: float) -> Estimate:
    """The mean of `count` scores with its error, from their sum and the sum of their squares. A row of wins is no certainty, so
    the error is at least half of what games that are won or lost by chance would have, with one win and one loss added."""
    mean = total / count
    if count < 2:
        return Estimate(mean, 0.5, 1)
    error = sqrt(max(squares - total * mean, 0.0) / (count - 1) / count)
    kept = (total + 1) / (count + 2)
    least = sqrt(kept * (1 - kept) / (count + 2)) / 2
    return Estimate(mean, max(error, least), count - 1)


class Lead(NamedTuple):
    """One player compared with another over the cases that both have played: the mean gain, and the gain in standard errors."""

    gain: float
    sure: float


def lead(one: Member, other: Member) -> Lead:
    """How much better `one` is than `other`."""
    both = min(len(one.scores), len(other.scores))
    if both < 2:
        return Lead(0.0, 0.0)
    total = squares = 0.0
    for a, b in zip(one.scores, other.scores, strict=False):
        gain = a - b
        total += gain
        squares += gain * gain
    mean = total / both
    error = sqrt(max(squares - total * mean, 0.0) / (both - 1) / both)
    # Cases that all went the same way prove nothing for certain, so one more is assumed that went the other way.
    return Lead(mean, mean / max(error, 1 / (both + 1)))


class Archive:
    """`axes`: how many. `bins`: of each axis. Members are handed over with `tell` once their cases are played; `doubtful` says
    which should play more."""

    def __init__(self, axes: int, bins: int = BINS) -> None:
        self.axes, self.bins = axes, bins
        self.elites: dict[Cell, Member] = {}
        self.bench: dict[Cell, list[Member]] = {}
        self._seat: dict[int, Cell] = {}
        """The cell of each member, by its number."""
        self._open: dict[Cell, list[Member]] = {}
        """Members that should play more, of the cells in which a rival may be better than the elite."""

    @classmethod
    def of(
        cls, axes: int, bins: int, elites: Iterable[tuple[Cell, Member]], bench: Iterable[tuple[Cell, Member]]
    ) -> Archive:
        """An archive with given members, as `seats` lists them."""
        made = cls(axes, bins)
        for cell, elite in elites:
            made.elites[cell] = elite
        for cell, rival in bench:
            made.bench.setdefault(cell, []).append(rival)
        for cell in made.elites:
            made._seated(cell)
        return made

    def seats(self) -> tuple[list[tuple[Cell, Member]], list[tuple[Cell, Member]]]:
        """All elites and all rivals with their cells."""
        rivals = [(cell, rival) for cell in sorted(self.bench) for rival in self.bench[cell]]
        return sorted(self.elites.items(), key=lambda pair: pair[0]), rivals

    def tell(self, member: Member) -> None:
        """Let a member compete for the cell that its behaviour is in, after it has played (again)."""
        cell = member.cell(self.bins)
        left = self._seat.pop(member.number, None)
        if left is not None and left != cell:
            self._settle(left, [one for one in self._in(left) if one is not member])
        self._settle(cell, [*(one for one in self._in(cell) if one is not member), member])

    def doubtful(self, most: int) -> list[Member]:
        """Members that should play more, `most` at most: rivals that may be better than their elite, with that elite; then the
        elites that have played least."""
        wanted = {one.number: one for cell in sorted(self._open) for one in self._open[cell]}
        found = list(wanted.values())[:most]
        rest = (one for one in self.elites.values() if one.number not in wanted and len(one.scores) < MOST)
        return found + nsmallest(most - len(found), rest, key=lambda one: (len(one.scores), one.number))

    def standing(self, member: Member) -> tuple[int, float]:
        """The rank of a member in the archive: 2 if it is alone in its cell, 1 if it is the elite or leads it, else 0; and its
        lead over the elite (the elite's: over its first rival), or its value if it is alone."""
        cell = member.cell(self.bins)
        others = [one for one in self._in(cell) if one is not member]
        if not others:
            return 2, member.value.value
        gain = lead(member, others[0]).gain
        return int(self.elites[cell] is member or gain > 0), gain

    def corrected(self) -> dict[Cell, Estimate]:
        """The value of every elite, shrunk towards the mean of all by how much of their spread is noise."""
        return shrunk({cell: self.elites[cell].value for cell in sorted(self.elites)})

    @property
    def coverage(self) -> float:
        """Share of the cells that have an elite."""
        return len(self.elites) / prod([self.bins] * self.axes)

    def _in(self, cell: Cell) -> list[Member]:
        """The elite of a cell, then its rivals."""
        elite = self.elites.get(cell)
        return [] if elite is None else [elite, *self.bench.get(cell, ())]

    def _settle(self, cell: Cell, members: list[Member]) -> None:
        """Seat members in a cell, the present elite first. A rival that is better by more than noise takes its place; if it has
        left, the best rival does."""
        for one in self._in(cell):
            self._seat.pop(one.number, None)
        elite = self.elites.pop(cell, None)
        self.bench.pop(cell, None)
        self._open.pop(cell, None)
        if not members:
            return
        if elite is None or elite not in members:
            elite = max(members, key=lambda one: (_worth(one), -one.number))
        for rival in members:
            if rival is not elite and lead(rival, elite).sure > SURE:
                elite = rival
        rivals = sorted(
            (one for one in members if one is not elite), key=lambda one: (-_worth(one), one.number)
        )
        self.elites[cell] = elite
        if rivals:
            self.bench[cell] = rivals[:BENCH]
        self._seated(cell)

    def _seated(self, cell: Cell) -> None:
        """Note which members sit in a cell, and which of them should play more."""
        elite = self.elites[cell]
        for one in self._in(cell):
            self._seat[one.number] = cell
        doubtful = [
            min((rival, elite), key=lambda one: len(one.scores))
            for rival in self.bench.get(cell, ())
            if min(len(rival.scores), len(elite.scores)) < MOST and lead(rival, elite).gain > 0
        ]
        if doubtful:
            self._open[cell] = doubtful


def _worth(member: Member) -> float:
    """A value that few cases cannot make large."""
    value = member.value
    return value.value - value.error


def shrunk(values: Mapping[Cell, Estimate]) -> dict[Cell, Estimate]:
    """Values shrunk towards their mean, all by the same share: the part of their spread that noise alone may cause (in 95 of 100
    cases). So the values of equal players nearly always become equal. Errors stay as they are."""
    if len(values) < 2:
        return dict(values)
    mean = fmean(one.value for one in values.values())
    spread = summed((one.value - mean) ** 2 for one in values.values())
    noise = fmean(one.error**2 for one in values.values()) * float(stats.chi2.ppf(0.95, len(values) - 1))
    kept = max(0.0, 1 - noise / spread) if spread > 0 else 0.0
    return {
        cell: Estimate(mean + kept * (one.value - mean), one.error, one.free) for cell, one in values.items()
    }
