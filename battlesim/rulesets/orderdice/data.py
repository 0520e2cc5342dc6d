"""Units and weapons as data (OD-HOUSE-WEAPONS, OD-HOUSE-TRAITS); files `data/weapons.toml` and `data/units.toml`.

Read `WEAPONS` and `TYPES`. Lengths are hundredths of an inch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from battlesim.rules.data_file import read_rows

FOLDER = Path(__file__).parent
QUALITIES: tuple[str, ...] = ("inexperienced", "regular", "veteran")
D6_SHOTS = 0
"""Value of `Weapon.shots` that stands for a D6."""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """One weapon. `shots` 0 stands for D6. `he` is the shell's class, 0 none. `minimum`: nearest range of indirect fire.
    `direct`: can shoot over open sights (every weapon but mortars).
    """

    name: str
    title: str
    range: int
    minimum: int = 0
    shots: int = 1
    penetration: int = 0
    he: int = 0
    assault: bool = False
    team: bool = False
    fixed: bool = False
    flame: bool = False
    shaped: bool = False
    one_shot: bool = False
    indirect: bool = False
    direct: bool = True

    @property
    def small(self) -> bool:
        """Small arms: penetration 0 and no HE; all else is heavy (OD-HOUSE-TRAITS)."""
        return self.penetration == 0 and self.he == 0


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of unit. `slots[i]` is the weapon of the i-th model to survive ("" none); for a vehicle `mounts` are
    (mount, weapon) pairs. `kind`: infantry, artillery or vehicle. `officer`: morale bonus, 0 none. `strike`: barrage, air
    or "". `worth`: points.
    """

    name: str
    title: str
    kind: Literal["infantry", "artillery", "vehicle"]
    slots: tuple[str, ...] = field(default=(), name="models")
    officer: int = 0
    tough: bool = False
    anti_tank: bool = False
    strike: str = ""
    size: str = ""
    shield: bool = False
    armour: int = 0
    drive: str = ""
    capacity: int = 0
    mounts: tuple[tuple[str, str], ...] = ()
    worth: int = 0

    @property
    def infantry(self) -> bool:
        """Men on foot."""
        return self.kind == "infantry"

    @property
    def artillery(self) -> bool:
        """A gun and its crew."""
        return self.kind == "artillery"

    @property
    def vehicle(self) -> bool:
        """A tank, a carrier or another machine."""
        return self.kind == "vehicle"

    @property
    def models(self) -> int:
        """Models at full strength: its men, or 1."""
        return len(self.slots) or 1


def _weapon(row: dict[str, Any]) -> dict[str, Any]:
    """`shots` may be "D6"; a weapon of indirect fire shoots over open sights only where the file says so, too."""
    shots = D6_SHOTS if row.get("shots") == "D6" else row.get("shots", 1)
    return {"direct": not row.get("indirect"), **row, "shots": shots}


def _unit_type(row: dict[str, Any]) -> dict[str, Any]:
    """`mounts` are written "turret heavy_gun"."""
    return {**row, "mounts": [mount.split(" ", 1) for mount in row.get("mounts", ())]}


DATA = FOLDER / "data"
WEAPONS: dict[str, Weapon] = read_rows(
    DATA / "weapons.toml", Weapon, inches=("range", "minimum"), flags="traits", change=_weapon
)
TYPES: dict[str, UnitType] = read_rows(
    DATA / "units.toml", UnitType, lists=("models",), known={"models": WEAPONS}, change=_unit_type
)
CARRIERS = frozenset(name for name, kind in TYPES.items() if kind.capacity)
OBSERVERS = frozenset(name for name, kind in TYPES.items() if kind.strike)
