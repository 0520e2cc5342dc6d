"""Numbers of a game by functions of the user's own, from a Python file. Read `pin_own`.

    # mine.py: each public function is one number of a game
    def first_loss(game):
        "number of the event by which somebody was first lost"
        losses = (at for at, event in enumerate(game.log) if type(event).__name__ == "ModelsLost")
        return next(losses, None)

A function is given the finished `engine.game.Game`: its `log` of events, its last `state`, its `outcome`. It returns a number, or
None if there is none. The file is pinned by digest, as agents are.
"""

from __future__ import annotations

import math
import runpy
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.engine.game import Game


class PinnedOwn(Struct, frozen=True):
    """A file of functions: its path, its digest, and (name, meaning) of each function; the meaning is the first line of its
    docstring, "" for none."""

    load: str
    digest: str
    names: tuple[tuple[str, str], ...]


def pin_own(name: str, folder: Path | None = None) -> PinnedOwn:
    """Pin a file by its path, which is relative to `folder` (None: to the working folder). The file is run for that. Raises
    InputError if it cannot be read, does not run or has no public function."""
    path = str((folder / name if folder is not None else Path(name)).resolve())
    digest = _digest(path)
    functions = _functions(path, digest)
    if not functions:
        remedy = "write one: def late_lead(game): ..."
        raise InputError(Fault("the file has no public function", remedy, path))
    names = tuple((word, _meaning(function)) for word, function in functions.items())
    return PinnedOwn(path, digest, names)


def own_numbers(pin: PinnedOwn, game: Game) -> dict[str, float | None]:
    """The numbers of a game by name of the function; None for one that gives none, `nan` or an infinite one. Raises InputError if
    the file has changed, or a function fails."""
    if _digest(pin.load) != pin.digest:
        remedy = "put the file back, or begin a new run"
        raise InputError(Fault("the responses are no longer what the run was begun with", remedy, pin.load))
    found: dict[str, float | None] = {}
    for name, function in _functions(pin.load, pin.digest).items():
        try:
            value = function(game)
            number = None if value is None else float(value)
        except Exception as error:
            what = f"{name}(game) failed with {type(error).__name__}: {error}"
            remedy = "let it give a number or None for every game"
            raise InputError(Fault(what, remedy, pin.load)) from None
        found[name] = number if number is not None and math.isfinite(number) else None
    return found


def _digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()
    except OSError as error:
        what = f"the file of responses cannot be read: {error.strerror or error}"
        raise InputError(Fault(what, "name a Python file", path)) from None


@lru_cache(maxsize=16)
def _functions(path: str, digest: str) -> dict[str, Callable[[Game], Any]]:
    """The public functions that a file of some digest defines, in their order."""
    try:
        names = runpy.run_path(path, run_name="battlesim_responses")
    except Exception as error:
        what = f"the file of responses does not run: {type(error).__name__}: {error}"
        raise InputError(Fault(what, "mend it", path)) from None
    return {
        name: value
        for name, value in names.items()
        if not name.startswith("_")
        and isinstance(value, FunctionType)
        and value.__module__ == "battlesim_responses"
    }


def _meaning(function: Callable[[Game], Any]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0]
