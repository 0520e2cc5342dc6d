"""What the rows of a tournament come to: counts, judged unit by unit in canonical order. Read `Aggregator.take`.

Games may finish in any order; a unit is judged once all units before it are, so that the same games give the same figures
and a sequential test, asked after each round of all scenarios, stops at the same pair whoever played them. What is kept are
counts: memory does not grow with games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from battlesim.batch.rows import GameRow
from battlesim.jobs.store import StoredRow
from battlesim.tournament.course import Courses
from battlesim.tournament.margins import Margins
from battlesim.tournament.resolve import TournamentPlan
from battlesim.tournament.schedule import Encounter
from battlesim.tournament.sprt import Sprt
from battlesim.tournament.tally import Tally

VERDICTS = ("decided", "length", "stalled", "forfeit", "crash", "fault")
"""How a game can end. The first two are sound; a `fault` is ours and has no result."""
DEGENERATE = VERDICTS[2:]
BROKEN = ("forfeit", "crash")
"""Ends that an agent's own failure brought about."""
CHECKPOINTS = 40
"""Points of the ratings over time; fewer in a large field, where each takes its time."""
NOTED = 50
"""Games with lost questions that are remembered by number."""


@dataclass
class AgentFaults:
    """What an agent lost by its own doing. `what`: the first fault in words."""

    forfeit: int = 0
    crash: int = 0
    faults: int = 0
    what: str = ""


@dataclass
class ScenarioStats:
    """What happened on one scenario. `wins` and `draws` by side over the games of different agents; `seconds` over all."""

    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    turns: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    games: int = 0
    seconds: float = 0.0


class Aggregator:
    """Takes rows as they come; what they came to stands in its fields.

    `tally`: results of pairs and control games. `verdicts`: (scenario, a, b) -> how its games ended. `breakdowns`: (scenario,
    agent) -> games it lost by its own failure. `margins`: (scenario, a, b) -> margin of points for a -> [games, number of the
    first]. `margin_sums`: the same -> sums over its pairs. `courses`: (scenario, agent) -> what decided its control games, where
    the run asks for it. `counted`: games judged. `stopped`: pairs after which the sequential test decided, None while it has not.
    `defect`: what our first fault said.
    """

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.tally = Tally()
        self.grounds = {field.source.name: ScenarioStats() for field in plan.resolved.scenarios}
        self.blame: dict[str, AgentFaults] = {}
        self.breakdowns: Counter[tuple[str, str]] = Counter()
        self.verdicts: dict[tuple[str, str, str], Counter[str]] = {}
        self.margins: dict[tuple[str, str, str], dict[int, list[int]]] = {}
        self.clauses: dict[str, Counter[int]] = {}
        self.margin_sums: dict[tuple[str, str, str], Margins] = {}
        self.courses: dict[tuple[str, str], Courses] = {}
        self.noted: list[int] = []
        self.played = 0
        self.counted = 0
        self.pairs = 0
        self.stopped: int | None = None
        self.progress: list[tuple[int, Tally]] = []
        self.path: list[tuple[int, float]] = []
        stop = plan.asked.stop
        self.sprt = None if stop is None else Sprt(stop.elo0, stop.elo1, stop.alpha, stop.beta)
        self._pentanomials = {name: [0, 0, 0, 0, 0] for name in self.grounds}
        self._met = 0
        self.defect = ""
        self._units = plan.units()
        self._unit: Encounter | None = next(self._units, None)
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
        while (unit := self._unit) is not None and all(
            unit.first + leg in self._waiting for leg in range(unit.games)
        ):
            self._judge(unit)

    def read(self, rows: Iterable[StoredRow]) -> None:
        """Take all that a store holds, by number. A unit that is not whole is passed over, unless a sequential test is on,
        which judges none after it."""
        for stored in rows:
            while (unit := self._unit) is not None and unit.first + unit.games <= stored.number:
                if self.sprt is not None and self.stopped is None:
                    break
                self._drop(unit)
            self.take(stored.row, stored.seconds)
        if self.sprt is None or self.stopped is not None:
            while (unit := self._unit) is not None:
                self._drop(unit)

    def _drop(self, unit: Encounter) -> None:
        """Pass over a unit that lacks a game."""
        for leg in range(unit.games):
            self._waiting.pop(unit.first + leg, None)
        self._unit = next(self._units, None)

    def _judge(self, unit: Encounter) -> None:
        games = [self._waiting.pop(unit.first + leg) for leg in range(unit.games)]
        self._unit = next(self._units, None)
        if self.stopped is not None:
            return  # played because it was under way; kept, not counted
        sides = self.plan.fields[unit.scenario].sides
        results = []
        for leg, (row, seconds) in enumerate(games):
            self.counted += 1
            self._note(unit, row, seconds)
            winner = None if row.winner is None else sides.index(row.winner)
            # A side that lost by its agent's failure says nothing of the side.
            if row.course is not None and row.verdict not in BROKEN:
                self.courses.setdefault((unit.scenario, unit.a), Courses()).add(row.course, winner)
            void = row.verdict == "fault" or (unit.games == 1 and row.verdict in BROKEN)
            results.append(None if void else -1 if winner is None else winner)
            if unit.games == 2 and row.points is not None:
                margin = row.points[sides[leg]] - row.points[sides[1 - leg]]
                found = self.margins.setdefault((unit.scenario, unit.a, unit.b), {})
                found.setdefault(margin, [0, row.number])[0] += 1
        self._count(unit, results)
        if unit.games == 2:
            self._add_margins(unit, [row for row, _ in games])
        if unit.games == 2:
            self._met += 1
            # Asked in the middle of a round, a test would stop before it has seen what the other scenarios say.
            if self._met % len(self.grounds) == 0:
                self._test()
        if self.counted >= self._due:
            self._due += self._step
            self.progress.append((self.counted, self.tally.merged(Tally())))

    def _add_margins(self, unit: Encounter, rows: list[GameRow]) -> None:
        """Add a pair's margins, where both its games were played to their ends."""
        sides = self.plan.fields[unit.scenario].sides
        games = []
        for leg, row in enumerate(rows):
            own, other = sides[leg], sides[1 - leg]
            if not row.points:
                return
            reach = (row.reach[own], row.reach[other]) if row.reach else None
            games.append(((row.points[own], row.points[other]), reach))
        self.margin_sums.setdefault((unit.scenario, unit.a, unit.b), Margins()).add(games)

    def _count(self, unit: Encounter, results: list[int | None]) -> None:
        """Count a unit's results: a side that won, -1 for a draw, None for a game without a result."""
        if None in results:
            return  # a pair with half its games would favour whoever had the better side in the other half
        if unit.games == 1:
            self.tally.control(unit.scenario, unit.a, None if results[0] == -1 else results[0])
            return
        ground = self.grounds[unit.scenario]
        for result in results:
            if result is None or result < 0:
                ground.draws += 1
            else:
                ground.wins[result] += 1
        first, second = (
            1 if result == -1 else 2 if result == leg else 0 for leg, result in enumerate(results)
        )
        self.tally.pair(unit.scenario, unit.a, unit.b, first, second)
        self.pairs += 1
        self._pentanomials[unit.scenario][first + second] += 1

    def _test(self) -> None:
        """Ask the sequential test, at the end of a round."""
        if self.sprt is not None and self.pairs:
            verdict = self.sprt.judge_strata(self.pentanomials)
            self.path.append((self.pairs, verdict.llr))
            if len(self.path) > 400:
                del self.path[1:-1:2]  # a curve needs no more points
            if verdict.decision is not None:
                self.stopped = self.pairs

    def _note(self, unit: Encounter, row: GameRow, seconds: float) -> None:
        ground = self.grounds[unit.scenario]
        ground.games += 1
        ground.seconds += seconds
        self.verdicts.setdefault((unit.scenario, unit.a, unit.b), Counter())[row.verdict] += 1
        ground.words[row.termination] += 1
        if row.turns is not None:
            ground.turns[row.turns] += 1
        if row.clauses:
            used = self.clauses.setdefault(row.ruleset, Counter())
            number, place = int(row.clauses, 16), 0
            used[-1] += 1
            while number:
                if number & 1:
                    used[place] += 1
                number >>= 1
                place += 1
        if row.faults and row.record_hash and len(self.noted) < NOTED:
            self.noted.append(row.number)
        for fault in row.faults:
            if not fault["side"]:
                self.defect = self.defect or fault["what"]
                continue
            blame = self.blame.setdefault(row.agents[fault["side"]], AgentFaults())
            blame.faults += row.verdict != "crash"
            blame.what = blame.what or fault["what"]
        if row.verdict in BROKEN and row.winner is not None:
            loser = next(agent for side, agent in row.agents.items() if side != row.winner)
            self.breakdowns[unit.scenario, loser] += 1
            blame = self.blame.setdefault(loser, AgentFaults())
            setattr(blame, row.verdict, getattr(blame, row.verdict) + 1)

    # ---- what it came to

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """Pairs by the first agent's score, 0 to 2 in halves, over all pairings."""
        return tuple(map(sum, zip(*self._pentanomials.values(), strict=True)))

    @property
    def pentanomials(self) -> tuple[tuple[int, ...], ...]:
        """The same scenario by scenario."""
        return tuple(map(tuple, self._pentanomials.values()))

    @property
    def done(self) -> bool:
        """Whether no unit is left to judge."""
        return self.stopped is not None or self._unit is None

    def medians(self) -> Iterator[tuple[tuple[str, str, str], int]]:
        """For each pairing on each scenario the number of its median game: the first with the median margin."""
        for key, margins in self.margins.items():
            half = (sum(games for games, _ in margins.values()) + 1) // 2
            for margin in sorted(margins):
                half -= margins[margin][0]
                if half <= 0:
                    yield key, margins[margin][1]
                    break
