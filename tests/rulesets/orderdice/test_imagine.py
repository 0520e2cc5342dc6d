"""Imagined states: the enemy's reserves are still to come, as many and of the types that a side knows of (OD-HOUSE-RESERVE)."""

from __future__ import annotations

import pytest

from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice
from battlesim.core.items import TURN
from battlesim.core.view import unseen
from battlesim.engine.brief import brief_of
from battlesim.engine.budget import Budget
from battlesim.rulesets.orderdice.observation import faults, imagine, observe
from battlesim.rulesets.orderdice.reserves import Arrive
from battlesim.scenario import first_state, load_scenario
from battlesim.search.sightings import Sightings
from tests.rulesets.orderdice.kit import Table, unit


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_reserves_that_nobody_has_seen_are_imagined_to_come() -> None:
    """As many as there are, of a kind that is known, in a turn and by an edge that the dice draw; the view stays what it is."""
    table = Table(
        "stairwell",
        unit("officer", at="g1.1"),
        unit("rifle_section", at="g9.0", side=1),
        *[unit("officer", side=1, arrives=3)] * 2,
    )
    for number in (2, 3):
        table.r.schedule(2 * TURN, Arrive(number, (), "w", ()))
    view = observe(table.state, table.board, 0, ())
    plans = set()
    for seed in range(12):
        state = imagine(view, table.board, KeyedDice(seed))
        assert faults(state, table.board) == []
        assert list(state.units) == [0, 1, 2, 3]
        assert [state.units[n].kind for n in (2, 3)] == ["rifle_section"] * 2
        assert all(1 < state.units[n].own.arrives <= 6 for n in (2, 3))
        assert dump_state(state) == dump_state(imagine(view, table.board, KeyedDice(seed)))
        again = observe(state, table.board, 0, ())
        assert (again.units, again.agenda, again.forces) == (view.units, view.agenda, view.forces)
        plans.add(tuple((e.time, e.step.edge) for e in state.agenda if isinstance(e.step, Arrive)))
    assert len(plans) > 6


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_reserves_are_imagined_of_the_types_left_on_the_list() -> None:
    """A heavy tank, a lorry and its passengers are still to come, and a side that knows the list imagines these and no other."""
    made = load_scenario("village")
    view = observe(first_state(made, 3), made.board, 0, ())
    known = Sightings(brief_of(view, made, 0, Budget()))
    orders = set()
    for seed in range(12):
        state = known.imagine(view, made.board, KeyedDice(seed))
        assert faults(state, made.board) == []
        kinds = [state.units[number].kind for number in unseen(view)]
        assert sorted(kinds) == ["heavy_tank", "small_rifle_section", "truck"]
        orders.add(tuple(kinds))
    assert len(orders) > 3


@pytest.mark.clause("OD-HOUSE-RESERVE")
@pytest.mark.parametrize("extra", [True, False])
def test_reserves_that_are_late_are_imagined_unseen(extra: bool) -> None:
    """In the last turn a reserve has yet to come: in an extra turn, or never, as one does that finds no room on its edge."""
    table = Table(
        "stairwell", unit("officer", at="g1.1"), unit("rifle_section", side=1, arrives=7), extra_turn=extra
    )
    table.state.turn = table.state.extra.turns
    table.state.now = (table.state.turn - 1) * TURN
    table.r.schedule(table.state.turn * TURN, Arrive(1, (), "w", ()))
    view = observe(table.state, table.board, 0, ())
    assert list(view.units) == [0]
    for seed in range(4):
        state = imagine(view, table.board, KeyedDice(seed))
        assert faults(state, table.board) == []
        again = observe(state, table.board, 0, ())
        assert (again.units, again.agenda) == (view.units, view.agenda)
        assert state.units[1].own.arrives == 7
