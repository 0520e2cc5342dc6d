"""The state of sections: closed, fallen, burning, openings made at set-up (OD-SCEN-1, OD-FROM-5, OD-BUNK-2).

`Structure.own` holds `closed` (true or absent) and `made`: [floor, side] pairs, ascending. Read `made`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State
from battlesim.rulesets.orderdice import bunkers


def is_closed(state: State, section: int) -> bool:
    """Whether the scenario keeps a section closed (OD-SCEN-1)."""
    structure = state.structures.get(section)
    return structure is not None and bool(structure.own.get("closed"))


def is_standing(state: State, section: int) -> bool:
    """Whether a section has not fallen."""
    structure = state.structures.get(section)
    return structure is None or not structure.fallen


def is_burning(state: State, section: int) -> bool:
    """Whether a section burns."""
    structure = state.structures.get(section)
    return structure is not None and structure.burning


def can_burn(state: State, board: Board, section: int) -> bool:
    """Whether a section can be set on fire: it stands, does not burn yet and is not a bunker (OD-BUNK-2)."""
    if bunkers.is_bunker(board.sections[section]):
        return False
    return is_standing(state, section) and not is_burning(state, section)


def made(state: State, section: int, floor: int) -> tuple[int, ...]:
    """The sides of a floor through which an opening was made (OD-FROM-5), ascending."""
    structure = state.structures.get(section)
    if structure is None:
        return ()
    return tuple(side for level, side in structure.own.get("made", ()) if level == floor)


def blank_sides(state: State, board: Board, section: int, floor: int) -> tuple[int, ...]:
    """The sides of a floor that face the outdoors and have no opening, made ones included, ascending."""
    house = board.sections[section]
    taken = {board.openings[number].side for number in house.openings[floor]}
    taken.update(made(state, section, floor))
    return tuple(
        number
        for number, side in enumerate(house.sides)
        if side.outer and side.outer_from <= floor and number not in taken
    )
