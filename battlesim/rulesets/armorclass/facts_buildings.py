"""The facts of buildings and field works: what they are, what weapons and tools do to them, and what burns.

`facts.py` says who hears of them, and how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Happened, word
from battlesim.rulesets.armorclass.facts import if_doer_is_known, whoever_did_it

# ---- fortifications, before the first turn --------------------------------------------------------------------------


class Crew(Happened, frozen=True):
    """A crew serves its weapon from a pillbox or an emplacement."""

    what: str = word("crew")
    unit: int = -1
    place: int = -1

    heard = if_doer_is_known


class Bunker(Happened, frozen=True):
    """A section is a bunker of class `number`."""

    what: str = word("work bunker")
    section: int = -1
    number: int = 0


class Pillbox(Happened, frozen=True):
    """A section is a pillbox of class `number`."""

    what: str = word("work pillbox")
    section: int = -1
    number: int = 0


class Strongpoint(Happened, frozen=True):
    """A section is a strongpoint of class `number`."""

    what: str = word("work strongpoint")
    section: int = -1
    number: int = 0


class Foxhole(Happened, frozen=True):
    """A foxhole of class `number` lies on a space."""

    what: str = word("work foxhole")
    place: int = -1
    number: int = 0


class Trench(Happened, frozen=True):
    """A trench of class `number` runs through a space."""

    what: str = word("work trench")
    place: int = -1
    number: int = 0


class Emplacement(Happened, frozen=True):
    """An emplacement of class `number` lies on a space."""

    what: str = word("work emplacement")
    place: int = -1
    number: int = 0


SECTIONS: dict[str, type[Bunker | Pillbox | Strongpoint]] = {
    "bunker": Bunker,
    "pillbox": Pillbox,
    "strongpoint": Strongpoint,
}
"""The fact for a section, by its type."""


WORKS: dict[str, type[Foxhole | Trench | Emplacement]] = {
    "foxhole": Foxhole,
    "trench": Trench,
    "emplacement": Emplacement,
}
"""The fact for a field work, by its kind."""


# ---- walls and roofs under fire -------------------------------------------------------------------------------------


class RoofPierced(Happened, frozen=True):
    """A shell of a unit goes through the roof over a floor."""

    what: str = word("roof +")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = whoever_did_it


class RoofHolds(Happened, frozen=True):
    """A shell of a unit does not go through the roof over a floor."""

    what: str = word("roof -")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = whoever_did_it


class Hole(Happened, frozen=True):
    """A weapon of a unit makes a hole in the wall of a floor, `number` across: one can fire through it."""

    what: str = word("hole")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


class SmallHole(Happened, frozen=True):
    """A weapon of a unit makes a hole in the wall of a floor, `number` across: too small to fire through."""

    what: str = word("small hole")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


class Breached(Happened, frozen=True):
    """A wall of a floor, on side `number`, is open as wide as a door."""

    what: str = word("breached")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


class Ignored(Happened, frozen=True):
    """A section stands undamaged, since damage to structures is not played."""

    what: str = word("ignored")
    unit: int = -1
    section: int = -1

    heard = whoever_did_it


# ---- engineers ------------------------------------------------------------------------------------------------------


class Dent(Happened, frozen=True):
    """Engineers have taken `number` points from a wall of a section so far."""

    what: str = word("dent")
    unit: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


class CutsIn(Happened, frozen=True):
    """Engineers' tools take structure points from a section; how many, the next fact tells."""

    what: str = word("cuts in")
    unit: int = -1
    section: int = -1

    heard = whoever_did_it


class WallHolds(Happened, frozen=True):
    """The wall of a section on side `number` withstands a tool of engineers."""

    what: str = word("wall holds")
    unit: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


# ---- damage and collapse --------------------------------------------------------------------------------------------


class PointsLost(Happened, frozen=True):
    """A section loses `number` structure points."""

    what: str = word("points")
    section: int = -1
    number: int = 0


class FloorDestroyed(Happened, frozen=True):
    """A floor, `number` from the ground, is destroyed, and all above it."""

    what: str = word("floor destroyed")
    place: int = -1
    section: int = -1
    number: int = 0


class Collapsed(Happened, frozen=True):
    """A section is destroyed."""

    what: str = word("collapsed")
    place: int = -1
    section: int = -1
    number: int = 0


class CrawlsOut(Happened, frozen=True):
    """What is left of a unit crawls out of the rubble of a section, to a place."""

    what: str = word("crawls out")
    unit: int = -1
    place: int = -1
    section: int = -1

    heard = if_doer_is_known


class WorkPointsLost(Happened, frozen=True):
    """The field work on a space loses `number` structure points."""

    what: str = word("work points")
    place: int = -1
    number: int = 0


class WorkDestroyed(Happened, frozen=True):
    """The field work on a space is destroyed."""

    what: str = word("work destroyed")
    place: int = -1


# ---- fires ----------------------------------------------------------------------------------------------------------


class CatchesFire(Happened, frozen=True):
    """Fire breaks out at a place."""

    what: str = word("catches fire")
    place: int = -1


class FireSpreads(Happened, frozen=True):
    """A fire spreads to a place."""

    what: str = word("fire spreads")
    place: int = -1


class BurntOut(Happened, frozen=True):
    """The fire at a place has burnt out."""

    what: str = word("burnt out")
    place: int = -1
    section: int = -1


class PlantsWrecked(Happened, frozen=True):
    """The weapons of a unit wreck the plants at a place."""

    what: str = word("plants wrecked")
    unit: int = -1
    place: int = -1

    heard = whoever_did_it


class InTheFire(Happened, frozen=True):
    """A unit is caught in the fire at a place."""

    what: str = word("in the fire")
    unit: int = -1
    place: int = -1

    heard = if_doer_is_known
