"""Stairs on a map picture: steps in a corner of each section, with an arrow up, down, or both. See `draw.py`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.drawground import INK, PARTS
from battlesim.board.model import Section
from battlesim.board.shapes import central_point, deep_in
from battlesim.board.svg import Canvas
from battlesim.core.geometry import Point

STEPS = "#e0a458"
"""What stairs are filled with, here and in the key."""
_WIDE, _HIGH = 26, 38  # half of how large the steps are
_ARROW = 44  # how far the arrows lie to the east of the middle of the steps


def has_stairs(board: Board) -> bool:
    """Whether any stairs are on the map."""
    return any(way.kind == "stairs" for way in board.ways)


def draw_stairs(canvas: Canvas, board: Board, section: Section, floor: int) -> None:
    """The stairs that lead from one floor of a section up and down; nothing where none do."""
    ends = {end for end, _ in board.exits[section.spaces[floor]]}
    up = floor < section.top and section.spaces[floor + 1] in ends
    down = floor > 0 and section.spaces[floor - 1] in ends
    if not (up or down):
        return
    part = PARTS[board.unit]
    wide, high, east = _WIDE * part // 100, _HIGH * part // 100, _ARROW * part // 100
    half = (wide + east + wide // 2) // 2  # of the steps and their arrows together
    x, y = _corner(section, half, high)
    x += wide - half
    canvas.raw('<g class="stairs">')
    line = f'stroke="{INK}" stroke-width="0.8"'
    canvas.polygon(
        ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)),
        f'fill="{STEPS}" {line}',
    )
    for step in (-1, 0, 1):
        canvas.line(((x - wide, y + step * high // 2), (x + wide, y + step * high // 2)), line)
    for there, way in ((up, 1), (down, -1)):
        if there:
            _arrow(canvas, (x + east, y + way * high // 2), way * high * 2 // 5, wide // 2)
    canvas.raw("</g>")


def _arrow(canvas: Canvas, at: Point, tall: int, wide: int) -> None:
    """A triangle that points north where `tall` is above 0, else south."""
    x, y = at
    canvas.polygon(((x - wide, y - tall), (x + wide, y - tall), (x, y + tall)), f'fill="{INK}"')


def _corner(section: Section, wide: int, high: int) -> Point:
    """A point towards a corner of a section (south-west first) around which a box of twice `wide` by twice `high` fits;
    else the middle. A corner leaves the middle and the walls free for units, names and openings."""
    x, y = central_point(section.polygon)
    for a, b in sorted(section.polygon, key=lambda corner: (sum(corner), corner)):
        for share in (65, 50, 35):
            p, q = x + (a - x) * share // 100, y + (b - y) * share // 100
            box = ((p + i * wide, q + j * high) for i in (-1, 1) for j in (-1, 1))
            if all(deep_in(corner, section.polygon) for corner in box):
                return p, q
    return x, y
