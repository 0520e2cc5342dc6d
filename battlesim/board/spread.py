"""Shortest lengths over steps that a rulebook gives (Dijkstra's algorithm). Read `spread`."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

NO_WAY = 1 << 60
"""The length of no way at all."""


def spread(steps: Sequence[Sequence[tuple[int, int]]], lengths: list[int], begun: Sequence[int]) -> None:
    """Shorten `lengths`, one for each space, to what they are over any number of steps from the spaces in `begun`. `steps`: for
    each space, the spaces one step on, with the length of the step (0 or more). A space whose length is below 0 is never entered.

    >>> lengths = [0, NO_WAY, NO_WAY]
    >>> spread([[(1, 5), (2, 9)], [(2, 3)], []], lengths, [0])
    >>> lengths
    [0, 5, 8]
    """
    heap = [(lengths[place], place) for place in begun]
    heapify(heap)
    while heap:
        spent, here = heappop(heap)
        if spent > lengths[here]:
            continue  # there was a shorter way
        for to, cost in steps[here]:
            total = spent + cost
            if total < lengths[to]:
                lengths[to] = total
                heappush(heap, (total, to))
