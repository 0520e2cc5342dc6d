"""Which spaces lie in a zone. Read `spaces_in`.

An outdoor place lies in a zone if its point does, a floor only if its whole section does. A ruin is never part of a zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battlesim.board.board import Board
from battlesim.board.shapes import edges, segments_cross, turn
from battlesim.core.geometry import Point, in_polygon
from battlesim.core.memo import owned_memo


def holds_polygon(outer: Sequence[Point], inner: Sequence[Point]) -> bool:
    """Whether one simple polygon lies wholly in another; a shared outline counts as inside."""
    if not all(in_polygon(p, outer) for p in inner):
        return False
    # In half hundredths every midpoint is exact. A rounded one could fall just outside a slanted outline that both share.
    doubled = [(2 * x, 2 * y) for x, y in outer]
    for a, b in edges(inner):
        if not in_polygon((a[0] + b[0], a[1] + b[1]), doubled):
            return False
        if any(segments_cross(a, b, c, d) for c, d in edges(outer)):
            return False
    # A notch of a concave zone may still begin at the inner outline: then one of its corners is well inside.
    return not any(_well_inside(p, inner) for p in outer)


def _well_inside(p: Point, polygon: Sequence[Point]) -> bool:
    return in_polygon(p, polygon) and not any(
        turn(a, b, p) == 0
        and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
        for a, b in edges(polygon)
    )


def spaces_in(
    board: Board, outline: Sequence[Point], places: Iterable[int], sections: Iterable[int]
) -> tuple[int, ...]:
    """The spaces of a zone, ascending: ground and whole sections inside the outline (() for none), places and the
    floors of sections named."""
    found = dict.fromkeys(places)
    for number in sections:
        found.update(dict.fromkeys(board.sections[number].spaces))
    if outline:
        found.update(dict.fromkeys(_inside(board, tuple(outline))))
    return tuple(sorted(found))


@owned_memo(bound=1_000)
def _inside(board: Board, outline: tuple[Point, ...]) -> tuple[int, ...]:
    """Ground and whole sections inside an outline. Kept, since a stress test reads thousands of scenarios on one map."""
    ground = [s.id for s in board.spaces if s.kind == "ground" and in_polygon(s.point, outline)]
    floors = [s.spaces for s in board.sections if holds_polygon(outline, s.polygon)]
    return (*ground, *(space for spaces in floors for space in spaces))
