"""Drawing a map as SVG, floor by floor: terrain, buildings by material, openings by kind.

The same board gives the same bytes. Read `draw_map` first; `drawmarks.py` draws marks, zones and objectives,
`drawstairs.py` stairs, `drawmargin.py` what is around the map. Units are drawn by `viewer/symbols.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from battlesim.board.board import Board
from battlesim.board.drawground import (
    INK,
    PARTS,
    draw_areas,
    draw_glyph,
    draw_obstacles,
    draw_ways,
    scattered,
)
from battlesim.board.drawmargin import (
    MATERIALS,
    OPENINGS,
    PanelLine,
    draw_axes,
    draw_margin,
    fitting_scale,
    panel_width,
)
from battlesim.board.drawmarks import PointMark, ZoneMark, draw_marks, draw_zones
from battlesim.board.drawstairs import draw_stairs
from battlesim.board.model import Section
from battlesim.board.shapes import along, bounds, central_point, covered, edges, outwards
from battlesim.board.svg import Canvas
from battlesim.board.terrain import GROUND
from battlesim.core.geometry import Point, distance

_HALF = {"door": 45, "window": 38, "slit": 30, "gap": 50}  # half of how wide they are drawn
_PAPER = "#e9e6d0"
_SCALES = {"inch": 20, "hex": 56}  # pixels to the unit
_SIDE, _ABOVE, _BELOW = 40, 74, 96  # pixels around the sheet
# Pixels around a building that is drawn alone, above it for its caption, and for each letter of the caption.
_RIM, _TITLE, _LETTER = 16, 12, 6


def count_floors(board: Board) -> int:
    """How many floors there are to draw: those of the tallest section, open roofs included; at least 1."""
    return max((section.top + 1 for section in board.sections), default=1)


def draw_map(
    board: Board,
    floor: int = 0,
    marks: Sequence[PointMark] = (),
    *,
    panel: Sequence[PanelLine] = (),
    fallen: Collection[int] = (),
    burning: Collection[int] = (),
    caption: str = "",
    scale: int = 0,
) -> str:
    """The SVG text of one floor of a map, `scale` pixels to the unit (0: as many as suit it).

    Sections lower than `floor` show their roofs. `fallen` and `burning`: sections by number. `caption`: replaces the line under
    the title. `marks` are drawn on top, `panel` to the right. The axes count inches, or columns and rows of hexes; above and to
    the right of a lattice are the numbers in the names of its places. Texts are escaped.
    """
    pixels = scale or fitting_scale(board, _SCALES[board.unit])
    right = _SIDE + panel_width(panel, board.size[1] * pixels // 100 + _BELOW)
    canvas = Canvas(board.size, pixels, (_SIDE, _ABOVE, right, _BELOW))
    canvas.raw(f'<rect width="{canvas.width}" height="{canvas.height}" fill="#fbf9f2"/>')
    width, height = board.size
    sheet = ((0, 0), (width, 0), (width, height), (0, height))
    canvas.polygon(sheet, f'fill="{_PAPER}"')
    canvas.raw(
        f'<clipPath id="sheet"><polygon points="{canvas.points(sheet)}"/></clipPath><g clip-path="url(#sheet)">'
    )
    draw_sheet(canvas, board, floor, fallen=fallen, burning=burning, raised=bool(marks))
    canvas.raw("</g>")
    canvas.polygon(sheet, f'fill="none" stroke="{INK}" stroke-width="1.5"')
    draw_axes(canvas, board)
    draw_marks(canvas, board, marks)
    levels = count_floors(board)
    where = "ground floor" if floor == 0 else f"floor {floor}"
    draw_margin(canvas, board, caption or (f"{where} of {levels} levels" if levels > 1 else where), panel)
    return canvas.render(f"{board.title}, floor {floor}")


def draw_building(
    board: Board, building: str, floor: int = 0, marks: Sequence[PointMark] = (), *, caption: str = ""
) -> str:
    """The SVG text of one floor of one building, with nothing around it: its sections that are so high, their names and `marks`,
    and a caption above. `building`: its name; one of its sections at least must have the floor. Texts are escaped."""
    sections = [board.sections[n] for n in board.buildings[building] if board.sections[n].top >= floor]
    corners = [bounds(section.polygon) for section in sections]
    west, south = min(c[0] for c in corners), min(c[1] for c in corners)
    east, north = max(c[2] for c in corners), max(c[3] for c in corners)
    scale = _SCALES[board.unit]
    width = max((east - west) * scale // 100, _LETTER * len(caption)) + 2 * _RIM
    height = (north - south) * scale // 100 + 2 * _RIM + _TITLE
    left, above = _RIM - west * scale // 100, _RIM + _TITLE - (board.size[1] - north) * scale // 100
    full = board.size[0] * scale // 100, board.size[1] * scale // 100
    canvas = Canvas(board.size, scale, (left, above, width - left - full[0], height - above - full[1]))
    canvas.raw(f'<rect width="{canvas.width}" height="{canvas.height}" fill="{_PAPER}"/>')
    draw_sections(canvas, board, sections, floor)
    _labels(canvas, board, sections, raised=True, of_buildings=False)
    draw_marks(canvas, board, marks)
    canvas.label(_RIM, _RIM, caption, f'font-size="12" fill="{INK}"')
    return canvas.render(caption or f"{building}, floor {floor}")


def draw_sheet(
    canvas: Canvas,
    board: Board,
    floor: int = 0,
    *,
    zones: Sequence[ZoneMark] = (),
    fallen: Collection[int] = (),
    burning: Collection[int] = (),
    changing: Collection[int] = (),
    raised: bool = False,
) -> None:
    """The sheet itself: ground, zones, and the buildings with one floor of theirs, without marks or margin.

    A section among `changing` is drawn whole, as a ruin and on fire, each in groups of the classes `whole`, `ruin`, `fire` and
    `xN` (N is its number), so that a page can show what it is at a moment: ruin and fire are not displayed at first. `raised`:
    names stand out of the way of units.
    """
    draw_areas(canvas, board)
    draw_ways(canvas, board)
    draw_zones(canvas, board, zones)
    draw_obstacles(canvas, board)
    for section in board.sections:
        if section.id in fallen or section.id in changing:
            with _part(canvas, "ruin", section, changing):
                _ruin(canvas, section, PARTS[board.unit])
    standing = [section for section in board.sections if section.id not in fallen]
    draw_sections(canvas, board, standing, floor, fallen, changing)
    for section in standing:
        if section.id in burning or section.burning or section.id in changing:
            with _part(canvas, "fire", section, changing):
                _fire(canvas, section.polygon, PARTS[board.unit])
    _labels(canvas, board, standing, raised=raised)


def draw_sections(
    canvas: Canvas,
    board: Board,
    standing: Sequence[Section],
    floor: int,
    fallen: Collection[int] = (),
    changing: Collection[int] = (),
) -> None:
    """One floor of some sections that stand, with doors inside, openings and stairs; see `draw_sheet`."""
    for section in standing:
        shadow = [(x + 12, y - 12) for x, y in section.polygon]  # to the south-east
        with _part(canvas, "whole", section, changing):
            canvas.polygon(shadow, 'fill="#000" opacity="0.18"')
    for section in standing:
        with _part(canvas, "whole", section, changing):
            _floor(canvas, board, section, floor)
    for section in standing:
        if floor < len(section.spaces):
            with _part(canvas, "whole", section, changing):
                _inner_doors(canvas, board, section, floor, fallen)
                _openings(canvas, board, section, floor)
                draw_stairs(canvas, board, section, floor)


@contextmanager
def _part(canvas: Canvas, kind: str, section: Section, changing: Collection[int]) -> Iterator[None]:
    """Puts what is drawn in a group that a page can show and hide, where the section changes."""
    if section.id not in changing:
        yield
        return
    hidden = "" if kind == "whole" else ' display="none"'
    canvas.raw(f'<g class="{kind} x{section.id}"{hidden}>')
    yield
    canvas.raw("</g>")


# --- buildings ----------------------------------------------------------------------------------------------------


def _floor(canvas: Canvas, board: Board, section: Section, floor: int) -> None:
    inside, wall = MATERIALS[section.material]
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
    inside = MATERIALS[section.material][0]
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
            f'stroke="{OPENINGS[opening.kind]}" stroke-width="{thick - 2}"',
        )
        if opening.kind == "door" and floor == 0:
            step = [outwards(side.a, side.b, p, 30) for p in line]
            canvas.polygon(
                (*line, step[1], step[0]), f'fill="#d9cbb0" stroke="{INK}" stroke-width="0.6" opacity="0.9"'
            )


def _ruin(canvas: Canvas, section: Section, part: int) -> None:
    canvas.polygon(
        section.polygon, 'fill="#cfc8bd" stroke="#857b6c" stroke-width="1.5" stroke-dasharray="7 4"'
    )
    for p, chance in scattered(section.polygon, 60 * part // 100):
        draw_glyph(canvas, GROUND["rubble"].mark, p, chance, part)


def _fire(canvas: Canvas, outline: Sequence[Point], part: int) -> None:
    """Flames over an outline, `part` hundredths of the usual size."""
    for (x, y), chance in scattered(outline, 150 * part // 100):
        tall = 60 + chance % 40
        flame = [
            (x + a * part // 100, y + b * part // 100)
            for a, b in ((-28, 0), (-20, tall // 2), (-6, 20), (0, tall), (22, 30), (26, 0))
        ]
        canvas.polygon(flame, 'fill="#e4572e" opacity="0.85"')
        core = [(x + a * part // 100, y + b * part // 100) for a, b in ((-12, 2), (0, tall // 2), (12, 2))]
        canvas.polygon(core, 'fill="#f6bd3b"')


def _labels(
    canvas: Canvas, board: Board, standing: Sequence[Section], raised: bool, of_buildings: bool = True
) -> None:
    """Names of sections, and of buildings with several sections; `raised`: out of the way of units in the middle."""
    halo = f'fill="{INK}" stroke="#fbf9f2" stroke-width="2.5" paint-order="stroke" text-anchor="middle"'
    for name, ids in board.buildings.items():
        here = [section for section in standing if section.id in ids]
        for section in here:
            x, y = central_point(section.polygon)
            if raised:
                y = max(y, bounds(section.polygon)[3] - 2000 // canvas.scale)
            part = section.name.split(".", 1)[1]
            if len(ids) == 1:
                canvas.text((x, y + 10), name, f'font-size="11" {halo}')
            else:
                canvas.text((x, y + 10), part, f'font-size="10" {halo}')
            if not raised:
                canvas.text(
                    (x, y - 1000 // canvas.scale),
                    _storeys(board, section),
                    f'font-size="8" opacity="0.8" {halo}',
                )
        if len(here) > 1 and of_buildings:
            west = min(bounds(section.polygon)[0] for section in here)
            north = max(bounds(section.polygon)[3] for section in here)
            style = f'font-size="11" font-style="italic" {halo.replace("middle", "start")}'
            canvas.text((west, min(north + 25, board.size[1] - 60)), name, style)


def _storeys(board: Board, section: Section) -> str:
    roof = board.spaces[section.spaces[-1]].roof
    count = len(section.spaces) - roof
    return f"{count} fl." + (" + roof" if roof else "")
