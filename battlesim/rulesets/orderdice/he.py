"""Shells that burst: hits, pins, damage, falling houses (OD-HE, OD-HOUSE-HE, OD-EMPTY-1, OD-HOUSE-EMPTY).

A volley pushes one `Shell` step for each group of guns; each shell that hits asks its target whether it goes down and then
bursts (`Burst`). Strikes and barrages use `roll_hits`, `suffer` and `bring_down` of this module. Read `SHELLS`, then `shell`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    bunkers,
    casualties,
    collapse,
    fire,
    ground,
    line_of_sight,
    morale,
    react,
    vehicles,
)
from battlesim.rulesets.orderdice.armament import ARMOURED, BLOWS_DOWN
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled
from battlesim.rulesets.orderdice.model import DOWN, type_of, unit_state
from battlesim.rulesets.orderdice.structures import is_standing


class ShellClass(NamedTuple):
    """One class of shell (OD-HOUSE-HE, OD-HOUSE-PINS): diameter of its burst in hundredths, penetration, `dice` dice of `sides`
    sides of hits, and the sides of the die of pins (1: always one)."""

    diameter: int
    penetration: int
    dice: int
    sides: int
    pins: int


SHELLS: dict[int, ShellClass] = {
    1: ShellClass(1 * INCH, 1, 1, 3, 1),
    2: ShellClass(2 * INCH, 2, 1, 6, 2),
    3: ShellClass(3 * INCH, 3, 2, 6, 3),
    4: ShellClass(4 * INCH, 4, 3, 6, 6),
}


class Shell(Step, frozen=True):
    """A group of guns rolls to hit `target` (-1: none) at `place` by direct fire, from `opening` (-1: none)."""

    unit: int
    target: int
    place: int
    weapon: str
    number: int
    shots: int
    need: int
    distance: int
    opening: int = -1


class Burst(Step, frozen=True):
    """A shell of class `he` bursts in a space. `source` (a unit) and `attempt` key its dice. `target`: the unit shot at, whose
    morale test for losses comes from the volley (-1: every unit caught tests here). `struck`: the face of a vehicle that is hit:
    top for all units caught, other faces for the target only ("": by the source's direction). `far`: long range."""

    source: int
    place: int
    he: int
    attempt: int
    target: int = -1
    struck: str = ""
    far: bool = False


# ---- the parts, for every kind of burst --------------------------------------------------------------------------------


def roll_hits(
    r: Resolution, he: int, source: int, target: int, attempt: int = 0, clauses: Clauses = ("OD-HOUSE-HE",)
) -> int:
    """The hits of one burst on one unit (-1: on an empty floor), before halving: D3, D6, 2D6 or 3D6."""
    shell = SHELLS[he]
    return r.total(shell.dice, shell.sides, "shell hits", source, target, attempt, clauses)


def roll_pins(r: Resolution, he: int, source: int, target: int, attempt: int = 0) -> int:
    """The pins of one burst: 1, D2, D3 or D6 (OD-HOUSE-PINS)."""
    sides = SHELLS[he].pins
    return r.total(1, sides, "shell pins", source, target, attempt) if sides > 1 else 1


def suffer(
    r: Resolution,
    target: int,
    he: int,
    hits: int,
    source: int,
    attempt: int = 0,
    clauses: Clauses = (),
    struck: str = vehicles.TOP,
    far: bool = False,
) -> int:
    """Apply the hits of one burst to a unit: pins by class, half the hits if it is Down, damage without extra protection or gun
    shield, no losses in a bunker. `struck` and `far` only matter for vehicles. Returns the models lost."""
    unit = r.state.units[target]
    if not unit.alive or unit.place < 0:
        return 0
    if type_of(unit).vehicle:
        return _strike_vehicle(r, unit, he, hits, source, attempt, clauses, struck, far)
    pins = roll_pins(r, he, source, target, attempt)
    taken = hits
    if unit_state(unit).order == DOWN:
        taken = (hits + 1) // 2
        clauses = (*clauses, "OD-HE-3")
    damage = 0
    if ground.in_bunker(r.board, unit):
        # Strikes have a clause of their own for bunkers, and name it.
        clauses = clauses if "OD-BUNK-5" in clauses else (*clauses, "OD-BUNK-3")
        taken = 0
    else:
        # Neither a gun shield helps, nor the extra protection of a building.
        if ground.inside(r.board, unit):
            clauses = (*clauses, "OD-HE-4", "OD-AT-5")
        elif type_of(unit).shield:
            clauses = (*clauses, "OD-HE-4")
        penetration = SHELLS[he].penetration
        damage = fire.roll_damage(r, source, unit, attempt, taken, penetration, purpose="shell damage")
    r.because(Blasted(source, target, unit.place, he, hits, taken, damage, pins, clauses=clauses))
    morale.add_pins(r, target, pins)
    if not r.state.units[target].alive:
        return unit.models
    return casualties.lose(r, target, damage, "shelled", ("OD-HOUSE-HE", "OD-HOUSE-DAMAGE"))


def _strike_vehicle(
    r: Resolution,
    unit: Unit,
    he: int,
    hits: int,
    source: int,
    attempt: int,
    clauses: Clauses,
    struck: str,
    far: bool,
) -> int:
    """A burst strikes a vehicle: damage rolls with the shell's penetration against its armour, and pins. 1 if it is lost."""
    pins = roll_pins(r, he, source, unit.id, attempt)
    margins = vehicles.pierce(r, source, unit.id, hits, SHELLS[he].penetration, struck, far, attempt, clauses)
    r.because(Blasted(source, unit.id, unit.place, he, hits, hits, len(margins), pins, clauses=clauses))
    morale.add_pins(r, unit.id, pins)
    vehicles.suffer(r, source, unit.id, margins, attempt)
    return 0 if r.state.units[unit.id].alive else 1


def bring_down(r: Resolution, section: int, hits: int, clauses: Clauses = ()) -> bool:
    """Bring a section down if the hits of one attack, before halving, are enough: ten, or twelve for a bunker. Returns whether it
    fell."""
    if not is_standing(r.state, section) or not collapse.brings_down(r.board, section, hits):
        return False
    collapse.collapse(r, section, "buried", clauses, hits)
    return True


# ---- from the shot to the burst ------------------------------------------------------------------------------------------


def shell(r: Resolution, step: Shell) -> None:
    """Roll to hit; each shell that hits bursts where the target is."""
    state, board = r.state, r.board
    unit = state.units[step.unit]
    if not unit.alive or (step.target >= 0 and not state.units[step.target].alive):
        return
    clauses: Clauses = ("OD-HOUSE-SHOOT", "OD-HOUSE-HE", *line_of_sight.clauses_from(board, unit.place))
    section = ground.section_of(board, step.place)
    if section is not None:
        clauses += ("OD-HE-1", "OD-AT-2")
        clauses += ("OD-BUNK-1",) if bunkers.is_bunker(section) else ()
    clauses += empty_clauses(step.target)
    hits = fire.roll_hits(r, step.unit, step.target, step.number, step.shots, step.need, clauses)
    r.because(
        Shelled(
            step.unit,
            step.target,
            step.place,
            step.weapon,
            step.shots,
            step.need,
            hits,
            step.distance,
            False,
            clauses=clauses,
        )
    )
    weapon, struck, far = WEAPONS[step.weapon], "", False
    if step.target >= 0 and type_of(state.units[step.target]).vehicle:
        target = state.units[step.target]
        struck = vehicles.struck_by(board, unit.place, step.opening, target, weapon, step.distance)
        far = vehicles.is_far(weapon, step.distance)
    todo: list[Item] = []
    for shot in range(hits):
        key = shell_key(step.number, shot)
        todo += burst_steps(state, step.unit, step.place, weapon.he, key, step.target, struck, far)
    r.then(*todo)


def shell_key(number: int, shot: int) -> int:
    """A key that separates the dice of one shell of a volley from all others of the attack."""
    return (number + 1) * 1_000 + shot


def empty_clauses(target: int) -> Clauses:
    """The clauses that allow a shot at an empty building."""
    return ("OD-EMPTY-1", "OD-HOUSE-EMPTY") if target < 0 else ()


def burst_steps(
    state: State,
    source: int,
    place: int,
    he: int,
    attempt: int,
    target: int = -1,
    struck: str = "",
    far: bool = False,
) -> list[Item]:
    """The steps of a shell that hits, in order: units in the space may go Down before the number of hits is rolled (OD-HE-3),
    then it bursts. Arguments as in `Burst`."""
    todo: list[Item] = []
    for number in state.at.get(place, ()):
        unit = state.units[number]
        if react.may_go_down(state, unit):
            todo.append(react.GoDown(number, source, side=unit.side))
    todo.append(Burst(source, place, he, attempt, target, struck, far))
    return todo


def caught(state: State, board: Board, place: int, he: int) -> list[int]:
    """The units that a burst in a space catches, by id: on a floor all units there; outdoors all within half the diameter, friend
    or foe, but none in a building (OD-HOUSE-HE, OD-HE-6)."""
    if board.spaces[place].kind == "floor":
        return list(state.at.get(place, ()))
    half = SHELLS[he].diameter // 2
    found = [
        unit
        for near, units in state.at.items()
        if board.spaces[near].kind != "floor" and board.distance(near, place) <= half
        for unit in units
    ]
    return sorted(found)


def _clips(state: State, board: Board, place: int, he: int) -> bool:
    """Whether a burst outdoors overlaps a building with units inside, which the walls protect (OD-HE-6)."""
    point, half = board.spaces[place].point, SHELLS[he].diameter // 2
    return any(
        board.spaces[near].kind == "floor" and board.gap_to_section(point, board.spaces[near].section) <= half
        for near in state.at
    )


def burst(r: Resolution, step: Burst) -> None:
    """A shell bursts: every unit caught rolls its own hits, an armoured vehicle takes one; a house or bunker may come down."""
    state, board = r.state, r.board
    section = ground.section_of(board, step.place)
    clauses: Clauses = ("OD-HOUSE-HE",)
    if section is not None:
        if not is_standing(state, section.id):
            return
        clauses += ("OD-HE-2",)
    units = caught(state, board, step.place, step.he)
    if section is not None and not units:
        clauses += ("OD-HOUSE-EMPTY",)
        hits = roll_hits(r, step.he, step.source, -1, step.attempt, clauses)
        r.because(Blasted(step.source, -1, step.place, step.he, hits, 0, 0, 0, clauses=clauses))
        _may_fall(r, section.id, step.he, hits)
    elif section is None:
        clauses += ("OD-HOUSE-SIGHT",) if len(units) > 1 else ()
        clauses += ("OD-HE-6",) if _clips(state, board, step.place, step.he) else ()
    tests: list[Item] = []
    shell = r.cause
    for number in units:
        r.cause = shell  # what happens to one unit is not the cause of what happens to the next
        unit = r.state.units[number]
        armour = type_of(unit).armour
        hits = 1
        if armour < ARMOURED:
            hits = roll_hits(r, step.he, step.source, number, step.attempt, clauses)
        if section is not None and _may_fall(r, section.id, step.he, hits):
            return
        struck = step.struck
        if armour and (not struck or (struck != vehicles.TOP and number != step.target)):
            struck = _aspect(state, board, step, unit)
        suffer(r, number, step.he, hits, step.source, step.attempt, clauses, struck, step.far)
        if number != step.target:
            tests.append(morale.AfterAttack(step.source, number, unit.models, step.attempt, cause=r.cause))
    r.then(*tests)


def _aspect(state: State, board: Board, step: Burst, unit: Unit) -> str:
    """The face of a vehicle that a burst meets: the one towards its source, or towards the burst where that is gone."""
    place = state.units[step.source].place
    return vehicles.aspect(board, unit, board.spaces[place if place >= 0 else step.place].point)


def _may_fall(r: Resolution, section: int, he: int, hits: int) -> bool:
    """One shell brings a house down by ten hits if it is heavy enough, a bunker by twelve (OD-HE-5, OD-BUNK-3)."""
    clauses: Clauses = ("OD-BUNK-3",) if bunkers.is_bunker(r.board.sections[section]) else ("OD-HE-5",)
    return he >= BLOWS_DOWN and bring_down(r, section, hits, clauses)


CHAPTER = Chapter(
    owns=(
        "OD-HE-1",
        "OD-HE-2",
        "OD-HE-3",
        "OD-HE-4",
        "OD-HE-5",
        "OD-HE-6",
        "OD-HOUSE-HE",
        "OD-HOUSE-EMPTY",
        "OD-EMPTY-1",
    ),
    steps={Shell: shell, Burst: burst},
)
