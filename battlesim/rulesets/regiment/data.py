"""Units and weapons as data (RG-HOUSE-PROFILE, RG-HOUSE-ENGINES, RG-HOUSE-TRAITS); files `data/units.toml`, `data/weapons.toml`.

Read `TYPES` and `WEAPONS`. Lengths are hundredths of an inch, moves whole inches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from battlesim.rules.data_file import read_rows

FOLDER = Path(__file__).parent
KINDS: tuple[str, ...] = ("infantry", "cavalry", "mi", "chariot", "monster", "engine")


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit shoots with. `way`: shot, bolt, cannon, stone, flame or breath. `steady`: cannot shoot after any move. `blind`:
    needs no line of sight. `range`, `minimum` in hundredths."""

    name: str
    title: str
    range: int
    strength: int
    minimum: int = 0
    way: str = "shot"
    steady: bool = False
    blind: bool = False


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of unit; profile fields under their usual letters. `us`: unit strength per model. `base`: width of a model.
    `minimum`: files of the narrowest legal formation (monstrous infantry 4, others 5; RG-HOUSE-FORM)."""

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
        """Infantry on foot of human size."""
        return self.kind == "infantry"

    @property
    def engine(self) -> bool:
        """A war machine and its crew."""
        return self.kind == "engine"

    @property
    def minimum(self) -> int:
        """The width of a rank from which ranks count, and that of ranks in a room: 5 models, 4 of monstrous infantry."""
        return 4 if self.kind == "mi" else 5


LETTERS: tuple[str, ...] = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld")
"""The fields of a profile, in the order of the file."""


def _unit_type(row: dict[str, Any]) -> dict[str, Any]:
    numbers = row.pop("profile", ())
    if len(numbers) != len(LETTERS):
        raise ValueError(f"profile is {', '.join(LETTERS)}: {len(LETTERS)} numbers")
    return row | dict(zip(LETTERS, numbers, strict=True))


DATA = FOLDER / "data"
WEAPONS: dict[str, Weapon] = read_rows(DATA / "weapons.toml", Weapon, inches=("range", "minimum"))
TYPES: dict[str, UnitType] = read_rows(
    DATA / "units.toml", UnitType, flags="traits", known={"kind": KINDS, "weapon": WEAPONS}, change=_unit_type
)
