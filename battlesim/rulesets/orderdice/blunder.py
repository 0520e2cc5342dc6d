"""Blunders: a 12 on an order test (OD-HOUSE-MORALE, OD-HOUSE-NERVE). Read `blunder`."""

from __future__ import annotations

from battlesim.core.geometry import distance
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import facts, ground, shoot, targets
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.model import DOWN, FIRE, RUN, type_of, unit_state
from battlesim.rulesets.orderdice.walk import Walk

CLAUSES: Clauses = ("OD-HOUSE-MORALE", "OD-HOUSE-NERVE")


def blunder(r: Resolution, unit: Unit) -> None:
    """1-2: fires at the nearest friend in sight, if any. 3-6: runs from the nearest enemy. A unit inside a building, or unable
    to do what was rolled, goes Down."""
    roll = r.total(1, 6, "blunder", unit.id, clauses=CLAUSES)
    r.because(facts.Blunder(unit=unit.id, number=roll, clauses=CLAUSES))
    acted = False
    if not ground.inside(r.board, unit) and unit.place >= 0:
        acted = _fire_at_friend(r, unit) if roll <= 2 else _run_away(r, unit)
    if not acted:
        r.emit(Ordered(unit.id, DOWN, "blunder", clauses=CLAUSES))
        r.set(unit.id, order=DOWN)


def _fire_at_friend(r: Resolution, unit: Unit) -> bool:
    """Fire at the nearest friend that the unit can hit. Returns whether there is one."""
    friends = [
        (r.board.distance(unit.place, u.place), u.id)
        for u in r.state.living(unit.side)
        if u.id != unit.id and u.place >= 0
    ]
    for _, friend in sorted(friends):
        target = r.state.units[friend]
        if targets.can_shoot_at(r.state, r.board, unit, target, moved=False):
            r.emit(Ordered(unit.id, FIRE, "blunder", clauses=CLAUSES))
            r.set(unit.id, order=FIRE)
            shoot.fire_at(r, unit, target.id, moved=False)
            return True
    return False


def _run_away(r: Resolution, unit: Unit) -> bool:
    """Run to the place in reach that is farthest from the nearest enemy, but not into a building, which takes an order."""
    board, state = r.board, r.state
    enemies = [u.place for u in state.living(1 - unit.side) if u.place >= 0]
    mine = unit_state(unit)
    if not enemies or mine.immobile or type_of(unit).artillery:
        return False

    def safety(place: int) -> int:
        here = board.spaces[place].point
        return min(distance(here, board.spaces[enemy].point) for enemy in enemies)

    shut = ground.enemy_places(state, unit.side)
    best, goal, by = safety(unit.place), -1, None
    for mode in ground.modes(type_of(unit), RUN):
        for place in ground.reach(state, board, unit, mode, shut):
            if board.spaces[place].kind == "floor" or not ground.holds(state, place):
                continue
            value = safety(place)
            if value > best or (value == best and 0 <= place < goal):
                best, goal, by = value, place, mode
    if by is None:
        return False
    r.emit(Ordered(unit.id, RUN, "blunder", clauses=CLAUSES))
    r.set(unit.id, CLAUSES, order=RUN, moved=True)
    r.then(Walk(unit.id, ground.path(state, board, unit, by, goal, shut), clauses=CLAUSES))
    return True


CHAPTER = Chapter()
