"""Occluders: what can block a line of sight (sections, hills, walls, woods), and what covers a target.

`terrain.py` says which ground and obstacles block, `model.SightRules` how deep woods may be and what covers. The height of a
section or of trees counts from the ground below them, that of a hill's level top from the table. Read `Occluders.between`
first.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from battlesim.board.layout import Layout
from battlesim.board.model import Obstacle, SightRules
from battlesim.board.segment_geometry import BOTH, blocked_sides, covered, crossing_at, low_stretches
from battlesim.board.terrain import GROUND, OBSTACLES, ground_height
from battlesim.board.viewpoints import SightPoints
from battlesim.core.geometry import Point, distance, point_segment_distance

_CELL = 800  # length of the squares that occluders are sorted by, in hundredths
_LARGE = 900  # occluders with a larger radius are not sorted by cell but checked for every pair
_MOST_PAIRS = 20_000
"""Pairs of cells whose occluders are kept; above it all are dropped."""
_HILL, _WALL, _WOODS = -1, -2, -3
"""Stand in place of the number of a section, for occluders that are none."""


class Occluder(NamedTuple):
    """Something solid with a flat top: its bounding box, height and outline. `id` is the section's number, or negative for
    others."""

    x0: int
    y0: int
    x1: int
    y1: int
    top: int
    id: int
    polygon: tuple[Point, ...]


_Cells = tuple[int, int, int, int, int]
"""Column and row of one cell, of another, and how far the points of their spaces may lie from the middles of these."""
_Filed = tuple[int, int, int, int, int, int, int, Occluder]
"""An occluder with its box, its middle and the radius of the circle around it."""
_End = tuple[int, int, int, int, int]
"""An end of lines: x and y of a space's middle, how far from it lines may begin or end, their lowest height, and the section
whose ruin the space is (-1: none), which never blocks a line from or to it."""


class Between(Struct, frozen=True):
    """What the lines between two spaces can meet: sections, those near the middle line first; `lasting`, hills and walls, which
    never fall; woods.
    """

    sections: list[Occluder]
    lasting: list[Occluder]
    woods: list[Occluder]


class Occluders:
    """All occluders of a board, sorted by place."""

    def __init__(self, board: Layout, spots: SightPoints, rules: SightRules) -> None:
        self._board = board
        self._cover = dict(rules.cover)
        self._reach = rules.obstacle_reach
        self._viewpoints = spots
        self._covering: list[tuple[Obstacle, int, Point, int]] = []
        self._covers: list[tuple[Obstacle, ...] | None] = [None] * len(board.spaces)
        self._half = [spots.half_size(space.id) for space in board.spaces]
        self._ends: list[_End | None] = [None] * len(board.spaces)
        self._grid: dict[tuple[int, int], list[_Filed]] = {}
        self._large: list[_Filed] = []
        self.pairs: dict[_Cells, tuple[_Filed, ...]] = {}
        self._wide = max(self._half, default=0)
        self._widest = 0
        for section in board.sections:
            ground = board.spaces[section.spaces[0]].z
            self._file(section.id, section.polygon, ground + section.height)
        for area in board.areas:
            sight = GROUND[area.kind].sight
            if sight == "hill" and area.height > 0:
                self._file(_HILL, area.polygon, area.height)
            elif sight == "woods":
                self._file(_WOODS, area.polygon, ground_height(area.polygon[0], board.areas) + area.height)
        for obstacle in board.obstacles:
            middle = ((obstacle.a[0] + obstacle.b[0]) // 2, (obstacle.a[1] + obstacle.b[1]) // 2)
            top = ground_height(middle, board.areas) + obstacle.height
            if OBSTACLES[obstacle.kind].blocks:
                self._file(_WALL, (obstacle.a, obstacle.b), top)
            if obstacle.kind in self._cover:
                self._covering.append((obstacle, top, middle, distance(middle, obstacle.a) + 2))

    def _file(self, number: int, polygon: tuple[Point, ...], top: int) -> None:
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        occluder = Occluder(min(xs), min(ys), max(xs), max(ys), top, number, polygon)
        x, y = (occluder.x0 + occluder.x1) // 2, (occluder.y0 + occluder.y1) // 2
        radius = max(distance((x, y), p) for p in polygon) + 2
        filed = (occluder.x0, occluder.y0, occluder.x1, occluder.y1, x, y, radius, occluder)
        if radius > _LARGE:
            self._large.append(filed)
        else:
            self._widest = max(self._widest, radius)
            self._grid.setdefault((x // _CELL, y // _CELL), []).append(filed)

    def between(self, a: int, b: int) -> Between:
        """Everything that any line between two spaces can meet, and some things nearby."""
        ends = self._ends
        x1, y1, half1, low, own = ends[a] or self._end(a)
        x2, y2, width, low2, other = ends[b] or self._end(b)
        if half1 > width:
            width = half1
        cells = (x1 // _CELL, y1 // _CELL, x2 // _CELL, y2 // _CELL, self._wide if width else 0)
        known = self.pairs.get(cells)
        if known is None:
            known = self._between_cells(cells)
        if low2 < low:
            low = low2
        dx, dy = x2 - x1, y2 - y1
        length2 = dx * dx + dy * dy
        west, east = (x1 - width, x2 + width) if dx >= 0 else (x2 - width, x1 + width)
        south, north = (y1 - width, y2 + width) if dy >= 0 else (y2 - width, y1 + width)
        near: list[tuple[int, int, Occluder]] = []
        lasting: list[Occluder] = []
        woods: list[Occluder] = []
        for bx0, by0, bx1, by1, x, y, radius, occluder in known:
            if bx1 < west or bx0 > east or by1 < south or by0 > north:
                continue
            off = dx * (y - y1) - dy * (x - x1)
            reach = radius + width
            if off * off <= reach * reach * length2 and occluder.top > low:
                number = occluder.id
                if number >= 0:
                    if number != own and number != other:
                        near.append((off if off >= 0 else -off, number, occluder))
                elif number == _WOODS:
                    woods.append(occluder)
                else:
                    lasting.append(occluder)
        if len(near) > 1:
            near.sort()
        return Between([occluder for _, _, occluder in near], lasting, woods)

    def _between_cells(self, cells: _Cells) -> tuple[_Filed, ...]:
        """All occluders that a line between a space in one cell and a space in another can meet."""
        column1, row1, column2, row2, wide = cells
        lowest_column, lowest_row = min(column1, column2), min(row1, row2)
        highest_column, highest_row = max(column1, column2), max(row1, row2)
        margin = wide + self._widest
        west, south = lowest_column * _CELL, lowest_row * _CELL
        east, north = (highest_column + 1) * _CELL, (highest_row + 1) * _CELL
        filed = list(self._large)
        for column in range((west - margin) // _CELL, (east + margin) // _CELL + 1):
            for row in range((south - margin) // _CELL, (north + margin) // _CELL + 1):
                filed += self._grid.get((column, row), ())
        # From the middle of one cell to that of the other. No line is farther from this one than half a cell's diagonal.
        x1, y1 = column1 * _CELL + _CELL // 2, row1 * _CELL + _CELL // 2
        dx, dy = (column2 - column1) * _CELL, (row2 - row1) * _CELL
        length2 = dx * dx + dy * dy
        found: list[_Filed] = []
        for one in filed:
            bx0, by0, bx1, by1, x, y, radius, _ = one
            if bx1 < west - wide or bx0 > east + wide or by1 < south - wide or by0 > north + wide:
                continue
            off = dx * (y - y1) - dy * (x - x1)
            if off * off <= (radius + wide + 3 * _CELL // 4) ** 2 * length2 or not length2:
                found.append(one)
        if len(self.pairs) >= _MOST_PAIRS:
            self.pairs.clear()
        known = self.pairs[cells] = tuple(found)
        return known

    def _end(self, number: int) -> _End:
        space = self._board.spaces[number]
        spots = self._viewpoints.sight_points(number) + self._viewpoints.target_points(number)
        low = max(0, min((spot.z for spot in spots), default=0))
        own = space.section if space.kind == "ruin" else -1
        end = self._ends[number] = (space.x, space.y, self._half[number], low, own)
        return end

    def cover(self, target: int, fx: int, fy: int, dx: int, dy: int, cover: int) -> int:
        """The level of cover of a unit in space `target` against the line from (fx, fy) to (fx + dx, fy + dy): `cover`, or a
        higher one from an obstacle that the line crosses near the target, and nearer to the target than to the shooter. Levels
        are those of `SightRules.cover`, 0 for none."""
        near = self._covers[target]
        if near is None:
            near = self._covers[target] = self._obstacles_near(target)
        levels = self._cover
        for obstacle in near:
            level = levels[obstacle.kind]
            if level > cover:
                cut = crossing_at(obstacle.a, obstacle.b, fx, fy, dx, dy)
                if cut is not None and 2 * cut[0] > cut[1]:
                    rest = cut[1] - cut[0]
                    if rest * rest * (dx * dx + dy * dy) <= (self._reach * cut[1]) ** 2:
                        cover = level
        return cover

    def _obstacles_near(self, target: int) -> tuple[Obstacle, ...]:
        """The obstacles that can cover a unit in a space: near one of its points, and higher than the ground there."""
        space = self._board.spaces[target]
        spots = self._viewpoints.target_points(target)
        margin = self._half[target] + self._reach
        near = []
        for obstacle, top, (x, y), radius in self._covering:
            if top > space.z and (x - space.x) ** 2 + (y - space.y) ** 2 <= (radius + margin) ** 2:
                a, b = obstacle.a, obstacle.b
                if any(point_segment_distance((s.x, s.y), a, b) <= self._reach for s in spots):
                    near.append(obstacle)
        return tuple(near)


def blocked_permanently(lasting: list[Occluder], fx: int, fy: int, fz: int, dx: int, dy: int, tz: int) -> int:
    """BOTH where a hill or a high wall blocks the line from (fx, fy) at height `fz` to (fx + dx, fy + dy) at `tz`; LEFT or RIGHT
    where it blocks only on that side (`segment_geometry`); else 0."""
    blocked = 0
    for occluder in lasting:
        if occluder.id == _HILL:
            blocked |= blocked_sides(occluder.polygon, fx, fy, dx, dy, fz, tz, occluder.top)
        else:
            a, b = occluder.polygon
            cut = crossing_at(a, b, fx, fy, dx, dy)
            if cut is not None and fz * cut[1] + (tz - fz) * cut[0] < occluder.top * cut[1]:
                return BOTH
        if blocked == BOTH:
            break
    return blocked


def misses(occluder: Occluder, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether the line from (x, y) to (x + dx, y + dy) misses an occluder's bounding box, and so the occluder. Heights do not
    count."""
    x0, y0, x1, y1 = occluder.x0, occluder.y0, occluder.x1, occluder.y1
    ex, ey = x + dx, y + dy
    if (x < x0 and ex < x0) or (x > x1 and ex > x1) or (y < y0 and ey < y0) or (y > y1 and ey > y1):
        return True
    west, east, south, north = dy * (x0 - x), dy * (x1 - x), dx * (y0 - y), dx * (y1 - y)
    if south > west and south > east:
        return north > west and north > east
    return south < west and south < east and north < west and north < east


def woods_crossed(
    woods: list[Occluder], fx: int, fy: int, fz: int, dx: int, dy: int, tz: int, most: int
) -> int:
    """0 for a line that crosses no woods, 1 for one that crosses at most `most` hundredths of them, -1 for more. The line is as
    in `blocked_permanently`; where it passes over the trees it crosses none."""
    parts = []
    for wood in woods:
        if misses(wood, fx, fy, dx, dy):
            continue
        parts += low_stretches(wood.polygon, fx, fy, dx, dy, fz, tz, wood.top)
    if not parts:
        return 0
    depth = covered(parts)
    return -1 if depth * depth * (dx * dx + dy * dy) > most * most else 1
