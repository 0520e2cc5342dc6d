"""Kinds of ground and of obstacles: what each does for movement and sight, how it is drawn, what the map format says of it.

One table for all who ask: the ground of a board (`ground.py`), lines of sight (`occluders.py`), pictures (`drawground.py`), the
map format and its schema (`mapfile.py`) and docs/maps.md, which a test holds to it. What a kind costs to cross and how well it
covers are a rulebook's numbers: `model.SightRules`, and the movement modes that rulebooks hand to `routes.py`. Read `GROUND`
and `OBSTACLES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct


class GroundKind(Struct, frozen=True):
    """Ground of one kind.

    `says`: what it is, for people. `going`: open; slow (it makes ways rough); road; or water (it makes ways wet, and cuts them
    where it is deep). `sight`: open (never in the way); woods (in the way to some depth); hill (solid to its top). `height`: that
    of its trees or top where a map names none, in hundredths. `fill`, `edge`: colours of pictures; `mark`: what is strewn over
    it, "" nothing; `joined`: pieces that meet have no seam.
    """

    name: str
    says: str
    going: Literal["open", "slow", "road", "water"] = "open"
    sight: Literal["open", "woods", "hill"] = "open"
    height: int = 0
    fill: str = ""
    edge: str = "none"
    mark: Literal["", "tree", "tuft", "stone", "wave"] = ""
    joined: bool = False


class ObstacleKind(Struct, frozen=True):
    """An obstacle along a line. `rank`: of several that a way crosses, the one of the highest rank counts. `blocks`: nothing is
    seen through it below its top. `height` where a map names none, in hundredths. `colour`: its mark in the key of a picture."""

    name: str
    says: str
    rank: int
    blocks: bool
    height: int
    colour: str


_GROUND = (
    GroundKind("open", "grass and the like: nothing in the way", fill="#dde3c2"),
    GroundKind("road", "paved or beaten", going="road", fill="#d9cbb0", edge="#c3b08d", joined=True),
    GroundKind("rough", "slows", going="slow", fill="#d6d2a4", edge="#b9b27c", mark="tuft"),
    GroundKind(
        "rubble",
        "slows; what is left of a fallen section",
        "slow",
        fill="#cfc8bd",
        edge="#a89f92",
        mark="stone",
    ),
    GroundKind(
        "woods",
        "slow; trees that hide what lies deep in or behind them",
        "slow",
        "woods",
        500,
        "#b7cc9a",
        "#7f9c62",
        "tree",
    ),
    GroundKind(
        "water",
        "shallow, or `deep`: nobody crosses it",
        "water",
        fill="#a9cbdd",
        edge="#6f9fb8",
        mark="wave",
        joined=True,
    ),
    GroundKind("hill", "a level top, over which nothing is seen from below", sight="hill", height=300),
)
_OBSTACLES = (
    ObstacleKind("wall", "hides what is behind it up to its height", 3, True, 100, "#b5ada0"),
    ObstacleKind("hedge", "hides what is behind it up to its height", 2, True, 100, "#7fa05a"),
    ObstacleKind("fence", "hides nothing", 1, False, 100, "#7a6a50"),
)

GROUND = {kind.name: kind for kind in _GROUND}
"""Every kind of ground by its name, in the order of keys and pages."""
OBSTACLES = {kind.name: kind for kind in _OBSTACLES}
"""Every kind of obstacle by its name, the weightiest first."""
UNDERFOOT = tuple(name for name, kind in GROUND.items() if kind.sight != "hill")
"""What a space can be on; hills lie under other ground."""
SLOW = frozenset(name for name, kind in GROUND.items() if kind.going == "slow")
"""Ground that slows."""
WOODED = frozenset(name for name, kind in GROUND.items() if kind.sight == "woods")
"""Ground with trees."""
WATER = frozenset(name for name, kind in GROUND.items() if kind.going == "water")
"""Ground that is wet."""
ROADS = frozenset(name for name, kind in GROUND.items() if kind.going == "road")
"""Ground to march on."""
HINDERING = SLOW | WATER
"""Ground that makes a difference to a way that only crosses it."""
HEIGHTS = {kind.name: kind.height for kind in _GROUND} | {kind.name: kind.height for kind in _OBSTACLES}
"""The height of what a map names no height of."""

if TYPE_CHECKING:
    TerrainName = str
    FeatureName = str
else:  # types that pydantic checks and the schema lists
    TerrainName = Literal[UNDERFOOT]
    FeatureName = Literal[(*GROUND, *OBSTACLES)]


def terrain_words() -> str:
    """What every kind is, in one paragraph, as the schema of map files has it."""
    words = [f"{kind.name}: {kind.says}" for kind in _GROUND]
    return "; ".join(words + [f"{kind.name}: {kind.says}" for kind in _OBSTACLES])
