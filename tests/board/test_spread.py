"""Shortest lengths over steps are those that networkx finds."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim.board.spread import NO_WAY, spread

PLACES = 8
STEPS = st.lists(
    st.lists(st.tuples(st.integers(0, PLACES - 1), st.integers(0, 9)), max_size=4),
    min_size=PLACES,
    max_size=PLACES,
)


@pytest.mark.slow
@given(
    STEPS, st.sets(st.integers(0, PLACES - 1), min_size=1, max_size=3), st.sets(st.integers(0, PLACES - 1))
)
def test_lengths_are_the_shortest(
    steps: list[list[tuple[int, int]]], goals: set[int], closed: set[int]
) -> None:
    closed -= goals
    lengths = [0 if place in goals else -1 if place in closed else NO_WAY for place in range(PLACES)]
    spread(steps, lengths, sorted(goals))
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(set(range(PLACES)) - closed)
    for place, out in enumerate(steps):
        for to, cost in out:
            if not closed & {place, to}:
                graph.add_edge(place, to, weight=cost)
    found = networkx.multi_source_dijkstra_path_length(graph, goals)
    assert lengths == [-1 if place in closed else found.get(place, NO_WAY) for place in range(PLACES)]
