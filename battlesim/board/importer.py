"""Real footprints made into a map file: `battlesim map import`. Needs the extra `geo`; playing the map does not.

A window of the world is laid on the table at a scale, turned so that most walls run along the map. Houses are mended,
freed of overlaps and small detail, cut into sections of at most 8 x 8 (OD-LARGE-1), given floors by their tags or by
default, openings by rule and seed. Streets, squares, parks, trees, water, walls, hedges and fences come along. The
same input gives the same bytes. Read `import_map` first; `docs/maps.md` tells users what it does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from battlesim.board.build import build_board
from battlesim.board.check import check_map
from battlesim.board.findings import Findings
from battlesim.board.footprints import Shape, Source, need_geo, read_footprints
from battlesim.board.fronts import chance, place_doors, plan_houses
from battlesim.board.importlog import Log, Report
from battlesim.board.mapfile import MAX_COORDINATE, MapFile
from battlesim.board.mapwriter import map_text
from battlesim.board.outlines import (
    Fitted,
    Frame,
    Outline,
    common_direction,
    cut_house,
    fit_together,
    polygons_of,
    whole,
)
from battlesim.board.shapes import extents
from battlesim.board.surroundings import Surroundings, lay_surroundings
from battlesim.board.tagging import House, as_name, house_name, house_of, not_a_house
from battlesim.board.yamlfile import parse_yaml
from battlesim.core.errors import Fault, InputError

_MOST_FLOORS = 50
_THINNEST = 100  # a house thinner than this is left out: no section can be made of it
_GAP = 30  # gaps between houses narrower than this are closed
_LICENSES = {"ODbL 1.0": "ODbL 1.0: see LICENSE-ODbL.md, https://opendatacommons.org/licenses/odbl/1-0/"}


@dataclass(frozen=True)
class _Wishes:
    """The arguments of `import_map` that say how houses are made."""

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
class _Lot:
    """One house of the source on its way into the map."""

    shape: Shape
    geometry: Any
    house: House
    name: str = ""
    floors: int = 1
    flat: bool = False
    sections: list[Outline] = field(default_factory=list)


def import_map(
    source: str | Path,
    out: str | Path,
    *,
    window: tuple[float, float, float, float] | None = None,
    centre: tuple[float, float] | None = None,
    size: tuple[float, float] | None = None,
    scale: float = 3.0,
    turn: float | Literal["auto"] = "auto",
    pitch: float = 3.0,
    storey: float = 3.0,
    storey_metres: float = 3.5,
    default_levels: int = 3,
    max_levels: int = _MOST_FLOORS,
    flat_roofs: int = 25,
    windows: float = 2.5,
    detail: float = 0.4,
    smallest: float = 4.0,
    material: str = "brick",
    connect_party_walls: bool = False,
    seed: int = 1,
    name: str | None = None,
    title: str = "",
    attribution: str | None = None,
    license: str | None = None,
    overwrite: bool = False,
) -> Report:
    """Makes a map file `out` of the footprints in `source` (`.osm.pbf`, `.osm`, `.geojson`) and says what became of
    everything in it. Lengths are in inches of the map unless they are called metres.

    Where: `window` (west, south, east, north in degrees), or `centre` (longitude, latitude) and `size` (width, height);
    without either, all houses of the file. `scale`: metres to the inch. `turn`: degrees the world is turned clockwise;
    "auto" lays most walls along the map.
    Houses: floors from `building:levels`, else `height` over `storey_metres`, else those of its tagged parts, else
    `default_levels`, never more than `max_levels`; `storey` is the height of a floor on the table. Flat roofs where
    tagged, and for `flat_roofs` in a hundred houses without a tag, by seed. A window about every `windows` inches of
    outer wall, half an inch more or less by house. Detail finer than `detail` is smoothed, courts and areas below
    `smallest` square inches are left out. `material` where no tag says. `connect_party_walls`: doors between
    different houses that share a wall.

    Raises InputError for arguments out of range, a file that cannot be used, a window without houses, or an `out` that
    exists where `overwrite` is not set; then nothing is written. The map that is written has no error of `check_map`.
    """
    need_geo()
    target = Path(out)
    faults = _bad_numbers(scale, pitch, storey, storey_metres, windows, detail, smallest)
    if not 1 <= default_levels <= _MOST_FLOORS or not 1 <= max_levels <= _MOST_FLOORS:
        faults.append(Fault(f"{default_levels} and {max_levels} levels", f"give 1 to {_MOST_FLOORS}"))
    if not 0 <= flat_roofs <= 100:
        faults.append(Fault(f"flat roofs in {flat_roofs} of a hundred houses", "give 0 to 100"))
    if material not in ("wood", "brick", "stone", "concrete"):
        faults.append(Fault(f"there is no material {material!r}", "give wood, brick, stone or concrete"))
    if turn != "auto" and not (isfinite(turn) and -360 <= turn <= 360):
        faults.append(Fault(f"a turn of {turn} degrees", 'give -360 to 360, or "auto"'))
    if target.exists() and not overwrite:
        faults.append(
            Fault("the file exists already", "name another, or ask for it to be overwritten", str(out))
        )
    if not target.parent.is_dir():
        faults.append(Fault(f"there is no folder {str(target.parent)!r}", "make it first", str(out)))
    if faults:
        raise InputError(faults)
    wishes = _Wishes(
        scale,
        storey_metres,
        min(default_levels, max_levels),
        max_levels,
        flat_roofs,
        round(windows * 100),
        round(detail * 100),
        round(smallest * 10000),
        material,
        connect_party_walls,
        seed,
    )
    data = read_footprints(source)
    log = Log()
    frame = _frame(data, str(source), window, centre, size, scale, turn)
    lots = _lots(data, frame, wishes, log)
    if not lots:
        raise InputError(Fault("no house lies in the window", f"{_extent(data)}", str(source)))
    surroundings = lay_surroundings(
        [shape for shape in data.shapes if "building" not in shape.tags],
        frame,
        _built(lots),
        detail=wishes.detail,
        smallest=wishes.smallest,
        pitch=round(pitch * 100),
        log=log,
    )
    map_name = as_name(name if name is not None else target.stem) or "imported"
    credit = data.attribution if attribution is None else attribution
    terms = data.license if license is None else license
    values: dict[str, Any] = {
        "name": map_name,
        "title": title or map_name,
        "attribution": credit,
        "license": _LICENSES.get(terms, terms),
        "source": _source_line(Path(source), frame, wishes),
        "size": list(frame.size),
        "storey": round(storey * 100),
        "ground": {"kind": "lattice", "pitch": round(pitch * 100)},
        "terrain": surroundings.features,
        "buildings": [],
    }
    values = {key: value for key, value in values.items() if value != ""}
    _finish_houses(values, lots, surroundings, wishes, log)
    comments = {lot.name: f"{lot.shape.id} {lot.shape.tags.get('name', '')}".strip() for lot in lots}
    text = map_text(values, comments, _head(credit, terms))
    return _write(target, text, frame, log, map_name, credit, terms)


# --- where --------------------------------------------------------------------------------------------------------


def _bad_numbers(
    scale: float, pitch: float, storey: float, metres: float, windows: float, detail: float, smallest: float
) -> list[Fault]:
    ranges = (
        ("scale", scale, 0.2, 50.0, "metres to the inch"),
        ("pitch", pitch, 1.0, 12.0, "inches"),
        ("storey", storey, 0.5, 20.0, "inches"),
        ("storey_metres", metres, 1.0, 20.0, "metres"),
        ("windows", windows, 1.5, 12.0, "inches"),
        ("detail", detail, 0.0, 3.0, "inches"),
        ("smallest", smallest, 1.0, 100.0, "square inches"),
    )
    return [
        Fault(f"{name} {value} is out of range", f"give {low:g} to {high:g} {unit}")
        for name, value, low, high, unit in ranges
        if not (isfinite(value) and low <= value <= high)
    ]


def _houses(data: Source) -> list[Shape]:
    return [shape for shape in data.shapes if shape.form == "area" and "building" in shape.tags]


def _extent(data: Source) -> str:
    import shapely

    houses = _houses(data)
    if not houses:
        return "the file holds no outline tagged building"
    west, south, east, north = shapely.total_bounds([shape.geometry for shape in houses])
    return f"its houses lie between {west:.5f},{south:.5f} and {east:.5f},{north:.5f}"


def _frame(
    data: Source,
    name: str,
    window: tuple[float, float, float, float] | None,
    centre: tuple[float, float] | None,
    size: tuple[float, float] | None,
    scale: float,
    turn: float | Literal["auto"],
) -> Frame:
    """The frame asked for, in whole inches."""
    import shapely

    houses = _houses(data)
    if window is not None and (centre is not None or size is not None):
        raise InputError(Fault("both window and centre are given", "keep one of the two"))
    if (centre is None) != (size is None):
        raise InputError(Fault("centre and size go together", "give both, or window"))
    if centre is not None and size is not None:
        _check_degrees(*centre)
        lon, lat = centre
        width, height = size
    else:
        if window is None:
            if not houses:
                raise InputError(Fault("the file holds no house", _extent(data), name))
            edges = shapely.total_bounds([shape.geometry for shape in houses])
            window = (float(edges[0]), float(edges[1]), float(edges[2]), float(edges[3]))
        west, south, east, north = window
        _check_degrees(west, south)
        _check_degrees(east, north)
        if not (west < east and south < north):
            raise InputError(Fault(f"window {list(window)} is inside out", "give west, south, east, north"))
        lon, lat = (west + east) / 2, (south + north) / 2
        along, up = Frame(lon, lat, (0, 0), scale).metres()
        width, height = (east - west) * along / scale, (north - south) * up / scale
    if not all(isfinite(v) and 10 <= v <= MAX_COORDINATE for v in (width, height)):
        what = f"the map would measure {width:.0f} x {height:.0f} inches"
        raise InputError(
            Fault(what, f"give a window and a scale that make 10 to {MAX_COORDINATE} either way")
        )
    frame = Frame(lon, lat, (int(width + 1e-6) * 100, int(height + 1e-6) * 100), scale)
    if turn == "auto":
        placed = [frame.place(shape.geometry) for shape in houses]
        inside = [geometry for geometry in placed if geometry.intersects(frame.box)]
        turn = round(common_direction(inside), 1)
    return Frame(lon, lat, frame.size, scale, float(turn))


def _check_degrees(lon: float, lat: float) -> None:
    if not (isfinite(lon) and isfinite(lat) and -180 <= lon <= 180 and -85 <= lat <= 85):
        remedy = "give longitude -180 to 180, then latitude -85 to 85"
        raise InputError(Fault(f"{lon}, {lat} is no place", remedy))


# --- houses -------------------------------------------------------------------------------------------------------


def _lots(data: Source, frame: Frame, wishes: _Wishes, log: Log) -> list[_Lot]:
    """The houses of the window, mended, fitted together and cut."""
    for id, name, why in data.lost:
        log.add("left out", "house", why, id, name)
    lots: list[_Lot] = []
    outside = 0
    for shape in _houses(data):
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
        lots.append(_Lot(shape, mended, house_of(shape.tags, wishes.storey_metres)))
    log.add("left out", "house", "outside the window", count=outside)
    fitted = fit_together([lot.geometry for lot in lots], wishes.detail, _GAP)
    log.add(
        "simplified",
        "gap",
        f"narrower than {_GAP / 100:g} inches between houses: closed",
        count=fitted.closed,
    )
    kept = [lot for number, lot in enumerate(lots) if _cut(number, lots, fitted, frame, wishes, log)]
    _furnish(kept, data, frame, wishes, log)
    return kept


def _mend(geometry: Any, frame: Frame) -> tuple[Any, str]:
    """A footprint clipped to the map, on whole hundredths; None with the reason where nothing is left of it."""
    import shapely

    why = ""
    if not geometry.is_valid:
        if geometry.area == 0 and shapely.make_valid(geometry).area == 0:
            return None, "its outline encloses nothing"
        geometry = shapely.make_valid(geometry)
        why = "its outline crossed itself"
    clipped = shapely.union_all(polygons_of(whole(shapely.intersection(geometry, frame.box))), grid_size=1)
    if clipped.is_empty or clipped.area == 0:
        return None, "only its edge lies in the window" if geometry.area else "its outline encloses nothing"
    return clipped, why


def _cut(number: int, lots: list[_Lot], fitted: Fitted, frame: Frame, wishes: _Wishes, log: Log) -> bool:
    """Cuts one house into sections; False where nothing of it is left."""
    import shapely

    lot = lots[number]
    label = (lot.shape.id, lot.shape.tags.get("name", ""))
    if number in fitted.taken:
        by, share = fitted.taken[number]
        over = f"{lots[by].shape.id} {lots[by].shape.tags.get('name', '')}".strip()
        if share >= 50:
            log.add("left out", "house", "it lies in another house", lot.shape.id, f"(in {over})")
            return False
        if share >= 1:
            log.add(
                "repaired", "house", "where it overlapped another house, the larger has the place", *label
            )
    courts = crumbs = 0
    for part in fitted.outlines[number]:
        if part.area < wishes.smallest or extents(_ring(part))[1] < _THINNEST:
            crumbs += 1
            continue
        large = [hole for hole in part.interiors if shapely.Polygon(hole).area >= wishes.smallest]
        courts += len(part.interiors) - len(large)
        lot.sections += cut_house(shapely.Polygon(part.exterior, large))
    small = f"smaller than {wishes.smallest / 10000:g} square inches, or thinner than an inch"
    if not lot.sections:
        edge = not frame.box.buffer(-10).covers(lot.geometry)
        log.add("left out", "house", small + (" inside the window" if edge else ""), *label)
        return False
    log.add("simplified", "court", f"{small}: roofed over", *label, count=courts)
    log.add("simplified", "part of a house", f"{small}: left out", *label, count=crumbs)
    before = lot.geometry.area
    if not frame.box.buffer(-1).covers(lot.geometry) and frame.place(lot.shape.geometry).area > 1.02 * before:
        log.add("simplified", "house", "cut off at the edge of the map", *label)
    log.add("taken", "house")
    return True


def _ring(part: Any) -> Outline:
    return tuple((round(x), round(y)) for x, y in part.exterior.coords[:-1])


def _built(lots: Sequence[_Lot]) -> Any:
    import shapely

    sections = [shapely.Polygon(section) for lot in lots for section in lot.sections]
    return shapely.union_all(sections, grid_size=1)


def _furnish(lots: list[_Lot], data: Source, frame: Frame, wishes: _Wishes, log: Log) -> None:
    """Names, floors and roofs."""
    parts = _tagged_parts(data, frame, wishes)
    used: dict[str, int] = {}
    nameless = 0
    for lot in lots:
        label = (lot.shape.id, lot.shape.tags.get("name", ""))
        for odd in lot.house.odd:
            log.add("assumed", "house", f"the tag {odd} makes no sense and is passed over", *label)
        floors = lot.house.floors
        if not floors:
            floors = _floors_of_parts(lot, parts)
            if floors:
                log.add("assumed", "house", "floors of its tagged parts", *label)
            elif lot.house.kind == "shed":
                floors = 1
                log.add("assumed", "house", "1 floor, being a shed", *label)
            else:
                floors = wishes.default_levels
                log.add("assumed", "house", f"{floors} floors, since no tag says", *label)
        if floors > wishes.max_levels:
            log.add("simplified", "house", f"more than {wishes.max_levels} floors", *label)
        lot.floors = min(floors, wishes.max_levels)
        if lot.house.roof:
            lot.flat = lot.house.roof == "flat"
        elif lot.house.kind != "shed":
            lot.flat = chance(wishes.seed, lot.shape.id, "roof") < wishes.flat_roofs
            if lot.flat:
                log.add("assumed", "house", "a flat roof, by seed", *label)
        lot.name = house_name(lot.shape.tags)
        if not lot.name:
            nameless += 1
            lot.name = f"house-{nameless}"
        used[lot.name] = used.get(lot.name, 0) + 1
        if used[lot.name] > 1:
            lot.name = f"{lot.name}-{used[lot.name]}"
            used[lot.name] = 1


def _tagged_parts(data: Source, frame: Frame, wishes: _Wishes) -> list[tuple[Any, int]]:
    import shapely

    found = []
    for shape in data.shapes:
        if shape.form == "area" and "building:part" in shape.tags and "building" not in shape.tags:
            floors = house_of({**shape.tags, "building": "yes"}, wishes.storey_metres).floors
            geometry = frame.place(shape.geometry)
            if floors and geometry.intersects(frame.box):
                found.append((shapely.make_valid(geometry), floors))
    return found


def _floors_of_parts(lot: _Lot, parts: list[tuple[Any, int]]) -> int:
    """The floors most of a house has by its tagged parts; 0 where they cover less than half of it."""
    import shapely

    shares: dict[int, float] = {}
    for geometry, floors in parts:
        share = shapely.intersection(geometry, lot.geometry).area / lot.geometry.area
        shares[floors] = shares.get(floors, 0.0) + share
    if sum(shares.values()) < 0.5:
        return 0
    return max(sorted(shares), key=lambda floors: round(shares[floors], 6))


# --- the map ------------------------------------------------------------------------------------------------------


def _finish_houses(
    values: dict[str, Any], lots: list[_Lot], surroundings: Surroundings, wishes: _Wishes, log: Log
) -> None:
    """Buildings without openings first; then doors where planning them shows free walls; windows by a general rule."""
    values["buildings"] = [_building(lot, wishes) for lot in lots]
    while True:
        found = Findings()
        mapfile = parse_yaml(map_text(values, {}).encode(), MapFile, "the imported map")
        plans, _ = plan_houses(mapfile, found)
        bad = sorted(
            {(int(loc[1]), int(loc[3])) for loc, _ in found.items if loc[0] == "buildings" and len(loc) > 3}
        )
        if not bad or not found.fatal:
            break
        for house, section in reversed(bad):  # rounding made two sections overlap: the later one goes
            log.add(
                "left out",
                "section",
                "it does not fit beside its neighbours",
                lots[house].shape.id,
                lots[house].name,
            )
            del values["buildings"][house]["sections"][section]
            del lots[house].sections[section]
        for house in reversed(range(len(lots))):
            if not lots[house].sections:
                del lots[house], values["buildings"][house]
    if wishes.connect:
        values["connections"] = [
            {"between": [plan.name, plans[other].name]}
            for plan in plans
            for other in sorted(plan.touching)
            if plan.number < other and plans[other].loc[1] != plan.loc[1]
        ]
    doors = place_doors(
        mapfile,
        [lot.shape.id for lot in lots],
        wishes.seed,
        surroundings.streets,
        surroundings.entrances,
        surroundings.passages,
    )
    log.add("taken", "door", "where an entrance is tagged", count=doors.tagged)
    log.add("taken", "archway", "a gap at the end of a way through a house", count=doors.arches)
    log.add("assumed", "door", "by rule and seed", count=doors.ruled)
    for lot, building in zip(lots, values["buildings"], strict=True):
        for section in building["sections"]:
            specs = doors.by_section[f"{lot.name}.{section['name']}"]
            if specs:
                section["openings"] = specs
        every = wishes.windows + 25 * (chance(wishes.seed, lot.shape.id, "windows") * 5 // 100 - 2)
        building["openings"] = [{"kind": "window", "floors": "all", "side": "all", "every": max(every, 100)}]


def _building(lot: _Lot, wishes: _Wishes) -> dict[str, Any]:
    building: dict[str, Any] = {"name": lot.name}
    material = lot.house.material or wishes.material
    if material != "brick":
        building["material"] = material
    if lot.house.kind != "house":
        building["kind"] = lot.house.kind
    sections = []
    for number, outline in enumerate(lot.sections):
        section: dict[str, Any] = {"name": str(number + 1), "polygon": [list(p) for p in outline]}
        west, south = outline[0]
        if len(outline) == 4 and outline[2][0] > west:
            east, north = outline[2]
            if outline == ((west, south), (east, south), (east, north), (west, north)):
                section = {"name": str(number + 1), "rect": [west, south, east, north]}
        if lot.floors != 1:
            section["floors"] = lot.floors
        if lot.flat:
            section["flat_roof"] = True
        sections.append(section)
    building["sections"] = sections
    return building


def _source_line(source: Path, frame: Frame, wishes: _Wishes) -> str:
    return (
        f"imported from {source.name} by 'battlesim map import': {frame.scale:g} metres to the inch about "
        f"{frame.lon:.6f}, {frame.lat:.6f}, turned {frame.turn:g} degrees clockwise, seed {wishes.seed}"
    )


def _head(credit: str, terms: str) -> list[str]:
    if not credit and not terms:
        return []
    share = (
        ["This file is a database derived from theirs and stays under that license."]
        if terms in _LICENSES
        else []
    )
    return [f"Data: {credit}" + (f", {terms}" if terms else ""), *share]


def _write(target: Path, text: str, frame: Frame, log: Log, name: str, credit: str, terms: str) -> Report:
    """Checks the text as a map and puts it in its place, whole or not at all."""
    part = target.with_name(target.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        faults = [Fault(f.what, f.remedy, str(target), f.line, f.place, f.level) for f in check_map(part)]
        if any(fault.level == "error" for fault in faults):
            raise InputError([fault for fault in faults if fault.level == "error"])
        board = build_board(parse_yaml(text.encode(), MapFile, str(target)), Findings())
        assert board is not None
        os.replace(part, target)
    except OSError as error:
        raise InputError(
            Fault(f"the map cannot be written: {error.strerror}", "name another file", str(target))
        ) from None
    finally:
        part.unlink(missing_ok=True)
    kinds = [space.kind for space in board.spaces]
    counts = {
        "houses": len(board.buildings),
        "sections": len(board.sections),
        "floors": kinds.count("floor"),
        "ground nodes": kinds.count("ground"),
        "spaces": len(board.spaces),
        "ways": len(board.ways),
        "doors": sum(opening.kind in ("door", "gap") for opening in board.openings),
        "windows": sum(opening.kind == "window" for opening in board.openings),
        "areas of terrain": len(board.areas),
        "pieces of wall, hedge and fence": len(board.obstacles),
        "bytes": len(text.encode()),
    }
    return Report(
        name,
        str(target),
        frame.size,
        round(frame.turn * 100),
        counts,
        log.sorted(),
        tuple(faults),
        credit,
        terms,
    )
