"""The distance of every space from some places, by movement costs: for players, which judge how near they are. Read
`distance_field`."""

from __future__ import annotations

from heapq import heappop, heappush

from battlesim.board.board import Board
from battlesim.core.memo import owned_memo
from battlesim.rulesets.squadhex.ground import neighbours_of
from battlesim.rulesets.squadhex.hexes import hexes

FAR = 36
"""The maximum of a distance, in half movement points."""
BESIDE = 6
"""The distance assumed for a vehicle next to a place that it cannot enter, in half movement points."""


@owned_memo(bound=300)
def distance_field(
    board: Board, places: tuple[int, ...], vehicle: bool, fallen: frozenset[int], closed: frozenset[int]
) -> list[int]:
    """Half movement points from each space to the nearest of some places, at most FAR. Vehicles go next to places that they
    cannot enter."""
    made, grid = neighbours_of(board, fallen, closed), hexes(board)
    away = [FAR] * len(board.spaces)
    queue: list[tuple[int, int]] = []
    exits_of = made.by_vehicle if vehicle else made.on_foot

    def begin(place: int, cost: int) -> None:
        if cost < away[place]:
            away[place] = cost
            heappush(queue, (cost, place))

    for place in places:
        begin(place, 0)
        if vehicle:
            for number in grid.near[grid.of[place]]:
                if grid.ground[number] >= 0:
                    begin(grid.ground[number], BESIDE)
    while queue:
        cost, place = heappop(queue)
        if cost > away[place]:
            continue
        # A step costs what entering its end costs, so the search runs backwards.
        for before, _ in exits_of[place]:
            for to, more in exits_of[before]:
                if to == place and cost + more < away[before]:
                    away[before] = cost + more
                    heappush(queue, (cost + more, before))
    return away
