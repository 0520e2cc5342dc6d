"""Opportunity fire: who is asked where, and what becomes of a move under fire (SH-HOUSE-ACTIONS, SH-HOUSE-SUPPRESS)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm, MoveTo, Order, TargetUnit
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex.facts import Attacked
from battlesim.rulesets.squadhex.move import Walk
from battlesim.rulesets.squadhex.react import Interrupt, waiting_for
from battlesim.rulesets.squadhex.ruleset import RULESET
from tests.rulesets.squadhex.kit import Table, unit

NORMAL, SUPPRESSIVE = Order("normal"), Order("suppressive")


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_opportunity_fire_once_at_a_moving_enemy() -> None:
    table = Table(
        unit("rifle_squad", at="g5.0", side=1),
        unit("rifle_squad", at="g5.3"),
        dice=[[6, 1, 1, 1]],
    )
    table.act(1, "opportunity")
    assert table.unit(1).own.waits
    assert not table.unit(1).own.fresh
    table.act(0, "advance")
    ask = table.say(MoveTo(table.place("g5.2")))
    assert type(ask).__name__ == "Interrupt"
    assert table.where(0) == "g5.1"  # asked at the first hex it enters in sight
    table.say(Confirm(True), NORMAL)
    table.done()
    assert table.unit(0).models == 3
    assert table.where(0) == "g5.2"
    assert not table.unit(1).own.waits


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_who_is_asked_on_the_way_does_not_know_where_it_leads_nor_whether_it_ends_here() -> None:
    seen = []
    for goal in ("g5.1", "g5.2"):
        table = Table(
            unit("rifle_squad", at="g5.0", side=1), unit("rifle_squad", at="g5.3", fresh=False, waits=True)
        )
        table.act(0, "advance")
        table.say(MoveTo(table.place(goal)))
        assert isinstance(table.ask, Interrupt)
        view = RULESET.observe(table.state, table.board, 0, tuple(table.r.log))
        seen.append(repr((view, tuple(view.news))))
    assert seen[0] == seen[1]


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize(("hits", "pinned"), [(1, True), (3, False)])
def test_who_is_pinned_or_disrupted_on_the_way_stops_there(hits: int, pinned: bool) -> None:
    table = Table(
        unit("rifle_squad", at="g5.0", side=1),
        unit("rifle_squad", at="g5.3", fresh=False, waits=True),
        dice=[[6] * hits + [1] * (4 - hits)],
    )
    table.act(0, "advance")
    table.say(MoveTo(table.place("g5.2")), Confirm(True), SUPPRESSIVE)
    table.done()
    assert table.where(0) == "g5.1"
    assert (table.unit(0).own.pinned, table.unit(0).own.disrupted) == (pinned, not pinned)


@pytest.mark.clause("SH-HOUSE-STACK", "SH-HOUSE-ACTIONS")
@pytest.mark.parametrize(("friends", "asked_at"), [(2, "g5.1"), (3, "g5.2")])
def test_a_hex_full_of_friends_is_passed_without_being_stopped(friends: int, asked_at: str) -> None:
    """Nobody could be pinned there: who waits is asked at the next hex."""
    table = Table(
        unit("rifle_squad", at="g5.0", side=1),
        unit("rifle_squad", at="g5.3", fresh=False, waits=True),
        *(unit("rifle_squad", at="g5.1", side=1) for _ in range(friends)),
    )
    table.do(Walk(0, tuple(table.place(name) for name in ("g5.0", "g5.1", "g5.2"))))
    assert isinstance(table.ask, Interrupt)
    assert table.where(0) == asked_at


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize(("hits", "fires"), [(1, True), (3, False)])
def test_who_is_pinned_on_the_move_still_fires_a_quarter_and_the_disrupted_do_not(
    hits: int, fires: bool
) -> None:
    """Half for the move, half of that for being pinned: one die of four."""
    table = Table(
        unit("rifle_squad", at="g5.0", side=1),
        unit("rifle_squad", at="g5.2", fresh=False, waits=True),
        dice=[[6] * hits + [1] * (4 - hits), *([[1]] if fires else [])],
    )
    table.act(0, "advance_fire")
    table.say(MoveTo(table.place("g5.1")), Confirm(True), SUPPRESSIVE)
    if fires:
        table.say(TargetUnit(1), NORMAL)
    table.done()
    assert [event.unit for event in table.events(Attacked)] == ([1, 0] if fires else [1])
    assert table.events(Attacked)[-1].dice == (1 if fires else 4)


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-STACK")
def test_who_waits_is_asked_of_what_he_sees_and_reaches_alone() -> None:
    """Behind the hall nobody is seen; 7 hexes are beyond twice the range of 3."""
    table = Table(
        unit("rifle_squad", at="g4.3", side=1),
        unit("rifle_squad", at="g4.6", fresh=False, waits=True),
        unit("rifle_squad", at="g5.2", fresh=False, waits=True),
        unit("rifle_squad", at="g11.6", fresh=False, waits=True),
        unit("observer_team", at="g4.1", fresh=False, waits=True),  # has nothing to fire
        unit("rifle_squad", at="g4.2", fresh=False),  # does not wait
    )
    mover = table.unit(0)
    assert waiting_for(table.state, table.board, mover, mover.place) == [2]
    assert waiting_for(table.state, table.board, mover, table.place("g4.7")) == [1]  # as it would be there
    legal = [RULESET.legal(table.state, table.board, Interrupt(n, 0, side=0)) for n in (2, 5)]
    assert legal == [(Confirm(False), Confirm(True)), (Confirm(False),)]


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_who_waits_may_wait_on() -> None:
    table = Table(
        unit("rifle_squad", at="g5.0", side=1), unit("rifle_squad", at="g5.3", fresh=False, waits=True)
    )
    table.act(0, "advance")
    table.say(MoveTo(table.place("g5.2")), Confirm(False), Confirm(False))
    table.done()
    assert table.unit(1).own.waits


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-ASSAULT")
def test_who_wins_an_assault_may_be_fired_at_where_it_moves_in() -> None:
    """The enemy who waits reaches six hexes: the place that is won, not the one from which the assault came."""
    table = Table(
        unit("rifle_squad", at="g1.2"),
        unit("rifle_squad", at="g2.2", side=1),
        unit("rifle_squad", at="g8.3", side=1, fresh=False, waits=True),
        dice=[[4] * 4, [1] * 4, [6, 1, 1, 1]],
    )
    table.act(0, "assault")
    assert isinstance(table.ask, Interrupt)
    assert table.where(0) == "g2.2"
    table.say(Confirm(True), NORMAL)
    table.done()
    assert table.unit(0).models == 3


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-VICTORY")
@pytest.mark.parametrize("fires", [False, True])
def test_a_winner_pinned_where_it_moves_in_does_not_leave_by_the_edge(fires: bool) -> None:
    table = Table(
        unit("rifle_squad", at="g5.8"),
        unit("rifle_squad", at="g5.9", side=1),
        unit("rifle_squad", at="g2.9", side=1, fresh=False, waits=True),
        goals=(Objective("exit", "out", 2, 0, edge="n"),),
        dice=[[6] * 4, [1] * 4, *([[6, 1, 1, 1]] if fires else [])],
    )
    table.act(0, "assault")
    while table.where(0) != "g5.9":
        table.say(Confirm(False))  # not yet
    table.say(*((Confirm(True), SUPPRESSIVE) if fires else (Confirm(False),)))
    table.done()
    assert (table.unit(0).own.pinned, table.unit(0).own.left) == (fires, not fires)
    assert table.state.points == ((0, 0) if fires else (2, 0))
