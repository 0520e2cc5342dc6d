"""Weapons, units and tables as data (AC-HOUSE-DATA, AC-TABLE, AC-HOUSE-STRUCT, AC-FIRE-1); the files stand in `data/`.

Read `WEAPONS` and `TYPES`. Lengths are hundredths of an inch.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

from battlesim.core.geometry import INCH

FOLDER = Path(__file__).parent
SHOTS: dict[str, int] = {"single": 1, "beam": 1, "automatic": 2, "pulse": 2, "rotary": 3}
"""Shots of a weapon by its class (AC-HOUSE-AIM)."""
QUALITIES: dict[str, int] = {"green": -1, "regular": 0, "veteran": 1, "elite": 2}
"""What a quality adds to the cohesion of a type; cohesion stays between 6 and 9."""


class Weapon(Struct, frozen=True):
    """One weapon or tool. `type`: line of the fire table, "" none. `cls`: single, beam, automatic, pulse or rotary. `radius`:
    of its effect area, 0 none. `hole`: width of the hole it leaves. `lobbed`: fires indirectly only. `once`: one shot a
    battle. `tool`: used on a wall in contact; `charge`: on vehicles and strongpoints too."""

    name: str
    title: str
    cls: str
    factor: int
    range: int
    type: str = ""
    radius: int = 0
    signature: int = 0
    vehicle: bool = False
    indirect: bool = False
    lobbed: bool = False
    once: bool = False
    tool: bool = False
    charge: bool = False
    hole: int = 0

    @property
    def shots(self) -> int:
        return SHOTS[self.cls]


class UnitType(Struct, frozen=True):
    """One type of unit. `kind`: soldiers, drone, vehicle, strongpoint or turret. `slots[i]`: weapon of the i-th
    soldier to survive.
    `mounts`: weapons of anything else. `cohesion` 0: tests nothing."""

    name: str
    title: str
    kind: str
    armour: int
    slots: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    cohesion: int = 0
    melee: int = 0
    automatic: bool = False
    worth: int = 0

    @property
    def soldiers(self) -> bool:
        return self.kind == "soldiers"

    @property
    def foot(self) -> bool:
        """Soldiers and drones: they enter buildings and assault."""
        return self.kind in ("soldiers", "drone")

    @property
    def fixed(self) -> bool:
        """Strongpoints and turrets never move."""
        return self.kind in ("strongpoint", "turret")

    @property
    def tough(self) -> bool:
        """Damaged by the table of AC-HOUSE-PEN instead of removed man by man."""
        return self.kind in ("vehicle", "strongpoint", "turret")

    @property
    def models(self) -> int:
        return len(self.slots) or 1


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "data" / name).read_text(encoding="utf-8"))


def _hundredths(value: float) -> int:
    return round(value * INCH)


def _weapon(name: str, row: dict[str, Any]) -> Weapon:
    fields = dict(row)
    for key in ("range", "radius", "hole"):
        fields[key] = _hundredths(fields.get(key, 0))
    return Weapon(name=name, cls=fields.pop("class"), **fields)


def _slots(words: list[str]) -> tuple[str, ...]:
    slots: list[str] = []
    for word in words:
        name, _, times = word.partition("*")
        slots += [name] * int(times or 1)
    return tuple(slots)


def _unit_type(name: str, row: dict[str, Any]) -> UnitType:
    fields = {**row, "mounts": tuple(row.get("mounts", ())), "tools": tuple(row.get("tools", ()))}
    return UnitType(name=name, slots=_slots(fields.pop("models", [])), **fields)


WEAPONS: dict[str, Weapon] = {name: _weapon(name, row) for name, row in _read("weapons.toml").items()}
TYPES: dict[str, UnitType] = {name: _unit_type(name, row) for name, row in _read("units.toml").items()}

_TABLES = _read("tables.toml")
WALLS: dict[str, int] = _TABLES["walls"]
ROOFS: dict[str, int] = _TABLES["roofs"]
MILITARY: dict[str, int] = _TABLES["military"]
FIRE: dict[str, int] = _TABLES["fire"]
WEATHER: dict[str, int] = _TABLES["weather"]
FLAMMABLE_WALLS: tuple[str, ...] = tuple(_TABLES["flammable"]["walls"])
FLAMMABLE_ROOFS: tuple[str, ...] = tuple(_TABLES["flammable"]["roofs"])
