"""Infantry against armour, vehicles driving over men, vehicles into vehicles (OD-HOUSE-TANKFIGHT, OD-HOUSE-RAM)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from battlesim.core.answers import Answer, Confirm, Face, Pass, TargetUnit
from battlesim.core.events import Happened, Rolled
from battlesim.rulesets.orderdice import facts, tankfight
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.assault import ReactFire, Regroup
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.move import legal_where_to
from battlesim.rulesets.orderdice.turn import Obey
from battlesim.rulesets.orderdice.vehicles import FaceWhere
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, acted, foe, unit, where_to

FIELD = ground((46, 46))
HOUSE = house()
STONE = "terrain: [{kind: woods, polygon: [[18, 18], [22, 18], [22, 22], [18, 22]]}]"
WOODS = ground((46, 46), STONE)


def runs(who: str, at_whom: str, *dice: Any, at: str = "g10.20", to: str = "g15.20", **row: Any) -> Table:
    """A unit at (10, 20) is told to Run at an enemy at (15, 20) that has acted."""
    row = {"order": "fire", **row}
    table = Table(FIELD, unit(who, at=at, order="run"), unit(at_whom, at=to, side=1, **row), dice=dice)
    table.do(Obey(0))
    table.say(TargetUnit(1))
    return table


def offered(table: Table) -> list[Answer]:
    table.do(Obey(0))
    assert table.ask is not None
    return [
        answer
        for answer in legal_where_to(table.state, table.board, table.ask)
        if isinstance(answer, TargetUnit)
    ]  # type: ignore[arg-type]


def happened(table: Table) -> list[str]:
    return [event.what for event in table.events(Happened)]


def roll(table: Table, purpose: str) -> Rolled:
    (found,) = [roll for roll in table.events(Rolled) if roll.purpose == purpose]
    return found


# ---- infantry against a vehicle --------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
@pytest.mark.parametrize(("moved", "need"), [(False, 4), (True, 6)])
def test_each_model_hits_on_four_or_on_six_where_it_moved(moved: bool, need: int) -> None:
    table = runs("small_rifle_section", "medium_tank", [3, 3, 3, 3, 3, 5 if moved else 3], moved=moved)
    assert roll(table, "tank assault").need == need
    assert len(roll(table, "tank assault").faces) == 6
    table.done()  # nobody strikes back, nothing else is rolled


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
def test_tough_fighters_and_assault_weapons_attack_once() -> None:
    table = runs("veteran_engineers", "medium_tank", [1, 1, 1, 1, 1, 1])
    table.done()


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
@pytest.mark.parametrize("facing", [0, 2, 4])
def test_a_hit_rolls_d6_plus_one_whichever_side_it_comes_from(facing: int) -> None:
    table = runs("officer", "half_track", [4, 4], [6, 5], 1, facing=facing)  # 6 + 1 = 7: superficial
    assert roll(table, "armour").need == 6
    assert happened(table) == ["assault", "tank assault", "stunned"]
    assert unit_state(table.unit(1)).pins == 1  # close quarters pin nobody; the stun does
    assert table.unit(0).place == table.place("g14.20")
    table.done()


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
def test_anti_tank_carriers_roll_d6_plus_six_and_the_winner_may_regroup() -> None:
    table = runs("bazooka_team", "medium_tank", [4, 1], 6, [4, 1], 3)
    assert roll(table, "armour").need == 3
    assert not table.unit(1).alive
    assert isinstance(table.ask, Regroup)
    assert table.ask.reach == 300
    table.say(Pass())
    table.done()


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_vehicle_that_has_not_acted_may_fire_first_at_a_charge_from_afar() -> None:
    far = runs("bazooka_team", "medium_tank", [1, 1], to="g18.20", order="")
    assert isinstance(far.ask, ReactFire)
    assert far.ask.unit == 1
    far.say(Confirm(False))
    far.done()
    near = runs("bazooka_team", "medium_tank", [1, 1], to="g16.20", order="")
    near.done()


@pytest.mark.clause("OD-LEAVE-2")
def test_infantry_leaps_out_of_a_house_at_a_vehicle() -> None:
    table = Table(
        HOUSE,
        unit("bazooka_team", at="house.1:0", order="run"),
        unit("truck", at="g32.9", side=1, order="fire"),
        dice=[[1, 1]],
    )
    table.do(Obey(0))
    table.say(TargetUnit(1))
    assert HOUSE.spaces[table.unit(0).place].kind == "ground"
    table.done()


# ---- driving over men ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
def test_who_is_driven_over_tests_morale_or_is_destroyed() -> None:
    table = runs("medium_tank", "rifle_section", [5, 5])
    (test,) = table.events(facts.Tested)
    assert (test.unit, test.needed, test.why) == (1, 9, "overrun")
    assert not table.unit(1).alive
    assert table.unit(0).place == table.place("g15.20")
    assert isinstance(table.ask, FaceWhere)
    table.say(Face(0))
    table.done()


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
@pytest.mark.parametrize("kind", ["rifle_section", "heavy_at_gun"])
def test_who_keeps_his_nerve_stays_and_the_vehicle_stops_before_him(kind: str) -> None:
    table = runs("medium_tank", kind, [4, 3], pins=2)
    assert table.events(facts.Tested)[0].needed == 7
    assert table.unit(1).alive
    assert table.unit(1).place == table.place("g15.20")
    assert table.unit(0).place == table.place("g14.20")
    table.say(Face(0))
    table.done()


@pytest.mark.clause("OD-HOUSE-TANKFIGHT")
def test_only_men_in_the_open_and_in_reach_are_driven_over() -> None:
    assert TargetUnit(1) in offered(
        Table(
            FIELD,
            unit("medium_tank", at="g2.20", order="run"),
            unit("officer", at="g20.20", side=1),
        )
    )
    for board, at, to in (
        (FIELD, "g2.20", "g21.20"),  # 19 inches
        (WOODS, "g10.20", "g20.20"),  # nobody runs a tank into woods
        (HOUSE, "g15.9", "house.1:0"),
    ):
        table = Table(board, unit("medium_tank", at=at, order="run"), unit("officer", at=to, side=1))
        assert offered(table) == []


@pytest.mark.clause("OD-HOUSE-TANKFIGHT", "OD-HOUSE-REACT")
def test_a_vehicle_may_be_fired_at_where_it_drives_over_men() -> None:
    """A bazooka reaches 24 inches: only the last space of the tank's move is in range."""
    table = Table(
        FIELD,
        unit("light_tank", "g10.20", order="run"),
        acted("g20.20"),
        foe("bazooka_team", "g44.20", order="ambush"),
        dice=[[6, 6]],
    )
    where_to(table, "run")
    assert isinstance(table.say(TargetUnit(1)), Interrupt)
    assert table.where(0) == "g20.20"
    assert isinstance(table.say(Confirm(False)), FaceWhere)  # its Run is over only now


# ---- ramming ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-RAM")
def test_the_lower_total_takes_full_damage_and_survivors_a_pin() -> None:
    table = runs("heavy_tank", "medium_tank", 3, 2, 2)  # 13 against 11: one roll
    assert unit_state(table.unit(1)).immobile
    assert unit_state(table.unit(1)).pins == 2
    assert (unit_state(table.unit(0)).pins, unit_state(table.unit(0)).immobile) == (1, False)
    assert table.unit(0).place == table.place("g14.20")
    table.say(Face(0))
    table.done()


@pytest.mark.clause("OD-HOUSE-RAM")
def test_three_short_takes_two_rolls_and_the_rammer_may_be_the_one() -> None:
    table = runs("truck", "medium_tank", 4, 4, [1, 4])  # 10 against 13
    assert not table.unit(0).alive
    assert unit_state(table.unit(1)).pins == 1
    table.done()


@pytest.mark.clause("OD-HOUSE-RAM")
def test_equal_totals_hurt_both_superficially() -> None:
    table = runs(
        "heavy_tank", "medium_tank", 2, 3, 6, [1, 1], 5
    )  # 12 each: the other on fire, ours immobilised
    assert happened(table) == ["rams", "ram", "on fire", "fire out", "immobilised"]
    assert unit_state(table.unit(0)).immobile
    assert (unit_state(table.unit(0)).pins, unit_state(table.unit(1)).pins) == (2, 2)
    table.done()  # an immobilised vehicle does not turn


@pytest.mark.clause("OD-HOUSE-RAM")
@pytest.mark.parametrize(("mine", "theirs"), [(9, 10), (10, 9), (11, 7)])
def test_odds_of_a_ram_agree_with_exact_dice(mine: int, theirs: int) -> None:
    ours: dict[tuple[int, int, bool], Fraction] = {}
    for a in range(1, 7):
        for b in range(1, 7):
            key = tankfight.outcome(mine + a, theirs + b)
            ours[key] = ours.get(key, Fraction(0)) + Fraction(1, 36)
    gap = (icepool.d6 + mine) - (icepool.d6 + theirs)

    def share(*gaps: int) -> Fraction:
        return sum((Fraction(gap.probability(g)) for g in gaps), Fraction(0))

    assert ours.get((1, 1, True), 0) == share(0)
    assert ours.get((0, 1, False), 0) == share(1, 2)
    assert ours.get((1, 0, False), 0) == share(-1, -2)
    assert ours.get((0, 2, False), 0) == share(*range(3, 20))
    assert ours.get((2, 0, False), 0) == share(*range(-20, -2))


@pytest.mark.clause("OD-HOUSE-RAM")
@pytest.mark.clause("OD-HOUSE-REACT")
def test_a_vehicle_stopped_on_its_way_rams_nobody() -> None:
    table = Table(
        FIELD,
        unit("medium_tank", at="g10.20", order="run"),
        unit("truck", at="g20.20", side=1, order="fire"),
        unit("heavy_at_gun", at="g30.20", side=1, order="ambush", facing=4),
        dice=[6, 4, 2],  # the ambush hits (10 against 9) and immobilises
    )
    table.do(Obey(0))
    table.say(TargetUnit(1))
    table.say(Confirm(True))
    assert unit_state(table.unit(0)).immobile
    assert table.unit(0).place == table.place("g11.20")
    table.done()


@pytest.mark.clause("OD-HOUSE-RAM")
def test_two_rams_in_one_turn_have_dice_of_their_own() -> None:
    table = runs("heavy_tank", "medium_tank", 2, 3, 4, 4, 3, 2, 4, 4, order="")
    table.r.set(1, order="run")
    table.do(Obey(1))
    table.say(TargetUnit(0))
    while table.ask is not None:
        table.say(table.legal[0])
    keys = table.dice.keys
    assert len(keys) == len(set(keys)) == 8
    table.done()
