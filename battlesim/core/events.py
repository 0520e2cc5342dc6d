"""Events: what happened. *Facts* change nothing; *changes* are the closed set that `apply` knows.

Every event names the clauses that apply to it and the number of the event that caused it. An event's own number is its place in
the battle's log, `state.events` when it was emitted. Read `Event`, then the changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import force_setattr

from battlesim.core.frozen import EMPTY, FrozenDict, frozen
from battlesim.core.items import Entry
from battlesim.core.state import Outcome, Unit


class Observer(NamedTuple):
    """A side that may receive an event: its number, all units of the battle, and the numbers of the units hidden from it."""

    side: int
    units: Mapping[int, Unit]
    hidden: Collection[int]


class Event(
    Struct,
    frozen=True,
    tag_field="event",
    tag=True,
    kw_only=True,
    omit_defaults=True,
    gc=False,
    forbid_unknown_fields=True,
):
    """Base of all events. `clauses`: ids of the rules that apply. `cause`: number of the event that caused it, -1 for none."""

    # Plain values never form cycles, so the garbage collector need not look at them (`gc=False`).
    clauses: tuple[str, ...] = ()
    cause: int = -1

    def heard(self, by: Observer) -> Event | None:
        """This event in the form that a side receives, with what it may not know left out; None if it does not receive it.

        Both sides receive an event as it is unless its class says otherwise.
        """
        return self


class Fact(Event, frozen=True, kw_only=True):
    """An event that changes nothing. A ruleset declares its own in its `facts.py` (and `facts_*.py`), one class each: the fields
    say what happened, `heard` decides which side receives it in which form."""


class Happened(Fact, frozen=True, kw_only=True, tag="Happened"):
    """Base of facts that records write under one name and tell apart by the word `what`. Most make one sentence of the story.
    Fields are given by name; those that have their default are not written.

    >>> import msgspec
    >>> class Closed(Happened, frozen=True):
    ...     what: str = word("closed")
    ...     section: int = -1
    >>> msgspec.json.encode(Closed(section=3))
    b'{"event":"Happened","what":"closed","section":3}'
    """


def word(what: str) -> Any:
    """The word of a fact, for its field `what`, which is always written."""
    return field(default_factory=lambda: what)


class Change(Event, frozen=True, kw_only=True):
    """An event that changes the state. The set is closed: see CHANGES."""


# ---- facts every ruleset shares ------------------------------------------------------------------------------------


class Rolled(Fact, frozen=True):
    """Dice were rolled: the key, how many sides they had, their faces. `need`: a die succeeds at this or more; 0 if the faces
    themselves count."""

    turn: int
    actor: int
    purpose: str
    object: int
    attempt: int
    sides: int
    need: int
    faces: tuple[int, ...]


class Asked(Fact, frozen=True):
    """A question was put to a side; it had `legal` legal answers."""

    side: int
    ask: Any
    legal: int

    def heard(self, by: Observer) -> Asked | None:
        """Only the side that is asked knows of it."""
        return self if self.side == by.side else None


class Answered(Fact, frozen=True):
    """A side's answer in its text form. `by`: "agent", or "referee" where the safe answer was taken instead; `note` then says
    why."""

    side: int
    answer: str
    by: str = "agent"
    note: str = ""

    def heard(self, by: Observer) -> Answered | None:
        """Only the side that was asked knows its answer."""
        return self if self.side == by.side else None


# ---- changes ---------------------------------------------------------------------------------------------------------


class Placed(Change, frozen=True):
    """A unit is now at `place` (-1: off the board). `path`: the spaces it passed, both ends included."""

    unit: int
    place: int
    facing: int
    path: tuple[int, ...] = ()


class ModelsLost(Change, frozen=True):
    """A unit loses models. With none left it is dead and off the board. `how`: the cause, in a word or two."""

    unit: int
    lost: int
    left: int
    how: str = ""


class UnitSet(Change, frozen=True):
    """Fields of a unit's state in its rulebook (`unit.own`) are set. They become a `FrozenDict`."""

    unit: int
    own: Mapping[str, Any]

    def __post_init__(self) -> None:
        if type(self.own) is not FrozenDict:
            force_setattr(self, "own", frozen(self.own))


class ExtraSet(Change, frozen=True):
    """Fields of the battle's state in its rulebook (`state.extra`) are set. They become a `FrozenDict`."""

    extra: Mapping[str, Any]

    def __post_init__(self) -> None:
        if type(self.extra) is not FrozenDict:
            force_setattr(self, "extra", frozen(self.extra))


class ListChanged(Change, frozen=True):
    """Numbers leave a list in `state.extra`, or are added at its end.

    A list with an entry for each unit is set once (`ExtraSet`) and then changed by this, so that no event grows with the number
    of units. `path` leads to the list: names of fields, and indexes in a tuple. Die 7 of side 0 leaves the bag:
    `ListChanged(("bag", "dice", 0), removed=(7,))`.
    """

    path: tuple[str | int, ...]
    removed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()


class StructureSet(Change, frozen=True):
    """The state of a section of a building is set. Fields of `own` are added to those it had; they become a `FrozenDict`."""

    section: int
    fallen: bool
    burning: bool
    own: Mapping[str, Any] = EMPTY

    def __post_init__(self) -> None:
        force_setattr(self, "own", frozen(self.own))


class Scheduled(Change, frozen=True):
    """An entry is put on the agenda."""

    entry: Entry


class Taken(Change, frozen=True):
    """The head of the agenda is taken off; the clock now stands at `time`, in ticks."""

    serial: int
    time: int


class Cancelled(Change, frozen=True):
    """An entry is taken off the agenda; its step will not be done."""

    serial: int


class Scored(Change, frozen=True):
    """A side gains points; `what`: the reason."""

    side: int
    points: int
    what: str = ""


class TurnEnded(Change, frozen=True):
    """A turn is over. `position`: hash of the state just before (`codec.position`), which a replay is compared with."""

    turn: int
    position: str


class Ended(Change, frozen=True):
    """The battle is over."""

    outcome: Outcome


CORE_FACTS: tuple[type[Fact], ...] = (Rolled, Asked, Answered)
CHANGES: tuple[type[Change], ...] = (
    Placed,
    ModelsLost,
    UnitSet,
    ExtraSet,
    ListChanged,
    StructureSet,
    Scheduled,
    Taken,
    Cancelled,
    Scored,
    TurnEnded,
    Ended,
)
