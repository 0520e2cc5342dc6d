"""Dice in the bag, orders, the end of a turn (OD-HOUSE-TURN, OD-HOUSE-ORDERS, OD-ORDER-1)."""

from __future__ import annotations

from random import Random

import pytest

from battlesim.core.answers import Confirm, Order, Pass, Pick, TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Ended, TurnEnded
from battlesim.engine.battle import Battle
from battlesim.rules.activation import Bag
from battlesim.rulesets.orderdice.assault import ReactFire
from battlesim.rulesets.orderdice.facts import Drawn, Ordered
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.turn import (
    Draw,
    EndTurn,
    KeepOrder,
    Obey,
    TurnStart,
    WhichOrder,
    WhichUnit,
    waiting,
)
from battlesim.scenario.load import first_state, load_scenario
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import Table, give, unit

MISS = 1
PLAIN = plain()


def bag(table: Table) -> tuple[int, int]:
    """How many dice of each side are in the bag."""
    dice = table.state.extra.bag.dice
    return len(dice[0]), len(dice[1])


# ---- the bag ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_turn_bags_one_die_for_every_living_unit_that_holds_none() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g3.1", order="ambush"),  # kept
        unit("officer", at="g5.1", order="down"),  # kept
        unit("officer"),  # in reserve
        unit("officer", at="g50.1", side=1),
        unit("officer", at="g52.1", side=1),
        bag=Bag(),
    )
    table.do(TurnStart())
    assert bag(table) == (1, 2)


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_dead_have_no_die() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g50.1", side=1),
        unit("officer", at="g52.1", side=1),
        bag=Bag(),
    )
    table.r.lose(table.unit(1), 2, "test")
    table.do(TurnStart())
    assert bag(table) == (1, 1)


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_side_whose_die_is_drawn_orders_one_of_its_units_without_a_die() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g3.1"),
        unit("officer", at="g5.1", order="fire"),
        unit("officer", at="g50.1", side=1),
    )
    ask = table.do(Draw())
    assert ask == WhichUnit(side=0, cause=ask.cause if ask else -1)
    assert table.legal == [Pick(0), Pick(1)]
    assert bag(table) == (1, 1)
    ask = table.say(Pick(1))
    assert isinstance(ask, WhichOrder)
    assert ask.unit == 1


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_die_is_spent_by_the_order_it_gives_and_no_other_leaves_the_bag() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1"), unit("officer", at="g3.1"), unit("officer", at="g50.1", side=1)
    )
    table.do(Draw())
    table.say(Pick(0))
    table.say(Order("down"))
    assert unit_state(table.unit(0)).order == "down"
    assert bag(table) == (1, 1)


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_drawn_die_with_no_unit_left_for_it_orders_nobody() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1", order="fire"),
        unit("officer", at="g50.1", side=1, order="run"),
        bag=Bag(((0,), ())),
    )
    assert table.do(Draw()) is None
    assert len(table.events(Drawn)) == 1
    assert table.events(Ordered) == []


@pytest.mark.clause("OD-HOUSE-TURN", "OD-HOUSE-REACT")
def test_going_down_spends_the_die_from_the_bag() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g10.1", side=1),
        unit("officer", at="g50.1", side=1),
        dice=[[MISS]],  # the rifle; the pistol does not reach
    )
    table.do(WhichOrder(0, side=0))
    ask = table.say(Order("fire"))
    assert isinstance(ask, GoDown)
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).order == "down"
    assert bag(table) == (1, 1)
    assert 1 not in waiting(table.state, table.unit(1).side)
    table.done()


@pytest.mark.clause("OD-HOUSE-TURN", "OD-HOUSE-CLOSE")
def test_reaction_fire_spends_the_die_from_the_bag() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g10.1", side=1),
        # rifle and pistol... the rifle alone reaches 9 inches; then close quarters, 2 against 2
        dice=[[MISS], [4, 4]],
    )
    table.do(WhereTo(0, "run", side=0))
    ask = table.say(TargetUnit(1))
    assert isinstance(ask, ReactFire)
    table.say(Confirm(True))
    assert bag(table) == (1, 0)
    assert table.events(Ordered)[0].order == "fire"


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_destroyed_units_die_leaves_the_bag() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g10.1", side=1, models=1),
        unit("officer", at="g50.1", side=1),
        dice=[[4], [6]],  # at one man: 4+ to hit, 4+ to wound
    )
    table.do(Obey(0))
    assert bag(table) == (1, 2)
    table.do(WhichOrder(0, side=0))
    table.say(Order("fire"))
    table.say(Confirm(False))
    assert not table.unit(1).alive
    assert bag(table) == (1, 1)


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_die_of_a_destroyed_unit_that_has_acted_is_not_taken_from_another() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g10.1", side=1, models=1, order="run"),
        unit("officer", at="g50.1", side=1),
        dice=[[4], [6]],
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("fire"))
    assert not table.unit(1).alive
    assert bag(table) == (1, 1)


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_bag_always_holds_one_die_for_each_unit_still_to_act() -> None:
    scenario = load_scenario("stairwell")
    for seed in range(6):
        choose = Random(seed)
        battle = Battle(RULESET, scenario.board, first_state(scenario, seed), KeyedDice(seed))
        while not battle.over:
            question = battle.question
            assert question is not None
            if isinstance(question.ask, WhichUnit):
                dice = battle.state.extra.bag.dice
                wait = [len(list(waiting(battle.state, side))) for side in (0, 1)]
                drawn = [len(dice[0]), len(dice[1])]
                drawn[question.side] += 1
                assert wait == drawn
            battle.answer(choose.choice(question.answers))


@pytest.mark.clause("OD-HOUSE-TURN")
def test_nobody_acts_twice_in_a_turn() -> None:
    scenario = load_scenario("skirmish")
    choose = Random(1)
    battle = Battle(RULESET, scenario.board, first_state(scenario, 1), KeyedDice(1))
    while not battle.over:
        assert battle.question is not None
        battle.answer(choose.choice(battle.question.answers))
    given: dict[tuple[int, int], int] = {}
    turn = 1
    for event in battle.log:
        if isinstance(event, TurnEnded):
            turn = event.turn + 1
        if isinstance(event, Ordered) and event.why in ("given", "reaction", "under fire"):
            given[turn, event.unit] = given.get((turn, event.unit), 0) + 1
    assert set(given.values()) == {1}


# ---- the end of a turn -----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TURN")
def test_ambush_and_down_may_be_kept_and_the_other_dice_return() -> None:
    names = ("fire", "advance", "run", "rally", "ambush", "down", "ambush", "down")
    table = Table(
        PLAIN,
        *(unit("officer", at=f"g{2 * i}.1", order=name) for i, name in enumerate(names)),
        unit("officer", at="g60.1", side=1, order="run"),
        bag=Bag(),
    )
    ask = table.do(EndTurn())
    asked = []
    for keep in (True, True, False, False):
        assert isinstance(ask, KeepOrder)
        asked.append(ask.unit)
        ask = table.say(Confirm(keep))
    assert asked == [4, 5, 6, 7]
    shown = [unit_state(table.unit(i)).order for i in range(9)]
    assert shown == ["", "", "", "", "ambush", "down", "", "", ""]
    assert table.state.turn == 2


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_kept_die_is_not_in_the_next_bag() -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1", order="down"), unit("officer", at="g60.1", side=1), bag=Bag()
    )
    table.do(EndTurn())
    table.say(Confirm(True))
    table.do(TurnStart())
    assert bag(table) == (0, 1)


@pytest.mark.clause("OD-HOUSE-TURN")
@pytest.mark.parametrize(("face", "turns"), [(3, 6), (4, 7)])
def test_six_turns_and_one_more_on_4_where_the_scenario_says_so(face: int, turns: int) -> None:
    table = Table(
        PLAIN, unit("officer", at="g1.1"), unit("officer", at="g60.1", side=1), dice=[[face]], extra_turn=True
    )
    for _ in range(turns):
        assert table.events(Ended) == []
        table.do(EndTurn())
    assert len(table.events(Ended)) == 1
    table.done()


@pytest.mark.clause("OD-HOUSE-TURN")
def test_six_turns_unless_the_scenario_says_otherwise() -> None:
    for turns in (6, 3):
        more = {} if turns == 6 else {"turns": turns}
        table = Table(PLAIN, unit("officer", at="g1.1"), unit("officer", at="g60.1", side=1), **more)
        played = 0
        while not table.events(Ended):
            table.do(EndTurn())
            played += 1
        assert played == turns


@pytest.mark.clause("OD-HOUSE-TURN")
def test_a_die_shows_the_order_until_the_turn_ends() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g1.1"),
        unit("officer", at="g30.1", side=1),
        unit("officer", at="g40.1", side=1),
    )
    give(table, "run", 0)
    table.say(Pass())
    assert unit_state(table.unit(0)).order == "run"
    assert 0 not in waiting(table.state, table.unit(0).side)
