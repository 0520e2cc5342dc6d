"""A scenario as values: sides and their zones, forces, objectives. Read `Scenario` first.

`battlesim.scenario` makes them from files; `check` and `setup` of every ruleset read them. Names of places, zones and openings
are resolved to numbers already. What a type, a quality or an option means is up to the ruleset.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from battlesim.board.board import Board
from battlesim.core.errors import Fault


class Zone(Struct, frozen=True):
    """Where a side may set up: `spaces`, ascending. A floor is among them where its whole section lies inside the zone's
    outline, or where the zone names its place or building.
    """

    name: str
    spaces: tuple[int, ...]


class SideInfo(Struct, frozen=True):
    """One of the two sides: its name, and its zones in the file's order."""

    name: str
    zones: tuple[Zone, ...] = ()

    def zone(self, name: str) -> Zone | None:
        """The zone of that name; None if the side has no such zone."""
        return next((zone for zone in self.zones if zone.name == name), None)


class Force(Struct, frozen=True):
    """A unit of the scenario; its index in `Scenario.forces` is its id in the battle.

    `entry`: index in the file's `forces`, for messages. `quality` "", `models` 0 and `officer` -1 stand for those of its type,
    `facing` -1 for towards the enemy. Where it begins is given by exactly one of: `place` (a space), `zone` (somewhere in that
    zone of its side), `reserve` (it comes on in that turn, at `edge`, one of n e s w, or in `zone`), `aboard` (the force that
    carries it). `opening`: a number of the board's openings, -1 for none.
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
    """An objective. `kind`: hold, destroy, keep, survive or exit. `points`: what it brings each time that it is scored. `side`:
    who can score it, -1 for both. `places`: spaces, with the floors and ruins of its buildings. `sections`: by number. `units`:
    indexes in `Scenario.forces`. `edge`: n, e, s, w or "".
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
    """What the scenario adds to one section of the map: no unit may enter it, or it is on fire from the start."""

    section: int
    closed: bool = False
    burning: bool = False


class Scenario(Struct, frozen=True):
    """A scenario, checked and ready to be set up.

    `ruleset` and `map` are names, `board` is the map itself. `turns`: length of the battle; `extra_turn`: whether one more may
    follow. `margin`: points that a side must be ahead by to win. `options`: the ruleset's own table. `source`: the content of
    the file as canonical bytes; `digest`: hash of the content of file and map. `path`: the file, "" if there is none.
    `warnings`: faults that do not keep it from being played.
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
