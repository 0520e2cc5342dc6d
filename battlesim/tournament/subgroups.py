"""Comparing two agents on each scenario or under each rulebook. Read `by_subgroup`.

One number over several scenarios is a mean over this choice of scenarios. If the test of consistency shows that strength depends
on the scenario, the report gives the results of each scenario first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlesim.tournament.multiple_testing import ALPHA, holm
from battlesim.tournament.ratings import Difference, Kind, Rating, Ratings
from battlesim.tournament.shares import PAIR_SCORES, pair_interval
from battlesim.tournament.sides import flips_p
from battlesim.tournament.tally import Tally, pentanomial

SHOWN = 0.01
"""If p of the test of consistency is below this, strength is said to depend on the scenario."""


class SubgroupResult(Struct, frozen=True):
    """Agent a against b in one subgroup (a scenario or a rulebook): a's share of the points with its interval, and the p of no
    difference, corrected for the number of subgroups."""

    of: str
    pairs: int
    share: float
    low: float
    high: float
    p: float

    @property
    def leader(self) -> int:
        """0 if a is shown to be better, 1 if b is, else -1."""
        if self.p >= ALPHA or self.share == 0.5:
            return -1
        return 0 if self.share > 0.5 else 1


def by_subgroup(tally: Tally, a: str, b: str, parts: Mapping[str, Sequence[str]]) -> list[SubgroupResult]:
    """a against b in each subgroup. `parts`: name -> its scenarios. Subgroups in which they never met are left out."""
    counted = {}
    for name, scenarios in parts.items():
        cells = [0] * 9
        for scenario in scenarios:
            for index, count in enumerate(tally.cells(a, b, scenario)):
                cells[index] += count
        if any(cells):
            counted[name] = pentanomial(cells)
    corrected = holm([better_p(counts) for counts in counted.values()])
    found = []
    for (name, counts), p in zip(counted.items(), corrected, strict=True):
        seen = pair_interval(counts)
        assert seen is not None
        found.append(SubgroupResult(name, sum(counts), seen.value, seen.low, seen.high, p))
    return found


def better_p(counts: Sequence[int]) -> float:
    """The p of no difference between two agents: an exact permutation test that swaps the agents of each pair. `counts`: pairs by
    the points of the first."""
    return flips_p(counts[1] + counts[3], counts[0] + counts[4], _lead(counts))


def _lead(counts: Sequence[int]) -> int:
    return sum(round(4 * score - 2) * count for score, count in zip(PAIR_SCORES, counts, strict=True))


def without_limits(whole: Ratings, parts: Iterable[Ratings]) -> Ratings:
    """Ratings over several rulebooks, without the limits that one rulebook leaves open. If an agent has won every game under a
    rulebook, nothing shows how much better it is there, and so nothing shows it over all."""
    known = list(parts)
    return replace(
        whole,
        ratings=tuple(_rating(row, [part.rating(row.agent) for part in known]) for row in whole.ratings),
        differences=tuple(
            _difference(row, [part.difference(row.a, row.b) for part in known if _has(part, row)])
            for row in whole.differences
        ),
    )


def _has(part: Ratings, row: Difference) -> bool:
    return any({found.a, found.b} == {row.a, row.b} for found in part.differences)


def _kind(own: Kind, kinds: Sequence[Kind]) -> Kind:
    """The kind of a number over all rulebooks, given its kinds under each."""
    up, down = "at least" in (own, *kinds), "at most" in (own, *kinds)
    if own == "withheld" or (up and down):
        return "withheld"
    return "at least" if up else "at most" if down else own


def _rating(row: Rating, parts: Sequence[Rating]) -> Rating:
    kind = _kind(row.kind, [part.kind for part in parts])
    if kind == row.kind:
        return row
    if kind == "withheld":
        reason = "one rulebook sets its rating no upper limit, another no lower one"
        return replace(row, kind=kind, elo=None, low=None, high=None, reason=reason)
    if kind == "at least":
        return replace(row, kind=kind, high=None)
    return replace(row, kind=kind, low=None)


def _difference(row: Difference, parts: Sequence[Difference]) -> Difference:
    kind = _kind(row.kind, [part.kind for part in parts])
    if kind == row.kind:
        return row
    if kind == "withheld":
        return replace(row, kind=kind, elo=None, low=None, high=None, superiority=None)
    return replace(row, kind=kind, high=None) if kind == "at least" else replace(row, kind=kind, low=None)


def subgroup_summary(
    tally: Tally, a: str, b: str, p: float | None, rulesets: Mapping[str, Sequence[str]]
) -> dict[str, Any] | None:
    """The comparison of a and b by subgroups, for the summary; None with fewer than two scenarios that were played.

    `rulesets`: name -> scenarios. Rulebooks are the subgroups if a is better under one and b under another; else scenarios are.
    `p`: of the test of consistency.
    """
    scenarios = {name: [name] for names in rulesets.values() for name in names}
    found = by_subgroup(tally, a, b, scenarios)
    if len(found) < 2:
        return None
    by = "scenario"
    if len(rulesets) > 1:
        books = by_subgroup(tally, a, b, rulesets)
        if {0, 1} <= {part.leader for part in books}:
            by, found = "rulebook", books
    return {
        "a": a,
        "b": b,
        "p": None if p is None else round(p, 4),
        "shown": p is not None and p < SHOWN,
        "by": by,
        "parts": [
            {
                "of": part.of,
                "pairs": part.pairs,
                "share": round(part.share, 4),
                "low": round(part.low, 4),
                "high": round(part.high, 4),
                "p": round(part.p, 4),
                "leader": None if part.leader < 0 else (a, b)[part.leader],
            }
            for part in found
        ],
    }
