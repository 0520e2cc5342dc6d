"""Common parts of the commands: JSON on stdout, types of numbers, agents by side."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.kinds import kind_of

ENDS = {
    "length": "after the last turn",
    "stalled": "after the last turn; nothing had happened in the last two",
    "annihilation": "the enemy is destroyed",
    "exit": "only those who got away are left",
    "massacre": "one army has lost too much",
    "forfeit": "the battle is called off for an agent's faults",
    "crash": "an agent crashed",
    "fault": "battlesim broke off",
}
"""How games ended, by the verdict where it stands here, else by the word of the rulebook."""


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the flag `--json`, which every command has."""
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")


def print_json(value: Any) -> None:
    """Print one line of JSON."""
    print(json.dumps(value, ensure_ascii=False))


def check_path(name: str, what: str) -> None:
    """Raises InputError if a name that may be a scenario's or one of `what` is the path of neither: a path that is not there and
    does not end as a file does, or a file that a run has written."""
    path = Path(name)
    if (
        path.suffix not in (".yaml", ".yml", ".toml")
        and path.is_file()
        and (fault := kind_of(path, "record"))
    ):
        raise InputError(fault)
    if path.parent != Path() and not path.suffix and not path.exists():
        raise InputError(Fault(f"there is no such {what}", "name an existing one", name))


@contextmanager
def flags_named(add: Callable[[argparse.ArgumentParser], None], given: Collection[str]) -> Iterator[None]:
    """What the block refuses of a setting that a flag gave is told of the flag: `--elo1`, not `stop.elo1`. `add`: the function
    that adds the command's flags; `given`: the names of the settings that flags gave."""
    try:
        yield
    except InputError as error:
        parser = argparse.ArgumentParser()
        add(parser)
        flags = {
            action.dest: action.option_strings[-1] for action in parser._actions if action.option_strings
        }
        raise InputError(
            [
                replace(fault, place=flags[name], file="")
                if (name := _setting(fault.place)) in flags and name in given and not fault.line
                else fault
                for fault in error.faults
            ]
        ) from None


def _setting(place: str) -> str:
    """The name of the setting at a place: `elo1` of `stop.elo1`, `against` of `against[2]`."""
    return re.sub(r"\[.*", "", place).rpartition(".")[2]


def seed(text: str) -> int:
    """A seed: a whole number of at most 64 bits."""
    number = whole_number(text)
    if not -(2**63) <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} has more than 64 bits")
    return number


def whole_number(text: str) -> int:
    """A number without a fraction, of either sign."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def number(text: str) -> float:
    """A finite number, with or without a fraction."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return found


def at_least_one(text: str) -> int:
    """A count."""
    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is less than 1")
    return number


def by_side(words: Sequence[str], sides: Sequence[str], usual: Sequence[Any]) -> list[Any]:
    """Names of agents by side from `SIDE=NAME` words; a word without a side is for both.

    Sides are named as in the scenario, upper or lower case alike. Raises InputError for an unknown side, or one named
    twice.
    """
    named = list(usual)
    known = {side.lower(): number for number, side in enumerate(sides)}
    seen: list[int] = []
    for word in words:
        side, equals, name = word.partition("=")
        if not equals and word.lower() in known:
            raise InputError(Fault(f"--agent {word}: it names a side and no agent", f"--agent {word}=greedy"))
        if not equals or "," in side:  # the equals sign belongs to a parameter of the agent
            targets, name = [0, 1], word
        elif side.lower() in known:
            targets = [known[side.lower()]]
        else:
            remedy = did_you_mean(side, sides)
            raise InputError(Fault(f"--agent {word}: the scenario has no side {side!r}", remedy))
        for target in targets:
            if target in seen:
                raise InputError(Fault(f"--agent {word}: side {sides[target]!r} has two agents", "name one"))
            seen.append(target)
            named[target] = name
    return named


def processes(text: str) -> int:
    """How many processes of this machine share the work. Far more than it has cores for would take all of its memory."""
    number, most = at_least_one(text), max(64, 4 * (os.cpu_count() or 1))
    if number > most:
        raise argparse.ArgumentTypeError(f"{text!r} is more than this machine can use, at most {most}")
    return number


def none_or_more(text: str) -> int:
    """A count that may be 0."""
    number = whole_number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is less than 0")
    return number


def table(rows: Sequence[Sequence[object]], gap: int = 2) -> list[str]:
    """Rows as lines with aligned columns; the last column is not padded."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return [
        "".join(cell.ljust(width + gap) for cell, width in zip(row[:-1], widths, strict=False)) + row[-1]
        for row in texts
    ]


def some(number: int, noun: str) -> str:
    """A number with its noun: 1 error, 2 errors."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def plus_minus(value: float, error: float | None) -> str:
    """A difference of chances in percentage points with its standard error."""
    return f"{100 * value:+.0f}" + (f" ± {100 * error:.0f}" if error is not None else "")


def players(sides: Sequence[str], agents: Sequence[str]) -> str:
    """The agents with their sides: greedy (Red) and rush (Blue)."""
    return " and ".join(f"{agent} ({side})" for side, agent in zip(sides, agents, strict=True))


def port(text: str) -> int:
    """The number of a port; 0 for any free one."""
    if not text.isdecimal() or not int(text) < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)
