"""Empty buildings as targets: brought down by heavy shells, set on fire by flame (OD-EMPTY-1). Read `targets`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit, fallen
from battlesim.rulesets.orderdice.armament import armament_of
from battlesim.rulesets.orderdice.bearings import bearings

MOST_EMPTIES, NEAREST = 8, 24
"""The most empty buildings offered as targets, and the number of nearest sections checked for them."""


def can_harm_buildings(unit: Unit) -> bool:
    """Whether a unit has any weapon that can bring down a building or set it on fire."""
    return armament_of(unit).harms_buildings


def targets(
    state: State,
    board: Board,
    unit: Unit,
    moved: bool,
    wall: int,
    used: tuple[int, ...] = (),
    most: int = MOST_EMPTIES,
) -> list[int]:
    """Standing sections without units on any floor that some weapon can harm from a wall, each by the lowest floor it can hit:
    the nearest ones, at most `most`."""
    if unit.place < 0 or not can_harm_buildings(unit):
        return []
    reach, down = armament_of(unit).reach, fallen(state)
    found: list[int] = []
    for gap, number in near_sections(board, unit.place):
        if gap > reach or len(found) >= most:
            break
        floors = board.sections[number].spaces
        if number in down or any(floor in state.at for floor in floors):
            continue
        for floor in floors:
            bearing = bearings(state, board, unit, floor, None, moved, wall, used)
            if next(bearing, None) is not None:
                found.append(floor)
                break
    return found


@owned_memo(bound=10_000)
def near_sections(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """The sections nearest to a space as (gap, section), NEAREST at most."""
    point = board.spaces[place].point
    gaps = sorted((board.gap_to_section(point, section.id), section.id) for section in board.sections)
    return tuple(gaps[:NEAREST])
