"""Faults of a map, collected while it is read, so that all are reported at once."""

from __future__ import annotations

from battlesim.board.yamlfaults import Loc
from battlesim.core.errors import Fault


class Findings:
    """Faults with their places in the file. Line numbers are filled in later (`yamlfile.with_lines`)."""

    def __init__(self) -> None:
        self.items: list[tuple[Loc, Fault]] = []

    def error(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Note a fault that makes the map unplayable."""
        self.items.append((loc, Fault(what, remedy)))

    def warn(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Note something that is probably a mistake."""
        self.items.append((loc, Fault(what, remedy, level="warning")))

    @property
    def fatal(self) -> bool:
        """Whether an error is among them."""
        return any(fault.level == "error" for _, fault in self.items)
