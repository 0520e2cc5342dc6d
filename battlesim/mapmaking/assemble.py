"""Putting the buildings of an imported map together: sections, doors and windows, until the map builds without a fault.

Read `raise_houses` and `settle`; `importer.py` calls both. Values are those of a map file with lengths in hundredths,
as `mapwriter.map_text` takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.findings import Findings
from battlesim.board.houses import SectionDraft, free_stretches
from battlesim.board.mapfile import MapFile
from battlesim.board.openings import GENERAL_WIDTH
from battlesim.board.shapes import edges
from battlesim.board.yamlfaults import Loc
from battlesim.board.yamlfile import parse_yaml, with_lines
from battlesim.core.errors import Fault, InputError
from battlesim.core.geometry import distance
from battlesim.mapmaking.doors import chance, place_doors, plan_houses
from battlesim.mapmaking.footprint_buildings import ImportedBuilding, ImportOptions
from battlesim.mapmaking.importlog import ImportLog
from battlesim.mapmaking.mapwriter import map_text
from battlesim.mapmaking.surroundings import Surroundings

_ROUNDS = 8  # repairing a fault can reveal another; in practice two rounds are enough

Values = dict[str, Any]


def raise_houses(
    values: Values,
    imported: list[ImportedBuilding],
    surroundings: Surroundings,
    options: ImportOptions,
    log: ImportLog,
) -> None:
    """Fills `values["buildings"]` and, if asked for, `connections`: first sections, then doors where planning shows free walls,
    then windows by a general rule. A building of which nothing fits is removed from `imported`.
    """
    values["buildings"] = [_building(one, options) for one in imported]
    mapfile, plans = _fit(values, imported, log)
    if options.connect:
        values["connections"] = [
            {"between": [plan.name, plans[other].name]}
            for plan in plans
            for other in sorted(plan.touching)
            if plan.number < other and plans[other].loc[1] != plan.loc[1]
        ]
    ids = [one.shape.id for one in imported]
    tagged, through = surroundings.entrances, surroundings.passages
    doors = place_doors(mapfile, ids, options.seed, surroundings.streets, tagged, through)
    log.add("taken", "door", "where an entrance is tagged", count=doors.tagged)
    unused = "on no wall of a house, without room before it, or on a wall that has a door"
    log.add("left out", "entrance", unused, count=len(tagged) - doors.tagged)
    log.add("taken", "archway", "a gap at the end of a way through a house", count=doors.arches)
    log.add("assumed", "door", "by rule and seed", count=doors.ruled)
    by_name = {plan.name: plan for plan in plans}
    for one, building in zip(imported, values["buildings"], strict=True):
        for section in building["sections"]:
            name = f"{one.name}.{section['name']}"
            specs = [*doors.by_section[name], *_chink(by_name[name], plans)]
            if specs:
                section["openings"] = specs
        every = options.windows + 25 * (chance(options.seed, one.shape.id, "windows") * 5 // 100 - 2)
        building["openings"] = [{"kind": "window", "floors": "all", "side": "all", "every": max(every, 100)}]


def _chink(plan: SectionDraft, plans: list[SectionDraft]) -> list[Values]:
    """A window for a section whose outer walls are all too narrow for those of the general rule; [] for any other."""
    best: tuple[int, int, int, int] | None = None
    for floor in range(plan.floors):
        for side, (a, b) in enumerate(edges(plan.polygon)):
            for start, end in free_stretches(plan, side, floor, plans):
                if end - start >= GENERAL_WIDTH:
                    return []
                at = 50 * (start + end) // (distance(a, b) or 1)
                if best is None or end - start > best[0]:
                    best = (end - start, floor, side, at)
    if best is None:
        return []
    return [{"kind": "window", "floor": best[1], "side": best[2], "at": best[3], "men": 1}]


def _fit(
    values: Values, imported: list[ImportedBuilding], log: ImportLog
) -> tuple[MapFile, list[SectionDraft]]:
    """The map without openings, planned; if rounding made two sections overlap, the later one is left out."""
    while True:
        found = Findings()
        mapfile = parse_yaml(map_text(values, {}).encode(), MapFile, "the imported map")
        plans, _ = plan_houses(mapfile, found)
        at = {_section_at(loc) for loc, fault in found.items if fault.level == "error"}
        bad = sorted(place for place in at if place is not None)
        if not bad:
            return mapfile, plans
        for house, section in reversed(bad):
            why = "it does not fit beside its neighbours"
            log.add("left out", "section", why, imported[house].shape.id, imported[house].name)
            del values["buildings"][house]["sections"][section]
            del imported[house].sections[section]
        for house in reversed(range(len(imported))):
            if not imported[house].sections:
                del imported[house], values["buildings"][house]


def _section_at(loc: Loc) -> tuple[int, int] | None:
    """The (house, section) a place in the file belongs to."""
    if len(loc) > 3 and loc[0] == "buildings" and loc[2] == "sections":
        return int(loc[1]), int(loc[3])
    return None


def settle(values: Values, imported: Sequence[ImportedBuilding], log: ImportLog) -> Board:
    """The board of the finished map. Faults that prevent building it are repaired in `values`: a section that cannot be reached
    is closed; an opening on no wall and terrain without an outline are removed. Raises InputError where no ground is left.
    """
    for _ in range(_ROUNDS):
        found = Findings()
        text = map_text(values, {}).encode()
        board = build_board(parse_yaml(text, MapFile, "the imported map"), found)
        if board is not None:
            return board
        if any(loc == ("ground",) and fault.level == "error" for loc, fault in found.items):
            remedy = "give a wider window, or centre and a larger size"
            raise InputError(Fault("the houses leave no ground free within the map", remedy))
        for loc in sorted({loc for loc, fault in found.items if fault.level == "error"}, key=_backwards):
            _mend(loc, values, imported, log)
    raise InputError(with_lines(found.items, text, "the imported map"))


def _backwards(loc: Loc) -> list[tuple[str, int]]:
    """Orders places so that each deletion comes before places that it would renumber."""
    return [(str(step), 0) if isinstance(step, str) else ("", -step) for step in loc]


def _mend(loc: Loc, values: Values, imported: Sequence[ImportedBuilding], log: ImportLog) -> None:
    if loc[0] == "terrain" and len(loc) > 1:
        log.add("left out", values["terrain"][loc[1]]["kind"], "a piece of it has no sound outline")
        del values["terrain"][loc[1]]
        return
    if loc[0] != "buildings" or len(loc) < 3:
        return
    one, owner = imported[int(loc[1])], values["buildings"][loc[1]]
    at = _section_at(loc)
    if at is not None:
        owner = owner["sections"][at[1]]
    if "openings" in loc:
        del owner["openings"]
        log.add("left out", "opening", "no wall is free there", one.shape.id, one.name)
    elif at is not None:
        owner["closed"] = True
        log.add("assumed", "section", "closed, since nobody can reach it", one.shape.id, one.name)


def _building(one: ImportedBuilding, options: ImportOptions) -> dict[str, Any]:
    building: dict[str, Any] = {"name": one.name}
    material = one.house.material or options.material
    if material != "brick":
        building["material"] = material
    if one.house.kind != "house":
        building["kind"] = one.house.kind
    sections = []
    for number, outline in enumerate(one.sections):
        section: dict[str, Any] = {"name": str(number + 1), "polygon": [list(p) for p in outline]}
        west, south = outline[0]
        if len(outline) == 4 and outline[2][0] > west:
            east, north = outline[2]
            if outline == ((west, south), (east, south), (east, north), (west, north)):
                section = {"name": str(number + 1), "rect": [west, south, east, north]}
        if one.floors != 1:
            section["floors"] = one.floors
        if one.flat:
            section["flat_roof"] = True
        sections.append(section)
    building["sections"] = sections
    return building
