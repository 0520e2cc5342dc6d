"""Fires: how they grow, burn people and go out (AC-FIRE-3, AC-FIRE-4, AC-FIRE-5, AC-HOUSE-FIRE)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import MoveTo
from battlesim.core.events import Placed, Rolled, Taken
from battlesim.core.items import TURN
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import blaze, damage, flames, works
from battlesim.rulesets.armorclass.model import Fire
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.ruleset import RULESET
from tests.rulesets.armorclass.kit import Table, ground, house, unit
from tests.rulesets.armorclass.test_blaze import FIRES, WOODS, burning


def next_names(table: Table, at: str, times: int) -> list[str]:
    """What a fire of one space takes next, nearest first."""
    fire = Fire(0, ((table.place(at), 1),))
    table.r.set_extra(fires=(fire,))
    found = blaze.next_taken(table.state, table.board, fire, times)
    return [table.board.spaces[place].name for place in found]


# ---- how they go on


@pytest.mark.clause("AC-FIRE-3")
@pytest.mark.parametrize(("wind", "sizes"), [(False, [1, 2, 4, 8]), (True, [1, 3, 9])])
def test_a_fire_doubles_every_second_turn_or_trebles(wind: bool, sizes: list[int]) -> None:
    table = Table(ground(WOODS), options={**FIRES, "wind": wind})
    blaze.start(table.r, table.place("g10.4"), ())
    met = [len(burning(table))]
    for turn in (3, 5, 7)[: len(sizes) - 1]:
        table.state.turn = turn
        fire = table.state.extra.fires[0].number
        table.do(blaze.Grow(fire))
        met.append(len(burning(table)))
    assert met == sizes
    assert "AC-FIRE-5" not in table.clauses()  # those are the rates of the book
    due = [(e.time, type(e.step).__name__) for e in table.state.agenda if isinstance(e.step, blaze.Grow)]
    assert due[0] == (2 * TURN, "Grow")


@pytest.mark.clause("AC-FIRE-5", "AC-FIRE-3")
def test_a_scenario_may_change_the_rates() -> None:
    table = Table(ground(WOODS), options={**FIRES, "spread": 4, "every": 1})
    blaze.start(table.r, table.place("g10.4"), ())
    assert [e.time for e in table.state.agenda if isinstance(e.step, blaze.Grow)] == [TURN]
    table.state.turn = 2
    table.do(blaze.Grow(0))
    assert len(burning(table)) == 4
    assert "AC-FIRE-5" in table.clauses()


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_it_takes_the_nearest_first_and_leaps_no_further_than_six_inches() -> None:
    table = Table(
        ground("terrain:\n  - {kind: woods, rect: [0, 0, 9, 3]}\n  - {kind: woods, rect: [21, 0, 27, 3]}"),
        options=FIRES,
    )
    fire = Fire(0, ((table.place("g0.0"), 1),))
    table.r.set_extra(fires=(fire,))
    taken = blaze.next_taken(table.state, table.board, fire, 5)
    assert [table.board.spaces[p].name for p in taken] == ["g1.0", "g2.0"]


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_it_spreads_to_all_sides_alike() -> None:
    table = Table(ground(WOODS), options=FIRES)
    assert sorted(next_names(table, "g10.4", 5)) == ["g10.3", "g10.5", "g11.4", "g9.4"]
    table.r.set_extra(burnt=(table.place("g10.3"),))
    assert sorted(next_names(table, "g10.4", 4)) == ["g10.5", "g11.4", "g9.4"]


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_it_climbs_two_floors_at_a_leap_and_no_more() -> None:
    """Floors are three inches apart: six are reached, nine are not."""
    table = Table(house(material="wood", floors=4), options=FIRES)
    assert next_names(table, "house.1:0", 9) == ["house.1:1", "house.1:2"]


@pytest.mark.clause("AC-HOUSE-FIRE", "AC-DEST-1")
def test_after_four_turns_a_floor_is_destroyed() -> None:
    table = Table(house(material="wood"), unit("militia", "house.1:1"), dice=[[8, 8, 8, 8]], options=FIRES)
    blaze.start(table.r, table.place("house.1:1"), ())
    (entry,) = [e for e in table.state.agenda if isinstance(e.step, blaze.BurnOut)]
    assert entry.time == 4 * TURN
    table.state.turn = 5
    table.do(blaze.BurnOut(table.place("house.1:1")))
    assert works.floors_left(table.state, table.board, 0) == 1
    assert not table.state.structures[0].burning
    assert not table.state.extra.fires
    assert table.board.spaces[table.unit(0).place].kind == "ground"


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_a_house_burns_until_its_last_floor_is_out() -> None:
    table = Table(house(material="wood"), options=FIRES)
    for name in ("house.1:1", "house.1:0"):
        blaze.start(table.r, table.place(name), ())
    assert [fire.number for fire in table.state.extra.fires] == [0, 1]
    table.do(blaze.BurnOut(table.place("house.1:1")))
    assert table.state.structures[0].burning
    assert burning(table) == ["house.1:0"]
    table.do(blaze.BurnOut(table.place("house.1:0")))
    assert not table.state.structures[0].burning
    assert table.state.structures[0].fallen


@pytest.mark.clause("AC-HOUSE-FIRE", "AC-DEST-3")
@pytest.mark.parametrize("hall", [False, True])
def test_a_house_burns_no_more_when_its_burning_floor_is_shot_away(hall: bool) -> None:
    """Unless the hall under it burns as well. What is destroyed is not said to have burnt out when its time comes."""
    table = Table(house(material="wood"), options=FIRES)
    names = ("house.1:1", "house.1:0") if hall else ("house.1:1",)
    for name in names:
        blaze.start(table.r, table.place(name), ())
    damage.destroy_floor(table.r, 0, 1, ("AC-DEST-3",))
    assert table.state.structures[0].burning is hall
    assert burning(table) == list(names[1:])
    table.do(blaze.BurnOut(table.place("house.1:1")))
    assert "burnt out" not in table.happened()
    assert len(table.state.extra.fires) == len(names) - 1
    assert works.floors_left(table.state, table.board, 0) == 1


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_burnt_plants_hide_nobody() -> None:
    table = Table(ground(WOODS), options=FIRES)
    place = table.place("g10.4")
    blaze.start(table.r, place, ())
    table.do(blaze.BurnOut(place))
    assert table.state.extra.burnt == (place,)
    assert not flames.flammable(table.state, table.board, place)


# ---- whom they burn


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-FIRE")
def test_fire_attacks_whoever_passes_and_whoever_stays() -> None:
    """Factor 5 against class 1: on 2. Going through costs one attack, the turn's end another."""
    table = Table(ground(WOODS), unit("militia", "g10.2"), dice=[[1, 2, 1, 1], [2, 1, 1]], options=FIRES)
    table.r.set_extra(fires=(Fire(0, ((table.place("g10.3"), 1),)),))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g10.3")))
    assert table.unit(0).models == 3
    flames.burn_all(table.r)
    assert table.unit(0).models == 2
    assert "AC-FIRE-4" in table.clauses()
    table.done()


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-FIRE")
def test_fire_attacks_who_passes_through_and_does_not_stay() -> None:
    """A burning lane between two ponds: each space of it attacks once on the way, none at the turn's end."""
    table = Table(lane(), unit("militia", "g9.1"), dice=[[1, 1, 2, 1], [1, 1, 2]], options=FIRES)
    table.r.set_extra(fires=(Fire(0, ((table.place("g9.2"), 1), (table.place("g9.3"), 1))),))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g9.4")))
    assert (table.where(0), table.unit(0).models) == ("g9.4", 2)
    assert [e.attempt for e in table.events(Rolled) if e.purpose == "burns"] == [1, 2]
    flames.burn_all(table.r)
    table.done()


def lane(gap: bool = False) -> Board:
    """Ground one square wide, from south to north, with water on both sides; `gap`: there is a way round."""
    west, east = "[0, 6, 27, 12]", "[33, 6, 60, 12]" if gap else "[30, 6, 60, 12]"
    return ground(
        f"""terrain:
  - {{kind: water, rect: {west}}}
  - {{kind: water, rect: {east}}}"""
    )


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-MOVE")
@pytest.mark.parametrize("gap", [True, False])
def test_who_can_goes_round_a_fire(gap: bool) -> None:
    """The way round is longer, but within the move; where there is none, the way leads through, as it is offered."""
    table = Table(
        lane(gap), unit("militia", "g9.1"), dice=[] if gap else [[1, 1, 1, 1], [1, 1, 1, 1]], options=FIRES
    )
    table.r.set_extra(fires=(Fire(0, ((table.place("g9.2"), 1), (table.place("g9.3"), 1))),))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g9.4")))
    assert table.where(0) == "g9.4"
    (placed,) = [e for e in table.events(Placed) if e.place == table.place("g9.4")]
    assert (table.place("g10.2") in placed.path) is gap
    assert ("in the fire" in table.happened()) is not gap
    assert table.unit(0).own.moved == 2
    table.done()


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-MOVE")
def test_the_way_round_leads_through_no_enemy_either() -> None:
    """One stands in the gap and is known: the goal is reached through the fire alone."""
    table = Table(
        lane(True),
        unit("militia", "g9.1"),
        unit("militia", "g10.2", side=1, detected=True),
        dice=[[1, 1, 1, 1], [1, 1, 1, 1]],
        options=FIRES,
    )
    table.r.set_extra(fires=(Fire(0, ((table.place("g9.2"), 1), (table.place("g9.3"), 1))),))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g9.4")))
    assert table.where(0) == "g9.4"
    assert table.happened() == ["in the fire", "in the fire"]


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-MOVE")
def test_a_car_with_inches_to_spare_does_not_drive_through_a_fire() -> None:
    """Three squares on lies its goal; one burning space between costs less than the way round it, and it has 24 inches."""
    table = Table(ground(), unit("scout_car", "g5.4"), options=FIRES)
    table.r.set_extra(fires=(Fire(0, ((table.place("g6.4"), 1),)),))
    table.do(WhereTo(0, "run", side=0))
    order = [a.place for a in table.legal if isinstance(a, MoveTo)]
    table.say(MoveTo(table.place("g7.4")))
    assert table.where(0) == "g7.4"
    assert table.happened() == []
    # What counts is the way that is taken: 8.5 inches and not six are more than half of twelve, and listed as such.
    assert table.unit(0).own.moved == 2
    assert order.index(table.place("g4.2")) < order.index(table.place("g7.4"))
    table.done()


@pytest.mark.clause("AC-FIRE-4")
def test_fire_goes_through_thin_armour_only() -> None:
    """Factor 5 against a tank's 11: never; against a scout car's 6: on 7, and the damage table follows."""
    table = Table(
        ground(WOODS), unit("tank", "g10.4"), unit("scout_car", "g10.5"), dice=[7, 10], options=FIRES
    )
    table.r.set_extra(fires=(Fire(0, ((table.place("g10.4"), 1), (table.place("g10.5"), 1))),))
    flames.burn_all(table.r)
    assert {e.actor for e in table.events(Rolled)} == {-1}
    assert (table.unit(0).alive, table.unit(1).alive) == (True, False)
    table.done()


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_a_building_on_fire_from_the_start() -> None:
    from battlesim.rulesets.armorclass.deployment import SetUp, set_up

    table = Table(house(material="wood"), structures=[Structure(0, burning=True)], options=FIRES)
    set_up(table.r, SetUp())
    assert burning(table) == ["house.1:0"]


HALLS = """buildings:
  - {name: west, material: wood, rect: [3, 3, 11, 9], openings: [{kind: door, side: west, at: 0.5}]}
  - {name: east, material: wood, rect: [11, 3, 19, 9], openings: [{kind: door, side: east, at: 0.5}]}
  - {name: far, material: wood, rect: [25, 3, 28, 9], openings: [{kind: door, side: east, at: 0.5}]}
  - {name: out, material: wood, rect: [34.1, 3, 37, 9], openings: [{kind: door, side: east, at: 0.5}]}
"""


@pytest.mark.clause("AC-HOUSE-FIRE", "AC-FIRE-3")
def test_fire_leaps_from_outline_to_outline() -> None:
    """Halls that touch are no distance apart, however far their middles; six inches between walls are leapt, 6.1 are not."""
    table = Table(ground(HALLS), options=FIRES)
    assert next_names(table, "west.1:0", 9) == ["east.1:0"]
    assert next_names(table, "east.1:0", 9) == ["west.1:0", "far.1:0"]
    assert next_names(table, "far.1:0", 9) == ["east.1:0"]


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_fire_leaps_between_plants_and_walls_by_the_outline() -> None:
    """The wood's middles stand 2.5, 5.5 and 8.5 inches from the wall of a large hall."""
    board = ground(
        """terrain:
  - {kind: woods, rect: [12, 3, 21, 6]}
buildings:
  - {name: hall, material: wood, rect: [3, 3, 11, 11], openings: [{kind: door, side: west, at: 0.5}]}
"""
    )
    table = Table(board, options=FIRES)
    assert next_names(table, "hall.1:0", 9) == ["g4.1", "g5.1"]
    assert "hall.1:0" in next_names(table, "g5.1", 9)
    assert "hall.1:0" not in next_names(table, "g6.1", 9)


@pytest.mark.clause("AC-FIRE-3", "AC-HOUSE-FIRE")
def test_a_fire_outgrows_what_burns_out() -> None:
    """As the clock hands it over: the fire grows before its first spaces go out."""
    table = Table(ground(WOODS), options=FIRES)
    blaze.start(table.r, table.place("g10.4"), ())
    most = 0
    while table.state.agenda and table.state.agenda[0].time <= 12 * TURN:
        entry = table.state.agenda[0]
        table.r.emit(Taken(entry.serial, entry.time))
        table.state.turn = entry.time // TURN + 1
        if isinstance(entry.step, blaze.Grow | blaze.BurnOut):
            RULESET.step(table.r, entry.step)
            table.do()
        most = max(most, len(burning(table)))
    assert most >= 8


@pytest.mark.clause("AC-HOUSE-FIRE")
def test_fire_leaps_six_inches_and_no_farther() -> None:
    """Straight on it reaches the second square; the one beside that lies 6.7 inches off, however much is wanted."""
    squares = ("[3, 3, 6, 6]", "[9, 3, 12, 6]", "[9, 6, 12, 9]")
    woods = "terrain:\n" + "\n".join(f"  - {{kind: woods, rect: {square}}}" for square in squares)
    assert next_names(Table(ground(woods), options=FIRES), "g1.1", 9) == ["g3.1"]


@pytest.mark.clause("AC-HOUSE-MOVE", "AC-FIRE-4")
def test_who_is_stopped_on_a_full_space_on_fire_goes_back() -> None:
    """Two friends stand in the burning hall: a third goes through it, but cannot stop there when it meets hidden enemies on the
    stairs. A car that loses its engine in burning woods held by two friends does not stay there either."""
    board = house(material="wood")
    hall = board.space("house.1:0")
    table = Table(
        board,
        unit("rifle_team", "g8.4", models=1),
        unit("militia", "house.1:0"),
        unit("militia", "house.1:0"),
        unit("militia", "house.1:1", side=1, models=1),
        dice=[3, 5, 6, 5, 6, 5, 6],
        options={"fires": True},
        structures=[Structure(0, burning=True)],
        fires=(Fire(0, ((hall, 1),)),),
        begun=1,
    )
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(board.space("house.1:1")))
    assert table.happened()[:4] == ["in the fire", "runs into", "assault", "thrown back"]
    assert table.where(0) == "g8.4"
    table.done()

    woods = ground("terrain:\n  - {kind: woods, rect: [15, 0, 18, 30]}")
    row = tuple((woods.space(f"g5.{n}"), 1) for n in range(10))
    driven = Table(
        woods,
        unit("scout_car", "g4.1"),
        unit("militia", "g5.1"),
        unit("militia", "g5.1"),
        dice=[7, 5],
        options={"fires": True},
        fires=(Fire(0, row),),
        begun=1,
    )
    driven.do(WhereTo(0, "move", side=0))
    driven.say(MoveTo(woods.space("g6.1")))
    assert driven.unit(0).own.immobile
    assert driven.where(0) == "g4.1"
    driven.done()
