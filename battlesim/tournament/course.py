"""What decided the games of an agent against itself, summed over games. Read `Courses.add` and `course_summary`.

Only sums are kept, so memory does not grow with the number of games, and their order does not matter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from battlesim.engine.course import Course


@dataclass
class PointSums:
    """What a side scored by one objective. `games`: those in which it scored; `won` and `drawn`: of these. `squares`: the sum of
    the squares of its points."""

    games: int = 0
    points: int = 0
    squares: int = 0
    won: int = 0
    drawn: int = 0


@dataclass
class LossSums:
    """Units and models of one type of a side, at first and lost, over all games."""

    units: int = 0
    units_lost: int = 0
    models: int = 0
    models_lost: int = 0


@dataclass
class Courses:
    """Sums over the games of one agent on one scenario.

    `won`: games won by side 0, drawn, won by side 1. `points`: by (side, objective). `losses`: by (side, unit type). `lead`: by
    winning side, games by the turn in which it took the lead for good; -1 if it was not ahead at the end.
    """

    won: list[int] = field(default_factory=lambda: [0, 0, 0])
    points: dict[tuple[int, str], PointSums] = field(default_factory=dict)
    losses: dict[tuple[int, str], LossSums] = field(default_factory=dict)
    lead: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.won)

    def add(self, course: Course, winner: int | None) -> None:
        """Add a game; `winner` is a side, None for a draw."""
        self.won[1 if winner is None else 2 * winner] += 1
        for side, what, points in course.points:
            scored = self.points.setdefault((side, what), PointSums())
            scored.games += 1
            scored.points += points
            scored.squares += points**2
            scored.won += winner == side
            scored.drawn += winner is None
        for side, kind, units, units_lost, models, models_lost in course.losses:
            lost = self.losses.setdefault((side, kind), LossSums())
            lost.units += units
            lost.units_lost += units_lost
            lost.models += models
            lost.models_lost += models_lost
        if winner is not None:
            self.lead[winner][-1 if course.lead is None else course.lead] += 1


def _by_side(item: tuple[tuple[int, str], object]) -> tuple[int, str]:
    """The sort key of sums: the side, then what they are of."""
    return item[0]


def course_summary(scenario: str, agent: str, sides: Sequence[str], found: Courses) -> dict[str, Any]:
    """The sums as means a game, for the summary. `error`: standard error of the mean of points."""
    games = found.games
    points = []
    for (side, what), sums in sorted(found.points.items(), key=_by_side):
        mean = sums.points / games
        spread = max(0.0, sums.squares / games - mean * mean)
        points.append(
            {
                "side": sides[side],
                "objective": what,
                "points": round(mean, 3),
                "error": round(math.sqrt(spread / max(1, games - 1)), 3),
                "scored": round(sums.games / games, 4),
                "won": round((sums.won + sums.drawn / 2) / sums.games, 4),
                "games": sums.games,
            }
        )
    losses = [
        {
            "side": sides[side],
            "type": kind,
            "units": round(lost.units / games, 2),
            "units_lost": round(lost.units_lost / games, 2),
            "models": round(lost.models / games, 2),
            "models_lost": round(lost.models_lost / games, 2),
        }
        for (side, kind), lost in sorted(found.losses.items(), key=_by_side)
    ]
    lead = [
        {
            "side": sides[side],
            "won": sum(turns.values()),
            "turns": [[turn, turns[turn]] for turn in sorted(turns) if turn >= 0],
            "not_ahead": turns[-1],
        }
        for side, turns in enumerate(found.lead)
    ]
    return {
        "scenario": scenario,
        "agent": agent,
        "games": games,
        "points": points,
        "losses": losses,
        "lead": lead,
    }
