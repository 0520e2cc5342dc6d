"""The page of a stress test: one HTML file that opens offline, made from the run's figures alone. Read `write_page`.

It shares style, script and charts with the tournament's report (`viewer.report_frame`). The page is complete without the script,
which sorts tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from pathlib import Path

from jinja2 import Environment
from msgspec import Struct

from battlesim.batch.blame import blame_lines
from battlesim.core.files import write_file
from battlesim.stress.analysis import (
    MAIN,
    NOT_APART,
    ResponseFound,
    StressFound,
    effect_words,
    sensitivity_heading,
)
from battlesim.stress.course import WAYS
from battlesim.stress.curves import CurvePoint, Grid, level_words
from battlesim.stress.effects import Effect
from battlesim.stress.model import MANY
from battlesim.stress.page_answers import amount, answers, is_unknown, percent_span, span_of
from battlesim.stress.plan import Design
from battlesim.viewer.report_charts import Axis, Forest, Tick, forest, ticks
from battlesim.viewer.report_frame import frame, templates

PAGE = "stress.html"
OPEN = 4
"""Tables of effects that are shown open."""
WIDE, TALL = 260, 150
LEFT, RIGHT, TOP, BOTTOM = 36, WIDE - 8, 8, TALL - 34
LABELS = 16
"""At most so many levels of a chart are labelled."""


def write_page(design: Design, found: StressFound, path: Path, name: str) -> None:
    """Write the page of a run, whole or not at all. Raises InputError if it cannot be written."""
    write_file(path, render(design, found, name).encode("utf-8", "replace"), "the page")


def render(design: Design, found: StressFound, name: str) -> str:
    """The page; the same figures give the same text."""
    told = [response for response in found.responses if response.response in MAIN or _shown(response)]
    if design.design == "morris":
        told = [response for response in told if _shown(response)]
    share = next((response for response in found.responses if response.response == "share"), None)
    template = _templates().get_template("stress.html.j2")
    return template.render(
        **frame(),
        name=name,
        design=design,
        found=found,
        answers=answers(design, found),
        tables=[_table(response) for response in told],
        silent=[
            response for response in found.responses if response not in told and not is_unknown(response)
        ],
        boxes=(found.boxes, _box_bars(found)),
        panels=panels(share) if share is not None else [],
        heats=[_heat(grid) for grid in found.grids],
        sensitivity=[index for index in found.sensitivity if index.response == "share"],
        factors=[
            (factor, paths, _levels(design, number), usual)
            for number, (factor, paths, usual) in enumerate(
                zip(design.factors, design.paths, design.usual, strict=True)
            )
        ],
        course=course_chart(found) if len(found.turns) > 1 else None,
        ways=WAYS,
        not_apart=NOT_APART,
        heading=sensitivity_heading(design.design, "share"),
        words=effect_words,
        level=level_words,
        first=OPEN,
        blame=blame_lines(found.blame),
    )


@lru_cache
def _templates() -> Environment:
    return templates(Path(__file__).resolve().parent)


def _shown(response: ResponseFound) -> bool:
    return any(effect.q < 0.05 for effect in response.effects)


class EffectTable(Struct, frozen=True):
    """The effects on one response: rows as shown, and their bars."""

    response: ResponseFound
    mean: str
    rows: tuple[tuple[Effect, str, str, str], ...]
    bars: Forest


def _table(response: ResponseFound) -> EffectTable:
    share = response.is_share
    effects = [effect for effect in response.effects if not effect.other or effect.is_shown]
    reach = max(
        (abs(end) for effect in effects for end in (effect.low, effect.high) if isfinite(end)), default=1.0
    )
    fields = [{"change": e.change, "low": _known(e.low), "high": _known(e.high)} for e in effects]
    bars = forest(fields, ("change", "low", "high"), 0.0, (-reach or -1.0, reach or 1.0))
    if not share:
        scale = Axis(-(reach or 1.0), reach or 1.0, 6, 194)
        marks = tuple(Tick(scale.at(value), f"{value:.2g}") for value in (scale.low, 0.0, scale.high))
        bars = Forest(bars.rows, bars.zero, marks)
    rows = tuple(
        (
            effect,
            amount(effect.change, share, True),
            span_of(effect.low, effect.high, share, True),
            amount(effect.unseen, share),
        )
        for effect in effects
    )
    mean = f"{amount(response.mean, share)} {span_of(response.low, response.high, share)}".strip()
    return EffectTable(response, mean, rows, bars)


def _known(end: float) -> float | None:
    return end if isfinite(end) else None


def _box_bars(found: StressFound) -> Forest:
    rows = [{"mean": box.mean, "low": _known(box.low), "high": _known(box.high)} for box in found.boxes]
    return forest(rows, ("mean", "low", "high"), 0.5, (0.0, 1.0))


class Panel(Struct, frozen=True):
    """A response along one factor: a line with a band if the factor is numeric, and a mark with its interval for each level."""

    factor: str
    line: str
    band: str
    marks: tuple[tuple[str, str, str, str], ...]
    """(x, y, path of the interval, words)"""
    up: tuple[Tick, ...]
    across: tuple[Tick, ...]
    half: str
    width: int = WIDE
    height: int = TALL
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def panels(response: ResponseFound) -> list[Panel]:
    """One small chart for each factor."""
    factors = dict.fromkeys(point.factor for point in response.curves)
    return [
        _panel(factor, [point for point in response.curves if point.factor == factor]) for factor in factors
    ]


def _panel(factor: str, points: Sequence[CurvePoint]) -> Panel:
    known = [point for point in points if isfinite(point.mean)]
    numbers = all(point.at is not None for point in known)
    places = [float(point.at or 0.0) if numbers else float(place) for place, point in enumerate(known)]
    low, high = (min(places), max(places)) if places else (0.0, 1.0)
    room = (high - low) * (0.06 if numbers else 0.25) or 1.0
    x, y = Axis(low - room, high + room, LEFT, RIGHT), Axis(0.0, 1.0, BOTTOM, TOP)
    marks, upper, lower, line = [], [], [], []
    for place, point in zip(places, known, strict=True):
        ends = [end if isfinite(end) else point.mean for end in (point.low, point.high)]
        across, down = x.at(place), y.at(point.mean)
        said = f"{level_words(point.level)}: {point.mean:.0%} {percent_span(point.low, point.high)}, {point.games} games"
        marks.append((across, down, f"M{across} {y.at(ends[0])}V{y.at(ends[1])}", said))
        line.append(f"{across} {down}")
        upper.append(f"{across} {y.at(ends[1])}")
        lower.append(f"{across} {y.at(ends[0])}")
    if numbers:
        # A few levels are labelled one by one; a range has round numbers.
        single = len(known) <= MANY and not any(isinstance(point.level, Sequence) for point in known)
        marked = ticks(Axis(low, high, x.place(low), x.place(high)), 4) if high > low and not single else []
        fine = marked or [
            Tick(x.at(place), level_words(point.level)) for place, point in zip(places, known, strict=True)
        ]
    else:
        fine = [
            Tick(x.at(place), _short(level_words(p.level), len(known)))
            for place, p in zip(places, known, strict=True)
        ][:: 1 + (len(known) - 1) // LABELS]
    return Panel(
        factor,
        f"M{'L'.join(line)}" if numbers and len(line) > 1 else "",
        f"M{'L'.join([*upper, *reversed(lower)])}z" if numbers and len(line) > 1 else "",
        tuple(marks),
        tuple(Tick(y.at(share), f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
        tuple(fine),
        y.at(0.5),
    )


def _short(words: str, among: int) -> str:
    most = max(4, 34 // max(1, among))
    return words if len(words) <= most else f"{words[: most - 1]}…"


class Course(Struct, frozen=True):
    """Turn by turn: the first side's share of the ground and of the floors as lines, and the losses of each side as bars."""

    lines: tuple[tuple[str, str], ...]
    """(class, path)"""
    bars: tuple[tuple[str, str, str], ...]
    """(class, path, words)"""
    up: tuple[Tick, ...]
    losses: tuple[Tick, ...]
    across: tuple[Tick, ...]
    half: str
    width: int = 3 * WIDE
    height: int = 2 * TALL
    left: int = LEFT
    right: int = 3 * WIDE - LEFT
    bottom: int = 2 * TALL - 34


def course_chart(found: StressFound) -> Course:
    """The chart of a game's course."""
    turns = found.turns
    last = max(turn.turn for turn in turns)
    most = max((lost for turn in turns for lost in turn.lost), default=0.0) or 1.0
    right, bottom = 3 * WIDE - LEFT, 2 * TALL - 34
    x = Axis(0.5, last + 0.5, LEFT, right)
    y, down = Axis(0.0, 1.0, bottom, TOP), Axis(0.0, 2 * most, bottom, TOP)
    lines = []
    for kind, name in (("l0", "ground"), ("l2", "floors")):
        points = [
            f"{x.at(float(turn.turn))} {y.at(value)}"
            for turn in turns
            if (value := getattr(turn, name)) is not None
        ]
        if len(points) > 1:
            lines.append((kind, f"M{'L'.join(points)}"))
    bars = []
    for turn in turns:
        for side, shift in ((0, -0.14), (1, 0.14)):
            lost = turn.lost[side]
            words = f"turn {turn.turn}: {lost:.1%} of the {('first', 'second')[side]} side's models, {turn.games} games"
            bars.append((f"l{side}", f"M{x.at(turn.turn + shift)} {down.at(0.0)}V{down.at(lost)}", words))
    return Course(
        tuple(lines),
        tuple(bars),
        tuple(Tick(y.at(share), f"{share:.0%}") for share in (0.0, 0.25, 0.5, 0.75, 1.0)),
        tuple(Tick(down.at(share * most), f"{share * most:.0%}") for share in (0.0, 0.5, 1.0)),
        tuple(Tick(x.at(float(turn.turn)), str(turn.turn)) for turn in turns),
        y.at(0.5),
    )


class Heat(Struct, frozen=True):
    """A grid as a table: cells with their mean, games and shade (0 to 10, -1 if there is nothing)."""

    grid: Grid
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[float | None, int, int], ...]], ...]


def _heat(grid: Grid) -> Heat:
    rows = []
    for level, means, games in zip(grid.rows, grid.means, grid.games, strict=True):
        cells = tuple(
            (mean, count, -1 if mean is None else min(max(round(10 * mean), 0), 10))
            for mean, count in zip(means, games, strict=True)
        )
        rows.append((level_words(level), cells))
    return Heat(grid, tuple(level_words(level) for level in grid.columns), tuple(rows))


def _levels(design: Design, factor: int) -> str:
    levels = design.levels_of(factor)
    numbers = [level for level in levels if isinstance(level, (int, float)) and not isinstance(level, bool)]
    if len(levels) > 8 and len(numbers) == len(levels):
        return f"{min(numbers):g} to {max(numbers):g}, {len(levels)} values"
    return ", ".join(level_words(level) for level in levels)
