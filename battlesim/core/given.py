"""Checks of the parameters that an agent is given with its name, as in `planner,width=6`. Read `whole`.

A value may be of any type: the text after the equals sign is read as a number, as true or false, or as text.
"""

from __future__ import annotations

from math import isfinite

from battlesim.core.errors import Fault, InputError


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """The value, if it is a whole number from `least` to `most` (None: no upper bound).

    >>> whole("width", 4, least=2)
    4

    Raises InputError: "width=2.5 will not do; give a whole number of at least 2".
    """
    if isinstance(value, int) and not isinstance(value, bool) and _within(value, least, most):
        return value
    raise InputError(_fault(name, value, "a whole number", least, most))


def number(name: str, value: object, least: float, most: float | None = None) -> float:
    """The value, if it is a number from `least` to `most` (None: no upper bound) that a float can hold, and neither `nan` nor
    `inf`. Raises InputError."""
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and _is_finite(value)
        and _within(value, least, most)
    ):
        return value
    raise InputError(_fault(name, value, "a number", least, most))


def _is_finite(value: float) -> bool:
    """Whether a number is an ordinary one. A whole number too large for a float is not."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _within(value: float, least: float, most: float | None) -> bool:
    return least <= value and (most is None or value <= most)


def _fault(name: str, value: object, kind: str, least: float, most: float | None) -> Fault:
    span = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
    return Fault(f"{name}={value!s:.60} will not do", f"give {kind} {span}")
