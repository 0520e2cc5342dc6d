"""Which facts of a record describe fire. Read `shot_of`.

It knows no rules: a fact counts as a shot if it has a unit, a target or place, and a range with a weapon or dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from battlesim.core.state import State


class FireLine(NamedTuple):
    """Fire of a unit from one space to another."""

    unit: int
    start: int
    end: int
    hit: bool


def shot_of(state: State, fields: Mapping[str, Any]) -> FireLine | None:
    """The fire that a fact with these fields describes; None if it is not a shot. `state`: before the fact."""
    unit, target = fields.get("unit", 0), fields.get("target", -1)
    if "range" not in fields or not ("weapon" in fields or "dice" in fields):
        return None
    if not isinstance(unit, int) or unit not in state.units:
        return None
    aimed = state.units.get(target) if isinstance(target, int) else None
    end = aimed.place if aimed is not None else fields.get("place", -1)
    start = state.units[unit].place
    if not isinstance(end, int) or end < 0 or start < 0:
        return None
    return FireLine(unit, start, end, bool(fields.get("hits", 1)))
