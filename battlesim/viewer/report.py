"""The report of a tournament: one HTML file that opens offline, made from the run's summary alone. Read `write_report`.

The page contains its style and its script, makes no requests, and has a content security policy that names both by their hashes
and forbids all else. Names from files are text everywhere: the templates escape everything. The page is complete without the
script, which sorts tables and selects one of many standings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from msgspec import Struct

from battlesim.core.files import write_file
from battlesim.engine.record_file import page_beside
from battlesim.viewer import report_words as words
from battlesim.viewer.report_answers import answers, not_claimed, sprt_says
from battlesim.viewer.report_charts import (
    BarSegment,
    Forest,
    Histogram,
    forest,
    histogram,
    ratings,
    stack,
    walk,
)
from battlesim.viewer.report_frame import frame, templates
from battlesim.viewer.report_words import Summary, number

VERDICTS = ("decided", "length", "stalled", "forfeit", "crash", "fault")
OPEN = 60
"""A table with more rows than this is collapsed at first."""
PANELS = 4
"""With more agents than this, each gets a small chart of ratings."""


def write_report(summary: Summary, path: Path) -> None:
    """Write a run's report, whole or not at all. Raises InputError if it cannot be written."""
    files = [str(record.get("file") or "") for record in summary.get("records") or ()]
    pages = [file for file in files if _link(file) and (path.parent / page_beside(file)).is_file()]
    write_file(path, render(summary, pages).encode("utf-8", "replace"), "the report")


def render(summary: Summary, pages: Collection[str] = ()) -> str:
    """The page of a summary (the shape that a run's `summary.json` has); the same summary gives the same text. `pages`: records
    that have a replay page beside them."""
    template = _templates().get_template("report.html.j2")
    return template.render(
        s=summary,
        **frame(),
        answers=answers(summary),
        control_run=(summary.get("config") or {}).get("format") == "control",
        paired=_is_paired(summary),
        scopes=_scopes(summary),
        duel=_duel(summary),
        lead=_lead(summary),
        heat=_heat(summary),
        mix=[
            part
            for part in (summary.get("matrix") or {}).get("mix") or ()
            if words.percent(part.get("weight"), 0) != "0%"
        ],
        walk=walk(summary.get("sprt") or {}),
        sides=_sides(summary),
        ends=_ends(summary),
        terminations=_terminations(summary),
        lengths=_lengths(summary),
        charts=_charts(summary),
        clauses=_clauses(summary),
        records=[
            (record, _link(file), _link(page_beside(file)) if file in pages else "")
            for record in summary.get("records") or ()
            for file in [str(record.get("file") or "")]
        ],
        config=json.dumps(summary.get("config") or {}, indent=2, ensure_ascii=False, default=str),
        not_claimed=not_claimed(summary),
        kinds=VERDICTS,
        open=OPEN,
    )


@lru_cache
def _templates() -> Environment:
    made = templates()
    made.filters.update(
        gain=_gain,
        says=sprt_says,
        listed=_listed,
        kept=_kept,
    )
    made.globals.update(shares=_shares, won=_won, wholes=_wholes)
    return made


def _kept(text: str) -> str:
    """A sentence without a line break between a number and its interval."""
    return re.sub(r"(?<=\d) Elo\b( \[[^\]]*\])?", lambda found: found[0].replace(" ", "\u00a0"), text)


def _shares(row: Any) -> str:
    """An interval of shares, in percent."""
    low, high = (number(row.get(field)) if isinstance(row, Mapping) else None for field in ("low", "high"))
    return words.span(None if low is None else 100 * low, None if high is None else 100 * high, 1)


def _wholes(low: Any, high: Any) -> str:
    """The ends of an interval of shares, in whole percent."""
    ends = [None if (end := number(found)) is None else 100 * end for found in (low, high)]
    return words.span(ends[0], ends[1])


def _gain(value: object) -> str:
    """A difference of shares, in whole percent with its sign."""
    found = number(value)
    return words.MISSING if found is None else f"{words.signed(100 * found)}%"


def _won(games: Any) -> str:
    """Games won by the first side, drawn, and won by the second."""
    if not isinstance(games, Mapping) or not games.get("wins"):
        return words.MISSING
    first, second = games["wins"]
    return " : ".join(words.fixed(count) for count in (first, games.get("draws"), second))


def _listed(values: Any, between: str) -> str:
    """Counts in one text, separated by `between`."""
    return between.join(words.fixed(value) for value in values or ())


def _link(file: object) -> str:
    """The relative link to a record; empty if its name would lead out of the run's folder."""
    name = str(file or "").replace("\\", "/")
    if not name or name.startswith("/") or ".." in name.split("/") or not name.isprintable():
        return ""
    return quote(name.encode("utf-8", "replace"), safe="/")


# ---- what the page shows, section by section ---------------------------------------------------------------------------


class Scope(Struct, frozen=True):
    """One table of standings."""

    kind: str
    of: str
    standing: Mapping[str, Any]
    rows: list[Mapping[str, Any]]
    bars: Forest


def _scopes(summary: Summary) -> list[Scope]:
    """The standings, the overall ones first, without those equal to the overall ones."""
    whole = words.overall(summary)
    found = []
    for standing in summary.get("standings") or ():
        same = all(standing.get(field) == whole.get(field) for field in ("rows", "withheld"))
        if standing is whole or not same:
            rows = words.ranked(standing)
            kind = str(standing.get("scope") or "")
            found.append(Scope(kind, str(standing.get("of") or ""), standing, rows, forest(rows)))
    return sorted(found, key=lambda scope: scope.kind != "overall")


def _is_paired(summary: Summary) -> bool:
    """Whether games of different agents may be shown: not in a run of which only control games are known. Then columns about
    pairs would be empty."""
    counts = [number((row.get("all") or {}).get("games")) for row in summary.get("sides") or ()]
    return not counts or any(count != 0 for count in counts)


def _duel(summary: Summary) -> list[BarSegment]:
    """For two agents, the games won, drawn and lost by the first, as one bar; nothing for other numbers of agents."""
    rows = words.ranked(words.overall(summary))
    if len(rows) != 2:
        return []
    return stack([rows[0].get(field) for field in ("wins", "draws", "losses")], 600)


def _lead(summary: Summary) -> Forest:
    return forest(list(summary.get("superiority") or ()))


class Cell(Struct, frozen=True):
    """One square of the win matrix; `shade` is 0 (lost all) to 10 (won all), -1 if nothing was played."""

    score: float | None
    games: object
    shade: int


def _heat(summary: Summary) -> list[tuple[str, list[Cell]]]:
    matrix = summary.get("matrix") or {}
    agents = [str(name) for name in matrix.get("agents") or ()]
    scores, games = matrix.get("score") or (), matrix.get("games") or ()
    rows = []
    for down, name in enumerate(agents):
        cells = []
        for across in range(len(agents)):
            score, count = number(_at(scores, down, across)), _at(games, down, across)
            cells.append(Cell(score, count, -1 if score is None else min(max(round(score * 10), 0), 10)))
        rows.append((name, cells))
    return rows if len(rows) > 2 else []


def _at(rows: Any, down: int, across: int) -> object:
    try:
        return rows[down][across]
    except (IndexError, TypeError):
        return None


def _sides(summary: Summary) -> tuple[list[Mapping[str, Any]], Forest]:
    rows = list(summary.get("sides") or ())
    controls = [row.get("control") or {} for row in rows]
    return rows, forest(controls, ("share", "low", "high"), 0.5, (0.0, 1.0))


def _ends(summary: Summary) -> list[tuple[Mapping[str, Any], list[BarSegment]]]:
    """How games ended, by scenario, and the sum of them under more than one."""
    rows = list(summary.get("verdicts") or ())
    if len(rows) > 1:
        every = {field: words.total(rows, field) for field in ("games", *VERDICTS)}
        rows.append({"scenario": "", **every})
    return [(row, stack([row.get(kind) for kind in VERDICTS])) for row in rows]


def _terminations(summary: Summary) -> tuple[list[str], list[Mapping[str, Any]]]:
    """The words games ended with, the most frequent first, and the rows that count them."""
    rows = list(summary.get("terminations") or ())
    counts: dict[str, float] = {}
    for row in rows:
        for word, games in (row.get("words") or {}).items():
            counts[word] = counts.get(word, 0) + (number(games) or 0)
    return sorted(counts, key=lambda word: (-counts[word], word)), rows


def _lengths(summary: Summary) -> list[tuple[Mapping[str, Any], Histogram | None]]:
    return [
        (row, histogram(row.get("turns") or (), row.get("median"))) for row in summary.get("lengths") or ()
    ]


def _charts(summary: Summary) -> tuple[Any, bool]:
    """Ratings over time, and whether each agent has a small chart. Only one of two mirrored lines is drawn."""
    points = list(summary.get("progress") or ())
    agents = {str(rating.get("agent")) for point in points for rating in point.get("ratings") or ()}
    chart = ratings(points, len(agents) > PANELS)
    if chart is not None and len(chart.lines) == 2:
        leader = chart.lines[0].agent
        kept = [
            {
                **point,
                "ratings": [one for one in point.get("ratings") or () if str(one.get("agent")) == leader],
            }
            for point in points
        ]
        if _mirrored(points):
            chart = ratings(kept, False)
    return chart, len(agents) > PANELS


def _mirrored(points: list[Mapping[str, Any]]) -> bool:
    """Whether two agents' ratings say the same thing twice: they add up to 0, or one of them is always 0."""
    for point in points:
        elos = [number(rating.get("elo")) for rating in point.get("ratings") or ()]
        known = [elo for elo in elos if elo is not None]
        if len(known) == 2 and abs(sum(known)) > 1e-6 and 0.0 not in known:
            return False
    return True


def _clauses(summary: Summary) -> list[tuple[Mapping[str, Any], list[Mapping[str, Any]], list[str]]]:
    """For each ruleset, its clauses in the order given, and the names of those that no game used."""
    found = []
    for book in summary.get("clauses") or ():
        rows = list(book.get("clauses") or ())
        unused = [str(row.get("id")) for row in rows if not number(row.get("games"))]
        found.append((book, rows, unused))
    return found
