"""A scenario's `options` as a record of its rulebook. Read `read_options`.

    class Options(Struct, frozen=True):
        activation: Literal["side", "unit"] = "side"
        massacre: Annotated[int, Meta(ge=1)] | None = None

Every field has a default. The rulebook's `check` tests what types cannot express, such as that a name is one of the map's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.errors import Fault, did_you_mean

Options = TypeVar("Options", bound=Struct)


def read_options(given: Mapping[str, Any], kind: type[Options], ruleset: str) -> tuple[Options, list[Fault]]:
    """The options of a scenario (`given`) as a record of type `kind`, and all their faults. A wrong option gets its default, and
    an unknown one is left out. `ruleset`: what messages call the rulebook. Raises nothing."""
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
        except msgspec.ValidationError:
            faults += _misfits(name, value, fields[name].type, place)
    return kind(**values), faults


def _misfits(name: str, value: Any, kind: Any, place: str) -> list[Fault]:
    """Why a value does not fit its type: the faults inside a list or table where there are any, else of the whole value."""
    found: list[Fault] = []
    for arm in _arms(kind):
        if isinstance(value, list) and get_origin(arm) in (list, tuple):
            of_items = get_args(arm)[0]
            for number, item in enumerate(value):
                if not _fits(item, of_items):
                    found += _misfits(f"{name}[{number}]", item, of_items, f"{place}[{number}]")
        elif isinstance(value, Mapping) and isinstance(arm, type) and issubclass(arm, Struct):
            found += _misfits_in_table(name, value, arm, place)
    return found or [Fault(f"{name} is {_shown(value)}", f"give {fitting(kind)}", place=place)]


def _shown(value: Any) -> str:
    """A value as the file has it, cut short."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _misfits_in_table(name: str, table: Mapping[str, Any], kind: type[Struct], place: str) -> list[Fault]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    found = [
        Fault(f"{name} has no {key!r}", did_you_mean(str(key), fields), place=f"{place}.{key}")
        for key in table
        if key not in fields and kind.__struct_config__.forbid_unknown_fields
    ]
    for key, field in fields.items():
        if key not in table and field.required:
            found.append(Fault(f"{name} lacks {key!r}", f"give {fitting(field.type)}", place=place))
        elif key in table and not _fits(table[key], field.type):
            found += _misfits(key, table[key], field.type, f"{place}.{key}")
    return found


def _arms(kind: Any) -> list[Any]:
    """The types of a union, one by one; bounds are left out."""
    if get_origin(kind) is Annotated:
        return _arms(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [arm for part in get_args(kind) for arm in _arms(part)]
    return [kind]


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def sections_named(board: Board, name: str) -> tuple[int, ...]:
    """The sections of a building, or the one section, of that name; () if there is none."""
    if name in board.buildings:
        return board.buildings[name]
    return (board.section_by_name[name],) if name in board.section_by_name else ()


def fitting(kind: Any) -> str:
    """The values that fit a type of option, in words.

    >>> fitting(bool), fitting(Literal["side", "unit"]), fitting(Annotated[int, msgspec.Meta(ge=1, le=6)])
    ('true or false', 'side or unit', '1 to 6')
    """
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
