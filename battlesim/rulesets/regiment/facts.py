"""The facts of turns, charges, close combat and flight. Facts change nothing by themselves; their sentences are in `story.toml`.

Those of shooting are in `facts_fire.py`, those of buildings in `facts_buildings.py`.

Nothing is hidden in this rulebook: both sides receive all facts. A unit, place or section of -1 is none; lengths are hundredths
of an inch.
"""

from __future__ import annotations

from battlesim.core.events import Fact, Happened, word

# ---- turns and charges ----------------------------------------------------------------------------------------------


class TurnOf(Fact, frozen=True):
    """A side's turn begins (side -1: both act, alternating units)."""

    side: int


class Charged(Fact, frozen=True):
    """A unit charges an enemy at its `arc` (front 0, flank 1, rear 2)."""

    unit: int
    target: int
    arc: int


class Reacted(Fact, frozen=True):
    """What a charged unit does: hold, stand (and shoot) or flee."""

    unit: int
    other: int
    how: str


class FallsShort(Happened, frozen=True):
    """The charge of a unit on an enemy stops at a place."""

    what: str = word("falls short")
    unit: int = -1
    other: int = -1
    place: int = -1


class InContact(Happened, frozen=True):
    """A unit at a place meets an enemy at its arc, `number` (front 0, flank 1, rear 2)."""

    what: str = word("in contact")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0


class BreaksIn(Happened, frozen=True):
    """A unit breaks in on an enemy, `other`, that holds a room."""

    what: str = word("breaks in")
    unit: int = -1
    other: int = -1
    place: int = -1


class RunDown(Happened, frozen=True):
    """A fleeing unit is caught by a charge of an enemy, `other`."""

    what: str = word("run down")
    unit: int = -1
    other: int = -1


class Occupies(Happened, frozen=True):
    """A unit enters a room and holds it."""

    what: str = word("occupies")
    unit: int = -1
    place: int = -1
    section: int = -1


class Joins(Happened, frozen=True):
    """A character joins a unit, `other`, at a place."""

    what: str = word("joins")
    unit: int = -1
    other: int = -1
    place: int = -1


class Leaves(Happened, frozen=True):
    """A unit leaves a room, `place`."""

    what: str = word("leaves")
    unit: int = -1
    place: int = -1


class Wide(Happened, frozen=True):
    """A unit forms up wide, in ranks of `number`."""

    what: str = word("wide")
    unit: int = -1
    number: int = 0


class Deep(Happened, frozen=True):
    """A unit forms up deep, in ranks of `number`."""

    what: str = word("deep")
    unit: int = -1
    number: int = 0


# ---- close combat and its result ------------------------------------------------------------------------------------


class Struck(Fact, frozen=True):
    """A unit struck at an enemy in close combat: blows, hits, wounds not saved. `first`: because of a charge."""

    unit: int
    target: int
    blows: int
    hits: int
    wounds: int
    first: bool = False


class Result(Fact, frozen=True):
    """A round of close combat between units of the two sides: the points of both, and their make-up in words; `side`: the winner,
    -1 for a draw, `by` so many. `units`: all of them, if there are more than two."""

    unit: int
    other: int
    side: int
    by: int
    points: tuple[int, int]
    first: str
    second: str
    units: tuple[int, ...] = ()


class Against(Happened, frozen=True):
    """A unit that fights several enemies turns against one of them."""

    what: str = word("against")
    unit: int = -1
    other: int = -1


class NoImpact(Happened, frozen=True):
    """The walls of an enemy break the impact of a charging unit."""

    what: str = word("no impact")
    unit: int = -1
    other: int = -1


class Captured(Happened, frozen=True):
    """A unit takes the standard of another."""

    what: str = word("captured")
    unit: int = -1
    other: int = -1


# ---- nerve, flight, pursuit -----------------------------------------------------------------------------------------


class Tested(Fact, frozen=True):
    """A test of 2D6 against at most `needed`. `why`: panic, walls, break, rally. `again`: a second try."""

    unit: int
    rolled: int
    needed: int
    passed: bool
    why: str
    again: bool = False


class Unshaken(Happened, frozen=True):
    """A garrison does not panic within its walls."""

    what: str = word("unshaken")
    unit: int = -1
    place: int = -1


class Flees(Happened, frozen=True):
    """A unit flees to a place, over `number`."""

    what: str = word("flees")
    unit: int = -1
    place: int = -1
    number: int = 0


class FledOff(Happened, frozen=True):
    """A unit flees off the table."""

    what: str = word("fled off")
    unit: int = -1


class FleesOut(Happened, frozen=True):
    """A garrison flees out of its building, to a place."""

    what: str = word("flees out")
    unit: int = -1
    place: int = -1


class FleesNextDoor(Happened, frozen=True):
    """A garrison flees into the next room."""

    what: str = word("flees next door")
    unit: int = -1
    place: int = -1


class Trapped(Happened, frozen=True):
    """A unit finds no way to flee."""

    what: str = word("trapped")
    unit: int = -1


class Caught(Happened, frozen=True):
    """A fleeing unit is caught by an enemy, `other`."""

    what: str = word("caught")
    unit: int = -1
    other: int = -1


class CaughtInside(Happened, frozen=True):
    """A garrison is caught in its room by an enemy, `other`."""

    what: str = word("caught inside")
    unit: int = -1
    other: int = -1
    place: int = -1


class Pursues(Happened, frozen=True):
    """A unit pursues, to a place."""

    what: str = word("pursues")
    unit: int = -1
    place: int = -1


class StaysOut(Happened, frozen=True):
    """A unit cannot follow into a room."""

    what: str = word("stays out")
    unit: int = -1
    place: int = -1
