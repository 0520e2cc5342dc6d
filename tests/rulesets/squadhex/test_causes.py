"""What an event is the effect of: who leaves the map or recovers causes nothing that would have come in any case."""

from __future__ import annotations

import pytest

from battlesim.core.events import Placed, Scheduled, Scored, UnitSet
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex.facts import Captured, Recovered
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.rulesets.squadhex.turn import ActionDone, EndRound
from tests.rulesets.squadhex.kit import Table, unit


@pytest.mark.clause("SH-HOUSE-VICTORY", "SH-HOUSE-ROUND")
def test_neither_a_capture_nor_the_next_action_is_an_effect_of_a_unit_leaving() -> None:
    table = Table(
        unit("rifle_squad", "g0.9"), unit("rifle_squad", "g5.5"), unit("rifle_squad", "g8.8", side=1)
    )
    goals = (
        Objective("exit", "out", 2, 0, edge="n"),
        Objective("hold", "the crossing", 1, places=(table.place("g5.5"),)),
    )
    table.r.set_extra(objectives=goals, held=(-1, -1))
    RULESET.step(table.r, ActionDone(0, table.place("g0.8")))
    assert table.causes(Captured) == [""]
    assert table.causes(Scheduled) == [""]
    assert table.causes(Scored) == table.causes(Placed) == ["LeftTheMap"]


@pytest.mark.clause("SH-HOUSE-ROUND", "SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize("face", [3, 4])
def test_units_are_fresh_again_whether_or_not_they_recover(face: int) -> None:
    table = Table(
        unit("rifle_squad", "g0.9", disrupted=True, fresh=False),
        unit("rifle_squad", "g8.8", side=1),
        dice=[face],
    )
    table.do(EndRound())
    assert bool(table.events(Recovered)) == (face == 4)
    assert table.causes(UnitSet) == (["Recovered", ""] if face == 4 else [""])
    table.done()
