"""What a replay alone cannot say of a battle: the chance to win, what each side heard and knew, and what its agent thought.

Whoever has the rules fills it in (`battlesim.engine.retrace`); a page can be made without. Read `Insight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

BOTH = 3
"""The mask of both sides: side 0 is 1, side 1 is 2."""
SWING = 0.08
"""A turning point moves the chance to win by at least so much."""


class Thought(NamedTuple):
    """An answer that an agent weighed. `score`: on the agent's own scale. `text`: why, in its words."""

    answer: str
    score: float
    text: str


class Insight(Struct, frozen=True):
    """`chances`: (event, chance of the first side to win after it), at the end of each order. `heard`: by event that somebody did
    not hear of, the mask of those who did. `unknown`: (event, unit, mask of the sides that know of the unit from then on), from
    event -1 at the start; a unit that is not named is known to both. `thoughts`: by event, of a question, the answers that the
    agent weighed, the best first. `note`: what is missing and why."""

    chances: tuple[tuple[int, float], ...] = ()
    heard: dict[int, int] = {}
    known: tuple[tuple[int, int, int], ...] = ()
    thoughts: dict[int, tuple[Thought, ...]] = {}
    note: str = ""


class TurningPoint(NamedTuple):
    """An order, or what came between two orders, that moved the chance of the first side to win."""

    event: int
    before: float
    after: float


def turning_points(chances: Sequence[tuple[int, float]], most: int = 5) -> list[TurningPoint]:
    """The largest swings of the chance to win from one order to the next, in the order of the battle."""
    swings = [
        TurningPoint(event, before, after)
        for (_, before), (event, after) in pairwise(chances)
        if abs(after - before) >= SWING
    ]
    largest = sorted(swings, key=lambda swing: -abs(swing.after - swing.before))[:most]
    return sorted(largest)
