"""The header of a record: everything that determines a battle. Read `Header`; `record.py` reads and writes whole records."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Struct

from battlesim.core.dice import LoadedRoll
from battlesim.core.errors import Fault, InputError
from battlesim.engine.budget import Budget

FORMAT = 3
"""Version of the format."""
LOADED_FORMAT = 4
"""Version of the format where some rolls were set beforehand (`Header.loaded`): the same, and the list of these rolls."""
READ = (1, 2, 3, 4)
"""Versions that can be read. A record of format 1 does not hold its map and scenario. One of format 1 or 2 has no `ListChanged`:
it writes a long list again whenever it changes."""


class PinnedFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A map or scenario: its name, the digest of its content, and its content as canonical JSON (`Board.source`,
    `Scenario.source`), so that a record can be drawn and verified on any machine."""

    name: str
    digest: str
    says: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def said(self) -> bytes | None:
        """Its content; None if the record does not hold it (format 1, or a scenario made in Python)."""
        if self.says is msgspec.UNSET or bytes(self.says) == b"null":
            return None
        return bytes(self.says)


class Version(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ruleset: its name, its version and, where it is from another package, the digest of its source files."""

    name: str
    version: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.version} {self.digest}".rstrip()


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    """The program: its version and the digest of its source files."""

    version: str
    digest: str


Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Seeds(Struct, frozen=True, forbid_unknown_fields=True):
    """The seed of the battle, and those derived from it: for the dice, for the set-up, for each side's agent."""

    battle: Seed
    dice: Seed
    variation: Seed
    agents: tuple[Seed, Seed]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """An agent: its name with parameters, the digest of its source, and why it could not start ("": it could)."""

    name: str
    digest: str
    fault: str = ""


_RANGES = {
    "seconds": msgspec.Meta(ge=0, le=86_400),
    "faults": msgspec.Meta(ge=1, le=1_000_000),
    "questions": msgspec.Meta(ge=1, le=1_000_000_000),
    "milliseconds": msgspec.Meta(ge=1, le=86_400_000),
}
"""The least and the most of each limit, for records that are read and for `Limits.check`."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits on an agent. `play` and the referee refuse limits out of range.

    - `seconds`: for one answer, 0 to 86,400; 0 for no limit.
    - `faults`: this many lost questions forfeit the battle, 1 to 1,000,000.
    - `questions`: how many questions may be imagined at one question (`engine/budget.py`), 1 to 1,000,000,000; left out for no
      limit.
    - `milliseconds`: how long may be imagined at one question, 1 to 86,400,000; left out for no limit.

    Under `seconds` and `milliseconds` a battle need not be repeatable.

    >>> Limits().repeatable, Limits(seconds=2).repeatable
    (True, False)
    """

    seconds: Annotated[float, _RANGES["seconds"]] = 0.0
    faults: Annotated[int, _RANGES["faults"]] = 10
    questions: Annotated[int, _RANGES["questions"]] | msgspec.UnsetType = msgspec.UNSET
    milliseconds: Annotated[int, _RANGES["milliseconds"]] | msgspec.UnsetType = msgspec.UNSET

    @property
    def repeatable(self) -> bool:
        """Whether no clock affected the battle: the same scenario, agents and seed then give the same record everywhere."""
        return not self.seconds and self.milliseconds is msgspec.UNSET

    def check(self) -> None:
        """Raises InputError, with every fault, for limits that a record could not hold."""
        faults = []
        for name, meta in _RANGES.items():
            least, most = meta.ge or 0, meta.le or 0
            value = getattr(self, name)
            if value is msgspec.UNSET:
                continue
            kinds, kind = ((int, float), "number") if name == "seconds" else ((int,), "whole number")
            if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
                what = f"the limit {name}={value!r:.60} will not do"
                faults.append(Fault(what, f"give a {kind} from {least} to {most:,}"))
        if faults:
            raise InputError(faults)

    def budget(self) -> Budget:
        """A budget of what may be imagined, for one agent."""
        return Budget(self.questions or 0, self.milliseconds or 0)


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that determines a battle. `places` and `sections` are names by number. `start`: the first state as canonical
    JSON, with the names of units. `options`: the limits set for the agents. `loaded`: rolls that were set beforehand and did not
    follow from the seed; left out if there are none."""

    record: str = "battlesim"
    format: int = FORMAT
    code: Code
    ruleset: Version
    scenario: PinnedFile
    map: PinnedFile
    seeds: Seeds
    agents: tuple[Player, Player]
    sides: tuple[str, str]
    options: Limits
    places: tuple[str, ...]
    sections: tuple[str, ...]
    start: msgspec.Raw
    loaded: tuple[LoadedRoll, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def loaded_rolls(self) -> tuple[LoadedRoll, ...]:
        """The rolls that were set beforehand; () for an honest battle."""
        return () if self.loaded is msgspec.UNSET else self.loaded
