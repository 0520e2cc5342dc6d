"""Moving and stacking: costs, the one step that is always allowed, who may stand where (SH-HOUSE-MOVE, SH-HOUSE-STACK)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo, Pass
from battlesim.core.events import Placed
from battlesim.core.state import Structure
from battlesim.rulesets.squadhex import ground, move
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE
from tests.rulesets.squadhex.kit import Table, unit


def reach(table: Table, number: int = 0, action: str = ADVANCE) -> set[str]:
    found = move.reach(table.state, table.board, table.unit(number), action)
    return {table.board.spaces[place].name for place in found}


@pytest.mark.clause("SH-HOUSE-MOVE")
@pytest.mark.parametrize(
    ("place", "foot", "vehicle"),
    [
        ("g5.2", 2, 2),
        ("g4.0", 2, 1),
        ("g8.1", 4, 4),
        ("g8.0", 4, -1),
        ("g8.2", -1, -1),
        ("hut.only:ruin", 4, -1),
        ("hall.high:ruin", 6, -1),
        ("hall.tower:ruin", 8, -1),
    ],
)
def test_costs_in_half_points(place: str, foot: int, vehicle: int) -> None:
    table = Table()
    number = table.place(place)
    assert ground.enter_cost(table.board, number, vehicle=False) == foot
    assert ground.enter_cost(table.board, number, vehicle=True) == vehicle


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_movement_points() -> None:
    assert {TYPES[kind].movement for kind in ("rifle_squad", "elite_squad", "mortar_squad")} == {8}
    assert {kind.movement for kind in TYPES.values() if kind.crew} == {4}
    assert all(12 <= kind.movement <= 16 for kind in TYPES.values() if kind.vehicle)


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_infantry_goes_four_hexes_a_crew_two() -> None:
    table = Table(unit("rifle_squad", at="g0.0"), unit("machine_gun_team", at="g11.9"))
    assert {"g0.4", "g4.0"} <= reach(table)
    assert not {"g0.5", "g5.0"} & reach(table)
    assert "g11.7" in reach(table, 1)
    assert "g11.6" not in reach(table, 1)


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_roads_take_a_vehicle_twice_as_far() -> None:
    table = Table(unit("assault_gun", at="g2.0"))  # six points
    assert "g7.3" in reach(table) or "g6.0" in reach(table)
    costs = dict(ground.next_to(table.state, table.board, table.unit(0), table.place("g2.0")))
    assert costs[table.place("g3.0")] == 1
    assert costs[table.place("g2.1")] == 2


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_a_building_costs_two_for_each_floor_and_hex_and_is_no_place_for_vehicles() -> None:
    table = Table(unit("rifle_squad", at="g4.3"), unit("medium_tank", at="g3.3"))
    found = reach(table)
    assert {"hall.high:0", "hall.high:1", "hall.low:0"} <= found  # in, then up or through the door
    assert "hall.tower:1" not in found
    assert not any(":" in name for name in reach(table, 1))


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_inner_doors_are_those_of_the_map() -> None:
    """Between high and low there is a door on the ground floor; none leads to the tower, nor out of upper floors."""
    table = Table(
        unit("rifle_squad", at="hall.high:0"),
        unit("rifle_squad", at="hall.high:1"),
        unit("rifle_squad", at="cottage.only:0"),
    )

    def nexts(number: int) -> set[str]:
        one = table.unit(number)
        return {
            table.board.spaces[p].name for p, _ in ground.next_to(table.state, table.board, one, one.place)
        }

    assert {"hall.low:0", "hall.high:1", "g4.3"} <= nexts(0)
    assert "hall.tower:0" not in nexts(0)
    assert nexts(1) == {"hall.high:0"}
    assert "cottage.attic:0" in nexts(2)


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_a_closed_building_is_not_entered() -> None:
    table = Table(unit("rifle_squad", at="g1.6"))
    assert "vault.only:0" not in reach(table)
    for shut in (False, True):  # nor through a door inside
        low = Structure(table.section("hall.low"), own={"closed": shut})
        inside = Table(unit("rifle_squad", at="hall.high:0"), structures=[low])
        assert ("hall.low:0" in reach(inside)) != shut


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_one_permitted_step_is_always_allowed_for_the_whole_movement() -> None:
    table = Table(unit("machine_gun_team", at="g4.6"), unit("machine_gun_team", at="g7.0"))
    table.fell("hall.tower")  # 4 points, the crew has 2
    assert "hall.tower:ruin" in reach(table)
    assert "g8.0" in reach(table, 1)
    assert "g8.1" not in reach(table, 1, ADVANCE_FIRE)
    assert "g8.0" not in reach(table, 1, ADVANCE_FIRE)
    table.set_own(0, pinned=True)
    assert reach(table) == set()


@pytest.mark.clause("SH-HOUSE-MOVE", "SH-HOUSE-ACTIONS")
def test_half_the_movement_when_it_fires_too_and_again_when_damaged() -> None:
    table = Table(
        unit("rifle_squad", at="g0.0"),
        unit("light_tank", at="g11.0"),
        unit("light_tank", at="g11.9", models=1),
    )
    assert move.points(table.unit(0), ADVANCE_FIRE) == 4
    assert "g0.2" in reach(table, 0, ADVANCE_FIRE)
    assert "g0.3" not in reach(table, 0, ADVANCE_FIRE)
    assert move.points(table.unit(1), ADVANCE) == 16
    assert (move.points(table.unit(2), ADVANCE), move.points(table.unit(2), ADVANCE_FIRE)) == (8, 4)
    tank = Table(unit("medium_tank", at="g0.0", models=1)).unit(0)  # 7 points: 1 3/4 buy three half points
    assert (move.points(tank, ADVANCE), move.points(tank, ADVANCE_FIRE)) == (7, 3)


@pytest.mark.clause("SH-HOUSE-MOVE")
def test_the_pinned_and_the_disrupted_do_not_move() -> None:
    for state in ({"pinned": True}, {"disrupted": True}):
        table = Table(unit("rifle_squad", at="g0.0", **state))
        assert reach(table) == set()


@pytest.mark.clause("SH-HOUSE-STACK")
def test_a_hex_holds_three_squads_or_a_vehicle_and_a_squad() -> None:
    for here, kind, room in (
        (["rifle_squad"] * 2, "rifle_squad", True),
        (["rifle_squad"] * 3, "rifle_squad", False),
        (["rifle_squad"], "medium_tank", True),
        (["rifle_squad"] * 2, "medium_tank", False),
        (["medium_tank"], "rifle_squad", True),
        (["medium_tank", "rifle_squad"], "rifle_squad", False),
        (["medium_tank"], "medium_tank", False),
    ):
        table = Table(unit(kind, at="g0.0"), *(unit(one, at="g0.1") for one in here))
        assert ("g0.1" in reach(table)) == room, (here, kind)
        assert "g0.2" in reach(table)  # friends are passed


@pytest.mark.clause("SH-HOUSE-STACK")
def test_a_floor_holds_one_squad() -> None:
    table = Table(unit("rifle_squad", at="g4.3"), unit("rifle_squad", at="hall.high:0"))
    assert "hall.high:0" not in reach(table)
    assert "hall.high:1" in reach(table)


@pytest.mark.clause("SH-HOUSE-STACK")
def test_enemies_share_a_hex_only_on_different_floors() -> None:
    table = Table(
        unit("rifle_squad", at="g4.3"),
        unit("rifle_squad", at="hall.high:1", side=1),
        unit("rifle_squad", at="g4.2", side=1),
    )
    found = reach(table)
    assert "hall.high:0" in found
    assert "hall.high:1" not in found
    assert "g4.2" not in found


@pytest.mark.clause("SH-HOUSE-STACK")
def test_enemies_are_not_passed() -> None:
    """Upstairs there is one way, past whoever is on the ground floor."""
    for side, passed in ((0, True), (1, False)):
        table = Table(unit("rifle_squad", at="g4.3"), unit("rifle_squad", at="hall.high:0", side=side))
        assert ("hall.high:1" in reach(table)) == passed


@pytest.mark.clause("SH-HOUSE-STACK")
def test_ruins_are_shared_by_those_who_lived_through_the_collapse_alone() -> None:
    """Nobody moves in with an enemy: that takes an assault."""
    for side, entered in ((0, True), (1, False)):
        table = Table(unit("rifle_squad", at="g4.3"), unit("rifle_squad", at="hall.high:ruin", side=side))
        table.fell("hall.high")
        assert ("hall.high:ruin" in reach(table)) == entered
        ruin = table.place("hall.high:ruin")
        assert ground.has_room(table.state, table.board, table.unit(0), ruin) == entered  # falling back alike


@pytest.mark.clause("SH-HOUSE-MOVE", "SH-FALL-5")
def test_no_door_leads_to_floors_that_have_fallen() -> None:
    table = Table(unit("rifle_squad", at="hall.high:0"))
    table.fell("hall.low")
    found = reach(table)
    assert "hall.low:0" not in found
    assert "hall.low:ruin" in found


@pytest.mark.clause("SH-HOUSE-STACK", "SH-HOUSE-MOVE")
def test_a_move_is_told_as_one_and_names_what_bore_on_it() -> None:
    table = Table(unit("rifle_squad", at="g4.2"))
    table.act(0, "advance")
    table.say(MoveTo(table.place("hall.high:0")))
    (event,) = table.events(Placed)
    assert [table.board.spaces[place].name for place in event.path] == ["g4.2", "g4.3", "hall.high:0"]
    assert {"SH-HOUSE-MOVE", "SH-HOUSE-STACK"} <= set(event.clauses)
    table.done()


def test_staying_is_an_answer() -> None:
    table = Table(unit("rifle_squad", at="g4.2"))
    table.act(0, "advance")
    table.say(Pass())
    assert table.where(0) == "g4.2"
    assert not table.events(Placed)
