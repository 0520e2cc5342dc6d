"""Units and weapons as data (OD-HOUSE-WEAPONS, OD-HOUSE-TRAITS); files `data/weapons.toml` and `data/units.toml`.

Read `WEAPONS` and `TYPES`. Lengths are hundredths of an inch.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

from battlesim.core.geometry import INCH

FOLDER = Path(__file__).parent
QUALITIES: tuple[str, ...] = ("inexperienced", "regular", "veteran")
D6_SHOTS = 0
"""Value of `Weapon.shots` that stands for a D6."""


class Weapon(Struct, frozen=True):
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


class UnitType(Struct, frozen=True):
    """One type of unit. `slots[i]` is the weapon of the i-th model to survive ("" none); for a vehicle `mounts` are
    (mount, weapon) pairs. `kind`: infantry, artillery or vehicle. `officer`: morale bonus, 0 none. `strike`: barrage, air
    or "". `worth`: points.
    """

    name: str
    title: str
    kind: str
    slots: tuple[str, ...] = ()
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
        return self.kind == "infantry"

    @property
    def artillery(self) -> bool:
        return self.kind == "artillery"

    @property
    def vehicle(self) -> bool:
        return self.kind == "vehicle"

    @property
    def models(self) -> int:
        return len(self.slots) or 1


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((FOLDER / "data" / name).read_text(encoding="utf-8"))


def _weapon(name: str, row: dict[str, Any]) -> Weapon:
    traits = row.get("traits", [])
    shots = row.get("shots", 1)
    return Weapon(
        name=name,
        title=row["title"],
        range=row["range"] * INCH,
        minimum=row.get("minimum", 0) * INCH,
        shots=D6_SHOTS if shots == "D6" else shots,
        penetration=row.get("penetration", 0),
        he=row.get("he", 0),
        assault="assault" in traits,
        team="team" in traits,
        fixed="fixed" in traits,
        flame="flame" in traits,
        shaped="shaped" in traits,
        one_shot="one_shot" in traits,
        indirect="indirect" in traits,
        direct="direct" in traits or "indirect" not in traits,
    )


def _slots(words: list[str]) -> tuple[str, ...]:
    slots: list[str] = []
    for word in words:
        name, _, times = word.partition("*")
        slots += ["" if name == "-" else name] * int(times or 1)
    return tuple(slots)


def _unit_type(name: str, row: dict[str, Any]) -> UnitType:
    return UnitType(
        name=name,
        title=row["title"],
        kind=row["kind"],
        slots=_slots(row.get("models", [])),
        officer=row.get("officer", 0),
        tough=row.get("tough", False),
        anti_tank=row.get("anti_tank", False),
        strike=row.get("strike", ""),
        size=row.get("size", ""),
        shield=row.get("shield", False),
        armour=row.get("armour", 0),
        drive=row.get("drive", ""),
        capacity=row.get("capacity", 0),
        mounts=tuple(
            (mount, weapon) for mount, _, weapon in (m.partition(" ") for m in row.get("mounts", []))
        ),
        worth=row["worth"],
    )


WEAPONS: dict[str, Weapon] = {name: _weapon(name, row) for name, row in _read("weapons.toml").items()}
TYPES: dict[str, UnitType] = {name: _unit_type(name, row) for name, row in _read("units.toml").items()}
CARRIERS = frozenset(name for name, kind in TYPES.items() if kind.capacity)
OBSERVERS = frozenset(name for name, kind in TYPES.items() if kind.strike)
