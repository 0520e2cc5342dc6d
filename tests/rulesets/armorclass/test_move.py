"""Moves that a hidden enemy stops (AC-HOUSE-MOVE, AC-HOUSE-DETECT)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo
from battlesim.core.events import Scored
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass.move import WhereTo
from tests.rulesets.armorclass.kit import Table, ground, unit


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-MOVE")
@pytest.mark.parametrize(("at", "friends", "looks"), [("g2.1", 0, 0), ("g3.1", 0, 1), ("g3.1", 2, 0)])
def test_who_is_stopped_before_the_first_step_has_not_moved(at: str, friends: int, looks: int) -> None:
    """It looks for the enemy in the distance again only if it got anywhere. It cannot stop on the full space."""
    table = Table(
        ground(),
        unit("tank", "g1.1", detected=True),
        unit("militia", at, side=1),
        unit("militia", "g12.1", side=1),
        *(unit("militia", "g2.1") for _ in range(friends)),
        dice=[10] * looks,
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g5.1")))
    table.dice.done()
    assert table.where(0) == ("g2.1" if looks else "g1.1")
    assert table.unit(0).own.moved == looks
    assert "runs into" in table.happened()


@pytest.mark.clause("AC-HOUSE-VICTORY", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(("at", "leaves"), [("g1.3", False), ("g0.5", True)])
def test_who_is_stopped_on_its_edge_before_the_first_step_does_not_leave(at: str, leaves: bool) -> None:
    """A car on the edge by which it may leave: a hidden team stops it at once, or only after it has driven along the edge."""
    table = Table(
        ground(),
        unit("scout_car", "g0.3", detected=True),
        unit("militia", at, side=1),
        objectives=(Objective("exit", "out", 1, 0, edge="w"),),
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g2.3" if at == "g1.3" else "g0.6")))
    assert "runs into" in table.happened()
    assert (table.unit(0).own.left, len(table.events(Scored))) == (leaves, leaves)
    assert table.where(0) == ("" if leaves else "g0.3")
