"""Cutting large buildings into sections of at most 8 x 8 units, about 6 x 6 where possible.

An outline is cut along or across its longest wall, at inner corners where that leaves no slivers. Each part is cut again until
it is small enough. Read `partition` first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from battlesim.board.shapes import Polygon, counter_clockwise, crossing_itself, edges, extents, middle, turn
from battlesim.core.geometry import Point, doubled_area

LARGEST = 800
"""The most that a section may be long, in hundredths."""
WANTED = 600
"""The length that sections have where possible, in hundredths."""
_THIN = 250  # a part thinner than this is a sliver, which is avoided where another cut is possible
_WASTED = 1_000_000  # cost of a cut that gains nothing: more than that of any useful cut
_LEVELS = 40  # the most cuts in a row, against shapes that do not get smaller


class TooIntricate(Exception):
    """Cutting an outline would take more work than the budget allows."""


class WorkBudget:
    """How much work the cutting of one building may take. It is counted in pairs of corners, not in seconds, so that the same
    building is cut or refused on every machine. The default takes a few seconds."""

    def __init__(self, most: int = 5_000_000) -> None:
        self.left = most

    def spend(self, pairs: int) -> None:
        """Take so many pairs of corners from what is `left`. Raises TooIntricate if that is not enough."""
        self.left -= pairs
        if self.left < 0:
            raise TooIntricate


def partition(polygon: Polygon, work: WorkBudget | None = None) -> list[tuple[Point, ...]]:
    """The sections of a simple outline, each counter-clockwise, from north to south and west to east.

    An outline that is small enough is returned as it is. Neighbouring sections share the corners of their cut. Raises
    TooIntricate where `work` is not enough; None: no limit.
    """
    parts = _cut(counter_clockwise(polygon), _LEVELS, work)
    return sorted(parts, key=lambda part: (-(middle(part)[1] // 300), middle(part)))


def _cut(polygon: tuple[Point, ...], levels: int, work: WorkBudget | None) -> list[tuple[Point, ...]]:
    spend = None if work is None else work.spend
    before = extents(polygon, spend)
    if before[0] <= LARGEST or levels == 0:
        return [polygon]
    tried: list[tuple[int, int, list[tuple[Point, ...]]]] = []
    for number, (direction, position) in enumerate(_candidates(polygon)):
        parts = split(polygon, direction, position)
        if spend is not None:
            spend(4 * len(polygon))
        if len(parts) > 1:
            sizes = [extents(part, spend) for part in parts]
            cost = sum(map(_cost, parts, sizes)) + _cut_length(polygon, direction, position)
            cost += _WASTED * sum(_is_no_gain(size, before) for size in sizes)
            tried.append((cost, number, parts))
    for _, _, parts in sorted(tried):
        if spend is not None:
            spend(sum(len(part) ** 2 for part in parts))
        # Rounding to hundredths can make a very thin part cross itself; such a cut is not used.
        if all(crossing_itself(part) is None for part in parts):
            return [small for part in parts for small in _cut(part, levels - 1, work)]
    return [polygon]  # no cut works; `check_map` warns of its length


def _is_no_gain(size: tuple[int, int], before: tuple[int, int]) -> bool:
    """Whether a part is about as long as the whole was (`before`), and either a sliver or about as wide: further cuts would only
    make more of these."""
    long, short = size
    return 10 * long > 9 * before[0] and (short < _THIN or 10 * short > 9 * before[1])


def _candidates(polygon: tuple[Point, ...]) -> list[tuple[Point, int]]:
    """Lines to try: a direction d and a position p stand for the line of all points q with q . d == p."""
    a, b = max(edges(polygon), key=lambda edge: (_square(edge), edge))
    found: list[tuple[Point, int]] = []
    for direction in ((b[0] - a[0], b[1] - a[1]), (a[1] - b[1], b[0] - a[0])):
        norm = isqrt(direction[0] ** 2 + direction[1] ** 2)
        places = [p[0] * direction[0] + p[1] * direction[1] for p in polygon]
        low, high = min(places), max(places)
        length = (high - low) // norm
        count = max((length + WANTED // 2) // WANTED, -(-length // LARGEST), 1)
        found += [(direction, low + (high - low) * i // count) for i in range(1, count)]
        found += [(direction, low + (high - low) * i // 16) for i in (7, 8, 9)]
        edge = WANTED // 4 * norm
        found += [(direction, place) for place in places if low + edge < place < high - edge]
    return found


def _square(edge: tuple[Point, Point]) -> int:
    (ax, ay), (bx, by) = edge
    return (bx - ax) ** 2 + (by - ay) ** 2


def _cost(part: tuple[Point, ...], size: tuple[int, int]) -> int:
    """The cost of a part: for slivers, for inner corners, and for how far its sides are from multiples of WANTED."""
    long, short = size
    cost = 0
    if short < _THIN:
        cost += 4 * (_THIN - short) + 500
    for length in (long, short):
        count = max(1, (length + WANTED // 2) // WANTED)
        cost += abs(length - count * WANTED) if length > WANTED else (WANTED - length) // 2
    # The area that it lacks of its bounding box stands for inner corners.
    box = long * short
    return cost + (box - min(box, doubled_area(part) // 2)) // 1000


def _cut_length(polygon: tuple[Point, ...], direction: Point, position: int) -> int:
    """Half the length of the cut: narrow places are better to cut at."""
    crossings = _crossings(polygon, direction, position)
    norm = isqrt(direction[0] ** 2 + direction[1] ** 2)
    places = sorted(p[1] * direction[0] - p[0] * direction[1] for p in crossings)
    return sum(b - a for a, b in zip(places[::2], places[1::2], strict=False)) // norm // 2


def _crossings(polygon: Polygon, direction: Point, position: int) -> list[Point]:
    found = []
    for a, b in edges(polygon):
        sa = a[0] * direction[0] + a[1] * direction[1] - position
        sb = b[0] * direction[0] + b[1] * direction[1] - position
        if (sa < 0) != (sb < 0):
            found.append(_meeting(a, b, sa, sb))
    return found


def _meeting(a: Point, b: Point, sa: int, sb: int) -> Point:
    """Where the edge meets the line, from the signed distances of its ends; the same for both directions of the edge."""
    if b < a:
        a, b, sa, sb = b, a, sb, sa
    span = 2 * (sa - sb)
    dx, dy = (b[0] - a[0]) * sa * 2, (b[1] - a[1]) * sa * 2
    half = abs(span) // 2
    if span < 0:
        span, dx, dy = -span, -dx, -dy
    return a[0] + (dx + half) // span, a[1] + (dy + half) // span


def split(polygon: Polygon, direction: Point, position: int) -> list[tuple[Point, ...]]:
    """The parts of a simple polygon on both sides of the line of points q with q . direction == position.

    A corner on the line counts as beyond it, so that crossings come in pairs; between the two of a pair the line runs inside.
    Parts without an area are left out. A line that misses the polygon leaves it whole.

    >>> split([(0, 0), (600, 0), (600, 300), (0, 300)], (1, 0), 300)
    [((0, 0), (300, 0), (300, 300), (0, 300)), ((600, 0), (600, 300), (300, 300), (300, 0))]
    """
    ring: list[Point] = []
    partner: list[int] = []
    crossings: list[int] = []
    for a, b in edges(polygon):
        ring.append(a)
        partner.append(-1)
        sa = a[0] * direction[0] + a[1] * direction[1] - position
        sb = b[0] * direction[0] + b[1] * direction[1] - position
        if (sa < 0) != (sb < 0):
            crossings.append(len(ring))
            ring.append(_meeting(a, b, sa, sb))
            partner.append(-1)
    if not crossings:
        return [tuple(polygon)]
    crossings.sort(key=lambda i: (ring[i][1] * direction[0] - ring[i][0] * direction[1], i))
    for one, two in zip(crossings[::2], crossings[1::2], strict=True):
        partner[one], partner[two] = two, one
    parts = []
    used = [False] * len(ring)
    for start in range(len(ring)):
        if used[start] or partner[start] >= 0:
            continue
        part: list[Point] = []
        at = start
        while not used[at]:
            used[at] = True
            part.append(ring[at])
            if partner[at] >= 0:
                # At a cut, go to its other end and on from there.
                at = partner[at]
                part.append(ring[at])
            at = (at + 1) % len(ring)
        parts.append(part)
    tidy = [_tidy(part) for part in parts]
    return [part for part in tidy if len(part) >= 3 and doubled_area(part) > 0]


def _tidy(points: Sequence[Point]) -> tuple[Point, ...]:
    """The outline without corners that repeat another, lie on a straight wall or end a spike; a cut along a wall leaves those."""
    left = list(points)
    i = 0
    while len(left) >= 3 and i < len(left):
        before, at, after = left[i - 1], left[i], left[(i + 1) % len(left)]
        if at in (before, after) or turn(before, at, after) == 0:
            del left[i]
            i = max(0, i - 2)
        else:
            i += 1
    # When the last corners are gone, the first ones may lie on a straight wall.
    return tuple(left) if len(left) == len(points) else _tidy(left)
