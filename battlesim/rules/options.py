"""A scenario's `options` as a record of its rulebook. Read `read_options`.

    class Options(Struct, frozen=True):
        activation: Literal["side", "unit"] = "side"
        massacre: Annotated[int, Meta(ge=1)] | None = None

Every field has a default. The rulebook's `check` tests what types cannot express, such as that a name is one of the map's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.errors import Fault, did_you_mean

Options = TypeVar("Options", bound=Struct)
_INNER = re.compile(r" - at `\$(.+)`$")


def read_options(given: Mapping[str, Any], kind: type[Options], ruleset: str) -> tuple[Options, list[Fault]]:
    """The options of a scenario (`given`) as a record of type `kind`, and all their faults. A wrong option gets its default."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, value in given.items():
        place = f"options.{name}"
        if name not in fields:
            remedy = did_you_mean(str(name), fields) if fields else "leave it out"
            faults.append(Fault(f"{ruleset} has no option {name!r}", remedy, place=place))
            continue
        try:
            values[fields[name].name] = msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            message = str(error)
            if inner := _INNER.search(message):  # inside a list or table
                what = message[: inner.start()]
                faults.append(Fault(what[:1].lower() + what[1:], place=place + inner[1]))
            else:
                remedy = f"give {fitting(fields[name].type)}"
                faults.append(Fault(f"{name} is {value!r:.60}", remedy, place=place))
    return kind(**values), faults


def sections_named(board: Board, name: str) -> tuple[int, ...]:
    """The sections of a building, or the one section, of that name; () if there is none."""
    if name in board.buildings:
        return board.buildings[name]
    return (board.section_by_name[name],) if name in board.section_by_name else ()


def fitting(kind: Any) -> str:
    """The values that fit a type of option, in words: `true or false`, `1 to 6`, `side or unit`."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _listed([fitting(arg) for arg in args if arg is not NoneType])
    if origin is Literal:
        return _listed([str(arg) for arg in args])
    if origin is Annotated:
        bounds = next(arg for arg in args if isinstance(arg, msgspec.Meta))
        if bounds.ge is not None and bounds.le is not None:
            return f"{bounds.ge} to {bounds.le}"
        limits = (
            (bounds.ge, "{} or more"),
            (bounds.gt, "more than {}"),
            (bounds.le, "{} or less"),
            (bounds.lt, "less than {}"),
        )
        words = [word.format(limit) for limit, word in limits if limit is not None]
        return ", ".join([fitting(args[0]), *words])
    if origin in (list, tuple):
        return "a list"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    return names.get(kind, "a table")


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
