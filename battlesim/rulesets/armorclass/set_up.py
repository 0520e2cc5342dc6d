"""The first state of a scenario. Read `setup`; `check.py` checks scenarios.

Units have the numbers of `scenario.forces`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.geometry import Point
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.deployment import (
    first_facing,
    first_state,
    marked_sections,
    middle_of,
    starting_places,
    unit_places,
    zone_places,
)
from battlesim.rules.options import sections_named
from battlesim.rules.reserves import reserves
from battlesim.rules.scenario import Force, Objective, Scenario
from battlesim.rulesets.armorclass.data import FLAMMABLE_WALLS, MILITARY, QUALITIES, TYPES, WALLS
from battlesim.rulesets.armorclass.deployment import (
    ARRIVE_PRIORITY,
    DEPLOYMENT,
    SETUP_PRIORITY,
    Arrive,
    SetUp,
)
from battlesim.rulesets.armorclass.model import BattleState, Fieldwork, UnitState
from battlesim.rulesets.armorclass.options import FIELDWORKS, kept, scenario_options
from battlesim.rulesets.armorclass.turn import TURN_PRIORITY, TurnStart


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's; they only fill the zones."""
    where = starting_places(scenario, DEPLOYMENT, dice)
    # A side faces the middle of the enemy's zones, or of the enemy's units if it has no zones.
    fronts = [
        middle_of(board, zone_places(scenario, foe) or unit_places(scenario, where, foe)) for foe in (1, 0)
    ]
    work: list[tuple[int, int, Step]] = [(0, SETUP_PRIORITY, SetUp()), (0, TURN_PRIORITY, TurnStart())]
    for number, time, edge, places in reserves(scenario):
        work.append((time, ARRIVE_PRIORITY, Arrive(number, edge, places)))
    return first_state(
        {
            number: _unit(scenario, number, force, where.get(number, -1), fronts[force.side])
            for number, force in enumerate(scenario.forces)
        },
        # A section closed by the map needs no mark.
        {n: s for n, s in marked_sections(scenario).items() if s.burning or not board.sections[n].closed},
        _extra(scenario, board),
        work,
    )


def _unit(scenario: Scenario, number: int, force: Force, place: int, front: Point) -> Unit:
    kind = TYPES[force.type]
    models = force.models or kind.models
    cohesion = max(6, min(9, kind.cohesion + QUALITIES[force.quality or "regular"])) if kind.cohesion else 0
    own = UnitState(full=models, cohesion=cohesion, arrives=force.reserve)
    facing = first_facing(scenario, force.facing, place, front)
    return Unit(number, force.side, force.name, force.type, place, models, facing=facing, own=own)


def _extra(scenario: Scenario, board: Board) -> BattleState:
    spec, _ = scenario_options(scenario)
    fieldworks = [
        Fieldwork(
            work.kind,
            board.by_name[name],
            WALLS.get(work.wall) or WALLS.get(FIELDWORKS[work.kind]) or MILITARY["emplacement"],
            WALLS.get(work.cover, 0),
            burns=work.wall in FLAMMABLE_WALLS,
            roof_burns=work.cover in FLAMMABLE_WALLS,
            points=work.points,
        )
        for work in spec.fieldworks
        for name in work.at
    ]
    names = [side.name for side in scenario.sides]
    goals = list(scenario.objectives)
    for keep in spec.keep:
        sections = tuple(s for name in keep.buildings for s in sections_named(board, name))
        title = keep.name or f"keep {', '.join(keep.buildings)}"
        goals.append(Objective("keep", title, keep.points, names.index(keep.side), sections=sections))
    return BattleState(
        turns=scenario.turns,
        margin=scenario.margin
        - 1,  # the scenario's margin is the lead needed; the clause's margin must be exceeded
        options=kept(spec),
        objectives=tuple(goals),
        fieldworks=tuple(sorted(fieldworks, key=lambda work: work.place)),
    )
