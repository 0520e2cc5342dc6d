"""The facts of this rulebook: events that change nothing by themselves. Their sentences are in `story.toml`.

Nothing is hidden in this rulebook: both sides receive all facts. A unit, place or section of -1 is none; lengths are hundredths
of an inch.
"""

from __future__ import annotations

from battlesim.core.events import Fact, Happened, word

# ---- the houses, before the first turn ------------------------------------------------------------------------------


class Parts(Happened, frozen=True):
    """A section and those built on to it count as `number` parts, each a room of its own."""

    what: str = word("parts")
    section: int = -1
    number: int = 0


class OpenRuin(Happened, frozen=True):
    """A section is a ruin, open on all sides: its walls are only obstacles."""

    what: str = word("open ruin")
    section: int = -1


class Brittle(Happened, frozen=True):
    """A room gives cover but does not steady its garrison."""

    what: str = word("brittle")
    place: int = -1
    section: int = -1


class Small(Happened, frozen=True):
    """A room holds unit strength `number`, less than usual."""

    what: str = word("small")
    place: int = -1
    section: int = -1
    number: int = 0


class Roomy(Happened, frozen=True):
    """A room is high enough for monstrous infantry."""

    what: str = word("roomy")
    place: int = -1
    section: int = -1


class Garrisons(Happened, frozen=True):
    """A unit begins in a room."""

    what: str = word("garrisons")
    unit: int = -1
    place: int = -1
    section: int = -1


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


# ---- shooting and war machines --------------------------------------------------------------------------------------


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


class Drifts(Happened, frozen=True):
    """The stone that a unit threw at an enemy drifts by `number`."""

    what: str = word("drifts")
    unit: int = -1
    other: int = -1
    number: int = 0


class StruckByBall(Happened, frozen=True):
    """A ball of a unit strikes a room."""

    what: str = word("impact")
    unit: int = -1
    place: int = -1
    section: int = -1


class BouncedIn(Happened, frozen=True):
    """A ball of a unit bounces into a room."""

    what: str = word("bounced in")
    unit: int = -1
    place: int = -1
    section: int = -1


class StruckByStone(Happened, frozen=True):
    """A stone of a unit comes down on a room."""

    what: str = word("hole")
    unit: int = -1
    place: int = -1
    section: int = -1


class Splinters(Happened, frozen=True):
    """Splinters of a stone of a unit sweep a room."""

    what: str = word("rim")
    unit: int = -1
    place: int = -1
    section: int = -1


class Flames(Happened, frozen=True):
    """The flames of a unit burst into a room."""

    what: str = word("flames")
    unit: int = -1
    place: int = -1
    section: int = -1


class Breathes(Happened, frozen=True):
    """A monster breathes fire at an enemy."""

    what: str = word("breathes")
    unit: int = -1
    other: int = -1


class Unstable(Happened, frozen=True):
    """The walls of a room give way to a shot of a unit; `number`: the die."""

    what: str = word("unstable")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0


class WallsHold(Happened, frozen=True):
    """The walls of a room withstand a shot of a unit; `number`: the die."""

    what: str = word("walls hold")
    unit: int = -1
    place: int = -1
    section: int = -1
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
