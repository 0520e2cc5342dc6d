"""What is told of a run of which games are missing, before all else. Read `missing_words`."""

from __future__ import annotations


def missing_words(there: int, whole: int, how: str, of: str = "") -> str:
    """What share of the games is there, and how to go on; "" if all are. `of`: what the games are of.

    >>> missing_words(4, 8, "battlesim stress --resume runs/x")
    'not whole: 4 of 8 games (50%) are there, and what is told may change with the rest. Go on: battlesim stress --resume runs/x'
    """
    if there >= whole:
        return ""
    share = f"{100 * there // whole}%"
    return (
        f"not whole: {there:,} of {whole:,} games{of} ({share}) are there, and what is told may change with the rest. "
        f"Go on: {how}"
    )
