"""Who can shoot at whom, with what, from where: the tables of shooting, as pure functions.

OD-HOUSE-SHOOT, OD-FROM, OD-AT, OD-BUNK-1 and 2. Resolution, legal answers and estimates all read `volley`; read it first.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import Line
from battlesim.core.geometry import INCH, in_arc
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import ground
from battlesim.rulesets.orderdice.data import TYPES, WEAPONS, Weapon
from battlesim.rulesets.orderdice.model import DOWN, own, type_of

POINT_BLANK = 6 * INCH
TOP_RANGE = 12 * INCH
SOFT, HARD, BUNKER = 1, 2, 4
"""Cover as the modifier it takes from the roll to hit."""
DAMAGE: tuple[int, int, int] = (3, 4, 5)
"""Damage roll needed against inexperienced, regular and veteran infantry and artillery."""


class Arm(Struct, frozen=True):
    """A weapon a unit can fire now: `index` is its slot or mount, `mount` "" or turret or hull; `alone`: the last man of a
    team weapon's crew."""

    index: int
    weapon: Weapon
    mount: str = ""
    alone: bool = False


class Group(Struct, frozen=True):
    """Weapons of one kind that shoot alike: `arms` of them, at `distance` hundredths; `cover` is the modifier (0 to 4); `need`
    to hit (2 to 7; 7: a 6, then another 6); `mode`: small, ap, he, flame. `line` is one line of fire they use."""

    mode: str
    weapon: Weapon
    arms: tuple[int, ...]
    distance: int
    cover: int
    need: int
    line: Line


class Station(Struct, frozen=True):
    """A place to shoot from: an opening of the shooter's floor or the ground it stands on. `men` can fire there; `small`: best
    line for small arms, `heavy`: for heavy weapons that must meet a wall or opening."""

    opening: int
    men: int
    small: Line | None
    heavy: Line | None


@lru_cache(maxsize=4096)
def arms_of(kind: str, models: int, spent: tuple[int, ...]) -> tuple[Arm, ...]:
    """The weapons that so many models of a type can fire, in the order in which the men survive."""
    unit_type = TYPES[kind]
    if unit_type.vehicle:
        mounts = enumerate(unit_type.mounts)
        return tuple(Arm(i, WEAPONS[name], mount) for i, (mount, name) in mounts if i not in spent)
    arms: list[Arm] = []
    for i, name in enumerate(unit_type.slots[:models]):
        if name and i not in spent:
            weapon = WEAPONS[name]
            served = i + 1 < models and unit_type.slots[i + 1] == ""
            arms.append(Arm(i, weapon, "", weapon.team and not served))
    return tuple(arms)


@lru_cache(maxsize=4096)
def longest(kind: str, models: int, spent: tuple[int, ...]) -> int:
    """The longest range among a unit's weapons, 0 for none."""
    return max((arm.weapon.range for arm in arms_of(kind, models, spent)), default=0)


def arms(unit: Unit) -> tuple[Arm, ...]:
    """The weapons a unit can fire now."""
    return arms_of(unit.kind, unit.models, unit.own.spent)


# ---- where fire goes out and in ------------------------------------------------------------------------------------


def made_openings(state: State, section: int) -> tuple[tuple[int, int], ...]:
    """The openings made before the game in a section, as (floor, side) (OD-FROM-5)."""
    known = state.structures.get(section)
    return tuple((floor, side) for floor, side in known.own.get("made", ())) if known else ()


def goes_out(state: State, board: Board, place: int, line: Line) -> bool:
    """Whether a line leaves by something one can shoot through: an opening (a slit where it is a bunker, OD-BUNK-1), a roof's
    edge, or an opening made before the game."""
    section = ground.section_of(board, place)
    if section is None:
        return True
    if line.from_opening < 0:
        return (board.spaces[place].floor, line.from_side) in made_openings(state, section.id)
    return section.kind != "bunker" or board.openings[line.from_opening].kind == "slit"


def comes_in(state: State, board: Board, place: int, line: Line, small: bool) -> bool:
    """Whether fire along a line can hit somebody in a space: small arms need an opening or a made one (OD-AT-1), heavy weapons
    any wall (OD-AT-2), and in a bunker both need a slit (OD-BUNK-1)."""
    section = ground.section_of(board, place)
    if section is None:
        return True
    if section.kind == "bunker":
        return line.to_opening >= 0 and board.openings[line.to_opening].kind == "slit"
    if not small or line.to_opening >= 0:
        return True
    return (board.spaces[place].floor, line.to_side) in made_openings(state, section.id)


def stations(state: State, board: Board, place: int, target: int) -> dict[int, list[Station]]:
    """Where a unit in `place` can shoot at `target` from: wall (-1 outdoors) -> stations, the nearest to the target first."""
    lines = board.sight.clear_lines(place, target, fallen(state))
    if not lines:
        return {}
    walls: dict[int, dict[int, list[Line | None]]] = {}
    for line in lines:
        if not goes_out(state, board, place, line):
            continue
        best = walls.setdefault(line.from_side, {}).setdefault(line.from_opening, [None, None])
        if best[0] is None and comes_in(state, board, target, line, small=True):
            best[0] = line
        if best[1] is None and comes_in(state, board, target, line, small=False):
            best[1] = line
    found: dict[int, list[Station]] = {}
    for wall in sorted(walls):
        openings = [
            Station(opening, _men(board, opening, wall), small, heavy)
            for opening, (small, heavy) in walls[wall].items()
            if small is not None or heavy is not None
        ]
        if openings:
            found[wall] = openings
    return found


def _men(board: Board, opening: int, wall: int) -> int:
    """Two men at a domestic opening or a made one (OD-FROM-2, OD-FROM-5), five along a roof's side (OD-FROM-4)."""
    if wall < 0:
        return 1_000
    return board.openings[opening].men if opening >= 0 else 2


# ---- to hit ----------------------------------------------------------------------------------------------------------


def terrain_cover(board: Board, place: int) -> int:
    """Cover of the ground a unit stands on: soft in rough ground and woods, hard in rubble (OD-HOUSE-TERRAIN)."""
    terrain = board.spaces[place].terrain
    return HARD if terrain == "rubble" else SOFT if terrain in ("rough", "woods") else 0


def cover_of(board: Board, target: int, line: Line) -> int:
    """The cover of whoever is in a space against fire along a line."""
    section = ground.section_of(board, target)
    if section is not None:
        return BUNKER if section.kind == "bunker" else HARD
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
    """What a die must show to hit, 2 to 7; 7 stands for a 6 followed by another 6 (OD-HOUSE-SHOOT)."""
    need = 3 + pins + (quality == 0) + moved + long_range - (distance <= POINT_BLANK)
    need += 2 * target_down + one_man + cover + alone
    return max(2, min(need, 7))


def damage_need(quality: int, penetration: int, protected: bool) -> int:
    """What a die must show to damage infantry or artillery; a natural 1 always fails; 7 is out of reach. `protected`: extra
    protection of a building (OD-AT-4) or a gun shield, which do not add up (OD-HOUSE-GUN)."""
    return max(2, min(DAMAGE[quality] + protected - penetration, 7))


def roll_hits(
    r: Resolution, unit: int, target: int, number: int, shots: int, need: int, clauses: Clauses = ()
) -> int:
    """Hits of so many shots; where 7 is needed, each 6 must be followed by another (OD-HOUSE-SHOOT)."""
    if need < 7:
        return r.count(shots, need, "hit", unit, target, number, clauses=clauses)
    sixes = r.count(shots, 6, "hit", unit, target, number, clauses=clauses)
    return r.count(sixes, 6, "hit again", unit, target, number, clauses=clauses)


# ---- a whole volley ------------------------------------------------------------------------------------------------


def bears(board: Board, unit: Unit, arm: Arm, target: int) -> bool:
    """Whether a weapon's arc allows a target: turrets and men fire all round, hull guns and guns on their own carriage 90
    degrees about their facing; inside, the opening says it (OD-HOUSE-FACING, OD-HOUSE-GUN)."""
    if arm.mount == "turret" or ground.inside(board, unit):
        return True
    if arm.mount == "hull" or type_of(unit).artillery:
        return in_arc(board.spaces[unit.place].point, unit.facing, board.spaces[target].point)
    return True


def volley(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    moved: bool,
    wall: int = -1,
    used: tuple[int, ...] = (),
) -> list[Group]:
    """What a unit's weapons can do to a target over open sights, from one wall of its floor (-1 outdoors), without the slots
    already `used` this action. Small arms first, then heavy weapons in slot order; empty where nothing bears."""
    if target.place < 0 or unit.place < 0:
        return []
    reach = longest(unit.kind, unit.models, unit.own.spent)
    if board.sight.reach_hint(unit.place, target.place) > reach or unit.own.aboard >= 0:
        return []
    posts = stations(state, board, unit.place, target.place).get(wall)
    if not posts:
        return []
    mine, theirs, kind = own(unit), own(target), type_of(target)
    free = [post.men for post in posts]
    down = theirs.order == DOWN and not kind.vehicle
    one_man = target.models == 1 and not kind.vehicle
    found: dict[tuple[object, ...], list[int]] = {}
    groups: dict[tuple[object, ...], Group] = {}
    for arm in arms(unit):
        weapon = arm.weapon
        if arm.index in used or (weapon.fixed and moved) or not weapon.direct:
            continue
        if not bears(board, unit, arm, target.place):
            continue
        choice = _post(posts, free, arm, mine.opening if weapon.fixed or type_of(unit).artillery else -1)
        if choice < 0:
            continue
        line = posts[choice].small if weapon.small or weapon.flame else posts[choice].heavy
        assert line is not None
        free[choice] -= 1
        mode = mode_of(weapon, kind.vehicle)
        cover = 0 if mode == "flame" else cover_of(board, target.place, line)
        if mode == "he" and ground.section_of(board, target.place) is not None:
            cover = 0  # OD-HE-1
        need = to_hit(
            mine.pins,
            mine.quality,
            moved,
            line.distance,
            2 * line.distance > weapon.range,
            down and mode != "he",
            one_man,
            cover,
            arm.alone,
        )
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


def mode_of(weapon: Weapon, armoured: bool) -> str:
    """How a weapon is resolved: shells burst among men and pierce armour."""
    if weapon.flame:
        return "flame"
    if weapon.he and not (armoured and weapon.penetration):
        return "he"
    return "small" if weapon.small else "ap"


def _post(posts: list[Station], free: list[int], arm: Arm, fixed_at: int) -> int:
    """The nearest station with room where the weapon reaches, -1 for none; a fixed weapon has but the one it is deployed at
    (OD-FROM-6)."""
    best, nearest = -1, arm.weapon.range + 1
    for i, post in enumerate(posts):
        if free[i] <= 0 or (fixed_at >= 0 and post.opening >= 0 and post.opening != fixed_at):
            continue
        line = post.small if arm.weapon.small or arm.weapon.flame else post.heavy
        if line is not None and line.distance < nearest:
            best, nearest = i, line.distance
    return best


def walls_of(board: Board, unit: Unit) -> tuple[int, ...]:
    """The walls a unit can shoot from: -1 outdoors, else the sides of its section in order."""
    section = ground.section_of(board, unit.place)
    return (-1,) if section is None else tuple(range(len(section.sides)))


def can_shoot_at(state: State, board: Board, unit: Unit, target: Unit, moved: bool) -> bool:
    """Whether any weapon of a unit bears on a target from any wall."""
    if unit.place < 0 or target.place < 0:
        return False
    return any(volley(state, board, unit, target, moved, wall) for wall in walls_of(board, unit))
