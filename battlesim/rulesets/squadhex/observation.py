"""What a side may know, a state that fits its view, and what must hold in every state.

All units and buildings are visible to both sides. Hidden are the questions put to the enemy, its answers until they are carried
out, and the destination of an enemy's move. Read `observe`; `faults` lists the invariants.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.events import Event, Observer
from battlesim.core.state import NONE, State, Unit
from battlesim.core.view import View, visible_events
from battlesim.rules.invariants import common_faults, mixed_faults, ruin_faults, whereabouts_faults
from battlesim.rules.views import ALL_OPEN, Seen, imagine_open, view_of
from battlesim.rulesets.squadhex.ground import SQUADS, enter_cost
from battlesim.rulesets.squadhex.model import battle_state, closed, type_of, unit_state
from battlesim.rulesets.squadhex.move import Walk
from battlesim.rulesets.squadhex.turn import WhichAction

NAME = "squadhex"


OF_ENEMIES: Seen = {
    # An enemy's move is visible so far; whether and where it goes on is not.
    Walk: lambda step: None,
}


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news`: the events since it was last asked."""
    heard = visible_events(news, Observer(side, state.units, NONE), ALL_OPEN)
    return view_of(NAME, state, side, heard, of_enemies=OF_ENEMIES)


imagine = imagine_open


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty if there are none."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board, but="ruin")
    for place in sorted(state.at):
        found += _stack_faults(state, board, place)
    known = battle_state(state)
    if len(known.held) != len(known.objectives):
        found.append("holders are not told for every objective")
    # A unit acts once a round.
    found += [
        f"unit {ask.unit} is asked to act, yet it has acted in this round"
        for ask in state.stack
        if isinstance(ask, WhichAction) and not unit_state(state.units[ask.unit]).fresh
    ]
    return found


def _stack_faults(state: State, board: Board, place: int) -> list[str]:
    space, here = board.spaces[place], [state.units[unit] for unit in state.at[place]]
    vehicles = sum(type_of(unit).vehicle for unit in here)
    squads = len(here) - vehicles
    found = []
    if space.kind == "floor":
        if len(here) > 1:
            found.append(f"{len(here)} units on the floor {space.name}")
    elif vehicles > 1 or squads > SQUADS or (vehicles and squads > 1):
        found.append(f"{vehicles} vehicles and {squads} squads on {space.name}")
    return found


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine, kind = unit_state(unit), type_of(unit)
    found = []
    found += whereabouts_faults(unit, left=mine.left)
    if mine.waits and (mine.fresh or mine.disrupted):
        found.append("waits, yet has not acted or cannot act")
    if kind.vehicle and (mine.pinned or mine.disrupted):
        found.append("a vehicle that is pinned or disrupted")
    if unit.place >= 0:
        found += ruin_faults(state, board, unit)
        space = board.spaces[unit.place]
        if kind.vehicle and (space.kind != "ground" or enter_cost(board, unit.place, True) < 0):
            found.append(f"a vehicle on {space.name}")
        if space.section in closed(state):
            found.append(f"in {space.name}, which is closed")
    return found
