"""The facts of the turn, of finding, close combat and morale, and which side learns of facts. Facts change nothing by themselves.

Those of fire are in `facts_fire.py`, those of buildings and field works in `facts_buildings.py`.

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
    """A unit that nobody sees any more is hidden again. `stayed`: it has not moved since it was last seen; the enemies who saw
    it have died or moved away."""

    what: str = word("hidden again")
    unit: int = -1
    place: int = -1
    stayed: bool = False

    def heard(self, by: Observer) -> HiddenAgain | None:
        """The enemy is not told where it is now, nor whether it moved."""
        return None if self.unit in by.hidden else replace(self, place=-1, stayed=False)


class RunsInto(Happened, frozen=True):
    """A unit on the move runs into an enemy, `other`, at a place."""

    what: str = word("runs into")
    unit: int = -1
    other: int = -1
    place: int = -1

    heard = if_doer_is_known


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
