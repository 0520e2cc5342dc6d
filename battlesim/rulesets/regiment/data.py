"""Units and weapons as data (RG-HOUSE-PROFILE, RG-HOUSE-ENGINES, RG-HOUSE-TRAITS); files `data/units.toml`, `data/weapons.toml`.

Read `TYPES` and `WEAPONS`. Lengths are hundredths of an inch, moves whole inches.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

from battlesim.core.geometry import INCH

FOLDER = Path(__file__).parent
KINDS: tuple[str, ...] = ("infantry", "cavalry", "mi", "chariot", "monster", "engine")
TRAITS: tuple[str, ...] = (
    "character",
    "general",
    "battle_standard",
    "musician",
    "stubborn",
    "immune",
    "flyer",
    "frenzy",
    "impact",
    "large",
)


class Weapon(Struct, frozen=True):
    """What a unit shoots with. `way`: shot, bolt, cannon, stone, flame or breath. `steady`: not after any move. `blind`:
    needs no sight. `range`, `minimum` in hundredths."""

    name: str
    title: str
    range: int
    strength: int
    minimum: int = 0
    way: str = "shot"
    steady: bool = False
    blind: bool = False


class UnitType(Struct, frozen=True):
    """One type of unit; profile fields under their usual letters. `us`: unit strength a model. `base`: width of a model.
    `minimum`: files of the narrowest legal formation (infantry 5, monstrous infantry 4; RG-HOUSE-FORM)."""

    name: str
    title: str
    kind: str
    m: int
    ws: int
    bs: int
    s: int
    t: int
    w: int
    i: int
    a: int
    ld: int
    save: int = 0
    ward: int = 0
    us: int = 1
    base: int = 80
    models: int = 1
    files: int = 5
    weapon: str = ""
    standard: int = 0
    character: bool = False
    general: bool = False
    battle_standard: bool = False
    musician: bool = False
    stubborn: bool = False
    immune: bool = False
    flyer: bool = False
    frenzy: bool = False
    impact: bool = False
    large: bool = False
    worth: int = 0

    @property
    def infantry(self) -> bool:
        return self.kind == "infantry"

    @property
    def engine(self) -> bool:
        return self.kind == "engine"

    @property
    def minimum(self) -> int:
        return 4 if self.kind == "mi" else 5


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((FOLDER / "data" / name).read_text(encoding="utf-8"))


def _weapon(name: str, row: dict[str, Any]) -> Weapon:
    lengths = {key: row.get(key, 0) * INCH for key in ("range", "minimum")}
    return Weapon(name=name, **{**row, **lengths})


def _unit_type(name: str, row: dict[str, Any]) -> UnitType:
    fields = dict(row)
    letters = dict(zip(("m", "ws", "bs", "s", "t", "w", "i", "a", "ld"), fields.pop("profile"), strict=True))
    traits: dict[str, Any] = dict.fromkeys(fields.pop("traits", []), True)
    return UnitType(name=name, **letters, **traits, **fields)


WEAPONS: dict[str, Weapon] = {name: _weapon(name, row) for name, row in _read("weapons.toml").items()}
TYPES: dict[str, UnitType] = {name: _unit_type(name, row) for name, row in _read("units.toml").items()}
