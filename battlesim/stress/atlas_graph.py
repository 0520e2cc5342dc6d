"""What the graph of a map says about a place, before any game. Read `Graph.of`.

The graph is that of `Board.graph`: spaces, and the ways between them with their lengths, all buildings standing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.stress.atlas_places import Place

MOST_PAIRS = 150_000
"""With more pairs of a floor and a space than this, views are not counted."""
SAMPLE = 400
"""With more spaces than this, betweenness is computed from the shortest ways from this many of them."""
MEASURES = {
    "betweenness": "share of all shortest ways that lead through it",
    "cut": "1 where it is the only way to a part of the map",
    "entries": "doors and inner doors of its section",
    "faces": "walls of its section that face the outdoors",
    "height": "of its floor above the table",
    "views": "spaces that are seen from it",
    "objective": "length of the shortest way to what is to be held (the less, the nearer)",
}


class Measures(Struct, frozen=True):
    """What the graph says about a place; None for a measure without meaning there. Lengths are in the map's unit."""

    betweenness: float | None = None
    cut: float | None = None
    entries: float | None = None
    faces: float | None = None
    height: float | None = None
    views: float | None = None
    objective: float | None = None


class Graph:
    """The graph of a scenario's map, and what it says about places. Each figure is computed where a place first needs it."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self.board: Board = scenario.board.under(find_ruleset(scenario.ruleset).sight)
        floors = sum(space.kind == "floor" for space in self.board.spaces)
        self._look = floors * len(self.board.spaces) <= MOST_PAIRS
        self._views: dict[int, dict[int, int]] = {}
        self._few = SAMPLE if len(self.board.graph) > SAMPLE else None

    @cached_property
    def _nodes(self) -> dict[int, float]:
        """The share of all shortest ways that lead through each space."""
        import networkx

        found: dict[int, float] = networkx.betweenness_centrality(
            self.board.graph, k=self._few, weight="length", seed=1
        )
        return found

    @cached_property
    def _edges(self) -> dict[tuple[int, int], float]:
        """The share of all shortest ways that lead over each way between two spaces."""
        import networkx

        found: dict[tuple[int, int], float] = networkx.edge_betweenness_centrality(
            self.board.graph, k=self._few, weight="length", seed=1
        )
        return found

    @cached_property
    def _cuts(self) -> frozenset[int]:
        """The spaces without which a part of the map is not reached."""
        import networkx

        return frozenset(networkx.articulation_points(self.board.graph))

    @cached_property
    def _bridges(self) -> set[frozenset[int]]:
        """The ways without which a part of the map is not reached."""
        import networkx

        bridges: list[tuple[int, int]] = list(networkx.bridges(self.board.graph))  # type: ignore[arg-type]
        return {frozenset(edge) for edge in bridges}

    @cached_property
    def _far(self) -> Mapping[int, float]:
        """How far each space is from the nearest one that is to be held."""
        import networkx

        graph = self.board.graph
        wanted = {
            place
            for goal in self._scenario.objectives
            for place in goal.places
            if goal.kind == "hold" and place in graph
        }
        return networkx.multi_source_dijkstra_path_length(graph, wanted, weight="length") if wanted else {}

    def of(self, place: Place) -> Measures:
        """What the graph says about a place."""
        if place.section < 0:
            return Measures()
        board = self.board
        section = board.sections[place.section]
        edges = self._ways(place)
        if edges:
            between = max(self._edges.get(edge, self._edges.get(edge[::-1], 0.0)) for edge in edges)
            cut = any(frozenset(edge) in self._bridges for edge in edges)
        else:
            between = max(self._nodes[space] for space in place.spaces)
            cut = any(space in self._cuts for space in place.spaces)
        ways = [way for way in board.ways if way.kind in ("door", "adjoining") and section.id in way.sections]
        near = [self._far[space] for space in place.spaces if space in self._far]
        return Measures(
            betweenness=between,
            cut=float(cut),
            entries=float(len({way.opening if way.kind == "door" else (way.a, way.b) for way in ways})),
            faces=float(sum(side.outer for side in section.sides)),
            height=board.spaces[section.spaces[min(place.floor, section.top)]].z / 100,
            views=self._seen(place),
            objective=min(near) / 100 if near else None,
        )

    def _ways(self, place: Place) -> list[tuple[int, int]]:
        """The edges of a place; () for a place made of spaces. A door may lead to several nodes before it."""
        board = self.board
        if place.kind in ("stairs", "inner wall"):
            one, two = place.spaces
            return [(one, two)] if board.graph.has_edge(one, two) else []
        if place.kind in ("door", "window"):
            return [(way.a, way.b) for way in board.ways if way.opening == place.part]
        return []

    def _seen(self, place: Place) -> float | None:
        """How many spaces are seen through an opening, or from any of the place's spaces."""
        if not self._look or place.kind in ("stairs", "inner wall", "wall"):
            return None
        if place.kind in ("door", "window"):
            return float(self._by_opening(place.spaces[0]).get(place.part, 0))
        return float(max(self._by_opening(space).get(-1, 0) for space in place.spaces))

    def _by_opening(self, space: int) -> dict[int, int]:
        """How many spaces are seen from a floor by each of its openings; under -1 by any."""
        found = self._views.get(space)
        if found is None:
            found = self._views[space] = {}
            for other in self.board.spaces:
                if other.id == space or other.kind == "ruin":
                    continue
                lines = self.board.sight.clear_lines(space, other.id)
                for opening in {-1, *(line.from_opening for line in lines)} if lines else ():
                    found[opening] = found.get(opening, 0) + 1
        return found
