"""Building a board from a map file. Read `build_board` first.

`ground.py`, `houses.py` and `openings.py` make drafts of the parts. Here they are numbered. Spaces: ground nodes in the file's
order, then the floors of each section from the ground up, then the ruins. Ways: ground, doors, stairs, adjoining, ruins.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

from battlesim.board.board import Board
from battlesim.board.findings import Findings
from battlesim.board.grid import Grid
from battlesim.board.ground import (
    PathDraft,
    TerrainIndex,
    around_ruin,
    before_opening,
    lay_ground,
    lay_terrain,
    node_grid,
)
from battlesim.board.houses import SectionDraft, free_stretches, outward_facing, plan_sections
from battlesim.board.layout import WALL
from battlesim.board.mapfile import Lattice, MapFile, canonical_bytes
from battlesim.board.model import Opening, Section, Side, Space, Way
from battlesim.board.openings import place_openings
from battlesim.board.shapes import central_point, edges, extents, outwards
from battlesim.core.geometry import Point, distance

PARAPET = 100
"""Height above the roof at which one fires over a parapet, in hundredths."""


class _Builder:
    """Makes all drafts and notes their faults; `board` then numbers everything."""

    def __init__(self, mapfile: MapFile, found: Findings) -> None:
        self.mapfile, self.found = mapfile, found
        areas, obstacles = lay_terrain(mapfile, found)
        self.plans = plan_sections(mapfile, areas, found)
        place_openings(mapfile, self.plans, found)
        self.terrain = TerrainIndex(areas, obstacles, [plan.polygon for plan in self.plans])
        self.ground = lay_ground(mapfile, self.terrain, found)
        self.openings: list[Opening] = []
        self.doors: list[tuple[int, PathDraft]] = []
        self._number_openings()
        self._drop_unreachable_nodes()
        self._check_reach()

    # --- openings and the ways through them -----------------------------------------------------------------------

    def _number_openings(self) -> None:
        grid = node_grid(self.ground)
        for plan in self.plans:
            for hole in plan.holes:
                a, b = edges(plan.polygon)[hole.side]
                x, y = outwards(a, b, hole.point, WALL)
                rise = PARAPET if hole.kind == "parapet" else plan.storey // 2
                opening = Opening(
                    id=len(self.openings),
                    section=plan.number,
                    floor=hole.floor,
                    side=hole.side,
                    kind=hole.kind,
                    x=x,
                    y=y,
                    z=plan.z(hole.floor) + rise,
                    men=hole.men,
                )
                self.openings.append(opening)
                if passable(opening, plan):
                    paths = before_opening(self.ground, grid, plan, hole.side, (x, y))
                    self.doors += [(opening.id, path) for path in paths]
                    if not paths and hole.kind == "door":
                        what = f"a door of {plan.name!r} at {x / 100:g}, {y / 100:g} leads to no ground node"
                        self.found.warn(plan.loc, what, "leave room for a node before it")

    def _drop_unreachable_nodes(self) -> None:
        """Leave out lattice nodes that no unit can reach: a shaft between houses, an island. Other ground only gets a warning."""
        nodes, plans = len(self.ground.nodes), len(self.plans)
        if not nodes:
            self.found.error(("ground",), "no ground node is left outside the buildings", "enlarge size")
            return
        group = _groups(
            nodes + plans,
            [(path.a, path.b) for path in self.ground.paths]
            + [
                (path.a, nodes + self.openings[opening].section)
                for opening, path in self.doors
                if not self.plans[self.openings[opening].section].closed
            ]
            + [
                (nodes + plan.number, nodes + other)
                for plan in self.plans
                for floor in plan.adjoining
                for other in floor
                if not (plan.closed or self.plans[other].closed)
            ],
        )
        sizes: dict[int, int] = {}
        for number in range(nodes):
            sizes[group[number]] = sizes.get(group[number], 0) + 1
        main = max(sizes, key=lambda root: (sizes[root], -root))
        lost = [number for number in range(nodes) if group[number] != main]
        if not lost:
            return
        names = ", ".join(self.ground.nodes[number].name for number in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        what = f"{len(lost)} ground node(s) cannot be reached from the rest: {names}{more}"
        if self.ground.fixed:
            self.found.warn(("ground",), what, "add ways to them")
            return
        self.found.warn(("ground",), f"{what}; left out", "leave a way to them, or let them be")
        keep = {number: i for i, number in enumerate(n for n in range(nodes) if group[n] == main)}
        self.ground.nodes = [self.ground.nodes[number] for number in keep]
        self.ground.paths = [path for path in self.ground.paths if path.a in keep]
        self.doors = [(opening, path) for opening, path in self.doors if path.a in keep]
        for path in self.ground.paths:
            path.a, path.b = keep[path.a], keep[path.b]
        for _, path in self.doors:
            path.a = keep[path.a]

    def _check_reach(self) -> None:
        """Note a fault for each open section that has no way in, neither by a door or window nor through an open neighbour; and
        a warning where some of its floors have none."""
        plans = self.plans
        doors = sorted({self.openings[opening].section for opening, _ in self.doors})
        edge = [(number, 0) for number in doors if not plans[number].closed]
        entered = set(edge)
        while edge:
            number, floor = edge.pop()
            plan = plans[number]
            steps = [(other, floor) for other in plan.adjoining[floor] if not plans[other].closed]
            steps += [(number, low + 1) for low in plan.stairs_up if low == floor]
            steps += [(number, low) for low in plan.stairs_up if low + 1 == floor]
            for step in steps:
                if step not in entered:
                    entered.add(step)
                    edge.append(step)
        for plan in plans:
            cut_off = [floor for floor in range(plan.levels) if (plan.number, floor) not in entered]
            if plan.closed or not cut_off:
                continue
            if len(cut_off) == plan.levels:
                top = f"floors 0 to {plan.levels - 1}" if plan.levels > 1 else "floor 0"
                self.found.error(
                    plan.loc,
                    f"nobody can reach section {plan.name!r} ({top}): it has no door or window with a ground node "
                    "before it, and no connection to an open section that has one",
                    "give it a door, connect it, or mark it closed",
                )
            else:
                told = ", ".join(map(str, cut_off))
                floors = f"floors {told}" if len(cut_off) > 1 else f"floor {told}"
                what = f"nobody can reach {floors} of section {plan.name!r}: no stairs and no neighbour lead there"
                self.found.warn(plan.loc, what, "give it stairs, or connect it on that floor")

    # --- everything numbered --------------------------------------------------------------------------------------

    def board(self, source: bytes) -> Board:
        mapfile = self.mapfile
        spaces, floors, ruins = self._spaces()
        return Board(
            name=mapfile.name,
            title=mapfile.title or mapfile.name,
            unit=mapfile.unit,
            size=mapfile.extent,
            pitch=self.ground.pitch,
            spaces=tuple(spaces),
            sections=tuple(
                self._section(plan, floors[plan.number], ruins[plan.number]) for plan in self.plans
            ),
            openings=tuple(self.openings),
            ways=tuple(self._ways(spaces, floors, ruins)),
            obstacles=tuple(self.terrain.obstacles),
            areas=tuple(self.terrain.areas),
            digest=sha256(source).hexdigest(),
            source=source,
            attribution=mapfile.attribution,
            license=mapfile.license,
            storey=mapfile.storey,
        )

    def _spaces(self) -> tuple[list[Space], list[list[int]], list[int]]:
        spaces: list[Space] = []
        for node in self.ground.nodes:
            x, y = node.point
            edge = self._edge(node.point)
            spaces.append(
                Space(len(spaces), node.name, "ground", x, y, node.z, terrain=node.terrain, edge=edge)
            )
        floors: list[list[int]] = []
        centres = [central_point(plan.polygon) for plan in self.plans]
        for plan in self.plans:
            x, y = centres[plan.number]
            own = []
            for floor in range(plan.levels):
                own.append(len(spaces))
                space = Space(
                    id=len(spaces),
                    name=f"{plan.name}:{floor}",
                    kind="floor",
                    x=x,
                    y=y,
                    z=plan.z(floor),
                    section=plan.number,
                    floor=floor,
                    roof=floor >= plan.floors,
                    terrain="building",
                )
                spaces.append(space)
            floors.append(own)
        ruins: list[int] = []
        for plan in self.plans:
            x, y = centres[plan.number]
            ruins.append(len(spaces))
            name = f"{plan.name}:ruin"
            spaces.append(Space(len(spaces), name, "ruin", x, y, plan.base, plan.number, terrain="rubble"))
        return spaces, floors, ruins

    def _edge(self, p: Point) -> str:
        """The edges of the map within one pitch. What is left of a lattice beyond its last column and row belongs to them."""
        width, height = self.mapfile.extent
        reach = self.ground.pitch
        if isinstance(self.mapfile.ground, Lattice):
            width, height = (max(1, length // reach) * reach for length in (width, height))
        near = {"n": height - p[1], "e": width - p[0], "s": p[1], "w": p[0]}
        return "".join(letter for letter, gap in near.items() if gap <= reach)

    def _section(self, plan: SectionDraft, spaces: Sequence[int], ruin: int) -> Section:
        openings: list[list[int]] = [[] for _ in range(plan.levels)]
        for opening in self._openings_of(plan):
            openings[opening.floor].append(opening.id)
        return Section(
            id=plan.number,
            name=plan.name,
            building=plan.building.name,
            material=plan.building.material,
            kind=plan.building.kind,
            polygon=plan.polygon,
            spaces=tuple(spaces),
            ruin=ruin,
            height=plan.height,
            storey=plan.storey,
            size=extents(plan.polygon)[0],
            flat_roof=plan.flat_roof,
            sides=tuple(self._side(plan, i) for i in range(len(plan.polygon))),
            openings=tuple(tuple(ids) for ids in openings),
            adjoining=tuple(tuple(sorted(others)) for others in plan.adjoining),
            closed=plan.closed,
            burning=plan.burning,
            own=plan.own,
        )

    def _openings_of(self, plan: SectionDraft) -> list[Opening]:
        first = sum(len(before.holes) for before in self.plans[: plan.number])
        return self.openings[first : first + len(plan.holes)]

    def _side(self, plan: SectionDraft, side: int) -> Side:
        a, b = edges(plan.polygon)[side]
        free = [floor for floor in range(plan.floors) if free_stretches(plan, side, floor, self.plans)]
        return Side(a, b, outward_facing(a, b), outer=bool(free), outer_from=free[0] if free else 0)

    def _ways(self, spaces: list[Space], floors: list[list[int]], ruins: list[int]) -> list[Way]:
        ways: list[Way] = []

        def add(
            kind: str, a: int, b: int, path: PathDraft, opening: int = -1, sections: tuple[int, ...] = ()
        ) -> None:
            way = Way(
                id=len(ways),
                a=a,
                b=b,
                kind=kind,
                length=path.length,
                obstacle=path.obstacle,
                rough=path.rough,
                road=path.road and kind == "ground",
                water=path.water,
                opening=opening,
                sections=sections,
            )
            ways.append(way)

        for path in sorted(self.ground.paths, key=lambda path: (path.a, path.b)):
            add("ground", path.a, path.b, path)
        for number, path in self.doors:
            section = self.openings[number].section
            add("door", path.a, floors[section][0], path, number, (section,))
        for plan in self.plans:
            for floor, (low, high) in enumerate(pairwise(floors[plan.number])):
                if floor in plan.stairs_up:
                    add("stairs", low, high, PathDraft(low, high, plan.storey), sections=(plan.number,))
        for plan in self.plans:
            for floor, others in enumerate(plan.adjoining):
                for other in sorted(others):
                    if plan.number < other:
                        a, b = floors[plan.number][floor], floors[other][floor]
                        length = distance(spaces[a].point, spaces[b].point)
                        add("adjoining", a, b, PathDraft(a, b, length), sections=(plan.number, other))
        grid = Grid((*node.point, *node.point) for node in self.ground.nodes)
        for plan in self.plans:
            ruin = ruins[plan.number]
            for path in around_ruin(self.ground, grid, plan, spaces[ruin].point):
                add("ruin", path.a, ruin, path, sections=(plan.number,))
            for other in sorted(plan.touching):
                if plan.number < other:
                    length = distance(spaces[ruin].point, spaces[ruins[other]].point)
                    path = PathDraft(ruin, ruins[other], length, rough=True)
                    add("ruin", ruin, ruins[other], path, sections=(plan.number, other))
        return ways


def build_board(mapfile: MapFile, found: Findings) -> Board | None:
    """The board of a map file, None if it has an error. All faults go to `found`."""
    builder = _Builder(mapfile, found)
    if found.fatal:
        return None
    return builder.board(canonical_bytes(mapfile))


def passable(opening: Opening, plan: SectionDraft) -> bool:
    """Whether units can pass an opening: on the ground floor, not a slit; in a bunker only a door."""
    if opening.floor != 0 or opening.kind in ("slit", "parapet"):
        return False
    return opening.kind == "door" or plan.building.kind != "bunker"


def _groups(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """The connected groups of the numbers below `count`: for each number, the lowest of its group (union-find)."""
    root = list(range(count))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for a, b in pairs:
        one, two = find(a), find(b)
        root[max(one, two)] = min(one, two)
    return [find(i) for i in range(count)]
