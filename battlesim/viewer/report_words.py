"""Formatting numbers for the report, and looking values up in a run's summary. Read `fixed`.

An unknown value (null or not a number) is a dash, never a zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

MISSING = "–"
MINUS = "\u2212"
SHOWN = 3
"""The most names in a sentence; the rest are counted."""

Summary = Mapping[str, Any]


class KeyFinding(Struct, frozen=True):
    """A finding at the head of the report: a question and its answer. `tone`: good, care or plain."""

    question: str
    answer: str
    details: tuple[str, ...] = ()
    tone: str = "plain"


# ---- how numbers are written ----------------------------------------------------------------------------------------


def number(value: object) -> float | None:
    """A finite number; None for null, NaN, infinity and anything that is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def fixed(value: object, digits: int = 0) -> str:
    """`-12.34` -> `−12`; thousands are separated by commas, and zero has no sign."""
    found = number(value)
    if found is None:
        return MISSING
    text = f"{found:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: object, digits: int = 0) -> str:
    """`85.2` -> `+85`."""
    text = fixed(value, digits)
    return text if text[0] in (MINUS, MISSING) or not text.strip("0.") else f"+{text}"


def percent(value: object, digits: int = 1) -> str:
    """A share of one as percent; `0.625` -> `62.5%`."""
    found = number(value)
    return MISSING if found is None else f"{fixed(100 * found, digits)}%"


def bias_ratio(share: float) -> str:
    """A possible share of one side as a ratio, the larger part first: `0.404` -> `60:40`. It is rounded away from even, so that
    no bias looks smaller than it is."""
    first = min(100, math.ceil(round(100 * max(share, 1 - share), 6)))
    return f"{first}:{100 - first}"


def more_games(sides: Sequence[Mapping[str, Any]], what: str) -> str:
    """How many control games would tell more about scenarios that are not settled, from their entries in the summary, and what
    they would do; `what`: what is counted. The first step of any of them comes before the next of the others."""
    step = min(
        (str(side.get("needed_to") or "show") for side in sides), key=("show", "rule out", "halve").index
    )
    those = [side for side in sides if str(side.get("needed_to") or "show") == step]
    needed = max(number(side.get("needed")) or 0 for side in those)
    bias = bias_ratio(max(number(side.get("bound")) or 0.6 for side in those))
    done = {
        "show": f"reveal a bias of {bias}",
        "rule out": f"rule out a bias of {bias} if the shares stay as they are",
        "halve": f"halve the interval, which may tell whether there is a bias of {bias}",
    }[step]
    return f"{fixed(needed)} {what} would {done}"


def span(low: object, high: object, digits: int = 0) -> str:
    """An interval in brackets; empty if neither end is known."""
    if number(low) is None and number(high) is None:
        return ""
    return f"[{fixed(low, digits)}, {fixed(high, digits)}]"


def chance(value: object) -> str:
    """A p-value."""
    found = number(value)
    if found is None:
        return MISSING
    return "below 0.001" if found < 0.001 else f"{found:.3f}" if found < 0.1 else f"{found:.2f}"


def plural(value: object, one: str, many: str = "") -> str:
    """`1 game`, `1,200 games`."""
    return f"{fixed(value)} {one if value == 1 else many or one + 's'}"


def names(found: Sequence[str], shown: int = SHOWN) -> str:
    """`a`, `a and b`, `a, b, c and 4 more`."""
    if len(found) > shown + 1:
        return f"{', '.join(found[:shown])} and {len(found) - shown} more"
    return " and ".join(part for part in (", ".join(found[:-1]), found[-1] if found else "") if part)


def duration(value: object) -> str:
    """A duration in words."""
    found = number(value)
    if found is None or found < 0:
        return MISSING
    if found < 120:
        return f"{found:.2f} s" if found < 10 else f"{found:.0f} s"
    minutes, seconds = divmod(round(found), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes:02d} min" if hours else f"{minutes} min {seconds:02d} s"


def moment(value: object) -> str:
    """`2026-11-22T06:00:00Z` -> `22 November 2026, 06:00 UTC`; any other text is unchanged."""
    text = "" if value is None else str(value)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    if found.tzinfo is not None:
        found = found.astimezone(UTC)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}, {found:%H:%M}" + (
        " UTC" if found.tzinfo else ""
    )


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]  # strftime would use the language of the machine


def sentence(text: object) -> str:
    """Text with a full stop."""
    said = str(text).strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."


# ---- what is asked of a summary --------------------------------------------------------------------------------------


def total(rows: Iterable[Mapping[str, Any]], field: str) -> int:
    """The sum of a field of counts; unknown values count as 0."""
    return sum(int(number(row.get(field)) or 0) for row in rows)


def overall(summary: Summary) -> Mapping[str, Any]:
    """The overall standings; empty if there are none."""
    for standing in summary.get("standings") or ():
        if standing.get("scope") == "overall":
            found: Mapping[str, Any] = standing
            return found
    return {}


def ranked(standing: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A standing's rows by rank; unranked ones come last, in their given order."""
    rows = list(standing.get("rows") or ())
    return sorted(rows, key=lambda row: (number(row.get("rank")) is None, number(row.get("rank")) or 0.0))


def difference(summary: Summary, a: str, b: str) -> Mapping[str, Any] | None:
    """The entry of `superiority` for `a` over `b`, reversed if it is listed the other way."""
    for entry in summary.get("superiority") or ():
        if (entry.get("a"), entry.get("b")) == (a, b):
            found: Mapping[str, Any] = entry
            return found
        if (entry.get("a"), entry.get("b")) == (b, a):
            elo, low, high = (number(entry.get(field)) for field in ("elo", "low", "high"))
            return {
                "a": a,
                "b": b,
                "elo": None if elo is None else -elo,
                "low": None if high is None else -high,
                "high": None if low is None else -low,
                "bound": {"at least": "at most", "at most": "at least"}.get(str(entry.get("bound")), ""),
                "p": entry.get("p"),
            }
    return None
