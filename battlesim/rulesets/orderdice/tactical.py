"""Roles of units and senses of orders under the order dice."""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.tactical import Tactical
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.model import ADVANCE, AMBUSH, DOWN, FIRE, RALLY, RUN, type_of


def _role(unit: Unit) -> str:
    kind = type_of(unit)
    if kind.vehicle:
        return "vehicle"
    if kind.officer:
        return "officer"
    arms = [WEAPONS[name] for name in kind.slots if name]
    if any(arm.flame for arm in arms):
        return "engineers"
    # The last man of a crew serves its weapon; an observer serves guns that are off the board.
    if kind.artillery or kind.strike or any(arm.team or not arm.small for arm in arms[:1]):
        return "crew"
    return "foot"


TACTICAL = Tactical(
    _role, {FIRE: "fire", ADVANCE: "move", RUN: "run", AMBUSH: "wait", RALLY: "rally", DOWN: "down"}
)
