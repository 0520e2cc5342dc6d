"""Counts from the games of a tactic: what differs from its opposite, and where it applied. Read `reasons`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

from msgspec import Struct
from scipy import stats

from battlesim.batch.rows import clauses_of
from battlesim.board.board import Board
from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.intervention import Figure, by_seed
from battlesim.discovery.tactic import Tactic
from battlesim.discovery.watching import WatchedRow
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.stress.intervals import estimate

REASONS = 5
"""The most reasons that are shown, the surest first."""
SPOTS = 40
"""The most floors that are kept."""
MOVED_CLAUSE, SURE = 0.05, 0.01
"""A clause is shown if the share of games it applies in differs by this much, and chance would do as much this rarely."""
BACKGROUND = frozenset({"DATA", "EX", "PROFILE", "SCEN", "TYPE", "VICTORY", "WEAPONS"})
"""Chapters of clauses that say nothing about what happened: data, examples and how games are won."""


class Why(Struct, frozen=True):
    """A count whose mean per game is higher, or lower, with the tactic than without it."""

    what: str
    figure: Figure


class Bears(Struct, frozen=True):
    """A clause that applies in more, or fewer, games with the tactic: its shares of games with and without the tactic."""

    clause: str
    text: str
    share: float
    without: float


class Spot(Struct, frozen=True):
    """A floor of a building by its name on the map, and the number of questions there that a tactic applied to in the
    confirmation."""

    place: str
    times: int


def reasons(rows: Mapping[int, WatchedRow], pairs: Sequence[Contrast]) -> list[Why]:
    """What differs most surely between games with and without a tactic, from the view of the side that keeps to it."""
    whole = [one for one in pairs if not (rows[one.one].failed or rows[one.other].failed)]
    told = dict.fromkeys(
        what for one in whole for row in (rows[one.one], rows[one.other]) for what in row.scored
    )
    measures: dict[str, Callable[[WatchedRow, int], float]] = {
        "own models lost": lambda row, side: row.lost[side],
        "enemy models lost": lambda row, side: row.lost[1 - side],
        "sections fallen": lambda row, side: row.falls,
        "sections set alight": lambda row, side: row.fires,
        "own units in buildings, in unit-turns": lambda row, side: row.sides[side].inside if row.sides else 0,
        "own units above the ground floor, in unit-turns": lambda row, side: (
            row.sides[side].above if row.sides else 0
        ),
        "own shots": lambda row, side: row.sides[side].shots if row.sides else 0,
        "own assaults": lambda row, side: row.sides[side].assaults if row.sides else 0,
        "own breaches": lambda row, side: row.sides[side].breaches if row.sides else 0,
    }
    for what in told:
        measures[f"lead in points for {what}"] = lambda row, side, what=what: (
            (1 - 2 * side) * row.scored.get(what, 0)
        )  # type: ignore[misc]
    found = []
    for name, of in measures.items():
        seen = estimate(by_seed(whole, [of(rows[p.one], p.side) - of(rows[p.other], p.side) for p in whole]))
        low, high = seen.interval
        if isfinite(low) and isfinite(high) and (low > 0 or high < 0):
            surely = abs(seen.value) / seen.error if seen.error else float("inf")
            found.append((-surely, Why(name, Figure(seen.value, low, high))))
    return [why for _, why in sorted(found, key=lambda row: (row[0], row[1].what))[:REASONS]]


def clauses_that_bear(rows: Mapping[int, WatchedRow], pairs: Sequence[Contrast], ruleset: str) -> list[Bears]:
    """The clauses whose share of games differs most with and without a tactic, of those that surely differ. By chance, in pairs
    where only one game has a clause, it would be either game equally often."""
    whole = [one for one in pairs if not (rows[one.one].failed or rows[one.other].failed)]
    counts: dict[str, list[int]] = {}
    alone: dict[str, list[int]] = {}
    for one in whole:
        named = [set(clauses_of(ruleset, rows[number].clauses)) for number in (one.one, one.other)]
        for place, here in enumerate(named):
            for clause in here:
                counts.setdefault(clause, [0, 0])[place] += 1
            for clause in here - named[1 - place]:
                alone.setdefault(clause, [0, 0])[place] += 1
    texts = {clause.id: clause.text for clause in read_clauses(find_ruleset(ruleset).folder)}
    found = [
        Bears(clause, texts[clause], here / len(whole), there / len(whole))
        for clause, (here, there) in sorted(counts.items())
        if abs(here - there) >= MOVED_CLAUSE * len(whole)
        and not BACKGROUND.intersection(clause.split("-"))
        and stats.binomtest(alone[clause][0], sum(alone[clause])).pvalue <= SURE
    ]
    return sorted(found, key=lambda one: -abs(one.share - one.without))[:3]


def spots_of(
    rows: Mapping[int, WatchedRow], pairs: Sequence[Contrast], tactic: Tactic, board: Board
) -> tuple[Spot, ...]:
    """The floors of buildings on which a tactic applied, in games of the player that always does the act: its answers say where.
    The most frequent first, SPOTS at most."""
    floors = {space.name: space.id for space in board.spaces if space.kind == "floor"}
    times: dict[str, int] = {}
    for pair in pairs:
        row = rows[pair.one if tactic.rule == "always" else pair.other]
        for place, count in row.bore_at[pair.side].items():
            if place in floors and not row.failed:
                times[place] = times.get(place, 0) + count
    found = sorted(times.items(), key=lambda item: (-item[1], floors[item[0]]))[:SPOTS]
    return tuple(Spot(place, count) for place, count in found)
