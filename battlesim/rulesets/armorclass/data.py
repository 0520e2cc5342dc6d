"""Weapons, units and tables as data (AC-HOUSE-DATA, AC-TABLE, AC-HOUSE-STRUCT, AC-FIRE-1); the files are in `data/`.

Read `WEAPONS` and `TYPES`. Lengths are hundredths of an inch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from battlesim.rules.data_file import read_rows, read_table

FOLDER = Path(__file__).parent
D10 = 10
"""The sides of all dice of this rulebook."""
SHOTS: dict[str, int] = {"single": 1, "beam": 1, "automatic": 2, "pulse": 2, "rotary": 3}
"""Shots of a weapon by its class (AC-HOUSE-AIM)."""
QUALITIES: dict[str, int] = {"green": -1, "regular": 0, "veteran": 1, "elite": 2}
"""The modifier of a quality to a type's cohesion, which stays between 6 and 9."""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """One weapon or tool. `type`: line of the fire table, "" none. `cls`: single, beam, automatic, pulse or rotary. `radius`:
    of its effect area, 0 none. `hole`: width of the hole it leaves. `lobbed`: fires indirectly only. `once`: one shot a
    battle. `tool`: used on a wall in contact; `charge`: on vehicles and strongpoints too."""

    name: str
    title: str
    cls: Literal["single", "beam", "automatic", "pulse", "rotary"] = field(name="class")
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
        """Shots of one weapon in a volley, by its class."""
        return SHOTS[self.cls]


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of unit. `kind`: soldiers, drone, vehicle, strongpoint or turret. `slots[i]`: weapon of the i-th soldier to
    survive. `mounts`: weapons of other kinds. `cohesion` 0: it does not test."""

    name: str
    title: str
    kind: Literal["soldiers", "drone", "vehicle", "strongpoint", "turret"]
    armour: int
    slots: tuple[str, ...] = field(default=(), name="models")
    mounts: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    cohesion: int = 0
    melee: int = 0
    automatic: bool = False
    worth: int = 0

    @property
    def soldiers(self) -> bool:
        """A team of soldiers, who are lost one by one."""
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
        """Damaged by the table of AC-HOUSE-PEN instead of losing models."""
        return self.kind in ("vehicle", "strongpoint", "turret")

    @property
    def models(self) -> int:
        """Models at full strength: its soldiers, or 1."""
        return len(self.slots) or 1


class Tables(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of the rulebook. `walls`, `roofs`, `military`: armour class by material. `fire`: by line of the fire table, the
    highest D10 that starts a fire. `weather`: what is subtracted from that. `flammable`: walls and roofs that burn."""

    walls: dict[str, int]
    roofs: dict[str, int]
    military: dict[str, int]
    fire: dict[str, int]
    weather: dict[str, int]
    flammable: dict[Literal["walls", "roofs"], tuple[str, ...]]


DATA = FOLDER / "data"
WEAPONS: dict[str, Weapon] = read_rows(DATA / "weapons.toml", Weapon, inches=("range", "radius", "hole"))
TYPES: dict[str, UnitType] = read_rows(
    DATA / "units.toml",
    UnitType,
    lists=("models",),
    known=dict.fromkeys(("models", "mounts", "tools"), WEAPONS),
)
TABLES = read_table(DATA / "tables.toml", Tables)
WALLS, ROOFS, MILITARY, FIRE = TABLES.walls, TABLES.roofs, TABLES.military, TABLES.fire
WEATHER, FLAMMABLE_WALLS, FLAMMABLE_ROOFS = (
    TABLES.weather,
    TABLES.flammable["walls"],
    TABLES.flammable["roofs"],
)
