"""Moving, forming up, occupying and leaving (RG-MOVE, RG-PART-4, RG-HOUSE-MOVE, RG-HOUSE-FORM, RG-HOUSE-TERRAIN)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Face, MoveTo, Order, Pass
from battlesim.core.events import ModelsLost, Placed, Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.regiment import form, ground
from battlesim.rulesets.regiment.enter import surplus
from battlesim.rulesets.regiment.model import MOVED, RAN
from battlesim.rulesets.regiment.move import (
    ADVANCE,
    FLY,
    RUN,
    FaceWhere,
    WhereTo,
    WhichOrder,
    can_act,
    destinations,
    may_run,
    orders,
)
from tests.rulesets.regiment.grounds import (
    EAST,
    FIELD,
    HOUSE,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    ROW,
    SOUTH_EAST,
    SOUTH_WEST,
    TALL,
    WEST,
    field,
    house,
    row,
)
from tests.rulesets.regiment.kit import Table, unit


def names(table: Table, number: int, order: str) -> set[str]:
    found = destinations(table.state, table.board, table.unit(number), order)
    return {table.board.spaces[place].name for place in found}


def go(table: Table, number: int, order: str, place: str) -> None:
    table.do(WhichOrder(number, side=table.unit(number).side))
    table.say(Order(order))
    table.say(MoveTo(table.place(place)))


# ---- moves in the open -----------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_advance_is_m_run_twice_m() -> None:
    table = Table(FIELD, unit("spearmen", at="g6.6"))
    assert names(table, 0, ADVANCE) == {
        *("g5.6", "g7.6", "g6.5", "g6.7"),
        *("g5.5", "g7.7", "g5.7", "g7.5"),
    }
    run = names(table, 0, RUN)
    assert {"g9.6", "g8.8", "g3.6"} <= run
    assert "g10.6" not in run
    assert names(Table(FIELD, unit("axemen", at="g6.6")), 0, ADVANCE) == {"g5.6", "g7.6", "g6.5", "g6.7"}


@pytest.mark.clause("RG-HOUSE-MOVE")
@pytest.mark.parametrize(("at", "runs"), [("g8.6", False), ("g9.6", True)])
def test_nobody_runs_within_eight_inches_of_an_enemy(at: str, runs: bool) -> None:
    table = Table(FIELD, unit("spearmen", at="g6.6"), unit("levy", at=at, side=1))
    assert may_run(table.state, FIELD, table.unit(0)) == runs
    assert (RUN in orders(table.state, FIELD, table.unit(0))) == runs
    fled = Table(FIELD, unit("spearmen", at="g6.6"), unit("levy", at=at, side=1, fleeing=True))
    assert may_run(fled.state, FIELD, fled.unit(0))
    captain = unit("captain", at=at, side=1, joined=1)
    joined = Table(FIELD, unit("spearmen", at="g6.6"), unit("levy", at=at, side=1, fleeing=True), captain)
    assert may_run(joined.state, FIELD, joined.unit(0))


@pytest.mark.clause("RG-HOUSE-MOVE", "RG-MOVE-2")
@pytest.mark.parametrize(("at", "runs"), [("g1.4", False), ("g0.4", True)])
def test_nor_of_the_outline_of_a_house_that_an_enemy_holds(at: str, runs: bool) -> None:
    """Seven and a half inches from its wall, ten and a half from the middle; then three more."""
    table = Table(HOUSE, unit("spearmen", at=at), unit("levy", at="house.1:0", side=1))
    assert may_run(table.state, HOUSE, table.unit(0)) == runs


@pytest.mark.clause("RG-HOUSE-FORM")
def test_an_advance_ends_facing_any_way_a_run_along_its_path() -> None:
    table = Table(FIELD, unit("spearmen", at="g6.6", facing=NORTH))
    go(table, 0, ADVANCE, "g7.6")
    assert isinstance(table.ask, FaceWhere)
    assert table.legal == [Face(facing) for facing in range(8)]
    table.say(Face(WEST))
    assert table.unit(0).facing == WEST
    assert table.unit(0).own.moved == MOVED
    table.done()
    table = Table(FIELD, unit("spearmen", at="g6.6", facing=NORTH))
    go(table, 0, RUN, "g9.6")
    assert table.ask is None
    assert table.unit(0).facing == EAST
    assert table.unit(0).own.moved == RAN
    table.done()


@pytest.mark.clause("RG-HOUSE-FORM")
def test_a_formation_is_widened_and_deepened_but_never_below_five_wide() -> None:
    table = Table(FIELD, unit("spearmen", at="g6.6"), unit("ogres", at="g9.6", files=8))
    assert orders(table.state, FIELD, table.unit(0)) == ["hold", "advance", "run", "wide"]
    table.do(WhichOrder(0, side=0))
    table.say(Order("wide"))
    table.say(Face(NORTH))
    assert table.unit(0).own.files == 10
    assert (form.front(table.unit(0)), form.ranks(table.unit(0), None)) == (10, 2)
    table.do(WhichOrder(1, side=0))
    table.say(Order("deep"))
    table.say(Face(NORTH))
    assert table.unit(1).own.files == 4
    table.done()


@pytest.mark.clause("RG-HOUSE-FORM")
def test_front_flanks_and_rear_are_ninety_degrees_each() -> None:
    table = Table(FIELD, unit("spearmen", at="g6.6", facing=EAST))
    arcs = {
        name: ground.arc_of(FIELD, table.unit(0), FIELD.space(name))
        for name in ("g7.6", "g7.7", "g7.5", "g6.7", "g6.5", "g5.7", "g5.6", "g5.5", "g8.9", "g9.8")
    }
    assert arcs == {
        "g7.6": 0, "g7.7": 0, "g7.5": 0, "g6.7": 1, "g6.5": 1,
        "g5.7": 2, "g5.6": 2, "g5.5": 2, "g8.9": 1, "g9.8": 0,
    }  # fmt: skip


@pytest.mark.clause("RG-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    "feature",
    [
        "{kind: wall, line: [[21, 15], [21, 24]]}",
        "{kind: hedge, line: [[21, 15], [21, 24]]}",
        "{kind: fence, line: [[21, 15], [21, 24]]}",
        "{kind: woods, rect: [21.2, 15, 24, 24]}",
        "{kind: rough, rect: [21.2, 15, 24, 24]}",
    ],
)
def test_woods_rough_ground_and_obstacles_halve_movement(feature: str) -> None:
    table = Table(field(f"terrain: [{feature}]"), unit("spearmen", at="g6.6"))
    assert "g7.6" not in names(table, 0, ADVANCE)  # 3 inches count as 6
    assert "g5.6" in names(table, 0, ADVANCE)
    assert "g7.6" in names(table, 0, RUN)
    go(table, 0, RUN, "g7.6")
    assert "RG-HOUSE-TERRAIN" in table.clauses()


@pytest.mark.clause("RG-MOVE-1")
def test_a_building_is_gone_round_not_through() -> None:
    table = Table(HOUSE, unit("knights", at="g3.4"))
    assert "g6.4" not in names(table, 0, ADVANCE)
    assert "g6.4" in names(table, 0, RUN)
    go(table, 0, RUN, "g6.4")
    (placed,) = table.events(Placed)
    assert all(HOUSE.spaces[place].kind == "ground" for place in placed.path)
    assert "RG-MOVE-1" in table.clauses()
    assert (
        Table(FIELD, unit("knights", at="g3.4")).board.routes.reach(ground.mode(16), FIELD.space("g3.4"))[
            FIELD.space("g6.4")
        ]
        < HOUSE.routes.reach(ground.mode(16), HOUSE.space("g3.4"))[HOUSE.space("g6.4")]
    )


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_flyers_fly_twenty_inches_over_everything() -> None:
    table = Table(HOUSE, unit("harpies", at="g3.4"), unit("levy", at="g6.5"))
    found = names(table, 0, FLY)
    assert {"g6.4", "g9.4"} <= found
    assert "g10.4" not in found  # 21 inches
    assert not {"g6.5", "house.1:0"} & found
    assert RUN not in orders(table.state, HOUSE, table.unit(0))
    go(table, 0, FLY, "g6.4")
    assert "RG-HOUSE-TRAITS" in table.clauses()


# ---- occupying -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-MOVE-2")
def test_an_empty_building_is_occupied_by_an_advance_that_reaches_its_outline() -> None:
    """By no run; from g2.4 the wall is touched at g3.4, three inches on; door or not."""
    table = Table(HOUSE, unit("spearmen", at="g2.4"), unit("knights", at="g2.6"), unit("cannon", at="g3.3"))
    assert "house.1:0" in names(table, 0, ADVANCE)
    assert "house.1:0" not in names(table, 0, RUN)
    assert "house.1:0" not in names(Table(HOUSE, unit("spearmen", at="g1.4")), 0, ADVANCE)
    assert "house.1:0" in names(
        Table(HOUSE, unit("spearmen", at="g5.7")), 0, ADVANCE
    )  # the north wall has no door
    assert "house.1:0" not in names(table, 1, ADVANCE) | names(table, 2, ADVANCE)
    go(table, 0, ADVANCE, "house.1:0")
    assert table.where(0) == "house.1:0"
    assert {"RG-MOVE-2", "RG-CAP-2"} <= table.clauses()
    table.done()


@pytest.mark.clause("RG-MOVE-2")
def test_a_move_is_spent_to_change_rooms() -> None:
    table = Table(row("{}", "{}", "{}"), unit("spearmen", at="row.r1:0"))
    found = names(table, 0, ADVANCE)
    assert "row.r2:0" in found
    assert "row.r3:0" not in found
    assert orders(table.state, table.board, table.unit(0)) == ["hold", "advance"]
    go(table, 0, ADVANCE, "row.r2:0")
    assert table.unit(0).own.moved == MOVED
    assert not can_act(table.state, table.board, table.unit(0))


@pytest.mark.clause("RG-MOVE-2")
def test_characters_join_a_garrison_by_touching_its_house_where_one_more_fits() -> None:
    table = Table(HOUSE, unit("spearmen", at="house.1:0"), unit("captain", at="g2.4"))
    assert "house.1:0" in names(table, 1, ADVANCE)
    go(table, 1, ADVANCE, "house.1:0")
    assert table.unit(1).own.joined == 0
    assert table.where(1) == "house.1:0"
    table.done()
    full = Table(HOUSE, unit("spearmen", at="house.1:0", models=25), unit("captain", at="g2.4"))
    assert "house.1:0" not in names(full, 1, ADVANCE)


@pytest.mark.clause("RG-MOVE-2")
def test_nobody_enters_what_is_held_or_closed() -> None:
    held = Table(HOUSE, unit("spearmen", at="g2.4"), unit("levy", at="house.1:0", side=1))
    assert "house.1:0" not in names(held, 0, ADVANCE)
    closed = Table(HOUSE, unit("spearmen", at="g2.4"), structures=[Structure(0, own={"closed": True})])
    assert "house.1:0" not in names(closed, 0, ADVANCE)
    burning = Table(HOUSE, unit("spearmen", at="g2.4"), structures=[Structure(0, burning=True)])
    assert "house.1:0" not in names(burning, 0, ADVANCE)


@pytest.mark.clause("RG-MOVE-3")
def test_who_does_not_fit_is_lost_without_a_panic_test() -> None:
    hut = house(own="{garrison: {capacity: 12}}")
    table = Table(hut, unit("levy", at="g3.4", models=20))
    go(table, 0, ADVANCE, "house.1:0")
    assert [(e.lost, e.left) for e in table.events(ModelsLost)] == [(8, 12)]
    assert table.unit(0).models == 12
    assert table.events(Rolled) == []
    assert not table.unit(0).own.fleeing
    assert {"RG-MOVE-3", "RG-CAP-1"} <= table.clauses()
    table.done()


@pytest.mark.clause("RG-MOVE-3")
def test_surplus_is_counted_in_unit_strength_characters_among_it() -> None:
    roomy = house(own="{garrison: {roomy: true, capacity: 13}}")
    table = Table(
        roomy,
        unit("ogres", at="g3.4"),
        unit("levy", at="g3.5", models=12),
        unit("captain", at="g3.5", joined=1),
    )
    room = table.room("house.1:0")
    assert surplus(table.state, table.unit(0), room) == 2  # 18 of 13: two ogres of three each
    assert surplus(table.state, table.unit(1), room) == 0
    more = Table(roomy, unit("levy", at="g3.5", models=14), unit("captain", at="g3.5", joined=0))
    assert surplus(more.state, more.unit(0), room) == 2


@pytest.mark.clause("RG-MOVE-4")
def test_a_garrison_leaves_into_contact_with_the_house_in_a_legal_formation() -> None:
    table = Table(HOUSE, unit("spearmen", at="house.1:0", files=3), unit("levy", at="g3.4"))
    found = names(table, 0, ADVANCE)
    assert found == {"g3.5", "g6.4", "g6.5", "g4.3", "g5.3", "g4.6", "g5.6", "g3.3", "g6.3", "g3.6", "g6.6"}
    go(table, 0, ADVANCE, "g6.4")
    table.say(Face(EAST))
    assert table.unit(0).own.files == 5
    assert "RG-MOVE-4" in table.clauses()
    table.done()


@pytest.mark.clause("RG-MOVE-4")
@pytest.mark.parametrize(
    ("place", "barred"),
    [
        ("g6.4", {NORTH_WEST, WEST, SOUTH_WEST}),
        ("g3.5", {SOUTH_EAST, EAST, NORTH_EAST}),
        ("g4.3", {NORTH_WEST, NORTH, NORTH_EAST}),
        ("g3.3", {NORTH, NORTH_EAST, EAST}),  # at the south-west corner
    ],
)
def test_its_rear_rank_stays_in_contact_so_that_it_does_not_face_the_wall(
    place: str, barred: set[int]
) -> None:
    """Rear or flank to the wall, a model of the last rank touches it; with its front to it none does but in a single rank."""
    table = Table(HOUSE, unit("spearmen", at="house.1:0"))
    go(table, 0, ADVANCE, place)
    assert table.legal == [Face(facing) for facing in range(8) if facing not in barred]
    assert table.unit(0).facing not in barred
    line = Table(HOUSE, unit("spearmen", at="house.1:0", models=5))
    go(line, 0, ADVANCE, place)
    assert line.legal == [Face(facing) for facing in range(8)]


@pytest.mark.clause("RG-MOVE-4")
def test_who_turns_later_may_face_it() -> None:
    table = Table(HOUSE, unit("spearmen", at="g6.4"))
    table.do(WhichOrder(0, side=0))
    table.say(Order("hold"))
    assert table.legal == [Face(facing) for facing in range(8)]


@pytest.mark.clause("RG-MOVE-4")
def test_there_is_no_other_way_out() -> None:
    """No run, no flight, no charge out of doors leads out of a building, and who fights in it stays."""
    harpies = Table(HOUSE, unit("harpies", at="house.1:0"), unit("levy", at="g8.4", side=1))
    assert orders(harpies.state, HOUSE, harpies.unit(0)) == ["hold", "advance"]
    from battlesim.rulesets.regiment.charge import charge_targets

    assert charge_targets(harpies.state, HOUSE, harpies.unit(0)) == []
    fights = Table(
        HOUSE, unit("spearmen", at="house.1:0", foes={1: 0}), unit("levy", at="g3.4", side=1, foes={0: 0})
    )
    assert not can_act(fights.state, HOUSE, fights.unit(0))


@pytest.mark.clause("RG-MOVE-5")
def test_a_flyer_enters_an_upper_floor_by_its_ground_move_only() -> None:
    """Harpies walk five inches: from g2.4 they get in, from g1.4 not, though they could fly there."""
    near = Table(TALL, unit("harpies", at="g2.4"))
    assert {"house.1:3", "house.1:0"} <= names(near, 0, ADVANCE)
    assert "house.1:3" not in names(near, 0, FLY)
    assert "house.1:3" not in names(Table(TALL, unit("harpies", at="g1.4")), 0, ADVANCE)
    go(near, 0, ADVANCE, "house.1:3")
    assert near.where(0) == "house.1:3"
    assert {"RG-MOVE-5", "RG-PART-2"} <= near.clauses()
    near.done()


@pytest.mark.clause("RG-MOVE-2")
def test_to_stay_is_no_move() -> None:
    table = Table(HOUSE, unit("spearmen", at="house.1:0"))
    table.do(WhereTo(0, ADVANCE, side=0))
    table.say(Pass())
    assert table.unit(0).own.moved == ""
    table.done()


# ---- next door to the enemy ------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PART-4")
def test_entering_a_room_next_to_the_enemy_starts_an_attack() -> None:
    table = Table(ROW, unit("spearmen", at="g4.3", facing=NORTH), unit("levy", at="row.r2:0", side=1))
    go(table, 0, ADVANCE, "row.r1:0")
    assert table.unit(0).own.foes == ((1, 0),)
    assert table.unit(1).own.foes == ((0, 0),)
    assert table.unit(0).own.charged
    assert not table.unit(1).own.charged
    assert "RG-PART-4" in table.clauses()
    table.done()


@pytest.mark.clause("RG-PART-1")
@pytest.mark.parametrize("board", [ROW, HOUSE])
def test_who_takes_one_of_several_parts_is_told_so(board: Board) -> None:
    table = Table(board, unit("spearmen", at="g4.3", facing=NORTH))
    go(table, 0, ADVANCE, "row.r1:0" if board is ROW else "house.1:0")
    assert ("RG-PART-1" in table.clauses()) == (board is ROW)
    table.done()


@pytest.mark.clause("RG-PART-4", "RG-PART-3")
@pytest.mark.parametrize("same", [True, False])
def test_an_attack_needs_no_door_but_a_wall_within_one_building(same: bool) -> None:
    """Parts of one building that touch are next door to one another; a house that only stands wall to wall is not."""
    more = """
  - name: next
    rect: [18, 12, 24, 18]
    openings: [{kind: door, side: east, at: 0.5}]"""
    board = row("{}", "{}", connections="[]") if same else house(more=more)
    first, second = ("row.r1:0", "row.r2:0") if same else ("house.1:0", "next.1:0")
    table = Table(board, unit("spearmen", at="g4.3", facing=NORTH), unit("levy", at=second, side=1))
    go(table, 0, ADVANCE, first)
    assert table.where(0) == first
    assert bool(table.unit(0).own.foes) is same
    assert ("RG-PART-3" in table.clauses()) is same
    table.done()
