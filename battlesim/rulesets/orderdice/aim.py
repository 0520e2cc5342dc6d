"""Who can be shot at: the quick questions that orders, reactions and targets ask all the time.

They say yes exactly where `fire.volley` would be more than nothing. Read `bearing_on`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from battlesim.board.board import Board
from battlesim.board.sight import CLEAR
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.armament import ARMOUR_CLASSES, CLASSES, Ranges, armament_of
from battlesim.rulesets.orderdice.lines import Station, has_made, seen_from, spotters, stations

Walls = tuple[int, ...]
"""Walls of the shooter's floor (-1 outdoors), ascending."""
OUTDOORS: Walls = (-1,)
MOST_KEPT = 20_000
"""Answers kept for each board before all are forgotten."""


class _Table:
    """What is known of a board: by where a shooter stands, with what, and what has fallen; then by target and its class. All
    of it is a pure function of the board."""

    __slots__ = ("held", "rows")

    def __init__(self) -> None:
        self.rows: dict[tuple[object, ...], dict[int, Walls]] = {}
        self.held = 0

    def row(self, key: tuple[object, ...]) -> dict[int, Walls]:
        if self.held >= MOST_KEPT:
            self.held = 0
            self.rows = {}
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = {}
        return row


def bearing_on(
    state: State, board: Board, unit: Unit, among: Iterable[Unit], moved: bool, used: tuple[int, ...] = ()
) -> Iterator[tuple[Unit, Walls]]:
    """Those of some units on which some weapon of a unit bears, in their order, with the walls (-1 outdoors) it does so from.

    What is seen is worked out once for each place, armament and target's class, as long as no opening was made in either.
    """
    here, mine = unit.place, unit.own
    if here < 0 or mine.aboard >= 0:
        return
    carried = armament_of(unit, used)
    if not carried.arms or (moved and carried.still):
        return
    sight, down = board.sight, state.down
    codes, limit = sight.maybe(here, down)
    # Only what is thrown in a high arc, out of doors, may bear on what the unit does not see.
    throws = carried.lobs and board.spaces[here].kind != "floor"
    made = bool(state.structures)
    made_here = made and has_made(state, board, here)
    table = board.memo.get("orderdice walls")
    if not isinstance(table, _Table):
        table = board.memo["orderdice walls"] = _Table()
    if carried.ranges is not None:
        row = table.row((here, down, carried.ranges))
    else:
        facing = unit.facing if carried.turns else -1
        row = table.row((here, down, unit.kind, unit.models, carried.spent, facing, mine.opening, moved))
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
                continue  # too far for anything: sight need not be worked out
            # The lines are asked for, not only whether there is one: they are what is wanted next.
            if code > limit or not sight.clear_lines(here, there, down):
                if throws:
                    key = ~(there * ARMOUR_CLASSES + CLASSES[target.kind])
                    walls = row.get(key)
                    if walls is None:
                        table.held += 1
                        lobbed = fire.could_lob(board, unit, target, moved, carried)
                        walls = row[key] = OUTDOORS if lobbed else ()
                    if walls:
                        if eyes is None:
                            eyes = spotters(state, unit.side)
                        if seen_from(state, board, eyes, there):
                            yield target, walls
                continue
        if made and (made_here or has_made(state, board, there)):
            walls = _walls(state, board, unit, target, moved, used)  # holes matter too
        else:
            key = there * ARMOUR_CLASSES + CLASSES[target.kind]
            walls = row.get(key)
            if walls is None:
                table.held += 1
                walls = row[key] = _walls(state, board, unit, target, moved, used)
        if walls:
            yield target, walls


def walls_bearing(
    state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...] = ()
) -> Walls:
    """The walls (-1 outdoors) from which some weapon of a unit bears on a target, ascending."""
    for _, walls in bearing_on(state, board, unit, (target,), moved, used):
        return walls
    return ()


def _walls(state: State, board: Board, unit: Unit, target: Unit, moved: bool, used: tuple[int, ...]) -> Walls:
    here, there = unit.place, target.place
    posts = stations(state, board, here, there)
    if not posts and board.spaces[here].kind == "floor":
        return ()
    simple = armament_of(unit, used).ranges
    ranges = simple[CLASSES[target.kind]] if simple else None
    bearing: list[int] = []
    for wall in posts if posts else OUTDOORS:
        if ranges is not None:
            # Men with weapons that anybody may fire from anywhere: the ranges say it all.
            if any(_in_range(post, ranges) for post in posts.get(wall, ())):
                bearing.append(wall)
        elif next(fire.bearings(state, board, unit, there, target, moved, wall, used), None) is not None:
            bearing.append(wall)
    return tuple(bearing)


def _in_range(post: Station, ranges: Ranges) -> bool:
    small, heavy = ranges
    return (post.small is not None and post.small.distance <= small) or (
        post.heavy is not None and post.heavy.distance <= heavy
    )


def can_shoot_at(state: State, board: Board, unit: Unit, target: Unit, moved: bool) -> bool:
    """Whether any weapon of a unit bears on a target from any wall."""
    return bool(walls_bearing(state, board, unit, target, moved))


def any_target(state: State, board: Board, unit: Unit, moved: bool) -> bool:
    """Whether any enemy can be shot at. Those known to be in plain sight come first: it may never have to be worked out whether
    the others are in sight."""
    if unit.place < 0:
        return False
    codes, _ = board.sight.maybe(unit.place)
    enemies = state.living(1 - unit.side)
    plain = [enemy for enemy in enemies if codes[enemy.place] == CLEAR]
    for among in (plain, enemies) if plain else (enemies,):
        if next(bearing_on(state, board, unit, among, moved), None) is not None:
            return True
    return False


def targets(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> list[int]:
    """Enemy units that some weapon bears on from a wall, by id."""
    found = bearing_on(state, board, unit, state.living(1 - unit.side), moved, used)
    return [enemy.id for enemy, walls in found if wall in walls]


def first_wall(
    state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...] = ()
) -> int | None:
    """The first wall, from `wall` on, from which any enemy can be shot at; None where there is none."""
    best = None
    for _, walls in bearing_on(state, board, unit, state.living(1 - unit.side), moved, used):
        for bearing in walls:
            if bearing >= wall and (best is None or bearing < best):
                best = bearing
                break
        if best == wall:
            break
    return best
