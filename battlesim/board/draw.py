"""A map as an SVG picture, floor by floor, drawn by hand: terrain, buildings by material, openings by kind.

The same board gives the same bytes. Read `draw_map` first; `Mark` and `Arrow` are how units and fire come on top.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.drawground import INK, draw_areas, draw_glyph, draw_obstacles, draw_ways, scattered
from battlesim.board.model import Section
from battlesim.board.shapes import along, bounds, covered, edges, heart, outwards
from battlesim.board.svg import Canvas, colour_of, text_of
from battlesim.core.geometry import Point, distance

# fill, outline
_MATERIALS = {
    "wood": ("#e8d3b0", "#8a5a2b"),
    "brick": ("#eccdbf", "#9c4a34"),
    "stone": ("#dedbd3", "#6d675d"),
    "concrete": ("#d3d8dc", "#4b5560"),
}
_OPENINGS = {"door": "#5b3a1e", "window": "#8fd0ee", "slit": "#111111", "gap": "#f7f3e3"}
_HALF = {"door": 45, "window": 38, "slit": 30, "gap": 50}  # half of how wide they are drawn
_PAPER = "#e9e6d0"
_SCALES = {"inch": 20, "hex": 56}  # pixels to the unit


class Mark(NamedTuple):
    """Something on the map: a unit. `x, y` in hundredths; `shape` is disc, square, diamond, triangle or cross; `title` is what
    a reader's pointer shows."""

    x: int
    y: int
    label: str
    colour: str = "black"
    shape: str = "disc"
    title: str = ""


class Arrow(NamedTuple):
    """A line from one point to another, for fire or a move."""

    x1: int
    y1: int
    x2: int
    y2: int
    colour: str = "black"
    dashed: bool = False


def count_floors(board: Board) -> int:
    """How many floors there are to draw: that of the tallest section, open roofs included; at least 1."""
    return max((section.top + 1 for section in board.sections), default=1)


def draw_map(
    board: Board,
    floor: int = 0,
    marks: Sequence[Mark | tuple[int, int, str, str, str]] = (),
    *,
    arrows: Sequence[Arrow] = (),
    fallen: Collection[int] = (),
    burning: Collection[int] = (),
    caption: str = "",
    scale: int = 0,
) -> str:
    """The SVG text of one floor of a map, `scale` pixels to the unit (0: as many as suit it).

    Sections lower than `floor` show their roofs. `fallen` and `burning` name sections by number, `caption` replaces
    the line under the title. Texts are escaped, colours that are none are black.
    """
    canvas = Canvas(board.size, scale or _SCALES[board.unit], (30, 58, 30, 64))
    canvas.raw(f'<rect width="{canvas.width}" height="{canvas.height}" fill="#fbf9f2"/>')
    width, height = board.size
    sheet = ((0, 0), (width, 0), (width, height), (0, height))
    canvas.polygon(sheet, f'fill="{_PAPER}"')
    canvas.raw(
        f'<clipPath id="sheet"><polygon points="{canvas.points(sheet)}"/></clipPath><g clip-path="url(#sheet)">'
    )
    draw_areas(canvas, board)
    draw_ways(canvas, board)
    draw_obstacles(canvas, board)
    for section in board.sections:
        if section.id in fallen:
            _ruin(canvas, section)
    standing = [section for section in board.sections if section.id not in fallen]
    for section in standing:
        canvas.polygon(
            [(x + 12, y - 12) for x, y in section.polygon], 'fill="#000" opacity="0.18"'
        )  # a shadow to the south-east
    for section in standing:
        _floor(canvas, board, section, floor)
    for section in standing:
        if floor < len(section.spaces):
            _inner_doors(canvas, board, section, floor, fallen)
            _openings(canvas, board, section, floor)
    for section in standing:
        if section.id in burning or section.burning:
            _fire(canvas, section)
    _labels(canvas, board, standing, raised=bool(marks))
    canvas.raw("</g>")
    canvas.polygon(sheet, f'fill="none" stroke="{INK}" stroke-width="1.5"')
    _arrows(canvas, arrows)
    for mark in marks:
        _mark(canvas, Mark(*mark))
    _margin(canvas, board, floor, caption)
    return canvas.render(f"{board.title}, floor {floor}")


# --- buildings ----------------------------------------------------------------------------------------------------


def _floor(canvas: Canvas, board: Board, section: Section, floor: int) -> None:
    inside, wall = _MATERIALS[section.material]
    width = {"bunker": 6, "shed": 2}.get(section.kind, 3.5)
    flat = section.flat_roof
    if floor >= len(section.spaces) or board.spaces[section.spaces[floor]].roof:
        here = floor < len(section.spaces)  # else its roof is seen from a floor above it
        if not flat:
            fill, opacity = wall, "0.55"
        else:
            fill, opacity = "#e4e1d8", "1" if here else "0.75"
        style = f'stroke="{wall}" stroke-width="1.4" stroke-linejoin="round"'
        canvas.polygon(section.polygon, f'fill="{fill}" fill-opacity="{opacity}" {style}')
        for a, b in edges(section.polygon) if flat else []:
            ends = along(a, b, 20), along(a, b, distance(a, b) - 20)
            inner = [outwards(a, b, end, -25) for end in ends]
            canvas.line(inner, f'stroke="{wall}" stroke-width="1" stroke-dasharray="5 3"')
        return
    style = f'fill="{inside}" stroke="{wall}" stroke-width="{width}" stroke-linejoin="miter"'
    canvas.polygon(section.polygon, style)
    if section.closed:
        west, south, east, north = bounds(section.polygon)
        cross = f'stroke="{wall}" stroke-width="1.5" opacity="0.5"'
        canvas.line(((west, south), (east, north)), cross)
        canvas.line(((west, north), (east, south)), cross)


def _inner_doors(canvas: Canvas, board: Board, section: Section, floor: int, fallen: Collection[int]) -> None:
    inside = _MATERIALS[section.material][0]
    for other in section.adjoining[floor]:
        if other < section.id or other in fallen:
            continue
        best: tuple[int, Point, Point] | None = None
        for side in section.sides:
            for start, end in covered(side.a, side.b, board.sections[other].polygon):
                middle = (start + end) // 2
                half = min(50, (end - start) // 3)
                ends = along(side.a, side.b, middle - half), along(side.a, side.b, middle + half)
                if best is None or end - start > best[0]:
                    best = (end - start, *ends)
        if best is not None:
            canvas.line(best[1:], f'stroke="{inside}" stroke-width="7"')


def _openings(canvas: Canvas, board: Board, section: Section, floor: int) -> None:
    for number in section.openings[floor]:
        opening = board.openings[number]
        if opening.kind == "parapet":
            continue
        side = section.sides[opening.side]
        at = distance(side.a, outwards(side.a, side.b, opening.point, -5))
        half = min(_HALF[opening.kind], distance(side.a, side.b) // 3)
        line = (along(side.a, side.b, at - half), along(side.a, side.b, at + half))
        thick = 6 if section.kind != "bunker" else 8
        canvas.line(line, f'stroke="{INK}" stroke-width="{thick}"')
        canvas.line(
            (along(side.a, side.b, at - half + 5), along(side.a, side.b, at + half - 5)),
            f'stroke="{_OPENINGS[opening.kind]}" stroke-width="{thick - 2}"',
        )
        if opening.kind == "door" and floor == 0:
            step = [outwards(side.a, side.b, p, 30) for p in line]
            canvas.polygon(
                (*line, step[1], step[0]), f'fill="#d9cbb0" stroke="{INK}" stroke-width="0.6" opacity="0.9"'
            )


def _ruin(canvas: Canvas, section: Section) -> None:
    canvas.polygon(
        section.polygon, 'fill="#cfc8bd" stroke="#857b6c" stroke-width="1.5" stroke-dasharray="7 4"'
    )
    for p, chance in scattered(section.polygon, 60):
        draw_glyph(canvas, "rubble", p, chance)


def _fire(canvas: Canvas, section: Section) -> None:
    for (x, y), chance in scattered(section.polygon, 150):
        tall = 60 + chance % 40
        flame = (
            (x - 28, y),
            (x - 20, y + tall // 2),
            (x - 6, y + 20),
            (x, y + tall),
            (x + 22, y + 30),
            (x + 26, y),
        )
        canvas.polygon(flame, 'fill="#e4572e" opacity="0.85"')
        core = ((x - 12, y + 2), (x, y + tall // 2), (x + 12, y + 2))
        canvas.polygon(core, 'fill="#f6bd3b"')


def _labels(canvas: Canvas, board: Board, standing: Sequence[Section], raised: bool) -> None:
    """Names; `raised` out of the way of units in the middle."""
    halo = f'fill="{INK}" stroke="#fbf9f2" stroke-width="2.5" paint-order="stroke" text-anchor="middle"'
    for name, ids in board.buildings.items():
        here = [section for section in standing if section.id in ids]
        for section in here:
            x, y = heart(section.polygon)
            if raised:
                y = max(y, bounds(section.polygon)[3] - 100)
            part = section.name.split(".", 1)[1]
            if len(ids) == 1:
                canvas.text((x, y + 10), name, f'font-size="11" {halo}')
            else:
                canvas.text((x, y + 10), part, f'font-size="10" {halo}')
            if not raised:
                canvas.text((x, y - 50), _storeys(board, section), f'font-size="8" opacity="0.8" {halo}')
        if len(here) > 1:
            west = min(bounds(section.polygon)[0] for section in here)
            north = max(bounds(section.polygon)[3] for section in here)
            style = f'font-size="11" font-style="italic" {halo.replace("middle", "start")}'
            canvas.text((west, min(north + 25, board.size[1] - 60)), name, style)


def _storeys(board: Board, section: Section) -> str:
    roof = board.spaces[section.spaces[-1]].roof
    count = len(section.spaces) - roof
    return f"{count} fl." + (" + roof" if roof else "")


# --- on top and around --------------------------------------------------------------------------------------------


def _arrows(canvas: Canvas, arrows: Sequence[Arrow]) -> None:
    for arrow in arrows:
        colour = colour_of(arrow.colour)
        a, b = (arrow.x1, arrow.y1), (arrow.x2, arrow.y2)
        dash = ' stroke-dasharray="5 4"' if arrow.dashed else ""
        canvas.line((a, b), f'stroke="{colour}" stroke-width="2" opacity="0.85"{dash}')
        if a != b:
            base = along(b, a, 45)
            wings = outwards(b, base, base, 20), outwards(b, base, base, -20)
            canvas.polygon((b, *wings), f'fill="{colour}"')


def _mark(canvas: Canvas, mark: Mark) -> None:
    x, y, r = mark.x, mark.y, 55
    canvas.raw(f"<g><title>{text_of(mark.title)}</title>" if mark.title else "<g>")
    style = f'fill="{colour_of(mark.colour)}" stroke="#fff" stroke-width="1.6"'
    if mark.shape == "square":
        canvas.polygon(((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)), style)
    elif mark.shape == "diamond":
        canvas.polygon(((x, y - r - 15), (x + r + 15, y), (x, y + r + 15), (x - r - 15, y)), style)
    elif mark.shape == "triangle":
        canvas.polygon(((x - r - 5, y - r), (x + r + 5, y - r), (x, y + r + 15)), style)
    elif mark.shape == "cross":
        cross = f'stroke="{colour_of(mark.colour)}" stroke-width="3"'
        canvas.line(((x - r, y - r), (x + r, y + r)), cross)
        canvas.line(((x - r, y + r), (x + r, y - r)), cross)
    else:
        canvas.circle((x, y), r, style)
    if mark.label:
        halo = 'stroke="#fbf9f2" stroke-width="2.5" paint-order="stroke" text-anchor="middle"'
        text = f'font-size="10" font-weight="bold" font-family="sans-serif" fill="{INK}" {halo}'
        canvas.text((x, y - r - 50), mark.label, text)
    canvas.raw("</g>")


def _margin(canvas: Canvas, board: Board, floor: int, caption: str) -> None:
    top, left, bottom = canvas.margin[1], canvas.margin[0], canvas.height - canvas.margin[3]
    canvas.label(left, 28, board.title, f'font-size="20" fill="{INK}"')
    levels = count_floors(board)
    where = "ground floor" if floor == 0 else f"floor {floor}"
    line = caption or (f"{where} of {levels} levels" if levels > 1 else where)
    canvas.label(left, 47, line, f'font-size="12" font-style="italic" fill="{INK}"')
    # north arrow
    x = canvas.width - 44
    canvas.raw(f'<path d="M{x} {top - 12}l7 -30l7 30l-7 -7z" fill="{INK}"/>')
    canvas.label(x + 20, top - 14, "N", f'font-size="13" fill="{INK}"')
    # scale bar: a fifth of the sheet or so, in whole units
    units = max(1, min(12, board.size[0] // 500))
    y = bottom + 16
    for i in range(units):
        fill = INK if i % 2 == 0 else "#fbf9f2"
        canvas.raw(
            f'<rect x="{left + i * canvas.scale}" y="{y}" width="{canvas.scale}" height="6" fill="{fill}" '
            f'stroke="{INK}" stroke-width="0.8"/>'
        )
    _rulers(canvas, board)
    name = "hexes" if board.unit == "hex" else "inches"
    canvas.label(left, y + 20, f"0 to {units} {name}", f'font-size="11" fill="{INK}"')
    _legend(canvas, board, left + units * canvas.scale + 40, y + 7)
    credit = ", ".join(part for part in (board.attribution, board.license) if part)
    if credit:
        canvas.label(left, y + 38, credit, f'font-size="10" fill="{INK}"')


_NODE = re.compile(r"g(\d+)\.(\d+)")


def _rulers(canvas: Canvas, board: Board) -> None:
    """Numbers of columns and rows along the sheet: node g<col>.<row> stands where they meet."""
    columns: dict[int, int] = {}
    rows: dict[int, int] = {}
    for space in board.spaces:
        named = _NODE.fullmatch(space.name) if space.kind == "ground" else None
        if named:
            columns.setdefault(int(named[1]), space.x)
            rows.setdefault(int(named[2]), space.y)
    style = f'font-size="8" fill="{INK}" text-anchor="middle" opacity="0.8"'
    every = 1 if canvas.scale >= 8 else 5
    for number, x in columns.items():
        if number % every == 0:
            canvas.text((x, -1000 // canvas.scale), str(number), style)
    for number, y in rows.items():
        if number % every == 0:
            canvas.text((-1000 // canvas.scale, y - 15), str(number), style)


def _legend(canvas: Canvas, board: Board, x: int, y: int) -> None:
    kinds = {opening.kind: None for opening in board.openings if opening.kind != "parapet"}
    items = [(material, *_MATERIALS[material]) for material in _MATERIALS if _has(board, material)]
    items += [(kind, _OPENINGS[kind], INK) for kind in _OPENINGS if kind in kinds]
    for name, fill, line in items:
        if x > canvas.width - 80:
            return
        canvas.raw(
            f'<rect x="{x}" y="{y - 8}" width="12" height="10" fill="{fill}" stroke="{line}" stroke-width="2"/>'
        )
        canvas.raw(f'<text x="{x + 17}" y="{y + 1}" font-size="11" fill="{INK}">{text_of(name)}</text>')
        x += 30 + 7 * len(name)


def _has(board: Board, material: str) -> bool:
    return any(section.material == material for section in board.sections)
