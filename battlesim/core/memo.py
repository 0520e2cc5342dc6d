"""Answers that are kept once computed. Every cache of a computed answer is declared by one of the decorators here (law 11).

A memo is a function whose *signature is its inputs*: whatever its body reads it is given as an argument, and the key is made of
the arguments, by nobody's hand. So an answer cannot go stale: a rule that reads one more fact needs one more argument, and
who calls has to give it. Where answers live:

- `memo`: with the process. For tables and odds, which depend on nothing but their arguments.
- `owned_memo`: with the first argument, a thing that never changes and has `memos` (the board).
- `memo_method`, `memo_property`: with the object whose method it is. What the object holds when it is made is fixed, and counts
  as an input.

Arguments that could change, or say more than is meant (a state, a view, a dict, a list), are refused when the memo is declared.
To find out what a body reads all the same, start Python with `BATTLESIM_COMPARE_MEMOS=1`: each answer that was kept is then
computed anew when it is asked for, and `StaleMemo` is raised where the two differ. `declared` lists all memos.
"""

from __future__ import annotations

import builtins
import os
import types
import typing
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from inspect import Parameter, signature
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, cast, overload
from weakref import ref

import msgspec

from battlesim.core.errors import BattlesimError
from battlesim.core.memo_compare import Comparing

P = ParamSpec("P")
R = TypeVar("R")
Owner = TypeVar("Owner")
Owner_contra = TypeVar("Owner_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

COMPARES = os.environ.get("BATTLESIM_COMPARE_MEMOS", "0") not in ("", "0")
"""Whether answers that were kept are compared. Read once, here: it decides how functions are made, so that a memo costs nothing
more while it is off; it changes no answer."""


class Memo(NamedTuple):
    """One declaration: `name` (module and function), what it `computes`, its `inputs` as (name, type), how many answers it keeps
    at most (`bound`), and with what they live (`owner`): "process" or the name of a class."""

    name: str
    computes: str
    inputs: tuple[tuple[str, str], ...]
    bound: int
    owner: str


_declared: dict[str, Memo] = {}


def declared() -> tuple[Memo, ...]:
    """Every memo of the modules that are loaded, by name."""
    return tuple(_declared[name] for name in sorted(_declared))


class MemoError(BattlesimError):
    """A memo that is declared wrongly."""


class OwnedMemo(Protocol[Owner_contra, P, R_co]):
    """A function whose answers live with its first argument. `on(owner)` is the same function with that argument given: where it
    is called often, ask for it once."""

    def __call__(self, owner: Owner_contra, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        raise NotImplementedError

    def on(self, owner: Owner_contra, /) -> Callable[P, R_co]:
        raise NotImplementedError


# ---- declaring -------------------------------------------------------------------------------------------------------


def memo(*, bound: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the answers of a function with the process, `bound` of them at most, the least lately used forgotten first.

        @memo(bound=64)
        def two_dice(most: int) -> float: ...

    Raises MemoError for a parameter that cannot be a key."""

    def declare(compute: Callable[P, R]) -> Callable[P, R]:
        made = _declare(compute, bound, f"{compute.__module__}.{compute.__qualname__}", "process", 0)
        return _table(made, compute)

    return declare


def owned_memo(*, bound: int) -> Callable[[Callable[Concatenate[Owner, P], R]], OwnedMemo[Owner, P, R]]:
    """Keep the answers of a function with its first argument: a thing that never changes, whose class says `memos: Memos`.
    Without further arguments it is one value.

        @owned_memo(bound=4_096)
        def near_sections(board: Board, place: int) -> tuple[tuple[int, int], ...]: ...

    Arguments are given by position. Raises MemoError for a parameter that cannot be a key."""

    def declare(compute: Callable[Concatenate[Owner, P], R]) -> OwnedMemo[Owner, P, R]:
        made = _declare(compute, bound, f"{compute.__module__}.{compute.__qualname__}", "", 1)

        def on(owner: Any) -> Any:
            table = owner.memos.get(call)
            if table is None:
                table = owner.memos[call] = _table(made, _given(compute, owner))
            return table

        def call(owner: Any, *args: Any) -> Any:
            table = owner.memos.get(call)
            if table is None:
                table = on(owner)
            return table(*args)

        def value(owner: Any) -> Any:
            found = owner.memos.get(value, _MISSING)
            if found is _MISSING:
                found = owner.memos[value] = compute(owner)  # type: ignore[call-arg]
            return found

        def on_value(owner: Any) -> Any:
            return lambda: value(owner)

        single = not made.inputs and not COMPARES
        found = value if single else call
        for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
            setattr(found, name, getattr(compute, name))
        found.on = on_value if single else on  # type: ignore[attr-defined]
        found.__wrapped__ = compute  # type: ignore[attr-defined]
        return cast("OwnedMemo[Owner, P, R]", found)

    return declare


class _Method(Generic[Owner, P, R]):
    """A method whose answers live with its object: the first use puts the table in the method's place, so that later ones find
    nothing else."""

    def __init__(self, compute: Callable[Concatenate[Owner, P], R], bound: int) -> None:
        self._compute, self._bound = compute, bound
        self.__doc__ = compute.__doc__
        self.__wrapped__ = compute

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._memo = _declare(
            self._compute,
            self._bound,
            f"{owner.__module__}.{owner.__qualname__}.{name}",
            owner.__qualname__,
            1,
        )

    @overload
    def __get__(self, instance: None, owner: type) -> _Method[Owner, P, R]: ...

    @overload
    def __get__(self, instance: Owner, owner: type) -> Callable[P, R]: ...

    def __get__(self, instance: Owner | None, owner: type) -> _Method[Owner, P, R] | Callable[P, R]:
        if instance is None:
            return self
        table: Callable[P, R] = _table(self._memo, _given(self._compute, instance))
        instance.__dict__[self._name] = table
        return table


class _Property(Generic[Owner, R]):
    """The same for a property: its one value takes its place, unless values are compared."""

    def __init__(self, compute: Callable[[Owner], R]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__
        self.__wrapped__ = compute

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._memo = _declare(
            self._compute, 1, f"{owner.__module__}.{owner.__qualname__}.{name}", owner.__qualname__, 1
        )

    @overload
    def __get__(self, instance: None, owner: type) -> _Property[Owner, R]: ...

    @overload
    def __get__(self, instance: Owner, owner: type) -> R: ...

    def __get__(self, instance: Owner | None, owner: type) -> _Property[Owner, R] | R:
        if instance is None:
            return self
        found: R = self._compute(instance)
        instance.__dict__[self._name] = found
        return found


class _ComparedProperty(_Property[Owner, R]):
    """A property that is asked every time, having a setter."""

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        name = f"{self._name} compared"
        table = instance.__dict__.get(name)
        if table is None:
            table = instance.__dict__[name] = _table(self._memo, _given(self._compute, instance))
        return table()

    def __set__(self, instance: Owner, value: R) -> None:
        raise AttributeError(f"{self._name} is computed")


def memo_method(*, bound: int) -> Callable[[Callable[Concatenate[Owner, P], R]], _Method[Owner, P, R]]:
    """Keep the answers of a method with its object, which must not change in anything that the method reads."""

    def declare(compute: Callable[Concatenate[Owner, P], R]) -> _Method[Owner, P, R]:
        return _Method(compute, bound)

    return declare


def memo_property(compute: Callable[[Owner], R]) -> _Property[Owner, R]:
    """Keep what a method without arguments computes, and read it as an attribute."""
    return (_ComparedProperty if COMPARES else _Property)(compute)


Memos = dict[object, Any]
"""What lives with an owner: by memo, its table, or its one value."""
_MISSING = object()


def _table(made: Memo, compute: Callable[P, R]) -> Callable[P, R]:
    if COMPARES:
        return Comparing(made.name, made.bound, compute)
    return lru_cache(made.bound)(compute)  # type: ignore[return-value]


def _given(compute: Callable[..., R], owner: object) -> Callable[..., R]:
    """A function with its first argument given, without keeping that alive: its tables hang on it, and should go with it."""
    alive = ref(owner)

    def given(*args: Any, **names: Any) -> R:
        return compute(alive(), *args, **names)

    return given


def declare(
    name: str, computes: str, inputs: tuple[tuple[str, str], ...], bound: int, owner: str = "process"
) -> str:
    """List a store of answers that is no table of arguments; gives back its name. It has to compare its own answers."""
    _declared[name] = Memo(name, computes, inputs, bound, owner)
    return name


# ---- what may be a key -----------------------------------------------------------------------------------------------


def _declare(compute: Callable[..., Any], bound: int, name: str, owner: str, given: int) -> Memo:
    said = (compute.__doc__ or "").strip().partition("\n\n")[0]
    if not said:
        raise MemoError(f"{name} does not say what it computes: give it a docstring")
    if bound < 1:
        raise MemoError(f"{name} keeps {bound} answers: give it a bound of 1 or more")
    parameters = list(signature(compute).parameters.values())
    if given and not owner:
        owned_by = _meant(parameters[0], compute, name)
        if "memos" not in getattr(owned_by, "__annotations__", {}):
            what = f"{name} would keep answers with a {parameters[0].annotation}, which has no `memos`"
            raise MemoError(f"{what}: begin with the board, or declare it with `memo`")
        owner = owned_by.__qualname__
    inputs = []
    for parameter in parameters[given:]:
        if parameter.kind not in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
            raise MemoError(f"{name}: {parameter} is no single argument: name each input")
        if not is_key(_meant(parameter, compute, name)):
            what = (
                f"{name}: {parameter.name} is a {parameter.annotation}, which may change or cannot be a key"
            )
            raise MemoError(f"{what}: pass the numbers, texts, tuples and frozen records that are read of it")
        inputs.append((parameter.name, str(parameter.annotation)))
    declare(name, " ".join(said.split()), tuple(inputs), bound, owner)
    return _declared[name]


def _meant(parameter: Parameter, compute: Callable[..., Any], name: str) -> Any:
    """The type that an annotation stands for."""
    said = parameter.annotation
    try:
        return eval(said, compute.__globals__, vars(builtins)) if isinstance(said, str) else said
    except NameError as error:
        raise MemoError(f"{name}: {parameter.name} is a {said}, but {error}: import it for good") from None


_PLAIN = (int, str, float, bool, bytes, type(None), Fraction)


def is_key(kind: Any, inside: tuple[Any, ...] = ()) -> bool:
    """Whether values of a type can be keys: plain values, tuples and frozen sets of such, frozen records and named tuples whose
    fields are such, functions and classes."""
    if kind in _PLAIN or kind in inside:
        return True
    if isinstance(kind, TypeVar | str) or kind is Any or kind is Parameter.empty:
        return False
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
    if issubclass(kind, msgspec.Struct):
        frozen = kind.__struct_config__.frozen and kind.__struct_config__.eq
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        frozen = True
    else:
        frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen and kind.__dataclass_params__.eq  # type: ignore[attr-defined]
    return bool(frozen) and all(
        is_key(field, (*inside, kind)) for field in typing.get_type_hints(kind).values()
    )
