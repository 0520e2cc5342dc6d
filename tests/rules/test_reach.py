"""How many points are in reach: each kind of objective, and the regiments' worth of enemies."""

from __future__ import annotations

import pytest

from battlesim.core.state import State, Unit
from battlesim.rules.scenario import Objective
from battlesim.rules.victory import Points, in_reach
from battlesim.rulesets.finder import find_ruleset
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.victory import STANDARD_WORTH
from battlesim.scenario.load import first_state
from tests.shipped import load

UNITS = {n: Unit(n, side, f"u{n}", "x", 0, 5) for n, side in enumerate((0, 0, 0, 1, 1))}


@pytest.mark.parametrize(
    ("goal", "times", "most"),
    [
        (Objective("hold", "the mill", 3, places=(1,)), 1, (3, 3)),
        (Objective("hold", "the mill", 3, side=1, places=(1,)), 1, (0, 3)),
        (Objective("hold", "the mill", 3, places=(1,)), 6, (18, 18)),
        (Objective("destroy", "the bridge", 4, side=0, sections=(1, 2)), 6, (4, 0)),
        (Objective("keep", "the bridge", 4, side=1, sections=(1, 2)), 6, (0, 4)),
        (Objective("destroy", "their guns", 2, side=0, units=(3, 4)), 6, (4, 0)),
        (Objective("survive", "the guns", 2, side=1, units=(3, 4)), 6, (0, 4)),
        (Objective("exit", "off north", 5, side=0, edge="n"), 6, (15, 0)),
        (Objective("exit", "off north", 5, side=0, edge="n", units=(1,)), 6, (5, 0)),
    ],
)
def test_each_objective_counts_at_its_most(goal: Objective, times: int, most: Points) -> None:
    assert in_reach(State(UNITS, {}, None), goal, times) == most


def test_under_the_regiments_enemies_and_standards_are_in_reach() -> None:
    scenario = load("border-keep")
    state = first_state(scenario, 1)
    found = find_ruleset("regiment").reach(state)
    for side in (0, 1):
        enemies = [TYPES[unit.kind] for unit in state.units.values() if unit.side != side]
        worth = sum(one.worth + STANDARD_WORTH * bool(one.standard) for one in enemies)
        held = sum(goal.points for goal in scenario.objectives if goal.side in (-1, side))
        assert found[side] == worth + held
    assert all(goal.kind == "hold" or len(goal.units) == 1 for goal in scenario.objectives), (
        "each of these counts once"
    )
