"""The layout of a map: its spaces, ways and sections by number, and the distances between them.

The tables of `sight.py` and `routes.py` need nothing else; `board.Board` is a layout with these tables. Read `Layout`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from battlesim.board.model import Area, Obstacle, Opening, Section, Space, Way
from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.geometry import Point, distance, polygon_distance, polygon_gap

WALL = 5
"""How far outside its wall an opening lies, in hundredths."""


@dataclass(eq=False, repr=False)
class Layout:
    """Everything about a map that never changes. All lengths are hundredths of its `unit` (inch or hex).

    `spaces[i].id == i`, and likewise for ways, sections and openings. Ground spaces come first in the file's order, then floors
    by section, then ruins. `exits[i]` lists the ways out of space i as (other end, way number), sorted; the ways into ruins are
    among them, which are open only when a section has fallen. `by_name`, `section_by_name`: numbers of spaces and sections;
    `buildings`: numbers of sections by the building's name. `size`: width and height. `pitch`: the usual length of a ground way.
    `source`: the content of the map file as canonical bytes; `digest`: their SHA-256 in hexadecimal. `attribution`, `license`:
    "" if the file has none. `storey`: the height of a floor, and of a level of hexes; a section may have another one.
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
    storey: int = 300
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
        """Straight-line distance between the points of two spaces, in hundredths, rounded down. Heights do not count.

        >>> from battlesim.board.load import load_map
        >>> board = load_map("stairwell")
        >>> board.distance(board.space("g0.0"), board.space("g1.1"))
        424
        """
        return distance(self.spaces[a].point, self.spaces[b].point)

    def within(self, a: int, b: int, far: int) -> bool:
        """Whether `distance(a, b)` is at most `far` hundredths (0 or more). Faster than `distance`."""
        p, q = self.spaces[a], self.spaces[b]
        dx, dy = p.x - q.x, p.y - q.y
        return dx * dx + dy * dy < (far + 1) * (far + 1)

    def outline(self, section: int) -> tuple[Point, ...]:
        """The outline of a section, counter-clockwise."""
        return self.sections[section].polygon

    def gap_to_section(self, point: Point, section: int) -> int:
        """Distance from a point to the outline of a section, in hundredths; 0 inside."""
        return polygon_distance(point, self.sections[section].polygon)

    def gap_between(self, one: int, other: int) -> int:
        """Distance between the outlines of two sections, in hundredths; 0 where they touch."""
        return polygon_gap(self.sections[one].polygon, self.sections[other].polygon)
