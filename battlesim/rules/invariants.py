"""Invariants of every battle. The `faults` function of each rulebook begins with `common_faults`.

Each function returns the broken ones in words, or an empty list.
"""

from __future__ import annotations

from collections.abc import Callable

from battlesim.board.board import Board
from battlesim.core.geometry import FACINGS
from battlesim.core.state import State, Unit, fallen_of, living_of, standing_at


def common_faults(state: State, board: Board, living: Callable[[State, Board, Unit], list[str]]) -> list[str]:
    """The broken invariants that all rulebooks share, and what `living(state, board, unit)` finds wrong with each living unit.

    Every rulebook's record of a unit must have `full`, the number of models that it began with.
    """
    found: list[str] = []
    for unit in state.units.values():
        if unit.alive:
            full = unit.own.full
            wrong = [] if 1 <= unit.models <= full else [f"{unit.models} of {full} models"]
            wrong += (
                [] if 0 <= unit.facing < len(FACINGS) else [f"facing cannot be {unit.facing}; it is 0 to 7"]
            )
            wrong += living(state, board, unit)
        else:
            wrong = ["dead, yet on the board or with models"] if unit.models or unit.place >= 0 else []
        found += [f"unit {unit.id} ({unit.name}): {what}" for what in wrong]
    return found + _derived_faults(state) + _agenda_faults(state)


def whereabouts_faults(unit: Unit, **elsewhere: bool) -> list[str]:
    """A living unit is in exactly one place: on the board or in one of `elsewhere`, as in `whereabouts_faults(unit,
    left=unit_state(unit).left)`."""
    found = {"on the board": unit.place >= 0, **elsewhere}
    if sum(found.values()) == 1:
        return []
    where = [name for name, is_there in found.items() if is_there]
    return [f"it is {' and '.join(where) or 'nowhere'}"]


def ruin_faults(state: State, board: Board, unit: Unit) -> list[str]:
    """No unit is in the ruin of a standing building, or in a fallen building. While steps are on the stack a unit may still be on
    its way out."""
    space = board.spaces[unit.place]
    down = space.section in state.down
    if space.kind == "ruin" and not down:
        return [f"in the ruin {space.name}, which stands"]
    if space.kind == "floor" and down and not state.stack:
        return [f"in {space.name}, which has fallen"]
    return []


def crowd_faults(state: State, board: Board, most: int) -> list[str]:
    """There are at most `most` units on each space."""
    return [
        f"{len(state.at[place])} units on {board.spaces[place].name}"
        for place in sorted(state.at)
        if len(state.at[place]) > most
    ]


def mixed_faults(state: State, board: Board, but: str = "") -> list[str]:
    """Units of both sides are never on one place; `but`: a kind of space (`Space.kind`) where they may be, "" for none."""
    return [
        f"friend and foe on {board.spaces[place].name}"
        for place in sorted(state.at)
        if board.spaces[place].kind != but and len({state.units[unit].side for unit in state.at[place]}) > 1
    ]


def _derived_faults(state: State) -> list[str]:
    """The fields that `apply` derives agree with units and structures."""
    found = []
    if standing_at(state.units) != state.at:
        found.append("`at` does not agree with the units' places")
    if living_of(state.units) != state.alive:
        found.append("`alive` does not agree with the living units")
    if fallen_of(state.structures) != state.down:
        found.append("`down` does not agree with the fallen sections")
    return found


def _agenda_faults(state: State) -> list[str]:
    """The agenda is in order, no serial number occurs twice, and no entry lies in the past; a battle that is not over has
    something to do."""
    found = []
    ranks = [entry.rank for entry in state.agenda]
    if ranks != sorted(ranks):
        found.append("the agenda is not in order")
    serials = [entry.serial for entry in state.agenda]
    if len(dict.fromkeys(serials)) != len(serials) or any(serial >= state.serial for serial in serials):
        found.append("an entry of the agenda has the number of another, or one not yet given")
    if any(entry.time < state.now for entry in state.agenda):
        found.append("the agenda holds an entry whose time is past")
    if state.outcome is None and not state.agenda and not state.stack:
        found.append("nothing is left to do, and the battle has no outcome")
    return found
