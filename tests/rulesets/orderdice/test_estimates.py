"""What order-dice players make of a position: close quarters to the end; objectives draw whom they should."""

from __future__ import annotations

import pytest

from battlesim.evaluation.objectives import edge_places
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice import observation
from battlesim.rulesets.orderdice.appraisal import Appraisal
from battlesim.rulesets.orderdice.expected_close import Fighters, close_quarters
from battlesim.rulesets.orderdice.judgement import USUAL, Judgement
from tests.rulesets.orderdice.kit import Table, unit
from tests.search import positions


def crew(men: int) -> Fighters:
    """Regulars with one attack each."""
    return Fighters("heavy_mortar_team", 1, men)


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize(("men", "foes"), [(1, 1), (2, 4), (4, 4), (4, 2), (3, 1)])
def test_close_quarters_end_as_an_independent_reading_of_the_clause_says(
    men: int, foes: int, both: bool
) -> None:
    found = close_quarters(crew(men), crew(foes), both)
    mine, theirs = positions.assault(men, foes, both)
    assert (found.win, found.lose) == pytest.approx((float(mine), float(theirs)))


def test_one_man_does_not_beat_a_section() -> None:
    assert close_quarters(Fighters("rifle_section", 1, 1), Fighters("rifle_section", 1, 7), True).win < 0.01


def appraisal(table: Table, judgement: Judgement = USUAL) -> Appraisal:
    return Appraisal(
        observation.observe(table.state, table.board, 0, ()), table.board, judgement, weights_of(judgement)
    )


def test_the_way_off_the_board_draws_whom_it_is_for_while_there_is_time() -> None:
    """Of two tanks only one may leave by the eastern edge; it is drawn there the more, the less it can tarry, and not at all
    once it is too late."""
    table = Table(
        "village",
        unit("heavy_tank", at="g5.7"),
        unit("heavy_tank", at="g5.9"),
        unit("rifle_section", at="g0.15", side=1),
    )
    way_out = Objective("exit", "out", 3, side=0, units=(0,), edge="e")
    gains = []
    for turn in (1, 3, 6):
        table.r.set_extra(objectives=(way_out,), turns=6)
        table.state.turn = turn
        s = appraisal(table)
        here, there = (s.stakes.progress(table.unit(0), table.place(at)) for at in ("g5.7", "g10.7"))
        gains.append(there - here)
        assert s.stakes.progress(table.unit(1), table.place("g9.7")) == 0
        assert s.stakes.hold(table.unit(1), edge_places(table.board, "e")[0]) == 0
        assert s.stakes.hold(table.unit(0), edge_places(table.board, "e")[0]) > 0
    assert gains[1] > gains[0] > 0
    assert gains[2] == 0


def test_an_objective_counts_most_as_the_battle_ends() -> None:
    """Objectives are scored at the end (OD-HOUSE-VICTORY): early on, a shot may well be worth more."""
    table = Table("village", unit("rifle_section", at="g5.7"), unit("rifle_section", at="g0.15", side=1))
    table.r.set_extra(objectives=(Objective("hold", "a corner", 2, places=(table.place("g5.7"),)),), turns=6)
    worth = []
    for turn in (1, 5, 6):
        table.state.turn = turn
        s = appraisal(table)
        worth.append(s.stakes.hold(table.unit(0), table.place("g5.7")))
    assert worth[2] > 4 * worth[0]
    assert worth[2] - worth[1] > (worth[1] - worth[0]) / 4
