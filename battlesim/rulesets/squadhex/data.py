"""Figures and unit types as data (SH-HOUSE-UNITS, SH-HOUSE-FIGURES); files `data/figures.toml` and `data/units.toml`.

Read `TYPES`. Ranges are whole hexes, movement half points (so that half a point for a road is whole).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

FOLDER = Path(__file__).parent
POINT = 2
"""Half points in one movement point."""
SQUAD_MOVEMENT, CREW_MOVEMENT = 4 * POINT, 2 * POINT


class Figure(Struct, frozen=True):
    """One kind of figure: its firepower against infantry and against vehicles; `counts`: against buildings, too;
    `serves`: the area attack of its unit is its own, and dwindles with such figures."""

    name: str
    infantry: int
    vehicles: int
    counts: bool = False
    serves: bool = False


class UnitType(Struct, frozen=True):
    """One type of unit. `figures[i]` is the i-th to survive, () for a vehicle; `strength` how many it begins with (2 for a
    vehicle: whole, then heavily damaged).

    `infantry` and `vehicles`: a vehicle's firepower; `ranges`: hexes, against infantry and against vehicles. `movement` in
    half points. `armour`, `area`, `area_suppressive`: dice. `shots`: area attacks it has, 0 no end.
    """

    name: str
    title: str
    vehicle: bool
    crew: bool
    figures: tuple[Figure, ...]
    strength: int
    ranges: tuple[int, int]
    movement: int
    infantry: int = 0
    vehicles: int = 0
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
        """Whether an officer leads it while he lives."""
        return any(figure.name == "officer" for figure in self.figures)


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((FOLDER / "data" / name).read_text(encoding="utf-8"))


FIGURES: dict[str, Figure] = {
    name: Figure(name, row["infantry"], row["vehicles"], row.get("counts", False), row.get("serves", False))
    for name, row in _read("figures.toml").items()
}


def _figures(row: dict[str, Any]) -> tuple[Figure, ...]:
    made: list[Figure] = []
    for word in row.get("figures", []):
        name, _, times = word.partition("*")
        figure = FIGURES[name]
        figure = Figure(
            name,
            row.get("figure_infantry", figure.infantry),
            row.get("figure_vehicles", figure.vehicles),
            figure.counts,
            figure.serves,
        )
        made += [figure] * int(times or 1)
    return tuple(made)


def _unit_type(name: str, row: dict[str, Any]) -> UnitType:
    vehicle, crew = row.get("kind") == "vehicle", row.get("crew", False)
    figures = _figures(row)
    usual = CREW_MOVEMENT if crew else SQUAD_MOVEMENT
    return UnitType(
        name=name,
        title=row["title"],
        vehicle=vehicle,
        crew=crew,
        figures=figures,
        strength=2 if vehicle else len(figures),
        ranges=(row["range"], row["vehicle_range"]),
        movement=row["movement"] * POINT if vehicle else usual,
        infantry=row.get("firepower", 0),
        vehicles=row.get("vehicle_firepower", 0),
        armour=row.get("armour", 0),
        concussive=row.get("concussive", False),
        anti_tank=row.get("anti_tank", False),
        building_bonus=row.get("building_bonus", 0),
        has_concussive=row.get("has_concussive", False),
        area=row.get("area", 0),
        area_suppressive=row.get("area_suppressive", 0),
        area_range=row.get("area_range", 0),
        shots=row.get("shots", 0),
        worth=row["worth"],
    )


TYPES: dict[str, UnitType] = {name: _unit_type(name, row) for name, row in _read("units.toml").items()}
