"""Assaults out of a building at whoever stands right before its door (OD-LEAVE-2, OD-LEAVE-3), and their like."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.core.answers import Confirm, MoveTo, Order, Pass, TargetUnit
from battlesim.core.events import Placed, Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import contact, fire, targets
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.assault import Melee, ReactFire, Regroup
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
DOOR = "g19.10"  # half an inch from the west door, the nearest space to it with g19.9
LATTICE_OF_7 = ground(
    (42, 35),
    "buildings: [{name: house, rect: [12, 14.5, 18, 20.5], openings: [{kind: door, side: east}]}]",
    7,
)


def crew(men: int, at: str, side: int = 0, **more: object) -> dict[str, object]:
    """Men with nothing to fight with but themselves: one attack each."""
    return unit("heavy_mortar_team", at=at, side=side, models=men, **more)  # type: ignore[arg-type]


def leap(table: Table) -> object:
    """Unit 0 runs into unit 1; the next question."""
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    return table.say(TargetUnit(1))


def near(board: Board, place: int, other: str) -> bool:
    return any(there == board.space(other) for there, _ in board.exits[place])


@pytest.mark.clause("OD-LEAVE-2")
def test_assaulters_come_out_beside_an_enemy_on_the_very_space_before_the_door() -> None:
    table = Table(
        HOUSE, crew(3, "house.1:0"), unit("officer", at=DOOR, side=1, order="run"), dice=[[6, 6, 1], [4]]
    )
    assert isinstance(leap(table), Regroup)  # outside, as after any assault there
    (out,) = table.events(Placed)
    assert (
        HOUSE.spaces[out.place].name == "g19.9"
    )  # the free space next to the enemy that is nearest to the door
    assert near(HOUSE, out.place, DOOR)
    assert not table.unit(1).alive
    assert HOUSE.spaces[table.unit(0).place].kind == "ground"
    assert "OD-LEAVE-2" in table.clauses()
    assert MoveTo(HOUSE.space(DOOR)) in table.legal


@pytest.mark.clause("OD-LEAVE-2", "OD-HOUSE-TANKFIGHT")
def test_they_are_out_even_where_what_they_attacked_still_stands() -> None:
    table = Table(HOUSE, crew(3, "house.1:0"), unit("truck", at=DOOR, side=1, order="run"), dice=[[1, 1, 1]])
    leap(table)
    assert table.unit(1).alive
    assert HOUSE.spaces[table.unit(0).place].kind == "ground"
    assert "OD-LEAVE-2" in table.clauses()
    table.done()


@pytest.mark.clause("OD-LEAVE-2", "OD-ASSAULT-5")
def test_without_room_beside_the_enemy_there_is_no_charge() -> None:
    lane = ground(
        (20, 8),
        "buildings: [{name: house, rect: [4, 0, 10, 8], openings: [{kind: door, side: east, at: 0.5}]}]",
    )
    door = next(place for place, way in lane.exits[lane.space("house.1:0")] if lane.ways[way].kind == "door")
    beside = [place for place, _ in lane.exits[door] if lane.spaces[place].kind == "ground"]
    friends = [unit("officer", at=lane.spaces[place].name) for place in beside]
    for full in (friends, friends[1:]):
        table = Table(lane, crew(3, "house.1:0"), unit("officer", at=lane.spaces[door].name, side=1), *full)
        found = contact.targets(table.state, lane, table.unit(0))
        # the other space before the door, if any, is among those beside it
        assert found == ([] if full is friends else [1])


@pytest.mark.clause("OD-LEAVE-2", "OD-HOUSE-REACT")
def test_an_ambush_may_fire_at_them_as_they_come_out() -> None:
    table = Table(
        HOUSE,
        crew(3, "house.1:0"),
        unit("officer", at=DOOR, side=1, order="run"),
        unit("officer", at="g9.9", side=1, order="ambush"),
    )
    ask = leap(table)
    assert type(ask).__name__ == "Interrupt"


@pytest.mark.clause("OD-HOUSE-REACT", "OD-LEAVE-3")
@pytest.mark.parametrize("fires", [False, True])
def test_an_ambush_may_fire_where_they_come_out_whether_or_not_their_target_has_fired(fires: bool) -> None:
    table = Table(
        HOUSE,
        crew(3, "house.1:0"),
        unit("officer", at="g10.10", side=1),
        unit("officer", at="g9.9", side=1, order="ambush"),
        dice=[*[[1]] * (1 + fires), [6, 6, 1], [1]],  # every shot misses; they win, and may regroup
    )
    leap(table)
    assert isinstance(table.say(Confirm(fires)), Interrupt)
    assert table.where(0) == DOOR
    assert [shot.unit for shot in table.events(Shot)] == [1] * fires
    assert isinstance(table.say(Confirm(False)), Interrupt)
    assert table.where(0) == "g18.10"
    table.say(Confirm(True))
    assert [shot.unit for shot in table.events(Shot)] == [1] * fires + [2]


@pytest.mark.clause("OD-FROM-6")
def test_the_opening_of_a_fixed_weapon_is_forgotten_with_the_move_out() -> None:
    """Out of doors the team fires all round; back inside it is asked anew (`test_guns`)."""
    west = next(o for o in HOUSE.sections[0].openings[0] if HOUSE.openings[o].x < 2000)
    table = Table(
        HOUSE,
        unit("mmg_team", at="house.1:0", opening=west),
        unit("officer", at=DOOR, side=1, order="run"),
        unit("rifle_section", at="g40.10", side=1),
        dice=[[6, 6, 6], [1]],
    )
    leap(table)
    table.say(Pass())
    assert unit_state(table.unit(0)).opening == -1
    assert fire.walls_of(HOUSE, table.unit(0)) == (-1,)  # no windows any more, and so none to choose from
    table.done()


# ---- far from the door -------------------------------------------------------------------------------------------------


def door_node(board: Board) -> tuple[str, int]:
    """The space nearest to the door, and how far it is from the house."""
    ways = [
        (board.ways[w].length, p)
        for p, w in board.exits[board.space("house.1:0")]
        if board.ways[w].kind == "door"
    ]
    place = min(ways)[1]
    return board.spaces[place].name, board.gap_to_section(board.spaces[place].point, 0)


@pytest.mark.clause("OD-LEAVE-3")
def test_reaction_fire_from_a_door_space_far_from_the_house_meets_them_outside() -> None:
    name, gap = door_node(LATTICE_OF_7)
    assert gap > 600
    table = Table(
        LATTICE_OF_7,
        crew(6, "house.1:0"),
        unit("sniper_rifles", at=name, side=1),
        dice=[[1, 1, 1, 1], [6, 6, 6, 1, 1, 1], [3]],
    )
    assert isinstance(leap(table), ReactFire)
    table.say(Confirm(True))
    (shot,) = table.events(Shot)
    out = table.events(Placed)[0].place
    far = LATTICE_OF_7.distance(out, LATTICE_OF_7.space(name))
    assert (shot.range, shot.need) == (far, 3)  # in the open; inside it would be 5+
    assert near(LATTICE_OF_7, out, name)
    assert [fought.lost for fought in table.events(Fought)] == [0]
    assert LATTICE_OF_7.spaces[table.unit(0).place].kind == "ground"


@pytest.mark.clause("OD-LEAVE-3")
def test_free_nodes_far_from_a_door_do_as_well() -> None:
    board = load_map("outpost")
    for section in board.sections:
        for place, way in board.exits[section.spaces[0]]:
            if board.ways[way].kind == "door":
                table = Table(
                    board,
                    crew(3, board.spaces[section.spaces[0]].name),
                    unit("sniper_rifles", at=board.spaces[place].name, side=1),
                )
                table.do(WhereTo(0, "run", side=0))
                assert TargetUnit(1) in table.legal


# ---- a winner that is Down ---------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-HOUSE-ORDERS")
@pytest.mark.parametrize(("order", "asked"), [("down", False), ("fire", True), ("", True)])
def test_a_winner_that_is_down_stays_where_it_lies(order: str, asked: bool) -> None:
    table = Table(
        HOUSE,
        crew(2, "g3.10", order="run"),
        crew(3, "g4.10", side=1, order=order),
        dice=[[1, 1], [6, 6, 1], *([[5]] if asked else [])],
    )
    table.do(Melee(0, 1, False, HOUSE.space("g4.10")))
    assert not table.unit(0).alive
    assert isinstance(table.ask, Regroup) is asked
    assert ("regroup" in [roll.purpose for roll in table.events(Rolled)]) is asked
    if not asked:
        table.done()


# ---- burnt out on the way ------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-FLAME-4", "OD-ORDER-2")
def test_who_is_burnt_out_on_an_advance_shoots_no_more() -> None:
    """Two floors; a flamethrower on Ambush sets the house on fire as the unit comes up to the windows."""
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:0", models=8),
        unit("flamethrower_team", at="g18.10", side=1, order="ambush"),
        unit("truck", at="g10.2", side=1),
        dice=[[1], [1], [1], [6], [6]],  # all miss; fire catches, fuel is left
    )
    table.do(WhichOrder(0, side=0))
    table.say(Order("advance"))
    table.say(MoveTo(HOUSE.space("house.1:1")))
    assert type(table.ask).__name__ == "Interrupt"
    table.say(Confirm(True))
    assert type(table.ask).__name__ == "BailOut"
    assert targets.any_target(table.state, HOUSE, table.unit(0), True)
    table.say(table.legal[0])
    assert HOUSE.spaces[table.unit(0).place].kind == "ground"
    assert table.state.structures[0] == Structure(0, burning=True)
    table.done()  # no question at whom to shoot


# ---- a howitzer keeps to its opening ---------------------------------------------------------------------------------------


TWO_WINDOWS = ground(
    (60, 30),
    """
buildings:
  - name: house
    rect: [4, 10, 10, 16]
    openings: [{kind: door, side: west}, {kind: window, side: east, at: 0.1}, {kind: window, side: east, at: 0.9}]
  - {name: screen, rect: [14, 11.5, 16, 19], floors: 3, openings: [{kind: door, side: east}]}
""",
)


@pytest.mark.clause("OD-GUN-1", "OD-IND-1")
def test_an_emplaced_howitzer_lobs_by_its_own_opening_only() -> None:
    """The northern window looks at a house, the southern one past it."""
    board = TWO_WINDOWS
    south, north = sorted(o for o in board.sections[0].openings[0] if board.openings[o].x > 1000)
    place = board.space("house.1:0")
    hidden = [
        space.id
        for space in board.spaces
        if space.kind == "ground"
        and space.x > 4000
        and {line.from_opening for line in board.sight.clear_lines(place, space.id)} == {south}
    ]
    assert hidden
    at = board.spaces[hidden[0]].name
    for opening, modes in ((south, ["he"]), (north, [])):
        table = Table(
            board,
            unit("heavy_howitzer", at="house.1:0", opening=opening, emplaced=True, facing=0),
            unit("rifle_section", at=at, side=1),
            unit("officer", at="g50.29"),
        )
        found = [
            group.mode
            for wall in fire.walls_of(board, table.unit(0))
            for group in fire.volley(table.state, board, table.unit(0), table.unit(1), False, wall)
        ]
        assert found == modes, opening
