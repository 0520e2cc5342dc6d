"""Leadership: panic, rallying, the general and the army standard (RG-PSY-1, RG-HOUSE-AURA, RG-HOUSE-FLEE, RG-RES-1).

Read `leadership`, then `panic`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import facts, ground, rooms, rout
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.facts import Tested
from battlesim.rulesets.regiment.model import attempt, flees, leads, type_of, unit_state

AURA = 12 * INCH
"""The range of the general and the army standard (RG-HOUSE-AURA)."""
QUARTER = 4
"""A unit tests panic when shooting has taken one in this many of its models (RG-HOUSE-SHOOT)."""


class Panic(Step, frozen=True):
    """A unit tests panic; `walls`: because its building was struck (RG-SHOOT-4), else because of its losses."""

    unit: int
    source: int
    walls: bool = False


class Rally(Step, frozen=True):
    """A fleeing unit tries to rally as its turn begins."""

    unit: int


def aura(state: State, board: Board, unit: Unit, trait: str) -> bool:
    """Whether the general or the bearer of the army standard affects a unit: within 12 inches, not fleeing, neither of them in a
    building (RG-HOUSE-AURA, RG-RES-1)."""
    if not ground.outdoors(board, unit.place):
        return False
    for other in state.units.values():
        if (
            other.side == unit.side
            and other.place >= 0
            and getattr(type_of(other), trait)
            and not flees(state, other)
            and ground.outdoors(board, other.place)
            and (other.place == unit.place or board.distance(unit.place, other.place) <= AURA)
        ):
            return True
    return False


GENERALS = frozenset(kind.name for kind in TYPES.values() if kind.general)


def leadership(state: State, board: Board, unit: Unit) -> tuple[int, Clauses]:
    """The value a unit tests against, and its clauses: its own Ld, or the general's if that is better and affects it."""
    kind = type_of(unit)
    best = kind.ld
    for number in state.alive[unit.side]:
        other = state.units[number]
        if other.kind in GENERALS and other.place >= 0:
            if type_of(other).ld <= best or other.id == unit.id:
                continue
            if aura(state, board, unit, "general"):
                return type_of(other).ld, ("RG-HOUSE-AURA",)
            if not ground.outdoors(board, unit.place):
                return best, ("RG-RES-1",)
    return best, ()


def is_stubborn(unit: Unit) -> bool:
    """Whether a unit is stubborn by its kind."""
    return type_of(unit).stubborn


def shelters(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit is in a building that is not unstable (RG-PSY-1, RG-UNST-1)."""
    room = ground.room_of(board, unit)
    return room is not None and not rooms.is_unstable(state, room)


def lost_a_quarter(unit: Unit) -> bool:
    """Whether a unit has lost a quarter of its models to shooting in this phase and has not tested for it."""
    shot = unit_state(unit).shot
    return shot > 0 and shot * QUARTER >= unit.models + shot


def after_shooting(r: Resolution, number: int, source: int) -> None:
    """A unit that lost a quarter of its models to shooting tests panic, once a phase, unless it already flees."""
    unit = r.state.units[number]
    if not unit.alive or unit.own.fleeing or not lost_a_quarter(unit):
        return
    r.set(number, ("RG-HOUSE-SHOOT",), shot=-1)
    r.then(Panic(number, source))


def panic(r: Resolution, step: Panic) -> None:
    """2D6 <= Ld, or the unit flees. Units in contact do not test for losses; a sound building makes units immune (RG-PSY-1)."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit_state(unit).fleeing:
        return
    clauses: Clauses = ("RG-SHOOT-4", "RG-HOUSE-WALLS") if step.walls else ("RG-HOUSE-SHOOT",)
    why = "walls" if step.walls else "panic"
    if type_of(unit).immune or (unit_state(unit).foes and not step.walls):
        return
    if shelters(r.state, r.board, unit):
        r.emit(facts.Unshaken(unit=unit.id, place=unit.place, clauses=("RG-PSY-1",)))
        return
    if not ground.outdoors(r.board, unit.place):
        clauses += ("RG-UNST-1",)
    goal, more = leadership(r.state, r.board, unit)
    rolled = r.total(2, 6, why, unit.id, step.source, attempt(r.state))
    passed = rolled <= goal
    r.because(Tested(unit.id, rolled, goal, passed, why, clauses=clauses + more))
    if not passed:
        rout.take_flight(r, unit, step.source)


def rally(r: Resolution, step: Rally) -> None:
    """2D6 <= Ld: the unit rallies, and can only reform this turn."""
    unit = r.state.units[step.unit]
    if not leads(unit) or not unit_state(unit).fleeing:
        return
    goal, more = leadership(r.state, r.board, unit)
    rolled = r.total(2, 6, "rally", unit.id, -1, attempt(r.state))
    passed = rolled <= goal
    clauses: Clauses = ("RG-HOUSE-FLEE", *more)
    r.because(Tested(unit.id, rolled, goal, passed, "rally", clauses=clauses))
    if passed:
        r.set(unit.id, clauses, fleeing=False, rallied=True)


CHAPTER = Chapter(
    owns=("RG-PSY-1", "RG-HOUSE-AURA"),
    steps={Panic: panic, Rally: rally},
)
