"""Answers that are kept once computed. Every cache of a computed answer is declared by one of the decorators here (law 11).

A memo is a function whose *signature is its inputs*: whatever its body reads it is given as an argument, and the key is made of
the arguments, by nobody's hand. So an answer cannot go stale: a rule that reads one more fact needs one more argument, and
who calls has to give it. Where answers live:

- `memo`: with the process. For tables and odds, which depend on nothing but their arguments.
- `owned_memo`: with the first argument, a thing that never changes and has `memos` (the board).
- `memo_method`, `memo_table`, `memo_property`: with the object whose method it is. What that holds when it is made is fixed, and
  counts as an input.

Arguments that could change, or say more than is meant (a state, a view, a dict, a list), are refused when the memo is declared.
To find out what a body reads all the same, start Python with `BATTLESIM_COMPARE_MEMOS=1`: each answer that was kept is then
computed anew when it is asked for, and `StaleMemo` is raised where the two differ. `declared` lists all memos.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache, partial, update_wrapper
from inspect import Parameter, signature
from typing import (
    Any,
    Concatenate,
    Generic,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
    TypeVarTuple,
    Unpack,
    cast,
    overload,
)
from weakref import WeakKeyDictionary

from battlesim.core.errors import BattlesimError
from battlesim.core.memo_compare import SAMPLED, Answers, AnswersOfSeveral, ComparedAnswers, Comparing, given
from battlesim.core.memo_keys import is_key, resolve_annotation

P = ParamSpec("P")
R = TypeVar("R")
Key = TypeVar("Key")
Keys = TypeVarTuple("Keys")
Owner = TypeVar("Owner")
Owner_contra = TypeVar("Owner_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

COMPARES = os.environ.get("BATTLESIM_COMPARE_MEMOS", "0") not in ("", "0")
"""Whether answers that were kept are compared. Read once, here: it decides how functions are made, so that a memo costs nothing
more while it is off; it changes no answer."""


class MemoError(BattlesimError):
    """A memo that is declared wrongly."""


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


def declare(
    name: str, computes: str, inputs: tuple[tuple[str, str], ...], bound: int, owner: str = "process"
) -> str:
    """List a store of answers that is no table of arguments; returns its name. Where memos are compared, it has to compare its
    own answers (`memo_compare.compare`)."""
    _declared[name] = Memo(name, computes, inputs, bound, owner)
    return name


# ---- the decorators ------------------------------------------------------------------------------------------------------


def memo(*, bound: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the answers of a function with the process, `bound` of them at most, the least lately used forgotten first.

        @memo(bound=64)
        def two_dice(most: int) -> float: ...

    Raises MemoError for a parameter that cannot be a key."""

    def make(compute: Callable[P, R]) -> Callable[P, R]:
        made = _declare(compute, bound, 0)
        if COMPARES:
            return Comparing(made.name, bound, compute)
        return lru_cache(bound)(compute)  # type: ignore[return-value]

    return make


class OwnedMemo(Protocol[Owner_contra, P, R_co]):
    """A function whose answers live with its first argument. `on(owner)` is the same function with that argument given."""

    def __call__(self, owner: Owner_contra, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        raise NotImplementedError

    def on(self, owner: Owner_contra, /) -> Callable[P, R_co]:
        raise NotImplementedError


def owned_memo(*, bound: int) -> Callable[[Callable[Concatenate[Owner, P], R]], OwnedMemo[Owner, P, R]]:
    """Keep the answers of a function with its first argument: a thing that never changes, whose class says `memos: Memos`.
    Without further arguments it is one value.

        @owned_memo(bound=4_096)
        def near_sections(board: Board, place: int) -> tuple[tuple[int, int], ...]: ...

    Where there are as many answers as the bound allows, all are forgotten. Raises MemoError for a parameter that cannot be a
    key."""

    def make(compute: Callable[Concatenate[Owner, P], R]) -> OwnedMemo[Owner, P, R]:
        made = _declare(compute, bound, 1)
        found = _written(made, compute, SAMPLED if not made.inputs else 1)
        found.on = lambda owner: partial(found, owner)  # type: ignore[attr-defined]
        return cast("OwnedMemo[Owner, P, R]", found)

    return make


def memo_method(
    *, bound: int
) -> Callable[[Callable[Concatenate[Owner, P], R]], Callable[Concatenate[Owner, P], R]]:
    """Keep the answers of a method with its object, which has `memos` and must not change in anything that the method reads.
    Where there are as many as the bound allows, all are forgotten."""

    def make(compute: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
        found = _written(_declare(compute, bound, 1), compute)
        return cast("Callable[Concatenate[Owner, P], R]", found)

    return make


class _MakesTable(Protocol):
    """What `memo_table` is applied to: a method of one argument, or of several."""

    @overload
    def __call__(self, compute: Callable[[Owner, Key], R], /) -> _Table[Owner, Key, R]: ...

    @overload
    def __call__(self, compute: Callable[[Owner, Unpack[Keys]], R], /) -> _Table[Owner, tuple[*Keys], R]: ...


def memo_table(*, bound: int) -> _MakesTable:
    """Keep the answers of a method with its object, as `memo_method` does, and read them as from a dict: `position.worth[unit.id,
    place]`. For what is asked for most of all: an answer that is there is found without a call."""
    return cast("_MakesTable", lambda compute: _Table(compute, bound))


class _Table(Generic[Owner, Key, R]):
    """Puts the answers of an object in the method's place when they are first asked for."""

    def __init__(self, compute: Callable[..., R], bound: int) -> None:
        self._memo = _declare(compute, bound, 1)
        self._compute, self._bound, self._name = compute, bound, compute.__name__
        self._kind: type[Answers[Any, R]] = Answers if len(self._memo.inputs) == 1 else AnswersOfSeveral
        self.__doc__ = compute.__doc__
        self.__wrapped__ = compute

    @overload
    def __get__(self, instance: None, owner: type) -> _Table[Owner, Key, R]: ...

    @overload
    def __get__(self, instance: Owner, owner: type) -> Mapping[Key, R]: ...

    def __get__(self, instance: Owner | None, owner: type) -> _Table[Owner, Key, R] | Mapping[Key, R]:
        if instance is None:
            return self
        answers: Answers[Key, R] = self._kind(self._bound, self._compute, instance)
        if COMPARES:
            answers = ComparedAnswers(self._memo.name, self._bound, answers)
        setattr(instance, self._name, answers)  # not by `__dict__`, whose making slows down all attributes
        return answers


class memo_property(Generic[Owner, R]):  # noqa: N801 - it is used as a decorator
    """Keep what a method without arguments computes, and read it as an attribute: its one value takes its place."""

    def __init__(self, compute: Callable[[Owner], R]) -> None:
        self._memo = _declare(compute, 1, 1)
        self._compute, self._name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        if COMPARES:
            setattr(owner, name, property(_written(self._memo, self._compute)))

    @overload
    def __get__(self, instance: None, owner: type) -> memo_property[Owner, R]: ...

    @overload
    def __get__(self, instance: Owner, owner: type) -> R: ...

    def __get__(self, instance: Owner | None, owner: type) -> memo_property[Owner, R] | R:
        if instance is None:
            return self
        found: R = self._compute(instance)
        setattr(instance, self._name, found)
        return found


Memos = dict[object, Any]
"""What lives with an owner: by memo, its answers by their arguments, or its one value."""


def no_memos() -> Memos:
    """What an owner begins with."""
    return defaultdict(dict)


def _declare(compute: Callable[..., Any], bound: int, given: int) -> Memo:
    """List a memo whose first parameters (`given`) are its owner. Raises MemoError for what cannot be one."""
    name = f"{compute.__module__}.{compute.__qualname__}"
    owner = compute.__qualname__.rpartition(".")[0].rpartition("<locals>.")[2] if given else "process"
    said = (compute.__doc__ or "").strip().partition("\n\n")[0]
    if not said:
        raise MemoError(f"{name} does not say what it computes: give it a docstring")
    if bound < 1:
        raise MemoError(f"{name} keeps {bound} answers: give it a bound of 1 or more")
    parameters = list(signature(compute).parameters.values())
    if given and parameters[0].annotation is not Parameter.empty:
        owned_by = _type_of(parameters[0], compute, name)
        if "memos" not in getattr(owned_by, "__annotations__", {}):
            what = f"{name} would keep answers with a {parameters[0].annotation}, which has no `memos`"
            raise MemoError(f"{what}: begin with the board, or declare it with `memo`")
        owner = owned_by.__qualname__
    inputs = []
    for parameter in parameters[given:]:
        if parameter.kind not in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
            raise MemoError(f"{name}: {parameter} is no single argument: name each input")
        if not is_key(_type_of(parameter, compute, name)):
            what = (
                f"{name}: {parameter.name} is a {parameter.annotation}, which may change or cannot be a key"
            )
            raise MemoError(f"{what}: pass the numbers, texts, tuples and frozen records that are read of it")
        inputs.append((parameter.name, str(parameter.annotation)))
    declare(name, " ".join(said.split()), tuple(inputs), bound, owner)
    return _declared[name]


def _type_of(parameter: Parameter, compute: Callable[..., Any], name: str) -> Any:
    """The type that an annotation stands for."""
    try:
        return resolve_annotation(parameter.annotation, compute.__globals__)
    except NameError as error:
        what = f"{name}: {parameter.name} is a {parameter.annotation}, but {error}"
        raise MemoError(f"{what}: import it at run time, not for type checkers only") from None


# ---- how those that live with an owner are made ---------------------------------------------------------------------------

_ANSWERS = """
def {name}({owner}{parameters}):
    _answers_ = {owner}.memos[_memo_]
    _key_ = {key}
    _found_ = _answers_.get(_key_, _missing_)
    if _found_ is _missing_:
        _found_ = _compute_({owner}, {inputs})
        if len(_answers_) >= {bound}:
            _answers_.clear()
        _answers_[_key_] = _found_
    return _found_
"""
_VALUE = """
def {name}({owner}):
    _found_ = {owner}.memos.get(_memo_)
    if _found_ is None:
        _found_ = {owner}.memos[_memo_] = _compute_({owner})
    return _found_
"""
_COMPARED = """
def {name}({owner}{parameters}):
    _answers_ = _kept_.get({owner})
    if _answers_ is None:
        _answers_ = _kept_[{owner}] = _comparing_({owner})
    return _answers_({inputs})
"""


def _written(made: Memo, compute: Callable[..., Any], every: int = 1) -> Callable[..., Any]:
    """The function that looks an answer up with its first argument, or computes it: written out for its parameters, so that it
    costs no more than one written by hand. One in `every` hits is compared."""
    owner, *parameters = signature(compute).parameters.values()
    inputs = [parameter.name for parameter in parameters]
    signed = [f"{p.name}={p.name}" if p.default is not Parameter.empty else p.name for p in parameters]
    text = (_COMPARED if COMPARES else _ANSWERS if inputs else _VALUE).format(
        name=compute.__name__,
        owner=owner.name,
        parameters="".join(f", {one}" for one in signed),
        key=inputs[0] if len(inputs) == 1 else f"({', '.join(inputs)})",
        inputs=", ".join(inputs),
        bound=made.bound,
    )
    names: dict[str, Any] = {p.name: p.default for p in parameters if p.default is not Parameter.empty}
    names |= {
        "_compute_": compute,
        "_missing_": object(),
        "_kept_": WeakKeyDictionary(),
        "_comparing_": lambda of: Comparing(made.name, made.bound, given(compute, of), every),
    }
    exec(compile(text, f"<memo {made.name}>", "exec"), names)
    found: Callable[..., Any] = names[compute.__name__]
    names["_memo_"] = found
    return update_wrapper(found, compute)
