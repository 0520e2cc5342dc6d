"""Tanks that drive into buildings (OD-TANK-1..7, OD-BUNK-4; the totals of OD-HOUSE-RAM).

An answer to `move.WhereTo` for a Run: `TargetSpace` names the ground floor of the section. The clause names wood and brick only,
so a tank cannot drive into houses of stone or concrete, fortifications or bunkers; nor into burning houses or those that hold its
own side. A shed stops no tank. Read `targets` and `crash`.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.geometry import distance, facing_towards
from battlesim.core.items import Step
from battlesim.core.state import State, Unit, burning, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    ambush,
    collapse,
    facts_vehicles,
    ground,
    morale,
    tankfight,
    vehicles,
)
from battlesim.rulesets.orderdice.data import UnitType
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.model import DOWN, RUN, type_of, unit_state
from battlesim.rulesets.orderdice.walk import Walk

HEAVY, TANK = 10, 8
"""The least armour of a tank that can bring a house down, and of any tank."""
DICE: dict[str, int] = {"wood": 2, "brick": 3}
"""The number of D6 in a building's total, by material (OD-TANK-1)."""
WOOD = "wood"
DRIVES: Clauses = ("OD-TANK-1", "OD-HOUSE-RAM")


class Crash(Step, frozen=True):
    """A tank in front of a section drives into it."""

    unit: int
    section: int


class Drive(Struct, frozen=True):
    """How a tank gets into a section: the spaces it passes to the one before it, and the length into its middle."""

    path: tuple[int, ...]
    length: int


# ---- where a tank can drive ------------------------------------------------------------------------------------------


def is_tank(kind: UnitType) -> bool:
    """Whether a type of vehicle is a tank: tracked and armoured, from light to super-heavy."""
    return kind.drive == "tracked" and kind.armour >= TANK


def can_ram(kind: UnitType, section: Section) -> bool:
    """Whether a type of vehicle may drive into a section at all: heavy tanks into wood and brick (OD-TANK-1), any tank into a
    shed (OD-TANK-7), none into a bunker or other fortification (OD-TANK-2, OD-BUNK-4)."""
    if not is_tank(kind) or section.kind == "bunker":
        return False
    return section.kind == "shed" or (kind.armour >= HEAVY and section.material in DICE)


def is_shack(board: Board, section: Section) -> bool:
    """Whether a section is a whole wooden building of one floor (OD-HOUSE-INSIDE); a flat roof is a floor, too (OD-ORDER-4)."""
    return section.material == WOOD and section.top == 0 and len(board.buildings[section.building]) == 1


def drive(state: State, board: Board, unit: Unit, section: Section) -> Drive | None:
    """The shortest way of a Run into a standing section: to free ground before it, and from there to its middle; None if it is
    too far."""
    down, shut = fallen(state), ground.enemy_places(state, unit.side)
    mode = ground.modes(type_of(unit), RUN)[0]  # no road leads into a house: the road pace does not count
    lengths = ground.reach(state, board, unit, mode, shut)
    best: tuple[int, int] | None = None
    for near, number in board.exits[section.ruin]:
        way = board.ways[number]
        if board.spaces[near].kind != "ground" or way.water:
            continue
        if any(other != section.id and other not in down for other in way.sections):
            continue
        start = near == unit.place
        before = 0 if start else lengths.get(near)
        if before is None or not (start or ground.holds(state, near)):
            continue
        # The rubble that will make the way rough is not there yet.
        length = before + (way.length * 2 if way.obstacle else way.length)
        if length <= mode.options[0].limit and (best is None or (length, near) < best):
            best = (length, near)
    if best is None:
        return None
    length, near = best
    if near == unit.place:
        return Drive((near,), length)
    return Drive(ground.path(state, board, unit, mode, near, shut), length)


def targets(state: State, board: Board, unit: Unit) -> list[int]:
    """The ground floors of sections that a tank can drive into by Run, by section."""
    kind = type_of(unit)
    if not is_tank(kind) or unit_state(unit).immobile or unit.place < 0:
        return []
    gone = fallen(state) | burning(state)
    longest = ground.modes(kind, RUN)[0].options[0].limit
    point = board.spaces[unit.place].point
    found: list[int] = []
    for section in board.sections:
        if section.id in gone or not can_ram(kind, section):
            continue
        if distance(point, board.spaces[section.ruin].point) > longest or _holds_friends(
            state, section, unit.side
        ):
            continue
        if drive(state, board, unit, section):
            found.append(section.spaces[0])
    return found


def refused(state: State, board: Board, unit: Unit) -> int:
    """How many bunkers a heavy tank could drive into by Run, were it allowed (OD-TANK-2, OD-BUNK-4)."""
    kind = type_of(unit)
    if not is_tank(kind) or kind.armour < HEAVY or unit_state(unit).immobile:
        return 0
    gone = fallen(state)
    return sum(
        section.kind == "bunker"
        and section.id not in gone
        and not _holds_friends(state, section, unit.side)
        and drive(state, board, unit, section) is not None
        for section in board.sections
    )


def _holds_friends(state: State, section: Section, side: int) -> bool:
    return any(state.units[u].side == side for place in section.spaces for u in state.at.get(place, ()))


def begin(r: Resolution, unit: Unit, place: int) -> None:
    """A tank drives up to a section, and into it."""
    section = r.board.sections[r.board.spaces[place].section]
    way = drive(r.state, r.board, unit, section)
    assert way is not None  # the answer was legal
    clauses: Clauses = ("OD-TANK-7",) if section.kind == "shed" else DRIVES
    r.because(
        facts_vehicles.DrivesInto(
            unit=unit.id, place=place, section=section.id, number=way.length, clauses=clauses
        )
    )
    r.set(unit.id, clauses, moved=True)
    r.then(Walk(unit.id, way.path), Crash(unit.id, section.id))


# ---- the crash -------------------------------------------------------------------------------------------------------


def crash(r: Resolution, step: Crash) -> None:
    """Tank against building, as a ram: armour + D6 against 2D6 or 3D6."""
    unit = r.state.units[step.unit]
    section = r.board.sections[step.section]
    if (
        not unit.alive
        or unit_state(unit).immobile
        or unit_state(unit).order != RUN
        or step.section in fallen(r.state)
    ):
        return
    if all(near != unit.place for near, _ in r.board.exits[section.ruin]):
        return
    if section.kind == "shed":
        _fells(r, unit, section, ("OD-TANK-7",))
        _met_in_the_rubble(r, unit.id)
        return
    mine = type_of(unit).armour + r.total(1, 6, "crash", unit.id, section.id, clauses=DRIVES)
    theirs = r.total(DICE[section.material], 6, "building", section.id, unit.id, clauses=DRIVES)
    to_tank, to_house, superficial = tankfight.outcome(mine, theirs)
    clauses: Clauses = ("OD-TANK-5",) if mine > theirs else ("OD-TANK-3",)
    if mine < theirs and is_shack(r.board, section):
        clauses += ("OD-HOUSE-INSIDE",)
    if mine == theirs:
        clauses = ("OD-TANK-4", "OD-TANK-7")
    r.because(
        facts_vehicles.Crash(
            unit=unit.id, section=section.id, number=mine - theirs, clauses=(*DRIVES, *clauses)
        )
    )
    if to_house:
        _fells(r, unit, section, clauses)
        _halt(r, unit, clauses)
    if to_tank:
        # A shack gives way before it can do more damage.
        if mine < theirs and is_shack(r.board, section):
            to_tank, superficial = 1, True
        vehicles.damage(r, unit.id, unit.id, to_tank, superficial, section.id, vehicles.CRASH)
    if r.state.units[unit.id].alive:
        morale.add_pins(r, unit.id, 1, ("OD-TANK-6",))
    if to_house:
        _met_in_the_rubble(r, unit.id)


def _fells(r: Resolution, unit: Unit, section: Section, clauses: Clauses) -> None:
    """The section falls as under a shell, and the tank stands in its ruin."""
    collapse.collapse(r, section.id, "buried", (*clauses, "OD-HE-5"))
    here, there = r.board.spaces[unit.place].point, r.board.spaces[section.ruin].point
    facing = facing_towards(here, there)
    r.move(unit, (unit.place, section.ruin), clauses, facing=facing)


def _met_in_the_rubble(r: Resolution, tank: int) -> None:
    """The rubble is a space of the tank's move, so units in Ambush may fire there (OD-HOUSE-REACT)."""
    unit = r.state.units[tank]
    if unit.alive:
        r.then(*ambush.interrupts(r.state, r.board, unit))


def _halt(r: Resolution, unit: Unit, clauses: Clauses) -> None:
    """The tank's die is turned to Down."""
    r.emit(Ordered(unit.id, DOWN, "halted", clauses=clauses))
    r.set(unit.id, clauses, order=DOWN)


CHAPTER = Chapter(
    owns=(
        "OD-TANK-1",
        "OD-TANK-2",
        "OD-TANK-3",
        "OD-TANK-4",
        "OD-TANK-5",
        "OD-TANK-6",
        "OD-TANK-7",
        "OD-BUNK-4",
    ),
    steps={Crash: crash},
)
