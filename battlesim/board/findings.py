"""What is wrong with a map, collected while it is read, so that every fault comes to light at once."""

from __future__ import annotations

from battlesim.board.yamlfaults import Loc
from battlesim.core.errors import Fault


class Findings:
    """Faults with their places in the file; lines are filled in later, from the file, where there is one."""

    def __init__(self) -> None:
        self.items: list[tuple[Loc, Fault]] = []

    def error(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Something that keeps the map from being played."""
        self.items.append((loc, Fault(what, remedy)))

    def warn(self, loc: Loc, what: str, remedy: str = "") -> None:
        """Something that is probably not meant."""
        self.items.append((loc, Fault(what, remedy, level="warning")))

    @property
    def fatal(self) -> bool:
        """Whether an error is among them."""
        return any(fault.level == "error" for _, fault in self.items)
