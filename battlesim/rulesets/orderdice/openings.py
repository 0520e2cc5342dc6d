"""Openings made and used before the first turn (OD-FROM-5, OD-GUN-1, OD-GUN-2, the set-up of OD-FROM-6).

Each unit that begins inside may make an opening, and a gun or fixed weapon inside is deployed at one. Read `set_up`; `set_up.py`
puts it on the agenda.

A unit's `opening` is a number of the board's openings, -1 for none, or, for the made opening in side s of its floor,
-2 - s (`made_code`).
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, UseOpening
from battlesim.core.events import Placed, StructureSet
from battlesim.core.geometry import INCH, distance, in_arc
from battlesim.core.items import Ask, Item, Step
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Structure, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import facts_buildings, structures
from battlesim.rulesets.orderdice.data import WEAPONS, UnitType
from battlesim.rulesets.orderdice.model import type_of, unit_state

SETUP_PRIORITY = 0
"""Before the turn begins and the dice go into the bag."""
VIEW = 36 * INCH
"""The distance up to which an opening's view is counted."""


class SetUp(Step, frozen=True):
    """Before the first turn: the questions for units that begin inside."""


class MadeOpening(Ask, frozen=True):
    """Has the unit made an opening in a side of its floor that has none? Use names the side; Pass makes none."""

    unit: int


class DeployAt(Ask, frozen=True):
    """At which opening is the gun or fixed weapon deployed?"""

    unit: int


# ---- what can be used ----------------------------------------------------------------------------------------------


def is_fixed(kind: UnitType, models: int) -> bool:
    """Whether a unit has a weapon that is deployed at one opening: a gun, or a fixed weapon of one of its men."""
    return kind.artillery or any(name and WEAPONS[name].fixed for name in kind.slots[:models])


def made_code(side: int) -> int:
    """The code in `UnitState.opening` for the opening made in a side."""
    return -2 - side


def gun_openings(board: Board, place: int) -> tuple[int, ...]:
    """The openings of a floor that a gun or fixed weapon can fire from: in a bunker its slits (OD-BUNK-1), else all."""
    space = board.spaces[place]
    section = board.sections[space.section]
    numbers = section.openings[space.floor]
    if section.kind != "bunker":
        return numbers
    return tuple(number for number in numbers if board.openings[number].kind == "slit")


@owned_memo(bound=10_000)
def view_of(board: Board, place: int, opening: int) -> int:
    """How many outdoor spaces are in view of an opening, within its 90 degree arc and VIEW."""
    hole = board.openings[opening]
    facing = board.sections[hole.section].sides[hole.side].facing
    return sum(
        space.kind == "ground"
        and distance(hole.point, space.point) <= VIEW
        and in_arc(hole.point, facing, space.point)
        and board.sight.sees(place, space.id)
        and any(line.from_opening == opening for line in board.sight.clear_lines(place, space.id))
        for space in board.spaces
    )


# ---- set-up --------------------------------------------------------------------------------------------------------


def asks_of(state: State, board: Board, unit: Unit) -> list[Item]:
    """The set-up questions for a unit: first the made opening, since a gun may use it."""
    if unit.place < 0 or board.spaces[unit.place].kind != "floor" or not unit.alive:
        return []
    space = board.spaces[unit.place]
    asks: list[Item] = []
    # Fire leaves a bunker by its slits only (OD-BUNK-1).
    bunker = board.sections[space.section].kind == "bunker"
    if not bunker and structures.blank_sides(state, board, space.section, space.floor):
        asks.append(MadeOpening(unit.id, side=unit.side))
    if unit_state(unit).opening == -1 and is_fixed(type_of(unit), unit.models):
        asks.append(DeployAt(unit.id, side=unit.side))
    return asks


def set_up(r: Resolution, step: SetUp) -> None:
    """Report closed sections and units that begin inside; then ask the questions, side by side, unit by unit."""
    state, board = r.state, r.board
    for number in sorted(state.structures):
        if structures.is_closed(state, number):
            r.emit(facts_buildings.Closed(section=number, clauses=("OD-SCEN-1",)))
    asks: list[Item] = []
    for side in (0, 1):
        for unit in state.living(side):
            if unit.place >= 0 and board.spaces[unit.place].kind == "floor":
                clauses: Clauses = (
                    ("OD-ENTER-6", "OD-GUN-1") if unit_state(unit).emplaced else ("OD-ENTER-6",)
                )
                section = board.spaces[unit.place].section
                r.emit(
                    facts_buildings.BeginsInside(
                        unit=unit.id, place=unit.place, section=section, clauses=clauses
                    )
                )
                asks += asks_of(state, board, unit)
    r.then(*asks)


def legal_made_opening(state: State, board: Board, ask: MadeOpening) -> Sequence[Answer]:
    """Pass; then the sides without an opening, ascending."""
    space = board.spaces[state.units[ask.unit].place]
    return [Pass(), *map(UseOpening, structures.blank_sides(state, board, space.section, space.floor))]


def resolve_made_opening(r: Resolution, ask: MadeOpening, said: Answer) -> None:
    """Mark the opening; two men may shoot through it, and small arms hit through it."""
    if not isinstance(said, UseOpening):
        return
    place = r.state.units[ask.unit].place
    space = r.board.spaces[place]
    was = r.state.structures.get(space.section, Structure(space.section))
    made = tuple(sorted((*was.own.get("made", ()), (space.floor, said.opening))))
    clauses: Clauses = ("OD-FROM-5",)
    r.because(
        facts_buildings.MadeOpening(
            unit=ask.unit, place=place, section=space.section, number=said.opening, clauses=clauses
        )
    )
    r.emit(StructureSet(space.section, was.fallen, was.burning, {"made": made}, clauses=clauses))


def legal_deploy_at(state: State, board: Board, ask: DeployAt) -> Sequence[Answer]:
    """Openings that fire can leave by, the widest view first, then by number; last, openings made there.

    Pass where there is none at all: the weapon stays silent.
    """
    place = state.units[ask.unit].place
    space = board.spaces[place]
    numbers = sorted(gun_openings(board, place), key=lambda n: (-view_of(board, place, n), n))
    codes = [made_code(side) for side in structures.made(state, space.section, space.floor)]
    return [UseOpening(number) for number in (*numbers, *codes)] or [Pass()]


def resolve_deploy_at(r: Resolution, ask: DeployAt, said: Answer) -> None:
    """The weapon is set up there; without any opening it does not fire."""
    if isinstance(said, UseOpening):
        deploy(r, r.state.units[ask.unit], said.opening)


def deploy(r: Resolution, unit: Unit, opening: int) -> None:
    """A gun or fixed weapon is set up at an opening and faces out of it."""
    section = r.board.sections[r.board.spaces[unit.place].section]
    side = r.board.openings[opening].side if opening >= 0 else made_code(opening)
    clauses: Clauses = ("OD-GUN-1", "OD-GUN-2") if type_of(unit).artillery else ("OD-FROM-6",)
    r.because(
        facts_buildings.Deployed(
            unit=unit.id, place=unit.place, section=section.id, number=opening, clauses=clauses
        )
    )
    r.set(unit.id, clauses, opening=opening)
    r.emit(Placed(unit.id, unit.place, section.sides[side].facing, clauses=clauses))


CHAPTER = Chapter(
    owns=("OD-FROM-5", "OD-GUN-1", "OD-GUN-2"),
    asks={
        MadeOpening: (legal_made_opening, resolve_made_opening),
        DeployAt: (legal_deploy_at, resolve_deploy_at),
    },
    steps={SetUp: set_up},
)
