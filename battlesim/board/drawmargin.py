"""The margin of a map picture: title, axes, scale, key, and the panel to the right. See `draw.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.drawground import DEEP, INK
from battlesim.board.drawstairs import STEPS, has_stairs
from battlesim.board.svg import Canvas, colour_of, text_of
from battlesim.board.terrain import GROUND, OBSTACLES

MATERIALS = {
    "wood": ("#e8d3b0", "#8a5a2b"),
    "brick": ("#eccdbf", "#9c4a34"),
    "stone": ("#dedbd3", "#6d675d"),
    "concrete": ("#d3d8dc", "#4b5560"),
}
"""The colours of what is built of each material: inside, and of its walls."""
OPENINGS = {"door": "#5b3a1e", "window": "#8fd0ee", "slit": "#111111", "gap": "#f7f3e3"}
"""The colour of each kind of opening."""
_COLUMN = 360  # pixels of a column of the panel
_LINE = 16  # pixels of a line of the panel
_NARROW = 600  # pixels that a sheet is wide at least, so that title, compass and the line about the axes fit above and below it
_LETTERS = 56  # of a line of the panel


class PanelLine(NamedTuple):
    """A line of the panel: a heading, or a text after the mark that it explains (`label` in a disc of `colour`)."""

    text: str
    label: str = ""
    colour: str = ""
    faded: bool = False
    heading: bool = False


def fitting_scale(board: Board, usual: int) -> int:
    """Pixels to the unit: the usual ones, or as many more as a small map needs for the texts around it, unless it is long.
    Hexes are large enough."""
    width, height = board.size
    if board.unit == "hex":
        return usual
    return max(usual, min(-(-_NARROW * 100 // width), 3 * _NARROW * 100 // height))


def panel_width(panel: Sequence[PanelLine], height: int) -> int:
    """Pixels that the panel needs beside a sheet of a height in pixels; 0 without lines."""
    each = max(10, height // _LINE)
    return -(-len(panel) // each) * _COLUMN


def draw_margin(
    canvas: Canvas, board: Board, caption: str, panel: Sequence[PanelLine], beside: int = 0
) -> None:
    """Everything around the sheet but its axes. `beside`: pixels to leave free between the sheet and the panel."""
    top, left, bottom = canvas.margin[1], canvas.margin[0], canvas.height - canvas.margin[3]
    right = left + board.size[0] * canvas.scale // 100
    canvas.label(left, 28, board.title, f'font-size="20" fill="{INK}"')
    canvas.label(left, 47, caption, f'font-size="12" font-style="italic" fill="{INK}"')
    canvas.raw(f'<path d="M{right - 20} {top - 30}l7 -30l7 30l-7 -7z" fill="{INK}"/>')
    canvas.label(right, top - 32, "N", f'font-size="13" fill="{INK}"')
    _scale(canvas, board, left, bottom + 28)
    _key(canvas, board, left, bottom + 62)
    credit = ", ".join(part for part in (board.attribution, board.license) if part)
    if credit:
        canvas.label(left, canvas.height - 6, credit, f'font-size="10" fill="{INK}"')
    _panel(canvas, panel, right + canvas.margin[0] + beside, top)


def _scale(canvas: Canvas, board: Board, left: int, y: int) -> None:
    """A bar of a fifth of the sheet or so, in whole units."""
    units = max(1, min(12, board.size[0] // 500))
    for i in range(units):
        fill = INK if i % 2 == 0 else "#fbf9f2"
        canvas.raw(
            f'<rect x="{left + i * canvas.scale}" y="{y}" width="{canvas.scale}" height="6" fill="{fill}" '
            f'stroke="{INK}" stroke-width="0.8"/>'
        )
    name = {"hex": "hex" if units == 1 else "hexes"}.get(board.unit, "inch" if units == 1 else "inches")
    canvas.label(left + units * canvas.scale + 8, y + 7, f"{units} {name}", f'font-size="11" fill="{INK}"')
    if board.unit != "hex" and _lattice(board)[0]:
        said = "left and below: inches; above and right: column and row of g<column>.<row>"
        canvas.label(
            left + units * canvas.scale + 90, y + 7, said, f'font-size="10" fill="{INK}" opacity="0.8"'
        )


# ---- axes

_NODE = re.compile(r"g(\d+)\.(\d+)")


def _lattice(board: Board) -> tuple[dict[int, int], dict[int, int]]:
    """Where the columns and the rows of named nodes lie: node g<column>.<row> stands where they meet."""
    columns: dict[int, int] = {}
    rows: dict[int, int] = {}
    for space in board.spaces:
        named = _NODE.fullmatch(space.name) if space.kind == "ground" else None
        if named:
            columns.setdefault(int(named[1]), space.x)
            rows.setdefault(int(named[2]), space.y)
    return columns, rows


def draw_axes(canvas: Canvas, board: Board) -> None:
    """Numbers along the sheet: inches, or columns and rows of hexes; above and right the numbers in names of places."""
    width, height = board.size
    style = f'font-size="9" fill="{INK}" text-anchor="middle"'
    away = 1100 // canvas.scale
    columns, rows = _lattice(board)
    if board.unit == "hex":
        for number, x in columns.items():
            canvas.text((x, -away), str(number), style)
        for number, y in rows.items():
            canvas.text((-away, y - away // 4), str(number), style)
        return
    every = next(step for step in (1, 2, 3, 6, 12, 24, 48, 96) if step * canvas.scale >= 48 or step == 96)
    line = f'stroke="{INK}" stroke-width="1"'
    tick = 400 // canvas.scale
    for inches in range(0, width // 100 + 1, every):
        canvas.line(((inches * 100, 0), (inches * 100, -tick)), line)
        canvas.text((inches * 100, -away - tick // 2), str(inches), style)
    for inches in range(0, height // 100 + 1, every):
        canvas.line(((0, inches * 100), (-tick, inches * 100)), line)
        canvas.text((-away - tick, inches * 100 - away // 4), str(inches), style)
    faint = f'font-size="8" fill="{INK}" text-anchor="middle" opacity="0.6"'
    gap = min(
        (b - a for a, b in pairwise(sorted(columns.values()))),
        default=1,
    )
    step = max(1, -(-2000 // max(1, gap * canvas.scale)))  # numbers at least 20 pixels apart
    for number, x in columns.items():
        if number % step == 0:
            canvas.text((x, height + 500 // canvas.scale), str(number), faint)
    for number, y in rows.items():
        if number % step == 0:
            canvas.text((width + away, y - away // 4), str(number), faint)


# ---- the key


def key_items(board: Board) -> list[tuple[str, str, str]]:
    """What is on this map, ground, obstacles, materials, openings, stairs: each with its fill and its outline."""
    kinds = {opening.kind for opening in board.openings}
    areas = {area.kind for area in board.areas if not area.deep} | {
        space.terrain for space in board.spaces if space.kind == "ground"
    }
    lying = {piece.kind for piece in board.obstacles}
    items = [
        (f"{name} (+ its height)" if kind.sight == "hill" else name, kind.fill, kind.edge)
        for name, kind in GROUND.items()
        if name in areas and kind.edge != "none"
    ]
    deep = dict.fromkeys(area.kind for area in board.areas if area.deep)
    items += [(f"deep {kind}: nobody crosses it", DEEP, GROUND[kind].edge) for kind in deep]
    items += [(name, kind.colour, INK) for name, kind in OBSTACLES.items() if name in lying]
    made = {section.material for section in board.sections}
    items += [(material, *MATERIALS[material]) for material in MATERIALS if material in made]
    items += [(kind, OPENINGS[kind], INK) for kind in OPENINGS if kind in kinds]
    if has_stairs(board):
        items.append(("stairs, with arrows up and down", STEPS, INK))
    return items


def _key(canvas: Canvas, board: Board, left: int, y: int) -> None:
    """What is on this map."""
    items = key_items(board)
    x = left
    for name, fill, line in items:
        wide = 30 + 7 * len(name)
        if x + wide > canvas.width - 10:
            x, y = left, y + 15
        edge = "#857b6c" if line == "none" else line
        canvas.raw(
            f'<rect x="{x}" y="{y - 8}" width="12" height="10" fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        )
        canvas.raw(f'<text x="{x + 17}" y="{y + 1}" font-size="11" fill="{INK}">{text_of(name)}</text>')
        x += wide


def _panel(canvas: Canvas, panel: Sequence[PanelLine], left: int, top: int) -> None:
    each = max(10, (canvas.height - top) // _LINE)
    for number, line in enumerate(panel):
        column, row = divmod(number, each)
        x, y = left + column * _COLUMN, top + 8 + row * _LINE
        text = line.text if len(line.text) <= _LETTERS else line.text[: _LETTERS - 1] + "…"
        fade = ' opacity="0.5"' if line.faded else ""
        if line.label:
            canvas.raw(
                f'<rect x="{x}" y="{y - 9}" width="20" height="13" rx="6" fill="{colour_of(line.colour)}"{fade}/>'
                f'<text x="{x + 10}" y="{y + 1}" font-size="9" font-weight="bold" font-family="sans-serif" fill="#fff" '
                f'text-anchor="middle">{text_of(line.label)}</text>'
            )
        weight = ' font-weight="bold"' if line.heading else ""
        style = f'font-size="{12 if line.heading else 11}" fill="{INK}"{weight}{fade}'
        canvas.label(x + (0 if line.heading else 26), y + 1, text, style)
