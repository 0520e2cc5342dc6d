"""Drawing a position: the map of one floor with the units on it, and a list of the units beside it. Read `draw_scene`.

It works from a replayed state and reads only the fields that all rulebooks share, so that every battle can be drawn.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.draw import draw_map
from battlesim.board.drawmargin import PanelLine
from battlesim.board.drawmarks import GOLD, Arrow, Flag, UnitMark, ZoneMark
from battlesim.core.state import Unit, burning, fallen
from battlesim.engine.record import Header
from battlesim.viewer.context import Names
from battlesim.viewer.scene import Scene

COLOURS = ("#b3321f", "#1f4fb3")
"""Of side 0 and side 1."""


class DrawnObjective(NamedTuple):
    """An objective as it is drawn. `kind`: hold, destroy, exit or survive. `side`: who scores it, -1 for both. `places` and
    `sections`: by number. `edge`: n, e, s, w or ""."""

    kind: str
    name: str
    points: int
    side: int
    places: tuple[int, ...]
    sections: tuple[int, ...]
    edge: str


class ScenarioMarks(NamedTuple):
    """What is drawn of a scenario: its objectives, and its zones as (side, name, spaces)."""

    goals: tuple[DrawnObjective, ...]
    zones: tuple[tuple[int, str, tuple[int, ...]], ...]


EDGES = {"n": "north", "e": "east", "s": "south", "w": "west"}


def draw_scene(
    board: Board,
    header: Header,
    scene: Scene,
    floor: int = 0,
    caption: str = "",
    scale: int = 0,
    setting: ScenarioMarks | None = None,
) -> str:
    """The SVG of a scene on one floor.

    Units are red and blue marks, with their number in the list beside the map; a hollow mark is a unit on another floor. Lines
    are the fire of the turn, dashed where it missed. Crosses show where units were destroyed in the turn. Sections that burn or
    have fallen are marked. With `setting` the objectives and zones are drawn, too.
    """
    numbers = _numbers(scene)
    names = Names(header, scene.state)
    marks = [
        _mark(board, unit, str(numbers[unit.id]), floor)
        for unit in scene.state.units.values()
        if unit.alive and unit.place >= 0
    ]
    for number, place in scene.fell.items():
        if place >= 0:
            space, unit = board.spaces[place], scene.state.units[number]
            title = f"{unit.name}, destroyed"
            marks.append(UnitMark(space.x, space.y, str(numbers[number]), COLOURS[unit.side], "cross", title))
    arrows = []
    for shot in scene.shots:
        a, b = board.spaces[shot.start], board.spaces[shot.end]
        colour = COLOURS[scene.state.units[shot.unit].side]
        arrows.append(Arrow(a.x, a.y, b.x, b.y, colour, dashed=not shot.hit))
    goals = setting.goals if setting is not None else ()
    panel: list[PanelLine] = []
    for side, name in enumerate(header.sides):
        panel += [PanelLine(f"{name} ({header.agents[side].name})", heading=True)]
        panel += [
            _line(names, scene, unit, str(numbers[unit.id]))
            for unit in scene.state.units.values()
            if unit.side == side
        ]
        panel.append(PanelLine(""))
    panel += _goals(header, goals)
    panel += _signs(scene, setting)
    return draw_map(
        board,
        floor,
        marks,
        arrows=arrows,
        flags=[
            _flag(board, _letter(n), goal) for n, goal in enumerate(goals) if goal.places or goal.sections
        ],
        zones=zone_marks(header, setting),
        panel=panel,
        fallen=fallen(scene.state),
        burning=burning(scene.state),
        caption=caption,
        scale=scale,
    )


def _numbers(scene: Scene) -> dict[int, int]:
    """Units by id, numbered from 1 on either side."""
    counts = [0, 0]
    numbers = {}
    for unit in scene.state.units.values():
        counts[unit.side] += 1
        numbers[unit.id] = counts[unit.side]
    return numbers


def _mark(board: Board, unit: Unit, label: str, floor: int) -> UnitMark:
    space = board.spaces[unit.place]
    shape = "disc" if unit.models > 1 else "square"
    upstairs = space.kind == "floor" and space.floor != floor
    return UnitMark(space.x, space.y, label, COLOURS[unit.side], shape, unit.name, hollow=upstairs)


def _line(names: Names, scene: Scene, unit: Unit, label: str) -> PanelLine:
    """A unit in the list: its strength, and where it is if the map does not show it."""
    colour, full = COLOURS[unit.side], scene.full[unit.id]
    if not unit.alive:
        when = " in this turn" if unit.id in scene.fell else ""
        return PanelLine(f"{unit.name}: destroyed{when}", label, colour, faded=True)
    said = f"{unit.name}: {unit.models} of {full}" if full > 1 else unit.name
    if unit.id in scene.lost:
        said += f" (-{scene.lost[unit.id]})"
    if unit.place < 0:
        said += ", off the map"
    elif (floor := names.header.places[unit.place].rpartition(":")[2]).isdigit() and floor != "0":
        said += f", floor {floor}"
    return PanelLine(said, label, colour)


# ---- objectives, zones, signs


def _letter(number: int) -> str:
    return chr(ord("A") + number % 26) * (number // 26 + 1)


def _goals(header: Header, goals: tuple[DrawnObjective, ...]) -> list[PanelLine]:
    if not goals:
        return []
    lines = [PanelLine("Objectives", heading=True)]
    for number, goal in enumerate(goals):
        points = f"{goal.points} point{'s' if goal.points != 1 else ''}"
        who = f", {header.sides[goal.side]}" if goal.side >= 0 else ""
        edge = f" {EDGES[goal.edge]}" if goal.edge else ""
        what = "" if goal.kind == "hold" else f" ({goal.kind}{edge})"
        lines.append(PanelLine(f"{goal.name}{what}: {points}{who}", _letter(number), GOLD))
    return [*lines, PanelLine("")]


def _flag(board: Board, letter: str, goal: DrawnObjective) -> Flag:
    title = f"{goal.name}, {goal.points}"
    spaces = [board.spaces[place] for place in goal.places]
    sections = goal.sections or tuple(sorted({space.section for space in spaces if space.section >= 0}))
    if sections:
        return Flag(letter, sections, title=title)
    middle = (sum(s.x for s in spaces) // len(spaces), sum(s.y for s in spaces) // len(spaces))
    return Flag(letter, (), middle, title)


def zone_marks(header: Header, setting: ScenarioMarks | None) -> list[ZoneMark]:
    """The zones where the sides may set up."""
    return [
        ZoneMark(COLOURS[side], spaces, f"{header.sides[side]} may set up: {name}")
        for side, name, spaces in (setting.zones if setting is not None else ())
    ]


def _signs(scene: Scene, setting: ScenarioMarks | None) -> list[PanelLine]:
    lines = [PanelLine("Signs", heading=True), PanelLine("disc: several men; square: one, or a vehicle")]
    lines += [PanelLine("hollow: on another floor"), PanelLine("7 of 10: so many men are left, or steps")]
    if scene.shots:
        lines.append(PanelLine("line: fire that hit; dashed: that missed"))
    if scene.fell:
        lines.append(PanelLine("cross: destroyed in this turn"))
    if scene.lost:
        lines.append(PanelLine("(-1): lost in this turn"))
    if burning(scene.state):
        lines.append(PanelLine("flames: on fire"))
    if fallen(scene.state):
        lines.append(PanelLine("broken outline: fallen"))
    if setting is not None and setting.zones:
        lines.append(PanelLine("tint: where a side may set up"))
    if setting is None:
        lines.append(PanelLine("objectives, zones: give --scenario"))
    return lines
