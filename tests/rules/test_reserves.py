"""Reserves of a scenario (rules/reserves.py); coming on is tested with each rulebook that has them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from battlesim.core.items import TURN
from battlesim.rules.reserves import reserves
from battlesim.rules.scenario import Force, SideInfo, Zone


def test_reserves_are_due_at_their_edge_or_in_their_zone() -> None:
    sides = (SideInfo("Red"), SideInfo("Blue", (Zone("north", (4, 7)),)))
    forces = (
        Force(0, 0, "any", "here", place=3),
        Force(1, 0, "any", "by the edge", reserve=3, edge="n"),
        Force(2, 1, "any", "in the zone", reserve=1, zone="north"),
    )
    scenario: Any = SimpleNamespace(forces=forces, sides=sides)
    assert list(reserves(scenario)) == [(1, 2 * TURN, "n", ()), (2, 0, "", (4, 7))]
