"""TOML files, and in which lines their values stand. Read `read_toml`, then `line_of`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from battlesim.core.errors import Fault, InputError
from battlesim.core.kinds import kind_of

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]=]+)\]\]?\s*(?:#.*)?$")
_AT_LINE = re.compile(r"\(at line (\d+)")


def read_toml(path: Path, what: str = "the file") -> tuple[dict[str, Any], str]:
    """The tables of a TOML file, and its text for `line_of`. `what` names the file in messages.

    Raises InputError, with the line, for a file that cannot be read or is not TOML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        if fault := kind_of(path):
            raise InputError(fault) from None
        reason = error.strerror or str(error)
        raise InputError(Fault(f"{what} cannot be read: {reason}", "give a TOML file", str(path))) from None
    except UnicodeDecodeError as error:
        if fault := kind_of(path):
            raise InputError(fault) from None
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(Fault(f"{what} is not UTF-8", "save it as UTF-8", str(path), line)) from None
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        if fault := kind_of(path):
            raise InputError(fault) from None
        at = _AT_LINE.search(str(error))
        # An error without a line is at the end of the file.
        line = int(at[1]) if at else len(text.splitlines())
        raise InputError(Fault(f"{what} is not TOML: {error}", "correct the line", str(path), line)) from None


def line_of(text: str, place: Sequence[str | int]) -> int:
    """The line of a value in a TOML text, from 1.

    `place` is a path of keys and indexes: `("rifle", "range")`, or `("clause", 2, "id")` for the third `[[clause]]`. Where the
    last key is not there, the line of its table; 0 if that is not there either.
    """
    path, best = tuple(place), 0
    here: tuple[str | int, ...] = ()
    tables: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            here = tuple(_bare(part) for part in header[2].split("."))
            if header[1] == "[[":
                tables[here] = tables.get(here, -1) + 1
                here = (*here, tables[here])
            if here == path[: len(here)]:
                best = number
        elif "=" in line and (*here, _bare(line.partition("=")[0])) == path[: len(here) + 1]:
            return number
    return best


def _bare(key: str) -> str:
    return key.strip().strip("\"'")
