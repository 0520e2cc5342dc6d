"""What a side may know, a state that fits it, and what must hold in every state (law 7).

All of the table lies open; hidden are only the questions put to the enemy and what it answers (what comes of them is seen), and
where a move of the enemy's leads. Nothing is numbered by a count of what is hidden.
Read `observe`; `faults` lists the invariants.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.events import Answered, Asked, Event
from battlesim.core.items import Item
from battlesim.core.state import State, Unit, fallen
from battlesim.core.view import View, state_of, strengths, told, uncaused
from battlesim.rules.invariants import common_faults, mixed_faults
from battlesim.rulesets.squadhex.ground import SQUADS, enter_cost
from battlesim.rulesets.squadhex.model import closed, extra, own, type_of
from battlesim.rulesets.squadhex.move import Walk

NAME = "squadhex"


QUESTIONS: frozenset[type[Event]] = frozenset((Asked, Answered))
"""What only the side that was asked hears of."""


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    return View(
        ruleset=NAME,
        side=side,
        turn=state.turn,
        now=state.now,
        number=state.questions[side],
        units=state.units.copy(),
        structures=state.structures.copy(),
        points=state.points,
        extra=state.extra,
        stack=tuple(uncaused(item) for item in state.stack if not _secret(item, state, side)),
        agenda=state.agenda,
        news=told(news, lambda event: _seen(event, side), QUESTIONS),
        forces=strengths(state.units),
    )


def _secret(item: Item, state: State, side: int) -> bool:
    """Whether work in hand is the rest of an enemy's move: how far it has come is seen, where it goes on to is not, nor whether
    it does."""
    return isinstance(item, Walk) and state.units[item.unit].side != side


def _seen(event: Event, side: int) -> Event | None:
    """A question or an answer as a side may learn of it, None where it may not. All else is open."""
    return event if getattr(event, "side", side) == side else None


def imagine(view: View, board: Board, dice: Dice) -> State:
    """A state that fits a view: nothing of the table is hidden. The dice are for rulesets that must guess."""
    return state_of(view, view.units.copy())


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty when all is well."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board, but="ruin")
    down = fallen(state)
    for place in sorted(state.at):
        found += _stack_faults(state, board, place, down)
    known = extra(state)
    if len(known.held) != len(known.objectives):
        found.append("holders are not told for every objective")
    return found


def _stack_faults(state: State, board: Board, place: int, down: frozenset[int]) -> list[str]:
    space, here = board.spaces[place], [state.units[unit] for unit in state.at[place]]
    vehicles = sum(type_of(unit).vehicle for unit in here)
    squads = len(here) - vehicles
    found = []
    if space.kind == "floor":
        if len(here) > 1:
            found.append(f"{len(here)} units on the floor {space.name}")
    elif vehicles > 1 or squads > SQUADS or (vehicles and squads > 1):
        found.append(f"{vehicles} vehicles and {squads} squads on {space.name}")
    if space.kind == "floor" and space.section in down and not state.stack:
        found.append(f"somebody in {space.name}, which has fallen")
    if space.kind == "ruin" and space.section not in down:
        found.append(f"somebody in the ruin {space.name}, which stands")
    return found


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine, kind = own(unit), type_of(unit)
    found = []
    if not 1 <= unit.models <= mine.full:
        found.append(f"{unit.models} of {mine.full} figures")
    if (unit.place < 0) != mine.left:
        found.append(f"place {unit.place}, left {mine.left}")
    if mine.waits and (mine.fresh or mine.disrupted):
        found.append("waits, yet has not acted or cannot act")
    if kind.vehicle and (mine.pinned or mine.disrupted):
        found.append("a vehicle that is pinned or disrupted")
    if unit.place >= 0:
        space = board.spaces[unit.place]
        if kind.vehicle and (space.kind != "ground" or enter_cost(board, unit.place, True) < 0):
            found.append(f"a vehicle on {space.name}")
        if space.section in closed(state):
            found.append(f"in {space.name}, which is closed")
    return found
