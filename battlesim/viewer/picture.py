"""A position as a picture: the same drawing as on the replay page, with title, lists and key around it. Read `draw_picture`.

It works on a film, so it reads only what all rulebooks share, and every battle can be drawn.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

from battlesim.board.board import Board
from battlesim.board.drawmargin import PanelLine, draw_margin, fitting_scale, panel_width
from battlesim.board.drawmarks import GOLD, ZoneMark, draw_flags, outline_goals
from battlesim.board.svg import Canvas
from battlesim.engine.header import Header
from battlesim.viewer import effects
from battlesim.viewer.film import Film
from battlesim.viewer.key import flags_of, goal_says, letter_of, short_name
from battlesim.viewer.plan import SCALES, Panel, Plan, panel_of, plan_of
from battlesim.viewer.standing import Changes
from battlesim.viewer.symbols import COLOURS, CONTESTED, HIGH, WIDE, Badge, symbol_of, unit_mark
from battlesim.viewer.wording import agree, find_wording, printable

MARGIN = (40, 74, 40, 96)
"""Pixels on the left, above, on the right and below the ground: for title, axes and key."""
LETTER = 0.56
"""The width of a letter, as a share of its size."""


class ScenarioMarks(NamedTuple):
    """Parts of a scenario that are drawn but not part of the battle: its zones as (side, name, spaces)."""

    zones: tuple[tuple[int, str, tuple[int, ...]], ...]


class Shown(NamedTuple):
    """A position with the effects before it. `values`: by key, see `film.py`. `effects`: of its turn. `turn`: 0 for the start."""

    values: Changes
    effects: tuple[dict[str, Any], ...]
    turn: int


def shown_at(film: Film, turn: int | None = None) -> Shown:
    """The end of a turn, or of the last one if `turn` is None or was not played; 0: before the battle."""
    values: Changes = dict(film.start)
    passed: list[dict[str, Any]] = []
    now = 0
    for moment in film.moments:
        if turn is not None and moment.turn > turn:
            break
        values.update(moment.changes)
        # If the battle ended with a turn, its last fire belongs to that turn.
        if moment.turn != now and (moment.effects or now == 0):
            now, passed = moment.turn, []
        passed += moment.effects
    return Shown(values, tuple(passed), now)


def draw_picture(
    board: Board,
    header: Header,
    film: Film,
    turn: int | None = None,
    floor: int | None = None,
    caption: str = "",
    scale: int = 0,
    setting: ScenarioMarks | None = None,
) -> str:
    """The SVG of a position of a film: the ground, beside it the occupied upper floors, and a list of all units. Lines are the
    fire of the turn, dashed if it missed. Crosses show where units were destroyed. Burning and fallen sections are marked.
    `turn`: as in `shown_at`. `floor`: draw only this upper floor; 0 for none. With `setting`, the zones are also drawn.
    """
    shown = shown_at(film, turn)
    values = shown.values
    fallen = {section.id for section in board.sections if values[f"s{section.id}"] == 2}
    burning = {section.id for section in board.sections if values[f"s{section.id}"] == 1}
    zones = zone_marks(header, setting)
    where = [values[f"u{unit}"] for unit in film.full if values[f"m{unit}"] and values[f"u{unit}"]]
    upstairs = {(spot[0], spot[1], spot[5]) for spot in where if spot[5] and floor in (None, spot[5])}
    places = [
        p for p in film.upstairs if (board.spaces[p].x, board.spaces[p].y, board.spaces[p].floor) in upstairs
    ]
    scale = scale or fitting_scale(board, SCALES[board.unit])
    plan = plan_of(board, places, (), zones, fallen, burning, scale, MARGIN, floor, below=False)
    panel = _panel(board, header, film, shown, zones)
    beside = plan.size[0] - plan.ground[0]
    height = plan.ground[1] - MARGIN[1]
    right = MARGIN[2] + beside + panel_width(panel, height)
    canvas = Canvas(board.size, plan.scale, (MARGIN[0], MARGIN[1], right, MARGIN[3]))
    canvas.raw(
        f'<rect width="{canvas.width}" height="{canvas.height}" fill="#fbf9f2"/><defs>{effects.HEADS}</defs>'
    )
    for part in plan.parts:
        canvas.raw(part)
    flags = flags_of(board, film.goals, [_holds(values, number) for number in range(len(film.goals))])
    outline_goals(canvas, board, flags)
    _Units(canvas, plan, header, film, shown).draw()
    draw_flags(canvas, board, flags)
    draw_margin(canvas, board, caption, panel, beside)
    return canvas.render(f"{board.title}, {caption}" if caption else board.title)


def draw_board(board: Board, scale: int = 0) -> str:
    """The SVG of a map alone: the ground, and beside it every upper floor of every building."""
    upstairs = [space.id for space in board.spaces if space.kind == "floor" and space.floor]
    plan = plan_of(board, upstairs, scale=scale or fitting_scale(board, SCALES[board.unit]), margin=MARGIN)
    right = MARGIN[2] + plan.size[0] - plan.ground[0]
    canvas = Canvas(board.size, plan.scale, (MARGIN[0], MARGIN[1], right, MARGIN[3]))
    canvas.raw(f'<rect width="{canvas.width}" height="{canvas.height}" fill="#fbf9f2"/>')
    for part in plan.parts:
        canvas.raw(part)
    draw_margin(canvas, board, "the ground floor, and beside it the floors above it", (), right - MARGIN[2])
    return canvas.render(board.title)


def zone_marks(header: Header, setting: ScenarioMarks | None) -> list[ZoneMark]:
    """The zones where the sides may set up."""
    return [
        ZoneMark(COLOURS[side], spaces, f"{header.sides[side]} may set up: {name}")
        for side, name, spaces in (setting.zones if setting is not None else ())
    ]


def _rows(header: Header) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(bytes(header.start))["units"]
    return rows


# ---- units and fire


class _Units:
    def __init__(self, canvas: Canvas, plan: Plan, header: Header, film: Film, shown: Shown) -> None:
        self.canvas, self.plan, self.header, self.film, self.shown = canvas, plan, header, film, shown
        self.symbols = find_wording(header.ruleset.name).symbols
        self.rows = _rows(header)
        self.taken: list[tuple[float, float, float, float]] = []
        self.names: list[tuple[float, float, float, str]] = []

    def draw(self) -> None:
        values = self.shown.values
        self._walls()
        for x, y, floor in values["f"]:
            where = self._on_floor(*self._at(x, y), panel_of(self.plan, x, y, floor))
            self.canvas.raw(effects.flames(_transform(*where, 1.2 * self.plan.scale / 64)))
        for row in self.rows:
            spot = values[f"u{row['id']}"]
            if values[f"m{row['id']}"] == 0 and spot:
                x, y, size = self._mark(spot)
                where = self._on_floor(x, y, panel_of(self.plan, spot[0], spot[1], spot[5]))
                title = printable(f"{row['name']}, destroyed")
                self.canvas.raw(effects.fell(row["side"], title, _transform(*where, 0.9 * size)))
        for row in self.rows:
            spot = values[f"u{row['id']}"]
            if values[f"m{row['id']}"] and spot:
                self._unit(row, spot)
        self._fire()
        self._losses()
        self._name_them()

    def _walls(self) -> None:
        """Openings that were made, each on the drawing of its floor."""
        for key, walls in self.shown.values.items():
            for x1, y1, x2, y2, floor, breach in walls if key[0] == "o" else ():
                panel = panel_of(self.plan, x1, y1, floor)
                if floor and panel is None:
                    continue
                east, south = panel.shift if panel else (0, 0)
                ends = [self._at(x1, y1), self._at(x2, y2)]
                path = "L".join(f"{x + east:.1f} {y + south:.1f}" for x, y in ends)
                self.canvas.raw(effects.wall(bool(breach), f"M{path}"))

    def _at(self, x: int, y: int) -> tuple[float, float]:
        return float(self.canvas.x(x)), float(self.canvas.y(y))

    @staticmethod
    def _on_floor(x: float, y: float, panel: Panel | None) -> tuple[float, float]:
        """A point of the ground on the drawing of an upper floor; the point itself if that is not drawn."""
        return (x + panel.shift[0], y + panel.shift[1]) if panel else (x, y)

    def _mark(self, spot: Sequence[int]) -> tuple[float, float, float]:
        """Where a mark is on the ground, and its scale."""
        x, y = self._at(spot[0] + spot[2], spot[1] + spot[3])
        return x, y, spot[4] * self.plan.scale / (100 * WIDE)

    def _unit(self, row: dict[str, Any], spot: Sequence[int]) -> None:
        x, y, size = self._mark(spot)
        self._put(row, x, y, size, hollow=spot[5] > 0)
        if spot[5]:
            panel = panel_of(self.plan, spot[0], spot[1], spot[5])
            if panel is not None:
                self._put(row, x + panel.shift[0], y + panel.shift[1], size)

    def _put(self, row: dict[str, Any], x: float, y: float, size: float, hollow: bool = False) -> None:
        number, side = row["id"], row["side"]
        kind = printable(row["kind"].replace("_", " "))
        name = printable(row["name"])
        self.canvas.raw(
            unit_mark(
                side,
                symbol_of(self.symbols, row["kind"]),
                f"{name}, {kind}",
                name,
                self.shown.values[f"m{number}"],
                self.film.full[number],
                [Badge(*badge) for badge in self.shown.values[f"b{number}"]],
                attributes=f' transform="{_transform(x, y, size)}"',
                hollow=hollow,
                names=False,
            )
        )
        half, tall = WIDE * size / 2, HIGH * size / 2
        self.taken.append((x - half, y - tall, x + half, y + tall))
        self.names.append((x, y, size, short_name(name, self.header.sides[side])))

    def _fire(self) -> None:
        """Each line of fire of the turn once, as a hit if one of its shots hit."""
        lines: dict[tuple[int, tuple[int, ...], tuple[int, ...]], bool] = {}
        for effect in self.shown.effects:
            if effect["kind"] == "shot":
                key = (effect["unit"], tuple(effect["from"]), tuple(effect["to"]))
                lines[key] = lines.get(key, False) or bool(effect["hit"])
        for (unit, start, end), hit in lines.items():
            (x1, y1), (x2, y2) = self._at(*start[:2]), self._at(*end[:2])
            far = hypot(x2 - x1, y2 - y1) or 1.0
            cut = min(16.0, far / 3)  # the mark there would hide the arrowhead
            x2, y2 = x2 - (x2 - x1) * cut / far, y2 - (y2 - y1) * cut / far
            path = f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
            self.canvas.raw(effects.shot(self.rows[unit]["side"], hit, path))

    def _losses(self) -> None:
        lost = _lost(self.shown)
        for row in self.rows:
            spot = self.shown.values[f"u{row['id']}"]
            if lost[row["id"]] and spot:
                x, y, size = self._mark(spot)
                text = f"\N{MINUS SIGN}{lost[row['id']]}"
                self.canvas.raw(effects.lost(row["side"], text, _transform(x, y, size)))

    def _name_them(self) -> None:
        """Names below or above their marks, if they hide neither a mark nor another name; all names are in the list."""
        for x, y, size, name in self.names:
            letters = max(9.0, min(13.0, 24 * size))
            half = len(name) * letters * LETTER / 2
            for up in (HIGH * size / 2 + letters, -HIGH * size / 2 - 4):
                box = (x - half, y + up - letters, x + half, y + up + 2)
                if all(
                    box[0] >= b[2] or box[2] <= b[0] or box[1] >= b[3] or box[3] <= b[1] for b in self.taken
                ):
                    self.taken.append(box)
                    style = (
                        f'class="name" font-size="{letters:.1f}" font-family="system-ui, \'DejaVu Sans\', sans-serif" '
                        'fill="#1b1a17" stroke="#fbf9f2" stroke-width="3" paint-order="stroke" text-anchor="middle"'
                    )
                    self.canvas.label(round(x), round(y + up), name, style)
                    break


def _transform(x: float, y: float, size: float) -> str:
    return f"translate({x:.1f} {y:.1f}) scale({size:.4f})"


def _lost(shown: Shown) -> Counter[int]:
    """Models lost in the turn, by unit."""
    found = Counter[int]()
    for effect in shown.effects:
        if effect["kind"] in ("lost", "fell"):
            found[effect["unit"]] += effect["lost"]
    return found


# ---- the lists


def _panel(
    board: Board, header: Header, film: Film, shown: Shown, zones: Sequence[ZoneMark]
) -> list[PanelLine]:
    lost, lines = _lost(shown), list[PanelLine]()
    for side, name in enumerate(header.sides):
        points = shown.values["p"][side]
        player = f" ({header.agents[side].name})" if header.agents[side].name else ""
        score = f": {points} point{'s' if points != 1 else ''}" if shown.turn else ""
        lines.append(PanelLine(printable(f"{name}{player}{score}"), heading=True))
        lines += [_line(film, shown, row, lost[row["id"]]) for row in _rows(header) if row["side"] == side]
        lines.append(PanelLine(""))
    if film.goals:
        lines.append(PanelLine("Objectives", heading=True))
        for number, goal in enumerate(film.goals):
            holder = shown.values.get(f"g{number}", -1)
            said = goal_says(goal, header.sides)
            if holder >= 0:
                name = "both" if holder == 2 else header.sides[holder]
                said += f", {name} {'are' if holder == 2 else agree(name, 'is')} there"
            lines.append(PanelLine(printable(said), letter_of(number), _holds(shown.values, number)))
        lines.append(PanelLine(""))
    return lines + _signs(shown, zones)


def _holds(values: Mapping[str, Any], number: int) -> str:
    """The colour of an objective: that of the side that is there, grey if both are, gold if none is."""
    return {0: COLOURS[0], 1: COLOURS[1], 2: CONTESTED}.get(values.get(f"g{number}", -1), GOLD)


def _line(film: Film, shown: Shown, row: dict[str, Any], lost: int) -> PanelLine:
    """A unit in the list: its strength, its state, and where it is if the ground does not show it."""
    number, full = row["id"], film.full[row["id"]]
    colour, models = COLOURS[row["side"]], shown.values[f"m{row['id']}"]
    name = printable(row["name"])
    if not models:
        return PanelLine(f"{name}: destroyed{' in this turn' if lost else ''}", "0", colour, faded=True)
    said = [f"{name}: {models} of {full}" if full > 1 else name]
    said[0] += f" (-{lost})" if lost else ""
    spot = shown.values[f"u{number}"]
    said += ["off the map"] if spot is None else [f"floor {spot[5]}"] if spot[5] else []
    said += [printable(badge[1]) for badge in shown.values[f"b{number}"]]
    return PanelLine(", ".join(said), str(models), colour)


def _signs(shown: Shown, zones: Sequence[ZoneMark]) -> list[PanelLine]:
    lines = [PanelLine("Signs", heading=True), PanelLine("number: men or steps left; bar: of the whole")]
    lines.append(PanelLine("hollow: upstairs; that floor is beside the map"))
    kinds = {effect["kind"] for effect in shown.effects}
    if "shot" in kinds:
        lines.append(PanelLine("line: fire of the turn; dashed: that missed"))
    if {"lost", "fell"} & kinds:
        lines.append(PanelLine("-1: lost in this turn"))
    if any(key[0] == "m" and not value for key, value in shown.values.items()):
        lines.append(PanelLine("cross: a unit was destroyed here"))
    if any(key[0] == "s" and value == 1 for key, value in shown.values.items()):
        lines.append(PanelLine("flames: on fire"))
    if any(key[0] == "s" and value == 2 for key, value in shown.values.items()):
        lines.append(PanelLine("broken outline: fallen"))
    made = [wall[5] for key, walls in shown.values.items() if key[0] == "o" for wall in walls]
    lines += [PanelLine("yellow in a wall: an opening was made")] if 0 in made else []
    lines += [PanelLine("orange in a wall: it was breached")] if 1 in made else []
    if any(key[0] == "g" and value >= 0 for key, value in shown.values.items()):
        lines.append(PanelLine("flag: in the colour of who is there; grey: both"))
    if zones:
        lines.append(PanelLine("tint: where a side may set up"))
    return lines
