"""Which acts in which situations go along with winning. Read `mine`.

Games come in pairs that differ in one player only (`contrasts.Contrast`): same scenario, dice, side and opponent. For each
pattern, an act in situations of some kind, the two players' shares of doing it when it was offered are compared with how their
games ended: the slope of the difference in result on the difference in share, through the origin, with a
heteroscedasticity-robust error (White 1980). The order of the two players means nothing, so without any effect the mean slope is
0.

What is found goes along with winning; fresh games show whether it causes it (`intervention.py`). `q` is the p-value after
Benjamini and Hochberg's correction over every pattern that was looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats

from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.situations import FEATURES
from battlesim.discovery.tactic import Tactic, can_be_said
from battlesim.discovery.watching import SEPARATOR, Counts, WatchedRow
from battlesim.rules.tactical import ATTACKS

MOST_FEATURES = 2
"""The most features that a pattern names."""
FEWEST_PAIRS = 20
"""A pattern is examined if its share differs in at least this many pairs."""
ALIKE = 0.6
"""Patterns whose differences in share are correlated more than this are one candidate, named after the strongest."""
BUILDING_ACTS = frozenset(
    f"{question}:{choice}"
    for question in ("at", "strike")
    for choice in ("building", "held", "empty", "raze", "own", *ATTACKS)
) | {"go:drive", "made-opening:any"}
"""Acts against buildings: some candidates are about these, if they were examined."""


class Pattern(Struct, frozen=True, order=True):
    """An act in situations of some kind: `when` as in `Tactic`."""

    act: str
    when: tuple[tuple[str, str], ...] = ()

    @property
    def tactic(self) -> Tactic:
        """To do it always."""
        return Tactic("always", self.act, self.when)


class Association(Struct, frozen=True):
    """How a pattern goes along with winning. `slope`: the difference in result (-1 to 1, half for the win, half for the margin)
    between doing it always and never, with its interval. `pairs`: in which its share differs. `p`, `q`: before and after
    correction."""

    pattern: Pattern
    slope: float
    low: float
    high: float
    pairs: int
    p: float
    q: float
    related: tuple[Pattern, ...] = ()
    """Weaker patterns that go along with this one."""

    @property
    def tactic(self) -> Tactic:
        """The tactic that it speaks for."""
        return self.pattern.tactic if self.slope > 0 else self.pattern.tactic.opposite


def result_of(row: WatchedRow, side: int) -> float:
    """The result of a game for a side, from -1 to 1: half for the win, half for the margin."""
    value = (2 * row.score - 1 + row.margin) / 2
    return value if side == 0 else -value


def shares(done: Counts) -> dict[Pattern, float]:
    """By pattern, the share of its offers that were taken."""
    offered: dict[Pattern, int] = {}
    taken: dict[Pattern, int] = {}
    names = tuple(FEATURES)
    for joined, acts in done.items():
        have = tuple(zip(names, joined.split(SEPARATOR), strict=True))
        for size in range(MOST_FEATURES + 1):
            for when in combinations(have, size):
                for act, (times, chosen) in acts.items():
                    pattern = Pattern(act, when)
                    offered[pattern] = offered.get(pattern, 0) + times
                    taken[pattern] = taken.get(pattern, 0) + chosen
    return {pattern: taken[pattern] / times for pattern, times in offered.items()}


def differences(
    rows: Mapping[int, WatchedRow], contrasts: Iterable[Contrast]
) -> tuple[dict[Pattern, NDArray[np.float64]], NDArray[np.float64]]:
    """For each pattern its difference in share in every pair, 0 if it was not offered in both games; and the differences in
    result. Pairs of which a game broke off are left out."""
    whole = [one for one in contrasts if not (rows[one.one].failed or rows[one.other].failed)]
    uses: dict[Pattern, NDArray[np.float64]] = {}
    results = np.zeros(len(whole))
    for number, pair in enumerate(whole):
        one, other = rows[pair.one], rows[pair.other]
        results[number] = result_of(one, pair.side) - result_of(other, pair.side)
        here, there = shares(one.done[pair.side]), shares(other.done[pair.side])
        for pattern, share in here.items():
            if (less := there.get(pattern)) is not None and share != less:
                if pattern not in uses:
                    uses[pattern] = np.zeros(len(whole))
                uses[pattern][number] = share - less
    return uses, results


def associations(
    uses: Mapping[Pattern, NDArray[np.float64]], results: NDArray[np.float64]
) -> list[Association]:
    """How every pattern that differs in enough pairs goes along with winning, the smallest p-value first."""
    found = []
    for pattern, use in sorted(uses.items()):
        pairs = int(np.count_nonzero(use))
        if pairs < FEWEST_PAIRS:
            continue
        weight = float(use @ use)
        slope = float(use @ results) / weight
        rest = use * (results - slope * use)
        error = float(np.sqrt(rest @ rest * pairs / (pairs - 1))) / weight
        free = pairs - 1
        p = 1.0 if error == 0 else 2 * float(stats.t.sf(abs(slope) / error, free))
        wide = float(stats.t.ppf(0.975, free)) * error
        found.append((p, Association(pattern, slope, slope - wide, slope + wide, pairs, p, 1.0)))
    qs = stats.false_discovery_control([p for p, _ in found]) if found else ()
    corrected = [_with_q(one, float(q)) for (_, one), q in zip(found, qs, strict=True)]
    return sorted(corrected, key=lambda one: (one.p, len(one.pattern.when), one.pattern))


def _with_q(one: Association, q: float) -> Association:
    return Association(one.pattern, one.slope, one.low, one.high, one.pairs, one.p, q)


def grouped(
    found: Sequence[Association],
    uses: Mapping[Pattern, NDArray[np.float64]],
    most: int,
    reserved: int = 0,
) -> list[Association]:
    """The strongest patterns that differ from one another, `most` of them, each with its weaker relatives; `reserved` of them are
    about buildings, if so many were examined."""
    heads: list[Association] = []
    related: list[list[Pattern]] = []

    def take(ordered: Iterable[Association], until: int) -> None:
        for one in ordered:
            near = next((n for n, head in enumerate(heads) if _alike(uses, head.pattern, one.pattern)), None)
            if near is not None:
                if one.pattern != heads[near].pattern and one.pattern not in related[near]:
                    related[near].append(one.pattern)
            elif len(heads) < until:
                heads.append(one)
                related.append([])

    take([one for one in found if one.pattern.act in BUILDING_ACTS], min(reserved, most))
    take(found, most)
    joined = [
        Association(h.pattern, h.slope, h.low, h.high, h.pairs, h.p, h.q, tuple(rest[:5]))
        for h, rest in zip(heads, related, strict=True)
    ]
    return sorted(joined, key=lambda one: (one.p, one.pattern))


def _alike(uses: Mapping[Pattern, NDArray[np.float64]], one: Pattern, other: Pattern) -> bool:
    a, b = uses[one], uses[other]
    return abs(float(a @ b)) > ALIKE * float(np.sqrt((a @ a) * (b @ b)))


def mine(
    rows: Mapping[int, WatchedRow], contrasts: Iterable[Contrast], most: int, reserved: int = 0
) -> tuple[list[Association], int]:
    """The candidates from some games, and how many patterns were examined. A pattern that no tactic can name is no candidate."""
    uses, results = differences(rows, contrasts)
    named = {act for act in {pattern.act for pattern in uses} if can_be_said(act)}
    uses = {pattern: use for pattern, use in uses.items() if pattern.act in named}
    found = associations(uses, results)
    return grouped(found, uses, most, reserved), len(found)
