"""The page of a search: the map of behaviours, its elites and what was confirmed, in one HTML file. Read `write_page`.

It shares style, script and charts with the tournament's report (`viewer.report_frame`). A cell of the map leads to its elite,
with its interval, the agent's name, the command that plays it, and the replay page of a game. `picture` draws the map alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import product
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment
from msgspec import Struct

from battlesim.core.files import write_file
from battlesim.discovery.behaviour import AXES
from battlesim.discovery.contrasts import plan_of
from battlesim.discovery.elite_games import page_of
from battlesim.discovery.run import Discovery
from battlesim.discovery.search import Progress
from battlesim.discovery.search_judge import Found
from battlesim.discovery.settings import DiscoverySettings
from battlesim.discovery.words import (
    alone_words,
    bin_words,
    command,
    gain_words,
    held_words,
    met_words,
    moved_words,
    no_better_words,
    once_words,
    seen_before,
    share,
    verdict,
)
from battlesim.viewer.report_charts import Axis, Forest, Tick, forest, thinned
from battlesim.viewer.report_frame import frame, templates

PAGE, PICTURE = "discover.html", "discover.svg"
SHADES = (
    ("#8f3d04", "#fff"),
    ("#b5590a", "#fff"),
    ("#df8b35", "#1b2229"),
    ("#f3b877", "#1b2229"),
    ("#fadcb8", "#1b2229"),
    ("#f0eee8", "#1b2229"),
    ("#d3e4f2", "#1b2229"),
    ("#a3c9e6", "#1b2229"),
    ("#6ba5d1", "#1b2229"),
    ("#2a6da5", "#fff"),
    ("#154a78", "#fff"),
)
"""Paper and ink of scores from 0 to 1, as on the pages in light colours."""
WIDE, TALL = 260, 150
LEFT, RIGHT, TOP, BOTTOM = 36, WIDE - 8, 8, TALL - 24


def write_page(asked: DiscoverySettings, found: Discovery, folder: Path) -> None:
    """Write page and picture into a folder, each whole or not at all; elites are linked to their games whose pages are there.
    Raises InputError if they cannot be written."""
    numbers = range(1, len(found.elites) + 1)
    pages = {number: page for number in numbers if (folder / (page := page_of(number))).is_file()}
    write_file(folder / PAGE, render(asked, found, folder.name, pages).encode("utf-8", "replace"), "the page")
    if asked.aim == "map":
        write_file(folder / PICTURE, picture(asked, found).encode(), "the picture")


def render(
    asked: DiscoverySettings, found: Discovery, name: str, pages: Mapping[int, str] = MappingProxyType({})
) -> str:
    """The page; the same figures give the same text. `pages`: the replay page of an elite's game, by its number."""
    numbered = list(enumerate(found.elites, 1))
    rival = found.written[0][0] if found.written else ""
    return (
        _templates()
        .get_template("discover.html.j2")
        .render(
            **frame(),
            name=name,
            asked=asked,
            found=found,
            answers=answers(asked, found),
            grids=grids(asked, found) if asked.aim == "map" else [],
            elites=[(n, one, plan_of(one.agent), command(asked, found, one)) for n, one in numbered],
            bars=_bars([one.value for one in found.elites]),
            confirmed=[(n, one) for n, one in numbered if one.confirmed is not None],
            written_bars=_bars([value for _, value in found.written]),
            rival=rival,
            grounds=asked.grounds,
            panels=panels(found.progress) if asked.aim == "map" else [],
            pages=pages,
            meanings={axis: AXES[axis].meaning for axis in asked.axes},
            said=share,
            verdict=verdict,
            gained=gain_words,
            once=once_words(asked),
            met=met_words(asked, found),
            alone=alone_words(found),
            moved=lambda one: moved_words(asked, one),
        )
    )


@lru_cache
def _templates() -> Environment:
    return templates(Path(__file__).resolve().parent)


class Answer(Struct, frozen=True):
    """A question that the page answers first. `tone`: "care" if it needs attention."""

    question: str
    answer: str
    details: tuple[str, ...] = ()
    tone: str = ""


def answers(asked: DiscoverySettings, found: Discovery) -> list[Answer]:
    """The questions that a reader asks first, with answers."""
    kept_out = sum(bool(one.gates) for one in found.elites)
    told = [_best(found)]
    if asked.aim == "map":
        told.append(
            Answer(
                "How many ways of fighting are there?",
                f"{len(found.elites)} of {asked.bins ** len(asked.axes)} cells have one.",
                (
                    f"QD score of the selection {found.qd_score:.1f}, on corrected values.",
                    f"{held_words(found)}.",
                ),
            )
        )
    if kept_out:
        told.append(
            Answer(
                "What was kept out?",
                f"{kept_out} of {len(found.elites)}: their rows say why.",
            )
        )
    if asked.shuffled:
        told.append(
            Answer("Is it real?", "No: a coin decided who won each game. What was found is luck.", (), "care")
        )
    ground = asked.grounds["confirmation"]
    others = [name for name in ground.scenarios if name not in seen_before(asked)]
    if len(others) < len(ground.scenarios):
        said = "Not known: it was tried on scenarios that it was trained on or chosen by, with fresh dice."
        if others:
            said = f"See the rows of {', '.join(others)}, which the search did not see."
        told.append(Answer("Does it work elsewhere?", said))
    return told


def _best(found: Discovery) -> Answer:
    rows = [(n, one) for n, one in enumerate(found.elites, 1) if one.confirmed is not None]
    question = "What was found?"
    none = f"{no_better_words(found).capitalize()}." if no_better_words(found) else ""
    if not rows:
        return Answer(question, none or "Nothing that passed the gates.", (), "care")
    details = tuple(
        f"Elite {n}: {share(one.confirmed)}, {verdict(one.confirmed)}"
        + (f"; against {found.written[0][0]} {share(one.duel)}, {verdict(one.duel)}." if one.duel else ".")
        for n, one in rows
        if one.confirmed is not None
    )
    better = [n for n, one in rows if one.duel is not None and one.duel.low > 0.5]
    even = [n for n, one in rows if one.confirmed is not None and one.confirmed.low > 0.5]
    if none:
        said = none
    elif better:
        said = f"Elite {better[0]} beats {found.written[0][0]}, the best written by hand in the selection."
    elif even:
        said = f"Elite {even[0]} is better than even, but not shown to beat the best written by hand."
    else:
        said = "Nothing that is shown to be better than even."
    return Answer(question, said, details)


# ---- the map


class MapCell(Struct, frozen=True):
    """A cell with an elite: its number, its score and interval, its shade (0 to 10), and whether it is kept out. `moved`: whether
    its behaviour in the selection lies in another cell."""

    number: int
    score: str
    interval: str
    shade: int
    kept_out: bool
    moved: bool
    title: str


class MapGrid(Struct, frozen=True):
    """Two axes of the map at one bin of each of the others. Rows from the top, which is the high end."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[MapCell | None, ...]], ...]


def grids(asked: DiscoverySettings, found: Discovery) -> list[MapGrid]:
    """The map: one grid for two axes, several for more, of which those without an elite are left out."""
    cells = {one.cell: _cell(asked, number, one) for number, one in enumerate(found.elites, 1)}
    bins = range(asked.bins)
    made = []
    for others in product(bins, repeat=len(asked.axes) - 2):
        if others and not any(cell[2:] == others for cell in cells):
            continue
        title = ", ".join(
            f"{axis} {bin_words(at, asked.bins)}" for axis, at in zip(asked.axes[2:], others, strict=True)
        )
        rows = tuple(
            (bin_words(down, asked.bins), tuple(cells.get((down, across, *others)) for across in bins))
            for down in reversed(bins)
        )
        made.append(MapGrid(title, tuple(bin_words(across, asked.bins) for across in bins), rows))
    return made


def _cell(asked: DiscoverySettings, number: int, one: Found) -> MapCell:
    value, moved = one.value, moved_words(asked, one)
    marks = "".join(f"; {mark}" for mark in (*one.gates, moved) if mark)
    return MapCell(
        number,
        f"{100 * value.value:.0f}",
        f"{100 * value.low:.0f}–{100 * value.high:.0f}",
        min(max(round(10 * one.corrected), 0), 10),
        bool(one.gates),
        bool(moved),
        f"elite {number}: {share(value)}, corrected {one.corrected:.0%}{marks}",
    )


def _bars(values: Sequence[tuple[float, float, float]]) -> Forest:
    rows = [{"value": value, "low": low, "high": high} for value, low, high in values]
    return forest(rows, ("value", "low", "high"), 0.5, (0.0, 1.0))


# ---- over time


class TimePanel(Struct, frozen=True):
    """A number over the games of the training."""

    title: str
    line: str
    up: tuple[Tick, ...]
    across: tuple[Tick, ...]
    width: int = WIDE
    height: int = TALL
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def panels(progress: Sequence[Progress]) -> list[TimePanel]:
    """Coverage, QD score and the best corrected value over the games of the training."""
    if len(progress) < 2:
        return []
    kept = thinned(progress)
    x = Axis(0.0, float(kept[-1].games), LEFT, RIGHT)
    across = (Tick(x.at(0.0), "0"), Tick(x.at(x.high), f"{kept[-1].games:,} games"))
    made = []
    for title, values, form in (
        ("Coverage", [one.coverage for one in kept], "{:.0%}"),
        ("QD score of the training, corrected", [one.qd_score for one in kept], "{:.1f}"),
        ("Best corrected value", [one.best for one in kept], "{:.0%}"),
    ):
        y = Axis(0.0, max([*values, 1e-9]), BOTTOM, TOP)
        line = "L".join(f"{x.at(one.games)} {y.at(value)}" for one, value in zip(kept, values, strict=True))
        up = tuple(Tick(y.at(at), form.format(at)) for at in (0.0, y.high / 2, y.high))
        made.append(TimePanel(title, f"M{line}", up, across))
    return made


# ---- the picture

SIDE, GAP, HEAD, MARGIN = 58, 26, 64, 92


def picture(asked: DiscoverySettings, found: Discovery) -> str:
    """The map as an SVG: each cell with its elite's score, its interval, and a link to its row on the page."""
    made = grids(asked, found)
    size = SIDE * asked.bins
    columns = min(len(made), 3) or 1
    rows = -(-len(made) // columns) or 1
    width = MARGIN + columns * (size + GAP)
    height = HEAD + rows * (size + 2 * GAP) + 40
    title = f"{', '.join(Path(name).stem for name in asked.scenarios)}: ways of fighting by behaviour"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, True)}">',
        "<style>text{font:12px system-ui,sans-serif;fill:#55606b}.m{text-anchor:middle}.e{text-anchor:end}"
        ".t{font-weight:600;font-size:14px;fill:#1b2229}.n{font-weight:600;font-size:15px}.s{font-size:10px}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/><text class="t" x="12" y="22">{escape(title)}</text>',
        '<text x="12" y="40">percent of its games that the best way of fighting of a cell wins, with 95% intervals; '
        "struck out: kept out; star: in another cell by the selection</text>",
    ]
    for number, grid in enumerate(made):
        left = MARGIN + number % columns * (size + GAP)
        top = HEAD + number // columns * (size + 2 * GAP)
        if grid.title:
            parts.append(f'<text x="{left}" y="{top - 6}">{escape(grid.title)}</text>')
        parts += _squares(grid, left, top, first=number % columns == 0)
        parts.append(
            f'<text class="m" x="{left + size // 2}" y="{top + size + 32}">{escape(asked.axes[1])}</text>'
        )
    middle = HEAD + size // 2
    parts.append(
        f'<text class="m" transform="translate(16 {middle}) rotate(-90)">{escape(asked.axes[0])}</text></svg>\n'
    )
    return "".join(parts)


def _squares(grid: MapGrid, left: int, top: int, first: bool) -> list[str]:
    parts = []
    for down, (label, cells) in enumerate(grid.rows):
        y = top + down * SIDE
        if first:
            parts.append(f'<text class="e" x="{left - 6}" y="{y + SIDE // 2 + 4}">{label}</text>')
        for across, cell in enumerate(cells):
            x = left + across * SIDE
            parts.append(_square(cell, x, y))
    bottom = top + len(grid.rows) * SIDE
    for across, label in enumerate(grid.columns):
        parts.append(
            f'<text class="m s" x="{left + across * SIDE + SIDE // 2}" y="{bottom + 14}">{label}</text>'
        )
    return parts


def _square(cell: MapCell | None, x: int, y: int) -> str:
    box = f'x="{x}" y="{y}" width="{SIDE - 2}" height="{SIDE - 2}"'
    if cell is None:
        return f'<rect {box} fill="#f7f5f0"/>'
    paper, ink = SHADES[cell.shade]
    struck = ' text-decoration="line-through"' if cell.kept_out else ""
    star = "*" if cell.moved else ""
    middle = x + SIDE // 2 - 1
    return (
        f'<a href="{PAGE}#elite-{cell.number}"><title>{escape(cell.title)}</title><rect {box} fill="{paper}"/>'
        f'<text class="m n" x="{middle}" y="{y + 27}" style="fill:{ink}"{struck}>{cell.score}{star}</text>'
        f'<text class="m s" x="{middle}" y="{y + 42}" style="fill:{ink}">{cell.interval}</text></a>'
    )
