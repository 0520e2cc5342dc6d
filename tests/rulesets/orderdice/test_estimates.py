"""Estimates stay near what the rules do: close quarters against exact odds of a round; objectives draw whom they should."""

from __future__ import annotations

import pytest
from icepool import d

from battlesim.rules.forces import Goal
from battlesim.rulesets.orderdice import observation
from battlesim.rulesets.orderdice.estimates import melee_odds
from battlesim.rulesets.orderdice.situation import Situation, edge_places
from tests.rulesets.orderdice.kit import Table, unit


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [((2, 1), (8, 7)), ((12, 6), (6, 6)), ((6, 6), (12, 6)), ((4, 4), (5, 3)), ((10, 10), (3, 3))],
)
def test_close_quarters_are_lost_with_the_last_man(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    """(blows, men) of both sides, regulars, striking at once."""
    hit = d(6) >= 4
    won = lost = gone = drawn = 0
    for kills, n in (ours[0] @ hit).items():
        for losses, m in (theirs[0] @ hit).items():
            k, x, ways = min(kills, theirs[1]), min(losses, ours[1]), n * m
            if k == theirs[1] and x == ours[1]:
                gone += ways
            elif k == theirs[1] or (x < ours[1] and k > x):
                won += ways
            elif x == ours[1] or x > k:
                lost += ways
            else:
                drawn += ways
    whole = won + lost + gone
    found = melee_odds(ours[0], ours[1], 4, theirs[0], theirs[1], 4, True)
    assert found == pytest.approx((won / whole, lost / whole, gone / whole))


def test_one_man_does_not_beat_a_section() -> None:
    assert melee_odds(2, 1, 4, 8, 7, 4, True)[0] < 0.01


def test_the_way_off_the_board_draws_whom_it_is_for_while_there_is_time() -> None:
    """Of two tanks only one may leave by the eastern edge; it is drawn there the more, the less it can tarry, and not at all
    once it is too late."""
    table = Table(
        "village",
        unit("heavy_tank", at="g5.7"),
        unit("heavy_tank", at="g5.9"),
        unit("rifle_section", at="g0.15", side=1),
    )
    way_out = Goal("exit", "out", 3, side=0, units=(0,), edge="e")
    gains = []
    for turn in (1, 3, 6):
        table.r.set_extra(objectives=(way_out,), turns=6)
        table.state.turn = turn
        s = Situation(observation.observe(table.state, table.board, 0, ()), table.board)
        here, there = (s.progress(table.unit(0), table.place(at)) for at in ("g5.7", "g10.7"))
        gains.append(there - here)
        assert s.progress(table.unit(1), table.place("g9.7")) == 0
        assert s.hold(table.unit(1), edge_places(table.board, "e")[0]) == 0
        assert s.hold(table.unit(0), edge_places(table.board, "e")[0]) > 0
    assert gains[1] > gains[0] > 0
    assert gains[2] == 0


def test_an_objective_counts_most_as_the_battle_ends() -> None:
    """Objectives are scored at the end (OD-HOUSE-VICTORY): early on, a shot may well be worth more."""
    table = Table("village", unit("rifle_section", at="g5.7"), unit("rifle_section", at="g0.15", side=1))
    table.r.set_extra(objectives=(Goal("hold", "a corner", 2, places=(table.place("g5.7"),)),), turns=6)
    worth = []
    for turn in (1, 5, 6):
        table.state.turn = turn
        s = Situation(observation.observe(table.state, table.board, 0, ()), table.board)
        worth.append(s.hold(table.unit(0), table.place("g5.7")))
    assert worth[2] > 4 * worth[0]
    assert worth[2] - worth[1] > (worth[1] - worth[0]) / 4
