"""Ambush: when a unit that waits may fire (OD-HOUSE-REACT, OD-HOUSE-ORDERS)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, MoveTo, Order, TargetUnit
from battlesim.core.items import Ask
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.collapse import BailOut
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import house, plain, terrace
from tests.rulesets.orderdice.kit import Table, unit

PLAIN, HOUSE = plain(), house()


def table_of(
    board: Board, mover: dict[str, Any], *others: dict[str, Any], dice: list[list[int]] | None = None
) -> Table:
    return Table(board, mover, *others, dice=dice or [])


def lurking(at: str, kind: str = "officer", side: int = 1, **more: Any) -> dict[str, Any]:
    return unit(kind, at=at, side=side, order="ambush", **more)


def order(table: Table, name: str, goal: str = "", number: int = 0) -> Ask | None:
    """Give an order, with where to go where it moves; the next question."""
    table.do(WhichOrder(number, side=table.unit(number).side))
    ask = table.say(Order(name))
    return table.say(MoveTo(table.place(goal))) if goal else ask


def asked_at(table: Table) -> list[str]:
    """Says no to every question of an Ambush; where unit 0 stood at each."""
    places = []
    while isinstance(table.ask, Interrupt):
        places.append(table.board.spaces[table.unit(0).place].name)
        table.say(Confirm(False))
    return places


@pytest.mark.clause("OD-HOUSE-REACT")
def test_a_move_may_be_interrupted_at_any_space_in_sight() -> None:
    """A rifle reaches 24 inches: the runner comes into range three spaces before its end."""
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g35.2"))
    order(table, "run", "g13.2")
    assert asked_at(table) == ["g11.2", "g12.2", "g13.2"]
    assert table.unit(0).place == table.place("g13.2")
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_spaces_out_of_sight_are_passed_unseen() -> None:
    """North along the east side of the house, watched past its south-east corner."""
    table = table_of(HOUSE, unit("officer", at="g28.1"), lurking("g18.4"))
    order(table, "run", "g28.13")
    assert asked_at(table) == [f"g28.{row}" for row in range(2, 8)]
    assert table.unit(0).place == table.place("g28.13")
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_the_shot_is_fired_where_the_mover_is() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"), dice=[[1]])
    order(table, "run", "g13.2")
    while table.unit(0).place != table.place("g6.2"):
        table.say(Confirm(False))
    table.say(Confirm(True))
    assert [(shot.unit, shot.target, shot.range) for shot in table.events(Shot)] == [(1, 0, 1400)]
    assert table.unit(0).place == table.place("g13.2")  # it runs on
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_an_ambush_interrupts_once_and_its_die_becomes_fire() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"), dice=[[1]])
    order(table, "run", "g6.2")
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).order == "fire"
    assert table.ask is None
    assert len(table.events(Shot)) == 1


@pytest.mark.clause("OD-HOUSE-REACT")
def test_a_mover_that_is_destroyed_goes_no_further() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2", models=1), lurking("g20.2"), dice=[[6], [6]])
    order(table, "advance", "g6.2")
    table.say(Confirm(True))
    assert not table.unit(0).alive
    assert table.ask is None
    table.done()


def burst_beside_a_truck(
    *more: dict[str, Any], goal: str = "", at: int = -1, side: int = 0, models: int = 0
) -> Table:
    """Unit 0 runs past a truck as a howitzer on Ambush fires; the shell wrecks the truck, and its passenger bails out."""
    table = table_of(
        PLAIN,
        unit("rifle_section", at="g10.2", models=models),
        unit("truck", at="g11.3", side=side, order="fire"),
        unit("officer", aboard=1, side=side, order="down"),
        lurking("g40.2", "light_howitzer", facing=4),
        *more,
        # A hit; 2 hits, 1 pin and no damage; 2 hits, 1 pin, one through the armour, knocked out; one hit on the passenger.
        dice=[[6], [2], [1], [1, 1], [2], [1], [1, 6], [4], [1], [1]],
    )
    order(table, "run")
    table.say(MoveTo(table.place(goal)) if goal else TargetUnit(at))
    assert table.where(0) == "g11.2"
    table.say(Confirm(True))
    assert isinstance(table.ask, BailOut)
    return table


@pytest.mark.clause("OD-HOUSE-TERRAIN", "OD-HOUSE-TRANSPORT")
def test_a_unit_stops_before_a_space_that_is_taken_while_it_is_on_its_way() -> None:
    table = burst_beside_a_truck(goal="g15.2")
    table.say(MoveTo(table.place("g15.2")))
    assert (table.where(0), table.where(2)) == ("g14.2", "g15.2")
    table.done()
    table = burst_beside_a_truck(goal="g15.2")
    table.say(MoveTo(table.place("g14.2")))  # friends on the way are passed
    assert (table.where(0), table.where(2)) == ("g15.2", "g14.2")
    table.done()


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
@pytest.mark.parametrize(("side", "boards"), [(0, True), (1, False)])
def test_who_is_stopped_by_enemies_on_the_way_does_not_board(side: int, boards: bool) -> None:
    table = burst_beside_a_truck(unit("truck", at="g16.2", order="fire"), at=4, side=side, models=8)
    table.say(MoveTo(table.place("g14.2")))
    assert table.where(0) == ("" if boards else "g13.2")
    assert (unit_state(table.unit(0)).aboard == 4) is boards
    table.done()


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_who_is_stopped_on_the_way_does_not_fight() -> None:
    table = burst_beside_a_truck(unit("officer", at="g16.2", side=1, order="run"), at=4)
    table.say(MoveTo(table.place("g15.2")))
    assert table.where(0) == "g14.2"
    assert table.events(Fought) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_the_mover_has_acted_and_cannot_go_down() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"), dice=[[1]])
    order(table, "advance", "g2.2")
    assert not isinstance(table.say(Confirm(True)), GoDown)
    assert unit_state(table.unit(0)).order == "advance"


@pytest.mark.clause("OD-HOUSE-REACT")
def test_the_interruption_comes_before_the_movers_own_shots() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"), dice=[[1], [1]])
    order(table, "advance", "g2.2")
    table.say(Confirm(True))
    table.say(TargetUnit(1))
    assert [shot.unit for shot in table.events(Shot)] == [1, 0]


@pytest.mark.clause("OD-HOUSE-REACT")
def test_two_units_in_ambush_are_asked_one_after_the_other() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"), lurking("g20.4"), dice=[[1], [1]])
    ask = order(table, "advance", "g2.2")
    assert isinstance(ask, Interrupt)
    assert ask.unit == 1
    ask = table.say(Confirm(True))
    assert isinstance(ask, Interrupt)
    assert ask.unit == 2
    table.say(Confirm(True))
    assert [shot.unit for shot in table.events(Shot)] == [1, 2]


@pytest.mark.clause("OD-HOUSE-REACT")
def test_the_second_is_not_asked_about_a_unit_the_first_has_destroyed() -> None:
    table = table_of(
        PLAIN, unit("officer", at="g1.2", models=1), lurking("g20.2"), lurking("g20.4"), dice=[[6], [6]]
    )
    order(table, "advance", "g2.2")
    assert table.say(Confirm(True)) is None
    assert unit_state(table.unit(2)).order == "ambush"
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_friends_are_not_ambushed() -> None:
    table = table_of(
        PLAIN, unit("officer", at="g1.2"), lurking("g20.2", side=0), unit("officer", at="g70.2", side=1)
    )
    assert order(table, "run", "g6.2") is None


@pytest.mark.clause("OD-HOUSE-REACT")
def test_only_units_on_ambush_interrupt() -> None:
    for name in ("", "fire", "down", "advance"):
        table = table_of(PLAIN, unit("officer", at="g1.2"), unit("officer", at="g20.2", side=1, order=name))
        assert order(table, "run", "g6.2") is None


# ---- buildings -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-REACT", "OD-ENTER-2")
def test_a_unit_entering_a_building_is_met_before_the_door_and_then_inside() -> None:
    table = table_of(HOUSE, unit("officer", at="g15.10"), lurking("g1.10"), dice=[[1]])
    order(table, "run", "house.1:0")
    places: list[str] = []
    while isinstance(table.ask, Interrupt):
        places.append(table.board.spaces[table.unit(0).place].name)
        table.say(Confirm(table.unit(0).place == table.place("house.1:0")))
    assert places[-2] in ("g19.9", "g19.10")
    assert places[-1] == "house.1:0"
    assert [shot.need for shot in table.events(Shot)] == [6]  # hard cover, and long range
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT", "OD-LEAVE-1")
def test_a_unit_leaving_a_building_is_met_outside_without_its_cover() -> None:
    table = table_of(HOUSE, unit("officer", at="house.1:0"), lurking("g9.10"), dice=[[1]])
    order(table, "advance", "g18.10")
    assert table.unit(0).place in (table.place("g19.9"), table.place("g19.10"))
    table.say(Confirm(True))
    assert [shot.need for shot in table.events(Shot)] == [3]


@pytest.mark.clause("OD-HOUSE-REACT")
def test_moves_inside_are_seen_through_the_windows() -> None:
    table = table_of(HOUSE, unit("officer", at="house.1:0"), lurking("g23.19"))
    order(table, "run", "house.1:2")
    assert asked_at(table) == ["house.1:1", "house.1:2"]
    blind = terrace(6, 6, 6)  # doors south only
    table = table_of(blind, unit("officer", at="t.t1:1"), lurking("g20.18"))
    assert order(table, "run", "t.t3:1") is None


@pytest.mark.clause("OD-HOUSE-REACT")
def test_an_ambush_from_a_window_fires_out_of_it() -> None:
    table = table_of(HOUSE, unit("officer", at="g36.10"), lurking("house.1:1"), dice=[[1]])
    order(table, "advance", "g35.10")
    table.say(Confirm(True))
    assert [shot.range for shot in table.events(Shot)] == [950]  # from the nearer of the two east windows


# ---- other actions ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-REACT")
def test_it_may_fire_after_an_enemy_in_sight_has_shot() -> None:
    table = table_of(
        PLAIN,
        unit("officer", at="g1.2"),
        lurking("g20.2"),
        unit("officer", at="g10.2", side=1, order="run"),
        dice=[[1], [1]],
    )
    order(table, "fire")
    ask = table.say(TargetUnit(2))
    assert isinstance(ask, Interrupt)
    assert [shot.unit for shot in table.events(Shot)] == [0]
    table.say(Confirm(True))
    assert [shot.unit for shot in table.events(Shot)] == [0, 1]


@pytest.mark.clause("OD-HOUSE-REACT")
def test_it_may_fire_after_an_enemy_in_sight_has_rallied() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2", pins=1), lurking("g20.2"), dice=[[1, 1]])
    assert isinstance(order(table, "rally"), Interrupt)


@pytest.mark.clause("OD-HOUSE-REACT")
def test_it_may_not_fire_at_an_action_out_of_sight_or_range() -> None:
    table = table_of(HOUSE, unit("officer", at="g29.10", pins=1), lurking("g17.10"), dice=[[1, 1]])
    assert order(table, "rally") is None
    table = table_of(PLAIN, unit("officer", at="g1.2", pins=1), lurking("g30.2"), dice=[[1, 1]])
    assert order(table, "rally") is None


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-ORDERS")
def test_going_down_is_no_action_to_fire_at() -> None:
    table = table_of(PLAIN, unit("officer", at="g1.2"), lurking("g20.2"))
    assert order(table, "down") is None
    table = table_of(PLAIN, unit("officer", at="g1.2", pins=3), lurking("g20.2"), dice=[[5, 6]])
    assert order(table, "rally") is None  # it failed, and went Down


# ---- assaults --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-CLOSE")
def test_a_charge_may_be_interrupted_on_the_way() -> None:
    table = table_of(
        PLAIN,
        unit("heavy_mortar_team", at="g1.2", models=3),
        unit("officer", at="g6.2", side=1, order="run"),
        lurking("g20.2", "sniper_rifles"),
        dice=[[6, 6, 6, 6], [6, 6, 6, 1]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    ask = table.say(TargetUnit(1))
    assert isinstance(ask, Interrupt)
    assert ask.unit == 2
    table.say(Confirm(True))
    assert not table.unit(0).alive
    assert table.events(Fought) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-CLOSE")
def test_a_target_on_ambush_may_fire_at_its_assaulters_and_is_then_no_longer_on_ambush() -> None:
    table = table_of(
        PLAIN,
        unit("heavy_mortar_team", at="g1.2", models=4),
        lurking("g6.2"),
        dice=[[1], [1], [6, 6, 1, 1], [3]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    ask = table.say(TargetUnit(1))
    assert isinstance(ask, Interrupt)
    table.say(Confirm(True))
    assert [fight.first for fight in table.events(Fought)] == [True]
    assert table.unit(0).models == 4


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-CLOSE")
def test_a_target_that_stays_on_ambush_strikes_at_the_same_time() -> None:
    table = table_of(
        PLAIN,
        unit("heavy_mortar_team", at="g1.2", models=4),
        lurking("g6.2"),
        dice=[[6, 6, 1, 1], [6, 1], [3]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    asked_at(table)
    assert [(fight.first, fight.lost) for fight in table.events(Fought)] == [(False, 1)]


@pytest.mark.clause("OD-LEAVE-4", "OD-HOUSE-REACT")
def test_an_assault_inside_gives_no_space_to_fire_at() -> None:
    table = table_of(
        HOUSE,
        unit("heavy_mortar_team", at="house.1:0", models=4),
        lurking("house.1:1"),
        dice=[[6, 6, 1, 1], [1, 1]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    assert table.events(Shot) == []
    assert not table.unit(1).alive


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-CLOSE")
def test_a_regroup_move_may_be_interrupted_too() -> None:
    table = table_of(
        PLAIN,
        unit("heavy_mortar_team", at="g18.2", models=4),
        unit("officer", at="g19.2", side=1, order="run"),
        lurking("g42.2"),
        dice=[[6, 6, 1, 1], [6]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    table.say(MoveTo(table.place("g21.2")))
    assert asked_at(table) == ["g19.2", "g20.2", "g21.2"]
    assert table.unit(0).place == table.place("g21.2")
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT", "OD-ASSAULT-3")
def test_whoever_takes_a_place_may_be_fired_at_there() -> None:
    table = table_of(
        HOUSE,
        unit("heavy_mortar_team", at="g27.10", models=4),
        unit("officer", at="house.1:0", side=1, order="run"),
        lurking("g10.10"),
        dice=[[6, 6, 1, 1], [1, 1], [1]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    table.say(Confirm(True))
    assert isinstance(table.ask, Interrupt)
    assert table.unit(0).place == table.place("house.1:0")
    table.say(Confirm(True))
    table.done()
