"""Who is in contact with whom when units die, join, leave: characters above all (RG-ATT-4, RG-HOUSE-AURA, RG-HOUSE-FLEE)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import MoveTo, Order
from battlesim.core.events import Rolled, Scored
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import casualties, contacts, form, victory
from battlesim.rulesets.regiment.fight import Strike, order_of_blows
from battlesim.rulesets.regiment.model import CHARGED
from battlesim.rulesets.regiment.move import WhichOrder, orders
from battlesim.rulesets.regiment.turn import Part, waiting
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, ROW, WEST
from tests.rulesets.regiment.kit import Table, unit

# ---- a unit dies -----------------------------------------------------------------------------------------------------


def fallen(**host: Any) -> Table:
    """Levy with a captain and a general, in contact with spearmen at their flank; the levy die."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}, **host),
        unit("spearmen", at="g5.4", side=1, facing=WEST, foes={0: 1}),
        unit("captain", at="g4.4", joined=0),
        unit("general", at="g4.4", joined=0),
    )
    casualties.take_wounds(table.r, table.unit(0), 20, "blows")
    return table


@pytest.mark.clause("RG-HOUSE-AURA")
def test_the_first_character_of_a_dead_unit_takes_its_contacts_over_and_the_others_are_with_him() -> None:
    table = fallen(charged=True, moved=CHARGED)
    assert not table.unit(0).alive
    captain, general = table.unit(2), table.unit(3)
    assert (captain.own.joined, general.own.joined) == (-1, 2)
    assert (captain.own.foes, captain.own.charged, captain.own.moved) == (((1, 0),), True, CHARGED)
    assert table.unit(1).own.foes == ((2, 1),)  # he stands where the unit stood to its enemy
    assert general.own.foes == table.unit(0).own.foes == ()
    table.sound()


@pytest.mark.clause("RG-HOUSE-TURN")
def test_characters_whose_units_fall_at_the_same_time_do_not_fight_a_second_round_in_the_phase() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", models=1, foes={1: 0}),
        unit("levy", at="g5.4", side=1, models=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        unit("captain", at="g5.4", side=1, joined=1),
        dice=[[1, 1, 1], [1, 1, 1], [4], [4], [4], [4]],
        phase=4,
    )
    table.do(Part())
    assert [table.unit(n).alive for n in range(4)] == [False, False, True, True]
    assert (table.unit(2).own.foes, table.unit(3).own.foes) == (((3, 0),), ((2, 0),))
    assert waiting(table.state, FIELD) == []


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_and_its_flight() -> None:
    assert fallen(fleeing=True).unit(2).own.fleeing
    assert not fallen().unit(2).own.fleeing


@pytest.mark.clause("RG-HOUSE-AURA")
def test_a_unit_without_characters_leaves_no_contact_behind() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("spearmen", at="g5.4", side=1, facing=WEST, foes={0: 0, 2: 0}),
        unit("levy", at="g4.5", facing=7, foes={1: 0}),
    )
    casualties.take_wounds(table.r, table.unit(0), 20, "blows")
    assert [table.unit(n).own.foes for n in range(3)] == [(), ((2, 0),), ((1, 0),)]
    table.sound()


@pytest.mark.clause("RG-HOUSE-AURA")
def test_a_character_who_dies_leaves_the_contacts_of_his_unit_alone() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("spearmen", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
    )
    casualties.take_wounds(table.r, table.unit(2), 2, "blows")
    assert (table.unit(2).alive, table.unit(2).own.joined) == (False, -1)
    assert table.unit(0).own.foes == ((1, 0),)
    table.sound()


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-AURA")
def test_a_charge_holds_against_the_heir_of_the_unit_that_was_charged_and_against_no_other() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 3: 2}, charged=True, charges=(1,)),
        unit("levy", at="g5.4", side=1, models=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g5.4", side=1, joined=1),
        unit("levy", at="g3.4", side=1, facing=EAST, foes={0: 0}, charged=True),
    )
    assert order_of_blows(table.state, FIELD, (0, 1, 3))[0] == (True, ((0, 1), (3, 0)))
    casualties.take_wounds(table.r, table.unit(1), 1, "blows")
    assert table.unit(0).own.charges == (2,)
    assert order_of_blows(table.state, FIELD, (0, 2, 3))[0] == (True, ((0, 2), (3, 0)))
    assert table.unit(0).own.foes == ((2, 0), (3, 2))


# ---- a character joins and leaves ------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AURA", "RG-ATT-5")
def test_a_character_who_joins_others_leaves_his_enemy_and_his_charge() -> None:
    """Alone before a held house he fought on; with his friends he is engaged with nobody."""
    table = Table(
        HOUSE,
        unit("captain", at="g3.4", foes={1: 0}, charged=True),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("spearmen", at="g2.4"),
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("advance"))
    table.say(MoveTo(HOUSE.space("g2.4")))
    captain = table.unit(0)
    assert (captain.own.joined, captain.own.foes, captain.own.charged) == (2, (), False)
    assert table.unit(1).own.foes == ()
    table.done()


@pytest.mark.clause("RG-HOUSE-AURA")
def test_a_character_with_a_unit_holds_or_leaves_it() -> None:
    table = Table(FIELD, unit("spearmen", at="g4.4"), unit("captain", at="g4.4", joined=0))
    assert orders(table.state, FIELD, table.unit(1)) == ["hold", "advance"]
    table.do(WhichOrder(1, side=0))
    table.say(Order("advance"))
    table.say(MoveTo(FIELD.space("g5.4")))
    assert (table.unit(1).own.joined, table.where(1), table.where(0)) == (-1, "g5.4", "g4.4")


# ---- characters that garrison alone, or choose -----------------------------------------------------------------------


def lone(against: int, **more: Any) -> Table:
    """A captain who holds a house alone, levy west and swordsmen east of it."""
    return Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("captain", at="house.1:0", side=1, foes={0: 0, 1: 0}, against=against),
        **more,
    )


@pytest.mark.clause("RG-ATT-4")
@pytest.mark.parametrize(("against", "foe"), [(0, 0), (1, 1), (-1, 0)])
def test_a_character_that_holds_a_house_alone_strikes_at_the_enemy_it_chose(against: int, foe: int) -> None:
    table = lone(against)
    order = order_of_blows(table.state, HOUSE, (0, 1, 2))
    assert [pair for _, pairs in order for pair in pairs if pair[0] == 2] == [(2, foe)]
    found = form.strikers(table.state, HOUSE, table.unit(2))
    assert found[foe] == 1
    assert sum(found.values()) == 1


@pytest.mark.clause("RG-ATT-4")
@pytest.mark.parametrize(("against", "struck"), [(0, 3), (1, 2), (-1, 3)])
def test_an_attackers_character_meets_that_of_the_garrison_only_if_it_chose_his_unit(
    against: int, struck: int
) -> None:
    """Else he strikes at the rank and file."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2, against=against),
        unit("captain", at="g3.4", joined=0),
        dice=[[1, 1, 1]],
    )
    table.do(Strike(4, 2, 3, False, 0, HOUSE.space("g3.4")))
    assert [event.object for event in table.events(Rolled)] == [struck]


@pytest.mark.clause("RG-ATT-4")
def test_with_one_enemy_there_is_nothing_to_choose() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("captain", at="house.1:0", side=1, joined=1, against=7),
        unit("captain", at="g3.4", joined=0),
        dice=[[1, 1, 1]],
    )
    table.do(Strike(3, 1, 3, False, 0, HOUSE.space("g3.4")))
    assert [event.object for event in table.events(Rolled)] == [2]
    assert form.enemy_of(HOUSE, table.unit(2), table.unit(1), [0]) == 0


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_a_unit_that_a_character_has_joined_this_turn_moves_no_more() -> None:
    """Else it would carry him farther than his move."""
    table = Table(
        FIELD, unit("levy", at="g4.4"), unit("captain", at="g3.4"), unit("levy", at="g14.4", side=1), phase=2
    )
    assert orders(table.state, FIELD, table.unit(0)) == ["hold", "advance", "run", "wide"]
    table.do(WhichOrder(1, side=0))
    table.say(Order("advance"))
    table.say(MoveTo(FIELD.space("g4.4")))
    assert table.unit(1).own.joined == 0
    assert orders(table.state, FIELD, table.unit(0)) == ["hold", "wide"]


# ---- combats ---------------------------------------------------------------------------------------------------------


def test_a_combat_is_all_who_are_joined_by_contacts() -> None:
    table = Table(
        ROW,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="row.r1:0", side=1, foes={0: 0, 2: 0}),
        unit("levy", at="row.r2:0", foes={1: 0}),
        unit("levy", at="g9.9", side=1),
    )
    assert [contacts.units_in_combat(table.state, table.unit(n)) for n in range(4)] == [(0, 1, 2)] * 3 + [
        (3,)
    ]


# ---- characters of units that flee -----------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_characters_flee_with_their_unit_for_the_score_and_hold_nothing() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", fleeing=True),
        unit("captain", at="g4.4", joined=0),
        unit("levy", side=1),
    )
    assert victory.standing(table.state) == (0, 60 + 80)
    victory.ENDING.score(table.r)
    assert {e.what: (e.side, e.points) for e in table.events(Scored)} == {
        "levy 0, in flight": (1, 60),
        "captain 1, in flight": (1, 80),
    }
    assert victory.holder(table.state, Objective("hold", "here", 100, places=(FIELD.space("g4.4"),))) == -1
    table.r.set(0, (), fleeing=False)
    assert victory.awards(table.state) == []
    assert victory.holder(table.state, Objective("hold", "here", 100, places=(FIELD.space("g4.4"),))) == 0


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_what_is_lost_is_counted_of_its_own_side_and_scored_for_the_other() -> None:
    table = Table(
        FIELD, unit("levy", at="g4.4"), unit("captain", at="g4.4", joined=0), unit("archers", side=1)
    )
    casualties.destroy(table.r, table.unit(0), "gone")
    assert table.state.extra.losses == (60 + 80, 0)
    assert {(event.side, event.points) for event in table.events(Scored)} == {(1, 60), (1, 80)}
