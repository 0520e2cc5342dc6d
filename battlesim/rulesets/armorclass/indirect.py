"""Indirect fire: over walls, onto roofs, into trenches (AC-HOUSE-INDIRECT, AC-ATTACK-2). Read `lob`, then `impact`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.model import Section, Space
from battlesim.core.geometry import FACINGS, INCH, Point, in_polygon
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import (
    blaze,
    casualties,
    concealment,
    damage,
    facts_buildings,
    facts_fire,
    fire,
    works,
)
from battlesim.rulesets.armorclass.data import D10, Weapon
from battlesim.rulesets.armorclass.facts_fire import Lobbed, Volley
from battlesim.rulesets.armorclass.fire import Group

CLAUSES: Clauses = ("AC-HOUSE-INDIRECT", "AC-ATTACK-2")
NEAR = 150
"""A space no farther from a burst than this is always hit."""


def lob(r: Resolution, unit: Unit, place: int) -> None:
    """Every weapon that can fires its shots indirectly at a space: each hits on 1-4, or lands D10 inches off."""
    far = r.board.distance(unit.place, place)
    volley = [g for g in fire.groups_of(unit) if g.weapon.indirect and g.weapon.range >= far]
    concealment.reveal_firer(r, unit, volley)
    before = r.cause
    for number, group in enumerate(volley):
        hits = penetrations = through = 0
        weapon = group.weapon.name
        r.cause = before
        r.because(Lobbed(unit.id, place, weapon, group.shots, far, clauses=CLAUSES))
        for shot in range(group.shots):
            attempt = 8 * number + shot
            on = 1 - r.count(
                1, lob_need(r.state, unit) + 1, "off target", unit.id, place, attempt, 10, CLAUSES
            )
            point = r.board.spaces[place].point if on else scattered(r, unit, place, attempt)
            hits += on
            got, went = impact(r, unit, group.weapon, point, attempt, group)
            penetrations, through = penetrations + got, through + went
        r.emit(
            Volley(
                unit.id,
                -1,
                place,
                "lob",
                group.weapon.name,
                group.shots,
                lob_need(r.state, unit),
                hits,
                through,
                penetrations,
                far,
                clauses=CLAUSES,
                cause=r.cause,
            )
        )


def scattered(r: Resolution, unit: Unit, place: int, attempt: int) -> Point:
    """Where a shot that misses lands: D10 inches off in one of eight directions."""
    way = r.pick(len(FACINGS), "direction", unit.id, place, attempt, CLAUSES)
    inches = r.total(1, D10, "inches off", unit.id, place, attempt, CLAUSES)
    return off_by(r.board, place, way, inches)


def off_by(board: Board, place: int, way: int, inches: int) -> Point:
    """The point so many inches from a space in one of eight directions."""
    dx, dy = FACINGS[way]
    step = inches * INCH * (707 if dx and dy else 1000) // 1000
    space = board.spaces[place]
    return (space.x + dx * step, space.y + dy * step)


def impact(
    r: Resolution, unit: Unit, weapon: Weapon, point: Point, attempt: int, group: Group
) -> tuple[int, int]:
    """A shot lands on a point. Returns (hits that penetrated units' armour, roofs penetrated)."""
    state, board = r.state, r.board
    if not is_on_board(board, point):
        return 0, 0
    if weapon.type == damage.NUCLEAR:
        before = r.cause
        r.because(
            facts_fire.Nuclear(unit=unit.id, number=weapon.radius, clauses=("AC-DEST-2",), cause=r.cause)
        )
        damage.nuclear(r, point, weapon.radius)
        r.cause = before
        return 1, 1
    section = section_at([one for one in outlines(board) if one.section.id not in state.down], point)
    if section >= 0:
        return _on_roof(r, unit, weapon, section, attempt)
    penetrations = 0
    for place in struck_ground(board.spaces, point, weapon.radius):
        penetrations += _on_ground(r, unit, weapon, place, attempt, group)
    return penetrations, 0


def is_on_board(board: Board, point: Point) -> bool:
    """Whether a point lies on the map."""
    return 0 <= point[0] <= board.size[0] and 0 <= point[1] <= board.size[1]


class Outline(NamedTuple):
    """A section and the box around its outline."""

    west: int
    south: int
    east: int
    north: int
    section: Section


@owned_memo(bound=1)
def outlines(board: Board) -> tuple[Outline, ...]:
    """The outlines of all sections, by number."""
    found = []
    for section in board.sections:
        xs, ys = zip(*section.polygon, strict=True)
        found.append(Outline(min(xs), min(ys), max(xs), max(ys), section))
    return tuple(found)


def section_at(sections: Iterable[Outline], point: Point) -> int:
    """The section, of some, that covers a point; -1: none."""
    x, y = point
    for west, south, east, north, section in sections:
        if west <= x <= east and south <= y <= north and in_polygon(point, section.polygon):
            return section.id
    return -1


def struck_ground(spaces: Iterable[Space], point: Point, radius: int) -> list[int]:
    """The ground spaces, of some, within an effect area or within NEAR of its centre, by number."""
    reach = max(radius, NEAR) ** 2
    return [
        s.id for s in spaces if s.kind == "ground" and (s.x - point[0]) ** 2 + (s.y - point[1]) ** 2 <= reach
    ]


def met_from_above(state: State, board: Board, place: int) -> list[tuple[int, int]]:
    """The spaces that a shell aimed at a space strikes, the highest first, with the armour class above each: 0 over a flat roof,
    the roof over the floor below it or the top floor, overhead cover over a field work."""
    space = board.spaces[place]
    if space.kind != "floor":
        work = works.fieldwork(state, place)
        return [(place, work.roof if work is not None else 0)]
    spaces = board.sections[space.section].spaces[: works.floors_left(state, board, space.section)]
    roof = works.make_of(board, space.section).roof
    if len(spaces) > 1 and board.spaces[spaces[-1]].roof:
        return [(spaces[-1], 0), (spaces[-2], roof)]
    return [(top, roof) for top in spaces[-1:]]


def lob_need(state: State, unit: Unit) -> int:
    """The highest D10 roll that hits the aiming point: 4, less for a suppressed unit (AC-HOUSE-MORALE)."""
    return fire.LOB_ON - (fire.SUPPRESSED if fire.is_suppressed(state, unit) else 0)


def _on_roof(r: Resolution, unit: Unit, weapon: Weapon, section: int, attempt: int) -> tuple[int, int]:
    """A shell lands on a roof: it strikes units on a flat roof, then may penetrate to the floor below."""
    make, penetrations = works.make_of(r.board, section), 0
    *open_above, (place, roof) = met_from_above(r.state, r.board, r.board.sections[section].spaces[0])
    for top, _ in open_above:
        for number in r.state.at.get(top, ()):
            struck = fire.caught(r.state.units[number].models, weapon.radius, make.area, half=False)
            penetrations += casualties.strike(
                r, unit.id, number, weapon.factor, struck, attempt, (*CLAUSES, "AC-HOUSE-AREA")
            )
    clauses: Clauses = (*CLAUSES, "AC-HOUSE-PEN", *make.roof_clauses)
    through = int(_through(r, unit, weapon, roof, "roof", place, attempt, clauses))
    r.emit(
        (facts_buildings.RoofPierced if through else facts_buildings.RoofHolds)(
            unit=unit.id, place=place, section=section, clauses=clauses, cause=r.cause
        )
    )
    if through:
        for number in r.state.at.get(place, ()):
            foe = r.state.units[number]
            struck = fire.caught(foe.models, weapon.radius, make.area, half=False)
            penetrations += casualties.strike(
                r, unit.id, number, weapon.factor, struck, attempt, (*clauses, "AC-HOUSE-AREA")
            )
    damage.damage_roof(r, unit, weapon, section, 1, through)
    blaze.roof_struck(r, unit, weapon.type, place, attempt)
    return penetrations, through


def _on_ground(r: Resolution, unit: Unit, weapon: Weapon, place: int, attempt: int, group: Group) -> int:
    """A shot strikes a ground space, friend and foe alike. The overhead cover of a field work is a roof over units in it."""
    work = works.fieldwork(r.state, place)
    here = r.state.at.get(place, ())
    clauses: Clauses = (*CLAUSES, "AC-HOUSE-AREA")
    inside: tuple[int, ...] = ()
    under: Clauses = clauses
    covered = False
    if work is not None:  # decided before the shell's losses make room
        inside = tuple(n for n in here if works.shelters(r.state, work, r.state.units[n]))
        under += (_OPEN[work.kind],)
        if work.roof:
            under += ("AC-TABLE-1", "AC-HOUSE-PEN")
            covered = not _through(r, unit, weapon, work.roof, "cover", place, attempt, under)
    penetrations = 0
    for number in here:
        if covered and number in inside:
            continue
        struck = fire.caught(r.state.units[number].models, weapon.radius, fire.OPEN_AREA, half=False)
        by = under if number in inside else clauses
        penetrations += casualties.strike(r, unit.id, number, weapon.factor, struck, attempt, by)
    if work is not None and damage.harms_work(r.state, weapon):
        bank: Clauses = (*under, "AC-DEST-1", "AC-HOUSE-PEN")
        through = (
            not covered if work.roof else _through(r, unit, weapon, work.wall, "bank", place, attempt, bank)
        )
        damage.damage_work(r, weapon, place, 1, int(through))
    blaze.ground_struck(r, unit, [group], [group], place, attempt, above=True)
    return penetrations


_OPEN = {"trench": "AC-TYPE-7", "foxhole": "AC-TYPE-4", "emplacement": "AC-TYPE-8"}


def _through(
    r: Resolution,
    unit: Unit,
    weapon: Weapon,
    armour: int,
    purpose: str,
    place: int,
    attempt: int,
    clauses: Clauses,
) -> bool:
    """Whether a shell penetrates a roof, cover or bank; one die for all units behind it."""
    need = fire.penetrates_on(weapon.factor, armour)
    if need > 10:
        return False
    return need <= 1 or r.count(1, need, purpose, unit.id, place, attempt, D10, clauses) > 0


CHAPTER = Chapter(owns=("AC-HOUSE-INDIRECT",))
