"""Coordinates of the report's charts: numbers in, SVG paths out. Read `Axis`.

Nothing here knows markup or colours, which are in templates and style sheets. Coordinates are texts with at most one decimal, so
that the same summary gives the same bytes everywhere and a page stays small.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from battlesim.viewer.report_words import fixed, number

BAR = 200
"""Width of the bars in tables."""
ROW = 18
"""Height of the rows of a chart, in pixels."""
APART = 40
"""Labels of an axis nearer than this would overlap."""
BARS = 30
"""A histogram of more turns than this is drawn in wider bins."""
POINTS = 150
"""A line of more points than this is drawn through some of them, including the last."""


def at(value: float) -> str:
    """A coordinate as text."""
    text = f"{value:.1f}"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


class Axis(Struct, frozen=True):
    """A straight axis: values from `low` to `high` on coordinates from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """The coordinate of a value; one outside the range is at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def at(self, value: float) -> str:
        """The same as text."""
        return at(self.place(value))


class Tick(Struct, frozen=True):
    """A marked place on an axis."""

    at: str
    label: str


def reach(values: Iterable[object], always: Iterable[float] = (0.0,)) -> tuple[float, float]:
    """The range of the known values, never empty."""
    known = [found for value in values if (found := number(value)) is not None]
    known.extend(always)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    return (low, high) if high > low else (low - 1, high + 1)


def round_steps(low: float, high: float, about: int = 5) -> list[float]:
    """About `about` round values inside a range."""
    raw = (high - low) / max(about, 1)
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [step * number for number in range(first, math.floor(high / step + 1e-9) + 1)]


def ticks(scale: Axis, about: int = 5) -> list[Tick]:
    """Labelled round values of an axis."""
    steps = round_steps(scale.low, scale.high, about)
    digits = 0 if all(abs(step - round(step)) < 1e-9 for step in steps) else 1
    return [Tick(scale.at(step), fixed(step, digits)) for step in steps]


# ---- intervals --------------------------------------------------------------------------------------------------------


class Whisker(Struct, frozen=True):
    """An interval: the `line`'s path, and where the `dot` is; either may be empty."""

    line: str = ""
    dot: str = ""


class Forest(Struct, frozen=True):
    """The intervals of a table's rows on one axis, with the line they are read against."""

    rows: tuple[Whisker, ...]
    zero: str
    ticks: tuple[Tick, ...]


def forest(
    rows: Sequence[Mapping[str, Any]],
    fields: tuple[str, str, str] = ("elo", "low", "high"),
    against: float = 0.0,
    limits: tuple[float, float] | None = None,
) -> Forest:
    """Intervals as bars. A row whose `bound` is `at least` or `at most` extends to that end of the axis, without a dot."""
    # The value of a rating with one limit comes from the prior; only its limit is drawn.
    known = [(row, field) for row in rows for field in fields if field != fields[0] or not row.get("bound")]
    low, high = limits or reach((row.get(field) for row, field in known), (against,))
    scale = Axis(low, high, 6, BAR - 6)
    found = [_whisker(row, fields, scale) for row in rows]
    if limits:
        marked = tuple(Tick(scale.at(share), f"{100 * share:.0f}%") for share in (low, against, high))
    else:
        # the ends of the axis are labelled if that leaves room for the label of the line
        ends = [end for end in (low, high) if abs(scale.place(end) - scale.place(against)) >= APART]
        marked = tuple(Tick(scale.at(value), fixed(value)) for value in sorted({*ends, against}))
    return Forest(tuple(found), scale.at(against), marked)


def _whisker(row: Mapping[str, Any], fields: tuple[str, str, str], scale: Axis) -> Whisker:
    middle, low, high = (number(row.get(field)) for field in fields)
    y, cap = ROW // 2, 4
    bound = row.get("bound")
    if bound in ("at least", "at most"):
        start = low if bound == "at least" else high
        if start is None:
            return Whisker()
        end, back = (scale.end + 4, -5) if bound == "at least" else (scale.start - 4, 5)
        head = f"M{at(end + back)} {y - cap}L{at(end)} {y}L{at(end + back)} {y + cap}"
        return Whisker(f"M{scale.at(start)} {y - cap}v{2 * cap}m0 {-cap}H{at(end)}{head}")
    line = ""
    if low is not None and high is not None:
        left, right = scale.at(low), scale.at(high)
        line = f"M{left} {y - cap}v{2 * cap}M{left} {y}H{right}M{right} {y - cap}v{2 * cap}"
    return Whisker(line, "" if middle is None else scale.at(middle))


# ---- parts of a whole -------------------------------------------------------------------------------------------------


class BarSegment(Struct, frozen=True):
    """One block of a stacked bar; `kind` is its number in the order given."""

    kind: int
    at: str
    width: str


def stack(values: Sequence[object], width: float = BAR) -> list[BarSegment]:
    """Counts as blocks side by side that fill the width; nothing if there are none."""
    known = [max(number(value) or 0.0, 0.0) for value in values]
    whole = sum(known)
    parts, done = [], 0.0
    for kind, value in enumerate(known):
        if value:
            parts.append(BarSegment(kind, at(width * done / whole), at(width * value / whole)))
        done += value
    return parts


# ---- histograms -------------------------------------------------------------------------------------------------------


class Histogram(Struct, frozen=True):
    """Bars as one path in a box of `WIDE` by `TALL`, with labels below and the middle game marked."""

    path: str
    labels: tuple[Tick, ...]
    middle: str
    highest: str


WIDE, TALL = 240, 90


def histogram(turns: Iterable[Sequence[Any]], median: object) -> Histogram | None:
    """Games by the turn they ended in, `[turn, games]` each; None if there are none."""
    counts: dict[int, int] = {}
    for turn, games in (row for row in turns if len(row) == 2):
        if number(turn) is not None and number(games):
            counts[int(turn)] = counts.get(int(turn), 0) + int(games)
    if not counts:
        return None
    first, last = min(counts), max(counts)
    size = -(-(last - first + 1) // BARS)
    bins = [0] * ((last - first) // size + 1)
    for turn, games in counts.items():
        bins[(turn - first) // size] += games
    width = min(WIDE / len(bins), 40.0)
    left, highest, gap = (WIDE - width * len(bins)) / 2, max(bins), min(2.0, width / 5)
    path = []
    for index, games in enumerate(bins):
        if games:
            tall = max(games / highest * (TALL - 4), 1)
            path.append(
                f"M{at(left + index * width + gap / 2)} {TALL}v-{at(tall)}h{at(width - gap)}v{at(tall)}z"
            )
    every = -(-len(bins) // 10)
    labels = [
        Tick(at(left + (index + 0.5) * width), str(first + index * size))
        for index in range(0, len(bins), every)
    ]
    middle, place = number(median), ""
    if middle is not None:
        place = at(min(max(left + ((middle - first) / size + 0.5) * width, 0), WIDE))
    return Histogram("".join(path), tuple(labels), place, str(highest))


# ---- lines ------------------------------------------------------------------------------------------------------------


class RatingLine(Struct, frozen=True):
    """One agent's rating over the games: the line, its band, and the position and value of its end."""

    agent: str
    line: str
    band: str
    end_x: str
    end_y: str
    label_y: str
    value: float


class RatingChart(Struct, frozen=True):
    """Ratings over games, in a box of `width` by `height`; the plot lies inside `left`, `right`, `top`, `bottom`."""

    lines: tuple[RatingLine, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int


def thinned(points: Sequence[Any], most: int = POINTS) -> list[Any]:
    """Some of many points, evenly spaced, including the first and the last."""
    if len(points) <= most:
        return list(points)
    return [points[round(index * (len(points) - 1) / (most - 1))] for index in range(most)]


def ratings(progress: Sequence[Mapping[str, Any]], panel: bool) -> RatingChart | None:
    """Every agent's rating over time, where it has limits on both sides: else its value comes from the prior alone. None with
    less than two points or without a line. A `panel` is one of many, small and unlabelled."""
    known = [point for point in progress if number(point.get("games")) is not None]
    points = thinned(known, 60 if panel else POINTS)
    names: dict[str, None] = {}
    for point in points:
        names.update((str(rating.get("agent")), None) for rating in point.get("ratings") or ())
    if len(points) < 2 or not names:
        return None
    width, height = (240, 130) if panel else (680, 320)
    left, right, top, bottom = (
        (34, width - 6, 6, height - 18) if panel else (48, width - 145, 10, height - 40)
    )
    x = Axis(*reach((point["games"] for point in points), ()), left, right)
    # The bands of the first few games are very wide: they may leave the picture.
    shown = [band for point in points[len(points) // 5 :] for name in names for band in _band(name, point)]
    y = Axis(*reach(shown), bottom, top)
    lines = [line for name in names if (line := _line(name, points, x, y)) is not None]
    if not lines:
        return None
    lines.sort(key=lambda line: (-line.value, line.agent))
    few = 3 if panel else 5
    return RatingChart(
        tuple(_apart(lines, top, bottom)),
        tuple(ticks(x, few)),
        tuple(ticks(y, 4 if panel else 6)),
        y.at(0.0),
        width,
        height,
        left,
        right,
        top,
        bottom,
    )


def _band(name: str, point: Mapping[str, Any]) -> tuple[float, ...]:
    """The lower limit, value and upper limit of a rating; empty without both limits, and for a baseline, which is always 0."""
    for rating in point.get("ratings") or ():
        if str(rating.get("agent")) == name:
            found = [number(rating.get(field)) for field in ("low", "elo", "high")]
            band = tuple(value for value in found if value is not None)
            return band if len(band) == 3 and band[0] < band[2] else ()
    return ()


def _line(name: str, points: Sequence[Mapping[str, Any]], x: Axis, y: Axis) -> RatingLine | None:
    line, upper, lower, last = [], [], [], None
    for point in points:
        if not (limits := _band(name, point)) or not y.low <= limits[1] <= y.high:
            continue
        place = x.at(point["games"])
        low, elo, high = map(y.at, limits)
        line.append(f"{place} {elo}")
        upper.append(f"{place} {high}")
        lower.append(f"{place} {low}")
        last = (place, limits[1])
    if last is None:
        return None
    band = f"M{'L'.join([*upper, *reversed(lower)])}z" if len(upper) > 1 else ""
    return RatingLine(name, f"M{'L'.join(line)}", band, last[0], y.at(last[1]), y.at(last[1]), last[1])


def _apart(lines: Sequence[RatingLine], top: int, bottom: int, least: float = 15) -> list[RatingLine]:
    """Lines, highest first, with their labels moved so that none covers another."""
    places: list[float] = []
    for line in lines:
        places.append(max(float(line.end_y), places[-1] + least if places else float(top)))
    limit = float(bottom)
    for index in range(len(places) - 1, -1, -1):
        places[index] = limit = min(places[index], limit)
        limit -= least
    return [
        RatingLine(ln.agent, ln.line, ln.band, ln.end_x, ln.end_y, at(place), ln.value)
        for ln, place in zip(lines, places, strict=True)
    ]


class LlrChart(Struct, frozen=True):
    """The log-likelihood ratio of a sequential test between its bounds."""

    line: str
    end_x: str
    end_y: str
    upper: str
    lower: str
    zero: str
    across: tuple[Tick, ...]
    width: int
    height: int
    left: int
    right: int


def walk(sprt: Mapping[str, Any]) -> LlrChart | None:
    """The test's path; None if it has less than two points."""
    path = [
        point
        for point in sprt.get("path") or ()
        if len(point) == 2 and all(number(value) is not None for value in point)
    ]
    path = thinned(path, 2 * POINTS)
    if len(path) < 2:
        return None
    width, height, left, right = 680, 220, 12, 560
    bounds = (number(sprt.get("lower")), number(sprt.get("upper")))
    low, high = reach([*bounds, *(llr for _, llr in path)])
    room = (high - low) * 0.08
    x = Axis(*reach((pairs for pairs, _ in path), (0.0,)), left, right)
    y = Axis(low - room, high + room, height - 26, 6)
    points = [f"{x.at(pairs)} {y.at(llr)}" for pairs, llr in path]
    lower, upper = ("" if bound is None else y.at(bound) for bound in bounds)
    end_x, end_y = points[-1].split()
    across = tuple(ticks(x, 5))
    return LlrChart(
        f"M{'L'.join(points)}", end_x, end_y, upper, lower, y.at(0.0), across, width, height, left, right
    )
