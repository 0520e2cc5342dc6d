"""Boards built by hand from the model's values, for tests of sight and routes that need no map file."""

from __future__ import annotations

from dataclasses import dataclass, field

from battlesim.board.board import Board
from battlesim.board.layout import WALL
from battlesim.board.model import Area, Obstacle, Opening, Section, Side, SightRules, Space, Way
from battlesim.core.geometry import FACINGS, Point, distance, facing_towards

STOREY = 300
PLAYED = SightRules(woods_depth=600, obstacle_reach=350, cover=(("woods", 1), ("hedge", 1), ("wall", 2)))
"""What may be seen, as three of the rulebooks have it."""


@dataclass
class House:
    """A box from (x, y), w by h, with the openings of every floor on the sides given (0 south, 1 east, 2 north, 3
    west), `per_side` of them each; the first listed side's ground floor has a door.
    """

    x: int
    y: int
    w: int = 600
    h: int = 600
    floors: int = 2
    sides: tuple[int, ...] = (0, 1, 2, 3)
    per_side: int = 1
    flat_roof: bool = False
    z: int = 0
    kind: str = "house"
    blind: tuple[int, ...] = ()  # sides that only adjoin neighbours

    @property
    def polygon(self) -> tuple[Point, ...]:
        x, y, w, h = self.x, self.y, self.w, self.h
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))


@dataclass
class Draft:
    """What goes into a board; `build` numbers it: nodes first, then floors, then ruins."""

    nodes: list[tuple[int, int]] = field(default_factory=list)
    houses: list[House] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    terrain: dict[int, str] = field(default_factory=dict)
    heights: dict[int, int] = field(default_factory=dict)
    pitch: int = 300
    reach: int = 450
    adjoining: list[tuple[int, int]] = field(default_factory=list)
    sight: SightRules = PLAYED

    def build(self) -> Board:
        spaces = [
            Space(i, f"n{i}", "ground", x, y, self.heights.get(i, 0), terrain=self.terrain.get(i, "open"))
            for i, (x, y) in enumerate(self.nodes)
        ]
        openings: list[Opening] = []
        floors: list[list[int]] = []
        opened: list[list[tuple[int, ...]]] = []
        for number, house in enumerate(self.houses):
            floors.append([])
            opened.append([])
            for floor in range(house.floors + house.flat_roof):
                roof = floor == house.floors
                x, y = house.x + house.w // 2, house.y + house.h // 2
                space = Space(
                    len(spaces),
                    f"h{number}.{floor}",
                    "floor",
                    x,
                    y,
                    house.z + STOREY * floor,
                    number,
                    floor,
                    roof,
                    "building",
                )
                floors[number].append(space.id)
                spaces.append(space)
                ids = []
                for side in range(4) if roof else house.sides:
                    a, b = house.polygon[side], house.polygon[(side + 1) % 4]
                    nx, ny = FACINGS[(0, 2, 4, 6)[side - 1]]
                    count = 1 if roof else house.per_side
                    for k in range(count):
                        kind = "parapet" if roof else "window"
                        if floor == 0 and side == house.sides[0] and k == 0:
                            kind = "door"
                        px = a[0] + (b[0] - a[0]) * (2 * k + 1) // (2 * count) + nx * WALL
                        py = a[1] + (b[1] - a[1]) * (2 * k + 1) // (2 * count) + ny * WALL
                        z = space.z + (EYES_ON_ROOF if roof else STOREY // 2)
                        ids.append(len(openings))
                        openings.append(Opening(len(openings), number, floor, side, kind, px, py, z))
                opened[number].append(tuple(ids))
        sections = []
        for number, house in enumerate(self.houses):
            ruin = Space(
                len(spaces),
                f"h{number}.ruin",
                "ruin",
                house.x + house.w // 2,
                house.y + house.h // 2,
                house.z,
                number,
                terrain="rubble",
            )
            spaces.append(ruin)
            polygon = house.polygon
            sections.append(
                Section(
                    number,
                    f"h{number}",
                    f"b{number}",
                    "brick",
                    house.kind,
                    polygon,
                    tuple(floors[number]),
                    ruin.id,
                    STOREY * house.floors,
                    STOREY,
                    max(house.w, house.h),
                    house.flat_roof,
                    tuple(
                        Side(
                            polygon[i],
                            polygon[(i + 1) % 4],
                            facing_towards((0, 0), FACINGS[(0, 2, 4, 6)[i - 1]]),
                            i not in house.blind,
                        )
                        for i in range(4)
                    ),
                    tuple(opened[number]),
                    tuple(() for _ in floors[number]),
                )
            )
        return Board(
            name="handmade",
            title="made by hand",
            unit="inch",
            size=(10_000, 10_000),
            pitch=self.pitch,
            spaces=tuple(spaces),
            sections=tuple(sections),
            openings=tuple(openings),
            ways=tuple(self._ways(spaces, sections, openings)),
            obstacles=tuple(self.obstacles),
            areas=tuple(self.areas),
            digest="",
            source=b"",
            sight_rules=self.sight,
        )

    def _ways(self, spaces: list[Space], sections: list[Section], openings: list[Opening]) -> list[Way]:
        ways: list[Way] = []
        rough = {"rough", "woods", "rubble"}
        places = {p: i for i, p in enumerate(self.nodes)}
        steps = [
            (dx, dy) for dx in (0, self.pitch) for dy in (-self.pitch, 0, self.pitch) if (dx, dy) > (0, 0)
        ]
        for i, (x, y) in enumerate(self.nodes):
            for dx, dy in steps:
                j = places.get((x + dx, y + dy))
                if j is not None:
                    is_rough = self.terrain.get(i) in rough or self.terrain.get(j) in rough
                    a, b = min(i, j), max(i, j)
                    ways.append(
                        Way(len(ways), a, b, "ground", distance((x, y), (x + dx, y + dy)), rough=is_rough)
                    )
        for section in sections:
            ground = spaces[section.spaces[0]]
            for number in section.openings[0]:
                opening = openings[number]
                for i, p in enumerate(self.nodes):
                    length = distance(p, opening.point)
                    if length <= self.reach:
                        ways.append(
                            Way(
                                len(ways),
                                i,
                                ground.id,
                                "door",
                                length,
                                opening=number,
                                sections=(section.id,),
                            )
                        )
            for low, high in zip(section.spaces, section.spaces[1:], strict=False):
                ways.append(Way(len(ways), low, high, "stairs", STOREY, sections=(section.id,)))
            for i, p in enumerate(self.nodes):
                length = distance(p, ground.point)
                if length <= self.reach + section.size // 2:
                    ways.append(
                        Way(len(ways), i, section.ruin, "ruin", length, rough=True, sections=(section.id,))
                    )
        for a, b in self.adjoining:
            for one, two in zip(sections[a].spaces, sections[b].spaces, strict=False):
                length = distance(spaces[one].point, spaces[two].point)
                ways.append(Way(len(ways), one, two, "adjoining", length, sections=(a, b)))
            one, two = sections[a].ruin, sections[b].ruin
            length = distance(spaces[one].point, spaces[two].point)
            ways.append(Way(len(ways), one, two, "ruin", length, rough=True, sections=(a, b)))
        return ways


EYES_ON_ROOF = 120


def lattice(columns: int, rows: int, pitch: int = 300, x: int = 150, y: int = 150) -> list[Point]:
    """Nodes of a square lattice, row by row."""
    return [(x + i * pitch, y + j * pitch) for j in range(rows) for i in range(columns)]


def town(blocks: int = 10, floors: tuple[int, ...] = (2, 3, 1), per_side: int = 2) -> Draft:
    """A town of blocks x blocks houses with streets and yards between, nodes on every free lattice point."""
    houses = []
    for i in range(blocks):
        for j in range(blocks):
            x, y = 400 + i * 1200 + (j % 2) * 100, 400 + j * 1200 + (i % 3) * 100
            houses.append(House(x, y, floors=floors[(i + 2 * j) % len(floors)], per_side=per_side))
    nodes = [
        (x, y)
        for x, y in lattice(blocks * 4 + 1, blocks * 4 + 1)
        if not any(h.x - 20 <= x <= h.x + h.w + 20 and h.y - 20 <= y <= h.y + h.h + 20 for h in houses)
    ]
    return Draft(nodes, houses)
