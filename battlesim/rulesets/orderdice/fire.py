"""Volleys and the tables of shooting, as pure functions; weapons are in `armament.py`, firing points in `line_of_sight.py`.

OD-HOUSE-SHOOT, OD-HOUSE-DAMAGE, OD-AT-3, OD-AT-4, OD-BUNK-2, OD-IND-1, OD-EMPTY-1. Resolution, legal answers and estimates all
use `volley`; read it first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.geometry import INCH
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import bunkers, ground
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
from battlesim.rulesets.orderdice.line_of_sight import (
    FiringPoint,
    Made,
    firing_points,
    firing_points_at,
    flat_range,
    made_at,
    spotted,
)
from battlesim.rulesets.orderdice.model import DOWN
from battlesim.rulesets.orderdice.structures import can_burn

POINT_BLANK = 6 * INCH
TOP_RANGE = 12 * INCH
SOFT, HARD, BUNKER = ground.SOFT, ground.HARD, bunkers.COVER
"""Levels of cover; the value is the modifier to the roll to hit."""
DAMAGE: tuple[int, int, int] = (3, 4, 5)
"""Damage roll needed against inexperienced, regular and veteran infantry and artillery."""


class Group(Struct, frozen=True):
    """Weapons of one kind that shoot in the same way. `arms`: their slots or mounts; `distance`: hundredths; `cover`: the
    modifier (0 to 4); `need`: to hit (2 to 7; 7: a 6, then another 6); `mode`: small, ap, he, indirect, flame. `line`: one line
    of fire they use; that of indirect fire names no walls."""

    mode: str
    weapon: Weapon
    arms: tuple[int, ...]
    distance: int
    cover: int
    need: int
    line: SightLine


# ---- to hit ----------------------------------------------------------------------------------------------------------


def terrain_cover(board: Board, place: int) -> int:
    """The cover of the ground in a space: soft in rough ground and woods, hard in rubble (OD-HOUSE-TERRAIN)."""
    terrain = board.spaces[place].terrain
    return HARD if terrain == "rubble" else SOFT if terrain in ("rough", "woods") else 0


def cover_of(board: Board, target: int, line: SightLine) -> int:
    """The cover of a unit in a space against fire along a line."""
    section = ground.section_of(board, target)
    if section is not None:
        return BUNKER if bunkers.is_bunker(section) else HARD
    return max(line.cover, terrain_cover(board, target))


def to_hit(
    pins: int,
    quality: int,
    moved: bool,
    distance: int,
    long_range: bool,
    target_down: bool,
    one_man: bool,
    cover: int,
    alone: bool,
) -> int:
    """The roll needed to hit, 2 to 7; 7 means a 6 followed by another 6 (OD-HOUSE-SHOOT)."""
    need = 3 + pins + (quality == 0) + moved + long_range - (distance <= POINT_BLANK)
    need += 2 * target_down + one_man + cover + alone
    return max(2, min(need, 7))


def damage_need(quality: int, penetration: int, protected: bool) -> int:
    """The roll needed to damage infantry or artillery; a natural 1 always fails; 7 is impossible. `protected`: extra protection
    of a building (OD-AT-4) or a gun shield, which do not add up (OD-HOUSE-GUN)."""
    return max(2, min(DAMAGE[quality] + protected - penetration, 7))


def roll_hits(
    r: Resolution, unit: int, target: int, number: int, shots: int, need: int, clauses: Clauses = ()
) -> int:
    """The hits of a number of shots; if 7 is needed, each 6 must be followed by another (OD-HOUSE-SHOOT)."""
    if need < 7:
        return r.count(shots, need, "hit", unit, target, number, clauses=clauses)
    sixes = r.count(shots, 6, "hit", unit, target, number, clauses=clauses)
    return r.count(sixes, 6, "hit again", unit, target, number, clauses=clauses)


# ---- a whole volley ------------------------------------------------------------------------------------------------


class Firer(Bearer, frozen=True, gc=False):
    """The facts of a unit that decide its direct fire."""

    pins: int
    quality: int


class AimedAt(Struct, frozen=True, gc=False):
    """The facts of a target that decide fire at it, except ranging. `prone`: it is Down; `single`: it has one model left."""

    place: int
    kind: str
    prone: bool
    single: bool


def volley(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    moved: bool,
    wall: int = -1,
    used: tuple[int, ...] = (),
) -> list[Group]:
    """The weapon groups that can hit a target from one wall of the unit's floor (-1 outdoors), without the slots already `used`
    this action. Small arms come first, then heavy weapons in slot order."""
    if unit.place < 0 or target.place < 0 or unit.own.aboard >= 0:
        return []
    carried = armament_of(unit, used)
    firer = _firer(unit, carried.spent)
    mark = AimedAt(target.place, target.kind, target.own.order == DOWN, target.models == 1)
    if carried.lobs:  # it depends on who else sees, and on what was fired before
        bearing = bearings(state, board, unit, target.place, target, moved, wall, used)
        ranged = indirect_need(unit.own.aim, target.id, unit.place, target.place)
        return _groups(board, firer, mark, mark.place, bearing, moved, ranged)
    out, into = made_at(state, board, unit.place), made_at(state, board, target.place)
    return [*_volley(board, firer, mark, moved, wall, state.down, out, into)]


@owned_memo(bound=8_000)
def _volley(
    board: Board,
    firer: Firer,
    mark: AimedAt,
    moved: bool,
    wall: int,
    fallen: frozenset[int],
    out: Made,
    into: Made,
) -> tuple[Group, ...]:
    """A volley without indirect fire; `out` and `into`: the openings made at the firer's and at the target's place."""
    posts = firing_points_at(board, firer.place, mark.place, fallen, out, into).get(wall, ())
    bearing = bearings_from(board, firer, mark.place, CLASSES[mark.kind], moved, wall, posts)
    return tuple(_groups(board, firer, mark, mark.place, bearing, moved))


def volley_at(
    state: State,
    board: Board,
    unit: Unit,
    place: int,
    moved: bool,
    wall: int = -1,
    used: tuple[int, ...] = (),
) -> list[Group]:
    """`volley` at an empty floor, with the weapons that can harm a building (OD-EMPTY-1)."""
    bearing = bearings(state, board, unit, place, None, moved, wall, used)
    ranged = indirect_need(unit.own.aim, -1, unit.place, place)
    return _groups(board, _firer(unit, armament_of(unit, used).spent), None, place, bearing, moved, ranged)


def _firer(unit: Unit, spent: tuple[int, ...]) -> Firer:
    mine = unit.own
    return Firer(
        unit.place, unit.kind, unit.models, spent, unit.facing, mine.opening, mine.pins, mine.quality
    )


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


def _groups(
    board: Board,
    firer: Firer,
    mark: AimedAt | None,
    place: int,
    bearing: Iterable[Bearing],
    moved: bool,
    ranged: int = 6,
) -> list[Group]:
    """The weapons of `bearing`, grouped by kind, need and distance; indirect fire needs `ranged`."""
    found: dict[tuple[str, str, int, int], list[int]] = {}
    groups: dict[tuple[str, str, int, int], Group] = {}
    for arm, mode, line in bearing:
        weapon = arm.weapon
        if mode == "indirect":
            cover, need = 0, ranged
        else:
            cover, need = _needs(board, firer, mark, place, moved, arm, mode, line)
        key = (mode, weapon.name, need, line.distance)
        if key not in groups:
            groups[key] = Group(mode, weapon, (), line.distance, cover, need, line)
            found[key] = []
        found[key].append(arm.index)
    ordered = [
        Group(g.mode, g.weapon, tuple(found[key]), g.distance, g.cover, g.need, g.line)
        for key, g in groups.items()
    ]
    return sorted(ordered, key=lambda g: (g.mode != "small", g.arms))


def _needs(
    board: Board,
    firer: Firer,
    mark: AimedAt | None,
    place: int,
    moved: bool,
    arm: Arm,
    mode: str,
    line: SightLine,
) -> tuple[int, int]:
    """The cover against a direct weapon, and the roll it needs to hit."""
    cover = 0 if mode == "flame" else cover_of(board, place, line)
    if mode == "he" and ground.section_of(board, place) is not None:
        cover = 0  # OD-HE-1
    prone = single = False
    if mark is not None and not TYPES[mark.kind].armour:
        prone, single = mark.prone and mode != "he", mark.single
    far = 2 * line.distance > arm.weapon.range
    need = to_hit(firer.pins, firer.quality, moved, line.distance, far, prone, single, cover, arm.alone)
    return cover, need


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


def indirect_need(aim: tuple[int, int, int, int], target: int, here: int, there: int) -> int:
    """The roll indirect fire needs: 6 at first, then 5, 4, 3, never better than 2, while target and weapon do not move
    (OD-HOUSE-HE). `aim`: as in `UnitState`."""
    shots = aim[3] if aim[:3] == (target, here, there) else 0
    return max(2, 6 - shots)


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


def walls_of(board: Board, unit: Unit) -> tuple[int, ...]:
    """The walls a unit can shoot from: -1 outdoors, else the sides of its section in order."""
    section = ground.section_of(board, unit.place)
    return (-1,) if section is None else tuple(range(len(section.sides)))


def harms_house(weapon: Weapon, burns: bool) -> bool:
    """Whether a weapon can harm a section: shells of 2D6 hits or more may bring it down, flame may set it on fire if it can burn
    (`burns`)."""
    return weapon.he >= BLOWS_DOWN or (weapon.flame and burns)
