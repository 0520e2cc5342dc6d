"""Progress of long work: a bar, or a line on stderr every minute if no bar is shown. Read `reporting`."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

EVERY = 60.0
"""Seconds between two lines."""


@contextmanager
def reporting(where: Callable[[], str], quiet: bool = False, always: bool = False) -> Iterator[None]:
    """While the block runs, say once a minute `where` the work is, unless a bar says so already because stderr is a terminal
    (`always`: there too, for work without a bar). A separate thread does this, so that one long step is reported as well as many
    short ones."""
    if quiet or not (always or not sys.stderr.isatty()):
        yield
        return
    over = threading.Event()

    def tell() -> None:
        begun = time.monotonic()
        while not over.wait(EVERY):
            with suppress(Exception):  # the work may change during the report; there is another minute
                print(f"{where()} ({clock(time.monotonic() - begun)})", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def counted(done: int, of: int, noun: str, seconds: float) -> str:
    """Progress of a count in words, and about how long the rest takes."""
    words = f"{done:,} of {of:,} {noun}"
    if 0 < done < of and seconds > 0:
        words += f", about {duration(seconds / done * (of - done))} left"
    return words


def clock(seconds: float) -> str:
    """A time that has passed, to the minute from one minute on."""
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"


def duration(seconds: float) -> str:
    """A duration in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"


def counting(total: int, unit: str) -> tuple[Callable[[], None], Any]:
    """A function to call after each piece of work, and its progress bar, shown if it takes longer than a second."""
    from tqdm import tqdm

    bar = tqdm(total=total, unit=unit, disable=None, delay=1, leave=False)

    def done() -> None:
        bar.update()

    return done, bar
