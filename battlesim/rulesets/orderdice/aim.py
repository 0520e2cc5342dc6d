"""Who can be shot at: the quick questions that orders, reactions and targets ask all the time.

They say yes exactly where `fire.volley` would be more than nothing, and stop at the first weapon that bears. Read
`walls_bearing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.lines import Station, has_made, stations


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


Walls = tuple[int, ...]
MOST_KEPT = 20_000
"""Answers kept for each board before all are forgotten."""


def walls_bearing(
    state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...] = ()
) -> Walls:
    """The walls (-1 outdoors) from which some weapon of a unit bears on a target, ascending."""
    here, there = unit.place, target.place
    mine = unit.own
    if here < 0 or there < 0 or mine.aboard >= 0:
        return ()
    kind, models, spent = unit.kind, unit.models, mine.spent
    sight = board.sight
    if sight.too_far(here, there, fire.longest(kind, models, spent)):
        return ()  # too far for anything: sight need not be worked out
    down = state.down
    if not sight.sees(here, there, down):
        # Only what is thrown in a high arc, out of doors, may bear on what the unit does not see.
        if board.spaces[here].kind == "floor" or not fire.lobs(kind, models, spent):
            return ()
        bearing = fire.bearings(state, board, unit, there, target, moved, -1, used)
        return OUTDOORS if next(bearing, None) is not None else ()
    if fire.lobs(kind, models, spent) or (
        state.structures and (has_made(state, board, here) or has_made(state, board, there))
    ):
        return _walls(state, board, unit, target, moved, used)  # friends who spot, and holes, matter too
    known: dict[tuple[object, ...], Walls]
    known = board.memo.setdefault("orderdice walls", {})  # type: ignore[assignment]
    key = (here, there, kind, models, spent, target.kind, unit.facing, mine.opening, moved, used, down)
    walls = known.get(key)
    if walls is None:
        if len(known) >= MOST_KEPT:
            known.clear()
        walls = known[key] = _walls(state, board, unit, target, moved, used)
    return walls


OUTDOORS: Walls = (-1,)


def _walls(state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...]) -> Walls:
    here, there = unit.place, target.place
    posts = stations(state, board, here, there)
    if not posts and board.spaces[here].kind == "floor":
        return ()
    ranges = None
    if not used:
        ranges = simple_ranges(unit.kind, unit.models, unit.own.spent, TYPES[target.kind].armour)
    bearing: list[int] = []
    for wall in posts if posts else OUTDOORS:
        if ranges is not None:
            # Men with weapons that anybody may fire from anywhere: the ranges say it all.
            if any(_in_range(post, ranges) for post in posts.get(wall, ())):
                bearing.append(wall)
        elif next(fire.bearings(state, board, unit, there, target, moved, wall, used), None) is not None:
            bearing.append(wall)
    return tuple(bearing)


def _in_range(post: Station, ranges: tuple[int, int, int]) -> bool:
    small, heavy, shell = ranges
    return (
        (post.small is not None and post.small.distance <= small)
        or (post.heavy is not None and post.heavy.distance <= heavy)
        or (post.shell is not None and post.shell.distance <= shell)
    )


def can_shoot_at(state: State, board: Board, unit: Unit, target: Unit, moved: bool) -> bool:
    """Whether any weapon of a unit bears on a target from any wall."""
    return bool(walls_bearing(state, board, unit, target, moved))


def enemies(state: State, board: Board, unit: Unit) -> Iterator[Unit]:
    """The enemies on the board that a unit might shoot at, by id: without most of those it surely does not see."""
    side, here = unit.side, unit.place
    if here < 0:
        return
    if fire.lobs(unit.kind, unit.models, unit.own.spent):
        for enemy in state.units.values():
            if enemy.side != side and enemy.place >= 0:
                yield enemy
        return
    row, limit = board.sight.maybe(here, state.down)
    for enemy in state.units.values():
        if enemy.side != side and enemy.place >= 0 and row[enemy.place] <= limit:
            yield enemy


def any_target(state: State, board: Board, unit: Unit, moved: bool) -> bool:
    """Whether any enemy can be shot at."""
    return any(walls_bearing(state, board, unit, enemy, moved) for enemy in enemies(state, board, unit))


def targets(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> list[int]:
    """Enemy units that some weapon bears on from a wall, by id."""
    return [
        enemy.id
        for enemy in enemies(state, board, unit)
        if wall in walls_bearing(state, board, unit, enemy, moved, used)
    ]


def first_wall(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> int | None:
    """The first wall, from `wall` on, from which any enemy can be shot at; None where there is none."""
    best = None
    for enemy in enemies(state, board, unit):
        for bearing in walls_bearing(state, board, unit, enemy, moved, used):
            if bearing >= wall and (best is None or bearing < best):
                best = bearing
                break
        if best == wall:
            break
    return best
