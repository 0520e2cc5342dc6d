"""The atlas: places and what can be done to them, and what the graph says of them."""

from __future__ import annotations

from functools import cache

import pytest

from battlesim.board.board import Board
from battlesim.board.load import load_map, shipped_maps
from battlesim.core.errors import InputError
from battlesim.stress import atlas
from battlesim.stress.atlas_graph import Graph
from battlesim.stress.atlas_map import written_out
from battlesim.stress.atlas_places import Change, Grounds
from tests.shipped import load


@cache
def grounds(name: str) -> Grounds:
    return Grounds(load(name))


def place_called(found: Grounds, name: str) -> int:
    return next(number for number, place in enumerate(found.places) if place.name == name)


def board_after(name: str, place: str, what: str) -> tuple[Board, Board]:
    """The map of a scenario before and after a change."""
    found = grounds(name)
    return found.board, found.changed(Change(place_called(found, place), what)).board


def openings(board: Board) -> set[tuple[str, int, str, int, int]]:
    return {(board.sections[o.section].name, o.floor, o.kind, o.x, o.y) for o in board.openings}


def ways(board: Board, kind: str) -> set[tuple[str, str]]:
    return {(board.spaces[w.a].name, board.spaces[w.b].name) for w in board.ways if w.kind == kind}


# ---- places and changes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name == "helsinki-quarter" else name
        for name in shipped_maps()
    ],
)
def test_every_shipped_map_can_be_written_out_part_by_part(name: str) -> None:
    board = load_map(name)
    made, again = written_out(board)
    assert [one.name for one in again.spaces] == [one.name for one in board.spaces]
    assert len(again.ways) == len(board.ways)
    cut = [one for one in board.openings if one.kind != "parapet"]
    assert sum(number >= 0 for number in made.openings) == len(cut)


def test_a_closed_window_is_gone_and_nothing_else() -> None:
    before, after = board_after("stairwell", "window in the north of house.east, floor 0", "closed")
    (gone,) = openings(before) - openings(after)
    assert gone[:3] == ("house.east", 0, "window")
    assert openings(after) < openings(before)
    assert ways(after, "stairs") == ways(before, "stairs")


def test_an_opened_window_is_a_door() -> None:
    before, after = board_after("stairwell", "window in the north of house.east, floor 0", "opened")
    ((_, _, kind, *where),) = openings(after) - openings(before)
    ((_, _, was, *there),) = openings(before) - openings(after)
    assert (was, kind, where) == ("window", "door", there)


def test_closed_stairs_leave_the_other_flights() -> None:
    before, after = board_after("stairwell", "stairs up from floor 1 of house.west", "closed")
    assert ways(before, "stairs") - ways(after, "stairs") == {("house.west:1", "house.west:2")}
    assert ways(after, "stairs") < ways(before, "stairs")


def test_an_inner_door_is_closed_on_its_floor_alone() -> None:
    before, after = board_after(
        "stairwell", "inner door between house.west and house.east, floor 2", "closed"
    )
    assert ways(before, "adjoining") - ways(after, "adjoining") == {("house.west:2", "house.east:2")}


@pytest.mark.parametrize("floor", [0, 2])
def test_a_wall_between_two_sections_is_opened(floor: int) -> None:
    """Closing an inner door makes a wall, opening that wall makes the door again."""
    found = grounds("stairwell")
    door = place_called(found, f"inner door between house.west and house.east, floor {floor}")
    walled = Grounds(found.changed(Change(door, "closed")))
    wall = place_called(walled, f"wall between house.west and house.east, floor {floor}")
    again = walled.changed(Change(wall, "opened")).board
    assert ways(again, "adjoining") == ways(found.board, "adjoining") > ways(walled.board, "adjoining")


def test_a_floor_removed_takes_its_windows_and_stairs_along() -> None:
    before, after = board_after("outpost", "floor 1 of customs", "removed")
    assert before.sections[0].top == after.sections[0].top + 1
    assert {floor for _, floor, *_ in openings(after)} == {0}
    assert ways(after, "stairs") == set()


def test_a_section_removed_or_closed_and_a_building_weakened() -> None:
    before, after = board_after("bunker-line", grounds("bunker-line").places[0].name, "weakened")
    assert after.sections[0].material != before.sections[0].material
    found = grounds("silo")
    tried = [c for c in found.changes() if c.what == "removed" and found.places[c.place].kind == "section"]
    for change in tried:
        try:
            left = found.changed(change).board
        except InputError:
            continue
        assert len(left.sections) == len(found.board.sections) - 1
        closed = found.changed(Change(change.place, "closed"))
        assert closed.board.sections[found.places[change.place].section].closed
        break
    else:
        pytest.fail("no section could be removed")


def test_what_the_scenario_closes_is_not_closed_again() -> None:
    found = grounds("heavy-armour")
    closed = {change.place for change in found.changes() if change.what == "closed"}
    shut = [
        n for n, p in enumerate(found.places) if p.kind == "section" and found.scenario.is_closed(p.section)
    ]
    assert shut, "the church"
    assert not closed.intersection(shut)


def test_of_several_units_of_an_entry_one_holds_and_all_keep_their_numbers() -> None:
    """Dice belong to units by their numbers. The unit that held was the last of all, so that all others met other dice."""
    found = grounds("district")
    before = found.scenario.forces
    floor = next(n for n, place in enumerate(found.places) if place.kind == "floor" and place.floor == 0)
    for side in (0, 1):
        after = found.changed(Change(floor, "held", side)).forces
        assert [(force.side, force.type) for force in after] == [(force.side, force.type) for force in before]
        (moved,) = [n for n, force in enumerate(after) if force.place != before[n].place]
        assert sum(force.entry == before[moved].entry for force in before) > 1, "an entry of several units"


def test_terrain_removed_and_a_place_held_from_the_start() -> None:
    found = grounds("skirmish")
    number = next(n for n, place in enumerate(found.places) if place.kind == "ground")
    after = found.changed(Change(number, "removed")).board
    lost = len(found.board.areas) + len(found.board.obstacles) - len(after.areas) - len(after.obstacles)
    assert lost >= 1
    floor = place_called(found, "ground floor of farm")
    for side in (0, 1):
        held = found.changed(Change(floor, "held", side))
        there = [force for force in held.forces if force.place == found.places[floor].spaces[0]]
        assert [force.side for force in there] == [side]
        assert len(held.forces) == len(found.scenario.forces)


@pytest.mark.slow
def test_every_change_of_a_scenario_is_sound_or_told_why_not() -> None:
    design, resolved = atlas.plan_atlas(load("watch-house"), ("random", "random"), games=1)
    assert len(resolved.games) == len(design.changes) + 1
    assert len(design.changes) + len(design.untried) == len(grounds("watch-house").changes())
    assert all(missed.why for missed in design.untried)
    assert {design.places[change.place].kind for change in design.changes} >= {
        "section",
        "stairs",
        "door",
        "window",
    }


# ---- the graph -------------------------------------------------------------------------------------------------------


def test_the_graph_says_where_the_only_way_is() -> None:
    """The roof of a house is reached by its stairs alone: they are a bridge, and lie on the ways to what is above them only."""
    found = grounds("outpost")
    graph = Graph(found.scenario)
    stairs = graph.of(found.places[place_called(found, "stairs up from floor 0 of customs")])
    upper = graph.of(found.places[place_called(found, "floor 1 of customs")])
    ground = graph.of(found.places[place_called(found, "ground floor of customs")])
    assert stairs.cut == 1.0
    assert ground.cut == 1.0  # without it nobody comes up
    assert upper.cut == 0.0
    assert ground.betweenness is not None
    assert upper.betweenness == 0.0 < ground.betweenness
    assert (upper.height or 0) - (ground.height or 0) == found.board.sections[0].storey / 100
    assert ground.faces == 4.0
    doors = [w.opening for w in found.board.ways if w.kind == "door" and w.sections == (0,)]
    assert ground.entries == len(set(doors))


def test_a_window_sees_what_the_lines_through_it_reach() -> None:
    found = grounds("stairwell")
    graph = Graph(found.scenario)
    place = found.places[place_called(found, "window 1 in the north of house.west, floor 1")]
    board = graph.board
    seen = [
        other.id
        for other in board.spaces
        if other.kind != "ruin"
        and other.id != place.spaces[0]
        and any(
            line.from_opening == place.part for line in board.sight.clear_lines(place.spaces[0], other.id)
        )
    ]
    assert graph.of(place).views == len(seen) > 0
