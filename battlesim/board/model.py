"""The parts of a board: spaces, ways, openings, sections. They are frozen values, numbered from 0.

All lengths and coordinates are whole hundredths of the map's unit; x runs east, y north, z up. Read `Space` and `Way` first.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.geometry import Point


class Space(Struct, frozen=True, gc=False):
    """A place where a unit can be. `kind`: `ground`, an outdoor node; `floor`, one floor of one section; `ruin`, the rubble of a
    section, usable only when that has fallen.

    `x, y`: the node, or a point well inside the section, its middle where that is one. `z`: the height that a unit stands at,
    above the table. `section`: -1 outdoors; of a ruin the section that it was. `floor` counts from 0, the ground floor. `roof`:
    an open flat roof, the top floor of its section. `terrain`: open, road, rough, rubble, woods or water; building for a floor.
    How many units a space holds is up to each rulebook.
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
    edge: str = ""
    """Outdoors: the map edges within one pitch of the node, letters of "nesw"; "" for none, and for floors and ruins."""

    @property
    def point(self) -> Point:
        """The same as a point."""
        return (self.x, self.y)


class Opening(Struct, frozen=True, gc=False):
    """An opening in a wall, to shoot or climb through, on one side of one floor.

    `kind`: door, window, slit or gap. `side`: index of the wall in the section's `sides`. `men`: how many models can fire from
    it, usually 2. The point lies on the wall, moved outwards by `layout.WALL` hundredths; `z` is the height of its middle above
    the table. A flat roof has one opening of kind "parapet" on each side that faces the outdoors, for five models.
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
        """The same as a point."""
        return (self.x, self.y)


class Side(Struct, frozen=True):
    """One wall of a section, from `a` to `b` with the section on the left (counter-clockwise). `facing`: its outward direction,
    0-7.

    `outer`: whether any of it faces the outdoors; False if it only adjoins other sections. `outer_from`: the lowest floor on
    which it does, since a lower neighbour hides the floors below. Neither counts a flat roof, which has parapets.
    """

    a: Point
    b: Point
    facing: int
    outer: bool = True
    outer_from: int = 0


class Section(Struct, frozen=True):
    """A house-sized part of a building. The rules treat each section as a building of its own.

    `name`: as in `building.section`; `building`: the building's name. `material`: wood, brick, stone or concrete. `kind`: house,
    bunker or shed. `polygon`: its outline, counter-clockwise; `sides[i]` is the wall from corner i to the next. `spaces[i]`: the
    space of floor i; an open flat roof comes last. `ruin`: the space that opens when the section falls. `height`: of the roof
    above the ground; `storey`: of one floor. `size`: its longest dimension. `adjoining[i]`: the sections connected inside on
    floor i. `closed`: no unit may enter. `burning`: on fire from the start. `own`: the map file's `own` table, for rulebooks that
    read it.
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
        """Number of the top floor, an open flat roof included."""
        return len(self.spaces) - 1


class Obstacle(Struct, frozen=True):
    """A straight piece of an obstacle from `a` to `b`, `height` hundredths above the ground. `kind`: a key of
    `terrain.OBSTACLES`."""

    kind: str
    a: Point
    b: Point
    height: int


class Area(Struct, frozen=True):
    """Ground of one kind, a key of `terrain.GROUND`. Later areas of a board lie over earlier ones.

    `polygon` runs counter-clockwise. `height`: of the trees of woods above the ground, or of a hill's level top above the
    table. It means nothing for flat kinds. `deep`: impassable water.
    """

    kind: str
    polygon: tuple[Point, ...]
    height: int = 0
    deep: bool = False


class Way(Struct, frozen=True, gc=False):
    """A connection between two spaces, usable in both directions.

    `kind`: ground (outdoors to outdoors), door (outdoors to a ground floor, through `opening`), stairs (between floors of one
    section), adjoining (the same floor of two sections), or ruin (into or out of a ruin, only when the section has fallen).
    `length`: straight line; for a door, from the node to the opening; for stairs, the height of a floor. `obstacle`: wall, hedge
    or fence that it crosses, or "". `rough`: it touches rough ground, woods or rubble. `road`: it runs along a road. `water`: it
    crosses water. `opening`: -1 for all but doors. `sections`: every section that it enters, leaves or passes through.
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
"""Stands in place of an opening for a stretch of wall that a neighbour hides until it falls."""


class SightLine(Struct, frozen=True, gc=False):
    """A line of sight from one space to another. Lines that the ground blocks for good do not exist.

    `from_side` and `from_opening`: the wall and opening that it leaves the first space by. -1 and -1: it begins outdoors.
    Opening -1 with a side: the middle of a wall without an opening, for openings made before the battle. Opening `BARE`: a
    stretch of that wall where a neighbour stands, which is then among the blockers. `to_side` and `to_opening`: the same at the
    target; opening -1 with a side is the wall itself, as heavy weapons aim at it. `distance`: in hundredths, flat. `blockers`:
    the sections in between; the line is clear only when all have fallen. `cover`: what the line crosses near the target gives:
    0 for none, else a level of `SightRules.cover`.
    """

    distance: int
    from_side: int
    from_opening: int
    to_side: int
    to_opening: int
    blockers: tuple[int, ...] = ()
    cover: int = 0


class SightRules(Struct, frozen=True):
    """A rulebook's rules of sight and cover. Lengths are hundredths.

    `eye`: height of a standing model's eyes above the ground. `woods_depth`: woods block a line that crosses more of them than
    this; by default any depth blocks. `obstacle_reach`: an obstacle covers the target where the line crosses it within this
    distance of the target, and nearer to the target than to the shooter. `cover`: (kind of ground or obstacle, level) of what
    gives cover; obstacles do as above, trees where the target is among them or seen through them. Levels count from 1, higher is
    better; by default nothing covers.
    """

    eye: int = 100
    woods_depth: int = 0
    obstacle_reach: int = 0
    cover: tuple[tuple[str, int], ...] = ()
