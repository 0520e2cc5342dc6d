"""War engines, bolts and breath, and what they do to buildings (RG-SHOOT-3..6, RG-HOUSE-ENGINES, RG-HOUSE-AIM, RG-HOUSE-CREW).

Read `fire`. A shot flies along the straight line from the engine through its target; lengths along it are hundredths.
"""

from __future__ import annotations

from battlesim.core.events import StructureSet
from battlesim.core.geometry import (
    FACINGS,
    INCH,
    Point,
    distance,
    in_polygon,
    point_segment_distance,
    polygon_distance,
)
from battlesim.core.items import Step
from battlesim.core.state import Structure, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import aim, ballistics, form, ground, harm, losses, nerve, rooms
from battlesim.rulesets.regiment.data import WEAPONS, Weapon
from battlesim.rulesets.regiment.model import FLANK, Happened, attempt, leads, own, type_of
from battlesim.rulesets.regiment.rooms import Room
from battlesim.rulesets.regiment.tables import shot_need, wound_need

MISFIRE = 1
"""The face of the artillery die that is a misfire; the others are 2, 4, 6, 8 and 10 inches."""
SHORT, SHORT_AT_WALLS, SHORT_FLAME = 8 * INCH, 4 * INCH, 4 * INCH
"""How far short of a unit, and of a building, a cannon is aimed; how far short a flame is (RG-HOUSE-AIM)."""
HOLE, EDGE = 100, 250
"""A round template's hole lies on a unit this near; its rim reaches one this near."""
RIM = 150
"""A round template reaches a building this near to its hole."""
CIRCLE = 125
"""Half the large circle of a flame."""
UNDER_HOLE, UNDER_RIM = 8, 4
"""Models of infantry under a round template about its hole, and under its rim (RG-HOUSE-AIM)."""
UNDER, UNDER_MI, UNDER_ALL = 5, 2, 10
"""Models of a garrison under a template (RG-SHOOT-3, RG-SHOOT-6)."""
HOLE_STRENGTH = 8
BREAKING = 8
"""A strength from which on multiple wounds shake walls (RG-SHOOT-4)."""
CLOSE_BREATH = 550
"""A breath's whole large circle lies on what is this near."""


class Fire(Step, frozen=True):
    """An engine, bolt thrower or breath shoots at a target."""

    unit: int
    target: int


class Panicked(Step, frozen=True):
    """After a shot: whoever lost a quarter tests, by id."""

    source: int


def artillery(face: int) -> int:
    """Hundredths that a face of the artillery die stands for; 0 is a misfire."""
    return 0 if face == MISFIRE else (face - 1) * 2 * INCH


def fire(r: Resolution, step: Fire) -> None:
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not unit.alive or unit.place < 0 or not target.alive or target.place < 0:
        return
    weapon = WEAPONS[type_of(unit).weapon]
    r.then(Panicked(unit.id))
    if weapon.way == "bolt":
        bolt(r, unit, target, weapon)
    elif weapon.way == "cannon":
        cannon(r, unit, target, weapon)
    elif weapon.way == "stone":
        stone(r, unit, target, weapon)
    elif weapon.way == "flame":
        flame(r, unit, target, weapon)
    else:
        breath(r, unit, target, weapon)


def panicked(r: Resolution, step: Panicked) -> None:
    for unit in list(r.state.units.values()):
        if leads(unit) and own(unit).shot > 0:
            nerve.after_shooting(r, unit.id, step.source)


def misfire(r: Resolution, unit: Unit) -> None:
    """1-2 destroyed, 3-4 silent next turn too, 5-6 no shot (RG-HOUSE-CREW)."""
    clauses: Clauses = ("RG-HOUSE-CREW", "RG-HOUSE-ENGINES")
    face = r.roll(1, 6, "misfire", unit.id, -1, attempt(r.state))[0]
    r.because(
        Happened("misfire", unit.id, number=1 if face >= 5 else 0 if face >= 3 else -1, clauses=clauses)
    )
    if face <= 2:
        losses.destroy(r, unit, "blown up", clauses)
    elif face <= 4:
        r.set(unit.id, clauses, silent=r.state.turn + 1)


# ---- hits ------------------------------------------------------------------------------------------------------------


def strike(
    r: Resolution,
    unit: Unit,
    target: Unit,
    models: int,
    strength: int,
    purpose: str,
    clauses: Clauses,
    armour: bool = True,
    many: bool = False,
) -> int:
    """So many models of a unit are hit; models lost. `many`: multiple wounds, D3 each."""
    if models <= 0 or not target.alive:
        return 0
    wounds = harm.told(r, models, strength, target, purpose, unit.id, armour)
    if many:
        wounds = harm.multiple(r, wounds, target, purpose, unit.id)
    r.because(Happened("struck", unit.id, target.id, place=target.place, number=models, clauses=clauses))
    return aim.wound(r, target, wounds, clauses)


def shake(r: Resolution, unit: Unit, room: Room) -> None:
    """RG-SHOOT-4: S 8 and more with multiple wounds on the building itself. More wounds than the level make it unstable, and
    its garrison takes a panic test, even where it was unstable already (RG-HOUSE-WALLS)."""
    rolled = r.roll(1, 3, "walls", unit.id, room.place, attempt(r.state))[0]
    clauses: Clauses = ("RG-SHOOT-4", "RG-FORT-1")
    if rolled <= room.level:
        r.emit(
            Happened(
                "walls hold", unit.id, place=room.place, section=room.section, number=rolled, clauses=clauses
            )
        )
        return
    was = r.state.structures.get(room.section, Structure(room.section))
    known = was.own.get("unstable", [])
    clauses += ("RG-UNST-1",)
    r.because(
        Happened("unstable", unit.id, place=room.place, section=room.section, number=rolled, clauses=clauses)
    )
    if room.place not in known:
        made = sorted([*known, room.place])
        r.emit(StructureSet(room.section, was.fallen, was.burning, {"unstable": made}, clauses=clauses))
    held = ground.holder(r.state, room.place)
    if held is not None:
        r.then(nerve.Panic(held.id, unit.id, True))


def in_room(r: Resolution, room: Room) -> Unit | None:
    """The garrison of a room, which stray shots find though it fights."""
    return ground.holder(r.state, room.place)


# ---- cannon ----------------------------------------------------------------------------------------------------------


def cannon(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """Aimed short, the ball comes down so many inches further on, and bounces on."""
    board, now = r.board, attempt(r.state)
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    face = r.roll(1, 6, "artillery", unit.id, target.id, now)[0]
    r.because(Happened("fires", unit.id, target.id, clauses=clauses))
    if face == MISFIRE:
        misfire(r, unit)
        return
    a, b = board.spaces[unit.place].point, ballistics.aim_point(board, target)
    short = SHORT if ground.outdoors(board, target.place) else SHORT_AT_WALLS
    first = max(0, ballistics.near_edge(board, unit, target) - short) + artillery(face)
    section = ballistics.section_at(board, ballistics.along(a, b, first))
    if section is not None:
        room = ballistics.struck_room(board, section, True)
        hit_house(r, unit, weapon, room, "impact", clauses)
        shake(r, unit, room)
        return
    face = r.roll(1, 6, "bounce", unit.id, target.id, now)[0]
    last = first + artillery(face)
    for x in range(first, last + 1, ballistics.STEP):
        section = ballistics.section_at(board, ballistics.along(a, b, x))
        if section is not None:
            last = x
            break
    met = ballistics.balls_path(r.state, board, a, b, first, last)
    for number in met:
        other = r.state.units[number]
        if not other.alive:
            continue
        flank = ground.arc_of(board, other, unit.place) == FLANK
        models = form.front(other) if flank else form.ranks(other, None)
        strike(r, unit, other, models, weapon.strength, "ball", clauses, armour=False, many=True)
    if section is not None:
        hit_house(r, unit, weapon, ballistics.struck_room(board, section, False), "bounced in", clauses)
    elif not met:
        r.emit(Happened("missed", unit.id, target.id, clauses=clauses))


def hit_house(r: Resolution, unit: Unit, weapon: Weapon, room: Room, how: str, clauses: Clauses) -> None:
    """A ball hits D3 of the garrison (RG-SHOOT-3)."""
    clauses += ("RG-SHOOT-3", "RG-SHOOT-5") if room.tall else ("RG-SHOOT-3",)
    r.because(Happened(how, unit.id, place=room.place, section=room.section, clauses=clauses))
    held = in_room(r, room)
    if held is None:
        return
    models = r.roll(1, 3, "ball models", unit.id, held.id, attempt(r.state))[0]
    strike(r, unit, held, min(models, held.models), weapon.strength, "ball", clauses, armour=False, many=True)


# ---- templates -------------------------------------------------------------------------------------------------------


def covered(target: Unit, infantry: int) -> int:
    """Models under a template out of doors: so many of infantry, fewer the broader their bases."""
    return min(target.models, max(1, infantry * 80 // type_of(target).base))


def garrisoned(target: Unit, models: int) -> int:
    """Models of a garrison under a template: monstrous infantry 2 where infantry has 5 (RG-SHOOT-3)."""
    if type_of(target).kind == "mi":
        models = models * UNDER_MI // UNDER
    return min(target.models, models)


def stone(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """The stone comes down where it was aimed, or drifts so many inches in one of eight directions."""
    board, now = r.board, attempt(r.state)
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM", "RG-HOUSE-CREW")
    face = r.roll(1, 6, "artillery", unit.id, target.id, now)[0]
    r.because(Happened("fires", unit.id, target.id, clauses=clauses))
    if face == MISFIRE:
        misfire(r, unit)
        return
    p = ballistics.aim_point(board, target)
    aimed = ground.room_of(board, target)
    if r.roll(1, 6, "scatter", unit.id, target.id, now)[0] > 2:
        dx, dy = FACINGS[r.pick(8, "direction", unit.id, target.id, now)]
        far = artillery(face)
        if dx and dy:
            far = far * 70 // 99
        p = (p[0] + dx * far, p[1] + dy * far)
        aimed = None
        r.emit(Happened("drifts", unit.id, target.id, number=artillery(face), clauses=clauses))
    if stone_lands(r, unit, weapon, p, aimed, clauses) == 0:
        r.emit(Happened("missed", unit.id, target.id, clauses=clauses))


def stone_lands(
    r: Resolution, unit: Unit, weapon: Weapon, p: Point, aimed: Room | None, clauses: Clauses
) -> int:
    """What a round template does with its hole at a point; how many things it touches. `aimed`: the room that was chosen,
    where it comes down as aimed: it needs no sight, so that the floor is free to choose (RG-SHOOT-5)."""
    board, found = r.board, 0
    section = ballistics.section_at(board, p)
    if section is not None:
        room = (
            aimed if aimed and aimed.section == section.id else ballistics.struck_room(board, section, True)
        )
        _template(r, unit, weapon, room, UNDER, "hole", (*clauses, "RG-SHOOT-3"))
        shake(r, unit, room)
        return 1
    for number in [u.id for u in r.state.units.values() if leads(u)]:
        other = r.state.units[number]
        if not leads(other) or not ground.outdoors(board, other.place):
            continue
        gap = distance(p, board.spaces[other.place].point)
        if gap > EDGE:
            continue
        found += 1
        if gap <= HOLE:
            strike(r, unit, other, 1, HOLE_STRENGTH, "hole", clauses, armour=False, many=True)
            rest = covered(r.state.units[number], UNDER_HOLE + 1) - 1
        else:
            rest = covered(other, UNDER_RIM)
        strike(r, unit, r.state.units[number], rest, weapon.strength, "template", clauses)
    for section in board.sections:
        if rooms.rooms_of(board).by_section[section.id] and polygon_distance(p, section.polygon) <= RIM:
            found += 1
            _template(
                r,
                unit,
                weapon,
                ballistics.struck_room(board, section, False),
                UNDER,
                "rim",
                (*clauses, "RG-SHOOT-3"),
            )
    return found


def _template(
    r: Resolution, unit: Unit, weapon: Weapon, room: Room, models: int, how: str, clauses: Clauses
) -> None:
    """A template over a room: so many models of its garrison, none under the hole (RG-SHOOT-3)."""
    if room.tall:
        clauses += ("RG-SHOOT-5",)
    r.because(Happened(how, unit.id, place=room.place, section=room.section, clauses=clauses))
    held = in_room(r, room)
    if held is not None:
        strike(r, unit, held, garrisoned(held, models), weapon.strength, "template", clauses)


def flame(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """Aimed short, the flame leaps so many inches on."""
    board, now = r.board, attempt(r.state)
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    face = r.roll(1, 6, "artillery", unit.id, target.id, now)[0]
    r.because(Happened("fires", unit.id, target.id, clauses=clauses))
    if face == MISFIRE:
        misfire(r, unit)
        return
    near = ballistics.near_edge(board, unit, target)
    reach = max(0, near - SHORT_FLAME) + artillery(face)
    room = ground.room_of(board, target)
    if room is not None:
        polygon = board.sections[room.section].polygon
        a, b = board.spaces[unit.place].point, ballistics.aim_point(board, target)
        models = flame_models(polygon, ballistics.along(a, b, reach))
        _flames(r, unit, target, room, models, weapon, clauses)
        return
    gap = abs(reach - near)
    models = covered(target, UNDER_ALL if gap <= HOLE else UNDER if gap <= EDGE else 0) if gap <= EDGE else 0
    if models:
        strike(r, unit, target, models, weapon.strength, "flame", clauses)
    else:
        r.emit(Happened("missed", unit.id, target.id, clauses=clauses))


def flame_models(polygon: tuple[Point, ...], p: Point) -> int:
    """Models of a garrison under a flame whose large circle is about a point: 10 where it lies wholly on the building
    (RG-SHOOT-3), 5 where it lies partly on it (RG-SHOOT-6), else none."""
    if not in_polygon(p, polygon):
        return UNDER if polygon_distance(p, polygon) <= CIRCLE else 0
    rim = min(point_segment_distance(p, polygon[i - 1], polygon[i]) for i in range(len(polygon)))
    return UNDER_ALL if rim >= CIRCLE else UNDER


def _flames(
    r: Resolution, unit: Unit, target: Unit, room: Room, models: int, weapon: Weapon, clauses: Clauses
) -> None:
    if not models:
        r.emit(Happened("missed", unit.id, target.id, clauses=clauses))
        return
    clauses += ("RG-SHOOT-3",) if models == UNDER_ALL else ("RG-SHOOT-6",)
    _template(r, unit, weapon, room, models, "flames", clauses)


def breath(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """A flame without a die: what is near lies wholly under it. What flies may aim at an upper floor (RG-SHOOT-5)."""
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    near = ballistics.near_edge(r.board, unit, target)
    models = UNDER_ALL if near <= CLOSE_BREATH else UNDER
    r.because(Happened("breathes", unit.id, target.id, clauses=clauses))
    room = ground.room_of(r.board, target)
    if room is not None:
        _flames(r, unit, target, room, models, weapon, clauses)
    else:
        strike(r, unit, target, covered(target, models), weapon.strength, "flame", clauses)


# ---- bolts -----------------------------------------------------------------------------------------------------------


def bolt(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """One shot by BS; each model it kills lets it through to the next rank at one less (RG-HOUSE-ENGINES). A garrison has as
    many ranks as it counts in close combat (RG-SHOOT-3, RG-RES-2)."""
    state, board, now = r.state, r.board, attempt(r.state)
    far = aim.distance_to(state, board, unit, target)
    if far is None:
        return
    clauses: Clauses = ("RG-HOUSE-ENGINES", *aim.clauses_of(r, unit, target))
    goal = shot_need(
        type_of(unit).bs,
        2 * far > weapon.range,
        False,
        aim.cover(state, board, unit, target)[0],
        type_of(target).large,
    )
    hit = harm.hits(r, 1, goal, "bolt", unit.id, target.id)
    r.because(Happened("bolt", unit.id, target.id, number=hit, clauses=clauses))
    if not hit:
        return
    room = ground.room_of(board, target)
    if room is not None:
        clauses += ("RG-SHOOT-3", "RG-RES-2")
    kind = type_of(target)
    ranks, killed, wounds = form.ranks(target, room), 0, 0
    for rank in range(ranks):
        strength = weapon.strength - rank
        if strength <= 0 or killed >= target.models:
            break
        if not r.count(1, wound_need(strength, kind.t), f"bolt wound {rank}", unit.id, target.id, now):
            break
        if kind.ward and r.count(1, kind.ward, f"bolt ward {rank}", unit.id, target.id, now):
            break
        took = r.roll(1, 3, f"bolt wounds {rank}", unit.id, target.id, now)[0] if kind.w > 1 else 1
        wounds += min(took, kind.w)
        if took < kind.w:
            break
        killed += 1
    r.because(Happened("pierced", unit.id, target.id, number=killed, clauses=clauses))
    aim.wound(r, target, wounds, clauses)


CHAPTER = Chapter(
    owns=(
        "RG-SHOOT-3",
        "RG-SHOOT-4",
        "RG-SHOOT-5",
        "RG-SHOOT-6",
        "RG-HOUSE-ENGINES",
        "RG-HOUSE-AIM",
        "RG-HOUSE-CREW",
    ),
    steps={Fire: fire, Panicked: panicked},
)
