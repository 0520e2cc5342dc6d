"""Routes: what one order can reach, checked against networkx, and that the store never changes an answer."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.board.model import Way
from battlesim.board.routes import MovementMode, MoveOption, Routes
from tests.board.handmade import Draft, House, lattice, town

INSIDE = ("stairs", "adjoining")


def on_foot(way: Way) -> int | None:
    return None if way.kind in INSIDE else way.length * (2 if way.obstacle else 1)


def on_clear_ground(way: Way) -> int | None:
    return None if way.rough else on_foot(way)


def one_stair(way: Way) -> int | None:
    return 1 if way.kind == "stairs" else None


def one_section(way: Way) -> int | None:
    return 1 if way.kind == "adjoining" else None


ADVANCE = MovementMode("advance", (MoveOption(600, on_foot),))
RUN = MovementMode(
    "run",
    (
        MoveOption(1200, on_clear_ground),
        MoveOption(600, on_foot),
        MoveOption(2, one_stair),
        MoveOption(2, one_section),
    ),
)


def street(**draft: object) -> Draft:
    """A street of 13 nodes, 300 apart, with a row of two adjoining houses north of nodes 4 to 8."""
    houses = [House(1150, 250, floors=3, sides=(0,)), House(1750, 250, floors=3, sides=(0,))]
    return Draft(lattice(13, 1, x=0, y=0), houses, adjoining=[(0, 1)], **draft)  # type: ignore[arg-type]


# -- the rules of the road ---------------------------------------------------------------------------------------------


def test_reach_is_ordered_by_length_and_leaves_out_the_start() -> None:
    board = street().build()
    reach = board.routes.reach(ADVANCE, 1)
    assert list(reach.items()) == [(0, 300), (2, 300), (3, 600)]
    with pytest.raises(TypeError):
        reach[5] = 1  # type: ignore[index]


def test_phases_are_never_mixed() -> None:
    board = street(terrain={3: "rough"}).build()
    reach = board.routes.reach(RUN, 0)
    assert {v: n for v, n in reach.items() if v < 13} == {1: 300, 2: 600}, (
        "the rough node lies at 900, more than 6"
    )
    assert board.routes.reach(RUN, 1).get(3) == 600
    assert board.routes.reach(RUN, 1).get(4) is None, "900 in all, and rough is touched"
    assert board.routes.reach(RUN, 4).get(8) == 1200


def test_enemies_are_neither_entered_nor_passed() -> None:
    board = street().build()
    assert list(board.routes.reach(RUN, 0, {2})) == [1]
    assert 2 not in board.routes.reach(RUN, 4, {2})
    assert 1 not in board.routes.reach(RUN, 4, {2})
    assert board.routes.path(RUN, 4, 1, {2}) == ()
    assert board.routes.reach(RUN, 0, {0}) == board.routes.reach(RUN, 0), "one's own place does not matter"


@pytest.mark.clause("OD-ENTER-2")
def test_a_house_ends_the_route_and_is_never_walked_through() -> None:
    board = Draft([(0, 0), (0, 2000)], [House(-300, 700, sides=(0, 2))], reach=800).build()
    routes, ground = board.routes, board.space("h0.0")
    assert dict(routes.reach(RUN, 0)) == {ground: 695}
    assert dict(routes.reach(RUN, ground)) == {0: 695, 1: 695, board.space("h0.1"): 1}


@pytest.mark.clause("OD-LEAVE-1")
def test_leaving_is_measured_from_the_door_and_only_from_the_ground_floor() -> None:
    board = street().build()
    ground, upper = board.space("h0.0"), board.space("h0.1")
    reach = board.routes.reach(ADVANCE, ground)
    door = next(way for way in board.ways if way.kind == "door" and way.b == ground and way.a == 5)
    assert reach[5] == door.length
    assert reach[6] == min(door.length + 300, *(w.length for w in board.ways if (w.a, w.b) == (6, ground)))
    assert dict(board.routes.reach(ADVANCE, upper)) == {}


def test_one_order_does_not_mix_floors_and_sections() -> None:
    board = street().build()
    inside = {v for v in board.routes.reach(RUN, board.space("h0.0")) if board.spaces[v].kind == "floor"}
    assert inside == {board.space(name) for name in ("h0.1", "h0.2", "h1.0")}
    top = board.routes.reach(RUN, board.space("h0.2"))
    assert dict(top) == {board.space("h0.1"): 1, board.space("h1.2"): 1, board.space("h0.0"): 2}


@pytest.mark.clause("OD-ENTER-1")
def test_nobody_enters_a_closed_burning_or_fallen_house_but_one_may_leave_it() -> None:
    board = street().build()
    routes, ground, neighbour, ruin = (
        board.routes,
        board.space("h0.0"),
        board.space("h1.0"),
        board.space("h0.ruin"),
    )
    shut = frozenset({0})
    assert ground in routes.reach(RUN, 5)
    assert ground not in routes.reach(RUN, 5, closed=shut)
    assert ground not in routes.reach(RUN, neighbour, closed=shut)
    assert {5, neighbour, board.space("h0.1")} <= set(routes.reach(RUN, ground, closed=shut))
    assert ruin not in routes.reach(RUN, 5, closed=shut)
    assert ground not in routes.reach(RUN, 5, fallen=shut)
    assert ruin in routes.reach(RUN, 5, fallen=shut)
    assert ruin not in routes.reach(RUN, 5)
    assert neighbour not in routes.reach(RUN, ground, fallen=shut), "no way on through what has fallen"


def test_paths_take_the_smallest_number_among_equals() -> None:
    board = Draft(lattice(3, 3)).build()
    # from corner to corner of two squares in a row: straight and aslant, or aslant and straight
    assert board.routes.path(ADVANCE, 0, 5) == ()
    assert board.routes.path(RUN, 0, 5) == (0, 1, 5)
    assert board.routes.path(RUN, 0, 0) == (0,)


def test_two_gaits_of_one_name_are_refused() -> None:
    routes = street().build().routes
    routes.reach(ADVANCE, 0)
    assert routes.reach(MovementMode("advance", (MoveOption(600, on_foot),)), 0), (
        "an equal mode is the same mode"
    )
    with pytest.raises(ValueError, match="advance"):
        routes.reach(MovementMode("advance", (MoveOption(900, on_foot),)), 0)
    with pytest.raises(ValueError, match="cost"):
        routes.reach(MovementMode("backwards", (MoveOption(900, lambda way: -1),)), 0)


def test_a_field_measures_the_way_to_the_nearest_goal_through_houses_and_at_the_first_pace() -> None:
    board = street(terrain={10: "rough"}).build()
    routes = board.routes
    field = routes.distance_field(RUN, (0, 12))
    assert field[:3] == [0, 300, 600]
    assert field[10:13] == [900, 300, 0], "12 to 11 is clear; the ways at 10 are rough and count double"
    upper, ground = board.space("h0.1"), board.space("h0.0")
    assert field[upper] == field[ground] + 300
    assert field[board.space("h0.ruin")] == -1
    assert routes.distance_field(RUN, (0, 12), frozenset({0}))[board.space("h0.ruin")] > 0
    assert routes.distance_field(RUN, (0, 12), frozenset({0}))[ground] == -1
    inside = routes.distance_field(RUN, (upper,))
    assert inside[5] == inside[ground] + next(w.length for w in board.ways if (w.a, w.b) == (5, ground))
    closed = frozenset({0})
    assert routes.distance_field(RUN, (upper,), closed=closed)[5] == -1
    assert (
        routes.distance_field(RUN, (0,), closed=closed)[upper] == routes.distance_field(RUN, (0,))[upper]
    ), "one may leave it"
    assert routes.distance_field(RUN, (12, 0)) is routes.distance_field(RUN, (12, 0))


# -- properties --------------------------------------------------------------------------------------------------------


def slow_reach(
    board: Board,
    mode: MovementMode,
    start: int,
    shut: frozenset[int],
    fallen: frozenset[int],
    closed: frozenset[int],
) -> dict[int, int]:
    """The same question put to networkx, phase by phase, out of doors and inside."""
    best: dict[int, int] = {}
    for phase in mode.options:
        for inside in (False, True):
            graph: nx.DiGraph[int] = nx.DiGraph()
            graph.add_node(start)
            for way in board.ways:
                cost = phase.cost(way)
                if cost is None or (way.kind in INSIDE) != inside:
                    continue
                for u, v in ((way.a, way.b), (way.b, way.a)):
                    one, two = board.spaces[u], board.spaces[v]
                    if (
                        v in shut
                        or (u in shut and u != start)
                        or (way.kind == "ruin" and not set(way.sections) <= fallen)
                    ):
                        continue
                    if any(s.kind == "floor" and s.section in fallen for s in (one, two)):
                        continue
                    if two.kind == "floor" and way.kind != "stairs" and two.section in closed:
                        continue
                    if one.kind == "floor" and not inside and u != start:
                        continue
                    if cost <= graph.get_edge_data(u, v, {"weight": cost})["weight"]:
                        graph.add_edge(u, v, weight=cost)
            for v, length in nx.single_source_dijkstra_path_length(graph, start, cutoff=phase.limit).items():
                if v != start and length < best.get(v, 1 << 60):
                    best[v] = length
    return dict(sorted(best.items(), key=lambda item: (item[1], item[0])))


def row_of_houses(xs: list[int], rough: frozenset[int], adjoining: bool) -> Board:
    draft = Draft(lattice(9, 3), [House(x, 800, floors=2, sides=(0,)) for x in xs])
    draft.nodes = [p for p in draft.nodes if p[1] < 790]
    draft.terrain = dict.fromkeys(sorted(rough), "rough")
    draft.adjoining = [(i - 1, i) for i in range(1, len(xs))] if adjoining else []
    return draft.build()


boards = st.builds(
    row_of_houses,
    st.lists(st.integers(0, 20).map(lambda i: 100 * i), max_size=4),
    st.frozensets(st.integers(0, 26), max_size=4),
    st.booleans(),
)
few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def some(data: st.DataObject, n: int, most: int) -> frozenset[int]:
    return data.draw(st.frozensets(st.integers(0, n - 1), max_size=most)) if n else frozenset()


@pytest.mark.slow
@few
@given(boards, st.data())
def test_reach_agrees_with_networkx_whatever_was_asked_before(board: Board, data: st.DataObject) -> None:
    routes = Routes(board)
    for _ in range(3):
        start = data.draw(st.integers(0, len(board.spaces) - 1))
        for _ in range(2):
            shut = some(data, len(board.spaces), 6)
            fallen, closed = some(data, len(board.sections), 2), some(data, len(board.sections), 2)
            for mode in (ADVANCE, RUN):
                found = routes.reach(mode, start, shut, fallen, closed)
                assert list(found.items()) == list(
                    slow_reach(board, mode, start, shut, fallen, closed).items()
                )


@few
@given(boards, st.data())
def test_enemies_never_add_a_place_and_never_shorten_a_route(board: Board, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(board.spaces) - 1))
    shut = some(data, len(board.spaces), 6)
    free, held = board.routes.reach(RUN, start), board.routes.reach(RUN, start, shut)
    assert set(held) <= set(free) - shut
    assert all(length >= free[v] for v, length in held.items())


@few
@given(boards, st.data())
def test_paths_are_as_long_as_reach_says_and_keep_to_open_places(board: Board, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(board.spaces) - 1))
    shut, fallen = some(data, len(board.spaces), 6) - {start}, some(data, len(board.sections), 2)
    for goal, length in board.routes.reach(RUN, start, shut, fallen).items():
        path = board.routes.path(RUN, start, goal, shut, fallen)
        assert (path[0], path[-1]) == (start, goal)
        assert not shut.intersection(path)
        lengths = []
        for phase in RUN.options:
            steps = [
                [c for w in board.ways if {w.a, w.b} == {u, v} and (c := phase.cost(w)) is not None]
                for u, v in pairwise(path)
            ]
            if all(steps):
                lengths.append(sum(min(costs) for costs in steps))
        assert length in lengths


@few
@given(boards, st.data())
def test_a_field_agrees_with_networkx(board: Board, data: st.DataObject) -> None:
    goals = tuple(sorted(some(data, len(board.spaces), 3)))
    fallen, closed = some(data, len(board.sections), 2), some(data, len(board.sections), 2)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(board.spaces)))
    for way in board.ways:
        if way.kind == "ruin" and not set(way.sections) <= fallen:
            continue
        cost = way.length if way.kind in INSIDE or not way.rough else way.length * 2
        for u, v in ((way.a, way.b), (way.b, way.a)):
            one, two = board.spaces[u], board.spaces[v]
            if any(s.kind == "floor" and s.section in fallen for s in (one, two)):
                continue
            if two.kind == "floor" and way.kind != "stairs" and two.section in closed:
                continue
            if cost <= graph.get_edge_data(v, u, {"weight": cost})["weight"]:
                graph.add_edge(v, u, weight=cost)  # walked backwards
    wanted = nx.multi_source_dijkstra_path_length(graph, goals) if goals else {}
    assert board.routes.distance_field(RUN, goals, fallen, closed) == [
        wanted.get(v, -1) for v in range(len(board.spaces))
    ]


def test_forgetting_starts_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = town(2).build()
    starts, shut = range(len(board.spaces)), {3, 20, 30, 40}
    wanted = [(dict(board.routes.reach(RUN, s)), dict(board.routes.reach(RUN, s, shut))) for s in starts]
    monkeypatch.setattr("battlesim.board.routes._MOST_STARTS", 5)
    monkeypatch.setattr("battlesim.board.routes._MOST_ANSWERS", 5)
    routes = Routes(board)
    for _ in range(2):
        assert [(dict(routes.reach(RUN, s)), dict(routes.reach(RUN, s, shut))) for s in starts] == wanted
    assert len(routes._starts) == len(routes._answers) == 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tobacco-factory", "district"])
def test_a_route_read_off_the_lengths_is_the_one_searched_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = load_map(name)
    shut, ruins = frozenset(range(0, len(board.spaces), 7)), frozenset({0, 3})
    cases = [
        (start, goal, fallen)
        for start in range(1, len(board.spaces), 23)
        for fallen in (frozenset[int](), ruins)
        for goal in list(Routes(board).reach(ADVANCE, start, shut, fallen))[::3]
    ]
    read = [Routes(board).path(ADVANCE, start, goal, shut, fallen) for start, goal, fallen in cases]
    monkeypatch.setattr(Routes, "_back", lambda *_: None)
    assert read == [Routes(board).path(ADVANCE, start, goal, shut, fallen) for start, goal, fallen in cases]
    assert len(read) > 50
