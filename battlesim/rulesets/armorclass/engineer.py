"""Breaching walls and demolishing machines (AC-ENG-1, AC-ENG-2, AC-HOUSE-POINTS, AC-HOUSE-ASSAULT). Read `breach`."""

from __future__ import annotations

from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import (
    casualties,
    damage,
    facts_buildings,
    facts_fire,
    fire,
    targets,
    works,
)
from battlesim.rulesets.armorclass.data import D10
from battlesim.rulesets.armorclass.model import battle_state, type_of


def breach(r: Resolution, unit: Unit, place: int, side: int) -> None:
    """Each tool attacks the wall once: if it hits and penetrates, the wall loses one point. A wall without points left is
    breached. Under a point variant the section loses structure points instead, in variants 2 and 3 by every hit."""
    section = r.board.spaces[place].section
    make = works.make_of(r.board, section)
    by: Clauses = ("AC-ENG-2",) if not type_of(unit).soldiers else ()
    clauses: Clauses = ("AC-ENG-1", *by, "AC-HOUSE-HIT", "AC-HOUSE-PEN", *make.clauses)
    need = fire.structure_on(fire.is_suppressed(r.state, unit))
    for number, tool in enumerate(targets.tools_of(unit)):
        pen = fire.penetrates_on(tool.factor, make.wall)
        # A tool that cannot penetrate is of use only where every hit costs a point.
        if (
            not targets.works_on(r.state, tool, make.wall)
            or works.is_breached(r.state, section, 0, side)
            or not works.floors_left(r.state, r.board, section)
        ):
            continue
        hit = 1 - r.count(1, need + 1, "slips", unit.id, place, number, D10, clauses)
        through = int(hit and pen <= 1)
        if hit and 1 < pen <= 10:
            through = r.count(1, pen, "wall", unit.id, place, number, D10, clauses)
        variant = battle_state(r.state).options.variant
        if variant and damage.hit_points(variant, tool, hit, through):
            r.emit(facts_buildings.CutsIn(unit=unit.id, section=section, clauses=clauses, cause=r.cause))
            damage.take_points(r, section, hit, through, tool, clauses)
        elif through:
            _dent(r, unit, section, side, make.wall, clauses)
        else:
            r.emit(
                facts_buildings.WallHolds(
                    unit=unit.id, section=section, number=side, clauses=clauses, cause=r.cause
                )
            )


def dents(state: State, section: int, side: int) -> int:
    """Points that a ground-floor wall has lost to engineers."""
    return next(
        (n for floor, s, n in works.record(state, section).get("dents", ()) if (floor, s) == (0, side)), 0
    )


def _dent(r: Resolution, unit: Unit, section: int, side: int, wall: int, clauses: Clauses) -> None:
    taken = dents(r.state, section, side) + 1
    others = [d for d in works.record(r.state, section).get("dents", ()) if d[:2] != (0, side)]
    r.emit(
        facts_buildings.Dent(
            unit=unit.id, section=section, number=taken, clauses=(*clauses, "AC-HOUSE-POINTS"), cause=r.cause
        )
    )
    works.change(r, section, clauses, dents=tuple(sorted((*others, (0, side, taken)))))
    if taken >= works.wall_points(wall):
        damage.breach_wall(r, unit.id, section, 0, side, (*clauses, "AC-HOUSE-POINTS"))


def demolish(r: Resolution, unit: Unit, target: Unit) -> None:
    """A demolition charge against a vehicle, strongpoint or turret in contact."""
    clauses: Clauses = ("AC-HOUSE-ASSAULT",)
    for number, tool in enumerate(targets.tools_of(unit)):
        if tool.charge and r.state.units[target.id].alive:
            wound = casualties.pierce(r, unit.id, target.id, tool.factor, 1, number, clauses, "charge")
            placed = facts_fire.ChargePierces if wound.penetrations else facts_fire.ChargeHeld
            before = r.cause
            r.because(placed(unit=unit.id, other=target.id, clauses=clauses, cause=r.cause))
            casualties.suffer(r, wound)
            r.cause = before


CHAPTER = Chapter(owns=("AC-ENG-1", "AC-ENG-2"))
