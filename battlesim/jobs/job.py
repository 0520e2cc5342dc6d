"""Jobs: the pieces of work of a run, and their results. All are plain data, so that any process can do them.

The function that does jobs is named by text, `module:function`, and is called as `function(spec, watch)`; it returns a
`JobOutput`. `watch(actor)` says whose code runs now (-1: nobody's), so that an executor knows whom to blame for a job that hung
or died. A function may have an attribute `prepare(spec, watch)`, called before it, that loads what the job needs outside the
time of any actor. An InputError ends the run; any other exception makes the job's result a `JobFailure`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from msgspec import Struct

Watch = Callable[[int], None]
"""Called with the actor whose code runs from now on, -1 for nobody's."""


class Job(Struct, frozen=True):
    """One piece of work. `number`: its place in the run, 0 or more, unique. `group`: jobs of one group take about equally long.
    `spec`: plain data."""

    number: int
    group: str
    spec: Any


class JobOutput(Struct, frozen=True):
    """What a job returns. `row`: one line of JSON, the same on every machine. `file`: the content of a file to keep beside the
    rows, None for none. `clocks`: seconds that the code of each actor ran, by the clock of this machine; kept beside the row, and
    in no digest."""

    row: bytes
    file: bytes | None = None
    clocks: tuple[float, ...] = ()


class JobFailure(Struct, frozen=True):
    """Why a job has no output. `kind`: "time" (it took too long), "memory" (it needed too much), "death" (its process ended),
    "raised" (an actor's code raised an exception), or "fault" (the program itself did). `actor`: whose code ran, -1 for nobody's.
    `what`: in words, the same on every machine; only for "time" it ends with where the job stood."""

    kind: str
    actor: int
    what: str


class JobResult(Struct, frozen=True):
    """The end of a job: its output or its failure. `seconds`: how long it took by the clock, 0 for one whose worker was lost;
    `tries`: how often it was begun, 1 or more."""

    number: int
    result: JobOutput | JobFailure
    seconds: float
    tries: int = 1


class JobLimits(Struct, frozen=True):
    """What one job may use: `seconds` by the clock, `megabytes` (of 1,048,576 bytes) of memory of its process; 0 for no limit."""

    seconds: float = 600.0
    megabytes: int = 1024


def function_of(name: str) -> Callable[[Any, Watch], JobOutput]:
    """The function that `module:function` names. Raises ImportError or AttributeError if there is none."""
    module, _, function = name.partition(":")
    found: Callable[[Any, Watch], JobOutput] = getattr(import_module(module), function)
    return found
