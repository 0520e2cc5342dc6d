"""The houses of an imported map: footprints are repaired, fitted together, cut into sections, and given floors and roofs.

Read `imported_buildings` first. `importer.py` calls it; `outlines.py` has the geometry, `tagging.py` the meaning of tags. Needs
the extra `geo`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from battlesim.board.partition import LARGEST, TooIntricate, WorkBudget
from battlesim.mapmaking.doors import chance
from battlesim.mapmaking.footprints import Footprints, Shape
from battlesim.mapmaking.importlog import ImportLog
from battlesim.mapmaking.outlines import (
    Fitted,
    Frame,
    Outline,
    corners_of,
    fit_together,
    floating,
    polygons_of,
    smooth,
    solid,
)
from battlesim.mapmaking.partition_building import breadth, partition_building
from battlesim.mapmaking.tagging import HouseTags, house_name, house_of, not_a_house

MOST_FLOORS = 50
"""No house of a map file has more floors."""
_THINNEST = 150  # a house thinner than this is left out: it is too thin for a section
_STRIP = 250  # so is a strip of a house this thin along the edge of the map
MOST_SECTIONS = 400
"""No building of a map file has more sections."""
_ROUGHER = (200,)
"""Detail in hundredths to which an outline is smoothed if it is too intricate to be cut, before it is left out."""
_CROSSINGS = 300
"""An outline that crosses itself more often than this is left out: it would take minutes to repair."""
REMEDY = "simplify its outline, split it into several houses, or leave it out of the file"
_GAP = 30  # gaps between houses narrower than this are closed


@dataclass(frozen=True)
class ImportOptions:
    """The arguments of `import_map` about houses."""

    scale: float
    storey_metres: float
    default_levels: int
    max_levels: int
    flat_roofs: int
    windows: int
    detail: int
    smallest: int
    material: str
    connect: bool
    seed: int


@dataclass
class ImportedBuilding:
    """One house of the source on its way into the map."""

    shape: Shape
    geometry: Any
    house: HouseTags
    name: str = ""
    floors: int = 1
    flat: bool = False
    sections: list[Outline] = field(default_factory=list)


def imported_buildings(
    data: Footprints, frame: Frame, options: ImportOptions, log: ImportLog
) -> list[ImportedBuilding]:
    """The houses of the window: repaired, fitted together and cut into sections."""
    buildings: list[ImportedBuilding] = []
    outside = 0
    for loss in data.lost:
        if loss.near is not None and not frame.place(loss.near).intersects(frame.box):
            outside += 1
        else:
            where = "" if loss.near is not None else " (where it stands is unknown)"
            log.add("left out", loss.what, loss.why + where, loss.id, loss.name)
    for shape in houses_of(data):
        geometry = frame.place(shape.geometry)
        if not geometry.intersects(frame.box):
            outside += 1
            continue
        label = (shape.id, shape.tags.get("name", ""))
        why = not_a_house(shape.tags)
        if why:
            log.add("left out", "house", why, *label)
            continue
        mended, why = _mend(geometry, frame)
        if mended is None:
            log.add("left out", "house", why, *label)
            continue
        if why:
            log.add("repaired", "house", why, *label)
        buildings.append(ImportedBuilding(shape, mended, house_of(shape.tags, options.storey_metres)))
    log.add("left out", "house", "outside the window", count=outside)
    fitted = fit_together([building.geometry for building in buildings], options.detail, _GAP)
    log.add(
        "simplified",
        "gap",
        f"narrower than {_GAP / 100:g} inches between houses: closed",
        count=fitted.closed,
    )
    kept = [
        building
        for number, building in enumerate(buildings)
        if _cut(number, buildings, fitted, frame, options, log)
    ]
    _furnish(kept, data, frame, options, log)
    return kept


def _mend(geometry: Any, frame: Frame) -> tuple[Any, str]:
    """A footprint clipped to the map, on whole hundredths; None with the reason if nothing is left of it."""
    import shapely

    why = ""
    if not geometry.is_valid:
        times = crossings(geometry, _CROSSINGS)
        if times > _CROSSINGS:
            return None, f"its outline crosses itself more than {_CROSSINGS} times; {REMEDY}"
        if geometry.area == 0 and shapely.make_valid(geometry).area == 0:
            return None, "its outline encloses nothing"
        geometry = shapely.make_valid(geometry)
        why = "its outline crossed itself"
    clipped = solid(shapely.intersection(geometry, frame.box))
    if clipped.is_empty or clipped.area == 0:
        return None, "only its edge lies in the window" if geometry.area else "its outline encloses nothing"
    return clipped, why


def _cut(
    number: int,
    buildings: list[ImportedBuilding],
    fitted: Fitted,
    frame: Frame,
    options: ImportOptions,
    log: ImportLog,
) -> bool:
    """Cuts one house into sections; False if nothing of it is left."""
    import shapely

    building = buildings[number]
    label = (building.shape.id, building.shape.tags.get("name", ""))
    if not _has_place(number, buildings, fitted, log):
        return False
    area = building.geometry.area
    if area > MOST_SECTIONS * LARGEST * LARGEST:
        log.add("left out", "house", _too_large(area), *label)
        return False
    parts = _parts(fitted.outlines[number], frame, options)
    for outline in parts.outlines:
        sections, rougher = _sections(outline)
        if sections is None:
            why = f"its outline is too intricate to be cut into sections; {REMEDY}"
            log.add("left out", "house", why, *label)
            return False
        if rougher:
            why = f"its outline was too intricate to be cut: detail finer than {rougher / 100:g} inches is smoothed"
            log.add("simplified", "house", why, *label)
        building.sections += sections
    if len(building.sections) > MOST_SECTIONS:
        log.add("left out", "house", _too_large(area), *label)
        return False
    small = (
        f"smaller than {options.smallest / 10000:g} square inches, or thinner than {_THINNEST / 100:g} inches"
    )
    if not building.sections:
        why = "only a strip of it lies in the window" if parts.strips else small
        log.add("left out", "house", why, *label)
        return False
    log.add("simplified", "court", f"{small}: roofed over", *label, count=parts.courts)
    log.add("simplified", "part of a house", f"{small}: left out", *label, count=parts.crumbs + parts.strips)
    # A house that only touches the edge has lost nothing there.
    outline = shapely.make_valid(frame.place(building.shape.geometry))
    if shapely.difference(outline, frame.box).area > 0.02 * area:
        log.add("simplified", "house", "cut off at the edge of the map", *label)
    log.add("taken", "house")
    return True


def _has_place(number: int, buildings: list[ImportedBuilding], fitted: Fitted, log: ImportLog) -> bool:
    """Whether other houses leave one its place; what they take of it is noted."""
    if number not in fitted.taken:
        return True
    shape = buildings[number].shape
    by, share = fitted.taken[number]
    over = f"{buildings[by].shape.id} {buildings[by].shape.tags.get('name', '')}".strip()
    if share >= 50:
        log.add("left out", "house", "it lies in another house", shape.id, f"(in {over})")
        return False
    if share >= 1:
        why = "where it overlapped another house, the larger has the place"
        log.add("repaired", "house", why, shape.id, shape.tags.get("name", ""))
    return True


class _Parts(NamedTuple):
    """The parts of a house that are large enough, with their large courts. How many small `courts`, small parts (`crumbs`) and
    `strips` at the edge of the map were left out."""

    outlines: list[Any]
    courts: int
    crumbs: int
    strips: int


def _parts(outlines: Sequence[Any], frame: Frame, options: ImportOptions) -> _Parts:
    import shapely

    found: list[Any] = []
    courts = crumbs = strips = 0
    edge = shapely.boundary(frame.box)
    for part in outlines:
        thin = breadth(corners_of(part.exterior))
        if thin < _STRIP and shapely.intersection(part, edge).length > 100:
            strips += 1
        elif part.area < options.smallest or thin < _THINNEST:
            crumbs += 1
        else:
            large = [hole for hole in part.interiors if shapely.Polygon(hole).area >= options.smallest]
            courts += len(part.interiors) - len(large)
            found.append(shapely.Polygon(part.exterior, large))
    return _Parts(found, courts, crumbs, strips)


def _too_large(area: float) -> str:
    inches = round(area / 10_000)
    return (
        f"it covers {inches:,} square inches of the map, which makes more than {MOST_SECTIONS} sections; take a larger scale "
        f"(more metres to the inch), or split it, or leave it out of the file"
    )


def _sections(outline: Any) -> tuple[list[Outline] | None, int]:
    """The sections of a house's part, and the detail that had to be smoothed for it, 0 if none had. None: it cannot be cut."""
    for rougher in (0, *_ROUGHER):
        simpler = [outline] if not rougher else _smoothed(outline, rougher)
        work = WorkBudget()
        try:
            return [section for part in simpler for section in partition_building(part, work)], rougher
        except TooIntricate:
            continue
    return None, 0


def _smoothed(outline: Any, detail: int) -> list[Any]:
    """An outline and its courts without detail; its parts if that makes it cross itself."""
    import shapely

    rings = [
        smooth(shapely.LinearRing(ring.coords), detail) for ring in (outline.exterior, *outline.interiors)
    ]
    whole, *courts = [shapely.Polygon(ring.coords) for ring in rings if len(ring.coords) > 3] or [outline]
    if crossings(whole, _CROSSINGS) > _CROSSINGS:
        return [outline]
    whole = shapely.make_valid(whole)
    for court in courts:
        whole = shapely.difference(whole, shapely.make_valid(court))
    return polygons_of(solid(whole))


def crossings(geometry: Any, most: int) -> int:
    """How often the edges of an outline cross one another, counted until there are more than `most`."""
    import numpy
    import shapely

    ends = []
    for line in (
        shapely.get_parts(shapely.boundary(geometry))
        if geometry.geom_type != "Polygon"
        else [geometry.exterior, *geometry.interiors]
    ):
        points = shapely.get_coordinates(line)
        ends.append(numpy.hstack([points[:-1], points[1:]]))
    edges = numpy.vstack(ends)
    found = 0
    for number, (ax, ay, bx, by) in enumerate(edges):
        cx, cy, dx, dy = edges[number + 1 :].T
        one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        two = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
        three = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
        four = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
        found += int(numpy.count_nonzero((one * two < 0) & (three * four < 0)))
        if found > most:
            break
    return found


def built(buildings: Sequence[ImportedBuilding]) -> Any:
    """The ground that is built on: the union of all sections, a shapely geometry in hundredths of an inch."""
    import shapely

    sections = [shapely.Polygon(section) for building in buildings for section in building.sections]
    return floating(shapely.union_all(sections, grid_size=1))


def _furnish(
    buildings: list[ImportedBuilding], data: Footprints, frame: Frame, options: ImportOptions, log: ImportLog
) -> None:
    """Names, floors and roofs."""
    parts = _tagged_parts(data, frame, options)
    used: dict[str, int] = {}
    nameless = 0
    for building in buildings:
        label = (building.shape.id, building.shape.tags.get("name", ""))
        for odd in building.house.odd:
            log.add("assumed", "house", f"the tag {odd} makes no sense and is passed over", *label)
        floors = building.house.floors
        if not floors:
            floors = _floors_of_parts(building, parts)
            if floors:
                log.add("assumed", "house", "floors of its tagged parts", *label)
            elif building.house.kind == "shed":
                floors = 1
                log.add("assumed", "house", "1 floor, being a shed", *label)
            else:
                floors = options.default_levels
                log.add("assumed", "house", f"{floors} floors, since no tag says", *label)
        if floors > options.max_levels:
            log.add("simplified", "house", f"more than {options.max_levels} floors", *label)
        building.floors = min(floors, options.max_levels)
        if building.house.roof:
            building.flat = building.house.roof == "flat"
        elif building.house.kind != "shed":
            building.flat = chance(options.seed, building.shape.id, "roof") < options.flat_roofs
            if building.flat:
                log.add("assumed", "house", "a flat roof, by seed", *label)
        building.name = house_name(building.shape.tags)
        if not building.name:
            nameless += 1
            building.name = f"house-{nameless}"
        wanted = building.name
        while building.name in used:
            used[wanted] += 1
            building.name = f"{wanted}-{used[wanted]}"
        used[building.name] = 1


def _tagged_parts(data: Footprints, frame: Frame, options: ImportOptions) -> list[tuple[Any, int]]:
    import shapely

    found = []
    for shape in data.shapes:
        if shape.form == "area" and "building:part" in shape.tags and "building" not in shape.tags:
            floors = house_of({**shape.tags, "building": "yes"}, options.storey_metres).floors
            geometry = frame.place(shape.geometry)
            if floors and geometry.intersects(frame.box):
                found.append((shapely.make_valid(geometry), floors))
    return found


def _floors_of_parts(building: ImportedBuilding, parts: list[tuple[Any, int]]) -> int:
    """The number of floors of most of a house, from its tagged parts; 0 if they cover less than half of it."""
    import shapely

    shares: dict[int, float] = {}
    for geometry, floors in parts:
        share = shapely.intersection(geometry, building.geometry).area / building.geometry.area
        shares[floors] = shares.get(floors, 0.0) + share
    if sum(shares.values()) < 0.5:
        return 0
    return max(sorted(shares), key=lambda floors: round(shares[floors], 6))


def houses_of(data: Footprints) -> list[Shape]:
    """The outlines that are tagged as buildings."""
    return [shape for shape in data.shapes if shape.form == "area" and "building" in shape.tags]
