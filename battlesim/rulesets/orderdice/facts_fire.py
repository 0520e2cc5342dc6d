"""The facts of fire, bursts and support from off the board.

`facts.py` says who hears of them, and how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Fact, Happened, word
from battlesim.rulesets.orderdice.facts import if_known

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
