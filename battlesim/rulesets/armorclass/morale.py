"""Morale at the turn's end (AC-HOUSE-MORALE, AC-HOUSE-AIM): suppression and withdrawal. Read `test_all`."""

from __future__ import annotations

from battlesim.core.geometry import distance
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import concealment, flames, ground
from battlesim.rulesets.armorclass.facts import Tested
from battlesim.rulesets.armorclass.model import type_of, unit_state

CLAUSES: Clauses = ("AC-HOUSE-MORALE",)


def test_all(r: Resolution) -> None:
    """Every unit with cohesion that lost soldiers (a crewed strongpoint: a weapon) this turn tests; automata do not."""
    for unit in list(r.state.units.values()):
        unit = r.state.units[unit.id]
        if unit.alive and unit.place >= 0 and unit_state(unit).lost and unit_state(unit).cohesion:
            _test(r, unit)


def _test(r: Resolution, unit: Unit) -> None:
    need = unit_state(unit).cohesion
    rolled = r.total(1, 10, "morale", unit.id, clauses=CLAUSES)
    if rolled <= need:
        r.emit(Tested(unit.id, rolled, need, "holds", clauses=CLAUSES, cause=r.cause))
        return
    route = withdrawal(r, unit) if type_of(unit).soldiers and 2 * unit.models < unit_state(unit).full else ()
    if route:
        r.emit(Tested(unit.id, rolled, need, "withdraws", clauses=CLAUSES, cause=r.cause))
        r.move(unit, route, CLAUSES)
        concealment.lose_sight(r)
        return
    clauses: Clauses = CLAUSES
    if type_of(unit).soldiers and 2 * unit.models < unit_state(unit).full:
        clauses = (*CLAUSES, "AC-HOUSE-AIM")  # it should withdraw, but has no way
    r.emit(Tested(unit.id, rolled, need, "suppressed", clauses=clauses, cause=r.cause))
    r.set(unit.id, clauses, suppressed=r.state.turn + 1)


def withdrawal(r: Resolution, unit: Unit) -> tuple[int, ...]:
    """The way to the nearest cover that is farther from the nearest known enemy; () if there is none."""
    state, board = r.state, r.board
    foes = [board.spaces[foe.place].point for foe in concealment.known_foes(state, unit.side)]
    if not foes:
        return ()
    held = [u.place for u in state.units.values() if u.side != unit.side and u.place >= 0]
    shut = frozenset([*held, *flames.burning_places(state, board)])
    found = ground.reach(state, board, unit, ground.pace(type_of(unit), run=True), shut)
    here = board.spaces[unit.place].point
    now = min(distance(here, foe) for foe in foes)
    for place in found.cost:
        point = board.spaces[place].point
        if place in shut or not ground.has_room(state, place, unit.side):
            continue
        if not concealment.place_level(state, board, place, unit):
            continue
        if min(distance(point, foe) for foe in foes) > now:
            return ground.path_to(found, unit.place, place)
    return ()


CHAPTER = Chapter(owns=("AC-HOUSE-MORALE",))
