"""Who tests at a turn's end, who withdraws, and where to (AC-HOUSE-MORALE, AC-HOUSE-AIM)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.rulesets.armorclass import morale
from battlesim.rulesets.armorclass.facts import Detected, RunsInto
from battlesim.rulesets.armorclass.facts import Tested as NerveTested
from battlesim.rulesets.armorclass.model import Fire
from battlesim.rulesets.armorclass.turn import EndTurn
from tests.rulesets.armorclass.kit import Table, ground, unit


def woods(*columns: int, row: int = 1) -> str:
    """One square of plants in each of some columns."""
    rects = (f"rect: [{3 * x}, {3 * row}, {3 * x + 3}, {3 * row + 3}]" for x in columns)
    return "terrain:\n" + "\n".join(f"  - {{kind: woods, {rect}}}" for rect in rects)


def failed(table: Table, number: int = 0) -> tuple[str, str]:
    """What became of a unit that fails its test at the turn's end, and where it is then."""
    morale.test_all(table.r)
    (tested,) = table.events(NerveTested)
    assert tested.unit == number
    table.done()
    return tested.what, table.where(number)


def team(at: str = "g6.1", models: int = 1, **own: Any) -> dict[str, Any]:
    """A militia team of four that has lost soldiers in this turn."""
    return unit("militia", at, models=models, **{"lost": 1, "detected": True, **own})


FOE = unit("militia", "g12.1", side=1, detected=True)


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-AIM")
@pytest.mark.parametrize(("models", "what"), [(3, "suppressed"), (2, "suppressed"), (1, "withdraws")])
def test_only_below_half_is_a_failed_test_a_withdrawal(models: int, what: str) -> None:
    """Two of four are half: suppressed where they are, with cover behind them. It is no withdrawal without a way."""
    table = Table(ground(woods(4)), team(models=models), FOE, dice=[7])
    assert failed(table) == (what, "g4.1" if what == "withdraws" else "g6.1")
    assert table.events(NerveTested)[0].clauses == ("AC-HOUSE-MORALE",)


@pytest.mark.clause("AC-HOUSE-AIM", "AC-HOUSE-MORALE")
def test_a_withdrawal_without_a_way_is_named_as_one() -> None:
    table = Table(ground(), team(), FOE, dice=[7])
    assert failed(table) == ("suppressed", "g6.1")
    assert table.events(NerveTested)[0].clauses == ("AC-HOUSE-MORALE", "AC-HOUSE-AIM")


@pytest.mark.clause("AC-HOUSE-MORALE")
def test_the_dead_and_the_gone_test_nothing_and_whoever_is_on_the_first_space_does() -> None:
    table = Table(ground(), team("g0.0", 3), team("g6.1", 3), team("g7.1", 3, detected=False), dice=[1])
    assert table.unit(0).place == 0
    table.r.lose(table.unit(1), 3, "penetrated")
    table.r.move(table.unit(2), ())
    morale.test_all(table.r)
    assert [(tested.unit, tested.what) for tested in table.events(NerveTested)] == [(0, "holds")]
    table.dice.done()


@pytest.mark.clause("AC-HOUSE-MORALE")
@pytest.mark.parametrize(
    ("covers", "to"),
    [
        ((4, 3), "g4.1"),  # the nearest
        ((3,), "g3.1"),  # six inches and three that count double: as far as a run goes
        ((2,), ""),  # three more
        ((8, 3), "g3.1"),  # not towards the enemy, however near
    ],
)
def test_it_withdraws_to_the_nearest_cover_within_a_run(covers: tuple[int, ...], to: str) -> None:
    table = Table(ground(woods(*covers)), team(), FOE, dice=[7])
    assert failed(table) == (("withdraws", to) if to else ("suppressed", "g6.1"))


@pytest.mark.clause("AC-HOUSE-MORALE")
@pytest.mark.parametrize("found", [True, False])
def test_only_enemies_that_are_known_are_fled_from(found: bool) -> None:
    table = Table(ground(woods(4)), team(), unit("militia", "g12.1", side=1, detected=found), dice=[7])
    assert failed(table)[0] == ("withdraws" if found else "suppressed")


@pytest.mark.clause("AC-HOUSE-MORALE")
def test_it_goes_farther_from_the_nearest_of_its_enemies() -> None:
    """East of it stands one enemy, west of the nearer cover another: that cover lies nearer to him than it stands now."""
    table = Table(
        ground(woods(4, 8)),
        team(),
        unit("militia", "g2.1", side=1, detected=True),
        unit("militia", "g12.1", side=1, detected=True),
        dice=[7],
    )
    assert failed(table) == ("suppressed", "g6.1")


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-MOVE", "AC-HOUSE-FIRE")
@pytest.mark.parametrize("taken", ["", "enemy", "fire", "friend", "friends"])
def test_cover_that_is_held_full_or_burning_is_none(taken: str) -> None:
    """One friend leaves room, two do not."""
    others = {
        "enemy": [unit("militia", "g4.1", side=1, detected=True)],
        "friend": [unit("militia", "g4.1")],
        "friends": [unit("militia", "g4.1")] * 2,
    }.get(taken, [])
    table = Table(ground(woods(4)), team(), FOE, *others, dice=[7], options={"fires": True})
    if taken == "fire":
        table.r.set_extra(fires=(Fire(0, ((table.place("g4.1"), 1),)),))
    assert failed(table)[0] == ("withdraws" if taken in ("", "friend") else "suppressed")


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(
    ("at", "friends", "to"), [("g4.1", 0, "g5.1"), ("g5.1", 0, "g6.1"), ("g4.1", 2, "g6.1")]
)
def test_who_withdraws_onto_a_hidden_enemy_stops_before_him(at: str, friends: int, to: str) -> None:
    """He does not bend the way, since nobody knows of him: in the cover or before it he is found, and finds the team. It does not
    stop on a full space."""
    table = Table(
        ground(woods(4)),
        team(detected=False),
        FOE,
        unit("militia", at, side=1),
        *(unit("militia", "g5.1") for _ in range(friends)),
        dice=[7],
    )
    assert failed(table) == ("withdraws", to)
    assert [(e.unit, e.target) for e in table.events(Detected)] == [(0, 2), (2, 0)]
    assert [(e.unit, e.other, e.place) for e in table.events(RunsInto)] == [(0, 2, table.place(at))]
    assert (table.unit(0).own.suppressed > 0) is (to == "g6.1")  # without a way it is suppressed


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-DETECT")
def test_who_withdraws_out_of_sight_is_hidden_again() -> None:
    board = ground(
        woods(4, row=3)
        + "\nbuildings:\n  - name: barn\n    rect: [15, 0, 18, 12]\n    floors: 3\n    closed: true"
    )
    table = Table(board, team("g6.4"), unit("militia", "g12.1", side=1, detected=True), dice=[7])
    assert failed(table)[0] == "withdraws"
    assert "hidden again" in table.happened()
    assert not table.unit(0).own.detected


@pytest.mark.clause("AC-HOUSE-MORALE")
def test_one_of_three_is_below_half() -> None:
    alone = unit("powered_team", "g6.1", models=1, lost=1, detected=True)
    assert failed(Table(ground(woods(4)), alone, FOE, dice=[10])) == ("withdraws", "g4.1")


@pytest.mark.clause("AC-HOUSE-VICTORY", "AC-HOUSE-MORALE")
def test_nobody_tests_once_the_other_side_has_burnt() -> None:
    """The last enemy dies in the fire at the turn's end: the battle is over before a team that has lost a soldier runs."""
    board = ground("terrain:\n  - {kind: woods, rect: [15, 0, 18, 3]}")
    table = Table(
        board,
        unit("rifle_team", "g0.0", lost=1),
        unit("militia", "g5.0", side=1, models=1),
        dice=[10],
        options={"fires": True},
        fires=(Fire(0, ((board.space("g5.0"), 1),)),),
        begun=1,
    )
    table.do(EndTurn())
    assert table.state.outcome is not None
    assert (table.state.outcome.winner, table.state.outcome.termination) == (0, "annihilation")
    table.done()
