"""Strikes as they come, and what a barrage does (OD-BARR-2, OD-BARR-3, OD-BUNK-5, OD-HOUSE-SUPPORT, OD-HOUSE-EMPTY). Calling
them is in `test_support.py`, the rest of air strikes in `test_air_strikes.py`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool
import pytest

from battlesim.core.answers import Confirm
from battlesim.core.events import ModelsLost
from battlesim.core.items import TURN
from battlesim.rulesets.orderdice import strikes, support, turn
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.reserves import ARRIVE_PRIORITY
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.support import BARRAGE, StrikeDue
from tests.rulesets.orderdice.grounds import ground, house, street
from tests.rulesets.orderdice.kit import (
    Table,
    acted,
    air_strike,
    barrage,
    comes,
    fallen,
    observer,
    pins,
    rolls,
    unit,
)

FIELD, HOUSE, STREET = ground((46, 46)), house(), street()
PILLBOX = ground(
    (46, 20),
    """
buildings:
  - name: pillbox
    kind: bunker
    material: concrete
    rect: [20, 7, 26, 13]
    openings: [{kind: door, side: west, at: 0.5}, {kind: slit, side: east, at: 0.5}]
""",
)


# ---- arriving --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.parametrize("face", [1, 2])
def test_on_one_or_two_it_is_delayed_to_the_next_turn(face: int) -> None:
    table = Table(FIELD, observer(), dice=[face])
    table.state.turn = 3
    comes(table, BARRAGE, "g30.30")
    (entry,) = table.state.agenda
    assert (entry.time, entry.step) == (3 * TURN, StrikeDue(0, BARRAGE, -1, table.place("g30.30")))
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_on_three_it_arrives_even_if_its_observer_is_dead() -> None:
    table = Table(FIELD, observer(), acted("g30.30"), dice=[3, 1, 2])
    table.r.lose(table.unit(0), 2, "test")
    comes(table, BARRAGE, "g30.30")
    assert pins(table, 1) == [1]
    assert table.state.agenda == ()
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_strikes_come_after_reserves_and_before_the_turn() -> None:
    assert ARRIVE_PRIORITY < support.STRIKE_PRIORITY < turn.TURN_PRIORITY
    table = Table(FIELD, observer(), acted("g30.30"), dice=[3, 1, 2])
    RULESET.step(table.r, StrikeDue(0, BARRAGE, -1, table.place("g30.30")))
    table.run()
    table.done()


def test_two_observers_strikes_have_dice_of_their_own() -> None:
    table = Table(
        FIELD,
        observer(),
        observer(at="g2.4"),
        acted("g30.30"),
        dice=[3, 1, 6, [1, 1, 1], 1, [1, 1, 1], 3, 1, 6, [1, 1, 1], 1, [1, 1, 1]],
    )
    comes(table, BARRAGE, "g30.30")
    comes(table, BARRAGE, "g30.30", observer=1)
    assert len(table.dice.keys) == len(set(table.dice.keys))
    table.done()


# ---- barrage ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_reach_is_six_and_a_die_and_friends_roll_too() -> None:
    table = barrage(
        FIELD,
        "g30.30",
        acted("g30.40"),  # 10 inches from the aiming point
        acted("g30.41"),  # 11
        unit("rifle_section", at="g30.22"),
        dice=[3, 4, 2, 3],
    )
    assert pins(table, 1, 2, 3) == [1, 0, 1]
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.parametrize(
    ("face", "more", "pinned"),
    [
        pytest.param(1, [], 0, id="1 does nothing"),
        pytest.param(2, [], 1, id="2 is a pin"),
        pytest.param(3, [], 1, id="3 is a pin"),
        pytest.param(4, [3], 3, id="4 is D3 pins"),
        pytest.param(5, [2], 2, id="5 is D3 pins"),
    ],
)
def test_what_the_die_of_a_unit_does(face: int, more: list[int], pinned: int) -> None:
    table = barrage(FIELD, "g30.30", acted("g30.30"), dice=[3, 1, face, *more])
    assert pins(table, 1) == [pinned]
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_odds_of_the_barrage_die_agree_with_exact_dice() -> None:
    exact = icepool.d6.map({1: "nothing", 2: "one", 3: "one", 4: "D3", 5: "D3", 6: "hit"})
    for word in ("nothing", "one", "D3", "hit"):
        share = Fraction(sum(strikes.barrage_pins(face) == word for face in range(1, 7)), 6)
        assert share == Fraction(exact.probability(word))


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.clause("OD-HE-3")
def test_a_heavy_howitzer_hit_lets_its_target_go_down_first() -> None:
    # nine hits, halved to five; 2 pins; 2+ damages
    dice = [3, 1, 6, [3, 3, 3], 2, [1, 1, 1, 1, 2]]
    table = barrage(FIELD, "g30.30", acted("g30.30", order=""), dice=dice)
    assert isinstance(table.ask, GoDown)
    table.say(Confirm(True))
    assert pins(table, 1) == [2]
    assert table.unit(1).models == 9
    table.done()


# Of a building the distance to itself counts: every unit inside rolls, or none. The reach is 9 inches.
@pytest.mark.clause("OD-BARR-2")
@pytest.mark.parametrize(
    ("place", "dice", "pinned"),
    [
        pytest.param("g11.9", [3, 3, 2, 2], [1, 1], id="8.5 inches before the wall"),
        pytest.param("g9.9", [3, 3], [0, 0], id="10.5 inches before the wall"),
    ],
)
def test_of_a_building_the_distance_to_itself_counts(place: str, dice: list[int], pinned: list[int]) -> None:
    table = barrage(HOUSE, place, acted("house.1:0"), acted("house.1:2"), dice=dice)
    assert pins(table, 1, 2) == pinned
    table.done()


@pytest.mark.clause("OD-BARR-2")
@pytest.mark.clause("OD-HE-4")
def test_inside_no_extra_protection_helps() -> None:
    table = barrage(
        HOUSE,
        "g23.5",
        acted("house.1:0", quality="inexperienced"),
        acted("house.1:1", "light_at_gun", emplaced=True),
        dice=[3, 3, 6, [1, 1, 1], 1, [1, 1, 2], 6, [1, 1, 1], 1, [1, 1, 2]],
    )
    assert [roll.need for roll in rolls(table, "shell damage")] == [2, 2]
    assert (table.unit(1).models, table.unit(2).models) == (9, 2)
    table.done()


# The hits on all units of a building add up before halving; ten bring it down.
@pytest.mark.clause("OD-BARR-3")
@pytest.mark.parametrize(
    ("second", "then", "falls"),
    [
        pytest.param([1, 1, 2], [1, [1, 1]], False, id="5 and 4 hits"),
        pytest.param([1, 2, 2], [], True, id="5 and 5 hits"),
    ],
)
def test_hits_on_all_units_of_a_building_add_up_before_halving(
    second: list[int], then: list[Any], falls: bool
) -> None:
    table = barrage(
        HOUSE,
        "g23.5",
        acted("house.1:0", order="down"),
        acted("house.1:2", order="down"),
        dice=[3, 3, 6, [1, 2, 2], 1, [1] * 3, 6, second, *then],
    )
    assert fallen(table) == falls
    assert table.unit(1).alive != falls
    assert "OD-BARR-3" in table.clauses()
    table.done()


@pytest.mark.clause("OD-BARR-3")
@pytest.mark.clause("OD-LARGE-3")
def test_hits_on_two_buildings_do_not_add_up() -> None:
    dice = [3, 6, 6, [2, 2, 2], 1, [1] * 6, 6, [2, 2, 2], 1, [1] * 6]
    table = barrage(STREET, "g26.5", acted("tower.1:0"), acted("shed.1:0"), dice=dice)
    assert not fallen(table, STREET.section("tower.1"))
    assert not fallen(table, STREET.section("shed.1"))
    table.done()


@pytest.mark.clause("OD-BARR-3")
def test_one_unit_hit_often_enough_is_enough() -> None:
    dice = [3, 3, 6, [4, 3, 3]]  # whatever the other unit would roll
    table = barrage(HOUSE, "g23.5", acted("house.1:0"), acted("house.1:2"), dice=dice)
    assert fallen(table)
    assert [event.how for event in table.events(ModelsLost)] == ["buried", "buried"]
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize(("hits", "falls"), [([3, 3, 3], False), ([4, 3, 3], True)])
def test_an_empty_building_aimed_at_gets_one_die(hits: list[int], falls: bool) -> None:
    table = barrage(HOUSE, "house.1:0", dice=[3, 1, 6, hits])
    assert fallen(table) == falls
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_an_empty_building_near_the_aiming_point_gets_none() -> None:
    barrage(HOUSE, "g23.5", dice=[3, 6]).done()


@pytest.mark.clause("OD-BARR-2")
def test_a_vehicle_is_hit_once_and_from_above() -> None:
    table = barrage(FIELD, "g25.30", acted("g30.30", "medium_tank", facing=0), dice=[3, 1, 6, 1, 3])
    (armour,) = rolls(table, "armour")
    assert (armour.need, armour.faces) == (4, (3,))  # 4 for the shell and 1 for the top against 9
    table.done()


# ---- both ------------------------------------------------------------------------------------------------------------


# Men in a bunker are only pinned; twelve hits destroy it. Dice of a barrage: it arrives, reaches 7 inches, hits; hits, pins.
# Of an air strike: it arrives, pins whoever is near; hits, pins.
@pytest.mark.clause("OD-BUNK-5")
@pytest.mark.parametrize(
    ("strike", "place", "dice", "falls"),
    [
        pytest.param(barrage, "g23.5", [3, 1, 6, [4, 4, 3], 5], False, id="11 hits of a barrage"),
        pytest.param(barrage, "g23.5", [3, 1, 6, [4, 4, 4]], True, id="12 hits of a barrage"),
        pytest.param(air_strike, "pillbox.1:0", [3, 2, [5, 6], 3], False, id="11 hits of an air strike"),
        pytest.param(air_strike, "pillbox.1:0", [3, 2, [6, 6]], True, id="12 hits of an air strike"),
    ],
)
def test_a_bunker_that_stands_saves_its_men_from_all_but_pins(
    strike: Callable[..., Table], place: str, dice: list[Any], falls: bool
) -> None:
    table = strike(PILLBOX, place, acted("pillbox.1:0"), dice=dice)
    assert fallen(table) == falls
    if not falls:
        assert (table.unit(1).models, pins(table, 1)) == (10, [5])
    # A strike at a bunker has its own clause, not that of shells.
    assert "OD-BUNK-5" in table.clauses()
    assert "OD-BUNK-3" not in table.clauses()
    table.done()
