"""What a scenario's `options` may say under this rulebook. Read `OptionsSpec`; `check.py` says what is wrong with them."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.rules.forces import Scenario
from battlesim.rulesets.armorclass.model import Options

FIELDWORKS: dict[str, str] = {
    "foxhole": "earthen_embankment",
    "trench": "earthen_embankment",
    "emplacement": "",
}
"""Kinds of field work and the wall they have unless stated; an emplacement its military class."""
DAMAGE = ("guidelines", "ignored", "1", "2", "3")


class FieldworkSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """`{kind: trench, at: [g3.4, g4.4], cover: logs, wall: sandbags}`: cover and wall are materials of the wall table; `points`:
    structure points under a point variant, 0 as usual."""

    kind: str
    at: tuple[str, ...]
    cover: str = ""
    wall: str = ""
    points: int = 0


class KeepSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """`{buildings: [factory], side: Garrison, points: 2}`: points for buildings of which all stands at the end."""

    buildings: tuple[str, ...]
    side: str
    points: int = 1
    name: str = ""


class OptionsSpec(Options, frozen=True, forbid_unknown_fields=True):
    """A scenario's `options` under this rulebook: those that the battle keeps, and what is on the board or an objective once it
    is set up."""

    fieldworks: tuple[FieldworkSpec, ...] = ()
    keep: tuple[KeepSpec, ...] = ()


def read_options(scenario: Scenario) -> OptionsSpec:
    """A scenario's options; the number of a variant may be written as one. Raises msgspec.ValidationError."""
    said = scenario.options
    if type(damage := said.get("damage")) is int:
        said = {**said, "damage": str(damage)}
    return msgspec.convert(said, OptionsSpec)


def kept(spec: OptionsSpec) -> Options:
    """The options that the battle keeps."""
    return Options(*(getattr(spec, name) for name in Options.__struct_fields__))


def sections_named(board: Board, name: str) -> tuple[int, ...]:
    """The sections of a building, or the one section, of a name; () where there is none."""
    if name in board.buildings:
        return board.buildings[name]
    return (board.section_by_name[name],) if name in board.section_by_name else ()
