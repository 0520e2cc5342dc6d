"""The facts of shooting and war machines, and of what they do to units. What they do to rooms is in `facts_buildings.py`.

`facts.py` says how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Fact, Happened, word

# ---- shooting -------------------------------------------------------------------------------------------------------


class Shot(Fact, frozen=True):
    """A unit shot at a unit: needing `need` (7 to 9: a 6 and a second roll), with so many hits and models lost."""

    unit: int
    target: int
    weapon: str
    shots: int
    need: int
    hits: int
    lost: int
    range: int


class Bolt(Happened, frozen=True):
    """A unit shoots a bolt at an enemy; `number`: 1 for a hit, 0 for a miss."""

    what: str = word("bolt")
    unit: int = -1
    other: int = -1
    number: int = 0


class Pierced(Happened, frozen=True):
    """A bolt kills in `number` ranks of an enemy."""

    what: str = word("pierced")
    unit: int = -1
    other: int = -1
    number: int = 0


class Breathes(Happened, frozen=True):
    """A monster breathes fire at an enemy."""

    what: str = word("breathes")
    unit: int = -1
    other: int = -1


# ---- war machines ---------------------------------------------------------------------------------------------------


class Fires(Happened, frozen=True):
    """A war machine fires at an enemy."""

    what: str = word("fires")
    unit: int = -1
    other: int = -1


class Misfire(Happened, frozen=True):
    """A war machine misfires: it loses the shot (`number` 1), its next shot too (0), or bursts (-1)."""

    what: str = word("misfire")
    unit: int = -1
    number: int = 0


class Missed(Happened, frozen=True):
    """The shot of a war machine at an enemy hits nothing."""

    what: str = word("missed")
    unit: int = -1
    other: int = -1


class MachineHit(Happened, frozen=True):
    """The shot of a war machine hits `number` models of an enemy at a place."""

    what: str = word("struck")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0


class Drifts(Happened, frozen=True):
    """The stone that a unit threw at an enemy drifts by `number`."""

    what: str = word("drifts")
    unit: int = -1
    other: int = -1
    number: int = 0
