"""Tactical roles of units and meanings of orders in the regiment rules."""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.tactical import Tactical
from battlesim.rulesets.regiment.model import type_of
from battlesim.rulesets.regiment.move import ADVANCE, DEEP, FLY, HOLD, RUN, WIDE


def _role(unit: Unit) -> str:
    kind = type_of(unit)
    if kind.character:
        return "officer"
    if kind.engine:
        return "crew"
    return "foot" if kind.infantry else "mounted"


TACTICAL = Tactical(
    _role, {ADVANCE: "move", RUN: "run", HOLD: "hold", FLY: "fly", WIDE: "wide", DEEP: "deep"}
)
