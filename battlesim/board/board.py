"""The board: a map made ready for play. Spaces, ways and sections by number, and what lies behind them.

`load.load_map` makes one; a board never changes and is shared by all battles of a process. Rules walk `exits`;
`sight` and `routes` are tables filled on first use; `graph` is for people who analyse a map with networkx.
Read `Board` first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from battlesim.board.model import Area, Obstacle, Opening, Section, Space, Way
from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.geometry import Point, distance, polygon_distance, polygon_gap

if TYPE_CHECKING:
    import networkx

    from battlesim.board.routes import Routes
    from battlesim.board.sight import Sight

WALL = 5
"""How far outside its wall an opening lies, in hundredths."""


@dataclass(eq=False, repr=False)
class Board:
    """Everything about a map that never changes. All lengths are hundredths of its `unit` (inch or hex).

    `spaces[i].id == i`, and so for ways, sections and openings. Ground spaces come first in the file's order, then
    floors by section, then ruins. `exits[i]` lists the ways out of space i as (other end, way number), sorted; ruin
    ways are among them, and only the rules know whether they are open. `buildings` names section numbers. `pitch` is
    the usual length of a ground way. `source` is what the map file says, in canonical bytes, `digest` their hash.
    """

    name: str
    title: str
    unit: str
    size: Point
    pitch: int
    spaces: tuple[Space, ...]
    sections: tuple[Section, ...]
    openings: tuple[Opening, ...]
    ways: tuple[Way, ...]
    obstacles: tuple[Obstacle, ...]
    areas: tuple[Area, ...]
    digest: str
    source: bytes
    attribution: str = ""
    license: str = ""
    memo: dict[str, object] = field(default_factory=dict)
    """Tables that a ruleset derives from the map alone, kept for every later battle on it; keys begin with its name."""
    by_name: dict[str, int] = field(init=False)
    section_by_name: dict[str, int] = field(init=False)
    buildings: dict[str, tuple[int, ...]] = field(init=False)
    exits: tuple[tuple[tuple[int, int], ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.by_name = {space.name: space.id for space in self.spaces}
        self.section_by_name = {section.name: section.id for section in self.sections}
        buildings: dict[str, list[int]] = {}
        for section in self.sections:
            buildings.setdefault(section.building, []).append(section.id)
        self.buildings = {name: tuple(ids) for name, ids in buildings.items()}
        exits: list[list[tuple[int, int]]] = [[] for _ in self.spaces]
        for way in self.ways:
            exits[way.a].append((way.b, way.id))
            exits[way.b].append((way.a, way.id))
        self.exits = tuple(tuple(sorted(out)) for out in exits)

    def __repr__(self) -> str:
        return f"load_map({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """A board is pickled as what its map says; the same map in another process is one board there, too."""
        from battlesim.board.load import decode_map

        return decode_map, (self.source,)

    def space(self, name: str) -> int:
        """The number of the space of this name; raises InputError with a suggestion where there is none."""
        try:
            return self.by_name[name]
        except KeyError:
            what = f"map {self.name!r} has no space {name!r}"
            raise InputError(Fault(what, did_you_mean(name, self.by_name))) from None

    def section(self, name: str) -> int:
        """The number of the section named `building.section`; raises InputError where there is none."""
        try:
            return self.section_by_name[name]
        except KeyError:
            what = f"map {self.name!r} has no section {name!r}"
            raise InputError(Fault(what, did_you_mean(name, self.section_by_name))) from None

    def distance(self, a: int, b: int) -> int:
        """Straight-line distance between the points of two spaces, flat."""
        return distance(self.spaces[a].point, self.spaces[b].point)

    def within(self, a: int, b: int, far: int) -> bool:
        """Whether `distance(a, b)` is at most `far` (0 or more), without a root."""
        p, q = self.spaces[a], self.spaces[b]
        dx, dy = p.x - q.x, p.y - q.y
        return dx * dx + dy * dy < (far + 1) * (far + 1)

    def outline(self, section: int) -> tuple[Point, ...]:
        """The outline of a section, counter-clockwise."""
        return self.sections[section].polygon

    def gap_to_section(self, point: Point, section: int) -> int:
        """Distance from a point to the outline of a section; 0 inside."""
        return polygon_distance(point, self.sections[section].polygon)

    def gap_between(self, one: int, other: int) -> int:
        """Distance between the outlines of two sections; 0 where they touch."""
        return polygon_gap(self.sections[one].polygon, self.sections[other].polygon)

    @cached_property
    def sight(self) -> Sight:
        """Who sees what: tables filled row by row."""
        from battlesim.board.sight import Sight

        return Sight(self)

    @cached_property
    def routes(self) -> Routes:
        """Who gets where: tables filled row by row."""
        from battlesim.board.routes import Routes

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
