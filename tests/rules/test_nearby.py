"""Who is near: nobody within the distance is ever left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from battlesim.core.state import Unit
from battlesim.rules.nearby import Nearby
from battlesim.scenario.load import load_scenario

BOARD = load_scenario("stairwell").board
PLACES = st.integers(-1, len(BOARD.spaces) - 1)


@given(st.lists(PLACES, max_size=30), st.integers(0, len(BOARD.spaces) - 1), st.integers(0, 3000))
def test_all_within_a_distance_are_found(places: list[int], place: int, far: int) -> None:
    units = [Unit(number, 0, "one", "levy", where, 1) for number, where in enumerate(places)]
    found = {unit.id for unit in Nearby(BOARD, units).within(place, far)}
    near = {unit.id for unit in units if unit.place >= 0 and BOARD.within(unit.place, place, far)}
    on_board = {unit.id for unit in units if unit.place >= 0}
    assert near <= found <= on_board


def test_who_is_far_east_or_west_is_not_looked_at() -> None:
    west, east = (pick(range(len(BOARD.spaces)), key=lambda n: BOARD.spaces[n].x) for pick in (min, max))
    assert not Nearby(BOARD, [Unit(0, 0, "one", "levy", east, 1)]).within(west, 100)
