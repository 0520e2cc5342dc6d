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
class Courses:
    """Sums over the games of one agent on one scenario.

    `won`: games won by side 0, drawn, won by side 1. `points`: (side, objective) -> [games in which the side scored, sum of its
    points, sum of their squares, games won and games drawn of those in which it scored]. `losses`: (side, unit type) -> [units
    at first, units lost, models at first, models lost]. `lead`: by winning side, games by the turn in which it took the lead for
    good; -1 if it was not ahead at the end.
    """

    won: list[int] = field(default_factory=lambda: [0, 0, 0])
    points: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    losses: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    lead: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.won)

    def add(self, course: Course, winner: int | None) -> None:
        """Add a game; `winner` is a side, None for a draw."""
        self.won[1 if winner is None else 2 * winner] += 1
        for side, what, points in course.points:
            row = self.points.setdefault((side, what), [0, 0, 0, 0, 0])
            for place, value in enumerate((1, points, points**2, winner == side, winner is None)):
                row[place] += value
        for side, kind, *counts in course.losses:
            row = self.losses.setdefault((side, kind), [0, 0, 0, 0])
            for place, value in enumerate(counts):
                row[place] += value
        if winner is not None:
            self.lead[winner][-1 if course.lead is None else course.lead] += 1


def course_summary(scenario: str, agent: str, sides: Sequence[str], found: Courses) -> dict[str, Any]:
    """The sums as means a game, for the summary. `error`: standard error of the mean of points."""
    games = found.games
    points = []
    for (side, what), (scored, total, squares, won, drawn) in sorted(found.points.items()):
        mean = total / games
        spread = max(0.0, squares / games - mean * mean)
        points.append(
            {
                "side": sides[side],
                "objective": what,
                "points": round(mean, 3),
                "error": round(math.sqrt(spread / max(1, games - 1)), 3),
                "scored": round(scored / games, 4),
                "won": round((won + drawn / 2) / scored, 4),
                "games": scored,
            }
        )
    losses = [
        {
            "side": sides[side],
            "type": kind,
            "units": round(units / games, 2),
            "units_lost": round(units_lost / games, 2),
            "models": round(models / games, 2),
            "models_lost": round(models_lost / games, 2),
        }
        for (side, kind), (units, units_lost, models, models_lost) in sorted(found.losses.items())
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
