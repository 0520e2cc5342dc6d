"""Tables with several lines a game, for runs that keep measures: by turn, by type of unit, by objective. Read `TABLES`.

Each line begins with the number of the game and its scenario. Side 0 is the scenario's first side, 1 the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from battlesim.batch.measures import Measures

Line = dict[str, Any]
"""One line: column -> value."""
Columns = tuple[tuple[str, str], ...]
"""Columns as (name, kind), in order; kinds are int, float and text."""


class Table(NamedTuple):
    """A table: the meaning of a line, the columns after `number` and `scenario` with their kinds, and the lines of a game."""

    meaning: str
    columns: Columns
    lines: Callable[[Measures], Iterator[Line]]


def _turns(found: Measures) -> Iterator[Line]:
    for one in found.turns_of:
        for side in (0, 1):
            yield {
                "turn": one.turn,
                "side": side,
                "models_lost": one.lost[side],
                "ground": one.ground[side],
                "floors": one.floors[side],
            }


def _types(found: Measures) -> Iterator[Line]:
    names = ("side", "type", "units", "units_lost", "models", "models_lost")
    for one in found.types:
        yield dict(zip(names, one, strict=True))


def _objectives(found: Measures) -> Iterator[Line]:
    for one in found.objectives:
        yield {
            "turn": one.turn,
            "objective": one.objective,
            "side": one.side,
            "how": one.how,
            "points": one.points,
        }


TABLES: dict[str, Table] = {
    "turns": Table(
        "one line for each turn and side: models lost in it, spaces held at its end, of these floors",
        (("turn", "int"), ("side", "int"), ("models_lost", "int"), ("ground", "int"), ("floors", "int")),
        _turns,
    ),
    "types": Table(
        "one line for each side and type of unit: units and models at first, and lost",
        (
            ("side", "int"),
            ("type", "text"),
            ("units", "int"),
            ("units_lost", "int"),
            ("models", "int"),
            ("models_lost", "int"),
        ),
        _types,
    ),
    "objectives": Table(
        "one line whenever a side came to hold an objective, or scored by it: when and how",
        (("turn", "int"), ("objective", "text"), ("side", "int"), ("how", "text"), ("points", "int")),
        _objectives,
    ),
}
"""The tables beside that of whole games, by name."""
