"""The first state of a scenario (OD-SCEN-1, OD-ENTER-6). Read `setup`; `check.py` checks scenarios. Units have the numbers of
`scenario.forces`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.geometry import Point
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.deployment import (
    first_facing,
    first_state,
    marked_sections,
    middle_of,
    starting_places,
    unit_places,
    zone_places,
)
from battlesim.rules.reserves import reserves
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES
from battlesim.rulesets.orderdice.deployment import DEPLOYMENT
from battlesim.rulesets.orderdice.model import BattleState, UnitState
from battlesim.rulesets.orderdice.openings import SETUP_PRIORITY, SetUp
from battlesim.rulesets.orderdice.reserves import ARRIVE_PRIORITY, Arrive
from battlesim.rulesets.orderdice.turn import TURN_PRIORITY, TurnStart

REGULAR = 1
"""The quality of a unit whose force names none, as an index of `QUALITIES`."""


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's; they only fill the zones."""
    where = starting_places(scenario, DEPLOYMENT, dice)
    # A side faces the middle of the enemy's zones, or of the enemy's units if it has no zones.
    fronts = [
        middle_of(board, zone_places(scenario, foe) or unit_places(scenario, where, foe)) for foe in (1, 0)
    ]
    work: list[tuple[int, int, Step]] = [(0, SETUP_PRIORITY, SetUp()), (0, TURN_PRIORITY, TurnStart())]
    for number, time, edge, places in reserves(scenario):
        cargo = tuple(n for n, other in enumerate(scenario.forces) if other.aboard == number)
        work.append((time, ARRIVE_PRIORITY, Arrive(number, cargo, edge, places)))
    return first_state(
        {
            number: _unit(scenario, number, force, where.get(number, -1), fronts[force.side])
            for number, force in enumerate(scenario.forces)
        },
        marked_sections(scenario),
        BattleState(
            turns=scenario.turns,
            extra_turn=scenario.extra_turn,
            margin=scenario.margin,
            objectives=scenario.objectives,
        ),
        work,
    )


def _unit(scenario: Scenario, number: int, force: Force, place: int, front: Point) -> Unit:
    kind, board = TYPES[force.type], scenario.board
    models = force.models or kind.models
    inside = place >= 0 and board.spaces[place].kind == "floor"
    carrier = scenario.forces[force.aboard] if force.aboard >= 0 else None
    arrives = carrier.reserve if carrier else force.reserve
    facing = force.facing
    if force.opening >= 0:
        hole = board.openings[force.opening]
        facing = board.sections[hole.section].sides[hole.side].facing
    own = UnitState(
        quality=QUALITIES.index(force.quality) if force.quality else REGULAR,
        full=models,
        officer=kind.officer if force.officer < 0 else force.officer,
        opening=force.opening,
        emplaced=inside and kind.artillery,
        # a passenger of a reserve boards when it comes on, and so holds no die before
        aboard=force.aboard if carrier and not arrives else -1,
        arrives=arrives,
    )
    facing = first_facing(scenario, facing, place, front)
    return Unit(number, force.side, force.name, force.type, place, models, facing=facing, own=own)


CHAPTER = Chapter(owns=("OD-SCEN-1", "OD-ENTER-6"))
