"""The facts of vehicles: attacks by them and on them, damage to them, and their passengers.

`facts.py` says who hears of them, and how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Happened, word
from battlesim.rulesets.orderdice.facts import if_known

# ---- attacks --------------------------------------------------------------------------------------------------------


class DrivesAt(Happened, frozen=True):
    """A vehicle drives at a unit, `other`, at a place, over `number`, to run it down."""

    what: str = word("drives at")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class DrivenOver(Happened, frozen=True):
    """A unit at a place is driven over by a vehicle, `other`."""

    what: str = word("driven over")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class Rams(Happened, frozen=True):
    """A vehicle drives straight at another, at a place, over `number`."""

    what: str = word("rams")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class Ram(Happened, frozen=True):
    """A vehicle has rammed another at a place; `number`: its total less the other's."""

    what: str = word("ram")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class TankAssault(Happened, frozen=True):
    """A unit attacks a vehicle, `other`, at a place hand to hand, with `number` hits."""

    what: str = word("tank assault")
    unit: int = -1
    other: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class DrivesInto(Happened, frozen=True):
    """A tank drives at a section over `number`, to its middle; `place`: its ground floor."""

    what: str = word("drives into")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = if_known


class Crash(Happened, frozen=True):
    """A tank has run into a section; `number`: its total less the building's."""

    what: str = word("crash")
    unit: int = -1
    section: int = -1
    number: int = 0

    heard = if_known


# ---- damage ---------------------------------------------------------------------------------------------------------


class Bounced(Happened, frozen=True):
    """The shots of a unit do not go through the armour of another."""

    what: str = word("bounced")
    unit: int = -1
    other: int = -1

    heard = if_known


class Stunned(Happened, frozen=True):
    """The crew of a vehicle at a place is stunned by the fire or blow of another unit."""

    what: str = word("stunned")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class Immobilised(Happened, frozen=True):
    """A vehicle at a place is immobilised by another unit."""

    what: str = word("immobilised")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class OnFire(Happened, frozen=True):
    """A vehicle at a place is set on fire by another unit."""

    what: str = word("on fire")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class KnockedOut(Happened, frozen=True):
    """A vehicle at a place is knocked out by another unit."""

    what: str = word("knocked out")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class FireOut(Happened, frozen=True):
    """The crew of a vehicle puts its fire out."""

    what: str = word("fire out")
    unit: int = -1

    heard = if_known


class Abandoned(Happened, frozen=True):
    """The crew of a burning vehicle abandons it."""

    what: str = word("abandoned")
    unit: int = -1

    heard = if_known


# ---- passengers -----------------------------------------------------------------------------------------------------


class Boarded(Happened, frozen=True):
    """A unit climbs aboard a transport, `other`, at a place."""

    what: str = word("boarded")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class GotOut(Happened, frozen=True):
    """A unit gets out of a transport, `other`, that stands at a place. Where it goes is not told before it goes there."""

    what: str = word("got out")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_known


class Shaken(Happened, frozen=True):
    """A passenger is hit `number` times in the wreck of its transport, `other`."""

    what: str = word("shaken")
    unit: int = -1
    other: int = -1
    number: int = 0

    heard = if_known
