"""About inside: floors, sections, roofs and large buildings (OD-ORDER-2..4, OD-LARGE, OD-HOUSE-INSIDE, OD-ENTER-5)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import MoveTo, Order
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import ground, house, terrace
from tests.rulesets.orderdice.kit import Table, alone, charges, floors, foe, goals, unit

HOUSE, TERRACE = house(), terrace(6, 6, 6)


# ---- how far ---------------------------------------------------------------------------------------------------------


# Advance is one floor up or down, or one section on the same floor; Run is up to two. No order mixes floors and sections.
@pytest.mark.clause("OD-ORDER-2", "OD-ORDER-3", "OD-HOUSE-INSIDE")
@pytest.mark.parametrize(
    ("board", "at", "order", "reached"),
    [
        pytest.param(HOUSE, "house.1:1", "advance", ["house.1:0", "house.1:2"], id="advance by one floor"),
        pytest.param(TERRACE, "t.t1:0", "advance", ["t.t1:1", "t.t2:0"], id="advance from the end section"),
        pytest.param(
            TERRACE, "t.t2:1", "advance", ["t.t1:1", "t.t2:0", "t.t3:1"], id="advance from the middle section"
        ),
        pytest.param(HOUSE, "house.1:0", "run", ["house.1:1", "house.1:2"], id="run up two floors"),
        pytest.param(HOUSE, "house.1:3", "run", ["house.1:1", "house.1:2"], id="run down two floors"),
        pytest.param(
            terrace(6, 6, 6, 6),
            "t.t1:1",
            "run",
            ["t.t1:0", "t.t2:1", "t.t3:1"],
            id="run two sections upstairs",
        ),
        pytest.param(TERRACE, "t.t1:0", "run", ["t.t1:1", "t.t2:0", "t.t3:0"], id="run two sections below"),
    ],
)
def test_how_far_a_unit_moves_inside(board: Board, at: str, order: str, reached: list[str]) -> None:
    assert floors(goals(alone(board, "rifle_section", at), order)) == reached


# Friends' floors and sections are passed, but not shared; enemies' are neither.
@pytest.mark.clause("OD-HOUSE-INSIDE", "OD-ENTER-5")
@pytest.mark.parametrize(
    ("board", "at", "other", "side", "reached"),
    [
        pytest.param(HOUSE, "house.1:0", "house.1:1", 0, ["house.1:2"], id="friends on the next floor"),
        pytest.param(HOUSE, "house.1:0", "house.1:1", 1, [], id="enemies on the next floor"),
        pytest.param(TERRACE, "t.t1:1", "t.t2:1", 0, ["t.t1:0", "t.t3:1"], id="friends in the next section"),
        pytest.param(TERRACE, "t.t1:1", "t.t2:1", 1, ["t.t1:0"], id="enemies in the next section"),
    ],
)
def test_who_is_passed_inside(board: Board, at: str, other: str, side: int, reached: list[str]) -> None:
    table = alone(board, "rifle_section", at, unit("officer", at=other, side=side))
    assert floors(goals(table, "run")) == reached


@pytest.mark.clause("OD-HOUSE-INSIDE")
def test_an_advance_does_not_pass_friends() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0", unit("officer", at="house.1:1"))
    assert floors(goals(table, "advance")) == []


@pytest.mark.clause("OD-HOUSE-INSIDE", "OD-LEAVE-1")
def test_one_order_does_not_mix_stairs_and_leaving() -> None:
    assert "g19.10" not in goals(alone(HOUSE, "rifle_section", "house.1:1"), "run")


@pytest.mark.clause("OD-ORDER-4")
def test_a_flat_roof_is_the_uppermost_floor() -> None:
    assert HOUSE.spaces[HOUSE.space("house.1:3")].roof
    assert "house.1:3" in goals(alone(HOUSE, "rifle_section", "house.1:2"), "advance")
    table = alone(HOUSE, "rifle_section", "house.1:1")
    assert "house.1:3" in goals(table, "run")
    table.say(MoveTo(table.place("house.1:3")))
    assert "OD-ORDER-4" in table.clauses()
    assert goals(table, "advance") == ["house.1:2"]


# ---- and then --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ORDER-2")
@pytest.mark.parametrize("goal", ["house.1:1", "g27.10"])
def test_after_an_advance_inside_or_out_of_it_the_unit_may_shoot(goal: str) -> None:
    table = alone(HOUSE, "officer", "house.1:0", foe("officer", "g35.10", order="run"))
    table.do(WhichOrder(0, side=0))
    table.say(Order("advance"))
    ask = table.say(MoveTo(table.place(goal)))
    assert isinstance(ask, AtWhom)
    assert ask.moved


@pytest.mark.clause("OD-ORDER-3")
def test_a_running_unit_does_not_shoot() -> None:
    table = alone(HOUSE, "officer", "house.1:0", foe("officer", "g35.10", order="run"))
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    assert table.say(MoveTo(table.place("house.1:2"))) is None
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-ORDER-3")
def test_run_inside_may_assault_the_next_floor_or_section() -> None:
    foes = [foe("officer", place) for place in ("t.t2:1", "t.t1:0", "t.t3:1", "t.t2:0")]
    assert charges(alone(TERRACE, "rifle_section", "t.t1:1", *foes)) == [1, 2]


# ---- large buildings -------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-LARGE-1")
@pytest.mark.parametrize(("width", "depth"), [(20, 10), (7, 7), (12, 6), (30, 30), (9, 4)])
def test_a_large_building_is_cut_into_connected_sections_of_house_size(width: int, depth: int) -> None:
    board = ground(
        (40, 40),
        f"""
buildings:
  - name: works
    rect: [5, 5, {5 + width}, {5 + depth}]
    openings: [{{kind: door, side: south, count: 1}}]
""",
    )
    assert all(section.size <= 800 for section in board.sections)
    assert len(board.sections) == len(board.buildings["works"])
    met, edge = {0}, [0]
    while edge:
        for other in board.sections[edge.pop()].adjoining[0]:
            if other not in met:
                met.add(other)
                edge.append(other)
    assert len(met) == len(board.sections)


@pytest.mark.clause("OD-LARGE-1")
def test_sections_are_preferably_6_by_6() -> None:
    board = ground(
        (40, 20),
        """
buildings:
  - {name: works, rect: [5, 5, 23, 11], openings: [{kind: door, side: south, count: 1}]}
""",
    )
    assert [section.size for section in board.sections] == [600, 600, 600]


@pytest.mark.clause("OD-LARGE-2")
@pytest.mark.parametrize(
    ("lengths", "far"),
    [((6, 6, 6), True), ((6, 7, 6), False), ((6, 6, 7), False), ((6, 8, 6), False)],
)
def test_running_troops_do_not_pass_two_sections_where_one_is_long(
    lengths: tuple[int, ...], far: bool
) -> None:
    reached = floors(goals(alone(terrace(*lengths), "rifle_section", "t.t1:1"), "run"))
    assert "t.t2:1" in reached  # one section is always within a run
    assert ("t.t3:1" in reached) is far


@pytest.mark.clause("OD-LARGE-3")
def test_each_section_holds_units_of_its_own() -> None:
    table = alone(
        terrace(6, 6), "rifle_section", "g16.5", unit("officer", at="t.t1:0"), unit("officer", at="t.t1:1")
    )
    assert floors(goals(table, "run")) == ["t.t2:0"]


@pytest.mark.clause("OD-LARGE-3")
@pytest.mark.parametrize(
    "structure",
    [
        pytest.param(Structure(0, own={"closed": True}), id="closed"),
        pytest.param(Structure(0, burning=True), id="burning"),
    ],
)
@pytest.mark.parametrize(
    ("at", "reached"),
    [
        pytest.param("g16.5", ["t.t2:0"], id="from outside"),
        pytest.param("t.t2:0", ["t.t2:1"], id="from inside"),
    ],
)
def test_one_section_may_be_closed_or_burn_and_the_next_not(
    structure: Structure, at: str, reached: list[str]
) -> None:
    table = Table(terrace(6, 6), unit("rifle_section", at=at), structures=[structure])
    assert floors(goals(table, "run")) == reached
