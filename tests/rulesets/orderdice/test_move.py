"""Where units go: open ground, into buildings, out of them, and about inside (OD-ENTER, OD-LEAVE-1, OD-ORDER, OD-LARGE,
OD-HOUSE-TERRAIN, OD-HOUSE-INSIDE)."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import MoveTo, Order, TargetUnit
from battlesim.core.events import Placed
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.fire import volley
from battlesim.rulesets.orderdice.move import WhereTo, route_to
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.turn import WhichOrder, open_orders
from tests.rulesets.orderdice.grounds import ground, house, plain, terrace
from tests.rulesets.orderdice.kit import Table, unit

PLAIN, HOUSE = plain(), house()


def goals(table: Table, order: str, number: int = 0) -> list[str]:
    """Where the order can take the unit, by name."""
    table.state.stack = ()
    ask = table.do(WhereTo(number, order, side=table.unit(number).side))
    if ask is None:
        return []  # nothing but to stay
    return [table.board.spaces[a.place].name for a in table.legal if isinstance(a, MoveTo)]


def charges(table: Table, order: str = "run") -> list[int]:
    """Whom the order lets unit 0 assault."""
    table.state.stack = ()
    if table.do(WhereTo(0, order, side=0)) is None:
        return []
    return [a.unit for a in table.legal if isinstance(a, TargetUnit)]


def floors(names: Collection[str]) -> list[str]:
    return sorted(name for name in names if ":" in name)


def alone(board: Board, kind: str, at: str, *others: dict[str, object]) -> Table:
    return Table(board, unit(kind, at=at), *others)


# ---- entering --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ENTER-1")
@pytest.mark.parametrize("kind", ["light_at_gun", "light_howitzer", "truck", "light_tank", "half_track"])
def test_guns_and_vehicles_never_enter_a_building(kind: str) -> None:
    for order in ("advance", "run"):
        assert floors(goals(alone(HOUSE, kind, "g19.10"), order)) == []


@pytest.mark.clause("OD-ENTER-1")
@pytest.mark.parametrize("kind", ["rifle_section", "mmg_team", "medium_mortar_team", "air_observer", "major"])
def test_every_kind_of_infantry_enters(kind: str) -> None:
    assert floors(goals(alone(HOUSE, kind, "g19.10"), "run")) == ["house.1:0"]


@pytest.mark.clause("OD-ENTER-2")
def test_entering_takes_a_run_order() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10")
    assert floors(goals(table, "run")) == ["house.1:0"]
    assert floors(goals(table, "advance")) == []


@pytest.mark.clause("OD-ENTER-2")
def test_the_run_must_reach_an_opening() -> None:
    """The door lies 11.7 inches from the one node, 12.7 from the next."""
    assert floors(goals(alone(HOUSE, "rifle_section", "g8.10"), "run")) == ["house.1:0"]
    assert floors(goals(alone(HOUSE, "rifle_section", "g7.10"), "run")) == []


WINDOW = """
buildings:
  - name: house
    kind: KIND
    rect: [10, 10, 16, 16]
    openings: [{kind: door, side: south}, {kind: OPENING, side: north}]
"""


@pytest.mark.clause("OD-ENTER-2")
def test_a_window_is_an_opening_to_enter_by() -> None:
    board = ground((26, 34), WINDOW.replace("KIND", "house").replace("OPENING", "window"))
    assert floors(goals(alone(board, "rifle_section", "g13.27"), "run")) == ["house.1:0"]
    assert floors(goals(alone(board, "rifle_section", "g13.28"), "run")) == []


@pytest.mark.clause("OD-BUNK-1", "OD-ENTER-2")
def test_a_bunker_is_entered_by_its_door_and_not_by_a_slit() -> None:
    board = ground((26, 34), WINDOW.replace("KIND", "bunker").replace("OPENING", "slit"))
    assert floors(goals(alone(board, "rifle_section", "g13.20"), "run")) == []
    assert floors(goals(alone(board, "rifle_section", "g13.5"), "run")) == ["house.1:0"]


@pytest.mark.clause("OD-ENTER-3")
def test_one_enters_on_the_ground_floor() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10")
    assert floors(goals(table, "run")) == ["house.1:0"]
    table.say(MoveTo(table.place("house.1:0")))
    assert table.unit(0).place == table.place("house.1:0")
    assert {"OD-ENTER-2", "OD-ENTER-3"} <= table.clauses()


@pytest.mark.clause("OD-ENTER-4")
def test_a_floor_holds_one_unit() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10", unit("officer", at="house.1:0"))
    assert floors(goals(table, "run")) == []


@pytest.mark.clause("OD-ENTER-4")
def test_each_floor_holds_a_unit_of_its_own() -> None:
    table = alone(
        HOUSE, "rifle_section", "g19.10", unit("officer", at="house.1:1"), unit("officer", at="house.1:2")
    )
    assert floors(goals(table, "run")) == ["house.1:0"]


@pytest.mark.clause("OD-ENTER-5")
def test_a_floor_held_by_the_enemy_is_entered_by_assault_only() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10", unit("officer", at="house.1:0", side=1))
    assert floors(goals(table, "run")) == []
    assert charges(table) == [1]
    assert charges(table, "advance") == []


@pytest.mark.clause("OD-ENTER-5")
def test_an_enemy_upstairs_is_moved_upon_by_assault_only() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0", unit("officer", at="house.1:1", side=1))
    assert floors(goals(table, "advance")) == []
    assert floors(goals(table, "run")) == []
    assert charges(table) == [1]


@pytest.mark.clause("OD-ENTER-5")
def test_the_ground_floor_is_free_to_enter_under_an_enemy_upstairs() -> None:
    table = alone(HOUSE, "rifle_section", "g19.10", unit("officer", at="house.1:1", side=1))
    assert floors(goals(table, "run")) == ["house.1:0"]


@pytest.mark.clause("OD-SCEN-1")
def test_a_closed_building_is_not_entered() -> None:
    table = Table(HOUSE, unit("rifle_section", at="g19.10"), structures=[Structure(0, own={"closed": True})])
    assert floors(goals(table, "run")) == []


@pytest.mark.clause("OD-SCEN-1")
def test_a_ruin_is_difficult_ground() -> None:
    """It is reached from 4.5 inches away, and not from 6.5, at a run either; a move beside it has nothing to do with it."""
    fallen = [Structure(0, fallen=True)]
    for at, reached in (("g18.9", True), ("g16.9", False)):
        for order in ("advance", "run"):
            table = Table(HOUSE, unit("rifle_section", at=at), structures=fallen)
            assert ("house.1:ruin" in goals(table, order)) == reached
    for goal, bears in (("house.1:ruin", True), ("g17.9", False)):
        table = Table(HOUSE, unit("rifle_section", at="g18.9"), structures=fallen)
        clauses = route_to(table.state, HOUSE, table.unit(0), "advance", table.place(goal))[1]
        assert ("OD-SCEN-1" in clauses) == bears


@pytest.mark.clause("OD-FLAME-3")
def test_a_burning_building_is_not_entered() -> None:
    table = Table(HOUSE, unit("rifle_section", at="g19.10"), structures=[Structure(0, burning=True)])
    assert floors(goals(table, "run")) == []


# ---- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-LEAVE-1")
def test_a_move_out_is_measured_from_any_ground_floor_opening() -> None:
    """Half an inch from door or window to the first node, then 5 more: nodes 8 and 9 inches from the middle."""
    out = goals(alone(HOUSE, "rifle_section", "house.1:0"), "advance")
    for door, too_far in (
        ("g14.10", "g13.10"),
        ("g31.10", "g32.10"),
        ("g22.18", "g22.19"),
        ("g22.1", "g22.0"),
    ):
        assert door in out
        assert too_far not in out


@pytest.mark.clause("OD-LEAVE-1")
def test_one_leaves_by_advance_or_by_run() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0")
    assert "g8.10" not in goals(table, "advance")
    assert "g8.10" in goals(table, "run")
    assert "g7.10" not in goals(table, "run")
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(table.place("g8.10")))
    assert "OD-LEAVE-1" in table.clauses()


@pytest.mark.clause("OD-LEAVE-1")
@pytest.mark.parametrize("floor", [1, 2, 3])
def test_nobody_leaves_from_an_upper_floor(floor: int) -> None:
    table = alone(HOUSE, "rifle_section", f"house.1:{floor}")
    for order in ("advance", "run"):
        assert [name for name in goals(table, order) if ":" not in name] == []


@pytest.mark.clause("OD-BUNK-6", "OD-LEAVE-1")
def test_a_bunker_is_left_by_its_door() -> None:
    board = ground((26, 34), WINDOW.replace("KIND", "bunker").replace("OPENING", "slit"))
    out = goals(alone(board, "rifle_section", "house.1:0"), "advance")
    assert "g13.5" in out
    assert "g13.17" not in out


# ---- inside ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ORDER-2")
def test_advance_inside_is_one_floor_up_or_down() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:1")
    assert goals(table, "advance") == ["house.1:2", "house.1:0"]


@pytest.mark.clause("OD-ORDER-2")
def test_advance_inside_is_one_section_on_the_same_floor() -> None:
    board = terrace(6, 6, 6)
    assert floors(goals(alone(board, "rifle_section", "t.t1:0"), "advance")) == ["t.t1:1", "t.t2:0"]
    assert floors(goals(alone(board, "rifle_section", "t.t2:1"), "advance")) == ["t.t1:1", "t.t2:0", "t.t3:1"]


@pytest.mark.clause("OD-ORDER-2")
@pytest.mark.parametrize("goal", ["house.1:1", "g27.10"])
def test_after_an_advance_inside_or_out_of_it_the_unit_may_shoot(goal: str) -> None:
    table = alone(HOUSE, "officer", "house.1:0", unit("officer", at="g35.10", side=1, order="run"))
    table.do(WhichOrder(0, side=0))
    table.say(Order("advance"))
    ask = table.say(MoveTo(table.place(goal)))
    assert isinstance(ask, AtWhom)
    assert ask.moved


@pytest.mark.clause("OD-ORDER-3")
def test_run_inside_is_up_to_two_floors() -> None:
    assert floors(goals(alone(HOUSE, "rifle_section", "house.1:0"), "run")) == ["house.1:1", "house.1:2"]
    assert floors(goals(alone(HOUSE, "rifle_section", "house.1:3"), "run")) == ["house.1:1", "house.1:2"]


@pytest.mark.clause("OD-ORDER-3")
def test_run_inside_is_up_to_two_sections() -> None:
    table = alone(terrace(6, 6, 6, 6), "rifle_section", "t.t1:1")
    assert floors(goals(table, "run")) == ["t.t1:0", "t.t2:1", "t.t3:1"]


@pytest.mark.clause("OD-ORDER-3")
def test_a_running_unit_does_not_shoot() -> None:
    table = alone(HOUSE, "officer", "house.1:0", unit("officer", at="g35.10", side=1, order="run"))
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    assert table.say(MoveTo(table.place("house.1:2"))) is None
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-ORDER-3")
def test_run_inside_may_assault_the_next_floor_or_section() -> None:
    board = terrace(6, 6, 6)
    foes = [unit("officer", at=place, side=1) for place in ("t.t2:1", "t.t1:0", "t.t3:1", "t.t2:0")]
    assert charges(alone(board, "rifle_section", "t.t1:1", *foes)) == [1, 2]


@pytest.mark.clause("OD-ORDER-4")
def test_a_flat_roof_is_the_uppermost_floor() -> None:
    assert HOUSE.spaces[HOUSE.space("house.1:3")].roof
    assert "house.1:3" in goals(alone(HOUSE, "rifle_section", "house.1:2"), "advance")
    table = alone(HOUSE, "rifle_section", "house.1:1")
    assert "house.1:3" in goals(table, "run")
    table.say(MoveTo(table.place("house.1:3")))
    assert "OD-ORDER-4" in table.clauses()
    assert goals(table, "advance") == ["house.1:2"]


@pytest.mark.clause("OD-HOUSE-INSIDE")
def test_friends_floors_are_passed_but_not_shared() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0", unit("officer", at="house.1:1"))
    assert floors(goals(table, "run")) == ["house.1:2"]
    assert floors(goals(table, "advance")) == []


@pytest.mark.clause("OD-HOUSE-INSIDE")
def test_friends_sections_are_passed_but_not_shared() -> None:
    table = alone(terrace(6, 6, 6), "rifle_section", "t.t1:1", unit("officer", at="t.t2:1"))
    assert floors(goals(table, "run")) == ["t.t1:0", "t.t3:1"]


@pytest.mark.clause("OD-ENTER-5", "OD-HOUSE-INSIDE")
def test_enemies_are_not_passed() -> None:
    table = alone(HOUSE, "rifle_section", "house.1:0", unit("officer", at="house.1:1", side=1))
    assert floors(goals(table, "run")) == []
    table = alone(terrace(6, 6, 6), "rifle_section", "t.t1:1", unit("officer", at="t.t2:1", side=1))
    assert floors(goals(table, "run")) == ["t.t1:0"]


@pytest.mark.clause("OD-HOUSE-INSIDE")
def test_one_order_does_not_mix_floors_and_sections() -> None:
    reached = floors(goals(alone(terrace(6, 6, 6), "rifle_section", "t.t1:0"), "run"))
    assert "t.t2:1" not in reached
    assert "t.t2:0" in reached


@pytest.mark.clause("OD-HOUSE-INSIDE", "OD-LEAVE-1")
def test_one_order_does_not_mix_stairs_and_leaving() -> None:
    assert "g19.10" not in goals(alone(HOUSE, "rifle_section", "house.1:1"), "run")


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
def test_one_section_may_be_closed_or_burn_and_the_next_not() -> None:
    for structure in (Structure(0, own={"closed": True}), Structure(0, burning=True)):
        table = Table(terrace(6, 6), unit("rifle_section", at="g16.5"), structures=[structure])
        assert floors(goals(table, "run")) == ["t.t2:0"]
        table = Table(terrace(6, 6), unit("rifle_section", at="t.t2:0"), structures=[structure])
        assert floors(goals(table, "run")) == ["t.t2:1"]


# ---- open ground -----------------------------------------------------------------------------------------------------

ROUGH = "terrain: [{kind: KIND, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}]"


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize("kind", ["rough", "woods", "rubble"])
def test_a_run_that_touches_rough_ground_is_6_inches_at_most(kind: str) -> None:
    board = plain(ROUGH.replace("KIND", kind))
    run = goals(alone(board, "rifle_section", "g5.2"), "run")
    assert "g11.2" in run  # 6 inches, in the rough
    assert "g12.2" not in run
    assert "g15.2" not in run  # 10 inches, beyond it
    run = goals(alone(board, "rifle_section", "g12.2"), "run")  # out of it
    assert "g18.2" in run
    assert "g19.2" not in run


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_a_run_beside_rough_ground_is_12_inches() -> None:
    board = ground((40, 5), "terrain: [{kind: rough, polygon: [[10, 0], [14, 0], [14, 2], [10, 2]]}]")
    assert "g17.4" in goals(alone(board, "rifle_section", "g5.4"), "run")


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_entry_over_rough_ground_is_6_inches_at_most() -> None:
    board = house("terrain: [{kind: rough, polygon: [[14, 5], [20, 5], [20, 15], [14, 15]]}]")
    assert floors(goals(alone(board, "rifle_section", "g14.10"), "run")) == ["house.1:0"]
    assert floors(goals(alone(board, "rifle_section", "g13.10"), "run")) == []
    assert floors(goals(alone(HOUSE, "rifle_section", "g13.10"), "run")) == ["house.1:0"]


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize("kind", ["wall", "hedge", "fence"])
def test_obstacles_are_crossed_at_half_rate(kind: str) -> None:
    board = plain(f"terrain: [{{kind: {kind}, line: [[10, 0], [10, 5]]}}]")
    advance = goals(alone(board, "rifle_section", "g5.2"), "advance")
    assert "g10.2" in advance  # 4 inches, and the one across counts 2
    assert "g11.2" not in advance
    run = goals(alone(board, "rifle_section", "g5.2"), "run")
    assert "g16.2" in run
    assert "g17.2" not in run


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("kind", "cover"), [("open", 0), ("rough", 1), ("woods", 1), ("rubble", 2), ("road", 0)]
)
def test_the_ground_a_target_stands_on_covers_it(kind: str, cover: int) -> None:
    board = plain(ROUGH.replace("KIND", kind))
    table = alone(board, "officer", "g2.2", unit("officer", at="g12.2", side=1))
    assert volley(table.state, board, table.unit(0), table.unit(1), False)[0].cover == cover


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_a_wall_is_hard_cover_for_whoever_is_behind_it() -> None:
    board = plain("terrain: [{kind: wall, line: [[10, 0], [10, 5]]}]")
    for shooter, cover in (("g2.2", 2), ("g18.2", 0)):
        table = alone(board, "officer", shooter, unit("officer", at="g11.2", side=1))
        assert volley(table.state, board, table.unit(0), table.unit(1), False)[0].cover == cover


@pytest.mark.clause("OD-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("kind", "advance", "run", "road"), [("medium_tank", 9, 18, 36), ("truck", 12, 24, 48)]
)
def test_vehicles_go_by_their_drive_and_a_road_doubles_a_run(
    kind: str, advance: int, run: int, road: int
) -> None:
    lane = plain("terrain: [{kind: road, line: [[0, 2.5], [75, 2.5]], width: 1}]")
    for board, order, far in ((PLAIN, "advance", advance), (PLAIN, "run", run), (lane, "run", road)):
        reached = goals(alone(board, kind, "g1.2"), order)
        assert f"g{1 + far}.2" in reached
        assert f"g{2 + far}.2" not in reached
    assert f"g{2 + advance}.2" not in goals(alone(lane, kind, "g1.2"), "advance")


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_tracks_take_rough_ground_at_advance_only_and_wheels_never() -> None:
    board = plain(ROUGH.replace("KIND", "rough"))
    assert "g11.2" in goals(alone(board, "medium_tank", "g8.2"), "advance")
    assert "g11.2" not in goals(alone(board, "medium_tank", "g8.2"), "run")
    assert "g11.2" not in goals(alone(board, "truck", "g8.2"), "advance")
    assert "g11.2" not in goals(alone(board, "truck", "g8.2"), "run")


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_friends_are_passed_not_ended_on_and_enemies_not_passed() -> None:
    lane = ground((30, 1))
    table = alone(lane, "rifle_section", "g1.0", unit("officer", at="g3.0"))
    assert goals(table, "advance") == ["g0.0", "g2.0", "g4.0", "g5.0", "g6.0", "g7.0"]
    table = alone(lane, "rifle_section", "g1.0", unit("officer", at="g3.0", side=1))
    assert goals(table, "advance") == ["g0.0", "g2.0"]


@pytest.mark.clause("OD-HOUSE-TERRAIN")
def test_a_move_takes_the_shortest_way_and_passes_every_space_of_it() -> None:
    table = alone(PLAIN, "rifle_section", "g1.2")
    goals(table, "advance")
    table.say(MoveTo(table.place("g4.2")))
    assert [table.board.spaces[p].name for p in table.events(Placed)[0].path] == [
        "g1.2",
        "g2.2",
        "g3.2",
        "g4.2",
    ]


@pytest.mark.clause("OD-GUN-1")
def test_guns_never_run() -> None:
    table = alone(PLAIN, "light_at_gun", "g1.2")
    assert "run" not in open_orders(table.state, table.board, table.unit(0))
