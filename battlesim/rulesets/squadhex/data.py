"""Figures and unit types (SH-HOUSE-UNITS, SH-HOUSE-FIGURES), from `data/figures.toml` and `data/units.toml`.

Ranges are in hexes, movement in half points, since a road hex costs a vehicle half a point. Read `TYPES`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from battlesim.rules.data_file import read_rows

FOLDER = Path(__file__).parent
POINT = 2
"""Half points in one movement point."""
SQUAD_MOVEMENT, CREW_MOVEMENT = 4 * POINT, 2 * POINT
"""The movement of squads, and of crews with a heavy weapon, in half points, unless the file gives another."""


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of figure: its firepower in dice against `infantry` and against `vehicles`. `counts`: also against buildings.
    `serves`: it serves the weapon of its unit's area attack, whose dice shrink as such figures are lost."""

    name: str
    infantry: int
    vehicles: int
    counts: bool = False
    serves: bool = False


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of unit. `figures`: its figures in the order in which they survive (the last is lost first); () for a vehicle.
    `strength`: its figures at the start; 2 for a vehicle: undamaged, then heavily damaged.

    `infantry`, `vehicles`: a vehicle's firepower in dice. `ranges`: against infantry and against vehicles, in hexes. `movement`:
    in half points. `armour`, `area`, `area_suppressive`: dice. `shots`: its number of area attacks, 0 for no limit.
    """

    name: str
    title: str
    vehicle: bool
    crew: bool
    figures: tuple[Figure, ...]
    strength: int
    ranges: tuple[int, int]
    movement: int
    infantry: int = field(default=0, name="firepower")
    vehicles: int = field(default=0, name="vehicle_firepower")
    armour: int = 0
    concussive: bool = False
    anti_tank: bool = False
    building_bonus: int = 0
    has_concussive: bool = False
    area: int = 0
    area_suppressive: int = 0
    area_range: int = 0
    shots: int = 0
    worth: int = 0

    @property
    def officer(self) -> bool:
        """Whether it has an officer, who leads it while he lives."""
        return any(figure.name == "officer" for figure in self.figures)


def _unit_type(row: dict[str, Any]) -> dict[str, Any]:
    """A vehicle has its own movement, squads and crews the standard one. `figure_infantry`, `figure_vehicles`: firepower of its
    figures, if not the standard of their kind."""
    vehicle, crew = row.pop("kind", "") == "vehicle", row.get("crew", False)
    changed = {key: row.pop(f"figure_{key}") for key in ("infantry", "vehicles") if f"figure_{key}" in row}
    figures = [asdict(replace(FIGURES[name], **changed)) for name in row.get("figures", ())]
    usual = CREW_MOVEMENT if crew else SQUAD_MOVEMENT
    return row | {
        "vehicle": vehicle,
        "crew": crew,
        "figures": figures,
        "strength": 2 if vehicle else len(figures),
        "ranges": (row.pop("range"), row.pop("vehicle_range")),
        "movement": row["movement"] * POINT if vehicle else usual,
    }


DATA = FOLDER / "data"
FIGURES: dict[str, Figure] = read_rows(DATA / "figures.toml", Figure)
TYPES: dict[str, UnitType] = read_rows(
    DATA / "units.toml",
    UnitType,
    lists=("figures",),
    known={"kind": ("squad", "vehicle"), "figures": FIGURES},
    change=_unit_type,
)
