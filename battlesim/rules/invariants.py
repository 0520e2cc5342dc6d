"""Invariants of any battle, in words: what the `faults` of every rulebook begins with. Read `common_faults`."""

from __future__ import annotations

from collections.abc import Callable

from battlesim.board.board import Board
from battlesim.core.state import State, Unit, fallen_of, living_of, standing_at


def common_faults(state: State, board: Board, living: Callable[[State, Board, Unit], list[str]]) -> list[str]:
    """Broken invariants that all rulebooks share, and what `living` finds wrong with each living unit; empty when all is well.

    A unit's own record says in `full` how many models it began with.
    """
    found: list[str] = []
    for unit in state.units.values():
        if unit.alive:
            full = unit.own.full
            wrong = [] if 1 <= unit.models <= full else [f"{unit.models} of {full} models"]
            wrong += living(state, board, unit)
        else:
            wrong = ["dead, yet on the board or with models"] if unit.models or unit.place >= 0 else []
        found += [f"unit {unit.id} ({unit.name}): {what}" for what in wrong]
    return found + _derived_faults(state) + _agenda_faults(state)


def whereabouts_faults(unit: Unit, **elsewhere: bool) -> list[str]:
    """A living unit is on the board or in one place elsewhere, never in two: `whereabouts_faults(unit, left=mine.left)`."""
    found = {"on the board": unit.place >= 0, **elsewhere}
    if sum(found.values()) == 1:
        return []
    where = [name for name, is_there in found.items() if is_there]
    return [f"it is {' and '.join(where) or 'nowhere'}"]


def ruin_faults(state: State, board: Board, unit: Unit) -> list[str]:
    """Nobody is in a ruin that stands, or in a building that has fallen. While work is in hand a unit may be on its way out."""
    space = board.spaces[unit.place]
    down = space.section in state.down
    if space.kind == "ruin" and not down:
        return [f"in the ruin {space.name}, which stands"]
    if space.kind == "floor" and down and not state.stack:
        return [f"in {space.name}, which has fallen"]
    return []


def crowd_faults(state: State, board: Board, most: Callable[[int], int]) -> list[str]:
    """No more units on a place than `most(place)`."""
    return [
        f"{len(state.at[place])} units on {board.spaces[place].name}"
        for place in sorted(state.at)
        if len(state.at[place]) > most(place)
    ]


def mixed_faults(state: State, board: Board, but: str = "") -> list[str]:
    """Friend and foe share no place; `but`: a kind of space where they may."""
    return [
        f"friend and foe on {board.spaces[place].name}"
        for place in sorted(state.at)
        if board.spaces[place].kind != but and len({state.units[unit].side for unit in state.at[place]}) > 1
    ]


def _derived_faults(state: State) -> list[str]:
    """What `apply` keeps beside units and structures says what they say."""
    found = []
    if standing_at(state.units) != state.at:
        found.append("`at` does not say where the units stand")
    if living_of(state.units) != state.alive:
        found.append("`alive` does not say who lives")
    if fallen_of(state.structures) != state.down:
        found.append("`down` does not say what has fallen")
    return found


def _agenda_faults(state: State) -> list[str]:
    """The agenda is in order, numbered once, and holds nothing past; a battle that is not over has something to do."""
    found = []
    ranks = [entry.rank for entry in state.agenda]
    if ranks != sorted(ranks):
        found.append("the agenda is not in order")
    serials = [entry.serial for entry in state.agenda]
    if len(dict.fromkeys(serials)) != len(serials) or any(serial >= state.serial for serial in serials):
        found.append("two entries of the agenda bear one number, or one that is still to be given")
    if any(entry.time < state.now for entry in state.agenda):
        found.append("the agenda holds something that is past")
    if state.outcome is None and not state.agenda and not state.stack:
        found.append("nothing is left to do, and the battle has no outcome")
    return found
