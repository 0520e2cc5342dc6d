"""Faults of a map, collected while it is read, so that all are reported at once."""

from __future__ import annotations

from battlesim.board.yamlfaults import Loc
from battlesim.core.errors import Fault


class Findings:
    """Faults with their places in the file. Line numbers are filled in later (`yamlfile.with_lines`).

    >>> found = Findings()
    >>> found.warn(("terrain", 0), "this wood lies outside the map", "move it")
    >>> found.fatal, len(found.items)
    (False, 1)
    """

    def __init__(self) -> None:
        self.items: list[tuple[Loc, Fault]] = []

    def error(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Note a fault that makes the map unplayable. `loc`: where it is in the file; `remedy`: what would do, "" for nothing."""
        self.items.append((loc, Fault(what, remedy)))

    def warn(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Note something that is probably a mistake. The map can be played all the same."""
        self.items.append((loc, Fault(what, remedy, level="warning")))

    @property
    def fatal(self) -> bool:
        """Whether an error is among them."""
        return any(fault.level == "error" for _, fault in self.items)
