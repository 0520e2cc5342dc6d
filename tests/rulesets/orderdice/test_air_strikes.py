"""What an air strike does (OD-AIR-2..4, OD-HOUSE-SUPPORT, OD-HOUSE-FACING, OD-HOUSE-EMPTY)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm
from battlesim.core.events import Happened
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import strikes
from battlesim.rulesets.orderdice.facts_fire import Blasted
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.support import AIR
from tests.rulesets.orderdice.grounds import ground, house, street
from tests.rulesets.orderdice.kit import (
    Table,
    acted,
    air_strike,
    comes,
    fallen,
    observer,
    pins,
    rolls,
    unit,
)

FIELD, HOUSE, STREET = ground((46, 46)), house(), street()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_an_air_strike_pins_the_target_its_neighbours_and_bombs_it() -> None:
    table = air_strike(
        FIELD,
        "g30.30",
        acted("g30.30"),
        acted("g36.30"),
        unit("officer", at="g30.24"),
        acted("g37.30"),
        dice=[3, 2, [1, 1], 3, [1, 6]],  # D3 pins; two hits, D3 more pins, 2+ damages
    )
    assert pins(table, 1, 2, 3, 4) == [5, 1, 1, 0]
    assert table.unit(1).models == 9
    table.done()


@pytest.mark.clause("OD-AIR-2")
def test_pins_are_measured_from_the_building_itself() -> None:
    table = air_strike(
        HOUSE,
        "house.1:0",
        acted("house.1:0"),
        unit("officer", at="g31.9"),  # 5 1/2 inches from the wall, 8 1/2 from its middle
        unit("officer", at="g32.9"),
        acted("house.1:3"),
        dice=[3, 3, 4, [1, 1], 1, [1, 1]],
    )
    assert pins(table, 1, 2, 3, 4) == [3, 1, 0, 2]  # the roof takes the bomb (1 of D3) and one for being near
    table.done()


@pytest.mark.clause("OD-AIR-2")
def test_from_house_to_house_too() -> None:
    table = Table(STREET, acted("tower.1:0"), acted("shed.1:0"), acted("hut.1:0"), acted("post.1:0"))
    tower, shed, hut, post = (table.unit(n).place for n in range(4))
    assert strikes.gap(STREET, tower, shed) == strikes.gap(STREET, shed, tower) == 100
    assert strikes.gap(STREET, tower, hut) == 700
    assert strikes.gap(STREET, tower, tower + 1) == 0
    assert strikes.gap(STREET, post, tower) == 1_900
    assert strikes.gap(STREET, table.place("g35.9"), tower) == 250


@pytest.mark.clause("OD-AIR-3")
def test_the_bomb_falls_through_the_floors_as_a_shell_does() -> None:
    """From the roof down: 3 drops, 3 drops, 4 bursts on the first floor; only the unit there is hit."""
    table = air_strike(
        HOUSE,
        "house.1:0",
        acted("house.1:0"),
        acted("house.1:1", quality="veteran"),
        dice=[3, 1, 3, 3, 4, [1, 2], 1, [2, 1, 1]],
    )
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.place) == (2, table.place("house.1:1"))
    assert rolls(table, "shell damage")[0].need == 2  # veteran 5+, a bomb's +3, no extra protection
    assert (table.unit(1).models, table.unit(2).models) == (10, 9)
    table.done()


@pytest.mark.clause("OD-AIR-3")
@pytest.mark.clause("OD-HE-3")
def test_whoever_it_bursts_on_may_go_down_first() -> None:
    dice = [3, 1, 1, 1, 1, [2, 3], 1, [1, 1, 1]]
    table = air_strike(HOUSE, "house.1:0", acted("house.1:0", order=""), dice=dice)
    assert isinstance(table.ask, GoDown)
    table.say(Confirm(True))
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken) == (5, 3)
    table.done()


# Ten hits before halving bring the house down, whoever is on the floor where the bomb bursts: here the roof.
@pytest.mark.clause("OD-AIR-4")
@pytest.mark.parametrize(
    ("others", "dice", "falls"),
    [
        pytest.param([acted("house.1:3", order="down")], [[5, 4], 1, [1] * 5], False, id="9 hits"),
        pytest.param([acted("house.1:3", order="down")], [[5, 5]], True, id="10 hits"),
        pytest.param([], [[5, 5]], True, id="10 hits on an empty floor"),
    ],
)
def test_ten_hits_before_halving_bring_the_house_down(
    others: list[dict[str, Any]], dice: list[Any], falls: bool
) -> None:
    table = air_strike(HOUSE, "house.1:0", acted("house.1:0"), *others, dice=[3, 1, 4, *dice])
    assert fallen(table) == falls
    assert table.unit(1).alive != falls
    assert ("OD-AIR-4" in table.clauses()) == falls
    table.done()


@pytest.mark.clause("OD-AIR-4")
@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_hits_count_on_an_empty_house() -> None:
    table = air_strike(HOUSE, "house.1:0", unit("officer", at="g31.9"), dice=[3, 4, [5, 5]], target=-1)
    assert fallen(table)
    assert pins(table, 1) == [1]
    table.done()


@pytest.mark.clause("OD-HOUSE-FACING")
def test_a_bomb_strikes_the_top_of_a_tank_once() -> None:
    table = air_strike(FIELD, "g30.30", acted("g30.30", "medium_tank", facing=0), dice=[3, 1, 1, 4])
    (armour,) = rolls(table, "armour")
    assert (armour.need, armour.faces) == (5, (4,))  # 3 + 1 against 9
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize(
    "target",
    [
        pytest.param(acted("g45.2", "officer"), id="dead"),
        pytest.param(acted("", "officer", aboard=2), id="aboard"),
    ],
)
def test_a_strike_whose_target_is_gone_falls_where_it_was_called(target: dict[str, Any]) -> None:
    table = Table(
        HOUSE,
        observer(AIR),
        target,
        acted("g45.19", "truck"),
        acted("house.1:2"),
        dice=[3, 1, 4, [1, 1], 1, [1, 1]],
    )
    if table.where(1):  # the one that is not aboard is dead
        table.r.lose(table.unit(1), 2, "test")
    comes(table, AIR, "house.1:0", target=1)
    assert pins(table, 3) == [2]  # one for being near, one of the bomb
    assert "OD-HOUSE-EMPTY" in table.clauses()
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_a_target_that_has_moved_is_found_where_it_is() -> None:
    table = air_strike(FIELD, "g10.40", acted("g30.30"), dice=[3, 1, [1, 1], 1, [1, 1]])
    (strike,) = [event for event in table.events(Happened) if event.what == "air strike"]
    assert strike.place == table.place("g30.30")
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_a_bomb_on_a_house_that_has_fallen_meanwhile_bursts_in_its_rubble() -> None:
    ruin = HOUSE.spaces[HOUSE.sections[0].ruin].name
    table = Table(
        HOUSE,
        observer(AIR),
        acted(ruin),
        structures=[Structure(0, fallen=True)],
        dice=[3, [1, 1], 1, [1, 1]],
    )
    comes(table, AIR, "house.1:0")
    assert pins(table, 1) == [2]
    table.done()
