"""Order tests, pins, officers, blunders (OD-HOUSE-MORALE, OD-HOUSE-NERVE, OD-HOUSE-PINS)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from icepool import d6

from battlesim.core.events import Rolled
from battlesim.rulesets.orderdice import facts, morale
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.morale import AfterAttack
from battlesim.rulesets.orderdice.turn import OrderTest
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import FAR, Table, fire, give, pinned, unit

PLAIN = plain()
QUALITIES = ("inexperienced", "regular", "veteran")
PASS_36 = {2: 1, 3: 3, 4: 6, 5: 10, 6: 15, 7: 21, 8: 26, 9: 30, 10: 33, 11: 35}
"""Of 36 throws of two dice, how many come to so much or less."""


def chance(quality: str, pins: int, bonus: int) -> Fraction:
    """The chance that a unit obeys, from all 36 throws of the real rule."""
    passed = 0
    for a in range(1, 7):
        for b in range(1, 7):
            table = pinned(pins, quality, [[a, b], [6]], officer=bonus)
            table.r.set(0, order="rally" if pins < 0 else "down")
            table.do(OrderTest(0, "down"))
            passed += table.events(facts.Tested)[0].passed
    return Fraction(passed, 36)


# ---- the order test --------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-MORALE")
@pytest.mark.parametrize(
    ("quality", "pins", "bonus", "throws"),
    [
        ("inexperienced", 1, 0, PASS_36[7]),
        ("inexperienced", 4, 0, PASS_36[4]),
        ("inexperienced", 7, 0, 1),  # 1 or less is out of reach, but 2 always passes
        ("regular", 1, 0, PASS_36[8]),
        ("regular", 3, 0, PASS_36[6]),
        ("regular", 8, 0, 1),
        ("veteran", 1, 0, PASS_36[9]),
        ("veteran", 5, 0, PASS_36[5]),
        ("regular", 3, 2, PASS_36[8]),
        ("veteran", 1, 2, PASS_36[11]),
        ("veteran", 1, 4, PASS_36[11]),  # 13 needed, yet 12 is a blunder
    ],
)
def test_chances_to_obey(quality: str, pins: int, bonus: int, throws: int) -> None:
    value = morale.MORALE[QUALITIES.index(quality)] - pins + bonus
    exact = (2 @ d6).map(lambda total: total != 12 and (total <= value or total == 2)).probability("==", True)
    assert chance(quality, pins, bonus) == exact == Fraction(throws, 36)


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_who_passes_loses_one_pin_and_obeys() -> None:
    table = pinned(3, dice=[[2, 4]])
    give(table)
    assert unit_state(table.unit(0)).pins == 2
    assert unit_state(table.unit(0)).order == "advance"
    assert table.ask is not None  # where to


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_who_fails_goes_down_and_keeps_its_pins() -> None:
    table = pinned(3, dice=[[3, 4]])
    give(table)
    assert unit_state(table.unit(0)).pins == 3
    assert unit_state(table.unit(0)).order == "down"
    assert len(table.state.extra.bag.dice[0]) == 1  # its die was drawn already: none of another unit's goes
    table.done()


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_without_pins_nobody_tests() -> None:
    table = pinned(0)
    give(table)
    assert table.events(facts.Tested) == []
    assert table.dice.keys == []


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_2_always_passes() -> None:
    table = pinned(8, dice=[[1, 1]])
    give(table)
    assert unit_state(table.unit(0)).pins == 7
    assert unit_state(table.unit(0)).order == "advance"


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_12_is_a_blunder_however_high_the_morale() -> None:
    table = pinned(1, "veteran", [[6, 6], [6]], officer=4)
    give(table)
    assert [e.purpose for e in table.events(Rolled)] == ["order", "blunder"]
    assert not table.events(facts.Tested)[0].passed
    assert unit_state(table.unit(0)).pins == 1


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_rally_tests_without_the_pins() -> None:
    table = pinned(6, dice=[[4, 5], [2]])
    give(table, "rally")
    assert table.events(facts.Tested)[0].needed == 9
    assert unit_state(table.unit(0)).pins == 3
    table.done()


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_the_d6_of_rally_follows_the_pin_lost_by_passing() -> None:
    table = pinned(1, dice=[[4, 5]])
    give(table, "rally")
    assert unit_state(table.unit(0)).pins == 0
    table.done()  # nothing was left to roll for


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_rally_removes_no_more_pins_than_there_are() -> None:
    table = pinned(3, dice=[[1, 2], [6]])
    give(table, "rally")
    assert unit_state(table.unit(0)).pins == 0


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_a_rally_that_fails_goes_down() -> None:
    table = pinned(3, dice=[[4, 6]])
    give(table, "rally")
    assert unit_state(table.unit(0)).order == "down"
    assert unit_state(table.unit(0)).pins == 3


# ---- officers --------------------------------------------------------------------------------------------------------


def bonus(*others: dict[str, object], at: str = "g20.2") -> int:
    table = Table(PLAIN, unit("rifle_section", at=at), *others)
    return morale.officer_bonus(table.state, table.board, table.unit(0))


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_officers_help_within_6_inches() -> None:
    assert bonus(unit("officer", at="g26.2")) == 1
    assert bonus(unit("officer", at="g27.2")) == 0


@pytest.mark.clause("OD-HOUSE-MORALE")
@pytest.mark.parametrize(
    ("rank", "helps"), [("officer", 1), ("senior_officer", 2), ("captain", 3), ("major", 4)]
)
def test_officers_add_1_to_4_by_rank(rank: str, helps: int) -> None:
    assert bonus(unit(rank, at="g22.2")) == helps


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_only_the_best_officer_in_reach_counts() -> None:
    near = (unit("officer", at="g21.2"), unit("senior_officer", at="g22.2"), unit("officer", at="g23.2"))
    assert bonus(*near) == 2
    assert bonus(*near, unit("major", at="g40.2")) == 2


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_enemy_officers_help_nobody() -> None:
    assert bonus(unit("major", at="g21.2", side=1)) == 0


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_an_officer_in_the_reserve_helps_nobody() -> None:
    assert bonus(unit("major")) == 0


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_an_officer_helps_his_own_men() -> None:
    table = Table(PLAIN, unit("senior_officer", at="g1.1", pins=2), FAR)
    assert morale.officer_bonus(table.state, table.board, table.unit(0)) == 2


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_the_officers_help_counts_in_the_test() -> None:
    table = Table(
        PLAIN, unit("rifle_section", at="g5.2", pins=3), unit("captain", at="g7.2"), FAR, dice=[[4, 5]]
    )
    give(table)
    assert table.events(facts.Tested)[0].needed == 9
    assert unit_state(table.unit(0)).pins == 2


# ---- pins ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-MORALE")
@pytest.mark.parametrize(("quality", "most"), [("inexperienced", 8), ("regular", 9), ("veteran", 10)])
def test_as_many_pins_as_morale_destroy_a_unit(quality: str, most: int) -> None:
    table = pinned(most - 2, quality)
    morale.add_pins(table.r, 0, 1)
    assert table.unit(0).alive
    morale.add_pins(table.r, 0, 1)
    assert not table.unit(0).alive


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_no_officer_helps_against_destruction_by_pins() -> None:
    table = Table(PLAIN, unit("rifle_section", at="g5.2", pins=8), unit("major", at="g6.2"), FAR)
    morale.add_pins(table.r, 0, 1)
    assert not table.unit(0).alive


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_unit_hit_takes_one_pin_however_many_hits() -> None:
    table = Table(
        PLAIN,
        unit("rifle_section", at="g5.2"),
        unit("rifle_section", at="g15.2", side=1, order="run"),
        # submachine gun 2 at 10 (long), rifles 7 and machine gun 4: everything hits, nothing wounds
        dice=[[6] * 7, [1] * 7, [6] * 4, [1] * 4, [6] * 2, [1] * 2],
    )
    fire(table)
    assert unit_state(table.unit(1)).pins == 1
    assert table.unit(1).models == 10
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_shots_that_miss_do_not_pin() -> None:
    table = Table(
        PLAIN, unit("officer", at="g5.2"), unit("officer", at="g20.2", side=1, order="run"), dice=[[2]]
    )
    fire(table)
    assert unit_state(table.unit(1)).pins == 0


@pytest.mark.clause("OD-HOUSE-PINS")
def test_each_unit_that_hits_pins_again() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g5.2"),
        unit("officer", at="g20.2", side=1, order="run"),
        unit("officer", at="g6.2"),
        dice=[[6], [1], [6], [1]],
    )
    fire(table)
    fire(table, 2)
    assert unit_state(table.unit(1)).pins == 2


# ---- half or more of the models lost ---------------------------------------------------------------------------------


def attacked(before: int, left: int, dice: list[list[int]], pins: int = 0, quality: str = "regular") -> Table:
    table = Table(
        PLAIN,
        unit("rifle_section", at="g5.2", models=left, pins=pins, quality=quality),
        FAR,
        dice=dice,
    )
    table.do(AfterAttack(1, 0, before))
    table.done()
    return table


@pytest.mark.clause("OD-HOUSE-PINS")
@pytest.mark.parametrize(("before", "left"), [(10, 6), (5, 3), (1, 1), (7, 4)])
def test_less_than_half_lost_needs_no_test(before: int, left: int) -> None:
    assert attacked(before, left, []).unit(0).alive


@pytest.mark.clause("OD-HOUSE-PINS")
@pytest.mark.parametrize(("before", "left"), [(10, 5), (5, 2), (2, 1), (7, 3)])
def test_half_or_more_lost_to_one_attack_must_test_or_is_destroyed(before: int, left: int) -> None:
    assert attacked(before, left, [[4, 5]]).unit(0).alive
    assert not attacked(before, left, [[4, 6]]).unit(0).alive


@pytest.mark.clause("OD-HOUSE-PINS")
def test_that_test_counts_the_pins_and_loses_none() -> None:
    table = attacked(10, 5, [[3, 3]], pins=3)
    assert table.events(facts.Tested)[0].needed == 6
    assert unit_state(table.unit(0)).pins == 3
    assert not attacked(10, 5, [[3, 4]], pins=3).unit(0).alive


@pytest.mark.clause("OD-HOUSE-PINS")
def test_2_passes_that_test_too() -> None:
    assert attacked(10, 5, [[1, 1]], pins=8).unit(0).alive


@pytest.mark.clause("OD-HOUSE-PINS")
def test_losses_of_two_attacks_are_not_added() -> None:
    """A rifleman falls to each of two officers: a third of three each time, then half of two."""
    table = Table(
        PLAIN,
        unit("officer", at="g5.2"),
        unit("captain", at="g20.2", side=1, order="run"),
        unit("officer", at="g6.2"),
        dice=[[6], [6], [6], [6], [1, 2]],
    )
    fire(table)
    assert table.unit(1).models == 2
    assert table.events(facts.Tested) == []
    fire(table, 2)
    assert table.unit(1).models == 1
    assert len(table.events(facts.Tested)) == 1
    table.done()
