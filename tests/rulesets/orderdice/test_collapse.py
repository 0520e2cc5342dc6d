"""Sections that fall, burn and are left (OD-HE-5, OD-LARGE-3, OD-FLAME-3, OD-FLAME-4, OD-HOUSE-TRANSPORT)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo, Pass
from battlesim.core.events import Happened, ListChanged, ModelsLost, Placed, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import collapse, fire, ground, move
from battlesim.rulesets.orderdice.collapse import BailOut
from battlesim.rulesets.orderdice.model import unit_state
from tests.rulesets.orderdice.grounds import house, terrace
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
ROW = terrace(6, 6, 6)


def names(table: Table, places: list[int]) -> set[str]:
    return {table.board.spaces[place].name for place in places}


@pytest.mark.clause("OD-HE-5")
@pytest.mark.clause("OD-LARGE-3")
def test_a_section_falls_on_all_in_it_and_on_nobody_else() -> None:
    table = Table(
        ROW,
        unit("rifle_section", at="t.t2:0", side=1),
        unit("light_at_gun", at="t.t2:1", side=0, order="fire"),
        unit("rifle_section", at="t.t1:0", side=1),
        unit("rifle_section", at="t.t3:1", side=1),
    )
    section = ROW.section("t.t2")
    collapse.collapse(table.r, section, "buried", ("OD-HE-5",), 11)
    assert [unit.alive for unit in table.state.units.values()] == [False, False, True, True]
    assert [(e.unit, e.how) for e in table.events(ModelsLost)] == [(0, "buried"), (1, "buried")]
    assert table.state.structures == {section: Structure(section, fallen=True)}
    (fact,) = table.events(Happened)
    assert (fact.what, fact.section, fact.number) == ("collapsed", section, 11)
    number = table.r.log.index(fact)
    assert all(e.cause == number for e in table.r.log if isinstance(e, (ModelsLost, StructureSet)))
    # the die of the unit that held none is gone from the bag, the other lies on the table
    assert [len(dice) for dice in table.state.extra.bag.dice] == [0, 2]
    assert [(e.path, e.clauses) for e in table.events(ListChanged)] == [
        (("bag", "dice", 1), ("OD-HOUSE-TURN",))
    ]


def test_what_has_fallen_does_not_fall_again() -> None:
    table = Table(HOUSE, structures=[Structure(0, fallen=True)])
    collapse.collapse(table.r, 0, "buried")
    collapse.burn(table.r, 0)
    assert table.r.log == []


@pytest.mark.clause("OD-HE-5")
@pytest.mark.clause("OD-SCEN-1")
def test_rubble_takes_its_place() -> None:
    table = Table(HOUSE, unit("rifle_section", at="g18.9"), unit("officer", at="g30.9", side=1))
    ruin, floor = table.place("house.1:ruin"), table.place("house.1:0")
    assert ruin not in move.destinations(table.state, HOUSE, table.unit(0), "advance")
    assert not HOUSE.sight.sees(table.unit(0).place, table.unit(1).place)
    collapse.collapse(table.r, 0, "buried")
    goals = move.destinations(table.state, HOUSE, table.unit(0), "advance")
    assert ruin in goals
    assert floor not in move.destinations(table.state, HOUSE, table.unit(0), "run")
    assert [g.need for g in fire.volley(table.state, HOUSE, table.unit(0), table.unit(1), False)]
    assert HOUSE.spaces[ruin].terrain == "rubble"
    assert fire.terrain_cover(HOUSE, ruin) == fire.HARD


def test_a_burning_house_that_falls_keeps_nobody_out_of_its_ruin() -> None:
    table = Table(HOUSE, unit("rifle_section", at="g18.9"), structures=[Structure(0, burning=True)])
    collapse.collapse(table.r, 0, "buried")
    assert table.place("house.1:ruin") in move.destinations(table.state, HOUSE, table.unit(0), "advance")


@pytest.mark.parametrize(("hits", "falls"), [(9, False), (10, True), (30, True)])
@pytest.mark.clause("OD-HE-5")
def test_ten_hits_bring_a_house_down(hits: int, falls: bool) -> None:
    assert collapse.brings_down(HOUSE, 0, hits) is falls


@pytest.mark.clause("OD-LARGE-3")
@pytest.mark.clause("OD-FLAME-3")
def test_fire_does_not_spread_to_the_section_next_door() -> None:
    table = Table(
        ROW, unit("rifle_section", at="t.t1:0"), unit("rifle_section", at="t.t2:1", side=1, order="run")
    )
    collapse.burn(table.r, ROW.section("t.t2"))
    table.run()
    table.say(table.legal[0])
    assert unit_state(table.unit(0)).pins == 0
    assert table.unit(0).place == table.place("t.t1:0")
    goals = names(table, move.destinations(table.state, ROW, table.unit(0), "run"))
    assert "t.t2:0" not in goals
    assert "t.t3:0" not in goals  # nor is it run through
    assert ground.barred(table.state, ROW) == frozenset({ROW.section("t.t2")})


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_passengers_are_placed_within_six_inches_of_the_hull() -> None:
    table = Table(
        HOUSE,
        unit("truck", at="g10.9"),
        unit("rifle_section", aboard=0),
        unit("officer", aboard=0, order="rally"),
        unit("rifle_section", at="g11.9", side=1),
    )
    hull = table.unit(0).place
    collapse.bail_out(table.r, [1, 2], hull=hull)
    table.run()
    assert isinstance(table.ask, BailOut)
    places = [answer.place for answer in table.legal if isinstance(answer, MoveTo)]
    assert places
    assert all(HOUSE.distance(place, hull) <= 600 for place in places)
    assert hull not in places  # the wreck, or what may still be driven, stands there
    assert table.place("g11.9") not in places
    gaps = [HOUSE.distance(place, hull) for place in places]
    assert gaps == sorted(gaps)
    table.say(MoveTo(places[-1]))
    table.say(table.legal[0])
    assert [unit_state(table.unit(n)).aboard for n in (1, 2)] == [-1, -1]
    assert [unit_state(table.unit(n)).pins for n in (1, 2)] == [1, 1]
    assert [unit_state(table.unit(n)).order for n in (1, 2)] == ["down", "rally"]
    assert [e.unit for e in table.events(Placed)] == [1, 2]


@pytest.mark.clause("OD-HOUSE-TRANSPORT")
def test_one_pin_may_be_the_last() -> None:
    table = Table(HOUSE, unit("officer", at="house.1:0", quality="inexperienced", pins=7))
    collapse.burn(table.r, 0)
    table.run()
    table.say(table.legal[0])
    assert not table.unit(0).alive
    table.done()


def test_pass_is_offered_only_where_there_is_no_way_out() -> None:
    table = Table(HOUSE, unit("officer", at="house.1:0"))
    ask = BailOut(0, 0, side=0)
    assert Pass() not in collapse.legal_bail_out(table.state, HOUSE, ask)
    table.r.lose(table.unit(0), 2, "shot")
    assert list(collapse.legal_bail_out(table.state, HOUSE, ask)) == [Pass()]
