"""War engines and similar weapons: a shot's course, cannon, bolts (RG-SHOOT-3..6, RG-HOUSE-ENGINES, RG-HOUSE-AIM, RG-HOUSE-CREW).

Read `fire`. A shot flies along the straight line from the engine through its target; lengths along it are hundredths. Templates
are in `templates.py`, the effects of hits in `battery.py`.
"""

from __future__ import annotations

from battlesim.core.items import Step
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import (
    ballistics,
    battery,
    casualties,
    facts_buildings,
    facts_fire,
    form,
    ground,
    line_of_sight,
    morale,
    targets,
)
from battlesim.rulesets.regiment.battery import artillery_length, discharge, shake_walls, strike
from battlesim.rulesets.regiment.data import WEAPONS, Weapon
from battlesim.rulesets.regiment.model import FLANK, attempt, leads, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room
from battlesim.rulesets.regiment.tables import NEVER, save_need, wound_need
from battlesim.rulesets.regiment.templates import breath, flame, stone


class Fire(Step, frozen=True):
    """An engine, bolt thrower or breath weapon shoots at a target."""

    unit: int
    target: int


class Panicked(Step, frozen=True):
    """After a shot: units that lost a quarter test, by id."""

    source: int


def fire(r: Resolution, step: Fire) -> None:
    """The shot, by its weapon; then all units that lost a quarter of their models to it test panic."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not unit.alive or unit.place < 0 or not target.alive or target.place < 0:
        return
    weapon = WEAPONS[type_of(unit).weapon]
    tests = Panicked(unit.id, cause=r.cause)
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
    r.then(tests)


def panicked(r: Resolution, step: Panicked) -> None:
    """Units test in the order of their ids."""
    for unit in list(r.state.units.values()):
        if leads(unit) and unit_state(unit).shot > 0:
            morale.after_shooting(r, unit.id, step.source)


# ---- cannon ---------------------------------------------------------------------------------------------------------


def cannon(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """Aimed short, the ball lands as many inches further on as the die says, and bounces."""
    board, now = r.board, attempt(r.state)
    clauses: Clauses = ("RG-HOUSE-ENGINES", "RG-HOUSE-AIM")
    flies = discharge(r, unit, target, clauses)
    if not flies:
        return
    here, there = unit.place, target.place
    first, section = ballistics.falls(board, here, there, flies)
    if section is not None:
        room = ballistics.struck_room(board, section, True)
        hit_house(r, unit, weapon, room, facts_buildings.StruckByBall, clauses)
        shake_walls(r, unit, room)
        return
    face = r.roll(1, 6, "bounce", unit.id, target.id, now)[0]
    last, section = ballistics.bounces(board, here, there, first, artillery_length(face))
    line = ballistics.on_line(r.state, board, board.spaces[here].point, board.spaces[there].point)
    met = [number for on, number in line if ballistics.is_met(on, first, last)]
    for number in met:
        other = r.state.units[number]
        if not other.alive:
            continue
        flank = ground.arc_of(board, other, unit.place) == FLANK
        models = form.front(other) if flank else form.ranks(other, None)
        strike(r, unit, other, models, weapon.strength, "ball", clauses, many=True)
    if section is not None:
        hit_house(
            r, unit, weapon, ballistics.struck_room(board, section, False), facts_buildings.BouncedIn, clauses
        )
    elif not met:
        r.emit(facts_fire.Missed(unit=unit.id, other=target.id, clauses=clauses))


def hit_house(
    r: Resolution,
    unit: Unit,
    weapon: Weapon,
    room: Room,
    how: type[facts_buildings.StruckByBall | facts_buildings.BouncedIn],
    clauses: Clauses,
) -> None:
    """A ball hits D3 of the garrison (RG-SHOOT-3)."""
    clauses += ("RG-SHOOT-3", "RG-SHOOT-5") if room.tall else ("RG-SHOOT-3",)
    r.because(how(unit=unit.id, place=room.place, section=room.section, clauses=clauses))
    held = battery.garrison_in(r, room)
    if held is None:
        return
    models = r.roll(1, 3, "ball models", unit.id, held.id, attempt(r.state))[0]
    strike(r, unit, held, min(models, held.models), weapon.strength, "ball", clauses, many=True)


# ---- bolts ----------------------------------------------------------------------------------------------------------


def bolt(r: Resolution, unit: Unit, target: Unit, weapon: Weapon) -> None:
    """One shot by BS, one wound; each model killed lets it through to the next rank at one less strength, to wound and against
    armour (RG-HOUSE-ENGINES). A garrison has as many ranks as it counts in close combat (RG-SHOOT-3, RG-RES-2)."""
    board, now = r.board, attempt(r.state)
    far = line_of_sight.distance_to(board, unit, target)
    if far is None:
        return
    clauses: Clauses = ("RG-HOUSE-ENGINES", *targets.clauses_of(r, unit, target))
    goal = targets.need(board, unit, target, weapon, far)
    hit = casualties.hits(r, 1, goal, "bolt", unit.id, target.id)
    r.because(facts_fire.Bolt(unit=unit.id, other=target.id, number=hit, clauses=clauses))
    if not hit:
        return
    room = ground.room_of(board, target)
    if room is not None:
        clauses += ("RG-SHOOT-3", "RG-RES-2")
    kind = type_of(target)
    wounds = 0
    for rank in range(form.ranks(target, room)):
        strength = weapon.strength - rank
        if strength <= 0:
            break
        if not r.count(1, wound_need(strength, kind.t), f"bolt wound {rank}", unit.id, target.id, now):
            break
        save = save_need(kind.save, strength)
        if save < NEVER and r.count(1, save, f"bolt save {rank}", unit.id, target.id, now):
            break
        if kind.ward and r.count(1, kind.ward, f"bolt ward {rank}", unit.id, target.id, now):
            break
        wounds += 1
        if (unit_state(target).wounds + wounds) % kind.w:
            break  # it sticks in a model that is only wounded
    killed = (unit_state(target).wounds + wounds) // kind.w
    r.because(facts_fire.Pierced(unit=unit.id, other=target.id, number=killed, clauses=clauses))
    casualties.wounds_by_shooting(r, target, wounds, clauses)


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
