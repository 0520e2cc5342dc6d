"""Which weapons of a unit bear on a place: their firing points, ranges and lines, one weapon at a time.

OD-FROM-1, OD-FROM-6, OD-GUN-1, OD-IND-1, OD-HOUSE-SIGHT, OD-EMPTY-1. `fire.py` groups them into volleys. Read `bearings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice import ground
from battlesim.rulesets.orderdice.armament import (
    BLOWS_DOWN,
    CLASSES,
    Arm,
    Bearer,
    armament,
    armament_of,
    bearer_of,
    in_range,
    may_fire,
    mode_of,
)
from battlesim.rulesets.orderdice.data import TYPES, Weapon
from battlesim.rulesets.orderdice.line_of_sight import FiringPoint, firing_points, flat_range, spotted
from battlesim.rulesets.orderdice.structures import can_burn


class Bearing(NamedTuple):
    """One weapon that can hit a target, and its line."""

    arm: Arm
    mode: str
    line: SightLine


def bearings(
    state: State,
    board: Board,
    unit: Unit,
    place: int,
    target: Unit | None,
    moved: bool,
    wall: int,
    used: tuple[int, ...],
) -> Iterator[Bearing]:
    """The weapons that can hit a target (None: an empty floor), one by one, each with its own place at a firing point."""
    if place < 0 or unit.place < 0 or unit.own.aboard >= 0:
        return iter(())
    carried = armament_of(unit, used)
    bearer = bearer_of(unit, carried.spent)
    if board.sight.min_distance(unit.place, place) > carried.reach:
        return iter(())
    posts = firing_points(state, board, unit.place, place).get(wall, ())
    seen = partial(spotted, state, board, unit.side, place) if carried.lobs else None
    if target is not None:
        return bearings_from(board, bearer, place, CLASSES[target.kind], moved, wall, posts, seen)
    section = ground.section_of(board, place)
    if section is None:
        return iter(())
    burns = can_burn(state, board, section.id)
    return bearings_from(board, bearer, place, 0, moved, wall, posts, seen, lambda w: harms_house(w, burns))


def bearings_from(
    board: Board,
    bearer: Bearer,
    place: int,
    against: int,
    moved: bool,
    wall: int,
    posts: Sequence[FiringPoint],
    is_spotted: Callable[[], bool] | None = None,
    harms: Callable[[Weapon], bool] | None = None,
) -> Iterator[Bearing]:
    """`bearings` against a target class (`armament.CLASSES`), from firing points (`posts`) of one wall. `is_spotted`: whether an
    observer sees the place for indirect fire; `harms`: which weapons count (None: all)."""
    carried = armament(bearer.kind, bearer.models, bearer.spent)
    throws = wall < 0 and carried.lobs
    if not posts and not throws:
        return
    gun = TYPES[bearer.kind].artillery
    free = [post.men for post in posts]
    for arm in carried.arms:
        weapon = arm.weapon
        if not may_fire(board, bearer, arm, place, against, moved):
            continue
        if harms is not None and not harms(weapon):
            continue
        mode = mode_of(weapon, against > 0)
        choice = -1
        fixed_at = bearer.opening if weapon.fixed or gun else -1
        if weapon.direct:
            choice = _post(posts, free, arm, wall, fixed_at)
        if choice >= 0:
            free[choice] -= 1
            line = _line(posts[choice], weapon)
            assert line is not None
            yield Bearing(arm, mode, line)
        elif weapon.indirect:
            own_posts = [post for post in posts if _is_at(post, wall, fixed_at)]
            lob = lobbed(board, bearer.place, place, own_posts, weapon, is_spotted)
            if lob is not None:
                yield Bearing(arm, "indirect", lob)


def lobbed(
    board: Board,
    here: int,
    place: int,
    posts: Sequence[FiringPoint],
    weapon: Weapon,
    is_spotted: Callable[[], bool] | None,
) -> SightLine | None:
    """Indirect fire: no nearer than the minimum range (OD-IND-1), at targets that the shooter, an observer or an officer sees
    (OD-HOUSE-SIGHT). From inside it goes only through openings, at targets seen through them (OD-FROM-1). `posts`: the weapon's
    firing points; `is_spotted`: whether another unit sees the place (None: not asked)."""
    if board.spaces[here].kind == "floor":
        far = min((post.lob.distance for post in posts), default=-1)
    else:
        far = flat_range(board, here, place)
    if not in_range(weapon, far) or not (posts or (is_spotted is not None and is_spotted())):
        return None
    return SightLine(far, -1, -1, -1, -1)


def could_lob(board: Board, bearer: Bearer, place: int, against: int, moved: bool) -> bool:
    """Whether a unit outdoors could hit a spotted target of a class, which it does not see, by indirect fire."""
    far = flat_range(board, bearer.place, place)
    return any(
        arm.weapon.indirect
        and in_range(arm.weapon, far)
        and may_fire(board, bearer, arm, place, against, moved)
        for arm in armament(bearer.kind, bearer.models, bearer.spent).arms
    )


def _line(post: FiringPoint, weapon: Weapon) -> SightLine | None:
    """The line of direct fire of a weapon at a firing point: small arms and flame need openings, all else a wall."""
    return post.small if weapon.small or weapon.flame else post.heavy


def _post(posts: Sequence[FiringPoint], free: list[int], arm: Arm, wall: int, fixed_at: int) -> int:
    """The index of the nearest firing point with room and in range, -1: none. A fixed weapon has only the one it is deployed at
    (OD-FROM-6): an opening or, below -1, the hole made in a side."""
    best, nearest = -1, arm.weapon.range + 1
    for i, post in enumerate(posts):
        if free[i] <= 0:
            continue
        if not _is_at(post, wall, fixed_at):
            continue
        line = _line(post, arm.weapon)
        if line is not None and line.distance < nearest:
            best, nearest = i, line.distance
    return best


def _is_at(post: FiringPoint, wall: int, fixed_at: int) -> bool:
    """Whether a weapon deployed at `fixed_at` (-1: anywhere) can use a firing point: fixed ones use only their own opening, for
    direct and indirect fire (OD-FROM-6, OD-GUN-1)."""
    return fixed_at == -1 or wall < 0 or fixed_at == (post.opening if post.opening >= 0 else -2 - wall)


def harms_house(weapon: Weapon, burns: bool) -> bool:
    """Whether a weapon can harm a section: shells of 2D6 hits or more may bring it down, flame may set it on fire if it can burn
    (`burns`)."""
    return weapon.he >= BLOWS_DOWN or (weapon.flame and burns)
