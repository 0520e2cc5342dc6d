"""Which types of arguments can be part of a memo's key: values that never change. Read `is_key`."""

from __future__ import annotations

import builtins
import types
import typing
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import msgspec

_PLAIN = (int, str, float, bool, bytes, type(None), Fraction)


def is_key(kind: Any, inside: tuple[Any, ...] = ()) -> bool:
    """Whether values of a type can be keys. These can: plain values, enums, functions, classes; tuples and frozen sets of such;
    frozen records and named tuples with such fields. `inside`: the record classes around this type, for classes that hold
    themselves."""
    if kind in _PLAIN or kind in inside:
        return True
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return True
    if origin in (tuple, frozenset, types.UnionType, typing.Union):
        return all(arg is Ellipsis or is_key(arg, inside) for arg in args)
    if origin is not None:
        return origin in (type, Callable)
    if not isinstance(kind, type):
        return False
    if issubclass(kind, Enum):
        return True
    return _is_frozen(kind) and all(
        is_key(field, (*inside, kind)) for field in typing.get_type_hints(kind).values()
    )


def _is_frozen(kind: type) -> bool:
    """Whether a class is a record that cannot change and is compared by its fields."""
    if issubclass(kind, msgspec.Struct):
        return kind.__struct_config__.frozen and kind.__struct_config__.eq
    if is_dataclass(kind):
        how: Any = kind.__dataclass_params__  # type: ignore[attr-defined]
        return bool(how.frozen and how.eq)
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def resolve_annotation(annotation: Any, names: dict[str, Any]) -> Any:
    """The type that an annotation stands for, given the names of its module. Raises NameError for a name that is not there."""
    return eval(annotation, names, vars(builtins)) if isinstance(annotation, str) else annotation
