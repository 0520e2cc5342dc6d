"""Sums of floats that every version of Python rounds alike. Read `summed`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def summed(numbers: Iterable[float]) -> float:
    """The sum of numbers from first to last, rounded after each; 0.0 for none. `sum` is more exact from Python 3.12 on: players
    who summed by it would answer otherwise there wherever two answers are nearly equal, and battles could not be repeated.

    >>> summed([0.1] * 10)
    0.9999999999999999
    """
    return reduce(add, numbers, 0.0)
