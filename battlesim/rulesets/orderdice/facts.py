"""What happens in this rulebook and changes nothing by itself: every fact, what it tells, and who may hear of it.

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


# ---- fire and bursts ------------------------------------------------------------------------------------------------


class Shot(Fact, frozen=True):
    """A unit shot at a unit: `hits` on it, `damage` rolls that counted (against `armour`: that went through it).

    With which weapon group, at what `range` (hundredths), needing what."""

    unit: int
    target: int
    weapon: str
    shots: int
    need: int
    hits: int
    damage: int
    range: int
    armour: bool = False

    heard = if_known


class Shelled(Fact, frozen=True):
    """Guns or mortars fired at a unit (-1: none) in a space: `hits` of `shots` shells, at what range, needing what."""

    unit: int
    target: int
    place: int
    weapon: str
    shots: int
    need: int
    hits: int
    range: int
    indirect: bool

    heard = if_known


class Blasted(Fact, frozen=True):
    """A burst caught a unit (-1: an empty floor): `hits` as rolled, `taken` after halving for Down, damage rolls that counted,
    pins. `source`: who called or fired it."""

    source: int
    unit: int
    place: int
    he: int
    hits: int
    taken: int
    damage: int
    pins: int

    heard = if_known


class CameDown(Happened, frozen=True):
    """The shell of a unit comes down from above and bursts on a floor, `place`, of a section."""

    what: str = word("came down")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = if_known


class FuelSpent(Happened, frozen=True):
    """`number` flamethrowers of a unit have no fuel left."""

    what: str = word("fuel spent")
    unit: int = -1
    number: int = 0

    heard = if_known


# ---- support from off the board -------------------------------------------------------------------------------------


class CallsAir(Happened, frozen=True):
    """A unit calls an air strike on an enemy, `other`, at a place, in a section."""

    what: str = word("calls air")
    unit: int = -1
    other: int = -1
    place: int = -1
    section: int = -1

    heard = if_known


class CallsBarrage(Happened, frozen=True):
    """A unit calls a barrage on a place, in a section."""

    what: str = word("calls barrage")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = if_known


class Delayed(Happened, frozen=True):
    """The strike that a unit called on a place does not arrive yet."""

    what: str = word("delayed")
    unit: int = -1
    place: int = -1

    heard = if_known


class Barrage(Happened, frozen=True):
    """The barrage that a unit called comes down on a place and reaches `number` around it."""

    what: str = word("barrage")
    unit: int = -1
    place: int = -1
    number: int = 0

    heard = if_known


class AirStrike(Happened, frozen=True):
    """The aircraft that a unit called strike at an enemy, `other`, at a place."""

    what: str = word("air strike")
    unit: int = -1
    other: int = -1
    place: int = -1

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


# ---- buildings ------------------------------------------------------------------------------------------------------


class Closed(Happened, frozen=True):
    """A section is closed: nobody gets in or out."""

    what: str = word("closed")
    section: int = -1


class BeginsInside(Happened, frozen=True):
    """A unit is set up on a floor, `place`, of a section."""

    what: str = word("begins inside")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = if_known


class MadeOpening(Happened, frozen=True):
    """A unit has made an opening in a side, `number`, of its floor that had none."""

    what: str = word("made opening")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = if_known


class Deployed(Happened, frozen=True):
    """A gun or fixed weapon is set up at an opening, `number`, coded as `UnitState.opening` is."""

    what: str = word("deployed")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = if_known


class Burning(Happened, frozen=True):
    """A section is set on fire."""

    what: str = word("burning")
    section: int = -1


class Collapsed(Happened, frozen=True):
    """A section collapses under `number` hits."""

    what: str = word("collapsed")
    section: int = -1
    number: int = 0


class BailedOut(Happened, frozen=True):
    """A unit leaves a section that burns, or a vehicle (section -1), for a place."""

    what: str = word("bailed out")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = if_known


# ---- vehicles -------------------------------------------------------------------------------------------------------


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
