"""The fields of events, as a record gives them: by name, as plain data. Read `fields_of`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battlesim.core.events import Event, ModelsLost, Placed, Scheduled, StructureSet, UnitSet
from battlesim.engine.record import PlainFact

ROLES = ("unit", "target", "other", "aboard", "enemy")
"""Fields in which facts name units."""


def fields_of(event: Event) -> Mapping[str, Any]:
    """The fields of a fact, or of a change of a unit, a place or a section, by name; nothing for other events."""
    if isinstance(event, PlainFact):
        return event.fields
    if isinstance(event, (ModelsLost, UnitSet, Placed, StructureSet)):
        return {name: getattr(event, name) for name in event.__struct_fields__}
    return {}


def step_of(event: Scheduled) -> Mapping[str, Any]:
    """The step that is put on the agenda, which records give as plain data."""
    step: Any = event.entry.step
    return step if isinstance(step, Mapping) else {}


def units_of(event: Event) -> set[int]:
    """The units that a fact names."""
    fields = fields_of(event)
    return {fields[role] for role in ROLES if isinstance(fields.get(role), int) and fields[role] >= 0}
