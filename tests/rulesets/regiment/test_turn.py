"""Phases, parts, whose turn (RG-HOUSE-TURN), and how battles end (RG-HOUSE-VICTORY)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from battlesim.core.answers import Order, Pass, Pick
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Ended, ExtraSet, ListChanged, Scored, Taken, TurnEnded
from battlesim.core.items import TURN
from battlesim.core.state import Outcome
from battlesim.engine.battle import Battle, Question
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import casualties, facts, victory
from battlesim.rulesets.regiment.charge import ChargeWhom
from battlesim.rulesets.regiment.facts import TurnOf
from battlesim.rulesets.regiment.fire import AtWhom
from battlesim.rulesets.regiment.model import CHARGE, COMPULSORY, FIGHT, MOVE, SHOOT
from battlesim.rulesets.regiment.move import WhichOrder
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.rulesets.regiment.turn import PhaseBegins, WhichUnit, waiting
from battlesim.scenario.load import first_state
from tests.rulesets.regiment.grounds import FIELD, HOUSE, WEST
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_set_up import made


def played(text: str, answer: Callable[[Question], object] | None = None) -> Battle:
    """A battle in which everybody holds, or answers as told."""
    scenario = made(text)
    battle = Battle(RULESET, scenario.board, first_state(scenario, 1), KeyedDice(1))
    while battle.question is not None:
        said = answer(battle.question) if answer else None
        safe = RULESET.safe_answer(battle.state, scenario.board, battle.question.ask, battle.question.answers)
        battle.answer(said or safe)  # type: ignore[arg-type]
    return battle


TWO = """
turns: 2
forces:
  - {side: Red, type: archers, at: g2.2, facing: north}
  - {side: Red, type: levy, at: g5.2, facing: north}
  - {side: Blue, type: archers, at: g2.6, facing: south}
  - {side: Blue, type: levy, at: g5.6, facing: south}
"""


@pytest.mark.clause("RG-HOUSE-TURN")
def test_sides_take_turns_phase_by_phase() -> None:
    battle = played(TWO)
    phases = [
        (event.extra["sides"].side, event.extra["sides"].phase)
        for event in battle.log
        if isinstance(event, ExtraSet) and "sides" in event.extra
    ]
    one_turn = [(side, phase) for side in (0, 1) for phase in (CHARGE, COMPULSORY, MOVE, SHOOT, FIGHT)]
    assert phases == one_turn * 2
    assert [event.turn for event in battle.log if isinstance(event, TurnEnded)] == [1, 2]


@pytest.mark.clause("RG-HOUSE-TURN")
def test_every_part_is_an_entry_of_the_agenda_of_its_own() -> None:
    """Charges 4, moves 4, shooting 2 a turn, beside the phases; each at a time of its own, in order."""
    battle = played(TWO)
    times = [event.time for event in battle.log if isinstance(event, Taken)]
    assert times == sorted(times)
    assert max(times) < 2 * TURN
    first = [time for time in times if time < TURN // 2]
    assert len(first) >= 5 + 2 + 2
    picks = [e for e in battle.log if isinstance(e, ListChanged) and e.path == ("done",)]
    assert len(picks) >= 2 * (4 + 2)


@pytest.mark.clause("RG-HOUSE-TURN")
def test_a_scenario_may_schedule_by_unit() -> None:
    asked: list[int] = []

    def note(question: Question) -> None:
        if isinstance(question.ask, WhichOrder):
            asked.append(question.side)

    battle = played(TWO + "\noptions: {activation: unit}\n", note)
    assert asked == [0, 1, 0, 1] * 2
    assert [event.side for event in battle.log if isinstance(event, TurnOf)] == [-1, -1]


@pytest.mark.clause("RG-HOUSE-TURN")
def test_a_side_picks_its_units_in_any_order_and_each_acts_once() -> None:
    table = Table(
        FIELD, unit("levy", at="g2.2"), unit("levy", at="g5.2"), unit("levy", at="g9.9", side=1), phase=MOVE
    )
    table.do(WhichUnit(MOVE, side=0))
    assert table.legal == [Pick(0), Pick(1)]
    table.say(Pick(1))
    assert isinstance(table.ask, WhichOrder)
    assert [u.id for u in waiting(table.state, FIELD)] == [0]


@pytest.mark.clause("RG-HOUSE-TURN")
def test_who_has_a_part_in_which_phase() -> None:
    units = (
        unit("archers", at="g2.2"),
        unit("levy", at="g5.2", fleeing=True),
        unit("levy", at="g8.2", foes={3: 0}),
        unit("levy", at="g9.2", side=1, facing=WEST, foes={2: 0}),
        unit("levy", at="g2.4", side=1),
    )
    found = {
        phase: [u.id for u in waiting(table.state, FIELD)]
        for phase in range(5)
        for table in [Table(FIELD, *units, phase=phase)]
    }
    assert found == {CHARGE: [0], COMPULSORY: [1], MOVE: [0], SHOOT: [0], FIGHT: [2, 3]}


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-SHOOT")
@pytest.mark.parametrize("side", [0, 1])
def test_a_charge_and_losses_of_the_last_turn_are_over_as_the_next_begins(side: int) -> None:
    """A charge that found nobody to fight is no charge of the next turn; one that is still to be fought stays one."""
    table = Table(
        FIELD,
        unit("levy", at="g2.2", charged=True, shot=3),
        unit("levy", at="g5.2", charged=True, foes={2: 0}),
        unit("levy", at="g6.2", side=1, facing=WEST, foes={1: 0}, shot=-1),
        unit("levy", at="g9.9", side=1, charged=True),
    )
    table.do(PhaseBegins(side, CHARGE))
    assert [table.unit(n).own.charged for n in range(4)] == [False, True, False, False]
    assert [table.unit(n).own.shot for n in range(4)] == [0, 0, 0, 0]


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_losses_count_anew_in_each_shooting_phase() -> None:
    table = Table(FIELD, unit("levy", at="g2.2", shot=3), unit("levy", at="g9.9", side=1, shot=-1))
    table.do(PhaseBegins(0, MOVE))
    assert [table.unit(n).own.shot for n in (0, 1)] == [3, -1]
    table.do(PhaseBegins(0, SHOOT))
    assert [table.unit(n).own.shot for n in (0, 1)] == [0, 0]


@pytest.mark.clause("RG-HOUSE-TURN")
def test_a_sides_own_moves_are_forgotten_as_its_turn_begins() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g2.2", moved="ran", rallied=True),
        unit("levy", at="g9.9", side=1, moved="moved", rallied=True),
    )
    table.do(PhaseBegins(0, CHARGE))
    assert [(table.unit(n).own.moved, table.unit(n).own.rallied) for n in (0, 1)] == [
        ("", False),
        ("moved", True),
    ]


@pytest.mark.clause("RG-HOUSE-TURN", "RG-HOUSE-FLEE")
def test_a_turn_begins_with_rallying() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g5.2", fleeing=True, moved="ran"),
        unit("levy", at="g9.9", side=1, fleeing=True),
        dice=[[1, 1]],
    )
    table.do(PhaseBegins(0, CHARGE))
    assert [t.unit for t in table.events(facts.Tested)] == [0]
    assert table.unit(0).own.moved == ""
    assert table.unit(1).own.fleeing


@pytest.mark.clause("RG-HOUSE-TURN")
def test_all_fights_are_fought_in_each_sides_turn_and_each_once() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g8.2", foes={1: 0}),
        unit("levy", at="g9.2", side=1, facing=WEST, foes={0: 0}),
        side=1,
        phase=FIGHT,
    )
    assert [u.id for u in waiting(table.state, FIELD)] == [0, 1]
    done = Table(
        FIELD,
        unit("levy", at="g8.2", foes={1: 0}),
        unit("levy", at="g9.2", side=1, facing=WEST, foes={0: 0}),
        phase=FIGHT,
        done=(0, 1),
    )
    assert waiting(done.state, FIELD) == []


def test_questions_of_the_phases() -> None:
    for phase, kind in ((CHARGE, ChargeWhom), (MOVE, WhichOrder), (SHOOT, AtWhom)):
        table = Table(
            FIELD,
            unit("archers", at="g2.2", facing=2),
            unit("archers", at="g5.2", facing=2),
            unit("levy", at="g3.4", side=1),
            phase=phase,
        )
        table.do(WhichUnit(phase, side=0))
        table.say(Pick(0))
        assert isinstance(table.ask, kind)
        assert Pass() in table.legal or Order("hold") in table.legal


# ---- the end ---------------------------------------------------------------------------------------------------------


HOLD = """
turns: 1
margin: {margin}
forces:
  - {{side: Red, type: levy, at: "house.1:0"}}
  - {{side: Blue, type: levy, at: g9.9}}
objectives:
  - {{kind: hold, name: the house, buildings: [house], points: 100}}
options: {options}
"""


def end(margin: int, options: str = "{}") -> Outcome:
    outcome = played(HOLD.format(margin=margin, options=options)).outcome
    assert outcome is not None
    return outcome


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_the_scenario_names_the_margins() -> None:
    assert end(100) == Outcome(0, (100, 0), "length")
    assert end(101) == Outcome(None, (100, 0), "length")
    assert end(10, "{massacre: 100}") == Outcome(0, (100, 0), "massacre")
    assert end(10, "{massacre: 101}") == Outcome(0, (100, 0), "length")


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_a_building_is_held_by_units_that_do_not_flee() -> None:
    goal = Objective("hold", "house", 100, places=(HOUSE.space("house.1:0"),))
    held = Table(HOUSE, unit("levy", at="house.1:0", side=1), objectives=(goal,))
    assert victory.earned(held.state, goal) == (0, 100)
    fled = Table(HOUSE, unit("levy", at="house.1:0", side=1, fleeing=True), objectives=(goal,))
    assert victory.earned(fled.state, goal) == (0, 0)
    mine = Objective("hold", "house", 100, 0, places=(HOUSE.space("house.1:0"),))
    assert victory.earned(held.state, mine) == (0, 0)


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_units_lost_score_at_once_the_fleeing_at_the_end() -> None:
    table = Table(
        FIELD,
        unit("knights", at="g2.2", fleeing=True),
        unit("levy", at="g9.9", side=1),
        unit("levy", at="g9.8", side=1),
    )
    casualties.destroy(table.r, table.unit(1), "in a test")
    assert table.state.points == (60, 0)
    assert victory.standing(table.state) == (60, 190)
    victory.ENDING.score(table.r)
    assert table.state.points == (60, 190)
    assert [e.points for e in table.events(Scored)] == [60, 190]


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_named_units_lost_and_alive() -> None:
    table = Table(FIELD, unit("levy", at="g2.2"), unit("levy", at="g9.9", side=1))
    destroy = Objective("destroy", "them", 30, 0, units=(1,))
    survive = Objective("survive", "us", 20, 0, units=(0,))
    assert victory.earned(table.state, destroy) == (0, 0)
    assert victory.earned(table.state, survive) == (20, 0)
    casualties.destroy(table.r, table.unit(1), "in a test")
    assert victory.earned(table.state, destroy) == (30, 0)


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_a_side_with_nothing_left_loses_at_once() -> None:
    table = Table(FIELD, unit("levy", at="g2.2"), unit("levy", at="g9.9", side=1))
    casualties.destroy(table.r, table.unit(0), "in a test")
    table.do(PhaseBegins(1, CHARGE))
    (ended,) = table.events(Ended)
    assert ended.outcome == Outcome(1, (0, 60), "annihilation")
    both = Table(FIELD, unit("levy", at="g2.2"), unit("levy", at="g9.9", side=1))
    for number in (0, 1):
        casualties.destroy(both.r, both.unit(number), "in a test")
    both.do(PhaseBegins(1, CHARGE))
    assert both.events(Ended)[0].outcome == Outcome(None, (60, 60), "annihilation")
