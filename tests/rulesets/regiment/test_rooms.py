"""Buildings as rooms: parts, floors, capacity, fortification (RG-SCEN, RG-CAP, RG-FORT, RG-UNST, RG-PART, RG-HOUSE-WALLS)."""

from __future__ import annotations

import pytest

from battlesim.board.load import load_map
from battlesim.core.answers import MoveTo, Order
from battlesim.core.events import Happened
from battlesim.core.geometry import INCH
from battlesim.rulesets.regiment import contacts, form, ground, line_of_sight, rooms
from battlesim.rulesets.regiment.charge import route
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.model import FRONT
from battlesim.rulesets.regiment.move import ADVANCE, FLY, RUN, WhichOrder, destinations
from battlesim.rulesets.regiment.set_up import Parade, parade
from tests.rulesets.regiment.grounds import HOUSE, HUT, NORTH, ROW, TALL, WEST, field, house, row
from tests.rulesets.regiment.kit import Table, unit


def the_room(board: object, name: str = "house.1:0") -> rooms.Room:
    room = rooms.room_at(board, board.space(name))  # type: ignore[arg-type,attr-defined]
    assert room is not None
    return room


# ---- parts -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PART-1")
@pytest.mark.parametrize(
    ("length", "parts"), [(1, 1), (800, 1), (801, 2), (1600, 2), (1601, 3), (2400, 3), (2401, 4)]
)
def test_over_eight_inches_are_two_parts_over_sixteen_three(length: int, parts: int) -> None:
    assert rooms.parts_of(length) == parts


@pytest.mark.clause("RG-PART-1")
@pytest.mark.parametrize("name", ["tobacco-factory", "village", "helsinki-quarter", "stairwell"])
def test_no_section_of_a_shipped_map_is_more_than_one_part(name: str) -> None:
    board = load_map(name)
    assert rooms.check_rooms(board) == []
    assert all(rooms.parts_of(section.size) == 1 for section in board.sections)


@pytest.mark.clause("RG-PART-2")
def test_a_storey_above_six_inches_makes_exactly_two_rooms() -> None:
    for floors, places in ((1, ["house.1:0"]), (3, ["house.1:0"]), (4, ["house.1:0", "house.1:3"])):
        board = house(floors=floors)
        assert [board.spaces[p].name for p in rooms.rooms_of(board).by_section[0]] == places
    board = house(floors=9)
    assert [board.spaces[p].name for p in rooms.rooms_of(board).by_section[0]] == ["house.1:0", "house.1:3"]
    assert the_room(TALL).neighbours == (TALL.space("house.1:3"),)
    assert the_room(TALL, "house.1:3").neighbours == (TALL.space("house.1:0"),)
    assert the_room(TALL).tall
    assert not the_room(HOUSE).tall


@pytest.mark.clause("RG-PART-2")
def test_an_upper_floor_is_reached_from_below_by_flyers_and_over_high_ground_only() -> None:
    table = Table(TALL, unit("spearmen", at="g4.3", facing=NORTH), unit("harpies", at="g5.3", facing=NORTH))
    up, down = TALL.space("house.1:3"), TALL.space("house.1:0")
    on_foot = destinations(table.state, TALL, table.unit(0), ADVANCE)
    assert down in on_foot
    assert up not in on_foot
    assert {up, down} <= set(destinations(table.state, TALL, table.unit(1), ADVANCE))
    inside = Table(TALL, unit("spearmen", at="house.1:0"))
    assert up in destinations(inside.state, TALL, inside.unit(0), ADVANCE)
    hill = house(floors=4, terrain="terrain: [{kind: hill, height: 6.5, rect: [9, 0, 21, 11]}]")
    table = Table(hill, unit("spearmen", at="g4.3", facing=NORTH))
    assert hill.space("house.1:3") in destinations(table.state, hill, table.unit(0), ADVANCE)
    low = house(floors=4, terrain="terrain: [{kind: hill, height: 6, rect: [9, 0, 21, 11]}]")
    table = Table(low, unit("spearmen", at="g4.3", facing=NORTH))
    assert low.space("house.1:3") not in destinations(table.state, low, table.unit(0), ADVANCE)


@pytest.mark.clause("RG-PART-2")
def test_an_upper_floor_is_like_a_hill() -> None:
    assert line_of_sight.is_high(TALL, TALL.space("house.1:3"))
    assert not line_of_sight.is_high(TALL, TALL.space("house.1:0"))


@pytest.mark.clause("RG-PART-3")
def test_rooms_are_buildings_of_their_own_beside_their_adjacency() -> None:
    board = row("{garrison: {level: 0}}", "{garrison: {level: 1, unstable: true, capacity: 10}}", "{}")
    one, two, three = (the_room(board, f"row.r{n}:0") for n in (1, 2, 3))
    assert (one.level, two.level, three.level) == (0, 1, 1)
    assert (one.capacity, two.capacity) == (25, 10)
    assert (one.unstable, two.unstable) == (False, True)
    assert one.neighbours == (two.place,)
    assert two.neighbours == (one.place, three.place)
    tall = house(own="{garrison: {level: 1, upper: {level: 0, capacity: 12}}}", floors=4)
    assert (the_room(tall).level, the_room(tall).capacity) == (1, 25)
    assert (the_room(tall, "house.1:3").level, the_room(tall, "house.1:3").capacity) == (0, 12)


@pytest.mark.clause("RG-PART-3")
def test_parts_that_touch_are_neighbours_door_or_not_and_floors_meet_at_their_own_height() -> None:
    for floors in ((1, 1), (4, 4)):
        joined, shut = (row("{}", "{}", floors=floors, connections=c) for c in ("all", "[]"))
        for name in [s.name for s in joined.spaces if s.kind == "floor"]:
            if rooms.room_at(joined, joined.space(name)) is not None:
                assert the_room(shut, name).neighbours == the_room(joined, name).neighbours != ()
    uneven = row("{}", "{}", floors=(4, 1))
    assert the_room(uneven, "row.r1:0").neighbours == (uneven.space("row.r1:3"), uneven.space("row.r2:0"))
    assert the_room(uneven, "row.r1:3").neighbours == (uneven.space("row.r1:0"),)
    both = row("{}", "{}", floors=(4, 4))
    assert the_room(both, "row.r1:3").neighbours == (both.space("row.r1:0"), both.space("row.r2:3"))


@pytest.mark.clause("RG-PART-3", "RG-PART-1")
@pytest.mark.parametrize(
    ("rect", "connections", "near"),
    [
        ("[18, 12, 24, 18]", "", False),  # another building, wall to wall
        ("[18, 12, 24, 18]", "connections: [{between: [house.1, next.1]}]", True),
        ("[18, 18, 24, 24]", "", False),
    ],
)
def test_another_building_is_next_door_only_by_a_door(rect: str, connections: str, near: bool) -> None:
    more = f"""
  - name: next
    rect: {rect}
    openings: [{{kind: door, side: east, at: 0.5}}]
{connections}"""
    board = house(more=more)
    assert (the_room(board, "house.1:0").neighbours == (board.space("next.1:0"),)) is near


@pytest.mark.clause("RG-PART-3")
def test_parts_that_meet_at_a_corner_alone_are_no_neighbours() -> None:
    board = field(
        """
buildings:
  - name: steps
    sections:
      - {name: a, rect: [12, 12, 18, 18], openings: [{kind: door, side: west, at: 0.5}]}
      - {name: b, rect: [18, 18, 24, 24], openings: [{kind: door, side: east, at: 0.5}]}
      - {name: c, rect: [18, 12, 24, 18], openings: [{kind: door, side: east, at: 0.5}]}
    connections: []
"""
    )
    a, b, c = (board.space(f"steps.{name}:0") for name in "abc")
    assert [rooms.rooms_of(board).by_place[p].neighbours for p in (a, b, c)] == [(c,), (c,), (a, b)]


# ---- what the map declares -------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-CAP-2")
def test_a_house_of_which_nothing_is_said_holds_25_infantry_no_mi_and_is_sound() -> None:
    room = the_room(HOUSE)
    assert (room.capacity, room.roomy, room.unstable) == (25, False, False)


@pytest.mark.clause("RG-CAP-1")
def test_infantry_may_be_inside_monstrous_infantry_only_where_there_is_room() -> None:
    usual, roomy = the_room(HOUSE), the_room(house(own="{garrison: {roomy: true}}"))
    allowed = {kind for kind in TYPES.values() if rooms.may_hold(kind, usual)}
    assert {kind.kind for kind in allowed} == {"infantry"}
    allowed = {kind for kind in TYPES.values() if rooms.may_hold(kind, roomy)}
    assert {kind.kind for kind in allowed} == {"infantry", "mi"}


@pytest.mark.clause("RG-CAP-1")
def test_one_unit_a_room() -> None:
    table = Table(HOUSE, unit("levy", at="house.1:0"), unit("spearmen", at="g4.3", facing=NORTH))
    assert HOUSE.space("house.1:0") not in destinations(table.state, HOUSE, table.unit(1), ADVANCE)


@pytest.mark.clause("RG-HOUSE-WALLS")
@pytest.mark.parametrize(("material", "level"), [("stone", 1), ("brick", 1), ("concrete", 1), ("wood", 0)])
def test_stone_and_brick_are_hard_cover_unless_said_otherwise(material: str, level: int) -> None:
    assert the_room(house(material=material)).level == level
    assert the_room(house(own="{garrison: {level: 0}}", material=material)).level == 0
    assert the_room(house(own="{garrison: {level: 1}}", material=material)).level == 1


@pytest.mark.clause("RG-FORT-1")
@pytest.mark.parametrize(("board", "cover"), [(HUT, 1), (HOUSE, 2)])
def test_level_0_is_light_cover_level_1_hard(board: object, cover: int) -> None:
    table = Table(board, unit("archers", at="g5.0", facing=NORTH), unit("levy", at="house.1:0", side=1))  # type: ignore[arg-type]
    found, clauses = line_of_sight.cover(table.board, table.unit(0).place, table.unit(1).place)
    assert found == cover
    assert "RG-FORT-1" in clauses


@pytest.mark.clause("RG-UNST-1")
def test_a_brittle_house_begins_unstable() -> None:
    board = house(own="{garrison: {unstable: true}}")
    table = Table(board)
    assert rooms.is_unstable(table.state, the_room(board))
    assert not rooms.is_unstable(table.state, the_room(HOUSE))


@pytest.mark.parametrize(
    ("own", "what"),
    [
        ("{garrison: 3}", "garrison is 3"),
        ("{garrison: {size: 3}}", "garrison has no key 'size'"),
        ("{garrison: {level: 2}}", "level is 2"),
        ("{garrison: {level: true}}", "level is True"),
        ("{garrison: {capacity: 26}}", "capacity is 26"),
        ("{garrison: {capacity: 0}}", "capacity is 0"),
        ("{garrison: {roomy: 1}}", "roomy is 1"),
        ("{garrison: {upper: {level: 0}}}", "it has no floor above 6 inches"),
        ("{garrison: {upper: 1}}", "upper is 1"),
    ],
)
def test_what_a_map_declares_wrongly_is_told(own: str, what: str) -> None:
    assert any(what in fault.what for fault in rooms.check_rooms(house(own=own)))


def test_the_table_of_another_rulebook_is_left_alone() -> None:
    assert rooms.check_rooms(house(own="{walls: {level: 9}, garrison: {capacity: 10}}")) == []


# ---- open ruins ------------------------------------------------------------------------------------------------------

RUIN = house(own="{garrison: {open: true}}", material="stone")


@pytest.mark.clause("RG-SCEN-1")
def test_an_open_ruin_is_no_building_but_obstacles() -> None:
    """It has no rooms, is crossed at half rate by anybody, hides nobody behind it, and covers and entrenches who is in it."""
    assert rooms.rooms_of(RUIN).by_section[0] == ()
    inside = RUIN.space("house.1:ruin")
    table = Table(
        RUIN,
        unit("knights", at="g2.4"),
        unit("levy", at="house.1:ruin", side=1),
        unit("levy", at="g8.5", side=1),
    )
    free = Table(RUIN, unit("knights", at="g3.4"))
    assert inside in destinations(free.state, RUIN, free.unit(0), RUN)
    assert inside not in destinations(free.state, RUIN, free.unit(0), ADVANCE)  # half rate
    winged = Table(RUIN, unit("harpies", at="g1.4"))
    assert inside in destinations(winged.state, RUIN, winged.unit(0), FLY)
    shut = Table(HOUSE, unit("harpies", at="g1.4"))
    assert HOUSE.space("house.1:ruin") not in destinations(shut.state, HOUSE, shut.unit(0), FLY)
    far = free.board.routes.reach(ground.mode(16), free.place("g3.4"), fallen=frozenset({0}))[inside]
    assert far == 2 * RUIN.distance(free.place("g3.4"), inside)
    cover, clauses = line_of_sight.cover(RUIN, table.unit(0).place, table.unit(1).place)
    assert cover == 2
    assert "RG-SCEN-1" in clauses
    assert ground.entrenched(RUIN, table.unit(1), table.place("g3.4"))
    assert line_of_sight.sight(RUIN, table.place("g2.4"), table.place("g8.4")) is not None
    assert line_of_sight.sight(HOUSE, table.place("g2.4"), table.place("g8.4")) is None


@pytest.mark.clause("RG-SCEN-1", "RG-ATT-1", "RG-MOVE-2")
def test_an_open_ruin_touches_the_house_that_it_is_built_on_to() -> None:
    """From there the house is entered, left to, and attacked."""
    board = row("{}", "{garrison: {open: true}}")
    ruin, room = board.space("row.r2:ruin"), board.space("row.r1:0")
    empty = Table(board, unit("levy", at="row.r2:ruin", facing=WEST))
    assert room in destinations(empty.state, board, empty.unit(0), ADVANCE)
    held = Table(board, unit("levy", at="row.r1:0"))
    assert ruin in destinations(held.state, board, held.unit(0), ADVANCE)
    stormed = Table(board, unit("levy", at="row.r2:ruin", facing=WEST), unit("levy", at="row.r1:0", side=1))
    assert route(stormed.state, board, stormed.unit(0), stormed.unit(1)) == (0, ruin, FRONT)
    contacts.engage(stormed.r, stormed.unit(0), stormed.unit(1), FRONT)
    assert form.in_contact(stormed.state, board, stormed.unit(0), stormed.unit(1)) == 5
    stormed.sound()


@pytest.mark.clause("RG-SCEN-1")
def test_a_closed_building_takes_its_garrison_off_the_table() -> None:
    """Whoever occupies it is in a room, not on the ground, and its outline is its position."""
    table = Table(HOUSE, unit("spearmen", at="g4.3", facing=NORTH))
    table.do(WhichOrder(0, side=0))
    table.say(Order(ADVANCE))
    table.say(MoveTo(HOUSE.space("house.1:0")))
    assert table.where(0) == "house.1:0"
    assert HOUSE.spaces[table.unit(0).place].kind == "floor"
    table.done()


# ---- told at the beginning -------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PART-1", "RG-PART-3", "RG-UNST-1", "RG-CAP-1")
def test_what_the_houses_are_is_told_before_the_first_turn() -> None:
    board = row("{garrison: {unstable: true}}", "{garrison: {capacity: 9, roomy: true}}")
    table = Table(board, unit("levy", at="row.r1:0"))
    parade(table.r, Parade())
    told = {(e.what, getattr(e, "number", 0)) for e in table.events(Happened)}
    assert {("parts", 2), ("brittle", 0), ("small", 9), ("roomy", 0), ("garrisons", 0)} <= told
    assert {"RG-PART-1", "RG-PART-3", "RG-UNST-1", "RG-CAP-1"} <= table.clauses()


def test_contact_is_a_step_from_the_wall_and_no_house_between() -> None:
    nodes = [HOUSE.spaces[n].name for n, _ in the_room(HOUSE).contacts]
    assert set(nodes) == {
        *("g3.4", "g3.5", "g6.4", "g6.5", "g4.3", "g5.3", "g4.6", "g5.6"),
        *("g3.3", "g6.3", "g3.6", "g6.6"),
    }
    west = the_room(ROW, "row.r1:0")
    assert all(ROW.spaces[n].x < 18 * INCH + 3 * INCH for n, _ in west.contacts)


@pytest.mark.clause("RG-PART-3", "RG-PART-2")
@pytest.mark.parametrize(("height", "storey", "near"), [(1.5, 3, True), (1.6, 3, False), (1.6, 4, True)])
def test_rooms_that_touch_are_neighbours_where_their_floors_are_level(
    height: float, storey: float, near: bool
) -> None:
    """Half a storey is no wall between them, more is: one stands on a hill, the other before it."""
    board = field(
        f"""
terrain:
  - {{kind: hill, rect: [18, 9, 27, 21], height: {height}}}
buildings:
  - name: steps
    storey: {storey}
    sections:
      - {{name: a, rect: [12, 12, 18, 18], openings: [{{kind: door, side: west, at: 0.5}}]}}
      - {{name: b, rect: [18, 12, 24, 18], openings: [{{kind: door, side: east, at: 0.5}}]}}
    connections: []
"""
    )
    assert (the_room(board, "steps.a:0").neighbours == (board.space("steps.b:0"),)) is near


def test_a_section_with_houses_on_all_its_sides_is_touched_from_nowhere() -> None:
    board = load_map("helsinki-quarter")
    landlocked = [s for s in board.sections if not any(side.outer for side in s.sides)]
    assert landlocked
    every = rooms.rooms_of(board)
    inner = {place for section in landlocked for place in every.by_section[section.id]}
    assert all(room not in inner for touched in every.touched.values() for room, _ in touched)
