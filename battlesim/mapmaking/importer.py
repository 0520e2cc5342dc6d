"""Making a map file from real footprints: `battlesim map import`. It needs the extra `geo`; playing the map does not.

A part of the world is scaled to the table and turned so that most walls are parallel to the map's edges. Outlines of houses are
repaired, overlaps and small detail are removed, large houses are cut into sections of at most 8 x 8. Floors come from tags or a
default, openings from rules and a seed. Streets, squares, parks, trees, water, walls, hedges and fences are kept. The same input
gives the same bytes. Read `import_map` first; `docs/maps.md` describes it for users.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, isfinite
from pathlib import Path
from typing import Any, Literal

from battlesim.board.board import Board
from battlesim.board.check import check_map
from battlesim.board.lengths import MAX_COORDINATE
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import drafted
from battlesim.mapmaking.assemble import raise_houses, settle
from battlesim.mapmaking.footprint_buildings import (
    MOST_FLOORS,
    ImportOptions,
    built,
    houses_of,
    imported_buildings,
)
from battlesim.mapmaking.footprints import Footprints, Shape, need_geo, read_footprints
from battlesim.mapmaking.importlog import ImportLog, ImportReport
from battlesim.mapmaking.mapwriter import SCHEMA, map_text
from battlesim.mapmaking.outlines import Frame, common_direction
from battlesim.mapmaking.surroundings import lay_surroundings
from battlesim.mapmaking.tagging import as_name

_LICENSES = {"ODbL 1.0": "ODbL 1.0: see LICENSE-ODbL.md, https://opendatacommons.org/licenses/odbl/1-0/"}


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
    max_levels: int = MOST_FLOORS,
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
) -> ImportReport:
    """Make a map file `out` from the footprints in `source` (`.osm.pbf`, `.osm` or `.geojson`); returns a report on everything
    in it.

    Lengths are in inches of the map unless their names say metres.

    Args:
        window: west, south, east, north, in degrees; or `centre` (longitude, latitude) and `size` (width, height). Without
            either, all houses of the file.
        scale: metres to the inch.
        turn: degrees by which the world is turned clockwise; "auto" lays most walls along the map.
        storey: height of a floor on the table.
        storey_metres, default_levels, max_levels: floors come from the tag `building:levels`, else from `height` divided by
            `storey_metres`, else from tagged parts of the house, else `default_levels`; at most `max_levels`.
        flat_roofs: how many in a hundred houses without a tag get a flat roof, by seed.
        windows: inches of outer wall for one window, half an inch more or less from house to house.
        detail, smallest: finer detail is smoothed; smaller courts and areas, in square inches, are left out.
        material: for houses without a tag.
        connect_party_walls: doors between different houses that share a wall.

    Raises InputError for arguments out of range, a file that cannot be used, a window without houses, or an `out` that exists if
    `overwrite` is not set; then nothing is written. The map that is written has no error of `check_map`.
    """
    need_geo()
    target = Path(out)
    faults = _bad_numbers(scale, pitch, storey, storey_metres, windows, detail, smallest)
    faults += _bad_choices(default_levels, max_levels, flat_roofs, material, turn)
    faults += _bad_target(target, overwrite)
    if faults:
        raise InputError(faults)
    options = ImportOptions(
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
    log = ImportLog()
    frame = _frame(data, str(source), window, centre, size, scale, turn)
    buildings = imported_buildings(data, frame, options, log)
    if not buildings:
        raise _without_houses(data, log, str(source))
    surroundings = lay_surroundings(
        [shape for shape in data.shapes if "building" not in shape.tags],
        frame,
        built(buildings),
        detail=options.detail,
        smallest=options.smallest,
        pitch=round(pitch * 100),
        log=log,
    )
    map_name = as_name(name if name is not None else target.stem) or "imported"
    credit = data.attribution if attribution is None else attribution
    terms = data.license if license is None else license
    # The fields of the map file, in its order; those without a value are left out.
    fields: dict[str, Any] = {
        "name": map_name,
        "title": title or map_name,
        "attribution": credit,
        "license": _LICENSES.get(terms, terms),
        "source": _source_line(Path(source), frame, options),
        "size": list(frame.size),
        "storey": round(storey * 100),
        "ground": {"kind": "lattice", "pitch": round(pitch * 100)},
        "terrain": surroundings.features,
        "buildings": [],
    }
    values = {key: value for key, value in fields.items() if value != ""}
    raise_houses(values, buildings, surroundings, options, log)
    board = settle(values, buildings, log)
    comments = {one.name: f"{one.shape.id} {one.shape.tags.get('name', '')}".strip() for one in buildings}
    text = map_text(values, comments, _head(credit, terms), (target.parent / SCHEMA).is_file())
    return _write(target, text, board, frame, log)


# --- what may be asked for ----------------------------------------------------------------------------------------


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


def _bad_choices(
    default_levels: int, max_levels: int, flat_roofs: int, material: str, turn: float | Literal["auto"]
) -> list[Fault]:
    faults = []
    if not 1 <= default_levels <= MOST_FLOORS or not 1 <= max_levels <= MOST_FLOORS:
        faults.append(Fault(f"{default_levels} and {max_levels} levels", f"give 1 to {MOST_FLOORS}"))
    if not 0 <= flat_roofs <= 100:
        faults.append(Fault(f"flat roofs in {flat_roofs} of a hundred houses", "give 0 to 100"))
    if material not in ("wood", "brick", "stone", "concrete"):
        faults.append(Fault(f"there is no material {material!r}", "give wood, brick, stone or concrete"))
    if turn != "auto" and not (isfinite(turn) and -360 <= turn <= 360):
        faults.append(Fault(f"a turn of {turn} degrees", 'give -360 to 360, or "auto"'))
    return faults


def _bad_target(target: Path, overwrite: bool) -> list[Fault]:
    faults = []
    if target.exists() and not overwrite:
        remedy = "name another, or give --overwrite"
        faults.append(Fault("the file exists already", remedy, str(target)))
    if not target.parent.is_dir():
        faults.append(Fault(f"there is no folder {str(target.parent)!r}", "make it first", str(target)))
    return faults


# --- where --------------------------------------------------------------------------------------------------------


def _extent(data: Footprints) -> str:
    import shapely

    houses = houses_of(data)
    if not houses:
        return "the file holds no outline tagged building"
    west, south, east, north = shapely.total_bounds([shape.geometry for shape in houses])
    return f"its houses lie between {west:.5f},{south:.5f} and {east:.5f},{north:.5f}"


def _without_houses(data: Footprints, log: ImportLog, source: str) -> InputError:
    """The error for a window of which no house could be taken: why the first one was left out, or where houses are."""
    lost = [n for n in log.notes if n.id and (n.action, n.what) == ("left out", "house")]
    if not lost:
        return InputError(Fault("no house lies in the window", _extent(data), source))
    first = f"{lost[0].id} {lost[0].name}".strip() + f": {lost[0].why}"
    more = f"{len(lost) - 1} more" if len(lost) > 1 else ""
    return InputError(Fault(f"no house in the window could be taken; {first}", more, source))


def _frame(
    data: Footprints,
    name: str,
    window: tuple[float, float, float, float] | None,
    centre: tuple[float, float] | None,
    size: tuple[float, float] | None,
    scale: float,
    turn: float | Literal["auto"],
) -> Frame:
    """The requested frame, in whole inches."""
    import shapely

    houses = houses_of(data)
    is_as_houses = window is None and centre is None
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
    _check_size(width, height)
    # A map as large as its houses has room for all of them; one that was asked for is no larger than that.
    inches = [ceil(one - 1e-6) if is_as_houses else floor(one + 1e-6) for one in (width, height)]
    frame = Frame(lon, lat, (inches[0] * 100, inches[1] * 100), scale)
    if turn == "auto":
        placed = [frame.place(shape.geometry) for shape in houses]
        inside = [geometry for geometry in placed if geometry.intersects(frame.box)]
        turn = round(common_direction(inside), 1)
    turned = Frame(lon, lat, frame.size, scale, float(turn))
    return _around(turned, houses) if is_as_houses and turned.turn else turned


def _around(frame: Frame, houses: Sequence[Shape]) -> Frame:
    """The frame of the same turn that has room for all houses, to the next whole inch."""
    import shapely

    # A turned map needs another size: the corners of the one that was not turned lie outside it.
    left, low, right, high = shapely.total_bounds([frame.place(shape.geometry) for shape in houses])
    width, height = float(right - left) / 100, float(high - low) / 100
    _check_size(width, height)
    lon, lat = frame.in_degrees(float(left + right) / 2, float(low + high) / 2)
    size = (ceil(width - 1e-6) * 100, ceil(height - 1e-6) * 100)
    return Frame(lon, lat, size, frame.scale, frame.turn)


def _check_size(width: float, height: float) -> None:
    """Raises InputError for a map of a size, in inches, that is too small or too large."""
    if not all(isfinite(v) and 10 <= v <= MAX_COORDINATE for v in (width, height)):
        what = f"the map would measure {width:.0f} x {height:.0f} inches"
        raise InputError(
            Fault(what, f"give a window and a scale that make 10 to {MAX_COORDINATE} either way")
        )


def _check_degrees(lon: float, lat: float) -> None:
    if not (isfinite(lon) and isfinite(lat) and -180 <= lon <= 180 and -85 <= lat <= 85):
        remedy = "give longitude -180 to 180, then latitude -85 to 85"
        raise InputError(Fault(f"{lon}, {lat} is not a place", remedy))


# --- the file ---------------------------------------------------------------------------------------------------


def _source_line(source: Path, frame: Frame, options: ImportOptions) -> str:
    return (
        f"imported from {source.name} by 'battlesim map import': {frame.scale:g} metres to the inch about "
        f"{frame.lon:.6f}, {frame.lat:.6f}, turned {frame.turn:g} degrees clockwise, seed {options.seed}"
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


def _write(target: Path, text: str, board: Board, frame: Frame, log: ImportLog) -> ImportReport:
    """Check the text as a map and write it, whole or not at all."""
    with drafted(target, "the map") as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
        faults = [Fault(f.what, f.remedy, str(target), f.line, f.place, f.level) for f in check_map(draft)]
        if any(fault.level == "error" for fault in faults):  # pragma: no cover - settled before
            raise InputError([fault for fault in faults if fault.level == "error"])
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
    return ImportReport(
        board.name,
        str(target),
        frame.size,
        round(frame.turn * 100),
        counts,
        log.sorted(),
        tuple(faults),
        board.attribution,
        board.license,
    )
