"""Memos: functions whose results are kept. Every cache of a computed value is declared by one of the decorators here.

A memo reads nothing but its arguments, and the cache key is made from the arguments automatically. So a value cannot go stale: a
rule that reads one more fact needs one more argument, and every caller has to pass it. Where values are kept:

- `memo`: for the whole process. For tables and odds, which depend on their arguments alone.
- `owned_memo`: in the first argument, an object that never changes and has `memos`, such as the board.
- `memo_method`, `memo_table`, `memo_property`: in the object whose method it is. What the object holds must not change.

Arguments that could change or hold more than is needed (a state, a view, a dict, a list) are refused when the memo is declared.
To check what a function really reads, start Python with `BATTLESIM_COMPARE_MEMOS=1`: each kept value is then computed again when
it is asked for, and `StaleMemo` is raised where the two differ. `declared` lists all memos.
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
"""Whether kept values are compared with ones computed again. Read once, when the memos are made, so that it costs nothing while
it is off. It changes no result."""


class MemoError(BattlesimError):
    """A memo was declared in a way that cannot work."""


class Memo(NamedTuple):
    """One declared memo: `name` (module and function), what it `computes`, its `inputs` as (name, type), the most values it keeps
    (`bound`), and where they are kept (`owner`): "process" or the name of a class."""

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
    """List a cache that keeps its values by itself, and return its name. It has to compare its own values where memos are
    compared (`memo_compare.compare`)."""
    _declared[name] = Memo(name, computes, inputs, bound, owner)
    return name


# ---- the decorators ------------------------------------------------------------------------------------------------------


def memo(*, bound: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the results of a function for the whole process: `bound` at most, the least recently used dropped first.

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
    """A function whose results are kept in its first argument. `on(owner)` is the same function with that argument given."""

    def __call__(self, owner: Owner_contra, /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        raise NotImplementedError

    def on(self, owner: Owner_contra, /) -> Callable[P, R_co]:
        """The same function for one owner."""
        raise NotImplementedError


def owned_memo(*, bound: int) -> Callable[[Callable[Concatenate[Owner, P], R]], OwnedMemo[Owner, P, R]]:
    """Keep the results of a function in its first argument: an object that never changes, whose class declares `memos: Memos`.
    Without further arguments there is one value.

        @owned_memo(bound=4_096)
        def near_sections(board: Board, place: int) -> tuple[tuple[int, int], ...]: ...

    At `bound` results all are dropped. Raises MemoError for a parameter that cannot be a key."""

    def make(compute: Callable[Concatenate[Owner, P], R]) -> OwnedMemo[Owner, P, R]:
        made = _declare(compute, bound, 1)
        found = _written(made, compute, SAMPLED if not made.inputs else 1)
        found.on = lambda owner: partial(found, owner)  # type: ignore[attr-defined]
        return cast("OwnedMemo[Owner, P, R]", found)

    return make


def memo_method(
    *, bound: int
) -> Callable[[Callable[Concatenate[Owner, P], R]], Callable[Concatenate[Owner, P], R]]:
    """Keep the results of a method in its object, which has `memos` and must not change in anything that the method reads. At
    `bound` results all are dropped."""

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
    """Keep the results of a method in its object, as `memo_method` does, and read them as from a dict: `position.worth[unit.id,
    place]`. For the values that are read most often: one that is there is found without a call."""
    return cast("_MakesTable", lambda compute: _Table(compute, bound))


class _Table(Generic[Owner, Key, R]):
    """A descriptor: on first use it replaces the method, on that object, by the table of its results."""

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
        # `setattr`, since access to `__dict__` would make all attributes of the object slower.
        setattr(instance, self._name, answers)
        return answers


class memo_property(Generic[Owner, R]):  # noqa: N801 - it is used as a decorator
    """Keep the result of a method without arguments and read it as an attribute. On first use the value replaces the method."""

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
"""What is kept in an owner: by memo, its results by their arguments, or its one value."""


def no_memos() -> Memos:
    """The empty `memos` that an owner begins with."""
    return defaultdict(dict)


def _declare(compute: Callable[..., Any], bound: int, given: int) -> Memo:
    """List a memo. `given`: 1 where its first parameter is the owner, else 0. Raises MemoError if it cannot be a memo."""
    name = f"{compute.__module__}.{compute.__qualname__}"
    owner = compute.__qualname__.rpartition(".")[0].rpartition("<locals>.")[2] if given else "process"
    summary = (compute.__doc__ or "").strip().partition("\n\n")[0]
    if not summary:
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
            raise MemoError(f"{name}: {parameter} stands for several arguments: name each input")
        if not is_key(_type_of(parameter, compute, name)):
            what = (
                f"{name}: {parameter.name} is a {parameter.annotation}, which may change or cannot be a key"
            )
            raise MemoError(
                f"{what}: pass the numbers, texts, tuples or frozen records that the function reads"
            )
        inputs.append((parameter.name, str(parameter.annotation)))
    declare(name, " ".join(summary.split()), tuple(inputs), bound, owner)
    return _declared[name]


def _type_of(parameter: Parameter, compute: Callable[..., Any], name: str) -> Any:
    """The type that an annotation stands for."""
    try:
        return resolve_annotation(parameter.annotation, compute.__globals__)
    except NameError as error:
        what = f"{name}: {parameter.name} is a {parameter.annotation}, but {error}"
        raise MemoError(f"{what}: import it at run time, not for type checkers only") from None


# ---- code of the memos that are kept in an owner ------------------------------------------------------------------------

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
    """The function that looks a result up in its first argument, or computes it. Its code is generated for its parameters, so
    that it is as fast as one written by hand. Where memos are compared, one in `every` hits is."""
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
