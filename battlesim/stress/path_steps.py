"""The steps of a path, and the place to which they lead, common to all kinds of paths. Read `Place` and `parse`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from battlesim.core.errors import Fault, InputError, did_you_mean

Target = Literal["scenario", "map", "agent"]
Action = Literal["set", "keep", "add", "join", "climb"]
LENGTHS = ("storey", "height", "width", "at")
"""Fields of a map that are lengths, in the map's unit."""


class Place(NamedTuple):
    """One thing that can be set. `steps`: keys and indexes in the table of the scenario or the map; of an agent, (side,) for the
    agent itself and (side, name) for one of its parameters.

    `action`: "set" puts the level there; "keep" removes the entry there if the level is false; "add" puts new entries at the end
    of the list there, as many as the level says; "join" joins the two sections named, or separates them; "climb" says whether
    stairs lead up from the floor that ends its steps. `fixed`: fields of a new entry besides those from the factor; for stairs,
    the section. `length`: the level is a length in the map's unit."""

    target: Target
    steps: tuple[str | int, ...]
    action: Action = "set"
    fixed: tuple[tuple[str, str], ...] = ()
    length: bool = False


_STEP = re.compile(r"""\.?(\w[\w'-]*)|\[(\d{1,300})\]|\["([^"]*)"\]|\['([^']*)'\]|\[(\*|\+)\]""")
"""One step; a word has the letters of a side's name, which may be of any language."""
NEW = -2
"""In place of the number of an entry: a new one."""


class Selected(NamedTuple):
    """The part of a path in brackets: a number, or -1 and a pattern for names, or -2 for a new entry."""

    number: int
    pattern: str

    @property
    def is_new(self) -> bool:
        """Whether it means a new entry."""
        return self.number == NEW


def parse(path: str) -> list[str | Selected]:
    """The steps of a path. Raises InputError if it is not one."""
    steps: list[str | Selected] = []
    at = 0
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None or found.end() == at:
            raise InputError(
                Fault(f"{path!r} is no path", "write it as turns, or forces.Red.units[0].quality")
            )
        word, number, double, single, mark = found.groups()
        if word is not None:
            steps.append(word)
        elif number is not None:
            steps.append(Selected(int(number), ""))
        elif mark == "+":
            steps.append(Selected(NEW, ""))
        else:
            steps.append(Selected(-1, double or single or "*"))
        at = found.end()
    return steps


def fields_of(
    path: str,
    what: str,
    steps: Sequence[str | Selected],
    known: Sequence[str],
    deep: Sequence[str] = (),
) -> tuple[str, ...]:
    """The field that ends a path, and those of its table if it is one of `deep`. Raises InputError for unknown ones."""
    field = str(steps[0]) if steps and isinstance(steps[0], str) else ""
    if field not in known:
        raise InputError(
            Fault(
                f"{path!r}: {'an' if what[0] in 'aeo' else 'a'} {what} has no {field!r}",
                did_you_mean(field, known),
            )
        )
    if len(steps) > 1 and field not in deep:
        raise InputError(Fault(f"{path!r}: {field} is not a table", f"end the path with .{field}"))
    return tuple(str(step) for step in steps)


def place_of(target: Target, steps: tuple[str | int, ...], rest: tuple[str, ...]) -> Place:
    """The place of a field of an entry, or of the entry itself if the field is `present`."""
    if rest == ("present",):
        return Place(target, steps, "keep")
    return Place(target, (*steps, *rest), length=target == "map" and rest[-1] in LENGTHS)


def select(entries: Sequence[tuple[int, Any]], wanted: Selected, names: Any) -> list[int]:
    """The numbers of the entries that brackets name: the nth, or all with a name that is or matches the pattern."""
    if wanted.number >= 0:
        return [entries[wanted.number][0]] if wanted.number < len(entries) else []
    pattern = wanted.pattern
    return [
        number
        for number, entry in entries
        if any(name == pattern or fnmatchcase(name, pattern) for name in names(entry))
    ]


def nearest(wanted: Selected, names: Sequence[str]) -> str:
    """The remedy for brackets that select none of these names: the numbers that there are, or the nearest name."""
    if wanted.number >= 0:
        return f"there are {len(names)}, numbered from 0"
    return did_you_mean(wanted.pattern, names)
