"""How battles end and who wins (OD-HOUSE-VICTORY, OD-HOUSE-EXIT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm, MoveTo
from battlesim.core.events import Ended, Placed, Scored, StructureSet
from battlesim.core.state import Outcome, Structure
from battlesim.rules.activation import Bag
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice import victory
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.collapse import BailOut
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.turn import EndTurn, KeepOrder
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import Table, unit

MAP = "stairwell"


def goal(table: Table, kind: str, points: int = 1, side: int = -1, **more: Any) -> None:
    """Put one more objective on the table; places and sections by name."""
    places = tuple(sorted(table.place(name) for name in more.pop("places", ())))
    sections = tuple(table.board.section(name) for name in more.pop("sections", ()))
    made = Objective(kind, kind, points, side, places, sections, **more)
    table.r.set_extra(objectives=(*table.state.extra.objectives, made))


def final(table: Table) -> Outcome:
    victory.ENDING.final(table.r)
    assert table.state.outcome is not None
    assert table.state.outcome.points == table.state.points
    return table.state.outcome


# ---- objectives ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-VICTORY")
@pytest.mark.parametrize(
    ("red", "blue", "points"),
    [
        ("house.west:0", "g9.0", (2, 0)),
        ("g1.0", "house.west:1", (0, 2)),
        ("house.west:0", "house.west:1", (0, 0)),  # an enemy on another floor of it
        ("g1.0", "g9.0", (0, 0)),
        ("house.east:0", "g9.0", (0, 0)),  # next door is not inside
    ],
)
def test_hold_takes_a_living_unit_there_and_no_enemy(red: str, blue: str, points: tuple[int, int]) -> None:
    table = Table(MAP, unit("officer", at=red), unit("officer", at=blue, side=1))
    goal(table, "hold", 2, places=["house.west:0", "house.west:1", "house.west:2", "house.west:3"])
    assert victory.standing(table.state) == points
    assert final(table) == Outcome({(2, 0): 0, (0, 2): 1, (0, 0): None}[points], points, "length")
    assert all(e.clauses == ("OD-HOUSE-VICTORY",) for e in table.events(Scored))


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_the_dead_hold_nothing_and_one_sides_objective_is_its_own() -> None:
    table = Table(
        MAP, unit("officer", at="g1.2"), unit("officer", at="g1.1"), unit("officer", at="g9.0", side=1)
    )
    goal(table, "hold", places=["g1.1"])
    goal(table, "hold", 5, side=1, places=["g1.2"])
    assert victory.standing(table.state) == (1, 0)
    table.r.lose(table.unit(1), 2, "shot")
    assert victory.standing(table.state) == (0, 0)
    table.r.move(table.unit(2), (table.place("g1.1"),))
    table.r.move(table.unit(0), (table.place("g9.0"),))
    assert victory.standing(table.state) == (0, 1)


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_destroy_takes_all_the_sections_or_counts_the_units() -> None:
    table = Table(
        MAP,
        unit("officer", at="g1.1"),
        *[unit("officer", at=f"g{n}.0", side=1) for n in (7, 8, 9)],
        structures=[Structure(0, fallen=True)],
    )
    goal(table, "destroy", 4, side=0, sections=["house.west", "house.east"])
    goal(table, "destroy", 3, side=0, sections=["house.west"])
    goal(table, "destroy", 2, side=0, units=(1, 2))
    assert victory.standing(table.state) == (3, 0)
    table.state.structures[1] = Structure(1, burning=True)  # on fire is not down
    assert victory.standing(table.state) == (3, 0)
    table.r.emit(StructureSet(1, True, False))
    table.r.lose(table.unit(1), 2, "shot")
    table.r.lose(table.unit(2), 1, "shot")
    table.r.lose(table.unit(3), 2, "shot")  # no objective
    assert victory.standing(table.state) == (4 + 3 + 2, 0)


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_survive_counts_the_living_wherever_they_are() -> None:
    table = Table(
        MAP,
        unit("officer", at="g1.1"),
        unit("officer", at="g2.1"),
        unit("officer", left=True),
        unit("officer", arrives=9),
        unit("officer", at="g9.0", side=1),
    )
    goal(table, "survive", 2, side=0, units=(0, 1, 2, 3))
    table.r.lose(table.unit(1), 2, "shot")
    assert victory.standing(table.state) == (6, 0)


@pytest.mark.clause("OD-HOUSE-VICTORY")
@pytest.mark.parametrize(
    ("theirs", "winner"), [(2, 0), (3, 0), (4, None), (5, None), (6, None), (7, 1), (8, 1)]
)
def test_a_side_wins_by_the_margin_else_it_is_a_draw(theirs: int, winner: int | None) -> None:
    table = Table(MAP, unit("officer", at="g1.0"), unit("officer", at="g9.0", side=1))
    table.state.points = (5, theirs)
    table.r.set_extra(margin=2)
    assert final(table) == Outcome(winner, (5, theirs), "length")


# ---- the end ---------------------------------------------------------------------------------------------------------


def two_sides(**extra: Any) -> Table:
    return Table(MAP, unit("officer", at="g1.1"), unit("officer", at="g9.0", side=1), **extra)


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_the_battle_goes_on_to_its_last_turn_and_ends_with_it() -> None:
    table = two_sides(turns=2)
    table.state.turn = 2  # the first is over
    assert victory.turn_over(table.r)
    table.state.turn = 3
    assert not victory.turn_over(table.r)
    assert [e.outcome for e in table.events(Ended)] == [Outcome(None, (0, 0), "length")]


@pytest.mark.clause("OD-HOUSE-TURN")
@pytest.mark.parametrize(("face", "more"), [(3, False), (4, True)])
def test_one_more_turn_on_four_or_more_and_never_a_second(face: int, more: bool) -> None:
    table = two_sides(turns=2, extra_turn=True, dice=[face])
    table.state.turn = 3
    assert victory.turn_over(table.r) == more
    if more:
        assert table.state.extra.turns == 3
        table.state.turn = 4
        assert not victory.turn_over(table.r)
    table.done()


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_a_side_without_living_units_loses_at_once_whatever_the_points() -> None:
    table = two_sides()
    goal(table, "survive", 9, side=0, units=(0,))
    goal(table, "hold", 4, places=["g1.1"])
    assert victory.ENDING.check_wiped(table.state) is None
    table.r.lose(table.unit(1), 2, "shot")
    assert victory.ENDING.check_wiped(table.state) == Outcome(0, (13, 0), "annihilation")
    table = two_sides()
    goal(table, "destroy", 9, side=0, units=(1,))
    table.r.emit(Scored(0, 50))
    table.r.lose(table.unit(0), 2, "shot")
    assert victory.end_if_wiped(table.r)
    assert table.state.outcome == Outcome(1, (50, 0), "annihilation")
    assert victory.end_if_wiped(table.r)  # over is over
    assert len(table.events(Ended)) == 1


@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_when_both_sides_are_gone_nobody_wins() -> None:
    table = two_sides()
    table.r.lose(table.unit(1), 2, "shot")
    table.r.lose(table.unit(0), 2, "shot")
    assert victory.ENDING.check_wiped(table.state) == Outcome(None, (0, 0), "annihilation")


@pytest.mark.clause("OD-HOUSE-VICTORY")
@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_a_side_whose_last_units_are_in_reserve_has_not_lost() -> None:
    table = Table(
        MAP, unit("officer", at="g1.1"), unit("officer", arrives=5), unit("officer", at="g9.0", side=1)
    )
    table.r.lose(table.unit(0), 2, "shot")
    assert victory.ENDING.check_wiped(table.state) is None


# ---- breaking through ------------------------------------------------------------------------------------------------


def breakthrough(*units: dict[str, Any], edge: str = "e", only: tuple[int, ...] = ()) -> Table:
    table = Table(MAP, *units, unit("officer", at="g1.0", side=1))
    goal(table, "exit", 3, side=0, edge=edge, units=only)
    return table


@pytest.mark.clause("OD-HOUSE-EXIT")
def test_who_leaves_where() -> None:
    table = breakthrough(unit("officer", at="g9.2"), unit("officer", at="g9.3"), only=(0,))
    state, board = table.state, table.board
    mine, other, enemy = (state.units[n] for n in (0, 1, 2))
    assert victory.can_exit(state, board, mine, table.place("g9.2"))
    assert victory.can_exit(state, board, mine, table.place("g9.0"))  # a corner lies on two edges
    assert not victory.can_exit(state, board, mine, table.place("g5.0"))  # another edge
    assert not victory.can_exit(state, board, mine, table.place("g8.2"))
    assert not victory.can_exit(state, board, other, table.place("g9.3"))  # not named
    assert not victory.can_exit(state, board, enemy, table.place("g9.0"))


@pytest.mark.clause("OD-HOUSE-EXIT")
@pytest.mark.clause("OD-HOUSE-VICTORY")
def test_a_unit_that_reaches_the_edge_leaves_and_scores() -> None:
    table = breakthrough(unit("officer", at="g8.2", order="run"), unit("officer", at="g2.2"))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g9.2")))
    gone = table.unit(0)
    assert (gone.alive, gone.models, gone.place, gone.own.left) == (True, 2, -1, True)
    assert table.state.points == (3, 0)
    assert table.state.outcome is None
    assert table.events(Placed)[-1].clauses == ("OD-HOUSE-EXIT", "OD-HOUSE-VICTORY")
    assert [e.points for e in table.events(Scored)] == [3]
    victory.ENDING.final(table.r)
    assert table.state.points == (3, 0)  # scored once, not again at the end


@pytest.mark.clause("OD-HOUSE-EXIT")
def test_passengers_leave_with_their_transport_and_their_dice_go() -> None:
    table = breakthrough(
        unit("truck", at="g9.2", order="run"),
        unit("officer", aboard=0),
        unit("officer", aboard=0, order="down"),
        unit("officer", at="g2.2"),
    )
    assert table.state.extra.bag == Bag(((0, 1), (0,)))
    victory.exit_unit(table.r, table.unit(0))
    assert [table.unit(n).own.left for n in range(4)] == [True, True, True, False]
    assert [table.unit(n).own.aboard for n in range(3)] == [-1, -1, -1]
    assert table.state.points == (9, 0)
    assert table.state.extra.bag == Bag(((0,), (0,)))


@pytest.mark.clause("OD-HOUSE-EXIT", "OD-HOUSE-REACT")
@pytest.mark.parametrize(
    ("result", "leaves", "bails_out"),
    [(1, False, False), (2, False, True), (0, True, False)],  # stunned, immobilised, missed
)
def test_a_vehicle_that_is_halted_at_the_edge_does_not_leave(
    result: int, leaves: bool, bails_out: bool
) -> None:
    """An Ambush meets it on the very edge: stunned or immobilised it stays; if nobody hits it, it leaves."""
    shot = [[6], [6], result] if result else [[1]]
    table = Table(
        plain(),
        unit("half_track", "g66.2", order="run"),
        unit("officer", aboard=0),
        unit("officer", "g2.2"),
        unit("at_rifle_team", "g74.4", side=1, order="ambush"),
        dice=shot,
    )
    goal(table, "exit", 3, side=0, edge="e")
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g74.2")))
    while isinstance(table.ask, Interrupt) and table.where(0) != "g74.2":
        table.say(Confirm(False))
    table.say(Confirm(True))
    assert isinstance(table.ask, BailOut) == bails_out
    if bails_out:
        table.say(table.legal[0])
    assert (table.where(0), table.unit(0).own.left) == (("", True) if leaves else ("g74.2", False))
    assert table.state.points == ((6, 0) if leaves else (0, 0))


@pytest.mark.clause("OD-HOUSE-EXIT", "OD-HOUSE-TURN")
def test_a_unit_that_has_left_is_not_asked_whether_it_stays_down() -> None:
    table = breakthrough(
        unit("truck", at="g9.2", order="run"),
        unit("officer", aboard=0, order="down"),
        unit("officer", at="g2.2", order="down"),
    )
    victory.exit_unit(table.r, table.unit(0))
    assert table.do(EndTurn()) == KeepOrder(2, side=0)
    assert [table.unit(n).own.order for n in range(3)] == ["", "", "down"]


@pytest.mark.clause("OD-HOUSE-EXIT")
@pytest.mark.parametrize(("margin", "winner"), [(3, 0), (4, None)])
def test_when_all_that_is_left_of_a_side_has_left_the_points_decide(margin: int, winner: int | None) -> None:
    table = breakthrough(unit("officer", at="g9.2", order="run"), unit("officer", at="g2.2"))
    table.r.set_extra(margin=margin)
    table.r.lose(table.unit(1), 2, "shot")
    victory.exit_unit(table.r, table.unit(0))
    assert table.state.outcome == Outcome(winner, (3, 0), "exit")


@pytest.mark.clause("OD-HOUSE-EXIT")
def test_losing_the_rest_after_some_have_left_is_no_annihilation() -> None:
    table = breakthrough(unit("officer", left=True), unit("officer", at="g2.2"))
    table.r.emit(Scored(0, 3))
    table.r.lose(table.unit(1), 2, "shot")
    assert victory.ENDING.check_wiped(table.state) == Outcome(0, (3, 0), "exit")
    # but an enemy without anybody has lost all the same
    table.r.lose(table.unit(2), 2, "shot")
    assert victory.ENDING.check_wiped(table.state) == Outcome(0, (3, 0), "annihilation")
