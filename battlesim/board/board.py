"""The board: a map ready for play, with tables of lines of sight and routes.

`load.load_map` makes one. A board never changes and is shared by all battles of a process. Rules walk `exits`. `sight` and
`routes` fill their tables as they are asked. `graph` is for people who analyse a map with networkx. Read `layout.Layout` first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from battlesim.board.layout import Layout
from battlesim.board.model import SightRules
from battlesim.board.routes import Routes
from battlesim.board.sight import Sight
from battlesim.core.memo import Memos, no_memos

if TYPE_CHECKING:
    import networkx


@dataclass(eq=False, repr=False)
class Board(Layout):
    """The layout of a map with its tables of sight and routes, for one set of `SightRules`. `load.py` says how it is pickled."""

    sight_rules: SightRules = field(default_factory=SightRules)
    memos: Memos = field(default_factory=no_memos)
    """Values computed from the map alone, kept for all battles on it; see `core/memo.py`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._by_rules = {self.sight_rules: self}

    def __repr__(self) -> str:
        under = f".under({self.sight_rules!r})" if self.sight_rules != SightRules() else ""
        return f"load_map({self.name!r}){under}"

    def under(self, rules: SightRules) -> Board:
        """The board of the same map with tables of sight by `rules`: the same object for equal rules. So rulebooks share these
        tables exactly where their rules of sight are equal."""
        if rules is self.sight_rules:
            return self
        found = self._by_rules.get(rules)
        if found is None:
            made = {each.name: getattr(self, each.name) for each in fields(Layout) if each.init}
            found = self._by_rules[rules] = Board(**made, sight_rules=rules)
            found._by_rules = self._by_rules
        return found

    def siblings(self) -> tuple[Board, ...]:
        """The boards of this map under all rules of sight in use, this one included."""
        return tuple(self._by_rules.values())

    @cached_property
    def sight(self) -> Sight:
        """Lines of sight between spaces."""
        return Sight(self, self.sight_rules)

    @cached_property
    def routes(self) -> Routes:
        """Routes and distances between spaces."""
        return Routes(self)

    @cached_property
    def graph(self) -> networkx.Graph[int]:
        """The map with all its buildings standing, as a networkx graph; see `as_graph`."""
        return self.as_graph()

    def as_graph(self, ruins: bool = False) -> networkx.Graph[int]:
        """A new networkx graph of spaces and ways. `ruins`: with ruins and the ways to them.

        A node is the number of its space. Nodes have the attributes name, kind, x, y, z, section, floor and terrain, as in
        `model.Space`. Edges have kind, length, obstacle, rough, road and water, as in `model.Way`: those of the shortest way
        between the two spaces. `ways` has the numbers of all of them. The graph itself has map (its name) and unit.
        """
        import networkx

        graph: networkx.Graph[int] = networkx.Graph(map=self.name, unit=self.unit)
        for space in self.spaces:
            if ruins or space.kind != "ruin":
                graph.add_node(
                    space.id,
                    name=space.name,
                    kind=space.kind,
                    x=space.x,
                    y=space.y,
                    z=space.z,
                    section=space.section,
                    floor=space.floor,
                    terrain=space.terrain,
                )
        for way in self.ways:
            if way.a not in graph or way.b not in graph:
                continue
            known: dict[str, Any] = graph.get_edge_data(way.a, way.b) or {}
            numbers = (*known.get("ways", ()), way.id)
            if known and known["length"] <= way.length:
                known["ways"] = numbers
                continue
            graph.add_edge(
                way.a,
                way.b,
                kind=way.kind,
                length=way.length,
                obstacle=way.obstacle,
                rough=way.rough,
                road=way.road,
                water=way.water,
                ways=numbers,
            )
        return graph
