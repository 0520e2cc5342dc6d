"""The facts of fire and demolition charges, and of what they do to units.

What they do to walls and roofs is in `facts_buildings.py`. `facts.py` says who hears of them, and how to read their fields.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.core.events import Fact, Happened, Observer, word
from battlesim.rulesets.armorclass.facts import if_known, whoever_did_it

# ---- fire -----------------------------------------------------------------------------------------------------------


class Volley(Fact, frozen=True):
    """A unit fired at a unit or place.

    `how`: aimed, through (a wall, at the target behind it), wall (the same wall once that target is dead), search (on suspicion),
    into (an opening), lob. `need`: a D10 of at most this hit. `hits` struck what was aimed at, `through` of them went through
    the wall or roof. `penetrations`: hits that went through armour, of the target alone where there is one; -1: not known.
    `sure`: no armour they met could stop them, so that no die was rolled."""

    unit: int
    target: int
    place: int
    how: str
    weapon: str
    shots: int
    need: int
    hits: int
    through: int
    penetrations: int
    range: int
    sure: bool = False

    def heard(self, by: Observer) -> Volley:
        """Shots are seen; the firer and the target only if known. A side does not learn how many of its shells, or of its shots
        at targets it does not see, penetrated armour: they may have hit enemies that it has not found."""
        known = self
        mine = self.unit >= 0 and by.units[self.unit].side == by.side
        if self.how == "lob" or (mine and self.how in ("search", "into", "wall")):
            known = replace(known, penetrations=-1, sure=False)
        if self.unit in by.hidden:
            known = replace(known, unit=-1, range=-1, need=-1)
        return replace(known, target=-1) if self.target in by.hidden else known


class Lobbed(Fact, frozen=True):
    """A unit fires indirectly at a place; the results follow, and then a `Volley` that sums them up."""

    unit: int
    place: int
    weapon: str
    shots: int
    range: int

    def heard(self, by: Observer) -> Lobbed:
        """Both sides hear shells, known firer or not."""
        return replace(self, unit=-1, range=-1) if self.unit in by.hidden else self


class Hit(Fact, frozen=True):
    """What a penetrating hit does to a vehicle, strongpoint or turret: weapon, mobility or destroyed."""

    unit: int
    result: str

    heard = if_known


class Nuclear(Happened, frozen=True):
    """A nuclear shell of a unit bursts: everything within `number` is gone."""

    what: str = word("nuclear")
    unit: int = -1
    number: int = 0

    heard = whoever_did_it


# ---- demolition charges ---------------------------------------------------------------------------------------------


class ChargePierces(Happened, frozen=True):
    """A demolition charge of a unit goes through the armour of an enemy."""

    what: str = word("charge +")
    unit: int = -1
    other: int = -1

    heard = whoever_did_it


class ChargeHeld(Happened, frozen=True):
    """A demolition charge of a unit does not go through the armour of an enemy."""

    what: str = word("charge -")
    unit: int = -1
    other: int = -1

    heard = whoever_did_it
