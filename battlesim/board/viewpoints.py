"""The points that a space is seen from and aimed at: eyes in the open, openings and walls of a floor.

From a floor one sees out of its openings and, for openings made before the battle, from the middle of each wall without one. It
is aimed at through its openings and at its walls, also at those that a neighbour hides until it falls. A flat roof is open on
each side. Read `SightPoints` first; `sight.py` draws the lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from battlesim.board.layout import WALL, Layout
from battlesim.board.model import BARE, Section, Space
from battlesim.board.shapes import TOLERANCE, WALL_TO_SHOW, along, covered, outwards
from battlesim.core.geometry import Point, distance, in_polygon


class SightPoint(NamedTuple):
    """A point to see from or to aim at. `side` and `opening`: as in `SightLine`. `nx, ny`: the direction out of its wall, at most
    `length` long; 0, 0 outdoors.
    """

    x: int
    y: int
    z: int
    side: int
    opening: int
    nx: int
    ny: int
    length: int = 0


class SightPoints:
    """The points of all spaces of a board, computed on first use. `eye`: height of eyes in the open, in hundredths."""

    def __init__(self, board: Layout, eye: int) -> None:
        self._board = board
        self._eye = eye
        self._from: list[tuple[SightPoint, ...] | None] = [None] * len(board.spaces)
        self._at: list[tuple[SightPoint, ...] | None] = [None] * len(board.spaces)
        self.middles = [(space.x, space.y, self._half_size(space)) for space in board.spaces]

    def sight_points(self, space: int) -> tuple[SightPoint, ...]:
        """The points that one sees from in a space: eyes; or openings, and the middle of each wall without one."""
        found = self._from[space]
        return self._find(space)[0] if found is None else found

    def target_points(self, space: int) -> tuple[SightPoint, ...]:
        """The points of a space that one aims at: eyes; or openings, and the middle of each wall."""
        found = self._at[space]
        return self._find(space)[1] if found is None else found

    def sight_points_towards(self, space: int, towards: int) -> tuple[SightPoint, ...]:
        """Those of `sight_points(space)` from which some point of space `towards` may lie in front of the wall."""
        return self._in_front(self.sight_points(space), towards)

    def target_points_from(self, space: int, origin: int) -> tuple[SightPoint, ...]:
        """Those of `target_points(space)` whose wall some point of space `origin` may lie in front of."""
        return self._in_front(self.target_points(space), origin)

    def _in_front(self, spots: tuple[SightPoint, ...], space: int) -> tuple[SightPoint, ...]:
        if len(spots) == 1:
            return spots
        x, y, half = self.middles[space]
        return tuple([s for s in spots if (x - s.x) * s.nx + (y - s.y) * s.ny > -half * s.length])

    def half_size(self, space: int) -> int:
        """How far a space's points may lie from its middle, in hundredths; 0 for all but floors."""
        return self.middles[space][2]

    def _half_size(self, space: Space) -> int:
        if space.kind != "floor":
            return 0
        return max(distance(space.point, p) for p in self._board.sections[space.section].polygon) + WALL + 2

    def _find(self, number: int) -> tuple[tuple[SightPoint, ...], tuple[SightPoint, ...]]:
        space = self._board.spaces[number]
        if space.kind == "floor":
            found = self._of_floor(space)
        else:
            eyes = (SightPoint(space.x, space.y, space.z + self._eye, -1, -1, 0, 0),)
            found = eyes, eyes
        self._from[number], self._at[number] = found
        return found

    def _of_floor(self, space: Space) -> tuple[tuple[SightPoint, ...], tuple[SightPoint, ...]]:
        section = self._board.sections[space.section]
        opened: list[SightPoint] = []
        for number in section.openings[space.floor]:
            opening = self._board.openings[number]
            side = section.sides[opening.side]
            nx, ny = side.b[1] - side.a[1], side.a[0] - side.b[0]
            opened.append(
                SightPoint(
                    opening.x,
                    opening.y,
                    opening.z,
                    opening.side,
                    opening.id,
                    nx,
                    ny,
                    isqrt(nx * nx + ny * ny) + 1,
                )
            )
        if space.roof:
            return tuple(opened), tuple(opened)
        neighbours = self._neighbours(section, space)
        outlines = [other.polygon for other in neighbours]
        walls = []
        for number, side in enumerate(section.sides):
            if side.outer and space.floor >= side.outer_from:
                walls.append(_of_wall(section, space, number, outlines))
            for other in neighbours:
                walls += _bared(section, space, number, other)
        sides = [spot.side for spot in opened]
        blank = [spot for spot in walls if spot.side not in sides]
        return tuple(opened + blank), tuple(opened + walls)

    def _neighbours(self, section: Section, space: Space) -> list[Section]:
        """The other sections that are near and tall enough to hide the middle of a wall of a floor."""
        spaces = self._board.spaces
        return [
            other
            for other in self._board.sections
            if other.id != section.id
            and abs(spaces[other.ruin].x - space.x) <= section.size + other.size
            and abs(spaces[other.ruin].y - space.y) <= section.size + other.size
            and spaces[other.spaces[0]].z + other.height > space.z + section.storey // 2
        ]


def _of_wall(
    section: Section, space: Space, number: int, neighbours: Sequence[Sequence[Point]]
) -> SightPoint:
    """A point just outside the wall: its middle, or the first of a few others that no neighbour hides."""
    side = section.sides[number]
    (ax, ay), (bx, by) = side.a, side.b
    nx, ny = by - ay, ax - bx
    length = max(1, isqrt(nx * nx + ny * ny))
    z = space.z + section.storey // 2
    spots = [
        (
            ax + (bx - ax) * part // 16 + _rounded(WALL * nx, length),
            ay + (by - ay) * part // 16 + _rounded(WALL * ny, length),
        )
        for part in (8, 4, 12, 2, 14, 1, 15)
    ]
    free = [p for p in spots if not any(in_polygon(p, polygon) for polygon in neighbours)]
    x, y = (free or spots)[0]
    return SightPoint(x, y, z, number, -1, nx, ny, length + 1)


def _bared(section: Section, space: Space, number: int, other: Section) -> list[SightPoint]:
    """A point just outside each stretch of a wall that `other` hides. It lies inside `other`, so no line reaches it until that
    falls."""
    side = section.sides[number]
    nx, ny = side.b[1] - side.a[1], side.a[0] - side.b[0]
    length = isqrt(nx * nx + ny * ny) + 1
    spots: list[SightPoint] = []
    for start, end in covered(side.a, side.b, other.polygon):
        middle = along(side.a, side.b, (start + end) // 2)
        # Outlines may be a little apart; then the point lies farther out.
        for out in (WALL, 2 * TOLERANCE + 1):
            x, y = outwards(side.a, side.b, middle, out)
            if end - start >= WALL_TO_SHOW and in_polygon((x, y), other.polygon):
                z = space.z + section.storey // 2
                spots.append(SightPoint(x, y, z, number, BARE, nx, ny, length))
                break
    return spots


def _rounded(n: int, d: int) -> int:
    """n / d to the nearest whole, halves away from 0, so that opposite walls are treated alike."""
    return (2 * n + d) // (2 * d) if n >= 0 else -((2 * -n + d) // (2 * d))
