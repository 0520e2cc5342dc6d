"""What the rules forbid of a scenario, and how a battle begins (AL-HOUSE-GANGS, AL-MOVE-1). Read `check` and `setup`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault
from battlesim.core.state import State, Unit
from battlesim.rules.checks import (
    check_forces,
    check_models,
    check_objectives,
    check_unused,
    needs_inches,
    no_extra_turn,
)
from battlesim.rules.contract import Chapter
from battlesim.rules.deployment import (
    Deployment,
    Refusal,
    check_place,
    check_room,
    first_state,
    marked_sections,
    starting_places,
)
from battlesim.rules.options import read_options
from battlesim.rules.scenario import Force, Scenario

from .model import GANGS, BattleState, Gang, UnitState
from .turn import TURN_PRIORITY, BeginTurn

UNUSED = {
    "quality": ("gangs are what they are", "leave it out"),
    "officer": ("nobody leads a gang", "leave it out"),
    "reserve": ("everybody is there from the start", "give at or zone"),
    "aboard": ("nobody is carried", "give it a place of its own"),
    "opening": ("stones fly out of every window", "leave it out"),
}


class Options(Struct, frozen=True):
    """A scenario's options. `hardened`: nobody is ever scared."""

    hardened: bool = False


def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
    """Nobody begins in water or in what is closed."""
    space = scenario.board.spaces[place]
    if space.terrain == "water":
        return f"nobody can stand at {space.name!r}: water", "place it elsewhere"
    if space.kind == "floor" and scenario.is_closed(space.section):
        return f"{space.name!r} is closed", "place it elsewhere"
    return None


def room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
    return False


DEPLOYMENT = Deployment(types=GANGS, refuse=refuse, room=room, holds="a place holds one gang")


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Everything the rules have against a scenario, every fault at once."""

    def of_entry(force: Force, kind: Gang) -> list[Fault]:
        return check_unused(force, UNUSED) + check_models(force, kind, kind.men, "men")

    def of_unit(number: int, force: Force, kind: Gang) -> list[Fault]:
        return check_place(scenario, number, DEPLOYMENT)

    return [
        *needs_inches(board),
        *no_extra_turn(scenario, "alleys"),
        *read_options(scenario.options, Options, "alleys")[1],
        *check_forces(scenario, "alleys", GANGS, of_entry, of_unit),
        *check_room(scenario, DEPLOYMENT),
        *check_objectives(scenario, board),
    ]


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state; the dice only fill the zones."""
    where = starting_places(scenario, DEPLOYMENT, dice)
    options, _ = read_options(scenario.options, Options, "alleys")
    units: dict[int, Unit] = {}
    for number, force in enumerate(scenario.forces):
        men = force.models or GANGS[force.type].men
        units[number] = Unit(
            number, force.side, force.name, force.type, where[number], men, own=UnitState(full=men)
        )
    terms = BattleState(
        turns=scenario.turns,
        margin=scenario.margin,
        objectives=scenario.objectives,
        hardened=options.hardened,
    )
    return first_state(units, marked_sections(scenario), terms, [(0, TURN_PRIORITY, BeginTurn())])


CHAPTER = Chapter(owns=("AL-HOUSE-GANGS",))
