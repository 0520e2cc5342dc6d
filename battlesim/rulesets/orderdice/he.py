"""Shells that burst: hits, pins, damage, falling houses (OD-HE, OD-HOUSE-HE, OD-EMPTY-1, OD-HOUSE-EMPTY).

A volley pushes one `Shell` step for each group of guns; each shell that hits asks its target whether it goes down and then
bursts (`Burst`). Strikes and barrages use `roll_hits`, `suffer` and `bring_down` of this module. Read `SHELLS`, then `shell`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.events import Fact
from battlesim.core.geometry import INCH
from battlesim.core.items import Item, Step
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import collapse, fire, ground, losses, morale, react
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.model import DOWN, own, type_of


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
BLOWS_DOWN = 3
"""Shells of this class or more, 2D6 hits and up, can bring a house down (OD-HE-5)."""


class Shell(Step, frozen=True):
    """A group of guns or mortars rolls to hit `target` (-1: nobody) at `place`."""

    unit: int
    target: int
    place: int
    weapon: str
    number: int
    shots: int
    need: int
    distance: int
    indirect: bool = False


class Burst(Step, frozen=True):
    """A shell of class `he` bursts in a space. `source` and `attempt` key its dice; `target`: the unit shot at, whose losses
    whoever shot will have tested (-1: every unit caught is tested here)."""

    source: int
    place: int
    he: int
    attempt: int
    target: int = -1
    indirect: bool = False


class Shelled(Fact, frozen=True):
    """Guns or mortars fired at a unit (-1: none) in a space: `hits` of `shots` shells, at what range, needing what."""

    unit: int
    target: int
    place: int
    weapon: str
    shots: int
    need: int
    hits: int
    range: int
    indirect: bool


class Blasted(Fact, frozen=True):
    """A burst caught a unit (-1: an empty floor): `hits` as rolled, `taken` after halving for Down, damage rolls that counted,
    pins. `source`: who called or fired it."""

    source: int
    unit: int
    place: int
    he: int
    hits: int
    taken: int
    damage: int
    pins: int


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
    r: Resolution, target: int, he: int, hits: int, source: int, attempt: int = 0, clauses: Clauses = ()
) -> int:
    """One unit suffers so many hits of one burst: pins by class, half the hits where it is Down, damage that no extra protection
    and no gun shield makes harder; nobody in a bunker is hurt. Models lost. Vehicles go to their own chapter."""
    state = r.state
    unit = state.units[target]
    if not unit.alive or unit.place < 0:
        return 0
    if type_of(unit).vehicle:
        return _strike_vehicle(r, target, he, hits, source, attempt)
    pins = roll_pins(r, he, source, target, attempt)
    taken = hits
    if own(unit).order == DOWN:
        taken = (hits + 1) // 2
        clauses = (*clauses, "OD-HE-3")
    damage = 0
    if ground.in_bunker(r.board, unit):
        clauses = (*clauses, "OD-BUNK-3")
        taken = 0
    else:
        if ground.inside(r.board, unit) or type_of(unit).shield:
            clauses = (*clauses, "OD-HE-4", "OD-AT-5")
        need = fire.damage_need(own(unit).quality, SHELLS[he].penetration, False)
        damage = r.count(taken, need, "shell damage", source, target, attempt, clauses=("OD-HOUSE-DAMAGE",))
    r.because(Blasted(source, target, unit.place, he, hits, taken, damage, pins, clauses=clauses))
    morale.add_pins(r, target, pins)
    if not r.state.units[target].alive:
        return 0
    return losses.lose(r, target, damage, "shelled", ("OD-HOUSE-HE", "OD-HOUSE-DAMAGE"))


def _strike_vehicle(r: Resolution, target: int, he: int, hits: int, source: int, attempt: int) -> int:
    """A burst strikes a vehicle; the chapter on vehicles says what comes of it."""
    return 0


def bring_down(r: Resolution, section: int, hits: int, clauses: Clauses = ()) -> bool:
    """Brings a section down where so many hits of one attack, before halving, are enough: ten, or twelve for a bunker. Whether it
    fell."""
    if not collapse.is_standing(r.state, section) or not collapse.brings_down(r.board, section, hits):
        return False
    if r.board.sections[section].kind == "bunker":
        clauses = (*clauses, "OD-BUNK-3")
    collapse.collapse(r, section, "buried", clauses, hits)
    return True


# ---- from the shot to the burst ------------------------------------------------------------------------------------------


def shell(r: Resolution, step: Shell) -> None:
    """Roll to hit; each shell that hits bursts where the target is."""
    state = r.state
    unit = state.units[step.unit]
    if not unit.alive or (step.target >= 0 and not state.units[step.target].alive):
        return
    clauses = shot_clauses(r.board, step)
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
            step.indirect,
            clauses=clauses,
        )
    )
    todo: list[Item] = []
    for shot in range(hits):
        todo += burst_steps(
            r.state, step.unit, step.place, WEAPONS[step.weapon].he, step.number * 10 + shot, step.target
        )
    r.then(*todo)


def shot_clauses(board: Board, step: Shell) -> Clauses:
    """The clauses that bear on the shot itself."""
    clauses: Clauses = ("OD-HOUSE-SHOOT", "OD-HOUSE-HE")
    if board.spaces[step.place].kind == "floor":
        clauses += ("OD-HE-1", "OD-AT-2")
    if step.target < 0:
        clauses += ("OD-EMPTY-1", "OD-HOUSE-EMPTY")
    return clauses


def burst_steps(state: State, source: int, place: int, he: int, attempt: int, target: int = -1) -> list[Item]:
    """What a shell that hits takes, in order: whoever is in the space may go down before the number of hits is rolled
    (OD-HE-3), then it bursts."""
    todo: list[Item] = []
    for number in state.at.get(place, ()):
        unit = state.units[number]
        if react.may_go_down(state, unit):
            todo.append(react.GoDown(number, source, side=unit.side))
    todo.append(Burst(source, place, he, attempt, target))
    return todo


def caught(state: State, board: Board, place: int, he: int) -> list[int]:
    """The units that a burst in a space catches, by id: on a floor whoever is there; outdoors all within half the diameter,
    friend or foe, but nobody in a building (OD-HOUSE-HE, OD-HE-6)."""
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


def burst(r: Resolution, step: Burst) -> None:
    """A shell bursts: every unit caught rolls its own hits; a house or bunker may come down."""
    state, board = r.state, r.board
    section = ground.section_of(board, step.place)
    clauses: Clauses = ("OD-HOUSE-HE",)
    if section is not None:
        if not collapse.is_standing(state, section.id):
            return
        clauses += ("OD-HE-2",)
    units = caught(state, board, step.place, step.he)
    if section is not None and not units:
        hits = roll_hits(r, step.he, step.source, -1, step.attempt, (*clauses, "OD-HOUSE-EMPTY"))
        r.because(
            Blasted(step.source, -1, step.place, step.he, hits, 0, 0, 0, clauses=(*clauses, "OD-HOUSE-EMPTY"))
        )
        _may_fall(r, section.id, step.he, hits)
    tests: list[Item] = []
    for number in units:
        hits = roll_hits(r, step.he, step.source, number, step.attempt, clauses)
        if section is not None and _may_fall(r, section.id, step.he, hits):
            return
        before = r.state.units[number].models
        suffer(r, number, step.he, hits, step.source, step.attempt, clauses)
        if number != step.target:
            tests.append(morale.AfterAttack(step.source, number, before))
    r.then(*tests)


def _may_fall(r: Resolution, section: int, he: int, hits: int) -> bool:
    """One shell brings a house down by ten hits if it is heavy enough, a bunker by twelve (OD-HE-5, OD-BUNK-3)."""
    return he >= BLOWS_DOWN and bring_down(r, section, hits, ("OD-HE-5",))


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
