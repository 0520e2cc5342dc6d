"""A move, carried out space by space, so that an Ambush may interrupt it (OD-HOUSE-REACT).

Orders, assaults, regroup moves and blunders all use the one step here. Read `walk`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.geometry import facing_towards
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import ambush, ground
from battlesim.rulesets.orderdice.model import DOWN, unit_state


class Walk(Step, frozen=True):
    """The unit continues along a path from its `at`-th space, or from its place on the path. `clauses`: those of the move."""

    unit: int
    path: tuple[int, ...]
    at: int = 0
    clauses: Clauses = ()


def walk(r: Resolution, step: Walk) -> None:
    """Move to the next space where an enemy in Ambush could fire, or to the end. A unit that goes Down halts (OD-HOUSE-REACT)."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit_state(unit).immobile or unit_state(unit).order == DOWN:
        return
    path, start = step.path, step.at
    if start and unit.place not in path:
        return  # it had to get out of a building on its way (OD-FLAME-4)
    if unit.place != path[start] and unit.place in path:
        start = path.index(unit.place)  # fire has met it on the way (OD-LEAVE-3)
    last = _farthest(r.state, r.board, unit, path, start)
    if start >= last:
        return
    watchers = ambush.watchers(r.state, unit)
    if watchers:
        for at in range(start + 1, last + 1):
            place = path[at]
            if at < last and not ground.holds(r.state, place, unit.id):
                continue  # the unit passes friends but cannot stop among them
            seen = [w for w in watchers if ambush.could_fire(r.state, r.board, w, unit, place)]
            if seen:
                _move(r, unit, path[start : at + 1], step.clauses)
                asks = [ambush.Interrupt(w.id, unit.id, side=w.side) for w in seen]
                r.then(*asks, Walk(unit.id, path, at, step.clauses) if at < last else None)
                return
    _move(r, unit, path[start : last + 1], step.clauses)


def _farthest(state: State, board: Board, unit: Unit, path: tuple[int, ...], start: int) -> int:
    """How far along its path a unit can go from `start`: to its end, unless units that bailed out on its way have taken it. Then
    it stops on the last free space before; friends are passed, enemies are not."""
    last = len(path) - 1
    if state.at.keys().isdisjoint(path[start + 1 :]):
        return last
    shut = ground.enemy_places(state, unit.side)
    last = next((at - 1 for at in range(start + 1, last + 1) if path[at] in shut), last)
    while last > start and not ground.holds(state, path[last], unit.id):
        last -= 1
    return last


def _move(r: Resolution, unit: Unit, path: tuple[int, ...], clauses: Clauses) -> None:
    """Move along a path, facing in the direction of its last stretch: a stop on the way does not show where the move ends."""
    facing = facing_towards(r.board.spaces[path[-2]].point, r.board.spaces[path[-1]].point)
    r.move(unit, path, clauses, facing)
