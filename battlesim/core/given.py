"""Checks of the parameters that an agent is given by its name, as `planner,width=6`. Read `whole`.

They may come as any number, as true or false, or as text: `width=abc`.
"""

from __future__ import annotations

from math import isfinite

from battlesim.core.errors import Fault, InputError


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """The value, if it is a whole number in its range.

    >>> whole("width", 4, least=2)
    4

    Raises InputError: "width=2.5 will not do; give a whole number of at least 2".
    """
    if isinstance(value, int) and not isinstance(value, bool) and _within(value, least, most):
        return value
    raise InputError(_fault(name, value, "a whole number", least, most))


def number(name: str, value: object, least: float, most: float | None = None) -> float:
    """The value, if it is a number in its range, and neither `nan` nor `inf`. Raises InputError."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if fits and isinstance(value, int | float) and _within(value, least, most):
        return value
    raise InputError(_fault(name, value, "a number", least, most))


def _within(value: float, least: float, most: float | None) -> bool:
    return least <= value and (most is None or value <= most)


def _fault(name: str, value: object, kind: str, least: float, most: float | None) -> Fault:
    reach = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
    return Fault(f"{name}={value} will not do", f"give {kind} {reach}")
