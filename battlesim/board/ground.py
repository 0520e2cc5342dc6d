"""The ground of a map file: areas and obstacles, outdoor nodes and the ways between them.

Read `TerrainIndex` first: it says what the ground is like at a point or along a line. `lay_ground` makes nodes and ways of the
three kinds of ground (lattice, free, hex). `before_opening` finds the nodes in front of a door or window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from battlesim.board.findings import Findings
from battlesim.board.grid import Grid
from battlesim.board.hexgrid import hex_centre, hex_outline
from battlesim.board.houses import SectionDraft, outline_is_sound
from battlesim.board.mapfile import FreeGround, HexCell, HexGround, Lattice, MapFile
from battlesim.board.model import Area, Obstacle
from battlesim.board.shapes import (
    bounds,
    counter_clockwise,
    crossing_itself,
    near_polygon,
    ribbon,
    segment_meets,
    segments_touch,
)
from battlesim.board.terrain import (
    HEIGHTS,
    HINDERING,
    OBSTACLES,
    ROADS,
    SLOW,
    UNDERFOOT,
    WATER,
    ground_height,
)
from battlesim.core.errors import did_you_mean
from battlesim.core.geometry import Point, distance, in_polygon

CLEAR = 30
"""Nodes of a lattice are at least this far from a building, in hundredths."""
_STEP = 50  # the terrain along a way is sampled every half unit


@dataclass
class NodeDraft:
    """An outdoor node before it is a space. The fields are those of `Space`."""

    name: str
    point: Point
    z: int
    terrain: str


@dataclass
class PathDraft:
    """A way before it has a number: between two nodes (by index), or from a node to an opening or a ruin (`b` -1). The other
    fields are those of `Way`."""

    a: int
    b: int
    length: int
    obstacle: str = ""
    rough: bool = False
    road: bool = False
    water: bool = False


@dataclass
class GroundDraft:
    """All nodes and ways outdoors. Lengths are hundredths.

    `pitch`: the usual length of a way. `further`: an opening also leads to its second and third nearest nodes where they are at
    most this far; 0: it leads to the nearest alone. `fixed`: the nodes were drawn one by one, and are kept even where nothing
    leads to them.
    """

    terrain: TerrainIndex
    pitch: int
    further: int = 0
    nodes: list[NodeDraft] = field(default_factory=list)
    paths: list[PathDraft] = field(default_factory=list)
    fixed: bool = False


class TerrainIndex:
    """Areas, obstacles and outlines of buildings by place. `outlines[i]` is that of section i."""

    def __init__(
        self, areas: Sequence[Area], obstacles: Sequence[Obstacle], outlines: Sequence[tuple[Point, ...]]
    ) -> None:
        self.areas, self.obstacles, self.outlines = areas, obstacles, outlines
        self._areas = Grid(bounds(area.polygon) for area in areas)
        self._obstacles = Grid(bounds((piece.a, piece.b)) for piece in obstacles)
        self._outlines = Grid(bounds(outline) for outline in outlines)

    def at(self, p: Point) -> str:
        """The terrain of a point: that of the last area it lies in, hills apart. "deep" in deep water, "open" in no area."""
        return self._at(p, self._areas.near((*p, *p)))

    def _at(self, p: Point, near: Sequence[int]) -> str:
        x, y = p
        for number in reversed(near):
            west, south, east, north = self._areas.boxes[number]
            if not (west <= x <= east and south <= y <= north):
                continue
            area = self.areas[number]
            if area.kind in UNDERFOOT and in_polygon(p, area.polygon):
                return "deep" if area.deep else area.kind
        return "open"

    def z(self, p: Point) -> int:
        """The height of the ground at a point, in hundredths above the table: see `ground_height`."""
        return ground_height(p, [self.areas[number] for number in self._areas.near((*p, *p))])

    def built_over(self, p: Point, reach: int = CLEAR) -> bool:
        """Whether a point lies in a building or within `reach` hundredths of one."""
        box = (p[0] - reach, p[1] - reach, p[0] + reach, p[1] + reach)
        return any(near_polygon(p, self.outlines[number], reach) for number in self._outlines.near(box))

    def walled_off(self, a: Point, b: Point, but: int = -1) -> bool:
        """Whether a section, other than number `but` (-1: none), stands between two points or touches the line."""
        near = self._outlines.near(bounds((a, b)))
        return any(number != but and segment_meets(a, b, self.outlines[number]) for number in near)

    def path(self, a: int, b: int, pa: Point, pb: Point, ends: tuple[str, ...]) -> PathDraft | None:
        """The path between the points `pa` and `pb`, or None where deep water lies on it. `a, b`: the numbers of its ends, as in
        `PathDraft`. `ends`: the terrain at its ends; an opening has none."""
        box = bounds((pa, pb))
        kinds = dict.fromkeys(ends)
        length = distance(pa, pb)
        near = self._areas.near(box)
        # Only ground that hinders makes a difference between the ends.
        if any(self.areas[number].kind in HINDERING for number in near):
            steps = length // _STEP + 1
            dx, dy = pb[0] - pa[0], pb[1] - pa[1]
            for i in range(1, steps):
                kinds[self._at((pa[0] + dx * i // steps, pa[1] + dy * i // steps), near)] = None
        if "deep" in kinds:
            return None
        obstacle, highest = "", 0
        for number in self._obstacles.near(box):
            piece = self.obstacles[number]
            rank = OBSTACLES[piece.kind].rank
            if rank > highest and segments_touch(pa, pb, piece.a, piece.b):
                obstacle, highest = piece.kind, rank
        return PathDraft(
            a,
            b,
            length,
            obstacle,
            rough=not SLOW.isdisjoint(kinds),
            road=ROADS.issuperset(ends),
            water=not WATER.isdisjoint(kinds),
        )


def lay_terrain(mapfile: MapFile, found: Findings) -> tuple[list[Area], list[Obstacle]]:
    """Areas and obstacles in the file's order; the areas of hexes come last. Faults go to `found`."""
    areas: list[Area] = []
    obstacles: list[Obstacle] = []
    for i, feature in enumerate(mapfile.terrain):
        height = feature.height or HEIGHTS[feature.kind]
        if feature.kind in OBSTACLES:
            line = feature.line or ()
            obstacles += [Obstacle(feature.kind, a, b, height) for a, b in pairwise(line) if a != b]
            continue
        if feature.line:
            line = tuple(p for n, p in enumerate(feature.line) if n == 0 or p != feature.line[n - 1])
            if len(line) < 2:
                found.error(("terrain", i, "line"), f"this {feature.kind} goes nowhere", "give two points")
                continue
            areas += [
                Area(feature.kind, piece, height, feature.deep) for piece in _strip(line, feature.width or 0)
            ]
        elif outline_is_sound(feature.corners, ("terrain", i), f"this {feature.kind}", found):
            areas.append(Area(feature.kind, counter_clockwise(feature.corners), height, feature.deep))
    if isinstance(mapfile.ground, HexGround):
        areas += _cells(mapfile, mapfile.ground)
    return areas, obstacles


def _cells(mapfile: MapFile, ground: HexGround) -> list[Area]:
    """The hexes of the file's `cells` as areas; a raised one is a hill, too."""
    areas = []
    for cell in ground.cells:
        outline = hex_outline(*cell.at)
        if cell.level:
            areas.append(Area("hill", outline, cell.level * mapfile.storey))
        areas.append(Area(cell.terrain, outline, HEIGHTS[cell.terrain]))
    return areas


def _strip(line: tuple[Point, ...], width: int) -> list[tuple[Point, ...]]:
    """A strip along a line as one outline, or one for each piece where the strip would cross itself."""
    whole = ribbon(line, width)
    if crossing_itself(whole) is None:
        return [whole]
    return [ribbon((a, b), width) for a, b in pairwise(line)]


def lay_ground(mapfile: MapFile, terrain: TerrainIndex, found: Findings) -> GroundDraft:
    """The nodes and the ways between them. There is no way through a building or deep water. Faults go to `found`."""
    ground = mapfile.ground
    if isinstance(ground, Lattice):
        return _lattice(mapfile, ground, terrain)
    if isinstance(ground, HexGround):
        return _hexes(mapfile, ground, terrain, found)
    return _free(mapfile, ground, terrain, found)


def _lattice(mapfile: MapFile, spec: Lattice, terrain: TerrainIndex) -> GroundDraft:
    pitch = spec.pitch
    columns, rows = max(1, mapfile.size[0] // pitch), max(1, mapfile.size[1] // pitch)
    # A map that is smaller than the pitch has its only column or row in the middle.
    west, south = min(pitch, mapfile.size[0]) // 2, min(pitch, mapfile.size[1]) // 2
    laid = GroundDraft(terrain, pitch, pitch * 3 // 2)
    index: dict[tuple[int, int], int] = {}
    for row in range(rows):
        for column in range(columns):
            p = (west + column * pitch, south + row * pitch)
            kind = terrain.at(p)
            if kind == "deep" or terrain.built_over(p):
                continue
            index[column, row] = len(laid.nodes)
            laid.nodes.append(NodeDraft(f"g{column}.{row}", p, terrain.z(p), kind))
    for (column, row), a in index.items():
        for step in ((1, 0), (-1, 1), (0, 1), (1, 1)):
            b = index.get((column + step[0], row + step[1]))
            if b is not None:
                _tie(laid, a, b)
    return laid


def _hexes(mapfile: MapFile, spec: HexGround, terrain: TerrainIndex, found: Findings) -> GroundDraft:
    columns, rows = mapfile.size[0] // 100, mapfile.size[1] // 100
    if mapfile.size != (columns * 100, rows * 100):
        what = f"a map of {mapfile.size[0] / 100:g} x {mapfile.size[1] / 100:g} hexes is not whole"
        found.error(("size",), what, "give whole columns and rows")
    cells: dict[Point, HexCell] = {}
    for i, cell in enumerate(spec.cells):
        if cell.at in cells:
            found.error(
                ("ground", "cells", i, "at"), f"hex {list(cell.at)} is listed twice", "keep one of the two"
            )
        cells[cell.at] = cell
        if not (cell.at[0] < columns and cell.at[1] < rows):
            what = f"there is no hex {list(cell.at)} on a map of {columns} x {rows}"
            found.error(("ground", "cells", i, "at"), what, "columns and rows count from 0")
    laid = GroundDraft(terrain, 100)
    index: dict[tuple[int, int], int] = {}
    for row in range(rows):
        for column in range(columns):
            p = hex_centre(column, row)
            own = cells.get((column, row))
            kind = own.terrain if own else terrain.at(p)
            if kind == "deep" or terrain.built_over(p, 0):
                continue
            index[column, row] = len(laid.nodes)
            laid.nodes.append(NodeDraft(f"g{column}.{row}", p, terrain.z(p), kind))
    for (column, row), a in index.items():
        up = row + column % 2
        for key in ((column, row + 1), (column + 1, up), (column + 1, up - 1)):
            if key in index:
                _tie(laid, a, index[key], length=100)
    return laid


def _free(mapfile: MapFile, spec: FreeGround, terrain: TerrainIndex, found: Findings) -> GroundDraft:
    laid = GroundDraft(terrain, 300, 450, fixed=True)
    width, height = mapfile.extent
    index: dict[str, int] = {}
    drawn: dict[Point, str] = {}
    for i, node in enumerate(spec.nodes):
        here = ("ground", "nodes", i)
        if (other := drawn.setdefault(node.at, node.name)) != node.name:
            found.error((*here, "at"), f"node {other!r} is at the same point", "move one of the two")
        if node.name in index:
            found.error((*here, "name"), f"there are two nodes {node.name!r}", "give each its own name")
        if not (0 <= node.at[0] <= width and 0 <= node.at[1] <= height):
            what = f"node {node.name!r} lies outside the map ({width / 100:g} x {height / 100:g})"
            found.error((*here, "at"), what, "move it, or enlarge size")
        if terrain.built_over(node.at, 0):
            found.error((*here, "at"), f"node {node.name!r} lies in a building", "move it outdoors")
        kind = node.terrain or terrain.at(node.at)
        index[node.name] = len(laid.nodes)
        laid.nodes.append(
            NodeDraft(node.name, node.at, terrain.z(node.at), "water" if kind == "deep" else kind)
        )
    twice: set[frozenset[str]] = set()
    for i, names in enumerate(spec.ways):
        if frozenset(names) in twice:
            what = f"the way between {names[0]!r} and {names[1]!r} is listed twice"
            found.error(("ground", "ways", i), what, "remove one; a way leads both ways")
        twice.add(frozenset(names))
        for end, name in enumerate(names):
            if name not in index:
                loc = ("ground", "ways", i, end)
                found.error(loc, f"there is no node {name!r}", did_you_mean(name, index))
        if names[0] == names[1]:
            found.error(("ground", "ways", i), f"this way leads from {names[0]!r} to itself", "remove it")
        elif all(name in index for name in names) and not _tie(laid, index[names[0]], index[names[1]]):
            what = f"the way from {names[0]!r} to {names[1]!r} leads through a building or deep water"
            found.error(("ground", "ways", i), what, "lead it round")
    lengths = sorted(path.length for path in laid.paths)
    if lengths:
        laid.pitch = max(100, lengths[len(lengths) // 2])
        laid.further = laid.pitch * 3 // 2
    return laid


def _tie(laid: GroundDraft, a: int, b: int, length: int | None = None) -> bool:
    one, two = laid.nodes[a], laid.nodes[b]
    if laid.terrain.walled_off(one.point, two.point):
        return False
    path = laid.terrain.path(a, b, one.point, two.point, (one.terrain, two.terrain))
    if path is None:
        return False
    if length is not None:
        path.length = length
    laid.paths.append(path)
    return True


def nodes_by_distance(laid: GroundDraft, grid: Grid, p: Point, reach: int) -> Iterator[tuple[int, int]]:
    """(distance, node) of the nodes within `reach` of a point, nearest first. Distances are hundredths."""
    box = (p[0] - reach, p[1] - reach, p[0] + reach, p[1] + reach)
    near = [(distance(p, laid.nodes[number].point), number) for number in grid.near(box)]
    yield from sorted(item for item in near if item[0] <= reach)


def node_grid(laid: GroundDraft) -> Grid:
    """The nodes by place, each as a box of one point."""
    return Grid([(*node.point, *node.point) for node in laid.nodes])


def before_opening(
    laid: GroundDraft, grid: Grid, plan: SectionDraft, side: int, point: Point
) -> list[PathDraft]:
    """Ways (`b` -1) to an opening from the nearest nodes in front of it, at most three, with no building between; [] if there
    is none within four pitches. `side`: number of its wall; `point`: where the opening is."""
    a, b = plan.polygon[side], plan.polygon[(side + 1) % len(plan.polygon)]
    out = (b[1] - a[1], a[0] - b[0])
    paths: list[PathDraft] = []
    for gap, number in nodes_by_distance(laid, grid, point, 4 * laid.pitch):
        node = laid.nodes[number]
        if len(paths) == 3 or (paths and gap > laid.further):
            break
        ahead = (node.point[0] - point[0]) * out[0] + (node.point[1] - point[1]) * out[1] > 0
        if ahead and not laid.terrain.walled_off(node.point, point):
            path = laid.terrain.path(number, -1, node.point, point, (node.terrain,))
            if path is not None:
                paths.append(path)
    return paths


def around_ruin(laid: GroundDraft, grid: Grid, plan: SectionDraft, centre: Point) -> list[PathDraft]:
    """Ways (`b` -1) into the ruin of a section, from the nodes around it: the nearest one, and all within a pitch of the outline.
    None leads through another building or deep water. `centre`: the point of the ruin's space."""
    west, south, east, north = bounds(plan.polygon)
    reach = max(east - west, north - south) + 2 * laid.pitch
    found: list[tuple[int, PathDraft]] = []
    for gap, number in nodes_by_distance(laid, grid, centre, reach):
        node = laid.nodes[number]
        near = near_polygon(node.point, plan.polygon, laid.pitch)
        if (near or not found) and not laid.terrain.walled_off(node.point, centre, but=plan.number):
            path = laid.terrain.path(number, -1, node.point, centre, (node.terrain, "rubble"))
            if path is not None:
                found.append((gap, path))
    return [path for _, path in found]
