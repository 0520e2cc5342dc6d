"""The ground of a map picture: areas with their vegetation and stones, nodes and ways, obstacles. See `draw.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from battlesim.board.board import Board
from battlesim.board.hexgrid import hex_at, hex_outline
from battlesim.board.model import Area
from battlesim.board.shapes import bounds, central_point
from battlesim.board.svg import Canvas
from battlesim.board.terrain import GROUND
from battlesim.core.geometry import Point, in_polygon

INK = "#3a352c"
"""The colour of lines and letters."""
DEEP = "#7fafc8"
"""The fill of deep water."""
_GLYPHS = 6000  # no picture needs more trees and stones than this
PARTS = {"inch": 100, "hex": 40}
"""How large trees and stones are, by the map's unit, in hundredths of those on a map in inches."""


def draw_areas(canvas: Canvas, board: Board) -> None:
    """Areas in their order, with trees, tufts, stones and waves."""
    room = sum((e - w) * (n - s) for w, s, e, n in (bounds(area.polygon) for area in board.areas)) or 1
    step = 100
    part = PARTS[board.unit]
    step = step * part // 100
    while room // (step * step) > _GLYPHS:
        step += 25
    for i, area in enumerate(board.areas):
        kind = GROUND[area.kind]
        if kind.sight == "hill":
            _hill(canvas, area)
            continue
        fill, line = DEEP if area.deep else kind.fill, kind.edge
        if not kind.joined:
            edge = f'stroke="{line}" stroke-width="1" stroke-linejoin="round"'
            canvas.polygon(area.polygon, f'fill="{fill}" {edge}')
        elif i == 0 or not GROUND[board.areas[i - 1].kind].joined:
            for other in takewhile(lambda other: GROUND[other.kind].joined, board.areas[i:]):
                edge = f'stroke="{GROUND[other.kind].edge}" stroke-width="2"'
                canvas.polygon(other.polygon, f'fill="none" {edge}')
        if kind.joined:
            canvas.polygon(area.polygon, f'fill="{fill}"')
        if kind.mark:
            for p, chance in scattered(area.polygon, step):
                draw_glyph(canvas, kind.mark, p, chance, part)


def scattered(polygon: Sequence[Point], step: int) -> Iterator[tuple[Point, int]]:
    """Points spread over a polygon, unevenly but always alike, about one to a square of `step` hundredths. Each comes with a
    number from 0 to 65,535, to vary by it what is drawn there."""
    west, south, east, north = bounds(polygon)
    for row in range(south // step, north // step + 1):
        for column in range(west // step, east // step + 1):
            chance = (column * 73856093 ^ row * 19349663) * 2654435761 >> 7 & 0xFFFF
            p = (column * step + chance % step, row * step + chance // 97 % step)
            if in_polygon(p, polygon):
                yield p, chance


def draw_glyph(canvas: Canvas, mark: str, p: Point, chance: int, part: int = 100) -> None:
    """One mark of `terrain.GroundKind` (tree, tuft, stone or wave), `part` hundredths of the usual size; `chance`, 0 or more,
    varies it."""
    x, y = p

    def at(*offsets: tuple[int, int]) -> list[Point]:
        return [(x + a * part // 100, y + b * part // 100) for a, b in offsets]

    if mark == "tree":
        green = ("#7a9a58", "#86a565", "#6f8f4f")[chance % 3]
        radius = (38 + chance % 25) * part // 100
        canvas.circle(at((8, -8))[0], radius, 'fill="#000" opacity="0.12"')
        canvas.circle(p, radius, f'fill="{green}" stroke="#5b7a3f" stroke-width="0.6"')
    elif mark == "tuft":
        for lean in (-14, 0, 14):
            canvas.line(at((lean // 2, 0), (lean, 26)), 'stroke="#9a9358" stroke-width="1"')
    elif mark == "stone":
        size = 10 + chance % 16
        stone = at((-size, -4), (3, -size), (size, 6), (-2, size))
        canvas.polygon(stone, 'fill="#a89f92" stroke="#857b6c" stroke-width="0.6"')
    else:
        wave = at((-30, 0), (-15, 8), (0, 0), (15, -8), (30, 0))
        canvas.line(wave, 'stroke="#7fb0c8" stroke-width="1"')


def _hill(canvas: Canvas, area: Area) -> None:
    kind = GROUND[area.kind]
    style = f'fill="{kind.fill}" stroke="{kind.edge}"'
    canvas.polygon(area.polygon, f'{style} fill-opacity="0.35" stroke-width="1.2" stroke-linejoin="round"')
    centre = central_point(area.polygon)
    for part in (75, 50):
        ring = [
            (centre[0] + (x - centre[0]) * part // 100, centre[1] + (y - centre[1]) * part // 100)
            for x, y in area.polygon
        ]
        canvas.polygon(ring, f'{style} fill-opacity="0.3" stroke-width="0.7"')
    canvas.text(centre, f"+{area.height / 100:g}", 'font-size="11" text-anchor="middle" fill="#7a6436"')


def draw_ways(canvas: Canvas, board: Board) -> None:
    """Nodes and ways between them, faintly; of a hex map the hexes."""
    if board.unit == "hex":
        for space in board.spaces:
            if space.kind != "floor":
                outline = hex_outline(*hex_at(space.point))
                canvas.polygon(outline, f'fill="none" stroke="{INK}" stroke-width="0.7" opacity="0.25"')
        return
    parts = []
    for way in board.ways:
        if way.kind == "ground":
            a, b = board.spaces[way.a], board.spaces[way.b]
            parts.append(f"M{canvas.x(a.x)} {canvas.y(a.y)}L{canvas.x(b.x)} {canvas.y(b.y)}")
    canvas.raw(f'<path d="{"".join(parts)}" stroke="{INK}" stroke-width="0.6" opacity="0.09" fill="none"/>')
    for space in board.spaces:
        if space.kind == "ground":
            canvas.circle(space.point, 7 * PARTS[board.unit] // 100, f'fill="{INK}" opacity="0.22"')


def draw_obstacles(canvas: Canvas, board: Board) -> None:
    """Walls, hedges and fences."""
    for piece in board.obstacles:
        line = (piece.a, piece.b)
        if piece.kind == "wall":
            canvas.line(line, 'stroke="#5f594f" stroke-width="5" stroke-linecap="square"')
            canvas.line(line, 'stroke="#b5ada0" stroke-width="2.4" stroke-dasharray="6 1.5"')
        elif piece.kind == "hedge":
            canvas.line(line, 'stroke="#4f6f35" stroke-width="7" stroke-linecap="round"')
            dots = 'stroke="#7fa05a" stroke-width="4.5" stroke-linecap="round" stroke-dasharray="0.1 6"'
            canvas.line(line, dots)
        else:
            canvas.line(line, 'stroke="#7a6a50" stroke-width="1.4"')
            canvas.line(line, 'stroke="#7a6a50" stroke-width="6" stroke-dasharray="1.4 9"')
