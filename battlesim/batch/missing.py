"""The first line of a report when games of a run are missing. Read `missing_words`."""

from __future__ import annotations


def missing_words(there: int, whole: int, how: str, of: str = "") -> str:
    """What share of the games is there, and how to continue; "" if all are there. `there`, `whole`: how many games are there, and
    how many there should be. `how`: the command that continues. `of`: what the games belong to, such as " of round 3".

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
