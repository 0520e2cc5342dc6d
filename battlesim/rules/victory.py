"""Objectives and the end of a battle, as far as all rulebooks agree; the rest is in each rulebook's `victory.py`.

Read `earned` for the worth of an objective, then `Ending`: how the battles of a rulebook end.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from battlesim.core.events import Ended, Scored
from battlesim.core.state import Outcome, State, Unit, fallen
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Objective

LENGTH, ANNIHILATION, EXIT = "length", "annihilation", "exit"
"""How a battle ends: its turns are over; a side has nothing left; all that is left of a side has left by an edge."""
Points = tuple[int, int]
"""Points of the first and the second side."""


# ---- what objectives are worth


def alone_in(state: State, places: Iterable[int], counts: Callable[[Unit], bool] | None = None) -> int:
    """The only side with units in some of the places; -1 if neither or both have units there. `counts`: which units count, by
    default all living ones."""
    here = [False, False]
    for place in places:
        for number in state.at.get(place, ()):
            unit = state.units[number]
            if counts is None or counts(unit):
                here[unit.side] = True
    if here[0] == here[1]:
        return -1
    return 0 if here[0] else 1


def earned(state: State, goal: Objective, holder: int, damaged: Container[int] = ()) -> Points:
    """The points of both sides for an objective if the battle ended now. `holder`: the side that holds its places, -1 for none.
    `damaged`: sections that stand but have lost a floor, which count as neither destroyed nor kept. Exits give nothing here:
    they score when a unit leaves."""
    side, points = goal.side, 0
    if goal.kind == "hold":
        side, points = (holder if goal.side in (-1, holder) else -1), goal.points
    elif goal.kind in ("destroy", "keep") and goal.sections:
        down = fallen(state)
        if goal.kind == "destroy":
            met = all(section in down for section in goal.sections)
        else:
            met = not any(section in down or section in damaged for section in goal.sections)
        points = goal.points if met else 0
    elif goal.kind == "destroy":
        points = goal.points * sum(not state.units[unit].alive for unit in goal.units)
    elif goal.kind == "survive":
        points = goal.points * sum(state.units[unit].alive for unit in goal.units)
    return for_side(side, points)


def for_side(side: int, points: int) -> Points:
    """Points for one side, as a pair; none where `side` is -1.

    >>> for_side(1, 4)
    (0, 4)
    """
    return (points if side == 0 else 0, points if side == 1 else 0)


def in_reach(state: State, goal: Objective, times: int = 1) -> Points:
    """The most points that each side can score for an objective. `times`: how often a `hold` objective is scored."""
    counts = 1
    if goal.kind == "hold":
        counts = times
    elif goal.kind == "exit":
        counts = len(goal.units) or sum(unit.side == goal.side for unit in state.units.values())
    elif goal.kind == "survive" or (goal.kind == "destroy" and not goal.sections):
        counts = len(goal.units)
    most = goal.points * counts
    return (most if goal.side in (-1, 0) else 0, most if goal.side in (-1, 1) else 0)


def goals_in_reach(state: State, times: int = 1) -> Points:
    """The most points that each side can score for all objectives of a battle that begins at this state."""
    return total((0, 0), [in_reach(state, goal, times) for goal in terms(state).objectives])


def total(points: Points, more: Iterable[Points]) -> Points:
    """Points of both sides, summed."""
    a, b = points
    for one, other in more:
        a, b = a + one, b + other
    return (a, b)


def winner_by_points(points: Points, least: int) -> int | None:
    """The side ahead by `least` points or more; None for a draw. `least`: 1 or more.

    >>> winner_by_points((5, 3), least=2), winner_by_points((5, 3), least=3)
    (0, None)
    """
    ahead = points[0] - points[1]
    if ahead >= least:
        return 0
    return 1 if -ahead >= least else None


# ---- how a battle ends


class Terms(Protocol):
    """The fields that every rulebook's record of the battle has: `turns`, its length; `margin`, the points that a side must be
    ahead by to win; and its objectives."""

    @property
    def turns(self) -> int:
        """Length of the battle in turns."""
        ...

    @property
    def margin(self) -> int:
        """Points that a side must be ahead by to win."""
        ...

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """The objectives, in the scenario's order."""
        ...


def terms(state: State) -> Terms:
    """The terms of a battle."""
    known: Terms = state.extra
    return known


class Award(NamedTuple):
    """Points that are scored when a battle ends. `what`: the reason. `goal`: the objective, None for other points."""

    what: str
    points: Points
    goal: Objective | None = None


def goals_earned(state: State, worth: Callable[[State, Objective], Points]) -> list[Award]:
    """What every objective of the scenario earns, in its order. `worth(state, goal)`: the points of both sides for one."""
    return [Award(goal.name, worth(state, goal), goal) for goal in terms(state).objectives]


def never(unit: Unit) -> bool:
    """`Ending.has_left` of rulebooks in which no unit leaves by an edge."""
    return False


@dataclass(frozen=True)
class Ending:
    """How the battles of a rulebook end and who wins.

    awards(state): what would be scored if the battle ended now, beside the points already scored.
    clauses: of scoring and ending. also(r, goal): further clauses for an objective.
    fights_on(unit): whether a living unit still counts. A side without such a unit, reserves included, has lost.
    has_left(unit): whether a living unit has left by an edge. A side with only such units left has not lost: points decide.
    exit_clauses: of an end by units that left. least(state): points that a side must be ahead by to win.
    word(state): the termination of a battle whose turns are over.
    """

    awards: Callable[[State], Iterable[Award]]
    clauses: Clauses
    fights_on: Callable[[Unit], bool]
    has_left: Callable[[Unit], bool] = never
    exit_clauses: Clauses = ()
    also: Callable[[Resolution, Objective], Clauses] = lambda r, goal: ()
    least: Callable[[State], int] = lambda state: terms(state).margin
    word: Callable[[State], str] = lambda state: LENGTH

    def standing(self, state: State) -> Points:
        """The points of both sides if the battle ended now."""
        return total(state.points, [award.points for award in self.awards(state)])

    def score(self, r: Resolution, awards: Iterable[Award] | None = None) -> None:
        """Score awards in order; by default those that are due at the end."""
        for award in list(self.awards(r.state) if awards is None else awards):
            clauses = self.clauses if award.goal is None else (*self.clauses, *self.also(r, award.goal))
            for side, points in enumerate(award.points):
                if points:
                    r.emit(Scored(side, points, award.what, clauses=clauses))

    def final(self, r: Resolution) -> None:
        """End the battle after its last turn: score; the side that is far enough ahead wins, else it is a draw."""
        self.score(r)
        points = r.state.points
        winner = winner_by_points(points, self.least(r.state))
        r.emit(Ended(Outcome(winner, points, self.word(r.state)), clauses=self.clauses))

    def turn_over(self, r: Resolution) -> bool:
        """Call it after `TurnEnded`. Ends the battle if it is over; returns whether it goes on."""
        if self.end_if_wiped(r):
            return False
        if r.state.turn <= terms(r.state).turns:
            return True
        self.final(r)
        return False

    def check_wiped(self, state: State) -> Outcome | None:
        """The outcome if a side has no unit left that fights on, None if both have one. If neither has, it is a draw."""
        units, (first, second) = state.units, state.alive
        fights_on = self.fights_on
        fights = (any(fights_on(units[n]) for n in first), any(fights_on(units[n]) for n in second))
        if fights == (True, True):
            return None
        lost = [
            not fights[side] and not any(self.has_left(units[n]) for n in state.alive[side])
            for side in (0, 1)
        ]
        points = self.standing(state)
        if not any(lost):
            return Outcome(winner_by_points(points, self.least(state)), points, EXIT)
        return Outcome(None if all(lost) else lost.index(False), points, ANNIHILATION)

    def end_if_wiped(self, r: Resolution) -> bool:
        """End the battle if a side has nothing left. Returns whether the battle is over."""
        if r.state.outcome is not None:
            return True
        outcome = self.check_wiped(r.state)
        if outcome is None:
            return False
        self.score(r)
        clauses = (*self.clauses, *self.exit_clauses) if outcome.termination == EXIT else self.clauses
        r.emit(Ended(replace(outcome, points=r.state.points), clauses=clauses))
        return True


# ---- leaving by an edge


def exits_of(goals: Iterable[Objective], unit: Unit, edge: str) -> list[Objective]:
    """The exit objectives that a unit scores by leaving at a place. `edge`: the edges of that place (n, e, s, w; two at a
    corner)."""
    if not edge:
        return []
    return [
        goal
        for goal in goals
        if goal.kind == "exit"
        and goal.side == unit.side
        and goal.edge in edge
        and (not goal.units or unit.id in goal.units)
    ]


def score_exits(r: Resolution, unit: Unit, edge: str, clauses: Clauses) -> None:
    """Score the exit objectives of a unit that leaves at a place. `edge`: as in `exits_of`."""
    for goal in exits_of(terms(r.state).objectives, unit, edge):
        r.emit(Scored(unit.side, goal.points, goal.name, clauses=clauses))


# ---- what a side may know


def known_goals(goals: tuple[Objective, ...], known: Container[int]) -> tuple[Objective, ...]:
    """Objectives without the units that a side does not know of. An objective about such units only is left out. `known`: the
    numbers of all units that it knows of, its own included. The same tuple where nothing is left out."""
    is_known, whole = known.__contains__, True
    shown: list[Objective] = []
    for goal in goals:
        if not goal.units or all(map(is_known, goal.units)):
            shown.append(goal)
            continue
        whole = False
        left = tuple(filter(is_known, goal.units))
        if left:
            shown.append(replace(goal, units=left))
    return goals if whole else tuple(shown)
