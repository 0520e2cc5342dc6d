"""What a board is made of: spaces, ways, openings, sections. Plain frozen values, numbered from 0.

All lengths and coordinates are whole hundredths of the map's unit; x runs east, y north, z up. Read `Space` and `Way`
first; `board.py` holds them together and answers questions about sight, range and routes.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.geometry import Point


class Space(Struct, frozen=True, gc=False):
    """Where a unit can be: an outdoor node (`ground`), one floor of one section (`floor`), or what is left of a
    section when it has fallen (`ruin`, usable only then; its terrain is rubble).

    `x, y` is the node, or the middle of the section; `z` the height of what a unit stands on (ground level plus
    storeys below). `section` is -1 outdoors; for a ruin it names the section it was. `floor` counts from 0 on the
    ground floor. `roof`: an open flat roof, the uppermost floor of its section. `terrain` is one of
    open, road, rough, rubble, woods, water (ground and ruin) or building (floor). `capacity`: units it holds.
    """

    id: int
    name: str
    kind: str
    x: int
    y: int
    z: int = 0
    section: int = -1
    floor: int = 0
    roof: bool = False
    terrain: str = "open"
    capacity: int = 1
    edge: str = ""  # outdoors: which map edges the node lies on, letters of "nesw", or ""

    @property
    def point(self) -> Point:
        return (self.x, self.y)


class Opening(Struct, frozen=True, gc=False):
    """Something to shoot and climb through, on one side of one floor.

    `kind`: door, window, slit or gap. `side` is the index of the wall in the section's `sides`. `men` who can fire
    from it: 2 for a domestic one. The point lies on the wall, shifted outwards by `board.WALL` hundredths; `z` is the
    height of its middle. Flat roofs have one opening of kind "parapet" a side, for five men.
    """

    id: int
    section: int
    floor: int
    side: int
    kind: str
    x: int
    y: int
    z: int
    men: int = 2

    @property
    def point(self) -> Point:
        return (self.x, self.y)


class Side(Struct, frozen=True):
    """One wall of a section: from `a` to `b` with the section on the left (counter-clockwise), its outward direction
    as a facing 0-7, and `outer`: whether any of it faces the outdoors (False where it only adjoins other sections).
    `outer_from`: the lowest floor on which it does; a lower neighbour hides the floors below that. Both speak of the
    floors inside: where a flat roof can be fired from, its parapets say.
    """

    a: Point
    b: Point
    facing: int
    outer: bool = True
    outer_from: int = 0


class Section(Struct, frozen=True):
    """A house-sized part of a building: a building of its own for every rule.

    `spaces[i]` is the space of floor i (an open flat roof last), `ruin` the space that opens when it falls.
    `height`: roof line above the ground. `size`: longest dimension. `adjoining`: sections connected inside, per floor:
    `adjoining[i]` are the section numbers reachable on floor i. `kind`: house, bunker or shed. `closed`: nobody may
    enter; `burning`: from the start. `own` keeps what only some rulebooks read (the map file's `own` table).
    """

    id: int
    name: str
    building: str
    material: str
    kind: str
    polygon: tuple[Point, ...]
    spaces: tuple[int, ...]
    ruin: int
    height: int
    storey: int
    size: int
    flat_roof: bool
    sides: tuple[Side, ...]
    openings: tuple[tuple[int, ...], ...]
    """Opening ids by floor."""
    adjoining: tuple[tuple[int, ...], ...]
    closed: bool = False
    burning: bool = False
    own: dict[str, object] = {}

    @property
    def top(self) -> int:
        """Number of the uppermost floor."""
        return len(self.spaces) - 1


class Obstacle(Struct, frozen=True):
    """One straight piece of a wall, hedge or fence from `a` to `b`, `height` hundredths above the ground."""

    kind: str
    a: Point
    b: Point
    height: int


class Area(Struct, frozen=True):
    """Ground of one kind: woods, rough, rubble, road, water or hill; later areas of a board lie over earlier ones.

    `polygon` runs counter-clockwise. `height` is that of the trees of woods above the ground, or of a hill's level
    top above the table (the ground of a hill is its height); 0 for flat kinds. `deep`: water nobody crosses.
    """

    kind: str
    polygon: tuple[Point, ...]
    height: int = 0
    deep: bool = False


class Way(Struct, frozen=True, gc=False):
    """A connection between two spaces, usable both ways.

    `kind`: ground (outdoors to outdoors), door (outdoors to a ground floor, through `opening`), stairs (floor to floor
    of one section), adjoining (same floor of two sections), ruin (into or out of a ruin: only when it has fallen).
    `length` in hundredths: straight line; for a door, from the node to the opening. `obstacle`: "", wall, hedge or
    fence crossed. `rough`: either end or the way between touches rough ground, woods or rubble. `road`: runs along a
    road. `water`: crosses water. `sections`: every section it enters, leaves or passes through.
    """

    id: int
    a: int
    b: int
    kind: str
    length: int
    obstacle: str = ""
    rough: bool = False
    road: bool = False
    water: bool = False
    opening: int = -1
    sections: tuple[int, ...] = ()


BARE = -2
"""The opening that stands for a stretch of wall behind a neighbour, laid bare when that falls."""


class SightLine(Struct, frozen=True, gc=False):
    """One line of fire from a space to another, over ground that never blocks it for good.

    `from_side`/`from_opening`: the wall and opening of the shooter's floor it leaves by (-1, -1 outdoors; opening -1
    with a side: the middle of a wall that has no opening on that side, for a made opening). `to_side`/`to_opening`
    the same for the target (opening -1 with a side: the wall itself, as heavy weapons aim at it). Opening BARE at
    either end: a stretch of that wall where a neighbour stands, which is among the blockers. `distance` in hundredths,
    flat. `blockers`: sections that stand in between; the line is clear only when all have fallen. `cover`
    at the target's end from what the line crosses near it: 0 none, else a level of `SightRules.cover`.
    """

    distance: int
    from_side: int
    from_opening: int
    to_side: int
    to_opening: int
    blockers: tuple[int, ...] = ()
    cover: int = 0


class SightRules(Struct, frozen=True):
    """What a rulebook says of lines of sight. A board has tables of sight for each set of these that is played on it.

    `eye`: height of a standing man's eyes above what he stands on. `woods_depth`: woods that a line crosses for longer than this
    block it. `obstacle_reach`: an obstacle that a line crosses within this distance of the target, and nearer to it than to the
    shooter, covers it. `cover`: (kind of ground or obstacle, level) of what covers: obstacles as said, trees whoever is seen
    through or among them; levels count from 1, the higher the better. Lengths in hundredths. Unless told otherwise woods block at
    any depth, and nothing covers.
    """

    eye: int = 100
    woods_depth: int = 0
    obstacle_reach: int = 0
    cover: tuple[tuple[str, int], ...] = ()
