"""Infantry against vehicles in contact, overruns of men by vehicles, rams.

OD-HOUSE-TANKFIGHT, OD-HOUSE-RAM. All are answers of `move.WhereTo` to a Run; `contact.charge` finds the way into contact. Read
`begin`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.items import Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    assault,
    casualties,
    contact,
    facts,
    facts_vehicles,
    ground,
    morale,
    vehicles,
)
from battlesim.rulesets.orderdice.data import UnitType
from battlesim.rulesets.orderdice.model import RUN, type_of, unit_state
from battlesim.rulesets.orderdice.walk import Walk

GRENADES, CARRIER = 1, 6
"""The bonus of infantry to its D6 against armour: usual, and of units with anti-tank weapons for contact."""
STILL, MOVING = 4, 6
"""The roll a model needs to hit a vehicle that has not moved this turn, and one that has."""
TWO_ROLLS = vehicles.TWO_ROLLS
FIGHT: Clauses = ("OD-HOUSE-TANKFIGHT",)
RAM: Clauses = ("OD-HOUSE-RAM",)


class TankAssault(Step, frozen=True):
    """Infantry in contact attacks a vehicle, which does not strike back."""

    unit: int
    target: int


class TankBeaten(Step, frozen=True):
    """If the vehicle was lost, the infantry has won and may regroup."""

    unit: int
    target: int


class DriveOver(Step, frozen=True):
    """A vehicle drives over the unit in the space it came for."""

    unit: int
    target: int
    place: int


class Ram(Step, frozen=True):
    """A vehicle runs into another."""

    unit: int
    target: int


def targets(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies a vehicle can run into: vehicles to ram, infantry and artillery in the open to drive over; by id."""
    if unit_state(unit).immobile:
        return []
    return contact.targets(state, board, unit)  # no vehicle's way leads into a building


def begin(r: Resolution, unit: Unit, target: Unit) -> None:
    """A Run into contact with a vehicle on either side, in rulebook order: reaction fire at attacking infantry, the way into
    contact, the clash."""
    route = contact.charge(r.state, r.board, unit, target)
    assert route is not None  # the answer was legal
    todo: list[Item] = []
    last: Step
    begun: type[facts.Assault | facts_vehicles.Rams | facts_vehicles.DrivesAt]
    clauses = FIGHT
    if type_of(unit).infantry:
        last, begun = TankAssault(unit.id, target.id), facts.Assault
        clauses += ("OD-HOUSE-CLOSE",)
        if ground.inside(r.board, unit):
            clauses += ("OD-LEAVE-2",)
        if assault.may_react(r.state, r.board, unit, target, route):
            todo.append(assault.ReactFire(target.id, unit.id, side=target.side))
    elif type_of(target).vehicle:
        last, begun, clauses = Ram(unit.id, target.id), facts_vehicles.Rams, RAM
    else:
        last, begun = DriveOver(unit.id, target.id, target.place), facts_vehicles.DrivesAt
    r.because(begun(unit=unit.id, other=target.id, place=target.place, number=route.length, clauses=clauses))
    r.set(unit.id, clauses, moved=True, opening=-1)
    r.then(*todo, Walk(unit.id, route.path[:-1]), last)


def _in_contact(r: Resolution, unit: Unit, target: Unit) -> bool:
    """Whether a unit that ran at a target has reached it: alive, not halted on the way, next to a target that is still there."""
    if not (unit.alive and target.alive) or unit.place < 0 or target.place < 0:
        return False
    if unit_state(unit).order != RUN or unit_state(unit).immobile:
        return False
    return any(near == target.place for near, _ in r.board.exits[unit.place])


# ---- infantry against a vehicle --------------------------------------------------------------------------------------


def needed(target: Unit) -> int:
    """The roll a model needs to hit a vehicle."""
    return MOVING if unit_state(target).moved else STILL


def penetration(kind: UnitType) -> int:
    """The bonus of a type of infantry to its D6 against armour, in contact."""
    return CARRIER if kind.anti_tank else GRENADES


def tank_assault(r: Resolution, step: TankAssault) -> None:
    """Each model attacks once; each hit rolls against the plain armour value, from any side."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not _in_contact(r, unit, target):
        return
    hits = r.count(unit.models, needed(target), "tank assault", unit.id, target.id, clauses=FIGHT)
    r.because(
        facts_vehicles.TankAssault(
            unit=unit.id, other=target.id, place=target.place, number=hits, clauses=FIGHT
        )
    )
    cause = r.cause
    vehicles.hit(r, unit.id, target.id, hits, penetration(type_of(unit)), vehicles.FRONT, clauses=FIGHT)
    r.then(TankBeaten(unit.id, target.id, cause=cause))  # after passengers have bailed out


def tank_beaten(r: Resolution, step: TankBeaten) -> None:
    """Infantry that has destroyed a vehicle has won and may regroup."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if unit.alive and unit.place >= 0 and not target.alive:
        r.because(facts.Won(unit=unit.id, other=target.id, clauses=(*FIGHT, "OD-HOUSE-CLOSE")))
        assault.roll_regroup(r, unit, target.id)


# ---- a vehicle into others -------------------------------------------------------------------------------------------


def drive_over(r: Resolution, step: DriveOver) -> None:
    """The unit tests morale. If it fails, it is destroyed and the vehicle takes its place; if it passes, the vehicle stops before
    it."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not _in_contact(r, unit, target) or target.place != step.place:
        return
    if morale.check(r, target, "overrun", unit.id, clauses=(*FIGHT, "OD-HOUSE-MORALE")):
        return
    r.because(facts_vehicles.DrivenOver(unit=target.id, other=unit.id, place=target.place, clauses=FIGHT))
    casualties.destroy(r, target.id, "driven over", FIGHT)
    # The place of the unit driven over is a space of the move: units in Ambush may fire there, too (OD-HOUSE-REACT).
    r.then(Walk(unit.id, (unit.place, step.place), clauses=FIGHT))


def outcome(mine: int, theirs: int) -> tuple[int, int, bool]:
    """The result of two ram totals: (rolls on the damage table for the first, for the second, whether they are superficial)."""
    if mine == theirs:
        return 1, 1, True
    rolls = 2 if abs(mine - theirs) >= TWO_ROLLS else 1
    return (rolls, 0, False) if mine < theirs else (0, rolls, False)


def ram(r: Resolution, step: Ram) -> None:
    """Each totals armour + D6; the lower one suffers, or both if they are equal; survivors take a pin."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not _in_contact(r, unit, target):
        return
    mine = type_of(unit).armour + r.total(1, 6, "ram", unit.id, target.id, clauses=RAM)
    theirs = type_of(target).armour + r.total(1, 6, "rammed", target.id, unit.id, clauses=RAM)
    r.because(
        facts_vehicles.Ram(
            unit=unit.id, other=target.id, place=target.place, number=mine - theirs, clauses=RAM
        )
    )
    to_me, to_them, superficial = outcome(mine, theirs)
    vehicles.damage(r, unit.id, target.id, to_them, superficial, 0, vehicles.RAMS)
    vehicles.damage(r, target.id, unit.id, to_me, superficial, 0, vehicles.RAMMED)
    morale.add_pins(r, target.id, 1, RAM)
    morale.add_pins(r, unit.id, 1, RAM)


CHAPTER = Chapter(
    owns=("OD-HOUSE-TANKFIGHT", "OD-HOUSE-RAM"),
    steps={TankAssault: tank_assault, TankBeaten: tank_beaten, DriveOver: drive_over, Ram: ram},
)
