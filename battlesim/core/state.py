"""The state of a battle: everything that can change, as plain values.

A `State` has one owner and is changed by `apply` only; `clone` it before you branch. It holds no board, no dice, no agents.
`at` (units by space), `alive` (living units) and `down` (fallen sections) follow from units and structures. `apply` keeps them up
to date; they are neither saved nor hashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from battlesim.core.frozen import EMPTY, frozen
from battlesim.core.items import Entry, Item


class Unit(Struct, frozen=True, gc=False):
    """One unit. `kind` names its type in the ruleset's data, `place` is its space (-1: off the board), `facing` is 0 (east) to 7.

    `own` is the ruleset's frozen record of it. A dead unit stays in `State.units`, with `alive` False, `models` 0, `place` -1.
    """

    id: int
    side: int
    name: str
    kind: str
    place: int
    models: int
    alive: bool = True
    facing: int = 0
    own: Any = None


class Structure(Struct, frozen=True):
    """Changes to a section of a building: whether it has fallen, whether it burns, and fields of the ruleset, which become a
    `FrozenDict`."""

    section: int
    fallen: bool = False
    burning: bool = False
    own: Mapping[str, Any] = EMPTY

    def __post_init__(self) -> None:
        force_setattr(self, "own", frozen(self.own))


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a battle ended. `winner` is a side or None (a draw); `termination` says in one word why it ended."""

    winner: int | None
    points: tuple[int, int]
    termination: str


NONE: frozenset[int] = frozenset()
Sides = tuple[tuple[int, ...], tuple[int, ...]]
NOBODY: Sides = ((), ())


class State(Struct):
    """Everything about a battle that can change."""

    units: dict[int, Unit]
    structures: dict[int, Structure]
    """Sections that have changed; one that is as it was at the start need not be here."""
    extra: Any
    """The ruleset's own record of the battle."""
    stack: tuple[Item, ...] = ()
    """Steps and asks still to be done; the last one is next."""
    agenda: tuple[Entry, ...] = ()
    """Steps for later times, the earliest first."""
    turn: int = 1
    now: int = 0
    """The time, in ticks."""
    serial: int = 0
    """The serial number of the next entry of the agenda."""
    events: int = 0
    """How many events there were: the number of the next one."""
    questions: tuple[int, int] = (0, 0)
    """How many questions each side has answered: the number of its next one, which also keys its agent's random numbers."""
    points: tuple[int, int] = (0, 0)
    outcome: Outcome | None = None
    at: dict[int, tuple[int, ...]] = {}
    """Living units by space; both by number."""
    alive: Sides = NOBODY
    """The living units of each side by id, on the board or off it."""
    down: frozenset[int] = NONE
    """Sections that have fallen."""

    def __post_init__(self) -> None:
        if self.alive is NOBODY:
            self.alive = living_of(self.units)
        if self.structures and not self.down:
            self.down = fallen_of(self.structures)

    def clone(self) -> State:
        """A copy that shares nothing that can change; takes about a microsecond."""
        return State(
            self.units.copy(),
            self.structures.copy(),
            self.extra,
            self.stack,
            self.agenda,
            self.turn,
            self.now,
            self.serial,
            self.events,
            self.questions,
            self.points,
            self.outcome,
            self.at.copy(),
            self.alive,
            self.down,
        )

    def living(self, side: int) -> list[Unit]:
        """The living units of a side, on the board or off it, in the order of their ids."""
        return list(map(self.units.__getitem__, self.alive[side]))


DERIVED = ("at", "alive", "down")
"""Fields of a state that follow from the other fields."""


def fallen_of(structures: dict[int, Structure]) -> frozenset[int]:
    """The sections that have fallen, among all that changed."""
    return frozenset(s.section for s in structures.values() if s.fallen)


def fallen(state: State) -> frozenset[int]:
    """The sections that have fallen."""
    return state.down


def burning(state: State) -> frozenset[int]:
    """The sections that burn, or burned when they fell. No unit enters them."""
    if not state.structures:
        return NONE
    return frozenset(s.section for s in state.structures.values() if s.burning)


def living_of(units: dict[int, Unit]) -> Sides:
    """The living units of each side, by id."""
    found: tuple[list[int], list[int]] = ([], [])
    for unit in units.values():
        if unit.alive:
            found[unit.side].append(unit.id)
    return tuple(found[0]), tuple(found[1])


def standing_at(units: dict[int, Unit]) -> dict[int, tuple[int, ...]]:
    """Living units by space: space -> ids, ascending."""
    at: dict[int, tuple[int, ...]] = {}
    for unit in units.values():
        if unit.alive and unit.place >= 0:
            here = at.get(unit.place)
            at[unit.place] = (unit.id,) if here is None else tuple(sorted((*here, unit.id)))
    return at
