"""The atlas on floor plans, floor by floor, and as a page. Read `write_page`.

A page is one file without scripts or requests; `atlas-floor-N.svg` beside it are its pictures alone.
"""

from __future__ import annotations

import re
from html import escape
from math import isfinite
from pathlib import Path

from battlesim.batch.blame import blame_lines
from battlesim.board.board import Board
from battlesim.board.draw import count_floors, draw_map
from battlesim.board.drawmargin import PanelLine
from battlesim.board.drawmarks import PointMark
from battlesim.board.load import decode_map
from battlesim.core.files import write_file
from battlesim.stress.atlas import (
    SEEN,
    TOP,
    AtlasDesign,
    AtlasFound,
    ChangeFound,
    PlaceFound,
)
from battlesim.stress.atlas_confirm import NONE, Fresh
from battlesim.stress.atlas_graph import MEASURES
from battlesim.stress.atlas_words import (
    change_words,
    confirmed_words,
    effect_words,
    fresh_words,
    seen_words,
    unchanged_words,
)
from battlesim.viewer.report_words import plural

SHAPES = {
    "building": "disc",
    "section": "disc",
    "floor": "disc",
    "stairs": "diamond",
    "ground": "triangle",
}
"""Marks by kind of place; openings and walls are squares."""
FIRST, SECOND, LUCK = "#6b3fa0", "#c2680c", "#8b8577"
"""Colours: helps the first side, helps the second, may be luck."""
LETTERS = 48
"""Height of a line of the key."""
NUMBERED = 40
"""The most places that are numbered on the plans."""


def write_page(folder: Path, design: AtlasDesign, found: AtlasFound, fresh: Fresh = NONE) -> None:
    """Write `atlas.html` and a picture of every floor into a folder. `fresh`: what was found on fresh dice.
    Raises InputError if they cannot be written."""
    board = decode_map(design.map.encode(), design.scenario)
    plans = [floor_plan(board, design, found, floor) for floor in range(count_floors(board))]
    for floor, plan in enumerate(plans):
        write_file(folder / f"atlas-floor-{floor}.svg", plan.encode(), "the plan")
    write_file(folder / "atlas.html", page_of(design, found, plans, fresh).encode(), "the page")


def floor_plan(board: Board, design: AtlasDesign, found: AtlasFound, floor: int) -> str:
    """The SVG text of one floor with its places, numbered as in the table, the strongest first, and a key."""
    here = [
        (number, one) for number, one in enumerate(found.places, 1) if design.places[one.place].floor == floor
    ]
    panel = [
        PanelLine("Places that matter most on this floor", heading=True),
        *(_line(design, number, one) for number, one in here[: 2 * TOP]),
        PanelLine("What the marks mean", heading=True),
        PanelLine(f"changed so, it helps {design.sides[0]}", " ", FIRST),
        PanelLine(f"changed so, it helps {design.sides[1]}", " ", SECOND),
        PanelLine("may be luck, among so many changes", " ", LUCK),
        PanelLine("disc: building, section or floor"),
        PanelLine("diamond: stairs; triangle: ground"),
        PanelLine("square: door, window or wall"),
    ]
    # The most important places are drawn last, over the rest.
    marks = [_mark(design, number, one) for number, one in reversed(here)]
    where = "ground floor" if floor == 0 else f"floor {floor}"
    games = plural(design.games, "game")
    caption = f"{where}: what places are worth in {design.scenario}, {games} of each change"
    return draw_map(board, floor, marks, panel=panel, caption=caption)


def _colour(one: ChangeFound) -> str:
    """The colour of the side that a change helps, by wins or else by points, whichever shows an effect."""
    shown = [effect for effect in (one.wins, one.points) if effect.q < SEEN]
    if not shown:
        return LUCK
    return FIRST if shown[0].change > 0 else SECOND


def _mark(design: AtlasDesign, number: int, one: PlaceFound) -> PointMark:
    place = design.places[one.place]
    title = f"{number}. {change_words(design, one.first.change)}: {effect_words(design, one.first)}"
    label = str(number) if number <= NUMBERED else ""
    return PointMark(place.x, place.y, label, _colour(one.first), SHAPES.get(place.kind, "square"), title)


def _line(design: AtlasDesign, number: int, one: PlaceFound) -> PanelLine:
    effect = one.first
    wins, points = f"{100 * effect.wins.change:+z.0f}%", f"{effect.points.change:+z.1f}"
    words = f"{wins} {points} {effect.change.what} {design.places[one.place].name}"
    if len(words) > LETTERS:
        words = words[: LETTERS - 1] + "…"
    return PanelLine(words, str(number), _colour(effect))


# ---- the page

STYLE = """
body { font-family: Georgia, 'DejaVu Serif', serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; color: #23201a;
  background: #fbf9f2; line-height: 1.45; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid #d8d2c2; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.first { color: #6b3fa0; font-weight: bold; } .second { color: #a05400; font-weight: bold; } .luck { color: #6b6558; }
.wide { overflow-x: auto; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_of(design: AtlasDesign, found: AtlasFound, plans: list[str], fresh: Fresh = NONE) -> str:
    """The page as HTML."""
    title = f"Atlas of {design.scenario}"
    first, second = design.sides
    games = plural(design.games, "game")
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{STYLE}</style></head><body><main>',
        f"<h1>{escape(title)}</h1>",
        f"<p>What every place is worth: how much more often {escape(first)} won, and by how many points their lead grew, where "
        f"the place is changed. {len(design.changes)} changes of {len(design.places)} places, {games} of each "
        f"with the same dice, played by {escape(' against '.join(dict.fromkeys(design.agents)))}. "
        f"{escape(unchanged_words(design, found))}.</p>",
        *[f"<p><b>{escape(words)}</b></p>" for words in blame_lines(found.blame)],
        f"<h2>The {min(TOP, len(found.places))} places that matter most</h2><ol>",
    ]
    for one in found.places[:TOP]:
        kind = _kind(one.first)
        again = fresh_words(design, one.first, fresh)
        parts.append(
            f"<li>{escape(change_words(design, one.first.change))}: "
            f'<span class="{kind}">{escape(effect_words(design, one.first))}</span>'
            f"{f'<br>{escape(again)}' if again else ''}</li>"
        )
    stand = confirmed_words(found, fresh)
    parts += [
        "</ol>",
        *([f"<p>{escape(stand)}.</p>"] if stand else []),
        f'<p><span class="first">Purple</span>: changed so, it helps {escape(first)}; ',
        f'<span class="second">orange</span>: it helps {escape(second)}; <span class="luck">grey</span>: may be luck',
        "among so many changes. False discoveries are held to one in twenty over all changes, for wins and for points",
        "(Benjamini and Hochberg).</p>",
    ]
    for floor, plan in enumerate(plans):
        name = "Ground floor" if floor == 0 else f"Floor {floor}"
        parts.append(f"<h2>{name}</h2><figure>{_inline(plan, floor)}</figure>")
    parts += [*_foretold(found), *_table(design, found), *_untried(design), "</main></body></html>", ""]
    return "\n".join(parts)


def _inline(plan: str, floor: int) -> str:
    """A picture inside a page: with its own names for what it defines, and a description."""
    plan = plan.replace("<svg ", f'<svg role="img" aria-label="floor plan {floor}" ', 1)
    return re.sub(r'(id="|url\(#)(\w+)', rf"\1floor{floor}-\2", plan)


def _kind(one: ChangeFound) -> str:
    return {FIRST: "first", SECOND: "second"}.get(_colour(one), "luck")


def _foretold(found: AtlasFound) -> list[str]:
    if not found.foretold:
        return []
    head = "<th>places</th><th>measure of the graph</th><th class=n>places</th><th class=n>correlation</th><th class=n>95%</th>"
    rows = [
        f"<tr><td>{escape(row.group)}</td><td>{row.measure}: {MEASURES[row.measure]}</td><td class=n>{row.places}</td>"
        f'<td class="n">{row.rho:+.2f}</td><td class="n">{row.low:+.2f} to {row.high:+.2f}</td>'
        f"<td class=n>{row.q:.3f}</td></tr>"
        for row in found.foretold[:30]
    ]
    return [
        "<h2>How well the graph predicts play</h2>",
        "<p>Rank correlation of what the graph of the map says of a place with the size of its effect on points.</p>",
        '<div class="wide"><table><thead><tr>',
        head,
        "<th class=n>q</th></tr></thead><tbody>",
        *rows,
        "</tbody></table></div>",
    ]


def _table(design: AtlasDesign, found: AtlasFound) -> list[str]:
    rows = []
    for number, one in enumerate(found.places, 1):
        measures = design.measures[one.place]
        said = ", ".join(
            f"{name} {value:.3g}" for name in MEASURES if (value := getattr(measures, name)) is not None
        )
        for effect in one.changes:
            wins, points = effect.wins, effect.points
            rows.append(
                f"<tr><td class=n>{number}</td><td>{escape(change_words(design, effect.change))}</td>"
                f'<td class="n {_kind(effect)}">{100 * wins.change:+z.0f}%</td>'
                f"<td class=n>{_span(100 * wins.low, 100 * wins.high, '+z.0f')}</td>"
                f'<td class="n {_kind(effect)}">{points.change:+z.2f}</td>'
                f"<td class=n>{_span(points.low, points.high, '+z.2f')}</td>"
                f"<td>{escape(seen_words(effect))}</td><td>{said}</td></tr>"
            )
    return [
        f"<h2>All places</h2><p>Wins and lead in points of {escape(design.sides[0])}.</p>",
        '<div class="wide"><table><thead><tr><th class=n>no.</th><th>change</th><th class=n>wins</th><th class=n>95%</th>'
        "<th class=n>points</th><th class=n>95%</th><th></th><th>the graph says</th></tr></thead><tbody>",
        *rows,
        "</tbody></table></div>",
    ]


def _span(low: float, high: float, form: str) -> str:
    return f"{low:{form}} to {high:{form}}" if isfinite(low) and isfinite(high) else "–"


def _untried(design: AtlasDesign) -> list[str]:
    if not design.untried:
        return []
    items = [
        f"<li>{escape(change_words(design, one.change))}: {escape(one.why)}</li>" for one in design.untried
    ]
    return ["<h2>Not tried</h2><p>These changes make no sound scenario.</p><ul>", *items, "</ul>"]
