"""From a scenario to the first state (RG-HOUSE-PROFILE, RG-SCEN-1). Read `setup`; what the rules forbid in a scenario is in
`check.py`. Units have the numbers of `scenario.forces`. A character may begin with another unit: `aboard` names it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.geometry import Point
from battlesim.core.items import Step
from battlesim.core.state import State, Structure, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.deployment import (
    first_facing,
    first_state,
    marked_sections,
    middle_of,
    starting_places,
    unit_places,
)
from battlesim.rules.options import read_options
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.regiment import facts_buildings, rooms
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.deployment import DEPLOYMENT
from battlesim.rulesets.regiment.model import CHARGE, BattleState, UnitState, unit_state
from battlesim.rulesets.regiment.turn import BOTH, PHASE_PRIORITY, PhaseBegins


class Options(Struct, frozen=True):
    """A scenario's options. `activation`: side after side, or unit by unit. `massacre`: the lead in points that makes one, 0
    none."""

    activation: Literal["side", "unit"] = "side"
    massacre: Annotated[int, Meta(ge=0)] = 0


class Parade(Step, frozen=True):
    """Before the first turn: the houses are described."""


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's: they only fill the zones."""
    where = starting_places(scenario, DEPLOYMENT, dice)
    for number, force in enumerate(scenario.forces):
        if force.aboard in where:
            where[number] = where[force.aboard]
    # A side looks towards the middle of the enemy's units.
    fronts = [middle_of(board, unit_places(scenario, where, foe)) for foe in (1, 0)]
    options, _ = read_options(scenario.options, Options, "regiment")
    by_unit = options.activation == "unit"
    return first_state(
        {
            number: _unit(scenario, number, force, where.get(number, -1), fronts[force.side])
            for number, force in enumerate(scenario.forces)
        },
        _structures(scenario),
        BattleState(
            by_unit=by_unit,
            turns=scenario.turns,
            margin=scenario.margin,
            massacre=options.massacre,
            objectives=scenario.objectives,
        ),
        [(0, 0, Parade()), (0, PHASE_PRIORITY, PhaseBegins(BOTH if by_unit else 0, CHARGE))],
    )


def _unit(scenario: Scenario, number: int, force: Force, place: int, front: Point) -> Unit:
    """A character faces the same way as the unit it is with."""
    kind = TYPES[force.type]
    leader = scenario.forces[force.aboard] if force.aboard >= 0 else force
    models = force.models or kind.models
    unit_state = UnitState(full=models, files=kind.files, joined=force.aboard)
    facing = first_facing(scenario, leader.facing, place, front)
    return Unit(number, force.side, force.name, force.type, place, models, facing=facing, own=unit_state)


def _structures(scenario: Scenario) -> dict[int, Structure]:
    """Open ruins have fallen: their rubble is ground (RG-SCEN-1). Closed and burning sections are shut."""
    ruins = {n: Structure(n, fallen=True) for n in sorted(rooms.rooms_of(scenario.board).open)}
    return dict(sorted((marked_sections(scenario) | ruins).items()))


def parade(r: Resolution, step: Parade) -> None:
    """Describe the houses: parts, tall ones, open ruins, brittle and small ones; and which unit holds which."""
    board = r.board
    known = rooms.rooms_of(board)
    for sections in board.buildings.values():
        if len(sections) > 1:
            clauses: Clauses = ("RG-PART-1", "RG-PART-3")
            r.emit(facts_buildings.Parts(section=sections[0], number=len(sections), clauses=clauses))
    for section in board.sections:
        places = known.by_section[section.id]
        if not places:
            r.emit(facts_buildings.OpenRuin(section=section.id, clauses=("RG-SCEN-1",)))
        for place in places:
            room = known.by_place[place]
            if room.unstable:
                r.emit(facts_buildings.Brittle(place=place, section=section.id, clauses=("RG-UNST-1",)))
            if room.capacity < rooms.CAPACITY:
                told = facts_buildings.Small(
                    place=place, section=section.id, number=room.capacity, clauses=("RG-CAP-1",)
                )
                r.emit(told)
            if room.roomy:
                r.emit(facts_buildings.Roomy(place=place, section=section.id, clauses=("RG-CAP-1",)))
    for unit in r.state.units.values():
        room_here = rooms.room_at(board, unit.place) if unit.place >= 0 else None
        if room_here is not None and unit_state(unit).joined < 0:
            clauses = ("RG-CAP-1", "RG-PART-2") if room_here.tall else ("RG-CAP-1",)
            if (
                room_here.capacity == rooms.CAPACITY
                and "garrison" not in board.sections[room_here.section].own
            ):
                clauses = (*clauses, "RG-CAP-2", "RG-HOUSE-WALLS")
            r.emit(
                facts_buildings.Garrisons(
                    unit=unit.id, place=unit.place, section=room_here.section, clauses=clauses
                )
            )


CHAPTER = Chapter(owns=("RG-HOUSE-PROFILE",), steps={Parade: parade})
