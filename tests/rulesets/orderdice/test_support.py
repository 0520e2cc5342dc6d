"""Calling barrages and air strikes (OD-AIR-1, OD-BARR-1, OD-EMPTY-1, OD-HOUSE-SUPPORT). How they come: `test_barrages.py`."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Answer, Order, Pass, TargetSpace, TargetUnit
from battlesim.core.items import TURN
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import line_of_sight, support
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.support import AIR, BARRAGE, CallStrike, StrikeDue
from battlesim.rulesets.orderdice.turn import Obey, WhichOrder
from tests.rulesets.orderdice.grounds import ground, house, street
from tests.rulesets.orderdice.kit import Table, acted, unit

FIELD, HOUSE, STREET = ground((46, 46)), house(), street()


def called(table: Table) -> list[Answer]:
    """On what unit 0 may call its strike."""
    table.do(Obey(0))
    return table.legal if isinstance(table.ask, CallStrike) else []


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_a_barrage_is_called_on_ground_where_the_observer_sees_the_enemy() -> None:
    table = Table(
        FIELD, unit("artillery_observer", at="g2.2", order="fire"), acted("g30.30"), acted("g40.9", "truck")
    )
    assert called(table) == [TargetSpace(table.place("g30.30")), TargetSpace(table.place("g40.9"))]
    table.say(TargetSpace(table.place("g40.9")))
    assert unit_state(table.unit(0)).called
    (entry,) = table.state.agenda
    assert entry.step == StrikeDue(0, BARRAGE, -1, table.place("g40.9"))
    assert (entry.time, entry.priority) == (TURN, support.STRIKE_PRIORITY)
    table.done()  # the order was for calling: nobody shoots


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_an_air_strike_is_called_on_units() -> None:
    table = Table(
        FIELD, unit("air_observer", at="g2.2", order="fire"), acted("g30.30"), acted("g40.9", "truck")
    )
    assert called(table) == [TargetUnit(1), TargetUnit(2)]
    table.say(TargetUnit(2))
    assert table.state.agenda[0].step == StrikeDue(0, AIR, 2, table.place("g40.9"))
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_one_strike_a_game_then_only_pistols() -> None:
    table = Table(FIELD, unit("air_observer", at="g2.2", called=True), acted("g30.30"))
    table.do(WhichOrder(0, side=0))
    assert Order("fire") not in table.legal
    fresh = Table(FIELD, unit("air_observer", at="g2.2"), acted("g30.30"))
    fresh.do(WhichOrder(0, side=0))
    assert Order("fire") in fresh.legal
    assert not support.can_call(table.state, FIELD, table.unit(0))
    officer = Table(FIELD, unit("officer", at="g2.2"), acted("g30.30"))
    assert not support.can_call(officer.state, FIELD, officer.unit(0))


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_passing_shoots_and_is_offered_only_where_something_bears() -> None:
    table = Table(
        FIELD, unit("air_observer", at="g20.30", order="fire"), acted("g30.30"), acted("g30.28"), dice=[1]
    )
    assert called(table) == [TargetUnit(1), TargetUnit(2), Pass()]
    table.say(Pass())
    assert isinstance(table.ask, AtWhom)
    table.say(TargetUnit(1))  # the rifle; the pistol does not reach
    assert not unit_state(table.unit(0)).called
    assert table.state.agenda == ()
    table.done()


@pytest.mark.clause("OD-AIR-1")
def test_it_is_enough_to_see_the_building_the_target_is_in() -> None:
    table = Table(
        STREET, unit("air_observer", at="post.1:1", order="fire"), acted("tower.1:0"), acted("hut.1:0")
    )
    state, place = table.state, table.unit(0).place
    assert not line_of_sight.sees(state, STREET, place, table.place("tower.1:0"))
    assert line_of_sight.sees(state, STREET, place, table.place("tower.1:2"))
    legal = called(table)
    assert TargetUnit(1) in legal
    assert TargetUnit(2) not in legal  # nothing of the hut is seen


@pytest.mark.clause("OD-BARR-1")
def test_the_aiming_point_may_lie_on_a_building_in_sight() -> None:
    table = Table(
        STREET, unit("artillery_observer", at="post.1:1", order="fire"), acted("tower.1:0"), acted("hut.1:0")
    )
    legal = called(table)
    assert legal[0] == TargetSpace(table.place("tower.1:0"))
    assert TargetSpace(table.place("hut.1:0")) not in legal


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.parametrize("kind", ["artillery_observer", "air_observer"])
def test_an_empty_building_in_sight_may_be_called_on(kind: str) -> None:
    def offered(*more: dict[str, Any], **kw: Any) -> bool:
        table = Table(HOUSE, unit(kind, at="g2.9", order="fire"), acted("g44.2"), *more, **kw)
        return TargetSpace(table.place("house.1:0")) in called(table)

    assert offered()
    assert not offered(unit("officer", at="house.1:1"))  # a friend is in it
    assert not offered(structures=[Structure(0, fallen=True)])


@pytest.mark.clause("OD-EMPTY-1")
def test_the_nearest_eight_empty_buildings_are_offered() -> None:
    huts = "".join(
        f"\n  - {{name: h{i}, rect: [{4 * i}, 2, {4 * i + 3}, 5], openings: [{{kind: door, side: north}}]}}"
        for i in range(11)
    )
    row = ground((46, 30), f"buildings:{huts}")
    table = Table(row, unit("artillery_observer", at="g2.20", order="fire"))
    places = [row.sections[i].spaces[0] for i in range(8)]
    assert called(table) == [TargetSpace(place) for place in places]
