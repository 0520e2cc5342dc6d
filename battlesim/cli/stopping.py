"""What a command says when it is stopped, by Ctrl-C or by the signal to end. Read `kept` and `heeding`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

INTERRUPTED, ENDED = 130, 143
"""Exit codes after Ctrl-C and after the signal to end."""


class Ended(KeyboardInterrupt):
    """The process received the signal to end (SIGTERM)."""


@contextmanager
def kept(words: str) -> Iterator[None]:
    """Whoever stops the block is told these words, in place of "interrupted"; the innermost block speaks. `words`: what is
    kept, and how to go on."""
    try:
        yield
    except (KeyboardInterrupt, ImportError) as error:
        stopped = stop_of(error)
        if stopped is None or stopped.args:
            raise
        raise type(stopped)(words) from None


def resumable(verb: str, folder: Path) -> str:
    """The words of a command that can go on with what is in the folder."""
    return f"stopped; what was played is kept. Go on with: battlesim {verb} --resume {quote(str(folder))}"


@contextmanager
def heeding() -> Iterator[None]:
    """While the block runs, the signal to end stops it as Ctrl-C does, so that its workers and files are put in order."""
    try:
        before = signal.signal(signal.SIGTERM, _end)
    except ValueError:  # not in the main thread, which alone can heed signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(_number: int, _frame: object) -> None:
    raise Ended


def stop_of(error: BaseException | None) -> KeyboardInterrupt | None:
    """The interrupt that is this error or its cause; None if there is none. Where it comes while a library in C is imported, the
    import ends in an error of its own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error


def told(error: KeyboardInterrupt) -> tuple[str, int]:
    """The message of a command that was stopped, and its exit code."""
    words = str(error) or ("ended by a signal" if isinstance(error, Ended) else "interrupted")
    return words, ENDED if isinstance(error, Ended) else INTERRUPTED
