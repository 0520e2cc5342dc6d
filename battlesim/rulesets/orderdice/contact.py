"""How an assault gets into contact: the way to an enemy, on foot or in a vehicle, outdoors, through openings, inside.

OD-HOUSE-CLOSE, OD-ASSAULT-1, OD-ASSAULT-4, OD-ASSAULT-5, OD-LEAVE-2. The assault itself is in `assault.py`. Read `charge`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import Space, Way
from battlesim.board.routes import MovementMode
from battlesim.core.geometry import distance
from battlesim.core.state import State, Unit, fallen
from battlesim.rulesets.orderdice import ground
from battlesim.rulesets.orderdice.model import RUN, type_of


class Charge(Struct, frozen=True):
    """How an assault can reach its target. `path`: the spaces, the last one the target's; `length`: in hundredths; `indoors`:
    from floor to floor or section to section; `obstacle`: crossed last."""

    path: tuple[int, ...]
    length: int
    indoors: bool
    obstacle: str


def charge(state: State, board: Board, unit: Unit, target: Unit) -> Charge | None:
    """The shortest way into contact with an enemy, or None; among equals one that crosses no obstacle last. Other chapters handle
    contact with vehicles on either side (OD-HOUSE-TANKFIGHT, OD-HOUSE-RAM).

    Outdoors up to a Run, for infantry 12 inches, 6 if it touches anything rough; through a door or window to the ground floor
    (OD-ASSAULT-1), out of it from the ground floor (OD-LEAVE-2); inside to the floor directly above or below, or the same
    floor next door (OD-ASSAULT-4). The last space before the target must be free: attackers end there (OD-ASSAULT-5). If the
    enemy is right before the opening they come out of, that is a space beside it.
    """
    if target.place < 0 or unit.place < 0:
        return None
    within = _indoors(state, board, unit.place, target.place)
    if within is not None:
        return within
    shut = ground.enemy_places(state, unit.side)
    found = _contact(state, board, unit, target, shut)
    if found is None:
        return None
    mode, near, beside, length, obstacle = found
    steps = (near,) if near == unit.place else ground.path(state, board, unit, mode, near, shut)
    if beside >= 0:
        steps += (beside,)
    return Charge((*steps, target.place), length, False, obstacle)


class _Last(NamedTuple):
    """The end of a way to a target: the mode to the space `near`; `beside` (-1: none), the space where attackers step out of the
    building if `near` is their own floor and the enemy is right before it; the total length; the obstacle crossed."""

    mode: MovementMode
    near: int
    beside: int
    length: int
    obstacle: str


def _contact(state: State, board: Board, unit: Unit, target: Unit, shut: frozenset[int]) -> _Last | None:
    """The best last space before a target outdoors or through its door."""
    there = board.spaces[target.place]
    if there.kind == "floor" and (there.floor or there.section in ground.barred(state, board)):
        return None
    down = fallen(state)
    best: _Last | None = None
    for mode in ground.modes(type_of(unit), RUN):
        phase = mode.options[0]
        lengths = ground.reach(state, board, unit, mode, shut)
        for near, number in board.exits[target.place]:
            start = near == unit.place
            before = 0 if start else lengths.get(near)
            if before is None:
                continue
            way = board.ways[number]
            if way.kind not in ("ground", "door", "ruin"):
                continue
            if board.spaces[near].kind == "floor" and not start:
                continue  # the way out of a building begins where the unit is
            if way.kind == "ruin" and not all(s in down for s in way.sections):
                continue
            cost = phase.cost(way)
            if cost is None or not (start or ground.holds(state, near)):
                continue
            length = before + cost
            if length > phase.limit:
                continue
            if best is not None and (best.length, bool(best.obstacle)) <= (length, bool(way.obstacle)):
                continue
            beside = -1
            # A unit that charges out of a building leaves it, even if the enemy is on the next space (OD-LEAVE-2).
            if board.spaces[near].kind == "floor" and there.kind != "floor":
                beside = _beside(state, board, mode, target.place, way)
                if beside < 0:
                    continue
            best = _Last(mode, near, beside, length, way.obstacle)
    return best


def _beside(state: State, board: Board, mode: MovementMode, place: int, door: Way) -> int:
    """The free outdoor space next to `place`, without an obstacle in between, that is nearest to the opening of `door`; -1:
    none."""
    down, opening = fallen(state), board.openings[door.opening].point
    found: list[tuple[int, int]] = []
    for near, number in board.exits[place]:
        way = board.ways[number]
        if way.kind not in ("ground", "ruin") or way.obstacle or mode.options[0].cost(way) is None:
            continue
        if way.kind == "ruin" and not all(s in down for s in way.sections):
            continue
        if ground.holds(state, near):
            found.append((distance(board.spaces[near].point, opening), near))
    return min(found)[1] if found else -1


def _half(board: Board, space: Space) -> int:
    """An upper bound of the distance from the middle of a floor to its openings, for a quick test; 0 outdoors."""
    return board.sections[space.section].size if space.kind == "floor" else 0


def _indoors(state: State, board: Board, place: int, goal: int) -> Charge | None:
    """A surprise charge inside: one floor up or down, or the same floor of a connected section."""
    here, there = board.spaces[place], board.spaces[goal]
    if here.kind != "floor" or there.kind != "floor":
        return None
    up = here.section == there.section and abs(here.floor - there.floor) == 1
    beside = here.floor == there.floor and there.section in board.sections[here.section].adjoining[here.floor]
    if not (up or beside) or there.section in ground.barred(state, board):
        return None
    return Charge((place, goal), board.distance(place, goal), True, "")


def targets(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies a unit can assault, by id: those that `charge` has a way to."""
    if unit.place < 0:
        return []
    spaces, here = board.spaces, board.spaces[unit.place]
    farthest = ground.farthest(type_of(unit), RUN) + _half(board, here) + 1
    near: list[Unit] = []
    for enemy in state.living(1 - unit.side):
        if enemy.place >= 0:
            there = spaces[enemy.place]
            if (here.x - there.x) ** 2 + (here.y - there.y) ** 2 < (farthest + _half(board, there)) ** 2:
                near.append(enemy)
    shut = ground.enemy_places(state, unit.side) if near else ground.NOBODY
    return [
        enemy.id
        for enemy in near
        if _indoors(state, board, unit.place, enemy.place) is not None
        or _contact(state, board, unit, enemy, shut) is not None
    ]
