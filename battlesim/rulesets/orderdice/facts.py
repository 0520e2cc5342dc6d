"""The facts of orders, tests, assaults and reserves, and which side hears of facts. Facts change nothing by themselves.

Those of fire are in `facts_fire.py`, those of buildings in `facts_buildings.py`, those of vehicles in `facts_vehicles.py`.

A side hears of all facts but those of enemy units that it does not know of: reserves that have not come on. The sentences are
in `story.toml`. A unit, place or section of -1 is none; lengths are hundredths of an inch.
"""

from __future__ import annotations

from typing import Any

from battlesim.core.events import Fact, Happened, Observer, word


def if_known(self: Any, by: Observer) -> Any:
    """The fact itself to a side that knows its unit."""
    return None if self.unit in by.hidden else self


# ---- orders and tests -----------------------------------------------------------------------------------------------


class Drawn(Fact, frozen=True):
    """A die of a side came out of the bag; `left` remain."""

    die: int
    left: int


class Ordered(Fact, frozen=True):
    """A unit's die shows an order. `why`: given, failed (a morale test), reaction, blunder, or what made it go down."""

    unit: int
    order: str
    why: str = "given"

    heard = if_known


class Tested(Fact, frozen=True):
    """A morale test: 2D6 came to `rolled` against `needed` (at most). `why`: order, losses, fire, overrun ..."""

    unit: int
    rolled: int
    needed: int
    passed: bool
    why: str

    heard = if_known


class Blunder(Happened, frozen=True):
    """A unit that rolled 12 is in confusion; `number`: what D6 showed for what it does."""

    what: str = word("blunder")
    unit: int = -1
    number: int = 0

    heard = if_known


class Rallied(Happened, frozen=True):
    """A unit rallies and loses `number` pins."""

    what: str = word("rallied")
    unit: int = -1
    number: int = 0

    heard = if_known


class Broken(Happened, frozen=True):
    """A unit breaks under `number` pins."""

    what: str = word("broken")
    unit: int = -1
    number: int = 0

    heard = if_known


# ---- assaults -------------------------------------------------------------------------------------------------------


class Fought(Fact, frozen=True):
    """One round of close quarters: models each side lost. `first`: the assaulters struck first."""

    unit: int
    target: int
    round: int
    lost: int
    inflicted: int
    first: bool

    heard = if_known


class Assault(Happened, frozen=True):
    """A unit charges an enemy, `other`, at a place, over `number`; 0: from the next room or floor."""

    what: str = word("assault")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class Won(Happened, frozen=True):
    """A unit has beaten another hand to hand: it may take its place, or regroup."""

    what: str = word("won")
    unit: int = -1
    other: int = -1

    heard = if_known


# ---- reserves, the edge ---------------------------------------------------------------------------------------------


class Arrived(Happened, frozen=True):
    """A reserve comes on at a place."""

    what: str = word("arrived")
    unit: int = -1
    place: int = -1

    heard = if_known


class LeftTheTable(Happened, frozen=True):
    """A unit leaves the table by its edge, at a place."""

    what: str = word("left")
    unit: int = -1
    place: int = -1

    heard = if_known
