"""How much work something is, by a count that is the same on every machine: a clock tells of the machine as well. Where
only a clock will do, how slow the machine is. Read `calls` and `slowness`."""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from time import process_time

LOOPS = 2_000_000
NOMINAL = 0.1
"""Processor seconds that so many rounds of a loop take on the machines on which promises in seconds were made."""


def calls(work: Callable[[], object]) -> int:
    """How many calls of Python functions some work makes; what runs inside of libraries written in C is not counted.

    Example: `calls(lambda: sorted([3, 1, 2], key=str.lower))`.
    """
    profile = cProfile.Profile(builtins=False)
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())  # type: ignore[attr-defined]


def slowness() -> float:
    """How many times as long the same work takes here as on the machines on which promises were made, at least 1. Machines
    that run the checks differ by up to eight times."""
    begun = process_time()
    total = 0
    for n in range(LOOPS):
        total += n & 7
    return max(1.0, (process_time() - begun) / NOMINAL)
