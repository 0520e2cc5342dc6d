"""The engaged: who attacks a garrison moves and is shot at as if he were not (RG-ATT-5, RG-HOUSE-ROOMS)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Face, MoveTo, Order, Pass, TargetUnit
from battlesim.rulesets.regiment.charge import ChargeWhom, can_charge
from battlesim.rulesets.regiment.move import WhichOrder, can_act, orders
from battlesim.rulesets.regiment.targets import can_shoot, open_to_fire, shooting_targets
from battlesim.rulesets.regiment.turn import waits
from tests.rulesets.regiment.grounds import (
    EAST,
    FIELD,
    HOUSE,
    NORTH,
    SOUTH,
    WEST,
)
from tests.rulesets.regiment.kit import Table, unit

# ---- the engaged -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-ATT-5")
def test_attackers_outside_are_shot_at_and_move_as_if_not_engaged_but_do_not_shoot() -> None:
    table = Table(
        HOUSE,
        unit("archers", at="g3.8", side=1, facing=SOUTH),
        unit("archers", at="g3.4", foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={1: 0}),
    )
    outside, inside = table.unit(1), table.unit(2)
    assert open_to_fire(table.state, HOUSE, outside)
    assert shooting_targets(table.state, HOUSE, table.unit(0)) == [1]
    assert can_act(table.state, HOUSE, outside)
    assert not can_shoot(table.state, outside)
    assert not can_act(table.state, HOUSE, inside)


@pytest.mark.clause("RG-ATT-5")
def test_who_moves_away_is_engaged_no_more_who_stays_in_contact_is() -> None:
    for to, foes in (("g2.4", ()), ("g3.5", ((1, 0),))):
        table = Table(
            HOUSE,
            unit("spearmen", at="g3.4", foes={1: 0}),
            unit("levy", at="house.1:0", side=1, foes={0: 0}),
        )
        table.do(WhichOrder(0, side=0))
        table.say(Order("advance"))
        table.say(MoveTo(HOUSE.space(to)))
        if table.ask is not None:
            table.say(Face(EAST))
        assert table.unit(0).own.foes == foes
        assert table.unit(1).own.foes == tuple((0, 0) for _ in foes)
        assert "RG-ATT-5" in table.clauses()
        table.done()


def outside(kind: str, *more: dict[str, Any], at: str = "g3.4", dice: Any = (), **own: Any) -> Table:
    """A unit (0) that attacks a garrison (1) from the west."""
    return Table(
        HOUSE,
        unit(kind, at=at, foes={1: 0}, **own),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        *more,
        dice=dice,
    )


@pytest.mark.clause("RG-ATT-5")
def test_attackers_outside_have_the_orders_of_the_free() -> None:
    """But nobody runs, next to an enemy as they are (RG-HOUSE-MOVE)."""
    found = {}
    for kind in ("spearmen", "harpies", "knights"):
        table = outside(kind, models=10, files=5)
        found[kind] = orders(table.state, HOUSE, table.unit(0))
    assert found == {
        "spearmen": ["hold", "advance", "wide"],
        "harpies": ["hold", "advance", "fly", "wide"],
        "knights": ["hold", "advance", "wide"],
    }
    table = outside("spearmen", files=5)
    table.do(WhichOrder(0, side=0))
    table.say(Order("wide"))
    assert table.unit(0).own.files == 10
    assert table.unit(0).own.foes == ((1, 0),)  # it stays, so that it is engaged, and faces what it fights
    assert table.ask is None
    table.done()


@pytest.mark.clause("RG-ATT-5")
def test_attackers_outside_may_charge_others_and_so_leave_the_garrison() -> None:
    enemy = unit("levy", at="g3.8", side=1, facing=SOUTH)
    table = outside("spearmen", enemy, facing=NORTH)
    assert waits(table.state, HOUSE, table.unit(0), 0)
    table.do(ChargeWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(2)]  # not the garrison it is in contact with already
    table.say(TargetUnit(2))
    table.say(Order("hold"))
    assert table.where(0) == "g3.7"
    assert [table.unit(n).own.foes for n in range(3)] == [((2, 0),), (), ((0, 0),)]
    assert table.unit(0).own.charged
    assert "RG-ATT-5" in table.clauses()
    table.done()


@pytest.mark.clause("RG-ATT-5")
def test_who_charges_and_still_touches_the_house_fights_both() -> None:
    enemy = unit("levy", at="g3.6", side=1, facing=SOUTH)
    table = outside("spearmen", enemy, facing=NORTH)
    table.do(ChargeWhom(0, side=0))
    table.say(TargetUnit(2))
    table.say(Order("hold"))
    assert [table.unit(n).own.foes for n in range(3)] == [((1, 0), (2, 0)), ((0, 0),), ((0, 0),)]
    assert not can_charge(table.state, HOUSE, table.unit(0))
    table.done()


@pytest.mark.clause("RG-ATT-5")
def test_a_charge_that_falls_short_leaves_the_garrison_too() -> None:
    enemy = unit("levy", at="g3.7", side=1, facing=SOUTH)
    table = outside("spearmen", enemy, facing=NORTH, at="g3.5", dice=[[6, 5]])
    table.do(ChargeWhom(0, side=0))
    table.say(TargetUnit(2))
    table.say(Order("flee"))
    assert table.happened("falls short")
    assert table.where(0) == "g3.6"  # a corner of the house: it touches still
    assert table.unit(0).own.foes == ((1, 0),)
    table.done()
    away = unit("levy", at="g9.4", side=1, facing=WEST)
    table = outside("spearmen", away, facing=EAST, at="g6.4", dice=[[6, 5]])
    table.do(ChargeWhom(0, side=0))
    table.say(TargetUnit(2))
    table.say(Order("flee"))
    assert table.where(0) == "g7.4"
    assert table.unit(0).own.foes == table.unit(1).own.foes == ()
    table.done()


@pytest.mark.clause("RG-ATT-5")
def test_frenzy_forces_none_of_them_away() -> None:
    enemy = unit("levy", at="g3.8", side=1, facing=SOUTH)
    table = outside("zealots", enemy, facing=NORTH)
    table.do(ChargeWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(2)]


@pytest.mark.clause("RG-ATT-5")
def test_characters_may_leave_where_their_unit_could_move() -> None:
    table = outside("spearmen", unit("captain", at="g3.4", joined=0))
    assert can_act(table.state, HOUSE, table.unit(2))
    field_ = Table(
        FIELD,
        unit("spearmen", at="g4.1", foes={1: 0}),
        unit("levy", at="g5.1", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.1", joined=0),
    )
    assert not can_act(field_.state, FIELD, field_.unit(2))


@pytest.mark.clause("RG-ATT-5")
def test_two_units_in_the_open_are_bound_and_not_shot_at() -> None:
    table = Table(
        FIELD,
        unit("archers", at="g1.1", side=1),
        unit("spearmen", at="g4.1", foes={2: 0}),
        unit("levy", at="g5.1", side=1, facing=WEST, foes={1: 0}),
    )
    assert shooting_targets(table.state, FIELD, table.unit(0)) == []
    assert not can_act(table.state, FIELD, table.unit(1))


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_an_engaged_garrison_neither_shoots_nor_is_shot_at() -> None:
    table = Table(
        HOUSE,
        unit("archers", at="g4.8", facing=SOUTH),
        unit("archers", at="house.1:0", side=1, foes={2: 0}),
        unit("levy", at="g3.4", foes={1: 0}),
    )
    assert shooting_targets(table.state, HOUSE, table.unit(0)) == []
    assert shooting_targets(table.state, HOUSE, table.unit(1)) == []
    free = Table(HOUSE, unit("archers", at="g4.8", facing=SOUTH), unit("archers", at="house.1:0", side=1))
    assert shooting_targets(free.state, HOUSE, free.unit(0)) == [1]
    assert shooting_targets(free.state, HOUSE, free.unit(1)) == [0]
