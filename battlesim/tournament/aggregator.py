"""Aggregating the rows of a tournament into counts, encounter by encounter in canonical order. Read `Aggregator.take`.

Games may end in any order, but an encounter is counted only after all encounters before it. So the same games give the same
figures, and a sequential test, done after each round of all scenarios, always stops at the same pair. Only counts are kept:
memory does not grow with the number of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from battlesim.batch.blame import BROKEN, Failures, losers_of
from battlesim.batch.rows import GameRow
from battlesim.jobs.store import StoredRow
from battlesim.tournament.course import Courses
from battlesim.tournament.margins import Margins
from battlesim.tournament.resolve import TournamentPlan
from battlesim.tournament.schedule import Encounter
from battlesim.tournament.sprt import Sprt
from battlesim.tournament.tally import Tally

VERDICTS = ("decided", "length", "stalled", "forfeit", "crash", "fault")
"""How a game can end. The first two are normal ends; a `fault` is a defect of battlesim and has no result."""
DEGENERATE = VERDICTS[2:]
CHECKPOINTS = 40
"""How many points the curve of ratings over time has; fewer with many agents, whose ratings take longer to fit."""
NOTED = 50
"""How many games with lost questions are listed by number."""


@dataclass
class ScenarioStats:
    """Counts of one scenario. `wins` (by side) and `draws`: of games between different agents. `turns`: games by their last turn.
    `words`: games by termination. `games`, `seconds`: of all games."""

    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    turns: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    games: int = 0
    seconds: float = 0.0


class Aggregator:
    """Takes rows in any order and keeps these counts:

    - `tally`: results of pairs and control games. `failed`: those of its pairs in which an agent lost by its own failure.
    - `verdicts`: (scenario, a, b) -> how the games ended.
    - `failures`: (scenario, agent) -> games that the agent lost by its own failure.
    - `margins`: (scenario, a, b) -> margin of points for a -> [games, number of the first].
    - `margin_sums`: (scenario, a, b) -> sums over pairs.
    - `courses`: (scenario, agent) -> what decided its control games, if the run asks for it.
    - `clauses`: ruleset -> games by clause; -1 counts all its games.
    - `played`, `counted`: games taken, and those of them that count so far.
    - `tested`: the `pentanomials` at the end of the last whole round, by which the sequential test goes.
    - `stopped`: the number of pairs after which the sequential test decided, None before.
    - `defect`: the text of the first fault of battlesim itself.
    """

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.tally, self.failed = Tally(), Tally()
        self.scenario_stats = {entry.source.name: ScenarioStats() for entry in plan.resolved.scenarios}
        self.agent_faults = Failures()
        self.failures: Counter[tuple[str, str]] = Counter()
        self.verdicts: dict[tuple[str, str, str], Counter[str]] = {}
        self.margins: dict[tuple[str, str, str], dict[int, list[int]]] = {}
        self.clauses: dict[str, Counter[int]] = {}
        self.margin_sums: dict[tuple[str, str, str], Margins] = {}
        self.courses: dict[tuple[str, str], Courses] = {}
        self.games_with_faults: list[int] = []
        self.played = 0
        self.counted = 0
        self.pairs = 0
        self.stopped: int | None = None
        self.progress: list[tuple[int, Tally]] = []
        self.path: list[tuple[int, float]] = []
        stop = plan.asked.stop
        self.sprt = None if stop is None else Sprt(stop.elo0, stop.elo1, stop.alpha, stop.beta)
        self._pentanomials = {name: [0, 0, 0, 0, 0] for name in self.scenario_stats}
        self.tested = self.pentanomials
        self._met = 0
        self.defect = ""
        self._encounters = plan.encounters()
        self._encounter: Encounter | None = next(self._encounters, None)
        self._waiting: dict[int, tuple[GameRow, float]] = {}
        points = max(8, min(CHECKPOINTS, 240 // len(plan.resolved.agents)))
        self._step = max(1, plan.games // points)
        self._due = self._step

    # ---- taking rows

    def take(self, row: bytes, seconds: float) -> None:
        """Take one game's row, in any order."""
        found = self.plan.row(row)
        self.played += 1
        self._waiting[found.number] = found, seconds
        while (encounter := self._encounter) is not None and all(
            encounter.first + leg in self._waiting for leg in range(encounter.games)
        ):
            self._count_encounter(encounter)

    def read(self, rows: Iterable[StoredRow]) -> None:
        """Take all rows of a store, by number. Encounters that lack a game are skipped; with a sequential test, none after the
        first such encounter counts."""
        for stored in rows:
            while (
                encounter := self._encounter
            ) is not None and encounter.first + encounter.games <= stored.number:
                if self.sprt is not None and self.stopped is None:
                    break
                self._drop(encounter)
            self.take(stored.row, stored.seconds)
        if self.sprt is None or self.stopped is not None:
            while (encounter := self._encounter) is not None:
                self._drop(encounter)

    def _drop(self, encounter: Encounter) -> None:
        """Skip an encounter that lacks a game."""
        for leg in range(encounter.games):
            self._waiting.pop(encounter.first + leg, None)
        self._encounter = next(self._encounters, None)

    def _count_encounter(self, encounter: Encounter) -> None:
        games = [self._waiting.pop(encounter.first + leg) for leg in range(encounter.games)]
        self._encounter = next(self._encounters, None)
        if self.stopped is not None:
            return  # under way when the test decided: it is kept but does not count
        sides = self.plan.entries[encounter.scenario].sides
        results = []
        for leg, (row, seconds) in enumerate(games):
            self.counted += 1
            self._note(encounter, row, seconds)
            winner = None if row.winner is None else sides.index(row.winner)
            # A game lost by an agent's failure says nothing about the sides.
            if row.course is not None and row.verdict not in BROKEN:
                self.courses.setdefault((encounter.scenario, encounter.a), Courses()).add(row.course, winner)
            void = row.verdict == "fault" or (encounter.games == 1 and row.verdict in BROKEN)
            results.append(None if void else -1 if winner is None else winner)
            if encounter.games == 2 and row.points is not None:
                margin = row.points[sides[leg]] - row.points[sides[1 - leg]]
                found = self.margins.setdefault((encounter.scenario, encounter.a, encounter.b), {})
                found.setdefault(margin, [0, row.number])[0] += 1
        self._count(encounter, results, any(row.verdict in BROKEN for row, _ in games))
        if encounter.games == 2:
            self._add_margins(encounter, [row for row, _ in games])
            self._met += 1
            # In the middle of a round, the scenarios would not all weigh the same.
            if self._met % len(self.scenario_stats) == 0:
                self._test()
        if self.counted >= self._due:
            self._due += self._step
            self.progress.append((self.counted, self.tally.merged(Tally())))

    def _add_margins(self, encounter: Encounter, rows: list[GameRow]) -> None:
        """Add the margins of a pair whose games were both played to the end. A forfeited game has the points of its last moment,
        often none at all."""
        sides = self.plan.entries[encounter.scenario].sides
        games = []
        for leg, row in enumerate(rows):
            own, other = sides[leg], sides[1 - leg]
            if not row.points or row.verdict in BROKEN:
                return
            reach = (row.reach[own], row.reach[other]) if row.reach else None
            games.append(((row.points[own], row.points[other]), reach))
        self.margin_sums.setdefault((encounter.scenario, encounter.a, encounter.b), Margins()).add(games)

    def _count(self, encounter: Encounter, results: list[int | None], failed: bool) -> None:
        """Count the results of an encounter: the side that won, -1 for a draw, None for a game without a result. `failed`: an
        agent lost one by its own failure."""
        if None in results:
            return  # one game of a pair alone would favour the agent that had the better side in it
        if encounter.games == 1:
            self.tally.control(encounter.scenario, encounter.a, None if results[0] == -1 else results[0])
            return
        stats = self.scenario_stats[encounter.scenario]
        for result in results:
            if result is None or result < 0:
                stats.draws += 1
            else:
                stats.wins[result] += 1
        first, second = (
            1 if result == -1 else 2 if result == leg else 0 for leg, result in enumerate(results)
        )
        for tally in (self.tally, self.failed) if failed else (self.tally,):
            tally.pair(encounter.scenario, encounter.a, encounter.b, first, second)
        self.pairs += 1
        self._pentanomials[encounter.scenario][first + second] += 1

    def _test(self) -> None:
        """Do the sequential test, at the end of a round."""
        self.tested = self.pentanomials
        if self.sprt is not None and self.pairs:
            verdict = self.sprt.judge_strata(self.tested)
            self.path.append((self.pairs, verdict.llr))
            if len(self.path) > 400:
                del self.path[1:-1:2]  # a curve does not need more points
            if verdict.decision is not None:
                self.stopped = self.pairs

    def _note(self, encounter: Encounter, row: GameRow, seconds: float) -> None:
        stats = self.scenario_stats[encounter.scenario]
        stats.games += 1
        stats.seconds += seconds
        self.verdicts.setdefault((encounter.scenario, encounter.a, encounter.b), Counter())[row.verdict] += 1
        stats.words[row.termination] += 1
        if row.turns is not None:
            stats.turns[row.turns] += 1
        if row.clauses:
            used = self.clauses.setdefault(row.ruleset, Counter())
            number, place = int(row.clauses, 16), 0
            used[-1] += 1
            while number:
                if number & 1:
                    used[place] += 1
                number >>= 1
                place += 1
        if row.faults and row.record_hash and len(self.games_with_faults) < NOTED:
            self.games_with_faults.append(row.number)
        for fault in row.faults:
            if not fault["side"]:
                self.defect = self.defect or fault["what"]
        self.agent_faults.take(row)
        for loser in losers_of(row):
            self.failures[encounter.scenario, loser] += 1

    # ---- results

    @property
    def side_tally(self) -> Tally:
        """The results that say something about the sides: those of `tally` without pairs in which an agent lost by its own
        failure."""
        found = self.tally.merged(Tally())
        for pairing, cells in self.failed.pairs.items():
            found.pairs[pairing] = [all_ - bad for all_, bad in zip(found.pairs[pairing], cells, strict=True)]
        return found

    @property
    def pentanomials(self) -> tuple[tuple[int, ...], ...]:
        """Pairs by the first agent's points (0, 1/2, 1, 3/2, 2), for each scenario, over all pairings."""
        return tuple(map(tuple, self._pentanomials.values()))

    @property
    def done(self) -> bool:
        """Whether no more games are needed."""
        return self.stopped is not None or self._encounter is None

    def medians(self) -> Iterator[tuple[tuple[str, str, str], int]]:
        """For each pairing on each scenario, the number of its median game: the first with the median margin of points."""
        for key, margins in self.margins.items():
            half = (sum(games for games, _ in margins.values()) + 1) // 2
            for margin in sorted(margins):
                half -= margins[margin][0]
                if half <= 0:
                    yield key, margins[margin][1]
                    break
