"""Data files of a rulebook: tables of units, weapons and figures in TOML, read into typed records.

A rulebook declares a frozen record for what one table holds; the file gives its fields by name. Read `read_rows`:

    class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
        name: str                                   # the table's own name: [rifle]
        title: str
        range: int                                  # hundredths of an inch; inches in the file
        kind: Literal["bolt", "beam"] = field(name="class", default="bolt")    # `class` in the file

    WEAPONS = read_rows(FOLDER / "data" / "weapons.toml", Weapon, inches=("range",))

A wrong file is answered with every fault it has, each with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.geometry import INCH
from battlesim.core.toml import line_of, read_toml

Record = TypeVar("Record", bound=msgspec.Struct)
_KEY, _UNKNOWN = re.compile(r"\.(\w+)"), re.compile("unknown field `(.*)`")
Change = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns one table as it is written into the fields of its record. A ValueError it raises is a fault of the file."""


def read_rows(
    path: Path,
    kind: type[Record],
    *,
    inches: Sequence[str] = (),
    lists: Sequence[str] = (),
    flags: str = "",
    known: Mapping[str, Collection[str]] | None = None,
    change: Change | None = None,
) -> dict[str, Record]:
    """The tables of a file as records by name, in the file's order. Fields are called as in the file.

    inches: fields written in inches, kept in hundredths. lists: fields that are lists of words, in which "rifle*7" stands for
    seven rifles and "-" for nothing. flags: a list of words each of which sets the field of its name. known: what the words of
    a field (text or a list of texts) may be, by field; "" is always known. change: for what these do not cover, done last.

    Raises InputError with every fault of the file and its line.
    """
    tables, text = read_toml(path)
    rows: dict[str, Record] = {}
    faults: list[Fault] = []
    for name, table in tables.items():
        try:
            if not isinstance(table, dict):
                raise _Wrong(f"{table!r} is not a table", f"give [{name}] and its fields below")
            fields = {"name": name, **table}
            for key in inches:
                if key in fields:
                    fields[key] = _hundredths(key, fields[key])
            for key in lists:
                if key in fields:
                    fields[key] = _written_out(key, fields[key])
            if flags in fields:
                fields |= dict.fromkeys(_of(flags, fields.pop(flags), _flags_of(kind)), True)
            for key, words in (known or {}).items():
                _of(key, fields.get(key, ()), words)
            rows[name] = msgspec.convert(change(fields) if change else fields, kind)
        except _Wrong as wrong:
            faults.append(_fault(path, text, (name, wrong.key), str(wrong), wrong.remedy))
        except KeyError as missing:
            faults.append(_fault(path, text, (name, ""), f"{missing.args[0]} is missing", "give it"))
        except (msgspec.ValidationError, ValueError) as error:
            faults.append(_invalid(path, text, (name,), error, kind))
    if faults:
        raise InputError(faults)
    return rows


def read_table(path: Path, kind: type[Record]) -> Record:
    """A whole file as one record. Raises InputError with the first fault and its line."""
    tables, text = read_toml(path)
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as error:
        raise InputError(_invalid(path, text, (), error, kind)) from None


class _Wrong(Exception):
    """A wrong value of one field."""

    def __init__(self, what: str, remedy: str, key: str = "") -> None:
        super().__init__(what)
        self.remedy, self.key = remedy, key


def _invalid(
    path: Path, text: str, place: tuple[str, ...], error: Exception, kind: type[msgspec.Struct]
) -> Fault:
    """The fault that msgspec has found, with a remedy for a field that is not known."""
    what, _, at = str(error).partition(" - at `$")
    keys, remedy = tuple(_KEY.findall(at)), ""
    if unknown := _UNKNOWN.search(what):
        keys, what = (*keys, unknown[1]), f"there is no field {unknown[1]!r}"
        remedy = did_you_mean(unknown[1], [field.encode_name for field in msgspec.structs.fields(kind)])
    return _fault(path, text, (*place, *keys), what[:1].lower() + what[1:], remedy)


def _fault(path: Path, text: str, place: tuple[str, ...], what: str, remedy: str) -> Fault:
    return Fault(what, remedy, str(path), line_of(text, place), ".".join(filter(None, place)))


def _written_out(key: str, words: Any) -> list[str]:
    """A list of words, each as often as it says: "rifle*7"; "-" is ""."""
    found: list[str] = []
    for word in _texts(key, words):
        name, star, times = word.partition("*")
        if star and not times.isdecimal():
            raise _Wrong(f"{word!r} does not say how many", f'give "{name}*2"', key)
        found += ["" if name == "-" else name] * int(times or 1)
    return found


def _hundredths(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        raise _Wrong(f"{value!r} is not a length", "give inches, 0 or more", key)
    return round(value * INCH)


def _flags_of(kind: type[msgspec.Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind) if field.type is bool]


def _of(key: str, words: Any, known: Collection[str]) -> list[str]:
    """The words of a field, a text or a list of texts, each of which is known."""
    found = [words] if isinstance(words, str) else _texts(key, words)
    for word in found:
        if word and word not in known:
            raise _Wrong(f"{word!r} is unknown", did_you_mean(word, known), key)
    return found


def _texts(key: str, words: Any) -> list[str]:
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise _Wrong(f"{words!r} is not a list of words", f'give {key} = ["...", "..."]', key)
    return list(words)
