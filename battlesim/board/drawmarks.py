"""Marks on a map picture: places, objectives, zones. See `draw.py`; units are drawn by `viewer/symbols.py`.

Marks on one space are drawn side by side, and small enough not to overlap with those of the next space.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.drawground import INK
from battlesim.board.hexgrid import hex_at, hex_outline
from battlesim.board.model import Space
from battlesim.board.shapes import bounds
from battlesim.board.svg import Canvas, colour_of, text_of
from battlesim.core.geometry import Point

GOLD = "#b8860b"
"""The colour of objectives."""
_RADIUS = {"inch": 60, "hex": 18}
"""Of a mark alone on its space, in hundredths."""


class PointMark(NamedTuple):
    """A mark at a point. `x, y`: in hundredths. `colour`: a word or #hex. `shape`: disc, square, diamond or triangle; any other
    is drawn as a square. `title`: shown under the pointer, "" for none."""

    x: int
    y: int
    label: str
    colour: str = "black"
    shape: str = "disc"
    title: str = ""


class Flag(NamedTuple):
    """An objective: its letter (`label`), its sections by number, or else its point, and its flag's colour."""

    label: str
    sections: tuple[int, ...] = ()
    point: Point = (0, 0)
    title: str = ""
    colour: str = GOLD


class ZoneMark(NamedTuple):
    """Spaces where a side may set up, by number. `title`: shown under the pointer, "" for none."""

    colour: str
    spaces: tuple[int, ...]
    title: str = ""


# ---- zones and objectives


def draw_zones(canvas: Canvas, board: Board, zones: Sequence[ZoneMark]) -> None:
    """A tint over the ground spaces of each zone."""
    half = _spacing(board) // 2
    for zone in zones:
        parts = []
        for number in zone.spaces:
            space = board.spaces[number]
            if space.kind == "ground":
                parts.append(
                    f"M{'L'.join(f'{canvas.x(x)} {canvas.y(y)}' for x, y in _cell(board, space, half))}Z"
                )
        title = f"<title>{text_of(zone.title)}</title>" if zone.title else ""
        style = f'fill="{colour_of(zone.colour)}" fill-opacity="0.1"'
        canvas.raw(f'<path class="zone" d="{"".join(parts)}" {style}>{title}</path>')


def _cell(board: Board, space: Space, half: int) -> Sequence[Point]:
    """The ground about a space: its hex, or a square as wide as the lattice."""
    x, y = space.point
    if board.unit == "hex":
        return hex_outline(*hex_at(space.point))
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _spacing(board: Board) -> int:
    """How far apart the columns of the lattice lie."""
    columns = sorted({space.x for space in board.spaces if space.kind == "ground"})
    return min((b - a for a, b in pairwise(columns) if b - a >= 50), default=200)


def outline_goals(canvas: Canvas, board: Board, flags: Sequence[Flag]) -> None:
    """The sections named by objectives, outlined in gold."""
    for flag in flags:
        for number in flag.sections:
            outline = board.sections[number].polygon
            canvas.polygon(outline, f'fill="none" stroke="{GOLD}" stroke-width="3" stroke-dasharray="9 4"')


def draw_flags(canvas: Canvas, board: Board, flags: Sequence[Flag]) -> None:
    """A flag with a letter for each objective. A page moves each by its `pole`, which says where it stands."""
    taken: dict[Point, int] = {}
    for flag in flags:
        outlines = [board.sections[number].polygon for number in flag.sections]
        point = flag.point
        if outlines:
            corners = [bounds(outline) for outline in outlines]
            point = (
                max(c[2] for c in corners),
                max(c[3] for c in corners if c[2] == max(d[2] for d in corners)),
            )
        shift = taken.get(point, 0)
        taken[point] = shift + 1
        x, y = float(canvas.x(point[0])) - 4 - 19 * shift, float(canvas.y(point[1])) + 2
        x, y = (
            min(max(x, canvas.margin[0] + 4), canvas.margin[0] + canvas.size[0] * canvas.scale // 100 - 18),
            max(y, canvas.margin[1] + 16),
        )
        canvas.raw(
            f'<g class="pole" data-at="{x:.1f} {y:.1f}"><g class="flag"><title>{text_of(flag.title)}</title>'
            f'<path d="M{x:.1f} {y:.1f}v-16h16l-4 5l4 5h-16" fill="{colour_of(flag.colour)}" stroke="{INK}" stroke-width="0.8"/>'
            f'<text x="{x + 6:.1f}" y="{y - 7.5:.1f}" font-size="9" font-weight="bold" font-family="sans-serif" fill="#fff" '
            f'text-anchor="middle">{text_of(flag.label)}</text></g></g>'
        )


# ---- marks


def draw_marks(canvas: Canvas, board: Board, marks: Sequence[PointMark]) -> None:
    """Marks, those on one point side by side."""
    here: dict[Point, list[PointMark]] = {}
    for mark in marks:
        here.setdefault((mark.x, mark.y), []).append(mark)
    for (x, y), group in here.items():
        wide = isqrt(len(group) - 1) + 1
        radius = _RADIUS[board.unit] * 2 // max(wide, 2)
        step = radius * 215 // 100
        rows = (len(group) + wide - 1) // wide
        for number, mark in enumerate(group):
            row, column = divmod(number, wide)
            in_row = min(wide, len(group) - row * wide)
            at = (x + (2 * column - in_row + 1) * step // 2, y - (2 * row - rows + 1) * step // 2)
            _mark(canvas, mark, at, radius)


def _mark(canvas: Canvas, mark: PointMark, at: Point, r: int) -> None:
    x, y = at
    canvas.raw(f'<g class="mark"><title>{text_of(mark.title)}</title>' if mark.title else '<g class="mark">')
    colour = colour_of(mark.colour)
    style = f'fill="{colour}" stroke="#fff" stroke-width="1.4"'
    if mark.shape == "disc":
        canvas.circle(at, r, style)
    else:
        canvas.polygon(
            [(x + a * r // 100, y + b * r // 100) for a, b in _SHAPES.get(mark.shape, _SQUARE)], style
        )
    if mark.label:
        inside = len(mark.label) <= 3
        size = max(6, r * canvas.scale * (100 if len(mark.label) < 3 else 80) // 10000)
        fill = "#fff" if inside else INK
        halo = "" if inside else 'stroke="#fbf9f2" stroke-width="2.5" paint-order="stroke" '
        font = f'font-size="{size}" font-weight="bold" font-family="sans-serif"'
        drop = size * 36 // canvas.scale if inside else r + 1100 // canvas.scale
        canvas.text((x, y - drop), mark.label, f'{font} fill="{fill}" {halo}text-anchor="middle"')
    canvas.raw("</g>")


_SQUARE = ((-90, -90), (90, -90), (90, 90), (-90, 90))
_SHAPES = {
    "square": _SQUARE,
    "diamond": ((0, -120), (120, 0), (0, 120), (-120, 0)),
    "triangle": ((-105, 95), (105, 95), (0, -120)),
}
