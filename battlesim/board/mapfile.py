"""The format of a map file: what it may contain, key by key. Read `MapFile` first.

Lengths and coordinates are in the map's unit with at most two decimals in a file; here they are whole hundredths.
x runs east and y north from the south-west corner. The JSON Schema that editors use is made from these models
(`map_schema`), so every field says what it is for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from battlesim.board.hexgrid import hex_extent, hex_outline
from battlesim.board.lengths import CANONICAL, MAX_COORDINATE, Length
from battlesim.board.terrain import GROUND, OBSTACLES, FeatureName, TerrainName, terrain_words
from battlesim.board.yamlfile import FileModel, Name, Title, refuse
from battlesim.core.errors import Fault, InputError
from battlesim.core.geometry import Point

M = TypeVar("M", bound=BaseModel)

Coordinate = Annotated[int, Length()]
At = Annotated[tuple[Coordinate, Coordinate], Field(description="[x, y]")]
Outline = Annotated[
    tuple[At, ...],
    Field(min_length=3, max_length=500, description="corners in order, either way round; not closed"),
]
Rect = Annotated[
    tuple[Coordinate, Coordinate, Coordinate, Coordinate],
    Field(description="[west, south, east, north]: a rectangle along the map's axes"),
]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=1, le=100)]
Storey = Annotated[int, Length(50, 2000, "height of one floor")]
Material = Literal["wood", "brick", "stone", "concrete"]


class _Shaped(FileModel):
    """Something with an outline: `polygon` or, shorter, `rect`."""

    polygon: Outline | None = Field(None, description="corners in order")
    rect: Rect | None = Field(None, description="[west, south, east, north] instead of polygon")

    @model_validator(mode="after")
    def _upright(self) -> _Shaped:
        if self.rect and not (self.rect[0] < self.rect[2] and self.rect[1] < self.rect[3]):
            received = [number / 100 for number in self.rect]
            raise refuse(f"rect {received} is inside out", "give [west, south, east, north]")
        if self.rect and self.polygon:
            raise refuse("both polygon and rect are given", "keep one of the two")
        return self

    @property
    def corners(self) -> tuple[Point, ...]:
        """The outline as given, or the corners of `rect` from the south-west counter-clockwise; () for neither."""
        if self.rect:
            west, south, east, north = self.rect
            return ((west, south), (east, south), (east, north), (west, north))
        return self.polygon or ()


# --- ground -------------------------------------------------------------------------------------------------------


class Lattice(FileModel):
    """A square lattice of nodes, eight neighbours each; node g<col>.<row> is the middle of its square."""

    kind: Literal["lattice"]
    pitch: Annotated[int, Length(100, 1200, "from node to node")] = 300


class FreeNode(FileModel):
    """One place of free ground."""

    name: Name
    at: At
    terrain: TerrainName | None = Field(None, description="instead of that of the polygons it lies in")


class FreeGround(FileModel):
    """Places and the ways between them, as drawn."""

    kind: Literal["free"]
    nodes: Annotated[tuple[FreeNode, ...], Field(min_length=1, max_length=5000)]
    ways: Annotated[tuple[tuple[Name, Name], ...], Field(max_length=20000)] = ()


HexAt = Annotated[
    tuple[
        Annotated[int, Field(strict=True, ge=0, le=MAX_COORDINATE)],
        Annotated[int, Field(strict=True, ge=0, le=MAX_COORDINATE)],
    ],
    Field(description="[column, row] of a hex, from 0 in the south-west"),
]


class HexCell(FileModel):
    """What is particular about one hex."""

    at: HexAt
    terrain: TerrainName = "open"
    level: Annotated[int, Field(strict=True, ge=0, le=9, description="levels above the lowest ground")] = 0


class HexGround(FileModel):
    """Hexes with flat tops in columns; odd columns lie half a hex higher. `size` of the map counts them.

    A hex whose middle lies in a building has no node of its own.
    """

    kind: Literal["hex"]
    cells: Annotated[tuple[HexCell, ...], Field(max_length=10000)] = ()


Ground = Annotated[Lattice | FreeGround | HexGround, Field(discriminator="kind")]


class Feature(_Shaped):
    """Terrain: an area (polygon or rect, or a line with a width), or an obstacle along a line.

    Later ones lie over earlier ones. A gap left in a wall, hedge or fence is a gate.
    """

    kind: Annotated[FeatureName, Field(description=terrain_words())]
    line: Annotated[tuple[At, ...], Field(min_length=2, max_length=500)] | None = Field(
        None, description="corners of a wall, hedge or fence, or of the middle of a road or stream"
    )
    width: Annotated[int, Length(10, 3000, "of a road or stream given by its line")] | None = None
    height: Annotated[int, Length(1, 3000, "of obstacle, trees or hill, above the ground")] | None = None
    deep: Flag = Field(False, description="water that nobody crosses")

    @model_validator(mode="after")
    def _whole(self) -> Feature:
        if self.kind in OBSTACLES:
            if not self.line or self.corners or self.width:
                raise refuse(f"a {self.kind} has a line and no width", "give line: [[x, y], [x, y], ...]")
        elif bool(self.line) == bool(self.corners):
            raise refuse(f"a {self.kind} has one outline", "give one of polygon, rect, or line and width")
        elif bool(self.line) != bool(self.width):
            raise refuse(f"a {self.kind} along a line has a width", "give both line and width")
        if self.deep and GROUND[self.kind].going != "water":
            raise refuse(f"deep {self.kind} is unknown", "only water is deep")
        return self


# --- buildings ----------------------------------------------------------------------------------------------------


class OpeningSpec(FileModel):
    """Openings in the walls of a section, or of all sections of a building where it stands there.

    Where: `side` (and `at`, `count` or `every` along the part of it that faces the outdoors), or `near` a point.
    """

    kind: Literal["door", "window", "slit", "gap"]
    floor: Annotated[int, Field(strict=True, ge=0, le=50, description="0 is the ground floor")] | None = None
    floors: (
        Literal["all", "upper"]
        | Annotated[tuple[Annotated[int, Field(strict=True, ge=0, le=50)], ...], Field(min_length=1)]
        | None
    ) = Field(None, description="several floors; 'upper' is all but the ground floor")
    side: (
        Literal[
            "all",
            "east",
            "north-east",
            "north",
            "north-west",
            "west",
            "south-west",
            "south",
            "south-east",
        ]
        | Annotated[int, Field(strict=True, ge=0, le=500)]
        | None
    ) = Field(
        None,
        description="a wall by where it faces, or by number from 0: the wall from that corner to the next",
    )
    at: Annotated[int, Length(0, 100, "where along the wall, from 0 to 1, counter-clockwise")] | None = None
    count: Annotated[int, Field(strict=True, ge=1, le=20)] | None = Field(
        None, description="so many, evenly spread along the wall; 1 unless stated"
    )
    every: Annotated[int, Length(100, 2000, "one for about so much of the wall, at least one")] | None = None
    near: At | None = Field(None, description="[x, y]: on the outer wall nearest to this point")
    men: Annotated[int, Field(strict=True, ge=1, le=20)] | None = Field(
        None, description="who can fire from it; 2 unless stated"
    )

    @model_validator(mode="after")
    def _placed(self) -> OpeningSpec:
        if (self.side is None) == (self.near is None):
            raise refuse("an opening is placed by side or by near", "give one of the two")
        if sum(value is not None for value in (self.at, self.count, self.every, self.near)) > 1:
            raise refuse("at, count, every and near exclude one another", "keep one of them")
        if self.floor is not None and self.floors is not None:
            raise refuse("floor and floors exclude one another", "keep one of them")
        return self

    def on_floors(self, floors: int) -> tuple[int, ...]:
        """The floors meant, of a section with so many; a floor the section does not have is kept as given."""
        if self.floors == "all":
            return tuple(range(floors))
        if self.floors == "upper":
            return tuple(range(1, floors))
        if self.floors is not None:
            return self.floors
        return (self.floor or 0,)


class _Built(_Shaped):
    """What a section and a building without sections of its own have in common."""

    floors: Annotated[int, Field(strict=True, ge=1, le=50, description="floors inside")] = 1
    flat_roof: Flag = Field(False, description="a roof reachable from inside: one more floor, open")
    stairs: (
        Annotated[tuple[Annotated[int, Field(strict=True, ge=0, le=50)], ...], Field(max_length=51)] | None
    ) = Field(None, description="floors from which stairs lead up; all but the top one unless stated")
    closed: Flag = Field(False, description="nobody may enter")
    burning: Flag = Field(False, description="on fire from the start")
    openings: Annotated[tuple[OpeningSpec, ...], Field(max_length=500)] = ()
    own: dict[str, Any] = Field({}, description="what only some rulebooks read")


class SectionSpec(_Built):
    """A house-sized part of a building, at most 8 x 8; on a hex map one hex of it."""

    name: Name
    hex: HexAt | None = Field(None, description="[column, row]: the outline of that hex, on a hex map")

    @model_validator(mode="after")
    def _outlined(self) -> SectionSpec:
        if self.hex and (self.rect or self.polygon):
            raise refuse("both hex and another outline are given", "keep one of the two")
        if not self.corners:
            raise refuse("the section has no outline", "give polygon, rect or, on a hex map, hex")
        return self

    @property
    def corners(self) -> tuple[Point, ...]:
        """As for every outline, or that of its hex."""
        return hex_outline(*self.hex) if self.hex else super().corners


class Connection(FileModel):
    """Two sections that touch and are joined inside."""

    between: Annotated[tuple[str, str], Field(description="two section names")]
    floors: (
        Annotated[tuple[Annotated[int, Field(strict=True, ge=0, le=50)], ...], Field(min_length=1)] | None
    ) = Field(None, description="on these floors; on every inside floor both have, unless stated")


class BuildingSpec(_Built):
    """A building: one outline (cut into sections where it is large) or its sections, written out.

    `openings` here hold for every section. Sections that touch are connected on every floor, unless `connections`
    lists which are.
    """

    name: Name
    material: Material = "brick"
    kind: Literal["house", "bunker", "shed"] = "house"
    storey: Storey | None = None
    sections: Annotated[tuple[SectionSpec, ...], Field(max_length=400)] = ()
    connections: Literal["all"] | Annotated[tuple[Connection, ...], Field(max_length=2000)] = "all"

    @model_validator(mode="after")
    def _one_way(self) -> BuildingSpec:
        if bool(self.sections) == bool(self.corners):
            raise refuse("a building has one outline or sections", "give one of polygon, rect and sections")
        if self.sections and self.model_fields_set & {"floors", "flat_roof", "stairs"}:
            what = "floors, flat_roof and stairs stand with the sections"
            raise refuse(what, "move them into each section")
        return self


# --- the whole ----------------------------------------------------------------------------------------------------


class MapFile(FileModel):
    """A map: the ground, its terrain and its buildings."""

    name: Name
    title: Title = ""
    unit: Literal["inch", "hex"] = "inch"
    attribution: Title = Field(
        "", description="whose data the map is made from; shown with every picture of it"
    )
    license: Title = ""
    source: Title = Field("", description="how the map was made")
    size: Annotated[
        tuple[
            Annotated[int, Length(100, MAX_COORDINATE * 100, "width, west to east")],
            Annotated[int, Length(100, MAX_COORDINATE * 100, "height, south to north")],
        ],
        Field(description="[width, height]"),
    ]
    storey: Storey = 300
    ground: Ground
    terrain: Annotated[tuple[Feature, ...], Field(max_length=20000)] = ()
    buildings: Annotated[tuple[BuildingSpec, ...], Field(max_length=5000)] = ()
    connections: Annotated[tuple[Connection, ...], Field(max_length=20000)] = Field(
        (), description="between sections of different buildings, named building.section"
    )

    @property
    def extent(self) -> Point:
        """How wide and high the sheet is, in hundredths; on a hex map `size` counts columns and rows instead."""
        width, height = self.size
        if isinstance(self.ground, HexGround):
            return hex_extent(max(1, width // 100), max(1, height // 100))
        return (width, height)


def canonical_bytes(mapfile: MapFile) -> bytes:
    """What a map file says as bytes that do not depend on how it is written: its digest is made of them. Lengths are whole
    hundredths; `MapFile.model_validate_json(data, context=CANONICAL)` reads them again."""
    return json.dumps(
        mapfile.model_dump(mode="json", exclude_defaults=True), sort_keys=True, separators=(",", ":")
    ).encode()


def decode_canonical(
    data: bytes, model: type[M], name: str, kind: str, left_out: Mapping[str, Any] | None = None
) -> M:
    """The model in the canonical bytes of a map or scenario. `left_out`: values for keys that they do not have. `kind`: what
    messages call it, `name`: the file that it came in. Raises InputError if they hold no such model."""
    try:
        values = json.loads(data)
        if not isinstance(values, dict):
            raise ValueError("no table of keys")
        return model.model_validate({**(left_out or {}), **values}, context=CANONICAL)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        damage = f"{place + ': ' if place else ''}{first['msg']}"
    except (ValueError, RecursionError) as error:
        damage = str(error)
    what = f"the {kind} in it is damaged: {damage}"
    raise InputError(Fault(what, f"take the {kind}'s own file", name))


def map_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of map files, for editors."""
    schema = MapFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "battlesim map"}


def map_schema_text() -> str:
    """The text of `maps/schema/map.schema.json`."""
    return json.dumps(map_schema(), indent=1) + "\n"


if __name__ == "__main__":  # python -m battlesim.board.mapfile > maps/schema/map.schema.json
    import sys

    sys.stdout.write(map_schema_text())
