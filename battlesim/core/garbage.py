"""How often Python searches for circles of references while a battle is played. Read `seldom_searched`."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (10_000, 20, 20)
"""As `gc.set_threshold` takes them; Python's own begin at 700. A battle leaves some 90 objects in circles, so that searching more
often finds nothing and takes a sixth to a quarter of a game's time."""


@contextmanager
def seldom_searched() -> Iterator[None]:
    """Search less often for circles of references, and afterwards as before. Nothing changes where the program has switched
    the search off, or searches less often itself.

    >>> before = gc.get_threshold()
    >>> with seldom_searched():
    ...     gc.get_threshold()[0] >= 10_000
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    if not 0 < before[0] < THRESHOLDS[0]:
        yield
        return
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
