"""What a scenario says, as values: sides and their zones, forces, goals. Read `Scenario` first.

They stand below the rulesets, since `check` and `setup` of every ruleset read them; `battlesim.scenario` makes them from
files. Everything that the board can answer (names of places, what lies in a zone, which opening a word means) is
settled already; what a type, a quality or an option means is the ruleset's business.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from battlesim.board.board import Board
from battlesim.core.errors import Fault


class Zone(Struct, frozen=True):
    """Where a side may set up: `spaces` ascending. A floor is among them only where its section lies wholly inside
    the zone's outline, or where the zone names its place or building.
    """

    name: str
    spaces: tuple[int, ...]


class SideInfo(Struct, frozen=True):
    """One of the two sides: what it is called and its zones in the file's order."""

    name: str
    zones: tuple[Zone, ...] = ()

    def zone(self, name: str) -> Zone | None:
        """The zone of that name, if the side has it."""
        return next((zone for zone in self.zones if zone.name == name), None)


class Force(Struct, frozen=True):
    """One unit to be; its place in `Scenario.forces` is the id it plays under.

    `entry` is its line in the file's `forces`, for messages. `quality` "" and `models` 0 mean the usual of its type,
    `officer` -1 the rank of its type, `facing` -1 towards the enemy. Exactly one of these says where it begins: `place`
    (a space), `zone` (somewhere in that zone of its side), `reserve` (comes on in that turn, by `edge`, one of n e s w,
    or `zone`), `aboard` (the force that carries it). `opening` is a number of the board's openings, -1 where none is
    named.
    """

    entry: int
    side: int
    type: str
    name: str
    quality: str = ""
    models: int = 0
    officer: int = -1
    place: int = -1
    zone: str = ""
    reserve: int = 0
    edge: str = ""
    opening: int = -1
    facing: int = -1
    aboard: int = -1


class Objective(Struct, frozen=True):
    """One objective. `side`: who scores it, -1 for whoever meets it. `places`: spaces, floors and ruins of its buildings
    included; `sections`: numbers; `units`: places in `Scenario.forces`; `edge`: n, e, s, w or "".
    """

    kind: str
    name: str
    points: int
    side: int = -1
    places: tuple[int, ...] = ()
    sections: tuple[int, ...] = ()
    units: tuple[int, ...] = ()
    edge: str = ""


class Override(Struct, frozen=True):
    """What the scenario adds to one section of the map: nobody may enter it, or it is on fire from the start."""

    section: int
    closed: bool = False
    burning: bool = False


class Scenario(Struct, frozen=True):
    """A scenario, checked and ready to be set up.

    `ruleset` and `map` are names, `board` the map itself. `turns`: length of the battle; `extra_turn`: one more may
    follow. `margin`: points a side must be ahead to win. `options`: the ruleset's own table. `digest`: hash of what file
    and map say, however they are written; `source`: what the file says as canonical bytes. `path`: the
    file ("" where made by hand). `warnings`: what is odd, but plays.
    """

    name: str
    title: str
    briefing: str
    ruleset: str
    map: str
    board: Board
    turns: int
    sides: tuple[SideInfo, SideInfo]
    forces: tuple[Force, ...]
    objectives: tuple[Objective, ...] = ()
    overrides: tuple[Override, ...] = ()
    extra_turn: bool = False
    margin: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    digest: str = ""
    source: bytes = b""
    path: str = ""
    warnings: tuple[Fault, ...] = ()

    def __repr__(self) -> str:
        return f"load_scenario({self.path or self.name!r})"

    def is_closed(self, section: int) -> bool:
        """Whether a section begins closed, by the map or the scenario."""
        return self.board.sections[section].closed or any(
            override.section == section and override.closed for override in self.overrides
        )

    def is_burning(self, section: int) -> bool:
        """Whether a section begins on fire, by the map or the scenario."""
        return self.board.sections[section].burning or any(
            override.section == section and override.burning for override in self.overrides
        )
