"""Volleys and the tables of shooting, as pure functions; weapons are in `armament.py`, those that bear in `bearings.py`.

OD-HOUSE-SHOOT, OD-HOUSE-DAMAGE, OD-AT-3, OD-AT-4, OD-BUNK-2, OD-EMPTY-1. Resolution, legal answers and estimates all use
`volley`; read it first.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.geometry import INCH
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import bunkers, ground
from battlesim.rulesets.orderdice.armament import CLASSES, Arm, Bearer, armament_of
from battlesim.rulesets.orderdice.bearings import Bearing, bearings, bearings_from
from battlesim.rulesets.orderdice.data import TYPES, Weapon
from battlesim.rulesets.orderdice.line_of_sight import Made, firing_points_at, made_at
from battlesim.rulesets.orderdice.model import DOWN, unit_state

POINT_BLANK = 6 * INCH
"""Up to this distance shots hit better by one (OD-HOUSE-SHOOT)."""
TOP_RANGE = 12 * INCH
"""Up to this distance heavy hits from an upper floor strike the top armour (OD-FROM-7)."""
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


def roll_damage(
    r: Resolution,
    unit: int,
    target: Unit,
    number: int,
    hits: int,
    penetration: int,
    protected: bool = False,
    purpose: str = "damage",
) -> int:
    """How many of a number of hits damage infantry or artillery (OD-HOUSE-DAMAGE). `protected`: as in `damage_need`."""
    need = damage_need(unit_state(target).quality, penetration, protected)
    clauses: Clauses = ("OD-HOUSE-DAMAGE",)
    return r.count(hits, need, purpose, unit, target.id, number, clauses=clauses, enough=target.models)


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


def indirect_need(aim: tuple[int, int, int, int], target: int, here: int, there: int) -> int:
    """The roll indirect fire needs: 6 at first, then 5, 4, 3, never better than 2, while target and weapon do not move
    (OD-HOUSE-HE). `aim`: as in `UnitState`."""
    shots = aim[3] if aim[:3] == (target, here, there) else 0
    return max(2, 6 - shots)


def walls_of(board: Board, unit: Unit) -> tuple[int, ...]:
    """The walls a unit can shoot from: -1 outdoors, else the sides of its section in order."""
    section = ground.section_of(board, unit.place)
    return (-1,) if section is None else tuple(range(len(section.sides)))
