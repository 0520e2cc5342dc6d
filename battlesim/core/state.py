"""The state of a battle: everything that can change, as plain values (law 1).

A `State` has one owner and is changed by `apply` only; `clone` it before you branch. It holds no board, no dice, no
agents. `at` (who stands where), `alive` (who lives) and `down` (what has fallen) are derived from units and structures and
kept by `apply`; they are neither saved nor hashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from battlesim.core.frozen import EMPTY, frozen
from battlesim.core.items import Entry, Item


class Unit(Struct, frozen=True, gc=False):
    """One unit. `kind` names its type in the ruleset's data, `place` its space (-1: off the board), `facing` is 0-7.

    `own` is the frozen record of its ruleset. The dead stay in their dict with `alive` False, `models` 0, `place` -1.
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
    """What has changed about a section of the map: fallen to rubble, burning, and the ruleset's own fields, which become a
    `FrozenDict`."""

    section: int
    fallen: bool = False
    burning: bool = False
    own: Mapping[str, Any] = EMPTY

    def __post_init__(self) -> None:
        force_setattr(self, "own", frozen(self.own))


class Outcome(Struct, frozen=True):
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
    extra: Any
    stack: tuple[Item, ...] = ()
    agenda: tuple[Entry, ...] = ()
    turn: int = 1
    now: int = 0
    serial: int = 0
    """Next agenda serial."""
    events: int = 0
    """Number of events so far: the number of the next event."""
    questions: tuple[int, int] = (0, 0)
    """Number of questions each side has answered so far: numbers its next one and keys its agent's own chance."""
    points: tuple[int, int] = (0, 0)
    outcome: Outcome | None = None
    at: dict[int, tuple[int, ...]] = {}
    alive: Sides = NOBODY
    """The living units of each side by id, on the board or off it."""
    down: frozenset[int] = NONE

    def __post_init__(self) -> None:
        if self.alive is NOBODY:
            self.alive = living_of(self.units)
        if self.structures and not self.down:
            self.down = fallen_of(self.structures)

    def clone(self) -> State:
        """A copy that shares nothing mutable; about a microsecond."""
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
"""Fields of a state that follow from the others."""


def fallen_of(structures: dict[int, Structure]) -> frozenset[int]:
    """The sections that have fallen, among all that changed."""
    return frozenset(s.section for s in structures.values() if s.fallen)


def fallen(state: State) -> frozenset[int]:
    """The sections that have fallen."""
    return state.down


def burning(state: State) -> frozenset[int]:
    """The sections that burn (or burnt before they fell): nobody enters them."""
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
    """Who stands where: place -> ids of living units there, ascending."""
    at: dict[int, tuple[int, ...]] = {}
    for unit in units.values():
        if unit.alive and unit.place >= 0:
            here = at.get(unit.place)
            at[unit.place] = (unit.id,) if here is None else tuple(sorted((*here, unit.id)))
    return at
