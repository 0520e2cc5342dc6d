"""The drawing of the board under the units: the ground floor with everything outdoors, and beside it the relevant upper floors,
building by building. Read `plan_of`.

Every part has the same scale, so the position of a point on a panel is its position on the ground, shifted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.draw import draw_sections, draw_sheet
from battlesim.board.drawground import INK
from battlesim.board.drawmargin import draw_axes
from battlesim.board.drawmarks import ZoneMark
from battlesim.board.shapes import bounds
from battlesim.board.svg import Canvas

SCALES = {"inch": 20, "hex": 64}
"""Pixels to the unit of a map."""
MARGIN = (40, 40, 40, 40)
"""Pixels for the axes on the left, above, on the right and below the ground."""
GAP, TITLE = 26, 20
"""Pixels between panels, and above one for its title."""
EDGE = 60
"""The margin of a panel around its building, in hundredths."""


class Panel(NamedTuple):
    """A floor of a building beside the ground. `box`: west, south, east, north of what it shows, in hundredths. `shift`: pixels
    from the position of a point on the ground to its position here."""

    building: str
    floor: int
    title: str
    box: tuple[int, int, int, int]
    shift: tuple[int, int]


class Plan(NamedTuple):
    """A drawing without units. `scale`: pixels to the unit. `size`: of the whole, `ground`: of the ground with its axes, in
    pixels. `parts`: elements of the ground, then of each panel."""

    scale: int
    size: tuple[int, int]
    ground: tuple[int, int]
    panels: tuple[Panel, ...]
    parts: tuple[str, ...]


def plan_of(
    board: Board,
    upstairs: Collection[int] = (),
    changing: Collection[int] = (),
    zones: Sequence[ZoneMark] = (),
    fallen: Collection[int] = (),
    burning: Collection[int] = (),
    scale: int = 0,
    margin: tuple[int, int, int, int] = MARGIN,
    only: int | None = None,
    below: bool = True,
) -> Plan:
    """The drawing of a board.

    `upstairs`: spaces above the ground floor; the floors that they are on get a panel, and with `below` also those below them in
    the building. `only`: draw only this one of these floors. `changing`: sections whose ruin and fire are drawn beside the
    section itself, see `draw_sheet`.
    """
    scale = scale or SCALES[board.unit]
    canvas = Canvas(board.size, scale, margin)
    width, height = board.size
    sheet = canvas.points(((0, 0), (width, 0), (width, height), (0, height)))
    canvas.raw(f'<clipPath id="sheet"><polygon points="{sheet}"/></clipPath><g clip-path="url(#sheet)">')
    canvas.raw(f'<polygon points="{sheet}" fill="#e9e6d0"/>')
    draw_sheet(canvas, board, zones=zones, fallen=fallen, burning=burning, changing=changing, raised=True)
    canvas.raw(f'</g><polygon points="{sheet}" fill="none" stroke="{INK}" stroke-width="1.5"/>')
    draw_axes(canvas, board)
    ground = (canvas.width, canvas.height)
    floors = [(name, floor) for name, floor in _floors(board, upstairs, below) if only in (None, floor)]
    panels, size = _placed(board, scale, ground, floors, margin)
    parts = ["\n".join(canvas.parts)]
    for number, panel in enumerate(panels):
        parts.append(_drawn(Canvas(board.size, scale, margin), board, panel, number, fallen, changing))
    return Plan(scale, size, ground, tuple(panels), tuple(parts))


def panel_of(plan: Plan, x: int, y: int, floor: int) -> Panel | None:
    """The panel that shows a point of an upper floor; None if there is none."""
    for panel in plan.panels:
        west, south, east, north = panel.box
        if panel.floor == floor and west <= x <= east and south <= y <= north:
            return panel
    return None


def _floors(board: Board, upstairs: Collection[int], below: bool) -> list[tuple[str, int]]:
    """The floors to draw, as (building, floor), the buildings in the order of the map."""
    found: dict[str, set[int]] = {}
    for place in upstairs:
        space = board.spaces[place]
        floors = found.setdefault(board.sections[space.section].building, set())
        floors.update(range(1, space.floor + 1) if below else (space.floor,))
    return [(name, floor) for name in board.buildings for floor in sorted(found.get(name, ()))]


def _placed(
    board: Board,
    scale: int,
    ground: tuple[int, int],
    floors: Sequence[tuple[str, int]],
    margin: tuple[int, int, int, int],
) -> tuple[list[Panel], tuple[int, int]]:
    """Panels in columns to the right of the ground, not taller than it if possible; and the size of the whole."""
    canvas = Canvas(board.size, scale, margin)
    x, y, wide = ground[0] + GAP, margin[1], 0
    most = [ground[0], ground[1]]
    found: list[Panel] = []
    for building, floor in floors:
        sections = [board.sections[n] for n in board.buildings[building]]
        corners = [bounds(section.polygon) for section in sections if section.top >= floor]
        box = (
            min(c[0] for c in corners) - EDGE * 20 // scale,
            min(c[1] for c in corners) - EDGE * 20 // scale,
            max(c[2] for c in corners) + EDGE * 20 // scale,
            max(c[3] for c in corners) + EDGE * 20 // scale,
        )
        w, h = (box[2] - box[0]) * scale // 100, (box[3] - box[1]) * scale // 100
        if y > margin[1] and y + TITLE + h > ground[1] - margin[3]:
            x, y, wide = x + wide + GAP, margin[1], 0
        y += TITLE
        left, above = round(float(canvas.x(box[0]))), round(float(canvas.y(box[3])))
        title = f"{building}, floor {floor}"
        found.append(Panel(building, floor, title, box, (x - left, y - above)))
        wide = max(wide, w, 7 * len(title))
        y += h + GAP // 2
        most = [max(most[0], x + wide + GAP), max(most[1], y)]
    return found, (most[0], most[1])


def _drawn(
    canvas: Canvas,
    board: Board,
    panel: Panel,
    number: int,
    fallen: Collection[int],
    changing: Collection[int],
) -> str:
    """One panel: the sections of a building that reach this floor, on a separate background."""
    west, south, east, north = panel.box
    corners = ((west, south), (east, south), (east, north), (west, north))
    sections = [board.sections[n] for n in board.buildings[panel.building]]
    low = [section for section in sections if section.top < panel.floor]
    high = [section for section in sections if section.top >= panel.floor]
    canvas.raw(
        f'<g class="panel" id="panel{number}" transform="translate({panel.shift[0]} {panel.shift[1]})">'
        f'<clipPath id="cut{number}"><polygon points="{canvas.points(corners)}"/></clipPath>'
    )
    style = f'class="paper" fill="#f4f1e4" stroke="{INK}" stroke-opacity="0.35" stroke-width="1"'
    canvas.polygon(corners, style)
    canvas.raw(f'<g clip-path="url(#cut{number})">')
    for section in low:
        canvas.polygon(
            section.polygon, f'fill="#e2dfd2" stroke="{INK}" stroke-opacity="0.3" stroke-width="1"'
        )
    draw_sections(canvas, board, [s for s in high if s.id not in fallen], panel.floor, fallen, changing)
    canvas.raw("</g>")
    style = f'class="title" font-size="13" fill="{INK}" font-family="system-ui, sans-serif"'
    canvas.raw('<g transform="translate(0 -6)">')
    canvas.text((west, north), panel.title, style)
    canvas.raw("</g></g>")
    return "\n".join(canvas.parts)
