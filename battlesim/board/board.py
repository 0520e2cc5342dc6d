"""The board: a map made ready for play, with the tables that are filled while battles are played on it.

`load.load_map` makes one; a board never changes and is shared by all battles of a process. Rules walk `exits`;
`sight` and `routes` are tables filled on first use; `graph` is for people who analyse a map with networkx.
Read `layout.Layout` first: what a board knows of its map.
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
    """A map's layout with its tables of sight and routes, for one set of `SightRules`. `load.py` says how a board is pickled."""

    sight_rules: SightRules = field(default_factory=SightRules)
    memos: Memos = field(default_factory=no_memos)
    """What has been computed of the map alone, kept for every later battle on it; see `core/memo.py`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._by_rules = {self.sight_rules: self}

    def __repr__(self) -> str:
        under = f".under({self.sight_rules!r})" if self.sight_rules != SightRules() else ""
        return f"load_map({self.name!r}){under}"

    def under(self, rules: SightRules) -> Board:
        """The board of the same map with tables of sight by these rules: the same object for the same rules. Two rulebooks that
        see differently never share an answer; two that see alike share all."""
        if rules is self.sight_rules:
            return self
        found = self._by_rules.get(rules)
        if found is None:
            made = {each.name: getattr(self, each.name) for each in fields(Layout) if each.init}
            found = self._by_rules[rules] = Board(**made, sight_rules=rules)
            found._by_rules = self._by_rules
        return found

    def siblings(self) -> tuple[Board, ...]:
        """This board and those of the same map under other rules of sight."""
        return tuple(self._by_rules.values())

    @cached_property
    def sight(self) -> Sight:
        """Who sees what: tables filled row by row."""
        return Sight(self, self.sight_rules)

    @cached_property
    def routes(self) -> Routes:
        """Who gets where: tables filled row by row."""
        return Routes(self)

    @cached_property
    def graph(self) -> networkx.Graph[int]:
        """The map with all its buildings standing, as a networkx graph; see `as_graph`."""
        return self.as_graph()

    def as_graph(self, ruins: bool = False) -> networkx.Graph[int]:
        """A fresh networkx graph of spaces and ways, ruins and their ways only where asked for.

        Nodes carry name, kind, x, y, z, section, floor, terrain; edges kind, length (hundredths, of the shortest way),
        obstacle, rough, road, water, and `ways`: the numbers of all ways between the two. The graph carries map, unit.
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
