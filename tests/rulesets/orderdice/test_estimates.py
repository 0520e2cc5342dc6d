"""What order-dice players make of a position: close quarters to the end; objectives draw whom they should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.state import Structure
from battlesim.evaluation.objectives import edge_places
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice import observation
from battlesim.rulesets.orderdice.appraisal import Appraisal
from battlesim.rulesets.orderdice.expected_close import Fighters, close_quarters
from battlesim.rulesets.orderdice.features import value_of_move, value_of_order
from battlesim.rulesets.orderdice.judgement import USUAL, Judgement
from battlesim.rulesets.orderdice.model import ADVANCE, AMBUSH, FIRE, RUN
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


def appraisal(table: Table, judgement: Judgement = USUAL, side: int = 0) -> Appraisal:
    view = observation.observe(table.state, table.board, side, ())
    return Appraisal(view, table.board, judgement, weights_of(judgement))


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
        assert s.stakes.leaving(table.unit(1), edge_places(table.board, "e")[0]) == 0
        assert s.stakes.leaving(table.unit(0), edge_places(table.board, "e")[0]) > 0
    assert gains[1] > gains[0] > 0
    assert gains[2] == 0


def at_the_edge(*more: dict[str, Any], units: tuple[int, ...] = ()) -> tuple[Table, Sequence[int]]:
    """A section on the eastern edge, an enemy that sees it, and a way out by that edge."""
    places = edge_places(village(), "e")
    enemy = unit("rifle_section", at="g19.7", side=1)
    table = Table("village", unit("rifle_section", at=village().spaces[places[7]].name), enemy, *more)
    table.r.set_extra(objectives=(Objective("exit", "out", 3, side=0, units=units, edge="e"),), turns=6)
    table.state.turn = 6
    return table, places


def village() -> Board:
    return Table("village").board


def test_only_a_move_leads_off_the_board() -> None:
    """Who stands on its edge holds nothing by it, and has to move once more to leave (OD-HOUSE-EXIT)."""
    table, edge = at_the_edge()
    s, one = appraisal(table), table.unit(0)
    assert s.stakes.leaving(one, one.place) == s.stakes.hold(one, one.place) == 0
    assert s.stakes.hold(one, edge[8]) == 0
    assert s.value_of_place(one, one.place, shoots=False, moved=False).hold == 0
    found = {order: value_of_order(s, one, order, s.lying(one)) for order in (FIRE, ADVANCE, RUN, AMBUSH)}
    best = max(found, key=lambda order: weigh(found[order], s.weights))
    assert best in (ADVANCE, RUN)
    assert found[best].hold == s.stakes.leaving(one, edge[8]) > 0


def test_nobody_is_in_the_way_of_who_leaves() -> None:
    """Friends on the edge, for whom the objective is not even meant, make leaving and the way there worth no less."""
    worth = []
    for friends in (0, 2):
        more = [
            unit("rifle_section", at=village().spaces[n].name) for n in edge_places(village(), "e")[:friends]
        ]
        table, edge = at_the_edge(*more, units=(0,))
        s = appraisal(table)
        worth.append((s.stakes.leaving(table.unit(0), edge[8]), s.stakes.progress(table.unit(0), edge[8])))
    assert worth[0] == worth[1] > (0, 0)


def test_who_has_left_neither_shoots_nor_is_shot_at() -> None:
    table, edge = at_the_edge()
    s, one = appraisal(table), table.unit(0)
    stands = s.value_of_place(one, edge[8], shoots=True, moved=True)
    assert min(stands.dealt, stands.exposure) > 0
    leaves = value_of_move(s, one, edge[8], ADVANCE)
    assert (leaves.dealt, leaves.exposure) == (0, 0)
    assert leaves.progress == stands.progress


@pytest.mark.clause("OD-HOUSE-EXIT")
def test_passengers_leave_with_their_transport() -> None:
    """It leaves with them, where one of them alone may, too, and stands for their points; each scores."""
    places = edge_places(village(), "e")
    at, out = village().spaces[places[7]].name, places[8]
    worth, counts = {}, {}
    for aboard in (0, -1):
        for named in ((), (1,)):
            table = Table(
                "village",
                unit("half_track", at=at),
                unit("rifle_section", at="" if aboard == 0 else "g0.15", aboard=aboard),
                unit("rifle_section", at="g0.7", side=1),
            )
            goal = Objective("exit", "out", 3, side=0, units=named, edge="e")
            table.r.set_extra(objectives=(goal,), turns=6)
            s = appraisal(table)
            worth[aboard, named] = s.stakes.leaving(table.unit(0), out)
            counts[aboard, named] = s.stakes.importance[0]
    assert worth[-1, ()] > 0 == worth[-1, (1,)]
    assert worth[0, ()] == pytest.approx(2 * worth[-1, ()])
    assert worth[0, (1,)] == pytest.approx(worth[-1, ()])
    assert counts[0, ()] - 1 == pytest.approx(2 * (counts[-1, ()] - 1))
    assert counts[0, (1,)] > 1 == counts[-1, (1,)]


def test_who_leaves_does_so_though_nothing_be_given_for_it() -> None:
    table, edge = at_the_edge()
    for judgement in (Judgement(exit=0.0), Judgement(alone=0.0)):
        s = appraisal(table, judgement)
        leaves = value_of_move(s, table.unit(0), edge[8], ADVANCE)
        assert (leaves.dealt, leaves.exposure) == (0, 0)
        assert leaves.hold < 1e-3


def test_one_more_turn_leaves_more_time_to_leave() -> None:
    """After the last turn one more is played as often as not; who has acted may leave in that."""
    found = {}
    for extra in (False, True):
        table, _ = at_the_edge(unit("rifle_section", at="g22.2", order="fire"))
        table.r.set_extra(extra_turn=extra)
        side = appraisal(table, side=1)
        found[extra] = [side.stakes.importance[number] for number in (0, 2)]
    assert found[False][0] > 1 == found[False][1]
    assert found[True][1] > 1


def test_an_enemy_on_the_edge_keeps_nobody_from_leaving() -> None:
    table, _ = at_the_edge(
        unit("rifle_section", at=village().spaces[edge_places(village(), "e")[0]].name, side=1)
    )
    stakes = appraisal(table).stakes
    assert stakes.importance[2] == 1


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


def test_a_fall_counts_as_objectives_for_several_sections_stand() -> None:
    """Points for the ruin of two sections come with the second; points for keeping both are lost with the first."""
    for kind, worth in (("destroy", (2, 4)), ("keep", (-4, 0))):
        for fallen, points in zip(((), (Structure(0, fallen=True),)), worth, strict=True):
            table = Table("village", unit("rifle_section", at="g5.7"), structures=fallen)
            table.r.set_extra(objectives=(Objective(kind, "both", 4, side=0, sections=(0, 1)),), turns=6)
            assert appraisal(table).stakes.razed(1) == points * USUAL.point


def test_who_may_still_leave_counts_more_to_both_sides() -> None:
    """Who is lost leaves no more: as much of the points as there is time to get to the edge, and none for who has none left or
    cannot move."""

    def importance(at: str = "g18.7", turn: int = 4, points: int = 3, side: int = 1, **own: Any) -> float:
        table = Table("village", unit("rifle_section", at="g5.7"), unit("heavy_tank", at=at, side=1, **own))
        table.r.set_extra(objectives=(Objective("exit", "out", points, side=side, edge="e"),), turns=6)
        table.state.turn = turn
        stakes = appraisal(table).stakes
        return stakes.importance[1]

    assert importance(points=3) > importance(points=1) > 1
    assert importance(at="g20.7") > importance(at="g16.7") > 1
    assert importance(turn=6) < importance(turn=4)
    assert importance(at="g2.7", turn=6) == importance(immobile=True) == importance(side=0) == 1
    assert importance(turn=6, order=RUN) == 1
