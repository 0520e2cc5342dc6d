"""Which units are in contact, kept with both units, and what happens to contacts when units move, flee or die.

Read `engage` and `disengage`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import ground
from battlesim.rulesets.regiment.model import FRONT, battle_state, company, unit_state


def engage(r: Resolution, unit: Unit, foe: Unit, arc: int, clauses: Clauses = ()) -> None:
    """A unit comes into contact by a charge: it has `foe` in its front arc, `foe` has it in one of its arcs."""
    charges = unit_state(r.state.units[unit.id]).charges
    r.set(unit.id, clauses, charged=True, charges=(*charges, foe.id))
    _add(r, unit.id, foe.id, FRONT, clauses)
    _add(r, foe.id, unit.id, arc, clauses)


def _add(r: Resolution, unit: int, foe: int, arc: int, clauses: Clauses) -> None:
    foes = dict(unit_state(r.state.units[unit]).foes)
    if foe not in foes:
        foes[foe] = arc
        r.set(unit, clauses, foes=tuple(sorted(foes.items())))


def disengage(r: Resolution, unit: Unit, foe: int, clauses: Clauses = ()) -> None:
    """Two units are no longer in contact."""
    for one, other in ((unit.id, foe), (foe, unit.id)):
        mine = unit_state(r.state.units[one])
        foes = tuple(pair for pair in mine.foes if pair[0] != other)
        if foes != mine.foes:
            r.set(one, clauses, foes=foes)


def disengage_all(r: Resolution, unit: Unit, clauses: Clauses = ()) -> None:
    """A unit is no longer in contact with any enemy."""
    for foe in ground.foes_of(r.state.units[unit.id]):
        disengage(r, unit, foe, clauses)


def after_move(r: Resolution, unit: Unit, clauses: Clauses = ()) -> None:
    """A unit that moved stays in contact only with the enemies it still touches (RG-ATT-5)."""
    for foe in ground.foes_of(r.state.units[unit.id]):
        if not ground.in_touch(r.board, r.state.units[unit.id], r.state.units[foe]):
            disengage(r, unit, foe, clauses)


def is_besieging(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit is engaged only with garrisons, from outside: it may move and be shot at as if not engaged (RG-ATT-5)."""
    foes = unit_state(unit).foes
    return (
        bool(foes)
        and ground.outdoors(board, unit.place)
        and all(not ground.outdoors(board, state.units[foe].place) for foe, _ in foes)
    )


def is_locked(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit is engaged so that it cannot move."""
    return bool(unit_state(unit).foes) and not is_besieging(state, board, unit)


def units_in_combat(state: State, unit: Unit) -> tuple[int, ...]:
    """All units of one close combat, by id: those in contact with a unit, those in contact with these, and so on."""
    found = {unit.id: None}
    edge = [unit.id]
    while edge:
        for foe, _ in unit_state(state.units[edge.pop()]).foes:
            if foe not in found:
                found[foe] = None
                edge.append(foe)
    return tuple(sorted(found))


def hand_contacts_on(r: Resolution, dead: Unit) -> None:
    """After the last model of a unit is lost, its characters fight on: the first takes over its contacts, the others join the
    first. `dead` is the unit as it was."""
    left = company(r.state, dead)
    foes = unit_state(dead).foes
    if not left:
        disengage_all(r, dead)
        return
    heir = left[0].id
    r.set(
        heir,
        joined=-1,
        foes=foes,
        charged=unit_state(dead).charged,
        charges=unit_state(dead).charges,
        fleeing=unit_state(dead).fleeing,
        moved=unit_state(dead).moved,
    )
    for other in left[1:]:
        r.set(other.id, joined=heir)
    # A unit that has had its part in the phase leaves none to its heir: nobody fights twice in a phase (RG-HOUSE-TURN).
    if dead.id in battle_state(r.state).done:
        r.change_list("done", added=(heir,), clauses=("RG-HOUSE-TURN",))
    for foe, _ in foes:
        enemy = unit_state(r.state.units[foe])
        theirs = tuple(sorted((heir if number == dead.id else number, arc) for number, arc in enemy.foes))
        r.set(foe, foes=theirs)
        if dead.id in enemy.charges:
            r.set(foe, charges=tuple(heir if number == dead.id else number for number in enemy.charges))
    if unit_state(r.state.units[dead.id]).foes:
        r.set(dead.id, foes=())
