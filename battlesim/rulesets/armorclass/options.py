"""The `options` of a scenario under this rulebook. Read `OptionsSpec`; `check.py` reports faults."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from battlesim.core.errors import Fault
from battlesim.rules.options import read_options
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.armorclass.model import Options

FIELDWORKS: dict[str, str] = {
    "foxhole": "earthen_embankment",
    "trench": "earthen_embankment",
    "emplacement": "",
}
"""Kinds of field work and their default walls; an emplacement's is its military class."""


class FieldworkSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """`{kind: trench, at: [g3.4, g4.4], cover: logs, wall: sandbags}`: cover and wall are materials of the wall table; `points`:
    structure points under a point variant, 0: the default."""

    kind: str
    at: tuple[str, ...]
    cover: str = ""
    wall: str = ""
    points: int = 0


class KeepSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """`{buildings: [factory], side: Garrison, points: 2}`: points for buildings that are complete at the end."""

    buildings: tuple[str, ...]
    side: str
    points: Annotated[int, Meta(ge=1, le=1000)] = 1
    name: str = ""


class OptionsSpec(Options, frozen=True, forbid_unknown_fields=True):
    """A scenario's `options` under this rulebook: those that the battle keeps, and those that become field works or objectives at
    set-up."""

    fieldworks: tuple[FieldworkSpec, ...] = ()
    keep: tuple[KeepSpec, ...] = ()


def scenario_options(scenario: Scenario) -> tuple[OptionsSpec, list[Fault]]:
    """A scenario's options and their faults; the number of a variant may be written as a number."""
    said = scenario.options
    if type(damage := said.get("damage")) is int:
        said = {**said, "damage": str(damage)}
    return read_options(said, OptionsSpec, "armorclass")


def kept(spec: OptionsSpec) -> Options:
    """The options that the battle keeps."""
    return Options(*(getattr(spec, name) for name in Options.__struct_fields__))
