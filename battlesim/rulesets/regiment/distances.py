"""The distance over any number of moves from every space to places worth going to (RG-HOUSE-TERRAIN, RG-MOVE-1). Read
`distance_field`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.spread import NO_WAY, spread
from battlesim.core.memo import owned_memo
from battlesim.rulesets.regiment import ground, rooms

BESIDE = 1
"""The least distance to a room from beside it: a unit next door is not there yet."""


@owned_memo(bound=256)
def distance_field(board: Board, goals: tuple[int, ...], through: bool, down: frozenset[int]) -> list[int]:
    """The distance from every space to the nearest of `goals` over any number of moves on the ground, `through` houses or around
    them, with some sections `down`; -1 if there is no way. Slow ground counts like any other, so that these distances compare
    with the ranges to enemies. Callers must not change it."""
    steps, lengths = list(_onward(board, through, down)), [NO_WAY] * len(board.spaces)
    for goal in goals:
        lengths[goal], steps[goal] = 0, _steps(board, down)[goal]
    spread(steps, lengths, goals)
    return [-1 if length == NO_WAY else length for length in lengths]


@owned_memo(bound=16)
def _onward(board: Board, through: bool, down: frozenset[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """`_steps`, without those that would lead on through a place that is shut."""
    return tuple(
        () if _is_shut(board, place, through, down) else steps
        for place, steps in enumerate(_steps(board, down))
    )


def _is_shut(board: Board, place: int, through: bool, down: frozenset[int]) -> bool:
    """Whether no way leads on through a place: a room, unless `through` houses, or the future ruin of a house still standing."""
    space = board.spaces[place]
    return (space.kind == "floor" and not through) or (space.kind == "ruin" and space.section not in down)


@owned_memo(bound=8)
def _steps(board: Board, down: frozenset[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For every space, the spaces one step before it, and the length of the step."""
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


@owned_memo(bound=50_000)
def nearest(board: Board, place: int, places: tuple[int, ...]) -> int:
    """The range in a straight line from a space to the nearest of some others."""
    return min([ground.gap(board, place, other) for other in places])
