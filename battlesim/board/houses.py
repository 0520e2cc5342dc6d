"""Drafts of sections from the buildings of a map file: outlines, neighbours, connections.

Read `plan_sections` first; `openings.py` then places the openings. Faults are noted in `Findings`; a board is made only where
there is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from battlesim.board.findings import Findings
from battlesim.board.grid import Grid
from battlesim.board.mapfile import BuildingSpec, Connection, HexGround, MapFile, OpeningSpec, SectionSpec
from battlesim.board.model import Area
from battlesim.board.partition import LARGEST, partition
from battlesim.board.shapes import (
    WALL_TO_SHOW,
    Span,
    bounds,
    counter_clockwise,
    covered,
    crossing_itself,
    edges,
    extents,
    inner_point,
    overlap,
    uncovered,
)
from battlesim.board.terrain import ground_height
from battlesim.board.yamlfaults import Loc, shown
from battlesim.core.errors import did_you_mean
from battlesim.core.geometry import (
    FACING_NAMES,
    Point,
    distance,
    doubled_area,
    facing_towards,
)

WALL_TO_SHARE = 50
"""Sections with at least this much wall in common, in hundredths, touch: a door fits between them."""


@dataclass
class OpeningDraft:
    """An opening before it has a number; `point` lies on the wall. The other fields are those of `Opening`."""

    floor: int
    side: int
    kind: str
    point: Point
    men: int


@dataclass
class SectionDraft:
    """A section while its map is read. Lengths are hundredths; sections are meant by number.

    `loc`: where it stands in the file. `backwards`: the file's outline ran clockwise and was reversed. `floors`: without an open
    roof. `specs`: the openings that the file lists with it; `holes`: the openings placed so far. `one_hex`: its outline is a hex.
    `stairs`: the floors from which stairs lead up, None for all. `base`: height of the ground. `spans[side]`: the stretches of a
    wall where a neighbour stands, each with that. `touching`: neighbours, with the length of wall in common. `adjoining[floor]`:
    the neighbours connected inside.
    """

    name: str
    building: BuildingSpec
    loc: Loc
    polygon: tuple[Point, ...]
    backwards: bool
    floors: int
    flat_roof: bool
    closed: bool
    burning: bool
    storey: int
    own: dict[str, object]
    specs: tuple[OpeningSpec, ...] = ()
    stairs: tuple[int, ...] | None = None
    one_hex: bool = False
    number: int = 0
    base: int = 0
    spans: list[list[tuple[Span, int]]] = field(default_factory=list)
    touching: dict[int, int] = field(default_factory=dict)
    holes: list[OpeningDraft] = field(default_factory=list)
    adjoining: list[list[int]] = field(default_factory=list)

    @property
    def height(self) -> int:
        """The roof line above the ground it stands on."""
        return self.floors * self.storey

    @property
    def levels(self) -> int:
        """How many floors it has, the open roof included."""
        return self.floors + self.flat_roof

    @property
    def stairs_up(self) -> Sequence[int]:
        """The floors from which stairs lead up."""
        return range(self.levels - 1) if self.stairs is None else self.stairs

    def z(self, floor: int) -> int:
        """The height of a floor above the table."""
        return self.base + floor * self.storey


def outward_facing(a: Point, b: Point) -> int:
    """The facing (0-7) that the wall from `a` to `b` of a counter-clockwise outline looks out to."""
    return facing_towards((0, 0), (b[1] - a[1], a[0] - b[0]))


def facing_name(a: Point, b: Point) -> str:
    """The name of `outward_facing(a, b)`.

    >>> facing_name((0, 0), (600, 0))
    'south'
    """
    return FACING_NAMES[outward_facing(a, b)]


def plan_sections(mapfile: MapFile, areas: Sequence[Area], found: Findings) -> list[SectionDraft]:
    """Every section of the map with its neighbours and connections, without openings; faults go to `found`."""
    plans: list[SectionDraft] = []
    names: dict[str, int] = {}
    width, height = mapfile.extent
    for b, building in enumerate(mapfile.buildings):
        loc: Loc = ("buildings", b)
        if building.name in names:
            what = f"there are two buildings {building.name!r}"
            found.error((*loc, "name"), what, "give each its own name")
        names[building.name] = b
        for plan in _sections_of(building, loc, mapfile, found):
            for floor in plan.stairs or ():
                if floor >= plan.levels - 1:
                    what = f"no stairs lead up from floor {floor} of section {plan.name!r}: {describe_floors(plan)}"
                    found.error((*plan.loc, "stairs"), what, "name floors below the top one")
            if not all(0 <= x <= width and 0 <= y <= height for x, y in plan.polygon):
                what = f"section {plan.name!r} reaches beyond the map ({width / 100:g} x {height / 100:g})"
                found.error(plan.loc, what, "move it, or enlarge size")
            plan.number = len(plans)
            plan.base = ground_height(inner_point(plan.polygon), areas)
            plans.append(plan)
    _meet_neighbours(plans, found)
    _connect(mapfile, plans, found)
    return plans


def outline_is_sound(polygon: Sequence[Point], loc: Loc, what: str, found: Findings) -> bool:
    """Whether an outline encloses an area and does not cross itself. Notes a fault where not. `what`: whose outline it is, for
    the message."""
    if doubled_area(polygon) == 0:
        found.error(loc, f"the outline of {what} encloses nothing", "give its corners in order")
        return False
    crossing = crossing_itself(polygon)
    if crossing and crossing[0] == crossing[1]:
        x, y = polygon[crossing[0]]
        remedy = "leave one out; an outline ends at its last corner, without the first one again"
        found.error(
            loc, f"the outline of {what} has the corner [{x / 100:g}, {y / 100:g}] twice in a row", remedy
        )
        return False
    if crossing:
        walls = f"walls {crossing[0]} and {crossing[1]}"
        found.error(loc, f"the outline of {what} crosses itself: {walls}", "give its corners in order")
        return False
    return True


def _sections_of(building: BuildingSpec, loc: Loc, mapfile: MapFile, found: Findings) -> list[SectionDraft]:
    """The sections of a building: those it lists, or the parts that its one outline is cut into."""
    storey = building.storey or mapfile.storey
    if not building.sections:
        return _cut(building, loc, storey, found)
    _check_names(building, loc, found)
    hexes = isinstance(mapfile.ground, HexGround)
    drafts = (
        _listed(building, section, (*loc, "sections", number), storey, hexes, found)
        for number, section in enumerate(building.sections)
    )
    return [draft for draft in drafts if draft is not None]


def _cut(building: BuildingSpec, loc: Loc, storey: int, found: Findings) -> list[SectionDraft]:
    """The parts that the outline of a building is cut into; none if the outline is at fault."""
    place: Loc = (*loc, "rect" if building.rect else "polygon")
    outline = building.corners
    if not outline_is_sound(outline, place, f"building {building.name!r}", found):
        return []
    parts = partition(outline)
    for part in parts:
        if extents(part)[0] > LARGEST:
            what = f"building {building.name!r} cannot be cut into sections of at most 8"
            found.warn(place, what, "straighten its outline")
    return [
        SectionDraft(
            name=f"{building.name}.{number}",
            building=building,
            loc=loc,
            polygon=part,
            backwards=doubled_area(outline) < 0,
            floors=building.floors,
            flat_roof=building.flat_roof,
            closed=building.closed,
            burning=building.burning,
            storey=storey,
            own=dict(building.own),
            stairs=building.stairs,
        )
        for number, part in enumerate(parts, 1)
    ]


def _check_names(building: BuildingSpec, loc: Loc, found: Findings) -> None:
    """Note a fault for each section with a name that an earlier one has."""
    names: set[str] = set()
    for number, section in enumerate(building.sections):
        if section.name in names:
            what = f"building {building.name!r} has two sections {section.name!r}"
            found.error((*loc, "sections", number, "name"), what, "give each its own name")
        names.add(section.name)


def _listed(
    building: BuildingSpec, section: SectionSpec, loc: Loc, storey: int, hexes: bool, found: Findings
) -> SectionDraft | None:
    """A section that a building lists; None if its outline is at fault. `hexes`: whether the map is one of hexes."""
    name = f"{building.name}.{section.name}"
    place: Loc = (*loc, "hex" if section.hex else "rect" if section.rect else "polygon")
    if section.hex and not hexes:
        found.error(place, "this is not a hex map", "give polygon or rect, or ground of kind hex")
        return None
    if not outline_is_sound(section.corners, place, f"section {name!r}", found):
        return None
    long = extents(section.corners)[0]
    if long > LARGEST:
        what = f"section {name!r} is {long / 100:g} long, more than 8"
        found.warn(place, what, "cut it in two, or give the building one outline: it is cut for you")
    return SectionDraft(
        name=name,
        building=building,
        loc=loc,
        polygon=counter_clockwise(section.corners),
        backwards=doubled_area(section.corners) < 0,
        floors=section.floors,
        flat_roof=section.flat_roof,
        closed=section.closed or building.closed,
        burning=section.burning or building.burning,
        storey=storey,
        own={**building.own, **section.own},
        specs=section.openings,
        stairs=section.stairs,
        one_hex=section.hex is not None,
    )


# --- neighbours ---------------------------------------------------------------------------------------------------


def _meet_neighbours(plans: list[SectionDraft], found: Findings) -> None:
    grid = Grid(bounds(plan.polygon) for plan in plans)
    for plan in plans:
        plan.spans = [[] for _ in plan.polygon]
        plan.adjoining = [[] for _ in range(plan.levels)]
        west, south, east, north = grid.boxes[plan.number]
        for other in grid.near((west - 10, south - 10, east + 10, north + 10)):
            neighbour = plans[other]
            if other == plan.number:
                continue
            if other < plan.number and overlap(plan.polygon, neighbour.polygon):
                what = f"section {plan.name!r} overlaps {neighbour.name!r}"
                found.error(plan.loc, what, "move one of them; sections may share walls only")
                continue
            shared = 0
            for side, (a, b) in enumerate(edges(plan.polygon)):
                for span in covered(a, b, neighbour.polygon):
                    plan.spans[side].append((span, other))
                    shared += span[1] - span[0]
            if shared >= WALL_TO_SHARE:
                plan.touching[other] = shared
    for plan in plans:  # touching is mutual, but after rounding only one of the two may have noticed
        for other, shared in plan.touching.items():
            plans[other].touching.setdefault(plan.number, shared)


def free_stretches(plan: SectionDraft, side: int, floor: int, plans: Sequence[SectionDraft]) -> list[Span]:
    """The stretches of a wall that face the outdoors on a floor: no neighbour is higher than the middle of that floor. Each is
    `WALL_TO_SHOW` long or more. `plans`: all sections of the map."""
    a, b = edges(plan.polygon)[side]
    eye = plan.z(floor) + plan.storey // 2
    hidden = [span for span, other in plan.spans[side] if plans[other].base + plans[other].height > eye]
    return [(start, end) for start, end in uncovered(distance(a, b), hidden) if end - start >= WALL_TO_SHOW]


# --- connections --------------------------------------------------------------------------------------------------


def _connect(mapfile: MapFile, plans: list[SectionDraft], found: Findings) -> None:
    by_name = {plan.name: plan for plan in plans}
    for b, building in enumerate(mapfile.buildings):
        mine = [plan for plan in plans if plan.loc[1] == b]
        if building.connections == "all":
            for plan in mine:
                for other in sorted(plan.touching):
                    if plan.number < other and plans[other].loc[1] == b:
                        _join(plan, plans[other], _common(plan, plans[other]))
        else:
            local = {plan.name.split(".", 1)[1]: plan for plan in mine}
            for c, connection in enumerate(building.connections):
                _connect_listed(connection, ("buildings", b, "connections", c), local.get, local, found)
    for c, connection in enumerate(mapfile.connections):
        _connect_listed(connection, ("connections", c), by_name.get, by_name, found)


def _common(one: SectionDraft, two: SectionDraft) -> list[int]:
    """The floors on which two neighbours are at the same height: floors inside with floors inside, a roof with a roof."""
    return [
        floor
        for floor in range(min(one.levels, two.levels))
        if (floor >= one.floors) == (floor >= two.floors)
        and abs(one.z(floor) - two.z(floor)) <= one.storey // 2
    ]


def _join(one: SectionDraft, two: SectionDraft, floors: Sequence[int]) -> None:
    for floor in floors:
        if two.number not in one.adjoining[floor]:
            one.adjoining[floor].append(two.number)
            two.adjoining[floor].append(one.number)


def _connect_listed(
    connection: Connection,
    loc: Loc,
    get: Callable[[str], SectionDraft | None],
    names: dict[str, SectionDraft],
    found: Findings,
) -> None:
    ends = [get(name) for name in connection.between]
    for i, end in enumerate(ends):
        if end is None:
            name = connection.between[i]
            found.error((*loc, "between", i), f"there is no section {shown(name)}", did_you_mean(name, names))
    one, two = ends
    if one is None or two is None:
        return
    if one is two or two.number not in one.touching:
        what = f"sections {one.name!r} and {two.name!r} do not touch, so they cannot be connected"
        found.error((*loc, "between"), what, "connect sections that share a wall")
        return
    floors = connection.floors or tuple(_common(one, two))
    if not floors:
        what = (
            f"sections {one.name!r} and {two.name!r} have no floor at the same height: nothing is connected"
        )
        found.warn((*loc, "between"), what, "give floors, or leave the connection out")
    for floor in floors:
        for end in (one, two):
            if floor >= end.levels:
                what = f"section {end.name!r} has no floor {floor}: {describe_floors(end)}"
                found.error((*loc, "floors"), what, "connect floors that both have")
                return
    _join(one, two, floors)


def describe_floors(plan: SectionDraft) -> str:
    """The floors of a section in words: "it has floors 0 to 2"."""
    return f"it has floors 0 to {plan.levels - 1}" if plan.levels > 1 else "it has floor 0 only"
