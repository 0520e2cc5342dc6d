"""Formatting numbers and tables for a terminal. Read `table`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Rows = list[list[str]]


def elo(row: Mapping[str, Any]) -> str:
    """A rating in words."""
    if row["elo"] is None:
        return "-"
    if row["bound"]:
        return "-"  # only one end of the interval is known; the value itself comes from the prior
    return f"{row['elo']:+.0f}"


def between(row: Mapping[str, Any]) -> str:
    """An interval in words."""
    if row["elo"] is None:
        return "-"
    if row["low"] is None or row["high"] is None:
        return f"above {row['low']:+.0f}" if row["low"] is not None else f"below {row['high']:+.0f}"
    return f"{row['low']:+.0f} to {row['high']:+.0f}"


def chance(p: float) -> str:
    """A p-value; "below 0.001" for smaller ones."""
    return "below 0.001" if p < 0.001 else f"{p:.3f}"


def percent(share: float | None) -> str:
    """A share as percent, "-" for None."""
    return "-" if share is None else f"{share:.1%}"


def table(rows: Rows, left: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines with aligned columns: those numbered in `left` to the left, the others to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(w) if n in left else cell.rjust(w)
            for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
