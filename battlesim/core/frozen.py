"""Dicts that cannot be changed, for fields of frozen records that each ruleset fills in its own way. Read `frozen`.

Frozen records are shared by clones of a state, forks of a battle, logs and views. So nothing inside them may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dict that refuses every change. It equals a plain dict with the same items, is written as one, and can be hashed where
    its values can. For a changed copy: `frozen({**fields, "name": value})`.
    """

    __slots__ = ()

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a FrozenDict cannot be changed: make a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = setdefault = clear = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return f"FrozenDict({dict.__repr__(self)})"

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return frozen, (dict(self),)


def frozen(fields: Mapping[str, Any]) -> FrozenDict:
    """The same items, all unchangeable: lists become tuples, dicts become `FrozenDict`s. Without items it is `EMPTY` itself, so
    that records which leave out defaults leave it out.

    >>> frozen({"made": [[0, 1]]})
    FrozenDict({'made': ((0, 1),)})
    """
    if not fields:
        return EMPTY
    if type(fields) is FrozenDict:
        return fields
    return FrozenDict({name: frozen_value(value) for name, value in fields.items()})


def frozen_value(value: Any) -> Any:
    """A plain value made unchangeable, as `frozen` does."""
    if isinstance(value, list | tuple):
        return tuple(map(frozen_value, value))
    return frozen(value) if isinstance(value, dict) else value


EMPTY = FrozenDict()
