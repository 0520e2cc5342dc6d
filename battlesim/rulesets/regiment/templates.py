"""Stones, flames and breath: the models under a template (RG-SHOOT-3, RG-SHOOT-5, RG-SHOOT-6, RG-HOUSE-AIM).

Read `stone_lands` and `flame_models`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.geometry import (
    FACINGS,
    INCH,
    Point,
    distance,
    in_polygon,
    point_segment_distance,
    polygon_distance,
)
from battlesim.core.state import Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import ballistics, battery, facts_buildings, facts_fire, ground, rooms
from battlesim.rulesets.regiment.battery import discharge, shake_walls, strike
from battlesim.rulesets.regiment.data import Weapon
from battlesim.rulesets.regiment.model import attempt, leads, type_of
from battlesim.rulesets.regiment.rooms import Room

SHORT_FLAME = 4 * INCH
"""How far short a flame is aimed (RG-HOUSE-AIM)."""
HOLE, EDGE = 100, 250
"""How near a unit must be to a round template's centre to be under its hole, and under its rim."""
RIM = 150
"""A round template reaches a building this near to its hole."""
CIRCLE = 125
"""The radius of the large circle of a flame."""
UNDER_HOLE, UNDER_RIM = 8, 4
"""Models of infantry under a round template around its hole, and under its rim (RG-HOUSE-AIM)."""
UNDER, UNDER_MI, UNDER_ALL = 5, 2, 10
"""Models of a garrison under a template (RG-SHOOT-3, RG-SHOOT-6)."""
HOLE_STRENGTH = 8
"""The strength of the hit on a model under the hole of a template."""
CLOSE_BREATH = 550
"""The whole large circle of a breath covers targets this near."""


def covered(target: Unit, infantry: int) -> int:
    """Models under a template outdoors, from the number for infantry: fewer if their bases are broader."""
    return min(target.models, max(1, infantry * 80 // type_of(target).base))


def garrisoned(target: Unit, models: int) -> int:
    """Models of a garrison under a template: 2 of monstrous infantry where it would be 5 of infantry; 10 are 10 of either
    (RG-SHOOT-3)."""
    if models == UNDER and type_of(target).kind == "mi":
        models = UNDER_MI
    return min(target.models, models)


# ---- stones ---------------------------------------------------------------------------------------------------------


def stone(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """The stone lands where it was aimed, or drifts so many inches in one of eight directions."""
    board, now = r.board, attempt(r.state)
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    flies = discharge(r, unit, target, (*clauses, "RG-HOUSE-CREW"))  # it needs no line of sight
    if not flies:
        return
    p = board.spaces[target.place].point
    aimed = ground.room_of(board, target)
    if r.roll(1, 6, "scatter", unit.id, target.id, now)[0] > 2:
        p = drifted(p, r.pick(8, "direction", unit.id, target.id, now), flies)
        aimed = None
        r.emit(facts_fire.Drifts(unit=unit.id, other=target.id, number=flies, clauses=clauses))
    if stone_lands(r, unit, weapon, p, aimed, clauses) == 0:
        r.emit(facts_fire.Missed(unit=unit.id, other=target.id, clauses=clauses))


def stone_lands(
    r: Resolution, unit: Unit, weapon: Weapon, p: Point, aimed: Room | None, clauses: Clauses
) -> int:
    """The effect of a round template with its hole at a point; returns how many things it touches. `aimed`: the chosen room, if
    it lands as aimed: the weapon needs no line of sight, so the floor can be chosen freely (RG-SHOOT-5)."""
    board, found = r.board, 0
    section, before = ballistics.section_at(board, p), r.cause
    if section is not None:
        room = (
            aimed if aimed and aimed.section == section.id else ballistics.struck_room(board, section, True)
        )
        _template(r, unit, weapon, room, UNDER, facts_buildings.StruckByStone, (*clauses, "RG-SHOOT-3"))
        shake_walls(r, unit, room)
        r.cause = before  # what happens to one building is not the cause of what happens beside it
        found = 1
    # The rim also covers those beside a building that is struck, and the parts next to it.
    for number in [u.id for u in r.state.units.values() if leads(u)]:
        other = r.state.units[number]
        if not leads(other) or not ground.outdoors(board, other.place):
            continue
        under = models_under(other, distance(p, board.spaces[other.place].point), section is not None)
        if under is None:
            continue
        found += 1
        holed, rest = under
        if holed:
            strike(r, unit, other, 1, HOLE_STRENGTH, "hole", clauses, many=True)
        strike(r, unit, r.state.units[number], rest, weapon.strength, "template", clauses)
    for near in near_rim(board, p, section):
        found += 1
        room = ballistics.struck_room(board, near, False)
        _template(r, unit, weapon, room, UNDER, facts_buildings.Splinters, (*clauses, "RG-SHOOT-3"))
        r.cause = before
    return found


def drifted(p: Point, direction: int, length: int) -> Point:
    """The point at a length from another in one of the eight directions."""
    dx, dy = FACINGS[direction]
    if dx and dy:
        length = length * 70 // 99
    return (p[0] + dx * length, p[1] + dy * length)


def models_under(unit: Unit, gap: int, on_building: bool = False) -> tuple[bool, int] | None:
    """The models of a unit outdoors under a round template whose hole is `gap` away: whether one is under the hole, and how many
    others are under the template; None if it does not reach. `on_building`: the hole is, so that none is under it."""
    if gap <= HOLE and not on_building:
        return True, covered(unit, UNDER_HOLE + 1) - 1
    return (False, covered(unit, UNDER_RIM)) if gap <= EDGE else None


def near_rim(board: Board, p: Point, struck: Section | None) -> list[Section]:
    """The closed buildings reached by the rim of a round template around a point, besides the one that its hole is on."""
    known = rooms.rooms_of(board).by_section
    return [
        s for s in board.sections if s is not struck and known[s.id] and polygon_distance(p, s.polygon) <= RIM
    ]


def _template(
    r: Resolution,
    unit: Unit,
    weapon: Weapon,
    room: Room,
    models: int,
    how: type[facts_buildings.StruckByStone | facts_buildings.Splinters | facts_buildings.Flames],
    clauses: Clauses,
) -> None:
    """A template over a room hits so many models of its garrison, none under the hole (RG-SHOOT-3)."""
    if room.tall:
        clauses += ("RG-SHOOT-5",)
    r.because(how(unit=unit.id, place=room.place, section=room.section, clauses=clauses))
    held = battery.garrison_in(r, room)
    if held is not None:
        strike(r, unit, held, garrisoned(held, models), weapon.strength, "template", clauses)


# ---- flames ---------------------------------------------------------------------------------------------------------


def flame(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """Aimed short, the flame goes as many inches further on as the die says."""
    board = r.board
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    flies = discharge(r, unit, target, clauses)
    if not flies:
        return
    models = under_flame(board, unit.place, target.place, flies)
    room = ground.room_of(board, target)
    if room is not None:
        _flames(r, unit, target, room, models, weapon, clauses)
    elif models:
        strike(r, unit, target, covered(target, models), weapon.strength, "flame", clauses)
    else:
        r.emit(facts_fire.Missed(unit=unit.id, other=target.id, clauses=clauses))


def under_flame(board: Board, here: int, there: int, flies: int) -> int:
    """Models of infantry under a flame from one space at a target on another, by the artillery die."""
    near = ballistics.length_to(board, here, there)
    reach = max(0, near - SHORT_FLAME) + flies
    room = rooms.room_at(board, there)
    if room is not None:
        a, b = board.spaces[here].point, board.spaces[there].point
        return flame_models(board.sections[room.section].polygon, ballistics.point_along(a, b, reach))
    gap = abs(reach - near)
    return UNDER_ALL if gap <= HOLE else UNDER if gap <= EDGE else 0


def flame_models(polygon: tuple[Point, ...], p: Point) -> int:
    """Models of a garrison under a flame whose large circle is centred on a point: 10 if it lies wholly on the building
    (RG-SHOOT-3), 5 if partly (RG-SHOOT-6), else none."""
    if not in_polygon(p, polygon):
        return UNDER if polygon_distance(p, polygon) <= CIRCLE else 0
    rim = min(point_segment_distance(p, polygon[i - 1], polygon[i]) for i in range(len(polygon)))
    return UNDER_ALL if rim >= CIRCLE else UNDER


def _flames(
    r: Resolution, unit: Unit, target: Unit, room: Room, models: int, weapon: Weapon, clauses: Clauses
) -> None:
    if not models:
        r.emit(facts_fire.Missed(unit=unit.id, other=target.id, clauses=clauses))
        return
    clauses += ("RG-SHOOT-3",) if models == UNDER_ALL else ("RG-SHOOT-6",)
    _template(r, unit, weapon, room, models, facts_buildings.Flames, clauses)


def breath(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """A flame without a die: near targets are wholly under it. Flyers may aim at an upper floor (RG-SHOOT-5)."""
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    models = under_breath(r.board, unit.place, target.place)
    r.because(facts_fire.Breathes(unit=unit.id, other=target.id, clauses=clauses))
    room = ground.room_of(r.board, target)
    if room is not None:
        _flames(r, unit, target, room, models, weapon, clauses)
    else:
        strike(r, unit, target, covered(target, models), weapon.strength, "flame", clauses)


def under_breath(board: Board, here: int, there: int) -> int:
    """Models of infantry under the breath of a monster on one space at a target on another."""
    return UNDER_ALL if ballistics.length_to(board, here, there) <= CLOSE_BREATH else UNDER
