"""A job: one piece of work that a run is made of, and what came of it. Plain data, so that any process can do it.

The function that does jobs is named by text, `module:function`, and is called as `function(spec, watch)`; it returns a
`JobOutput`. `watch(actor)` says whose code runs now (-1: nobody's), so that an executor knows whom to blame for a job that hung
or died.
A function may have an attribute `prepare(spec, watch)`, called before it, that loads what the job needs at nobody's expense.
An InputError ends the run; whatever else it raises makes the job's result a `JobFailure`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from msgspec import Struct

Watch = Callable[[int], None]


class Job(Struct, frozen=True):
    """`number`: its place in the run, unique. `group`: jobs of one group take about equally long. `spec`: plain data."""

    number: int
    group: str
    spec: Any


class JobOutput(Struct, frozen=True):
    """What a job gave: `row`, one line of JSON, the same wherever it is done; `file`: a file to be kept beside the rows,
    None for none."""

    row: bytes
    file: bytes | None = None


class JobFailure(Struct, frozen=True):
    """Why a job gave nothing. `kind`: "time", "memory", "death" (its process ended), "raised" (whose
    code ran let an exception out), "fault" (the program itself raised one). `actor`: whose code
    ran, -1 nobody's. `what`: in words, the same on every machine but for a hang, which tells where it stood."""

    kind: str
    actor: int
    what: str


class JobResult(Struct, frozen=True):
    """A job's end: a yield or a failure. `seconds` it took, and how many `tries`."""

    number: int
    result: JobOutput | JobFailure
    seconds: float
    tries: int = 1


class JobLimits(Struct, frozen=True):
    """What one job may cost. `seconds` by the clock, `megabytes` of memory its process may hold (0: no limit)."""

    seconds: float = 600.0
    megabytes: int = 1024


def function_of(name: str) -> Callable[[Any, Watch], JobOutput]:
    """The function that `module:function` names."""
    module, _, function = name.partition(":")
    found: Callable[[Any, Watch], JobOutput] = getattr(import_module(module), function)
    return found
