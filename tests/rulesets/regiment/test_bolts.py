"""Bolts: rank after rank (RG-HOUSE-ENGINES, RG-SHOOT-3, RG-RES-2)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.events import Rolled
from tests.rulesets.regiment.grounds import FIELD, HOUSE
from tests.rulesets.regiment.kit import unit
from tests.rulesets.regiment.test_engines import fired, lost

# ---- bolts -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_bolt_goes_through_rank_after_rank_at_one_less() -> None:
    """S 6, 5, 4, 3 against T 3: needs 2, 2, 3, 4; it stops where it does not wound."""
    bolt = unit("bolt_thrower", at="g1.4")
    levy = unit("levy", at="g6.4", side=1, models=30)
    table = fired(FIELD, bolt, levy, dice=[[3], [2], [2], [3], [3]])
    assert lost(table, 1) == 3
    assert [e.need for e in table.events(Rolled)][1:] == [2, 2, 3, 4]
    table.done()
    missed = fired(FIELD, bolt, levy, dice=[[2]])
    assert lost(missed, 1) == 0
    missed.done()


@pytest.mark.clause("RG-HOUSE-SHOOT", "RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("at", "foe", "goal"),
    [("g8.4", "levy", 3), ("g9.4", "levy", 4), ("g8.4", "giant", 2), ("g9.4", "giant", 3)],
)
def test_a_bolt_is_shot_by_bs(at: str, foe: str, goal: int) -> None:
    """BS 4; far is more than 24 of its 48 inches."""
    table = fired(FIELD, unit("bolt_thrower", at="g0.4"), unit(foe, at=at, side=1), dice=[[1]])
    assert [e.need for e in table.events(Rolled)] == [goal]
    table.done()


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize(("ward", "killed"), [(5, 0), (4, 1)])
def test_wards_help_against_bolts(ward: int, killed: int) -> None:
    """S 6 leaves the general's armour of 4 nothing."""
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("general", at="g6.4", side=1, wounds=2),
        dice=[[3], [2], [ward]],
    )
    assert lost(table, 1) == killed
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_bolt_is_spent_after_six_ranks() -> None:
    """S 6 to 1; its last needs a six."""
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("levy", at="g6.4", side=1, models=40),
        dice=[[3], *([[6]] * 6)],
    )
    assert [e.need for e in table.events(Rolled)][1:] == [2, 2, 3, 4, 5, 6]
    assert lost(table, 1) == 6
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-RES-2")
def test_a_bolt_meets_as_many_ranks_of_a_garrison_as_count_for_combat() -> None:
    """Twelve men are three ranks at minimum width, however wide they stood; hard cover makes the shot need 5."""
    table = fired(
        HOUSE,
        unit("bolt_thrower", at="g0.4"),
        unit("levy", at="house.1:0", side=1, models=12, files=12),
        dice=[[5], [6], [6], [6]],
    )
    assert lost(table, 1) == 3
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("hurt", "dice", "killed", "left"),
    [
        (0, [[3], [2]], 0, 1),  # one wound, no D3: the ogre stands, the bolt sticks
        (1, [[3], [2]], 0, 2),
        (2, [[3], [2], [2]], 1, 0),  # the last wound of the first; S 5 does not wound the second
        (2, [[3], [2], [3]], 1, 1),  # it does: a fresh ogre, and it sticks
    ],
)
def test_a_bolt_takes_one_wound_and_goes_no_further_than_it_kills(
    hurt: int, dice: list[Any], killed: int, left: int
) -> None:
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("ogres", at="g6.4", side=1, models=8, wounds=hurt),
        dice=dice,
    )
    assert (lost(table, 1), table.unit(1).own.wounds) == (killed, left)
    assert [event.number for event in table.happened("pierced")] == [killed]
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES", "RG-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("kind", "dice", "needs", "killed"),
    [
        ("knights", [[3], [2], [5]], [2, 5], 0),  # a save of 2 is 5 against S 6
        ("knights", [[3], [2], [4], [2], [4]], [2, 5, 2, 4], 1),  # and 4 against the S 5 of the next rank
        ("axemen", [[3], [2], [3], [6]], [2, 3, 6], 1),  # a save of 4 is none against S 6, 6 against S 5
    ],
)
def test_armour_helps_against_bolts_as_against_other_shots(
    kind: str, dice: list[Any], needs: list[int], killed: int
) -> None:
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit(kind, at="g6.4", side=1, models=20, files=5),
        dice=dice,
    )
    assert [e.need for e in table.events(Rolled)][1:] == needs
    assert lost(table, 1) == killed
    table.done()
