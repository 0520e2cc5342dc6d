"""Path lengths, over any number of moves, from every space to given goals (AC-HOUSE-MOVE). Read `distance_field`."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from battlesim.board.board import Board
from battlesim.board.spread import NO_WAY, spread
from battlesim.core.memo import owned_memo
from battlesim.rulesets.armorclass import ground, works
from battlesim.rulesets.armorclass.ground import Changes


def distance_field(board: Board, goals: tuple[int, ...], foot: bool, changes: Changes) -> list[int]:
    """The path length from every space to the nearest of `goals`, over any number of moves, with some structures changed; -1 if
    there is no way. The caller must not change the list."""
    return _spread(board, goals, foot, changes if foot else ())


@owned_memo(bound=256)
def _spread(board: Board, goals: tuple[int, ...], foot: bool, changes: Changes) -> list[int]:
    """`distance_field`, cached. Changes to structures do not affect ways outdoors."""
    steps: Sequence[Sequence[tuple[int, int]]] = _steps(board, foot)
    gone, begun = _gone(board, changes).difference(goals), set(goals)
    if changes:  # distances that do not depend on the changes stay the same
        before, passages = _spread(board, goals, foot, ()), _passages(board, changes)
        lost = _depending(before, steps, gone)
        lengths = [NO_WAY if n < 0 or place in lost else n for place, n in enumerate(before)]
        edge = {to for place in lost.difference(gone) for to, _ in steps[place]}
        begun = {place for place in edge.union(passages) if lengths[place] < NO_WAY}
        if passages:
            steps = [(*out, *passages.get(place, ())) for place, out in enumerate(steps)]
        for place in gone:
            lengths[place] = -1
    else:
        lengths = [NO_WAY] * len(board.spaces)
        for goal in goals:
            lengths[goal] = 0
    spread(steps, lengths, sorted(begun))
    return [-1 if length == NO_WAY else length for length in lengths]


@owned_memo(bound=2)
def _steps(board: Board, foot: bool) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For every space, the spaces that ways lead to and their lengths, while nothing has fallen."""
    return tuple(
        tuple((way.to, way.cost) for way in out if works.is_left(board, way.to, -1))
        for out in (ground.exits_of if foot else ground.drives)(board)
    )


def _gone(board: Board, changes: Changes) -> frozenset[int]:
    """The floors that are destroyed."""
    return frozenset(
        place
        for change in changes
        if change.gone >= 0
        for place in board.sections[change.section].spaces[change.gone :]
    )


def _passages(board: Board, changes: Changes) -> dict[int, list[tuple[int, int]]]:
    """By space: the spaces that breaches lead to, and the distances."""
    ways = ground.breach_exits(board, changes)
    return {place: [(way.to, way.cost) for way in out] for place, out in ways.items()}


def _depending(
    lengths: list[int], steps: Sequence[Sequence[tuple[int, int]]], gone: frozenset[int]
) -> frozenset[int]:
    """The `gone` spaces, and the spaces from which every shortest way to the goal (`lengths`) goes through them."""
    lost = set(gone)
    heap = [(lengths[place], place) for place in gone if lengths[place] >= 0]
    heapify(heap)
    while heap:
        length, place = heappop(heap)
        if place not in lost:
            if any(lengths[to] == length - cost and cost and to not in lost for to, cost in steps[place]):
                continue  # there is a way round
            lost.add(place)
        for to, cost in steps[place]:
            if to not in lost and lengths[to] == length + cost > 0:
                heappush(heap, (lengths[to], to))
    return frozenset(lost)
