"""Buildings and fortifications: their materials and their damage (AC-TYPE, AC-TABLE, AC-HOUSE-STRUCT).

A map describes a section or building in `own: {armour: {...}}` (keys: those of `Spec`). Missing keys follow from the section's
kind and material. Changes are in `Structure.own`:

- `gone`: the lowest floor destroyed; it and all above are untenable; 0: the whole section has fallen
- `holes`, `breaches`: (floor, side) pairs: slits, and ways in as wide as a door
- `dents`: (floor, side, points) that engineers have taken; `lost`: structure points lost
- `closed`: no unit may enter

Read `make_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.events import StructureSet
from battlesim.core.frozen import EMPTY
from battlesim.core.geometry import doubled_area
from battlesim.core.memo import memo, owned_memo
from battlesim.core.state import State, Structure, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass.data import (
    FLAMMABLE_ROOFS,
    FLAMMABLE_WALLS,
    MILITARY,
    ROOFS,
    WALLS,
)
from battlesim.rulesets.armorclass.model import Fieldwork, battle_state, type_of

Pairs = tuple[tuple[int, int], ...]
KEPT: dict[str, Any] = {
    "gone": int,
    "holes": Pairs,
    "breaches": Pairs,
    "dents": tuple[tuple[int, int, int], ...],
    "lost": int,
    "closed": bool,
}
"""The types of the values in `Structure.own`."""
TYPES: tuple[str, ...] = ("building", "bunker", "pillbox", "strongpoint")
SCREEN = 2
"""The bonus of a defence screen or force field to every class (AC-HOUSE-STRUCT)."""
POINTS: dict[int, int] = {1: 6, 2: 12, 3: 24}
"""Structure points of a section by variant (AC-HOUSE-POINTS)."""

_WALL_OF = {
    "brick": "brick",
    "wood": "timber_medium",
    "stone": "stone_masonry_medium",
    "concrete": "concrete",
}
_TYPE_CLAUSES: dict[str, Clauses] = {
    "bunker": ("AC-TYPE-3", "AC-TYPE-11"),
    "pillbox": ("AC-TYPE-5",),
    "strongpoint": ("AC-TYPE-6",),
    "building": ("AC-TYPE-10",),
}


class Spec(Struct, frozen=True, forbid_unknown_fields=True):
    """The `armour` table of a map file. `type`: building, bunker, pillbox or strongpoint. `wall`, `roof`: materials of the
    tables; for military works they replace the military class (field works of logs or sandbags). `screen`: a defence screen or
    force field. `flammable`: contents that burn. `points`: structure points. `tunnels`: names of sections."""

    type: str = ""
    wall: str = ""
    roof: str = ""
    screen: bool = False
    flammable: bool = False
    points: int = 0
    tunnels: tuple[str, ...] = ()


class Make(Struct, frozen=True):
    """What a section is made of. `wall`, `roof`: armour classes with the screen; `burns` and `roof_burns`: flammable. `tunnels`:
    sections. `field`: built of earth, sandbags, timber; else permanent. `area`: hundredths of an inch squared."""

    type: str
    wall: int
    roof: int
    burns: bool
    roof_burns: bool
    screen: bool
    field: bool
    points: int
    tunnels: tuple[int, ...]
    area: int
    clauses: Clauses
    roof_clauses: Clauses

    @property
    def fighting(self) -> bool:
        """Whether units can fire from within: not from a bunker (AC-TYPE-3)."""
        return self.type != "bunker"


def read_spec(table: Any) -> Spec:
    """The checked `armour` table. Raises msgspec.ValidationError."""
    return msgspec.convert(table, Spec)


def spec_of(section: Section) -> Spec:
    """The map's `armour` table of a section, with defaults (`check` reports wrong tables)."""
    try:
        return read_spec(section.own.get("armour", {}))
    except msgspec.ValidationError:
        return Spec()


@owned_memo(bound=1)
def makes(board: Board) -> tuple[Make, ...]:
    """What every section of a board is made of."""
    return tuple(_make(board, section) for section in board.sections)


def make_of(board: Board, section: int) -> Make:
    """What a section is made of."""
    return makes(board)[section]


def _make(board: Board, section: Section) -> Make:
    spec = spec_of(section)
    # `check` refuses an unknown type, and all other checks go on without it.
    kind = spec.type if spec.type in TYPES else _default_type(board, section)
    wall_name, roof_name = spec.wall, spec.roof
    clauses: Clauses = _TYPE_CLAUSES[kind]
    roof_clauses = clauses
    if kind == "building":
        wall_name = wall_name or ("sheet_metal" if _metal_shed(section) else _WALL_OF[section.material])
        roof_name = roof_name or _default_roof(section)
    wall = WALLS.get(wall_name, MILITARY.get(kind, 0))
    roof = ROOFS.get(roof_name) or (wall if kind != "building" else 0)
    by_wall: Clauses = ("AC-TABLE-1",) if wall_name in WALLS else ("AC-TABLE-3", "AC-HOUSE-STRUCT")
    clauses += by_wall
    # A military work without a roof of its own is roofed with what its walls are made of.
    roof_clauses += ("AC-TABLE-2",) if roof_name in ROOFS else by_wall
    if roof_name == "reinforced_concrete":
        roof_clauses += ("AC-TABLE-3",)
    field = kind != "building" and wall_name in WALLS and wall_name not in ("concrete", "reinforced_concrete")
    if kind != "building":
        built: Clauses = ("AC-TYPE-2",) if field else ("AC-TYPE-1",)
        clauses, roof_clauses = clauses + built, roof_clauses + built
    more = SCREEN if spec.screen else 0
    return Make(
        type=kind,
        wall=wall + more,
        roof=roof + more,
        burns=spec.flammable or wall_name in FLAMMABLE_WALLS,
        roof_burns=roof_name in FLAMMABLE_ROOFS if roof_name else wall_name in FLAMMABLE_WALLS,
        screen=spec.screen,
        field=field,
        points=spec.points,
        tunnels=tuple(sorted(n for n in (_named(board, section, t) for t in spec.tunnels) if n >= 0)),
        area=abs(doubled_area(section.polygon)) // 2,
        clauses=tuple(dict.fromkeys(clauses)),
        roof_clauses=tuple(dict.fromkeys(roof_clauses)),
    )


def _named(board: Board, section: Section, name: str) -> int:
    """The section a tunnel leads to, -1: none. `name` may be its whole name, that of a building of one section, or its own name
    within the same building."""
    if name in board.section_by_name:
        return board.section_by_name[name]
    if len(board.buildings.get(name, ())) == 1:
        return board.buildings[name][0]
    return board.section_by_name.get(f"{section.building}.{name}", -1)


def _metal_shed(section: Section) -> bool:
    return section.kind == "shed" and section.material != "wood"


def _default_roof(section: Section) -> str:
    if section.flat_roof:
        return "reinforced_concrete"
    if section.kind == "shed":
        return "wood_and_shingle" if section.material == "wood" else "metal_sheeting"
    return {"wood": "wood_and_shingle", "concrete": "reinforced_concrete"}.get(
        section.material, "wood_and_tile"
    )


def _default_type(board: Board, section: Section) -> str:
    if section.kind != "bunker":
        return "building"
    slits = any(board.openings[n].kind in ("slit", "window") for floor in section.openings for n in floor)
    return "pillbox" if slits else "bunker"


def armour_of(board: Board, unit: Unit) -> int:
    """The armour class of a unit against attacks: that of its type. A strongpoint's battery is part of the fortification: it has
    two more behind a defence screen or force field (AC-TYPE-6, AC-HOUSE-STRUCT)."""
    kind = type_of(unit)
    if kind.kind != "strongpoint" or unit.place < 0 or board.spaces[unit.place].kind != "floor":
        return kind.armour
    return kind.armour + (SCREEN if make_of(board, board.spaces[unit.place].section).screen else 0)


# ---- their state -----------------------------------------------------------------------------------------------------


def record(state: State, section: int) -> Mapping[str, Any]:
    """The changes to a section, as in `Structure.own`."""
    structure = state.structures.get(section)
    return EMPTY if structure is None else structure.own


def floors_left(state: State, board: Board, section: int) -> int:
    """How many floors of a section are left; 0 if it has fallen."""
    changed = state.structures.get(section)
    gone = -1 if changed is None else changed.own.get("gone", -1)
    return len(board.sections[section].spaces) if gone < 0 else int(gone)


def tenable(state: State, board: Board, place: int) -> bool:
    """Whether a space can be held or passed at all: standing floors and ground; never a ruin (AC-DEST-3)."""
    changed = state.structures.get(board.spaces[place].section)
    return is_left(board, place, -1 if changed is None else changed.own.get("gone", -1))


def is_left(board: Board, place: int, gone: int) -> bool:
    """`tenable` for a space in a section with floors from `gone` up destroyed (-1: none)."""
    space = board.spaces[place]
    if space.kind != "floor":
        return space.kind == "ground"
    return gone < 0 or space.floor < gone


def tenable_among(state: State, board: Board, places: tuple[int, ...]) -> tuple[int, ...]:
    """The tenable ones of some spaces."""
    first, gone = _tenable_at_first(board, places), ruined(state, board)
    return tuple([place for place in first if place not in gone]) if gone else first


@owned_memo(bound=500)
def _tenable_at_first(board: Board, places: tuple[int, ...]) -> tuple[int, ...]:
    """The ones of some spaces that are tenable while nothing is destroyed."""
    return tuple([place for place in places if is_left(board, place, -1)])


def ruined(state: State, board: Board) -> list[int]:
    """The floors that are destroyed."""
    return [
        place
        for changed in state.structures.values()
        if (gone := changed.own.get("gone", -1)) >= 0
        for place in board.sections[changed.section].spaces[gone:]
    ]


def is_closed(state: State, board: Board, section: int) -> bool:
    """Whether no unit enters a section by its doors; tunnels can still be used."""
    return board.sections[section].closed or bool(record(state, section).get("closed"))


def pairs(state: State, section: int, name: str) -> tuple[tuple[int, int], ...]:
    """`holes` or `breaches` of a section: (floor, side)."""
    found: tuple[tuple[int, int], ...] = record(state, section).get(name, ())
    return found


def opened_sides(state: State, section: int, floor: int) -> tuple[int, ...]:
    """Sides of a floor with a hole or breach for fire, ascending."""
    own = record(state, section)
    if not own:
        return ()
    both = [*own.get("holes", ()), *own.get("breaches", ())]
    return tuple(sorted({side for level, side in both if level == floor}))


def is_breached(state: State, section: int, floor: int, side: int) -> bool:
    """Whether a wall has been breached."""
    return side in breached_sides(state, section, floor)


def breached_sides(state: State, section: int, floor: int) -> tuple[int, ...]:
    """The sides of a floor whose walls have been breached."""
    changed = state.structures.get(section)
    if changed is None or "breaches" not in changed.own:
        return ()
    return tuple([side for level, side in changed.own["breaches"] if level == floor])


def points_of(state: State, board: Board, section: int) -> int:
    """The initial structure points of a section, by the map, the scenario or the variant (AC-POINT-4, AC-POINT-6); 0 without a
    variant."""
    options = battle_state(state).options
    if not options.variant:
        return 0
    return make_of(board, section).points or options.points or POINTS[options.variant]


def points_of_work(state: State, work: Fieldwork) -> int:
    """The initial structure points of a field work, by the scenario or the variant."""
    options = battle_state(state).options
    if not options.variant:
        return 0
    return work.points or options.points or POINTS[options.variant]


def wall_points(wall: int) -> int:
    """How many successful attacks of engineers breach a wall (AC-HOUSE-POINTS)."""
    return (wall + 1) // 2


def change(r: Resolution, section: int, clauses: Clauses, fallen: bool = False, **own: Any) -> None:
    """Set fields of a section's record."""
    was = r.state.structures.get(section, Structure(section))
    burning = own.pop("burning", was.burning)
    r.emit(StructureSet(section, was.fallen or fallen, burning, own, clauses=clauses, cause=r.cause))


# ---- field works on the ground ---------------------------------------------------------------------------------------


@memo(bound=64)
def _by_place(fieldworks: tuple[Fieldwork, ...]) -> dict[int, Fieldwork]:
    """Field works by place."""
    return {work.place: work for work in fieldworks}


def fieldwork(state: State, place: int) -> Fieldwork | None:
    """The foxhole, trench or emplacement on a ground space."""
    works = battle_state(state).fieldworks
    return _by_place(works).get(place) if works else None


FOXHOLE_HOLDS = 2
"""Soldiers that a foxhole shelters (AC-TYPE-4)."""


def shelters(state: State, work: Fieldwork, unit: Unit) -> bool:
    """Whether a field work shelters a unit that is there, or would be. Machines are never sheltered. A foxhole shelters two
    soldiers in all; units with lower numbers come first (AC-TYPE-4)."""
    if not type_of(unit).foot:
        return False
    if work.kind != "foxhole":
        return True
    left = FOXHOLE_HOLDS
    for number in state.at.get(work.place, ()):
        if number >= unit.id:
            break
        other = state.units[number]
        if other.side == unit.side and type_of(other).foot and other.models <= left:
            left -= other.models
    return unit.models <= left


CHAPTER = Chapter(
    owns=(
        "AC-TYPE-1",
        "AC-TYPE-2",
        "AC-TYPE-3",
        "AC-TYPE-4",
        "AC-TYPE-5",
        "AC-TYPE-10",
        "AC-TABLE-1",
        "AC-TABLE-2",
        "AC-TABLE-3",
        "AC-HOUSE-STRUCT",
    )
)
