"""The course of a battle as a chart over its moments: chance to win, points, strength. Read `timeline`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from battlesim.viewer.film import Film

WIDE, HIGH = 1000, 100
"""The size of a strip of the chart in its own units."""


class Strip(NamedTuple):
    """One chart. `title`: what it shows. `svg`: its elements. `says`: its last values, in words."""

    title: str
    svg: str
    says: str


Chances = Sequence[tuple[int, float]]
"""(event, chance of the first side to win after it), in the order of the events."""


def timeline(
    film: Film, sides: Sequence[str], sizes: Sequence[int], chances: Chances = (), found_by: str = "estimate"
) -> list[Strip]:
    """The strips of the chart, each `WIDE` by `HIGH`; their x runs from the first moment to the last. `sizes`: the side of each
    unit by its number in `film.full`. `found_by`: how the chances to win were computed."""
    strips = []
    events = [moment.event for moment in film.moments]
    if chances and events:
        strips.append(_chance(events, sides, chances, f"Chance to win ({found_by})"))
    side_of = dict(zip(film.full, sizes, strict=True))
    points, strength = _courses(film, side_of)
    top = max(1, *(max(pair) for pair in points))
    strips.append(_lines("Points", points, lambda n: n / top, sides, lambda n: f"{n:g}"))
    whole = [max(1, sum(film.full[u] for u in film.full if side_of[u] == side)) for side in (0, 1)]
    shares = [(a / whole[0], b / whole[1]) for a, b in strength]
    strips.append(_lines("Strength left", shares, lambda n: n, sides, lambda n: f"{n:.0%}"))
    return strips


def turn_starts(film: Film) -> list[tuple[int, int]]:
    """(turn, moment) for the first moment of each turn."""
    found: list[tuple[int, int]] = []
    for number, moment in enumerate(film.moments):
        if not found or moment.turn > found[-1][0]:
            found.append((moment.turn, number))
    return found


Pair = tuple[float, float]


def _courses(film: Film, side_of: dict[int, int]) -> tuple[list[Pair], list[Pair]]:
    """Points and models of both sides after each moment, the first of them before all."""
    models = {unit: int(film.start[f"m{unit}"]) for unit in film.full}
    now = [sum(n for unit, n in models.items() if side_of[unit] == side) for side in (0, 1)]
    held: Sequence[float] = film.start["p"]
    points, strength = list[Pair](), list[Pair]()
    for moment in film.moments:
        held = moment.changes.get("p", held)
        for key, value in moment.changes.items():
            if key[0] == "m":
                unit = int(key[1:])
                now[side_of[unit]] += value - models[unit]
                models[unit] = value
        points.append((held[0], held[1]))
        strength.append((now[0], now[1]))
    return points or [(0, 0)], strength or [(0, 0)]


def _x(number: int, count: int) -> str:
    return f"{WIDE * number / max(1, count - 1):.1f}".rstrip("0").rstrip(".")


def _steps(values: Sequence[float]) -> str:
    """A line that goes in steps, with a point where it changes."""
    parts, before = [], None
    for number, value in enumerate(values):
        y = f"{HIGH - 4 - (HIGH - 8) * value:.1f}"
        if before is None:
            parts.append(f"M0 {y}")
        elif y != before:
            parts.append(f"H{_x(number, len(values))}V{y}")
        before = y
    return "".join([*parts, f"H{WIDE}"])


def _lines(
    title: str,
    values: Sequence[Pair],
    share: Callable[[float], float],
    sides: Sequence[str],
    shown: Callable[[float], str],
) -> Strip:
    lines = [
        f'<path class="line l{side}" d="{_steps([share(pair[side]) for pair in values])}"/>'
        for side in (1, 0)
    ]
    last = values[-1]
    says = ", ".join(f"{name} {shown(last[side])}" for side, name in enumerate(sides))
    return Strip(title, "".join(lines), says)


def _chance(events: Sequence[int], sides: Sequence[str], chances: Chances, title: str) -> Strip:
    """The chance of the first side from below, that of the second from above."""
    at, values = 0, []
    now = chances[0][1]
    for event in events:
        while at < len(chances) and chances[at][0] <= event:
            now = chances[at][1]
            at += 1
        values.append(now)
    line = _steps(values)
    svg = (
        f'<path class="area a1" d="M0 0H{WIDE}V{HIGH}H0Z"/><path class="area a0" d="{line}V{HIGH}H0Z"/>'
        f'<path class="half" d="M0 {HIGH // 2}H{WIDE}"/>'
    )
    return Strip(title, svg, f"{sides[0]} {values[-1]:.0%}, {sides[1]} {1 - values[-1]:.0%}")
