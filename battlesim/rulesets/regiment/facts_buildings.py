"""The facts of buildings: what their rooms are, who begins in them, and what shots do to them.

`facts.py` says how to read their fields.
"""

from __future__ import annotations

from battlesim.core.events import Happened, word

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


# ---- rooms under fire -----------------------------------------------------------------------------------------------


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
