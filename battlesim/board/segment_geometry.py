"""Exact integer geometry of a straight line and the polygons that it meets, for `sight.py`.

A line runs from `p` to `p + d`. Positions along it are fractions in 0..1, (numerator, denominator > 0), never floats. A line
that touches a corner or runs along a wall is tried a tiny bit to its left and to its right, and each side may be blocked
(`LEFT`, `RIGHT`). So a line along an outer wall is clear, one along the wall between two houses is blocked, and the result is
the same from either end. Read `blocked_sides` first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from battlesim.core.geometry import Point

LEFT = 1
RIGHT = 2
BOTH = LEFT | RIGHT
"""The sides on which a line is blocked, as bits that can be joined with `|`; 0 is neither."""


def blocked_sides(
    polygon: Sequence[Point], px: int, py: int, dx: int, dy: int, z1: int, z2: int, top: int
) -> int:
    """Whether the line from `(px, py)` at height `z1` to `(px + dx, py + dy)` at `z2` passes through a polygon below `top`: 0
    for no, BOTH for yes, LEFT or RIGHT where it does only when moved a tiny bit to that side.

    A line exactly at `top` passes over. An end of the line that touches the outline does not count. Points and heights are in
    one unit, any.

    >>> house = [(0, 0), (600, 0), (600, 600), (0, 600)]
    >>> blocked_sides(house, -100, 300, 800, 0, z1=100, z2=100, top=300) == BOTH
    True
    >>> blocked_sides(house, -100, 0, 800, 0, z1=100, z2=100, top=300) == LEFT  # along its southern wall
    True
    """
    signs = [dx * (y - py) - dy * (x - px) for x, y in polygon]
    if min(signs) > 0 or max(signs) < 0:
        return 0
    enters = _enters if z1 < top and z2 < top else _enters_below
    if 0 not in signs:
        return BOTH if enters(polygon, signs, 0, px, py, dx, dy, z1, z2, top) else 0
    left = enters(polygon, signs, 0, px, py, dx, dy, z1, z2, top)
    right = enters(polygon, signs, -1, px, py, dx, dy, z1, z2, top)
    return (LEFT if left else 0) | (RIGHT if right else 0)


# `floor` in the three functions below: a corner lies left of the line when its sign is above `floor`. It is 0 for a line moved a
# tiny bit to the left (corners on the line are then right of it), -1 for one moved to the right.


def _enters(
    polygon: Sequence[Point],
    signs: list[int],
    floor: int,
    px: int,
    py: int,
    dx: int,
    dy: int,
    z1: int,
    z2: int,
    top: int,
) -> bool:
    """Whether any of the line lies inside. Heights do not matter, since both ends are below `top`."""
    length2 = dx * dx + dy * dy
    inside = False
    x1, y1 = polygon[-1]
    s1 = signs[-1]
    for (x2, y2), s2 in zip(polygon, signs, strict=True):
        if (s1 > floor) != (s2 > floor):
            along = ((x2 - px) * dx + (y2 - py) * dy) * s1 - ((x1 - px) * dx + (y1 - py) * dy) * s2
            if s1 < s2:
                along = -along
                whole = (s2 - s1) * length2
            else:
                whole = (s1 - s2) * length2
            if along <= 0:
                inside = not inside  # crossed before the line begins
            elif along < whole:
                return True
        x1, y1, s1 = x2, y2, s2
    return inside


def _enters_below(
    polygon: Sequence[Point],
    signs: list[int],
    floor: int,
    px: int,
    py: int,
    dx: int,
    dy: int,
    z1: int,
    z2: int,
    top: int,
) -> bool:
    """Whether any of the line inside the polygon is lower than `top`."""
    if z1 >= top and z2 >= top:
        return False
    for (n1, d1), (n2, d2) in _stretches(polygon, signs, floor, px, py, dx, dy):
        if n1 >= d1 or n2 <= 0:
            continue
        # The height changes evenly along the line, so its lowest point in the stretch is at one end.
        if z2 < z1:
            n, d = (n2, d2) if n2 < d2 else (1, 1)
        else:
            n, d = (n1, d1) if n1 > 0 else (0, 1)
        if z1 * d + (z2 - z1) * n < top * d:
            return True
    return False


def _stretches(
    polygon: Sequence[Point], signs: list[int], floor: int, px: int, py: int, dx: int, dy: int
) -> Iterable[tuple[tuple[int, int], tuple[int, int]]]:
    """The stretches of the infinite line inside the polygon, in order, as pairs of fractions."""
    length2 = dx * dx + dy * dy
    cuts: list[tuple[int, int]] = []
    x1, y1 = polygon[-1]
    s1 = signs[-1]
    for (x2, y2), s2 in zip(polygon, signs, strict=True):
        if (s1 > floor) != (s2 > floor):
            along = ((x2 - px) * dx + (y2 - py) * dy) * s1 - ((x1 - px) * dx + (y1 - py) * dy) * s2
            cuts.append((along, (s1 - s2) * length2) if s1 > s2 else (-along, (s2 - s1) * length2))
        x1, y1, s1 = x2, y2, s2
    if len(cuts) == 2:
        (n1, d1), (n2, d2) = cuts
        if n1 * d2 > n2 * d1:
            cuts.reverse()
    else:
        cuts.sort(key=lambda cut: Fraction(*cut))
    return zip(cuts[::2], cuts[1::2], strict=True)


def low_stretches(
    polygon: Sequence[Point], px: int, py: int, dx: int, dy: int, z1: int, z2: int, top: int
) -> list[tuple[Fraction, Fraction]]:
    """The stretches of the line inside the polygon and below `top`, as parts of its length within 0..1."""
    signs = [dx * (y - py) - dy * (x - px) for x, y in polygon]
    if min(signs) > 0 or max(signs) < 0 or (z1 >= top and z2 >= top):
        return []
    low, high = Fraction(0), Fraction(1)
    if z1 >= top:
        low = Fraction(z1 - top, z1 - z2)
    elif z2 >= top:
        high = Fraction(top - z1, z2 - z1)
    # A line along the edge of a wood has two results, one for each side; the shorter one counts.
    found: list[list[tuple[Fraction, Fraction]]] = []
    for floor in (0, -1) if 0 in signs else (0,):
        parts = []
        for a, b in _stretches(polygon, signs, floor, px, py, dx, dy):
            t1, t2 = max(low, Fraction(*a)), min(high, Fraction(*b))
            if t1 < t2:
                parts.append((t1, t2))
        found.append(parts)
    return min(found, key=lambda parts: (sum((b - a for a, b in parts), Fraction(0)), parts))


def covered(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The length of all stretches together, as a part of the line from 0 to 1, overlaps counted once."""
    total, reached = Fraction(0), Fraction(0)
    for t1, t2 in sorted(parts):
        if t2 > reached:
            total += t2 - max(t1, reached)
            reached = t2
    return total


def crossing_at(a: Point, b: Point, px: int, py: int, dx: int, dy: int) -> tuple[int, int] | None:
    """Where the line crosses the segment from `a` to `b`, as a fraction (numerator, denominator) strictly between 0 and 1; else
    None.

    Passing through an end of the segment counts as crossing, running along it does not. The fraction is not reduced.

    >>> from fractions import Fraction
    >>> Fraction(*crossing_at((50, -10), (50, 10), 0, 0, 200, 0))
    Fraction(1, 4)
    """
    s1 = dx * (a[1] - py) - dy * (a[0] - px)
    s2 = dx * (b[1] - py) - dy * (b[0] - px)
    if (s1 > 0 and s2 > 0) or (s1 < 0 and s2 < 0) or s1 == s2:
        return None
    u1 = (a[0] - px) * dx + (a[1] - py) * dy
    u2 = (b[0] - px) * dx + (b[1] - py) * dy
    n, d = u2 * s1 - u1 * s2, (s1 - s2) * (dx * dx + dy * dy)
    if d < 0:
        n, d = -n, -d
    return (n, d) if 0 < n < d else None
