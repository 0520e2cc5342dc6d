"""Morale at the turn's end (AC-HOUSE-MORALE, AC-HOUSE-AIM): suppression and withdrawal. Read `test_all`."""

from __future__ import annotations

from battlesim.core.geometry import distance
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import concealment, flames, ground
from battlesim.rulesets.armorclass.data import D10
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
    rolled = r.total(1, D10, "morale", unit.id, clauses=CLAUSES)
    if rolled <= need:
        r.emit(Tested(unit.id, rolled, need, "holds", clauses=CLAUSES, cause=r.cause))
        return
    route = withdrawal(r, unit) if type_of(unit).soldiers and 2 * unit.models < unit_state(unit).full else ()
    if route:
        r.emit(Tested(unit.id, rolled, need, "withdraws", clauses=CLAUSES, cause=r.cause))
        # A unit that is stopped at its first step has no way to go, so it is suppressed (AC-HOUSE-AIM).
        if not _withdraw(r, unit, route):
            r.set(unit.id, (*CLAUSES, "AC-HOUSE-AIM"), suppressed=r.state.turn + 1)
        concealment.lose_sight(r, (unit.id,))
        return
    clauses: Clauses = CLAUSES
    if type_of(unit).soldiers and 2 * unit.models < unit_state(unit).full:
        clauses = (*CLAUSES, "AC-HOUSE-AIM")  # it should withdraw, but has no way
    r.emit(Tested(unit.id, rolled, need, "suppressed", clauses=clauses, cause=r.cause))
    r.set(unit.id, clauses, suppressed=r.state.turn + 1)


def _withdraw(r: Resolution, unit: Unit, route: tuple[int, ...]) -> bool:
    """A unit goes along its route. If hidden enemies stand on it, they and the unit find each other. The unit stops on the last
    space before them that has room, and does not fight. Returns whether it went anywhere."""
    stop = len(route) - 1
    for at in range(1, len(route)):
        foes = ground.foes_at(r.state, route[at], unit.side)
        if not foes:
            continue
        concealment.run_into(r, unit.id, foes, route[at])
        stop = at - 1
        while stop and not ground.has_room(r.state, route[stop], unit.side):
            stop -= 1
        break
    if stop:
        r.move(unit, route[: stop + 1], CLAUSES)
    return stop > 0


def withdrawal(r: Resolution, unit: Unit) -> tuple[int, ...]:
    """The way to the nearest cover that is farther from the nearest known enemy; () if there is none. Hidden enemies do not
    change it, as that would give them away."""
    state, board = r.state, r.board
    held = [foe.place for foe in concealment.known_foes(state, unit.side)]
    foes = [board.spaces[place].point for place in held]
    if not foes:
        return ()
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
