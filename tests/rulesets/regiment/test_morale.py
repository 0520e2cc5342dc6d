"""Leadership, panic, rallying, auras (RG-PSY-1, RG-HOUSE-AURA, RG-RES-1, RG-HOUSE-FLEE)."""

from __future__ import annotations

import pytest

from battlesim.core.events import Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.regiment import facts
from battlesim.rulesets.regiment.morale import Panic, Rally, aura, leadership
from battlesim.rulesets.regiment.move import can_act, orders
from battlesim.rulesets.regiment.result import BreakTest
from battlesim.rulesets.regiment.targets import can_shoot
from tests.rulesets.regiment.grounds import FIELD, HOUSE
from tests.rulesets.regiment.kit import Table, unit


@pytest.mark.clause("RG-HOUSE-AURA")
@pytest.mark.parametrize(("at", "ld"), [("g6.4", 9), ("g8.4", 9), ("g9.4", 6)])
def test_units_within_twelve_inches_use_the_generals_ld(at: str, ld: int) -> None:
    table = Table(FIELD, unit("general", at="g4.4"), unit("levy", at=at))
    assert leadership(table.state, FIELD, table.unit(1))[0] == ld


@pytest.mark.clause("RG-HOUSE-AURA")
def test_no_general_that_flees_or_is_the_enemys_and_none_that_is_worse() -> None:
    fled = Table(FIELD, unit("general", at="g4.4", fleeing=True), unit("levy", at="g5.4"))
    assert leadership(fled.state, FIELD, fled.unit(1))[0] == 6
    with_the_fleeing = Table(
        FIELD,
        unit("general", at="g4.5", joined=2),
        unit("levy", at="g5.4"),
        unit("levy", at="g4.5", fleeing=True),
    )
    assert leadership(with_the_fleeing.state, FIELD, with_the_fleeing.unit(1))[0] == 6
    enemy = Table(FIELD, unit("general", at="g4.4", side=1), unit("levy", at="g5.4"))
    assert leadership(enemy.state, FIELD, enemy.unit(1))[0] == 6
    captain = Table(FIELD, unit("captain", at="g4.4"), unit("levy", at="g5.4"))
    assert leadership(captain.state, FIELD, captain.unit(1))[0] == 6
    axemen = Table(FIELD, unit("general", at="g4.4"), unit("axemen", at="g5.4"))
    assert leadership(axemen.state, FIELD, axemen.unit(1)) == (9, ())


@pytest.mark.clause("RG-RES-1")
def test_no_aura_reaches_into_a_building_nor_out_of_one() -> None:
    into = Table(
        HOUSE, unit("general", at="g3.4"), unit("levy", at="house.1:0"), unit("standard_bearer", at="g3.5")
    )
    assert leadership(into.state, HOUSE, into.unit(1)) == (6, ("RG-RES-1",))
    assert not aura(into.state, HOUSE, into.unit(1), "battle_standard")
    out = Table(HOUSE, unit("general", at="house.1:0"), unit("levy", at="g3.4"))
    assert leadership(out.state, HOUSE, out.unit(1))[0] == 6
    within = Table(HOUSE, unit("general", at="house.1:0", joined=1), unit("levy", at="house.1:0"))
    assert leadership(within.state, HOUSE, within.unit(1))[0] == 6


@pytest.mark.clause("RG-HOUSE-AURA")
@pytest.mark.parametrize(("at", "tries"), [("g8.4", 2), ("g9.4", 1)])
def test_failed_break_tests_are_repeated_near_the_army_standard(at: str, tries: int) -> None:
    dice = [[6, 6], [2, 2]][:tries]
    table = Table(FIELD, unit("standard_bearer", at="g4.4"), unit("levy", at=at), dice=dice)
    table.do(BreakTest(1, 1))
    tested = table.events(facts.Tested)
    assert [t.again for t in tested] == [False, True][:tries]
    assert table.unit(1).own.fleeing == (tries == 1)
    table.done()


@pytest.mark.clause("RG-HOUSE-AURA")
def test_a_test_that_is_passed_is_not_repeated() -> None:
    table = Table(FIELD, unit("standard_bearer", at="g4.4"), unit("levy", at="g5.4"), dice=[[2, 2]])
    table.do(BreakTest(1, 1))
    table.done()


@pytest.mark.clause("RG-RES-1")
def test_the_army_standard_is_not_seen_from_inside() -> None:
    table = Table(HOUSE, unit("standard_bearer", at="g3.4"), unit("levy", at="house.1:0"), dice=[[6, 6]])
    table.do(BreakTest(1, 1))
    assert table.unit(1).own.fleeing
    table.done()  # no second try


# ---- panic -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PSY-1")
def test_a_sound_building_makes_immune_to_panic_an_unstable_one_does_not() -> None:
    sound = Table(HOUSE, unit("levy", at="g1.1", side=1), unit("levy", at="house.1:0"))
    sound.do(Panic(1, 0))
    assert sound.events(Rolled) == []
    assert "RG-PSY-1" in sound.clauses()
    shaken = Table(
        HOUSE,
        unit("levy", at="g1.1", side=1),
        unit("levy", at="house.1:0"),
        dice=[[3, 3]],
        structures=[Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})],
    )
    shaken.do(Panic(1, 0))
    assert "RG-UNST-1" in shaken.clauses()
    shaken.done()


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_panic_is_2d6_at_most_ld() -> None:
    for dice, flees in (([3, 3], False), ([3, 4], True)):
        table = Table(
            FIELD,
            unit("levy", at="g1.4", side=1),
            unit("levy", at="g5.4"),
            dice=[dice, [1, 2]][: 2 if flees else 1],
        )
        table.do(Panic(1, 0))
        assert table.unit(1).own.fleeing == flees
        table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_some_never_panic() -> None:
    table = Table(FIELD, unit("levy", at="g1.4", side=1), unit("giant", at="g5.4"))
    table.do(Panic(1, 0))
    table.done()


# ---- rallying --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_who_rallies_only_reforms() -> None:
    table = Table(
        FIELD, unit("archers", at="g4.4", fleeing=True), unit("levy", at="g6.4", side=1), dice=[[3, 4]]
    )
    table.do(Rally(0))
    mine = table.unit(0).own
    assert (mine.fleeing, mine.rallied) == (False, True)
    assert orders(table.state, FIELD, table.unit(0)) == ["hold", "deep"]
    assert not can_shoot(table.state, table.unit(0))
    from battlesim.rulesets.regiment.charge import can_charge

    assert not can_charge(table.state, FIELD, table.unit(0))
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_nor_do_the_characters_leave_who_rallied_with_their_unit() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", fleeing=True),
        unit("captain", at="g4.4", joined=0),
        unit("levy", at="g9.4", side=1),
        dice=[[3, 3]],
        phase=2,
    )
    table.do(Rally(0))
    assert table.unit(0).own.rallied
    assert can_act(table.state, FIELD, table.unit(0))
    assert not can_act(table.state, FIELD, table.unit(1))
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-HOUSE-AURA")
def test_who_does_not_rally_flees_on_and_the_general_helps() -> None:
    alone = Table(FIELD, unit("levy", at="g4.4", fleeing=True), dice=[[4, 5]])
    alone.do(Rally(0))
    assert alone.unit(0).own.fleeing
    alone.done()
    led = Table(FIELD, unit("levy", at="g4.4", fleeing=True), unit("general", at="g5.4"), dice=[[4, 5]])
    led.do(Rally(0))
    assert not led.unit(0).own.fleeing
    led.done()


@pytest.mark.clause("RG-ATT-5", "RG-SHOOT-4")
def test_the_engaged_fight_on_whatever_they_lose_but_walls_that_give_are_another_matter() -> None:
    units = (
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("cannon", at="g0.4"),
    )
    shaken = [Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})]
    for number, walls, tests in ((0, False, 0), (1, False, 0), (1, True, 1)):
        table = Table(HOUSE, *units, structures=shaken, dice=[[1, 1]] * tests)
        table.do(Panic(number, 2, walls))
        assert len(table.events(facts.Tested)) == tests
        table.done()


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-SHOOT-4")
def test_who_takes_flight_is_in_contact_with_nobody_and_charges_no_more() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}, charged=True),
        structures=[Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})],
        dice=[[6, 6], [1, 1]],
    )
    table.do(Panic(1, 0, True))
    mine = table.unit(1).own
    assert (mine.fleeing, mine.charged, mine.foes, table.unit(0).own.foes) == (True, False, (), ())
    table.done()
