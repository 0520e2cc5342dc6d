"""Placing doors, windows, slits and gaps in the walls of section drafts. Read `place_openings` first.

The openings listed with a section are placed before those listed with its building, so that a general rule (`side: all`) leaves
room for single ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.findings import Findings
from battlesim.board.houses import OpeningDraft, SectionDraft, describe_floors, facing_name, free_stretches
from battlesim.board.mapfile import MapFile, OpeningSpec
from battlesim.board.shapes import Span, along, edges
from battlesim.board.yamlfaults import Loc
from battlesim.core.geometry import distance, point_segment_distance

APART = 60
"""Openings of a general rule keep this distance from those already there, in hundredths."""
NEAR = 150
"""A point given by `near` lies this close to its wall, in hundredths."""
PARAPET_MEN = 5
"""Models that fire from each side of a flat roof."""
GENERAL_WIDTH = 150
"""A stretch of wall narrower than this, in hundredths, gets no opening by `side: all`. A wall of a hex does if all of it is
free."""


def place_openings(mapfile: MapFile, plans: Sequence[SectionDraft], found: Findings) -> None:
    """Fill `holes` of every draft, in order of floor and wall. Openings that fit nowhere are faults."""
    for plan in plans:
        for i, spec in enumerate(plan.specs):
            _place(spec, (*plan.loc, "openings", i), [plan], plans, found, general=False)
    for b, building in enumerate(mapfile.buildings):
        mine = [plan for plan in plans if plan.loc[1] == b]
        for i, spec in enumerate(building.openings):
            if mine:
                _place(spec, ("buildings", b, "openings", i), mine, plans, found, general=True)
    for plan in plans:
        if plan.flat_roof:
            _parapets(plan, plans)
        plan.holes.sort(
            key=lambda hole: (hole.floor, hole.side, distance(plan.polygon[hole.side], hole.point))
        )
        odd = [hole.kind for hole in plan.holes if hole.kind not in ("door", "slit", "parapet")]
        if plan.building.kind == "bunker" and odd:
            what = f"bunker {plan.name!r} has a {odd[0]}"
            found.warn(plan.loc, what, "bunkers have doors and slits only")


def _parapets(plan: SectionDraft, plans: Sequence[SectionDraft]) -> None:
    for side, (a, b) in enumerate(edges(plan.polygon)):
        free = free_stretches(plan, side, plan.floors, plans)
        if free:
            start, end = max(free, key=lambda span: (span[1] - span[0], -span[0]))
            point = along(a, b, (start + end) // 2)
            plan.holes.append(OpeningDraft(plan.floors, side, "parapet", point, PARAPET_MEN))


def _place(
    spec: OpeningSpec,
    loc: Loc,
    mine: list[SectionDraft],
    plans: Sequence[SectionDraft],
    found: Findings,
    general: bool,
) -> None:
    """Place the openings of one entry of the file in the sections `mine` (one section, or all of a building)."""
    if general and isinstance(spec.side, int) and len(mine) > 1:
        what = "a building of several sections has no numbered walls"
        found.error((*loc, "side"), what, "use near: [x, y], a direction, or number them in the section")
        return
    reason = "no wall of it faces the outdoors there"
    placed = 0
    for plan in mine:
        for floor in spec.on_floors(plan.floors):
            if floor >= plan.floors:
                reason = f"section {plan.name!r} has no floor {floor} inside, {describe_floors(plan)}"
                if not general:
                    found.error(loc, reason, "floors count from 0, the ground floor; roofs need none")
                continue
            if spec.near is not None:
                continue
            done, why = _place_on_floor(spec, plan, floor, plans, general)
            placed += done
            reason = why or reason
    if spec.near is not None:
        placed, reason = _place_near(spec, mine, plans)
    if not placed and not any(item[0] == loc for item in found.items):
        found.error(loc, f"this {spec.kind} is on no wall: {reason}", "see side, at, floor and near")


def _place_on_floor(
    spec: OpeningSpec, plan: SectionDraft, floor: int, plans: Sequence[SectionDraft], general: bool
) -> tuple[int, str]:
    sides = _sides(spec, plan)
    if not sides and isinstance(spec.side, int):
        return 0, f"section {plan.name!r} has walls 0 to {len(plan.polygon) - 1}"
    if not sides:
        return 0, f"no wall of section {plan.name!r} faces {spec.side}"
    placed = 0
    full = False
    why = ""
    for side in sides:
        free = free_stretches(plan, side, floor, plans)
        if spec.side == "all":
            least = (
                min(GENERAL_WIDTH, distance(*edges(plan.polygon)[side])) if plan.one_hex else GENERAL_WIDTH
            )
            free = [span for span in free if span[1] - span[0] >= least]
        length = distance(*edges(plan.polygon)[side])
        positions = _positions(spec, length, free, backwards=plan.backwards)
        if not positions:
            names = ", ".join(repr(plans[other].name) for _, other in plan.spans[side])
            why = f"that wall of {plan.name!r} adjoins {names}" if names else why
        for position in positions:
            if _put(spec, plan, floor, side, position, general):
                placed += 1
            elif general:
                full = True
            else:
                why = _taken(plan)
    # A general rule that finds a wall full of openings is not a fault.
    return placed or (1 if full or (general and not why) else 0), why


def _sides(spec: OpeningSpec, plan: SectionDraft) -> list[int]:
    walls = edges(plan.polygon)
    if spec.side == "all":
        return list(range(len(walls)))
    if isinstance(spec.side, int):
        side = len(walls) - 1 - spec.side if plan.backwards else spec.side
        return [side] if 0 <= side < len(walls) else []
    return [i for i, (a, b) in enumerate(walls) if facing_name(a, b) == spec.side]


def _positions(spec: OpeningSpec, length: int, free: list[Span], backwards: bool) -> list[int]:
    """The positions of the openings along a wall of this length, in hundredths from its first corner."""
    if spec.at is not None:
        # Where the wall is given by number, the fraction counts in the direction in which the file draws the wall.
        turned = backwards and isinstance(spec.side, int)
        position = length * (100 - spec.at if turned else spec.at) // 100
        return [position] if any(start <= position <= end for start, end in free) else []
    if spec.every is not None:
        positions = []
        for start, end in free:
            count = max(1, (end - start + spec.every // 2) // spec.every)
            positions += [start + (end - start) * (2 * i + 1) // (2 * count) for i in range(count)]
        return positions
    count = spec.count or 1
    total = sum(end - start for start, end in free)
    positions = []
    for i in range(count):
        rest = total * (2 * i + 1) // (2 * count)
        for start, end in free:
            if rest <= end - start:
                positions.append(start + rest)
                break
            rest -= end - start
    return positions


def _put(spec: OpeningSpec, plan: SectionDraft, floor: int, side: int, position: int, general: bool) -> bool:
    """Add an opening, unless another is too near; whether it was added."""
    point = along(*edges(plan.polygon)[side], position)
    for hole in plan.holes:
        if hole.floor == floor and distance(hole.point, point) < (APART if general else 1):
            return False
    plan.holes.append(OpeningDraft(floor, side, spec.kind, point, spec.men or 2))
    return True


def _place_near(
    spec: OpeningSpec, mine: list[SectionDraft], plans: Sequence[SectionDraft]
) -> tuple[int, str]:
    """Place one opening on each floor, on the free wall nearest to the point; how many, and why not more."""
    assert spec.near is not None
    floors = sorted({floor for plan in mine for floor in spec.on_floors(plan.floors)})
    placed, why = 0, f"no outer wall lies within {NEAR / 100:g} of near"
    for floor in floors:
        best: tuple[int, int, int, int] | None = None
        for plan in mine:
            if floor >= plan.floors:
                continue
            for side, (a, b) in enumerate(edges(plan.polygon)):
                length = distance(a, b)
                for start, end in free_stretches(plan, side, floor, plans):
                    c, d = along(a, b, start), along(a, b, end)
                    gap = point_segment_distance(spec.near, c, d)
                    foot = (spec.near[0] - a[0]) * (b[0] - a[0]) + (spec.near[1] - a[1]) * (b[1] - a[1])
                    position = min(max(foot // length, start), end)
                    if gap <= NEAR and (best is None or (gap, plan.number, side, position) < best):
                        best = (gap, plan.number, side, position)
        if best is not None:
            plan = plans[best[1]]
            if _put(spec, plan, floor, best[2], best[3], general=False):
                placed += 1
            else:
                why = _taken(plan)
    return placed, why


def _taken(plan: SectionDraft) -> str:
    """Why an opening is not placed where another one is."""
    return f"another opening of {plan.name!r} is there already"
