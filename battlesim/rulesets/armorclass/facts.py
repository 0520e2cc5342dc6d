"""The facts of this rulebook: reports of what happens, which change nothing by themselves, and which side learns of them.

A side does not know enemies that it has not found, and learns nothing that names one. `heard` of a fact returns what the side
learns of it: all, a part without the unknown unit, or nothing. The sentences are in `story.toml`. A unit, place or section of -1
is none; lengths are hundredths of an inch.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battlesim.core.events import Fact, Happened, Observer, Rolled, word


def if_known(self: Any, by: Observer) -> Any:
    """The fact itself to a side that knows all units it names."""
    return None if _hides(self, "unit", by) or _hides(self, "target", by) else self


def if_doer_is_known(self: Any, by: Observer) -> Any:
    """The fact to a side that knows its unit; an unknown `other` is left out."""
    return None if _hides(self, "unit", by) else _without(self, "other", by)


def whoever_did_it(self: Any, by: Observer) -> Any:
    """The fact to both sides, since its effect can be seen; an unknown `unit` or `other` is left out."""
    return _without(_without(self, "unit", by), "other", by)


UNIT, PLACE, SECTION, SIDE, NOTHING = "unit", "place", "section", "side", "nothing"
DICE: dict[str, str] = {
    "detect": UNIT,
    "inside": UNIT,
    "armour": UNIT,
    "damage": UNIT,
    "which weapon": UNIT,
    "melee": UNIT,
    "defence": UNIT,
    "charge": UNIT,
    "burns": UNIT,
}
"""The kind of the object in the key of dice, by their purpose."""


def heard_dice(event: Rolled, by: Observer) -> Rolled | None:
    """A side sees dice if it knows the unit that rolled them and the unit they are about. Dice for which of several units is hit
    are hidden: they would reveal how many there are."""
    if event.purpose == "whom" or event.actor in by.hidden:
        return None
    return None if event.object in by.hidden and DICE.get(event.purpose) == UNIT else event


def _hides(fact: Any, name: str, by: Observer) -> bool:
    return getattr(fact, name, -1) in by.hidden


def _without(fact: Any, name: str, by: Observer) -> Any:
    return replace(fact, **{name: -1}) if _hides(fact, name, by) else fact


# ---- turns ----------------------------------------------------------------------------------------------------------


class Rolls(Fact, frozen=True):
    """Initiative: what each side rolled."""

    first: int
    second: int


class Acts(Fact, frozen=True):
    """A unit acts: what it was told."""

    unit: int
    order: str

    heard = if_known


class Arrived(Happened, frozen=True):
    """A reserve comes on at a place."""

    what: str = word("arrived")
    unit: int = -1
    place: int = -1

    heard = if_doer_is_known


class LeftTheTable(Happened, frozen=True):
    """A unit leaves the table by its edge, at a place."""

    what: str = word("left")
    unit: int = -1
    place: int = -1

    heard = if_doer_is_known


# ---- finding and hiding ---------------------------------------------------------------------------------------------


class Detected(Fact, frozen=True):
    """A unit found another, on `need` or less at a concealment level 0-4. All three are -1 for the side of the found unit if it
    does not know the finder."""

    unit: int
    target: int
    level: int
    need: int

    def heard(self, by: Observer) -> Detected:
        """The found unit's side learns the finder only if it knows that unit."""
        if self.unit >= 0 and by.units[self.unit].side == by.side:
            return self
        return replace(self, unit=-1, level=-1, need=-1) if self.unit in by.hidden else self


class HiddenAgain(Happened, frozen=True):
    """A unit that nobody sees any more is hidden again."""

    what: str = word("hidden again")
    unit: int = -1
    place: int = -1

    def heard(self, by: Observer) -> HiddenAgain | None:
        """Its place when it goes out of sight is not shown."""
        return None if self.unit in by.hidden else replace(self, place=-1)


class RunsInto(Happened, frozen=True):
    """A unit on the move runs into an enemy, `other`, at a place."""

    what: str = word("runs into")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_doer_is_known


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


class Ignored(Happened, frozen=True):
    """A section stands undamaged, since damage to structures is not played."""

    what: str = word("ignored")
    unit: int = -1
    section: int = -1

    heard = whoever_did_it


# ---- structures -----------------------------------------------------------------------------------------------------


class PointsLost(Happened, frozen=True):
    """A section loses `number` structure points."""

    what: str = word("points")
    section: int = -1
    number: int = 0


class Breached(Happened, frozen=True):
    """A wall of a floor, on side `number`, is open as wide as a door."""

    what: str = word("breached")
    unit: int = -1
    place: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


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


# ---- engineers ------------------------------------------------------------------------------------------------------


class Dent(Happened, frozen=True):
    """Engineers have taken `number` points from a wall of a section so far."""

    what: str = word("dent")
    unit: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


class WallHolds(Happened, frozen=True):
    """The wall of a section on side `number` withstands a tool of engineers."""

    what: str = word("wall holds")
    unit: int = -1
    section: int = -1
    number: int = 0

    heard = whoever_did_it


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


# ---- close combat and morale ----------------------------------------------------------------------------------------


class Assault(Happened, frozen=True):
    """A unit assaults an enemy, `other`, at a place."""

    what: str = word("assault")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_doer_is_known


class Fought(Fact, frozen=True):
    """One round of an assault: models each side lost."""

    unit: int
    target: int
    round: int
    lost: int
    inflicted: int

    heard = if_known


class ThrownBack(Happened, frozen=True):
    """The assault of a unit on an enemy fails; it is back at its place."""

    what: str = word("thrown back")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_doer_is_known


class Takes(Happened, frozen=True):
    """A unit takes the place of an enemy that it beat."""

    what: str = word("takes")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_doer_is_known


class Tested(Fact, frozen=True):
    """A morale test at the turn's end: the D10 showed `rolled`; at most `needed` passes. `what`: holds, suppressed, withdraws."""

    unit: int
    rolled: int
    needed: int
    what: str

    heard = if_known


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
