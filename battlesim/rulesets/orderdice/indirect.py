"""Indirect fire: mortars, and howitzers that do not see their target (OD-IND-1..3, the ranging of OD-HOUSE-HE).

Possible targets are in `bearings.py` (`lobbed`), the numbers to hit in `fire.py` (`indirect_need`). A howitzer that sees its
target fires directly; one that does not, or has no opening towards it, fires indirectly. Read `lob`, then `fall`.
"""

from __future__ import annotations

from battlesim.core.items import Item, Step
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import facts_fire, fire, ground, he, vehicles
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.structures import is_standing

BURSTS = 4
"""A shell bursts on the floor it has reached on this or more; on less it drops one floor."""


class Lob(Step, frozen=True):
    """A group of mortars or howitzers fires indirectly at `target` (-1: none) in the space `place`."""

    unit: int
    target: int
    place: int
    weapon: str
    number: int
    shots: int
    need: int
    distance: int


class Fall(Step, frozen=True):
    """A shell of class `he` falls on a section from above. The rest as in `he.Burst`."""

    source: int
    section: int
    he: int
    attempt: int
    target: int = -1


def lob(r: Resolution, step: Lob) -> None:
    """Roll to hit without modifiers; record the ranging shot (`UnitState.aim`); shells that hit come down."""
    state = r.state
    unit = state.units[step.unit]
    if not unit.alive or (step.target >= 0 and not state.units[step.target].alive):
        return
    clauses: Clauses = ("OD-IND-1", "OD-HOUSE-HE", "OD-HOUSE-SIGHT", *he.empty_clauses(step.target))
    hits = fire.roll_hits(r, unit.id, step.target, step.number, step.shots, step.need, clauses)
    r.because(
        facts_fire.Shelled(
            unit.id,
            step.target,
            step.place,
            step.weapon,
            step.shots,
            step.need,
            hits,
            step.distance,
            True,
            clauses=clauses,
        )
    )
    aim = unit_state(unit).aim
    shots = aim[3] if aim[:3] == (step.target, unit.place, step.place) else 0
    r.set(unit.id, ("OD-HOUSE-HE",), aim=(step.target, unit.place, step.place, shots + 1))
    section = ground.section_of(r.board, step.place)
    shell = WEAPONS[step.weapon].he
    todo: list[Item] = []
    for shot in range(hits):
        key = he.shell_key(step.number, shot)
        if section is not None:
            todo.append(Fall(unit.id, section.id, shell, key, step.target))
        else:
            todo += he.burst_steps(state, unit.id, step.place, shell, key, step.target, vehicles.TOP)
    r.then(*todo)


def fall(r: Resolution, step: Fall) -> None:
    """The shell bursts on some floor, unless the section has already fallen."""
    if is_standing(r.state, step.section):
        place = floor_hit(r, step.section, step.source, step.attempt)
        clauses: Clauses = ("OD-IND-2",) if place in r.state.at else ("OD-IND-2", "OD-IND-3")
        r.because(facts_fire.CameDown(unit=step.source, place=place, section=step.section, clauses=clauses))
        r.then(*he.burst_steps(r.state, step.source, place, step.he, step.attempt, step.target, vehicles.TOP))


def floor_hit(
    r: Resolution, section: int, source: int, attempt: int = 0, clauses: Clauses = ("OD-IND-2",)
) -> int:
    """The floor (a space) on which a shell or bomb on a section bursts. From the top floor (or flat roof) down: on 4-6 it bursts,
    on 1-3 it drops one floor; on the ground floor it always bursts. `attempt`: below 100,000,000."""
    floors = r.board.sections[section].spaces
    for floor in range(len(floors) - 1, 0, -1):
        if r.count(1, BURSTS, "falls", source, section, attempt * 20 + floor, clauses=clauses):
            return floors[floor]
    return floors[0]


CHAPTER = Chapter(
    owns=("OD-IND-1", "OD-IND-2", "OD-IND-3"),
    steps={Lob: lob, Fall: fall},
)
