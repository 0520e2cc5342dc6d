"""The table of ground and obstacles: what each kind does to movement and sight, how it is drawn, and its sentence for the pages.

It is used by the ground of a board (`ground.py`), lines of sight (`occluders.py`), pictures (`drawground.py`), the map format
and its schema (`mapfile.py`), and docs/maps.md, which a test compares with it. Costs and cover are up to each rulebook: see
`model.SightRules` and `movement_graph.MovementMode`. Read `GROUND` and `OBSTACLES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from battlesim.core.geometry import Point, in_polygon

if TYPE_CHECKING:
    from battlesim.board.model import Area


class GroundKind(Struct, frozen=True):
    """Ground of one kind.

    `says`: what it is, for people. `going`: open; slow (ways over it are rough); road; water (ways over it are wet, and deep
    water has none). `sight`: open (never blocks); woods (block beyond some depth); hill (solid up to its top). `height`: of its
    trees or top where a map gives none, in hundredths. `fill`, `edge`: its colours in pictures. `mark`: what is drawn all over
    it, "" for nothing. `joined`: pieces that touch are drawn without a seam.
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
    """An obstacle along a line. `rank`: where a way crosses several, the one with the highest rank counts. `blocks`: one cannot
    see through it below its top. `height`: where a map gives none, in hundredths. `colour`: in the key of a picture."""

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
        going="slow",
        fill="#cfc8bd",
        edge="#a89f92",
        mark="stone",
    ),
    GroundKind(
        "woods",
        "slow; trees that hide what lies deep in or behind them",
        going="slow",
        sight="woods",
        height=500,
        fill="#b7cc9a",
        edge="#7f9c62",
        mark="tree",
    ),
    GroundKind(
        "water",
        "shallow, or with `deep: true`: nobody crosses it",
        going="water",
        fill="#a9cbdd",
        edge="#6f9fb8",
        mark="wave",
        joined=True,
    ),
    GroundKind(
        "hill",
        "a level top, over which nothing is seen from below",
        sight="hill",
        height=300,
        fill="#c9b27c",
        edge="#9c8350",
    ),
)
_OBSTACLES = (
    ObstacleKind(
        "wall", "hides what is behind it up to its height", rank=3, blocks=True, height=100, colour="#b5ada0"
    ),
    ObstacleKind(
        "hedge", "hides what is behind it up to its height", rank=2, blocks=True, height=100, colour="#7fa05a"
    ),
    ObstacleKind("fence", "hides nothing", rank=1, blocks=False, height=100, colour="#7a6a50"),
)

GROUND = {kind.name: kind for kind in _GROUND}
"""Every kind of ground by its name, in the order of keys and pages."""
OBSTACLES = {kind.name: kind for kind in _OBSTACLES}
"""Every kind of obstacle by its name, the highest rank first."""
UNDERFOOT = tuple(name for name, kind in GROUND.items() if kind.sight != "hill")
"""The terrain that a space can have. Hills are not among them: they lie under other ground."""
SLOW = frozenset(name for name, kind in GROUND.items() if kind.going == "slow")
"""Ground that slows."""
WOODED = frozenset(name for name, kind in GROUND.items() if kind.sight == "woods")
"""Ground with trees."""
WATER = frozenset(name for name, kind in GROUND.items() if kind.going == "water")
"""Water."""
ROADS = frozenset(name for name, kind in GROUND.items() if kind.going == "road")
"""Roads."""
HINDERING = SLOW | WATER
"""Ground that matters to a way even where it only crosses it."""
HEIGHTS = {kind.name: kind.height for kind in _GROUND} | {kind.name: kind.height for kind in _OBSTACLES}
"""Default heights of all kinds, in hundredths."""

if TYPE_CHECKING:
    TerrainName = str
    FeatureName = str
else:  # types that pydantic checks and the schema lists
    TerrainName = Literal[UNDERFOOT]
    FeatureName = Literal[(*GROUND, *OBSTACLES)]


def terrain_words() -> str:
    """All kinds in one paragraph, for the schema of map files."""
    words = [f"{kind.name}: {kind.says}" for kind in _GROUND]
    return "; ".join(words + [f"{kind.name}: {kind.says}" for kind in _OBSTACLES])


def ground_height(p: Point, areas: Sequence[Area]) -> int:
    """The height of the highest hill at a point, in hundredths above the table; 0 on level ground."""
    heights = (
        area.height for area in areas if GROUND[area.kind].sight == "hill" and in_polygon(p, area.polygon)
    )
    return max(heights, default=0)
