"""In a battle's last turn, what would come after it counts for nothing, in every rulebook that judges by threats."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import TargetUnit
from battlesim.evaluation.time_left import another_turn
from battlesim.rules.activation import PhaseOrder
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass.appraisal import Appraisal as ArmourAppraisal
from battlesim.rulesets.armorclass.judgement import USUAL as ARMOUR
from battlesim.rulesets.orderdice import observation, support
from battlesim.rulesets.orderdice.contenders import JUDGE
from battlesim.rulesets.orderdice.model import AMBUSH, FIRE
from battlesim.rulesets.regiment.appraisal import Appraisal as RegimentAppraisal
from battlesim.rulesets.regiment.judgement import USUAL as REGIMENT
from battlesim.rulesets.regiment.model import CHARGE, FIGHT, MOVE, SHOOT, BattleState
from battlesim.rulesets.regiment.observation import observe
from battlesim.rulesets.regiment.time_left import TimeLeft, time_left
from tests.rulesets.armorclass import kit as armour
from tests.rulesets.orderdice import kit as dice
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.test_estimates import appraisal
from tests.rulesets.regiment import kit as regiments
from tests.rulesets.regiment.grounds import FIELD, SOUTH

PLAIN = plain()


def order_dice(turn: int, order: str, **extra: Any) -> float:
    """What a rifle section fears of another in the open, that has the order given."""
    foe = dice.unit("rifle_section", at="g16.2", side=1, order=order)
    table = dice.Table(PLAIN, dice.unit("rifle_section", at="g2.2"), foe, turns=6, **extra)
    table.state.turn = turn
    place = table.place("g2.2")
    return appraisal(table).value_of_place(table.unit(0), place, False, False).exposure


@pytest.mark.clause("OD-HOUSE-TURN")
def test_an_enemy_that_has_acted_is_not_feared_in_the_last_turn_of_order_dice() -> None:
    fresh, acted = order_dice(3, ""), order_dice(3, FIRE)
    assert 0 < acted < fresh
    assert order_dice(6, "") == fresh
    assert order_dice(6, FIRE) == 0
    assert order_dice(6, AMBUSH) == order_dice(3, AMBUSH) == acted  # it may still fire
    assert order_dice(6, FIRE, extra_turn=True) == pytest.approx(acted / 2)  # one more turn on 4+


@pytest.mark.clause("OD-HOUSE-SUPPORT", "OD-HOUSE-TURN")
@pytest.mark.parametrize(("turn", "extra", "share"), [(5, False, 1), (6, False, 0), (6, True, 0.5)])
def test_a_strike_that_cannot_arrive_any_more_is_worth_nothing(turn: int, extra: bool, share: float) -> None:
    units = dice.unit("air_observer", at="g2.2"), dice.unit("rifle_section", at="g22.2", side=1)
    values = []
    for now, more in ((1, False), (turn, extra)):
        table = dice.Table(PLAIN, *units, turns=6, extra_turn=more)
        table.state.turn = now
        view = observation.observe(table.state, table.board, 0, ())
        ask = support.CallStrike(0, side=0)
        view.stack = (ask,)
        values.append(JUDGE.features(view, table.board, ask, [TargetUnit(1)])[0].dealt)
    assert values[0] > 0
    assert values[1] == pytest.approx(share * values[0])


@pytest.mark.clause("AC-HOUSE-TURN")
def test_an_enemy_that_has_acted_is_not_feared_in_the_last_turn_of_armour_classes() -> None:
    def feared(turn: int, acted: bool) -> float:
        foe = armour.unit("rifle_team", "g8.1", side=1, detected=True, acted=acted)
        table = armour.Table(armour.ground(), armour.unit("rifle_team", "g1.1", detected=True), foe)
        table.r.set_extra((), turns=6)
        table.state.turn = turn
        s = ArmourAppraisal(table.view(0), table.board, ARMOUR, ARMOUR)
        return s.value_of_place(table.unit(0), table.place("g1.1"), False).exposure

    rest = feared(6, True)  # what others may do whom nobody has found
    assert feared(3, False) > feared(3, True) > rest
    assert feared(6, False) == feared(3, False)


@pytest.mark.clause("RG-HOUSE-TURN")
@pytest.mark.parametrize(
    ("side", "acting", "phase", "by_unit", "left"),
    [
        (1, 1, MOVE, False, TimeLeft(False, False, False, False, False, False, False)),
        (0, 0, MOVE, False, TimeLeft(False, True, True, True, True, False, False)),
        (1, 0, CHARGE, False, TimeLeft(True, True, True, True, True, False, True)),
        (0, 2, CHARGE, True, TimeLeft(False, True, True, True, False, False, False)),
        (0, 1, SHOOT, False, TimeLeft(False, False, True, True, False, False, False)),
        (0, 1, FIGHT, False, TimeLeft(False, False, False, False, False, False, False)),
        (0, 2, MOVE, True, TimeLeft(False, False, True, True, False, False, False)),
    ],
)
def test_what_is_still_to_come_among_regiments(
    side: int, acting: int, phase: int, by_unit: bool, left: TimeLeft
) -> None:
    known = BattleState(sides=PhaseOrder(acting, phase), by_unit=by_unit, turns=6)
    assert time_left(known, 6, side) == left
    assert time_left(known, 5, side)[:4] == (True, True, True, left.now)
    assert time_left(known, 4, side)[4:] == (True, True, True)


@pytest.mark.clause("RG-HOUSE-TURN")
def test_no_combat_follows_that_of_ones_own_last_turn() -> None:
    """In the turn before the last, it is one's own next; the enemy's comes before it."""
    known = BattleState(sides=PhaseOrder(1, MOVE), turns=6)
    left = time_left(known, 5, 1)
    assert (left.after_now, left.after_ours, left.after_theirs) == (True, False, True)


@pytest.mark.clause("RG-HOUSE-TURN")
def test_who_moves_last_fears_nothing_in_the_last_turn_of_regiments() -> None:
    def place(turn: int, side: int) -> tuple[float, float]:
        foes = (
            regiments.unit("archers", at="g4.0", side=1 - side, facing=SOUTH),
            regiments.unit("knights", at="g7.0", side=1 - side, facing=SOUTH),
        )
        own = regiments.unit("spearmen", at="g4.4", side=side)
        table = regiments.Table(FIELD, own, *foes, phase=MOVE, turns=6, side=side)
        table.state.turn = turn
        s = RegimentAppraisal(observe(table.state, table.board, side, ()), table.board, REGIMENT)
        found = s.value_of_place(table.unit(0), table.place("g4.4"), False, False)
        return found.exposure, found.ready

    assert place(6, 1) == (0, 0)
    assert place(5, 1)[0] > 0
    assert place(6, 0)[0] == pytest.approx(place(5, 0)[0], rel=0.01)  # the enemy's turn is still to come
    assert place(5, 0)[1] >= place(6, 0)[1] == 0


def test_an_engine_that_is_silent_this_turn_is_not_feared_where_its_side_shoots_this_turn() -> None:
    def feared(silent: int, side: int) -> float:
        engine = regiments.unit("cannon", at="g4.0", side=1 - side, facing=SOUTH, silent=silent)
        own = regiments.unit("spearmen", at="g4.6", side=side)
        table = regiments.Table(FIELD, own, engine, phase=MOVE, turns=6, side=side)
        s = RegimentAppraisal(observe(table.state, table.board, side, ()), table.board, REGIMENT)
        return s.threat(table.unit(0), table.place("g4.6"))

    assert feared(0, 0) > 0 == feared(1, 0)  # the second side shoots in this turn
    assert feared(1, 1) > 0 == feared(2, 1)  # the first side has its next turn


def test_another_turn() -> None:
    assert [another_turn(turn, 6) for turn in (1, 5, 6, 7)] == [1, 1, 0, 0]
    assert another_turn(6, 6, one_more=True) == 0.5


def near_and_there(rulebook: str, turn: int) -> tuple[float, float]:
    """How near a unit is to an objective that it can hold, one space away from it and on it."""
    if rulebook == "orderdice":
        one = dice.Table(PLAIN, dice.unit("rifle_section", at="g2.2"), turns=6)
        goal = Objective("hold", "there", 3, places=(one.place("g2.4"),))
        one.r.set_extra((), objectives=(goal,))
        one.state.turn = turn
        stakes = appraisal(one).stakes
        return stakes.progress(one.unit(0), one.place("g2.3")), stakes.progress(
            one.unit(0), one.place("g2.4")
        )
    if rulebook == "armorclass":
        two = armour.Table(armour.ground(), armour.unit("rifle_team", "g1.1", detected=True), turns=6)
        two.r.set_extra((), objectives=(Objective("hold", "there", 3, places=(two.place("g1.3"),)),))
        two.state.turn = turn
        s = ArmourAppraisal(two.view(0), two.board, ARMOUR, ARMOUR)
        return s.progress(two.unit(0), two.place("g1.2")), s.progress(two.unit(0), two.place("g1.3"))
    own = regiments.unit("spearmen", at="g4.4")
    three = regiments.Table(FIELD, own, phase=MOVE, turns=6, side=0)
    three.r.set_extra((), objectives=(Objective("hold", "there", 300, places=(three.place("g4.6"),)),))
    three.state.turn = turn
    r = RegimentAppraisal(observe(three.state, three.board, 0, ()), three.board, REGIMENT)
    return r.progress(three.unit(0), three.place("g4.5")), r.progress(three.unit(0), three.place("g4.6"))


@pytest.mark.parametrize("rulebook", ["orderdice", "armorclass", "regiment"])
def test_who_ends_the_last_turn_near_an_objective_has_gained_nothing(rulebook: str) -> None:
    near, there = near_and_there(rulebook, 3)
    assert 0 < near < there
    near, there = near_and_there(rulebook, 6)
    assert 0 == near < there
