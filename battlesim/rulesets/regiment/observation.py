"""What a side may know, a state that fits its view, and what must hold in every state.

Everything is visible but the enemy's questions and answers, and how many there were; their results are visible. Read `observe`;
`faults` lists the invariants.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.events import Event, Observer
from battlesim.core.state import NONE, State, Unit
from battlesim.core.view import View, visible_events
from battlesim.rules.invariants import common_faults, mixed_faults, ruin_faults
from battlesim.rules.views import ALL_OPEN, imagine_open, view_of
from battlesim.rulesets.regiment import form, ground, rooms
from battlesim.rulesets.regiment.model import battle_state, leads, type_of, unit_state

NAME = "regiment"


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    return view_of(NAME, state, side, visible_events(news, Observer(side, state.units, NONE), ALL_OPEN))


imagine = imagine_open


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty if there are none."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board)
    found += [
        f"unit {unit.id} ({unit.name}): dead, yet in contact"
        for unit in state.units.values()
        if not unit.alive and unit_state(unit).foes
    ]
    for place in sorted(state.at):
        here = [state.units[number] for number in state.at[place]]
        if sum(unit_state(unit).joined < 0 for unit in here) != 1:
            found.append(f"{len(here)} units on {board.spaces[place].name}")
    if battle_state(state).sides.phase not in range(5):
        found.append(f"phase {battle_state(state).sides.phase}")
    return found


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine = unit_state(unit)
    found = []
    if not 0 <= mine.wounds < type_of(unit).w:
        found.append(f"{mine.wounds} wounds on one model")
    if mine.joined >= 0:
        host = state.units[mine.joined]
        if not host.alive or host.place != unit.place or unit_state(host).joined >= 0:
            found.append(f"with unit {mine.joined}, which is not there")
        if mine.foes:
            found.append("with a unit, yet in contact by itself")
    for foe, _ in mine.foes:
        other = state.units[foe]
        if not other.alive or other.side == unit.side or unit.id not in dict(unit_state(other).foes):
            found.append(f"in contact with {foe}, which is not with it")
        elif not state.stack and not ground.in_touch(board, unit, other):
            found.append(f"in contact with {foe}, which is not near")
    if unit.place >= 0 and leads(unit):
        found += _room_faults(state, board, unit)
    return found


def _room_faults(state: State, board: Board, unit: Unit) -> list[str]:
    space = board.spaces[unit.place]
    if space.kind != "floor":
        return ruin_faults(state, board, unit)
    room = rooms.room_at(board, unit.place)
    if room is None:
        return [f"on {space.name}, which is not a room"]
    found = []
    if not rooms.may_hold(type_of(unit), room):
        found.append(f"in {space.name}, where its kind cannot be")
    if form.strength(state, unit) > room.capacity and unit.models > 1:
        found.append(f"too strong for {space.name}: {form.strength(state, unit)} of {room.capacity}")
    if rooms.is_closed(state, room):
        found.append(f"in {space.name}, which is closed")
    return found
