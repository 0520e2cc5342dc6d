"""A position as a picture: the map of one floor with the units on it. Read `draw_position`.

Works from a replayed state as from a live one: it reads common fields only, so every ruleset's battles can be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.board.draw import Mark, draw_map
from battlesim.core.state import State, burning, fallen

COLOURS = ("#b3321f", "#1f4fb3")
"""Of side 0 and side 1."""


def draw_position(
    board: Board, state: State, sides: Sequence[str], floor: int = 0, caption: str = "", scale: int = 0
) -> str:
    """The SVG of a position: units outdoors and on one floor, labelled by their number of models (a vehicle by a square without
    one), the two sides in red and blue, fallen and burning sections as such."""
    marks: list[Mark] = []
    elsewhere = 0
    for unit in state.units.values():
        if not unit.alive or unit.place < 0:
            continue
        space = board.spaces[unit.place]
        if space.kind == "floor" and space.floor != floor:
            elsewhere += 1
            continue
        many = unit.models > 1
        shape = "disc" if many else "square"
        marks.append(
            Mark(space.x, space.y, str(unit.models) if many else "", COLOURS[unit.side], shape, unit.name)
        )
    said = caption or f"{sides[0]} in red, {sides[1]} in blue"
    if elsewhere:
        said += f"; {elsewhere} more on other floors"
    return draw_map(
        board, floor, marks, fallen=fallen(state), burning=burning(state), caption=said, scale=scale
    )
