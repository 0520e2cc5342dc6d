"""The six orders (OD-HOUSE-ORDERS, OD-ORDER-1)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm, MoveTo, Order, Pass, TargetUnit
from battlesim.core.events import Placed, Rolled
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.turn import (
    WhichOrder,
    open_orders,
)
from tests.rulesets.orderdice.grounds import house, plain
from tests.rulesets.orderdice.kit import Table, give, unit

MISS = 1


PLAIN = plain()


# ---- the orders ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_the_six_orders() -> None:
    table = Table(PLAIN, unit("officer", at="g1.1", pins=1), unit("officer", at="g10.1", side=1))
    assert open_orders(table.state, table.board, table.unit(0)) == [
        "fire",
        "advance",
        "run",
        "ambush",
        "rally",
        "down",
    ]


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_fire_needs_a_target_and_rally_pins() -> None:
    table = Table(PLAIN, unit("officer", at="g1.1"), unit("officer", at="g40.1", side=1))
    assert open_orders(table.state, table.board, table.unit(0)) == ["advance", "run", "ambush", "down"]


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_fire_shoots_without_moving() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1"), unit("officer", at="g10.1", side=1, order="run"), dice=[[MISS]]
    )
    assert give(table, "fire", 0) is None
    assert [shot.need for shot in table.events(Shot)] == [3]
    assert table.events(Placed) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS", "OD-HOUSE-SHOOT")
def test_advance_moves_up_to_6_and_shoots_at_minus_1() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1"), unit("officer", at="g15.1", side=1, order="run"), dice=[[MISS]]
    )
    give(table, "advance", 0)
    far = [a.place for a in table.legal if isinstance(a, MoveTo)]
    assert table.place("g7.1") in far
    assert table.place("g8.1") not in far
    ask = table.say(MoveTo(table.place("g7.1")))
    assert isinstance(ask, AtWhom)
    table.say(TargetUnit(1))
    assert table.unit(0).place == table.place("g7.1")
    assert [shot.need for shot in table.events(Shot)] == [4]
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_run_moves_up_to_12_and_does_not_shoot() -> None:
    table = Table(PLAIN, unit("officer", at="g1.1"), unit("officer", at="g30.1", side=1, order="run"))
    give(table, "run", 0)
    far = [a.place for a in table.legal if isinstance(a, MoveTo)]
    assert table.place("g13.1") in far
    assert table.place("g14.1") not in far
    assert table.say(MoveTo(table.place("g13.1"))) is None
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_a_run_may_be_an_assault_and_an_advance_not() -> None:
    table = Table(PLAIN, unit("officer", at="g1.1"), unit("officer", at="g10.1", side=1))
    table.do(WhereTo(0, "run", side=0))
    assert TargetUnit(1) in table.legal
    table.state.stack = ()
    table.do(WhereTo(0, "advance", side=0))
    assert TargetUnit(1) not in table.legal


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_ambush_waits_and_fires_later() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1"), unit("officer", at="g10.1", side=1, order="ambush"), dice=[[MISS]]
    )
    table.do(WhichOrder(0, side=0))
    ask = table.say(Order("ambush"))
    assert table.events(Shot) == []
    assert unit_state(table.unit(0)).order == "ambush"
    assert isinstance(ask, Interrupt)
    assert ask.unit == 1  # the other side's Ambush sees an action
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).order == "fire"
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_down_is_no_action() -> None:
    table = Table(PLAIN, unit("officer", at="g1.1"), unit("officer", at="g10.1", side=1, order="ambush"))
    assert give(table, "down", 0) is None  # nothing an Ambush could interrupt
    assert unit_state(table.unit(0)).order == "down"
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_rally_loses_pins() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1", pins=5), unit("officer", at="g60.1", side=1), dice=[[4, 5], [3]]
    )
    give(table, "rally", 0)
    assert unit_state(table.unit(0)).pins == 1  # one for passing, then D6
    table.done()


@pytest.mark.clause("OD-HOUSE-ORDERS")
def test_who_has_nothing_to_shoot_with_cannot_go_to_ambush() -> None:
    table = Table(PLAIN, unit("truck", at="g1.1"), unit("officer", at="g60.1", side=1))
    assert "ambush" not in open_orders(table.state, table.board, table.unit(0))


@pytest.mark.clause("OD-ORDER-1")
def test_units_inside_get_orders_in_the_usual_way() -> None:
    table = Table(
        house(),
        unit("officer", at="house.1:1", pins=1),
        unit("officer", at="g40.10", side=1),
        dice=[[1, 1]],
    )
    assert open_orders(table.state, table.board, table.unit(0)) == [
        "fire",
        "advance",
        "run",
        "ambush",
        "rally",
        "down",
    ]
    ask = give(table, "advance", 0)
    assert isinstance(ask, WhereTo)
    assert [e.purpose for e in table.events(Rolled)] == ["order"]
    assert any("OD-ORDER-1" in event.clauses for event in table.events(Ordered))
    table.say(Pass())
