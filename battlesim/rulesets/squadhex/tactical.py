"""Tactical roles of units and meanings of actions in the squad-and-hex rules."""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.tactical import Tactical
from battlesim.rulesets.squadhex.model import (
    ADVANCE,
    ADVANCE_FIRE,
    ASSAULT,
    BOMBARD,
    CONCENTRATED,
    FIRE,
    HOLD,
    OPPORTUNITY,
    type_of,
)


def _role(unit: Unit) -> str:
    kind = type_of(unit)
    if kind.vehicle:
        return "vehicle"
    if kind.officer:
        return "officer"
    if kind.concussive and not (kind.area or kind.crew):
        return "engineers"
    return "crew" if kind.crew or kind.area else "foot"


TACTICAL = Tactical(
    _role,
    {
        FIRE: "fire",
        ADVANCE_FIRE: "move",
        ADVANCE: "run",
        OPPORTUNITY: "wait",
        HOLD: "hold",
        ASSAULT: "assault",
        BOMBARD: "barrage",
        CONCENTRATED: "concentrate",
    },
)
