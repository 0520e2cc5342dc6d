"""Whole random battles: nothing that a side is told ever speaks of an enemy it has not found (AC-HOUSE-DETECT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim import play
from battlesim.core.events import Rolled, Scheduled, UnitSet
from battlesim.engine.battle import Battle, Question
from battlesim.rulesets.armorclass.deployment import Arrive
from battlesim.rulesets.armorclass.facts import DICE, UNIT
from tests.shipped import load


def _units(event: Any) -> list[int]:
    """Every unit that an event names."""
    found = [getattr(event, name, -1) for name in ("unit", "target", "other")]
    if isinstance(event, Rolled):
        found.append(event.actor)
        if DICE.get(event.purpose) == UNIT:
            found.append(event.object)
    if isinstance(event, Scheduled) and isinstance(event.entry.step, Arrive):
        found.append(event.entry.step.unit)
    return found


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-CONC-1", "AC-EXPL-1", "AC-HOUSE-RESERVE")
@pytest.mark.parametrize("name", ["outpost", "drones", "village-armour"])
@pytest.mark.parametrize("agents", [("random", "random"), ("greedy", "rush")])
def test_the_hidden_stay_hidden(name: str, agents: tuple[str, str]) -> None:
    scenario = load(name)
    met: set[int] = set()  # found at some time
    asked = 0

    def look(battle: Battle, question: Question) -> None:
        nonlocal asked
        asked += 1
        met.update(e.unit for e in battle.log[-400:] if isinstance(e, UnitSet) and e.own.get("detected"))
        for side in (0, 1):
            view = battle.view(side)
            unknown = {u.id for u in battle.state.units.values() if u.side != side and not u.own.detected}
            assert not unknown & set(view.units)
            assert not unknown & {u for goal in view.extra.objectives for u in goal.units}
            never = unknown - met
            for event in view.news:
                assert not never & set(_units(event)), event
            for item in (*view.stack, *(entry.step for entry in view.agenda)):
                assert not never & set(_units(item)), item

    play(scenario, agents, seed=2, listener=look)
    assert asked > 10


@pytest.mark.clause("AC-HOUSE-HIT", "AC-HOUSE-PEN", "AC-FIRE-1", "AC-HOUSE-DETECT")
@pytest.mark.parametrize("name", ["firebreak", "village-armour", "ridge-in-rain"])
def test_all_dice_are_ten_sided(name: str) -> None:
    """Save where one of several things is picked; and no die is rolled that can show but one thing, save for walls: to strike one
    may be enough."""
    game = play(load(name), ("greedy", "random"), seed=5)
    rolled = [event for event in game.log if isinstance(event, Rolled)]
    picks = ("whom", "which weapon", "direction")
    assert {event.purpose for event in rolled if event.sides != 10} <= set(picks)
    assert {event.sides for event in rolled if event.purpose == "direction"} <= {8}
    assert [e for e in rolled if e.need and not 2 <= e.need <= 10 and e.purpose != "wall"] == []
