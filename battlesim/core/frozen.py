"""Named values that nobody can change: what a frozen record holds where its fields are a ruleset's own. Read `frozen`.

A frozen record is shared: by clones of a state, forks of a battle, logs and views. So nothing in it may be changed, to its last
list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dict that refuses every change. It is equal to a plain dict with the same items, is written as one, and can be hashed
    where its values can. `{**fields, "name": value}` makes a plain dict with a change; `frozen` makes that one firm.
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
    """The same named values with nothing in them that can be changed: lists become tuples, dicts `FrozenDict`s. No values are
    always `EMPTY` itself, so that a record which leaves out defaults leaves them out.

    >>> frozen({"made": [[0, 1]]})
    FrozenDict({'made': ((0, 1),)})
    """
    if not fields:
        return EMPTY
    if type(fields) is FrozenDict:
        return fields
    return FrozenDict({name: frozen_value(value) for name, value in fields.items()})


def frozen_value(value: Any) -> Any:
    """A plain value with nothing in it that can be changed."""
    if isinstance(value, list | tuple):
        return tuple(map(frozen_value, value))
    return frozen(value) if isinstance(value, dict) else value


EMPTY = FrozenDict()
