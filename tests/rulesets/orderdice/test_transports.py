"""Boarding, dismounting, bailing out of a transport (OD-HOUSE-TRANSPORT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Answer, Face, MoveTo, Order, Pass, TargetUnit
from battlesim.core.events import Happened, Rolled
from battlesim.rulesets.orderdice import facts, morale, targets, transports
from battlesim.rulesets.orderdice.casualties import CarrierLost
from battlesim.rulesets.orderdice.collapse import BailOut
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.observation import faults
from battlesim.rulesets.orderdice.turn import Obey, WhichOrder, open_orders
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

FIELD = ground((46, 46))
HOUSE = house()


def answers(table: Table, number: int) -> list[Answer]:
    table.do(Obey(number))
    assert table.ask is not None
    return table.legal


def broken(table: Table) -> list[str]:
    """Invariants that do not hold; a table has no agenda, which is none of them."""
    return [fault for fault in faults(table.state, table.board) if not fault.startswith("nothing is left")]


def inches(table: Table, a: str, place: int) -> int:
    return table.board.distance(table.place(a), place)


# ---- getting in ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_infantry_boards_by_run() -> None:
    table = Table(FIELD, unit("rifle_section", at="g10.20", order="run"), unit("truck", at="g20.20"))
    table.do(Obey(0))
    table.say(TargetUnit(1))
    mine = table.unit(0)
    assert (mine.place, unit_state(mine).aboard, unit_state(mine).moved) == (-1, 1, True)
    assert mine.id not in table.state.at.get(table.place("g20.20"), ())
    assert broken(table) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
@pytest.mark.parametrize(
    ("who", "order", "carrier", "may"),
    [
        ("rifle_section", "run", {"at": "g22.20"}, True),
        ("rifle_section", "run", {"at": "g23.20"}, False),  # 13 inches
        ("rifle_section", "advance", {"at": "g13.20"}, False),
        ("light_at_gun", "advance", {"at": "g11.20"}, False),
        ("rifle_section", "run", {"at": "g13.20", "immobile": True}, False),
    ],
)
def test_who_may_board(who: str, order: str, carrier: dict[str, Any], may: bool) -> None:
    table = Table(FIELD, unit(who, at="g10.20", order=order), unit("truck", **carrier))
    assert (TargetUnit(1) in answers(table, 0)) == may


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_capacity_counts_men() -> None:
    def may(*aboard: int) -> bool:
        riders = [unit("rifle_section", models=n, aboard=1) for n in aboard]
        table = Table(
            FIELD, unit("rifle_section", at="g10.20", order="run"), unit("truck", at="g13.20"), *riders
        )
        return TargetUnit(1) in answers(table, 0)

    assert may()  # 10 of 12
    assert may(2)
    assert not may(3)
    assert not may(2, 1)


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_no_enemy_transport_and_no_tank_is_boarded() -> None:
    table = Table(
        FIELD,
        unit("officer", at="g10.20", order="run"),
        unit("truck", at="g13.20", side=1, order="fire"),
        unit("medium_tank", at="g10.23"),
        dice=[[1, 1]],
    )
    legal = answers(table, 0)
    assert TargetUnit(2) not in legal
    table.say(TargetUnit(1))  # that is an assault
    assert unit_state(table.unit(0)).aboard == -1


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_the_way_past_friends_ends_aboard_and_not_among_them() -> None:
    crowd = [unit("officer", at=f"g{x}.{y}") for x, y in ((19, 20), (19, 19), (19, 21), (20, 19), (20, 21))]
    table = Table(FIELD, unit("officer", at="g12.20", order="run"), unit("truck", at="g20.20"), *crowd)
    table.do(Obey(0))
    table.say(TargetUnit(1))
    assert unit_state(table.unit(0)).aboard == 1
    assert broken(table) == []
    table.done()


# ---- inside ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_passengers_neither_shoot_nor_are_shot_at() -> None:
    table = Table(
        FIELD,
        unit("truck", at="g20.20"),
        unit("mmg_team", aboard=0, pins=1),
        unit("rifle_section", at="g25.20", side=1),
    )
    assert open_orders(table.state, FIELD, table.unit(1)) == ["advance", "run", "rally", "down"]
    assert not targets.can_shoot_at(table.state, FIELD, table.unit(2), table.unit(1), False)
    assert not targets.can_shoot_at(table.state, FIELD, table.unit(1), table.unit(2), False)


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_passengers_ride_along() -> None:
    table = Table(FIELD, unit("truck", at="g20.20", order="run"), unit("officer", aboard=0, order="down"))
    table.do(Obey(0))
    table.say(MoveTo(table.place("g40.20")))
    table.say(Face(0))
    assert unit_state(table.unit(1)).aboard == 0
    assert table.unit(1).place == -1
    table.done()


# ---- getting out -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
@pytest.mark.parametrize(("order", "limit"), [("advance", 600), ("run", 1200)])
def test_they_dismount_by_advance_or_run_measured_from_the_transport(order: str, limit: int) -> None:
    table = Table(FIELD, unit("truck", at="g20.20"), unit("officer", aboard=0, order=order))
    legal = answers(table, 1)
    assert legal[0] == Pass()
    gaps = [inches(table, "g20.20", answer.place) for answer in legal if isinstance(answer, MoveTo)]
    assert limit - 100 < max(gaps) <= limit
    assert MoveTo(table.place("g20.20")) not in legal
    table.say(MoveTo(table.place("g24.20")))
    mine = table.unit(1)
    assert (mine.place, unit_state(mine).aboard, unit_state(mine).moved) == (table.place("g24.20"), -1, True)
    assert "OD-HOUSE-TRANSPORT" in table.clauses()
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_who_dismounts_by_advance_may_shoot() -> None:
    table = Table(
        FIELD,
        unit("truck", at="g20.20"),
        unit("officer", aboard=0, order="advance"),
        unit("truck", at="g26.20", side=1),
        dice=[1, 1],
    )
    table.do(Obey(1))
    table.say(MoveTo(table.place("g21.20")))
    table.say(TargetUnit(2))
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_getting_out_is_a_move_no_assault() -> None:
    table = Table(
        FIELD,
        unit("truck", at="g20.20"),
        unit("officer", aboard=0, order="run"),
        unit("officer", at="g24.20", side=1, order="fire"),
    )
    assert all(isinstance(answer, MoveTo | Pass) for answer in answers(table, 1))


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
@pytest.mark.clause("OD-ENTER-2")
def test_they_may_run_from_the_transport_into_a_house() -> None:
    table = Table(HOUSE, unit("truck", at="g32.9"), unit("officer", aboard=0, order="run"))
    assert MoveTo(table.place("house.1:0")) in answers(table, 1)


def test_the_menu_of_a_passenger() -> None:
    table = Table(FIELD, unit("truck", at="g20.20"), unit("officer", aboard=0))
    table.do(WhichOrder(1, side=0))
    assert table.legal == [Order("advance"), Order("run"), Order("down")]


# ---- being thrown out ------------------------------------------------------------------------------------------------


def struck(*dice: Any, passenger: str = "rifle_section", **row: Any) -> Table:
    """A heavy anti-tank gun hits a half-track (7) at (30, 20) from 20 inches, with passengers aboard."""
    table = Table(
        FIELD,
        unit("heavy_at_gun", at="g10.20", order="fire", side=1),
        unit("half_track", at="g30.20", facing=4, order="fire"),
        unit(passenger, aboard=1, **row),
        dice=dice,
    )
    table.do(Obey(0))
    return table


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_a_wreck_hits_its_passengers_and_throws_them_out() -> None:
    table = struck(3, 2, 4, 5, [3, 3, 4, 3, 4])  # knocked out; five hits on regulars, two tell
    assert isinstance(table.ask, BailOut)
    assert table.ask.side == 0
    assert broken(table) == []
    gaps = [inches(table, "g30.20", answer.place) for answer in table.legal if isinstance(answer, MoveTo)]
    assert (min(gaps), max(gaps)) == (0, 600)  # the wreck is gone: its own space is free
    table.say(MoveTo(table.place("g33.20")))
    mine = table.unit(2)
    assert (mine.models, mine.place, unit_state(mine).aboard) == (8, table.place("g33.20"), -1)
    assert (unit_state(mine).pins, unit_state(mine).order) == (1, "down")
    assert broken(table) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_an_immobilised_transport_throws_them_out_unhurt() -> None:
    table = struck(3, 2, 2, order="run")
    assert isinstance(table.ask, BailOut)
    assert table.unit(1).alive
    assert MoveTo(table.place("g30.20")) not in table.legal
    table.say(MoveTo(table.place("g31.20")))
    mine = table.unit(2)
    assert (mine.models, unit_state(mine).pins, unit_state(mine).order) == (10, 1, "run")  # it had acted
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_immobilised_and_wrecked_by_one_hit_is_a_wreck() -> None:
    table = struck(3, 5, [2, 4], 1, 1)
    assert isinstance(table.ask, BailOut)
    table.say(MoveTo(table.place("g31.20")))
    assert unit_state(table.unit(2)).pins == 1  # thrown out once
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
@pytest.mark.clause("OD-HOUSE-PINS")
def test_half_its_men_lost_in_the_wreck_makes_a_unit_test() -> None:
    table = struck(3, 2, 4, 1, 6, [5, 5], passenger="officer")
    (test,) = table.events(facts.Tested)
    assert (test.unit, test.why, test.needed) == (2, "wreck", 10)  # its own officer helps
    table.say(table.legal[0])
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_passengers_of_a_transport_broken_by_pins_get_out_of_the_wreck() -> None:
    table = Table(
        FIELD,
        unit("truck", at="g20.20", pins=8),
        unit("officer", aboard=0),
        unit("rifle_section", at="g25.20", side=1),
        dice=[1, 1],
    )
    morale.add_pins(table.r, 0, 1)
    assert not table.unit(0).alive
    table.run()
    assert isinstance(table.ask, BailOut)
    assert [roll.purpose for roll in table.events(Rolled)] == ["wreck hits", "wreck damage"]


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_who_finds_no_place_is_destroyed() -> None:
    tiny = ground((3, 3))
    crowd = [
        unit("officer", at=f"g{x}.{y}", order="fire") for x in range(3) for y in range(3) if (x, y) != (1, 1)
    ]
    table = Table(tiny, unit("truck", at="g1.1", order="fire"), unit("officer", aboard=0), *crowd)
    table.do(CarrierLost(0, table.place("g1.1"), False))
    assert not table.unit(1).alive
    assert [event.what for event in table.events(Happened)] == []
    table.done()


def test_room_counts_the_living() -> None:
    table = Table(
        FIELD, unit("truck", at="g20.20"), unit("officer", aboard=0), unit("rifle_section", aboard=0)
    )
    assert transports.room(table.state, table.unit(0)) == 0
    table.r.lose(table.unit(2), 10, "test")
    assert transports.room(table.state, table.unit(0)) == 10
