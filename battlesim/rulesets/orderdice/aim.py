"""Who can be shot at: the quick questions that orders, reactions and targets ask all the time.

They say yes exactly where `fire.volley` would be more than nothing, and stop at the first weapon that bears. Read
`walls_bearing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from battlesim.board.board import Board
from battlesim.core.state import State, Unit, fallen
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.lines import Station, stations


@lru_cache(maxsize=16384)
def simple_ranges(kind: str, models: int, spent: tuple[int, ...], armour: int) -> tuple[int, int, int] | None:
    """The longest ranges of small arms, of heavy weapons that need a wall, and of shells, against an armour (0: men); None for
    units whose arcs, carriages or trajectories matter too: what bears is then for `fire.bearings` alone to say."""
    if TYPES[kind].vehicle or TYPES[kind].artillery:
        return None
    small = heavy = shell = -1
    for arm in fire.arms_of(kind, models, spent):
        weapon = arm.weapon
        if weapon.fixed or weapon.indirect:
            return None
        mode = fire.mode_of(weapon, armour > 0)
        if armour >= fire.ARMOURED and weapon.small:
            continue
        if mode == "he":
            shell = max(shell, weapon.range)
        elif weapon.small or weapon.flame:
            small = max(small, weapon.range)
        else:
            heavy = max(heavy, weapon.range)
    return small, heavy, shell


def walls_bearing(
    state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...] = ()
) -> Iterator[int]:
    """The walls (-1 outdoors) from which some weapon of a unit bears on a target, ascending."""
    here, there = unit.place, target.place
    if here < 0 or there < 0 or unit.own.aboard >= 0:
        return
    kind, models, spent = unit.kind, unit.models, unit.own.spent
    if board.sight.too_far(here, there, fire.longest(kind, models, spent)):
        return  # too far for anything: sight need not be worked out
    if not board.sight.sees(here, there, fallen(state)):
        # Only what is thrown in a high arc, out of doors, may bear on what the unit does not see.
        if board.spaces[here].kind == "floor" or not fire.lobs(kind, models, spent):
            return
        if next(fire.bearings(state, board, unit, there, target, moved, -1, used), None) is not None:
            yield -1
        return
    walls = stations(state, board, here, there)
    if not walls and board.spaces[here].kind == "floor":
        return
    ranges = None if used else simple_ranges(kind, models, spent, TYPES[target.kind].armour)
    for wall in walls if walls else (-1,):
        if ranges is not None:
            # Men with weapons that anybody may fire from anywhere: the ranges say it all.
            if any(_in_range(post, ranges) for post in walls.get(wall, ())):
                yield wall
        elif next(fire.bearings(state, board, unit, there, target, moved, wall, used), None) is not None:
            yield wall


def _in_range(post: Station, ranges: tuple[int, int, int]) -> bool:
    small, heavy, shell = ranges
    return (
        (post.small is not None and post.small.distance <= small)
        or (post.heavy is not None and post.heavy.distance <= heavy)
        or (post.shell is not None and post.shell.distance <= shell)
    )


def can_shoot_at(state: State, board: Board, unit: Unit, target: Unit, moved: bool) -> bool:
    """Whether any weapon of a unit bears on a target from any wall."""
    return next(walls_bearing(state, board, unit, target, moved), None) is not None


def any_target(state: State, board: Board, unit: Unit, moved: bool) -> bool:
    """Whether any enemy can be shot at."""
    side = unit.side
    return any(
        enemy.side != side and enemy.place >= 0 and can_shoot_at(state, board, unit, enemy, moved)
        for enemy in state.units.values()
    )


def targets(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> list[int]:
    """Enemy units that some weapon bears on from a wall, by id."""
    side = unit.side
    return [
        enemy.id
        for enemy in state.units.values()
        if enemy.side != side
        and enemy.place >= 0
        and wall in walls_bearing(state, board, unit, enemy, moved, used)
    ]


def first_wall(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> int | None:
    """The first wall, from `wall` on, from which any enemy can be shot at; None where there is none."""
    side, best = unit.side, None
    for enemy in state.units.values():
        if enemy.side == side or enemy.place < 0:
            continue
        for bearing in walls_bearing(state, board, unit, enemy, moved, used):
            if bearing >= wall and (best is None or bearing < best):
                best = bearing
                break
        if best == wall:
            break
    return best
