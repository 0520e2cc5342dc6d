"""Doors for imported houses: which walls face a street, and where the doors go. Needs the extra `geo`.

The map is planned once without openings (`houses.py`), to find the walls that adjoin a neighbour. Then each house gets its tagged
entrances, a gap at each end of a way through it, and doors by rule and seed. Read `place_doors` first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from battlesim.board.findings import Findings
from battlesim.board.ground import (
    GroundDraft,
    TerrainIndex,
    before_opening,
    lay_ground,
    lay_terrain,
    node_grid,
)
from battlesim.board.houses import SectionDraft, free_stretches, outward_facing, plan_sections
from battlesim.board.mapfile import MapFile
from battlesim.board.shapes import along, edges, outwards
from battlesim.core.geometry import Point, distance, point_segment_distance

_FRONT = 1200  # a street within this distance, with no house between, makes a wall a front
_WIDE = 150  # a door needs this much wall
_NEAR = 100  # a tagged entrance lies this close to its wall
_STREET, _YARD = 45, 30  # doors by rule, in a hundred walls
_ARCH_MEN = 4  # models that can fire from a gap, an arch without a door

Spec = dict[str, Any]


@dataclass
class _Wall:
    """A free stretch of outer wall on a ground floor, with room before it."""

    plan: SectionDraft
    side: int
    start: int
    end: int
    front: bool = False

    @property
    def middle(self) -> int:
        return (self.start + self.end) // 2


@dataclass
class Doors:
    """Openings by section name, and how many of each sort: tagged, through ways, by rule."""

    by_section: dict[str, list[Spec]]
    tagged: int = 0
    arches: int = 0
    ruled: int = 0


def chance(seed: int, *key: object) -> int:
    """A pseudo-random number from 0 to 99 for a seed and a key, the same on every machine."""
    text = "|".join(str(part) for part in (seed, *key))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % 100


def plan_houses(mapfile: MapFile, found: Findings) -> tuple[list[SectionDraft], TerrainIndex]:
    """The sections of a map without openings, and its terrain."""
    areas, obstacles = lay_terrain(mapfile, found)
    plans = plan_sections(mapfile, areas, found)
    return plans, TerrainIndex(areas, obstacles, [plan.polygon for plan in plans])


def place_doors(
    mapfile: MapFile,
    ids: Sequence[str],
    seed: int,
    streets: Sequence[Any],
    entrances: Sequence[Any],
    passages: Sequence[Any],
) -> Doors:
    """Doors for every house of a map without openings. `ids`: the name of each building in its source, which is the key of its
    chances; the rest as in `Surroundings`.
    """
    found = Findings()
    plans, terrain = plan_houses(mapfile, found)
    ground = lay_ground(mapfile, terrain, found)
    walls = _walls(plans, ground)
    _find_fronts(walls, streets, terrain)
    doors = Doors({plan.name: [] for plan in plans})
    taken: dict[tuple[int, int], None] = {}

    def put(wall: _Wall, spot: int, kind: str = "door") -> bool:
        key = (wall.plan.number, wall.side)
        if key in taken:
            return False
        length = distance(*edges(wall.plan.polygon)[wall.side])
        at = (100 * spot + length // 2) // length
        if not wall.start <= length * at // 100 <= wall.end:
            return False
        taken[key] = None
        men = {"men": _ARCH_MEN} if kind == "gap" else {}
        doors.by_section[wall.plan.name].append({"kind": kind, "side": wall.side, "at": at, **men})
        return True

    for point in _ends(passages, plans):
        hit = _nearest(walls, point)
        doors.arches += hit is not None and put(*hit, "gap")
    for entrance in entrances:
        hit = _nearest(walls, (round(entrance.x), round(entrance.y)))
        doors.tagged += hit is not None and put(*hit)
    by_house: dict[int, list[_Wall]] = {}
    for wall in walls:
        by_house.setdefault(int(wall.plan.loc[1]), []).append(wall)
    for house, own in sorted(by_house.items()):
        for wall in own:
            wanted = _STREET if wall.front else _YARD
            if chance(seed, ids[house], wall.plan.name, wall.side, "door") < wanted:
                doors.ruled += put(wall, wall.middle)
        for group in _must_have(own, plans):
            if not any((wall.plan.number, wall.side) in taken for wall in group):
                best = max(group, key=lambda w: (w.end - w.start, -w.plan.number, -w.side))
                doors.ruled += put(best, best.middle)
    return doors


def _walls(plans: Sequence[SectionDraft], ground: GroundDraft) -> list[_Wall]:
    grid = node_grid(ground)
    walls = []
    for plan in plans:
        for side, (a, b) in enumerate(edges(plan.polygon)):
            free = [span for span in free_stretches(plan, side, 0, plans) if span[1] - span[0] >= _WIDE]
            for start, end in sorted(free, key=lambda span: span[0] - span[1])[:1]:
                before = outwards(a, b, along(a, b, (start + end) // 2), 5)
                if before_opening(ground, grid, plan, side, before):
                    walls.append(_Wall(plan, side, start, end))
    return walls


def _find_fronts(walls: Sequence[_Wall], streets: Sequence[Any], terrain: TerrainIndex) -> None:
    """Marks the walls that face a street; all of them if the source has no streets."""
    import shapely

    lines = [street for street in streets if not street.is_empty]
    if not lines:
        for wall in walls:
            wall.front = True
        return
    tree = shapely.STRtree(lines)
    for wall in walls:
        a, b = edges(wall.plan.polygon)[wall.side]
        p = outwards(a, b, along(a, b, wall.middle), 20)
        here = shapely.Point(p)
        for number in sorted(tree.query(here, predicate="dwithin", distance=_FRONT).tolist()):
            foot = shapely.shortest_line(here, lines[number]).coords[-1]
            q = (round(foot[0]), round(foot[1]))
            ahead = (q[0] - p[0]) * (b[1] - a[1]) - (q[1] - p[1]) * (b[0] - a[0])
            if q == p or (ahead >= 0 and not terrain.walled_off(p, q)):
                wall.front = True
                break


def _ends(passages: Sequence[Any], plans: Sequence[SectionDraft]) -> list[Point]:
    """The ends of ways through houses."""
    import shapely

    if not passages or not plans:
        return []
    built = shapely.union_all([shapely.Polygon(plan.polygon) for plan in plans], grid_size=1)
    points = []
    for line in passages:
        out = shapely.intersection(line, shapely.boundary(built))
        for part in getattr(out, "geoms", [out]):
            if not part.is_empty:
                x, y = part.coords[0]
                points.append((round(x), round(y)))
    return points


def _nearest(walls: Sequence[_Wall], point: Point) -> tuple[_Wall, int] | None:
    """The wall nearest to a point and where along it the point lies; None if none is near."""
    best: tuple[int, int, _Wall] | None = None
    for number, wall in enumerate(walls):
        a, b = edges(wall.plan.polygon)[wall.side]
        gap = point_segment_distance(point, along(a, b, wall.start), along(a, b, wall.end))
        if gap <= _NEAR and (best is None or (gap, number) < best[:2]):
            best = (gap, number, wall)
    if best is None:
        return None
    wall = best[2]
    a, b = edges(wall.plan.polygon)[wall.side]
    length = distance(a, b) or 1
    foot = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) // length
    return wall, min(max(foot, wall.start + 30), wall.end - 30)


def _must_have(walls: Sequence[_Wall], plans: Sequence[SectionDraft]) -> list[list[_Wall]]:
    """Groups of walls of one house of which one must have a door: the fronts (else the yards) of each part that is connected
    inside, each long row of fronts that face one way, and the yards.
    """
    part_of = _parts([wall.plan for wall in walls], plans)
    groups: list[list[_Wall]] = []
    for part in sorted(dict.fromkeys(part_of.values())):
        own = [wall for wall in walls if part_of[wall.plan.number] == part]
        fronts, yards = _split(own, lambda wall: wall.front)
        groups += [group for group in (fronts or yards, yards) if group]
        facings: dict[int, list[_Wall]] = {}
        for wall in fronts:
            facings.setdefault(outward_facing(*edges(wall.plan.polygon)[wall.side]), []).append(wall)
        groups += [row for _, row in sorted(facings.items()) if len(row) >= 3]
    return groups


def _split(walls: Sequence[_Wall], test: Callable[[_Wall], bool]) -> tuple[list[_Wall], list[_Wall]]:
    return [wall for wall in walls if test(wall)], [wall for wall in walls if not test(wall)]


def _parts(own: Sequence[SectionDraft], plans: Sequence[SectionDraft]) -> dict[int, int]:
    """For each section, the lowest number of the sections connected with it inside its house."""
    part: dict[int, int] = {}
    for plan in sorted(own, key=lambda plan: plan.number):
        if plan.number in part:
            continue
        todo, seen = [plan.number], {plan.number: None}
        while todo:
            for floor in plans[todo.pop()].adjoining:
                for other in floor:
                    if other not in seen:
                        seen[other] = None
                        todo.append(other)
        for number in seen:
            part[number] = plan.number
    return part
