"""What decided a game: points by objective and side, losses by unit type, and when the lead was won. Read `course_of`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from battlesim.core.events import Scored
from battlesim.core.state import State
from battlesim.rulesets.finder import find_ruleset

if TYPE_CHECKING:
    from battlesim.engine.game import Game

UNITS = "enemy units"
"""The name for points that are not for an objective of the scenario: units destroyed or put to flight, standards taken."""


class Course(Struct, frozen=True):
    """A game in figures. Sides are 0 and 1.

    `points`: (side, objective, points) scored in the whole game. `losses`: (side, unit type, units at first, units lost, models
    at first, models lost). `lead`: the turn in which the winner took the lead for good; 0 if it led from the start, None for
    a draw and if the winner was not ahead on points at the end.
    """

    points: tuple[tuple[int, str, int], ...]
    losses: tuple[tuple[int, str, int, int, int, int], ...]
    lead: int | None


def course_of(game: Game) -> Course:
    """The course of a game just played."""
    goals = {goal.name for goal in game.scenario.objectives}
    points: dict[tuple[int, str], int] = {}
    for event in game.log:
        if isinstance(event, Scored):
            key = (event.side, event.what if event.what in goals else UNITS)
            points[key] = points.get(key, 0) + event.points
    ruleset = find_ruleset(game.header.ruleset.name)
    return Course(
        points=tuple((side, what, count) for (side, what), count in sorted(points.items())),
        losses=losses_by_type(ruleset.codec.load(game.header.start), game.state),
        lead=lead_of(game),
    )


def losses_by_type(first: State, last: State) -> tuple[tuple[int, str, int, int, int, int], ...]:
    """What each side lost of each type of unit between two positions of a battle, as in `Course.losses`."""
    losses: dict[tuple[int, str], list[int]] = {}
    for before in first.units.values():
        after = last.units[before.id]
        row = losses.setdefault((after.side, after.kind), [0, 0, 0, 0])
        row[0] += before.alive
        row[1] += before.alive and not after.alive
        row[2] += before.models
        row[3] += before.models - after.models
    return tuple((*key, row[0], row[1], row[2], row[3]) for key, row in sorted(losses.items()))


def lead_of(game: Game) -> int | None:
    """The turn in which the winner took the lead that it kept to the end."""
    winner = game.outcome.winner
    if winner is None:
        return None
    # The points at the start of a turn are those at the end of the turn before.
    stood = [(turn - 1, points) for turn, points in game.standings]
    stood.append((game.row()["turns"], game.outcome.points))
    found = None
    for turn, points in reversed(stood):
        if points[winner] <= points[1 - winner]:
            break
        found = turn
    return found
