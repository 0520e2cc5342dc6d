"""The facts of buildings: who is in them, their openings, and how they burn and collapse.

`facts.py` says who hears of them, and how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Happened, word
from battlesim.rulesets.orderdice.facts import if_known

# ---- buildings, before the first turn -------------------------------------------------------------------------------


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


# ---- openings -------------------------------------------------------------------------------------------------------


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


# ---- fire and collapse ----------------------------------------------------------------------------------------------


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
