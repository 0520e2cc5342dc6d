"""What the rules forbid in a map and a scenario (RG-HOUSE-PROFILE, RG-CAP-1). Read `check`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.errors import Fault
from battlesim.rules.checks import (
    check_forces,
    check_models,
    check_unused,
    fault,
    force_fault,
    is_dry,
    needs_inches,
    no_extra_turn,
    warn_shut,
)
from battlesim.rules.deployment import check_place, check_room
from battlesim.rules.options import read_options
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.regiment import rooms
from battlesim.rulesets.regiment.data import TYPES, UnitType
from battlesim.rulesets.regiment.deployment import DEPLOYMENT
from battlesim.rulesets.regiment.set_up import Options

MOST_MODELS = 60
"""The most models of a unit."""
GOALS: tuple[str, ...] = ("hold", "destroy", "survive")
UNUSED = {
    "quality": ("regiment has no qualities", "leave it out"),
    "officer": ("characters are units of their own", "leave it out"),
    "reserve": ("regiment has no reserves", "give at or zone"),
    "opening": ("regiment knows no openings", "leave it out"),
}


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Every fault of a scenario under these rules; the `place` of a fault says where in the file it is."""

    def of_unit(number: int, force: Force, kind: UnitType) -> list[Fault]:
        return check_place(scenario, number, DEPLOYMENT) + _check_host(scenario, force, kind)

    return [
        *needs_inches(board),
        *rooms.check_rooms(board),
        *read_options(scenario.options, Options, "regiment")[1],
        *no_extra_turn(scenario, "regiment"),
        *check_forces(scenario, "regiment", TYPES, _check_entry, of_unit),
        *check_room(scenario, DEPLOYMENT),
        *_check_goals(scenario),
    ]


def _check_entry(force: Force, kind: UnitType) -> list[Fault]:
    """A regiment may have any size; a character, a monster or an engine has a fixed one."""
    single = kind.models == 1 or kind.engine
    return check_unused(force, UNUSED) + check_models(force, kind, kind.models if single else MOST_MODELS)


def _check_host(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    """A character is with a unit of its own kind and side, no other character, that flies only if he does (`enter.joins`)."""
    if force.aboard < 0:
        return []
    host = scenario.forces[force.aboard]
    theirs = TYPES.get(host.type)
    if not kind.character:
        what = f"{kind.title} are no character"
        return [force_fault(force, "aboard", what, "give it a place of its own")]
    if theirs is not None and (theirs.character or theirs.kind != kind.kind or host.side != force.side):
        what = f"units of type {kind.name!r} cannot be with {host.name!r}"
        return [force_fault(force, "aboard", what, f"name a unit of {kind.kind} of its side")]
    if theirs is not None and theirs.flyer != kind.flyer:
        what = f"units of type {kind.name!r} cannot fly with {host.name!r}"
        return [force_fault(force, "aboard", what, f"name a unit of {kind.kind} that does not fly")]
    return []


def _check_goals(scenario: Scenario) -> list[Fault]:
    board = scenario.board

    def can_stand(place: int) -> bool:
        return (
            rooms.room_at(board, place) is not None
            if board.spaces[place].kind == "floor"
            else is_dry(board, place)
        )

    faults = warn_shut(scenario, board, can_stand)
    for number, goal in enumerate(scenario.objectives):
        where = f"objectives[{number}]"
        if goal.kind not in GOALS:
            what = f"regiment has no objective {goal.kind!r}"
            faults.append(fault(where, what, f"give {', '.join(GOALS)}"))
        elif goal.kind == "destroy" and goal.sections:
            faults.append(fault(where, "buildings are not destroyed here", "name units"))
    return faults
