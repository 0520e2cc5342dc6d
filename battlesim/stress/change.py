"""What may be changed to make a scenario fair, what a change costs, and the results of a search. Read `Knob` and `Balance`.

A change costs what the designer gives for each step; else one for every factor that is changed, and of two such changes the one
with fewer steps is the smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from battlesim.batch.blame import Blame

STEP = 0.01
"""The cost of a step beside that of a change, if the designer gives none."""


class Knob(Struct, frozen=True):
    """A factor as the search changes it: its name, the level it has now, the levels it may take, in order where `is_ordered`, and
    what a step costs (None: see above)."""

    name: str
    usual: Any
    levels: tuple[Any, ...]
    is_ordered: bool
    cost: float | None = None

    def steps(self, level: Any) -> float:
        """How many steps a level is from the usual one: one if there is none, or if levels have no order."""
        if level is None or level == self.usual:
            return 0.0
        numbers = isinstance(self.usual, (int, float)) and not isinstance(self.usual, bool)
        if not self.is_ordered or not numbers:
            return 1.0
        if all(isinstance(each, int) for each in (*self.levels, self.usual)):
            return abs(float(level) - float(self.usual))
        places = sorted({*self.levels, self.usual})
        return float(abs(places.index(level) - places.index(self.usual)))

    def price(self, level: Any) -> float:
        """The cost of setting it to a level."""
        steps = self.steps(level)
        if steps == 0:
            return 0.0
        return steps * self.cost if self.cost is not None else 1 + STEP * steps


def scale_of(knob: Knob) -> Callable[[Any], float | None]:
    """Levels of an ordered knob as numbers of about 0 to 1."""
    numbers = [float(level) for level in knob.levels if isinstance(level, (int, float))]
    if len(numbers) == len(knob.levels):
        low, wide = min(numbers), (max(numbers) - min(numbers)) or 1.0

        def by_size(level: Any) -> float | None:
            return (float(level) - low) / wide if isinstance(level, (int, float)) else None

        return by_size
    places: Mapping[Any, int] = {level: place for place, level in enumerate(knob.levels)}
    return lambda level: places[level] / max(1, len(places) - 1) if level in places else None


class Difference(Struct, frozen=True):
    """A response before and after a change, over the same fresh seeds, and the mean difference with its 95% interval."""

    response: str
    before: float
    after: float
    change: float
    low: float
    high: float


class Proposal(Struct, frozen=True):
    """A change that fresh dice confirmed or did not confirm. `changes`: (factor, level now, level proposed). `share` with its 95%
    interval, over `games`. `is_confirmed`: the share is within the margin of the target."""

    changes: tuple[tuple[str, Any, Any], ...]
    cost: float
    share: float
    low: float
    high: float
    games: int
    is_confirmed: bool
    differences: tuple[Difference, ...]


class Balance(Struct, frozen=True):
    """The results of a search. `share` of the unchanged scenario, with its 95% interval, over fresh dice if it was tuned.
    `is_fair`: it needs no change. `alone`: for each factor, the levels that were tried with their share and games. `unsound`:
    changes that make no valid scenario, and why. `blame`: what agents lost by their own failure."""

    target: float
    margin: float
    share: float
    low: float
    high: float
    is_fair: bool
    proposals: tuple[Proposal, ...]
    refused: tuple[Proposal, ...]
    alone: tuple[tuple[str, tuple[tuple[Any, float, int], ...]], ...]
    unsound: tuple[str, ...]
    games: int
    blame: tuple[Blame, ...] = ()
