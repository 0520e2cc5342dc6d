"""Characters in close combat: beside their units, against one another, at a house's walls (RG-ATT-4, RG-HOUSE-AURA)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import TargetUnit
from battlesim.rulesets.regiment.facts import Result, Struck
from battlesim.rulesets.regiment.fight import (
    AgainstWhom,
    Fight,
    Round,
    Tier,
    order_of_blows,
)
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, WEST
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_fight import blows, strike

# ---- characters ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AURA")
def test_characters_fight_with_their_own_profile_beside_their_unit() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        dice=[[3, 3, 2], [3, 1], [1] * 5, [1] * 4],
        phase=4,
    )
    order = order_of_blows(table.state, FIELD, (0, 1))
    assert order == [(False, ((2, 1),)), (False, ((0, 1), (1, 0)))]  # initiative 5 before 3
    for first, pairs in order:
        table.do(Tier(pairs, first))
    assert blows(table) == [(2, 1, 3), (0, 1, 5), (1, 0, 4)]
    assert table.unit(1).models == 19
    table.done()


@pytest.mark.clause("RG-HOUSE-AURA")
def test_characters_meet_characters() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        unit("captain", at="g5.4", side=1, joined=1),
        dice=[[4, 4, 1], [4, 4], [1, 1]],
    )
    table.do(strike(table, 2, 1, 3, False))
    assert not table.unit(3).alive
    assert table.unit(1).models == 20
    table.done()


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-AURA")
def test_a_character_is_met_though_his_unit_falls_at_the_same_time() -> None:
    """The charge takes the last of the levy; the captain who came with it strikes at theirs all the same."""
    table = Table(
        FIELD,
        unit("halberdiers", at="g4.4", foes={1: 0}, charged=True),
        unit("levy", at="g5.4", side=1, facing=WEST, models=1, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        unit("captain", at="g5.4", side=1, joined=1),
        dice=[[3], [3], [4, 4, 1], [4, 4], [1, 1]],
        phase=4,
    )
    first, pairs = order_of_blows(table.state, FIELD, (0, 1))[0]
    table.do(Tier(pairs, first))
    assert [(e.unit, e.target, e.wounds) for e in table.events(Struck)] == [(0, 1, 1), (2, 3, 2)]
    assert not table.unit(3).alive
    assert table.unit(0).own.foes == ()
    table.done()


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-AURA")
def test_who_strikes_later_meets_the_character_of_a_unit_that_has_fallen() -> None:
    """The charge takes the last of the halberdiers; their captain strikes by initiative, and so do his enemies at him."""
    table = Table(
        FIELD,
        unit("knights", at="g4.4", foes={1: 0}, charged=True, models=2),
        unit("levy", at="g5.4", side=1, facing=WEST, models=1, foes={0: 0, 3: 0}),
        unit("captain", at="g5.4", side=1, joined=1),
        unit("levy", at="g4.5", foes={1: 0}),
        dice=[[3], [2], [1, 1, 1], [5], [6], [1], [1, 1]],
        phase=4,
    )
    table.do(Round((0, 1, 3)))
    assert blows(table) == [(0, 1, 1), (2, 0, 3), (3, 2, 1)]
    assert table.unit(2).own.wounds == 1
    table.sound()


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_models_that_struck_at_an_enemy_that_fell_do_not_strike_at_the_next_by_initiative() -> None:
    """Three of a front of five strike at the levy that they charged, and two are left for those who charged them."""
    table = Table(
        FIELD,
        unit("swordsmen", at="g4.4", foes={1: 0, 2: 0}, charged=True, charges=(1,)),
        unit("levy", at="g5.4", side=1, facing=WEST, models=3, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
        dice=[[6, 6, 6], [6, 6, 6], [1, 1], [1] * 5, [1, 1]],
        phase=4,
    )
    table.do(Round((0, 1, 2)))
    assert blows(table) == [(0, 1, 3), (0, 2, 2), (2, 0, 5)]
    table.done()


def three(*more: dict[str, Any], dice: Any = ()) -> Table:
    """A garrison with a captain between two attackers."""
    return Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2),
        *more,
        dice=dice,
        phase=4,
    )


@pytest.mark.clause("RG-ATT-4")
def test_a_garrison_chooses_with_whom_its_characters_are_in_contact() -> None:
    for chosen in (0, 1):
        table = three()
        table.do(AgainstWhom(3, side=1))
        assert table.legal == [TargetUnit(0), TargetUnit(1)]
        table.say(TargetUnit(chosen))
        pairs = [pair for _, tier in order_of_blows(table.state, HOUSE, (0, 1, 2)) for pair in tier]
        assert [foe for who, foe in pairs if who == 3] == [chosen]
        assert "RG-ATT-4" in table.clauses()
        table.done()


@pytest.mark.clause("RG-ATT-4")
def test_the_garrisons_side_is_asked_before_the_blows_and_may_change_its_mind() -> None:
    table = three(dice=[[1, 1, 1], [1] * 5, [1] * 5, [1] * 5, [1] * 4, [1, 1]])
    ask = table.do(Fight(tuple(u for u in table.state.units if table.unit(u).own.joined < 0)))
    assert isinstance(ask, AgainstWhom)
    assert ask.side == 1
    table.say(TargetUnit(1))
    assert table.unit(3).own.against == 1
    again = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("captain", at="house.1:0", side=1, joined=1),
        dice=[[1, 1, 1], [1] * 5, [1] * 4, [1, 1]],
    )
    again.do(Fight((0, 1)))  # one enemy: nothing to choose
    assert again.ask is None


@pytest.mark.clause("RG-ATT-4")
def test_out_of_doors_nobody_is_asked_against_whom() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        dice=[[1] * 3, [1] * 3, [1] * 2, [1] * 3, [1] * 3, [1, 1]],
        phase=4,
    )
    table.do(Fight((0, 1, 2)))
    assert table.ask is None
    assert [(who, foe) for who, foe, _ in blows(table) if who == 3] == [(3, 1)]
    table.done()


@pytest.mark.clause("RG-ATT-4", "RG-PART-4")
def test_a_character_does_not_choose_an_enemy_that_fights_only_in_the_next_phase() -> None:
    """A neighbour that has just broken in is no choice. The captain turns from him to the one who fights, whose own captain
    strikes at him, not at his unit."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2, against=1),
        unit("captain", at="g3.4", joined=0),
        dice=[[1] * 3, [1] * 3, [1] * 5, [1] * 5],
        phase=4,
    )
    table.do(Fight((0, 2)))
    assert table.ask is None
    assert table.unit(3).own.against == 0
    assert {(e.unit, e.target) for e in table.events(Struck) if e.unit in (3, 4)} == {(3, 4), (4, 3)}


@pytest.mark.clause("RG-ATT-4", "RG-PART-4")
def test_a_character_chooses_among_those_who_fight_now() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={3: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={3: 0}),
        unit("levy", at="g6.5", facing=WEST, foes={3: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0, 2: 0}),
        unit("captain", at="house.1:0", side=1, joined=3),
        phase=4,
    )
    table.do(Fight((0, 2, 3)))
    assert table.legal == [TargetUnit(0), TargetUnit(2)]


@pytest.mark.clause("RG-ATT-4")
def test_a_character_that_holds_a_house_alone_is_asked_too() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("captain", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        phase=4,
    )
    table.do(Fight((0, 1, 2)))
    assert table.ask == AgainstWhom(2, side=1)
    assert table.legal == [TargetUnit(0), TargetUnit(1)]


@pytest.mark.clause("RG-HOUSE-FORM", "RG-HOUSE-RESULT")
def test_who_fell_and_what_was_dealt_in_the_last_round_is_past() -> None:
    """Five strike on each side; the draw says that no old wound counts, of the unit's or of its character's."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}, fell=3, dealt=2),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}, fell=1),
        unit("captain", at="g4.4", joined=0, dealt=4),
        dice=[[1] * 3, [1] * 5, [1] * 5, [1, 1]],
        phase=4,
    )
    table.do(Fight((0, 1)))
    assert sorted(blows(table)) == [(0, 1, 5), (1, 0, 5), (2, 1, 3)]
    assert [event.points for event in table.events(Result)] == [(4, 3)]  # numbers: the captain
    table.done()
