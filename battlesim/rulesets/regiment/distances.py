"""How far it is over any number of moves, from every space to what is worth going to (RG-HOUSE-TERRAIN, RG-MOVE-1). Read
`distance_field`."""

from __future__ import annotations

from heapq import heappop, heappush

from battlesim.board.board import Board
from battlesim.core.memo import owned_memo
from battlesim.rulesets.regiment import ground, rooms

BESIDE = 1
"""How far it is at least to a room from beside it: who is next door is not there yet."""


@owned_memo(bound=256)
def distance_field(board: Board, goals: tuple[int, ...], through: bool, down: frozenset[int]) -> list[int]:
    """How far it is from every space to the nearest of `goals` over any number of moves on the ground, `through` houses or round
    them, with some sections `down`; -1 where there is no way. Slow ground counts as any other, so that ways and the ranges to
    enemies compare. Not to be changed by the caller."""
    steps, far = _steps(board, down), 1 << 60
    lengths = [far] * len(board.spaces)
    for goal in goals:
        lengths[goal] = 0
    heap = [(0, goal) for goal in sorted(goals)]
    while heap:
        spent, here = heappop(heap)
        if spent > lengths[here]:
            continue  # there was a shorter way
        if spent and _is_shut(board, here, through, down):
            continue  # no way leads on through there
        for before, cost in steps[here]:
            if spent + cost < lengths[before]:
                lengths[before] = spent + cost
                heappush(heap, (spent + cost, before))
    return [-1 if length == far else length for length in lengths]


def _is_shut(board: Board, place: int, through: bool, down: frozenset[int]) -> bool:
    """Whether nobody goes on through a place: a room, unless `through` houses, or where the ruin of a house would lie that still
    stands."""
    space = board.spaces[place]
    return (space.kind == "floor" and not through) or (space.kind == "ruin" and space.section not in down)


@owned_memo(bound=8)
def _steps(board: Board, down: frozenset[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every space from which one comes to a space in one step, and how long that is."""
    found: list[dict[int, int]] = [{} for _ in board.spaces]

    def add(to: int, before: int, cost: int) -> None:
        found[to][before] = min(cost, found[to].get(before, cost))

    for space in board.spaces:
        for to, number in board.exits[space.id]:
            way = board.ways[number]
            inside = "ruin" in (space.kind, board.spaces[to].kind)
            if ground.pace(way) is not None and (
                inside or way.kind != "ruin" or down.issuperset(way.sections)
            ):
                add(to, space.id, way.length)
    for place, room in rooms.rooms_of(board).by_place.items():
        if room.section in down:
            continue
        for node, _ in room.contacts:
            far = max(BESIDE, ground.gap(board, node, place))
            add(place, node, far)
            add(node, place, far)
        for other in room.neighbours:
            add(place, other, BESIDE)
    return tuple(tuple(sorted(one.items())) for one in found)
