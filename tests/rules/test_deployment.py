"""Where units begin: zones are filled as far as that can be done; what cannot be is said (rules/deployment.py)."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim.board.board import Board
from battlesim.board.model import Space
from battlesim.core.dice import KeyedDice
from battlesim.rules.deployment import (
    Deployment,
    Indoors,
    Refusal,
    check_place,
    check_room,
    fill_zones,
    in_order,
    starting_places,
)
from battlesim.rules.scenario import Force, Scenario, SideInfo, Zone

PLACES = 6


def scenario(forces: Sequence[Force], zone: Sequence[int] = range(PLACES)) -> Scenario:
    """A side with one zone of the first places, even ones outdoors, odd ones floors; the last place lies outside of it."""
    spaces = tuple(Space(n, f"p{n}", "floor" if n % 2 else "ground", 600 * n, 0) for n in range(PLACES + 1))
    size = (600 * PLACES, 100)
    board = Board("row", "A row", "inch", size, 600, spaces, (), (), (), (), (), "0" * 32, b"")
    sides = (SideInfo("Red", (Zone("all", tuple(zone)),)), SideInfo("Blue"))
    return Scenario("row", "", "", "none", "row", board, 6, sides, tuple(forces))


def force(number: int, kind: str = "any", place: int = -1, side: int = 0) -> Force:
    return Force(number, side, kind, f"unit {number}", place=place, zone="" if place >= 0 else "all")


def rules(fits: dict[str, tuple[int, ...]], shared: int = 1, indoors: Indoors = "either") -> Deployment:
    """Types by the places that suit them; a place holds `shared` units."""

    def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
        return None if place in fits[scenario.forces[number].type] else ("it does not suit", "move it")

    return Deployment(
        types={name: SimpleNamespace(title=name) for name in fits},
        refuse=refuse,
        room=lambda scenario, place, here, number: len(here) < shared,
        holds=f"a place holds {shared}",
        shared=shared > 1,
        indoors=lambda kind: indoors,
    )


@given(
    st.lists(st.frozensets(st.integers(0, PLACES - 1)), max_size=9),
    st.permutations(range(PLACES)),
    st.integers(1, 3),
)
def test_whoever_can_be_placed_is(suits: list[frozenset[int]], drawn: list[int], shared: int) -> None:
    """As many as a maximum matching of units and places gives, each where it fits, whatever the lots say."""
    fits = {f"type {n}": tuple(sorted(places)) for n, places in enumerate(suits)}
    made = scenario([force(n, f"type {n}") for n in range(len(suits))])
    where = fill_zones(made, rules(fits, shared), lambda purpose, side, n: drawn)
    assert all(place in fits[f"type {number}"] for number, place in where.items())
    taken = list(where.values())
    assert all(taken.count(place) <= shared for place in taken)
    graph = nx.Graph()
    units = [("unit", n) for n in range(len(suits))]
    graph.add_nodes_from(units)
    graph.add_edges_from(
        (("unit", n), (place, copy))
        for n, places in enumerate(suits)
        for place in places
        for copy in range(shared)
    )
    assert len(where) == len(nx.bipartite.maximum_matching(graph, units)) // 2


def test_units_are_put_on_the_first_place_drawn_unless_that_keeps_another_out() -> None:
    fits = {"any": (0, 1, 2), "picky": (2,)}
    drawn = [2, 1, 0, 3, 4, 5]
    lots = lambda purpose, side, n: drawn  # noqa: E731
    assert fill_zones(scenario([force(0)]), rules(fits), lots) == {0: 2}
    assert fill_zones(scenario([force(0), force(1, "picky")]), rules(fits), lots) == {0: 1, 1: 2}
    # who has a place of its own does not make room
    assert fill_zones(scenario([force(0, place=2), force(1, "picky")]), rules(fits), lots) == {}


@pytest.mark.parametrize(
    ("indoors", "first", "second"), [("either", 0, 1), ("never", 0, 2), ("by lot", 1, 0)]
)
def test_who_goes_indoors(indoors: Indoors, first: int, second: int) -> None:
    """By lot: the first unit's lot is even and it looks indoors first, the second's odd and it looks outdoors first."""
    fits = {"any": tuple(range(PLACES))}
    made = scenario([force(0), force(1)])
    assert fill_zones(made, rules(fits, indoors=indoors)) == {0: first, 1: second}


def test_the_fuller_of_lots_and_no_chance_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of stacking can be such that the lots leave somebody out for whom there is room in plain order."""

    def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
        return None if place in (0, 2) else ("no", "")

    def room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
        return place == 2 and here == [1]  # on place 2, and only beside unit 1

    stacked = Deployment({"any": SimpleNamespace()}, refuse, room, "", shared=True)
    made = scenario([force(n) for n in range(3)], zone=(0, 2))
    assert fill_zones(made, stacked) == {0: 0, 1: 2, 2: 2}
    found = [starting_places(made, stacked, KeyedDice(seed)) for seed in range(8)]
    assert all(len(where) == 3 for where in found)


def test_own_places_count_as_starting_places() -> None:
    made = scenario([force(0, place=3), force(1), Force(2, 0, "any", "late", zone="all", reserve=2)])
    assert starting_places(made, rules({"any": (0, 3)}), KeyedDice(1)) == {0: 3, 1: 0}


def told(faults: Sequence[Any]) -> list[str]:
    return [str(fault) for fault in faults]


def test_faults_of_places_of_their_own() -> None:
    made = scenario([force(0, place=0), force(1, place=PLACES), force(2, place=4), force(3)])
    known = rules({"any": (0, PLACES)})
    assert check_place(made, 0, known) == check_place(made, 3, known) == []
    assert told(check_place(made, 1, known)) == [
        "forces[1].at: 'p6' is in no zone of side 'Red'; enlarge the zone or move the unit"
    ]
    assert told(check_place(made, 2, known)) == ["forces[2].at: it does not suit; move it"]
    floor = scenario([force(0, place=5)], zone=(0, 1))
    assert "'p5' does not lie wholly in a zone of side 'Red'" in told(check_place(floor, 0, known))[0]


def test_faults_of_room() -> None:
    """Each on its own line; units of one entry that find no place are counted together."""
    one_entry = [Force(5, 0, "any", f"unit {n}", zone="all") for n in range(2, 5)]
    made = scenario([force(0, place=0), force(1, place=0), *one_entry])
    assert told(check_room(made, rules({"any": (0, 2)}))) == [
        "forces[1].at: 'p0' is taken by 'unit 0'; a place holds 1",
        "forces[5].zone: zone 'all' has no room for 2 of the units; enlarge the zone, or use fewer units",
    ]
    assert check_room(made, rules({"any": (0, 2)}, shared=3)) == []


def test_lots_without_chance() -> None:
    assert list(in_order("zone all", 0, 4)) == [0, 1, 2, 3]
