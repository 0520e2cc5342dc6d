"""Possible targets: quick checks for orders, reactions and lists of targets.

They say yes exactly if `fire.volley` would not be empty. Read `bearing_on`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battlesim.board.board import Board
from battlesim.board.sight import CLEAR
from battlesim.core.memo import memo_method, no_memos, owned_memo
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice.armament import CLASSES, Bearer, Ranges, armament_of, bearer_of
from battlesim.rulesets.orderdice.bearings import bearings_from, could_lob
from battlesim.rulesets.orderdice.line_of_sight import (
    NOTHING_MADE,
    FiringPoint,
    Made,
    firing_points_at,
    made_at,
    seen_from,
    spotters,
)

Walls = tuple[int, ...]
"""Walls of the shooter's floor (-1 outdoors), ascending."""
OUTDOORS: Walls = (-1,)
"""What stands for the wall of a shooter outdoors."""


class _FreeFire:
    """A place to shoot from with weapons without limits of arc or opening, so that their `ranges` by class of target suffice.
    `fallen`: the sections that are down; `made`: openings made at the place."""

    def __init__(
        self,
        board: Board,
        here: int,
        ranges: tuple[Ranges, Ranges, Ranges],
        fallen: frozenset[int],
        made: Made,
    ) -> None:
        self.memos = no_memos()
        self._board, self._here, self._ranges, self._fallen, self._made = board, here, ranges, fallen, made

    @memo_method(bound=2_000)
    def walls(self, there: int, against: int, into: Made) -> Walls:
        """The walls from which a weapon can hit a target of a class in a space in sight; `into`: openings made there."""
        posts = firing_points_at(self._board, self._here, there, self._fallen, self._made, into)
        ranges = self._ranges[against]
        return tuple(wall for wall in posts if any(_in_range(post, ranges) for post in posts[wall]))


class _MountedFire:
    """`_FreeFire` for weapons whose arcs, carriages or trajectories matter too."""

    def __init__(self, board: Board, bearer: Bearer, moved: bool, fallen: frozenset[int], made: Made) -> None:
        self.memos = no_memos()
        self._board, self._bearer, self._moved, self._fallen, self._made = board, bearer, moved, fallen, made

    @memo_method(bound=2_000)
    def walls(self, there: int, against: int, into: Made) -> Walls:
        """The walls from which a weapon can hit a target of a class in a space in sight; `into`: openings made there."""
        board, bearer = self._board, self._bearer
        posts = firing_points_at(board, bearer.place, there, self._fallen, self._made, into)
        return tuple(
            wall
            for wall in posts
            if next(bearings_from(board, bearer, there, against, self._moved, wall, posts[wall]), None)
            is not None
        )

    @memo_method(bound=2_000)
    def lobs(self, there: int, against: int) -> bool:
        """Whether it could hit a spotted target of a class that it does not see."""
        return could_lob(self._board, self._bearer, there, against, self._moved)


@owned_memo(bound=2_000)
def _free_fire(
    board: Board, here: int, ranges: tuple[Ranges, Ranges, Ranges], fallen: frozenset[int], made: Made
) -> _FreeFire:
    """The cached `_FreeFire` of a place and ranges."""
    return _FreeFire(board, here, ranges, fallen, made)


@owned_memo(bound=2_000)
def _mounted_fire(
    board: Board, bearer: Bearer, moved: bool, fallen: frozenset[int], made: Made
) -> _MountedFire:
    """The cached `_MountedFire` of a unit's weapons at a place."""
    return _MountedFire(board, bearer, moved, fallen, made)


def bearing_on(
    state: State, board: Board, unit: Unit, among: Iterable[Unit], moved: bool, used: tuple[int, ...] = ()
) -> Iterator[tuple[Unit, Walls]]:
    """The units among some that a unit can hit with any weapon, in their order, with the walls (-1 outdoors) to fire from."""
    here = unit.place
    if here < 0 or unit.own.aboard >= 0:
        return
    carried = armament_of(unit, used)
    if not carried.arms or (moved and carried.still):
        return
    sight, down = board.sight, state.down
    codes, limit = sight.quick_visibility(here, down)
    made = bool(state.structures)
    out = made_at(state, board, here) if made else NOTHING_MADE
    into = NOTHING_MADE
    battery: _MountedFire | None = None
    if carried.ranges is not None:
        walls_at = _free_fire(board, here, carried.ranges, down, out).walls
    else:
        battery = _mounted_fire(board, bearer_of(unit, carried.spent), moved, down, out)
        walls_at = battery.walls
    # Only indirect fire, from outdoors, can hit a target that the unit does not see.
    throws = battery is not None and carried.lobs and board.spaces[here].kind != "floor"
    eyes: list[int] | None = None
    for target in among:
        there = target.place
        if there < 0:
            continue
        code = codes[there]
        if code > limit and not throws:
            continue
        if code != CLEAR:
            if code <= limit and sight.too_far(here, there, carried.reach):
                continue  # out of range: no need to compute sight
            # Ask for the lines themselves, not only whether there is one: they are needed next.
            if code > limit or not sight.clear_lines(here, there, down):
                if throws and battery is not None and battery.lobs(there, CLASSES[target.kind]):
                    if eyes is None:
                        eyes = spotters(state, unit.side)
                    if seen_from(state, board, eyes, there):
                        yield target, OUTDOORS
                continue
        if made:
            into = made_at(state, board, there)
        walls = walls_at(there, CLASSES[target.kind], into)
        if walls:
            yield target, walls


def walls_bearing(
    state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...] = ()
) -> Walls:
    """The walls (-1 outdoors) from which a unit can hit a target, ascending."""
    for _, walls in bearing_on(state, board, unit, (target,), moved, used):
        return walls
    return ()


def _in_range(post: FiringPoint, ranges: Ranges) -> bool:
    small, heavy = ranges
    return (post.small is not None and post.small.distance <= small) or (
        post.heavy is not None and post.heavy.distance <= heavy
    )


def can_shoot_at(state: State, board: Board, unit: Unit, target: Unit, moved: bool) -> bool:
    """Whether a unit can hit a target with any weapon from any wall."""
    return bool(walls_bearing(state, board, unit, target, moved))


def any_target(state: State, board: Board, unit: Unit, moved: bool) -> bool:
    """Whether any enemy can be shot at. Those known to be in plain sight come first, which may save computing sight of the
    others."""
    if unit.place < 0:
        return False
    codes, _ = board.sight.quick_visibility(unit.place)
    enemies = state.living(1 - unit.side)
    plain = [enemy for enemy in enemies if codes[enemy.place] == CLEAR]
    for among in (plain, enemies) if plain else (enemies,):
        if next(bearing_on(state, board, unit, among, moved), None) is not None:
            return True
    return False


def targets(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> list[int]:
    """Enemy units that can be hit from a wall, by id."""
    found = bearing_on(state, board, unit, state.living(1 - unit.side), moved, used)
    return [enemy.id for enemy, walls in found if wall in walls]


def first_wall(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> int | None:
    """The first wall, from `wall` on, from which any enemy can be shot at; None: none."""
    best = None
    for _, walls in bearing_on(state, board, unit, state.living(1 - unit.side), moved, used):
        for bearing in walls:
            if bearing >= wall and (best is None or bearing < best):
                best = bearing
                break
        if best == wall:
            break
    return best
