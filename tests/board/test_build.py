"""Map files made into boards: numbers, names, ways, buildings, openings, against shapely where geometry decides."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest
import shapely

from battlesim.board.board import Board
from battlesim.board.check import check_map
from battlesim.board.layout import WALL
from battlesim.board.load import load_map, shipped_maps
from battlesim.board.model import Section
from battlesim.core.errors import InputError
from battlesim.core.geometry import distance
from tests.board.written import build, ways_of


def section(board: Board, name: str) -> Section:
    return board.sections[board.section_by_name[name]]


def kinds_at(board: Board, name: str) -> dict[str, list[str]]:
    """The kinds of openings on the walls of a floor, by the direction they face."""
    from battlesim.core.geometry import FACING_NAMES

    space = board.spaces[board.space(name)]
    own = board.sections[space.section]
    found: dict[str, list[str]] = {}
    for number in own.openings[space.floor]:
        opening = board.openings[number]
        found.setdefault(FACING_NAMES[own.sides[opening.side].facing], []).append(opening.kind)
    return found


# --- what holds for every shipped map -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_maps())
def test_numbers_and_names(name: str) -> None:
    board = load_map(name)
    for things in (board.spaces, board.ways, board.sections, board.openings):
        assert [thing.id for thing in things] == list(range(len(things)))
    assert len(board.by_name) == len(board.spaces)
    order = ["ground", "floor", "ruin"]
    ranks = [order.index(space.kind) for space in board.spaces]
    assert ranks == sorted(ranks)
    for space in board.spaces:
        assert board.space(space.name) == space.id
        if space.kind != "ground":
            own = board.sections[space.section]
            suffix = "ruin" if space.kind == "ruin" else str(space.floor)
            assert space.name == f"{own.name}:{suffix}"
            assert own.ruin == space.id if space.kind == "ruin" else own.spaces[space.floor] == space.id
    for number, exits in enumerate(board.exits):
        assert list(exits) == sorted(exits)
        assert all((number, way) in board.exits[other] for other, way in exits)


@pytest.mark.parametrize("name", ["village", "tobacco-factory", "bunker-line"])
def test_ways_keep_out_of_buildings(name: str) -> None:
    board = load_map(name)
    tree = shapely.STRtree([shapely.Polygon(own.polygon) for own in board.sections])
    for way in board.ways:
        a, b = board.spaces[way.a].point, board.spaces[way.b].point
        if way.kind == "ground":
            assert len(tree.query(shapely.LineString([a, b]), "intersects")) == 0
            assert way.length == distance(a, b)
        elif way.kind == "door":
            opening = board.openings[way.opening]
            line = shapely.LineString([a, opening.point])
            assert len(tree.query(line, "intersects")) == 0
            assert way.length == distance(a, opening.point)
            assert opening.floor == 0
            assert opening.kind in ("door", "window", "gap")
            assert board.spaces[way.b].section == opening.section
            assert way.sections == (opening.section,)
            if board.sections[opening.section].kind == "bunker":
                assert opening.kind == "door"


@pytest.mark.parametrize("name", ["village", "tobacco-factory", "bunker-line", "stairwell"])
def test_openings_lie_just_outside_their_walls(name: str) -> None:
    board = load_map(name)
    for opening in board.openings:
        own = board.sections[opening.section]
        polygon = shapely.Polygon(own.polygon)
        point = shapely.Point(opening.point)
        assert not polygon.contains(point)
        assert abs(polygon.distance(point) - WALL) <= 1
        side = own.sides[opening.side]
        assert shapely.LineString([side.a, side.b]).distance(point) <= WALL + 1
        floor = board.spaces[own.spaces[opening.floor]]
        assert floor.z < opening.z <= floor.z + own.storey
        assert (opening.kind == "parapet") == floor.roof
        if opening.kind == "parapet":
            assert opening.men == 5
        else:
            assert side.outer
            assert opening.floor >= side.outer_from
            # no neighbour as high as the window stands before it
            for other in board.sections:
                if other.id != own.id and shapely.Polygon(other.polygon).contains(point):
                    assert board.spaces[other.spaces[0]].z + other.height <= opening.z


@pytest.mark.parametrize("name", shipped_maps())
def test_everything_can_be_reached(name: str) -> None:
    board = load_map(name)
    graph = board.graph
    assert graph.number_of_nodes() == len(board.spaces) - len(board.sections)
    with_ruins = board.as_graph(ruins=True)
    for found in (graph, with_ruins):
        apart = sorted(networkx.connected_components(found), key=len)[:-1]
        for space in (space for part in apart for space in part):
            # a shelter without a door of its own is reached by tunnels that only some rulebooks know
            assert "tunnels" in str(board.sections[board.spaces[space].section].own)
    a, b, data = next(iter(graph.edges(data=True)))
    assert data["length"] == min(board.ways[way].length for way in data["ways"])
    assert all({board.ways[way].a, board.ways[way].b} == {a, b} for way in data["ways"])


# --- buildings ----------------------------------------------------------------------------------------------------


def test_stairwell() -> None:
    board = load_map("stairwell")
    assert [own.name for own in board.sections] == ["house.west", "house.east"]
    west = section(board, "house.west")
    assert [board.spaces[space].name for space in west.spaces] == [
        f"house.west:{floor}" for floor in range(4)
    ]
    assert [board.spaces[space].z for space in west.spaces] == [0, 300, 600, 900]
    assert [board.spaces[space].roof for space in west.spaces] == [False, False, False, True]
    assert (west.height, west.size, west.top) == (900, 600, 3)
    assert west.adjoining == ((1,),) * 4
    assert ways_of(board, "stairs")[:3] == [(f"house.west:{i}", f"house.west:{i + 1}") for i in range(3)]
    assert ways_of(board, "adjoining") == [(f"house.west:{i}", f"house.east:{i}") for i in range(4)]
    assert kinds_at(board, "house.west:0") == {"south": ["window"], "north": ["window"] * 2, "west": ["door"]}
    assert kinds_at(board, "house.west:1") == {side: ["window"] * 2 for side in ("south", "north", "west")}
    assert set(kinds_at(board, "house.west:3")) == {"east", "west", "north", "south"}
    assert [side.outer for side in west.sides] == [True, False, True, True]
    assert board.spaces[west.ruin].terrain == "rubble"
    assert ("house.west:ruin", "house.east:ruin") in ways_of(board, "ruin")
    assert board.distance(board.space("house.west:0"), board.space("house.east:2")) == 600
    assert board.gap_to_section((1200, 1800), west.id) == 300
    assert board.gap_to_section((1200, 1200), west.id) == 0
    assert board.outline(west.id) == west.polygon


def test_windows_look_over_lower_neighbours() -> None:
    board = load_map("village")
    assert set(kinds_at(board, "church.tower:1")) == {"north", "east", "south", "west"}
    tower, nave = section(board, "church.tower"), section(board, "church.nave")
    east = next(side for side in tower.sides if side.facing == 0)
    assert (east.outer, east.outer_from) == (True, 1)
    assert tower.adjoining == ((nave.id,), (), (), ())


def test_one_outline_is_cut_and_connected(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "buildings:\n  - name: mill\n    rect: [4.5, 9, 22.5, 15]\n    floors: 2\n    openings:\n"
        "      - {kind: door, near: [6, 9]}\n      - {kind: window, floors: all, side: all, every: 3}\n",
    )
    assert [own.name for own in board.sections] == ["mill.1", "mill.2", "mill.3"]
    assert all(own.size == 600 for own in board.sections)
    assert ways_of(board, "adjoining") == [
        ("mill.1:0", "mill.2:0"),
        ("mill.1:1", "mill.2:1"),
        ("mill.2:0", "mill.3:0"),
        ("mill.2:1", "mill.3:1"),
    ]
    # the door where it was asked for, and the windows leave room for it
    assert kinds_at(board, "mill.1:0") == {
        "south": ["door", "window"],
        "north": ["window"] * 2,
        "west": ["window"] * 2,
    }
    assert kinds_at(board, "mill.2:0") == {"south": ["window"] * 2, "north": ["window"] * 2}


def test_clockwise_outlines_keep_their_wall_numbers(tmp_path: Path) -> None:
    """Wall i of the file runs from its corner i to the next, whichever way round the outline is drawn."""
    for outline in ("[[9, 9], [15, 9], [15, 15], [9, 15]]", "[[15, 9], [9, 9], [9, 15], [15, 15]]"):
        board = build(
            tmp_path,
            f"buildings:\n  - name: a\n    polygon: {outline}\n"
            "    openings: [{kind: door, side: 0, at: 0.25}, {kind: window, side: 2}]\n",
        )
        assert kinds_at(board, "a.1:0") == {"south": ["door"], "north": ["window"]}
        door = next(opening for opening in board.openings if opening.kind == "door")
        assert door.x == (1050 if outline.startswith("[[9") else 1350)


def test_openings_of_upper_floors_and_counts(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "buildings:\n  - name: a\n    rect: [9, 9, 15, 15]\n    floors: 3\n    flat_roof: true\n    openings:\n"
        "      - {kind: door, side: west}\n      - {kind: window, floors: [1, 2], side: north, count: 3, men: 1}\n"
        "      - {kind: slit, floors: upper, side: south, at: 0.1}\n",
    )
    assert kinds_at(board, "a.1:0") == {"west": ["door"]}
    assert kinds_at(board, "a.1:2") == {"north": ["window"] * 3, "south": ["slit"]}
    north = [opening for opening in board.openings if opening.floor == 1 and opening.kind == "window"]
    assert [opening.x for opening in north] == [1400, 1200, 1000]
    assert all(opening.men == 1 and opening.y == 1505 and opening.z == 450 for opening in north)


def test_listed_connections_only(tmp_path: Path) -> None:
    text = (
        "buildings:\n  - name: a\n    connections: [{between: [x, y], floors: [1]}]\n"
        "    openings: [{kind: door, side: south}]\n    sections:\n"
        "      - {name: x, rect: [9, 9, 15, 15], floors: 2}\n      - {name: y, rect: [15, 9, 21, 15], floors: 2}\n"
        "  - name: b\n    rect: [9, 15, 15, 21]\n    openings: [{kind: door, side: west}]\n"
        "connections: [{between: [a.x, b.1]}]\n"
    )
    board = build(tmp_path, text)
    assert ways_of(board, "adjoining") == [("a.x:0", "b.1:0"), ("a.x:1", "a.y:1")]


def test_roofs_meet_roofs_and_floors_meet_floors(tmp_path: Path) -> None:
    """The second floor of one section has no door to the flat roof of the other, unless a connection says so."""
    text = (
        "buildings:\n  - name: a\n    openings: [{kind: door, side: south}]\n    sections:\n"
        "      - {name: x, rect: [9, 9, 15, 15], floors: 3}\n"
        "      - {name: y, rect: [15, 9, 21, 15], floors: 2, flat_roof: true}\n"
    )
    assert len(ways_of(build(tmp_path, text), "adjoining")) == 2
    listed = text.replace(
        "    openings", "    connections: [{between: [x, y], floors: [0, 2]}]\n    openings"
    )
    assert ways_of(build(tmp_path, listed), "adjoining") == [("a.x:0", "a.y:0"), ("a.x:2", "a.y:2")]


def test_own_tables_are_kept(tmp_path: Path) -> None:
    board = build(
        tmp_path,
        "buildings:\n  - name: a\n    rect: [9, 9, 15, 15]\n    closed: true\n    burning: true\n    kind: shed\n"
        "    material: wood\n    own: {armour: 7, cellar: true}\n    openings: [{kind: door, side: south}]\n",
    )
    own = board.sections[0]
    assert own.own == {"armour": 7, "cellar": True}
    assert (own.closed, own.burning, own.kind, own.material) == (True, True, "shed", "wood")


# --- names --------------------------------------------------------------------------------------------------------


def test_unknown_names_are_answered() -> None:
    board = load_map("stairwell")
    with pytest.raises(InputError, match=r"has no space 'house.wst:0'; did you mean 'house.west:0'"):
        board.space("house.wst:0")
    with pytest.raises(InputError, match="has no section 'x'"):
        board.section("x")
    assert repr(board) == "load_map('stairwell')"


def test_warnings_do_not_keep_a_map_from_play(tmp_path: Path) -> None:
    text = (
        "buildings:\n  - name: a\n    sections: [{name: long, rect: [6, 9, 15, 15], "
        "openings: [{kind: door, side: south}]}]\n"
        "  - {name: b, kind: bunker, rect: [18, 9, 22, 13], openings: [{kind: door, side: south}, "
        "{kind: window, side: north}]}\n"
    )
    build(tmp_path, text)
    warnings = check_map(tmp_path / "map.yaml")
    assert {fault.level for fault in warnings} == {"warning"}
    assert "map.yaml:6: buildings[0].sections[0].rect: section 'a.long' is 9 long, more than 8" in str(
        warnings[0]
    )
    assert "bunker 'b.1' has a window" in str(warnings[1])


@pytest.mark.parametrize(
    ("stairs", "joined"),
    [
        ("", [("a.1:0", "a.1:1"), ("a.1:1", "a.1:2")]),
        ("stairs: [1]", [("a.1:1", "a.1:2")]),
        ("stairs: []", []),
    ],
)
def test_stairs_lead_up_from_the_floors_that_have_them(
    stairs: str, joined: list[tuple[str, str]], tmp_path: Path
) -> None:
    text = (
        "buildings:\n  - name: a\n    rect: [9, 9, 15, 15]\n    floors: 2\n    flat_roof: true\n"
        f"    openings: [{{kind: door, side: south}}]\n    {stairs}\n"
    )
    assert ways_of(build(tmp_path, text), "stairs") == joined


def test_stairs_from_the_top_floor_are_a_fault(tmp_path: Path) -> None:
    house = "{name: a, rect: [9, 9, 15, 15], floors: 2, stairs: [1], openings: [{kind: door, side: south}]}"
    with pytest.raises(InputError, match=r"no stairs lead up from floor 1 of section 'a.1'"):
        build(tmp_path, f"buildings: [{house}]\n")
