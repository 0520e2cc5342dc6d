"""The facts of this rulebook: events that change nothing by themselves. Their sentences are in `story.toml`.

Nothing is hidden in this rulebook: both sides receive all facts. A unit, place or section of -1 is none.
"""

from __future__ import annotations

from battlesim.core.events import Fact, Happened, word

# ---- actions and their results --------------------------------------------------------------------------------------


class Acts(Fact, frozen=True):
    """A unit takes an action."""

    unit: int
    action: str


class Attacked(Fact, frozen=True):
    """A unit attacked a unit with `dice`, needing `need`, at `range` hexes: `hits`, of which cover and armour `cancelled` some.

    `mode`: normal or suppressive. `how`: fire, advance_fire, concentrated, opportunity, bombard.
    """

    unit: int
    target: int
    mode: str
    how: str
    dice: int
    need: int
    range: int
    hits: int
    cancelled: int
    net: int


class BuildingAttacked(Fact, frozen=True):
    """A unit attacked a building hex: its walls `cancelled` some of the `hits`, and `net` are left of the `required` that destroy
    it in one attack. `comes`: falls, weakens or stands. `how`: fire, advance_fire, concentrated, bombard."""

    unit: int
    section: int
    how: str
    dice: int
    need: int
    hits: int
    cancelled: int
    net: int
    required: int
    comes: str


class Fought(Fact, frozen=True):
    """Close combat between an assaulting unit and its target: the figures that it `lost` and `inflicted`; `won`: whether it stays
    while the target withdraws."""

    unit: int
    target: int
    lost: int
    inflicted: int
    won: bool


class Captured(Fact, frozen=True):
    """A side is now the last that was alone in an objective."""

    side: int
    what: str


# ---- fire -----------------------------------------------------------------------------------------------------------


class Supports(Happened, frozen=True):
    """A unit joins the concentrated fire of another."""

    what: str = word("supports")
    unit: int = -1
    other: int = -1


class Opportunity(Happened, frozen=True):
    """A unit on opportunity fire reacts to an enemy that moves or assaults."""

    what: str = word("opportunity")
    unit: int = -1
    other: int = -1


class Damaged(Happened, frozen=True):
    """A vehicle is heavily damaged."""

    what: str = word("damaged")
    unit: int = -1


class Bombards(Happened, frozen=True):
    """An area attack lands on its target: a standing building hex (`section`), else `place`."""

    what: str = word("bombards")
    unit: int = -1
    place: int = -1
    section: int = -1


class Scattered(Happened, frozen=True):
    """An area attack scatters: to a standing building hex (`section`), else to `place`."""

    what: str = word("scattered")
    unit: int = -1
    place: int = -1
    section: int = -1


class ScatteredOff(Happened, frozen=True):
    """An area attack, aimed at `place`, scatters off the map and does nothing."""

    what: str = word("scattered off")
    unit: int = -1
    place: int = -1


# ---- suppression and recovery ---------------------------------------------------------------------------------------


class Pinned(Happened, frozen=True):
    """A unit is pinned."""

    what: str = word("pinned")
    unit: int = -1


class Disrupted(Happened, frozen=True):
    """A unit is disrupted."""

    what: str = word("disrupted")
    unit: int = -1


class Routed(Happened, frozen=True):
    """A unit is routed: it has to fall back."""

    what: str = word("routed")
    unit: int = -1


class CutOff(Happened, frozen=True):
    """A unit that must fall back has nowhere to go and is removed from `place`."""

    what: str = word("cut off")
    unit: int = -1
    place: int = -1


class Recovered(Happened, frozen=True):
    """A disrupted unit recovers."""

    what: str = word("recovered")
    unit: int = -1


class NotRecovered(Happened, frozen=True):
    """A disrupted unit fails to recover."""

    what: str = word("not recovered")
    unit: int = -1


# ---- movement, assault, buildings -----------------------------------------------------------------------------------


class Stays(Happened, frozen=True):
    """A unit that may move stays where it is."""

    what: str = word("stays")
    unit: int = -1


class LeftTheMap(Happened, frozen=True):
    """A unit leaves the map by the edge at `place`."""

    what: str = word("left")
    unit: int = -1
    place: int = -1


class Assaults(Happened, frozen=True):
    """A unit assaults an enemy."""

    what: str = word("assaults")
    unit: int = -1
    other: int = -1


class ThrownBack(Happened, frozen=True):
    """A unit's assault on an enemy fails, and what is left of it falls back."""

    what: str = word("thrown back")
    unit: int = -1
    other: int = -1


class Overlay(Happened, frozen=True):
    """A building hex has fallen; its rubble costs `number` extra movement points to enter."""

    what: str = word("overlay")
    section: int = -1
    number: int = 0


class Buried(Happened, frozen=True):
    """The fall of a building catches a unit with `number` hits."""

    what: str = word("buried")
    unit: int = -1
    section: int = -1
    number: int = 0
