"""Who that is charged fires first, and at what range (OD-HOUSE-CLOSE, OD-LEAVE-3, OD-LEAVE-4, OD-ASSAULT-4)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, TargetUnit
from battlesim.core.errors import RuleError
from battlesim.core.events import Placed
from battlesim.rulesets.orderdice.assault import ReactFire
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from tests.rulesets.orderdice.grounds import ground, house, plain, terrace, two_houses
from tests.rulesets.orderdice.kit import Table, assault, crew, faces, foe, unit, where_to

PLAIN, HOUSE = plain(), house()


def reacts(board: Board, one: str, two: str, **unit_state: Any) -> bool:
    """Whether a rifle section, charged, is asked to fire first."""
    table = Table(board, crew(3, one), foe("rifle_section", two, **unit_state))
    where_to(table, "run")
    with suppress(RuleError):  # it has come to blows, for which there are no dice: nobody was asked
        table.say(TargetUnit(1))
    return isinstance(table.ask, ReactFire)


# ---- who is asked ----------------------------------------------------------------------------------------------------


# A target more than 6 inches away may fire first. Of whoever is inside, the wall counts: the house's west wall is at 20.
@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-LEAVE-3")
@pytest.mark.parametrize(
    ("board", "at", "target", "asked"),
    [
        pytest.param(PLAIN, "g1.2", "g6.2", False, id="5 inches in the open"),
        pytest.param(PLAIN, "g1.2", "g7.2", False, id="6 inches in the open"),
        pytest.param(PLAIN, "g1.2", "g8.2", True, id="7 inches in the open"),
        pytest.param(PLAIN, "g1.2", "g13.2", True, id="12 inches in the open"),
        pytest.param(HOUSE, "g14.10", "house.1:0", False, id="5.5 inches before the target's house"),
        pytest.param(HOUSE, "g13.10", "house.1:0", True, id="6.5 inches before the target's house"),
        pytest.param(HOUSE, "house.1:0", "g14.10", False, id="5.5 inches out of the house"),
        pytest.param(HOUSE, "house.1:0", "g13.10", True, id="6.5 inches out of the house"),
        pytest.param(two_houses(6), "a.1:0", "b.1:0", False, id="6 inches from wall to wall"),
        pytest.param(two_houses(7), "a.1:0", "b.1:0", True, id="7 inches from wall to wall"),
    ],
)
def test_how_far_off_a_target_may_fire_first(board: Board, at: str, target: str, asked: bool) -> None:
    assert reacts(board, at, target) is asked


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize("order", ["fire", "advance", "run", "rally", "ambush", "down"])
def test_a_target_that_has_acted_may_not(order: str) -> None:
    assert not reacts(PLAIN, "g1.2", "g11.2", order=order)


@pytest.mark.clause("OD-LEAVE-4", "OD-ASSAULT-4")
def test_assaults_inside_are_surprises_however_large_the_rooms() -> None:
    assert not reacts(terrace(8, 8), "t.t1:0", "t.t2:0")
    assert not reacts(HOUSE, "house.1:0", "house.1:1")
    assert not reacts(HOUSE, "house.1:2", "house.1:3")


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_who_cannot_see_the_assaulters_cannot_fire_at_them() -> None:
    board = two_houses(10)
    assert reacts(board, "g9.1", "g17.1")
    assert not reacts(board, "g9.12", "g12.4")


@pytest.mark.clause("OD-LEAVE-3")
def test_assaulters_nobody_saw_inside_are_seen_once_they_are_out() -> None:
    """South of a house whose only door looks west."""
    board = ground(
        (46, 20),
        "buildings: [{name: house, rect: [20, 7, 26, 13], openings: [{kind: door, side: west}]}]",
    )
    assert reacts(board, "house.1:0", "g20.0")


# ---- what comes of it ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-HOUSE-REACT")
def test_reaction_fire_comes_before_contact_at_the_range_the_charge_began() -> None:
    table = Table(
        PLAIN,
        crew(6, "g1.2"),
        foe("sniper_rifles", "g11.2"),
        # four shots, two hit, both wound; a third of six need not test; then 4 against 2
        dice=[[6, 6, 1, 1], [6, 6], faces(2, 4), [3]],
    )
    ask = assault(table)
    assert isinstance(ask, ReactFire)
    assert (ask.unit, ask.side) == (1, 1)
    table.say(Confirm(True))
    assert [(shot.range, shot.need) for shot in table.events(Shot)] == [(1000, 3)]
    assert unit_state(table.unit(1)).order == "fire"
    assert [(f.inflicted, f.lost) for f in table.events(Fought)] == [(2, 0)]
    assert table.unit(0).models == 4


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_assaulters_shot_down_on_the_way_never_arrive() -> None:
    table = Table(PLAIN, crew(1, "g1.2"), foe("sniper_rifles", "g11.2"), dice=[[6, 6, 1, 1], [6, 6]])
    assault(table)
    table.say(Confirm(True))
    assert not table.unit(0).alive
    assert table.events(Fought) == []
    assert table.unit(1).models == 2
    table.done()


@pytest.mark.clause("OD-LEAVE-3")
def test_that_fire_meets_the_assaulters_outside_without_cover() -> None:
    """They have stepped out to 19.5, 10.5: 6 inches off, 2+ to hit; inside it would be 4+ at 6.5."""
    table = Table(
        HOUSE,
        crew(6, "house.1:0"),
        foe("sniper_rifles", "g13.10"),
        dice=[[1, 1, 1, 1], faces(2, 6), [3]],
    )
    ask = assault(table)
    assert isinstance(ask, ReactFire)
    table.say(Confirm(True))
    assert [(shot.range, shot.need) for shot in table.events(Shot)] == [(600, 2)]
    assert "OD-LEAVE-3" in table.clauses()
    out, on = table.events(Placed)
    assert on.path[0] == out.place  # from there they go on
    assert not table.unit(1).alive


@pytest.mark.clause("OD-LEAVE-3", "OD-ENTER-4")
def test_friends_before_the_door_are_passed_first() -> None:
    table = Table(
        HOUSE,
        crew(6, "house.1:0"),
        foe("sniper_rifles", "g12.10"),
        unit("officer", at="g19.10"),
        unit("officer", at="g19.9"),
        dice=[[1, 1, 1, 1], faces(2, 6), [3]],
    )
    assault(table)
    table.say(Confirm(True))
    assert [shot.range for shot in table.events(Shot)] == [600]
    assert table.board.spaces[table.events(Placed)[0].place].x == 1850
